"""The protocol of executors, their configuration, and the pickling of tasks.

An `Executor` runs tasks in worker processes. `ExecutorConfig` describes which executor a campaign
uses. `portable_dumps` pickles a task so that any worker process can unpickle it. A task that raises
an exception in its worker is reported as `TaskError`.
"""

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
_MAX_REASON = 300
"""Longest text of a pickling error in a message, in characters."""


@dataclass(frozen=True, slots=True)
class ExecutorConfig:
    """Configuration of the executor that makes the runs of a campaign.

    Attributes:
        workers: Number of worker processes. 0: runs are made in the caller's process, which ends if
            an optimizer crashes.
        cluster: Address or scheduler file of a Dask cluster, or ``"local"``. None: no cluster.
        threads: Number of threads of a worker process in BLAS, OpenMP and numba.
        isolation: ``"algorithm"``: a process makes the runs of one algorithm. ``"run"``: a process
            makes one run.

    Raises:
        CampaignError: ``isolation`` is ``"run"``, but runs are made in the caller's process.
    """

    workers: int = 0
    cluster: str | None = None
    threads: int = 1
    isolation: Isolation = "algorithm"

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
        """``isolation``, or ``"none"`` if runs are made in the caller's process."""
        return "none" if self.is_in_process else self.isolation


class Executor(Protocol):
    """A number of workers that run tasks.

    The process of a worker runs the tasks of one owner only. If the next task has another owner,
    the executor kills the process and all processes that it started, and uses a new process. A task
    may be started again after its process died, so it must not have side effects outside its
    process.
    """

    @property
    def workers(self) -> int:
        """Number of tasks that can run at the same time, at least 1. It may change."""

    def submit(
        self,
        function: Callable[..., Result],
        *args: Any,
        owner: str = "",
        worker: int | None = None,
    ) -> Future[Result]:
        """Queue ``function(*args)`` as a task, without blocking.

        Args:
            function: Function that is called in a worker process.
            args: Its arguments.
            owner: Owner of the task. Tasks of different owners never share a process.
            worker: Number of the worker that runs the task, after all tasks that were queued for
                it before. None: the first idle worker runs it.

        Returns:
            The future of the result. It raises `WorkerDied` if the process died during the task,
            and `TaskError` if the function raised an exception.
        """

    def prepare(self, processes: int) -> None:
        """Keep this number of unused processes ready for tasks of new owners."""

    def close(self) -> None:
        """Kill all workers, also busy ones, and cancel their futures. Idempotent."""


class TaskError(RuntimeError):
    """A task raised an exception in its worker.

    Attributes:
        files: Contents of the files in the folder of the worker, by relative path.
        is_shortage: Whether the exception was a `SystemShortageError`.
    """

    def __init__(
        self, text: str, files: Mapping[str, bytes] | None = None, is_shortage: bool = False
    ) -> None:
        super().__init__(text)
        self.files = files or {}
        self.is_shortage = is_shortage


def available_processors() -> int:
    """Return the number of processors that this process may use, at least 1."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def portable_dumps(task: object) -> bytes:
    """Pickle an object so that a process that does not import the user's main module can load it.

    Functions of importable modules are pickled by name. Lambdas, closures, and definitions of a
    script or notebook are pickled by value.

    Raises:
        OptimizerError: The object cannot be pickled.
    """
    try:
        return bytes(cloudpickle.dumps(task))
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"[:_MAX_REASON]
        raise OptimizerError(
            "the optimizer, suite or problem cannot be sent to worker processes "
            f"({reason}). Use workers=0, or give a reference 'path/file.py:function' or "
            "'module:function'."
        ) from error
