"""Exceptions that are raised while runs are observed, written and read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..suites.errors import FirsthitError


class ObservationError(FirsthitError, TypeError, ValueError):
    """An observer, an observed problem or an argument of them cannot be used in this way."""


class LogWriteError(FirsthitError, OSError):
    """A log cannot be written at its path: the path, the disk, or another writer prevents it."""


class MissingRunsError(LogWriteError):
    """Finished runs are not in the log; the message names them, and all other runs are kept.

    On the command line the exit code is 1.
    """

    _MAX_NAMES = 5

    @classmethod
    def of(cls, log: Path, names: Sequence[str], n_runs: int, reason: str) -> MissingRunsError:
        """Make the error with the number, the names and the reason of missing runs, and a remedy.

        Args:
            log: Path of the log.
            names: Names of the missing runs.
            n_runs: Number of runs that the log should have.
            reason: Clause after "because".
        """
        shown_names = "; ".join(names[: cls._MAX_NAMES])
        if len(names) > cls._MAX_NAMES:
            shown_names += f"; and {len(names) - cls._MAX_NAMES} more"
        verb = "is" if len(names) == 1 else "are"
        return cls(
            f"{len(names)} of {n_runs} runs {verb} missing in {str(log)!r} ({shown_names}) because "
            f"{reason}; all others are kept, and the same command, or a loop with resume=True, "
            "makes the missing runs again"
        )


class LogExistsError(FirsthitError, FileExistsError):
    """The log to be written exists; it was not changed."""

    @classmethod
    def of(cls, path: Path) -> LogExistsError:
        """Make the error that names the arguments ``resume`` and ``overwrite``."""
        return cls(
            f"the log {str(path)!r} exists; resume=True makes the runs that are missing in it, "
            "overwrite=True replaces it"
        )


class LogNotFoundError(FirsthitError, FileNotFoundError):
    """No log exists at the path that should be read."""


class LogReadError(FirsthitError, OSError):
    """The system cannot read a log now, because of permissions, open files or the disk."""


class LogFormatError(FirsthitError, ValueError):
    """A file is not a log of firsthit, is damaged, or has a version that cannot be read."""

    @classmethod
    def of(cls, path: object, reason: str) -> LogFormatError:
        """Make the error that names the file and the reason.

        Args:
            path: Path of the file.
            reason: Clause that says why it cannot be read.
        """
        return cls(f"cannot read the log {str(path)!r}: {reason}")


class LogConflictError(FirsthitError, ValueError):
    """Logs contradict each other about a run, an algorithm or a suite."""
