"""The examples in the docstrings are right."""

import doctest
import importlib

import pytest


@pytest.mark.parametrize("module", ["targets.grid", "records.identity", "records.dtypes"])
def test_examples_in_docstrings(module):
    results = doctest.testmod(importlib.import_module(f"firsthit.loggers.{module}"))
    assert results.attempted > 0
    assert results.failed == 0
