"""Results: selections, columns, run sets, and what is refused."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.assessment import AssessmentError, Results
from firsthit.assessment.data.run_sets import run_sets_of
from firsthit.assessment.data.selection import latest_stage, select_runs
from firsthit.assessment.targets.parse import bbob_targets
from firsthit.assessment.targets.target_sets import common_set
from firsthit.suites.errors import UnknownNameError

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
            {"function": 2, "reference_value": NAN, "precisions": [1.0]},
        ]
    )
    with pytest.raises(AssessmentError, match="functions 2 have no reference value"):
        Results(log).art(functions=2)
    table = Results(log).art()
    assert set(table["function"].tolist()) == {1}
    assert any("left out, as no reference value is known: f2 of " in note for note in table.notes)
    assert len(Results(log).art(functions=1, targets=1.0)) == 1
    assert Results(log).summary().notes[-1] == "1 runs without a reference value are left out."


def test_targets_between_the_recorded_are_marked_as_bounds(make_log):
    log = make_log([{"precisions": [5e-3, 2.9e-3, 1e-3]}])
    exact = Results(log).art(targets="1e-2,1e-3")
    bound = Results(log).art(targets="1e-2,2.95e-3")
    assert not any("between the recorded" in note for note in exact.notes)
    assert bound["art"].tolist() == [1.0, 3.0]
    assert "targets 2.95e-3 lie between the recorded ones" in bound.notes[0]
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
    assert table.notes[0].startswith("2 of 3 runs failed, timed out or were interrupted")
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


def test_summary_by_hand(make_log):
    """Function 1 solves 1e-1 (aRT 4) and no more, function 2 all (aRT 9): 36 + 51 of 102 pairs."""
    log = make_log(
        [
            {"function": 1, "precisions": [500.0, 500.0, 500.0, 0.1]},
            {"function": 2, "precisions": [500.0] * 8 + [1e-8]},
        ]
    )
    table = Results(log).summary()
    solved = sum(t >= 0.1 for t in bbob_targets()) + 51
    assert list(table.rows()) == [
        ("a", "bbob", 2, 2, 2, solved / 102, 2, 6.0, 2, 1, pytest.approx(9), 1)
    ]
    assert [line.split() for line in str(table).split("\n")[:2]] == [
        [
            "algorithm", "suite", "dimension", "functions", "runs", "pairs", "solved",
            *("functions", "to", "1e-1", "aRT", "to", "1e-1"),
            *("functions", "to", "1e-8", "aRT", "to", "1e-8"),
        ],
        ["a", "bbob", "2", "2", "2", "65.7%", "2/2", "6", "over", "2", "1/2", "9", "over", "1"],
    ]  # fmt: skip


def test_means_of_a_summary_are_over_the_same_functions(make_log):
    """b solves the hard function too, which must not make it look slower."""
    lengths = {"a": {1: 10, 2: None}, "b": {1: 10, 2: 90}, "c": {1: 20, 3: 50}}
    log = make_log(
        [
            {
                "algorithm": name,
                "function": f,
                "precisions": [500.0] * ((n or 100) - 1) + [1e-8 if n else 500.0],
            }
            for name, of in lengths.items()
            for f, n in of.items()
        ]
    )
    table = Results(log).summary()
    assert table["functions_1e-8"].tolist() == [1, 2, 2]
    assert table["art_1e-8"].tolist() == pytest.approx([10, 10, 20])
    assert table["common_1e-8"].tolist() == [1, 1, 1]
    nowhere = Results(log).summary(functions="2-3")
    assert nowhere["common_1e-8"].tolist() == [0, 0, 0]
    assert [line.split()[-1] for line in str(nowhere).split("\n")[1:4]] == ["-"] * 3
    assert Results(log).summary(algorithms="b")["art_1e-8"].tolist() == pytest.approx([30.0])


def test_summary_where_nothing_is_solved(make_log):
    table = Results(make_log([{"precisions": [1e9]}])).summary()
    assert table["solved"].tolist() == [0.0]
    assert table["art_1e-8"].tolist() == [INF]
    line = str(table).split("\n")[1]
    assert line.split() == ["a", "bbob", "2", "1", "1", "0.0%", "0/1", "-", "0/1", "-"]


RUN = st.fixed_dictionaries(
    {
        "algorithm": st.sampled_from(["a", "b", "a b"]),
        "suite": st.sampled_from(["bbob", "bbob-x"]),
        "function": st.integers(1, 2),
        "dimension": st.sampled_from([2, 10]),
        "instance": st.integers(1, 3),
        "repetition": st.integers(0, 1),
        "stage": st.integers(0, 2),
        "campaign_seed": st.integers(0, 1),
        "status": st.sampled_from(["target", "budget", "failed", "timeout", "interrupted"]),
        "precisions": st.lists(st.sampled_from([1e3, 1.0, 1e-3, 1e-8]), min_size=1, max_size=4),
    }
)
SAME = ("algorithm", "suite", "function", "dimension", "instance", "repetition", "campaign_seed")
TARGETS = (1e1, 1e-2)


def is_latest(run, runs):
    return all(
        other["stage"] <= run["stage"]
        for other in runs
        if all(other[name] == run[name] for name in SAME)
    )


@given(runs=st.lists(RUN, min_size=1, max_size=12))
def test_the_latest_stage_of_a_run_counts(make_log, runs):
    assert latest_stage(make_log(runs)).tolist() == [is_latest(run, runs) for run in runs]


@given(runs=st.lists(RUN, min_size=1, max_size=12))
def test_run_sets_are_those_of_a_plain_loop(make_log, runs):
    log = make_log(runs)
    rows = select_runs(log)
    run_sets = run_sets_of(log, rows, common_set(TARGETS))
    cells = {}
    for row in sorted(rows.tolist(), key=lambda r: (runs[r]["instance"], runs[r]["repetition"])):
        run = runs[row]
        name = (run["algorithm"], run["suite"], run["function"], run["dimension"])
        cells.setdefault(name, []).append(run)
    assert [(t.algorithm, t.suite, t.function, t.dimension) for t in run_sets] == sorted(cells)
    for one, name in zip(run_sets, sorted(cells), strict=True):
        mine = cells[name]
        assert one.instances.tolist() == [run["instance"] for run in mine]
        assert one.repetitions.tolist() == [run["repetition"] for run in mine]
        assert one.broken == sum(
            run["status"] in ("failed", "timeout", "interrupted") for run in mine
        )
        assert one.exact.shape == one.hits.shape == (len(mine), len(TARGETS))
        for i, run in enumerate(mine):
            first = [next((n for n, p in enumerate(run["precisions"], 1) if p <= t), np.nan)
                     for t in (*TARGETS, 1e-8)]  # fmt: skip
            np.testing.assert_array_equal(one.hits[i], first[:-1])
            end = first[-1] if np.isfinite(first[-1]) else len(run["precisions"])
            assert one.spent[i] == end
