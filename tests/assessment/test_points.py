"""The question ``points`` and the method ``point_arrays`` return what runs evaluated."""

import csv
import io

import numpy as np
import pytest

import firsthit
from firsthit.assessment import AssessmentError
from firsthit.suites import Suite

from ..command_line import invoke, succeed


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A log with points of two algorithms in two dimensions, and the points by run."""
    path, own = tmp_path_factory.mktemp("points") / "a.h5", {}

    def walk(problem, rng, start):
        points = rng.uniform(-5, 5, (4, problem.dimension))
        values = [problem(point) for point in points]
        own.setdefault(problem.id, []).extend(
            (start, *point, value) for point, value in zip(points, values, strict=True)
        )

    firsthit.benchmark(
        {"mine": walk}, "bbob", functions=[1, 8], dimensions=[2, 3], instances=1, budget=12,
        restarts=2, record_points="all", output=path,
    )  # fmt: skip
    return path, own


def test_the_table_has_every_point_with_its_start(made):
    path, own = made
    table = firsthit.load(path).points(functions=8, dimensions=3)
    assert table.names == (
        "algorithm", "suite", "function", "dimension", "instance", "repetition", "start",
        "evaluation", "value", "x1", "x2", "x3",
    )  # fmt: skip
    columns = [table[name].tolist() for name in ("start", "x1", "x2", "x3", "value")]
    assert list(zip(*columns, strict=True)) == own["bbob_f008_i01_d03"]
    assert table["evaluation"].tolist() == list(range(1, 13))
    assert "every recorded point is a row" in table.notes[0]


def test_the_command_prints_all_digits_as_csv(made):
    path, own = made
    done = succeed("assess", "points", path, "--functions", 8, "--dimensions", 2, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [(float(row["x1"]), float(row["x2"]), float(row["value"])) for row in rows] == [
        row[1:] for row in own["bbob_f008_i01_d02"]
    ]


def test_several_dimensions_are_refused(made):
    done = invoke("assess", "points", made[0])
    assert done.exit_code == 2
    assert "points: a table has one dimension; these runs have 2, 3" in done.stderr


def test_arrays_of_each_run(made):
    path, own = made
    arrays = firsthit.load(path).point_arrays(functions=1)
    assert [(run.function, run.dimension, run.algorithm) for run in arrays] == [
        (1, 2, "mine"), (1, 3, "mine"),
    ]  # fmt: skip
    for run in arrays:
        expected = np.array(own[f"bbob_f001_i01_d{run.dimension:02}"])
        assert run.X.tobytes() == np.ascontiguousarray(expected[:, 1:-1]).tobytes()
        assert run.y.tolist() == expected[:, -1].tolist()


def test_runs_without_points_are_counted_and_left_out(tmp_path, made):
    firsthit.benchmark(
        "random-search", "bbob", functions=8, dimensions=3, instances=1, budget=9,
        output=tmp_path / "b.h5",
    )  # fmt: skip
    results = firsthit.load([made[0], tmp_path / "b.h5"])
    table = results.points(functions=8, dimensions=3)
    assert set(table["algorithm"]) == {"mine"}
    assert "1 of 2 runs recorded no points." in table.notes
    assert len(results.point_arrays(functions=8, dimensions=3)) == 1
    for ask in (results.points, results.point_arrays):
        with pytest.raises(AssessmentError, match=r"no points were recorded .*rerun"):
            ask(algorithms="random-search")


def test_points_of_two_objectives_have_two_values(tmp_path):
    own = []
    with firsthit.Observer(tmp_path / "a.h5", algorithm="x", record_points="all") as observer:
        for problem in observer(Suite("bbob-biobj", functions=1, dimensions=2, instances=1)):
            for point in np.random.default_rng(1).uniform(-5, 5, (5, 2)):
                own.append((*problem(point), *point))
    results = firsthit.load(tmp_path / "a.h5")
    table = results.points()
    columns = [table[name].tolist() for name in ("value", "second_value", "x1", "x2")]
    assert list(zip(*columns, strict=True)) == own
    assert results.point_arrays()[0].y.tolist() == [list(row[:2]) for row in own]


def test_a_run_that_reached_the_maximum_size_is_named(tmp_path):
    with firsthit.Observer(
        tmp_path / "a.h5", algorithm="x", record_points="all", max_point_bytes=100
    ) as observer:
        for problem in observer(Suite("bbob", functions=1, dimensions=2, instances="1-2")):
            problem(np.zeros((5, 2)))
    results = firsthit.load(tmp_path / "a.h5")
    assert (
        "2 of 2 runs reached max_point_bytes and recorded no points after an evaluation, the first "
        "after 2." in results.points().notes
    )
    with pytest.raises(AssessmentError, match="no parameter was noted"):
        results.parameters()
