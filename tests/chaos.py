"""Kill processes of real campaigns at random moments, and check that their logs lose nothing.

``python tests/chaos.py --kills 1000 --seed 1`` repeats three kinds of rounds. `Round` runs a
campaign with worker processes, `DaskRound` a campaign on Dask, and `LoopRound` a loop over an
observer. Each round kills processes and restarts them until all runs are complete.

A witness file outside of the log contains the keys of the runs that the log must have. The main
process of a campaign appends keys to it as soon as the log has the runs.

The script prints the number of kills, and how many runs were lost, duplicated, unreadable or
different. The exit code is 1 if any of these numbers is not 0.
"""

import argparse
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

SUITE = '''
import time
import numpy as np
import firsthit
from firsthit.suites.transforms import two_objectives


def sphere(x):
    return float(x @ x)


NUMBERS = {"dimensions": [2, 3], "instances": "1-20"}


@firsthit.register_suite("chaos", functions="1-2", **NUMBERS)
def chaos(function, dimension, instance):
    return shifted(dimension, 100 * function + instance)


@firsthit.register_suite(
    "chaos-pairs", functions="1", objectives=2, indicator="hypervolume", final_target=None,
    **NUMBERS,
)
def pairs(function, dimension, instance):
    parts = (shifted(dimension, instance), shifted(dimension, 50 + instance))
    return two_objectives(*parts, reference_value=0.8)


def shifted(dimension, instance):
    return firsthit.problem_from(
        sphere, dimension, instance=instance, transformation="shift",
        optimal_value=0.0, optimal_solution=np.zeros(dimension),
    )


def walk(problem, x0, rng, pause=0.01):
    """Walk with shrinking steps, and pause, so that a random moment is likely within a run."""
    x, best = x0, np.sum(problem(x0))
    for t in range(12):
        z = x + 0.7**t * rng.standard_normal(len(x))
        value = np.sum(problem(z))
        if value < best:
            x, best = z, value
    time.sleep(pause * rng.random())
'''
CAMPAIGN = """
imports: [mine.py]
suites: [chaos, chaos-pairs]
budget: 50
repetitions: 2
{executor_line}
output: {output}
optimizers: ["mine.py:walk"]
"""
MOST_SECONDS = 300.0
"""Maximum duration of a round, which fails if it makes no progress."""
LOOP_PROBLEMS = 20


def coordinate(folder, retry_failed):
    """Run or resume the campaign, and append the key of each logged run to the witness file."""
    from firsthit.loggers.hdf5.writer import LogWriter
    from firsthit.runner import execute, load_campaign, open_log, plan

    witness = os.open(folder / "witness", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    add_many = LogWriter.add_many

    def add_and_witness(self, records):
        add_many(self, records)
        os.write(witness, "".join(f"{record.key}\n" for record in records).encode())

    LogWriter.add_many = add_and_witness
    campaign = load_campaign(folder / "chaos.yaml")
    with open_log(campaign.output, campaign.header(), True, retry_failed) as log:
        execute(plan(campaign), log, campaign.executor_config)


def loop(folder):
    """Run a loop over an observer, and append the key of each run to the witness file.

    A key is appended at the beginning of the next run. Each run holds the interpreter's lock for
    about 0.1 s.
    """
    from firsthit import Observer, problem_from

    witness = os.open(folder / "witness", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    problems = [problem_from(sum, 2, instance=i) for i in range(1, LOOP_PROBLEMS + 1)]
    previous_key = None
    with Observer(folder / "disturbed.h5", "loop", resume=True) as observer:
        for problem in observer(problems):
            if previous_key is not None:
                os.write(witness, f"{previous_key}\n".encode())
            previous_key = problem.identity.key
            problem([1.0, float(problem.index)])
            re.match("(a*)*b", "a" * 18)  # backtracks for about 0.1 s with the lock


def start(folder, *options, mode="--coordinate"):
    """Start this script in a process, as the main process of a campaign or with ``--loop``."""
    command = [sys.executable, __file__, mode, str(folder), *options]
    return subprocess.Popen(command, cwd=folder, stderr=open(folder / "errors", "ab"))


def find_children(pid):
    """Return the ids of the processes that a process started."""
    child_pids = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                text = Path(f"/proc/{entry}/stat").read_text()
            except OSError:
                continue
            if int(text.rpartition(")")[2].split()[1]) == pid:
                child_pids.append(int(entry))
    return child_pids


def kill(pid):
    """Kill a process; return whether it existed."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def read_content(path):
    """Return all data of a log's runs except their times, by key; fail if a key occurs twice."""
    from firsthit.loggers import read_log

    log = read_log(path)
    content = {}
    for i, key in enumerate(log.runs.key.tolist()):
        assert key not in content, f"{key} is there twice"
        tables = (
            log.hits(i),
            log.trajectory(i),
            log.restarts(i),
            log.best_solution(i),
            log.archive(i),
        )
        content[key] = (
            log.runs.status[i], int(log.runs.evaluations[i]), int(log.runs.seed[i]),
            *(table.tobytes() for table in tables),
        )  # fmt: skip
    return content


class Round:
    """A campaign with worker processes, disturbed until it is complete.

    Args:
        folder: Folder of the campaign; an existing one is removed.
        rng: Generator of the moments and of the victims.
        expected: Content of the log of an undisturbed campaign.
        counts: Counts of kills, readings and defects, which the round increases.
    """

    executor_line = "workers: 2"

    def __init__(self, folder, rng, expected, counts):
        self.folder, self.rng, self.expected, self.counts = folder, rng, expected, counts
        self.log = folder / "disturbed.h5"
        shutil.rmtree(folder, ignore_errors=True)
        prepare(folder, self.log, self.executor_line)

    def run(self, kills):
        """Kill processes at most ``kills`` times, then wait until the campaign is complete.

        Returns:
            The number of kills.
        """
        n_kills, began = 0, time.monotonic()
        process = start(self.folder)
        while process.poll() is None:
            assert time.monotonic() - began < MOST_SECONDS, "the campaign makes no progress"
            if n_kills < kills and self._kill_one(process):
                n_kills += 1
                self.check_log()
            if process.poll() == -signal.SIGKILL or self._gave_up(process):
                process = start(self.folder)
            if n_kills >= kills:
                process.wait(MOST_SECONDS)
        assert process.returncode == 0, (self.folder / "errors").read_text()
        assert start(self.folder, "--retry-failed").wait(MOST_SECONDS) == 0
        self.check_log()
        self._compare()
        return n_kills

    def _gave_up(self, process):
        """Return whether the campaign ended because ten new workers in a row were killed.

        This happens on machines that start processes slowly. The campaign is then started again,
        as a user would do.
        """
        if process.poll() != 1:
            return False
        last_error = (self.folder / "errors").read_text().rstrip().rpartition("\n")[2]
        gave_up = "cannot load optimizer" in last_error and "killed by SIGKILL" in last_error
        self.counts["gave up"] += gave_up
        return gave_up

    def _kill_one(self, process):
        """Wait for a random time, then kill a process; return whether there was one to kill."""
        time.sleep(self.rng.uniform(0.0, 0.8))
        workers = find_children(process.pid)
        chance = self.rng.random()
        if process.poll() is not None:
            return False
        if not workers:  # Let the campaign start its workers in most cases.
            chance *= 10
        if chance < 0.15:
            kind, victim = "coordinator", process.pid
        elif workers:
            kind, victim = "worker", self.rng.choice(workers)
        else:
            return False
        if not kill(victim):
            return False
        if kind == "coordinator":
            process.wait()
        self.counts[f"{kind}s killed"] += 1
        return True

    def check_log(self):
        """Read the log while processes write; count runs of the witness file that it lacks."""
        from firsthit.loggers.errors import LogNotFoundError
        from firsthit.suites import FirsthitError

        witness = self.folder / "witness"
        text = witness.read_text() if witness.exists() else ""
        witnessed = set(text[: text.rfind("\n") + 1].split())
        try:
            content = read_content(self.log)
        except LogNotFoundError:
            content = {}
        except AssertionError:
            self.counts["twice"] += 1
            return
        except FirsthitError as error:
            print(f"unreadable: {error}", file=sys.stderr)
            self.counts["unreadable"] += 1
            return
        self.counts["readings"] += 1
        self.counts["lost"] += len(witnessed - set(content))

    def _compare(self):
        """Count differences of the complete log from the log of an undisturbed campaign."""
        content = read_content(self.log)
        self.counts["missing"] += len(set(self.expected) - set(content))
        self.counts["different"] += sum(
            content[key] != run for key, run in self.expected.items() if key in content
        )
        self.counts["too many"] += len(set(content) - set(self.expected))
        files = {path.name for path in self.folder.glob("disturbed.h5*") if "torn" not in path.name}
        self.counts["left behind"] += files != {"disturbed.h5"}
        self.counts["runs"] += len(content)
        self.counts["campaigns"] += 1


class LoopRound(Round):
    """A loop over an observer, killed about 10 ms after runs ended until it is complete."""

    def run(self, kills):
        """Kill the loop at most ``kills`` times, then wait until it is complete.

        Returns:
            The number of kills.
        """
        n_kills, began = 0, time.monotonic()
        process = start(self.folder, mode="--loop")
        while process.poll() is None:
            assert time.monotonic() - began < MOST_SECONDS, "the loop makes no progress"
            if n_kills >= kills:
                process.wait(MOST_SECONDS)
            elif self._wait_for_run(process):
                time.sleep(self.rng.uniform(0.0, 0.02))
                kill(process.pid)
                process.wait()
                n_kills += 1
                self.counts["loops killed"] += 1
                self.check_log()
                process = start(self.folder, mode="--loop")
        assert process.returncode == 0, (self.folder / "errors").read_text()
        self.check_log()
        self._compare()
        return n_kills

    def _wait_for_run(self, process):
        """Wait until another run is in the witness file; return False if the process ends first."""
        witness = self.folder / "witness"
        previous_size = witness.stat().st_size if witness.exists() else 0
        while process.poll() is None:
            if witness.exists() and witness.stat().st_size > previous_size:
                return True
            time.sleep(0.002)
        return False


class Cluster:
    """A Dask scheduler and two workers, each a process that may be killed.

    The context manager kills all processes at its end.
    """

    def __init__(self, folder):
        self.folder, self.processes = folder, {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes.values():
            process.kill()
            process.wait()

    def repair(self):
        """Start processes that are not running; with a new scheduler, also replace the workers."""
        file = self.folder / "scheduler.json"
        if not self._alive("scheduler"):
            self.__exit__()
            file.unlink(missing_ok=True)
            self._start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        for worker in ("worker 1", "worker 2"):
            if not self._alive(worker):
                self._start(worker, "--nthreads", "1", "--no-nanny", "--no-dashboard")

    def _alive(self, name):
        return name in self.processes and self.processes[name].poll() is None

    def _start(self, name, *options):
        command = [sys.executable, "-m", "distributed.cli.dask_" + name.split()[0]]
        command += ["--scheduler-file", "scheduler.json", *options]
        with open(self.folder / "dask", "ab") as errors:
            self.processes[name] = subprocess.Popen(
                command, cwd=self.folder, stdout=errors, stderr=errors
            )


class DaskRound(Round):
    """A campaign on Dask, disturbed until it is complete."""

    executor_line = "cluster: scheduler.json"

    def run(self, kills):
        """Kill the main process, the scheduler and workers, then wait until all is complete.

        Returns:
            The number of kills, at most ``kills``.
        """
        n_kills, began = 0, time.monotonic()
        with Cluster(self.folder) as cluster:
            cluster.repair()
            process = start(self.folder)
            while process.poll() != 0:
                assert time.monotonic() - began < MOST_SECONDS, "the campaign makes no progress"
                cluster.repair()
                if process.poll() is not None:
                    if process.returncode != -signal.SIGKILL:
                        assert "ClusterError" in self._last_error(), self._last_error()
                    process = start(self.folder)
                time.sleep(self.rng.uniform(0.5, 3.0))
                if n_kills < kills and process.poll() is None:
                    self._kill_one_of({"coordinator": process, **cluster.processes})
                    n_kills += 1
                    self.check_log()
            cluster.repair()
            assert start(self.folder, "--retry-failed").wait(MOST_SECONDS) == 0
        self.check_log()
        self._compare()
        return n_kills

    def _kill_one_of(self, processes):
        name = self.rng.choice(list(processes))
        kill(processes[name].pid)
        processes[name].wait()
        self.counts[f"{'' if name == 'coordinator' else 'Dask '}{name.split()[0]}s killed"] += 1

    def _last_error(self):
        return (self.folder / "errors").read_text().rstrip().rpartition("\n")[2]


DEFECTS = ("lost", "twice", "unreadable", "missing", "different", "too many", "left behind")
"""Names of the counts that must be 0."""


def prepare(folder, output, executor_line):
    """Write the suite and the campaign file into a new folder."""
    folder.mkdir(parents=True)
    (folder / "mine.py").write_text(SUITE)
    campaign = CAMPAIGN.format(output=output, executor_line=executor_line)
    (folder / "chaos.yaml").write_text(campaign)


def chaos(kills, seed):
    """Repeat the rounds until ``kills`` processes were killed; return the counts."""
    rng, counts = random.Random(seed), Counter(dict.fromkeys(DEFECTS, 0))
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary)
        calm = root / "calm"
        prepare(calm, calm / "calm.h5", Round.executor_line)
        assert start(calm).wait(MOST_SECONDS) == 0, (calm / "errors").read_text()
        expected = read_content(calm / "calm.h5")
        assert start(calm, mode="--loop").wait(MOST_SECONDS) == 0, (calm / "errors").read_text()
        expected_of_loop = read_content(calm / "disturbed.h5")
        n_kills = 0
        while n_kills < kills:
            if n_round := min((kills - n_kills + 1) // 2, 30):
                n_kills += Round(root / "round", rng, expected, counts).run(n_round)
            if n_round := min((kills - n_kills) // 2, 8):
                n_kills += DaskRound(root / "dask", rng, expected, counts).run(n_round)
            if n_round := min(kills - n_kills, LOOP_PROBLEMS - 2):
                n_kills += LoopRound(root / "loop", rng, expected_of_loop, counts).run(n_round)
            print(f"{n_kills} of {kills} kills: {dict(counts)}", file=sys.stderr, flush=True)
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--coordinate", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--loop", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--retry-failed", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.coordinate:
        coordinate(arguments.coordinate, arguments.retry_failed)
        return 0
    if arguments.loop:
        loop(arguments.loop)
        return 0
    counts = chaos(arguments.kills, arguments.seed)
    print(json.dumps(counts, indent=1))
    return 1 if any(counts[name] for name in DEFECTS) else 0


if __name__ == "__main__":
    sys.exit(main())
