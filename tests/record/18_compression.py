"""Print the expected values of module 18, from PyTorch 2.13: `python tests/record/18_compression.py`."""
import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
s=torch.tensor([[1.,2.,0.],[0.,-1.,3.]])
t=torch.tensor([[2.,1.,0.],[0.,0.,4.]])
y=torch.tensor([0,2])
print(F.cross_entropy(s,y).item(), (F.kl_div(F.log_softmax(s/2,1),F.softmax(t/2,1),reduction='batchmean')*4).item())
p=torch.tensor([[1.,2.,0.]],requires_grad=True)
(F.kl_div(F.log_softmax(p/2,1),F.softmax(torch.tensor([[2.,1.,0.]])/2,1),reduction='batchmean')*4).backward(); print(p.grad)
