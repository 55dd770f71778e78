"""Every table says which runs, instances, counts and convention it rests on."""

import pytest

import firsthit
from firsthit.assessment import Results


@pytest.fixture(scope="module")
def results(log_folder):
    return firsthit.load(log_folder)


def test_the_basis_names_runs_instances_and_what_counts(make_log):
    """Algorithms with different runs are told apart; a base and a new version, too."""
    runs = [
        {"algorithm": "a", "instance": 1, "precisions": [1.0]},
        {"algorithm": "a", "instance": 2, "precisions": [1.0]},
        {"algorithm": "b", "instance": 7, "precisions": [1.0]},
    ]
    results = Results(make_log(runs))
    which = (
        "a: 2 runs on each function and dimension, instances 1, 2; b: 1 run on each function and "
        "dimension, instances 7; "
    )
    said = results.art(1.0).notes[-1]
    assert said == (f"{which}every run counts once, a failed one with all it spent.")
    assert results.fixed_budget([1]).notes[-1].startswith(which)
    both = results.regressions(results).notes
    assert f"base: {said}" in both
    assert f"new: {said}" in both


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"convention": "runs"}, "every run counts once; convention runs: quantiles take a failed"),
        ({"convention": "iohanalyzer"}, "convention iohanalyzer: of successful runs, except PAR-k"),
        (
            {"balance": "instances"},
            "runs are copied until all instances of a function",
        ),
    ],
)
def test_a_convention_is_named_where_there_are_several(results, options, words):
    table = results.fixed_target(**options)
    assert any(words in note for note in table.notes)


def test_profiles_and_ratios_name_theirs(results):
    for runtimes, words in (
        ("expected", "exact distribution"),
        ("restarts", "simulated"),
        ("runs", "a failed one as never"),
    ):
        notes = results.ecdf(runtimes=runtimes).notes
        assert any(words in n and "every function-target pair weighs the same" in n for n in notes)
    assert any("all pairs of runs" in n for n in results.ratios("cma", "nelder-mead").notes)
    assert any(
        "on the same instance" in n
        for n in results.ratios("cma", "nelder-mead", pairs="instances").notes
    )
