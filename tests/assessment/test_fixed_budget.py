"""What runs had reached within budgets: tables, ECDFs of precision, budgets as text."""

import math

import numpy as np
import pytest

from firsthit.assessment import AssessmentError, Results, load
from firsthit.assessment.questions.fixed_budget import curve_budgets
from firsthit.assessment.targets.budgets import (
    Budget,
    budgets_on,
    counts_of,
    own_budgets,
    parse_budgets,
)
from firsthit.suites.facts import ProblemId

NAN, INF = math.nan, math.inf


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
        "1 of 4 values are of runs that had ended before the budget: they keep their last value.",
    )


def test_default_budgets_are_powers_of_ten_and_what_each_algorithm_was_run_with(make_log):
    """In 2-D a ran 25 evaluations and b 300: 12.5 and 150 evaluations / dimension."""
    runs = [{"precisions": [1.0] * 25}, {"algorithm": "b", "precisions": [1.0] * 300}]
    table = Results(make_log(runs)).fixed_budget()
    for name in "ab":
        own = table["budget"][table["algorithm"] == name]
        assert own.tolist() == [1.0, 10.0, 12.5, 100.0, 150.0]
    assert own_budgets([200.0], 2.0) == (1.0, 10.0, 100.0)
    assert own_budgets([1.0], 2.0) == (0.5,)


def test_curves_end_at_the_longest_run_and_pass_all_that_were_run():
    found = curve_budgets([650.0, 250.0], 5.0)
    assert found[0] == 0.1
    assert found[-1] == 130.0
    assert {1.0, 10.0, 50.0, 100.0} <= set(found)


def test_cuts_are_at_the_budget_that_all_algorithms_were_run_with(tmp_path, write_log):
    """On function 2 no run is as long as that."""
    lengths = {"a": {1: 250}, "b": {1: 30, 2: 20}}
    for name, own in lengths.items():
        runs = [(ProblemId("s", f, 2, 1), 0.0, [1.0] * (n - 1) + [0.5]) for f, n in own.items()]
        write_log(tmp_path / f"{name}.h5", name, runs)
    table = load(tmp_path).cuts()
    assert table["budget"].tolist() == [15.0, 15.0, 10.0]


def test_values_between_recorded_ones_are_called_bounds(tmp_path, write_log):
    """3.0 at 13 hits no target that 3.1 did not, and 13 is no scheduled count in 2-D."""
    values = [3.1] * 12 + [3.0, 3.0, 2.9]
    log = write_log(tmp_path / "x.h5", "a", [(ProblemId("s", 1, 2, 1), 0.0, values)])
    table = load(log).fixed_budget([12, 13, 14], axis="evaluations")
    np.testing.assert_allclose(table["mean"], [3.1, 3.1, 3.0])
    assert table.notes[0].startswith("1 of 3 values are upper bounds")


def test_without_reference_values_precisions_are_indicator_values(make_log):
    log = make_log([{"precisions": [-3.0, -5.0], "reference_value": NAN}])
    table = Results(log).fixed_budget("1*D")
    assert table["mean"].tolist() == [-5.0]
    assert np.isnan(table["geometric_mean"][0])
    assert table.notes[:-1] == ("without a reference value, precisions are indicator values.",)


def test_two_versions_of_a_suite_are_refused(make_log):
    runs = [{"precisions": [1.0], "instance": i, "suite_version": str(i)} for i in (1, 2)]
    with pytest.raises(AssessmentError, match="in versions 1 and 2"):
        Results(make_log(runs)).fixed_budget("1*D")


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


def test_budgets_as_text():
    assert parse_budgets("10, 1e3,2.5") == (Budget(2.5), Budget(10.0), Budget(1000.0))
    assert budgets_on(parse_budgets("1..1e3/1"), "evaluations", 5) == (1.0, 10.0, 100.0, 1000.0)
    assert len(parse_budgets("0.5..50/15*D")) == 31
    assert parse_budgets(7) == (Budget(7.0),)
    assert counts_of([0.5, 1.2, 0.3], 3.0).tolist() == [1, 3, 0]
    assert counts_of([0.29], 100.0).tolist() == [29]


@pytest.mark.parametrize(
    "text", ["50*D", "50D", "50 D", "50*d", " 50 * dimension ", "5e1*D", ["50*D"], "50..51/1*D"]
)
def test_multiples_of_the_dimension_and_numbers(text):
    """Also both together: 50 evaluations are 10 times the dimension 5."""
    assert parse_budgets(text) == (Budget(50.0, per_dimension=True),)
    both = parse_budgets([50, "50 D"])
    assert budgets_on(both, "evaluations/dimension", 5) == (10.0, 50.0)
    assert budgets_on(both, "evaluations", 5) == (50.0, 250.0)


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
def test_budgets_that_make_no_sense_are_refused(text, message):
    with pytest.raises(AssessmentError, match=message):
        parse_budgets(text)
