"""The errors of ``cocoex``, under its names."""

from __future__ import annotations

from ..loggers.errors import ObservationError
from ..suites.errors import SelectionError, UnknownNameError


class NoSuchSuiteException(UnknownNameError):
    """No suite has this name."""


class NoSuchProblemException(SelectionError):
    """The suite has no such problem."""


class InvalidProblemException(ObservationError):
    """The problem was freed, and can be used no more."""
