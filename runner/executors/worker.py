"""Main module of a worker process.

The command is ``python -m firsthit.runner.executors.worker FOLDER OUTPUT MODULE…``. The process
reads pickled tasks from its standard input, runs one at a time, and writes an answer for each to
its standard output. Tasks run in the main thread. Before the first task, file descriptors 0 and 1
are redirected, so that a task reads nothing and prints to stderr. ``OUTPUT`` says whether the main
process captures stderr (``captured``) or not (``inherited``).

A second thread reads the standard input. When it is closed, the main process has ended. Then the
thread kills this process and all processes in its process group, which tasks have started.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import pickle
import shutil
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import NoReturn

from ...suites.compiled.notice import compilation_notices_to
from ..errors import SystemShortageError
from .messages import NOTICE, read_message, write_message
from .output import encode_mark


@dataclass(slots=True, eq=False)
class ThisWorker:
    """The worker process in which a task runs.

    Attributes:
        folder: Folder of this process alone. Its files are in `WorkerDied.files` if it dies.
        write: Sends a message with the given payload to the main process.
        captured_output: File descriptor of the captured output. None: it is not captured.
        retires: Whether the process ends after the current task. A new process replaces it.
    """

    folder: Path
    write: Callable[[bytes], None]
    captured_output: int | None = None
    retires: bool = False

    def answer(self, result: object, error: str = "", is_shortage: bool = False) -> None:
        """Send the answer to the current task to the main process.

        Args:
            result: Result of the task. If it cannot be pickled, the pickling error is sent.
            error: Text of the exception that the task raised. Empty: it raised none.
            is_shortage: Whether the exception was a `SystemShortageError`.
        """
        try:
            payload = b"" if error else pickle.dumps(result, protocol=5)
        except Exception as reason:
            payload, error = b"", f"{type(reason).__name__}: {reason}"
        self.write(pickle.dumps((payload, error, is_shortage, self.retires)))

    def notify(self, text: str) -> None:
        """Send a text for the user to the main process, which shows it at once."""
        self.write(NOTICE + text.encode())

    def begin_section(self, title: str, keeps_tail: bool = False) -> None:
        """Mark in the captured output of this process that a section ends and another one begins.

        Args:
            title: Title of the section that begins. Empty: the following output has no title.
            keeps_tail: Whether the main process keeps the tail of the section that ends.
        """
        if self.captured_output is None:
            return
        _flush_streams()
        with contextlib.suppress(OSError):  # a task has closed the descriptor
            os.write(self.captured_output, encode_mark(title, keeps_tail))

    def answer_and_end(self, result: object) -> NoReturn:
        """Send the result of the current task, and end the process. Callable in any thread."""
        self.retires = True
        self.answer(result)
        os._exit(0)


_workers: list[ThisWorker] = []
"""The worker of this process; empty in other processes."""


def this_worker() -> ThisWorker:
    """Return the worker of this process.

    Raises:
        RuntimeError: This process is not a worker.
    """
    if not _workers:
        raise RuntimeError("this process is not a worker")
    return _workers[0]


def main(folder: Path, output: str, modules: list[str]) -> None:
    """Import modules, then run tasks until the main process ends or this worker retires.

    The first message to the main process is empty if the worker is ready for tasks. Otherwise it
    is the text of the error. The function does not return: it ends the process.

    Args:
        folder: Folder of this process alone.
        output: ``"captured"`` if the main process captures what this process prints.
        modules: Names of the modules that tasks need.
    """
    outgoing, captured_output = 1, None
    tasks: SimpleQueue[bytes] = SimpleQueue()
    try:
        incoming, outgoing = _redirect_streams()
        if output == "captured":
            captured_output = os.dup(2)  # a task may close descriptor 2
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process handles Ctrl-C
        threading.Thread(target=_read_tasks, args=(incoming, tasks, folder), daemon=True).start()
        for module in modules:
            importlib.import_module(module)
    except Exception as error:  # the system has no file descriptor, memory or thread left
        text = " ".join("".join(traceback.format_exception_only(error)).split())
        write_message(partial(os.write, outgoing), text.encode())
        os._exit(1)
    worker = ThisWorker(folder, partial(_write_answer, outgoing, threading.Lock()), captured_output)
    _workers[:] = [worker]
    gc.freeze()  # imported modules are never freed, so later collections need not scan them
    process_id = os.getpid()
    worker.write(b"")  # ready
    with compilation_notices_to(worker.notify):
        while not worker.retires:
            _run_task(tasks.get(), worker, process_id)
    _flush_streams()
    os._exit(0)  # do not wait for threads that a task has left


def _redirect_streams() -> tuple[int, int]:
    """Move the two pipes to private descriptors, and redirect stdin and stdout.

    Returns:
        Descriptors of the pipe from the main process and of the pipe to it.
    """
    # if the parent closed stderr, the first descriptors that open() returns take its number
    while (devnull := os.open(os.devnull, os.O_RDWR)) < 3:
        pass
    incoming, outgoing = os.dup(0), os.dup(1)
    os.dup2(devnull, 0)
    os.close(devnull)
    os.dup2(2, 1)
    # Python buffers 8 kB of output to a pipe, which a crash would lose.
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    return incoming, outgoing


def _write_answer(outgoing: int, lock: threading.Lock, payload: bytes) -> None:
    """Write a message to the main process; threads may write messages at the same time."""
    with lock:
        write_message(partial(os.write, outgoing), payload)


def _flush_streams() -> None:
    """Flush stdout and stderr. A task may have replaced or closed them, so ignore any error."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()


def _read_tasks(descriptor: int, tasks: SimpleQueue[bytes], folder: Path) -> None:
    """Queue the tasks of the main process; end this process when the pipe is closed."""
    try:
        while True:
            tasks.put(read_message(partial(os.read, descriptor)))
    except EOFError:  # the main process has ended, so no process will read these files
        with contextlib.suppress(Exception):
            shutil.rmtree(folder, ignore_errors=True)
            folder.parent.rmdir()
    finally:
        _end_group()


def _end_group() -> None:
    """End this process, and on POSIX all processes that it has started."""
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(1)


def _run_task(payload: bytes, worker: ThisWorker, process_id: int) -> None:
    """Run a pickled task, and send its answer."""
    result, text, is_shortage = None, "", False
    try:
        function, arguments = pickle.loads(payload)
        result = function(*arguments)
    except SystemShortageError as error:
        text, is_shortage = str(error), True
    except BaseException as error:
        text = "".join(traceback.format_exception_only(error)).strip() or type(error).__name__
    if os.getpid() != process_id:
        os._exit(0)  # the task forked, and this is the child: only the parent may answer
    worker.answer(result, text, is_shortage)


if __name__ == "__main__":
    # Tasks import this module by its name, not as __main__. Call the imported copy, so that tasks
    # see its `_workers`.
    from . import worker

    worker.main(Path(sys.argv[1]), sys.argv[2], sys.argv[3:])
