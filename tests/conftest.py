"""How many tests run at once, and which are left out where a peer's package is not installed.

The extra ``peers`` has wheels for some versions of Python only; continuous integration runs the
files that need them where it has.
"""

import importlib.util
import os
import re

import pytest

PEERS = ("cocoex", "cocopp", "ioh", "iohinspector")
MISSING = [name for name in PEERS if importlib.util.find_spec(name) is None]
NEEDS = re.compile(rf"(?:import|from|importorskip\(\")\s*(?:{'|'.join(MISSING)})\b")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers():
    """One more than there are cores: many tests wait for processes and browsers."""
    return (os.cpu_count() or 1) + 1


def pytest_ignore_collect(collection_path):
    """Leave out a file, or a folder by its conftest.py, that imports what is not installed."""
    folder = collection_path / "conftest.py"
    file = folder if folder.is_file() else collection_path
    if MISSING and file.suffix == ".py" and NEEDS.search(file.read_text(encoding="utf-8")):
        return True
    return None


def pytest_report_header():
    """Say so."""
    return f"left out: files that need {', '.join(MISSING)}" if MISSING else None
