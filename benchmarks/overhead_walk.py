"""Optimizer of ``overhead.py``: a random walk that adds up its CPU time in a shared file."""

from __future__ import annotations

import mmap
import os
import time
from typing import Any

import numpy as np

SLOTS = 4096
"""Number of float64 in the shared file; each process has one, by its process id."""
_slot_of_process: dict[int, Any] = {}
"""Slots by process id; a forked process needs a new one."""


def walk(problem: Any, rng: np.random.Generator, evaluations: int, clock: str) -> None:
    """Evaluate points of a random walk, and add the CPU seconds of the call to a file.

    The seconds are also added if firsthit ends the run at its final target.

    Args:
        problem: The problem.
        rng: Generator of the steps.
        evaluations: Number of evaluations.
        clock: Path of the file.
    """
    started = time.thread_time()
    slot = _slot(clock)
    try:
        x, step = problem.initial_solution, 1.0
        best = problem(x)
        for _ in range(evaluations - 1):
            trial = x + step * rng.standard_normal(len(x))
            value = problem(trial)
            if value <= best:
                x, best, step = trial, value, step * 1.5
            else:
                step *= 0.9
    finally:
        slot[0] += time.thread_time() - started


def _slot(clock: str) -> Any:
    """Map the file into memory, and return the float64 of this process in it."""
    pid = os.getpid()
    if pid not in _slot_of_process:
        with open(clock, "r+b") as file:
            shared = mmap.mmap(file.fileno(), 0)
        start = 8 * (pid % SLOTS)
        _slot_of_process[pid] = memoryview(shared)[start : start + 8].cast("d")
    return _slot_of_process[pid]
