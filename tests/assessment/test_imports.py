"""Importing the assessment loads no plotting and no pandas; its examples are right."""

import doctest
import importlib
import pkgutil
import subprocess
import sys

import pytest

import firsthit.assessment

MODULES = [name for _, name, _ in pkgutil.iter_modules(firsthit.assessment.__path__)]


def test_import_pulls_no_optional_package():
    script = (
        "import sys, firsthit.assessment, firsthit.cli.assess;"
        "print([m for m in ('matplotlib', 'pandas', 'cocopp') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_public_names_exist():
    for name in firsthit.assessment.__all__:
        assert getattr(firsthit.assessment, name) is not None


@pytest.mark.parametrize("module", MODULES)
def test_examples_in_docstrings(module):
    tested = doctest.testmod(
        importlib.import_module(f"firsthit.assessment.{module}"),
        extraglobs={"np": __import__("numpy")},
    )
    assert tested.failed == 0
