"""Where the system gives no more memory, a run is recorded as it was, or it fails and says why."""

import os
import subprocess
import sys
import textwrap
from types import SimpleNamespace

import numpy as np
import pytest

from firsthit.loggers import read_log

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="limits of resources are POSIX"),
]

SCRIPT = """
import os, resource, sys, tempfile
from contextlib import suppress
from pathlib import Path
import numpy as np
import firsthit

take, workers, record, output = sys.argv[1:]

def limit(name, soft):
    kind = getattr(resource, name)
    highest = resource.getrlimit(kind)[1]
    resource.setrlimit(kind, (highest if soft is None else soft, highest))

def solve(problem, x0):
    if take == "descriptors":
        limit("RLIMIT_NOFILE", 3)
    if take == "file size":
        limit("RLIMIT_FSIZE", 4096)
    if take == "memory":
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        limit("RLIMIT_AS", pages * resource.getpagesize())
    if take == "temporary folder":
        filler = os.open(os.path.join(tempfile.gettempdir(), "filler"), os.O_CREAT | os.O_WRONLY)
        with suppress(OSError):
            while True:
                os.write(filler, bytes(4096))
    try:
        for t in range(1500):
            try:
                problem(np.array([0.99**t, 0.0]))
            except Exception:
                pass
    finally:
        for name in ("RLIMIT_NOFILE", "RLIMIT_FSIZE", "RLIMIT_AS"):
            limit(name, None)

problem = firsthit.problem_from(lambda x: float(x @ x), 2, optimal_value=0.0)
firsthit.benchmark(
    solve, [problem], workers=int(workers), record=record, output=output, progress=False,
    final_target=record == "targets",
)
"""


def run_short_of(resource: str, workers: int, record: str, folder, environment=None):
    """The record of the run, and what it says."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(SCRIPT), resource, str(workers), record,
         str(folder / "log.h5")],
        capture_output=True, text=True, timeout=500, env={**os.environ, **(environment or {})},
    )  # fmt: skip
    log = folder / "log.h5"
    assert log.exists(), done.stderr
    found = read_log(log)
    [status], [error], [evaluations] = (found.runs[x] for x in ("status", "error", "evaluations"))
    return SimpleNamespace(
        status=status, error=error, evaluations=evaluations, hits=found.hits(0)["evaluation"]
    )


def improvements(evaluations: int) -> list[int]:
    values = [np.array([0.99**t, 0.0]) @ np.array([0.99**t, 0.0]) for t in range(evaluations)]
    best, found = np.inf, []
    for number, value in enumerate(values, start=1):
        if value < best:
            best = value
            found.append(number)
    return found


@pytest.fixture
def small_folder(tmp_path):
    """The environment of processes whose temporary folder has one megabyte in all."""
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("mounting a file system needs root on Linux")
    place = tmp_path / "small"
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", place], check=True)
    yield {"TMPDIR": str(place)}
    subprocess.run(["umount", "-l", place], check=True)


@pytest.mark.parametrize("workers", [0, 1])
@pytest.mark.parametrize("record", ["targets", "improvements"])
def test_a_temporary_folder_without_room_costs_no_hit(tmp_path, small_folder, workers, record):
    run = run_short_of("temporary folder", workers, record, tmp_path, small_folder)
    check_hits(run) if record == "targets" else check_improvements(run)


@pytest.mark.parametrize("workers", [0, 1])
@pytest.mark.parametrize("resource", ["descriptors", "file size", "memory"])
def test_first_hits_are_those_of_an_independent_count(tmp_path, resource, workers):
    check_hits(run_short_of(resource, workers, "targets", tmp_path))


def check_hits(run):
    reached = next(t for t in range(1500) if 0.99**t * 0.99**t <= 1e-8) + 1
    if run.status == "failed":
        assert f"recording evaluation {run.evaluations} was interrupted by " in run.error
        reached = min(reached, run.evaluations - 1)  # the last one has no value
    else:
        assert (run.status, run.evaluations) == ("target", reached)
    by_target = {}
    for number in range(1, reached + 1):
        value = np.array([0.99 ** (number - 1), 0.0]) @ np.array([0.99 ** (number - 1), 0.0])
        k = np.ceil(np.round(20 * np.log10(value), 9))
        by_target.setdefault(k, number)
    assert run.hits.tolist() == sorted(by_target.values())


@pytest.mark.parametrize("resource", ["descriptors", "file size"])
def test_a_run_that_needs_more_memory_than_there_is_has_failed_and_keeps_what_it_made(
    tmp_path, resource
):
    run = run_short_of(resource, 1, "improvements", tmp_path)
    assert run.status == "failed"
    check_improvements(run)


def check_improvements(run):
    """Where it ended early, it says so; and nothing that it evaluated is missing."""
    if run.status != "failed":
        assert run.hits.tolist() == improvements(1500)
        return
    assert f"recording evaluation {run.evaluations} was interrupted by " in run.error
    assert "; the run ends there" in run.error
    assert 100 < run.evaluations < 1500
    assert run.hits.tolist() == improvements(run.evaluations - 1)
