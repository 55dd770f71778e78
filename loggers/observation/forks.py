"""Observed problems that a fork carries into another process are closed there, at once.

What a forked process evaluates would be lost to the log: its memory is a copy. The evaluation's
fast path does not ask in which process it is, so the fork itself sends it the slow way, which does.
Where processes cannot fork, there is nothing to do.
"""

from __future__ import annotations

import os
from functools import cache
from typing import Protocol
from weakref import WeakSet


class Copied(Protocol):
    """What a fork copies."""

    def close_copy(self) -> None:
        """Called in the forked process, before anything else runs there."""


_watched: WeakSet[Copied] = WeakSet()


def watch(observed: Copied) -> None:
    """Close the copies of ``observed`` in processes forked from now on."""
    _register_once()
    _watched.add(observed)


@cache
def _register_once() -> None:
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_close_copies)


def _close_copies() -> None:
    for observed in list(_watched):
        observed.close_copy()
