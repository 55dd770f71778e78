"""A worker process, as seen by the main process.

`WorkerProcess` starts ``worker.py`` as a process, sends it tasks, and kills it. A thread of each
worker process writes tasks to its pipe and reads its answers. The thread puts all answers into one
queue, which all workers of an executor share. So the main process never blocks on an incomplete
message. If the output of the process is captured, a second thread reads it (``output.py``).
"""

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

from .messages import NOTICE, MessageError, read_message, write_message
from .output import OutputCapture, OutputReader

_THREAD_VARIABLES = (
    "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS", "NUMEXPR_NUM_THREADS", "NUMBA_NUM_THREADS",
)  # fmt: skip
"""Environment variables that limit the threads of BLAS, OpenMP, numexpr and numba."""
_MODULE = f"{__package__}.worker"
_IS_WINDOWS = sys.platform == "win32"
_END_SECONDS = 5.0
"""Longest wait for the end of a process that was killed or that closed its pipe."""


@dataclass(frozen=True, slots=True)
class Task:
    """A task of an owner.

    Attributes:
        payload: The function and the tuple of its arguments, pickled together.
        future: Future of the result.
        owner: Owner of the task, see `Executor`.
    """

    payload: bytes
    future: Future[Any]
    owner: str


@dataclass(frozen=True, slots=True)
class Ended:
    """A reply: the worker process has ended without being asked to.

    Attributes:
        text: Reason, for a message.
        has_begun: Whether the process had received its current task. False: it ended before it was
            ready for tasks, or between two tasks.
    """

    text: str
    has_begun: bool


class WorkerProcess:
    """A worker process with a folder of its own.

    Args:
        folder: Folder that is created for the process.
        modules: Modules that the process imports before the first task.
        threads: Number of threads in BLAS, OpenMP and numba.
        replies: Receives this worker together with `READY` when it is ready for tasks, with its
            answer to each task, with messages that begin with `NOTICE`, and with `Ended` if no
            further answer can follow.
        capture: Captures what the process prints. None: the process inherits stderr.

    Attributes:
        folder: Folder of the process.
        task: Current task. None: the worker is idle.
        owner: Owner of its tasks. None: it has not received a task.
        died_at: Time (``time.monotonic()``) at which the process was first seen dead. None: never.

    Raises:
        OSError, MemoryError, RuntimeError: The system does not allow another process or thread.
    """

    def __init__(
        self,
        folder: Path,
        modules: Sequence[str],
        threads: int,
        replies: SimpleQueue[Reply],
        capture: OutputCapture | None = None,
    ) -> None:
        self.folder = folder
        self.task: Task | None = None
        self.owner: str | None = None
        self.died_at: float | None = None
        self._task_started = 0.0
        self._replies = replies
        self._payloads: SimpleQueue[bytes | None] = SimpleQueue()
        folder.mkdir()
        thread_limits = dict.fromkeys(_THREAD_VARIABLES, str(threads))
        # workers import the same modules as this process, also those of a changed sys.path
        search_path = os.pathsep.join(map(os.path.abspath, sys.path))
        self._output = None if capture is None else OutputReader(capture)
        output = "inherited" if capture is None else "captured"
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", _MODULE, str(folder), output, *modules],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=None if self._output is None else self._output.descriptor,
                bufsize=0,
                env={**os.environ, **thread_limits, "PYTHONPATH": search_path},
                start_new_session=not _IS_WINDOWS,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        except BaseException:  # the system has no process or descriptor left
            self._close_output()
            raise
        try:
            threading.Thread(target=self._communicate, name="firsthit worker", daemon=True).start()
        except BaseException:  # the system has no thread left
            self.end()
            self._process.stdout.close()  # type: ignore[union-attr]
            raise

    @property
    def pid(self) -> int:
        """Process id."""
        return self._process.pid

    @property
    def seconds(self) -> float:
        """Seconds since the worker received its current task."""
        return time.monotonic() - self._task_started

    def give(self, task: Task) -> None:
        """Send a task to the idle worker, without blocking. The answer goes to ``replies``."""
        self.task, self.owner, self._task_started = task, task.owner, time.monotonic()
        self._payloads.put(task.payload)

    def seconds_dead(self) -> float:
        """Return the seconds since the process was first seen dead; 0 if it is alive."""
        if self._process.poll() is None:
            return 0.0
        if self.died_at is None:
            self.died_at = time.monotonic()
        return time.monotonic() - self.died_at

    def end(self) -> None:
        """Kill the process, and on POSIX all processes that it started, and wait for the end.

        After 5 seconds the method stops waiting for a process that the system cannot kill, for
        example because the process waits for a disk.
        """
        self._payloads.put(None)
        with suppress(OSError):
            if _IS_WINDOWS:
                self._process.kill()
            else:
                os.killpg(self.pid, signal.SIGKILL)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_END_SECONDS)
        with suppress(OSError):
            self._process.stdin.close()  # type: ignore[union-attr]
        self._close_output()

    def describe_end(self) -> str:
        """Describe how the process ended, as in ``"worker process was killed by SIGKILL"``."""
        code = self._process.returncode
        if code is None or code >= 0:
            return f"worker process ended with exit code {code}"
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        return f"worker process was killed by {name}"

    def read_files(self) -> dict[str, bytes]:
        """Read the readable files in the folder, and return their contents by relative path."""
        contents = {}
        with suppress(OSError):
            for path in sorted(self.folder.rglob("*")):
                with suppress(OSError):
                    if path.is_file():
                        contents[path.relative_to(self.folder).as_posix()] = path.read_bytes()
        return contents

    def _close_output(self) -> None:
        """Read the rest of the captured output; do nothing at the second call."""
        output, self._output = self._output, None
        if output is not None:
            output.close()

    def _communicate(self) -> None:
        """Send tasks and read answers until the process ends. Runs in a thread of this worker."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        has_begun = False
        try:
            if text := read_message(stdout.read).decode(errors="replace"):
                self._replies.put((self, Ended(text, has_begun)))
                return
            self._replies.put((self, READY))
            while (payload := self._payloads.get()) is not None:
                write_message(stdin.write, payload)
                has_begun = True
                while (answer := read_message(stdout.read)).startswith(NOTICE):
                    self._replies.put((self, answer))
                self._replies.put((self, answer))
                has_begun = False
        except MessageError:
            text = "worker process wrote something else to the pipe for its answers"
            self._replies.put((self, Ended(text, has_begun)))
        except Exception:  # usually EOFError or OSError, because the process has ended
            self._replies.put((self, Ended(self._wait_and_describe_end(), has_begun)))
        finally:
            stdout.close()

    def _wait_and_describe_end(self) -> str:
        try:
            self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            return "worker process closed the pipe for its answers"
        return self.describe_end()


READY = b""
"""Reply of a worker that is ready for tasks. An answer to a task is never empty."""
Reply = tuple[WorkerProcess, bytes | Ended] | None
"""A worker with its message, or with its end. None only wakes the thread that reads the queue."""
