"""From a kernel to compiled evaluators: one for single points, one for batches, cached on disk.

A kernel works on a block of ``lanes`` points (``bbob/transformations.py`` shows how). What is
compiled here is the frame around it: copy points into a block, run the kernel, add the optimal
value, let NaN and infinity through. The frame for single points is the kernel at one lane, known
when compiling; the frame for batches runs it on blocks of up to ``_LANES`` points, which stay in
the processor's cache.

What reaches the compiled code is the point and one flat array, since each argument costs as much as
a small function: ``tables`` holds the number of variables, the number of rows of constants, the
optimal value, the rows, and the workspace of one point. Compiled code holds the interpreter's lock,
so two threads never share that workspace at one moment; a batch allocates its own.
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
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from .elementary import vectorisable
from .points import Vector, as_batch, as_point

_HEADER = 3
_LANES = 64
_LARGEST = np.finfo(np.float64).max
_FLOAT64 = np.dtype(np.float64)
_POINT = "float64(float64[:], float64[::1])"
_BATCH = "void(float64[:, ::1], float64[::1], float64[::1])"
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
        """The one array that reaches the compiled code (see the module's docstring)."""
        rows, dimension = self.rows.shape
        header = [dimension, rows, self.optimal_value]
        # the frame's own: one point, one value
        spare = np.zeros(dimension + self.workspace + 1)
        return np.concatenate([header, self.rows.ravel(), spare])


@vectorisable
def _is_finite(block):  # type: ignore[no-untyped-def]
    wrong = 0
    for k in range(block.shape[0]):
        wrong |= 0 if abs(block[k]) <= _LARGEST else 1
    return wrong == 0


@vectorisable
def _non_finite_value(lanes, dimension, block, lane):  # type: ignore[no-untyped-def]
    """NaN where the point has a NaN, infinity where it has an infinity, else 0."""
    total = 0.0
    for i in range(dimension):
        value = abs(block[i * lanes + lane])
        total += value if not value <= _LARGEST else 0.0
    return total


def _point_frame(x, tables):  # type: ignore[no-untyped-def]
    dimension, rows = int(tables[0]), int(tables[1])
    if x.shape[0] != dimension:
        raise ValueError("wrong number of variables")
    used = _HEADER + rows * dimension
    constants = tables[_HEADER:used].reshape(rows, dimension)
    block = tables[used : used + dimension]
    f = tables[used + dimension : used + dimension + 1]
    for i in range(dimension):
        block[i] = x[i]
    if not _is_finite(block):
        return _non_finite_value(1, dimension, block, 0)
    kernel(1, block, constants, tables[used + dimension + 1 :], f)  # type: ignore[name-defined]  # noqa: F821
    return f[0] + tables[2]


def _batch_frame(points, tables, values):  # type: ignore[no-untyped-def]
    dimension, rows = int(tables[0]), int(tables[1])
    used = _HEADER + rows * dimension
    constants = tables[_HEADER:used].reshape(rows, dimension)
    count = points.shape[0]
    lanes = min(_LANES, count)
    block = np.empty(dimension * lanes)
    work = np.empty((tables.shape[0] - used) * lanes)
    f = np.empty(lanes)
    for start in range(0, count, _LANES):
        lanes = min(_LANES, count - start)
        z = block[: dimension * lanes]
        for b in range(lanes):
            for i in range(dimension):
                z[i * lanes + b] = points[start + b, i]
        kernel(lanes, z, constants, work, f[:lanes])  # type: ignore[name-defined]  # noqa: F821
        for b in range(lanes):
            values[start + b] = f[b] + tables[2]
        if not _is_finite(z):
            for b in range(lanes):
                bad = _non_finite_value(lanes, dimension, z, b)
                if bad != 0.0:
                    values[start + b] = bad


@cache
def _sources_digest() -> str:
    """A digest of all kernels' sources: numba's cache looks at one file, kernels use several."""
    package = __name__.rpartition(".")[0] + "."
    modules = [m for name, m in sorted(sys.modules.items()) if name.startswith(package)]
    kernels = [m for m in modules if isinstance(m, ModuleType) and hasattr(m, "vectorisable")]
    text = "".join(inspect.getsource(module) for module in kernels)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _framed(frame: Callable[..., Any], kernel: Kernel) -> Callable[..., Any]:
    """A copy of ``frame`` that calls ``kernel``, under a name of its own in numba's cache."""
    plain = inspect.unwrap(getattr(kernel, "py_func", kernel))
    name = f"{frame.__name__.strip('_')}_{plain.__module__}.{plain.__name__}_{_sources_digest()}"
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
    """The machine code of a kernel in its frame, from numba's cache on disk or compiled now.

    Returns the compiled entry itself, which numba's dispatcher would call after looking at the
    types of the arguments; so **the caller vouches for the types**. It saves 0.1 µs a call.
    """
    frame, signature = (_batch_frame, _BATCH) if batch else (_point_frame, _POINT)
    with announced():
        dispatcher = njit(signature, cache=True, error_model="numpy")(_framed(frame, kernel))
    (overload,) = dispatcher.overloads.values()
    entry: Callable[..., Any] = overload.entry_point  # type: ignore[attr-defined]
    return entry


def point_evaluator(kernel: Kernel, constants: Constants, who: str) -> Callable[[ArrayLike], float]:
    """A function ``(dimension,) -> float`` for one problem, named ``who`` in its errors."""
    tables = constants.flat()
    dimension = constants.rows.shape[1]
    float64 = _FLOAT64

    def entry(x: Vector, tables: Vector) -> float:
        nonlocal entry
        entry = compiled(kernel, False)
        return float(entry(x, tables))

    def evaluate_point(x: Any) -> float:
        try:
            if x.dtype is float64 and x.ndim == 1:
                return entry(x, tables)
        except (AttributeError, TypeError, ValueError):
            pass
        return entry(as_point(x, dimension, who), tables)

    return evaluate_point


def batch_evaluator(kernel: Kernel, constants: Constants, who: str) -> Callable[[Vector], Vector]:
    """A function ``(n, dimension) -> (n,)`` for one problem, named ``who`` in its errors."""
    tables = constants.flat()
    dimension = constants.rows.shape[1]

    def evaluate_batch(x: Vector) -> Vector:
        points = as_batch(x, dimension, who)
        values = np.empty(len(points))
        compiled(kernel, True)(points, tables, values)
        return values

    return evaluate_batch
