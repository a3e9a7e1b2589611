"""`tinytorch check` and `tinytorch grade` say the same about the visible tests of the same notebook."""
import nbformat
import pytest
from conftest import code, first, make_course, second

from tinytorch.course.check import check_notebook
from tinytorch.course.grade import grade
from tinytorch.course.notebooks import in_tier, nbgrader_config, read
from tinytorch.course.release import released
from tinytorch.course.sandbox import probe

RIGHT = {'twice': 'return x + x', 'spread': 'return np.max(x) - np.min(x)'}


def answer(cells, **answers):
    """Put answers into their cells."""
    for name, body in answers.items(): cells[name].source = cells[name].source.split('    # YOUR')[0] + f'    {body}'


def drop(nb, *cells):
    """Take cells out of the notebook."""
    nb.cells = [c for c in nb.cells if c not in cells]


EDITS = {
    'untouched': lambda cells, nb: None,
    'right': lambda cells, nb: answer(cells, **RIGHT),
    'wrong': lambda cells, nb: answer(cells, twice='return x', spread=RIGHT['spread']),
    'syntax-error': lambda cells, nb: answer(cells, twice='return (x', spread=RIGHT['spread']),
    'raises': lambda cells, nb: answer(cells, twice='return undefined', spread=RIGHT['spread']),
    'wrong-type': lambda cells, nb: answer(cells, twice='return str(2 * x)', spread='return None'),
    'exits': lambda cells, nb: answer(cells, twice='raise SystemExit', spread=RIGHT['spread']),
    'asks': lambda cells, nb: answer(cells, twice='return int(input())', spread=RIGHT['spread']),
    'own-helper': lambda cells, nb: (answer(cells, twice='return helper(x)', spread=RIGHT['spread']), nb.cells.insert(3, code('def helper(x): return 2 * x'))),
    'test-deleted': lambda cells, nb: (answer(cells, **RIGHT), drop(nb, cells['test_spread'])),
    'test-emptied': lambda cells, nb: (answer(cells, twice='return 7', spread='return 7'), cells['test_twice'].update(source=''), cells['test_spread'].update(source='')),
    'no-metadata': lambda cells, nb: (answer(cells, twice='return x', spread=RIGHT['spread']), [c.update(metadata={}) for c in nb.cells]),
}


@pytest.fixture(scope='module')
def class_(tmp_path_factory):
    """The small course without hidden tests, its released notebook, and one submission for each edit."""
    nb = first()
    for cell in nb.cells: cell.source = cell.source.split('\n### BEGIN HIDDEN')[0]
    root = make_course(tmp_path_factory.mktemp('class') / 'course', m01_first=nb, m02_second=second())
    given = released(in_tier(nb, nbgrader_config(root)), nbgrader_config(root))
    for name, edit in EDITS.items():
        mine = nbformat.from_dict(given)
        edit({c.id: c for c in mine.cells}, mine)
        path = root / 'course/submitted' / name / '01_first/first.ipynb'
        path.parent.mkdir(parents=True)
        nbformat.write(mine, path)
    return root, given, grade(root, '1', unsafe=bool(probe()))


@pytest.mark.parametrize('name', EDITS)
def test_same_verdicts(class_, name, monkeypatch):
    """Test by test."""
    root, given, reports = class_
    monkeypatch.setenv('PYTHONPATH', str(root))
    report = check_notebook(read(root / 'course/submitted' / name / '01_first/first.ipynb'), given, root / 'nbs/01_first')
    graded = {t['test'].removeprefix('test_'): t['score'] for t in reports['01_first', name]['tests']}
    assert {r.exercise: r.points * r.passed for r in report.rows} == graded
