"""PyTorch's side of the benchmark: eager mode, on the threads the driver sets."""
import os

import torch
import torch.nn.functional as F
from common import CHAINS, CNN, MLP, OPS, cnn_inputs, mlp_inputs, op_inputs, serve

torch.set_num_threads(int(os.environ['OMP_NUM_THREADS']))


def trainer(model, x, y, layers):
    """One full step with Adam: forward, backward, update; the step gives the loss."""
    modules = [m for m in model if hasattr(m, 'weight')]
    with torch.no_grad():
        for m, (w, b) in zip(modules, layers):
            m.weight.copy_(torch.from_numpy(w))
            m.bias.copy_(torch.from_numpy(b))
    x, y, optimizer = torch.from_numpy(x), torch.from_numpy(y), torch.optim.Adam(model.parameters(), lr=1e-3)

    def step():
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        return loss.detach()
    return step


def mlp():
    nn = torch.nn
    return trainer(nn.Sequential(nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 128), nn.ReLU(), nn.Linear(128, 10)), *mlp_inputs())


def cnn():
    nn = torch.nn
    return trainer(nn.Sequential(nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(),
                                 nn.MaxPool2d(2), nn.Flatten(), nn.Linear(32 * 7 * 7, 10)), *cnn_inputs())


def operation(name):
    """Forward and backward of one operation on four elements; the step gives the gradient."""
    a, b, g = map(torch.from_numpy, op_inputs())
    m = torch.eye(4)
    a.requires_grad_()
    fn = dict(add=lambda: a + b, mul=lambda: a * b, div=lambda: a / b, exp=a.exp, log=a.log, sqrt=a.sqrt, tanh=a.tanh, sigmoid=a.sigmoid, relu=a.relu,
              sum=a.sum, mean=a.mean, max=a.max, matmul=lambda: a @ m, reshape=lambda: a.reshape(2, 2), getitem=lambda: a[1:3],
              softmax=lambda: a.softmax(0))[name]
    g = g[:fn().numel()].reshape(fn().shape)

    def step():
        a.grad = None
        fn().backward(g)
        return a.grad
    return step


def chain(n):
    """n additions and the backward pass through them."""
    start = torch.zeros((), requires_grad=True)

    def step():
        start.grad, x = None, start
        for _ in range(n): x = x + 1.
        x.backward()
        return start.grad
    return step


serve({MLP: mlp, CNN: cnn, **{f'op {n}': lambda n=n: operation(n) for n in OPS}, **{c: lambda n=n: chain(n) for c, n in CHAINS.items()}})
