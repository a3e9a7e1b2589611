"""`tinytorch update`: a corrected release comes in, and nothing that a student wrote goes."""
import shutil
import zipfile

import nbformat
import pytest
from conftest import code, first, make_course, md, run, second


@pytest.fixture(scope='module')
def corrected(tmp_path_factory):
    """The kit of the small course after its authors mended a text, a test, a given cell and a tool."""
    nb = first()
    cells = {c.id: c for c in nb.cells}
    nb.cells[1].source += '\n\nMended.'
    cells['test_twice'].source = cells['test_twice'].source.replace('twice(3) is 3 and 3', 'twice(3) is six')
    nb.cells.insert(3, code('#| export\nMENDED = True'))
    folder = tmp_path_factory.mktemp('corrected')
    root = make_course(folder / 'course', m01_first=nb, m02_second=second())
    (root / 'nbs/course/kit.md').write_text('# New README\n')
    run(root, 'tinytorch', 'release', '--to', str(folder / 'kit'))
    return folder / 'kit.zip'


@pytest.fixture
def mine(kit, tmp_path):
    """A student's kit with an answer to `twice`, an own cell after it, a half-done reflection, and notes in settings.ini."""
    mine = shutil.copytree(kit, tmp_path / 'mine')
    path = mine / 'nbs/01_first/first.ipynb'
    nb = nbformat.read(path, 4)
    cells = {c.id: c for c in nb.cells}
    cells['twice'].source = '#| export\ndef twice(x):\n    return x + x  # mine'
    cells['reflection_spread'].source = 'Because of the order.'
    nb.cells.insert(nb.cells.index(cells['twice']) + 1, code('twice(4)  # my own try'))
    nb.cells.append(md('My notes'))
    nbformat.write(nb, path)
    with (mine / 'settings.ini').open('a') as f: f.write('# my note\n')
    return mine


def test_answers_stay_and_corrections_come(mine, corrected):
    """Answers, own cells and notes in their places; new text, test, given code and tool."""
    before = (mine / 'nbs/01_first/first.ipynb').read_bytes()
    said = run(mine, 'tinytorch', 'update', str(corrected))
    nb = nbformat.read(mine / 'nbs/01_first/first.ipynb', 4)
    sources = [c.source for c in nb.cells]
    twice = sources.index('#| export\ndef twice(x):\n    return x + x  # mine')
    assert sources[twice + 1] == 'twice(4)  # my own try' and sources[-1] == 'My notes'
    assert 'Because of the order.' in sources and any('Mended.' in s for s in sources) and '#| export\nMENDED = True' in sources
    assert any('twice(3) is six' in s for s in sources) and not any('twice(3) is 3 and 3' in s for s in sources)
    assert (mine / 'README.md').read_text() == '# New README\n' and '# my note' in (mine / 'settings.ini').read_text()
    backup, = (mine / 'backup').iterdir()
    assert (backup / 'nbs/01_first/first.ipynb').read_bytes() == before and f'backup/{backup.name}' in said
    library = (mine / 'tinytorch/core/first.py').read_text()
    assert 'MENDED = True' in library and '# mine' in library
    assert '2 of 4 points' in run(mine, 'tinytorch', 'check', '1')


def test_a_second_update_changes_nothing(mine, corrected):
    """What is merged is not merged again."""
    run(mine, 'tinytorch', 'update', str(corrected))
    before = (mine / 'nbs/01_first/first.ipynb').read_bytes()
    run(mine, 'tinytorch', 'update', str(corrected))
    assert (mine / 'nbs/01_first/first.ipynb').read_bytes() == before


def test_a_damaged_release_changes_nothing(mine, corrected, tmp_path):
    """Half a zip, a zip of something else, a zip in which a file was changed."""
    half, other, changed = tmp_path / 'half.zip', tmp_path / 'other.zip', tmp_path / 'changed.zip'
    half.write_bytes(corrected.read_bytes()[:5000])
    with zipfile.ZipFile(other, 'w') as archive: archive.writestr('a/b.txt', 'x')
    with zipfile.ZipFile(corrected) as source, zipfile.ZipFile(changed, 'w') as archive:
        for name in source.namelist(): archive.writestr(name, source.read(name) + (b'#' if name.endswith('setup.py') else b''))
    before = {f: f.read_bytes() for f in mine.rglob('*') if f.is_file() and '__pycache__' not in f.parts}
    for path, sentence in ((half, 'is no release'), (other, 'has no .release/manifest.json'), (changed, 'setup.py is not what was released'), (tmp_path / 'no.zip', 'is no release')):
        assert sentence in run(mine, 'tinytorch', 'update', str(path), status=1)
    assert {f: f.read_bytes() for f in mine.rglob('*') if f.is_file() and '__pycache__' not in f.parts} == before


def test_a_syntax_error_stays_the_students(mine, corrected):
    """The notebook is merged, the library file stays as it was, and the cell is named."""
    path = mine / 'nbs/01_first/first.ipynb'
    nb = nbformat.read(path, 4)
    next(c for c in nb.cells if c.id == 'spread').source = '#| export\ndef spread(x: return'
    nbformat.write(nb, path)
    before = (mine / 'tinytorch/core/first.py').read_bytes()
    said = run(mine, 'tinytorch', 'update', str(corrected))
    assert '(spread), line 2 is not Python' in said and (mine / 'tinytorch/core/first.py').read_bytes() == before
