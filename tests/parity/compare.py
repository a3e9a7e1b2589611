"""Drawing inputs, and comparing our values and gradients with PyTorch's. A pytest plugin, too: at the end it says how much was compared."""
import numpy as np
import torch
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from tinytorch.core import autograd  # noqa: F401, registers backward and the derivatives
from tinytorch.core.tensor import Tensor

COUNTS = {}  # cases compared, by name
CASES = 12
DTYPES = [np.float64, np.float32]
TOLERANCE = {np.float64: 1e-10, np.float32: 1e-5}


def pytest_terminal_summary(terminalreporter):
    """Say how much was compared."""
    terminalreporter.write_line(f'{len(COUNTS)} operations, modules, losses, optimizers and schedulers; {sum(COUNTS.values()):,} cases compared with PyTorch')


def cases(name):
    """Run the decorated test(data) on CASES drawn inputs, always the same, and count them under `name`."""
    def decorate(test):
        @seed(0)
        @settings(max_examples=CASES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
        @given(st.data())
        def run(data):
            test(data)
            COUNTS[name] = COUNTS.get(name, 0) + 1
        return run
    return decorate


def array(data, shape, dtype, low=-3., high=3.):
    """Numbers from low to high, drawn by a seed that hypothesis chooses; no two of an array are equal."""
    values = np.random.default_rng(data.draw(st.integers(0, 2 ** 32 - 1))).uniform(low, high, shape)
    return np.asarray(values, dtype)


def shape(data, dims=(1, 3), lengths=(1, 5)):
    """A drawn shape with a number of dimensions, and lengths, in these ranges."""
    return tuple(data.draw(st.lists(st.integers(*lengths), min_size=dims[0], max_size=dims[1])))


def close(ours, theirs, dtype, what):
    """Fail unless both agree to 1e-10 (float64) or 1e-5 (float32), relative to the largest value."""
    ours, theirs = np.asarray(ours), theirs.detach().numpy() if isinstance(theirs, torch.Tensor) else np.asarray(theirs)
    assert ours.shape == theirs.shape, f'{what}: shape {ours.shape}, PyTorch {theirs.shape}'
    assert ours.dtype == theirs.dtype, f'{what}: dtype {ours.dtype}, PyTorch {theirs.dtype}'
    scale = max(1., np.abs(theirs[np.isfinite(theirs)]).max(initial=0)) if theirs.size and theirs.dtype.kind == 'f' else 1.
    np.testing.assert_allclose(ours / scale if ours.dtype.kind == 'f' else ours, theirs / scale if ours.dtype.kind == 'f' else theirs,
                               rtol=TOLERANCE[dtype], atol=TOLERANCE[dtype], err_msg=what)


def results(out):
    """The Tensors of one or several results."""
    return [o for o in out if hasattr(o, 'shape')] if isinstance(out, (tuple, list)) else [out]


def same(data, ours, theirs, arrays, dtype, kwargs={}):
    """Compare values, and the gradients of every floating input for drawn cotangents of every floating result."""
    mine = [Tensor(a, requires_grad=a.dtype.kind == 'f') for a in arrays]
    others = [torch.tensor(a, requires_grad=a.dtype.kind == 'f') for a in arrays]
    got, expected = results(ours(*mine, **kwargs)), results(theirs(*others, **kwargs))
    assert len(got) == len(expected)
    total = None
    for i, (g, e) in enumerate(zip(got, expected)):
        close(g.numpy(), e, dtype, f'result {i}')
        if not e.requires_grad: continue
        assert g.requires_grad, f'result {i} lost the graph'
        cotangent = array(data, e.shape, dtype)
        pair = (g * Tensor(cotangent)).sum(), (e * torch.tensor(cotangent)).sum()
        total = pair if total is None else (total[0] + pair[0], total[1] + pair[1])
    if total is None: return
    total[0].backward()
    total[1].backward()
    for i, (m, o) in enumerate(zip(mine, others)):
        if o.grad is not None: close(m.grad.numpy(), o.grad, dtype, f'gradient {i}')
