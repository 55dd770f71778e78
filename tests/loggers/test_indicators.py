"""Indicators against their dumbest loops, and how observed problems use them.

Private names: indicators are tested alone, against loops.
"""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firsthit.loggers import BudgetExhausted, FinalTargetHit, Observer, read_log
from firsthit.loggers.errors import ObservationError
from firsthit.loggers.indicators.registry import indicator_names, make_indicator
from firsthit.loggers.observation.stops import StopConditions
from firsthit.suites import Suite, problem_from

from .conftest import observe

VALUES = st.one_of(
    st.floats(-5, 5), st.sampled_from([0.0, math.nan, math.inf, -math.inf, 1e-9, 3.0])
)


def sphere(x):
    return float(x @ x)


def outside_unit(x):
    return [1 - x[0]]


def plain():
    return problem_from(sphere, 2, optimal_value=0.0, optimal_solution=0.0)


def constrained():
    return problem_from(
        sphere, 2, optimal_value=1.0, constraint=outside_unit, number_of_constraints=1
    )


def split(values, cuts):
    """The values in pieces, one after the other."""
    return np.split(values, sorted({min(cut, len(values)) for cut in cuts}))


@given(
    st.lists(st.tuples(VALUES, st.floats(-2, 2)), min_size=1, max_size=60),
    st.lists(st.integers(0, 60), max_size=5),
)
def test_best_feasible_is_the_value_where_all_constraints_hold(rows, cuts):
    indicator = make_indicator("best-feasible", constrained())
    values, first = np.array(rows).T
    points = np.column_stack([first, np.zeros(len(first))])
    places = np.arange(len(values))
    measured = [indicator.measure(points[k], values[k]) for k in split(places, cuts)]
    expected = [value if 1 - x <= 0 else math.inf for value, x in zip(values, first, strict=True)]
    assert np.array_equal(np.concatenate(measured), expected, equal_nan=True)
    single = [indicator.measure_point(x, y) for x, y in zip(points, values, strict=True)]
    assert np.array_equal(single, expected, equal_nan=True)


def quantile_by_the_dumbest_loop(values):
    """After each value: of the last ceil(ln(t+3)^2 / 2), the least with a share of 1 %."""
    result = []
    for t in range(1, len(values) + 1):
        window = values[:t][-math.ceil(math.log(t + 3) ** 2 / 2) :]
        for candidate in sorted(math.inf if math.isnan(v) else v for v in window):
            share = sum(v <= candidate for v in window) / len(window)
            if share >= 0.01 or candidate == math.inf:
                result.append(candidate)
                break
    return result


@given(st.lists(VALUES, min_size=1, max_size=120), st.lists(st.integers(0, 120), max_size=6))
def test_noisy_quantile_is_its_dumbest_loop(values, cuts):
    indicator = make_indicator("noisy-quantile", plain())
    array = np.array(values)
    measured = [indicator.measure(np.zeros((len(v), 2)), v) for v in split(array, cuts)]
    assert np.concatenate(measured).tolist() == quantile_by_the_dumbest_loop(values)


def test_windows_of_the_quantile_by_hand():
    from firsthit.loggers.indicators.noisy_quantile import window_size

    counts = [1, 10, 100, 1000, 10**4, 10**5, 10**6, 1_386_278, 1_386_279]
    assert [window_size(t) for t in counts] == [1, 4, 11, 24, 43, 67, 96, 100, 101]


def test_the_quantile_may_rise_again_and_the_first_count_below_a_target_stands():
    problem = observe(plain(), indicator="noisy-quantile")
    for size in (3.0, 0.1, 2.0, 2.0, 2.0, 2.0, 2.0, 0.09):
        problem(np.array([size, 0.0]))
    hits = problem.finish("terminated").hits
    assert hits["evaluation"].tolist() == [1, 2, 8]


def test_indicators_refuse_what_they_do_not_measure():
    assert indicator_names()[:3] == ("best-feasible", "noise-free", "noisy-quantile")
    for name in ("noise-free", "noisy-quantile"):
        with pytest.raises(ObservationError, match=f"indicator '{name}' takes one objective with"):
            make_indicator(name, constrained())


class Reference:
    """A run on a noisy problem, one evaluation after the other, by the definition."""

    def __init__(self, problem, key):
        self.problem, self.rng = problem, np.random.default_rng([int(key, 16), 1])
        self.true, self.given = [], []

    def __call__(self, x):
        self.true.append(self.problem(x))
        self.given.append(self.problem.noisy(x, self.rng))
        return self.given[-1]

    def hits(self, values):
        """Evaluation and precision at first hits of targets, 20 a decade."""
        best, level, rows = math.inf, math.inf, []
        for t, value in enumerate(values, 1):
            precision = value - self.problem.optimal_value
            if precision < best:
                best = precision
                place = max(-160, math.ceil(20 * math.log10(precision))) if precision > 0 else -160
                if place < level:
                    level = place
                    rows.append((t, precision))
        return rows


@settings(max_examples=25)
@given(
    st.sampled_from([101, 102, 103, 107, 108, 109]),
    st.lists(st.integers(0, 6), min_size=1, max_size=40),
    st.sampled_from(["noise-free", "noisy-quantile", "best-feasible"]),
    st.integers(0, 2**32),
)
def test_noisy_runs_are_their_dumbest_loop_however_points_come(function, sizes, name, seed):
    """Single points (size 0) and batches: the same noise, values and hits."""
    problem = Suite("bbob-noisy", function, 2, 1)[0]
    run = observe(problem, indicator=name)
    expected = Reference(problem, run.identity.key)
    rng = np.random.default_rng(seed)
    for size in sizes:
        x = problem.optimal_solution + 2 * rng.standard_normal((max(1, size), 2))
        given_values = run(x).tolist() if size else [run(x[0])]
        assert given_values == [expected(point) for point in x]
    values = expected.true
    if name == "noisy-quantile":
        values = quantile_by_the_dumbest_loop(expected.given)
    record = run.finish("terminated")
    assert record.evaluations == len(expected.true)
    rows = expected.hits(values)
    assert record.hits["evaluation"].tolist() == [row[0] for row in rows]
    assert record.hits["precision"].tolist() == [row[1] for row in rows]


@pytest.mark.parametrize("as_batch", [False, True])
def test_a_noisy_run_ends_at_the_true_final_target(as_batch):
    """cocoex adds at least 1.01e-8 and never sees it hit."""
    problem = Suite("bbob-noisy", 101, 3, 1)[0]
    run = observe(problem, StopConditions())
    best, far = problem.optimal_solution, np.zeros(3)
    run(far)
    if not as_batch:
        run(far)
        run(far)
    with pytest.raises(FinalTargetHit, match="final target hit at evaluation 4"):
        run(np.array([far, far, best, far]) if as_batch else best)
    assert run.evaluations == 4
    assert run.final_target_hit
    record = run.finish("target")
    assert (record.evaluations, record.hits["evaluation"][-1]) == (4, 4)


@pytest.mark.slow
@pytest.mark.parametrize("dimension", [2, 20])
def test_the_final_target_is_hit_at_every_optimum(dimension):
    """All functions: never in cocoex with noise, and as there with constraints."""
    suites = ["bbob-noisy", "bbob-constrained"]
    suites += ["bbob-constrained-active-only", "bbob-constrained-no-disguise"]
    for name in suites:
        for problem in Suite(name, dimensions=dimension, instances=1):
            run = observe(problem)
            run(problem.optimal_solution + 1)
            assert not run.final_target_hit
            run(problem.optimal_solution)
            assert run.final_target_hit, problem.id


def test_the_observer_chooses_the_indicator(tmp_path):
    for name in (None, "noisy-quantile"):
        path = tmp_path / f"{name}.h5"
        with Observer(path, algorithm="a", indicator=name) as observer:
            for problem in observer(Suite("bbob-noisy", 101, 2, 1)):
                problem(problem.initial_solution)
        measurement = read_log(path).suites["bbob-noisy"].measurement
        assert measurement.indicator == (name or "noise-free")


def test_evaluations_of_constraints_count_and_a_budget_says_whether_it_counts_them():
    x = np.array([2.0, 0.0])
    run = observe(constrained(), StopConditions(5, False))
    for _ in range(4):
        run(x)
        run.constraint(np.array([x, x]))
    assert (run.evaluations, run.evaluations_constraints, run.evaluations_left) == (4, 8, 1)
    run = observe(constrained(), StopConditions(5, False, count="f+g"))
    run(x)
    run.constraint(np.array([x, x]))
    run(x)
    assert run.evaluations_left == 1
    run.constraint(x)
    for evaluate in (run, run.constraint):
        with pytest.raises(BudgetExhausted, match="the budget of 5 evaluations is spent"):
            evaluate(x)
    record = run.finish("budget")
    assert (record.evaluations, record.evaluations_constraints) == (2, 3)
    with pytest.raises(ObservationError, match="count is 'g'; it must be 'f' or 'f"):
        StopConditions(5, count="g")


def test_a_batch_is_made_as_far_as_a_budget_of_both_goes():
    x = np.array([2.0, 0.0])
    run = observe(constrained(), StopConditions(10, False, count="f+g"))
    run.constraint(np.array([x] * 7))
    with pytest.raises(BudgetExhausted):
        run(np.array([x] * 4))
    assert (run.evaluations, run.evaluations_constraints) == (3, 7)
    run = observe(constrained(), StopConditions(10, False, count="f+g"))
    run(x)
    with pytest.raises(BudgetExhausted):
        run.constraint(np.array([x] * 12))
    assert (run.evaluations, run.evaluations_constraints) == (1, 9)


@given(st.lists(st.booleans(), min_size=1, max_size=80), st.integers(1, 60))
def test_a_budget_of_both_ends_any_order_of_evaluations_where_it_should(of_objective, budget):
    problem = Suite("bbob-constrained", 14, 2, 1)[0]
    run = observe(problem, StopConditions(budget, False, count="f+g"))
    x, made = np.ones(2), 0
    for is_objective in of_objective:
        try:
            run(x) if is_objective else run.constraint(x)
        except BudgetExhausted:
            break
        made += 1
    assert made == min(budget, len(of_objective))
    assert run.evaluations + run.evaluations_constraints == made
    assert run.evaluations == sum(of_objective[:made])
