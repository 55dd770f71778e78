"""Handing out runs: longest first, short ones together, deaths and delays sorted out."""

import pickle
from concurrent.futures import Future
from dataclasses import replace

import pytest

from firsthit.loggers import ObservedProblem, RunMemory, StopConditions
from firsthit.runner import CampaignError, OptimizerRef, RunRules, RunSpec, WorkerDied
from firsthit.runner.execution.dispatch import MOST_SECONDS, Dispatch
from firsthit.runner.execution.group import GroupResult, lost_run, number_of, run_group
from firsthit.runner.executors.frames import frame
from firsthit.suites import ProblemId


def framed(records):
    return b"".join(frame(pickle.dumps(record)) for record in records)


class Script:
    """An executor that takes down what it is given, and answers as a function of runs says."""

    workers = 1

    def __init__(self, answer):
        self.answer = answer
        self.given, self.fresh = [], []

    def submit(self, function, runs, limit, may_want_fresh, fresh=False):
        assert (function, limit) == (run_group, MOST_SECONDS)
        self.given.append(runs)
        self.fresh += [runs[0].repetition] if fresh else []
        self.may_want_fresh = may_want_fresh
        future = Future()
        try:
            answer = self.answer(runs)
            if not isinstance(answer, GroupResult):
                answer = GroupResult(framed(answer))
            future.set_result(answer)
        except Exception as error:
            future.set_exception(error)
        return future

    def close(self):
        """Nothing to close."""


def spec(name, dimension=2, repetition=0):
    rules = RunRules(timeout_seconds=9.0)
    problem = ProblemId("bbob", 1, dimension, 1)
    return RunSpec(problem, OptimizerRef(name, "random-search"), rules, repetition)


def runs_of(name, count, dimension=2):
    return [spec(name, dimension, repetition) for repetition in range(count)]


def made(run, seconds=0.01):
    return replace(lost_run(run, "terminated", ""), wall_seconds=seconds)


def outcomes(runs, answer):
    """What every run came to, by repetition; and what the executor was given."""
    script = Script(answer)
    found = {}
    for records in Dispatch(runs, script).records():
        for record in records:
            assert record.identity.repetition not in found
            found[record.identity.repetition] = record.status, record.error
    assert sorted(found) == sorted(run.repetition for run in runs)
    return found, script


def test_runs_that_last_long_go_first_once_that_is_known():
    seconds = {"short": 0.4, "long": 5.0, "middle": 2.0}
    script = Script(lambda runs: [made(run, seconds[run.optimizer.name]) for run in runs])
    runs = [run for name in seconds for run in runs_of(name, 20)]
    records = list(Dispatch(runs, script).records())
    names = [group[0].optimizer.name for group in script.given]
    seen = max(names.index(name) for name in seconds) + Script.workers * 2
    rest = names[seen:]
    assert len(rest) > 20
    assert rest == sorted(rest, key=lambda name: -seconds[name])
    assert sum(map(len, records)) == 60


def test_short_runs_travel_together_and_long_ones_alone():
    seconds = {"short": 0.001, "long": 0.7}
    script = Script(lambda runs: [made(run, seconds[run.optimizer.name]) for run in runs])
    list(Dispatch([*runs_of("short", 2000), *runs_of("long", 5)], script).records())
    sizes = {name: [len(g) for g in script.given if g[0].optimizer.name == name]
             for name in seconds}  # fmt: skip
    assert set(sizes["long"]) == {1}
    assert max(sizes["short"]) > 400
    *_, before, last = sizes["short"]
    assert last <= before in (19, 20)  # at the end little is left for one worker to wait for


@pytest.mark.slow
def test_what_the_first_run_had_to_load_is_soon_forgotten():
    script = Script(lambda runs: [made(run, 0.5 if run.repetition == 0 else 1e-3) for run in runs])
    list(Dispatch(runs_of("a", 3000), script).records())
    sizes = [len(group) for group in script.given]
    assert sizes[0] == 1
    assert max(sizes[:8]) > 400


def test_what_a_group_had_no_time_for_goes_back():
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
    memory.begin(number_of(runs[number]))
    problem = runs[number].make_problem()
    observed = ObservedProblem(problem, runs[number].identity, StopConditions(9), memory=memory)
    observed(problem.initial_solution)
    observed(problem.initial_solution)
    files = {f"run/{path.name}": path.read_bytes() for path in folder.iterdir()}
    return {**files, "finished": framed([made(run) for run in runs[:number]]) + b"and garbage"}


def test_who_dies_once_is_made_again_alone_and_others_are_kept_or_go_back(dying):
    answer, deaths = dying(30, 1)
    found, script = outcomes(runs_of("a", 60), answer)
    assert set(found.values()) == {("terminated", "")}
    assert deaths[0] > 1
    alone = [group for group in script.given if len(group) == 1 and group[0].repetition == 30]
    assert len(alone) == 1
    assert script.fresh == [30]
    [deadly] = [group for group in script.given if len(group) > 1 and 30 in repetitions(group)]
    finished = repetitions(deadly)[: repetitions(deadly).index(30)]
    later = [group for group in script.given if group is not deadly]
    assert finished
    assert not {*finished} & {k for group in later for k in repetitions(group)}


def repetitions(group):
    return [run.repetition for run in group]


def test_who_dies_twice_has_failed_with_what_it_had_reached(dying):
    answer, deaths = dying(30, 9)
    records = [r for part in Dispatch(runs_of("a", 60), Script(answer)).records() for r in part]
    assert len(deaths) == 2
    assert deaths[1] == 1
    [failed] = [record for record in records if record.status == "failed"]
    assert (failed.identity.repetition, failed.error) == (30, "it died, twice")
    assert (failed.evaluations, len(failed.best_solution)) == (2, 2)
    assert len(records) == 60


@pytest.mark.parametrize("count", [1, 5, 400])
def test_a_death_before_a_group_begins_leaves_what_the_group_before_had_finished(count):
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

    records = [r for part in Dispatch(runs_of("a", 1), Script(answer)).records() for r in part]
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
    alone = [group[0].repetition for group in script.given if len(group) == 1]
    assert alone.count(30) == 2


def test_who_lacks_what_the_system_gives_is_made_once_more_in_a_fresh_process():
    def answer(runs):
        records = [replace(made(run), status="failed", error="EMFILE") for run in runs]
        if len(runs) == 1 and runs[0].repetition in script.fresh:
            return records
        return GroupResult(framed(records[:1]), wants_fresh=len(runs) > 1 and not script.fresh)

    script = Script(answer)
    records = [r for part in Dispatch(runs_of("a", 60), script).records() for r in part]
    assert len(records) == 60
    assert 1 <= len(script.fresh) <= 2  # two groups were on their way
    assert script.may_want_fresh is False  # it fails in a fresh process, too: enough of that


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
