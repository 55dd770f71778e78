"""What the runner needs of a place where tasks run."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Protocol, TypeVar

Result = TypeVar("Result")


class Executor(Protocol):
    """A place where tasks run; nothing more.

    A task may be started again after its process died, so it must not have side effects of its own.
    """

    @property
    def workers(self) -> int:
        """How many tasks run at once; may change."""

    def submit(
        self, function: Callable[..., Result], *args: Any, fresh: bool = False
    ) -> Future[Result]:
        """Start ``function(*args)`` soon; with ``fresh`` in a process that has run nothing before.

        The future raises :class:`firsthit.runner.errors.WorkerDied` when the process died at it,
        and :class:`TaskError` when the function raised.
        """

    def close(self) -> None:
        """End all workers at once, also those at work; their futures are cancelled. Idempotent."""


class TaskError(RuntimeError):
    """A task raised in its worker; the text is the exception's."""
