"""Print the expected values of module 03, from PyTorch 2.13: `python tests/record/03_activations.py`."""
import numpy as np
import torch
import torch.nn.functional as F

x = torch.tensor([-3., -1., -.5, 0., .25, 1., 2.], dtype=torch.float64)
for name, fn in dict(relu=F.relu, leaky=F.leaky_relu, leaky2=lambda x: F.leaky_relu(x, .2), sigmoid=torch.sigmoid, tanh=torch.tanh, gelu=F.gelu,
                     gelu_tanh=lambda x: F.gelu(x, approximate='tanh'), silu=F.silu, softplus=F.softplus, softplus2=lambda x: F.softplus(x, 2., 3.),
                     erf=torch.erf, logsigmoid=F.logsigmoid, elu=F.elu).items():
    print(name, np.round(fn(x).numpy(), 9).tolist())
print('softplus far', F.softplus(torch.tensor([-800., -30., 15., 30., 1000.], dtype=torch.float64)).tolist())
print('sigmoid far', torch.sigmoid(torch.tensor([-1000., -40., 0., 40., 1000.], dtype=torch.float64)).tolist())
m = torch.tensor([[1., 2., 3.], [1000., 1001., 1002.], [-5., 0., 5.]], dtype=torch.float64)
for dim in 0, 1:
    print('softmax', dim, np.round(F.softmax(m, dim).numpy(), 9).tolist())
    print('log_softmax', dim, np.round(F.log_softmax(m, dim).numpy(), 9).tolist())
print('log_softmax far', F.log_softmax(torch.tensor([-431., 279., 427.]), 0).tolist())
print('gelu far', F.gelu(torch.tensor([-40., -6., 6., 40.], dtype=torch.float64)).tolist(), F.gelu(torch.tensor([-40., -6., 6., 40.], dtype=torch.float64), approximate='tanh').tolist())
print('erf', torch.erf(torch.tensor([.1, .4, .6, 1.5, 2.5, 3.5, 5.], dtype=torch.float64)).tolist())
