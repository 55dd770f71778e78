"""A worker process: takes tasks from its connection, one at a time, and answers each."""

from __future__ import annotations

import os
import pickle
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from ...loggers.observation.flight import FlightMemory
from .workplace import HERE, WorkerPlace


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


def serve(connection: Connection, memory: FlightMemory) -> None:
    """Answer tasks until the other side closes. What optimizers print goes to stderr.

    Args:
        connection: To the coordinator.
        memory: Shared with the coordinator: what the run at hand has reached.
    """
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    place = WorkerPlace(memory)
    HERE.set(place)
    os.register_at_fork(after_in_child=memory.detach)
    pid = os.getpid()
    while True:
        try:
            number, payload = connection.recv()
        except (EOFError, OSError):
            return
        answer = _work(number, payload, place)
        if os.getpid() != pid:
            os._exit(0)  # the task forked, and this is the child: the parent answers
        connection.send(answer)
        if answer.retires:
            return


def _work(number: int, payload: bytes, place: WorkerPlace) -> Answer:
    try:
        function: Callable[..., Any]
        function, arguments = pickle.loads(payload)
        result = pickle.dumps(function(*arguments), protocol=5)
    except BaseException as error:
        text = "".join(traceback.format_exception_only(error)).strip()
        return Answer(number, None, text, place.has_leftovers)
    finally:
        place.rest()
    return Answer(number, result, retires=place.has_leftovers)
