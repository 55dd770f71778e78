"""What a run records stays in files whatever ends its process, and is the record it would make.

Private names: the memory that a worker process shares with the main process is read after its
death.
"""

import contextlib
import os
import random
import signal
import sys

import numpy as np
import pytest

from firsthit.loggers import observe_problem
from firsthit.loggers.observation.memory import RunMemory
from firsthit.loggers.observation.run_result import make_lost_record
from firsthit.loggers.observation.stops import StopConditions
from firsthit.loggers.records.identity import RunIdentity

from .problems import scripted, sphere
from .witness import find_level, is_ours

IDENTITY = RunIdentity("a", sphere().problem_id)
FREE = StopConditions(final_target=False)


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
    reading = RunMemory.create(tmp_path / "memory")
    shared = RunMemory.open(tmp_path / "memory")
    for number in range(2):  # the second run finds nothing of the first
        shared.begin_run(number)
        observed = observe_problem(sphere(), IDENTITY, FREE, record, memory=shared)
        evaluate(observed, 400 - 300 * number)
    lost = make_lost_record(reading, sphere(), IDENTITY, "failed", "gone", seed=0, record=record)
    own = observe_problem(sphere(), IDENTITY, FREE, record)
    evaluate(own, 100)
    assert lost.wall_seconds > 0
    assert lost.same_outcome(own.finish("failed", "gone"))
    assert (reading.run_number, reading.elapsed_seconds > 0) == (1, True)
    shared.end_run()
    assert (reading.run_number, reading.elapsed_seconds) == (None, 0.0)


def test_tables_grow_beyond_their_first_memory(tmp_path):
    for memory in (RunMemory(), RunMemory.create(tmp_path / "memory")):
        memory.begin_run()
        table = memory.get_table("trajectory")
        for i in range(5000):
            table.append(i + 1, 1.0 / (i + 1), i)
        table.extend((np.arange(5001, 9001), np.zeros(4000), np.zeros(4000)))
        assert table.last_evaluation == 9000
        rows = memory.copy_rows("trajectory")
        assert rows["evaluation"].tolist() == list(range(1, 9001))
        assert rows["precision"][1] == 0.5
        assert rows["constraints"][4999] == 4999


def test_memory_that_nobody_made_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match="holds no memory of a run"):
        RunMemory.open(tmp_path)


VALUES = (3.0 * 0.93 ** np.arange(60)).tolist()


def record_until_killed(memory: RunMemory, record: str, clock: str, opcodes: int) -> None:
    """Record a run, and kill this process before an opcode of this package."""

    def count(frame, event, _):
        nonlocal opcodes
        frame.f_trace_opcodes = True
        opcodes -= event == "opcode"
        if not opcodes:
            os.kill(os.getpid(), signal.SIGKILL)
        return count

    def follow(frame, event, _):
        return count(frame, event, _) if is_ours(frame.f_code.co_filename) else None

    run = observe_problem(
        scripted(VALUES, dimension=3), IDENTITY, FREE, record, memory=memory, clock=clock
    )
    run.note(sigma=1.0)
    sys.settrace(follow)
    for first in range(0, 60, 6):
        for number in range(first, first + 3):
            run([number, 0, 0])
        run([[number, 0, 0] for number in range(first + 3, first + 6)])


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs fork, which Windows does not have")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.parametrize("clock", ["none", "measured"])
@pytest.mark.parametrize("record", ["targets", "improvements"])
def test_the_memory_of_a_killed_process_never_contradicts_itself(tmp_path, record, clock):
    """Each value is an improvement, so that hits and the best value must agree."""
    rng = random.Random(record + clock)
    for number in range(20):
        memory = RunMemory.create(tmp_path / str(number))
        memory.begin_run()
        process = os.fork()
        if not process:
            with contextlib.suppress(BaseException):
                record_until_killed(memory, record, clock, rng.randint(1, 9000) + number)
            os._exit(1)
        _, status = os.waitpid(process, 0)
        assert os.WTERMSIG(status) == signal.SIGKILL
        seen = RunMemory.open(tmp_path / str(number))
        run = make_lost_record(
            seen, scripted(VALUES, dimension=3), IDENTITY, "failed", "killed", record=record
        )
        check_that_hits_explain_the_best(run, record)


def check_that_hits_explain_the_best(run, record: str) -> None:
    precisions, best = run.hits["precision"], run.best_precision
    assert precisions.tolist() == [VALUES[number - 1] for number in run.hits["evaluation"]]
    if not len(precisions):
        assert best == np.inf
        return
    count = VALUES.index(best) + 1  # evaluations whose values are recorded
    assert run.evaluations - 3 <= count <= run.evaluations
    assert run.best_solution[0] == count - 1
    if record == "improvements":
        assert precisions[-1] == best
    else:
        assert find_level(precisions[-1]) == find_level(best)
    trajectory = run.trajectory[:-1]
    assert trajectory["precision"].tolist() == [VALUES[n - 1] for n in trajectory["evaluation"]]
    assert len(run.hit_seconds) in (0, len(run.hits))
