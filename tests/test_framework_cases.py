"""What went wrong in other small frameworks, with PyTorch's values: printed by tests/record/06_autograd.py and 02_in_place.py."""
import gc
import importlib
import pkgutil
import tracemalloc
import warnings

import numpy as np
import pytest
import tinytorch.core
from tinytorch.core import activations as act
from tinytorch.core import tensor as tt
from tinytorch.core.autograd import grad, is_grad_enabled, no_grad, set_grad_enabled
from tinytorch.core.convolutions import batch_norm, conv2d, max_pool2d
from tinytorch.core.layers import LayerNorm, dropout, layer_norm
from tinytorch.core.losses import cross_entropy
from tinytorch.core.tensor import Tensor, zeros

INF = np.inf
GRADIENTS = {  # inputs that require gradients, the function, the cotangent (None for 1), the gradients
    'broadcasting': ([[[1.], [2.]], [[1., 2., 3.]]], lambda a, c: (a * c).sum(), None, [[[6], [6]], [[3, 3, 3]]]),
    'einsum': ([[2., 2.], [2.]], lambda x, y: tt.einsum('i,i', x, y), None, [[2, 2], [4]]),
    'reuse': ([1.], lambda a: (a + a) + (a + a), None, [4]),
    'reuse of a node': ([1.], lambda a: (lambda b: b + b)(a + a), None, [4]),
    'repeated index': ([[5., 6., 7.]], lambda x: x[[1, 0, 1]].sum(), None, [[1, 2, 0]]),
    'ties in max': ([[1., 1., 0.]], lambda x: x.max(), None, [[.5, .5, 0]]),
    'ties along a dimension': ([[1., 1., 0.]], lambda x: x.max(dim=0).values, None, [[1, 0, 0]]),
    'ties in maximum': ([1., 1.], tt.maximum, None, [.5, .5]),
    'ties in minimum': ([1., 1.], tt.minimum, None, [.5, .5]),
    'sigmoid': ([[-1000., 0., 1000.]], lambda x: act.sigmoid(x).sum(), None, [[0, .25, 0]]),
    'cross-entropy': ([[[-431., 279., 427.]]], lambda x: cross_entropy(x, Tensor([0])), None, [[[-1, 0, 1]]]),
    'softmax': ([[1., 2., 3.]], lambda x: act.softmax(x, 0), [1., 0., 2.], [[-.03785897, -.34763983, .38549885]]),
    'layer norm': ([[1., 0., 0., 0.], [1., 2., 3., 4.], [0., 0., 0., 1.]], lambda x, w, b: layer_norm(x, (4,), w, b), [1., -2., 3., .5],
                   [[-.0001235, -14.625776, 15.395638, -.7697387], [1.7320046, 1.1546697, -1.7320044, -.28866741], [1, -2, 3, .5]]),
    'gelu': ([-1.], act.gelu, None, [-.08331548]),
    'gelu tanh': ([-1.], lambda x: act.gelu(x, 'tanh'), None, [-.08296409]),
    'dtype': ([[1., 2.]], lambda x: x.mean() * 2.5, None, [[1.25, 1.25]]),
    'pow': ([[0., 2.], [0., 3.]], tt.pow, [1., 1.], [[0, 12], [0, 5.5451775]]),
    'pow at 0': ([[0., 0.], [.5, 2.]], tt.pow, [1., 1.], [[INF, 0], [0, 0]]),
    'pow of a negative': ([-2.], lambda x: x ** 3, None, [12]),
    'bounds of clip': ([[-2., 0., 1., 5., 2.], [-1., 0., -1., 1., 3.], [0., 1., 1., 4., 1.]], tt.clip, [1., 2., 3., 4., 5.],
                       [[0, 2, 3, 0, 0], [1, 0, 0, 0, 0], [0, 0, 0, 4, 5]]),
    'remainder': ([[1., -1., .3], [.1, .1, .1]], tt.remainder, [1., 2., 3.], [[1, 2, 3], [-9, 20, -9]]),
    'small quotient': ([[1e-30], [1e-30]], tt.div, [1.], [[1e30], [-1e30]]),
    'probabilities as target': ([[[1., 2., 3.], [0., 0., 5.]], [[.2, .3, .5], [.1, .8, .1]]],
                                lambda x, q: cross_entropy(x, q, Tensor([1., 2., .5]), label_smoothing=.1), 3.,
                                [[[-.1766263, -.5202699, .6968963], [-.1681298, -2.2431297, 2.4112594]], [[3.2502677, 3.8005357, .2751340], [6.7680707, 13.5361414, .0090355]]]),
    'all ignored': ([[[1., 2., 3.]]], lambda x: cross_entropy(x, Tensor([-100])), None, [[[0, 0, 0]]])}


def leaves(*data): return [Tensor(d, dtype=np.float32, requires_grad=True) for d in data]


@pytest.mark.parametrize('name', GRADIENTS)
def test_gradients(name):
    data, function, cotangent, expected = GRADIENTS[name]
    inputs = leaves(*data)
    with warnings.catch_warnings():
        warnings.simplefilter('error')
        function(*inputs).backward(None if cotangent is None else Tensor(cotangent))
    for t, e in zip(inputs, expected, strict=True):
        assert t.grad.dtype == np.float32 and t.grad.shape == t.shape
        np.testing.assert_allclose(t.grad.numpy(), e, rtol=1e-5, atol=1e-6)


def test_values():
    with warnings.catch_warnings():
        warnings.simplefilter('error')
        np.testing.assert_array_equal(act.sigmoid(Tensor([-1000., 0., 1000.])).numpy(), np.float32([0, .5, 1]))
    assert cross_entropy(Tensor([[-431., 279., 427.]]), Tensor([0])).item() == 858
    np.testing.assert_allclose(LayerNorm(4)(Tensor([1., 0., 0., 0.])).numpy(), [1.7320046, -.5773348, -.5773348, -.5773348], rtol=1e-5)
    np.testing.assert_allclose([act.gelu(Tensor(-1.)).item(), act.gelu(Tensor(-1.), 'tanh').item()], [-.15865526, -.15880799], rtol=1e-5)


def test_dropout_is_the_identity_or_doubles():
    x = Tensor(np.arange(1., 1001.), requires_grad=True)
    assert (dropout(x, .5, training=False) == x).numpy().all()
    out = dropout(x, .5, training=True)
    factor = (out / x).numpy()
    assert set(np.unique(factor)) == {0., 2.} and 400 < (factor == 0).sum() < 600
    out.backward(Tensor(np.arange(1000.)))
    np.testing.assert_array_equal(x.grad.numpy(), np.arange(1000.) * factor)


def test_numpy_on_the_left_keeps_the_graph():
    t = Tensor(np.ones(3), requires_grad=True)
    for out, g in (np.eye(3) + t, 3.), (np.float64(2) * t, 2.), (np.ones(3) - t, -1.), (np.ones((2, 3)) @ t, 2.), (np.exp(t), np.e):
        assert type(out) is Tensor and out.requires_grad
        t.grad = None
        out.sum().backward()
        np.testing.assert_allclose(t.grad.numpy(), np.full(3, g))


KEEP = {'mean': lambda x: x.mean(), 'max': lambda x: x.max(), 'max dim': lambda x: x.max(dim=1).values, 'index': lambda x: x[0], 'mask': lambda x: x[x > 0], 'cat': lambda x: tt.cat([x, x]),
        'stack': lambda x: tt.stack([x, x]), 'where': lambda x: tt.where(x > 0, x, 0.), 'reshape': lambda x: x.reshape(-1), 'transpose': lambda x: x.transpose(0, 1), 'T': lambda x: x.T, 'astype': lambda x: x.double(),
        'split': lambda x: x.split(1)[1], 'sort': lambda x: x.sort().values, 'pad': lambda x: tt.pad(x, (1, 1)), 'expand': lambda x: x[None].expand(5, 4, 4), 'clone': lambda x: x.clone(),
        'iteration': lambda x: next(iter(x)), 'batch norm': lambda x: batch_norm(x, None, None, training=True), 'conv2d': lambda x: conv2d(x[None, None], zeros(1, 1, 2, 2)), 'max_pool2d': lambda x: max_pool2d(x[None, None], 2)}


@pytest.mark.parametrize('name', KEEP)
def test_keeps_the_graph(name):
    x, = leaves(np.cos(np.arange(16.)).reshape(4, 4))
    out = KEEP[name](x)
    assert out.requires_grad and not out.is_leaf
    with no_grad(): assert not KEEP[name](x).requires_grad
    out.sum().backward()
    assert x.grad.shape == (4, 4)


NO_DERIVATIVE = set('floor_divide eq ne lt le gt ge bitwise_and bitwise_or bitwise_xor bitwise_not isnan isinf isfinite all any argmax argmin argsort'.split())


def test_every_operation_has_its_derivative():
    modules = [importlib.import_module(f'tinytorch.core.{m.name}') for m in pkgutil.iter_modules(tinytorch.core.__path__)]
    operations = {name: fn for m in modules for name, fn in vars(m).items() if hasattr(fn, 'derivative')}
    assert {name for name, fn in operations.items() if fn.derivative is None} == NO_DERIVATIVE


def chain(x, n):
    for _ in range(n): x = x + 1.
    return x


def used_all_along(x, n):
    total = x = x * 1.
    for _ in range(n - 1): total = total + x
    return total


def used_at_once(x, n): return tt.stack([x * 1.] * n).sum()


def many_at_once(x, n): return tt.stack([x * 1. for _ in range(n)]).sum()


def alive(): return len([o for o in gc.get_objects() if type(o) is tt.Node])


@pytest.mark.parametrize('build, gradient', [(chain, 1), (used_all_along, 100_000), (used_at_once, 100_000), (many_at_once, 100_000)])
def test_a_hundred_thousand_operations(build, gradient):
    """The gradient is right, and backward frees all that it used, before the result goes."""
    x = Tensor(0., requires_grad=True)
    before = alive()
    out = build(x, 100_000)
    out.backward()
    assert x.grad.item() == gradient and alive() <= before + 1 and out.grad_fn.args is None


def test_a_graph_that_is_dropped_goes_without_recursion():
    tracemalloc.start()
    out = chain(Tensor(0., requires_grad=True), 100_000)
    held = tracemalloc.get_traced_memory()[0]
    del out
    left = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert left < 100_000 < 10_000_000 < held


def row_to_row(a):
    x = (a * Tensor([2., 3.])).expand(2, 2).clone()
    x[0] += x[1]
    return x * Tensor([[1., 2.], [3., 4.]])


def items(a):
    x = a * 2
    x[0] = 5.
    x[1:] *= 2
    return x * x


def buffer(a):
    out = zeros(3, 2)
    out[0] = a
    out[1] = a * a
    out[2] += a
    return out * Tensor([[1., 2.], [3., 4.], [5., 6.]])


def read_by_nobody(a):
    x = a * 2
    y = x.exp()
    x += 1
    return y


def by_mask(a):
    x = a * 1
    x[Tensor([True, False])] = 7.
    return x * x


def into_a_constant(a):
    x = Tensor([1., 2.])
    x += a
    return x * x


def divided(a):
    x = a * 1
    x /= a
    return x


IN_PLACE = {'add and multiply': (lambda a: (a * 1).add_(1).mul_(3) * Tensor([1., 10.]), [3, 30]), 'items': (items, [0, 64]), 'buffer': (buffer, [12, 24]), 'read by nobody': (read_by_nobody, [14.778112, 109.196297]),
            'by another': (lambda a: (a * 2).mul_(a), [4, 8]), 'row to row': (row_to_row, [10, 24]), 'by mask': (by_mask, [0, 4]), 'clamp': (lambda a: (a * 1).clamp_(max=1.5) * Tensor([2., 3.]), [2, 0]),
            'into a constant': (into_a_constant, [4, 8]), 'fill': (lambda a: (a * 1).fill_(3.) * a, [3, 3]), 'copy': (lambda a: zeros(2).copy_(a * a), [2, 4]),
            'masked fill': (lambda a: (a * 1).masked_fill_(Tensor([True, False]), 9.) * a, [9, 4]), 'divide': (divided, [0, 0])}


@pytest.mark.parametrize('name', IN_PLACE)
def test_writes_in_place_are_recorded(name):
    function, expected = IN_PLACE[name]
    a, = leaves([1., 2.])
    function(a).sum().backward()
    np.testing.assert_allclose(a.grad.numpy(), expected, rtol=1e-6, atol=1e-6)


def leaf_written(a): a += 1


def view_of_leaf_written(a): a[0] += 1


@pytest.mark.parametrize('function', [leaf_written, view_of_leaf_written])
def test_a_leaf_is_not_written_while_recording(function):
    with pytest.raises(RuntimeError, match='in place while recording'): function(*leaves([1., 2.]))


def plus_one(x): x += 1


def first_item(x): x[0] = 1.


def through_a_view(x): x[1:].mul_(2.)


def through_detach(x): x.detach().add_(1)


def through_data(x): x.data[0] = 4.


@pytest.mark.parametrize('write', [plus_one, first_item, through_a_view, through_detach, through_data])
@pytest.mark.parametrize('read', ['input', 'output'])
def test_needed_arrays_must_not_change(write, read):
    a, = leaves([1., 2.])
    x = a * 1 if read == 'input' else (a * 1).exp()
    y = x * x if read == 'input' else x + 1
    write(x)
    with pytest.raises(RuntimeError, match=f"the derivative of {'mul' if read == 'input' else 'exp'} needs was changed in place"): y.sum().backward()


def test_a_leaf_changed_between_forward_and_backward():
    a, = leaves([1., 2.])
    y = a * a
    with no_grad(): a -= .5
    with pytest.raises(RuntimeError, match='derivative of mul needs was changed in place'): y.sum().backward()


def test_one_sentence_for_each_mistake():
    a, = leaves([1., 2.])
    y = (a * a).sum()
    for mistake, sentence in [(lambda: Tensor([1.]).sum().backward(), 'no graph'), (lambda: (a * 2).backward(), 'single number'), (lambda: y.backward(Tensor([1., 2.])), 'gradient has the shape'),
                              (lambda: grad(y, Tensor([1.], requires_grad=True)), 'not used')]:
        with pytest.raises(RuntimeError, match=sentence): mistake()
    y = (a * a).sum()
    y.backward(retain_graph=True)
    y.backward()
    np.testing.assert_array_equal(a.grad.numpy(), [4, 8])
    with pytest.raises(RuntimeError, match='retain_graph=True'): y.backward()
    with pytest.raises(NotImplementedError, match='gradients of gradients'): (a * a).sum().backward(create_graph=True)


def test_an_operation_without_derivative_or_with_a_wrong_one_is_named():
    @tt.op
    def halve(x): return x / 2
    a, = leaves([1., 2.])
    with pytest.raises(RuntimeError, match='halve has no derivative'): halve(a).sum().backward()
    halve.vjp(lambda g, out, x: np.ones(3, np.float32))
    with pytest.raises(RuntimeError, match=r'derivative of halve gave a gradient of shape \(3,\) for an input of shape \(2,\)'): halve(a).sum().backward()


def test_a_gradient_belongs_to_its_leaf_alone():
    a, b = leaves([1., 2.], [3., 4.])
    given = Tensor([5., 6.])
    (a + b).backward(given)
    for _ in range(2): a.backward(given)
    np.testing.assert_array_equal([a.grad.numpy(), b.grad.numpy(), given.numpy()], [[15, 18], [5, 6], [5, 6]])


def test_recording_is_switched_back():
    @no_grad()
    def quiet(deep):
        if deep: quiet(False)
        return is_grad_enabled()
    assert not quiet(True) and is_grad_enabled()
    with pytest.raises(ValueError), no_grad(): raise ValueError
    assert is_grad_enabled()
    with set_grad_enabled(False): assert not is_grad_enabled()
    assert is_grad_enabled() and not set_grad_enabled(False)(is_grad_enabled)() and is_grad_enabled()
