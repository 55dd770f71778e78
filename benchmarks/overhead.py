"""What a campaign costs beside its optimizer and its problems, and whether its memory stays flat.

Run ``python benchmarks/overhead.py`` on a quiet machine (about 4 minutes; ``--quick`` some
seconds); ``--memory`` makes 100 000 runs and looks at the memory instead.

The optimizer (``overhead_walk.py``) is a random walk of so many evaluations that a run takes about
1 ms, or 8 ms. It adds up its own CPU time, from its call to its return, in a file shared by all
processes: this is the time of optimizer and problem, observed evaluations included. All else is
overhead::

    overhead = (wall * workers - own) / own

where ``wall`` goes from before the log is opened until it is closed, merged and on the disk. So it
includes the start of the worker processes, loading kernels, making the problems, seeding, threads,
records, packing, sending, writing, sealing and merging, and all idle time. CPU time of the own
part, not wall time, because a coordinator that takes the processor from a worker must not count as
the worker's own time. The column ``cpu`` has the CPU time of all processes in place of
``wall * workers``: what a busy machine disturbs least. The columns ``steady`` leave out the start,
which is paid once: there all goes from the moment when a tenth of the runs are done to the end.

No campaign can do better than processes that only compute. What these lose beside their CPU time,
to the system and to whatever else runs on the machine, is measured before and after each campaign:
column ``lost``. The column ``beyond`` has the overhead over what such processes would take.
"""

from __future__ import annotations

import os
import resource
import struct
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import click
from overhead_walk import SLOTS

from firsthit.loggers import LogHeader, LogWriter
from firsthit.runner import Crew, OptimizerRef, RunRules, RunSpec, execute
from firsthit.suites import ProblemId

WALK = Path(__file__).resolve().with_name("overhead_walk.py")


def own_seconds(clock: Path) -> float:
    """Seconds that all processes have noted so far."""
    return sum(struct.unpack(f"{SLOTS}d", clock.read_bytes()))


@dataclass
class Watch:
    """A progress that looks at clocks and memory as the runs come in."""

    clock: Path
    marks: tuple[float, ...] = (0.1,)
    seen: list[tuple[float, float, float, int]] = field(default_factory=list)
    """Wall seconds, own seconds, CPU seconds of all processes and runs done at each mark."""
    runs: int = 0
    done: int = 0

    def begin(self, runs: int, done: int) -> None:
        """See ``Progress``."""
        self.runs = runs

    def update(self, run: object) -> None:
        """See ``Progress``."""
        self.done += 1
        if len(self.seen) < len(self.marks) and self.done >= self.marks[len(self.seen)] * self.runs:
            now = time.perf_counter()
            self.seen.append((now, own_seconds(self.clock), _cpu(), self.done))
            if len(self.marks) > 1:
                memory(f"{self.done} runs")

    def close(self) -> None:
        """See ``Progress``."""


def memory(label: str) -> None:
    """Print the resident memory of this process and of all below it."""
    own, below = _resident(os.getpid()), 0.0
    family = [os.getpid()]
    for pid in family:
        family += _children(pid)
    below = sum(_resident(pid) for pid in family[1:])
    print(
        f"{label:>14}: coordinator {own:7.1f} MB, its {len(family) - 1} processes {below:7.1f} MB"
    )


def _children(pid: int) -> list[int]:
    found = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(number) for task in found for number in task.read_text().split()]


def _resident(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return float(next(line for line in lines if line.startswith("Pss:")).split()[1]) / 1024


def campaign(runs: int, evaluations: int, clock: Path) -> list[RunSpec]:
    """Runs on the 24 functions in two dimensions, three instances each, over and over."""
    parameters = {"evaluations": evaluations, "clock": str(clock)}
    optimizer = OptimizerRef("walk", f"{WALK}:walk", parameters)
    rules = RunRules(restarts=0)
    problems = [
        ProblemId("bbob", function, dimension, instance)
        for dimension in (2, 5)
        for instance in (1, 2, 3)
        for function in range(1, 25)
    ]
    return [
        RunSpec(problems[i % len(problems)], optimizer, rules, i // len(problems))
        for i in range(runs)
    ]


@dataclass(frozen=True)
class Measured:
    """What one campaign took; all overheads relative to the optimizer's and problems' own time.

    Attributes:
        runs: How many.
        run_seconds: Own CPU seconds of one of them, on average.
        wall_seconds: Of the whole campaign.
        overhead: By wall time.
        steady: The same without the start.
        cpu: By CPU time.
        steady_cpu: The same without the start.
        coordinator_seconds: CPU seconds of this process for a run.
        size: Bytes of the log for a run.
    """

    runs: int
    run_seconds: float
    wall_seconds: float
    overhead: float
    steady: float
    cpu: float
    steady_cpu: float
    coordinator_seconds: float
    size: float

    def row(self, lost: float) -> str:
        """A row of the table, where processes that only compute lose so much."""
        beyond = (1 + self.overhead) / (1 + lost) - 1
        return (
            f"{self.runs:>7} {self.run_seconds * 1e3:>10.3f} {self.wall_seconds:>8.2f} "
            f"{self.overhead:>9.1%} {lost:>6.1%} {beyond:>7.1%} {self.steady:>8.1%} "
            f"{self.cpu:>8.1%} {self.steady_cpu:>8.1%} "
            f"{self.coordinator_seconds * 1e6:>14.0f} {self.size:>10.0f}"
        )


HEAD = (
    f"{'runs':>7} {'ms a run':>10} {'wall s':>8} {'overhead':>9} {'lost':>6} {'beyond':>7} "
    f"{'steady':>8} {'cpu':>8} {'steady':>8} {'coordinator us':>14} {'bytes/run':>10}"
)


def measure(runs: int, evaluations: int, workers: int, marks: tuple[float, ...]) -> Measured:
    """Make one campaign."""
    with tempfile.TemporaryDirectory() as folder:
        clock = Path(folder) / "clock"
        clock.write_bytes(bytes(8 * SLOTS))
        plan = campaign(runs, evaluations, clock)
        watch = Watch(clock, marks)
        coordinator, cpu, started = time.process_time(), _cpu(), time.perf_counter()
        with LogWriter(Path(folder) / "log.h5", LogHeader()) as writer:
            execute(plan, writer, Crew(workers, isolated=True), watch)
        ended = time.perf_counter()
        coordinator, spent = time.process_time() - coordinator, _cpu()
        own = own_seconds(clock)
        size = (Path(folder) / "log.h5").stat().st_size
    if len(marks) > 1:
        memory("closed")
    began, before, spent_before, _ = watch.seen[0]
    later = own - before
    return Measured(
        runs,
        own / runs,
        ended - started,
        (ended - started) * workers / own - 1,
        (ended - began) * workers / later - 1,
        (spent - cpu) / own - 1,
        (spent - spent_before) / later - 1,
        coordinator / runs,
        size / runs,
    )


def _cpu() -> float:
    """CPU seconds of this process and of all below it, dead or alive."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = time.process_time() + used.ru_utime + used.ru_stime
    family = _children(os.getpid())
    for pid in family:
        family += _children(pid)
        with suppress(FileNotFoundError, ProcessLookupError):
            facts = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            seconds += sum(map(int, facts[11:15])) / os.sysconf("SC_CLK_TCK")
    return seconds


def lost_here(workers: int, seconds: float) -> float:
    """Seconds that so many processes lose for each second of CPU time that they only compute."""
    started = [
        subprocess.Popen([sys.executable, "-c", SPIN, str(seconds)], stdout=subprocess.PIPE)
        for _ in range(workers)
    ]
    told = [process.communicate()[0].split() for process in started]
    return sum(float(wall) for wall, _ in told) / sum(float(cpu) for _, cpu in told) - 1


SPIN = """
import sys, time
seconds, number = float(sys.argv[1]), 0
wall, cpu = time.perf_counter(), time.thread_time()
while time.perf_counter() < wall + seconds:
    for i in range(1000):
        number += i
print(time.perf_counter() - wall, time.thread_time() - cpu)
"""


def evaluations_for(milliseconds: float, workers: int) -> int:
    """How many evaluations take so long here, by short campaigns."""
    evaluations, few = 300, max(500, int(3000 / milliseconds))
    for runs in (3000, few, few):  # the more evaluations, the more runs hit the final target
        measured = measure(runs, evaluations, workers, (0.1,))
        evaluations = max(2, int(evaluations * milliseconds / 1e3 / measured.run_seconds))
    return evaluations


@click.command()
@click.option("--runs", default=20_000, show_default=True)
@click.option("--workers", default=2, show_default=True)
@click.option("--milliseconds", multiple=True, type=float, default=(1.0, 8.0), show_default=True)
@click.option("--memory", "is_memory", is_flag=True, help="100 000 runs; print the memory.")
@click.option("--quick", is_flag=True, help="A tenth of the runs.")
def main(
    runs: int, workers: int, milliseconds: tuple[float, ...], is_memory: bool, quick: bool
) -> None:
    """Measure the overhead of campaigns."""
    if is_memory:
        count = 10_000 if quick else 100_000
        row = measure(count, 20, workers, (0.1, 0.25, 0.5, 0.75, 1.0)).row(0.0)
        print(f"{HEAD}\n{row}")
        return
    print(HEAD)
    for duration in milliseconds:
        evaluations = evaluations_for(duration, workers)
        before = lost_here(workers, runs / 4000)
        measured = measure(runs // 10 if quick else runs, evaluations, workers, (0.1,))
        print(measured.row((before + lost_here(workers, runs / 4000)) / 2), flush=True)


if __name__ == "__main__":
    sys.exit(main())
