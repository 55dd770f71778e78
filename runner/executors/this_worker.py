"""The worker process as a task in it sees it: its folder, its answer."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn


@dataclass(slots=True, eq=False)
class ThisWorker:
    """A worker process, as its tasks see it.

    Attributes:
        folder: Of this process alone. Its files are in ``WorkerDied.files`` if the process dies.
        write: Sends a message to the coordinator.
        retires: The process ends after the task at hand; a new one takes its place.
    """

    folder: Path
    write: Callable[[bytes], None]
    retires: bool = False

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


def enter(worker: ThisWorker) -> None:
    """Set, once, the worker that this process is."""
    _here[:] = [worker]


def this_worker() -> ThisWorker:
    """The worker that this process is.

    Raises:
        RuntimeError: This process is no worker.
    """
    if not _here:
        raise RuntimeError("this process is no worker")
    return _here[0]
