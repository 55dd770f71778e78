"""Damaged files of all formats: an error of one sentence, a note, or the numbers of the file.

``FIRSTHIT_FUZZ_INPUTS=5000 pytest -m slow -s tests/test_readers_of_damaged_files.py`` reads more
inputs and prints the outcomes.
"""

import os

import pytest

from .reader_fuzzing import READERS, fuzz

N_INPUTS = int(os.environ.get("FIRSTHIT_FUZZ_INPUTS", "300"))
"""Number of damaged inputs for each reader."""


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_damaged_files_are_reported(name, tmp_path):
    outcomes = fuzz(name, tmp_path, first=0, count=N_INPUTS)
    print(f"{name}: {dict(outcomes)}")
    assert outcomes["refused"] > 0
