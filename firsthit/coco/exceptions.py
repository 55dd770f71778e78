"""Define the exceptions of ``cocoex`` under their names there, as subclasses of firsthit's."""

from __future__ import annotations

from ..loggers.errors import ObservationError
from ..suites.errors import SelectionError, UnknownNameError


class NoSuchSuiteException(UnknownNameError):
    """No suite has this name."""


class EmptySelectionException(NoSuchSuiteException, SelectionError):
    """The filters are invalid or select nothing; ``cocoex`` raises NoSuchSuiteException then."""


class NoSuchProblemException(SelectionError):
    """The suite has no such problem."""


class InvalidProblemException(ObservationError):
    """The problem was freed and cannot be used any more."""
