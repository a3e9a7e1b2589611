"""Every operation against PyTorch's: a line each, with the shapes and ranges of its inputs."""
import numpy as np
import pytest
import torch
import torch.nn.functional as F
from compare import DTYPES, array, cases, same, shape
from hypothesis import strategies as st

from tinytorch.core import activations as act
from tinytorch.core import convolutions as conv
from tinytorch.core import layers, losses
from tinytorch.core import tensor as tt
from tinytorch.core.attention import scaled_dot_product_attention

POSITIVE, SMALL = (.5, 3.), (-1., 1.)
NOT_EMPTY = 'max', 'min', 'int index', 'list index', 'new axis'  # an error where there are no numbers, as in PyTorch

# name: ours, PyTorch's, range of the numbers
UNARY = {
    'neg': (tt.neg, torch.neg), 'exp': (tt.exp, torch.exp, SMALL), 'expm1': (tt.expm1, torch.expm1, SMALL), 'log': (tt.log, torch.log, POSITIVE), 'log1p': (tt.log1p, torch.log1p, POSITIVE),
    'sqrt': (tt.sqrt, torch.sqrt, POSITIVE), 'rsqrt': (tt.rsqrt, torch.rsqrt, POSITIVE), 'sin': (tt.sin, torch.sin), 'cos': (tt.cos, torch.cos), 'square': (tt.square, torch.square),
    'reciprocal': (tt.reciprocal, torch.reciprocal, POSITIVE), 'abs': (tt.abs, torch.abs), 'sign': (tt.sign, torch.sign), 'floor': (tt.floor, torch.floor), 'ceil': (tt.ceil, torch.ceil),
    'round': (tt.round, torch.round), 'relu': (act.relu, F.relu), 'leaky_relu': (lambda x: act.leaky_relu(x, .2), lambda x: F.leaky_relu(x, .2)), 'sigmoid': (act.sigmoid, torch.sigmoid),
    'tanh': (act.tanh, torch.tanh), 'gelu': (act.gelu, F.gelu), 'gelu tanh': (lambda x: act.gelu(x, 'tanh'), lambda x: F.gelu(x, approximate='tanh')), 'silu': (act.silu, F.silu),
    'softplus': (lambda x: act.softplus(x, 2., 4.), lambda x: F.softplus(x, 2., 4.)), 'logsigmoid': (act.logsigmoid, F.logsigmoid), 'elu': (lambda x: act.elu(x, .7), lambda x: F.elu(x, .7)),
    'clip': (lambda x: tt.clip(x, -1., 2.), lambda x: torch.clip(x, -1., 2.)), 'clone': (tt.clone, torch.clone), 'flatten': (lambda x: x.flatten(), lambda x: x.flatten()),
    'unsqueeze': (lambda x: x.unsqueeze(0), lambda x: x.unsqueeze(0)), 'squeeze': (lambda x: x.squeeze(), lambda x: x.squeeze()), 'T': (lambda x: x.transpose(0, -1), lambda x: x.transpose(0, -1)),
    'flip': (lambda x: x.flip(0), lambda x: x.flip(0)), 'roll': (lambda x: x.roll(2, 0), lambda x: x.roll(2, 0)), 'reflected': (lambda x: 2 / x + 3 - x * .5, lambda x: 2 / x + 3 - x * .5, POSITIVE),
    'pow 3': (lambda x: x ** 3, lambda x: x ** 3), 'rpow': (lambda x: 2 ** x, lambda x: 2 ** x), 'max': (lambda x: x.max(), lambda x: x.max()), 'min': (lambda x: x.min(), lambda x: x.min()),
    'repeat': (lambda x: x.repeat(2, *[1] * x.ndim), lambda x: x.repeat(2, *[1] * x.ndim)), 'int index': (lambda x: x[-1], lambda x: x[-1]), 'step': (lambda x: x[::2], lambda x: x[::2]),
    'list index': (lambda x: x[[0, -1, 0]], lambda x: x[[0, -1, 0]]), 'new axis': (lambda x: x[None, ..., 0], lambda x: x[None, ..., 0]), 'mask': (lambda x: x[x > 0], lambda x: x[x > 0]),
    'in place': (lambda x: (x * 2).add_(1).mul_(x), lambda x: (x * 2).add_(1).mul_(x)), 'prod': (lambda x: x.prod(), lambda x: x.prod()), 'std': (lambda x: x.std(correction=0), lambda x: x.std(correction=0), POSITIVE)}

BINARY = {'add': (tt.add, torch.add), 'sub': (tt.sub, torch.sub), 'mul': (tt.mul, torch.mul), 'div': (tt.div, torch.div, POSITIVE), 'pow': (tt.pow, torch.pow, POSITIVE),
          'maximum': (tt.maximum, torch.maximum), 'minimum': (tt.minimum, torch.minimum), 'remainder': (tt.remainder, torch.remainder, POSITIVE),
          'where': (lambda a, b: tt.where(a > b, a, b * 2), lambda a, b: torch.where(a > b, a, b * 2)), 'lt': (tt.lt, torch.lt), 'ge': (tt.ge, torch.ge),
          'clip by arrays': (lambda a, b: tt.clip(a, b, b + 1), lambda a, b: torch.clip(a, b, b + 1)), 'clip from below': (tt.clip, torch.clip),
          'masked_fill': (lambda a, b: (a + b).masked_fill(a < b, 7.), lambda a, b: (a + b).masked_fill(a < b, 7.))}

FIXED = {  # name: shapes, ours, PyTorch's
    'matmul': ([(3, 4), (4, 2)], tt.matmul, torch.matmul), 'matmul batch': ([(2, 1, 3, 4), (5, 4, 2)], tt.matmul, torch.matmul), 'matmul vector': ([(4,), (2, 4, 3)], tt.matmul, torch.matmul),
    'matmul column': ([(2, 3, 4), (4,)], tt.matmul, torch.matmul), 'dot': ([(4,), (4,)], tt.matmul, torch.matmul), 'linear': ([(2, 3, 4), (5, 4), (5,)], layers.linear, F.linear),
    'cat': ([(2, 3), (2, 1), (2, 2)], lambda *t: tt.cat(t, 1), lambda *t: torch.cat(t, 1)), 'stack': ([(2, 3)] * 3, lambda *t: tt.stack(t, -1), lambda *t: torch.stack(t, -1)),
    'split': ([(5, 3)], lambda x: tt.split(x, 2), lambda x: torch.split(x, 2)), 'split lengths': ([(2, 6)], lambda x: tt.split(x, [1, 2, 3], 1), lambda x: torch.split(x, [1, 2, 3], 1)),
    'chunk': ([(7, 2)], lambda x: x.chunk(3), lambda x: x.chunk(3)), 'unbind': ([(3, 2)], lambda x: x.unbind(1), lambda x: x.unbind(1)), 'permute': ([(2, 3, 4)], lambda x: x.permute(2, 0, 1), lambda x: x.permute(2, 0, 1)),
    'movedim': ([(2, 3, 4)], lambda x: x.movedim(0, 2), lambda x: x.movedim(0, 2)), 'expand': ([(2, 1, 3)], lambda x: x.expand(4, 2, 5, 3), lambda x: x.expand(4, 2, 5, 3)),
    'reshape': ([(2, 3, 4)], lambda x: x.reshape(4, -1), lambda x: x.reshape(4, -1)), 'pad': ([(2, 3)], lambda x: tt.pad(x, (1, 2, 0, 3)), lambda x: F.pad(x, (1, 2, 0, 3))),
    'tril': ([(2, 4, 4)], lambda x: x.tril(-1), lambda x: x.tril(-1)), 'triu': ([(3, 4)], lambda x: x.triu(1), lambda x: x.triu(1)), 'cumsum': ([(3, 4)], lambda x: x.cumsum(1), lambda x: x.cumsum(1)),
    'prod dim': ([(3, 4)], lambda x: x.prod(1), lambda x: x.prod(1)), 'max dim': ([(3, 4)], lambda x: x.max(dim=1), lambda x: x.max(dim=1)), 'min dim': ([(3, 4)], lambda x: x.min(dim=0, keepdim=True), lambda x: x.min(dim=0, keepdim=True)),
    'sort': ([(3, 5)], lambda x: x.sort(dim=1, descending=True), lambda x: x.sort(dim=1, descending=True)), 'topk': ([(3, 5)], lambda x: x.topk(2), lambda x: x.topk(2)), 'argmax': ([(3, 4)], lambda x: x.argmax(1), lambda x: x.argmax(1)),
    'gather': ([(3, 4)], lambda x: x.gather(1, tt.tensor([[0, 0], [3, 1], [2, 2]])), lambda x: x.gather(1, torch.tensor([[0, 0], [3, 1], [2, 2]]))),
    'set item': ([(3, 4), (4,)], lambda x, v: _write(x * 2, v), lambda x, v: _write(x * 2, v)), 'integers beside lists': ([(2, 3, 4)], lambda x: x[0, :, [1, 3]], lambda x: x[0, :, [1, 3]]),
    'einsum matrix': ([(2, 3, 4), (2, 4, 5)], lambda *t: tt.einsum('bij,bjk->bik', *t), lambda *t: torch.einsum('bij,bjk->bik', *t)), 'einsum trace': ([(3, 3)], lambda x: tt.einsum('ii', x), lambda x: torch.einsum('ii', x)),
    'einsum diagonal': ([(3, 3), (3,)], lambda *t: tt.einsum('ii,i->i', *t), lambda *t: torch.einsum('ii,i->i', *t)), 'einsum three': ([(2, 3), (3, 4), (4,)], lambda *t: tt.einsum('ij,jk,k->i', *t), lambda *t: torch.einsum('ij,jk,k->i', *t)),
    'einsum ellipsis': ([(2, 1, 3), (5, 3, 4)], lambda *t: tt.einsum('...i,...ij->...j', *t), lambda *t: torch.einsum('...i,...ij->...j', *t)), 'einsum outer': ([(2,), (3,)], lambda *t: tt.einsum('i,j->ji', *t), lambda *t: torch.einsum('i,j->ji', *t)),
    'softmax': ([(3, 4)], lambda x: act.softmax(x, 0), lambda x: F.softmax(x, 0)), 'log_softmax': ([(2, 3, 4)], lambda x: act.log_softmax(x, -1), lambda x: F.log_softmax(x, -1)),
    'layer_norm': ([(2, 3, 4), (3, 4), (3, 4)], lambda x, w, b: layers.layer_norm(x, (3, 4), w, b), lambda x, w, b: F.layer_norm(x, (3, 4), w, b)), 'layer_norm bare': ([(5, 4)], lambda x: layers.layer_norm(x, (4,), eps=.1), lambda x: F.layer_norm(x, (4,), eps=.1)),
    'rms_norm': ([(2, 3, 4), (4,)], lambda x, w: layers.rms_norm(x, (4,), w), lambda x, w: F.rms_norm(x, (4,), w)),
    'conv2d': ([(2, 3, 6, 7), (4, 3, 3, 2), (4,)], lambda x, w, b: conv.conv2d(x, w, b, 2, 1), lambda x, w, b: F.conv2d(x, w, b, 2, 1)), 'conv2d dilated': ([(1, 2, 7, 7), (3, 2, 3, 3)], lambda x, w: conv.conv2d(x, w, None, 1, 2, 2), lambda x, w: F.conv2d(x, w, None, 1, 2, 2)),
    'conv2d groups': ([(2, 4, 5, 5), (6, 2, 3, 3), (6,)], lambda x, w, b: conv.conv2d(x, w, b, 1, 1, 1, 2), lambda x, w, b: F.conv2d(x, w, b, 1, 1, 1, 2)), 'conv2d depthwise': ([(2, 3, 5, 5), (3, 1, 3, 3)], lambda x, w: conv.conv2d(x, w, groups=3), lambda x, w: F.conv2d(x, w, groups=3)),
    'conv2d same': ([(1, 2, 5, 6), (3, 2, 3, 5)], lambda x, w: conv.conv2d(x, w, padding='same'), lambda x, w: F.conv2d(x, w, padding='same')),
    'conv_transpose2d': ([(2, 3, 4, 3), (3, 2, 3, 3), (2,)], lambda x, w, b: conv.conv_transpose2d(x, w, b, 2, 1, 1), lambda x, w, b: F.conv_transpose2d(x, w, b, 2, 1, 1)),
    'conv_transpose2d groups': ([(1, 4, 3, 3), (4, 3, 2, 3)], lambda x, w: conv.conv_transpose2d(x, w, None, (1, 2), 0, 0, 2, 2), lambda x, w: F.conv_transpose2d(x, w, None, (1, 2), 0, 0, 2, 2)),
    'max_pool2d': ([(2, 3, 4, 6)], lambda x: conv.max_pool2d(x, 2), lambda x: F.max_pool2d(x, 2)), 'max_pool2d overlapping': ([(1, 2, 7, 7)], lambda x: conv.max_pool2d(x, 3, 2, 1), lambda x: F.max_pool2d(x, 3, 2, 1)),
    'avg_pool2d': ([(1, 2, 7, 6)], lambda x: conv.avg_pool2d(x, 3, 2, 1), lambda x: F.avg_pool2d(x, 3, 2, 1)), 'avg_pool2d without padding': ([(1, 2, 7, 6)], lambda x: conv.avg_pool2d(x, 3, 2, 1, count_include_pad=False), lambda x: F.avg_pool2d(x, 3, 2, 1, count_include_pad=False)),
    'adaptive_avg_pool2d': ([(2, 2, 5, 7)], lambda x: conv.adaptive_avg_pool2d(x, (2, 3)), lambda x: F.adaptive_avg_pool2d(x, (2, 3))), 'adaptive_max_pool2d': ([(2, 2, 5, 7)], lambda x: conv.adaptive_max_pool2d(x, 3), lambda x: F.adaptive_max_pool2d(x, 3)),
    'batch_norm': ([(4, 3, 2, 2), (3,), (3,)], lambda x, w, b: conv.batch_norm(x, None, None, w, b, True), lambda x, w, b: F.batch_norm(x, None, None, w, b, True)),
    'attention': ([(2, 3, 4), (2, 5, 4), (2, 5, 6)], lambda *t: scaled_dot_product_attention(*t)[0], F.scaled_dot_product_attention),
    'attention causal': ([(2, 4, 3)] * 3, lambda *t: scaled_dot_product_attention(*t, np.tril(np.ones((4, 4))))[0], lambda *t: F.scaled_dot_product_attention(*t, is_causal=True))}

for name in 'mse_loss l1_loss huber_loss smooth_l1_loss'.split():
    for how in 'mean', 'sum', 'none': FIXED[f'{name} {how}'] = [(3, 4)] * 2, lambda a, b, f=getattr(losses, name), how=how: f(a, b, reduction=how), lambda a, b, f=getattr(F, name), how=how: f(a, b, reduction=how)
TARGET, WEIGHTS = np.array([[2, 0], [-100, 1], [1, 1]]), np.array([1., 2., .5])
for how in 'mean', 'sum', 'none':
    for smoothing in 0., .3:
        FIXED[f'cross_entropy {how} {smoothing}'] = ([(3, 3, 2)], lambda x, how=how, s=smoothing: losses.cross_entropy(x, tt.tensor(TARGET), tt.tensor(WEIGHTS.astype(x.dtype)), reduction=how, label_smoothing=s),
                                                    lambda x, how=how, s=smoothing: F.cross_entropy(x, torch.tensor(TARGET), torch.tensor(WEIGHTS, dtype=x.dtype), reduction=how, label_smoothing=s))
    FIXED[f'nll_loss {how}'] = ([(4, 3)], lambda x, how=how: losses.nll_loss(act.log_softmax(x, 1), tt.tensor([2, 0, 1, 2]), reduction=how), lambda x, how=how: F.nll_loss(F.log_softmax(x, 1), torch.tensor([2, 0, 1, 2]), reduction=how))
    FIXED[f'bce {how}'] = ([(3, 4), (3, 4)], lambda x, y, how=how: losses.binary_cross_entropy_with_logits(x, act.sigmoid(y), reduction=how), lambda x, y, how=how: F.binary_cross_entropy_with_logits(x, torch.sigmoid(y), reduction=how))
for how in 'mean', 'batchmean', 'sum', 'none':
    FIXED[f'kl_div {how}'] = ([(3, 4), (3, 4)], lambda x, y, how=how: losses.kl_div(act.log_softmax(x, 1), act.softmax(y, 1), how), lambda x, y, how=how: F.kl_div(F.log_softmax(x, 1), F.softmax(y, 1), reduction=how))
FIXED['cross_entropy probabilities'] = ([(3, 4), (3, 4)], lambda x, y: losses.cross_entropy(x, act.softmax(y, 1), label_smoothing=.1), lambda x, y: F.cross_entropy(x, F.softmax(y, 1), label_smoothing=.1))


def _write(x, v):
    x[1] = v
    x[:, 2] = 5.
    return x


@pytest.mark.parametrize('dtype', DTYPES)
@pytest.mark.parametrize('name', UNARY)
def test_unary(name, dtype):
    ours, theirs, *span = UNARY[name]

    @cases(name)
    def run(data): same(data, ours, theirs, [array(data, shape(data, (2, 4) if name == 'T' else (1, 3)), dtype, *(span[0] if span else (-3., 3.)))], dtype)
    run()


@pytest.mark.parametrize('dtype', DTYPES)
@pytest.mark.parametrize('name', BINARY)
def test_binary_broadcasts(name, dtype):
    ours, theirs, *span = BINARY[name]

    @cases(name)
    def run(data):
        whole = shape(data, (1, 3))
        shrink = lambda s: tuple(1 if data.draw(st.booleans()) else n for n in s)[data.draw(st.integers(0, len(s) - 1)):]
        first, second = (whole, shrink(whole)) if data.draw(st.booleans()) else (shrink(whole), whole)
        same(data, ours, theirs, [array(data, s, dtype, *(span[0] if span else (-3., 3.))) for s in (first, second)], dtype)
    run()


@pytest.mark.parametrize('dtype', DTYPES)
@pytest.mark.parametrize('name', ['sum', 'mean', 'var', 'amax', 'amin'])
def test_reductions(name, dtype):
    @cases(name)
    def run(data):
        dims = shape(data, (2, 4), (2, 4))
        kwargs = dict(dim=tuple(data.draw(st.sets(st.integers(0, len(dims) - 1), min_size=1))), keepdim=data.draw(st.booleans()))
        if name == 'var': kwargs['correction'] = data.draw(st.sampled_from([0, 1]))
        same(data, getattr(tt, name), getattr(torch, name), [array(data, dims, dtype)], dtype, kwargs)
    run()


@pytest.mark.parametrize('dtype', DTYPES)
@pytest.mark.parametrize('name', FIXED)
def test_fixed_shapes(name, dtype):
    shapes, ours, theirs = FIXED[name]

    @cases(name)
    def run(data): same(data, ours, theirs, [array(data, s, dtype) for s in shapes], dtype)
    run()


@pytest.mark.parametrize('name', [*UNARY, *BINARY, *(name for name in FIXED if name != 'topk')])  # which of equal ones topk names is open
def test_corners(name):
    """Small whole numbers: ties, zeros, bounds, infinities, and sometimes nothing at all."""
    shapes, ours, theirs = FIXED[name] if name in FIXED else ([None] * (1 + (name in BINARY)), *(UNARY | BINARY)[name][:2])

    @cases(name)
    def run(data):
        drawn = shape(data, (2, 2), (1 if name in NOT_EMPTY else 0, 4))
        with np.errstate(all='ignore'): same(data, ours, theirs, [np.rint(array(data, s or drawn, np.float64, -1.5, 2.5)) for s in shapes], np.float64)
    run()
