"""Recorded points equal the evaluations that the algorithm made, bit by bit."""

import contextlib
import threading

import h5py
import numpy as np
import pytest

import firsthit
from firsthit.loggers import read_log
from firsthit.loggers.errors import ObservationError
from firsthit.suites import Suite, problem_from

ROW_BYTES = 3 * 8  # of an evaluation, besides its point
SUITES = ("bbob", "bbob-biobj", "bbob-noisy", "bbob-constrained", "pbo")


def first_problem(suite):
    available = Suite(suite)
    return Suite(
        suite,
        functions=available.functions[0],
        dimensions=min(available.dimensions),
        instances=available.instances[0],
    )


def evaluate(problem, n_single, n_batch):
    """Evaluate random points, one by one and in a batch; return all points and their values."""
    rng = np.random.default_rng(1)
    points = rng.uniform(-5, 5, (n_single + n_batch, problem.dimension))
    if problem.is_binary:
        points = (points > 0).astype(float)
    values = [problem(point) for point in points[:n_single]]
    if n_batch:
        values.extend(problem(points[n_single:]))
    return points, np.array(values)


def observe(path, problems, run, **options):
    """Observe ``run`` on each problem; return the log."""
    with firsthit.Observer(path, algorithm="mine", overwrite=True, **options) as observer:
        for problem in observer(problems):
            run(problem)
    return read_log(path)


@pytest.mark.parametrize("suite", SUITES)
def test_all_evaluations_of_a_loop_and_of_batches(suite, tmp_path):
    own = []
    log = observe(
        tmp_path / "a.h5",
        first_problem(suite),
        lambda problem: own.append(evaluate(problem, 600, 40)),
        record_points="all",
    )
    points = log.points(0)
    assert points.evaluations.tolist() == list(range(1, 641))
    assert points.X.tobytes() == own[0][0].tobytes()
    assert points.y.tobytes() == own[0][1].tobytes()
    assert points.last_recorded is None


def test_points_are_read_by_h5py_alone(tmp_path):
    own = []
    observe(
        tmp_path / "a.h5",
        Suite("bbob", functions=[1, 8], dimensions=2, instances=1),
        lambda problem: own.append(evaluate(problem, 20, 5)),
        record_points="all",
    )
    with h5py.File(tmp_path / "a.h5") as file:
        for run, (points, values) in enumerate(own):
            first, stop = file["evaluations_offsets"][run : run + 2]
            assert (file["evaluations"][first:stop]["value"] == values).all()
            first, stop = file["evaluated_solutions_offsets"][run : run + 2]
            numbers = file["evaluated_solutions"][first:stop]["x"]
            assert (numbers.reshape(-1, 2) == points).all()


def test_nothing_is_recorded_by_default(tmp_path):
    observe(tmp_path / "a.h5", first_problem("bbob"), lambda problem: evaluate(problem, 20, 5))
    with h5py.File(tmp_path / "a.h5") as file:
        assert not {"hit_solutions", "evaluations", "evaluated_solutions"} & set(file)


@pytest.mark.parametrize("form", [list, tuple, np.float32, np.int64, np.float64])
def test_points_in_any_form_are_recorded_as_float64(form, tmp_path):
    own = []

    def run(problem):
        for point in np.random.default_rng(1).integers(-5, 5, (10, 2)).astype(float):
            x = form(point) if form in (list, tuple) else np.asarray(point).astype(form)
            own.append((x, problem(x)))

    log = observe(tmp_path / "a.h5", first_problem("bbob"), run, record_points="all")
    assert (np.array([x for x, _ in own], dtype=float) == log.points(0).X).all()
    assert log.points(0).y.tolist() == [value for _, value in own]


def test_a_point_that_is_changed_afterwards_is_recorded_as_it_was(tmp_path):
    def run(problem):
        x, batch = np.zeros(2), np.zeros((3, 2))
        problem(x)
        x += 1.0
        problem(batch)
        batch += 1.0

    log = observe(tmp_path / "a.h5", first_problem("bbob"), run, record_points="all")
    assert not log.points(0).X.any()


def test_the_first_evaluations(tmp_path):
    for first, n_points in (({"first": "50*D"}, 100), ({"first": 7}, 7), ("first 30*D", 60)):
        for n_single, n_batch in ((300, 0), (3, 300), (0, 300)):
            own = []
            log = observe(
                tmp_path / "a.h5",
                first_problem("bbob"),
                lambda problem, sizes=(n_single, n_batch), own=own: own.append(
                    evaluate(problem, *sizes)
                ),
                record_points=first,
            )
            assert log.points(0).X.tobytes() == own[0][0][:n_points].tobytes()
            assert log.points(0).y.tobytes() == own[0][1][:n_points].tobytes()
            assert not len(log.notes_of(0))


@pytest.mark.parametrize("record", ["targets", "improvements"])
@pytest.mark.parametrize("n_batch", [0, 250])
def test_points_of_hits(record, n_batch, tmp_path):
    own = []
    log = observe(
        tmp_path / "a.h5",
        first_problem("bbob"),
        lambda problem: own.append(evaluate(problem, 300 - n_batch, n_batch)),
        record_points="hits",
        record=record,
    )
    points, hits = log.points(0), log.hits(0)
    assert points.evaluations.tolist() == hits["evaluation"].tolist()
    assert (own[0][0][hits["evaluation"] - 1] == points.X).all()
    assert points.y == pytest.approx(own[0][1][hits["evaluation"] - 1], rel=1e-14)


def test_points_of_hits_of_two_objectives_have_both_values(tmp_path):
    own = []
    log = observe(
        tmp_path / "a.h5",
        first_problem("bbob-biobj"),
        lambda problem: own.append(evaluate(problem, 200, 100)),
        record_points="hits",
    )
    points = log.points(0)
    assert len(points.X) == len(log.hits(0))
    assert (points.y == own[0][1][points.evaluations - 1]).all()


@pytest.mark.parametrize("sizes", [(600, 0), (0, 600), (300, 300)])
def test_a_run_that_reaches_the_maximum_size_says_so(sizes, tmp_path):
    own = []
    log = observe(
        tmp_path / "a.h5",
        first_problem("bbob"),
        lambda problem: own.append(evaluate(problem, *sizes)),
        record_points="all",
        max_point_bytes=101 * (ROW_BYTES + 2 * 8) - 1,
    )
    points, (note,) = log.points(0), log.notes_of(0)
    assert points.X.tobytes() == own[0][0][:100].tobytes()
    assert points.last_recorded == note["evaluation"] == 100
    assert (note["name"], note["value"]) == (b"max_point_bytes", 101 * (ROW_BYTES + 2 * 8) - 1)
    assert log.runs.evaluations.tolist() == [600]


@pytest.mark.parametrize("n_batch", [0, 300])
def test_hits_that_reach_the_maximum_size_say_so(n_batch, tmp_path):
    log = observe(
        tmp_path / "a.h5",
        first_problem("bbob"),
        lambda problem: evaluate(problem, 300 - n_batch, n_batch),
        record_points="hits",
        max_point_bytes=3 * 16,
    )
    points, hits = log.points(0), log.hits(0)
    assert len(hits) > len(points.X) == 3
    assert points.last_recorded == hits["evaluation"][2]


def test_points_after_the_final_target_do_not_count():
    def solve(problem, x0):
        problem(np.stack([x0, x0, problem.best_observed_solution or x0]))

    results = firsthit.benchmark(
        solve, [problem_from(lambda x: float(np.sum(x**2)), dimension=2, optimal_value=0.0)],
        budget=10, record_points="all",
    )  # fmt: skip
    log = results.log
    assert log.runs.evaluations[0] == len(log.points(0).X)


def test_evaluations_that_fail_have_no_point(tmp_path):
    def fail(x):
        if x[0] > 2:
            raise RuntimeError("too large")
        return float(x[0])

    def run(problem):
        for number in range(5):
            with contextlib.suppress(RuntimeError):
                problem([number, 0])
        problem([1, 1])

    log = observe(tmp_path / "a.h5", [problem_from(fail, dimension=2)], run, record_points="all")
    assert log.points(0).evaluations.tolist() == [1, 2, 3, 6]
    assert log.points(0).y.tolist() == [0, 1, 2, 1]


def test_threads_lose_no_point(tmp_path):
    own = [[] for _ in range(4)]

    def run(problem):
        def walk(number):
            for point in np.random.default_rng(number).uniform(-5, 5, (500, 2)):
                own[number].append((*point, problem(point)))

        threads = [threading.Thread(target=walk, args=[number]) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    log = observe(tmp_path / "a.h5", first_problem("bbob"), run, record_points="all")
    points = log.points(0)
    assert (np.diff(points.evaluations) >= 0).all()
    recorded = np.column_stack([points.X, points.y]).tolist()
    assert sorted(recorded) == sorted([*row] for rows in own for row in rows)


@pytest.mark.parametrize(
    "value",
    ["al", {"first": "x"}, {"first": 0}, {"last": 5}, 5, True, {"first": "50*D*D"}, "first"],
)
def test_another_choice_of_points_is_refused(value, tmp_path):
    with pytest.raises(ObservationError, match=r"record_points is .*it must be 'hits', 'all'"):
        firsthit.Observer(tmp_path / "a.h5", algorithm="mine", record_points=value)


@pytest.mark.parametrize("value", [0, -1, 1.5, "1 MB", True])
def test_another_maximum_size_is_refused(value, tmp_path):
    with pytest.raises(ObservationError, match=r"max_point_bytes is .*at least 1"):
        firsthit.Observer(tmp_path / "a.h5", algorithm="mine", max_point_bytes=value)


def test_other_hits_have_no_points_of_the_recorded_hits(tmp_path):
    """Hits relative to another reference, and hits of recommended solutions."""

    def run(problem):
        evaluate(problem, 60, 0)
        problem.recommend(np.zeros(problem.dimension))

    for suite in ("bbob-biobj", "bbob"):
        path = tmp_path / f"{suite}.h5"
        observe(path, first_problem(suite), run, record_points="hits")
    changed = firsthit.load(tmp_path / "bbob-biobj.h5").measured_from("archive").log
    recommended = firsthit.load(tmp_path / "bbob.h5", recommended=True).log
    for number, log in enumerate((changed, recommended)):
        saved = read_log(log.save(tmp_path / f"saved{number}.h5")) if number == 0 else log
        assert len(saved.hits(0))
        assert not len(saved.points(0).X)
