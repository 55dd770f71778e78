"""A log's writer is stopped, torn and failed at every step; no run is lost or there twice."""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from firsthit import loggers

HERE = Path(__file__).parent
SCENARIOS = ("adding", "closing", "resuming", "merging", "merging_in_place")
MODULES = (
    "writer", "journal", "journal_writer", "files", "merge", "locks", "deduplicate",
    "reader", "storage",
)  # fmt: skip
CHANGING = {
    "open", "mkdir", "makedirs", "rename", "replace", "unlink", "remove", "rmdir", "rmtree",
    "fsync", "truncate", "ftruncate", "write", "write_bytes", "write_text", "touch", "pwrite",
}  # fmt: skip
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="needs fork, which Windows has not")


def report(script, *arguments):
    done = subprocess.run(
        [sys.executable, HERE / script, *arguments],
        capture_output=True, text=True, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )  # fmt: skip
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


@pytest.mark.slow
@POSIX
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_disturbance_at_any_step_costs_no_run_that_was_written(scenario):
    code, told = report("faults.py", scenario)
    assert (code, told["failures"]) == (0, [])
    assert told["tried"][scenario]["points"] > 4 * told["tried"][scenario]["steps"] > 40


@pytest.mark.slow
@POSIX
def test_a_power_failure_costs_no_run_that_was_synced():
    code, told = report("power_loss.py")
    assert (code, told["failures"]) == (0, [])
    assert sum(told["tried"].values()) > 150


@pytest.mark.slow
@POSIX
@pytest.mark.parametrize("step", ["sync", "sync_folder"])
def test_the_power_failure_would_notice_a_missing_step(step):
    code, told = report("power_loss.py", "--without", step, "adding")
    assert code == 1
    assert told["failures"]


def calls(tree):
    """``os.NAME``, bare ``open`` and methods that change files, in a module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            what = node.func
            if isinstance(what, ast.Attribute) and what.attr in CHANGING:
                owner = what.value.id if isinstance(what.value, ast.Name) else ""
                yield f"{owner}.{what.attr}"
            elif isinstance(what, ast.Name) and what.id == "open":
                yield "open"


@pytest.mark.parametrize("module", MODULES)
def test_the_writer_changes_the_disk_through_storage_alone(module):
    path = Path(loggers.__file__).parent / "hdf5" / f"{module}.py"
    found = set(calls(ast.parse(path.read_text(encoding="utf-8"))))
    if module == "storage":
        assert {"os.open", "os.fsync", "os.replace", "os.unlink"} <= found
    else:
        looks = {"reader": {"h5py.File"}, "journal_writer": {"open"}}.get(
            module, set()
        )  # which it only reads
        allowed = {name for name in found if name.startswith("storage.")} | looks
        assert found - allowed - {".replace", "replace.replace"} == set()
