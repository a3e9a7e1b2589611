"""How fast a class is graded: `tinytorch grade` against `nbgrader autograde`, one process each, on the same cells of the same submissions.

    python bench/grading.py [MODULE] [--ours 200] [--theirs 20] [--memory 0]

Both run on one core (`taskset`). Demonstrations are left out of both. The submissions are the solved notebook with one exercise taken back or broken, another for
each student. Scores must agree, but for the points that `tinytorch grade` gives to exercises that build on a failed one. With `--memory N`, N submissions are
graded and the memory of coordinator, worker and sandbox after each tenth of them is printed.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nbformat
import psutil

from tinytorch.course import gradebook
from tinytorch.course.audit import mutants
from tinytorch.course.examine import Worker, expect
from tinytorch.course.grade import Course, grade
from tinytorch.course.notebooks import find_module, is_solution, needed_cells
from tinytorch.course.release import released
from tinytorch.course.sandbox import Sandbox

ROOT = Path(__file__).resolve().parent.parent


def classroom(course, module, n):
    """(released notebook without demonstrations, source notebook without them, n submissions as JSON)."""
    source = course.source(module)
    given = released(source, course.config)
    needed = {i for i, _ in needed_cells(source)}
    keep = [i for i, c in enumerate(source.cells) if i in needed or c.cell_type != 'code' or 'default_exp' in c.source]
    source.cells, given.cells = [source.cells[i] for i in keep], [given.cells[i] for i in keep]
    answers = [i for i, c in enumerate(source.cells) if is_solution(c) and c.cell_type == 'code']
    broken = [[given.cells[i].source, *(m.source for m in mutants('x', source.cells[i].source) if m.line.startswith('return'))] for i in answers]
    out = []
    for k in range(n):
        nb = nbformat.from_dict(given)
        for i in answers: nb.cells[i].source = '\n'.join(line for line in source.cells[i].source.splitlines() if 'SOLUTION' not in line)
        if k: nb.cells[answers[k % len(answers)]].source = (b := broken[k % len(answers)])[k // len(answers) % len(b)]
        out.append(nbformat.writes(nb) + '\n' * (k % 7))
    return given, source, out


def hand_in(folder, module, papers):
    for k, paper in enumerate(papers):
        path = folder / 'submitted' / f's{k:04}' / module.assignment / f'{module.name}.ipynb'
        path.parent.mkdir(parents=True)
        path.write_text(paper)


def ours(root, module, papers):
    """(seconds, {student: score without what a replaced exercise saved})."""
    hand_in(root / 'course', module, papers)
    start = time.perf_counter()
    reports = grade(root, module.assignment, jobs=1)
    seconds = time.perf_counter() - start
    return seconds, {s: sum(t['score'] for t in r['tests'] if not t['message'].startswith('Passed with')) for (_, s), r in reports.items()}


def theirs(folder, module, source, papers):
    """The same of nbgrader, in a course of its own."""
    (folder / 'source' / module.assignment).mkdir(parents=True)
    nbformat.write(source, folder / 'source' / module.assignment / f'{module.name}.ipynb')
    (folder / 'nbgrader_config.py').write_text("c = get_config()\nc.ExecutePreprocessor.timeout = 60\nc.Execute.timeout = 60\n")
    hand_in(folder, module, papers)
    env = os.environ | {'PATH': f'{Path(sys.executable).parent}{os.pathsep}{os.environ["PATH"]}', 'PYTHONPATH': str(ROOT)}
    nbgrader = [sys.executable, '-m', 'nbgrader']
    subprocess.run([*nbgrader, 'generate_assignment', module.assignment], cwd=folder, env=env, check=True, capture_output=True)
    start = time.perf_counter()
    subprocess.run([*nbgrader, 'autograde', module.assignment], cwd=folder, env=env, check=True, capture_output=True)
    seconds = time.perf_counter() - start
    book = gradebook.Gradebook(f'sqlite:///{folder}/gradebook.db')
    return seconds, {s.student.id: s.code_score for s in book.assignment_submissions(module.assignment)}


def memory(course, module, papers):
    """Print the memory (proportional set size, MB) of this process and of the sandbox's parent after each tenth of the papers."""
    exam = course.exam(module)
    sandbox = course.sandbox(exam)
    with Sandbox(**sandbox) as box: exam = expect(box, exam)
    worker, me = Worker(exam, sandbox), psutil.Process()
    for k, paper in enumerate(papers, 1):
        worker(paper.encode(), (), ())
        if k % max(len(papers) // 10, 1) == 0:
            sizes = [p.memory_full_info().pss / 1e6 for p in (me, *me.children(recursive=True))]
            print(f'after {k:5}: worker {sizes[0]:.0f} MB, sandbox {sum(sizes[1:]):.0f} MB', flush=True)
    worker.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('module', nargs='?', default='12')
    parser.add_argument('--ours', type=int, default=200)
    parser.add_argument('--theirs', type=int, default=20)
    parser.add_argument('--memory', type=int, default=0)
    args = parser.parse_args()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / 'course'
        root.mkdir()
        for name in ('settings.ini', 'nbgrader_config.py'): shutil.copy(ROOT / name, root)
        for name in ('nbs', 'tinytorch'): shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns('__pycache__', '.ipynb_checkpoints'))
        course = Course(root)
        module = find_module(root, args.module)
        given, source, papers = classroom(course, module, max(args.ours, args.theirs, args.memory))
        if args.memory: return memory(course, module, papers[:args.memory])
        our_time, our_scores = ours(root, module, papers[:args.ours])
        their_time, their_scores = theirs(Path(folder) / 'nbgrader', module, source, papers[:args.theirs])
    different = {s: (our_scores[s], their_scores[s]) for s in their_scores if s in our_scores and our_scores[s] != their_scores[s]}
    print(f'{module.assignment}: {len(our_scores)} submissions in {our_time:.1f} s, {our_time / len(our_scores):.3f} s each, start included; '
          f'nbgrader: {len(their_scores)} in {their_time:.1f} s, {their_time / len(their_scores):.2f} s each')
    print(f'ratio {their_time / len(their_scores) * len(our_scores) / our_time:.1f}; scores differ: {different or "none"}')


if __name__ == '__main__': main()
