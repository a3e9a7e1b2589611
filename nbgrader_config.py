"""nbgrader's configuration: it reads nbs/ itself and keeps everything else under course/."""
import os
import sys
from pathlib import Path

from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbgrader.apps.api import NbGraderAPI
from nbgrader.preprocessors import (CheckCellMetadata, ClearHiddenTests, ClearMarkScheme, ClearOutput, ClearSolutions, ComputeChecksums, GetGrades,
                                    LockCells, SaveCells)

from tinytorch.course.feedback import HideTests
from tinytorch.course.preprocessors import NormalTier, RefuseAutograde, module_assignments

c = get_config()  # noqa: F821, given by traitlets
root = Path(__file__).resolve().parent

# 'challenge' makes the cells that are marked so exercises, too
tier = 'normal'

c.CourseDirectory.root = str(root)
c.CourseDirectory.course_id = 'tinytorch'
c.CourseDirectory.source_directory = 'nbs'
for step in ('release', 'submitted', 'autograded', 'feedback', 'solution', 'source_with_tests'):
    c.CourseDirectory[f'{step}_directory'] = f'course/{step}'

os.environ['PATH'] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"  # nbgrader calls alembic by its name

# any SQLAlchemy URL; a server's belongs into the environment, since it has a password in it
(root / 'course').mkdir(exist_ok=True)
c.CourseDirectory.db_url = os.environ.get('TINYTORCH_GRADEBOOK', f'sqlite:///{root}/course/gradebook.db')

c.NormalTier.enabled = tier == 'normal'
c.ClearSolutions.code_stub = {'python': "# YOUR CODE HERE\nraise NotImplementedError('Not solved yet, or solved but not exported.')"}
c.GenerateAssignment.preprocessors = [NormalTier, LockCells, ClearSolutions, ClearOutput, CheckCellMetadata, ComputeChecksums, SaveCells,
                                      ClearHiddenTests, ClearMarkScheme, ComputeChecksums, CheckCellMetadata]

c.Autograde.NotebookExporter.preprocessors = [RefuseAutograde]
c.GenerateFeedback.preprocessors = [GetGrades, HideTests, CSSHTMLHeaderPreprocessor]
NbGraderAPI.get_source_assignments = module_assignments
