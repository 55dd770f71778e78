"""Base class of all errors of firsthit, and the errors of suites.

Each error class is also a builtin exception, so that callers can catch either. The other
subpackages derive their errors from ``FirsthitError``, too. The command line prints an error as one
sentence without a traceback and exits with code 2; for ``MissingRunsError`` of the loggers, with
code 1.
"""

from __future__ import annotations

from collections.abc import Iterable

from .texts import shorten, visible


class FirsthitError(Exception):
    """Base class of errors of use: the message says where, what was given and what is allowed."""

    def __str__(self) -> str:
        # A message may quote a file from elsewhere, with escape codes that a terminal would obey.
        return visible(super().__str__())


class UnknownNameError(FirsthitError, LookupError):
    """Error for a name that does not exist: of a suite, an optimizer, a column, …."""

    @classmethod
    def of(cls, kind: str, name: object, allowed: Iterable[object]) -> UnknownNameError:
        """Make the error with the message of `unknown_name`.

        Args:
            kind: Noun before the name, such as ``"suite"``.
            name: The name that was given.
            allowed: The names that exist.
        """
        return cls(unknown_name(kind, name, allowed))


class SelectionError(FirsthitError, ValueError):
    """Error for a selection of functions, dimensions or instances that is malformed or empty."""


class EvaluationError(FirsthitError, TypeError, ValueError):
    """Error for an ``x`` of wrong shape or type. It was not evaluated and is not counted."""


class SuiteError(FirsthitError, ValueError):
    """Error for a suite or a problem that is defined wrongly."""


def unknown_name(kind: str, name: object, allowed: Iterable[object]) -> str:
    """Return the error message for an unknown name, with the nearest allowed one and all others.

    Args:
        kind: Noun before the name, such as ``"suite"``.
        name: The name that was given; any object, shown as text.
        allowed: The names that exist, in the order in which the message lists them.

    >>> unknown_name("suite", "bbbo", ["bbob", "toy"])
    "unknown suite 'bbbo'. Did you mean 'bbob'? Known: bbob, toy."
    """
    import difflib

    names = [str(item) for item in allowed]
    shown_name = shorten(str(name))
    matches = difflib.get_close_matches(shown_name, names, n=1)
    hint = f" Did you mean {matches[0]!r}?" if matches else ""
    return f"unknown {kind} {shown_name!r}.{hint} Known: {', '.join(names) or 'none'}."
