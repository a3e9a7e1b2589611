"""Files of module 04 are read by the safetensors library, and the library's by module 04."""
import numpy as np
import pytest
from safetensors import SafetensorError
from safetensors import numpy as library

from tinytorch.core.layers import DTYPES, deserialize, load_file, save_file, serialize
from tinytorch.core.tensor import Tensor

ARRAYS = {f'{name}.{i}': (np.arange(np.prod(shape)) % 3).astype(code).reshape(shape)
          for name, code in DTYPES.items() for i, shape in enumerate([(2, 3), (5,), (0, 2), (1,)])}


def same(a, b):
    """Whether two dicts have the same names, dtypes, shapes and numbers."""
    return a.keys() == b.keys() and all(a[k].dtype == b[k].dtype and a[k].shape == b[k].shape and np.array_equal(a[k], b[k]) for k in a)


def test_library_reads_ours(tmp_path):
    save_file({k: Tensor(a) for k, a in ARRAYS.items()}, tmp_path / 'a.safetensors', {'format': 'np'})
    assert same(library.load_file(tmp_path / 'a.safetensors'), ARRAYS)


def test_we_read_the_librarys(tmp_path):
    library.save_file(ARRAYS, tmp_path / 'a.safetensors', {'format': 'np'})
    assert same({k: t.numpy() for k, t in load_file(tmp_path / 'a.safetensors').items()}, ARRAYS)


def test_the_same_bytes_as_the_library_writes():
    arrays = {k: a for k, a in ARRAYS.items() if a.dtype in (np.float32, np.uint8)}  # among types of one size it has an order of its own
    assert serialize(arrays) == library.save(arrays)


@pytest.mark.parametrize('keep', [0, 7, 8, 100, -1])
def test_both_refuse_a_file_that_is_cut_short(keep):
    data = serialize(ARRAYS)[:keep]
    with pytest.raises(ValueError): deserialize(data)
    with pytest.raises(SafetensorError): library.load(data)
