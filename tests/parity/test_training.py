"""Modules, optimizers and schedulers against PyTorch's, from the same weights."""
import numpy as np
import pytest
import torch
from compare import DTYPES, array, cases, close
from hypothesis import strategies as st

from tinytorch.core import attention, convolutions, layers, losses, optimizers, training
from tinytorch.core.tensor import Tensor

nn = torch.nn
MODULES = {  # name: ours, PyTorch's, shape of the input
    'Linear': (lambda: layers.Linear(4, 3), lambda: nn.Linear(4, 3), (5, 4)), 'Linear without bias': (lambda: layers.Linear(4, 3, bias=False), lambda: nn.Linear(4, 3, bias=False), (2, 5, 4)),
    'LayerNorm': (lambda: layers.LayerNorm((3, 4)), lambda: nn.LayerNorm((3, 4)), (2, 3, 4)), 'RMSNorm': (lambda: layers.RMSNorm(4), lambda: nn.RMSNorm(4), (2, 3, 4)),
    'Conv2d': (lambda: convolutions.Conv2d(2, 4, 3, 2, 1), lambda: nn.Conv2d(2, 4, 3, 2, 1), (2, 2, 6, 5)), 'ConvTranspose2d': (lambda: convolutions.ConvTranspose2d(2, 3, 3, 2), lambda: nn.ConvTranspose2d(2, 3, 3, 2), (2, 2, 4, 3)),
    'BatchNorm1d': (lambda: convolutions.BatchNorm1d(3), lambda: nn.BatchNorm1d(3), (6, 3)), 'BatchNorm2d': (lambda: convolutions.BatchNorm2d(3), lambda: nn.BatchNorm2d(3), (4, 3, 2, 2)),
    'MLP': (lambda: layers.Sequential(layers.Linear(4, 8), layers.GELU(), layers.LayerNorm(8), layers.Linear(8, 2)), lambda: nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.LayerNorm(8), nn.Linear(8, 2)), (5, 4)),
    'CNN': (lambda: layers.Sequential(convolutions.Conv2d(1, 3, 3, padding=1), convolutions.BatchNorm2d(3), layers.ReLU(), convolutions.MaxPool2d(2), layers.Flatten(), layers.Linear(27, 4)),
            lambda: nn.Sequential(nn.Conv2d(1, 3, 3, padding=1), nn.BatchNorm2d(3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(27, 4)), (3, 1, 6, 6)),
    'MultiHeadAttention': (lambda: attention.MultiHeadAttention(8, 2, batch_first=True), lambda: nn.MultiheadAttention(8, 2, batch_first=True), (2, 3, 8))}

OPTIMIZERS = {
    'SGD': (optimizers.SGD, torch.optim.SGD, dict(lr=.1)), 'SGD momentum': (optimizers.SGD, torch.optim.SGD, dict(lr=.05, momentum=.9, dampening=.1, weight_decay=.01)),
    'SGD Nesterov': (optimizers.SGD, torch.optim.SGD, dict(lr=.05, momentum=.8, nesterov=True)), 'RMSprop': (optimizers.RMSprop, torch.optim.RMSprop, dict(lr=.01)),
    'RMSprop centered': (optimizers.RMSprop, torch.optim.RMSprop, dict(lr=.01, alpha=.9, centered=True, momentum=.5, weight_decay=.1)), 'Adagrad': (optimizers.Adagrad, torch.optim.Adagrad, dict(lr=.1, lr_decay=.1)),
    'Adam': (optimizers.Adam, torch.optim.Adam, dict(lr=.02)), 'Adam decay AMSGrad': (optimizers.Adam, torch.optim.Adam, dict(lr=.02, betas=(.8, .95), eps=1e-6, weight_decay=.1, amsgrad=True)),
    'AdamW': (optimizers.AdamW, torch.optim.AdamW, dict(lr=.02, weight_decay=.2))}

S, T = torch.optim.lr_scheduler, training
SCHEDULERS = {
    'StepLR': (lambda o: T.StepLR(o, 3, .5), lambda o: S.StepLR(o, 3, .5)), 'MultiStepLR': (lambda o: T.MultiStepLR(o, [2, 5]), lambda o: S.MultiStepLR(o, [2, 5])),
    'ExponentialLR': (lambda o: T.ExponentialLR(o, .9), lambda o: S.ExponentialLR(o, .9)), 'CosineAnnealingLR': (lambda o: T.CosineAnnealingLR(o, 6, .01), lambda o: S.CosineAnnealingLR(o, 6, .01)),
    'LinearLR': (lambda o: T.LinearLR(o, .2, .9, 4), lambda o: S.LinearLR(o, .2, .9, 4)), 'LambdaLR': (lambda o: T.LambdaLR(o, lambda t: 1 / (1 + t)), lambda o: S.LambdaLR(o, lambda t: 1 / (1 + t))),
    'OneCycleLR': (lambda o: T.OneCycleLR(o, 1., 12), lambda o: S.OneCycleLR(o, 1., 12)),
    'SequentialLR': (lambda o: T.SequentialLR(o, [T.LinearLR(o, .1, total_iters=3), T.CosineAnnealingLR(o, 8)], [3]), lambda o: S.SequentialLR(o, [S.LinearLR(o, .1, total_iters=3), S.CosineAnnealingLR(o, 8)], [3]))}


def twins(ours, theirs, dtype):
    """Both modules in this dtype with PyTorch's weights, which load by name and shape."""
    mine, other = ours(), theirs()
    mine, other = mine.to(dtype), other.to(torch.float64 if dtype == np.float64 else torch.float32)
    assert list(mine.state_dict()) == list(other.state_dict())
    mine.load_state_dict({k: v.numpy() for k, v in other.state_dict().items()})
    return mine, other


def first(out): return out[0] if isinstance(out, tuple) else out


@pytest.mark.parametrize('dtype', DTYPES)
@pytest.mark.parametrize('name', MODULES)
def test_modules(name, dtype):
    ours, theirs, size = MODULES[name]

    @cases(name)
    def run(data):
        torch.manual_seed(data.draw(st.integers(0, 1000)))
        mine, other = twins(ours, theirs, dtype)
        x = array(data, size, dtype)
        a, b = Tensor(x, requires_grad=True), torch.tensor(x, requires_grad=True)
        copies = 3 if 'Attention' in name else 1
        out, expected = first(mine(*[a] * copies)), first(other(*[b] * copies))
        close(out.numpy(), expected, dtype, 'output')
        g = array(data, expected.shape, dtype)
        out.backward(Tensor(g))
        expected.backward(torch.tensor(g))
        close(a.grad.numpy(), b.grad, dtype, 'gradient of the input')
        for (n, p), q in zip(mine.named_parameters(), other.parameters()): close(p.grad.numpy(), q.grad, dtype, f'gradient of {n}')
        for k, v in other.state_dict().items(): close(mine.state_dict()[k].numpy(), v, dtype, k)
        mine.eval(), other.eval()
        close(first(mine(*[a] * copies)).numpy(), first(other(*[b] * copies)), dtype, 'output in evaluation')
    run()


@pytest.mark.parametrize('dtype', DTYPES)
@pytest.mark.parametrize('name', OPTIMIZERS)
def test_optimizers(name, dtype):
    ours, theirs, options = OPTIMIZERS[name]

    @cases(name)
    def run(data):
        torch.manual_seed(data.draw(st.integers(0, 1000)))
        mine, other = twins(lambda: layers.Sequential(layers.Linear(4, 6), layers.Tanh(), layers.Linear(6, 3)), lambda: nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 3)), dtype)
        a, b = ours(mine.parameters(), **options), theirs(other.parameters(), **options)
        for _ in range(10):
            x, y = array(data, (8, 4), dtype), data.draw(st.integers(0, 2)) + np.arange(8) % 3
            a.zero_grad(), b.zero_grad()
            loss, expected = losses.cross_entropy(mine(Tensor(x)), Tensor(y % 3)), torch.nn.functional.cross_entropy(other(torch.tensor(x)), torch.tensor(y % 3))
            close(loss.numpy(), expected, dtype, 'loss')
            loss.backward(), expected.backward()
            a.step(), b.step()
        for (n, p), q in zip(mine.named_parameters(), other.parameters()): close(p.numpy(), q, np.float32 if dtype == np.float32 else dtype, n)
    run()


@pytest.mark.parametrize('name', SCHEDULERS)
def test_schedulers(name):
    ours, theirs = SCHEDULERS[name]

    @cases(name)
    def run(data):
        lr = data.draw(st.floats(.001, 1.))
        mine, other = optimizers.SGD([layers.Parameter(Tensor(np.zeros(1)))], lr=lr, momentum=.9), torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=lr, momentum=.9)
        a, b = ours(mine), theirs(other)
        for step in range(11):
            for key in 'lr', 'momentum': assert abs(mine.param_groups[0][key] - other.param_groups[0][key]) < 1e-10, (step, key)
            other.step()
            a.step(), b.step()
    run()


def test_clipping():
    @cases('clip_grad_norm_')
    def run(data):
        grads = [array(data, s, np.float64) for s in ((3, 2), (4,))]
        mine, other = [layers.Parameter(Tensor(np.zeros(g.shape))) for g in grads], [torch.zeros(g.shape, dtype=torch.float64, requires_grad=True) for g in grads]
        for p, q, g in zip(mine, other, grads): p.grad, q.grad = Tensor(g), torch.tensor(g)
        limit, kind = data.draw(st.floats(.1, 10.)), data.draw(st.sampled_from([1., 2., 3., float('inf')]))
        total, expected = training.clip_grad_norm_(mine, limit, kind), torch.nn.utils.clip_grad_norm_(other, limit, kind)
        assert abs(total.item() - expected.item()) < 1e-5
        for p, q in zip(mine, other): close(p.grad.numpy(), q.grad, np.float64, 'clipped')
    run()
