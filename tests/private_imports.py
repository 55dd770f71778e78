"""Find the private names of firsthit that test files import, from the syntax trees in ``tests``.

A test file may import the names that the modules in `PUBLIC_MODULES` export, the modules ``errors``
of the parts, and the functions of ``firsthit.assessment.statistics``. Every other name is private.
A private import in a helper counts for each test file that uses the helper: that imports from it,
or asks for a fixture of this ``conftest.py``.
"""

import ast
import importlib
import re
from functools import cache
from pathlib import Path

TESTS = Path(__file__).parent
PUBLIC_MODULES = (
    "firsthit", "firsthit.suites", "firsthit.loggers", "firsthit.runner", "firsthit.assessment",
    "firsthit.bridges", "firsthit.coco", "firsthit.coco.exceptions", "firsthit.coco.noiser",
    "firsthit.coco.solvers", "firsthit.coco.utilities", "firsthit.cli",
)  # fmt: skip
PUBLIC_PATTERN = re.compile(r"firsthit\.(\w+\.errors|assessment\.statistics(\.\w+)*)")


def find_private_imports(test_file: Path) -> dict[Path, list[str]]:
    """Return the private names that a test file and its helpers import, by importing file.

    Args:
        test_file: A file below ``tests``.

    Returns:
        Names as ``module:name``; files without private imports are left out.
    """
    files, waiting = set(), [test_file]
    while waiting:
        file = waiting.pop()
        if file not in files:
            files.add(file)
            waiting.extend(_helpers_of(file))
    return {file: names for file in sorted(files) if (names := _private_names(file))}


@cache
def _tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


@cache
def _private_names(file: Path) -> list[str]:
    names = []
    for node in ast.walk(_tree(file)):
        if isinstance(node, ast.Import):
            imported = [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            imported = [(node.module or "", alias.name) for alias in node.names]
        else:
            continue
        names += [f"{module}:{name}" for module, name in imported if not is_public(module, name)]
    return names


def is_public(module: str, name: str = "") -> bool:
    """Return whether tests may import a name from a module, or without a name the module itself."""
    if module.partition(".")[0] != "firsthit":
        return True
    if PUBLIC_PATTERN.fullmatch(module):
        return not name.startswith("_")
    if module not in PUBLIC_MODULES:
        return False
    exported = getattr(importlib.import_module(module), "__all__", [])
    return (
        not name
        or name == "__version__"
        or name in exported
        or f"{module}.{name}" in PUBLIC_MODULES
    )


@cache
def _helpers_of(file: Path) -> list[Path]:
    """Return the files below ``tests`` that a file imports from or takes fixtures from."""
    helpers = []
    for node in ast.walk(_tree(file)):
        if isinstance(node, ast.ImportFrom) and node.level:
            folder = file.parents[node.level - 1].joinpath(*(node.module or "").split("."))
            candidates = [folder, *(folder / alias.name for alias in node.names)]
            helpers += [
                path.with_suffix(".py") for path in candidates if path.with_suffix(".py").is_file()
            ]
    arguments = {node.arg for node in ast.walk(_tree(file)) if isinstance(node, ast.arg)}
    for folder in file.parents[: len(file.relative_to(TESTS).parts)]:
        conftest = folder / "conftest.py"
        if conftest != file and conftest.is_file() and arguments & _fixtures_of(conftest):
            helpers.append(conftest)
    return helpers


@cache
def _fixtures_of(conftest: Path) -> set[str]:
    return {
        node.name for node in _tree(conftest).body
        if isinstance(node, ast.FunctionDef)
        and any("fixture" in ast.unparse(decorator) for decorator in node.decorator_list)
    }  # fmt: skip
