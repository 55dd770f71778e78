"""Errors of the assessment: requests without a result, and optional packages that are missing."""

from __future__ import annotations

import os
import uuid
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
        """Make the error for a package that is missing.

        Args:
            package: Name of the package.
            extra: Extra of firsthit that installs the package: ``pip install 'firsthit[extra]'``.
            purpose: What needs the package, such as ``"a figure"``; the message begins with it.
        """
        return cls(f"{purpose} needs {package}: pip install 'firsthit[{extra}]'.")


@contextmanager
def writing(path: str | Path) -> Iterator[None]:
    """Raise an AssessmentError that names a file if the block raises an OSError.

    Args:
        path: File that the block writes.

    Raises:
        AssessmentError: The block raised an OSError.
    """
    try:
        yield
    except OSError as error:
        raise AssessmentError(f"cannot write {path}: {error.strerror or error}") from error


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """Rename a file that the block writes to a path, and replace a file there.

    After an error, the new file is deleted and a file at the path is unchanged. If the path is a
    symbolic link, the file that it leads to is replaced.

    Args:
        path: File that the block writes.

    Yields:
        Path of the file to write, in the same folder.

    Raises:
        AssessmentError: The block raised an OSError, or the file cannot be renamed.
    """
    target = Path(os.path.realpath(path))
    temporary = target.with_name(f".{target.name[:200]}.{uuid.uuid4().hex[:8]}.tmp")
    with writing(path):
        try:
            yield temporary
            os.replace(temporary, target)
        finally:
            temporary.unlink(missing_ok=True)
