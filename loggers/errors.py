"""What can go wrong while runs are observed, written and read."""

from __future__ import annotations

from pathlib import Path

from ..suites.errors import FirsthitError


class ObservationError(FirsthitError, TypeError, ValueError):
    """An observer or an observed problem is used in a way that could lose evaluations."""


class LogWriteError(FirsthitError, OSError):
    """A log cannot be written where it was asked for."""


class LogExistsError(FirsthitError, FileExistsError):
    """The log is there already; nothing was changed."""

    @classmethod
    def of(cls, path: Path) -> LogExistsError:
        """Make the error that names the two ways on."""
        return cls(
            f"the log {str(path)!r} exists; resume=True makes the runs that are missing in it, "
            "overwrite=True replaces it"
        )


class LogNotFoundError(FirsthitError, FileNotFoundError):
    """No log stands where one should be read."""


class LogReadError(FirsthitError, OSError):
    """The system does not let a log be read now: permissions, open files, the disk."""


class LogFormatError(FirsthitError, ValueError):
    """A file is no log of firsthit, is damaged, or is of a version this firsthit cannot read."""

    @classmethod
    def of(cls, where: object, reason: str) -> LogFormatError:
        """Make the error that names file and reason."""
        return cls(f"cannot read the log {str(where)!r}: {reason}")


class LogConflictError(FirsthitError, ValueError):
    """Logs say different things of the same run or of the same algorithm."""
