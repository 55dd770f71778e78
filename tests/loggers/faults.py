"""Disturb the writer of a log at each of its steps: kill it, write a part of the data, or fail.

``python faults.py [SCENARIO ...]`` prints the number of disturbances and all failures. Each trial
runs in a forked process. Its files are then read, resumed, and compared with a complete log.
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
REMOVALS = ("remove", "remove_folder", "close", "cut")
"""Steps that succeed on a full disk, too."""
SYNCS = ("sync", "sync_folder")
"""Steps that do nothing here, because written data remain when a process dies."""


class Disturbance:
    """Replace all steps of ``storage``, and disturb one of them.

    Args:
        kind: Type of the disturbance, see `points`.
        code: Error code of a failing step.
        number: Number of the disturbed step, from 1; 0 for none.

    Attributes:
        steps: Names of all steps so far.
        is_over: Whether all further steps work.
    """

    def __init__(self, kind, code, number):
        self.kind, self.code, self.number = kind, code, number
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
        return self.count == self.number or (self.kind == "stays full" and self.count > self.number)

    def _happen(self, name, real, arguments):
        if self.kind == "torn":
            real(arguments[0], arguments[1][: len(arguments[1]) // 2])
        if self.kind in KILLS:
            os.kill(os.getpid(), signal.SIGKILL)
        if self.kind == "short":
            return real(arguments[0], arguments[1][: max(1, len(arguments[1]) // 2)])
        if self.kind == "stays full" and name in REMOVALS:
            return real(*arguments)
        if self.kind == "fails after" or name == "close":  # a failing close closes the file, too
            real(*arguments)
        raise OSError(self.code, os.strerror(self.code))

    def heal(self):
        self.is_over = True


def course(name, folder, disturbance):
    """Run a scenario in a forked process.

    Args:
        name: Name of the scenario.
        folder: Folder of its files.
        disturbance: Arguments of `Disturbance`.

    Returns:
        The exit code, or the negative signal; the repetitions that must be in the log; and the
        report of the process: its ``steps`` and ``errors``, or an ``error``.
    """
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
        messages = [json.loads(line) for line in stream.read().splitlines()]
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    acknowledged = {run for message in messages for run in message.get("written", ())}
    report = {key: value for message in messages for key, value in message.items()}
    return code, acknowledged | set(scenarios.already_there(name)), report


def _child(name, folder, disturbance, writing):
    def send(**message):
        os.write(writing, json.dumps(message).encode() + b"\n")

    disturber = Disturbance(*disturbance)
    trial = Trial(
        folder,
        lambda written: send(written=list(written)),
        heal=disturber.heal,
        insist=disturber.kind != "stays full",
    )
    SCENARIOS[name](trial)
    send(steps=disturber.steps, errors=trial.errors)
    return 0


def points(steps):
    """Yield the arguments of each `Disturbance` of a course with these steps.

    - "killed": the process is killed before the step
    - "torn": the process is killed after it wrote half of the data
    - "short": half of the data are written, without an error
    - "fails": the step fails and has no effect
    - "fails after": the step has its effect and fails
    - "stays full": the step and all later ones that need space fail
    """
    for number, name in enumerate(steps, 1):
        yield "killed", 0, number
        if name in WRITES:
            yield "torn", 0, number
            yield "short", 0, number
        yield "fails", errno.ENOSPC, number
        yield "fails after", errno.EIO, number
        yield "stays full", errno.ENOSPC, number
    yield "killed", 0, len(steps) + 1


def try_one(name, template, folder, disturbance):
    """Run and check a disturbed scenario; return a message, or None if all is well."""
    fresh(template, folder)
    kind, _, number = disturbance
    code, acknowledged, report = course(name, folder, disturbance)
    try:
        if kind in KILLS:
            is_last = code == 0 and number > len(report["steps"])
            assert code == -signal.SIGKILL or is_last, f"ended with {code}, {report}"
        else:
            assert code == 0, f"ended with {code}: {report.get('error', '')}"
            assert all("\n" not in text for text in report["errors"]), report["errors"]
            runs = {"adding": 4, "closing": 3, "resuming": 3}.get(name, 0)
            acknowledged |= set(range(runs))  # Later steps wrote the remaining runs.
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
    with tempfile.TemporaryDirectory() as temporary:
        for name in chosen(sys.argv[1:]):
            template, folder = Path(temporary) / f"{name}.before", Path(temporary) / name
            prepare(name, template)
            fresh(template, folder)
            SCENARIOS[name](Trial(folder))  # fills the caches of `save_time` for all forks
            fresh(template, folder)
            code, _, report = course(name, folder, ("none", 0, 0))
            assert code == 0, report
            disturbances = list(points(report["steps"]))
            tried[name] = {"steps": len(report["steps"]), "points": len(disturbances)}
            messages = (try_one(name, template, folder, one) for one in disturbances)
            failures += filter(None, messages)
    print(json.dumps({"tried": tried, "failures": failures}, indent=1))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
