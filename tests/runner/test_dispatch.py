"""Handing out runs: longest first, short ones together, deaths and delays sorted out."""

from concurrent.futures import Future
from dataclasses import replace

import pytest

from firsthit.loggers.observation.flight import FLIGHT_BYTES, Flight, FlightMemory
from firsthit.loggers.records.run_record import STATUSES
from firsthit.loggers.records.table import tabulate
from firsthit.runner import CampaignError, OptimizerRef, RunRules, RunSpec, WorkerDied
from firsthit.runner.execution.dispatch import Dispatch
from firsthit.runner.execution.run import lost_run
from firsthit.suites import ProblemId


class Script:
    """An executor that takes down what it is given, and answers as a function of runs says."""

    workers, group_seconds = 1, 1.0

    def __init__(self, answer):
        self.answer = answer
        self.given = []

    def submit(self, function, runs, limit):
        assert limit == 1.5 * self.group_seconds
        self.given.append(runs)
        future = Future()
        try:
            future.set_result(tabulate(self.answer(runs), ""))
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
    return replace(lost_run(run, "terminated", "", Flight()), wall_seconds=seconds)


def flight_at(number):
    memory = FlightMemory(bytearray(FLIGHT_BYTES))
    memory.begin(number)
    return memory.flight()


def outcomes(runs, answer):
    """What every run came to, by repetition; and what the executor was given."""
    script = Script(answer)
    found = {}
    for table in Dispatch(runs, script).tables():
        for row in table.runs:
            assert int(row["repetition"]) not in found
            found[int(row["repetition"])] = (
                STATUSES[row["status"]], table.messages[row["message"]],
            )  # fmt: skip
    assert sorted(found) == sorted(run.repetition for run in runs)
    return found, script.given


def test_runs_that_last_long_go_first_once_that_is_known():
    seconds = {"short": 0.4, "long": 5.0, "middle": 2.0}
    script = Script(lambda runs: [made(run, seconds[run.optimizer.name]) for run in runs])
    runs = [run for name in seconds for run in runs_of(name, 20)]
    tables = list(Dispatch(runs, script).tables())
    names = [group[0].optimizer.name for group in script.given]
    seen = max(names.index(name) for name in seconds) + Script.workers * 2
    rest = names[seen:]
    assert len(rest) > 20
    assert rest == sorted(rest, key=lambda name: -seconds[name])
    assert sum(map(len, tables)) == 60


def test_short_runs_travel_together_and_long_ones_alone():
    seconds = {"short": 0.001, "long": 0.7}
    script = Script(lambda runs: [made(run, seconds[run.optimizer.name]) for run in runs])
    list(Dispatch([*runs_of("short", 2000), *runs_of("long", 5)], script).tables())
    sizes = {name: [len(g) for g in script.given if g[0].optimizer.name == name]
             for name in seconds}  # fmt: skip
    assert set(sizes["long"]) == {1}
    assert max(sizes["short"]) > 400
    *_, before, last = sizes["short"]
    assert last <= before in (19, 20)  # at the end little is left for one worker to wait for


def test_what_the_first_run_had_to_load_is_soon_forgotten():
    script = Script(lambda runs: [made(run, 0.5 if run.repetition == 0 else 1e-3) for run in runs])
    list(Dispatch(runs_of("a", 3000), script).tables())
    sizes = [len(group) for group in script.given]
    assert sizes[0] == 1
    assert max(sizes[:8]) > 400


def test_what_a_group_had_no_time_for_goes_back():
    found, given = outcomes(runs_of("a", 50), lambda runs: [made(run) for run in runs[:2]])
    assert set(found.values()) == {("terminated", "")}
    assert max(map(len, given)) > 2


def dying(at, times, **how):
    """Repetition ``at`` kills its worker the first ``times`` times."""
    deaths = []

    def answer(runs):
        for number, run in enumerate(runs):
            if run.repetition == at and len(deaths) < times:
                deaths.append(len(runs))
                raise WorkerDied("it died", flight=flight_at(number), **how)
        return [made(run) for run in runs]

    return answer, deaths


def test_who_dies_once_is_made_again_alone_and_others_are_not_blamed():
    answer, deaths = dying(30, 1)
    found, given = outcomes(runs_of("a", 60), answer)
    assert set(found.values()) == {("terminated", "")}
    assert deaths[0] > 1
    assert sum(len(group) == 1 and group[0].repetition == 30 for group in given) == 1


def test_who_dies_twice_has_failed():
    answer, deaths = dying(30, 9)
    found, _ = outcomes(runs_of("a", 60), answer)
    assert found.pop(30) == ("failed", "it died, twice")
    assert set(found.values()) == {("terminated", "")}
    assert len(deaths) == 2
    assert deaths[1] == 1


def test_who_is_beyond_its_time_is_not_tried_again():
    answer, deaths = dying(30, 9, is_overdue=True)
    found, _ = outcomes(runs_of("a", 60), answer)
    assert found.pop(30) == ("timeout", "no end within 9 s; its process was ended")
    assert set(found.values()) == {("terminated", "")}
    assert len(deaths) == 1


def test_where_nobody_knows_which_run_it_was_each_goes_alone():
    def answer(runs):
        if any(run.repetition == 30 for run in runs):
            raise WorkerDied("a machine is gone")
        return [made(run) for run in runs]

    found, given = outcomes(runs_of("a", 60), answer)
    assert found.pop(30) == ("failed", "a machine is gone, twice")
    assert set(found.values()) == {("terminated", "")}
    assert [group[0].repetition for group in given if len(group) == 1].count(30) == 2


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
