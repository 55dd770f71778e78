"""The examples in the docstrings are right, in all modules."""

import doctest
import importlib
import pkgutil

import firsthit.assessment


def test_examples_in_docstrings():
    found = pkgutil.walk_packages(firsthit.assessment.__path__, "firsthit.assessment.")
    tried = [doctest.testmod(importlib.import_module(module.name)) for module in found]
    assert sum(one.attempted for one in tried) > 100
    assert sum(one.failed for one in tried) == 0
