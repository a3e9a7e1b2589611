"""Print the expected values of module 05, from PyTorch 2.13: `python tests/record/05_losses.py`."""
import numpy as np
import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
a, b = torch.tensor([[1., -2., .5], [3., 0., -1.]]), torch.tensor([[0., -1.5, 4.], [3.5, .1, -1.]])
show = lambda name, t: print(name, np.round(np.asarray(t.detach()), 9).tolist())
for name, fn in dict(mse=F.mse_loss, l1=F.l1_loss, huber=F.huber_loss, smooth=F.smooth_l1_loss).items():
    for reduction in 'none', 'mean', 'sum': show(f'{name} {reduction}', fn(a, b, reduction=reduction))
show('huber 2', F.huber_loss(a, b, delta=2., reduction='none'))
show('smooth .25', F.smooth_l1_loss(a, b, beta=.25, reduction='none'))
y = torch.tensor([[1., 0., .3], [0., 1., 1.]])
show('bce', F.binary_cross_entropy_with_logits(a, y, reduction='none'))
show('bce mean', F.binary_cross_entropy_with_logits(a, y))
show('bce weights', F.binary_cross_entropy_with_logits(a, y, torch.tensor([1., 2., 3.]), pos_weight=torch.tensor([2., .5, 1.]), reduction='none'))
show('bce far', F.binary_cross_entropy_with_logits(torch.tensor([-1000., 1000.]), torch.tensor([1., 1.]), reduction='none'))
logits = torch.tensor([[1., 2., 3.], [-1., 0., 4.], [2., -2., .5], [0., 0., 1.]])
t, w = torch.tensor([2, 0, 1, 2]), torch.tensor([1., 2., .5])
ce = F.cross_entropy
show('ce none', ce(logits, t, reduction='none'))
show('ce mean', ce(logits, t))
show('ce sum', ce(logits, t, reduction='sum'))
show('ce weight none', ce(logits, t, w, reduction='none'))
show('ce weight mean', ce(logits, t, w))
ti = torch.tensor([2, -100, 1, 2])
show('ce ignore none', ce(logits, ti, w, reduction='none'))
show('ce ignore mean', ce(logits, ti, w))
show('ce ignore 2', ce(logits, t, ignore_index=2))
show('ce all ignored', ce(logits, torch.full((4,), -100)))
show('ce smooth none', ce(logits, t, reduction='none', label_smoothing=.1))
show('ce smooth mean', ce(logits, t, label_smoothing=.1))
show('ce smooth weight none', ce(logits, t, w, reduction='none', label_smoothing=.3))
show('ce smooth weight mean', ce(logits, t, w, label_smoothing=.3))
show('ce smooth weight ignore mean', ce(logits, ti, w, label_smoothing=.3))
p = torch.tensor([[.2, .3, .5], [1., 0., 0.], [0., .5, .5], [.1, .1, .8]])
show('ce probabilities', ce(logits, p, reduction='none'))
show('ce probabilities weight smooth mean', ce(logits, p, w, label_smoothing=.2))
show('ce single', ce(logits[0], t[0]))
wave = torch.cos(torch.arange(24.)).reshape(2, 3, 4)
show('ce dims none', ce(wave, torch.tensor([[0, 1, 2, 0], [2, 1, 0, 1]]), reduction='none'))
show('ce dims mean', ce(wave, torch.tensor([[0, 1, 2, 0], [2, 1, 0, 1]])))
show('ce far', ce(torch.tensor([[-431., 279., 427.]]), torch.tensor([0])))
lp = F.log_softmax(logits, 1)
show('nll none', F.nll_loss(lp, t, w, reduction='none'))
show('nll mean', F.nll_loss(lp, ti, w))
q = torch.tensor([[.2, .3, .5], [1., 0., 0.], [0., .5, .5], [.1, .1, .8]])
for reduction in 'none', 'mean', 'sum', 'batchmean': show(f'kl {reduction}', F.kl_div(lp, q, reduction=reduction))
show('kl log', F.kl_div(lp, torch.log_softmax(logits.flip(1), 1), reduction='batchmean', log_target=True))

# the derivatives that module 06 registers, for non-uniform cotangents
for name, kw in dict(plain={}, weight=dict(weight=w), smooth=dict(weight=w, label_smoothing=.3)).items():
    for target, word in (t, 'index'), (ti, 'ignore'), (p, 'probabilities'):
        x = logits.clone().requires_grad_()
        (ce(x, target, **kw) * 1.5).backward()
        show(f'gradient {name} {word}', x.grad)
x = logits.clone().requires_grad_()
ce(x, t, w, reduction='none').backward(torch.tensor([1., -2., .5, 3.]))
show('gradient none', x.grad)
