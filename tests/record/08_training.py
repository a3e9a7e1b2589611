"""Print the expected values of module 08, from PyTorch 2.13: `python tests/record/08_training.py`."""
import numpy as np
import torch
from torch.optim import lr_scheduler as S

torch.set_default_dtype(torch.float64)


def rates(name, make, steps, lr=.1, optimizer=torch.optim.SGD, also=None, **options):
    """The learning rates of the first steps."""
    opt = optimizer([torch.zeros(1, requires_grad=True)], lr=lr, **options)
    scheduler, out, extra = make(opt), [], []
    for _ in range(steps):
        out.append(opt.param_groups[0]['lr'])
        if also: extra.append(also(opt.param_groups[0]))
        opt.step()
        scheduler.step()
    print(f'{name}: {np.round(out, 10).tolist()}', *([np.round(extra, 10).tolist()] if also else []))


rates('step 3', lambda o: S.StepLR(o, 3, gamma=.5), 8)
rates('multistep', lambda o: S.MultiStepLR(o, [2, 5], gamma=.1), 8)
rates('exponential', lambda o: S.ExponentialLR(o, .9), 4)
rates('cosine 4', lambda o: S.CosineAnnealingLR(o, 4), 7)
rates('cosine 5 from .02', lambda o: S.CosineAnnealingLR(o, 5, eta_min=.02), 6)
rates('linear', lambda o: S.LinearLR(o, start_factor=.25, total_iters=4), 7)
rates('linear defaults', lambda o: S.LinearLR(o), 7)
rates('linear down', lambda o: S.LinearLR(o, 1., .5, 3), 5)
rates('lambda', lambda o: S.LambdaLR(o, lambda t: 1 / (1 + t)), 4)
rates('warm-up then cosine', lambda o: S.SequentialLR(o, [S.LinearLR(o, .1, total_iters=3), S.CosineAnnealingLR(o, 5)], [3]), 9)
rates('one cycle', lambda o: S.OneCycleLR(o, 1., total_steps=10), 10, optimizer=torch.optim.Adam, also=lambda g: g['betas'][0])
rates('one cycle other', lambda o: S.OneCycleLR(o, 2., total_steps=8, pct_start=.5, anneal_strategy='linear', div_factor=10, final_div_factor=100), 8, momentum=.9, also=lambda g: g['momentum'])

p, q = torch.zeros(2, requires_grad=True), torch.zeros(1, 2, requires_grad=True)
p.grad, q.grad = torch.tensor([3., 0.]), torch.tensor([[0., 4.]])
print('norm', torch.nn.utils.clip_grad_norm_([p, q], 1.).item(), p.grad.tolist(), q.grad.tolist())
p.grad, q.grad = torch.tensor([3., -1.]), torch.tensor([[2., 4.]])
print('1-norm', torch.nn.utils.clip_grad_norm_([p, q], 5., norm_type=1).item(), p.grad.tolist(), q.grad.tolist())
p.grad, q.grad = torch.tensor([3., -1.]), torch.tensor([[2., 4.]])
print('inf', torch.nn.utils.clip_grad_norm_([p, q], 2., norm_type=float('inf')).item(), p.grad.tolist(), q.grad.tolist())
p.grad, q.grad = torch.tensor([.3, -.1]), torch.tensor([[.2, .4]])
print('small', torch.nn.utils.clip_grad_norm_([p, q], 2.).item(), p.grad.tolist(), q.grad.tolist())
p.grad = torch.tensor([3., -7.])
torch.nn.utils.clip_grad_value_([p], 5.)
print('value', p.grad.tolist())
