"""`tinytorch release`: what the kit has, what it must not have, and what makes it refuse."""
import json
import zipfile

import nbformat
import pytest
from conftest import ROOT, code, first, make_course, md, notebook, run, second

from tinytorch.course.notebooks import CourseError, nbgrader_config
from tinytorch.course.release import leaks, release, released, secrets


def test_the_kit_has_the_layout_of_the_course(kit):
    """Released notebooks, a library exported from them, and what `pip install` and `check` need."""
    for name in ('settings.ini', 'setup.py', 'constraints.txt', 'README.md', 'nbs/01_first/first.ipynb', 'nbs/course/check.ipynb',
                 '.release/nbs/01_first/first.ipynb', 'tinytorch/__init__.py', 'tinytorch/course/cli.py', 'tinytorch/datasets/digits.npz'):
        assert (kit / name).is_file(), name
    assert 'NotImplementedError' in (kit / 'tinytorch/core/first.py').read_text()
    assert not (kit / 'nbgrader_config.py').exists() and not (kit / 'tests').exists()


def test_the_zip_holds_the_kit_byte_for_byte(kit):
    """What is unpacked from the zip is what was proved."""
    with zipfile.ZipFile(kit.with_name('kit.zip')) as archive:
        files = {name.removeprefix('kit/'): archive.read(name) for name in archive.namelist()}
    here = {str(f.relative_to(kit)): f.read_bytes() for f in kit.rglob('*') if f.is_file() and '__pycache__' not in f.parts}
    assert files == here


def test_no_answer_is_in_the_kit(kit):
    """Looked for as plain text, whatever the release's own search does."""
    text = '\n'.join(f.read_text(errors='replace') for f in kit.rglob('*') if f.is_file() and not {'course', '__pycache__'} & {*f.parts})
    for answer in ('2 * x', 'top - bottom', 'twice(wide)', '-70', 'an interval with', 'at least as large', 'Marking:', 'BEGIN SOLUTION', 'BEGIN HIDDEN'):
        assert answer not in text, answer
    assert 'total = x * x' in text  # a challenge is given in the normal tier


def test_a_released_cell_keeps_head_and_docstring(kit):
    """The stub stands where the solution stood, with a sentence for a traceback's last line."""
    cell = next(c for c in nbformat.read(kit / 'nbs/01_first/first.ipynb', 4).cells if c.id == 'spread')
    assert cell.source.startswith('#| export\ndef spread(x):\n    """The largest minus the smallest."""\n    # YOUR CODE HERE\n    raise NotImplementedError(')
    assert 'checksum' in cell.metadata.nbgrader and cell.metadata.deletable is False


def test_challenges_are_exercises_in_their_tier(course, tmp_path):
    """`--tier challenge` overrides nbgrader_config.py."""
    run(course, 'tinytorch', 'release', '--to', str(tmp_path / 'hard'), '--tier', 'challenge')
    cells = {c.id: c for c in nbformat.read(tmp_path / 'hard/nbs/01_first/first.ipynb', 4).cells}
    assert 'YOUR CODE HERE' in cells['fast'].source and cells['test_fast'].metadata.nbgrader.points == 2
    assert json.loads((tmp_path / 'hard/.release/manifest.json').read_text())['tier'] == 'challenge'


def test_nbgrader_releases_the_same_notebook(course):
    """nbgrader's own command, and with it formgrader's button, does what `tinytorch release` does."""
    run(course, 'nbgrader', 'generate_assignment', '01_first')
    theirs = nbformat.read(course / 'course/release/01_first/first.ipynb', 4)
    ours = released(nbformat.read(course / 'nbs/01_first/first.ipynb', 4), nbgrader_config(course))
    assert [(c.source, c.metadata) for c in theirs.cells] == [(c.source, c.metadata) for c in ours.cells]


def altered(tmp_path, change):
    """A course whose first notebook went through `change(cells by id)` (and may get cells from it)."""
    nb = first()
    nb.cells += change({c.id: c for c in nb.cells}) or []
    return make_course(tmp_path / 'course', m01_first=nb, m02_second=second())


def test_refuses_if_an_answer_fails(tmp_path):
    """Also if only a hidden test fails."""
    def change(cells): cells['test_twice'].source = cells['test_twice'].source.replace('-140', '-141')
    said = run(altered(tmp_path, change), 'tinytorch', 'release', '--to', 'kit', status=1)
    assert 'nbs/01_first/first.ipynb, cell 7 (test_twice) fails with the answers' in said
    assert 'Traceback' not in said and not (tmp_path / 'course/kit').exists() and not list((tmp_path / 'course').glob('.kit*'))


@pytest.mark.parametrize('test', ['assert True', 'assert "twice" in dir()', 'try: twice(1)\nexcept RuntimeError: pass'])
def test_refuses_if_a_test_needs_no_answer(tmp_path, test):
    """NotImplementedError is a RuntimeError: a test that expects one would pass on the stub."""
    def change(cells): cells['test_twice'].source = test
    said = run(altered(tmp_path, change), 'tinytorch', 'release', '--to', 'kit', status=1)
    assert 'nbs/01_first/first.ipynb, cell 7 (test_twice) passes on the untouched notebook' in said


def test_refuses_if_a_file_of_the_kit_does_not_import(tmp_path):
    """A given cell that calls an exercise when imported stops every later module."""
    def change(cells): return [code('#| export\nFOUR = twice(2)')]
    said = run(altered(tmp_path, change), 'tinytorch', 'release', '--to', 'kit', status=1)
    assert 'tinytorch.core.first of the untouched kit does not import: NotImplementedError' in said


@pytest.mark.parametrize('place', ['a given cell', 'a renamed function elsewhere', 'an output', 'a cell of prose', 'metadata', 'an attachment', 'a comment',
                                   'a file beside', 'a tool'])
def test_refuses_if_an_answer_is_anywhere(course, tmp_path, place):
    """One solution, hidden in every corner of a kit."""
    body = 'top = np.max(x)\nbottom = np.min(x)\nreturn top - bottom'
    indented = '\n'.join('    ' + line for line in body.split('\n'))
    path = course / 'nbs/02_second/second.ipynb'
    nb = nbformat.read(path, 4)
    if place == 'a given cell': nb.cells.append(code(f'def given(x):\n    # its width\n{indented}'))
    if place == 'a renamed function elsewhere': nb.cells.append(code(f'#| export\nclass A:\n    def other(self, x):\n        "docs"\n' + indented.replace('    ', '        ')))
    if place == 'a cell of prose': nb.cells.append(md(f'Like this:\n\n```python\n{body}\n```'))
    if place == 'metadata': nb.cells[1].metadata.tags = [body]
    if place == 'a comment': nb.cells.append(code('\n'.join('# ' + line for line in body.split('\n'))))
    if place == 'an attachment': nb.cells.append(nbformat.v4.new_markdown_cell('see', attachments={'a.txt': {'text/plain': body}}))
    nbformat.write(nb, path)
    if place == 'an output':
        (course / 'nbs/milestones').mkdir()
        shown = code('spread??')
        shown.outputs = [nbformat.v4.new_output('stream', text=f'def spread(x):\n{indented}\n')]
        nbformat.write(notebook(shown), course / 'nbs/milestones/show.ipynb')
    if place == 'a file beside': (course / 'nbs/02_second/help.txt').write_text(body)
    if place == 'a tool': (course / 'tinytorch/spare.py').write_text(f'def given(x):\n{indented}\n')
    with pytest.raises(CourseError, match=r'first\.ipynb, cell 8 \(spread\): its solution is in the kit, in '): release(course, tmp_path / 'kit')
    assert not (tmp_path / 'kit').exists()


@pytest.mark.parametrize('kind, leak', [
    ('hidden test', code('assert_close(spread([-5.0, 2, 9]), 14., "an interval with negative numbers")'.replace('-5.0, 2, 9', '-5., 2., 9.'))),
    ('model answer', md('Because the largest number is at least as large as the smallest one.'.replace('the largest', 'The largest')))])
def test_refuses_if_what_is_hidden_is_shown(kind, leak):
    """Hidden tests one by one, model answers line by line."""
    nb = first()
    said = next(leaks({'nbs/02_second/second.ipynb': nbformat.writes(notebook(leak)).encode()}, secrets(nb, 'nbs/01_first/first.ipynb'), [nb]))
    assert f'its {kind} is in the kit, in nbs/02_second/second.ipynb, cell 1' in said


def test_a_short_line_that_given_code_has_too_is_no_leak(tmp_path):
    """`return 2 * x` stands in many places; the kit's other notebooks may have it."""
    def change(cells): return [code('#| export\ndef double(x):\n    return 2 * x')]
    release(altered(tmp_path, change), tmp_path / 'kit')


def test_never_overwrites_what_is_not_an_unchanged_kit(course, tmp_path):
    """A folder of somebody's, and a kit in which somebody has solved an exercise."""
    mine, kit = tmp_path / 'mine', tmp_path / 'kit'
    mine.mkdir()
    (mine / 'thesis.txt').write_text('years')
    assert f'{mine} exists and is not a student kit' in run(course, 'tinytorch', 'release', '--to', str(mine), status=1)
    assert (mine / 'thesis.txt').read_text() == 'years' and not mine.with_name('mine.zip').exists()
    release(course, kit)
    release(course, kit)
    (kit / 'nbs/01_first/first.ipynb').write_text('solved')
    with pytest.raises(CourseError, match=r'was worked in since it was released \(nbs/01_first/first.ipynb differs\)'): release(course, kit)
    assert (kit / 'nbs/01_first/first.ipynb').read_text() == 'solved'


def test_two_releases_of_the_same_course_are_the_same(course, tmp_path):
    """So an instructor can compare them."""
    assert release(course, tmp_path / 'a' / 'kit').read_bytes() == release(course, tmp_path / 'b' / 'kit').read_bytes()


def test_the_course_itself_releases(tmp_path):
    """All modules as they are in the repository."""
    release(ROOT, tmp_path / 'kit')
