"""A worker process: ``python -m firsthit.runner.executors.worker FOLDER MODULE…``.

Takes tasks from its standard input, one at a time, and answers each on its standard output. Tasks
run in the main thread, and find other streams in these places: what they print goes to stderr. A
thread reads the input; when that closes, the coordinator is gone, and the process ends, with all
that its tasks have started and that stayed in its process group.
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

from .messages import read_message, write_message


@dataclass(slots=True, eq=False)
class ThisWorker:
    """A worker process, as its tasks see it."""

    folder: Path  # of this process alone; its files are in ``WorkerDied.files`` if it dies
    write: Callable[[bytes], None]  # sends a message to the coordinator
    retires: bool = False  # the process ends after the task at hand; a new one takes its place

    def answer(self, result: object, error: str = "") -> None:
        """Send the result of the task at hand, or the text of what it raised."""
        try:
            payload = b"" if error else pickle.dumps(result, protocol=5)
        except Exception as reason:
            payload, error = b"", f"{type(reason).__name__}: {reason}"
        self.write(pickle.dumps((payload, error, self.retires)))

    def answer_and_end(self, result: object) -> NoReturn:
        """Send the result from within the task, and end the process, in whatever thread."""
        self.retires = True
        self.answer(result)
        os._exit(0)


_here: list[ThisWorker] = []


def this_worker() -> ThisWorker:
    """The worker that this process is; raises RuntimeError where it is none."""
    if not _here:
        raise RuntimeError("this process is no worker")
    return _here[0]


def main(folder: Path, modules: list[str]) -> None:
    """Import what tasks need, then answer them until the other side closes or this worker retires.

    ``folder`` is of this process alone.
    """
    incoming, outgoing = _take_streams()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    worker = ThisWorker(folder, partial(write_message, partial(os.write, outgoing)))
    _here[:] = [worker]
    tasks: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_read, args=(incoming, tasks, folder), daemon=True).start()
    for module in modules:
        importlib.import_module(module)
    gc.freeze()  # what was imported lives for ever: no need to look at it again and again
    process = os.getpid()
    while not worker.retires:
        _work(tasks.get(), worker, process)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)  # whatever threads are left


def _take_streams() -> tuple[int, int]:
    """Private descriptors of the two pipes; others take the places of stdin and stdout."""
    while (nothing := os.open(os.devnull, os.O_RDWR)) < 3:
        pass  # stderr was closed, and is this now
    incoming, outgoing = os.dup(0), os.dup(1)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return incoming, outgoing


def _read(descriptor: int, tasks: SimpleQueue[bytes], folder: Path) -> None:
    try:
        while True:
            tasks.put(read_message(partial(os.read, descriptor)))
    except EOFError:  # the coordinator is gone, and nobody asks for these files any more
        with contextlib.suppress(Exception):
            shutil.rmtree(folder, ignore_errors=True)
            folder.parent.rmdir()
    finally:
        _end_group()


def _end_group() -> None:
    """End this process, and on POSIX whatever it has started."""
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(1)


def _work(payload: bytes, worker: ThisWorker, process: int) -> None:
    result, text = None, ""
    try:
        function, arguments = pickle.loads(payload)
        result = function(*arguments)
    except BaseException as error:
        text = "".join(traceback.format_exception_only(error)).strip() or type(error).__name__
    if os.getpid() != process:
        os._exit(0)  # the task forked, and this is the child: the parent answers
    worker.answer(result, text)


if __name__ == "__main__":
    from . import worker  # tasks import this module by its name: they must find its worker there

    worker.main(Path(sys.argv[1]), sys.argv[2:])
