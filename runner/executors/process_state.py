"""What a task may change of its process, so that others that follow would come out differently."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from types import ModuleType
from typing import Any

_resource: Any
try:
    import resource as _resource
except ImportError:  # Windows
    _resource = None

_CLOCKS = (
    "time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns",
    "process_time", "process_time_ns", "thread_time", "sleep",
)  # fmt: skip
_LIMITS = (
    "RLIMIT_NOFILE", "RLIMIT_AS", "RLIMIT_DATA", "RLIMIT_FSIZE", "RLIMIT_CPU", "RLIMIT_STACK",
)  # fmt: skip
_TIMERS = ("ITIMER_REAL", "ITIMER_VIRTUAL", "ITIMER_PROF")
_FEW_DESCRIPTORS = 64
_LAST_WORDS_SECONDS = 0.1
"""A thread that is about to end has so long."""


class ProcessState:
    """The state of this process now, to be compared with what it is later."""

    def __init__(self) -> None:
        self._folder = os.getcwd()
        self._modules = dict(sys.modules)
        self._threads = set(threading.enumerate())
        self._recursion = sys.getrecursionlimit()
        self._facts = _facts()
        self._descriptor = _next_descriptor()

    def was_changed(self) -> bool:
        """Whether a task changed what cannot be put back; what can be is put back here.

        These are the working folder and the recursion limit, and for the time that remains the
        table of modules.
        """
        sys.setrecursionlimit(self._recursion)
        return any([
            not self._went_home(),
            not self._has_modules(),
            _facts() != self._facts,
            _next_descriptor() > self._descriptor + _FEW_DESCRIPTORS,
            self._has_new_threads(),
        ])  # fmt: skip

    def _went_home(self) -> bool:
        with contextlib.suppress(OSError):
            if os.getcwd() == self._folder:
                return True
        with contextlib.suppress(OSError):
            os.chdir(self._folder)
            return True
        return False

    def _has_modules(self) -> bool:
        modules: dict[str, ModuleType] = sys.modules
        if modules.items() >= self._modules.items():
            return True
        modules.update(self._modules)
        return False

    def _has_new_threads(self) -> bool:
        if threading.active_count() <= len(self._threads):
            return False
        new = set(threading.enumerate()) - self._threads
        for thread in new:
            thread.join(_LAST_WORDS_SECONDS)
        return any(thread.is_alive() for thread in new)


def _facts() -> list[object]:
    """Clocks, signal handlers, timers and limits."""
    facts: list[object] = [getattr(time, name, None) for name in _CLOCKS]
    facts += map(signal.getsignal, signal.valid_signals())
    if hasattr(signal, "getitimer"):
        facts += [signal.getitimer(getattr(signal, name)) for name in _TIMERS]
    if _resource is not None:
        names = (getattr(_resource, name, None) for name in _LIMITS)
        facts += [_resource.getrlimit(name) for name in names if name is not None]
    return facts


def _next_descriptor() -> float:
    """The number that the next open file would have; infinite where none can be opened."""
    try:
        number = os.open(os.devnull, os.O_RDONLY)
    except OSError:
        return float("inf")
    os.close(number)
    return number
