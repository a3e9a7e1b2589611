"""The side of HIPS autograd (PyPI: autograd), with Adam by hand, since it has none of its own that works in place."""
import autograd.numpy as np
from autograd import grad, value_and_grad
from autograd.differential_operators import make_vjp
from common import CHAINS, MLP, OPS, mlp_inputs, op_inputs, serve


def mlp():
    x, y, layers = mlp_inputs()
    params = [p for layer in layers for p in layer]
    m, v, rows, t = [np.zeros_like(p) for p in params], [np.zeros_like(p) for p in params], np.arange(len(y)), [0]

    def loss(params):
        h = x
        for i in range(0, 6, 2): h = np.dot(h if i == 0 else np.maximum(h, 0), params[i].T) + params[i + 1]
        shifted = h - np.max(h, axis=1, keepdims=True)
        return -np.mean(shifted[rows, y] - np.log(np.sum(np.exp(shifted), axis=1)))
    both = value_and_grad(loss)

    def step():
        value, grads = both(params)
        t[0] += 1
        for p, g, mi, vi in zip(params, grads, m, v):
            mi += .1 * (g - mi)
            vi += .001 * (g * g - vi)
            p -= (1e-3 / (1 - .9 ** t[0])) * mi / (np.sqrt(vi / (1 - .999 ** t[0])) + 1e-8)
        return value
    return step


def operation(name):
    """Forward and backward of one operation on four elements; the step gives the gradient."""
    a, b, g = op_inputs()
    m = np.eye(4, dtype=np.float32)
    fn = dict(add=lambda a: a + b, mul=lambda a: a * b, div=lambda a: a / b, exp=np.exp, log=np.log, sqrt=np.sqrt, tanh=np.tanh,
              sigmoid=lambda a: 1 / (1 + np.exp(-a)), relu=lambda a: np.maximum(a, 0), sum=np.sum, mean=np.mean, max=np.max,
              matmul=lambda a: np.dot(a, m), reshape=lambda a: np.reshape(a, (2, 2)), getitem=lambda a: a[1:3],
              softmax=lambda a: np.exp(a - np.max(a)) / np.sum(np.exp(a - np.max(a))))[name]
    g = g[:np.size(fn(a))].reshape(np.shape(fn(a)))
    forward = make_vjp(fn)
    return lambda: forward(a)[0](g)


def chain(n):
    """n additions and the backward pass through them."""
    def add(x):
        for _ in range(n): x = x + 1.
        return x
    gradient = grad(add)
    return lambda: gradient(0.)


serve({MLP: mlp, **{f'op {n}': lambda n=n: operation(n) for n in OPS}, **{c: lambda n=n: chain(n) for c, n in CHAINS.items()}})
