"""What tables say of what they rest on and take for granted, and of their intervals."""

import numpy as np
import pytest

import firsthit
from firsthit.assessment import Results
from firsthit.assessment.statistics.average_runtime import dominant_instances
from firsthit.assessment.statistics.intervals import Resampling, art_interval


def test_the_basis_names_runs_instances_and_what_counts(make_log):
    """Algorithms with different runs are told apart; a base and a new version, too."""
    runs = [
        {"algorithm": "a", "instance": 1, "precisions": [1.0]},
        {"algorithm": "a", "instance": 2, "precisions": [1.0]},
        {"algorithm": "b", "instance": 7, "precisions": [1.0]},
    ]
    results = Results(make_log(runs))
    which = (
        "runs: a: 2 on each function and dimension (instances 1, 2); b: 1 on each function and "
        "dimension (instances 7); "
    )
    said = results.art(1.0).notes[-1]
    assert said == (f"{which}each counts once, unsuccessful runs with all their evaluations.")
    assert results.fixed_budget([1]).notes[-1].startswith(which)
    both = results.regressions(results).notes
    assert f"base, {said}" in both
    assert f"new, {said}" in both


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"convention": "runs"}, "each counts once; quantiles count unsuccessful runs as infinite"),
        ({"convention": "iohanalyzer"}, "successful runs only, except in PAR-k and ERT"),
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
        ("runs", "unsuccessful runs as never reaching the target"),
    ):
        notes = loaded.ecdf(runtimes=runtimes).notes
        assert any(
            words in n and "each function-target pair has the same weight" in n for n in notes
        )
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
    (note,) = notes(results.art(targets=[1e2], functions=1), "dominant instance: ")
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
    (note,) = notes(table, "unequal lengths: ")
    assert "stops_early 10 to 50 (" in note


@pytest.mark.parametrize("runtimes", ["suite", "runs"])
def test_a_profile_says_nothing_where_all_spent_the_budget_or_no_restarts_count(tmp_path, runtimes):
    restarts = None if runtimes == "suite" else 0
    table = run(tmp_path, stops_early, budget=100, restarts=restarts).ecdf(runtimes=runtimes)
    assert not notes(table, "unequal lengths: ")


def hitting(make_log, hits, instances=None):
    """Results of runs by the evaluations of their hits of 1; None: 1000 without a hit."""
    return Results(
        make_log(
            [
                {
                    "instance": instances[i] if instances else i + 1,
                    "precisions": [9.0] * 1000 if hit is None else [9.0] * (hit - 1) + [0.5],
                }
                for i, hit in enumerate(hits)
            ]
        )
    )


def shown(results):
    table = results.art(1.0, interval=0.95)
    return table, str(table), " ".join(table.notes)


def test_five_runs_that_all_succeed(make_log):
    table, text, notes = shown(hitting(make_log, [259, 411, 438, 283, 427]))
    assert (table["low"][0], table["high"][0]) == pytest.approx((234.129, 507.731), abs=0.01)
    assert not table["at_least"][0]
    assert "[234, 508]" in text or "[234.1, 507.7]" in text
    assert "0.61 (5 runs) times the evaluations of a failed run" in notes
    assert "instances only" not in notes


@pytest.mark.parametrize("hits", [[10, None, None, None, 20], [10, 12, 9, 11, 900], [None] * 5])
def test_runs_that_do_not_tell_the_upper_end_show_the_lower_one_only(make_log, hits):
    table, text, notes = shown(hitting(make_log, hits))
    assert table["at_least"][0]
    assert "[>= " in text
    assert ("skewed runtimes: " in notes) == (900 in hits)


def test_for_whom_intervals_hold(make_log):
    """Three instances and more: for the function, from whole instances; two: for these."""
    hits, three = [100, 101, 200, 201, 300, 301], [1, 1, 2, 2, 3, 3]
    table, _, notes = shown(hitting(make_log, hits, three))
    assert "for the function" in notes
    columns = np.array(hits, dtype=float)[:, np.newaxis], np.array(hits, dtype=float)
    assert table["high"][0] == art_interval(*columns, Resampling(), np.array(three))[1, 0]
    _, _, notes = shown(hitting(make_log, hits, [1, 1, 1, 2, 2, 2]))
    assert "valid for the instances only on 1 of 1 functions and dimensions" in notes


def test_bands_say_it_too(make_log):
    widths = []
    for instances in ([1, 1, 2, 2, 3, 3], None):
        results = hitting(make_log, [10, 11, 20, 21, 30, 31], instances)
        table = results.ecdf(1.0, runtimes="runs", interval=0.95)
        widths.append((table["high"] - table["low"]).mean())
        assert any(
            "an instance with several runs counts as one" in note for note in table.notes
        ) == (instances is not None)
    assert widths[0] > widths[1]
