"""Comparisons of algorithms: tests, conclusions, corrections, ratios.

Private names: comparisons are made of runs with chosen first hits.
"""

import itertools
from functools import partial

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats

from firsthit.assessment import AssessmentError, Results
from firsthit.assessment.hits.ranked_runs import ranks_of_runs, run_tests
from firsthit.assessment.questions.compare import Decision, compare_table, conclusion
from firsthit.assessment.statistics.intervals import Resampling
from firsthit.assessment.targets.target_sets import common_set

from .run_sets import ranked

FEW = Resampling(samples=40)


def compared(*ranked_runs, against=None, **options):
    decision = Decision(resampling=FEW, **options)
    return compare_table(ranked_runs, common_set((1e-8,)), decision, against)


def random_climbs(rng, algorithms, functions=range(1, 7), shift=1.0):
    for name in algorithms:
        for function in functions:
            hits = np.where(rng.random(9) < 0.7, rng.geometric(0.01, 9), np.nan)
            hits = hits * (shift if name == algorithms[-1] else 1.0)
            spent = np.where(np.isnan(hits), 900.0, np.nan_to_num(hits))
            yield ranked(name, hits, spent, rng.random(9), function=function)


def test_a_pair_by_hand():
    """3 against 3 separated runs: p = 2/20; aRT 20 and 120/3 + ... as written."""
    table = compared(
        ranked("a", [10, 20, 30], [10, 20, 30]),
        ranked("b", [40, 50, np.nan], [40, 50, 90]),
    )
    row = dict(zip(table.names, next(table.rows()), strict=True))
    assert (row["art_first"], row["art_second"]) == (20.0, 90.0)
    assert row["ratio"] == pytest.approx(20 / 90)
    assert (row["successes_first"], row["successes_second"], row["runs_second"]) == (3, 2, 3)
    assert row["p"] == row["p_corrected"] == pytest.approx(2 / 20)
    assert (row["better"], row["superiority"]) == ("", 1.0)
    n = np.ceil((stats.norm.ppf(0.975) + stats.norm.ppf(0.8)) ** 2 / (6 * 0.25))
    assert row["more_runs"] == n - 3
    assert "not decidable with these runs; about 3 more instances" in str(table)


def test_failures_are_ordered_by_precision_at_the_shortest_failed_run():
    """Failures after 50 and 80 evaluations: a success at 60 is too late to count as one."""
    one = ranked("a", [40, 60], [40, 60], [1e-9, 0.3])
    two = ranked("b", [np.nan, np.nan], [50, 80], [0.1, 0.2])
    assert run_tests([(one, two, 0)])[0].superiority == 0.5


@pytest.mark.slow
def test_equal_algorithms_are_known_apart_in_at_most_one_of_twenty_experiments():
    """100 A/A pairs of 24 functions with failures; ``benchmarks/alarms.py`` has more of them."""
    rng = np.random.default_rng(2)
    alarms = 0
    for _ in range(100):
        table = compared(*random_climbs(rng, ["a", "b"], functions=range(1, 25)))
        alarms += (table["better"] != "").any()
    assert alarms <= stats.binom.ppf(0.999, 100, 0.05)


def repeated_runs(rng, name, instances, difficulty):
    hits = np.ceil(100 * np.exp(0.2 * rng.normal(size=len(instances)) + difficulty[instances]))
    return ranked(name, hits, hits, instances=instances)


@pytest.mark.parametrize("shift", [0, 3])
def test_equal_algorithms_on_few_repeated_instances_are_seldom_known_apart(shift):
    """Three instances, five runs each, the same instances or others."""
    rng, instances, alarms = np.random.default_rng(7), np.repeat(np.arange(3), 5), 0
    for _ in range(200):
        difficulty = 0.5 * rng.normal(size=6)
        one = repeated_runs(rng, "a", instances, difficulty)
        other = repeated_runs(rng, "b", instances + shift, difficulty)
        alarms += compared(one, other, correction="none")["better"][0] != ""
    assert alarms <= stats.binom.ppf(0.999, 200, 0.05)


def test_instances_that_both_have_show_small_differences():
    """1.3 times slower on each of three instances that differ by factors: seen within them."""
    rng, instances = np.random.default_rng(8), np.repeat(np.arange(3), 5)
    difficulty = np.array([0.0, 2.0, 4.0])
    found = 0
    for _ in range(20):
        one = repeated_runs(rng, "a", instances, difficulty)
        other = repeated_runs(rng, "b", instances, difficulty + 0.26)
        table = compared(one, other)
        found += table["better"][0] == "a"
    assert found >= 15
    assert table.within == (True,)  # more of them would be runs on these instances


def hitting_log(make_log, hits, instances=None):
    """A log of algorithms by the evaluations of their hits of 1; None: 900 without a hit."""
    return make_log(
        [
            {
                "algorithm": name,
                "instance": i if instances is None else instances[i - 1],
                "precisions": [9.0] * 900 if hit is None else [9.0] * (hit - 1) + [0.5],
            }
            for name, hits_of_name in hits.items()
            for i, hit in enumerate(hits_of_name, 1)
        ]
    )


def test_what_unseen_failures_could_cost_is_said_where_all_runs_succeed(make_log):
    failing = [40, None, 50, 60, 70]
    said = "unobserved failures: "
    for hits, expected in (({"a": [30] * 5, "b": failing}, 1), ({"b": failing, "c": failing}, 0)):
        table = Results(hitting_log(make_log, hits)).compare(1.0)
        notes = [note for note in table.notes if said in note]
        assert len(notes) == expected
        assert all("0.61 (5 runs) times the evaluations of a failed run" in note for note in notes)
        assert any("extended to include 1" in note for note in table.notes)


def test_notes_say_how_repeated_instances_are_tested(make_log):
    hits = {"a": [10, 11, 20, 21, 30, 31], "b": [12, 13, 22, 23, 32, 33]}
    table = Results(hitting_log(make_log, hits, [1, 1, 2, 2, 3, 3])).compare(1.0)
    assert any("exchange runs within shared instances" in note for note in table.notes)
    assert not any("different instances" in note for note in table.notes)


def test_an_interval_never_contradicts_the_conclusion():
    """It contains 1 where nothing is decided, and never lies on the loser's side."""
    rng, outside = np.random.default_rng(9), 0
    for factor in (1.0, 1.3, 3.0):
        for _ in range(40):
            hits = np.exp(rng.normal(5, 0.8, (2, 8))) + 1
            hits[1] *= factor
            pair = [ranked(n, h, h) for n, h in zip("ab", hits, strict=True)]
            row = dict(zip((t := compared(*pair)).names, next(t.rows()), strict=True))
            if row["better"] == "":
                assert row["low"] <= 1 <= row["high"]
            elif row["better"] == "a":
                assert row["low"] <= 1
                outside += row["high"] < 1
            else:
                assert row["high"] >= 1
    assert outside > 10


def test_an_interval_is_drawn_out_to_1_where_the_correction_leaves_a_row_undecided():
    """Ten times slower on one of eight functions: p is 2/252 alone, 16/252 corrected."""
    pairs = [
        ranked(name, hits, hits, function=f)
        for f in range(1, 9)
        for name, hits in (
            ("a", [10, 11, 12, 13, 14]),
            ("b", [100, 110, 120, 130, 140] if f == 1 else [10, 11, 12, 13, 14]),
        )
    ]
    alone, all_rows = compared(*pairs[:2]), compared(*pairs)
    assert alone["better"][0] == "a"
    assert alone["high"][0] < 0.3
    first = all_rows["function"] == 1
    assert all_rows["better"][first] == [""]
    assert all_rows["high"][first] == [1.0]
    assert all_rows["low"][first] == alone["low"]


def test_a_real_difference_is_found_and_named():
    table = compared(*random_climbs(np.random.default_rng(3), ["a", "b"], shift=30.0))
    assert set(table["better"]) <= {"a", ""}
    assert (table["better"] == "a").sum() >= 3
    assert (table["more_runs"][table["better"] == "a"] == 0).all()
    mirrored = compared(*random_climbs(np.random.default_rng(3), ["z", "b"], shift=30.0))
    assert mirrored["better"].tolist() == ["z" if b else "" for b in table["better"]]
    assert mirrored["ratio"] == pytest.approx(1 / table["ratio"], nan_ok=True)
    assert mirrored["p"] == pytest.approx(table["p"])


def test_another_algorithm_changes_no_number_of_a_pair():
    ranked_runs = list(random_climbs(np.random.default_rng(4), ["a", "b", "c"]))
    alone = compared(*[one for one in ranked_runs if one.run_set.algorithm != "c"])
    together = compared(*ranked_runs)
    mine = [row for row in together.rows() if row[4:6] == ("a", "b")]
    assert repr(mine) == repr(list(alone.rows()))


def test_corrections_and_who_is_compared():
    ranked_runs = list(random_climbs(np.random.default_rng(5), ["a", "b", "c"]))
    none, holm, bonferroni = (
        compared(*ranked_runs, correction=c) for c in ("none", "holm", "bonferroni")
    )
    assert none["p_corrected"].tolist() == none["p"].tolist()
    assert (holm["p_corrected"] <= bonferroni["p_corrected"]).all()
    assert (bonferroni["p_corrected"] == np.minimum(6 * none["p"], 1)).all()
    against = compared(*ranked_runs, against="b")
    assert set(zip(against["first"], against["second"], strict=True)) == {("a", "b"), ("c", "b")}


def test_dimensions_and_functions_of_one_algorithm_only_are_not_compared():
    one, other = ranked("a", [1], [1]), ranked("b", [1], [1], dimension=3)
    with pytest.raises(AssessmentError, match="no two algorithms were run on the same function"):
        compared(one, other)
    with pytest.raises(AssessmentError, match="nothing to compare"):
        compared(one)


def test_conclusions_in_words():
    assert conclusion("", np.inf) == "no difference seen"
    assert conclusion("", 4839.0) == "not decidable with these runs; about 4800 more instances"
    assert conclusion("", 12.0, True).endswith("about 12 more runs on these instances")


def test_where_nobody_solved_anything_precision_ranks():
    """5 against 5 runs, all of which missed, apart in precision; and with a single hit."""
    never, ends = [np.nan] * 5, [50] * 5
    better = ranked("a", never, ends, np.arange(1, 6) / 10)
    worse = ranked("b", never, ends, np.arange(1, 6) * 10.0)
    table = compared(better, worse)
    assert table["better"].tolist() == ["a"]
    assert "a ranks better (by precision)" in str(table)
    assert "faster" not in str(table)
    hit = ranked("a", [*never[:4], 20], ends, np.arange(1, 6) / 10)
    assert "a is faster" in str(compared(hit, worse))


def test_tables_of_pairs(loaded):
    ratios = loaded.ratios("cma", "nelder-mead", "1e1", dimensions=5)
    mine = loaded.runtimes(targets="1e1", dimensions=5)
    runs = {
        (a, f): mine["runtime"][(mine["algorithm"] == a) & (mine["function"] == f)]
        for a in loaded.algorithms
        for f in (1, 2, 3)
    }
    shares = [
        np.mean(np.divide.outer(runs["cma", f], runs["nelder-mead", f]) <= 1) for f in (1, 2, 3)
    ]
    at_one = ratios["fraction"][ratios["ratio"] == 1.0]
    assert at_one == pytest.approx([np.mean(shares)])
    paired = loaded.ratios("cma", "nelder-mead", "1e1", pairs="instances", dimensions=5)
    assert set(paired["pairs"]) == {9}
    scatter = loaded.scatter("cma", "nelder-mead", "1e1,1e-8")
    art = loaded.art(algorithms="nelder-mead", targets="1e1,1e-8")
    assert sorted(scatter["art_second"]) == sorted(art["art"])
    scaling = loaded.scaling("1e1")
    wanted = loaded.art(targets="1e1")
    assert sorted(scaling["art"]) == sorted(wanted["art"] / wanted["dimension"])


def test_questions_over_functions_refuse_targets_that_differ_with_one_sentence(loaded):
    own = loaded.targets("dynamic")
    messages = set()
    for ask in (partial(loaded.ratios, "cma", "nelder-mead"), loaded.dual_ecdf):
        with pytest.raises(AssessmentError, match="give targets that all functions share") as error:
            ask(own)
        messages.add(str(error.value))
    assert len(messages) == 1


def test_another_algorithm_changes_no_band(loaded):
    band = loaded.ecdf(dimensions=5, interval=0.9)
    alone = loaded.ecdf(algorithms="cma", dimensions=5, interval=0.9)
    mine = band["algorithm"] == "cma"
    assert (band["low"][mine] == alone["low"]).all()


@given(
    runs=st.lists(
        st.tuples(st.sampled_from([1.0, 2.0, 7.0, np.nan]), st.sampled_from([0.1, 2.0, np.inf])),
        min_size=1, max_size=9,
    ),
    until=st.sampled_from([1.0, 5.0, np.inf]),
)  # fmt: skip
@example(runs=[(2.0, 0.1), (np.nan, 2.0)], until=5.0)
def test_the_order_of_runs_is_that_of_all_pairs(runs, until):
    hits, precision = np.array(runs).T
    place = ranks_of_runs(hits, precision, until)
    keys = [(0, h) if h <= until else (1, p) for h, p in runs]
    for i, j in itertools.product(range(len(runs)), repeat=2):
        assert (place[i] < place[j]) == (keys[i] < keys[j])
        assert (place[i] == place[j]) == (keys[i] == keys[j])


@pytest.mark.parametrize("never", [np.nan, np.inf, -np.inf])
def test_only_finite_numbers_are_hits_and_precisions(never):
    ranks = ranks_of_runs([5.0, never, 7.0], [1e-9, 0.1, 1e-9], 60.0)
    assert ranks.tolist() == [0.0, 2.0, 1.0]
    assert ranks_of_runs([np.nan] * 2, [never, 5.0], 60.0).tolist() == [1.0, 0.0]
