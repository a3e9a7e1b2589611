"""Print the gradients that tests/test_framework_cases.py and module 06 expect, from PyTorch 2.13: `python tests/record/06_autograd.py`."""
import torch
import torch.nn.functional as F

leaf = lambda data: torch.tensor(data, requires_grad=True)


def show(name, leaves, out, cotangent=None):
    """The gradients of the leaves for a cotangent of out."""
    out.backward(None if cotangent is None else torch.tensor(cotangent))
    print(name, [t.grad.tolist() for t in leaves])


a, c = leaf([[1.], [2.]]), leaf([[1., 2., 3.]])
show('broadcasting', [a, c], (a * c).sum())
x, y = leaf([2., 2.]), leaf([2.])
show('einsum', [x, y], torch.einsum('i,i', x, y))
x = leaf(1.)
b = x + x
show('reuse', [x], b + b)
x = leaf([5., 6., 7.])
show('repeated index', [x], x[[1, 0, 1]].sum())
x = leaf([1., 1., 0.])
show('ties in max', [x], x.max())
x = leaf([1., 1., 0.])
show('ties along a dimension', [x], x.max(dim=0).values)
x, y = leaf(1.), leaf(1.)
show('ties in maximum', [x, y], torch.maximum(x, y))
x = leaf([-1000., 0., 1000.])
show('sigmoid', [x], torch.sigmoid(x).sum())
x = leaf([[-431., 279., 427.]])
loss = F.cross_entropy(x, torch.tensor([0]))
print('cross-entropy', loss.item())
show('cross-entropy', [x], loss)
x = leaf([1., 2., 3.])
show('softmax', [x], F.softmax(x, 0), [1., 0., 2.])
x, w, b = leaf([1., 0., 0., 0.]), leaf([1., 2., 3., 4.]), leaf([0., 0., 0., 1.])
out = F.layer_norm(x, (4,), w, b)
print('layer norm', F.layer_norm(x, (4,)).tolist(), out.tolist())
show('layer norm', [x, w, b], out, [1., -2., 3., .5])
for form in 'none', 'tanh':
    x = leaf(-1.)
    out = F.gelu(x, approximate=form)
    print('gelu', form, out.item())
    show(f'gelu {form}', [x], out)
x = leaf([1., 2.])
show('dtype', [x], x.mean() * 2.5)
x, e = leaf([0., 2.]), leaf([0., 3.])
show('pow', [x, e], (x ** e).sum())
x, e = leaf([0., 0., 0.]), leaf([-1., .5, 2.])
show('pow at 0', [x, e], (x ** e).sum())
x = leaf(-2.)
show('pow of a negative', [x], x ** 3)
x, low, high = leaf([-2., 0., 1., 5., 2.]), leaf([-1., 0., -1., 1., 3.]), leaf([0., 1., 1., 4., 1.])
show('clip', [x, low, high], torch.clip(x, low, high), [1., 2., 3., 4., 5.])
x, y = leaf([1., -1., .3]), leaf([.1, .1, .1])
show('remainder', [x, y], torch.remainder(x, y), [1., 2., 3.])
x, y = leaf([1e-30]), leaf([1e-30])
show('small quotient', [x, y], x / y)
x, q = leaf([[1., 2., 3.], [0., 0., 5.]]), leaf([[.2, .3, .5], [.1, .8, .1]])
show('probabilities as target', [x, q], F.cross_entropy(x, q, torch.tensor([1., 2., .5]), label_smoothing=.1), 3.)
x = leaf([[1., 2., 3.]])
show('all ignored', [x], F.cross_entropy(x, torch.tensor([-100])))
