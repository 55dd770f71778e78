"""What a run records stays in files whatever ends its process, and is the record it would make."""

import numpy as np
import pytest

from firsthit.loggers import ObservedProblem
from firsthit.loggers.observation.memory import RunMemory
from firsthit.loggers.observation.run_result import lost_run_record
from firsthit.loggers.observation.stops import StopConditions
from firsthit.loggers.records.identity import RunIdentity

from .conftest import sphere

IDENTITY = RunIdentity("a", sphere().problem_id)


def evaluate(observed, points):
    rng = np.random.default_rng(7)
    for t in range(points):
        x = rng.standard_normal(3) * 0.99**t
        observed(x if t % 3 else np.array([x, x / 2]))
    observed.restart("stagnation", seed=5, start=np.ones(3))
    observed.recommend(np.zeros(3))
    observed.note(sigma=0.25)


@pytest.mark.parametrize("record", ["targets", "improvements"])
def test_the_record_of_a_run_that_ended_without_one_is_the_one_it_would_have_made(tmp_path, record):
    free = StopConditions(final_target=False)
    reading = RunMemory.create(tmp_path / "memory")
    shared = RunMemory.open(tmp_path / "memory")
    for number in range(2):  # the second run finds nothing of the first
        shared.begin(number)
        observed = ObservedProblem(sphere(), IDENTITY, free, record, memory=shared)
        evaluate(observed, 400 - 300 * number)
    lost = lost_run_record(reading, sphere(), IDENTITY, "failed", "gone", seed=0, record=record)
    own = ObservedProblem(sphere(), IDENTITY, free, record)
    evaluate(own, 100)
    assert lost.wall_seconds > 0
    assert lost.same_outcome(own.finish("failed", "gone"))
    assert (reading.run_number, reading.seconds > 0) == (1, True)
    shared.rest()
    assert (reading.run_number, reading.seconds) == (None, 0.0)


def test_tables_grow_beyond_their_first_memory(tmp_path):
    for memory in (RunMemory(), RunMemory.create(tmp_path / "memory")):
        memory.begin()
        path = memory.table("trajectory")
        path.reserve(9000)
        for i in range(5000):
            path.append(i + 1, 1.0 / (i + 1), i)
        path.extend((np.arange(5001, 9001), np.zeros(4000), np.zeros(4000)))
        path.drop_from(8999)
        rows = memory.rows("trajectory")
        assert rows["evaluation"].tolist() == list(range(1, 8999))
        assert rows["precision"][1] == 0.5
        assert rows["constraints"][4999] == 4999


def test_memory_that_nobody_made_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match="holds no memory of a run"):
        RunMemory.open(tmp_path)
