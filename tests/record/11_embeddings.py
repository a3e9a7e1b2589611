"""Print the expected values of module 11: positions and gradients from PyTorch 2.13, merges from Hugging Face's tokenizers 0.23, if these are installed.

`python tests/record/11_embeddings.py`. The texts use bytes whose order is the same in both alphabets, so that ties break alike.
"""
import numpy as np

ROSE = 'a_rose_is_a_rose_is_a_rose_and_so_is_this_rose_nose'
TONGUE = 'she_sells_sea_shells_by_the_sea_shore_the_shells_she_sells_are_sea_shells_for_sure'


def show(name, t): print(f'{name}: {np.array2string(np.asarray(t), precision=8, separator=", ")}')


def lookup():
    """Rows, and the gradient of the table for a cosine cotangent, with and without a padding row."""
    import torch
    import torch.nn.functional as F
    wave = lambda *shape, step=1.: torch.from_numpy(np.cos(step * np.arange(np.prod(shape))).reshape(shape))
    ids = torch.tensor([[1, 3, 1], [0, 1, 4]])
    for padding in (None, 1):
        weight = wave(5, 2).requires_grad_()
        out = F.embedding(ids, weight, padding_idx=padding)
        (out * wave(2, 3, 2, step=.7)).sum().backward()
        show(f'rows {padding}', out.detach()[1])
        show(f'gradient {padding}', weight.grad)


def positions():
    """Sinusoidal positions, and rotary ones by complex numbers, with the gradient for a cosine cotangent."""
    import torch
    wave = lambda *shape, step=1.: torch.from_numpy(np.cos(step * np.arange(np.prod(shape))).reshape(shape))
    p, i = torch.arange(50, dtype=torch.float64)[:, None], torch.arange(0, 6, 2, dtype=torch.float64)
    table = torch.zeros(50, 6, dtype=torch.float64)
    table[:, 0::2], table[:, 1::2] = torch.sin(p / 10000 ** (i / 6)), torch.cos(p / 10000 ** (i / 6))
    show('sinusoidal rows 1, 2, 49', table[[1, 2, 49]])
    x = wave(2, 3, 4).requires_grad_()
    angles = (torch.arange(3, dtype=torch.float64) + 5)[:, None] / 10000 ** (torch.arange(0, 4, 2, dtype=torch.float64) / 4)
    turned = torch.view_as_complex(x.reshape(2, 3, 2, 2)) * torch.polar(torch.ones_like(angles), angles)
    out = torch.view_as_real(turned).flatten(-2)
    (out * wave(2, 3, 4, step=.7)).sum().backward()
    show('rotary from 5, sequence 1', out.detach()[1])
    show('rotary gradient, sequence 1', x.grad[1])


def merges():
    """The first merges of two texts, by Hugging Face's trainer."""
    from tokenizers import Tokenizer, models, trainers
    for text in (ROSE, TONGUE):
        bpe = Tokenizer(models.BPE())
        bpe.train_from_iterator([text], trainers.BpeTrainer(vocab_size=len(set(text)) + 12, show_progress=False))
        import json
        print([''.join(m) if isinstance(m, str) else '+'.join(m) for m in json.loads(bpe.to_str())['model']['merges']])
        print(bpe.encode(text).tokens)


for record in (lookup, positions, merges):
    try: record()
    except ImportError as e: print(f'{record.__name__} left out: {e}')
