"""Compiled kernels are cached beside the sources, or in the home if these cannot be written."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from llvmlite import binding
from numba import float64, njit
from numba.core.errors import NumbaError

import firsthit
from firsthit import suites
from firsthit.suites import Suite
from firsthit.suites.compiled.machine_code import machine_code

CODE = """
from firsthit.suites import Suite
import numpy as np
problem = Suite("bbob", {function}, 3, 1)[0]
print(problem(np.array([0.5, 1.0, -2.0])).hex(), problem(np.zeros((2, 3)))[0].hex())
"""
X = np.array([0.5, 1.0, -2.0])


def start(function, **environment):
    """A process that evaluates one function; numba tells what it does with its cache."""
    variables = {**os.environ, "NUMBA_DEBUG_CACHE": "1", **environment}
    return subprocess.Popen(
        [sys.executable, "-P", "-c", CODE.format(function=function)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=variables,
    )  # fmt: skip


def finish(process):
    """The values it printed, and how many frames it compiled and loaded."""
    output, errors = process.communicate(timeout=200)
    assert process.returncode == 0, errors
    frames = [line for line in output.splitlines() if "frame" in line]
    saved = sum("data saved to" in line for line in frames)
    loaded = sum("data loaded from" in line for line in frames)
    return output.splitlines()[-1].split(), saved, loaded


def expected(function):
    problem = Suite("bbob", function, 3, 1)[0]
    return [problem(X).hex(), problem(np.zeros(3)).hex()]


def test_two_processes_at_once_leave_a_cache_that_a_third_uses(tmp_path):
    folder = str(tmp_path)
    both = [start(3, NUMBA_CACHE_DIR=folder) for _ in range(2)]
    for process in both:
        values, saved, loaded = finish(process)
        assert values == expected(3)
        assert saved + loaded == 2
    values, saved, loaded = finish(start(3, NUMBA_CACHE_DIR=folder))
    assert values == expected(3)
    assert (saved, loaded) == (0, 2)


@pytest.mark.parametrize(("suffix", "kept"), [("nbc", 0), ("nbi", 40)])
def test_a_cache_torn_short_is_made_anew(tmp_path, suffix, kept):
    """As a full disk or a power failure leaves it."""
    folder = str(tmp_path)
    finish(start(3, NUMBA_CACHE_DIR=folder))
    files = list(tmp_path.rglob(f"*.{suffix}"))
    assert {path.name.partition("-")[0] for path in files} > {"generators._uniform"}
    for path in files:
        path.write_bytes(path.read_bytes()[:kept])
    assert finish(start(3, NUMBA_CACHE_DIR=folder)) == (expected(3), 2, 0)
    assert finish(start(3, NUMBA_CACHE_DIR=folder)) == (expected(3), 0, 2)


def test_a_folder_that_cannot_be_written_is_no_obstacle(tmp_path):
    """A file stands where the cache beside the sources would be: nobody can write there."""
    package = tmp_path / "installed" / "firsthit"
    without_cache = shutil.ignore_patterns("__pycache__")
    shutil.copytree(
        Path(firsthit.__file__).parent, package, ignore=without_cache, dirs_exist_ok=True
    )
    source = Path(suites.__file__).parent
    shutil.copytree(source, package / "suites", ignore=without_cache, dirs_exist_ok=True)
    for folder in (package / "suites", package / "suites" / "bbob"):
        (folder / "__pycache__").write_text("no folder")
    home = tmp_path / "home"
    places = {
        "PYTHONPATH": str(package.parent),
        "HOME": str(home),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "NUMBA_CACHE_DIR": "",
    }
    values, saved, loaded = finish(start(1, **places))
    assert values == expected(1)
    assert (saved, loaded) == (2, 0)
    assert list(home.rglob("*.nbi"))
    assert finish(start(1, **places)) == (expected(1), 0, 2)


def test_the_cache_knows_kernels_by_all_their_sources(monkeypatch):
    """numba looks at the file of the frame only, so the entry's name stands for the others."""
    from firsthit.suites.compiled import compilation

    module = "firsthit.suites.bbob.unimodal"
    behind = compilation._modules_behind(module, set())
    assert {name.rpartition(".")[2] for name in behind} == {
        "unimodal",
        "transformations",
        "elementary",
    }
    digest = compilation._sources_digest.__wrapped__
    before = digest(module)
    assert len(before) == 12
    monkeypatch.setattr(compilation.inspect, "getsource", lambda module: "changed")
    assert digest(module) != before


LOADED = """
import sys
from firsthit.suites import Suite
import numpy as np
WATCHED = "numba.core.runtime.nrt", "numba.np.arrayobj", "numba.np.linalg", "scipy.linalg"
suite = Suite("bbob")
problems = [suite.problem(function, 2, 1) for function in (8, 22)]
for points in np.zeros(2), np.zeros((3, 2)):
    values = [problem(points) for problem in problems]
    print(*[name for name in WATCHED if name in sys.modules])
"""


def test_what_is_in_the_cache_is_had_without_numbas_compiler(tmp_path):
    """Which would import scipy's linear algebra, among much else, before it looks there."""
    told = [
        subprocess.run(
            [sys.executable, "-P", "-c", LOADED], capture_output=True, text=True, check=True,
            timeout=200, env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
        ).stdout.splitlines()
        for _ in range(2)
    ]  # fmt: skip
    assert "scipy.linalg" in told[0][0]
    assert told[1][0] == "numba.core.runtime.nrt"
    assert told[1][1].replace(" numba.np.arrayobj", "") == "numba.core.runtime.nrt"


@njit(cache=True)
def doubled(x):
    return 2 * x


@njit(cache=True)
def twice_doubled(x):
    return doubled(doubled(x))


def test_functions_loaded_here_can_be_compiled_into_others():
    for _ in range(2):  # compiled, and then from the cache
        machine_code.__wrapped__(doubled, "float64")
    assert machine_code(doubled, "float64")(3.0) == 6.0
    assert machine_code(twice_doubled, "float64")(3.0) == 12.0
    assert twice_doubled(3.0) == 12.0
    assert njit(lambda x: doubled(x) + 1)(3.0) == 7.0


def test_what_others_would_be_compiled_with_is_not_parsed(monkeypatch):
    machine_code.__wrapped__(doubled, "float64")
    parse, sizes = binding.parse_bitcode, []

    def noted(bitcode):
        sizes.append(len(bitcode))
        return parse(bitcode)

    monkeypatch.setattr(binding, "parse_bitcode", noted)
    assert machine_code.__wrapped__(doubled, "float64")(3.0) == 6.0
    assert len(sizes) == 1
    monkeypatch.undo()
    stored = doubled._cache._cache_file.load(
        doubled._cache._index_key((float64,), doubled.targetctx.codegen())
    )
    assert sizes[0] < len(stored[0][2][1]) / 2


@njit(cache=True)
def countdown(x):
    return countdown(x - 1) if x > 0 else "none"[x.nothing]


def test_what_cannot_be_compiled_is_numbas_error_also_of_a_function_that_calls_itself():
    with pytest.raises(NumbaError):
        machine_code(countdown, "float64")


def test_what_numba_may_change_in_its_cache_is_compiled(monkeypatch):
    fresh = njit(cache=True)(doubled.py_func)
    monkeypatch.delattr("numba.core.runtime.nrt.rtsys")
    assert machine_code(fresh, "float64")(3.0) == 6.0
