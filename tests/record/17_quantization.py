"""Print the expected values of module 17, from PyTorch 2.13: `python tests/record/17_quantization.py`."""
import numpy as np
import torch
from torch.ao.quantization import MinMaxObserver, PerChannelMinMaxObserver

x = torch.tensor([-1.5, -.37, 0., .3, 1.1, 2.5])
for name, kwargs in {'affine quint8': dict(dtype=torch.quint8, qscheme=torch.per_tensor_affine),
                     'affine qint8': dict(dtype=torch.qint8, qscheme=torch.per_tensor_affine),
                     'symmetric qint8': dict(dtype=torch.qint8, qscheme=torch.per_tensor_symmetric)}.items():
    for data in (x, x + 3):
        observer = MinMaxObserver(**kwargs)
        observer(data)
        scale, zero = observer.calculate_qparams()
        print(name, scale.item(), zero.item(), torch.quantize_per_tensor(data, scale.item(), zero.item(), kwargs['dtype']).int_repr().tolist())
w = torch.tensor([[1., -2., .5], [.01, .02, -.04]])
observer = PerChannelMinMaxObserver(ch_axis=0, dtype=torch.qint8, qscheme=torch.per_channel_symmetric)
observer(w)
scale, zero = observer.calculate_qparams()
print('per channel', scale.tolist(), zero.tolist(), torch.quantize_per_channel(w, scale, zero, 0, torch.qint8).int_repr().tolist())
print('halves', torch.quantize_per_tensor(torch.tensor([.5, 1.5, 2.5, -.5, -1.5, 300., -300.]), 1., 0, torch.qint8).int_repr().tolist())
print('dequantize', torch.quantize_per_tensor(x, .02, 10, torch.quint8).dequantize().tolist())
y = torch.tensor([-3., -1.2, -.26, .26, 1.9, 4.], requires_grad=True)
out = torch.fake_quantize_per_tensor_affine(y, .5, 1, -4, 3)
out.backward(torch.tensor([1., 2., 3., 4., 5., 6.]))
print('fake', out.tolist(), y.grad.tolist())
