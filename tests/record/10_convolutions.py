"""Print the expected values of module 10, from PyTorch 2.13 in float64: `python tests/record/10_convolutions.py`."""
import numpy as np
import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
wave = lambda *shape, step=1.: torch.from_numpy(np.cos(step * np.arange(np.prod(shape))).reshape(shape))


def show(name, value): print(f'{name}: {np.array2string(value.detach().numpy(), precision=8, separator=", ")}')


def with_gradients(name, fn, *inputs):
    """The value of fn, and the gradients of its inputs for a cotangent of cosines with step 0.7."""
    inputs = [i.clone().requires_grad_() for i in inputs]
    out = fn(*inputs)
    out.backward(wave(*out.shape, step=.7))
    show(f'{name} shape', torch.tensor(out.shape))
    show(f'{name} first row', out.flatten()[:4])
    show(f'{name} weighted sum', (out * wave(*out.shape, step=.3)).sum())
    for n, i in zip('xwb', inputs):
        show(f'{name} gradient {n} first', i.grad.flatten()[:4])
        show(f'{name} gradient {n} weighted sum', (i.grad * wave(*i.shape, step=.3)).sum())


with_gradients('conv plain', lambda x, w, b: F.conv2d(x, w, b), wave(2, 3, 5, 6), wave(4, 3, 3, 2, step=.5), wave(4, step=2.))
with_gradients('conv stride padding dilation', lambda x, w: F.conv2d(x, w, None, (2, 1), (1, 2), (1, 2)), wave(2, 3, 5, 6), wave(4, 3, 3, 2, step=.5))
with_gradients('conv groups', lambda x, w, b: F.conv2d(x, w, b, 1, 1, 1, 2), wave(2, 4, 5, 6), wave(6, 2, 3, 3, step=.5), wave(6, step=2.))
with_gradients('conv same', lambda x, w: F.conv2d(x, w, padding='same'), wave(1, 2, 5, 5), wave(3, 2, 3, 3, step=.5))
with_gradients('transposed', lambda x, w, b: F.conv_transpose2d(x, w, b, 2, 1, 1), wave(2, 3, 4, 3), wave(3, 2, 3, 3, step=.5), wave(2, step=2.))
with_gradients('transposed groups', lambda x, w: F.conv_transpose2d(x, w, None, (1, 2), 0, 0, 2, 2), wave(1, 4, 3, 3), wave(4, 3, 2, 3, step=.5))
with_gradients('max', lambda x: F.max_pool2d(x, 2), wave(2, 3, 4, 6))
with_gradients('max overlapping', lambda x: F.max_pool2d(x, 3, 2, 1), wave(1, 2, 5, 6))
with_gradients('max dilated', lambda x: F.max_pool2d(x, (2, 3), (1, 2), (1, 1), 2), wave(1, 2, 6, 7))
with_gradients('avg', lambda x: F.avg_pool2d(x, 3, 2, 1), wave(1, 2, 5, 6))
with_gradients('avg excluding', lambda x: F.avg_pool2d(x, 3, 2, 1, count_include_pad=False), wave(1, 2, 5, 6))
with_gradients('adaptive', lambda x: F.adaptive_avg_pool2d(x, (2, 3)), wave(1, 2, 5, 7))
with_gradients('adaptive max', lambda x: F.adaptive_max_pool2d(x, (2, 3)), wave(1, 2, 5, 7))
with_gradients('batch norm', lambda x, w, b: F.batch_norm(x, None, None, w, b, True), wave(3, 2, 2, 3), wave(2, step=2.) + 1, wave(2, step=3.))
with_gradients('batch norm eval', lambda x, w, b: F.batch_norm(x, torch.tensor([.5, -.25]), torch.tensor([2., .5]), w, b), wave(3, 2, 2, 3), wave(2, step=2.) + 1, wave(2, step=3.))
mean, var = torch.zeros(2), torch.ones(2)
F.batch_norm(wave(3, 2, 2, 3), mean, var, None, None, True)
show('running mean', mean)
show('running var', var)
