"""`tinytorch check`, `status` and `submit`, tried in the kit as a student would."""
import shutil
import time

import nbformat
import pytest
from conftest import code, run


@pytest.fixture
def mine(kit, tmp_path):
    """A student's own copy of the kit."""
    return shutil.copytree(kit, tmp_path / 'mine')


def edit(kit, change, name='01_first/first.ipynb'):
    """Let `change(cells by id, notebook)` edit a notebook, and save it."""
    path = kit / 'nbs' / name
    nb = nbformat.read(path, 4)
    change({c.get('id'): c for c in nb.cells}, nb)
    nbformat.write(nb, path)


def solve(cells, nb=None):
    """A right answer for `twice`, a wrong one for `spread`."""
    for name, answer in (('twice', 'return x + x'), ('spread', 'return np.min(x) - np.max(x)')):
        head = cells[name].source.split('    # YOUR')[0]
        cells[name].source = f'{head}    {answer}'


def test_the_first_hour(mine):
    """Solve, check, export, and the next module runs on one's own code."""
    assert '0 of 4 points' in run(mine, 'tinytorch', 'check', '01_first')
    edit(mine, solve)
    said = run(mine, 'tinytorch', 'check', '01_first')
    assert '2 of 4 points' in said and 'spread is the largest minus the smallest' in said and 'expected: 3.' in said
    assert 'Next: the exercise spread in nbs/01_first/first.ipynb' in said
    edit(mine, lambda cells, nb: cells['spread'].update(source=cells['spread'].source.replace('np.min(x) - np.max(x)', 'np.max(x) - np.min(x)')))
    said = run(mine, 'tinytorch', 'check', '01_first')
    assert '4 of 4 points' in said and 'nbdev_export' in said and 'nbs/02_second/second.ipynb' in said
    run(mine, 'nbdev_export')
    edit(mine, lambda cells, nb: cells['scaled'].update(source=cells['scaled'].source.split('    # YOUR')[0] + '    return twice(spread(x))'),
         '02_second/second.ipynb')
    assert '4 of 4 points' in run(mine, 'tinytorch', 'check', '2')
    assert 'Every module is done' in run(mine, 'tinytorch', 'status')


def test_a_module_says_that_the_one_before_is_not_exported(mine):
    """The answer to module 2 is right, but module 1 was never exported."""
    edit(mine, lambda cells, nb: cells['scaled'].update(source=cells['scaled'].source.split('    # YOUR')[0] + '    return twice(spread(x))'),
         '02_second/second.ipynb')
    assert 'Not solved yet, or solved but not exported' in run(mine, 'tinytorch', 'check', '2')


def test_takes_less_than_three_seconds(mine):
    """From the command line, start to end."""
    run(mine, 'tinytorch', 'check', '1')
    start = time.perf_counter()
    run(mine, 'tinytorch', 'check', '1')
    assert time.perf_counter() - start < 3


def test_a_syntax_error_names_cell_and_line_and_leaves_the_package_alone(mine):
    """One forgotten bracket; the exercises that do not need the cell keep their points."""
    before = (mine / 'tinytorch/core/first.py').read_bytes()
    def change(cells, nb):
        solve(cells)
        cells['spread'].source = '#| export\ndef spread(x):\n    return np.max(x'
    edit(mine, change)
    said = run(mine, 'tinytorch', 'check', '1', '--export', status=1)
    assert '2 of 4 points' in said and 'cell 8 (spread), line 3' in said and "'(' was never closed" in said
    assert 'nbs/01_first/first.ipynb, cell 8 (spread), line 3 is not Python' in said and 'Nothing was exported' in said
    assert (mine / 'tinytorch/core/first.py').read_bytes() == before


def test_check_helps_after_an_export_of_a_broken_notebook(mine):
    """`nbdev_export` itself writes what does not parse; checking still works, and the next export mends the library."""
    def change(cells, nb):
        solve(cells)
        cells['spread'].source = '#| export\ndef spread(x):\n    return np.max(x'
    edit(mine, change)
    run(mine, 'nbdev_export', status=1)
    assert 'cell 8 (spread), line 3' in run(mine, 'tinytorch', 'check', '1')
    edit(mine, lambda cells, nb: cells['spread'].update(source='#| export\ndef spread(x):\n    return np.max(x) - np.min(x)'))
    assert '4 of 4 points' in run(mine, 'tinytorch', 'check', '1', '--export')
    run(mine, 'nbdev_export')


def test_export_writes_what_nbdev_export_writes(mine):
    """Byte for byte."""
    edit(mine, solve)
    run(mine, 'tinytorch', 'check', '1', '--export')
    ours = (mine / 'tinytorch/core/first.py').read_bytes()
    run(mine, 'nbdev_export')
    assert (mine / 'tinytorch/core/first.py').read_bytes() == ours and b'return x + x' in ours


@pytest.mark.parametrize('damage', ['a test deleted', 'a test edited', 'all metadata gone', 'a cell duplicated', 'nbformat 4.4'])
def test_a_damaged_notebook_still_counts(mine, damage):
    """What editors and accidents do to notebooks does not change the verdicts."""
    def change(cells, nb):
        solve(cells)
        if damage == 'a test deleted': nb.cells.remove(cells['test_twice'])
        if damage == 'a test edited': cells['test_spread'].source = 'pass'
        if damage == 'all metadata gone':
            for c in nb.cells: c.metadata = {}
        if damage == 'a cell duplicated': nb.cells.insert(5, nbformat.from_dict(cells['twice']))
        if damage == 'nbformat 4.4':
            nb.nbformat_minor = 4
            for c in nb.cells: del c['id']
    edit(mine, change)
    said = run(mine, 'tinytorch', 'check', '1')
    assert '2 of 4 points' in said and 'spread is the largest minus the smallest' in said


def test_own_cells_run_and_given_demonstrations_do_not(mine):
    """A helper in a cell of one's own is there for the answer; a demonstration is left out."""
    def change(cells, nb):
        solve(cells)
        cells['twice'].source = cells['twice'].source.replace('return x + x', 'return helper(x)')
        nb.cells.insert(3, code('def helper(x): return 2 * x'))
    edit(mine, change)
    said = run(mine, 'tinytorch', 'check', '1')
    assert '2 of 4 points' in said


def test_an_endless_loop_and_input_are_named(mine):
    """Each fails with a sentence; what is after it is still checked."""
    def change(cells, nb):
        solve(cells)
        cells['twice'].source = cells['twice'].source.replace('return x + x', 'return int(input())')
        cells['spread'].source = cells['spread'].source.replace('return np', 'return "text" + np')
    edit(mine, change)
    said = run(mine, 'tinytorch', 'check', '1')
    assert '0 of 4 points' in said and 'input() cannot be used' in said and 'TypeError' in said and 'line 4' in said


def test_status_runs_only_what_changed(mine):
    """Nothing runs for notebooks as handed out; a result is kept until notebook or package change."""
    assert '0/4' in run(mine, 'tinytorch', 'status') and not (mine / '_cache').exists()
    edit(mine, solve)
    said = run(mine, 'tinytorch', 'status')
    assert '2/4' in said and 'Next: nbs/01_first/first.ipynb' in said
    kept = list((mine / '_cache/check').iterdir())
    run(mine, 'tinytorch', 'status')
    assert list((mine / '_cache/check').iterdir()) == kept


def test_submit_writes_one_file_and_says_what_is_open(mine):
    """Without outputs, the notebook itself untouched."""
    def change(cells, nb):
        solve(cells)
        cells['twice'].outputs = [nbformat.v4.new_output('stream', text='private')]
        nb.cells.remove(cells['spread'])
    edit(mine, change)
    before = (mine / 'nbs/01_first/first.ipynb').read_bytes()
    said = run(mine, 'tinytorch', 'submit', '1')
    handed = (mine / 'handin/01_first/first.ipynb').read_text()
    assert 'return x + x' in handed and 'private' not in handed and (mine / 'nbs/01_first/first.ipynb').read_bytes() == before
    assert 'Not answered: reflection_spread.' in said and 'Not found by name, perhaps deleted: spread.' in said


def test_a_module_can_be_named_in_many_ways(mine):
    """And a wrong name says which there are."""
    for name in ('01_first', 'first', '1', '01', 'nbs/01_first', 'nbs/01_first/first.ipynb'):
        assert '01_first: 0 of 4' in run(mine, 'tinytorch', 'check', name)
    assert "There is no module '3'; there are 01_first, 02_second." in run(mine, 'tinytorch', 'check', '3', status=1)
