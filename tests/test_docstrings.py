"""The examples in docstrings are right."""

import ast
import doctest
import importlib
import inspect
import itertools
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
WITH_EXAMPLES = [
    path.relative_to(ROOT).with_suffix("").as_posix().removeprefix("firsthit/").replace("/", ".")
    for part in ("suites", "loggers", "runner", "assessment", "firsthit")
    for path in sorted(ROOT.glob(f"{part}/**/*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


def docstrings_of_values(module):
    """Yield the names of values and the docstrings below them, which Python does not keep."""
    for assignment, text in itertools.pairwise(ast.parse(inspect.getsource(module)).body):
        if isinstance(assignment, ast.Assign | ast.AnnAssign) and isinstance(text, ast.Expr):
            yield ast.unparse(assignment).partition(" =")[0], ast.literal_eval(text.value)


@pytest.mark.filterwarnings("default:::nevergrad", "default:::optuna", "default:::pymoo")
@pytest.mark.parametrize("module", WITH_EXAMPLES)
def test_examples_in_docstrings(module, tmp_path, monkeypatch):
    """They run in an empty folder, as a script of a user: some write files or declare questions."""
    monkeypatch.chdir(tmp_path)
    imported = importlib.import_module(f"firsthit.{module}".removesuffix(".__init__"))
    runner, parser = doctest.DocTestRunner(), doctest.DocTestParser()
    script = {"__name__": "__main__"}
    for test in doctest.DocTestFinder().find(imported, extraglobs=script):
        runner.run(test)
    for name, text in docstrings_of_values(imported):
        names = {**vars(imported), **script}
        runner.run(parser.get_doctest(text, names, name, imported.__file__, 0))
    results = runner.summarize(verbose=False)
    assert results.attempted > 0
    assert results.failed == 0
