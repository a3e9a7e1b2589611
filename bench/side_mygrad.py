"""The side of MyGrad (PyPI: mygrad), with Adam by hand, since it has no optimizers."""
import mygrad as mg
import numpy as np
from common import MLP, OPS, mlp_inputs, op_inputs, serve
from mygrad.nnet import softmax_crossentropy
from mygrad.nnet.activations import relu, sigmoid, softmax


def mlp():
    x, y, layers = mlp_inputs()
    params = [mg.tensor(p) for layer in layers for p in layer]
    m, v, t = [np.zeros_like(p.data) for p in params], [np.zeros_like(p.data) for p in params], [0]

    def step():
        h = x
        for i in range(0, 6, 2): h = mg.matmul(h if i == 0 else relu(h), params[i].T) + params[i + 1]
        loss = softmax_crossentropy(h, y)
        loss.backward()
        t[0] += 1
        for p, mi, vi in zip(params, m, v):
            mi += .1 * (p.grad - mi)
            vi += .001 * (p.grad * p.grad - vi)
            p.data -= (1e-3 / (1 - .9 ** t[0])) * mi / (np.sqrt(vi / (1 - .999 ** t[0])) + 1e-8)
        return loss.data
    return step


def operation(name):
    """Forward and backward of one operation on four elements; the step gives the gradient."""
    a, b, g = op_inputs()
    a, m = mg.tensor(a), np.eye(4, dtype=np.float32)
    fn = dict(add=lambda: a + b, mul=lambda: a * b, div=lambda: a / b, exp=lambda: mg.exp(a), log=lambda: mg.log(a), sqrt=lambda: mg.sqrt(a),
              tanh=lambda: mg.tanh(a), sigmoid=lambda: sigmoid(a), relu=lambda: relu(a), sum=lambda: mg.sum(a), mean=lambda: mg.mean(a),
              max=lambda: mg.max(a), matmul=lambda: mg.matmul(a, m), reshape=lambda: mg.reshape(a, (2, 2)), getitem=lambda: a[1:3],
              softmax=lambda: softmax(a))[name]
    g = g[:fn().size].reshape(fn().shape)

    def step():
        fn().backward(g)
        return a.grad
    return step


serve({MLP: mlp, **{f'op {n}': lambda n=n: operation(n) for n in OPS}})
