"""Settings of pytest: the number of worker processes, the slow tests, and the tests to leave out.

By default, slow tests are not run. The extra ``peers`` installs packages that firsthit is compared
with. It has wheels for some versions of Python only, and tests that need a missing package are
left out.
"""

import importlib
import importlib.util
import os
import re
from functools import cache
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, settings

from .command_line import COMMAND

settings.register_profile(
    "firsthit",
    deadline=None,
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("firsthit")
PEERS = ("cocoex", "cocopp", "ioh", "iohinspector")
MISSING = [name for name in PEERS if importlib.util.find_spec(name) is None]
IMPORT = re.compile(rf"(?:import|from|(?:importorskip|find_spec)\(\")\s*(?:{'|'.join(PEERS)})\b")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config):
    """Return the number of cores; half as many more for slow tests, which wait for processes."""
    cores = os.cpu_count() or 1
    return cores + (cores + 1) // 2 * (config.getoption("markexpr") == "slow")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Give each worker consecutive files, so that the data of a file are prepared once."""
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log) if config.getoption("dist") == "load" else None


@pytest.fixture(scope="session")
def peers():
    """Import the packages of peers that write data, cocoex and ioh."""
    return SimpleNamespace(**{name: importlib.import_module(name) for name in ("cocoex", "ioh")})


@cache
def imports_a_peer(path):
    """Return whether a Python file imports a package of a peer."""
    return path.suffix == ".py" and bool(IMPORT.search(path.read_text(encoding="utf-8")))


def pytest_itemcollected(item):
    """Mark tests as slow that need a peer or a browser."""
    if imports_a_peer(item.path) or {"peers", "browser"} & set(item.fixturenames):
        item.add_marker(pytest.mark.slow)


def pytest_ignore_collect(collection_path):
    """Leave out files that import a peer, if one is not installed."""
    return True if MISSING and imports_a_peer(collection_path) else None


def pytest_collection_modifyitems(config, items):
    """Leave out tests that use the fixture ``peers``, if a peer is not installed."""
    left_out = [item for item in items if MISSING and "peers" in item.fixturenames]
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=left_out)


def pytest_report_header():
    """Return a line that names the peers that are not installed."""
    return f"left out: tests that need {', '.join(MISSING)}" if MISSING else None


@pytest.fixture
def cli(capsys, monkeypatch, tmp_path):
    """Return a function that runs the command ``firsthit`` in this process, in an empty folder.

    The function takes the arguments of the command, and returns exit code, stdout and stderr.
    """
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        monkeypatch.setattr("sys.argv", ["firsthit", *map(str, arguments)])
        code = 0
        try:
            COMMAND.load()()
        except SystemExit as end:
            code = end.code or 0
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run
