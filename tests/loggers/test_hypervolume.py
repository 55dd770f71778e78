"""The archive and its hypervolume against the dumbest loop, and how runs record them.

Private names: the archive is tested alone, and in shared memory of a lost run.
"""

import math
from functools import cache
from threading import Thread

import h5py
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from firsthit.loggers import BudgetExhausted, Observer, read_log
from firsthit.loggers.errors import ObservationError
from firsthit.loggers.indicators.hypervolume import Hypervolume
from firsthit.loggers.indicators.registry import make_indicator
from firsthit.loggers.observation.memory import RunMemory
from firsthit.loggers.observation.run_result import make_lost_record
from firsthit.loggers.observation.stops import StopConditions
from firsthit.loggers.targets.grid import SIGNED
from firsthit.suites import Suite, problem_from
from firsthit.suites.errors import EvaluationError
from firsthit.suites.transforms import two_objectives, with_noise

from .conftest import FREE, observe

IDEAL, NADIR, REFERENCE = np.array([-1.0, 10.0]), np.array([3.0, 10.5]), 0.8


@cache
def bowl(reference=REFERENCE):
    """Two objectives whose values are the variables, between ``IDEAL`` and ``NADIR``."""
    parts = (
        problem_from(lambda x: x[0], 2, optimal_value=-1.0, optimal_solution=[-1.0, 10.5]),
        problem_from(lambda x: x[1], 2, optimal_value=10.0, optimal_solution=[3.0, 10.0]),
    )
    return two_objectives(*parts, reference)


def observed(problem, stop=FREE, **options):
    return observe(problem, stop, indicator="hypervolume", **options)


def by_the_dumbest_loop(values):
    """After each point: reference - hypervolume + penalty, and whether it entered."""
    members, penalty, value, result = [], math.inf, math.inf, []
    for y in values:
        if not all(math.isfinite(part) for part in y):
            result.append((value, False))
            continue
        point = []
        for part, ideal, nadir in zip(y, IDEAL, NADIR, strict=True):
            unrounded = (part - ideal) / (nadir - ideal) / 5e-13 + 0.5
            point.append(max(0.0, math.floor(unrounded) * 5e-13))
        if abs(point[0]) < 1e-13 and point[1] < 1:
            point[1] = 1.0
        if abs(point[1]) < 1e-13 and point[0] < 1:
            point[0] = 1.0
        if any(m[0] <= point[0] and m[1] <= point[1] for m in members):
            result.append((value, False))
            continue
        members = [m for m in members if not (point[0] <= m[0] and point[1] <= m[1])]
        members.append(point)
        volume, before = 0.0, 1.0
        for n1, n2 in sorted(members, key=lambda m: m[1]):
            if n1 <= 1 and n2 <= 1:
                volume += (before - n1) * (1 - n2)
                before = n1
        distance = math.hypot(max(0, point[0] - 1), max(0, point[1] - 1))
        penalty = min(penalty, distance) if volume < 1e-13 else 0.0
        value = REFERENCE - volume + penalty
        result.append((value, True))
    return result


SPECIAL = [math.nan, math.inf, -math.inf]
FIRST = st.one_of(
    st.floats(-1.5, 4.0),
    st.sampled_from([-1.0, 3.0, 0.0, 1.0, 2.0, -1.0 + 1e-13, 3.0 - 1e-12, -1e9, 1e9, *SPECIAL]),
)
SECOND = st.one_of(
    st.floats(9.9, 10.7),
    st.sampled_from([10.0, 10.5, 10.25, 10.1, 10.4, 10.0 + 1e-14, 10.5 + 1e-12, -7, 50, *SPECIAL]),
)
POINTS = st.lists(st.tuples(FIRST, SECOND), min_size=1, max_size=60)


@given(POINTS, st.lists(st.integers(0, 60), max_size=6))
@example([(0.0, 11.0), (4.0, 10.2), (0.0, 10.25), (0.0, 10.25), (-1.0, 10.1), (1.0, 10.0)], [2])
def test_the_archive_is_that_of_the_dumbest_loop(values, cuts):
    expected = by_the_dumbest_loop(values)
    values, indicator = np.array(values), make_indicator("hypervolume", bowl())
    measured, entered, done = [], [], 0
    for part in np.split(values, sorted({min(cut, len(values)) for cut in cuts})):
        may = [indicator.may_improve(value) for value in part[:1]]
        measured += indicator.measure(part, part).tolist()
        assert may == [0 in indicator.entered] * len(may)
        entered += (indicator.entered + done).tolist()
        done += len(part)
    assert entered == [row for row, (_, enters) in enumerate(expected) if enters]
    precisions = np.array(measured) - indicator.reference
    np.testing.assert_allclose(precisions, [value for value, _ in expected], rtol=0, atol=1e-13)


@given(POINTS, st.lists(st.integers(0, 60), max_size=6), st.sampled_from(["targets", "all"]))
def test_single_points_and_batches_of_any_split_are_the_same_run(values, cuts, record):
    record = "improvements" if record == "all" else record
    points = np.array([value for value in values if np.isfinite(value).all()]).reshape(-1, 2)
    single, batches = (observed(bowl(), record=record) for _ in range(2))
    for point in points:
        single(point)
    for part in np.split(points, sorted({min(cut, len(points)) for cut in cuts})):
        batches(part)
    one, other = single.finish("terminated"), batches.finish("terminated")
    assert one.same_outcome(other)
    expected = by_the_dumbest_loop(points.tolist())
    entered = [row for row, (_, enters) in enumerate(expected) if enters]
    assert (one.archive["evaluation"] - 1).tolist() == entered
    assert np.array_equal(np.column_stack([one.archive["y1"], one.archive["y2"]]), points[entered])
    best = np.minimum.accumulate([math.inf, *(value for value, _ in expected)])
    for target, evaluation, precision, _ in one.hits.tolist():
        assert precision == pytest.approx(best[evaluation], abs=1e-13)
        assert best[evaluation - 1] > precision
        harder = SIGNED.values[np.searchsorted(SIGNED.values, target) - 1]
        assert harder - 1e-13 < precision <= target + 1e-13


def test_pairs_of_bbob_are_recorded_alike_however_they_are_evaluated(tmp_path):
    problem = Suite("bbob-biobj").problem(1, 3, 2)
    optima = [problem.constants()[f"{which}_optimum"] for which in ("first", "second")]
    rng = np.random.default_rng(4)
    points = rng.uniform(-5, 5, (600, 3))
    points[::3] = optima[0] + rng.random((200, 1)) * (optima[1] - optima[0])
    points[77, 1] = np.nan
    runs = [observed(problem), observed(problem), observed(problem)]
    runs.append(observed(problem, memory=RunMemory.create(tmp_path / "run")))
    by_point, by_list, by_batch, outliving = runs
    for x in points:
        values = by_point(x)
        assert np.array_equal(values, problem(x), equal_nan=True)
        assert np.array_equal(by_list(x.tolist()), values, equal_nan=True)
        assert np.array_equal(outliving(x), values, equal_nan=True)
    by_batch(points)
    for run in runs[:2]:
        with pytest.raises(EvaluationError, match="shape"):
            run(np.zeros(4))
        with pytest.raises(EvaluationError, match="real numbers"):
            run(np.zeros(3, complex))
    records = [run.finish("terminated") for run in runs]
    assert len(records[0].archive) > 50
    for record in records:
        assert record.evaluations == 600
        assert np.array_equal(record.archive, records[0].archive)
        assert np.array_equal(record.hits, records[0].hits)
        assert np.array_equal(record.best_solution, records[0].best_solution)


def test_targets_below_the_reference_are_hit_and_end_no_run():
    run = observed(bowl(reference=0.25), stop=StopConditions(budget_evaluations=5))
    run([1.0, 10.25])  # 0.25: exactly the reference
    run([1.0, 10.2])  # 0.3
    for _ in range(3):
        run([9.0, 11.0])
    with pytest.raises(BudgetExhausted):
        run([9.0, 11.0])
    record = run.finish("budget")
    assert record.hits["target"].tolist() == pytest.approx([0.0, -(10**-1.35)])
    assert record.best_precision == pytest.approx(-0.05)
    assert not run.final_target_hit
    assert record.suite.measurement.final_target is None


def test_without_a_reference_every_improvement_is_recorded():
    run = observed(bowl(reference=math.nan))
    run([1.0, 10.25])
    run([0.9, 10.24])
    run([2.0, 10.4])
    record = run.finish("terminated")
    assert record.hits["evaluation"].tolist() == [1, 2]
    assert record.hits["target"].tolist() == [math.inf] * 2
    assert record.hits["precision"][0] == -0.25


@pytest.mark.parametrize("kept", ["all", "final", "none"])
def test_what_is_kept_of_the_archive(kept, tmp_path):
    points = np.random.default_rng(1).uniform([-2.0, 9.9], [4.0, 10.7], (300, 2))
    with Observer(tmp_path / "a.h5", "a", indicator="hypervolume", archive=kept) as observer:
        for problem in observer([bowl()]):
            problem(points)
    log = read_log(tmp_path / "a.h5")
    entered = [row for row, (_, enters) in enumerate(by_the_dumbest_loop(points), 1) if enters]
    final = [
        row
        for row in entered
        if not any((points[other - 1] <= points[row - 1]).all() for other in entered if other > row)
    ]
    expected = {"all": entered, "final": final, "none": []}[kept]
    assert log.archive(0).evaluation.tolist() == expected
    assert log.runs.archive_kept.tolist() == [kept]
    with h5py.File(tmp_path / "a.h5") as file:
        assert ("archive" in file) == (kept != "none")
        if kept != "none":
            assert file["archive"]["y1"].tolist() == points[np.array(expected) - 1, 0].tolist()
        assert file["objectives"][:].tolist() == [(-1.0, 3.0), (10.0, 10.5)]


@pytest.mark.parametrize("kept", ["all", "final"])
def test_a_killed_run_keeps_what_its_archive_had(kept, tmp_path):
    memory = RunMemory.create(tmp_path / "run")
    memory.begin_run()
    run = observed(bowl(), memory=memory, archive=kept)
    for point in ([2.0, 10.4], [1.0, 10.25], [0.0, 10.3]):
        run(point)
    seen = RunMemory.open(tmp_path / "run")
    record = make_lost_record(
        seen, bowl(), run.identity, "failed", "killed", archive=kept, indicator="hypervolume"
    )
    assert record.archive["evaluation"].tolist() == ([1, 2, 3] if kept == "all" else [2, 3])
    assert record.evaluations == 3
    assert record.same_outcome(run.finish("failed", "killed"))


def test_threads_may_evaluate():
    run = observed(bowl())
    n1 = np.random.default_rng(2).permutation(np.linspace(0.01, 0.99, 800))
    front = np.column_stack([n1, (1 - np.sqrt(n1)) ** 2]) * (NADIR - IDEAL) + IDEAL

    def evaluate(points):
        for point in points:
            run(point)

    threads = [Thread(target=evaluate, args=(part,)) for part in np.split(front, 4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    record = run.finish("terminated")
    assert record.evaluations == 800
    points = np.column_stack([record.archive["y1"], record.archive["y2"]])
    assert sorted(points.tolist()) == sorted(front.tolist())
    assert (np.diff(record.archive["evaluation"]) >= 0).all()


def test_noise_is_not_measured():
    def noise(points, values, rng):
        return values + rng.normal(size=values.shape)

    points = np.random.default_rng(1).uniform([-2.0, 9.9], [4.0, 10.7], (50, 2))
    plain, noisy, batch = (observed(p) for p in (bowl(), *(with_noise(bowl(), noise),) * 2))
    for point in points:
        assert plain(point).tolist() == point.tolist()
        assert not np.array_equal(noisy(point), point)
    batch(points)
    records = [run.finish("terminated") for run in (plain, noisy, batch)]
    assert records[0].archive.tolist() == records[1].archive.tolist() == records[2].archive.tolist()
    assert len(records[0].archive) > 3


def test_recommended_solutions_are_kept_without_a_precision():
    run = observed(bowl())
    run([2.0, 10.4])
    run.recommend([1.0, 10.25])
    record = run.finish("terminated")
    assert record.recommended_solutions.tolist() == [[1.0, 10.25]]
    assert math.isnan(record.recommendations["precision"][0])
    assert len(record.archive) == 1


def test_problems_without_a_region_are_refused():
    one = Suite("bbob", dimensions=2)[0]
    free = problem_from(lambda x: [x[0], x[1]], 2, objectives=2)
    flat = two_objectives(one, one)
    for problem, why in (
        (one, "takes two objectives without constraints; .* has one objective"),
        (free, "needs an ideal point and a nadir point above it .* are unknown and unknown"),
        (flat, r"needs an ideal point and a nadir point above it .* they are \[79.48, 79.48\]"),
    ):
        with pytest.raises(ObservationError, match=why):
            Hypervolume(problem)


def test_a_large_archive_is_that_of_numpy():
    """10 000 points that enter one after the other in random order, and as many that do not."""
    rng = np.random.default_rng(5)
    n1 = rng.permutation(np.linspace(0.01, 0.99, 10_000))
    front = np.column_stack([n1, (1 - np.sqrt(n1)) ** 2]) * (NADIR - IDEAL) + IDEAL
    values = np.insert(front, np.arange(1, 10_001), front + 1e-6, axis=0)
    indicator = make_indicator("hypervolume", bowl())
    measured = indicator.measure(values, values)
    assert set(range(0, 20_000, 2)) <= set(indicator.entered.tolist())
    order = np.argsort(n1)
    scaled = ((front - IDEAL) / (NADIR - IDEAL))[order]
    area = ((np.append(scaled[1:, 0], 1.0) - scaled[:, 0]) * (1 - scaled[:, 1])).sum()
    assert measured[-1] == pytest.approx(-area, abs=1e-11)
    assert all(np.diff(measured) <= 0)
