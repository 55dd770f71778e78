"""How runs ended: counted by hand."""

import numpy as np
import pytest

import firsthit


def walk(problem, rng):
    for _ in range(20):
        problem(rng.uniform(-5, 5, problem.dimension))
    problem.restart("bored")
    for _ in range(20):
        problem(rng.uniform(-5, 5, problem.dimension))


def breaks(problem, rng):
    problem(np.zeros(problem.dimension))
    raise ValueError("no")


@pytest.mark.filterwarnings("ignore:3 of 3 runs failed")
def test_ends_are_counted(tmp_path):
    for name, solve, budget in (("walk", walk, 30), ("breaks", breaks, 30), ("short", walk, None)):
        firsthit.benchmark(
            solve, "bbob", functions=1, dimensions=2, instances="1-3", budget=budget,
            algorithm=name, output=tmp_path / f"{name}.h5",
        )  # fmt: skip
    table = firsthit.load(tmp_path).termination()
    rows = {row[0]: dict(zip(table.names, row, strict=True)) for row in table.rows()}
    assert list(rows) == ["breaks", "short", "walk"]
    assert {name: rows["walk"][name] for name in ("runs", "budget", "evaluations", "restarts")} == {
        "runs": 3, "budget": 3, "evaluations": 90, "restarts": 1.0,
    }  # fmt: skip
    assert (rows["breaks"]["failed"], rows["breaks"]["evaluations"]) == (3, 3)
    assert (rows["short"]["terminated"], rows["short"]["evaluations"]) == (3, 120)
    ends = ("target", "budget", "terminated", "failed", "timeout", "interrupted")
    assert all(sum(row[end] for end in ends) == row["runs"] for row in rows.values())


def test_restarts_are_listed(tmp_path):
    firsthit.benchmark(
        walk, "bbob", functions=1, dimensions=2, instances=1, algorithm="walk",
        output=tmp_path / "walk.h5",
    )  # fmt: skip
    table = firsthit.load(tmp_path).restarts()
    assert table["start"].tolist() == [0, 1]
    assert table["evaluation"].tolist() == [0, 20]
    assert table["evaluations"].tolist() == [40, 40]
    assert table["reason"].tolist() == ["", "bored"]
