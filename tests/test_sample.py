"""The sample class: who has how many points, by the visible tests alone."""
import pytest
from conftest import ROOT

from tinytorch.course.check import check_notebook
from tinytorch.course.notebooks import CourseError, in_tier, modules, nbgrader_config, read, read_module
from tinytorch.course.release import released
from tinytorch.course.sample import STUDENTS, fill_in, make_sample, mistaken


@pytest.mark.parametrize('answer, wrong', [
    ('return x + 1', 'return x - 1'), ('return x.mean(0)', 'return x.mean(1)'), ('if n < 3:\n    return n', 'if n <= 3:\n    return n'),
    ('return a @ b', 'return a * b'), ('return x', 'pass'), ('y = x\nreturn y / 2', 'y = x\nreturn y * 2')])
def test_a_mistake_is_one_edit(answer, wrong):
    """Or nothing at all, where there is nothing to get wrong."""
    assert mistaken(answer) == wrong


def test_the_class(course):
    """Four students for each module, in nbgrader's layout."""
    paths = make_sample(course)
    assert {p.relative_to(course / 'course/submitted').parts for p in paths} == {
        (s, a, f'{a[3:]}.ipynb') for s in STUDENTS for a in ('01_first', '02_second')}
    with pytest.raises(CourseError, match='is not a notebook'): read(course / 'course/submitted/damaged-file/01_first/first.ipynb')
    text = ''.join(p.read_text() for p in paths)
    assert 'BEGIN' not in text and 'assert_equal(twice(-70)' not in text


@pytest.mark.parametrize('module', modules(ROOT), ids=lambda m: m.assignment)
def test_points(module):
    """Every answer gives full marks, none gives none, half of them something between."""
    source = in_tier(read_module(module, ROOT), nbgrader_config(ROOT))
    given = released(source, nbgrader_config(ROOT))
    score = {name: check_notebook(fill_in(given, source, STUDENTS[name]), given, module.path.parent) for name in ('every-answer', 'no-answer', 'half-way')}
    assert score['every-answer'].score == score['every-answer'].maximum
    assert score['no-answer'].score == 0
    if len(score['half-way'].rows) > 3: assert 0 < score['half-way'].score < score['half-way'].maximum
