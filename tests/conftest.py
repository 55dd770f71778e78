"""How many tests run at once, which ones are slow, and which cannot run here.

The default tier is all that is not slow. The extra ``peers``, packages that firsthit is compared
with, has wheels for some versions of Python only; continuous integration runs the tests that need
them where it has.
"""

import importlib
import importlib.util
import os
import re
from functools import cache
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "firsthit",
    deadline=None,
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("firsthit")
PEERS = ("cocoex", "cocopp", "ioh", "iohinspector")
MISSING = [name for name in PEERS if importlib.util.find_spec(name) is None]
IMPORT = re.compile(rf"(?:import|from|importorskip\(\")\s*(?:{'|'.join(PEERS)})\b")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config):
    """One for each core; half as many more of the slow ones, as many wait for processes."""
    cores = os.cpu_count() or 1
    return cores + (cores + 1) // 2 * (config.getoption("markexpr") == "slow")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Each worker begins with a stretch of files, so that what a file prepares is prepared once."""
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log) if config.getoption("dist") == "load" else None


@pytest.fixture(scope="session")
def peers():
    """The packages of the peers that write data."""
    return SimpleNamespace(**{name: importlib.import_module(name) for name in ("cocoex", "ioh")})


@cache
def imports_a_peer(path):
    return path.suffix == ".py" and bool(IMPORT.search(path.read_text(encoding="utf-8")))


def pytest_itemcollected(item):
    """What meets a peer or drives a browser is slow."""
    if imports_a_peer(item.path) or {"peers", "browser"} & set(item.fixturenames):
        item.add_marker(pytest.mark.slow)


def pytest_ignore_collect(collection_path):
    """Leave out the files that import what is not installed."""
    return True if MISSING and imports_a_peer(collection_path) else None


def pytest_collection_modifyitems(config, items):
    """Leave out the tests whose data are made by what is not installed."""
    left_out = [item for item in items if MISSING and "peers" in item.fixturenames]
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=left_out)


def pytest_report_header():
    """Say so."""
    return f"left out: tests that need {', '.join(MISSING)}" if MISSING else None


@pytest.fixture
def cli(capsys, monkeypatch, tmp_path):
    """Runs the command line in this process, in an empty folder: (exit code, stdout, stderr)."""
    from firsthit.cli import main

    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        monkeypatch.setattr("sys.argv", ["firsthit", *map(str, arguments)])
        code = 0
        try:
            main()
        except SystemExit as end:
            code = end.code or 0
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run
