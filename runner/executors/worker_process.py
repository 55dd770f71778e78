"""A worker process as its coordinator sees it: started, given tasks, ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from .messages import MessageError, read_message, write_message

_THREADS = (
    "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS", "NUMEXPR_NUM_THREADS", "NUMBA_NUM_THREADS",
)  # fmt: skip
_MODULE = f"{__package__}.worker"
_IS_WINDOWS = sys.platform == "win32"
_PATIENCE_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Task:
    """A pickled function with its arguments, the future of its result, and to whom it belongs."""

    payload: bytes
    future: Future[Any]
    owner: str


class WorkerProcess:
    """One worker, in a folder of its own, where it leaves what it has reached.

    ``replies`` takes this worker with its answer to a task; with what went wrong, as a text, where
    it can give none any more; with None where it had not begun.
    """

    def __init__(
        self,
        folder: Path,
        modules: Sequence[str],
        threads: int,
        replies: SimpleQueue[Reply],
    ) -> None:
        self.folder = folder
        self.task: Task | None = None  # what it is at; None while it is idle
        self.owner: str | None = None  # whose tasks it runs; None before the first one
        self.died_at: float | None = None  # when it was first seen dead
        self._started = 0.0
        self._replies = replies
        self._tasks: SimpleQueue[bytes | None] = SimpleQueue()
        folder.mkdir()
        threading_limits = dict.fromkeys(_THREADS, str(threads))
        search_path = os.pathsep.join(map(os.path.abspath, sys.path))  # workers find what we find
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", _MODULE, str(folder), *modules],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            env={**os.environ, **threading_limits, "PYTHONPATH": search_path},
            start_new_session=not _IS_WINDOWS,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        threading.Thread(target=self._talk, name="firsthit worker", daemon=True).start()

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    @property
    def seconds(self) -> float:
        """Since it was given the task at hand."""
        return time.monotonic() - self._started

    def give(self, task: Task) -> None:
        """Have it work on a task; the answer goes to ``replies``."""
        self.task, self.owner, self._started = task, task.owner, time.monotonic()
        self._tasks.put(task.payload)

    def seconds_dead(self) -> float:
        """Since it was first seen dead; 0 while it lives."""
        if self._process.poll() is None:
            return 0.0
        if self.died_at is None:
            self.died_at = time.monotonic()
        return time.monotonic() - self.died_at

    def end(self) -> None:
        """End it, and on POSIX whatever it has started, and wait for the end."""
        self._tasks.put(None)
        with suppress(OSError):
            if _IS_WINDOWS:
                self._process.kill()
            else:
                os.killpg(self.pid, signal.SIGKILL)
        self._process.wait()
        with suppress(OSError):
            self._process.stdin.close()  # type: ignore[union-attr]

    def how_it_ended(self) -> str:
        """Of a process that ended by itself: a sentence."""
        code = self._process.returncode
        if code is None or code >= 0:
            return f"worker process ended with exit code {code}"
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        return f"worker process was killed by {name}"

    def files(self) -> dict[str, bytes]:
        """Contents of the files in its folder, by path relative to it."""
        found = {}
        for path in sorted(self.folder.rglob("*")):
            with suppress(OSError):
                if path.is_file():
                    found[path.relative_to(self.folder).as_posix()] = path.read_bytes()
        return found

    def _talk(self) -> None:
        """Send tasks and read answers, in a thread of this worker; nobody waits for half of one."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        while (payload := self._tasks.get()) is not None:
            try:
                write_message(stdin.write, payload)
            except (OSError, ValueError):
                self._replies.put((self, None))
                break
            try:
                self._replies.put((self, read_message(stdout.read)))
            except MessageError:
                text = "worker process wrote something else to its coordinator's pipe"
                self._replies.put((self, text))
                break
            except (EOFError, OSError, ValueError):
                self._replies.put((self, self._after_the_end()))
                break
        stdout.close()

    def _after_the_end(self) -> str:
        try:
            self._process.wait(_PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            return "worker process closed its coordinator's pipe"
        return self.how_it_ended()


Reply = tuple[WorkerProcess, bytes | str | None] | None
"""What a worker sent: an answer, or how it ended; None only wakes the coordinator."""
