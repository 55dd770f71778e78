"""The examples in docstrings are right."""

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
WITH_EXAMPLES = [
    path.relative_to(ROOT).with_suffix("").as_posix().removeprefix("firsthit/").replace("/", ".")
    for part in ("suites/**", "loggers/**", "runner/**", "assessment/**", "firsthit")
    for path in sorted(ROOT.glob(f"{part}/*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("module", WITH_EXAMPLES)
def test_examples_in_docstrings(module):
    results = doctest.testmod(importlib.import_module(f"firsthit.{module}"))
    assert results.attempted > 0
    assert results.failed == 0
