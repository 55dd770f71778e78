"""From a kernel to compiled evaluators: one for single points, one for batches, cached on disk.

A kernel works on a block of points (``bbob/transformations.py`` shows how); what is compiled are
the ``frames`` around it. The one for single points holds the interpreter's lock, so two threads
never share the workspace in a problem's tables at one moment. The one for batches lets others run:
each batch allocates its own workspace.
"""

from __future__ import annotations

import hashlib
import inspect
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from types import FunctionType
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from ..points import Vector, as_batch, as_point
from .frames import BATCH, HEADER, POINT, batch_frame, point_frame
from .machine_code import machine_code

_FLOAT64 = np.dtype(np.float64)
_PATIENCE_SECONDS = 0.5

Kernel = Callable[..., None]


@dataclass(frozen=True, slots=True)
class Constants:
    """What a kernel needs besides the points.

    Attributes:
        rows: Shape ``(rows, dimension)``.
        optimal_value: Added to every value.
        workspace: Numbers per point that the kernel asks for; two blocks and a number at least.
    """

    rows: NDArray[np.float64]
    optimal_value: float
    workspace: int

    def flat(self) -> Vector:
        """The tables that frames read: header, rows, workspace of the kernel and of the frame."""
        rows, dimension = self.rows.shape
        workspace = np.zeros(self.workspace + dimension + 1)
        count = HEADER + self.rows.size + workspace.size
        header = [dimension, rows, self.optimal_value, count]
        return np.concatenate([header, self.rows.ravel(), workspace])


def _modules_behind(name: str, known: set[str]) -> set[str]:
    """The module of that name and those whose compiled functions it uses, directly or not."""
    known.add(name)
    for value in vars(sys.modules[name]).values():
        source = getattr(value, "py_func", None)
        if source is not None and source.__module__ not in known:
            _modules_behind(source.__module__, known)
    return known


@cache
def _sources_digest(module: str) -> str:
    """A digest of the sources behind a kernel: numba's cache looks at the frame's file only."""
    names = sorted(_modules_behind(module, {point_frame.__module__}))
    text = "".join(inspect.getsource(sys.modules[name]) for name in names)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _framed(frame: Callable[..., Any], kernel: Kernel) -> Callable[..., Any]:
    """A copy of ``frame`` that calls ``kernel``, under a name of its own in numba's cache."""
    plain = getattr(kernel, "py_func", kernel)
    digest = _sources_digest(plain.__module__)
    name = f"{frame.__name__}_{plain.__module__}.{plain.__name__}_{digest}"
    copy = FunctionType(frame.__code__, {**frame.__globals__, "kernel": kernel}, name)
    copy.__qualname__ = name.replace(".", "_")
    copy.__module__ = frame.__module__
    return copy


@contextmanager
def announced() -> Iterator[None]:
    """Say so on stderr, once a process, if compiling takes long enough to be noticed."""
    timer = threading.Timer(_PATIENCE_SECONDS, _announce)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@cache
def _announce() -> None:
    sys.stderr.write("firsthit: compiling kernels (first run only)\n")
    sys.stderr.flush()


@cache
def compiled(kernel: Kernel, batch: bool) -> Callable[..., Any]:
    """The machine code of a kernel in its frame; the caller vouches for the types."""
    frame, signature = (batch_frame, BATCH) if batch else (point_frame, POINT)
    with announced():
        compile_ = njit(cache=True, error_model="numpy", nogil=batch)
        return machine_code(compile_(_framed(frame, kernel)), signature)


def point_evaluator(kernel: Kernel, constants: Constants, who: str) -> Callable[[ArrayLike], float]:
    """A function ``(dimension,) -> float`` for one problem, named ``who`` in its errors."""
    tables = constants.flat()
    address = tables.ctypes.data
    dimension = constants.rows.shape[1]
    float64 = _FLOAT64

    def entry(x: Vector, address: int) -> float:
        nonlocal entry
        entry = compiled(kernel, False)
        return float(entry(x, address))

    def evaluate_point(x: Any, _kept_alive: Vector = tables) -> float:
        try:
            if x.dtype is float64 and x.ndim == 1:
                return entry(x, address)
        except (AttributeError, TypeError, ValueError):
            pass
        return entry(as_point(x, dimension, who), address)

    return evaluate_point


def batch_evaluator(kernel: Kernel, constants: Constants, who: str) -> Callable[[Vector], Vector]:
    """A function ``(n, dimension) -> (n,)`` for one problem, named ``who`` in its errors."""
    tables = constants.flat()
    address = tables.ctypes.data
    dimension = constants.rows.shape[1]

    def entry(points: Vector, address: int, values: Vector) -> None:
        nonlocal entry
        entry = compiled(kernel, True)
        entry(points, address, values)

    def evaluate_batch(x: Vector, _kept_alive: Vector = tables) -> Vector:
        points = as_batch(x, dimension, who)
        values = np.empty(len(points))
        entry(points, address, values)
        return values

    return evaluate_batch
