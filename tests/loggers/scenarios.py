"""What a log's writer may be doing when something goes wrong; for faults.py and power_loss.py."""

import shutil
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np

from firsthit.loggers import ObservedProblem, merge_logs, read_log
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
    """Read files of equal bytes, and write equal tables, once."""
    header.self_provenance = lambda: {"machine": "any"}
    read, known = reader.read_table, {}

    def read_once(path):
        content = path.read_bytes()
        if content not in known:
            known[content] = read(path)
        return known[content]

    reader.read_table = read_once
    merge.encode = once(merge.encode)


def once(encode):
    """The same function, remembering what it gave for a table."""
    images = {}

    def encode_once(table):
        texts = (
            table.headers,
            table.algorithms,
            table.suites,
            table.functions,
            table.messages,
            table.references,
        )
        content = (*texts, table.runs.tobytes())
        for name in sorted(table.ragged):
            part = table.ragged[name].load()
            content += (part.offsets.tobytes(), part.rows.tobytes())
        if content not in images:
            images[content] = encode(table)
        return images[content]

    return encode_once


@cache
def run(repetition):
    """A run with hits, a trajectory, restarts and a recommendation."""
    problem = problem_from(lambda x: float(x @ x), 2, optimal_value=0.0)
    rng = np.random.default_rng(repetition)
    identity = RunIdentity("random", problem.problem_id, repetition)
    observed = ObservedProblem(problem, identity, StopConditions(40), rng=rng, seed=repetition)
    for t in range(20 + repetition):
        x = rng.standard_normal(2) * 0.9**t
        observed(x)
        if t % 9 == 8:
            observed.restart(f"stalled {repetition}", seed=t, start=x)
    observed.recommend(x)
    return observed.finish("terminated")


def content(path):
    """What a log says of its runs, by repetition, with their restarts."""
    log = read_log(path)
    found = {}
    for i, repetition in enumerate(log.runs.repetition.tolist()):
        assert repetition not in found, "a run is there twice"
        tables = (log.hits(i), log.trajectory(i), log.restarts(i), log.recommendations(i))
        found[repetition] = (
            log.runs.key[i], log.runs.status[i], int(log.runs.evaluations[i]),
            float(log.runs.best_precision[i]), log.best_solution(i).tobytes(),
            log.recommended_solutions(i).tobytes(), *(part.tobytes() for part in tables),
        )  # fmt: skip
    return found


def write(path, repetitions, end="close"):
    """Write runs without disturbance."""
    log = LogWriter(path, HEADER, resume=True)
    for repetition in repetitions:
        log.add(run(repetition))
    getattr(log, end)()


@dataclass
class Trial:
    """One course of a scenario, which acknowledges what it has written, and what it has synced.

    Attributes:
        folder: Where it writes.
        written: Takes the repetitions that are with the operating system now.
        synced: Takes those that a power failure must leave.
        heal: Ends the disturbance.
        insist: Whether a step that failed is tried again at once, or only at the end.
        errors: Sentences of the errors.
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
        """The result of ``step``, which may fail once with a sentence."""
        try:
            return step()
        except LogWriteError as error:
            self.errors.append(str(error))
            self.heal()
            return step()

    def may(self, step):
        """Whether ``step`` worked."""
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
    """A new log takes runs and is left."""
    log = trial.must(lambda: LogWriter(trial.log, HEADER, resume=True))
    trial.add(log, range(4))
    trial.must(log.sync)
    log.abandon()


def closing(trial):
    """Runs go into a new log, which becomes one file."""
    log = trial.must(lambda: LogWriter(trial.log, HEADER, resume=True))
    trial.add(log, range(3))
    trial.must(log.close)
    trial.synced(range(3))


def resuming(trial):
    """A closed log, and a torn journal beside it, get more runs and become one file."""
    closing(trial)


def merging(trial):
    """Two logs and the parts of a third become a new one."""
    sources = [trial.folder / name for name in ("b.h5", "c.h5", "d.h5")]
    trial.must(lambda: merge_logs(sources, trial.log))


def merging_in_place(trial):
    """A log left with parts becomes one file."""
    trial.must(lambda: merge_logs(trial.log, trial.log))


def prepare(name, folder):
    """What stands in the folder before a scenario begins."""
    folder.mkdir(parents=True)
    if name == "resuming":
        write(folder / "a.h5", (5, 6))
        write(folder / "a.h5", (7, 4), "abandon")
        with open(folder / "a.h5.parts" / "000001.journal", "r+b") as file:
            file.truncate(file.seek(0, 2) - 10)  # of run 4
    elif name == "merging":
        write(folder / "b.h5", (0, 1))
        write(folder / "c.h5", (1, 2))
        write(folder / "d.h5", (3, 4), "abandon")
    elif name == "merging_in_place":
        write(folder / "a.h5", (0, 1))
        write(folder / "a.h5", (2, 3, 4), "abandon")


SCENARIOS = {one.__name__: one for one in (adding, closing, resuming, merging, merging_in_place)}


def found_in(folder):
    """All runs of all logs in a folder; nothing where there are none."""
    try:
        return content(folder)
    except LogNotFoundError:
        return {}


def check(name, folder, acknowledged):
    """Assert that nothing is lost, twice or unreadable, and that resuming makes the whole log."""
    whole = {repetition: expected(repetition) for repetition in range(RUNS)}
    found = found_in(folder)
    lost = set(acknowledged) - set(found)
    assert not lost, f"runs {sorted(lost)} are lost"
    assert all(whole[repetition] == one for repetition, one in found.items()), "a run is changed"
    if name == "merging":
        assert set(range(5)) <= set(found), "a source lost runs"
    have = found_in(folder / "a.h5")
    write(folder / "a.h5", sorted(set(whole) - set(have)))
    assert content(folder / "a.h5") == whole, "the log continued is not the whole log"
    left = sorted(path.name for path in folder.iterdir() if ".h5.torn-" not in path.name)
    sources = ["b.h5", "c.h5", "d.h5.parts"] if name == "merging" else []
    assert left == ["a.h5", *sources], f"left behind: {left}"


@cache
def expected(repetition):
    """What an undisturbed log says of a run."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder) / "a.h5", [repetition])
        return content(folder)[repetition]


def already_there(name):
    """Runs in the log before the scenario begins."""
    return {"resuming": [5, 6, 7], "merging": range(5), "merging_in_place": range(5)}.get(name, [])


def fresh(template, folder):
    """A copy of what stood there before."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(template, folder)


def chosen(arguments):
    """Scenarios named on the command line, by default all."""
    return arguments or list(SCENARIOS)
