"""Close observed problems in processes that a fork makes.

Evaluations in a forked process would be missing in the log, because its memory is a copy. The fast
path of an evaluation does not compare process identifiers. So the fork itself closes the copies of
observed problems in the new process, and their next evaluation raises an error. On platforms
without forks, this module does nothing.
"""

from __future__ import annotations

import os
from functools import cache
from typing import Protocol
from weakref import WeakSet


class Copied(Protocol):
    """Object that a fork copies into the new process."""

    def close_copy(self) -> None:
        """Close this copy; it is called in the forked process before any other Python code."""


_watched: WeakSet[Copied] = WeakSet()


def watch(observed: Copied) -> None:
    """Close the copies of ``observed`` in all processes that are forked from now on."""
    _register_once()
    _watched.add(observed)


@cache
def _register_once() -> None:
    """Register `_close_copies` to be called after forks; later calls do nothing."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_close_copies)


def _close_copies() -> None:
    for observed in list(_watched):
        observed.close_copy()
