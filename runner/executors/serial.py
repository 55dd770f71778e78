"""Where tasks run: the interface, and the serial executor."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Protocol, TypeVar

Result = TypeVar("Result")


class Executor(Protocol):
    """What the runner needs of a place where tasks run; nothing more.

    A task may be started again after its process died, so it must not have side effects of its own.

    Attributes:
        workers: How many tasks run at once; may change.
        group_seconds: Short runs are put together to tasks of about this length.
    """

    @property
    def workers(self) -> int:
        """How many tasks run at once."""

    @property
    def group_seconds(self) -> float:
        """Length of a task of short runs."""

    def submit(self, function: Callable[..., Result], *args: Any) -> Future[Result]:
        """Start ``function(*args)`` soon.

        The future raises :class:`firsthit.runner.errors.WorkerDied` when the process died at it.
        """

    def close(self) -> None:
        """End all workers at once, also those at work; their futures are cancelled. Idempotent."""


class SerialExecutor:
    """Runs each task in the calling thread when it is submitted."""

    workers = 1
    group_seconds = 0.0

    def submit(self, function: Callable[..., Result], *args: Any) -> Future[Result]:
        """Run ``function(*args)`` now; KeyboardInterrupt passes on."""
        future: Future[Result] = Future()
        try:
            future.set_result(function(*args))
        except Exception as error:
            future.set_exception(error)
        return future

    def close(self) -> None:
        """Nothing to end."""
