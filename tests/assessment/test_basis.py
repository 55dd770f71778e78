"""What tables say of what they rest on and take for granted, and of their intervals."""

import numpy as np
import pytest

import firsthit
from firsthit.assessment import Results
from firsthit.assessment.data.profiles import ProfileOptions, ecdf_tables
from firsthit.assessment.data.uncertainty import banded, with_intervals
from firsthit.assessment.questions.art.table import averages
from firsthit.assessment.statistics.average_runtime import dominant_instances
from firsthit.assessment.statistics.intervals import Resampling, art_interval
from firsthit.assessment.targets.target_sets import common_set

from .run_sets import run_set


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
def test_a_convention_is_named_where_there_are_several(loaded, options, words):
    table = loaded.fixed_target(**options)
    assert any(words in note for note in table.notes)


def test_profiles_and_ratios_name_theirs(loaded):
    for runtimes, words in (
        ("expected", "exact distribution"),
        ("restarts", "simulated"),
        ("runs", "a failed one as never"),
    ):
        notes = loaded.ecdf(runtimes=runtimes).notes
        assert any(words in n and "every function-target pair weighs the same" in n for n in notes)
    assert any("all pairs of runs" in n for n in loaded.ratios("cma", "nelder-mead").notes)
    assert any(
        "on the same instance" in n
        for n in loaded.ratios("cma", "nelder-mead", pairs="instances").notes
    )


HARD = 4


def walk(problem, rng):
    """Hits 1e2 soon, but on one instance."""
    away = 300 if problem.id_instance == HARD else 5
    for i in range(400):
        far = i < away
        problem(problem.upper_bounds + 50 if far else rng.uniform(-0.5, 0.5, problem.dimension))


def stops_early(problem, rng):
    """Ends by itself, after 20 evaluations an instance number."""
    for _ in range(20 * problem.id_instance):
        problem(rng.uniform(-5, 5, problem.dimension))


def run(tmp_path, optimizer, **more):
    few = dict(functions=[1, 2], dimensions=2, instances="1-5", progress=False)
    return firsthit.benchmark(
        optimizer, "bbob", **few, output=tmp_path / "log.h5", **{"restarts": 0, **more}
    )


def notes(table, part):
    return [note for note in table.notes if part in note]


def test_one_hard_instance_is_named_below_the_averages(tmp_path):
    results = run(tmp_path, walk, budget=400)
    (note,) = notes(results.art(targets=[1e2], functions=1), "one instance took")
    assert "walk on f1 in 2-D, instance 4, target 1e2 (93%)" in note


@pytest.mark.parametrize(("instances", "least"), [(5, 0.79), (10, 0.54), (11, 0.5), (15, 0.5)])
def test_the_share_that_dominates_is_more_than_half_and_more_than_chance(instances, least):
    for share, dominates in ((least - 0.01, False), (least + 0.01, True)):
        others = (1 - share) / (instances - 1)
        evaluations = 1e6 * np.array([share] + [others] * (instances - 1))[:, np.newaxis]
        which, found = dominant_instances(evaluations, np.arange(1, instances + 1))
        assert np.isfinite(found[0]) == dominates
        assert which[0] == 1


def test_an_instance_with_more_runs_does_not_dominate_for_that():
    runs = np.full((24, 1), 10.0)
    instances = [1] * 20 + [2, 3, 4, 5]
    assert np.isnan(dominant_instances(runs, instances)[1])


def test_by_chance_few_equal_instances_dominate():
    """Of exponential runtimes, at most one average in a hundred."""
    rng = np.random.default_rng(1)
    for n in (3, 5, 7, 15):
        _, share = dominant_instances(rng.exponential(1e4, (n, 4000)), np.arange(n))
        assert np.isfinite(share).mean() < 0.015


def test_a_profile_says_where_unsuccessful_runs_had_different_lengths(tmp_path):
    table = run(tmp_path, stops_early, budget=1000).ecdf()
    (note,) = notes(table, "lengths of unsuccessful runs vary")
    assert "stops_early 10 to 50." in note


@pytest.mark.parametrize("runtimes", ["suite", "runs"])
def test_a_profile_says_nothing_where_all_spent_the_budget_or_no_restarts_count(tmp_path, runtimes):
    restarts = None if runtimes == "suite" else 0
    table = run(tmp_path, stops_early, budget=100, restarts=restarts).ecdf(runtimes=runtimes)
    assert not notes(table, "lengths of unsuccessful runs vary")


TARGETS = common_set((1.0,))


def shown(one):
    table = with_intervals(averages([one], TARGETS), [one], Resampling())
    return table, str(table), " ".join(table.notes)


def test_five_runs_that_all_succeed():
    runtimes = [259, 411, 438, 283, 427]
    one = run_set("a", runtimes, runtimes)
    table, text, notes = shown(one)
    assert (table["low"][0], table["high"][0]) == pytest.approx((234.129, 507.731), abs=0.01)
    assert not table["at_least"][0]
    assert "[234, 508]" in text or "[234.1, 507.7]" in text
    assert "times up to 0.61 with 5 runs" in notes
    assert "instances alone" not in notes


@pytest.mark.parametrize(
    "hits", [[10, np.nan, np.nan, np.nan, 20], [10, 12, 9, 11, 900], [np.nan] * 5]
)
def test_runs_that_do_not_tell_the_upper_end_show_the_lower_one_only(hits):
    one = run_set("a", hits, np.nan_to_num(hits, nan=1000.0))
    table, text, notes = shown(one)
    assert table["at_least"][0]
    assert "[>= " in text
    assert ("very skew" in notes) == (900 in hits)


def test_for_whom_intervals_hold():
    """Three instances and more: for the function, from whole instances; two: for these."""
    hits = [100.0, 101, 200, 201, 300, 301]
    three = run_set("a", hits, hits, instances=[1, 1, 2, 2, 3, 3])
    table, _, notes = shown(three)
    assert "for the function" in notes
    whole = art_interval(three.hits, three.spent, Resampling(), three.instances)
    assert table["high"][0] == whole[1, 0]
    _, _, notes = shown(run_set("a", hits, hits, instances=[1, 1, 1, 2, 2, 2]))
    assert "for these instances alone (1 of 1 functions and dimensions)" in notes


def test_bands_say_it_too():
    hits = [10.0, 11, 20, 21, 30, 31]
    one = run_set("a", hits, hits, instances=[1, 1, 2, 2, 3, 3])
    alone = run_set("a", hits, hits)
    options = ProfileOptions(runtimes="runs")
    resampling = Resampling(samples=100)
    widths = []
    for data in (one, alone):
        (table,) = ecdf_tables([data], TARGETS, [options])
        (found,) = banded([table], [data], options, resampling)
        widths.append((found["high"] - found["low"]).mean())
        assert any("whole instances" in note for note in found.notes) == (data is one)
    assert widths[0] > widths[1]
