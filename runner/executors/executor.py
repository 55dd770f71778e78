"""Where runs are made; what the runner needs of such a place, and how tasks are sent there."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar, get_args

import cloudpickle

from ..errors import CampaignError, OptimizerError

Result = TypeVar("Result")
Isolation = Literal["algorithm", "run"]
ISOLATIONS: tuple[Isolation, ...] = get_args(Isolation)


@dataclass(frozen=True, slots=True)
class ExecutorConfig:
    """Where runs are made; CampaignError where runs in the caller's process are to be isolated."""

    workers: int = 0  # processes; 0: the caller's own, where whatever crashes there crashes it
    cluster: str | None = None  # address or scheduler file of a Dask cluster, or ``local``
    threads: int = 1  # of one worker process in BLAS, OpenMP and numba
    isolation: Isolation = "algorithm"  # what a process is for: runs of one, or one ``"run"``

    def __post_init__(self) -> None:
        if self.isolation == "run" and self.is_in_process:
            raise CampaignError(
                "isolation 'run' needs worker processes; with workers 0 all runs share the "
                "caller's process: set workers to 1 or more"
            )

    @property
    def is_in_process(self) -> bool:
        """Whether runs are made in the caller's process and thread."""
        return self.cluster is None and self.workers == 0

    @property
    def isolation_in_log(self) -> str:
        """``isolation``, or ``"none"`` where runs are made in the caller's process."""
        return "none" if self.is_in_process else self.isolation


def available_processors() -> int:
    """Processors this process may use, at least 1."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Executor(Protocol):
    """A place where tasks run; nothing more.

    It has a number of workers. The process of a worker runs tasks of one owner only: where the
    next task has another owner, a new process takes the place of the old one, which is ended with
    all that it has started. A task may be started again after its process died, so it must not
    have side effects of its own.
    """

    @property
    def workers(self) -> int:
        """How many tasks run at once; may change."""

    def submit(
        self,
        function: Callable[..., Result],
        *args: Any,
        owner: str = "",
        worker: int | None = None,
    ) -> Future[Result]:
        """Start ``function(*args)`` soon, as a task of an owner.

        The worker that is named takes it after the tasks that it was given before; without a name,
        the first one that is free. The future raises `WorkerDied` when the process died at it, and
        `TaskError` when the function raised.
        """

    def prepare(self, processes: int) -> None:
        """Have so many unused processes ready, for owners that come soon."""

    def close(self) -> None:
        """End all workers at once, also those at work; their futures are cancelled. Idempotent."""


class TaskError(RuntimeError):
    """A task raised in its worker; text of the exception, and files as of ``WorkerDied``."""

    def __init__(self, text: str, files: Mapping[str, bytes] | None = None) -> None:
        super().__init__(text)
        self.files = files or {}


def portable_dumps(task: object) -> bytes:
    """Pickle what workers can unpickle, which do not import the user's main module.

    Functions of importable modules go by name; lambdas, closures, and what a script or notebook
    itself defines go by value.
    """
    try:
        return bytes(cloudpickle.dumps(task))
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
        raise OptimizerError(
            "the optimizer, suite or problem cannot be sent to worker processes "
            f"({problem[:300]}). Use workers=0, or give a reference 'path/file.py:function' or "
            "'module:function'."
        ) from error
