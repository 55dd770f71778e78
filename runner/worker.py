"""A worker process: takes tasks from its connection, one at a time, and answers each."""

from __future__ import annotations

import os
import pickle
import sys
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from .contained import THREAD_NAME


@dataclass(frozen=True, slots=True)
class Answer:
    """What a worker sends back.

    Attributes:
        task: Number of the task.
        result: Its pickled result; None where it raised.
        error: The exception as text; exceptions themselves do not always pickle.
        retires: The worker ends after this answer, because a thread of the task is still alive.
    """

    task: int
    result: bytes | None
    error: str = ""
    retires: bool = False


def serve(connection: Connection) -> None:
    """Answer tasks until the other side closes. What optimizers print goes to stderr."""
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    while True:
        try:
            number, payload = connection.recv()
        except (EOFError, OSError):
            return
        answer = _work(number, payload)
        connection.send(answer)
        if answer.retires:
            return


def _work(number: int, payload: bytes) -> Answer:
    try:
        function: Callable[..., Any]
        function, arguments = pickle.loads(payload)
        result = pickle.dumps(function(*arguments))
    except BaseException as error:
        text = "".join(traceback.format_exception_only(error)).strip()
        return Answer(number, None, text, _has_leftovers())
    return Answer(number, result, retires=_has_leftovers())


def _has_leftovers() -> bool:
    return any(thread.name == THREAD_NAME for thread in threading.enumerate())
