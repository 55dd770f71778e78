"""Errors of the assessment: what cannot be computed from the logs at hand, and what is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..suites.errors import FirsthitError


class AssessmentError(FirsthitError, ValueError):
    """Targets, options or a choice of runs from which no result can be computed."""


class MissingPackageError(FirsthitError, ImportError):
    """An optional package is not installed; the text says which extra brings it."""

    @classmethod
    def of(cls, package: str, extra: str, purpose: str) -> MissingPackageError:
        """Make the error for ``package``, which ``pip install 'firsthit[extra]'`` brings."""
        return cls(f"{purpose} needs {package}: pip install 'firsthit[{extra}]'.")


@contextmanager
def writing(path: str | Path) -> Iterator[None]:
    """Within, a file that cannot be written is an AssessmentError that names it."""
    try:
        yield
    except OSError as error:
        raise AssessmentError(f"cannot write {path}: {error.strerror or error}") from error
