"""`tinytorch new`: a module that passes every check from the start."""
import shutil

import pytest
from conftest import ROOT, run

from tinytorch.course.execute import executed
from tinytorch.course.new import new
from tinytorch.course.notebooks import CourseError, find_module, in_tier, modules, nbgrader_config, read_module
from tinytorch.course.release import prove_solved, prove_untouched, released


@pytest.fixture
def copy(tmp_path):
    """A copy of the course to add to."""
    ignore = shutil.ignore_patterns('__pycache__', '.ipynb_checkpoints')
    for name in ('nbs', 'tinytorch'): shutil.copytree(ROOT / name, tmp_path / name, ignore=ignore)
    for name in ('settings.ini', 'setup.py', 'README.md', 'constraints.txt', 'nbgrader_config.py'): shutil.copy(ROOT / name, tmp_path)
    return tmp_path


def test_a_new_module_passes(copy, monkeypatch):
    """It is clean, exports, runs, gives full marks with the answers and none without."""
    run(copy, 'tinytorch', 'new', 'diffusion')
    monkeypatch.setenv('PYTHONPATH', str(copy))
    module = find_module(copy, 'diffusion')
    assert module.number == max(m.number for m in modules(ROOT)) + 1
    before = module.path.read_bytes()
    run(copy, 'nbdev_clean')
    assert module.path.read_bytes() == before
    run(copy, 'nbdev_export')
    assert 'def lerp' in (copy / 'tinytorch/core/diffusion.py').read_text()
    executed(module.path, copy)
    config = nbgrader_config(copy)
    source = in_tier(read_module(module, copy), config)
    prove_solved(module, source)
    prove_untouched(module, source, released(source, config), module.path.parent)


@pytest.mark.parametrize('name, sentence', [('3d', "'3d' cannot be a module's name"), ('tensor', "There is already a module 'tensor'."), ('../x', 'cannot be')])
def test_names_that_cannot_be(copy, name, sentence):
    """Nothing is written."""
    there = sorted((copy / 'nbs').iterdir())
    with pytest.raises(CourseError, match=sentence): new(copy, name)
    assert sorted((copy / 'nbs').iterdir()) == there
