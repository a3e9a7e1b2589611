"""A course of two small modules, made in a temporary folder, for the tests of the tools; the real modules have tests of their own."""
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parent.parent
os.environ |= {'OMP_NUM_THREADS': '1', 'OPENBLAS_NUM_THREADS': '1'}  # the tests run several processes side by side
collect_ignore = ['parity']  # needs torch: `make parity` runs it, in an environment of its own


def md(source): return nbformat.v4.new_markdown_cell(source)


def code(source, name=None, **kind):
    """A code cell; with a `name` an exercise (`solution=True`) or a test (`grade=True, points=…`)."""
    cell = nbformat.v4.new_code_cell(source)
    if name:
        cell.id = name
        cell.metadata.nbgrader = dict(grade=False, solution=False, locked=not kind.get('solution'), grade_id=name, schema_version=3, task=False,
                                      cell_type='code') | kind
    return cell


def exercise(name, head, body):
    body = '\n'.join('    ' + line for line in body.split('\n'))
    return code(f'#| export\n{head}\n    ### BEGIN SOLUTION\n{body}\n    ### END SOLUTION', name, solution=True)


def graded(name, shown, hidden, points=2):
    return code(f'{shown}\n### BEGIN HIDDEN TESTS\n{hidden}\n### END HIDDEN TESTS', name, grade=True, points=points)


def reflection(name, answer, points=3):
    cell = nbformat.v4.new_markdown_cell(f'### BEGIN SOLUTION\n{answer}\n### END SOLUTION', id=name)
    cell.metadata.nbgrader = dict(grade=True, solution=True, locked=False, grade_id=name, schema_version=3, task=False, points=points,
                                  cell_type='markdown')
    return cell


def notebook(*cells):
    nb = nbformat.v4.new_notebook(cells=list(cells))
    for i, cell in enumerate(nb.cells):
        if not cell.metadata.get('nbgrader'): cell.id = f'cell-{i}'
    nb.metadata.kernelspec = {'display_name': 'python3', 'language': 'python', 'name': 'python3'}
    return nb


TESTING = code('#| hide\nfrom tinytorch.course.testing import assert_close, assert_equal')


def first():
    """Module 01 of the small course: two exercises, of which the second is not a one-liner, a challenge and a reflection."""
    challenge = [exercise('fast', 'def fast(x):\n    """The same, faster."""', 'total = x * x\nreturn total + x'),
                 graded('test_fast', "assert_equal(fast(2), 6, 'fast(x) is x * x + x')", 'assert_equal(fast(5), 30)')]
    for cell in challenge: cell.metadata.tinytorch = {'tier': 'challenge'}
    return notebook(
        code('#| default_exp core.first'), md('# First\n\n> The first of two.'), code('#| export\nimport numpy as np'), TESTING,
        exercise('twice', 'def twice(x):\n    """`x` two times."""', 'return 2 * x'), code('print("shown", 1 + 1)'),
        graded('test_twice', "assert_equal(twice(3), 6, 'twice(3) is 3 and 3')", 'assert_equal(twice(-70), -140)'),
        exercise('spread', 'def spread(x):\n    """The largest minus the smallest."""', 'top = np.max(x)\nbottom = np.min(x)\nreturn top - bottom'),
        graded('test_spread', "assert_close(spread([1., 4.]), 3., 'spread is the largest minus the smallest')",
               'assert_close(spread([-5., 2., 9.]), 14., "an interval with negative numbers")'),
        *challenge,
        md('Why is a spread never negative?'),
        reflection('reflection_spread', 'The largest number is at least as large as the smallest one.\nMarking: 3 points for naming the order of the two.'))


def second():
    """Module 02, which builds on the first."""
    return notebook(
        code('#| default_exp core.second'), md('# Second\n\n> The second of two.'), code('#| export\nfrom tinytorch.core.first import spread, twice'), TESTING,
        exercise('scaled', 'def scaled(x):\n    """Twice the spread."""', 'wide = spread(x)\nreturn twice(wide)'),
        graded('test_scaled', "assert_close(scaled([1., 4.]), 6., 'scaled is twice the spread')", 'assert_close(scaled([2., 2.5]), 1.)', points=4))


def make_course(root, **notebooks):
    """Write a course with these module notebooks (`m01_first=…`) to the folder `root`, and export it."""
    root.mkdir(parents=True, exist_ok=True)
    for name in ('settings.ini', 'setup.py', 'constraints.txt', 'nbgrader_config.py', 'README.md'): shutil.copy(ROOT / name, root)
    ignore = shutil.ignore_patterns('__pycache__', '.ipynb_checkpoints', '_modidx.py')
    shutil.copytree(ROOT / 'nbs' / 'course', root / 'nbs' / 'course', ignore=ignore)
    shutil.copytree(ROOT / 'tinytorch', root / 'tinytorch', ignore=ignore)
    for file in (root / 'tinytorch' / 'core').glob('*.py'):
        if file.name != '__init__.py': file.unlink()
    for name, nb in notebooks.items():
        folder = root / 'nbs' / name.removeprefix('m')
        folder.mkdir()
        nbformat.write(nb, folder / f'{folder.name[3:]}.ipynb')
    run(root, 'nbdev_export')
    return root


def run(root, *command, status=0):
    """Run a command of our Python (`tinytorch …`, `nbdev_export`) in the folder `root` with the package that lies in it; returns its output."""
    script = Path(sys.executable).with_name(command[0])
    ran = subprocess.run([sys.executable, str(script), *command[1:]], cwd=root, capture_output=True, text=True, timeout=600,
                         env=os.environ | {'PYTHONPATH': str(root), 'COLUMNS': '160', 'TERM': 'dumb'})
    assert ran.returncode == status, ran.stdout + ran.stderr
    return ran.stdout + ran.stderr


@pytest.fixture(scope='session')
def small(tmp_path_factory):
    """The small course, made once; nobody changes it."""
    return make_course(tmp_path_factory.mktemp('small') / 'course', m01_first=first(), m02_second=second())


@pytest.fixture
def course(small, tmp_path):
    """A fresh copy of the small course."""
    return shutil.copytree(small, tmp_path / 'course')


@pytest.fixture(scope='session')
def kit(small, tmp_path_factory):
    """The student kit of the small course; tests that change it copy it first."""
    folder = tmp_path_factory.mktemp('released')
    run(small, 'tinytorch', 'release', '--to', str(folder / 'kit'))
    return folder / 'kit'
