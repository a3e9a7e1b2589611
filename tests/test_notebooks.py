"""Every notebook is fit for the course and runs from top to bottom; one that has not changed is not run again."""
import nbformat
import pytest
from conftest import ROOT, code, first, make_course, notebook

from tinytorch.course.execute import content_hash, executed
from tinytorch.course.notebooks import CourseError, modules, read_module

MODULES = modules(ROOT)
OTHERS = sorted(f for folder in ('api', 'course') for f in (ROOT / 'nbs' / folder).glob('*.ipynb'))


@pytest.mark.parametrize('module', MODULES, ids=[m.assignment for m in MODULES])
def test_module(module):
    """Its cells, those with solutions and hidden tests included, raise nothing."""
    read_module(module, ROOT)
    executed(module.path, ROOT)


@pytest.mark.parametrize('path', OTHERS, ids=[f'{f.parent.name}/{f.stem}' for f in OTHERS])
def test_notebook(path):
    """The same for the tools and the PyTorch-like face."""
    executed(path, ROOT)


def test_a_failing_cell_is_named(tmp_path):
    """With what it raised; nothing is kept."""
    root = make_course(tmp_path / 'course', m01_first=notebook(code('x = 1'), code('print("a")\nx / 0')))
    with pytest.raises(CourseError, match=r'nbs/01_first/first.ipynb, cell 2: ZeroDivisionError: division by zero'):
        executed(root / 'nbs/01_first/first.ipynb', root)
    assert not list(root.glob('_cache/executed/*'))


def test_runs_once_per_content(course):
    """A second time it comes from `_cache/`, with its outputs; a changed cell runs."""
    path = course / 'nbs/01_first/first.ipynb'
    nb = executed(path, course)
    assert [c.outputs[0].text for c in nb.cells if c.source == 'print("shown", 1 + 1)'] == ['shown 2\n']
    kept, = (course / '_cache/executed').iterdir()
    stamp = kept.stat().st_mtime_ns
    assert executed(path, course) == nb and kept.stat().st_mtime_ns == stamp
    changed = first()
    changed.cells[1].source += '\n\nChanged.'
    nbformat.write(changed, path)
    executed(path, course)
    assert len(list((course / '_cache/executed').iterdir())) == 2


def test_a_later_module_changes_nothing(course):
    """The hash of module 1 does not see module 2; that of module 2 sees module 1."""
    paths = [course / f'nbs/{name}' for name in ('01_first/first.ipynb', '02_second/second.ipynb')]
    before = [content_hash(p, course) for p in paths]
    with (course / 'tinytorch/core/second.py').open('a') as f: f.write('# changed\n')
    assert [content_hash(p, course) for p in paths] == before
    with (course / 'tinytorch/core/first.py').open('a') as f: f.write('# changed\n')
    assert [content_hash(p, course) == b for p, b in zip(paths, before)] == [True, False]
