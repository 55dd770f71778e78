"""The root of all errors of firsthit, and those of the suites.

The tree: ``FirsthitError`` -> ``UnknownNameError`` (a name nobody registered), ``SelectionError``
(a filter that selects what is not there), ``EvaluationError`` (an ``x`` that cannot be evaluated),
``SuiteError`` (a suite or problem defined wrongly). Each other subpackage adds its own below
``FirsthitError``. On the command line every one of them is one sentence and exit code 2.
"""

from __future__ import annotations

from collections.abc import Iterable

from .texts import visible


class FirsthitError(Exception):
    """What firsthit raises for wrong use; the text says where, what came and what is allowed."""

    def __str__(self) -> str:
        return visible(super().__str__())  # it may quote a stranger's file


class UnknownNameError(FirsthitError, LookupError):
    """A name of a suite, optimizer, column, … that is not known."""

    @classmethod
    def of(cls, kind: str, name: object, known: Iterable[object]) -> UnknownNameError:
        """Make the error with the nearest known name and the list of all."""
        return cls(unknown_name(kind, name, known))


class SelectionError(FirsthitError, ValueError):
    """A filter of functions, dimensions or instances that is malformed or selects nothing."""


class EvaluationError(FirsthitError, TypeError, ValueError):
    """An ``x`` of wrong shape or type; it was not evaluated and is not counted."""


class SuiteError(FirsthitError, ValueError):
    """A suite or a problem that breaks its contract."""


def unknown_name(kind: str, name: object, known: Iterable[object]) -> str:
    """The sentence for an unknown name: what came, the nearest known one, all known ones.

    >>> unknown_name("suite", "bbbo", ["bbob", "toy"])
    "unknown suite 'bbbo'. Did you mean 'bbob'? Known: bbob, toy."
    """
    import difflib

    names = [str(item) for item in known]
    near = difflib.get_close_matches(str(name), names, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    return f"unknown {kind} {str(name)!r}.{hint} Known: {', '.join(names) or 'none'}."
