"""Handing out runs: longest first, short ones together, deaths and delays sorted out.

Private names: the executor and the clock are replaced, so that the order of tasks is determined.
"""

import pickle
from concurrent.futures import Future
from dataclasses import replace
from functools import cache

import pytest

from firsthit.loggers import observe_problem
from firsthit.loggers.observation.memory import RunMemory
from firsthit.loggers.observation.stops import StopConditions
from firsthit.runner import CampaignError
from firsthit.runner.campaign.budget import parse_budget
from firsthit.runner.campaign.campaign import RunRules, RunSpec
from firsthit.runner.errors import WorkerDied
from firsthit.runner.execution.chunk import lost_run, number_of, run_chunk
from firsthit.runner.execution.dispatch import CHUNK_LIMIT_SECONDS, Dispatch
from firsthit.runner.executors.messages import message
from firsthit.runner.optimizers.resolve import OptimizerRef
from firsthit.suites.facts import ProblemId


def framed(records):
    return b"".join(message(pickle.dumps(record)) for record in records)


class Script:
    """An executor that takes down what it is given, and answers as a function of runs says.

    Attributes:
        given: The chunks.
        owners: Of these, in the same order.
        started: Processes that real workers would have started.
        most_prepared: That were asked for at once.
    """

    def __init__(self, answer, workers=1):
        self.answer, self.workers = answer, workers
        self.given, self.owners, self.at = [], [], {}
        self.started = self.most_prepared = 0

    def submit(self, function, runs, limit, owner, worker):
        assert (function, limit) == (run_chunk, CHUNK_LIMIT_SECONDS)
        self.given.append(runs)
        self.owners.append(owner)
        if self.at.get(worker) != owner:
            self.at[worker] = owner
            self.started += 1
        future = Future()
        try:
            future.set_result(framed(self.answer(runs)))
        except Exception as error:
            future.set_exception(error)
            self.at[worker] = None
        return future

    def prepare(self, processes):
        self.most_prepared = max(self.most_prepared, processes)

    def close(self):
        """Nothing to close."""


def spec(name, dimension=2, repetition=0):
    rules = RunRules(timeout_seconds=9.0)
    problem = ProblemId("bbob", 1, dimension, 1)
    return RunSpec(problem, OptimizerRef(name, "random-search"), rules, repetition)


def runs_of(name, count, dimension=2):
    return [spec(name, dimension, repetition) for repetition in range(count)]


@cache
def record_of(problem):
    return lost_run(RunSpec(problem, OptimizerRef("any", "random-search")), "terminated", "")


def made(run, seconds=0.01):
    return replace(record_of(run.problem), identity=run.identity, wall_seconds=seconds)


def outcomes(runs, answer):
    """What every run came to, by repetition; and what the executor was given."""
    script = Script(answer)
    found = {}
    for records in Dispatch(runs, script).execute_runs():
        for record in records:
            assert record.identity.repetition not in found
            found[record.identity.repetition] = record.status, record.error
    assert sorted(found) == sorted(run.repetition for run in runs)
    return found, script


def test_runs_that_last_long_go_first_once_that_is_known():
    seconds = {2: 0.4, 5: 5.0, 3: 2.0}
    script = Script(lambda runs: [made(run, seconds[run.problem_id.dimension]) for run in runs])
    records = list(
        Dispatch([r for d in seconds for r in runs_of("a", 20, d)], script).execute_runs()
    )
    dimensions = [chunk[0].problem_id.dimension for chunk in script.given]
    seen = max(dimensions.index(dimension) for dimension in seconds) + 2
    rest = dimensions[seen:]
    assert len(rest) > 20
    assert rest == sorted(rest, key=lambda dimension: -seconds[dimension])
    assert sum(map(len, records)) == 60


def algorithms_of(script):
    """The algorithms of each process, in the order in which they came."""
    found = {}
    for owner, chunk in zip(script.owners, script.given, strict=True):
        found.setdefault(owner, []).extend(run.optimizer.name for run in chunk)
    return list(found.values())


@pytest.mark.parametrize("workers", [1, 2, 3, 8])
@pytest.mark.parametrize("seconds", [1e-4, 0.3, 30.0])
def test_a_process_runs_one_algorithm_and_keeps_it_to_the_end_of_the_stage(workers, seconds):
    names = "abcde"
    rules = RunRules(budget=parse_budget("[10, 20, 50]"))
    runs = [
        replace(spec(name, dimension, k), rules=rules, stage=stage)
        for stage in range(3)
        for dimension in (2, 3)
        for k in range(20)
        for name in names
    ]
    script = Script(lambda runs: [made(run, seconds) for run in runs], workers)
    records = [r for part in Dispatch(runs, script).execute_runs() for r in part]
    assert len({record.identity for record in records}) == len(records) == len(runs)
    assert all(len(set(each)) == 1 for each in algorithms_of(script))
    paying = len(runs) * seconds / 20  # further ones, each for 20 s of work
    assert script.started <= 3 * (len(names) + workers) + paying
    assert script.most_prepared <= workers
    stages = [chunk[0].stage for chunk in script.given]
    assert stages == sorted(stages) or workers > 1
    if workers == 1:  # an algorithm with runs in the next stage is not left for it
        assert script.started == 5 + 4 + 4


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_early_runs_go_first_and_cost_few_processes(workers):
    runs = [spec(name, dimension, k) for dimension in (2, 3) for k in range(20) for name in "abc"]
    early_keys = {run.identity.key for run in runs if run.repetition % 4 == 1}
    script = Script(lambda runs: [made(run) for run in runs], workers)
    dispatch = Dispatch(runs, script, early_keys=early_keys)
    records = [record for part in dispatch.execute_runs() for record in part]
    assert len({record.identity for record in records}) == len(records) == len(runs)
    assert all(len(set(each)) == 1 for each in algorithms_of(script))
    is_early = [run.identity.key in early_keys for chunk in script.given for run in chunk]
    n_early = len(early_keys)
    if workers == 1:
        assert is_early == sorted(is_early, reverse=True)
    assert sum(is_early[: n_early + 10 * (workers - 1)]) == n_early
    assert script.started <= 3 + 3 - min(workers, 3) + workers  # help included


def test_workers_without_an_algorithm_of_their_own_help_with_the_longest():
    script = Script(lambda runs: [made(run, 5.0) for run in runs], workers=4)
    list(Dispatch([*runs_of("a", 40), *runs_of("b", 5)], script).execute_runs())
    assert len({owner for owner in script.owners if owner.startswith("a ")}) >= 2
    assert 4 <= script.started <= 2 + 4


def test_short_runs_travel_together_and_long_ones_alone():
    seconds = {2: 0.001, 3: 0.7}
    script = Script(lambda runs: [made(run, seconds[run.problem_id.dimension]) for run in runs])
    list(Dispatch([*runs_of("a", 2000, 2), *runs_of("a", 5, 3)], script).execute_runs())
    sizes = {dimension: [len(chunk) for chunk in script.given
                         if chunk[0].problem_id.dimension == dimension]
             for dimension in seconds}  # fmt: skip
    assert set(sizes[3]) == {1}
    assert max(sizes[2]) > 400
    *_, before, last = sizes[2]
    assert last <= before in (19, 20)  # at the end little is left for one worker to wait for


@pytest.mark.slow
def test_what_the_first_run_had_to_load_is_soon_forgotten():
    script = Script(lambda runs: [made(run, 0.5 if run.repetition == 0 else 1e-3) for run in runs])
    list(Dispatch(runs_of("a", 3000), script).execute_runs())
    sizes = [len(chunk) for chunk in script.given]
    assert sizes[0] == 1
    assert max(sizes[:8]) > 400


def test_what_a_chunk_had_no_time_for_goes_back():
    found, script = outcomes(runs_of("a", 50), lambda runs: [made(run) for run in runs[:2]])
    assert set(found.values()) == {("terminated", "")}
    assert max(map(len, script.given)) > 2


@pytest.fixture
def dying(tmp_path):
    """Makes what answers so that one repetition kills its worker the first times."""

    def answers(at, times, **how):
        deaths = []

        def answer(runs):
            for number, run in enumerate(runs):
                if run.repetition == at and len(deaths) < times:
                    deaths.append(len(runs))
                    folder = tmp_path / f"{len(deaths)}"
                    raise WorkerDied("it died", files=left_of(runs, number, folder), **how)
            return [made(run) for run in runs]

        return answer, deaths

    return answers


def left_of(runs, number, folder):
    """Files of a worker that died at run ``number`` after two evaluations."""
    memory = RunMemory.create(folder)
    memory.begin_run(number_of(runs[number]))
    problem = runs[number].make_problem()
    observed = observe_problem(problem, runs[number].identity, StopConditions(9), memory=memory)
    observed(problem.initial_solution)
    observed(problem.initial_solution)
    files = {f"run/{path.name}": path.read_bytes() for path in folder.iterdir()}
    return {**files, "finished": framed([made(run) for run in runs[:number]]) + b"and garbage"}


def test_who_dies_once_is_made_again_alone_and_others_are_kept_or_go_back(dying):
    answer, deaths = dying(30, 1)
    found, script = outcomes(runs_of("a", 60), answer)
    assert set(found.values()) == {("terminated", "")}
    assert deaths[0] > 1
    alone = [chunk for chunk in script.given if len(chunk) == 1 and chunk[0].repetition == 30]
    assert len(alone) == 1
    at = script.given.index(alone[0])
    assert script.owners[at] not in script.owners[:at]
    [deadly] = [chunk for chunk in script.given if len(chunk) > 1 and 30 in repetitions(chunk)]
    finished = repetitions(deadly)[: repetitions(deadly).index(30)]
    later = [chunk for chunk in script.given if chunk is not deadly]
    assert finished
    assert not {*finished} & {k for chunk in later for k in repetitions(chunk)}


def repetitions(chunk):
    return [run.repetition for run in chunk]


def test_who_dies_twice_has_failed_with_what_it_had_reached(dying):
    answer, deaths = dying(30, 9)
    records = [
        r for part in Dispatch(runs_of("a", 60), Script(answer)).execute_runs() for r in part
    ]
    assert len(deaths) == 2
    assert deaths[1] == 1
    [failed] = [record for record in records if record.status == "failed"]
    assert (failed.identity.repetition, failed.error) == (30, "it died, twice")
    assert (failed.evaluations, len(failed.best_solution)) == (2, 2)
    assert len(records) == 60


@pytest.mark.parametrize("count", [1, 5, 400])
def test_a_death_before_a_chunk_begins_leaves_what_the_chunk_before_had_finished(count):
    before = [made(run) for run in runs_of("b", count)]
    deaths = []

    def answer(runs):
        if len(runs) > 1 and not deaths:
            deaths.append(len(runs))
            raise WorkerDied("it died", files={"finished": framed(before)})
        return [made(run) for run in runs]

    found, _ = outcomes(runs_of("a", 60), answer)
    assert deaths
    assert set(found.values()) == {("terminated", "")}


def test_who_is_beyond_its_time_is_not_tried_again(dying):
    answer, deaths = dying(30, 9, is_overdue=True)
    found, _ = outcomes(runs_of("a", 60), answer)
    assert found.pop(30) == ("timeout", "no end within 9 s; its process was ended")
    assert set(found.values()) == {("terminated", "")}
    assert len(deaths) == 1


def test_a_memory_full_of_garbage_costs_what_was_reached_only(tmp_path):
    def answer(runs):
        files = left_of(runs, 0, tmp_path / f"{len(list(tmp_path.iterdir()))}")
        raise WorkerDied("it died", files={**files, "run/counts": b"garbage." * 8})

    records = [r for part in Dispatch(runs_of("a", 1), Script(answer)).execute_runs() for r in part]
    assert [(r.status, r.error, r.evaluations) for r in records] == [
        ("failed", "it died, twice", 0),
    ]  # fmt: skip


def test_where_nobody_knows_which_run_it_was_each_goes_alone():
    def answer(runs):
        if any(run.repetition == 30 for run in runs):
            raise WorkerDied("a machine is gone")
        return [made(run) for run in runs]

    found, script = outcomes(runs_of("a", 60), answer)
    assert found.pop(30) == ("failed", "a machine is gone, twice")
    assert set(found.values()) == {("terminated", "")}
    alone = [chunk[0].repetition for chunk in script.given if len(chunk) == 1]
    assert alone.count(30) == 2


def test_an_error_of_one_run_is_that_runs():
    def answer(runs):
        if any(run.repetition == 30 for run in runs):
            raise ValueError("no such problem")
        return [made(run) for run in runs]

    found, _ = outcomes(runs_of("a", 60), answer)
    assert found.pop(30) == ("failed", "no such problem")
    assert set(found.values()) == {("terminated", "")}


def test_a_cluster_that_is_lost_ends_it():
    def answer(runs):
        raise CampaignError("the scheduler is lost")

    with pytest.raises(CampaignError, match="the scheduler is lost"):
        outcomes(runs_of("a", 3), answer)
