"""A small module made for the grader's tests, and ways to hand in answers to it."""
import copy
import json
from pathlib import Path

import nbformat
import pytest
from conftest import TESTING, code, exercise, first, graded, make_course, md, notebook, reflection

from tinytorch.course.grade import Course, grade
from tinytorch.course.release import released

LIMITS = dict(cell=4, total=60, memory=1 << 30, processes=24, disk=8 << 20, output=200_000)


def lab():
    """Module 02 of the test course: exercises that build on each other, a class, a function that raises, a test with partial credit."""
    return notebook(
        code('#| default_exp core.lab'), md('# Lab\n\n> A module for the grader.'),
        code('#| export\nimport numpy as np\nfrom tinytorch.core.first import twice'), TESTING,
        exercise('double', 'def double(x):\n    """Each number of the array x times two."""', 'y = np.asarray(x)\nreturn y * 2'),
        graded('test_double', "assert_close(double([1., 2.]), [2., 4.], 'double([1, 2]) is [2, 4]')",
               'for x, want in [([3., 5.5], [6., 11.]), ([[-1.], [0.25]], [[-2.], [0.5]])]: assert_close(double(x), want)'),
        code('shown = double([1., 2.])\nshown'),
        exercise('shift', 'def shift(x, by):\n    """The array x plus `by`; ValueError unless `by` is a number."""',
                 'if not isinstance(by, (int, float)): raise ValueError("by must be a number")\nreturn np.asarray(x) + by'),
        graded('test_shift', "assert_close(shift([1., 2.], 1), [2., 3.], 'shift([1, 2], 1) is [2, 3]')",
               'assert_close(shift([[7.5]], -2.5), [[5.]])\nwith assert_raises(ValueError, "number", "by is text"): shift([1.], "a")'),
        code('#| export\ndef given(x): return double(x) * 10'),
        exercise('line', 'def line(x, a):\n    """double(x) shifted by a."""', 'y = double(x)\nreturn shift(y, a)'),
        graded('test_line', "assert_close(line([1., 2.], 1), [3., 5.], 'line doubles, then shifts')",
               'rng = np.random.default_rng(0)\nx = rng.normal(size=(3, 2))\nassert_close(line(x, 2.5), 2 * x + 2.5)\nassert_close(given(x), 20 * x)', 3),
        exercise('Counter', 'class Counter:\n    """Counts calls of `add`."""\n    def __init__(self): self.n = 0\n    def add(self):',
                 '    self.n = self.n + 1\n    return self'),
        graded('test_Counter', "assert_equal(Counter().add().n, 1, 'one call counts one')",
               'c = Counter()\nfor _ in range(7): c.add()\nassert_equal(c.n, 7)\nassert isinstance(Counter().add(), Counter)\nassert 0 < c.n < 8'),
        exercise('part', 'def part(n):\n    """The divisors of n."""', 'found = [d for d in range(1, n + 1) if n % d == 0]\nreturn found'),
        code('3 * (part(6) == [1, 2, 3, 6]) + (part(7) == [1, 7])', 'test_part', grade=True, points=4),
        md('Why is doubling linear?'), reflection('reflection_lab', 'Because two times a sum is the sum of two times each.\nMarking: 3 points for the sum.'))


FULL = 2 + 2 + 3 + 2 + 4
TESTS = ['test_double', 'test_shift', 'test_line', 'test_Counter', 'test_part']


@pytest.fixture(scope='session')
def lab_course(tmp_path_factory):
    """The course with the lab, made once; each test has students of its own."""
    return make_course(tmp_path_factory.mktemp('lab') / 'course', m01_first=first(), m02_lab=lab())


def solved(course_root):
    """The released lab with every answer in it."""
    course = Course(course_root)
    module = course.modules[1]
    source = course.source(module)
    nb = released(source, course.config)
    for cell, full in zip(nb.cells, source.cells):
        if cell.metadata.get('nbgrader', {}).get('solution'): cell.source = full.source.replace('    ### BEGIN SOLUTION\n', '').replace('\n    ### END SOLUTION', '')
    return nb


def cell(nb, name):
    """The cell with a grade_id."""
    return next(c for c in nb.cells if c.metadata.get('nbgrader', {}).get('grade_id') == name)


def answer(nb, name, source):
    """A copy of the notebook with another answer."""
    nb = copy.deepcopy(nb)
    cell(nb, name).source = source
    return nb


def insert(nb, before, source):
    """A copy of the notebook with a cell of the student's own before another."""
    nb = copy.deepcopy(nb)
    nb.cells.insert(nb.cells.index(cell(nb, before)), nbformat.v4.new_code_cell(source))
    return nb


def hand_in(root, student, content, name='lab.ipynb', module='02_lab'):
    """Put a file where submissions lie: a notebook, bytes, or text."""
    path = Path(root) / 'course' / 'submitted' / student / module / name
    path.parent.mkdir(parents=True, exist_ok=True)
    data = content if isinstance(content, bytes) else content.encode() if isinstance(content, str) else nbformat.writes(content).encode()
    path.write_bytes(data)
    return path


def scores(report): return {r['test']: r['score'] for r in report['tests']}


def lost(report): return {r['test'] for r in report['tests'] if r['score'] < r['points']}
