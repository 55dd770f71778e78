"""Kills workers and coordinators of real campaigns at random moments, and looks what it cost.

``python tests/chaos.py --kills 1000 --seed 1`` runs a small campaign again and again, each time
until it is complete, whatever was killed. A witness outside of the log, a file to which the
coordinator writes the keys of runs once the log has them, says what must be there from then on. So
does a loop over an observer, which is killed some 10 ms after a run's end. On Dask, its scheduler
and its workers are among the killed.
Prints the kills, and what was lost, there twice, unreadable or different: nothing, it is hoped.
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
    """Steps that shrink; a pause, so that a random moment is likely within a run."""
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
{where}
output: {output}
optimizers: ["mine.py:walk"]
"""
MOST_SECONDS = 300.0


LOOP_PROBLEMS = 20


def coordinate(folder, retry_failed):
    """Run or continue the campaign, and witness what was given to the log."""
    from firsthit.loggers.hdf5.writer import LogWriter
    from firsthit.runner import execute, load_campaign, open_log, plan

    witness = os.open(folder / "witness", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    add_many = LogWriter.add_many

    def witnessed(self, records):
        add_many(self, records)
        os.write(witness, "".join(f"{record.key}\n" for record in records).encode())

    LogWriter.add_many = witnessed
    campaign = load_campaign(folder / "chaos.yaml")
    with open_log(campaign.output, campaign.header(), True, retry_failed) as log:
        execute(plan(campaign), log, campaign.executor_config)


def loop(folder):
    """A loop of one's own, whose every turn holds the interpreter's lock for some 0.1 s.

    A run is witnessed in the turn that follows it.
    """
    from firsthit import Observer, problem_from

    witness = os.open(folder / "witness", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    problems = [problem_from(sum, 2, instance=i) for i in range(1, LOOP_PROBLEMS + 1)]
    before = None
    with Observer(folder / "disturbed.h5", "loop", resume=True) as observer:
        for problem in observer(problems):
            if before is not None:
                os.write(witness, f"{before}\n".encode())
            before = problem.identity.key
            problem([1.0, float(problem.index)])
            re.match("(a*)*b", "a" * 18)


def start(folder, *options, what="--coordinate"):
    """A coordinator, or a loop, in a process of its own."""
    command = [sys.executable, __file__, what, str(folder), *options]
    return subprocess.Popen(command, cwd=folder, stderr=open(folder / "errors", "ab"))


def children(pid):
    """Processes that a process started."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                text = Path(f"/proc/{entry}/stat").read_text()
            except OSError:
                continue
            if int(text.rpartition(")")[2].split()[1]) == pid:
                found.append(int(entry))
    return found


def kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def content(path):
    """What a log says of each run but its times, by key."""
    from firsthit.loggers import read_log

    log = read_log(path)
    found = {}
    for i, key in enumerate(log.runs.key.tolist()):
        assert key not in found, f"{key} is there twice"
        tables = (
            log.hits(i),
            log.trajectory(i),
            log.restarts(i),
            log.best_solution(i),
            log.archive(i),
        )
        found[key] = (
            log.runs.status[i], int(log.runs.evaluations[i]), int(log.runs.seed[i]),
            *(table.tobytes() for table in tables),
        )  # fmt: skip
    return found


class Round:
    """One campaign, disturbed until it is complete."""

    where = "workers: 2"

    def __init__(self, folder, rng, expected, counts):
        self.folder, self.rng, self.expected, self.counts = folder, rng, expected, counts
        self.log = folder / "disturbed.h5"
        shutil.rmtree(folder, ignore_errors=True)
        prepare(folder, self.log, self.where)

    def run(self, kills):
        """Kill until the campaign is complete or ``kills`` are made, then let it be completed."""
        made, began = 0, time.monotonic()
        process = start(self.folder)
        while process.poll() is None:
            assert time.monotonic() - began < MOST_SECONDS, "the campaign makes no progress"
            if made < kills and self._kill_one(process):
                made += 1
                self.look()
            if process.poll() == -signal.SIGKILL or self._gave_up(process):
                process = start(self.folder)
            if made >= kills:
                process.wait(MOST_SECONDS)
        assert process.returncode == 0, (self.folder / "errors").read_text()
        assert start(self.folder, "--retry-failed").wait(MOST_SECONDS) == 0
        self.look()
        self._compare()
        return made

    def _gave_up(self, process):
        """Whether a campaign ended since its workers were killed, ten in a row, before they began.

        On a machine that is slow to start processes; such a campaign is run again, as one would.
        """
        if process.poll() != 1:
            return False
        last = (self.folder / "errors").read_text().rstrip().rpartition("\n")[2]
        gave_up = "cannot load optimizer" in last and "killed by SIGKILL" in last
        self.counts["gave up"] += gave_up
        return gave_up

    def _kill_one(self, process):
        """Wait for a random moment, then kill something; whether there was something to kill."""
        time.sleep(self.rng.uniform(0.0, 0.8))
        workers = children(process.pid)
        chance = self.rng.random()
        if process.poll() is not None:
            return False
        if not workers:  # it shall come so far, more often than not
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

    def look(self):
        """Read the log, whatever is going on; what was witnessed before must be in it."""
        from firsthit.loggers.errors import LogNotFoundError
        from firsthit.suites import FirsthitError

        witness = self.folder / "witness"
        text = witness.read_text() if witness.exists() else ""
        witnessed = set(text[: text.rfind("\n") + 1].split())
        try:
            found = content(self.log)
        except LogNotFoundError:
            found = {}
        except AssertionError:
            self.counts["twice"] += 1
            return
        except FirsthitError as error:
            print(f"unreadable: {error}", file=sys.stderr)
            self.counts["unreadable"] += 1
            return
        self.counts["readings"] += 1
        self.counts["lost"] += len(witnessed - set(found))

    def _compare(self):
        found = content(self.log)
        self.counts["missing"] += len(set(self.expected) - set(found))
        self.counts["different"] += sum(
            found[k] != v for k, v in self.expected.items() if k in found
        )
        self.counts["too many"] += len(set(found) - set(self.expected))
        left = {path.name for path in self.folder.glob("disturbed.h5*") if "torn" not in path.name}
        self.counts["left behind"] += left != {"disturbed.h5"}
        self.counts["runs"] += len(found)
        self.counts["campaigns"] += 1


class LoopRound(Round):
    """One loop over an observer, killed some 10 ms after runs ended until it is complete."""

    def run(self, kills):
        """Likewise."""
        made, began = 0, time.monotonic()
        process = start(self.folder, what="--loop")
        while process.poll() is None:
            assert time.monotonic() - began < MOST_SECONDS, "the loop makes no progress"
            if made >= kills:
                process.wait(MOST_SECONDS)
            elif self._another_run_ended(process):
                time.sleep(self.rng.uniform(0.0, 0.02))
                kill(process.pid)
                process.wait()
                made += 1
                self.counts["loops killed"] += 1
                self.look()
                process = start(self.folder, what="--loop")
        assert process.returncode == 0, (self.folder / "errors").read_text()
        self.look()
        self._compare()
        return made

    def _another_run_ended(self, process):
        witness = self.folder / "witness"
        before = witness.stat().st_size if witness.exists() else 0
        while process.poll() is None:
            if witness.exists() and witness.stat().st_size > before:
                return True
            time.sleep(0.002)
        return False


class Cluster:
    """A Dask scheduler and two workers, each a process that may be killed."""

    def __init__(self, folder):
        self.folder, self.processes = folder, {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes.values():
            process.kill()
            process.wait()

    def repair(self):
        """Start what is not there; workers that have lost their scheduler are replaced."""
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
    """One campaign on Dask, disturbed until it is complete."""

    where = "cluster: scheduler.json"

    def run(self, kills):
        """Likewise."""
        made, began = 0, time.monotonic()
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
                if made < kills and process.poll() is None:
                    self._kill_one_of({"coordinator": process, **cluster.processes})
                    made += 1
                    self.look()
            cluster.repair()
            assert start(self.folder, "--retry-failed").wait(MOST_SECONDS) == 0
        self.look()
        self._compare()
        return made

    def _kill_one_of(self, processes):
        name = self.rng.choice(list(processes))
        kill(processes[name].pid)
        processes[name].wait()
        self.counts[f"{'' if name == 'coordinator' else 'Dask '}{name.split()[0]}s killed"] += 1

    def _last_error(self):
        return (self.folder / "errors").read_text().rstrip().rpartition("\n")[2]


BAD = ("lost", "twice", "unreadable", "missing", "different", "too many", "left behind")


def prepare(folder, output, where):
    folder.mkdir(parents=True)
    (folder / "mine.py").write_text(SUITE)
    (folder / "chaos.yaml").write_text(CAMPAIGN.format(output=output, where=where))


def chaos(kills, seed):
    """So many kills; counts of what was done and found."""
    rng, counts = random.Random(seed), Counter(dict.fromkeys(BAD, 0))
    with tempfile.TemporaryDirectory() as place:
        calm = Path(place) / "calm"
        prepare(calm, calm / "calm.h5", Round.where)
        assert start(calm).wait(MOST_SECONDS) == 0, (calm / "errors").read_text()
        expected = content(calm / "calm.h5")
        assert start(calm, what="--loop").wait(MOST_SECONDS) == 0, (calm / "errors").read_text()
        expected_of_loop = content(calm / "disturbed.h5")
        made = 0
        while made < kills:
            if some := min((kills - made + 1) // 2, 30):
                made += Round(Path(place) / "round", rng, expected, counts).run(some)
            if some := min((kills - made) // 2, 8):
                made += DaskRound(Path(place) / "dask", rng, expected, counts).run(some)
            if some := min(kills - made, LOOP_PROBLEMS - 2):
                made += LoopRound(Path(place) / "loop", rng, expected_of_loop, counts).run(some)
            print(f"{made} of {kills} kills: {dict(counts)}", file=sys.stderr, flush=True)
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--coordinate", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--loop", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--retry-failed", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.coordinate:
        coordinate(given.coordinate, given.retry_failed)
        return 0
    if given.loop:
        loop(given.loop)
        return 0
    counts = chaos(given.kills, given.seed)
    print(json.dumps(counts, indent=1))
    return 1 if any(counts[name] for name in BAD) else 0


if __name__ == "__main__":
    sys.exit(main())
