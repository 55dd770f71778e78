"""Dual distributions, cut convergence curves and pooled budgets, against loops over the runs."""

import numpy as np
import pytest

import firsthit
from firsthit.assessment import AssessmentError, Results

from .conftest import problem_id

TARGETS, BUDGETS, MULTIPLES = [10.0, 1.0], [2.0, 10.0], "2*D,10*D"


@pytest.fixture(scope="module")
def runs(random_runs):
    return [run for run in random_runs(5, "a") + random_runs(6, "b") if run["dimension"] == 2]


@pytest.fixture(scope="module")
def results(make_log, runs):
    return Results(make_log(runs))


def mean_share(runs, algorithm, budget, precision):
    """Share of runs within a precision at a budget, each function weighing the same."""
    by_function = {}
    for run in runs:
        if run["algorithm"] == algorithm:
            best = min(run["precisions"][: int(2 * budget + 1e-9)], default=np.inf)
            by_function.setdefault(run["function"], []).append(best <= precision)
    return np.mean([np.mean(found) for found in by_function.values()])


def rows(table):
    return [dict(zip(table.names, row, strict=True)) for row in table.rows()]


def test_dual_distributions_are_those_of_single_runs(results, runs):
    table = results.dual_ecdf(TARGETS, MULTIPLES, reference="a")
    seen = set()
    for row in rows(table):
        at, value = row["at"], row["value"]
        if row["of"] == "runtime":
            found = mean_share(runs, row["algorithm"], value, at)
        elif row["of"] == "precision":
            found = mean_share(runs, row["algorithm"], at, value)
        else:
            art = results.art([at], algorithms="a")["art"]
            found = np.mean(art / 2 <= value)
            assert row["algorithm"] == "a"
        assert row["fraction"] == pytest.approx(found, abs=1e-12)
        seen.add((row["of"], at))
    both = {("runtime", t) for t in TARGETS} | {("precision", b) for b in BUDGETS}
    assert seen == both | {("reference", t) for t in TARGETS}


def test_the_right_panel_continues_the_curve_of_each_target(results, runs):
    """Older paper, figure of ECDFs: precisions at the end, divided by the target, from 1 on."""
    axes = results.plot.dual_ecdf(TARGETS, MULTIPLES, per_target=True, algorithms="a")
    right = {line.get_label(): line.get_xydata() for line in axes.figure.axes[1].get_lines()}
    for target in TARGETS:
        for multiple, share in right[f"/ {target:.0e}".replace("e+0", "e")]:
            expected = mean_share(runs, "a", BUDGETS[-1], multiple * target * (1 + 1e-12))
            assert share == pytest.approx(expected, abs=1e-12)
    for multiple, share in right["2 · D"]:
        expected = mean_share(runs, "a", 2.0, multiple * TARGETS[-1] * (1 + 1e-12))
        assert share == pytest.approx(expected, abs=1e-12)


def test_pooled_budgets_take_all_pairs_of_run_and_budget(results, runs):
    table = results.precision_ecdf(MULTIPLES, pooled=True)
    assert set(table["budgets"].tolist()) == {"2, 10"}
    for row in rows(table):
        shares = [mean_share(runs, row["algorithm"], b, row["precision"]) for b in BUDGETS]
        found = np.mean(shares)
        assert row["fraction"] == pytest.approx(found, abs=1e-12)
    with pytest.raises(AssessmentError, match="budgets: pooled needs a list of budgets"):
        results.precision_ecdf(pooled=True)


def test_cuts_give_precision_at_the_budget_and_runtime_to_the_target(loaded):
    table = loaded.cuts("5*D", 50.0, dimensions=2)
    runtimes = loaded.runtimes([50.0], dimensions=2)
    np.testing.assert_array_equal(table["runtime"] * 2, runtimes["runtime"])
    assert np.isfinite(table["runtime"]).any()
    best = loaded.fixed_budget("5*D", dimensions=2)["mean"]
    by_function = table["precision"].reshape(-1, 3).mean(axis=1)
    np.testing.assert_allclose(by_function, best, rtol=1e-12)


def test_cuts_are_at_the_longest_run_also_of_each_function(tmp_path, write_log):
    """Last improvements at 120 and 8 evaluations / dimension on f1 and f2: they were run with."""
    runs = [
        (problem_id("bbob", f, 2, i), 50.0, 50 + np.array([5.0] * (n - 1) + [0.5]))
        for f, i, n in ((1, 1, 240), (1, 2, 60), (2, 1, 16))
    ]
    results = firsthit.load(write_log(tmp_path / "a.h5", "a", runs))
    table = results.cuts()
    assert table["budget"].tolist() == [120.0, 120.0, 8.0]
    assert table["precision"].tolist() == [0.5, 0.5, 0.5]
    assert set(table["target"].tolist()) == {0.1}
    axes = results.plot.cuts(axis="evaluations", functions=2)
    assert axes.get_xlabel() == "evaluations"


def test_the_figure_of_cuts_shows_the_curves_and_both_distributions(loaded):
    table = loaded.cuts("5*D", 50.0, dimensions=2)
    figure = loaded.plot.cuts("5*D", 50.0, dimensions=2, functions=1).figure
    main, above, right = figure.axes
    names = [text.get_text() for text in figure.legends[0].get_texts()]
    assert names == ["cma", "nelder-mead"]
    lines = [line for line in main.get_lines() if len(line.get_xdata()) > 2]
    assert len(lines) == 6
    own = table["runtime"][(table["function"] == 1) & (table["algorithm"] == "cma")]
    x, y = above.get_lines()[0].get_data()
    assert x[1:].tolist() == sorted(own[np.isfinite(own)].tolist())
    assert y.tolist() == [i / 3 for i in range(len(x))]
    assert len(right.get_lines()) == 3


@pytest.mark.slow
def test_several_cuts_are_those_of_each_alone_and_meet_curves_at_stars(loaded):
    table = loaded.cuts("5*D,20*D", "50,1", dimensions=2)
    alone = {(b, t): loaded.cuts(f"{b}*D", t, dimensions=2) for b in (5, 20) for t in (50.0, 1.0)}
    for (budget, target), one in alone.items():
        own = (table["budget"] == budget) & (table["target"] == target)
        for name in table.names:
            np.testing.assert_array_equal(table[name][own], one[name])
    axes = loaded.plot.cuts("5*D,20*D", "50,1", dimensions=2, functions=1)
    main, *panels = axes.figure.axes
    assert [len(panel.get_lines()) for panel in panels] == [2 + 2] * 4
    stars = [place for drawn in main.collections for place in drawn.get_offsets().tolist()]
    expected = []
    for (budget, target), one in alone.items():
        own = one["function"] == 1
        expected += [[r, target] for r in one["runtime"][own & np.isfinite(one["runtime"])]]
        expected += [[budget, p] for p in one["precision"][own]]
    assert {tuple(one) for one in stars} == {tuple(one) for one in expected}


@pytest.mark.slow
def test_the_dual_figure_has_a_curve_for_each_target_and_budget(results):
    axes = results.plot.dual_ecdf(TARGETS, MULTIPLES, reference="a", algorithms="b")
    left, right = axes.figure.axes
    assert {text.get_text() for text in left.texts} == {"1e1", "1e0", "thick: reference"}
    assert {text.get_text() for text in right.texts} == {"2 · D", "10 · D"}
    assert len([line for line in left.get_lines() if line.get_gid() == "reference"]) == 2


def test_a_group_and_its_functions_are_curves_in_one_plot(results):
    table = results.ecdf(group_by=("function", "all"))
    axes = results.plot.ecdf_functions(group_by=("function", "all"), one_axes=True)
    curves = [line for line in axes.get_lines() if line.get_drawstyle() == "steps-post"]
    names = ["f001", "f002", "f003", "all"]
    mine = [p for name in names for p in table.profiles if p.group == name]
    for line, profile in zip(curves, mine, strict=True):
        np.testing.assert_array_equal(line.get_ydata()[:-1], profile.fraction)
    assert [line.get_linewidth() for line in curves] == [0.7] * 6 + [2.4] * 2
    assert {text.get_text() for text in axes.texts} == {"a", "b"}
    axes = results.plot.ecdf_functions(group_by=("function", "all"), one_axes=True, algorithms="a")
    assert {text.get_text() for text in axes.texts} == {"f1", "f2", "f3", "all"}
    assert axes.get_title(loc="left").startswith("a: ")


@pytest.mark.slow
def test_a_group_is_drawn_with_its_functions(results):
    table = results.ecdf(group_by=("function", "all"))
    figure = results.plot.ecdf_functions(group_by=("function", "all")).figure
    titles = [axes.get_title(loc="left") for axes in figure.axes if axes.axison]
    assert titles == ["f1", "f2", "f3", "all"]
    for axes, name in zip(figure.axes, ["f001", "f002", "f003", "all"], strict=False):
        drawn = [line for line in axes.get_lines() if line.get_label() in "ab"]
        mine = [p for p in table.profiles if p.group == name]
        for line, profile in zip(drawn, mine, strict=True):
            np.testing.assert_array_equal(line.get_ydata()[:-1], profile.fraction)


def test_background_curves_are_the_runtimes_of_others_to_the_hardest_target(
    results, make_log, random_runs, tmp_path
):
    """An algorithm without all functions has no curve, and the compared one is not repeated."""
    others = [run for run in random_runs(7, "c") + random_runs(8, "d", (1,)) + random_runs(5, "a")]
    of_c = [run for run in others if run["algorithm"] == "c" and run["dimension"] == 2]
    path = make_log(others).save(tmp_path / "others.h5")
    table = results.dual_ecdf(TARGETS, MULTIPLES, background=str(path))
    behind = [row for row in rows(table) if row["of"] == "background"]
    assert {(row["algorithm"], row["at"]) for row in behind} == {("c", 1.0)}
    for row in behind:
        expected = mean_share(of_c, "c", row["value"], 1.0)
        assert row["fraction"] == pytest.approx(expected, abs=1e-12)
    assert any(note.startswith("background: 1 algorithm from ") for note in table.notes)
    axes = results.plot.dual_ecdf(TARGETS, MULTIPLES, background=str(path), algorithms="a")
    assert [line.get_gid() for line in axes.get_lines()].count("background") == 1
