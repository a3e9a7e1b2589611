"""What every side of the benchmark shares: the inputs, drawn once from fixed seeds, and the loop that answers the driver."""
import json
import math
import sys
import time

import numpy as np

OPS = 'add mul div exp log sqrt tanh sigmoid relu sum mean max matmul reshape getitem softmax'.split()
MLP, CNN, GPT = 'mlp 784-256-128-10, batch 64', 'cnn 16-32, batch 64', 'gpt 4x128, batch 8x128'
CHAINS = {f'chain {n:,}': n for n in (10_000, 100_000)}
NAMES = [MLP, CNN, GPT, 'attention 8x4x128x32', 'generate 200', *CHAINS, *(f'op {name}' for name in OPS)]


def mlp_inputs():
    """Images (64, 784), labels (64,), and the weights and biases of the three layers, float32."""
    rng = np.random.default_rng(0)
    sizes = 784, 256, 128, 10
    layers = [(rng.normal(0, math.sqrt(2 / i), (o, i)).astype(np.float32), np.zeros(o, np.float32)) for i, o in zip(sizes, sizes[1:])]
    return rng.random((64, 784), np.float32), rng.integers(0, 10, 64), layers


def cnn_inputs():
    """Images (64, 1, 28, 28), labels (64,), and (weight, bias) of two 3x3 convolutions and a linear layer, float32."""
    rng = np.random.default_rng(1)
    draw = lambda *shape: rng.normal(0, math.sqrt(2 / np.prod(shape[1:])), shape).astype(np.float32)
    layers = [(draw(16, 1, 3, 3), np.zeros(16, np.float32)), (draw(32, 16, 3, 3), np.zeros(32, np.float32)), (draw(10, 32 * 7 * 7), np.zeros(10, np.float32))]
    return rng.random((64, 1, 28, 28), np.float32), rng.integers(0, 10, 64), layers


def op_inputs():
    """Two vectors of four positive numbers and a non-uniform cotangent, float32."""
    return np.float32([.5, 1.5, 2., 3.]), np.float32([2., .25, 1., 4.]), np.float32([1., -2., .5, 3.])


def serve(workloads):
    """Answer the driver, line by line: for `[name, n]`, run n steps and tell the seconds and the last step's value.

    `workloads` maps a name to a function that makes the step; null is answered for a name it lacks.
    """
    steps = {}
    for line in sys.stdin:
        name, n = json.loads(line)
        answer = None
        if name in workloads:
            if name not in steps: steps[name] = workloads[name]()
            step, start = steps[name], time.perf_counter()
            for _ in range(n): value = step()
            answer = [time.perf_counter() - start, np.asarray(value, np.float64).ravel().tolist()]
        print(json.dumps(answer), flush=True)
