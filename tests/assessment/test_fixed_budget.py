"""What runs had reached within budgets: tables, ECDFs of precision, budgets as text."""

import math

import numpy as np
import pytest

from firsthit.assessment import AssessmentError, Results, load
from firsthit.loggers.errors import LogConflictError

from .conftest import problem_id


def test_fixed_budget_by_hand(make_log):
    """Dimension 2: budgets 1 and 3 are 2 and 6 evaluations; the first run ended at 3."""
    log = make_log(
        [
            {"instance": 1, "precisions": [4.0, 9.0, 1.0]},
            {"instance": 2, "precisions": [16.0, 16.0, 8.0, 8.0, 8.0, 2.0]},
        ]
    )
    table = Results(log).fixed_budget("1*D,3*D", targets="1e1,2,1")
    assert table.names == (
        *("algorithm", "suite", "function", "dimension", "budget", "evaluations", "runs", "ended"),
        *("mean", "sd", "median", "2%", "5%", "10%", "25%", "50%", "75%", "90%", "95%", "98%"),
        *("geometric_mean", "success_1e1", "success_2e0", "success_1e0"),
    )
    first, second = (dict(zip(table.names, line, strict=True)) for line in table.rows())
    assert (first["evaluations"], first["runs"], first["ended"]) == (2, 2, 0)
    assert (first["mean"], first["median"]) == (10.0, 10.0)
    assert first["geometric_mean"] == pytest.approx(8.0)
    assert first["sd"] == pytest.approx(math.sqrt(72))
    assert (first["25%"], first["success_1e1"]) == (7.0, 0.5)
    assert (second["evaluations"], second["ended"], second["mean"]) == (6, 1, 1.5)
    assert (second["success_2e0"], second["success_1e0"]) == (1.0, 0.5)
    assert table.notes[:-1] == (
        "ended runs: 1 of 4 precisions; the runs ended before the budget, so their last value "
        "counts.",
    )


def test_default_budgets_are_powers_of_ten_and_what_each_algorithm_was_run_with(make_log):
    """In 2-D a ran 25 evaluations and b 300: 12.5 and 150 evaluations / dimension."""
    runs = [{"precisions": [1.0] * 25}, {"algorithm": "b", "precisions": [1.0] * 300}]
    table = Results(make_log(runs)).fixed_budget()
    for name in "ab":
        budgets = table["budget"][table["algorithm"] == name]
        assert budgets.tolist() == [1.0, 10.0, 12.5, 100.0, 150.0]
    for length, budgets in ((200, [1.0, 10.0, 100.0]), (1, [0.5])):
        table = Results(make_log([{"precisions": [1.0] * length}])).fixed_budget()
        assert table["budget"].tolist() == budgets


def test_curves_end_at_the_longest_run_and_pass_all_that_were_run(make_log):
    """In 5-D a ran 250 evaluations and b 650: 50 and 130 evaluations / dimension."""
    runs = [
        {"algorithm": algorithm, "dimension": 5, "precisions": [1.0] * length}
        for algorithm, length in (("a", 250), ("b", 650))
    ]
    axes = Results(make_log(runs)).plot.convergence()
    for budgets in (line.get_xdata().tolist() for line in axes.get_lines()[:2]):
        assert budgets[0] <= 0.2
        assert budgets[-1] == 130.0
        assert {1.0, 10.0, 50.0, 100.0} <= set(budgets)


def test_cuts_are_at_the_budget_that_all_algorithms_were_run_with(tmp_path, write_log):
    """On function 2 no run is as long as that."""
    lengths = {"a": {1: 250}, "b": {1: 30, 2: 20}}
    for name, by_function in lengths.items():
        runs = [
            (problem_id("s", f, 2, 1), 0.0, [1.0] * (n - 1) + [0.5]) for f, n in by_function.items()
        ]
        write_log(tmp_path / f"{name}.h5", name, runs)
    table = load(tmp_path).cuts()
    assert table["budget"].tolist() == [15.0, 15.0, 10.0]


def test_values_between_recorded_ones_are_called_bounds(tmp_path, write_log):
    """3.0 at 13 hits no target that 3.1 did not, and 13 is no scheduled count in 2-D."""
    values = [3.1] * 12 + [3.0, 3.0, 2.9]
    log = write_log(tmp_path / "x.h5", "a", [(problem_id("s", 1, 2, 1), 0.0, values)])
    table = load(log).fixed_budget([12, 13, 14], axis="evaluations")
    np.testing.assert_allclose(table["mean"], [3.1, 3.1, 3.0])
    assert table.notes[0].startswith("upper bounds: 1 of 3 precisions")


def test_without_reference_values_precisions_are_indicator_values(make_log):
    log = make_log([{"precisions": [-3.0, -5.0], "optimal_value": None}])
    table = Results(log).fixed_budget("1*D")
    assert table["mean"].tolist() == [-5.0]
    assert np.isnan(table["geometric_mean"][0])
    assert table.notes[:-1] == (
        "no reference value: unknown for some functions; there, precisions are indicator values.",
    )


def test_two_versions_of_a_suite_are_refused(make_log):
    runs = [
        {"precisions": [1.0], "algorithm": algorithm, "suite_version": version}
        for algorithm, version in (("a", "1"), ("b", "2"))
    ]
    with pytest.raises(LogConflictError, match=r"suite 'bbob' has version 1 in .* but 2 in"):
        make_log(runs)


def test_precision_profiles_go_on_where_runtime_profiles_end(results):
    """At a budget, the share of runs within 10**(k/5) is the ECDF of the runs' runtimes to it."""
    budget = 10.0
    table = results.precision_ecdf(f"{budget}*D")
    for target in (10.0, 1.0, 1e-2, 1e-8):
        profiles = results.ecdf(targets=target, runtimes="runs").profiles
        for p in profiles:
            at = table["precision"] == target
            at &= (table["algorithm"] == p.algorithm) & (table["dimension"] == p.dimension)
            if at.any():
                assert table["fraction"][at][0] == pytest.approx(p.at(budget))
            else:
                assert p.at(budget) == 1.0


def test_a_group_has_the_same_default_budgets_for_all_its_functions(make_log):
    """The function whose runs are short keeps its last value at the budgets of the other."""
    runs = [{"function": 1, "precisions": [1e-8]}, {"function": 2, "precisions": [9.0] * 200}]
    table = Results(make_log(runs)).precision_ecdf()
    last = table["fraction"][(table["budget"] == 100) & (table["precision"] == 1e-8)]
    assert last.tolist() == [0.5]


@pytest.fixture(scope="module")
def of_three_dimensions(make_log):
    """One run in each of three dimensions."""
    return Results(make_log([{"dimension": d, "precisions": [1.0]} for d in (3, 5, 100)]))


@pytest.mark.parametrize(
    ("text", "axis", "budgets"),
    [
        ("10, 1e3,2.5", "evaluations", [2.5, 10.0, 1000.0]),
        ("1..1e3/1", "evaluations", [1.0, 10.0, 100.0, 1000.0]),
        (7, "evaluations", [7.0]),
        ([50, "50 D"], "evaluations", [50.0, 250.0]),
        ([50, "50 D"], "evaluations/dimension", [10.0, 50.0]),
    ],
)
def test_budgets_as_text(of_three_dimensions, text, axis, budgets):
    table = of_three_dimensions.fixed_budget(text, axis=axis, dimensions=5)
    assert table["budget"].tolist() == budgets


def test_a_range_of_budgets_includes_both_ends(of_three_dimensions):
    budgets = of_three_dimensions.fixed_budget("0.5..50/15*D", dimensions=5)["budget"]
    assert len(budgets) == 31
    assert (budgets[0], budgets[-1]) == (0.5, 50.0)


@pytest.mark.parametrize(
    ("dimension", "text", "evaluations"),
    [(3, "0.3*D,0.5*D,1.2*D", [0, 1, 3]), (100, "0.29*D", [29])],
)
def test_evaluations_of_a_budget_are_rounded_down(
    of_three_dimensions, dimension, text, evaluations
):
    """0.29 times 100 is 28.999999999999996 in float64, and counts as 29."""
    table = of_three_dimensions.fixed_budget(text, dimensions=dimension)
    assert table["evaluations"].tolist() == evaluations


@pytest.mark.parametrize(
    "text", ["50*D", "50D", "50 D", "50*d", " 50 * dimension ", "5e1*D", ["50*D"], "50..51/1*D"]
)
def test_multiples_of_the_dimension(of_three_dimensions, text):
    table = of_three_dimensions.fixed_budget(text, dimensions=5)
    assert (table["budget"].tolist(), table["evaluations"].tolist()) == ([50.0], [250])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("second", "'second' is no number"),
        ("x", "'x' is no number"),
        ("0", "no positive number"),
        ("-3", "no positive number"),
        ("inf", "no positive number"),
        ("nan", "no positive number"),
        ("10..1/2", "must go up"),
        ("1..10/0", "must go up"),
        ([], "none given"),
        ([True], "no positive number"),
    ],
)
def test_budgets_that_make_no_sense_are_refused(of_three_dimensions, text, message):
    with pytest.raises(AssessmentError, match=message):
        of_three_dimensions.fixed_budget(text)
