"""Values below a declared optimal value or reference value are reported in a note."""

import numpy as np
import pytest

import firsthit

SUITE = """
import numpy as np

import firsthit


def make(function, dimension, instance):
    return firsthit.problem_from(lambda x: float(np.sum(x**2)) - 5, dimension, optimal_value=0.0)


firsthit.register_suite("lowered", functions=[1], dimensions=[2], instances=[1], version="1")(make)
"""
CAMPAIGN = """
imports: ["mine.py"]
suite: lowered
optimizers: [random-search]
budget: 50
workers: 0
output: a.h5
"""


def benchmark_lowered_sphere(folder, **facts):
    problem = firsthit.problem_from(lambda x: float(np.sum(np.square(x))) - 5, 2, **facts)
    return firsthit.benchmark(
        "scipy:Nelder-Mead", [problem], budget=300, output=folder / "a.h5", progress=False
    )


@pytest.mark.parametrize("fact", ["optimal_value", "reference_value"])
def test_tables_name_the_function(tmp_path, fact):
    results = benchmark_lowered_sphere(tmp_path, **{fact: 0.0})
    for table in (results.summary(), results.art(), results.termination()):
        [note] = [note for note in table.notes if "below the reference value" in note]
        assert note == (
            "below the reference value: 1 run on user f1 in 2-D, by up to 5; correct the optimal "
            "value, because hits come too early."
        )


def test_a_correct_optimum_gives_no_note(tmp_path):
    notes = benchmark_lowered_sphere(tmp_path, optimal_value=-5.0).summary().notes
    assert not [note for note in notes if "below the reference value" in note]


def test_check_run_names_the_problem(tmp_path, cli):
    (tmp_path / "mine.py").write_text(SUITE)
    (tmp_path / "c.yaml").write_text(CAMPAIGN)
    code, _, err = cli("check", "c.yaml", "--run")
    assert code == 0, err
    assert "random-search: repeats (values are below the reference value of lowered_f001_i01" in err
