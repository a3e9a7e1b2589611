"""What instructors meet when they grade notebooks: each row of the list is handed in as a file, and graded with all others in one batch."""
import copy
import json

import nbformat
import pytest
from lab import FULL, LIMITS, TESTS, answer, cell, hand_in, insert, lab_course, lost, scores, solved  # noqa: F401

from tinytorch.course.grade import Course, grade
from tinytorch.course.sandbox import probe

pytestmark = pytest.mark.skipif(bool(probe()), reason=f'no sandbox: {probe()}')

WRONG = '#| export\ndef double(x): return np.asarray(x) * 3'
CASES = {}


def case(function):
    """A submission: the function makes it from the solved notebook and is named like its student."""
    CASES[function.__name__] = function
    return function


@case
def solved_in_full(nb): return nb


@case
def wrong_double(nb): return answer(nb, 'double', WRONG)


# cheats that earn full marks elsewhere

@case
def skip_tags(nb):
    nb = answer(nb, 'double', WRONG)
    for name in TESTS: cell(nb, name).metadata.tags = ['skip-execution', 'raises-exception']
    return nb


@case
def input_transformer(nb):
    return insert(answer(nb, 'double', WRONG), 'double', '''
def blank(lines): return [] if any('assert' in line for line in lines) else lines
ip = get_ipython()
ip.input_transformers_post.append(blank)
ip.input_transformers_cleanup.append(blank)''')


@case
def ast_transformer(nb):
    return insert(answer(nb, 'double', WRONG), 'double', '''
import ast
class Blank(ast.NodeTransformer):
    def visit_Module(self, node): return ast.Module([], [])
get_ipython().ast_transformers.append(Blank())''')


@case
def cell_hook(nb):
    return insert(answer(nb, 'double', WRONG), 'double', '''
def hook(info=None): get_ipython().user_ns['assert_close'] = lambda *a, **k: None
get_ipython().events.register('pre_run_cell', hook)
get_ipython().events.register('pre_execute', hook)''')


def credit(value): return lambda nb: answer(nb, 'part', f'''#| export
class Worth:
    def __eq__(self, other): return {value}
def part(n): return Worth()''')


for name, value in dict(nan="float('nan')", inf="float('inf')", negative='-1', above='100', text='"full"').items(): CASES[f'credit_{name}'] = credit(value)


@case
def helpers_replaced(nb):
    return insert(answer(nb, 'double', WRONG), 'double', '''
import builtins, numpy.testing
import tinytorch.course.testing as testing
numpy.testing.assert_allclose = np.allclose = np.array_equal = testing.assert_close = testing.plain = lambda *a, **k: True
assert_close = assert_equal = lambda *a, **k: None
builtins.AssertionError = AssertionError = type('Nothing', (BaseException,), {})
builtins.isinstance = lambda *a: True''')


@case
def silent(nb):
    return insert(answer(nb, 'double', WRONG), 'double', '''
import os, sys
get_ipython().showtraceback = get_ipython().showsyntaxerror = lambda *a, **k: None
sys.excepthook = lambda *a: None
sys.stdout.close(); sys.__stdout__.close(); os.close(1); os.close(2)''')


@case
def searches_the_disk(nb):
    return insert(nb, 'double', '''
import os
found = [os.path.join(f, n) for f, _, names in os.walk('/') for n in names if n.endswith(('.db', '.ipynb')) or n.startswith('lab.') or 'gradebook' in n]
secret = []
for f, _, names in os.walk('/kit'):
    for n in names:
        data = open(os.path.join(f, n), 'rb').read()
        if b'HIDDEN TESTS\\n' in data or b'if n % d == 0' in data: secret.append(n)
print([f for f in found if '/site-packages/' not in f and '/usr/' not in f and 'lib/python3' not in f], secret, sorted(os.environ), os.listdir('/tmp'))''')


@case
def liar(nb):
    return answer(nb, 'double', '''#| export
class Liar:
    __array_priority__ = 1e9
    def __eq__(self, other): return True
    def __sub__(self, other): return 0
    def __array__(self, *a, **k): return np.array([2., 4.])
    def __array_function__(self, *a, **k): return True
    def __getattr__(self, name): return Liar()
def double(x): return Liar()''')


@case
def frames(nb):
    return answer(nb, 'double', '''#| export
import sys
def double(x):
    frame = sys._getframe(1)
    return frame.f_locals.get('want', frame.f_code.co_consts)''')


@case
def traceback_frames(nb):
    return answer(nb, 'double', '''#| export
def double(x):
    try: 1 / 0
    except ZeroDivisionError as e: frame = e.__traceback__.tb_frame.f_back
    return frame.f_locals.get('want')''')


@case
def garbage(nb):
    return answer(nb, 'double', '''#| export
import gc
def double(x): return [o for o in gc.get_objects() if isinstance(o, dict) and 'want' in o][0]['want']''')


@case
def raw_memory(nb):
    return answer(nb, 'double', '''#| export
def double(x):
    import ctypes
    return ctypes.string_at(id(x), 100)''')


@case
def imports_the_answer(nb):
    return answer(nb, 'double', '#| export\nfrom tinytorch.core.lab import double')


def locked(change):
    """A notebook with a wrong `double` whose author did something to the tests."""
    def make(nb):
        nb = answer(nb, 'double', WRONG)
        change(nb, cell(nb, 'test_double'))
        return nb
    return make


def _type(kind):
    def change(nb, test): nb.cells[nb.cells.index(test)] = nbformat.from_dict(dict(cell_type=kind, id='x', metadata=test.metadata, source=test.source))
    return change


CASES |= dict(
    test_edited=locked(lambda nb, test: test.update(source='assert True')), test_emptied=locked(lambda nb, test: test.update(source='')),
    test_markdown=locked(_type('markdown')), test_raw=locked(_type('raw')), test_deleted=locked(lambda nb, test: nb.cells.remove(test)),
    test_duplicated=locked(lambda nb, test: nb.cells.insert(0, copy.deepcopy(test))),
    test_moved=locked(lambda nb, test: (nb.cells.remove(test), nb.cells.append(test))),
    test_revalued=locked(lambda nb, test: test.metadata.nbgrader.update(points=0)))


# broken in good faith

@case
def answer_duplicated(nb):
    nb = copy.deepcopy(nb)
    nb.cells.append(copy.deepcopy(cell(nb, 'shift')))
    return nb


@case
def stripped(nb):
    nb = copy.deepcopy(nb)
    for i, c in enumerate(nb.cells): c.metadata, c.id = nbformat.from_dict({'colab': {}}), f'c{i}'
    return nb


@case
def endless_cell(nb): return answer(nb, 'shift', '#| export\nwhile True: pass')


@case
def endless_answer(nb): return answer(nb, 'shift', '#| export\ndef shift(x, by):\n    while True: pass')


@case
def swallows_interrupts(nb): return answer(nb, 'shift', '''#| export
def shift(x, by):
    while True:
        try:
            while True: pass
        except BaseException: pass''')


@case
def fork_bomb(nb): return answer(nb, 'shift', '''#| export
import os
def shift(x, by):
    while True: os.fork()''')


@case
def much_memory(nb): return answer(nb, 'shift', '#| export\ndef shift(x, by): return np.ones(100 << 30, np.uint8)')


@case
def much_output(nb): return answer(nb, 'shift', '#| export\nfor i in range(10**9): print("x" * 1000)')


@case
def much_html(nb): return answer(nb, 'shift', '#| export\nfrom IPython.display import HTML, display\ndisplay(HTML("x" * 20_000_000))')


@case
def much_disk(nb): return answer(nb, 'shift', '#| export\nf = open("/tmp/big", "wb")\nfor i in range(1000): f.write(bytes(1 << 20)); f.flush()')


@case
def exits(nb): return answer(nb, 'shift', '#| export\nimport os\nos._exit(1)')


@case
def exits_later(nb): return answer(nb, 'shift', '#| export\nimport os\ndef shift(x, by): os._exit(0)')


@case
def segfault(nb): return answer(nb, 'shift', '#| export\nimport os, signal\ndef shift(x, by): os.kill(os.getpid(), signal.SIGSEGV)')


@case
def sys_exit(nb): return answer(nb, 'shift', '#| export\nimport sys\nsys.exit()')


@case
def sys_exit_later(nb): return answer(nb, 'shift', '#| export\nimport sys\ndef shift(x, by): sys.exit()')


@case
def warns(nb): return answer(nb, 'shift', cell(nb, 'shift').source.replace('    if not', '    import sys, warnings\n    warnings.warn("careful")\n    print("note", file=sys.stderr)\n    if not'))


@case
def not_implemented(nb): return answer(nb, 'shift', '#| export\ndef shift(x, by): raise NotImplementedError')


@case
def not_python(nb): return answer(nb, 'shift', '#| export\ndef shift(x, by:\n    return x')


@case
def asks(nb): return answer(nb, 'shift', '#| export\ndef shift(x, by): return x + float(input("by?"))')


def text(change): return lambda nb: change(nbformat.writes(nb))


def _as_44(source):
    nb = json.loads(source)
    nb['nbformat_minor'] = 4
    for c in nb['cells']: del c['id']
    return json.dumps(nb)


def _as_3(source):
    nb = nbformat.reads(source, 4)
    return nbformat.writes(nbformat.convert(nb, 3), 3)


def _same_ids(source):
    nb = json.loads(source)
    for c in nb['cells']: c['id'] = 'same'
    return json.dumps(nb)


CASES |= dict(
    latin_1=text(lambda s: s.replace('Lab', 'Labór').encode('latin-1')), byte_order_mark=text(lambda s: b'\xef\xbb\xbf' + s.encode()),
    crlf=text(lambda s: s.replace('\n', '\r\n').replace('\\n', '\\r\\n')), format_44=text(_as_44), same_ids=text(_same_ids), format_3=text(_as_3),
    truncated=text(lambda s: s[:len(s) // 2]), empty=lambda nb: b'', pdf=lambda nb: b'%PDF-1.7\n%\xe2\xe3\xcf\xd3', other_json=lambda nb: '{"a": 1}',
    a_list=lambda nb: '[1, 2]', deep=lambda nb: '[' * 100_000)
CASES['Łukasz O’Brien, 3rd (évening) %41'] = solved_in_full


@pytest.fixture(scope='module')
def reports(lab_course):
    nb = solved(lab_course)
    for student, make in CASES.items(): hand_in(lab_course, student, make(copy.deepcopy(nb)))
    hand_in(lab_course, 'renamed', nb, 'lab (1).ipynb')
    hand_in(lab_course, 'no_notebook', 'text', 'notes.txt')
    (lab_course / 'course' / 'submitted' / 'nothing' / '02_lab').mkdir(parents=True)
    got = grade(lab_course, '02_lab', limits=LIMITS)
    return {student: r for (_, student), r in got.items()}


def flags(report): return ' '.join(report['flags'])


def test_the_batch_never_stops(reports):
    assert set(reports) == set(CASES) | {'renamed', 'no_notebook', 'nothing'}
    for student, r in reports.items():
        assert r['max_score'] == FULL and 0 <= r['score'] <= FULL, student
        assert set(scores(r)) == set(TESTS), student
        assert all(row['message'] for row in r['tests'] if row['score'] < row['points']), student
        assert len(json.dumps(r)) < 60_000, student


def test_honest_ones(reports):
    assert reports['solved_in_full']['score'] == FULL and not reports['solved_in_full']['flags'] and not reports['solved_in_full']['repairs']
    assert lost(reports['wrong_double']) == {'test_double'} and not reports['wrong_double']['flags']


@pytest.mark.parametrize('student, said', [
    ('skip_tags', "has the tag 'skip-execution'"), ('input_transformer', 'input transformer'), ('ast_transformer', 'syntax tree transformer'),
    ('cell_hook', 'pre_run_cell callback'), ('helpers_replaced', 'numpy.testing.assert_allclose was replaced'),
    ('test_edited', 'was edited'), ('test_emptied', 'was emptied'), ('test_markdown', 'markdown'), ('test_raw', 'raw'), ('test_deleted', 'was deleted'),
    ('test_duplicated', '2 times'), ('test_moved', 'moved'), ('test_revalued', '0 points')])
def test_tampering_gets_the_real_score_and_is_flagged(reports, student, said):
    assert lost(reports[student]) == {'test_double'}
    assert said in flags(reports[student])


def test_silencing_changes_nothing(reports): assert lost(reports['silent']) == {'test_double'}


@pytest.mark.parametrize('student', ['credit_nan', 'credit_inf', 'credit_negative', 'credit_above', 'credit_text'])
def test_partial_credit_is_a_number_of_points(reports, student):
    assert lost(reports[student]) == {'test_part'} and scores(reports[student])['test_part'] == 0
    assert 'test_part' in flags(reports[student])


def test_nothing_of_the_course_is_on_the_disk(reports):
    r = reports['searches_the_disk']
    shown = next(o['output'] for o in r['cells'].values() if 'OPENBLAS' in o['output'])
    assert shown.startswith("[] [] ['HOME', 'LANG'")
    assert not any(word in shown for word in ('TINYTORCH', 'PATH_INFO', 'KEY', 'TOKEN'))


@pytest.mark.parametrize('student, said', [('liar', 'Liar'), ('frames', 'sys._getframe'), ('traceback_frames', 'tb_frame'), ('garbage', 'gc.get_objects'), ('raw_memory', 'ctypes')])
def test_lying_and_looking_elsewhere(reports, student, said):
    assert 'test_double' in lost(reports[student]) and said in flags(reports[student])


def test_the_finished_library_is_not_importable(reports):
    r = reports['imports_the_answer']
    assert 'test_double' in lost(r) and 'is what this notebook builds' in r['tests'][0]['message']


@pytest.mark.parametrize('student', ['answer_duplicated', 'stripped', 'warns', 'latin_1', 'byte_order_mark', 'crlf', 'format_44', 'same_ids', 'format_3',
                                     'renamed', 'Łukasz O’Brien, 3rd (évening) %41'])
def test_harmless_oddities_lose_nothing(reports, student): assert reports[student]['score'] == FULL


@pytest.mark.parametrize('student, said', [('answer_duplicated', '2 times'), ('stripped', 'metadata'), ('latin_1', 'Latin-1'), ('byte_order_mark', 'byte order'),
                                           ('crlf', 'CR LF'), ('format_44', '4.4'), ('same_ids', 'used twice'), ('format_3', 'old format 3'), ('renamed', 'lab (1).ipynb')])
def test_repairs_are_said(reports, student, said): assert said in ' '.join(reports[student]['repairs'])


@pytest.mark.parametrize('student, said', [
    ('endless_cell', 'longer than 4 s'), ('endless_answer', 'longer than 4 s'), ('swallows_interrupts', 'longer than 4 s'), ('fork_bomb', ''), ('much_memory', 'MemoryError'),
    ('much_output', 'more than 200,000'), ('much_html', 'more than 200,000'), ('much_disk', 'OSError'), ('exits', 'exit status 1'), ('exits_later', 'exit status 0'),
    ('segfault', 'SIGSEGV'), ('sys_exit', 'SystemExit'), ('sys_exit_later', 'SystemExit'), ('not_implemented', 'NotImplementedError'), ('not_python', 'SyntaxError'),
    ('asks', 'nobody is there to answer')])
def test_one_broken_answer_costs_one_exercise(reports, student, said):
    assert lost(reports[student]) == {'test_shift'}
    assert said in reports[student]['tests'][1]['message']


@pytest.mark.parametrize('student, said', [('truncated', 'not all of one'), ('empty', 'empty'), ('pdf', 'PDF'), ('other_json', 'not a notebook'), ('a_list', 'not a notebook'),
                                           ('deep', 'not a notebook'), ('no_notebook', 'notes.txt'), ('nothing', 'No notebook')])
def test_what_is_no_notebook_gets_a_reason(reports, student, said):
    assert reports[student]['score'] == 0 and said in reports[student]['error']


def test_the_gradebook_says_the_same(reports, lab_course):
    from tinytorch.course import gradebook
    with gradebook.open_gradebook(Course(lab_course).config) as book:
        assert {r['student']: r['score'] for r in gradebook.scores(book)} == {student: r['score'] for student, r in reports.items()}
