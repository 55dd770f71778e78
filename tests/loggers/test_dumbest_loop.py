"""A run's record equals what the dumbest loop over its evaluations finds, for every split.

Private names: the stop conditions of a run are set one by one.
"""

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from firsthit.loggers import BudgetExhausted, FinalTargetHit, observe_problem
from firsthit.loggers.observation.stops import StopConditions
from firsthit.loggers.records.identity import RunIdentity
from firsthit.loggers.targets.grid import NO_TARGET, evaluation_schedule, grid_value

from .problems import scripted

DRAWN_KS = range(-160, 401)
KS = range(-160, 402)  # one more: a value may be slightly above the last drawn target
DELTAS = [grid_value(k) for k in KS]
REFERENCES = [0.0, -123.456, 79.48, 1e6, -1e9, math.nan]


@st.composite
def runs(draw):
    reference = draw(st.sampled_from(REFERENCES))
    base = 0.0 if math.isnan(reference) else reference
    on_target = st.sampled_from(DRAWN_KS).map(lambda k: base + grid_value(k))
    value = st.one_of(
        on_target,
        on_target.map(lambda y: math.nextafter(y, math.inf)),
        on_target.map(lambda y: math.nextafter(y, -math.inf)),
        st.floats(-10, 19).map(lambda e: base + 10**e),
        st.sampled_from([math.nan, math.inf, -math.inf, base, base - 1.0, base + 3.0, 1e19]),
    )
    values = draw(st.lists(value, min_size=1, max_size=60))
    splits = draw(st.lists(st.sampled_from([0, 0, 1, 2, 3, 7, 20, 60]), min_size=60, max_size=60))
    budget = draw(st.one_of(st.none(), st.integers(1, 70)))
    return reference, values, splits, budget


def dumbest(reference, values, budget, final_target, record):
    """Everything a run must tell, by loops."""
    known = not math.isnan(reference)
    reached = {}
    hits, trajectory, best, best_at, spent = [], [], math.inf, None, 0
    for evaluation, value in enumerate(values, start=1):
        if budget is not None and evaluation > budget:
            break
        spent = evaluation
        improves = math.isfinite(value) and value < best
        if improves:
            best, best_at = value, evaluation
        new = []
        if math.isfinite(value) and known:
            for k, delta in zip(KS, DELTAS, strict=True):
                if value <= reference + delta and k not in reached:
                    reached[k] = evaluation
                    new.append(k)
        precision = value - reference if known else value
        if record == "improvements" or not known:
            if improves:
                target = grid_value(min(reached)) if reached else NO_TARGET
                hits.append((target, evaluation, precision))
        elif new:
            hits.append((grid_value(min(new)), evaluation, precision))
        if evaluation in evaluation_schedule(2):
            trajectory.append((evaluation, best - reference if known else best))
        if final_target and -160 in reached:
            break
    if not trajectory or trajectory[-1][0] != spent:
        trajectory.append((spent, best - reference if known else best))
    return {
        "hits": hits,
        "trajectory": trajectory,
        "spent": spent,
        "best_at": best_at,
        "final": -160 in reached,
    }


def observe(reference, values, splits, budget, final_target, record):
    """The record of the same run, evaluated in pieces: 0 is a single point, n a batch of n."""
    problem = scripted(values, None if math.isnan(reference) else reference)
    observed = observe_problem(
        problem,
        RunIdentity("a", problem.problem_id),
        StopConditions(budget, final_target),
        record,
    )
    rows = np.column_stack([np.arange(len(values)), np.zeros(len(values))])
    stop, at = None, 0
    try:
        for size in splits:
            if at >= len(values):
                break
            if size == 0:
                got = observed(rows[at])
                assert got == values[at] or (math.isnan(got) and math.isnan(values[at]))
            else:
                np.testing.assert_array_equal(
                    observed(rows[at : at + size]), values[at : at + size]
                )
            at += max(size, 1)
    except (BudgetExhausted, FinalTargetHit) as error:
        stop = type(error)
    final = observed.final_target_hit
    return observed.finish("terminated"), stop, final


@settings(max_examples=150)
@given(runs(), st.booleans(), st.sampled_from(["targets", "improvements"]))
def test_record_equals_the_dumbest_loop(run, final_target, record_mode):
    reference, values, splits, budget = run
    expected = dumbest(reference, values, budget, final_target, record_mode)
    record, stop, final = observe(reference, values, splits, budget, final_target, record_mode)
    hits, path = record.hits, record.trajectory
    columns = (hits["target"].tolist(), hits["evaluation"].tolist(), hits["precision"].tolist())
    assert list(zip(*columns, strict=True)) == expected["hits"]
    points = list(zip(path["evaluation"].tolist(), path["precision"].tolist(), strict=True))
    assert points == expected["trajectory"]
    assert record.evaluations == expected["spent"]
    assert record.best_precision == expected["trajectory"][-1][1]
    assert final == expected["final"]
    at = record.best_solution[0] + 1 if len(record.best_solution) else None
    assert at == expected["best_at"]
    if final_target and final:
        assert stop is FinalTargetHit
    elif budget is not None and budget < len(values):
        assert stop is BudgetExhausted
    else:
        assert stop is None


def test_long_runs_agree_with_the_dumbest_loop_beyond_the_first_schedules():
    rng = np.random.default_rng(5)
    values = (10 ** rng.uniform(-7, 9, 5000) - 3.0).tolist()
    expected = dumbest(-3.0, values, 4321, False, "targets")
    for splits in ([0] * 5000, [64] * 100, [0, 3000, 0, 0, 1999]):
        record, stop, _ = observe(-3.0, values, splits, 4321, False, "targets")
        assert stop is BudgetExhausted
        assert record.hits["evaluation"].tolist() == [hit[1] for hit in expected["hits"]]
        assert record.trajectory["evaluation"].tolist() == [p[0] for p in expected["trajectory"]]
        assert record.trajectory["precision"].tolist() == [p[1] for p in expected["trajectory"]]
