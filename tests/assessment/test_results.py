"""Results: selections, columns, the runs that count, and what is refused."""

import json
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import firsthit
from firsthit.assessment import AssessmentError, Results
from firsthit.loggers import read_log
from firsthit.suites.errors import UnknownNameError

from .conftest import first_hit

NAN, INF = math.nan, math.inf


@pytest.fixture(scope="session")
def results(make_log, random_runs):
    return Results(make_log(random_runs(1, "a") + random_runs(2, "b") + random_runs(3, "c")))


def test_art_by_hand(make_log):
    """One run hits 1e-1 at 2, another never in 4; the third is in another dimension."""
    log = make_log(
        [
            {"instance": 1, "precisions": [5.0, 0.1, 0.05]},
            {"instance": 2, "precisions": [50.0, 5.0, 0.5, 2.0]},
            {"dimension": 3, "precisions": [1e-9]},
        ]
    )
    table = Results(log).art(targets=[1e1, 1e-1, 1e-8])
    assert table.to_csv().split("\n") == [
        "algorithm,suite,function,dimension,target,art,successes,runs,evaluations",
        "a,bbob,1,2,10.0,1.5,2,2,3",
        "a,bbob,1,2,0.1,6.0,1,2,6",
        "a,bbob,1,2,1e-08,inf,0,2,7",
        "a,bbob,1,3,10.0,1.0,1,1,1",
        "a,bbob,1,3,0.1,1.0,1,1,1",
        "a,bbob,1,3,1e-08,1.0,1,1,1",
        "",
    ]
    assert str(table).split("\n") == [
        "algorithm  suite  function  dimension  runs  1e1     1e-1       1e-8",
        "a          bbob          1          2     2  1.5  6 (1/2)  inf (0/2)",
        "a          bbob          1          3     1    1        1          1",
    ]
    assert json.loads(table.to_json())[2]["art"] is None


def test_a_filter_makes_results_of_some_runs(loaded):
    some = loaded.filter(algorithms="cma", functions=1)
    mask = (loaded.log.runs["algorithm"] == "cma") & (loaded.log.runs["function"] == 1)
    assert len(some) == mask.sum() < len(loaded)
    assert (some.algorithms, some.functions) == (("cma",), (1,))
    assert some.log.algorithms == ("cma",)
    assert list(some.art().rows()) == list(loaded.art(algorithms="cma", functions=1).rows())
    with pytest.raises(UnknownNameError, match="Did you mean 'cma'"):
        loaded.filter(algorithms="cna")


def test_filters_that_exclude_each_other_are_refused(make_log):
    log = make_log([{"function": 1, "precisions": [1.0]}, {"dimension": 5, "precisions": [1.0]}])
    both = make_log(
        [
            {"function": 1, "dimension": 2, "precisions": [1.0]},
            {"function": 2, "dimension": 5, "precisions": [1.0]},
        ]
    )
    assert len(Results(log).art(functions=1, dimensions=5, targets=1.0)) == 1
    with pytest.raises(
        AssessmentError, match="fits all selectors at once: functions 1, dimensions 5"
    ):
        Results(both).art(functions=1, dimensions=5)


def test_unknown_reference_value_has_no_targets(make_log):
    log = make_log(
        [
            {"function": 1, "precisions": [1.0]},
            {"function": 2, "optimal_value": None, "precisions": [1.0]},
        ]
    )
    with pytest.raises(AssessmentError, match="functions 2 have no reference value"):
        Results(log).art(functions=2)
    table = Results(log).art()
    assert set(table["function"].tolist()) == {1}
    assert any("functions without reference value: f2 of " in note for note in table.notes)
    assert len(Results(log).art(functions=1, targets=1.0)) == 1
    assert Results(log).summary().notes[-1].startswith("runs without reference value: 1; left out")


def test_targets_between_the_recorded_are_marked_as_bounds(make_log):
    """2.9e-3 hits no target of the grid that 3.1e-3 did not hit; 13 is no scheduled count."""
    log = make_log([{"precisions": [5e-3] * 11 + [3.1e-3, 2.9e-3, 1e-3]}], record="targets")
    exact = Results(log).art(targets="1e-2,1e-3")
    bound = Results(log).art(targets="1e-2,2.95e-3")
    assert not any(note.startswith("upper bounds") for note in exact.notes)
    assert bound["art"].tolist() == [1.0, 14.0]
    assert bound.notes[0].startswith("upper bounds: 1 of 2 runtimes (targets 2.95e-3);")
    assert Results(log).runtimes(targets="1e-2,2.95e-3")["exact"].tolist() == [True, False]


def test_broken_runs_count_and_are_named(make_log):
    log = make_log(
        [
            {"instance": 1, "precisions": [1.0]},
            {"instance": 2, "precisions": [5.0] * 3, "status": "failed"},
            {"instance": 3, "precisions": [], "status": "interrupted"},
        ]
    )
    table = Results(log).art(targets=1.0)
    assert next(table.rows())[5:] == (4.0, 1, 3, 4)
    assert table.notes[0].startswith(
        "incomplete runs: 2 of 3 failed, timed out or were interrupted"
    )
    assert table.notes[0] in Results(log).ecdf().notes
    assert table.notes[0] in Results(log).summary().notes


def test_ecdf_columns_and_curves(results):
    table = results.ecdf(targets="1e1,1e-1,1e-8", seed=4)
    names = "algorithm,suite,dimension,group,evaluations_per_dimension,fraction"
    assert ",".join(table.names) == names
    assert [(p.algorithm, p.dimension, p.group) for p in table.profiles] == [
        (a, d, "all") for a in "abc" for d in (2, 5)
    ]
    for p in table.profiles:
        assert p.functions == (1, 2, 3)
        assert p.instances == (1, 2, 3)
        assert p.pairs == 9
        assert p.fraction[0] == 0
        assert (np.diff(p.fraction) >= 0).all()
        assert p.fraction[-1] == pytest.approx(p.solved / p.pairs, abs=1e-14)
        assert p.dot[1] == p.fraction[-1]
        assert p.budgets[-2] < p.dot[0] <= p.budgets[-1]


def test_ecdf_groups(results):
    by_function = results.ecdf(algorithms="a", dimensions=2, group_by="function")
    assert [p.group for p in by_function.profiles] == ["f001", "f002", "f003"]
    by_group = results.ecdf(algorithms="a", dimensions=2, group_by="group")
    assert [(p.group, p.functions) for p in by_group.profiles] == [("odd", (1, 3)), ("even", (2,))]
    everything = results.ecdf(algorithms="a", dimensions=2).profiles[0]
    for budget in (1.0, 10.0, 30.0, 1e3):
        mean = np.mean([p.at(budget) for p in by_function.profiles])
        assert everything.at(budget) == pytest.approx(mean, abs=1e-14)


@pytest.mark.parametrize("runtimes", ["expected", "restarts"])
def test_ecdf_is_that_of_runtimes_with_restarts(make_log, runtimes):
    """A run hits at 1 evaluation / dimension, the other fails at 0.5: half of the samples start
    with the hit, a quarter fail once and end at 1.5, an eighth at 2, beyond 10**(15/50)."""
    log = make_log(
        [{"instance": 1, "precisions": [5.0, 1.0]}, {"instance": 2, "precisions": [9.0]}]
    )
    profile = Results(log).ecdf(targets=1.0, runtimes=runtimes).profiles[0]
    assert profile.at(0.99) == 0.0
    assert profile.at(1.0) == 0.5
    assert profile.marker == (0.5, 0.0)
    assert profile.at(1.6) == pytest.approx(0.75, abs=0.001)
    assert profile.at(2.1) == pytest.approx(0.875, abs=0.001)
    assert profile.fraction[-1] == 1.0


def test_ecdf_where_nothing_is_solved(make_log):
    profile = Results(make_log([{"precisions": [1e5] * 9}])).ecdf().profiles[0]
    assert (profile.solved, profile.dot, profile.marker) == (0, None, (4.5, 0.0))
    assert list(zip(profile.budgets, profile.fraction, strict=True)) == [(1.0, 0.0)]


def test_ecdf_as_text_has_a_line_for_each_curve(results):
    lines = str(results.ecdf(algorithms="a")).split("\n")
    assert len(lines) == 3
    assert lines[0].split()[:6] == ["algorithm", "suite", "dimension", "group", "<=1*D", "<=10*D"]
    profile = results.ecdf(algorithms="a").profiles[0]
    assert f"{profile.solved}/153" in lines[1]
    assert f"{profile.at(10.0):.3f}" in lines[1]


def test_cross_is_at_the_median_of_the_longest_unsuccessful_runs(make_log):
    runs = [
        {"function": f, "instance": i, "precisions": [1.0] * length}
        for f, lengths in {1: (10, 40), 2: (20, 60), 3: (5, 100)}.items()
        for i, length in enumerate(lengths, 1)
    ]
    runs.append({"function": 4, "precisions": [1e-8]})
    profile = Results(make_log(runs)).ecdf().profiles[0]
    assert profile.marker[0] == 60 / 2


def test_simulation_is_seeded_by_names(make_log):
    """The draws of function 2 do not move when function 1 joins; other names draw otherwise."""
    runs = [
        {"function": f, "instance": i, "precisions": [9.0] * (3 * i) + ([1.0] if i < 3 else [])}
        for f in (1, 2)
        for i in range(1, 8)
    ]
    ask = {"targets": 1.0, "group_by": "function", "runtimes": "restarts"}
    both = Results(make_log(runs)).ecdf(**ask).profiles
    alone = Results(make_log(runs[7:])).ecdf(**ask).profiles
    np.testing.assert_array_equal(both[1].fraction, alone[0].fraction)
    assert both[0].dot != both[1].dot


PROBLEM = ("suite", "function", "dimension", "instance")


def rows_of(log, *names):
    """Return the values of columns as a tuple for each run."""
    return list(zip(*(log.runs[name].tolist() for name in names), strict=True))


@pytest.fixture(scope="module")
def staged(tmp_path_factory):
    """A log of two algorithms, two functions, two repetitions, two seeds and three stages."""

    def stand_still(problem):
        while True:
            problem(problem.initial_solution + 1)

    folder = tmp_path_factory.mktemp("staged")
    problems = [
        firsthit.problem_from(lambda x: float(x @ x), 2, number=number, optimal_value=0.0)
        for number in (1, 2)
    ]
    for seed in (1, 2):
        firsthit.benchmark(
            {"a": stand_still, "b": stand_still}, problems, budget=[1, 2, 4], repetitions=2,
            seed=seed, output=folder / f"{seed}.h5", progress=False,
        )  # fmt: skip
    return read_log(folder)


@given(data=st.data())
def test_the_latest_stage_of_a_run_counts(staged, data):
    positions = st.sets(st.integers(0, len(staged) - 1), min_size=1, max_size=12)
    log = staged.take(sorted(data.draw(positions)))
    latest = {}
    for *identity, stage, evaluations in rows_of(
        log, "algorithm", *PROBLEM, "repetition", "campaign_seed", "stage", "evaluations"
    ):
        latest[tuple(identity)] = max(latest.get(tuple(identity), (0, 0)), (stage, evaluations))
    expected = [
        (algorithm, function, repetition, evaluations)
        for (algorithm, _, function, _, _, repetition, _), (_, evaluations) in latest.items()
    ]
    table = Results(log).runtimes(1.0)
    names = ("algorithm", "function", "repetition", "spent")
    runs = zip(*(table[name].tolist() for name in names), strict=True)
    assert sorted(runs) == sorted(expected)


TARGETS = (1e1, 1e-2)


@pytest.fixture(scope="module")
def random_log(make_log):
    """A log of 150 random runs, and the runs by algorithm, problem and repetition."""
    rng = np.random.default_rng(1)
    runs = [
        {
            "algorithm": str(rng.choice(["a", "b", "a b"])),
            "suite": str(rng.choice(["bbob", "bbob-x"])),
            "function": int(rng.integers(1, 3)),
            "dimension": int(rng.choice([2, 10])),
            "instance": int(rng.integers(1, 4)),
            "status": str(rng.choice(["", "failed", "interrupted"])),
            "precisions": rng.choice([1e3, 1.0, 1e-3, 1e-8], rng.integers(1, 5)).tolist(),
        }
        for _ in range(150)
    ]
    repetitions, by_identity = Counter(), {}
    for run in runs:
        problem = (run["algorithm"], *(run[name] for name in PROBLEM))
        by_identity[*problem, repetitions[problem]] = run
        repetitions[problem] += 1
    return make_log(runs), by_identity


@given(data=st.data())
def test_runtimes_of_runs_are_those_of_a_plain_loop(random_log, data):
    log, by_identity = random_log
    positions = st.sets(st.integers(0, len(log) - 1), min_size=1, max_size=12)
    log = log.take(sorted(data.draw(positions)))
    expected, n_broken = [], 0
    for identity in sorted(rows_of(log, "algorithm", *PROBLEM, "repetition")):
        precisions = by_identity[identity]["precisions"]
        n_broken += by_identity[identity]["status"] != ""
        spent = np.fmin(first_hit(precisions, 1e-8), len(precisions))
        for target in TARGETS:
            runtime = np.nan_to_num(first_hit(precisions, target), nan=INF)
            expected.append((*identity, target, runtime, spent, True))
    table = Results(log).runtimes(TARGETS)
    assert list(table.rows()) == expected
    words = f"incomplete runs: {n_broken} of {len(log)} failed, timed out or were interrupted"
    assert any(note.startswith(words) for note in table.notes) == (n_broken > 0)
