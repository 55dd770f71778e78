import doctest
import importlib

import pytest


@pytest.mark.parametrize(
    "module", ["campaign.batches", "campaign.budget", "optimizers.restarts", "execution.seeds"]
)
def test_the_examples_in_the_docstrings_are_true(module):
    results = doctest.testmod(importlib.import_module(f"firsthit.runner.{module}"))
    assert results.attempted > 0
    assert results.failed == 0
