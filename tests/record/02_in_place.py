"""Writes in place and their gradients: what PyTorch 2.13 gives, for module 06's tests of what module 02 writes. Run with PyTorch's Python."""
from torch import no_grad, tensor, zeros


def leaf(*values): return tensor(values, requires_grad=True)


def operators(a):
    x = a * 1
    x += 1
    x *= 3
    return x * tensor([1., 10.])

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
    return out * tensor([[1., 2.], [3., 4.], [5., 6.]])

def read_by_nobody(a):
    x = a * 2
    y = x.exp()
    x += 1
    return y

def by_another(a):
    x = a * 2
    x.mul_(a)
    return x

def row_to_row(a):
    x = (a * tensor([2., 3.])).expand(2, 2).clone()
    x[0] += x[1]
    return x * tensor([[1., 2.], [3., 4.]])

def mask(a):
    x = a * 1
    x[tensor([True, False])] = 7.
    return x * x

def clamp(a): return (a * 1).clamp_(max=1.5) * tensor([2., 3.])

def into_a_constant(a):
    x = tensor([1., 2.])
    x += a
    return x * x

def fill(a): return (a * 1).fill_(3.) * a
def copy(a): return zeros(2).copy_(a * a)
def masked_fill(a): return (a * 1).masked_fill_(tensor([True, False]), 9.) * a

def divide(a):
    x = a * 1
    x /= a
    return x

def accumulate(a):
    total = 0
    for i in range(3): total += (a * i).sum()
    return total

def leaf_while_recording(a):
    a += 1
    return a

def view_of_leaf_while_recording(a):
    a[0] += 1
    return a

def leaf_between(a):
    y = a * a
    with no_grad(): a -= 0.5
    return y

def read_then_written(a):
    x = a * 1
    y = x * x
    x += 1
    return y

def read_then_written_through_a_view(a):
    x = a * 1
    y = x * x
    x[0] = 1.
    return y

def read_then_written_through_detach(a):
    x = a * 1
    y = x * x
    x.detach().add_(1)
    return y

def written_and_read_at_once(a):
    x = a * 1
    x *= x
    return x


for f in (operators, items, buffer, read_by_nobody, by_another, row_to_row, mask, clamp, into_a_constant, fill, copy, masked_fill, divide, accumulate, leaf_while_recording,
          view_of_leaf_while_recording, leaf_between, read_then_written, read_then_written_through_a_view, read_then_written_through_detach, written_and_read_at_once):
    a = leaf(1., 2.)
    try:
        f(a).sum().backward()
        print(f'{f.__name__}: {a.grad.tolist()}')
    except RuntimeError as e: print(f'{f.__name__}: RuntimeError, {str(e).splitlines()[0][:90]}')
