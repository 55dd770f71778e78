"""Kills workers and coordinators of real campaigns at random moments, and looks what it cost.

``python tests/chaos.py --kills 1000 --seed 1`` runs a small campaign again and again, each time
until it is complete, whatever was killed. A witness outside of the log, a file to which the
coordinator writes the keys of runs once they are sealed, says what must be there from then on.
Prints the kills, and what was lost, there twice, unreadable or different: nothing, it is hoped.
"""

import argparse
import json
import os
import random
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
workers: 2
output: {output}
optimizers: ["mine.py:walk"]
"""
MOST_SECONDS = 300.0


def coordinate(folder, retry_failed):
    """Run or continue the campaign; seals often, and witnesses what is sealed."""
    from firsthit.loggers.hdf5 import sealer
    from firsthit.runner import execute, load_campaign, open_log, plan

    sealer.SEAL_SECONDS, sealer._MANY_SMALL = 0.05, 4
    witness = os.open(folder / "witness", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    seal = sealer.Sealer.seal

    def witnessed(self):
        with self._guard:
            keys = [record.key for record in self._pending]
            seal(self)
            if keys:
                os.write(witness, "".join(f"{key}\n" for key in keys).encode())

    sealer.Sealer.seal = witnessed
    campaign = load_campaign(folder / "chaos.yaml")
    with open_log(campaign.output, campaign.header(), True, retry_failed) as log:
        execute(plan(campaign), log, campaign.executor_config)


def start(folder, *options):
    """A coordinator in a process of its own."""
    command = [sys.executable, __file__, "--coordinate", str(folder), *options]
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

    def __init__(self, folder, rng, expected, counts):
        self.folder, self.rng, self.expected, self.counts = folder, rng, expected, counts
        self.log = folder / "disturbed.h5"
        shutil.rmtree(folder, ignore_errors=True)
        prepare(folder, self.log)

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
        from firsthit.loggers import LogNotFoundError
        from firsthit.suites import FirsthitError

        witness = self.folder / "witness"
        text = witness.read_text() if witness.exists() else ""
        sealed = set(text[: text.rfind("\n") + 1].split())
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
        self.counts["lost"] += len(sealed - set(found))

    def _compare(self):
        found = content(self.log)
        self.counts["missing"] += len(set(self.expected) - set(found))
        self.counts["different"] += sum(
            found[k] != v for k, v in self.expected.items() if k in found
        )
        self.counts["too many"] += len(set(found) - set(self.expected))
        left = {path.name for path in self.folder.glob("disturbed.h5*")}
        self.counts["left behind"] += left != {"disturbed.h5"}
        self.counts["runs"] += len(found)
        self.counts["campaigns"] += 1


BAD = ("lost", "twice", "unreadable", "missing", "different", "too many", "left behind")


def prepare(folder, output):
    folder.mkdir(parents=True)
    (folder / "mine.py").write_text(SUITE)
    (folder / "chaos.yaml").write_text(CAMPAIGN.format(output=output))


def chaos(kills, seed):
    """So many kills; counts of what was done and found."""
    rng, counts = random.Random(seed), Counter(dict.fromkeys(BAD, 0))
    with tempfile.TemporaryDirectory() as place:
        calm = Path(place) / "calm"
        prepare(calm, calm / "calm.h5")
        assert start(calm).wait(MOST_SECONDS) == 0, (calm / "errors").read_text()
        expected = content(calm / "calm.h5")
        made = 0
        while made < kills:
            made += Round(Path(place) / "round", rng, expected, counts).run(min(kills - made, 30))
            print(f"{made} of {kills} kills: {dict(counts)}", file=sys.stderr, flush=True)
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--coordinate", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--retry-failed", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.coordinate:
        coordinate(given.coordinate, given.retry_failed)
        return 0
    counts = chaos(given.kills, given.seed)
    print(json.dumps(counts, indent=1))
    return 1 if any(counts[name] for name in BAD) else 0


if __name__ == "__main__":
    sys.exit(main())
