"""Print the expected values of nbs/07_optimizers: `python tests/record/07_optimizers.py`, with PyTorch 2.13."""
import warnings

import torch

torch.set_default_dtype(torch.float64)
warnings.simplefilter('ignore')

SETTINGS = [
    ('SGD', dict(lr=.02)), ('SGD', dict(lr=.02, momentum=.9)), ('SGD', dict(lr=.02, momentum=.9, dampening=.3, weight_decay=.1)),
    ('SGD', dict(lr=.02, momentum=.8, weight_decay=.1, nesterov=True)), ('SGD', dict(lr=.001, momentum=.5, maximize=True)),
    ('Adagrad', dict(lr=.3)), ('Adagrad', dict(lr=.3, lr_decay=.1, weight_decay=.1, initial_accumulator_value=.5, eps=.01)),
    ('RMSprop', dict(lr=.05)), ('RMSprop', dict(lr=.05, alpha=.9, eps=.1, centered=True, weight_decay=.1)), ('RMSprop', dict(lr=.01, momentum=.9)),
    ('Adam', dict(lr=.1)), ('Adam', dict(lr=.1, betas=(.5, .7), eps=.1, weight_decay=.1)), ('Adam', dict(lr=.1, betas=(.5, .5), amsgrad=True)),
    ('AdamW', dict(lr=.1)), ('AdamW', dict(lr=.1, weight_decay=.5, amsgrad=True)), ('AdamW', dict(lr=.01, maximize=True)),
]


def valley(p): return (1 - p[0]) ** 2 / 2 + 5 * (p[1] - p[0] ** 2) ** 2


print('# name, options, where ten steps from (-1, 1.5) down the valley end')
for name, options in SETTINGS:
    p = torch.tensor([-1., 1.5], requires_grad=True)
    optimizer = getattr(torch.optim, name)([p], **options)
    for _ in range(10):
        optimizer.zero_grad()
        valley(p).backward()
        optimizer.step()
    print(f'    ({name}, {", ".join(f"{k}={v}" for k, v in options.items())}): {[float(f"{x:.13g}") for x in p.tolist()]}')

print('# momentum: directions for the gradients [1, -2], [3, 1], [-1, 0.5]; adam, rmsprop: changes')
GRADIENTS = [[1., -2.], [3., 1.], [-1., .5]]
for name, options in [('SGD', dict(lr=1, momentum=.9)), ('SGD', dict(lr=1, momentum=.5, dampening=.25)), ('SGD', dict(lr=1, momentum=.9, nesterov=True)),
                      ('Adagrad', dict(lr=1, eps=.5)), ('RMSprop', dict(lr=1, alpha=.9, eps=.5)), ('RMSprop', dict(lr=1, alpha=.75, centered=True)), ('RMSprop', dict(lr=1, alpha=.75, eps=.5, centered=True)),
                      ('Adam', dict(lr=.1)), ('Adam', dict(lr=.1, betas=(.5, .75), eps=.5)), ('Adam', dict(lr=.1, betas=(.5, .2), amsgrad=True))]:
    p = torch.zeros(2, requires_grad=True)
    optimizer, before, changes = getattr(torch.optim, name)([p], **options), torch.zeros(2), []
    for g in GRADIENTS:
        p.grad = torch.tensor(g)
        optimizer.step()
        changes.append([round(x, 10) for x in (before - p.detach()).tolist()])
        before = p.detach().clone()
    print(name, options, changes)

p = torch.tensor([-1., 1.5], requires_grad=True)
optimizer = torch.optim.AdamW([p], lr=.1, weight_decay=.5)
for k in (1., 2.):
    p.grad = torch.tensor([k, -k])
    optimizer.step()
print('AdamW with decay 0.5 after the gradients [1, -1], [2, -2]', [round(x, 12) for x in p.tolist()])

print('# the layout of a state dict')
a, b = torch.ones(2, requires_grad=True), torch.ones(1, requires_grad=True)
optimizer = torch.optim.Adam([{'params': [a]}, {'params': [b], 'lr': .5}])
a.grad = torch.ones(2)
optimizer.step()
print(optimizer.state_dict())

print('# errors')
p = torch.ones(2, requires_grad=True)
for make in (lambda: torch.optim.SGD([]), lambda: torch.optim.SGD([p], lr=-1.), lambda: torch.optim.SGD([p], nesterov=True), lambda: torch.optim.Adam([p], betas=(1., .9)),
             lambda: torch.optim.Adam([p], eps=-1.), lambda: torch.optim.SGD([{'params': [p]}, {'params': [p]}]), lambda: torch.optim.SGD([p * 2]),
             lambda: torch.optim.SGD(p), lambda: torch.optim.SGD([3]), lambda: torch.optim.SGD({p}), lambda: torch.optim.SGD([{'params': {p}}]),
             lambda: torch.optim.Adam([p]).load_state_dict(optimizer.state_dict()),
             lambda: torch.optim.Adam([p, b]).load_state_dict(torch.optim.Adam([p]).state_dict())):
    try: make()
    except Exception as e: print(type(e).__name__, '|', e)
