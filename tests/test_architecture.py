"""Imports point one way and in no circle, the public names are the documented ones, and so on."""

import ast
import importlib.util
import json
import os
import subprocess
import sys
import tomllib
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import firsthit

PARTS = ("suites", "loggers", "runner", "assessment")
GROUND = "entry_points"
"""What all parts stand on: it imports nothing of firsthit."""
MAY_IMPORT = {
    "suites": {GROUND},
    "loggers": {GROUND, "suites"},
    "runner": {GROUND, "suites", "loggers"},
    "assessment": {GROUND, "suites", "loggers"},
}
FLOORS = {
    "suites": (
        "files", "compiled", "transforms", "bbob", "boxed", "largescale", "mixint", "affine",
        "constrained", "noisy", "biobj", "pbo",
    ),
    "loggers": (
        "errors", "targets", "records", "indicators", "hdf5", "observation", "log", "formats",
        "reading",
    ),
    "runner": (
        "errors", "optimizers", "executors", "campaign", "execution", "benchmarking",
    ),
    "assessment": (
        "errors", "statistics", "tables", "targets", "data", "figures", "asking",
        "questions", "report", "regression", "results",
    ),
}  # fmt: skip
"""Folders and files of each part, from the ground up; ``files``: those that stand in no folder."""
PACKAGE = Path(firsthit.__file__).parent
CHECKOUT = Path(__file__).parents[1]
HEAVY = (
    "matplotlib", "pandas", "plotly", "cocoex", "cocopp", "ioh", "dask",
    "cma", "cmaes", "nevergrad", "nlopt", "optuna", "pybobyqa", "pygmo", "pymoo",
)  # fmt: skip


@cache
def sources(root=PACKAGE):
    """Name of each module to its source file; the links of an editable install are followed."""
    found = {}
    for folder, _, files in os.walk(root, followlinks=True):
        package = ["firsthit", *Path(folder).relative_to(root).parts]
        for name in (file for file in files if file.endswith(".py")):
            stem = [] if name == "__init__.py" else [name.removesuffix(".py")]
            found[".".join([*package, *stem])] = Path(folder, name)
    return found


def imported(module, path, known):
    """Modules of firsthit that a source file imports, anywhere in it."""
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.ImportFrom):
            name = "." * node.level + (node.module or "")
            base = importlib.util.resolve_name(name, package) if node.level else name
            names = [f"{base}.{alias.name}" for alias in node.names]
            names = [name if name in known else base for name in names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        yield from (name for name in names if name in known and name != module)


@cache
def graph(root=PACKAGE):
    """Each module of firsthit to those that it imports."""
    known = sources(root)
    return {module: set(imported(module, path, known)) for module, path in known.items()}


def floor(module):
    """Part and floor of a module; None where it stands outside of the parts."""
    _, part, *inside = (*module.split("."), "", "")
    if part not in PARTS or not inside[0]:
        return None
    known = inside[0] in FLOORS[part]
    return part, FLOORS[part].index(inside[0] if known else "files")


def upward(modules):
    """Imports that point up: from a part or floor to one that stands above it."""
    for module, others in modules.items():
        for other in others:
            part, other_part = module.split(".")[1:2], other.split(".")[1:2]
            if part != other_part and part and part[0] in PARTS:
                if not other_part or other_part[0] not in MAY_IMPORT[part[0]]:
                    yield module, other
            elif (here := floor(module)) and (there := floor(other)) and there > here:
                yield module, other


def test_imports_point_down():
    modules = graph()
    assert len(modules) > 100
    assert list(upward(modules)) == []
    assert not modules[f"firsthit.{GROUND}"]


def test_every_file_of_a_part_stands_on_a_floor():
    for module in sources():
        part, *inside = (*module.split(".")[1:], "")
        if part in PARTS and part != "suites" and inside[0]:
            assert inside[0] in FLOORS[part], module


def test_no_files_import_each_other_in_a_circle():
    try:
        TopologicalSorter(graph()).prepare()
    except CycleError as error:
        pytest.fail(f"a circle of imports: {' <- '.join(error.args[1])}")


def test_the_rules_would_notice(tmp_path):
    (tmp_path / "loggers" / "hdf5").mkdir(parents=True)
    (tmp_path / "runner").mkdir()
    (tmp_path / "runner" / "errors.py").write_text("")
    for name, text in (
        ("loggers/hdf5/a.py", "def f():\n    from ...runner import errors\n    from . import b\n"),
        ("loggers/hdf5/b.py", "import firsthit.loggers.log\nfrom .a import f\n"),
        ("loggers/log.py", ""),
    ):
        (tmp_path / name).write_text(text)
    modules = graph(tmp_path)
    assert sorted(upward(modules)) == [
        ("firsthit.loggers.hdf5.a", "firsthit.runner.errors"),
        ("firsthit.loggers.hdf5.b", "firsthit.loggers.log"),
    ]
    with pytest.raises(CycleError):
        TopologicalSorter(modules).prepare()


def test_every_folder_says_what_it_is():
    for module, path in sources().items():
        if path.name == "__init__.py":
            text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
            assert text, f"{module} has no docstring"
            assert len(text) > 40, f"{module}: {text}"


def test_all_folders_are_packaged():
    settings = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
    found = [name for name, path in sources().items() if path.name == "__init__.py"]
    assert sorted(settings["tool"]["setuptools"]["packages"]) == sorted(found)


def test_the_front_door_has_thirteen_names():
    assert sorted(firsthit.__all__) == [
        "BudgetExhausted", "FinalTargetHit", "FirsthitError", "Observer", "Parallel", "Score",
        "Suite", "benchmark", "check_suite", "load", "problem_from", "register_suite", "score",
    ]  # fmt: skip
    for name in firsthit.__all__:
        assert getattr(firsthit, name).__doc__, name
    with pytest.raises(AttributeError, match="firsthit attribute Suit"):
        firsthit.Suit  # noqa: B018


def test_every_public_name_of_a_part_exists_and_is_documented():
    for part in PARTS:
        module = __import__(f"firsthit.{part}", fromlist=["__all__"])
        for name in module.__all__:
            value = getattr(module, name)
            assert getattr(value, "__doc__", None), f"firsthit.{part}.{name}"


@pytest.mark.parametrize("part", ["loggers", "runner"])
def test_no_name_of_a_part_is_that_of_its_module(part):
    """Importing the module would put it in the place of what is imported when it is first used."""
    module = __import__(f"firsthit.{part}", fromlist=["__all__"])
    modules = {path.stem for path in Path(module.__file__).parent.glob("*")}
    assert not modules.intersection(module.__all__)


def test_names_are_imported_when_they_are_used():
    loaded = modules_after("import firsthit.loggers, firsthit.runner")
    assert not {name for name in loaded if name.startswith(("firsthit.runner.", "h5py"))}
    loaded = modules_after("from firsthit.runner import plan, execute; assert callable(execute)")
    assert "firsthit.runner.campaign" in loaded
    with pytest.raises(AttributeError, match=r"firsthit.runner attribute Campain"):
        firsthit.runner.Campain  # noqa: B018
    assert {"execute", "plan"} <= set(dir(firsthit.runner))


def modules_after(code):
    """Names of the modules loaded after running ``code`` in a fresh interpreter."""
    script = f"import json, sys\n{code}\nprint(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=120
    )
    return set(json.loads(done.stderr.splitlines()[-1]))


def test_core_imports_pull_nothing_optional():
    loaded = modules_after("\n".join(f"import firsthit.{part}" for part in PARTS))
    assert not loaded.intersection(HEAVY)


def test_numba_is_imported_by_what_calls_a_kernel():
    """Not by what may call one: 0.3 s for each command that prints a table."""
    modules = [
        name for name, path in sources().items()
        if name.startswith("firsthit.assessment") and "\nfrom numba" not in path.read_text("utf-8")
    ]  # fmt: skip
    assert len(modules) > 100
    assert "numba" not in modules_after("\n".join(f"import {name}" for name in modules))


def test_help_imports_neither_numpy_nor_h5py():
    code = "from firsthit.cli import group\ntry:\n group(['--help'])\nexcept SystemExit: pass"
    loaded = modules_after(code)
    assert not loaded.intersection({"numpy", "h5py", "numba", "scipy", "pydantic", *HEAVY})


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["asses"], "unknown command 'asses'. Did you mean 'assess'?"),
        (["suites", "bbop"], "unknown suite 'bbop'. Did you mean 'bbob'? Known: bbob, "),
        (["run", "no-such-campaign.yaml"], "no-such-campaign.yaml"),
        (["assess", "art", "no-such-log.h5"], "no-such-log.h5"),
        (["--no-such-option"], "No such option"),
    ],
)
def test_wrong_use_is_one_sentence_and_exit_code_two(arguments, sentence, tmp_path, cli):
    code, _, err = cli(*arguments)
    assert code == 2
    assert sentence in err
    assert "Traceback" not in err
    assert not list(tmp_path.iterdir())


def test_suites_are_listed(cli):
    _, out, _ = cli("suites", "bbob", "--format", "json")
    rows = json.loads(out)
    assert [row["function"] for row in rows] == [str(f) for f in range(1, 25)]
    assert rows[0] == {"function": "1", "group": "separable", "name": "Sphere"}


def test_a_checkout_works_as_the_working_folder(tmp_path):
    """Python puts the working folder first on its path: there ``firsthit`` has no parts inside."""
    root = Path(__file__).parents[1]
    code = "import firsthit, firsthit.suites as s; print(firsthit.__file__); print(s.__file__)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, check=True, timeout=300, cwd=root,
    )  # fmt: skip
    assert done.stdout.splitlines() == [
        str(root / "firsthit" / "__init__.py"),
        str(root / "firsthit" / "suites" / "__init__.py"),
    ]  # fmt: skip
