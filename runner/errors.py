"""Exceptions and warnings of the runner. Each exception is a `FirsthitError` and a builtin one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from ..suites import FirsthitError

_MAX_REASON = 200
"""Longest text of the system's own reason in a message, in characters."""


class OptimizerError(FirsthitError, ValueError):
    """An optimizer cannot be loaded or called, or cannot be used with its parameters or problems.

    Attributes:
        parameter: Name of the wrong parameter. None: the error concerns no single parameter.
    """

    def __init__(self, text: str, parameter: str | None = None) -> None:
        super().__init__(text)
        self.parameter = parameter


class CampaignError(FirsthitError, ValueError):
    """A campaign cannot be run. The text has one line for each problem.

    Attributes:
        problems: The lines. A problem with a position in a file is ``FILE:line:column: sentence``.
    """

    def __init__(self, problems: Sequence[str] | str) -> None:
        self.problems = (problems,) if isinstance(problems, str) else tuple(problems)
        count = len(self.problems)
        heading = [f"{count} problems"] if count > 1 else []
        super().__init__("\n".join([*heading, *self.problems]))


class ClusterError(CampaignError):
    """A cluster cannot be reached, or not any more."""


class ExecutionError(FirsthitError, RuntimeError):
    """The runs of a campaign cannot be continued, for a reason that concerns no algorithm.

    Finished runs are in the log, and no run is marked as failed.

    Attributes:
        runs_made: Number of runs that the same call has made before the error.
    """

    runs_made: int = 0


class SystemShortageError(ExecutionError):
    """The operating system has no file descriptor, memory or process left."""


@contextmanager
def report_shortages() -> Iterator[None]:
    """Replace an OSError or MemoryError of the block by a SystemShortageError.

    Firsthit's own errors are raised unchanged. The block must not run code of users, because their
    errors would be reported as a shortage.

    Raises:
        SystemShortageError: The block raised an OSError or MemoryError.
    """
    try:
        yield
    except FirsthitError:
        raise
    except (OSError, MemoryError) as error:
        reason = " ".join(str(error).split())[:_MAX_REASON] or "out of memory"
        raise SystemShortageError(f"the system lacks resources for runs: {reason}") from error


class WorkerDied(FirsthitError, RuntimeError):
    """A worker process ended before it answered its task.

    Attributes:
        is_overdue: Whether the process was killed because it exceeded its time limit.
        files: Contents of the files in the folder of the process, by relative path. Empty if they
            cannot be read, for example because the machine cannot be reached any more.
    """

    def __init__(
        self, text: str, is_overdue: bool = False, files: Mapping[str, bytes] | None = None
    ) -> None:
        super().__init__(text)
        self.is_overdue = is_overdue
        self.files = files or {}


class FirsthitWarning(UserWarning):
    """A problem that does not end a call but needs attention, for example failed runs."""
