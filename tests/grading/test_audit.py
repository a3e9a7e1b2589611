"""The audit: what it changes, what it counts, and that it is not fooled."""
import copy
import json

import pytest
from conftest import TESTING, code, exercise, graded, make_course, notebook, run

from tinytorch.course.audit import audit, counts, mutants
from tinytorch.course.notebooks import CourseError
from tinytorch.course.sandbox import probe

pytestmark = pytest.mark.skipif(bool(probe()), reason=f'no sandbox: {probe()}')


def lines(body): return {m.line for m in mutants('f', '#| export\ndef f(x, y, axis=0):\n    """Text of 3 words."""\n    ### BEGIN SOLUTION\n    ' + body + '\n    ### END SOLUTION')}


@pytest.mark.parametrize('body, expected', [
    ('return x + y', {'return x - y', 'return x', 'return y', 'return None'}),
    ('return x < 2', {'return x <= 2', 'return x > 2', 'return x < 3', 'return x < 1', 'return None'}),
    ('return x.sum(axis=-1)', {'return x.mean(axis=-1)', 'return x.sum()', 'return x.sum(axis=1)', 'return x.sum(axis=-2)', 'return x.sum(axis=-0)', 'return None'}),
    ('return f(x, y)', {'return f(y, x)', 'return None'}),
    ('return x @ y', {'return y @ x', 'return x', 'return y', 'return None'}),
    ('x[0] = y', {'pass', 'x[1] = y'}),
    ('x.append(y)', {'pass', 'x.extend(y)'}),
    ('if x: raise ValueError("1 + 1")', {'if not x:', 'if False:', 'pass'}),
    ('return x and not y', {'return x or not y', 'return x and y', 'return None'})])
def test_changes(body, expected): assert lines(body) == expected


def test_given_code_is_left_alone():
    source = '#| export\ndef f(x, n=3):\n    given = x + 1\n    ### BEGIN SOLUTION\n    return given\n    ### END SOLUTION'
    assert [m.line for m in mutants('f', source)] == ['return None']


WEAK = notebook(code('#| default_exp core.weak'), code('#| export\nimport numpy as np'), TESTING,
                exercise('total', 'def total(x, y):\n    """The sum of the numbers in x, plus y; 0 if there are none."""',
                         'if len(x) < 1: return 0\nn = 0\nwhile n < 1: n = n + 1\nreturn np.sum(x) + y'),
                graded('test_total', 'assert_close(total([1., 2.], 0.), 3.)', 'assert_equal(total([], 3.), 0)'))


def test_counts_and_reasons(tmp_path):
    root = make_course(tmp_path / 'course', m01_weak=WEAK)
    tried = {m.line: (end, why) for m, end, why in audit(root)['01_weak']['total']}
    assert tried['return np.sum(x) - y'] == ('survived', '') == tried['return np.sum(x)']
    assert tried['return np.mean(x) + y'] == ('killed', '')
    assert tried['while n < 1: n = n - 1' if 'while n < 1: n = n - 1' in tried else 'n = n - 1'][0] == 'endless'
    (root / 'tests').mkdir()
    (root / 'tests' / 'equivalent_mutants.json').write_text(json.dumps({'01_weak': {'total': {'return np.sum(x) - y': 'just so'}}}))
    again = audit(root)['01_weak']['total']
    assert counts(again)[3] == 1 and counts(again)[4] == counts([(m, e, '') for m, e, _ in again])[4] - 1
    assert 'return np.sum(x)' in run(root, 'tinytorch', 'audit', '1', status=1)


def test_a_wrong_solution_and_a_passing_stub_are_refused(tmp_path):
    wrong, idle = copy.deepcopy(WEAK), copy.deepcopy(WEAK)
    wrong.cells[3].source = wrong.cells[3].source.replace('np.sum(x) + y', 'np.sum(x) * 2')
    idle.cells[4].source = 'assert 1 + 1 == 2'
    with pytest.raises(CourseError, match='with the solutions, test_total'): audit(make_course(tmp_path / 'a', m01_weak=wrong))
    with pytest.raises(CourseError, match='gives points to the untouched'): audit(make_course(tmp_path / 'b', m01_weak=idle))
