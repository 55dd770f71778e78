"""Runs of a chunk are made one after the other, and come out as each alone would.

Private names: worker processes are replaced, so that they fail at a chosen step.
"""

import numpy as np
import pytest

from firsthit.loggers import read_log
from firsthit.loggers.hdf5.writer import LogWriter
from firsthit.loggers.records.log_header import LogHeader
from firsthit.runner.campaign.budget import parse_budget
from firsthit.runner.campaign.campaign import RunRules, RunSpec
from firsthit.runner.execution import chunk
from firsthit.runner.execution.chunk import (
    finished_of,
    is_overdue,
    lost_run,
    records_of,
    run_chunk,
)
from firsthit.runner.execution.run import run_one
from firsthit.runner.executors import worker as worker_module
from firsthit.runner.optimizers.resolve import OptimizerRef
from firsthit.suites.facts import ProblemId


def walk(problem, rng, x0):
    x = x0
    for _ in range(60):
        trial = x + rng.standard_normal(len(x))
        x = min(x, trial, key=problem)
    problem.recommend(x)


def specs(optimizer, count=6, **rules):
    ref = OptimizerRef("walk", optimizer)
    rules = RunRules(**{"restarts": 0, **rules})
    return [
        RunSpec(ProblemId("bbob", 1 + i % 3, 2 + i % 2, 1), ref, rules, i) for i in range(count)
    ]


@pytest.fixture
def worker(tmp_path, monkeypatch):
    """This process is a worker."""
    this = worker_module.ThisWorker(tmp_path, lambda payload: None)
    monkeypatch.setattr(worker_module, "_workers", [this])
    return this


@pytest.mark.parametrize("rules", [{}, {"restarts": 2}, {"budget": parse_budget(25)}])
def test_a_chunk_makes_the_records_of_its_runs(worker, rules):
    runs = specs(walk, **rules)
    for made, run in zip(records_of(run_chunk(runs, np.inf)), runs, strict=True):
        assert made.same_outcome(run_one(run))
        assert made.recommended_solutions.shape == (
            len(made.recommendations),
            made.identity.problem.dimension,
        )


def test_records_are_in_the_file_that_outlives_the_process(worker):
    runs = specs(walk)
    result = run_chunk(runs, np.inf)
    content = (worker.folder / "finished").read_bytes()
    assert content == result
    assert len(records_of(content[:-1])) == 5
    assert len(finished_of({"finished": content + b"garbage"}, runs)) == 6


def test_no_run_but_the_first_begins_when_time_is_over(worker):
    assert len(records_of(run_chunk(specs(walk), -1.0))) == 1


def test_no_run_begins_that_would_end_too_late_if_it_lasted_as_the_longest(worker, monkeypatch):
    now = 0.0
    lasting = iter([1.0, 3.0, 2.0, 1.0, 1.0])

    def waiting(problem, x0):
        nonlocal now
        problem(x0)
        now += next(lasting)

    monkeypatch.setattr(chunk, "monotonic", lambda: now)
    assert len(records_of(run_chunk(specs(waiting, 5), 8.9))) == 3
    assert now == 6.0


def test_a_run_that_cannot_be_made_costs_no_others(worker):
    """It raises when it is the first of its chunk."""
    runs = specs(walk, 3)
    bad = RunSpec(ProblemId("bbob", 99, 2, 1), runs[0].optimizer, runs[0].rules)
    result = run_chunk([*runs, bad, *runs], np.inf)
    assert len(records_of(result)) == 3
    with pytest.raises(Exception, match="99"):
        run_chunk([bad], np.inf)


def test_a_worker_is_overdue_by_the_run_at_hand(worker):
    assert not is_overdue(5.0, worker.folder, 10.0)  # it may be preparing
    assert is_overdue(5.0, worker.folder, 40.0)
    run_chunk(specs(walk, 1), np.inf)
    assert not is_overdue(-2.0, worker.folder, 0.0)  # the run at hand is of the chunk before
    assert not is_overdue(5.0, worker.folder, 10.0)
    assert is_overdue(-2.0, worker.folder, 10.0)


def test_a_process_that_dies_after_its_last_run_leaves_it_to_nobody_else(worker):
    """As one does whose optimizer wrote into every open file, and whose chunk went on."""
    mine, others = specs(walk, 1), specs(walk, 7)[6:]  # of one problem
    [record] = records_of(run_chunk(mine, np.inf))
    files = {f"run/{path.name}": path.read_bytes() for path in (worker.folder / "run").iterdir()}
    lost = [lost_run(runs[0], "failed", "", files) for runs in (mine, others)]
    assert [run.evaluations for run in lost] == [record.evaluations, 0]


def damage(content, rng):
    """Return the bytes of a file as a stray write may leave them."""
    content = bytearray(content)
    place = int(rng.integers(max(1, min(len(content), 800))))
    match rng.choice(["bit", "number", "overwritten", "longer", "shorter"]):
        case "bit":
            content[place] ^= 1 << int(rng.integers(8))
        case "number":
            content[place // 8 * 8 : place // 8 * 8 + 8] = rng.bytes(8)
        case "overwritten":
            content[:9] = b"RUBBISH!!"
        case "longer":
            content += b"RUBBISH!!"
        case "shorter":
            del content[place:]
    return bytes(content)


def test_no_damage_of_a_runs_memory_spoils_the_log(worker, tmp_path):
    """A damage that cannot be noticed leaves a record that the log accepts."""
    rng = np.random.default_rng(1)
    runs = specs(walk, 60)
    statuses = []
    with LogWriter(tmp_path / "log.h5", LogHeader({"walk": {}})) as writer:
        for run in runs:
            run_chunk([run], np.inf)
            files = {f"run/{path.name}": path.read_bytes() for path in worker.folder.glob("run/*")}
            for name in rng.choice([*sorted(files), *["run/counts"] * len(files)], 2):
                files[name] = damage(files[name], rng)
            record = lost_run(run, "timeout", "no end", files)
            writer.add(record)
            statuses.append(record.status)
            assert ("is damaged" in record.error) == (record.status == "failed")
    assert sorted(read_log(tmp_path / "log.h5").runs.status) == sorted(statuses)
    assert 10 < statuses.count("failed") < 55
