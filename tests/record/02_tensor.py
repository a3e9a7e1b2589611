"""Print the expected values of nbs/02_tensor: `python tests/record/02_tensor.py`, with PyTorch 2.13."""
import torch
import torch.nn.functional as F

torch.set_printoptions(precision=6, sci_mode=False, linewidth=140)


def show(what, value):
    """One line: the call, and its value with type and shape."""
    try: value = value()
    except Exception as e:
        print(f'{what}: {type(e).__name__}: {str(e).splitlines()[0]}')
        return
    for i, v in enumerate(value if isinstance(value, (tuple, list)) and not isinstance(value, torch.Size) else [value]):
        if isinstance(v, torch.Tensor): v = f'{[round(n, 6) if isinstance(n, float) else n for n in v.flatten().tolist()]} {tuple(v.shape)} {v.dtype}'
        print(f'{what}{f" [{i}]" if isinstance(value, tuple) else ""}: {v}')


T = torch.tensor
A = T([[1., -2, 3], [0.5, 4, -1]])
B = T([[2., 1], [0, -1], [1, 3]])
C = (torch.arange(24.) ** 2 % 11).reshape(2, 3, 4)

for data in (1, 1., True, [1, 2], [1, 2.], [True, 2], [True, 0.5], []):
    show(f'tensor({data}).dtype', lambda: T(data).dtype)
for shapes in (((2, 1), (1, 3)), ((5, 1, 4), (3, 1)), ((), (2,)), ((0,), (1,)), ((1,), (0,)), ((2, 1), (3,), (4, 1, 1)), ((7,),), ((2, 3), (2,)), ((3,), (0,))):
    show(f'broadcast_shapes{shapes}', lambda: tuple(torch.broadcast_shapes(*shapes)))

show('1 / [2, 4]', lambda: 1 / T([2, 4]))
show('2 - [1., 3.]', lambda: 2 - T([1., 3]))
show('2 ** [1, 3]', lambda: 2 ** T([1, 3]))
show('[-7, 7] // [2, -2]', lambda: T([-7, 7]) // T([2, -2]))
show('[-7, 7] % [2, -2]', lambda: T([-7, 7]) % T([2, -2]))
show('[1, 2] / 2', lambda: T([1, 2]) / 2)
show('[1, 2] + 0.5', lambda: T([1, 2]) + 0.5)
show('int64 + float32', lambda: T([1, 2]) + T([1., 2]))
show('float32 * float64 scalar', lambda: T([1., 2]) * T(2., dtype=torch.float64))
show('round', lambda: torch.round(T([0.5, 1.5, 2.5, -0.5])))
show('exp(bool)', lambda: torch.exp(T([True, False])))

show('A @ B', lambda: A @ B)
show('A[0] @ B', lambda: A[0] @ B)
show('A @ A[1]', lambda: A @ A[1])
show('A[0] @ A[1]', lambda: A[0] @ A[1])
show('C @ C.mT', lambda: C @ C.mT)
show('(2,1,2,3) @ (2,3,4)', lambda: torch.stack([A, -A])[:, None] @ C)
show('(2,3) @ (2,3)', lambda: A @ A)

show('A.sum()', lambda: A.sum())
show('C.sum((0, 2))', lambda: C.sum((0, 2)))
show('bool sum', lambda: T([True, True, False]).sum())
show('C.mean()', lambda: C.mean())
show('C.mean(1)', lambda: C.mean(1))
show('C.mean((0, -1), keepdim)', lambda: C.mean((0, -1), keepdim=True))
show('A.double().mean(0)', lambda: A.double().mean(0))
show('int mean', lambda: T([1, 2]).mean())
show('A.var()', lambda: A.var())
show('A.var(1)', lambda: A.var(1))
show('A.var(0, correction=0)', lambda: A.var(0, correction=0))
show('C.var((0, 2), keepdim)', lambda: C.var((0, 2), keepdim=True))
show('C.var((-1, 0), correction=0)', lambda: C.var((-1, 0), correction=0))
show('A.double().var(1)', lambda: A.double().var(1))
show('10,000 + [1, 2, 4].var()', lambda: T([10001., 10002, 10004]).var())
show('A.std(1)', lambda: A.std(1))
show('C.max(1)', lambda: tuple(C.max(1)))
show('A.argmax()', lambda: A.argmax())
show('[3, 1, 3, 2].sort(descending)', lambda: tuple(T([3, 1, 3, 2]).sort(descending=True, stable=True)))
show('A.topk(2)', lambda: tuple(A.topk(2)))
show('A.prod(1)', lambda: A.prod(1))
show('A.cumsum(0)', lambda: A.cumsum(0))

D = torch.arange(120).reshape(2, 3, 4, 5)
for dims in ((), (1,), (1, 2), (-2,), (0, 1), (2, 2)):
    show(f'D.flatten{dims}.shape', lambda: tuple(D.flatten(*dims).shape))
show('scalar.flatten()', lambda: T(5.).flatten())
for dims in ((0, 1), (0, 2), (-1, -2), (1, 1), (2, -3)):
    show(f'C.transpose{dims}', lambda: (C.transpose(*dims).shape, C.transpose(*dims).stride()))
show('C.transpose(0, 2)', lambda: C.transpose(0, 2))
show('C.permute(2, 0, 1)', lambda: C.permute(2, 0, 1).stride())

show('A.gather(1, [[2, 0], [1, 1]])', lambda: A.gather(1, T([[2, 0], [1, 1]])))
show('A.gather(0, [[1, 0, 1]])', lambda: A.gather(0, T([[1, 0, 1]])))
show('A.gather(0, [[1, 0]])', lambda: A.gather(0, T([[1, 0]])))
show('A.gather(-1, [[2]])', lambda: A.gather(-1, T([[2]])))
show('C.gather(1, …)', lambda: C.gather(1, T([[[2, 0, 1]], [[1, 1, 0]]])))
show('C.gather(2, …)', lambda: C.gather(2, T([[[3], [0]]])))

for d in (0, 1, 2, -1, -2):
    show(f'stack([A, 10 A], {d})', lambda: torch.stack([A, 10 * A], d))
show('stack of ints and floats', lambda: torch.stack([T([1, 2]), T([0.5, 1.5])]))
show('stack of different shapes', lambda: torch.stack([T([1, 2]), T([[1, 2]])]))
show('cat([A, A[:1]])', lambda: torch.cat([A, A[:1]]))
show('cat([A, B.T], 1)', lambda: torch.cat([A, B.T], 1))
for size, d in ((3, 0), (2, 0), (5, 0), ([4, 1, 2], 0), ([4, 2], 0)):
    show(f'arange(7).split({size})', lambda: torch.arange(7).split(size, d))
show('C.split(3, -1)', lambda: C.split(3, -1))
show('C.split([1, 2], 1)', lambda: C.split([1, 2], 1))
show('arange(7).chunk(3)', lambda: torch.arange(7).chunk(3))

show('pad(A, (1, 2))', lambda: F.pad(A, (1, 2)))
show('pad(A, (0, 1, 2, 0), value=-1)', lambda: F.pad(A, (0, 1, 2, 0), value=-1))
show('pad(C, (1, 0, 0, 1)).shape', lambda: tuple(F.pad(C, (1, 0, 0, 1)).shape))
show('pad(C, (1, 0, 0, 1)) sums', lambda: F.pad(C, (1, 0, 0, 1), value=0.5).sum((1, 2)))
show('pad(C, (0, 0, 0, 0, 1, 0), value=2)', lambda: F.pad(C, (0, 0, 0, 0, 1, 0), value=2)[0, 1])
show('pad([1, 2], (1, 0), value=7)', lambda: F.pad(T([1, 2]), (1, 0), value=7))
show('pad(bool)', lambda: F.pad(T([True]), (1, 1)))
show('clip', lambda: torch.clip(A, -1, 2))
show('clip(min)', lambda: torch.clip(A, min=0))
show('where', lambda: torch.where(A > 0, A, 10.))

E = torch.arange(6.).reshape(2, 3) - 2
for equation, operands in (('ij,jk->ik', (A, B)), ('ij,ij->', (A, E)), ('ij,kj->ik', (A, E)), ('i,j->ij', (A[0], A[1])), ('bij,bjk->bik', (C, C.mT)),
                           ('bij,bkj->bki', (C, C.flip(1))), ('ij->ji', (A,)), ('ii->', (A[:, :2],)), ('ij,jk', (A, B)), ('ji,jk', (A, E)), ('i,i', (T([2., 2]), T([2.]))),
                           ('bhqd,bkhd->bhqk', (C.reshape(1, 2, 3, 4), C.reshape(1, 3, 2, 4)))):
    show(f'einsum {equation}', lambda: torch.einsum(equation, *operands))

for name, t in (('floats', T([1., 2.5])), ('whole floats', T([1., 2.])), ('ints', T([[1, 2], [3, 4]])), ('bools', T([True])), ('float64', T([0.1], dtype=torch.float64)),
                ('empty', torch.zeros(0, 3)), ('scalar', T(3.14159)), ('nan', T([1., float('nan')]))):
    torch.set_printoptions(profile='default')
    print(f'repr {name}:', repr(t))
