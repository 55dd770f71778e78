"""Imports keep the declared layers, public names are the documented ones, and other rules."""

import ast
import json
import os
import subprocess
import sys
import tomllib
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

import firsthit

from .private_imports import PUBLIC_MODULES, find_private_imports, is_public

PARTS = ("suites", "loggers", "runner", "assessment")
PACKAGE = Path(firsthit.__file__).parent
CHECKOUT = Path(__file__).parents[1]
HEAVY = (
    "matplotlib", "pandas", "plotly", "cocoex", "cocopp", "ioh", "dask",
    "cma", "cmaes", "nevergrad", "nlopt", "optuna", "pybobyqa", "pygmo", "pymoo",
)  # fmt: skip
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
MEANINGLESS_NAMES = {
    "found", "own", "known", "place", "places", "there", "here", "what", "who", "at", "each",
    "every", "whole", "given", "mine", "drawn", "aims",
}  # fmt: skip
"""Names that say nothing; name a variable by the noun of its content."""


@cache
def sources():
    """Map the name of each module to its source file; follow the links of an editable install."""
    files_by_module = {}
    for folder, _, files in os.walk(PACKAGE, followlinks=True):
        package = ["firsthit", *Path(folder).relative_to(PACKAGE).parts]
        for name in (file for file in files if file.endswith(".py")):
            stem = [] if name == "__init__.py" else [name.removesuffix(".py")]
            files_by_module[".".join([*package, *stem])] = Path(folder, name)
    return files_by_module


def test_imports_keep_the_declared_layers():
    """The contracts are in pyproject.toml, under ``[tool.importlinter]``."""
    lint = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    done = subprocess.run(
        [sys.executable, "-c", lint, "--no-logo", "--no-cache"],
        capture_output=True, text=True, timeout=120, cwd=CHECKOUT,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert "0 broken" in done.stdout


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


def local_names(tree, keeps_parameters=lambda function: False):
    """Yield the name and the line of each parameter and local variable of all functions.

    Args:
        tree: Syntax tree of a module.
        keeps_parameters: Whether the parameters of a function are left out.
    """
    functions = [node for node in ast.walk(tree) if isinstance(node, FUNCTIONS)]
    kept = {
        id(node)
        for function in functions
        if keeps_parameters(function)
        for node in ast.walk(function.args)
    }
    for function in functions:
        for node in ast.walk(function):
            if isinstance(node, ast.arg) and id(node) not in kept:
                yield node.arg, node.lineno
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id, node.lineno
            elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
                yield node.name, node.lineno


def has_public_parameters(function):
    """Return whether the parameters are options of a command or arguments of a public function."""
    if isinstance(function, ast.Lambda):
        return False
    decorators = [ast.unparse(decorator) for decorator in function.decorator_list]
    return function.name in public_names() or any("click." in text for text in decorators)


@cache
def public_names():
    return {
        name for module in PUBLIC_MODULES for name in getattr(import_module(module), "__all__", ())
    }


def test_no_parameter_or_local_variable_has_a_meaningless_name():
    """Options of commands and arguments of public functions keep their names."""
    matches = {
        f"{path.relative_to(PACKAGE)}:{line}: {name}"
        for path in sources().values()
        for name, line in local_names(ast.parse(path.read_text("utf-8")), has_public_parameters)
        if name in MEANINGLESS_NAMES
    }
    assert not matches, "\n".join(sorted(matches))


def test_local_names_are_those_of_parameters_and_of_all_bindings():
    tree = ast.parse(
        "at = 1\n"
        "def f(a, *b, c=lambda d: 1, **e):\n"
        "    for g, (h, *i) in [j for j in a]:\n"
        "        k: int = (l := 2)\n"
        "        with a as m: pass\n"
        "        self.at = a.there\n"
        "    try: pass\n"
        "    except Exception as n: pass\n"
        "    match a:\n"
        "        case [o, *p]: pass\n"
    )
    assert "".join(sorted({name for name, _ in local_names(tree)})) == "abcdeghijklmnop"
    all_kept = local_names(tree, lambda function: True)
    assert "".join(sorted({name for name, _ in all_kept})) == "ghijklmnop"


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


MOST_TEST_FILES_WITH_PRIVATE_NAMES = 58
"""Lower this limit with each file that no longer needs private names."""


@cache
def files_with_private_names():
    files = sorted((CHECKOUT / "tests").rglob("test_*.py"))
    return [file for file in files if find_private_imports(file)]


@pytest.mark.slow
def test_few_test_files_import_private_names():
    """The rule is in ``private_imports.py``."""
    assert len(files_with_private_names()) <= MOST_TEST_FILES_WITH_PRIVATE_NAMES


def test_test_files_with_private_names_state_the_reason():
    silent = [
        file.relative_to(CHECKOUT).as_posix()
        for file in files_with_private_names()
        if "Private names: " not in (ast.get_docstring(ast.parse(file.read_text("utf-8"))) or "")
    ]
    assert not silent


def test_a_private_import_of_a_helper_counts_for_the_files_that_use_it():
    tests = CHECKOUT / "tests"
    names_by_file = find_private_imports(tests / "loggers" / "test_run_memory.py")
    assert tests / "loggers" / "witness.py" in names_by_file
    assert is_public("firsthit", "Suite")
    assert is_public("firsthit.loggers.errors", "LogReadError")
    assert is_public("firsthit.assessment.statistics.ecdf", "ecdf")
    assert not is_public("firsthit.assessment.statistics.ecdf", "_helper")
    assert not is_public("firsthit", "no_such_name")
    assert not is_public("firsthit.suites.suite", "Suite")
