"""Measure the cost of a campaign without its optimizer and problems, and the growth of its memory.

Run ``python benchmarks/overhead.py`` (about a minute; ``--runs 100000`` for the memory). The
optimizer (``overhead_walk.py``) is a random walk of so many evaluations; it adds up its own CPU
time, from its call to its return, in a file shared by all processes: this is the time of optimizer
and problem, observed evaluations included. All other CPU time, of the coordinator and of its worker
processes, is ours: seeds, records, sending, writing, merging. ``ms/run`` is that of a run from the
moment when a tenth of the runs are done until the log is closed, ``with start`` includes the start
of the processes. CPU time, not wall time, so that a busy machine does not count.

Each algorithm has processes of its own: ``--algorithms 20`` shares the runs among twenty copies of
the walk. ``with start`` then rises by what their processes take: the start, the import of numba,
the kernels of 24 functions from the cache. ``starts`` are the processes seen, ``worker MB`` is the
memory of the largest.
"""

from __future__ import annotations

import os
import resource
import struct
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import click
from overhead_walk import SLOTS

from firsthit.loggers.hdf5.writer import LogWriter
from firsthit.loggers.records.log_header import LogHeader
from firsthit.runner import execute
from firsthit.runner.campaign.campaign import RunRules, RunSpec
from firsthit.runner.executors.executor import ExecutorConfig
from firsthit.runner.optimizers.resolve import OptimizerRef
from firsthit.suites.facts import ProblemId

WALK = Path(__file__).resolve().with_name("overhead_walk.py")
MARKS = (0.1, 0.5, 1.0)


@dataclass
class Watch:
    """A `Progress` that measures time and memory when runs finish.

    Attributes:
        clock: File in which the optimizer adds up its CPU seconds.
        runs: Number of planned runs.
        done: Number of finished runs.
        seen: Number of finished runs, CPU seconds of firsthit, and MB of the main process, at each
            of ``MARKS``.
        workers: Process ids of all workers.
        most: Largest memory of a worker in MB.
    """

    clock: Path
    runs: int = 0
    done: int = 0
    seen: list[tuple[int, float, float]] = field(default_factory=list)
    workers: set[int] = field(default_factory=set)
    most: float = 0.0

    def begin(self, plan: Sequence[object], missing: Sequence[object]) -> None:
        """Note the number of planned runs."""
        self.runs = len(plan)

    def update(self, run: object) -> None:
        """Count a finished run; measure at every hundredth run and at each mark."""
        self.done += 1
        if self.done % 100 == 0:
            for pid in children(os.getpid()):
                self.workers.add(pid)
                with suppress(FileNotFoundError, ProcessLookupError):
                    self.most = max(self.most, resident_megabytes(pid))
        if len(self.seen) < len(MARKS) and self.done >= MARKS[len(self.seen)] * self.runs:
            self.seen.append((self.done, our_seconds(self.clock), resident_megabytes()))

    def close(self) -> None:
        """Do nothing."""


def our_seconds(clock: Path) -> float:
    """Return the CPU seconds of this process and all its workers, without the optimizer's.

    Args:
        clock: File in which the optimizer adds up its CPU seconds.
    """
    optimizer_seconds = sum(struct.unpack(f"{SLOTS}d", clock.read_bytes()))
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = time.process_time() + ended.ru_utime + ended.ru_stime
    for pid in children(os.getpid()):
        with suppress(FileNotFoundError, ProcessLookupError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            seconds += sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return seconds - optimizer_seconds


def children(pid: int) -> list[int]:
    """Return the ids of the child processes of a process."""
    files = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(number) for file in files for number in file.read_text().split()]


def resident_megabytes(pid: int | str = "self") -> float:
    """Return the resident memory of a process in MB; default: this process."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def campaign(runs: int, algorithms: int, evaluations: int, clock: Path) -> list[RunSpec]:
    """Plan runs on the 24 functions in two and five dimensions, on three instances.

    Args:
        runs: Number of runs; further runs are repetitions on these problems.
        algorithms: Number of algorithms that share the runs.
        evaluations: Evaluations of a run.
        clock: File in which the optimizer adds up its CPU seconds.
    """
    parameters = {"evaluations": evaluations, "clock": str(clock)}
    walks = [OptimizerRef(f"walk{i}", f"{WALK}:walk", parameters) for i in range(algorithms)]
    rules = RunRules(restarts=0)
    problems = [
        ProblemId("bbob", function, dimension, instance)
        for dimension in (2, 5)
        for instance in (1, 2, 3)
        for function in range(1, 25)
    ]
    return [
        RunSpec(problems[i % len(problems)], walk, rules, i // len(problems))
        for i in range(runs // algorithms)
        for walk in walks
    ]


@click.command()
@click.option("--runs", default=20_000, show_default=True)
@click.option("--workers", default=2, show_default=True)
@click.option("--algorithms", default=1, show_default=True, help="That share the runs.")
@click.option("--evaluations", default=60, show_default=True, help="Of one run.")
def main(runs: int, workers: int, algorithms: int, evaluations: int) -> None:
    """Measure the overhead of a campaign."""
    with tempfile.TemporaryDirectory() as folder:
        clock = Path(folder) / "clock"
        clock.write_bytes(bytes(8 * SLOTS))
        plan, watch = campaign(runs, algorithms, evaluations, clock), Watch(clock)
        runs = len(plan)
        before, began, coordinator = our_seconds(clock), time.perf_counter(), time.process_time()
        with LogWriter(Path(folder) / "log.h5", LogHeader()) as writer:
            execute(plan, writer, ExecutorConfig(workers), watch)
        after, coordinator = our_seconds(clock), time.process_time() - coordinator
        optimizer_seconds = sum(struct.unpack(f"{SLOTS}d", clock.read_bytes()))
        size = (Path(folder) / "log.h5").stat().st_size
        seconds = time.perf_counter() - began
    done, then, _ = watch.seen[0]
    print(
        f"{'runs':>7} {'own ms':>7} {'wall s':>7} {'ms/run':>7} {'with start':>10} "
        f"{'coordinator':>11} {'bytes/run':>9} {'starts':>6} {'worker MB':>9}  "
        f"MB at {', '.join(f'{m:.0%}' for m in MARKS)}"
    )
    print(
        f"{runs:>7} {optimizer_seconds / runs * 1e3:>7.3f} {seconds:>7.1f} "
        f"{(after - then) / (runs - done) * 1e3:>7.3f} {(after - before) / runs * 1e3:>10.3f} "
        f"{coordinator / runs * 1e3:>11.3f} {size / runs:>9.0f} {len(watch.workers):>6} "
        f"{watch.most:>9.0f}  "
        f"{', '.join(f'{mb:.0f}' for _, _, mb in watch.seen)}"
    )


if __name__ == "__main__":
    sys.exit(main())
