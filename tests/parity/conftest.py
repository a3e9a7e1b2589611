"""Parity with PyTorch runs by `make parity`, in a virtual environment of its own that has torch; `make test` leaves it out."""
import importlib.util

collect_ignore_glob = [] if importlib.util.find_spec('torch') else ['test_*.py']
COUNTS = {}


def pytest_terminal_summary(terminalreporter):
    """Say how much was compared."""
    if COUNTS: terminalreporter.write_line(f'{len(COUNTS)} operations, modules, losses, optimizers and schedulers; {sum(COUNTS.values()):,} cases compared with PyTorch')
