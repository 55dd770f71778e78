"""Disturbs the writer of a log at every single step: kills it, tears a write, fails it.

``python faults.py [SCENARIO ...]`` prints how many points were tried, and every failure. Each trial
runs in a forked process; what it leaves on the disk is read, continued and compared.
"""

import errno
import json
import os
import signal
import sys
import tempfile
import traceback
from pathlib import Path

import scenarios
from scenarios import SCENARIOS, Trial, check, chosen, fresh, prepare

from firsthit.loggers.hdf5 import storage

KILLS = ("killed", "torn")
WRITES = ("write",)
REMOVALS = ("remove", "remove_folder", "close", "cut")  # these work on a full disk, too
SYNCS = ("sync", "sync_folder")  # this machine goes on: what was written is there, synced or not


class Disturbance:
    """Stands in for every step of ``storage`` and does something at the step ``at``."""

    def __init__(self, kind, code, at):
        self.kind, self.code, self.at = kind, code, at
        self.count = 0
        self.steps = []
        self.is_over = False
        for name in storage.STEPS:
            setattr(storage, name, self._instead(name, getattr(storage, name)))

    def _instead(self, name, real):
        def step(*arguments):
            self.count += 1
            self.steps.append(name)
            if self.is_over or not self._is_due():
                return real(*arguments)
            return self._happen(name, real, arguments)

        return step

    def _is_due(self):
        return self.count == self.at or (self.kind == "stays full" and self.count > self.at)

    def _happen(self, name, real, arguments):
        if self.kind == "torn":
            real(arguments[0], arguments[1][: len(arguments[1]) // 2])
        if self.kind in KILLS:
            os.kill(os.getpid(), signal.SIGKILL)
        if self.kind == "short":
            return real(arguments[0], arguments[1][: max(1, len(arguments[1]) // 2)])
        if self.kind == "stays full" and name in REMOVALS:
            return real(*arguments)
        if self.kind == "fails after" or name == "close":  # a file is closed even where that fails
            real(*arguments)
        raise OSError(self.code, os.strerror(self.code))

    def heal(self):
        self.is_over = True


def course(name, folder, disturbance):
    """Run a scenario in a forked process: (exit code or -signal, acknowledged, its report)."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        code = 1
        try:
            code = _child(name, folder, disturbance, writing)
        except BaseException:
            os.write(writing, json.dumps({"error": traceback.format_exc()}).encode() + b"\n")
        finally:
            os._exit(code)
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        said = [json.loads(line) for line in stream.read().splitlines()]
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    acknowledged = {r for line in said for r in line.get("written", ())}
    report = {key: value for line in said for key, value in line.items()}
    return code, acknowledged | set(scenarios.already_there(name)), report


def _child(name, folder, disturbance, writing):
    def say(**facts):
        os.write(writing, json.dumps(facts).encode() + b"\n")

    disturber = Disturbance(*disturbance)
    trial = Trial(
        folder,
        lambda written: say(written=list(written)),
        heal=disturber.heal,
        insist=disturber.kind != "stays full",
    )
    SCENARIOS[name](trial)
    say(steps=disturber.steps, errors=trial.errors)
    return 0


def points(steps):
    """Every disturbance that makes sense at these steps."""
    for at, name in enumerate(steps, 1):
        yield "killed", 0, at
        if name in WRITES:
            yield "torn", 0, at
            yield "short", 0, at
        yield "fails", errno.ENOSPC, at
        yield "fails after", errno.EIO, at
        yield "stays full", errno.ENOSPC, at
    yield "killed", 0, len(steps) + 1


def try_one(name, template, folder, disturbance):
    """None, or what went wrong."""
    fresh(template, folder)
    kind, _, at = disturbance
    code, acknowledged, report = course(name, folder, disturbance)
    try:
        if kind in KILLS:
            is_last = code == 0 and at > len(report["steps"])
            assert code == -signal.SIGKILL or is_last, f"ended with {code}, {report}"
        else:
            assert code == 0, f"ended with {code}: {report.get('error', '')}"
            assert all("\n" not in text for text in report["errors"]), report["errors"]
            runs = {"adding": 4, "closing": 3, "resuming": 3}.get(name, 0)
            acknowledged |= set(range(runs))  # what a later step wrote
        check(name, folder, acknowledged)
    except Exception as error:
        return f"{name}, {disturbance}: {type(error).__name__}: {error}"
    return None


def main():
    scenarios.save_time()
    for name in SYNCS:
        setattr(storage, name, lambda _: None)
    for repetition in range(scenarios.RUNS):
        scenarios.expected(repetition)
    tried, failures = {}, []
    with tempfile.TemporaryDirectory() as place:
        for name in chosen(sys.argv[1:]):
            template, folder = Path(place) / f"{name}.before", Path(place) / name
            prepare(name, template)
            fresh(template, folder)
            SCENARIOS[name](Trial(folder))  # what it reads and encodes is remembered for the forks
            fresh(template, folder)
            code, _, report = course(name, folder, ("none", 0, 0))
            assert code == 0, report
            todo = list(points(report["steps"]))
            tried[name] = {"steps": len(report["steps"]), "points": len(todo)}
            failures += filter(None, (try_one(name, template, folder, one) for one in todo))
    print(json.dumps({"tried": tried, "failures": failures}, indent=1))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
