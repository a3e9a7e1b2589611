"""A cheating student's attempts: each tries to raise a score, to read what is hidden, or to harm the grader or the submissions after it."""
import copy

import nbformat
import pytest
from lab import FULL, LIMITS, answer, hand_in, insert, lab_course, lost, solved  # noqa: F401

from tinytorch.course.grade import grade
from tinytorch.course.sandbox import probe

pytestmark = pytest.mark.skipif(bool(probe()), reason=f'no sandbox: {probe()}')

# Each attack's code runs before the first exercise, whose answer is wrong and calls `cheat()`; `double` must not get its points.
ATTACKS = {
    'kills_everything': '''
import os, signal
def cheat():
    for pid in (1, os.getppid(), -1):
        try: os.kill(pid, signal.SIGKILL)
        except OSError: pass''',
    'reads_the_parents_memory': '''
def cheat():
    for name in ('mem', 'environ', 'maps', 'fd/3'):
        try: open('/proc/1/' + name, 'rb').read(10)
        except OSError: continue
        raise SystemError('read /proc/1/' + name)''',
    'leaves_processes_and_files': '''
import os, time
def cheat():
    if not os.fork():
        os.setsid()
        if not os.fork():
            while True:
                try: open('/tmp/answer.py', 'w').write('x')
                except OSError: pass
                time.sleep(.01)
        os._exit(0)
    path = '/tmp'
    for i in range(300):
        path += '/d'
        os.mkdir(path)
    os.makedirs('/tmp/closed/inner'); open('/tmp/closed/inner/f', 'w').close(); os.chmod('/tmp/closed', 0)
    os.symlink('/usr', '/tmp/link')''',
    'writes_to_every_file': '''
import os
def cheat():
    for fd in range(3, 64):
        for text in (b'\\0\\0\\0\\2{}', b'garbage' * 1000):
            try: os.write(fd, text)
            except OSError: pass''',
    'closes_every_file': '''
import os
def cheat(): os.closerange(0, 256)''',
    'hook_after_fork': '''
import os, posix
stolen = []
for m in (os, posix): m.register_at_fork(after_in_child=lambda: stolen.append(open('/proc/self/fd/3').read()))
def cheat(): return stolen[0]''',
    'signal_handler': '''
import signal
seen = []
signal.signal(signal.SIGALRM, lambda number, frame: seen.append(frame))
signal.setitimer(signal.ITIMER_REAL, .001, .001)
def cheat():
    import time
    end = time.time() + .1
    while time.time() < end: pass
    f = seen[-1]
    while 'want' not in f.f_locals: f = f.f_back
    return f.f_locals['want']''',
    'own_audit_hook': '''
import sys, collections
frames = []
sys.addaudithook(lambda event, args: frames.append(args[0]) if event == 'sys._getframe' else None)
def cheat():
    collections.namedtuple('T', 'a')
    return frames[-1].f_back.f_locals['want']''',
    'trace_function': '''
import sys, threading
frames = []
sys.settrace(lambda frame, event, arg: frames.append(frame))
def cheat(): return frames[-1].f_locals['want']''',
    'generator_frame': '''
def cheat():
    def g(): yield g.me.gi_frame.f_back
    g.me = g()
    return next(g.me).f_locals['want']''',
    'shell_scope': '''
def cheat(): return get_ipython().get_local_scope(2)['want']''',
    'inspect_stack': '''
import inspect
def cheat(): return inspect.stack()[1].frame.f_locals['want']''',
    'logging_frame': '''
import logging
def cheat(): return logging.currentframe().f_back.f_locals['want']''',
    'library_name_for_own_code': '''
import enum, sys
exec(compile("def frame(): return sys._getframe(2)", enum.__file__, "exec"), {**vars(enum), "sys": sys}, ns := {})
def cheat(): return ns["frame"]().f_locals["want"]''',
    'graders_code': '''
import sys
for m in list(sys.modules.values()):
    d = getattr(m, '__dict__', {})
    for name in ('ask', 'asker', 'judge', '_test', 'receive', 'send', 'encode'):
        if callable(d.get(name)) and 'tinytorch' in str(m): d[name] = lambda *a, **k: None
found = [c for c in object.__subclasses__() if c.__module__ == 'inside']
assert not found, found
def reach(thing, depth=0, seen=set()):
    g = getattr(thing, '__globals__', None)
    return g is not None and 'asker' in g
import os, signal, gc, builtins
handles = [os.register_at_fork, signal.signal, gc.set_debug, input, sys.meta_path[0].find_spec, type(sys.stdout).write, get_ipython().compile.get_code_name]
assert not any(map(reach, handles)), 'reached the inside'
reached = False
def cheat(): return sys.modules.get('inside') or sys.modules['__main__'].serve''',
    'patched_plumbing': '''
import json, struct, marshal, socket, os, base64, _socket, builtins, threading
heard = []
def spy(f):
    def g(*a, **k):
        heard.append((a, r := f(*a, **k)))
        return r
    return g
for m, names in ((json, ['loads', 'dumps']), (struct, ['pack', 'unpack']), (marshal, ['loads']), (os, ['fork', '_exit', 'setpgid']), (socket, ['recv_fds', 'socket']), (builtins, ['dict', 'len'])):
    for n in names: setattr(m, n, spy(getattr(m, n)))
json._default_decoder.decode = spy(json._default_decoder.decode)
spies = spy(exec), spy(compile)
def again():
    while True: builtins.exec, builtins.compile = spies
threading.Thread(target=again, daemon=True).start()
def cheat():
    for h in heard:
        if 'ask__' in str(h)[:10_000]: raise SystemError('heard the test')''',
    'changed_functions': '''
import tinytorch.course.testing as t, numpy.testing
t.plain.__code__ = (lambda value: [2., 4.]).__code__
t.to_json.__code__ = (lambda value: [2., 4.]).__code__
def cheat(): pass''',
    'patched_while_running': '''
import tinytorch.course.testing as t
def cheat(): t.plain = t.to_json = lambda *a, **k: {'array': ['<f8', [2], 'AAAAAAAAAAAAAAAAAAAAAA==']}''',
    'lying_array': '''
class A(np.ndarray):
    def __eq__(self, o): return True
    def __array_ufunc__(self, *a, **k): return True
    tobytes = lambda self, *a: b'x' * 16
def cheat(): return np.zeros(2).view(A)''',
    'lying_class': '''
class T:
    __class__ = np.ndarray
    dtype = np.dtype(float); shape = (2,)
    def __getattr__(self, n): return lambda *a, **k: True
def cheat(): return T()''',
    'json_bomb': '''
def cheat():
    a = []
    for _ in range(100_000): a = [a]
    return a''',
    'endless_list': '''
def cheat():
    a = []
    a.append(a)
    return a''',
    'great_value': '''
def cheat(): return np.zeros(40_000_000)''',
    'great_text': '''
def cheat(): raise ValueError('x' * 50_000_000)''',
    'text_that_never_comes': '''
class E(Exception):
    def __str__(self):
        while True: pass
def cheat(): raise E()''',
    'object_dtype': '''
def cheat(): return np.array([2., 4.], dtype=object)''',
    'nested_namespaces': '''
import subprocess
def cheat(): subprocess.run(['unshare', '-Ur', 'mount', '-t', 'tmpfs', 'none', '/usr'], check=False)''',
    'network': '''
import socket
def cheat():
    for address in (('1.1.1.1', 53), ('10.0.0.1', 80)):
        try: socket.create_connection(address, .2)
        except OSError: continue
        raise SystemError('the network is open')''',
    'reads_the_lower_solutions': '''
import glob, inspect, tinytorch.core.first as lower
sources = [f for f in glob.glob('/kit/**/*.py', recursive=True) if '/core/' in f and '__init__' not in f]
assert not sources, sources
try: print(inspect.getsource(lower.twice))
except OSError: pass
def cheat(): pass''',
    'exhausts_shared_memory': '''
def cheat():
    with open('/dev/shm/x', 'wb') as f:
        for i in range(100): f.write(bytes(1 << 20))''',
    'floods_with_threads': '''
import threading, time
def cheat():
    while True: threading.Thread(target=time.sleep, args=(30,), daemon=True).start()''',
    'never_says_goodbye': '''
import os
def cheat():
    for _ in range(10): os.fork()''',
}


@pytest.fixture(scope='module')
def reports(lab_course):
    nb = solved(lab_course)
    wrong = answer(nb, 'double', '#| export\ndef double(x):\n    got = cheat()\n    return got if got is not None else np.asarray(x) * 3')
    for i, (name, source) in enumerate(ATTACKS.items()):
        hand_in(lab_course, f'{i:02}_{name}', insert(copy.deepcopy(wrong), 'double', source))
        hand_in(lab_course, f'{i:02}_{name}_then', nb)
    got = grade(lab_course, '02_lab', limits=LIMITS, jobs=1)
    return {student[3:]: r for (_, student), r in got.items() if student[:2].isdigit()}


@pytest.mark.parametrize('name', ATTACKS)
def test_no_point_is_won(reports, name):
    r = reports[name]
    assert 'test_double' in lost(r), r['tests'][0]
    assert lost(r) <= {'test_double', 'test_line'}, [(t['test'], t['message']) for t in r['tests']]
    wrong = [c['message'] for c in r['cells'].values() if c['error'] in ('AssertionError', 'SystemError')] + [t['detail'] for t in r['tests'] if 'SystemError' in t['detail']]
    assert not wrong, wrong


@pytest.mark.parametrize('name', ATTACKS)
def test_the_next_student_notices_nothing(reports, name):
    then = reports[f'{name}_then']
    assert then['score'] == FULL and not then['flags'] and not then['error']


@pytest.mark.parametrize('name', ['own_audit_hook', 'trace_function', 'generator_frame', 'shell_scope', 'inspect_stack', 'logging_frame', 'library_name_for_own_code', 'changed_functions'])
def test_doors_are_named(reports, name): assert 'is not open to answers' in ' '.join(reports[name]['flags'])


SPY = """
import os
def log(*args):
    with open('/tmp/log', 'a') as f: f.write(repr(args))
    os.environ['LOG'] = os.environ.get('LOG', '') + repr(args)
def told(): return (open('/tmp/log').read() if os.path.exists('/tmp/log') else '') + os.environ.get('LOG', '')"""
SPIES = {
    'by_message': "log(x, by)\n    if 'number' in str(by) or np.ndim(x) > 1 or not isinstance(by, (int, float)): raise ValueError('number ' + told())\n    return np.asarray(x) + by + (np.ndim(x) > 1)",
    'by_class_name': "log(x, by)\n    return np.asarray(x) + by if np.ndim(x) == 1 else type('T' + told(), (), {})()",
    'by_door': "log(x, by)\n    import sys\n    return np.asarray(x) + by if np.ndim(x) == 1 else sys._getframe(1)",
    'by_output': "log(x, by)\n    print(told())\n    return np.asarray(x) - by",
    'by_exit_status': "log(x, by)\n    import os\n    if np.ndim(x) > 1: os._exit(75)\n    return np.asarray(x) + by",
    'by_warning': "import warnings\n    log(x, by)\n    warnings.warn(told())\n    return np.asarray(x) + by + (np.ndim(x) > 1)"}


def test_hidden_inputs_do_not_reach_the_feedback(lab_course):
    nb = solved(lab_course)
    for name, body in SPIES.items():
        spy = insert(answer(nb, 'shift', f'#| export\ndef shift(x, by):\n    {body}'), 'double', SPY)
        spy = answer(spy, 'line', '#| export\ndef line(x, a):\n    raise ValueError(told())')
        spy = answer(spy, 'part', '#| export\ndef part(n):\n    return type("V", (), {"__eq__": lambda a, b: told()})()')
        hand_in(lab_course, f'spy_{name}', spy)
    got = grade(lab_course, '02_lab', [f'spy_{n}' for n in SPIES], limits=LIMITS)
    for (_, student), r in got.items():
        page = (lab_course / 'course' / 'feedback' / student / '02_lab' / 'lab.html').read_text()
        book = (lab_course / 'course' / 'autograded' / student / '02_lab' / 'lab.ipynb').read_text()
        outputs = str([c.outputs for c in nbformat.reads(book, 4).cells if c.cell_type == 'code'])
        for text in (page, outputs): assert '7.5' not in text and "'a'" not in text, (student, text)
        assert {'test_shift', 'test_line', 'test_part'} <= lost(r)
