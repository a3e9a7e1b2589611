"""nbgrader on the course as nbgrader_config.py sets it up."""
import subprocess
import sys

import pytest
from conftest import run

API = """
import json
from nbgrader.apps import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from traitlets.config.loader import PyFileConfigLoader
config = PyFileConfigLoader('nbgrader_config.py').load_config()
api = NbGraderAPI(CourseDirectory(config=config), config=config)
"""


def ask(course, code):
    """What formgrader's API in the course prints."""
    return subprocess.run([sys.executable, '-c', API + code], cwd=course, capture_output=True, text=True, check=True,
                          env={'PYTHONPATH': str(course), 'PATH': '/usr/bin:/bin'}).stdout.strip()


@pytest.fixture
def submitted(course):
    """A course whose assignment 01_first is in the gradebook, with one submission that was graded before."""
    run(course, 'nbgrader', 'generate_assignment', '01_first')
    for step in ('submitted', 'autograded'):
        folder = course / 'course' / step / 'jane' / '01_first'
        folder.mkdir(parents=True)
        (folder / 'first.ipynb').write_bytes((course / 'course/release/01_first/first.ipynb').read_bytes())
    return course


def test_only_modules_are_assignments(course):
    """Not api, course or milestones."""
    assert ask(course, "print(sorted(api.get_source_assignments()))") == "['01_first', '02_second']"


def test_autograde_refuses_with_one_sentence(submitted):
    """The command and formgrader's button, and what was graded before stays where it is."""
    said = run(submitted, 'nbgrader', 'autograde', '01_first', '--force', status=1)
    assert 'run `tinytorch grade`' in said and 'Traceback' not in said
    result = ask(submitted, "print(json.dumps(api.autograde('01_first', 'jane')))")
    assert '"success": false' in result and 'run `tinytorch grade`' in result
    assert (submitted / 'course/autograded/jane/01_first/first.ipynb').exists()


def test_everything_but_the_source_is_under_course(submitted):
    """One folder, which git does not track."""
    assert (submitted / 'course/gradebook.db').is_file() and not (submitted / 'gradebook.db').exists()
    assert (submitted / 'course/release/01_first/first.ipynb').is_file()
