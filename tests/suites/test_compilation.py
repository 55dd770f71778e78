"""Compiled kernels are cached beside the sources, or in the home if these cannot be written.

Private names: the cache of compiled kernels is moved and damaged.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numba import njit
from numba.core.errors import NumbaError

import firsthit
from firsthit import suites
from firsthit.suites import Suite
from firsthit.suites.compiled import compilation
from firsthit.suites.compiled.compilation import machine_code

CODE = """
from firsthit.suites import Suite
import numpy as np
problem = Suite("bbob", 1, 3, 1)[0]
print(problem(np.array([0.5, 1.0, -2.0])).hex())
"""
BATCHES = """
from firsthit.suites.compiled.compilation import compile_batches
compile_batches(problem)
print(problem(np.zeros((2, 3)))[0].hex())
"""
X, ZERO = np.array([0.5, 1.0, -2.0]), np.zeros(3)


def expected(*points):
    problem = Suite("bbob", 1, 3, 1)[0]
    return [problem(x).hex() for x in points]


def start(code=CODE, **environment):
    """A process that evaluates one function; numba tells what it does with its cache."""
    variables = {**os.environ, "NUMBA_DEBUG_CACHE": "1", **environment}
    return subprocess.Popen(
        [sys.executable, "-P", "-c", code],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=variables,
    )  # fmt: skip


def finish(process):
    """The values it printed, and how many wrappers it compiled and loaded.

    It says that it compiles if it does.
    """
    output, errors = process.communicate(timeout=200)
    assert process.returncode == 0, errors
    assert ("compiling kernels" in errors) == ("data saved to" in output)
    wrappers = [line for line in output.splitlines() if "wrapper" in line]
    saved = sum("data saved to" in line for line in wrappers)
    loaded = sum("data loaded from" in line for line in wrappers)
    return re.findall(r"^0x\S+$", output, re.MULTILINE), saved, loaded


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """A cache that three processes made at the same time, each function compiled by one of them."""
    place = {"NUMBA_CACHE_DIR": str(tmp_path_factory.mktemp("cache"))}
    done = [finish(process) for process in [start(CODE + BATCHES, **place) for _ in "abc"]]
    assert [values for values, _, _ in done] == [expected(X, ZERO)] * 3
    assert sum(saved for _, saved, _ in done) == 2
    assert sum(loaded for _, _, loaded in done) == 4
    return place["NUMBA_CACHE_DIR"]


@pytest.mark.slow
def test_processes_at_once_leave_a_cache_that_another_one_uses(cache):
    assert finish(start(CODE + BATCHES, NUMBA_CACHE_DIR=cache)) == (expected(X, ZERO), 0, 2)


@pytest.mark.slow
@pytest.mark.parametrize(("suffix", "kept"), [("nbc", 0), ("nbi", 40)])
def test_a_cache_torn_short_is_made_anew(tmp_path, cache, suffix, kept):
    """As a full disk or a power failure leaves it."""
    folder = tmp_path / "copy"
    shutil.copytree(cache, folder)
    files = list(folder.rglob(f"*.{suffix}"))
    assert {path.name.partition("-")[0] for path in files} > {"generators.fill_uniform"}
    for path in files:
        path.write_bytes(path.read_bytes()[:kept])
    assert finish(start(NUMBA_CACHE_DIR=str(folder))) == (expected(X), 1, 0)
    assert finish(start(NUMBA_CACHE_DIR=str(folder))) == (expected(X), 0, 1)


def copied_package(tmp_path):
    """The package as an installation has it, without compiled files."""
    package = tmp_path / "installed" / "firsthit"
    without_cache = shutil.ignore_patterns("__pycache__")
    shutil.copytree(
        Path(firsthit.__file__).parent, package, ignore=without_cache, dirs_exist_ok=True
    )
    source = Path(suites.__file__).parent
    shutil.copytree(source, package / "suites", ignore=without_cache, dirs_exist_ok=True)
    return package


@pytest.mark.slow
def test_a_folder_that_cannot_be_written_is_no_obstacle(tmp_path):
    """A file stands where the cache beside the sources would be: nobody can write there."""
    package = copied_package(tmp_path)
    for folder in (
        package / "suites",
        package / "suites" / "bbob",
        package / "suites" / "compiled",
    ):
        (folder / "__pycache__").write_text("no folder")
    home = tmp_path / "home"
    places = {
        "PYTHONPATH": str(package.parent),
        "HOME": str(home),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "NUMBA_CACHE_DIR": "",
    }
    assert finish(start(**places)) == (expected(X), 1, 0)
    assert list(home.rglob("*.nbi"))
    assert finish(start(**places)) == (expected(X), 0, 1)


def test_the_cache_knows_kernels_by_all_their_sources(monkeypatch):
    """numba looks at the file of the frame only, so the entry's name stands for the others."""
    module = ("firsthit.suites.bbob.unimodal",)
    digest = compilation._digest_sources.__wrapped__
    behind = compilation._collect_modules(*module, set())
    assert {name.rpartition(".")[2] for name in behind} == {
        "unimodal",
        "transformations",
        "elementary",
    }
    before = digest(module)
    assert before == digest(module)
    monkeypatch.setattr(compilation.inspect, "getsource", lambda module: "changed")
    assert digest(module) != before


@njit(cache=True)
def doubled(x):
    return 2 * x


@njit(cache=True)
def twice_doubled(x):
    return doubled(doubled(x))


def test_functions_loaded_here_can_be_compiled_into_others():
    assert machine_code(doubled, "float64")(3.0) == 6.0
    assert machine_code(twice_doubled, "float64")(3.0) == 12.0
    assert twice_doubled(3.0) == 12.0
    assert njit(lambda x: doubled(x) + 1)(3.0) == 7.0


@njit(cache=True)
def countdown(x):
    return countdown(x - 1) if x > 0 else "none"[x.nothing]


def test_what_cannot_be_compiled_is_numbas_error_also_of_a_function_that_calls_itself():
    with pytest.raises(NumbaError):
        machine_code(countdown, "float64")
