"""Print the expected values of nbs/04_layers: `python tests/record/04_layers.py`, with PyTorch 2.13."""
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

torch.set_default_dtype(torch.float64)
wave = lambda *shape, step=1.: torch.from_numpy(np.cos(step * np.arange(np.prod(shape))).reshape(shape))
show = lambda name, t: print(name, np.round(np.asarray(t.detach()), 8).tolist())


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(2, 3)
        self.scale = nn.Parameter(torch.ones(2))
        self.register_buffer('seen', torch.zeros(()))
        self.register_buffer('scratch', torch.zeros(1), persistent=False)
        self.block = nn.Sequential(nn.Linear(3, 3, bias=False), nn.ReLU())
        self.again = self.first


net = Net()
print('named_modules', [name for name, _ in net.named_modules()])
print('named_parameters', [name for name, _ in net.named_parameters()])
print('named_buffers', [name for name, _ in net.named_buffers()])
print('state_dict', list(net.state_dict()))
print(net)
print(nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 2), nn.Tanh()]))
print(nn.LayerNorm((2, 3)), nn.RMSNorm(4), nn.Flatten(), nn.GELU(), nn.Softmax(dim=1), nn.LeakyReLU(), nn.Softplus())

show('linear', F.linear(wave(2, 3), wave(2, 3, step=.5), wave(2, step=2.)))
show('linear 3d', F.linear(wave(2, 2, 3), wave(2, 3, step=.5)))
x = wave(2, 3, 4)
show('layer_norm', F.layer_norm(x, (4,), wave(4, step=.5), wave(4, step=2.))[1])
show('layer_norm two dims', F.layer_norm(x, (3, 4))[1, 2])
show('layer_norm eps', F.layer_norm(torch.tensor([1., 0., 0., 0.]), (4,), eps=.5))
show('layer_norm [1, 0, 0, 0]', F.layer_norm(torch.tensor([1., 0., 0., 0.]), (4,)))
show('layer_norm far from 0', F.layer_norm(torch.tensor([1e6, 1e6 + 1, 1e6 + 2], dtype=torch.float32), (3,)))
show('rms_norm', F.rms_norm(x, (4,), wave(4, step=.5))[1])
show('rms_norm two dims', F.rms_norm(x, (3, 4), eps=.1)[1, 2])
show('rms_norm tiny', F.rms_norm(torch.full((2,), 1e-8), (2,)))
show('rms_norm tiny float32', F.rms_norm(torch.tensor([1e-4, 2e-4, 0, 0], dtype=torch.float32), (4,)))
for name in ('linear', 'conv2d', 'sigmoid', 'tanh', 'relu', 'selu', 'leaky_relu'): print('gain', name, nn.init.calculate_gain(name))
print('gain of leaky_relu with slope 0.2', nn.init.calculate_gain('leaky_relu', .2))
