"""What students of such courses meet elsewhere, and does not happen here."""
import shutil

import nbformat
import pytest
from conftest import ROOT

from tinytorch.course.check import check_notebook
from tinytorch.course.notebooks import is_test, modules, needed_cells, read

MODULES = modules(ROOT)


def passes(nb, given, cwd):
    """Nothing fails, inside the tests or out of them."""
    report = check_notebook(nb, given, cwd)
    assert report.failures == [] and [(r.exercise, r.message) for r in report.rows if not r.passed] == []


@pytest.mark.parametrize('module', MODULES, ids=[m.assignment for m in MODULES])
def test_a_module_needs_no_later_one(module, tmp_path, monkeypatch):
    """With the modules before it and nothing after, all tests of a module pass, hidden ones and demonstrations included."""
    later = [f'{m.name}.py' for m in MODULES if m.number >= module.number]
    ignore = lambda folder, names: [n for n in names if n == '__pycache__' or n in later and folder.endswith('core') or n in ('nn', 'optim', 'utils')]
    shutil.copytree(ROOT / 'tinytorch', tmp_path / 'tinytorch', ignore=ignore)
    cwd = shutil.copytree(module.path.parent, tmp_path / 'nbs' / module.assignment)
    shutil.copy(ROOT / 'settings.ini', tmp_path)
    monkeypatch.setenv('PYTHONPATH', str(tmp_path))
    nb = read(module.path)
    passes(nb, nbformat.v4.new_notebook(cells=[c for c in nb.cells if is_test(c)]), cwd)


@pytest.mark.parametrize('module', MODULES, ids=[m.assignment for m in MODULES])
def test_cells_may_run_twice(module, monkeypatch):
    """Each cell twice in a row: definitions and registrations replace what they defined before."""
    monkeypatch.setenv('PYTHONPATH', str(ROOT))
    nb = read(module.path)
    twice = nbformat.from_dict(nb)
    needed = {i for i, _ in needed_cells(nb)}
    twice.cells = [c for i, c in enumerate(twice.cells) for c in ([c, c] if i in needed and not is_test(c) else [c])]
    passes(twice, nb, module.path.parent)
