"""A class: going on after a kill, marks given by hand, nbgrader's own tools on the same gradebook, students' own modules."""
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup
from conftest import run
from lab import FULL, LIMITS, answer, cell, hand_in, lab_course, lost, scores, solved  # noqa: F401

from tinytorch.course import gradebook
from tinytorch.course.grade import Course, grade, read_report, report_path
from tinytorch.course.sandbox import probe

pytestmark = pytest.mark.skipif(bool(probe()), reason=f'no sandbox: {probe()}')
WRONG = '#| export\ndef shift(x, by): return np.asarray(x) - by'


@pytest.fixture
def course(lab_course, tmp_path):
    """A course of its own without submissions."""
    return shutil.copytree(lab_course, tmp_path / 'course', ignore=lambda folder, names: ['course'] if Path(folder) == lab_course else [])


def table(root):
    with gradebook.open_gradebook(Course(root).config) as book:
        return {(s.student.id, g.name): (g.auto_score, g.manual_score, g.needs_manual_grade)
                for a in book.assignments for s in a.submissions for n in s.notebooks for g in n.grades}


def command(root, *args): return [sys.executable, str(Path(sys.executable).with_name('tinytorch')), *args]


def test_a_grader_that_is_killed_goes_on_where_it_was(course):
    nb = solved(course)
    for i in range(12): hand_in(course, f's{i:02}', answer(nb, 'shift', WRONG + f'  # {i}') if i % 3 else answer(nb, 'double', cell(nb, 'double').source + f'  # {i}'))
    env = os.environ | {'PYTHONPATH': str(course)}
    for kills in range(3):
        process = subprocess.Popen(command(course, 'grade', '2', '--jobs', '2'), cwd=course, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
        wanted, end = 3 * kills + 2, time.time() + 60
        while len(list((course / 'course' / 'reports').rglob('*.json'))) < wanted and time.time() < end: time.sleep(.005)
        process.send_signal(signal.SIGKILL)
        process.wait()
    done = {p: p.stat().st_mtime_ns for p in (course / 'course' / 'reports').rglob('*.json')}
    assert 0 < len(done) <= 12
    run(course, 'tinytorch', 'grade', '2')
    assert all(p.stat().st_mtime_ns == t for p, t in done.items()), 'a report that was there was made again'
    killed = table(course)
    shutil.rmtree(course / 'course' / 'reports')
    (course / 'course' / 'gradebook.db').unlink()
    run(course, 'tinytorch', 'grade', '2')
    assert killed == table(course) and len(killed) == 12 * 6
    assert not subprocess.run(['pgrep', '-f', str(course)], capture_output=True, text=True).stdout, 'processes were left'


def test_marks_given_by_hand_stay(course):
    nb = solved(course)
    cell(nb, 'reflection_lab').source = 'Because of distributivity.'
    hand_in(course, 'ada', nb)
    grade(course, '2', limits=LIMITS)
    assert table(course)['ada', 'reflection_lab'] == (None, None, True)
    with gradebook.open_gradebook(Course(course).config) as book:
        reflection, test = (book.find_grade(n, 'lab', '02_lab', 'ada') for n in ('reflection_lab', 'test_shift'))
        reflection.manual_score, reflection.needs_manual_grade, test.manual_score, test.extra_credit = 2.5, False, 1., .5
        book.find_comment('shift', 'lab', '02_lab', 'ada').manual_comment = 'Nice.'
        book.db.commit()
    grade(course, '2', limits=LIMITS)
    assert table(course)['ada', 'reflection_lab'] == (None, 2.5, False)
    hand_in(course, 'ada', answer(nb, 'shift', WRONG))
    grade(course, '2', limits=LIMITS)
    assert table(course)['ada', 'test_shift'] == (0., 1., True), 'the score given by hand stays, and is to be looked at'
    assert table(course)['ada', 'reflection_lab'] == (None, 2.5, True)
    with gradebook.open_gradebook(Course(course).config) as book:
        comment = book.find_comment('shift', 'lab', '02_lab', 'ada')
        assert comment.comment == 'Nice.' and 'shift([1, 2], 1)' in comment.auto_comment


def test_an_unanswered_reflection_needs_nobody(course):
    nb = solved(course)
    nb.cells.remove(cell(nb, 'reflection_lab'))
    hand_in(course, 'bob', nb)
    grade(course, '2', limits=LIMITS)
    assert table(course)['bob', 'reflection_lab'] == (0., None, False)


def test_feedback_says_why_and_shows_nothing_hidden(course):
    hidden = '#| export\ndef shift(x, by):\n    return np.asarray(x) + abs(by)'
    nb = solved(course)
    hand_in(course, 'seen', answer(nb, 'shift', WRONG))
    hand_in(course, 'unseen', answer(nb, 'shift', hidden))
    grade(course, '2', limits=LIMITS)
    pages = {s: (course / 'course' / 'feedback' / s / '02_lab' / 'lab.html').read_text() for s in ('seen', 'unseen')}
    assert 'shift([1, 2], 1) is [2, 3]' in pages['seen'] and 'got:      [0., 1.]' in pages['seen']
    assert 'A hidden case fails' in pages['unseen'] and '7.5' not in pages['unseen'] and '-2.5' not in pages['unseen']
    book = (course / 'course' / 'autograded' / 'unseen' / '02_lab' / 'lab.ipynb').read_text()
    shown = nbformat.reads(book, 4)
    assert 'return np.asarray(x) + abs(by)' in cell(shown, 'shift').source and 'A hidden case fails' in str(cell(shown, 'test_shift').outputs)
    run(course, 'nbgrader', 'generate_feedback', '02_lab', '--force')
    for s in pages:
        page = BeautifulSoup((course / 'course' / 'feedback' / s / '02_lab' / 'lab.html').read_text(), 'html.parser').body.get_text()
        assert '7.5' not in page and 'BEGIN HIDDEN' not in page and 'default_rng' not in page
        assert 'shift([1., 2.], 1)' in page and '# hidden cases' in page
        assert ('A hidden case fails' in page) == (s == 'unseen')


def test_formgrader_reads_it(course):
    from nbgrader.apps.api import NbGraderAPI
    nb = solved(course)
    hand_in(course, 'ada', nb)
    hand_in(course, 'bob', answer(nb, 'shift', WRONG))
    grade(course, '2', limits=LIMITS)
    api = NbGraderAPI(config=Course(course).config)
    assert {(s['student'], s['score'], s['autograded']) for s in api.get_submissions('02_lab')} == {('ada', FULL, True), ('bob', FULL - 2, True)}
    notebooks = api.get_notebook_submissions('02_lab', 'lab')
    assert {(n['student'], n['needs_manual_grade'], n['failed_tests']) for n in notebooks} == {('ada', True, False), ('bob', True, True)}


def test_own_earlier_modules(course):
    nb = solved(course)
    hand_in(course, 'ada', nb)
    hand_in(course, 'bob', nb)
    source = Course(course).source(Course(course).modules[0])
    for c in source.cells: c.source = c.source.replace('return 2 * x', 'return 2 * x  # mine')
    hand_in(course, 'ada', source, 'first.ipynb', '01_first')
    for c in source.cells: c.source = c.source.replace('return 2 * x', 'import broken_thing')
    hand_in(course, 'cyd', source, 'first.ipynb', '01_first')
    hand_in(course, 'cyd', answer(nb, 'double', '#| export\ndef double(x): return twice(np.asarray(x))'))
    reports = grade(course, '2', limits=LIMITS, own=True)
    assert reports['02_lab', 'ada']['score'] == FULL and not reports['02_lab', 'ada']['repairs']
    assert 'not handed in' in ' '.join(reports['02_lab', 'bob']['repairs']) and reports['02_lab', 'bob']['score'] == FULL
    assert 'test_double' in lost(reports['02_lab', 'cyd'])
    assert grade(course, '2', ['cyd'], limits=LIMITS)['02_lab', 'cyd']['score'] == FULL


def test_refuses_without_a_sandbox(course, monkeypatch):
    hand_in(course, 'ada', solved(course))
    monkeypatch.setenv('PATH', str(Path(sys.executable).parent))
    with pytest.raises(Exception, match='bwrap.*--unsafe'): grade(course, '2', limits=LIMITS)
    assert not (course / 'course' / 'reports').exists()
    assert grade(course, '2', limits=LIMITS, unsafe=True)['02_lab', 'ada']['score'] == FULL
