"""Our side of the benchmark."""
from common import CHAINS, CNN, MLP, OPS, cnn_inputs, mlp_inputs, op_inputs, serve

import numpy as np
from tinytorch.core import autograd
from tinytorch.core.convolutions import Conv2d, MaxPool2d
from tinytorch.core.layers import Flatten, Linear, ReLU, Sequential
from tinytorch.core.losses import cross_entropy
from tinytorch.core.optimizers import Adam
from tinytorch.core.tensor import Tensor


def trainer(model, x, y, layers):
    """One full step with Adam: forward, backward, update; the step gives the loss."""
    modules = [m for m in model if hasattr(m, 'weight')]
    with autograd.no_grad():
        for m, (w, b) in zip(modules, layers):
            m.weight.copy_(Tensor(w))
            m.bias.copy_(Tensor(b))
    x, y, optimizer = Tensor(x), Tensor(y), Adam(model.parameters(), lr=1e-3)

    def step():
        optimizer.zero_grad()
        loss = cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        return loss
    return step


def mlp(): return trainer(Sequential(Linear(784, 256), ReLU(), Linear(256, 128), ReLU(), Linear(128, 10)), *mlp_inputs())


def cnn():
    return trainer(Sequential(Conv2d(1, 16, 3, padding=1), ReLU(), MaxPool2d(2), Conv2d(16, 32, 3, padding=1), ReLU(),
                              MaxPool2d(2), Flatten(), Linear(32 * 7 * 7, 10)), *cnn_inputs())


def operation(name):
    """Forward and backward of one operation on four elements; the step gives the gradient."""
    a, b, g = map(Tensor, op_inputs())
    m = Tensor(np.eye(4, dtype=np.float32))
    a.requires_grad = True
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
    start = Tensor(0., requires_grad=True)

    def step():
        start.grad, x = None, start
        for _ in range(n): x = x + 1.
        x.backward()
        return start.grad
    return step


serve({MLP: mlp, CNN: cnn, **{f'op {n}': lambda n=n: operation(n) for n in OPS}, **{c: lambda n=n: chain(n) for c, n in CHAINS.items()}})
