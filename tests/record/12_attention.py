"""Print the expected values of module 12, from PyTorch 2.13 in float64: `python tests/record/12_attention.py`."""
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

torch.set_default_dtype(torch.float64)
wave = lambda *shape, step=1.: torch.from_numpy(np.cos(step * np.arange(np.prod(shape))).reshape(shape))


def show(name, t): print(f'{name}: {np.array2string(np.asarray(t.detach()), precision=8, separator=", ")}')


def attention(name, q, k, v, mask=None, through_weights=True):
    """Output, weights and gradients, for cosine cotangents of both; the mask is True where one may attend."""
    q, k, v = (t.clone().requires_grad_() for t in (q, k, v))
    scores = q @ k.transpose(-1, -2) / q.shape[-1] ** .5
    if mask is not None: scores = scores.masked_fill(~mask, float('-inf'))
    weights = scores.softmax(-1)
    out = weights @ v
    assert torch.allclose(out, F.scaled_dot_product_attention(q, k, v, mask))
    loss = (out * wave(*out.shape, step=.7)).sum()
    if through_weights: loss = loss + (weights * wave(*weights.shape, step=.4)).sum()
    loss.backward()
    show(f'{name} output first', out.flatten()[:4])
    show(f'{name} output sum', (out * wave(*out.shape, step=.3)).sum())
    show(f'{name} weights first', weights.flatten()[:4])
    for n, t in zip('qkv', (q, k, v)): show(f'{name} gradient {n}', torch.stack([t.grad.flatten()[0], t.grad.flatten()[-1], (t.grad * wave(*t.shape, step=.3)).sum()]))


q, k, v = wave(2, 3, 4), wave(2, 5, 4, step=.5), wave(2, 5, 6, step=.9)
attention('plain', q, k, v)
attention('output only', q, k, v, through_weights=False)
attention('mask', q, k, v, torch.tensor([[1, 0, 1, 1, 0], [0, 0, 0, 1, 0], [1, 1, 1, 1, 1]]).bool())
attention('causal', wave(3, 4), wave(3, 4, step=.5), wave(3, 2, step=.9), torch.ones(3, 3).tril().bool())
show('small', F.scaled_dot_product_attention(torch.tensor([[1., 0.]]), torch.tensor([[1., 0.], [0., 1.]]), torch.tensor([[1., 2.], [3., 4.]])))

mha = nn.MultiheadAttention(8, 2, batch_first=True)
with torch.no_grad():
    for i, p in enumerate(mha.parameters()): p.copy_(wave(*p.shape, step=.1 * (i + 1)))
print([(n, tuple(p.shape)) for n, p in mha.state_dict().items()])
x, y = wave(2, 3, 8), wave(2, 5, 8, step=.6)
blocked = torch.ones(3, 3).triu(1).bool()
padding = torch.tensor([[False] * 5, [False, False, True, True, True]])
for name, call in {'self': lambda: mha(x, x, x), 'causal': lambda: mha(x, x, x, attn_mask=blocked), 'cross': lambda: mha(x, y, y, key_padding_mask=padding),
                   'added': lambda: mha(x, y, y, attn_mask=wave(3, 5))}.items():
    out, weights = call()
    show(f'mha {name} first', out.flatten()[:4])
    show(f'mha {name} sum', (out * wave(*out.shape, step=.3)).sum())
    show(f'mha {name} weights', weights[1, 0])
x = x.clone().requires_grad_()
out, _ = mha(x, x, x, attn_mask=blocked)
out.backward(wave(*out.shape, step=.7))
for n, t in (('x', x), *mha.named_parameters()): show(f'mha gradient {n}', (t.grad * wave(*t.shape, step=.3)).sum())
