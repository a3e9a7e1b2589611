"""TinyTorch: the deep-learning framework that the course builds. Nothing is imported until a name is asked for."""
__version__ = "0.1.0"

from importlib import import_module
from importlib.util import find_spec


def __getattr__(name):
    """A submodule, or a name of the PyTorch-like face in `tinytorch.torch`."""
    if not name.startswith('_') and find_spec(f'{__name__}.{name}'): return import_module(f'{__name__}.{name}')
    raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
