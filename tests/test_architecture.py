"""The parts import one way, the public names are the documented ones, optional packages wait."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

import firsthit

PARTS = ("suites", "loggers", "runner", "assessment")
MAY_IMPORT = {
    "suites": set(),
    "loggers": {"suites"},
    "runner": {"suites", "loggers"},
    "assessment": {"suites", "loggers"},
}
PACKAGE = Path(firsthit.__file__).parent
HEAVY = (
    "matplotlib", "pandas", "plotly", "cocoex", "cocopp", "ioh", "dask",
    "cma", "cmaes", "nevergrad", "nlopt", "optuna", "pybobyqa", "pygmo", "pymoo",
)  # fmt: skip


def folder(part):
    """Where the sources of a part are, in a checkout or installed."""
    module = __import__(f"firsthit.{part}", fromlist=["__file__"])
    return Path(module.__file__).parent


def imported_parts(path, root):
    """Parts of firsthit that a source file imports, anywhere in it."""
    depth = len(path.relative_to(root).parts)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            names = (node.module or "").split(".")
            if node.level == depth + 1:
                yield from [names[0]] if names[0] else [alias.name for alias in node.names]
            elif node.level == 0 and names[0] == "firsthit":
                yield names[1] if len(names) > 1 else "firsthit"
        elif isinstance(node, ast.Import):
            for alias in node.names:
                names = alias.name.split(".")
                if names[0] == "firsthit":
                    yield names[1] if len(names) > 1 else "firsthit"


@pytest.mark.parametrize("part", PARTS)
def test_imports_point_one_way(part):
    root = folder(part)
    sources = list(root.rglob("*.py"))
    assert sources
    for path in sources:
        others = set(imported_parts(path, root)) - {part}
        assert others <= MAY_IMPORT[part], f"{path} imports {others - MAY_IMPORT[part]}"


def test_the_rule_would_notice(tmp_path):
    (tmp_path / "module.py").write_text("def f():\n    from ..runner import run_one\n")
    assert set(imported_parts(tmp_path / "module.py", tmp_path)) == {"runner"}
    (tmp_path / "module.py").write_text("import firsthit.assessment\nfrom .. import loggers\n")
    assert set(imported_parts(tmp_path / "module.py", tmp_path)) == {"assessment", "loggers"}


def test_the_front_door_has_ten_names():
    assert sorted(firsthit.__all__) == [
        "BudgetExhausted", "FinalTargetHit", "FirsthitError", "Observer", "Suite", "benchmark",
        "check_suite", "load", "problem_from", "register_suite",
    ]  # fmt: skip
    for name in firsthit.__all__:
        assert getattr(firsthit, name).__doc__, name
    with pytest.raises(AttributeError, match="no attribute 'Suit'"):
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
    loaded = modules_after("from firsthit.runner import RunSpec, execute; assert callable(execute)")
    assert {"firsthit.runner.execution.execute", "firsthit.runner.campaign.campaign"} <= loaded
    with pytest.raises(AttributeError, match=r"'firsthit.runner' has no attribute 'Campain'"):
        firsthit.runner.Campain  # noqa: B018
    assert {"execute", "Campaign"} <= set(dir(firsthit.runner))


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


def test_help_imports_neither_numpy_nor_h5py():
    code = "from firsthit.cli import group\ntry:\n group(['--help'])\nexcept SystemExit: pass"
    loaded = modules_after(code)
    assert not loaded.intersection({"numpy", "h5py", "numba", "scipy", "pydantic", *HEAVY})


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["asses"], "unknown command 'asses'. Did you mean 'assess'?"),
        (["suites", "bbop"], "unknown suite 'bbop'. Did you mean 'bbob'? Known: bbob."),
        (["run", "no-such-campaign.yaml"], "no-such-campaign.yaml"),
        (["assess", "art", "no-such-log.h5"], "no-such-log.h5"),
        (["--no-such-option"], "No such option"),
    ],
)
def test_wrong_use_is_one_sentence_and_exit_code_two(arguments, sentence, tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "firsthit", *arguments],
        capture_output=True, text=True, cwd=tmp_path, timeout=120,
    )  # fmt: skip
    assert done.returncode == 2
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir())


def test_suites_are_listed():
    done = subprocess.run(
        [sys.executable, "-m", "firsthit", "suites", "bbob", "--format", "json"],
        capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip
    rows = json.loads(done.stdout)
    assert [row["function"] for row in rows] == [str(f) for f in range(1, 25)]
    assert rows[0] == {"function": "1", "group": "separable", "name": "Sphere"}


def test_a_checkout_works_as_the_working_folder(tmp_path):
    """Python puts the working folder first on its path: there ``firsthit`` has no parts inside."""
    root = Path(__file__).parents[1]
    code = "import firsthit, firsthit.suites as s; print(firsthit.__file__, s.__file__)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, check=True, timeout=120, cwd=root,
    )  # fmt: skip
    assert done.stdout.split() == [
        str(root / "firsthit" / "__init__.py"),
        str(root / "firsthit" / "suites" / "__init__.py"),
    ]  # fmt: skip
