"""Bad input: one clear sentence naming file and cell, exit status 1, and nothing half-written."""
import json
import subprocess
import sys

import nbformat
import pytest
from conftest import code, notebook, run

from tinytorch.course.notebooks import CourseError, read
from tinytorch.course.release import release

MISSING_POINTS = 'nbs/01_first/first.ipynb, cell 7 (test_twice) is graded but has no points.'


def broken(cells, nb, case):
    """Make the small course's first notebook (its cells by id, and itself) into the bad `case`; the sentence that should be said."""
    if case == 'a grade_id used twice':
        cells['spread'].metadata.nbgrader.grade_id = 'twice'
        return "nbs/01_first/first.ipynb, cell 8 (twice): the grade_id 'twice' is already that of cell 5."
    if case == 'no points':
        del cells['test_twice'].metadata.nbgrader['points']
        return MISSING_POINTS
    if case == 'zero points':
        cells['test_twice'].metadata.nbgrader.points = 0
        return MISSING_POINTS
    if case == 'points that are text':
        cells['test_twice'].metadata.nbgrader.points = '2'
        return MISSING_POINTS
    if case == 'no grade_id':
        del cells['test_twice'].metadata.nbgrader['grade_id']
        return 'nbs/01_first/first.ipynb, cell 7 is an exercise or a test without a grade_id.'
    if case == 'no target':
        nb.cells.pop(0)
        return 'nbs/01_first/first.ipynb, cell 2 is exported, but no cell above it names a target with #| default_exp.'
    if case == 'another module\'s target':
        nb.cells[0].source = '#| default_exp core.second'
        return 'nbs/01_first/first.ipynb, cell 1: the target of 01_first is core.first, not core.second.'
    if case == 'solution not marked':
        cells['twice'].metadata = {}
        return 'nbs/01_first/first.ipynb, cell 5 has a solution but is not marked as an exercise.'
    if case == 'solution without markers':
        cells['twice'].source = '#| export\ndef twice(x): return 2 * x'
        return 'nbs/01_first/first.ipynb, cell 5 (twice) is an exercise but has no BEGIN SOLUTION and END SOLUTION.'
    if case == 'markers not closed':
        cells['twice'].source = cells['twice'].source.replace('    ### END SOLUTION', '')
        return 'nbs/01_first/first.ipynb, cell 5 (twice) has BEGIN SOLUTION and END SOLUTION that do not pair up.'
    if case == 'hidden tests outside a test':
        nb.cells[5].source = '### BEGIN HIDDEN TESTS\nassert True\n### END HIDDEN TESTS'
        return 'nbs/01_first/first.ipynb, cell 6 has hidden tests but is not marked as a graded test.'
    if case == 'not Python':
        nb.cells[5].source = '1 +\n\nx ='
        return 'nbs/01_first/first.ipynb, cell 6, line 1 is not Python: invalid syntax.'
    nb.cells[5].source = case
    return 'nbs/01_first/first.ipynb, cell 6 imports 02_second, which comes after module 01.'


@pytest.mark.parametrize('case', [
    'a grade_id used twice', 'no points', 'zero points', 'points that are text', 'no grade_id', 'no target', 'another module\'s target',
    'solution not marked', 'solution without markers', 'markers not closed', 'hidden tests outside a test', 'not Python',
    'from tinytorch.core.second import scaled', 'import tinytorch.core.second as s', 'from tinytorch.core import second',
    'def f():\n    from .second import scaled', 'from . import second'])
def test_an_unfit_notebook_is_refused(course, case):
    """`release`, which reads every notebook first, says what is wrong and writes nothing."""
    path = course / 'nbs/01_first/first.ipynb'
    nb = nbformat.read(path, 4)
    sentence = broken({c.id: c for c in nb.cells}, nb, case)
    path.write_text(json.dumps(nb))
    there = lambda: [f for f in sorted(course.parent.rglob('*')) if f.name not in ('__pycache__', 'course') and f.suffix != '.pyc']
    before = there()
    with pytest.raises(CourseError) as said: release(course, course.parent / 'kit')
    assert str(said.value) == sentence
    assert there() == before


@pytest.mark.parametrize('content, sentence', [
    (b'', 'is not a notebook: '),
    (b'{"cells": [', 'is not a notebook: '),
    (b'%PDF-1.7\xff\xfe', 'is not a notebook: it is not UTF-8 text.'),
    (b'[1, 2]', 'is not a notebook: '),
    (b'{"nbformat": 3, "nbformat_minor": 0, "worksheets": [], "metadata": {}}', 'is a notebook of format 3; the course reads format 4.'),
    (b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{"cell_type": "poem"}]}', 'is not a notebook: '),
    (b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}}', 'is not a notebook: ')])
def test_a_damaged_file_is_named(tmp_path, content, sentence):
    """And what is wrong with it."""
    path = tmp_path / 'first.ipynb'
    path.write_bytes(content)
    with pytest.raises(CourseError) as said: read(path)
    assert str(said.value).startswith(f'{path} {sentence}') and '\n' not in str(said.value)


@pytest.mark.parametrize('command', [('check', '1'), ('release', '--to', 'kit'), ('status',), ('submit', '1')])
def test_every_command_says_it_in_one_sentence(course, command):
    """On standard error, with exit status 1, and without a traceback."""
    path = course / 'nbs/01_first/first.ipynb'
    path.write_text('{"cells": [')
    said = run(course, 'tinytorch', *command, status=1).strip()
    assert 'first.ipynb is not a notebook: ' in said and '\n' not in said and not (course / 'kit').exists()
    path.unlink()
    assert 'nbs/01_first has no notebook first.ipynb.' in run(course, 'tinytorch', *command, status=1)


def test_the_library_installed_alone():
    """The command is there without what it needs, and says what to install."""
    code = "import sys; sys.modules['typer'] = None; import tinytorch.course.cli"
    ran = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (1, "The command line needs typer: pip install 'tinytorch[course]'\n")


def test_outside_a_course(tmp_path):
    """A student in the wrong folder is told so."""
    assert 'is not inside a TinyTorch course' in run(tmp_path, 'tinytorch', 'status', status=1)


def test_releasing_from_a_kit(kit):
    """Only the course itself can be released."""
    assert 'not in a student kit' in run(kit, 'tinytorch', 'release', '--to', '/tmp/never', status=1)


def test_an_export_cell_without_a_target_in_any_notebook(course):
    """Also in api, course and milestones notebooks."""
    (course / 'nbs/api').mkdir()
    nbformat.write(notebook(code('#| export\nx = 1')), course / 'nbs/api/nn.ipynb')
    with pytest.raises(CourseError, match='nbs/api/nn.ipynb, cell 1 is exported, but'): release(course, course / 'kit')
