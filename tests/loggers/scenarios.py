"""Scenarios of a log's writer that ``faults.py`` and ``power_loss.py`` disturb, and their checks.

`SCENARIOS` are functions of a `Trial`. `prepare` writes the files that a scenario begins with, and
`check` compares the log that it leaves with a complete one.
"""

import shutil
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np

from firsthit.loggers import merge_logs, observe_problem, read_log
from firsthit.loggers.errors import LogNotFoundError, LogWriteError
from firsthit.loggers.hdf5 import merge, reader
from firsthit.loggers.hdf5.writer import LogWriter
from firsthit.loggers.observation.stops import StopConditions
from firsthit.loggers.records import log_header as header
from firsthit.loggers.records.identity import RunIdentity
from firsthit.loggers.records.log_header import LogHeader
from firsthit.suites import problem_from

HEADER = LogHeader({"random": {"sigma": 0.5}})
RUNS = 8


def save_time():
    """Cache the tables of files by their bytes, and encoded logs by their tables."""
    header.self_provenance = lambda: {"machine": "any"}
    read, tables = reader.read_table, {}

    def read_once(path):
        content = path.read_bytes()
        if content not in tables:
            tables[content] = read(path)
        return tables[content]

    reader.read_table = read_once
    merge.encode = once(merge.encode)


def once(encode):
    """Return the function with a cache of its results by the content of the table."""
    images = {}

    def encode_once(table, publication=None):
        texts = (
            table.headers,
            table.algorithms,
            table.suites,
            table.functions,
            table.messages,
            table.references,
        )
        content = (*texts, publication, table.runs.tobytes())
        for name in sorted(table.ragged):
            part = table.ragged[name].load()
            content += (part.offsets.tobytes(), part.rows.tobytes())
        if content not in images:
            images[content] = encode(table, publication)
        return images[content]

    return encode_once


@cache
def run(repetition):
    """Return the record of a run with hits, a trajectory, restarts and a recommendation."""
    problem = problem_from(lambda x: float(x @ x), 2, optimal_value=0.0)
    rng = np.random.default_rng(repetition)
    identity = RunIdentity("random", problem.problem_id, repetition)
    observed = observe_problem(problem, identity, StopConditions(40), rng=rng, seed=repetition)
    for t in range(20 + repetition):
        x = rng.standard_normal(2) * 0.9**t
        observed(x)
        if t % 9 == 8:
            observed.restart(f"stalled {repetition}", seed=t, start=x)
    observed.recommend(x)
    return observed.finish("terminated")


def content(path):
    """Return the data of a log's runs except their times, by repetition."""
    log = read_log(path)
    runs = {}
    for i, repetition in enumerate(log.runs.repetition.tolist()):
        assert repetition not in runs, "a run is there twice"
        tables = (log.hits(i), log.trajectory(i), log.restarts(i), log.recommendations(i))
        runs[repetition] = (
            log.runs.key[i], log.runs.status[i], int(log.runs.evaluations[i]),
            float(log.runs.best_precision[i]), log.best_solution(i).tobytes(),
            log.recommended_solutions(i).tobytes(), *(part.tobytes() for part in tables),
        )  # fmt: skip
    return runs


def write(path, repetitions, end="close"):
    """Write runs without a disturbance; ``end`` is the method that ends the writer."""
    log = LogWriter(path, HEADER, resume=True)
    for repetition in repetitions:
        log.add(run(repetition))
    getattr(log, end)()


@dataclass
class Trial:
    """A course of a scenario, which reports its written and its synced runs.

    Attributes:
        folder: Folder of the files.
        written: Called with the repetitions that the operating system has.
        synced: Called with the repetitions that a power failure must not lose.
        heal: Called to end the disturbance.
        insist: Whether a failed step is tried again at once. False: only at the end.
        errors: Messages of the errors.
    """

    folder: Path
    written: object = lambda repetitions: None
    synced: object = lambda repetitions: None
    heal: object = lambda: None
    insist: bool = True
    errors: list = field(default_factory=list)

    @property
    def log(self):
        return self.folder / "a.h5"

    def must(self, step):
        """Return the result of ``step``; if it fails, end the disturbance and try it again."""
        try:
            return step()
        except LogWriteError as error:
            self.errors.append(str(error))
            self.heal()
            return step()

    def may(self, step):
        """Call ``step``, and return whether it succeeded."""
        try:
            step()
        except LogWriteError as error:
            self.errors.append(str(error))
            return False
        return True

    def add(self, log, repetitions):
        """Add runs one by one; sync every other time."""
        taken = []
        for repetition in repetitions:
            taken.append(repetition)
            if self.may(lambda repetition=repetition: log.add(run(repetition))):
                self.written(taken)
            if repetition % 2:
                if self.insist:
                    self.must(log.sync)
                elif not self.may(log.sync):
                    continue
                self.written(taken)
                self.synced(taken)


def adding(trial):
    """Add runs to a new log, and abandon it."""
    log = trial.must(lambda: LogWriter(trial.log, HEADER, resume=True))
    trial.add(log, range(4))
    trial.must(log.sync)
    log.abandon()


def closing(trial):
    """Add runs to a new log, and close it, so that it becomes one file."""
    log = trial.must(lambda: LogWriter(trial.log, HEADER, resume=True))
    trial.add(log, range(3))
    trial.must(log.close)
    trial.synced(range(3))


def resuming(trial):
    """Resume a closed log with a damaged journal, add runs, and close it."""
    closing(trial)


def merging(trial):
    """Merge two logs and the journals of a third one into a new log."""
    sources = [trial.folder / name for name in ("b.h5", "c.h5", "d.h5")]
    trial.must(lambda: merge_logs(sources, trial.log))


def merging_in_place(trial):
    """Merge a log with its journals into one file."""
    trial.must(lambda: merge_logs(trial.log, trial.log))


def prepare(name, folder):
    """Write the files with which a scenario begins into a new folder."""
    folder.mkdir(parents=True)
    if name == "resuming":
        write(folder / "a.h5", (5, 6))
        write(folder / "a.h5", (7, 4), "abandon")
        [journal] = (folder / "a.h5.parts").glob("*.journal")
        with open(journal, "r+b") as file:
            file.truncate(file.seek(0, 2) - 10)  # damages run 4
    elif name == "merging":
        write(folder / "b.h5", (0, 1))
        write(folder / "c.h5", (1, 2))
        write(folder / "d.h5", (3, 4), "abandon")
    elif name == "merging_in_place":
        write(folder / "a.h5", (0, 1))
        write(folder / "a.h5", (2, 3, 4), "abandon")


SCENARIOS = {
    scenario.__name__: scenario
    for scenario in (adding, closing, resuming, merging, merging_in_place)
}


def read_runs(path):
    """Return the runs of a log, or of all logs in a folder; empty if there is no log."""
    try:
        return content(path)
    except LogNotFoundError:
        return {}


def check(name, folder, acknowledged):
    """Check that no run is lost, duplicated or unreadable, and that the log can be completed.

    Args:
        name: Name of the scenario.
        folder: Folder of its files; missing runs are added to the log ``a.h5`` in it.
        acknowledged: Repetitions that must be in the log.

    Raises:
        AssertionError: The check failed.
    """
    complete = {repetition: expected(repetition) for repetition in range(RUNS)}
    runs = read_runs(folder)
    lost = set(acknowledged) - set(runs)
    assert not lost, f"runs {sorted(lost)} are lost"
    assert all(complete[repetition] == run for repetition, run in runs.items()), "a run is changed"
    if name == "merging":
        assert set(range(5)) <= set(runs), "a source lost runs"
    merged = read_runs(folder / "a.h5")
    write(folder / "a.h5", sorted(set(complete) - set(merged)))
    assert content(folder / "a.h5") == complete, "the log continued is not the whole log"
    files = sorted(path.name for path in folder.iterdir() if ".h5.torn-" not in path.name)
    sources = ["b.h5", "c.h5", "d.h5.parts"] if name == "merging" else []
    assert files == ["a.h5", *sources], f"left behind: {files}"


@cache
def expected(repetition):
    """Return the data of a run in an undisturbed log."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder) / "a.h5", [repetition])
        return content(folder)[repetition]


def already_there(name):
    """Return the repetitions that are in the log before the scenario begins."""
    return {"resuming": [5, 6, 7], "merging": range(5), "merging_in_place": range(5)}.get(name, [])


def fresh(template, folder):
    """Replace a folder by a copy of the template."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(template, folder)


def chosen(arguments):
    """Return the scenarios that are named on the command line, by default all."""
    return arguments or list(SCENARIOS)
