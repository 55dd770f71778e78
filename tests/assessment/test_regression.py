"""``firsthit regressions``: no false alarms, slowdowns found, numbers by hand, output for machines.

Private names: comparisons are made of runs with chosen first hits.
"""

import json
from xml.etree import ElementTree

import numpy as np
import pytest
from scipy import stats

from firsthit.assessment import AssessmentError
from firsthit.assessment.regression import (
    RegressionOptions,
    paired_rows,
    regression_table,
)
from firsthit.assessment.statistics.slowdown import (
    Versions,
    clock_ratio,
    overall,
    reliability,
    scores,
    standing,
)
from firsthit.assessment.targets.target_sets import common_set

from ..command_line import invoke
from .conftest import problem_id
from .run_sets import run_set, sample_of

PAIRS = np.column_stack([np.arange(15)] * 2)
NO_PAIRS = np.empty((0, 2), dtype=np.int64)
TARGETS = common_set((1.0, 1e-8))


def versions_of(base, new, pairs=NO_PAIRS, budget=1000.0):
    """Versions from hits ``(n_runs, n_targets)`` (NaN: missed) with one budget."""
    sides = []
    for hits in (base, new):
        hits = np.array(hits, dtype=float)
        sides += [hits, np.where(np.isnan(hits[:, -1]), budget, hits[:, -1])]
    return Versions(*sides, pairs)


def random_versions(rng, slower=1.0, spread=0.2, same=False):
    """15 runs to two targets, missing the second with probability 0.3."""
    speed = np.exp(spread * rng.normal(size=(2, 15)))
    missed = rng.random((2, 15)) < 0.3
    if same:
        speed[1], missed[1] = speed[0], missed[0]
    sides = []
    for mine, misses, factor in zip(speed, missed, (1.0, slower), strict=True):
        hits = np.ceil(np.column_stack([50 * mine, 200 * mine]) * factor)
        hits[misses, 1] = np.nan
        sides.append(hits)
    return versions_of(*sides, PAIRS, budget=1e5)


def two_trials(versions, function=1, names=("old", "new")):
    return (
        run_set(names[0], versions.base_hits, versions.base_spent, function),
        run_set(names[1], versions.new_hits, versions.new_spent, function),
    )


def table_of_versions(cells, **options):
    pairs = [two_trials(cell, f) for f, cell in enumerate(cells, 1)]
    base, new = zip(*pairs, strict=True)
    return regression_table(
        sample_of(base, TARGETS), sample_of(new, TARGETS), RegressionOptions(**options)
    )


def test_scores_are_mean_ranks_by_hand():
    """Target 1: ranks 1 2 | 3 4. Target 2: hits 10 and 20 | 30 and none, so 1 2 | 3 4 again."""
    one = versions_of([[1, 10], [2, 20]], [[3, 30], [4, np.nan]])
    base, new = scores(one, 1.0)
    assert base.tolist() == [1.0, 2.0]
    assert new.tolist() == [3.0, 4.0]
    assert scores(one, 10.0)[0].tolist() == [(3 + 2) / 2, (4 + 3) / 2]


def test_a_hit_after_the_shortest_failure_is_a_failure():
    one = Versions(
        np.array([[90.0], [np.nan]]), np.array([90.0, 60.0]),
        np.array([[70.0], [50.0]]), np.array([70.0, 50.0]), NO_PAIRS,
    )  # fmt: skip
    base, new = scores(one, 1.0)
    assert base.tolist() == [3.0, 3.0]
    assert new.tolist() == [3.0, 1.0]


def test_p_values_by_hand():
    """3 against 3 separated runs: 1/20; with 6 pairs all slower: 2 * min(1/64, 1/924)."""
    slow = versions_of([[1.0], [2.0], [3.0]], [[4.0], [5.0], [6.0]])
    assert standing(slow, 1.0)[:2] == pytest.approx((1 / 20, 1.0))
    paired = versions_of(
        np.arange(1.0, 7)[:, None],
        np.arange(11.0, 17)[:, None],
        np.column_stack([np.arange(6)] * 2),
    )
    assert standing(paired, 1.0).p == pytest.approx(2 / 924)
    interleaved = versions_of(
        np.array([[1.0], [10], [20], [30], [40], [50]]),
        np.array([[2.0], [11], [21], [31], [41], [51]]),
        np.column_stack([np.arange(6)] * 2),
    )
    assert standing(interleaved, 1.0).p == pytest.approx(2 / 64)
    assert standing(versions_of(interleaved.base_hits, interleaved.new_hits), 1.0).p > 0.3


def test_equal_versions_raise_no_more_alarms_than_said():
    """50 A/A pairs of 12 functions; ``benchmarks/alarms.py`` has more, of 24."""
    rng = np.random.default_rng(1)
    alarms = 0
    for _ in range(50):
        cells = [random_versions(rng, spread=rng.choice([0.1, 0.5])) for _ in range(12)]
        p = [standing(cell, 1.0).p for cell in cells] + [reliability(c, 1.0).p for c in cells]
        p.append(overall(cells, 1.0)[0])
        alarms += min(p) <= 0.05 / len(p)
    assert alarms <= stats.binom.ppf(0.999, 50, 0.05)


def test_a_planted_slowdown_is_found():
    rng = np.random.default_rng(2)
    cells = [random_versions(rng, 2.0 if f < 5 else 1.0) for f in range(24)]
    table = table_of_versions(cells)
    found = set(table["scope"][table["regression"]])
    assert (
        {f"f{f:03d}" for f in range(1, 6)} <= found <= {f"f{f:03d}" for f in range(1, 6)} | {"all"}
    )
    mine = (table["scope"] == "f001") & (table["what"] == "runtime")
    assert table["low"][mine][0] < 2 < table["high"][mine][0]
    assert str(table).split()[:3] == ["algorithm", "suite", "dimension"]
    assert "slower" in str(table)
    tolerant = table_of_versions(cells, factor=2.5)
    assert tolerant.regressions == 0
    assert "0 regressions in 49 tests" in str(tolerant)


def test_a_slowdown_of_equal_runs_is_found_however_spread_they_are():
    """Same seeds: every run is 1.1 times slower, which only the pairs tell."""
    rng = np.random.default_rng(3)
    one = random_versions(rng, 1.1, spread=1.5, same=True)
    assert standing(one, 1.0).p < 1e-3
    unpaired = Versions(one.base_hits, one.base_spent, one.new_hits, one.new_spent, NO_PAIRS)
    assert standing(unpaired, 1.0).p > 0.1
    ratio, low, high = clock_ratio([one], 0.95)
    assert low <= 1.1 <= high < 1.3
    assert ratio == pytest.approx(1.1, abs=0.1)


def test_the_overall_ratio_is_narrower():
    rng = np.random.default_rng(5)
    cells = [random_versions(rng, 1.5, spread=0.5) for _ in range(8)]
    ratio, low, high = clock_ratio(cells, 0.95)
    assert low < 1.5 < high
    single = clock_ratio(cells[:1], 0.95)
    assert high / low < single[2] / single[1]
    assert low < ratio < high


def test_the_interval_agrees_with_the_decision():
    """One-sided at 2.5 %: the lower end is above the factor exactly if the test rejects there."""
    rng = np.random.default_rng(6)
    for slower in (1.0, 1.2, 1.4, 2.0):
        one = random_versions(rng, slower, spread=0.4)
        _, low, _ = clock_ratio([one], 0.95)
        for factor in (0.9 * low, 1.1 * low):
            assert (standing(one, factor).p <= 0.025) == (low > factor)


def test_less_reliable_is_fishers_exact_test():
    """14 of 15 successes after, 4 of 15 before swapped: the hardest target half of all hit."""
    base = np.array([[10.0, 100.0]] * 14 + [[10.0, np.nan]])
    new = np.array([[10.0, 100.0]] * 4 + [[10.0, np.nan]] * 11)
    found = reliability(versions_of(base, new), 1.0)
    assert (found.target, found.base, found.new) == (1, 14, 4)
    expected = stats.fisher_exact([[14, 1], [4, 11]], alternative="greater").pvalue
    assert found.p == pytest.approx(expected)
    table = table_of_versions([versions_of(base, new)])
    assert "less reliable: 4/15 after 14/15" in str(table)
    hopeless = reliability(versions_of(np.full((5, 1), np.nan), np.full((5, 1), np.nan)), 1.0)
    assert hopeless == (-1, 0, 0, 1.0)


def repeated_versions(rng, shift, slower=1.0):
    """Three runs on each of five instances that differ as much as runs, or on five others."""
    base = np.repeat(np.arange(5), 3)
    new, difficulty = base + shift, 0.4 * rng.normal(size=10)
    sides = []
    for instances, factor in ((base, 1.0), (new, slower)):
        speed = np.exp(0.4 * rng.normal(size=15) + difficulty[instances]) * factor
        hits = np.ceil(np.column_stack([50 * speed, 200 * speed]))
        hits[hits > 300] = np.nan
        sides += [hits, np.where(np.isnan(hits[:, 1]), 300.0, hits[:, 1])]
    pairs = NO_PAIRS if shift else np.column_stack([np.arange(15)] * 2)
    return Versions(*sides, pairs, (base, new))


@pytest.mark.parametrize("shift", [0, 5])
def test_repetitions_raise_no_more_alarms_than_said(shift):
    rng, slower, rarer = np.random.default_rng(11), 0, 0
    for _ in range(200):
        one = repeated_versions(rng, shift)
        slower += standing(one, 1.0).p <= 0.05
        rarer += reliability(one, 1.0).p <= 0.05
    assert max(slower, rarer) <= stats.binom.ppf(0.999, 200, 0.05)


def test_whole_instances_decide_where_they_differ():
    """Five against five instances, all apart: 1 of 252 ways, however many runs there are."""
    one = repeated_versions(np.random.default_rng(12), 5, slower=30.0)
    assert standing(one, 1.0).p == pytest.approx(1 / 252)
    base = run_set("old", one.base_hits, one.base_spent, instances=one.instances[0])
    new = run_set("new", one.new_hits, one.new_spent, instances=one.instances[1])
    table = regression_table(
        sample_of([base], TARGETS), sample_of([new], TARGETS), RegressionOptions()
    )
    assert any("base on 0-4, new on 5-9" in note for note in table.notes)
    assert any("they exchange whole instances" in note for note in table.notes)


def test_intervals_of_versions_never_contradict_the_decision():
    rng = np.random.default_rng(13)
    cells = [random_versions(rng, 1.0 + 0.1 * f, spread=0.3) for f in range(8)]
    table = table_of_versions(cells)
    runtime = table["what"] == "runtime"
    found = table["regression"]
    assert (table["low"][runtime & ~found] <= 1).all()
    assert (table["low"][runtime & found] >= 1).all()
    assert (table["high"][~runtime & ~found] >= 1).all()
    assert 0 < found.sum() < len(found)
    undecided = runtime & ~found & (table["low"] == 1)
    assert undecided.any()


def test_nothing_reached_says_nothing():
    nothing = versions_of(np.full((5, 2), np.nan), np.full((5, 2), np.nan))
    assert standing(nothing, 1.0)[:2] == (1.0, 1.0)
    ratio, low, high = clock_ratio([nothing], 0.95)
    assert np.isnan(ratio)
    assert (low, high) == (0.0, np.inf)
    assert table_of_versions([nothing]).regressions == 0


def test_runs_are_paired_by_instance_and_repetition():
    one = run_set("a", np.ones((3, 1)), np.ones(3), instances=[3, 1, 2])
    two = run_set("a", np.ones((3, 1)), np.ones(3), instances=[1, 2, 9])
    assert paired_rows(one, two).tolist() == [[1, 0], [2, 1]]


def test_names_match_unless_there_is_one_each():
    cell = random_versions(np.random.default_rng(7))
    base, new = two_trials(cell)
    table = regression_table(
        sample_of([base], TARGETS), sample_of([new], TARGETS), RegressionOptions()
    )
    assert (table["base"][0], table["new"][0]) == ("old", "new")
    third = two_trials(cell, names=("old", "other"))[1]
    with pytest.raises(AssessmentError, match="nothing to compare"):
        regression_table(
            sample_of([base], TARGETS), sample_of([new, third], TARGETS), RegressionOptions()
        )
    same = two_trials(cell, names=("old", "old"))[1]
    table = regression_table(
        sample_of([base], TARGETS), sample_of([same, third], TARGETS), RegressionOptions()
    )
    assert set(table["new"]) == {"old"}
    assert any("dimension: 1 of 3 left out;" in note for note in table.notes)


def test_algorithms_stand_in_natural_order():
    """a2 before a10, as in all tables."""
    sides = [run_set(name, np.ones((2, 1)), np.ones(2)) for name in ("a10", "a2")]
    regressions = regression_table(
        sample_of(sides, TARGETS), sample_of(sides, TARGETS), RegressionOptions()
    )
    assert list(dict.fromkeys(regressions["base"].tolist())) == ["a2", "a10"]


@pytest.mark.parametrize("options", [{"factor": 0.5}, {"alpha": 1.5}, {"level": 0.0}])
def test_bad_options_are_refused(options):
    with pytest.raises(AssessmentError, match="must lie"):
        RegressionOptions(**options)


def test_junit_has_a_case_for_each_test_and_survives_hostile_names():
    rng = np.random.default_rng(8)
    cell = random_versions(rng, 3.0)
    names = ("<b>&'\"\x00", "ne]]>w\u202e")
    base, new = two_trials(cell, names=names)
    table = regression_table(
        sample_of([base], TARGETS), sample_of([new], TARGETS), RegressionOptions()
    )
    root = ElementTree.fromstring(table.to_junit())
    assert root.get("tests") == str(len(table)) == "2"
    assert root.get("failures") == "1"
    (failure,) = root.iter("failure")
    assert failure.get("message").startswith("slower: new/base")
    assert "<b>&'\"\\u0000 -> ne]]>w\\u202e" in root[0].get("classname")


@pytest.fixture(scope="module")
def logs(write_log, tmp_path_factory):
    """Two logs of functions 1-2 in 2-D with 8 instances, the new one 3 times slower on 2."""
    folder = tmp_path_factory.mktemp("versions")
    for name, factor in (("base", 1), ("new", 3)):
        rng = np.random.default_rng(len(name))
        runs = []
        for function in (1, 2):
            for instance in range(1, 9):
                steps = 10.0 ** (2 - np.cumsum(rng.exponential(0.3, 45)))
                values = 50.0 + np.repeat(steps, factor if function == 2 else 1)
                runs.append((problem_id("bbob", function, 2, instance), 50.0, values))
        write_log(folder / f"{name}.h5", "cma", runs)
    return folder


def run_regressions(*words):
    return invoke("regressions", *words)


def test_the_command_exits_with_1_on_a_regression(logs):
    result = run_regressions(logs / "base.h5", logs / "new.h5")
    assert result.exit_code == 1, result.output
    assert "f002" in result.stdout
    assert "slower" in result.stdout
    assert "any false alarm is at most 0.05" in result.stderr
    assert run_regressions(logs / "base.h5", logs / "new.h5", "--factor", "4").exit_code == 0
    assert run_regressions(logs / "base.h5", logs / "new.h5", "--functions", "1").exit_code == 0
    assert run_regressions(logs / "base.h5", logs / "base.h5").exit_code == 0


def test_the_command_speaks_to_machines(logs):
    rows = json.loads(run_regressions(logs / "base.h5", logs / "new.h5", "--format", "json").stdout)
    assert [row["scope"] for row in rows] == ["all", "f001", "f001", "f002", "f002"]
    assert {row["scope"] for row in rows if row["regression"]} >= {"f002"}
    xml = run_regressions(logs / "base.h5", logs / "new.h5", "--format", "junit")
    assert xml.exit_code == 1
    assert ElementTree.fromstring(xml.stdout).get("tests") == "5"


def test_the_command_refuses_what_it_cannot_compare(logs):
    wrong = run_regressions(logs / "base.h5", logs / "new.h5", "--factor", "0.1")
    assert "factor is 0.1" in wrong.stderr
    assert run_regressions(logs / "base.h5").exit_code == 2


def test_the_former_name_of_the_command_names_the_new_one(logs):
    result = invoke("compare", logs / "base.h5", logs / "new.h5")
    assert result.exit_code == 2
    assert "'firsthit regressions BASE NEW'" in result.stderr
    assert "'firsthit assess compare LOGS'" in result.stderr
