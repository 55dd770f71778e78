"""From a kernel to compiled evaluators: one for single points, one for batches, cached on disk.

A kernel works on a block of points (``bbob/transformations.py`` shows how); what is compiled are
the ``wrappers`` around it. The one for single points holds the interpreter's lock, so two threads
never share the workspace in a problem's tables at one moment. The one for batches lets others run:
each batch allocates its own workspace.

Batches begin with the wrapper for single points, which gives the same values to the bit: a short
run then compiles half as much. See `compiled_for_batches`.
"""

from __future__ import annotations

import hashlib
import inspect
import sys
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
from filelock import FileLock
from numba import njit
from numba.core.errors import NumbaError
from numba.core.event import Listener, install_listener
from numpy.typing import ArrayLike, NDArray

from ..points import Vector, as_batch, as_point
from ..problem import Problem
from .wrappers import HEADER, batch_wrapper, point_wrapper, vector_wrapper

ENOUGH = 10**6
"""Numbers, points times variables, in batches of a kernel that pay for code of its own for batches:
single calls for these cost up to 0.2 s, compiling costs 1 s."""
_LONGEST_WAIT_SECONDS = 60

Kernel = Callable[..., None]


@dataclass(frozen=True, slots=True)
class Constants:
    """What a kernel needs besides the points; its values become ``(value + offset) * factor``."""

    rows: NDArray[np.float64]  # (rows, dimension)
    offset: float  # the optimal value, where the kernel's is 0
    workspace: int  # numbers per point that the kernel asks for; two blocks and a number at least
    factor: float = 1.0
    transform: NDArray[np.float64] | None = None  # what is done to points before, see ``operators``

    def flat(self) -> Vector:
        """The tables that a wrapper reads: header, rows, workspace of the kernel and its own."""
        count, dimension = self.rows.shape
        inputs = np.empty((0, dimension)) if self.transform is None else self.transform
        workspace = np.zeros(self.workspace + dimension + 1)
        total = HEADER + inputs.size + self.rows.size + workspace.size
        header = [dimension, len(inputs), count, self.offset, self.factor, total]
        return np.concatenate([header, inputs.ravel(), self.rows.ravel(), workspace])


@cache
def machine_code(function: Any, signature: str) -> Callable[..., Any]:
    """The compiled entry of a function, from numba's cache on disk or compiled now.

    This is what numba's dispatcher would call after looking at the types of the arguments; so **the
    caller vouches for the types**. It saves 0.1 µs a call. A file of the cache that is cut short,
    as a full disk leaves it, is made anew.
    """
    folder, name = _place_on_disk(function)
    with ExitStack() as stack:
        stack.enter_context(install_listener("numba:compile", _Announcement()))
        if not _is_on_disk(function):
            # of two processes one compiles, and the other one then reads what that one wrote
            with suppress(OSError, NotImplementedError):  # a folder that nobody can write or lock
                folder.mkdir(parents=True, exist_ok=True)
                lock = FileLock(folder / f"{name}.lock", timeout=_LONGEST_WAIT_SECONDS)
                stack.enter_context(lock)
        entry: Callable[..., Any]
        try:
            entry = function.compile(f"({signature},)")
        except NumbaError:
            raise
        except Exception:
            function.recompile()  # compiled nothing yet: this forgets the files
            entry = function.compile(f"({signature},)")
    return entry


def _place_on_disk(function: Any) -> tuple[Path, str]:
    """The folder of a function's files in numba's cache, and what their names begin with."""
    source = Path(function.py_func.__code__.co_filename)
    return Path(function.stats.cache_path), f"{source.stem}.{function.py_func.__qualname__}"


def _is_on_disk(function: Any) -> bool:
    """Whether there is machine code of a function in numba's cache; it may be of an older numba."""
    folder, name = _place_on_disk(function)
    return any(folder.glob(f"{name}-*.nbc"))


class _Announcement(Listener):
    """Says on stderr, once a process, that numba compiles; it does not where it reads its cache."""

    def on_start(self, event: object) -> None:
        _announce()

    def on_end(self, event: object) -> None:
        pass


@cache
def _announce() -> None:
    sys.stderr.write("firsthit: compiling kernels (first run only)\n")
    sys.stderr.flush()


def _modules_behind(name: str, known: set[str]) -> set[str]:
    """The module of that name and those whose compiled functions it uses, directly or not."""
    known.add(name)
    for value in vars(sys.modules[name]).values():
        source = getattr(value, "py_func", None)
        if source is not None and source.__module__ not in known:
            _modules_behind(source.__module__, known)
    return known


@cache
def _sources_digest(modules: tuple[str, ...]) -> str:
    """A digest of the sources behind compiled functions: numba looks at the wrapper's file only."""
    known: set[str] = set()
    for module in modules:
        _modules_behind(module, known)
    text = "".join(name + inspect.getsource(sys.modules[name]) for name in sorted(known))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _wrapped(wrapper: Callable[..., Any], kernel: Kernel) -> Callable[..., Any]:
    """A copy of ``wrapper`` around ``kernel``, under a name of its own in numba's cache."""
    plain = [getattr(function, "py_func", function) for function in (wrapper, kernel)]
    digest = _sources_digest(tuple(function.__module__ for function in plain))
    name = "_".join([*(function.__name__ for function in plain), digest])
    copy = FunctionType(wrapper.__code__, {**wrapper.__globals__, "kernel": kernel}, name)
    copy.__qualname__ = name
    copy.__module__ = wrapper.__module__
    return copy


@cache
def _dispatcher(wrapper: Any, kernel: Kernel) -> Any:
    """What numba compiles a kernel in a wrapper with; kept, so that its machine code stays."""
    compile_ = njit(cache=True, error_model="numpy", nogil=wrapper.nogil)
    return compile_(_wrapped(wrapper, kernel))


@cache
def compiled(wrapper: Any, kernel: Kernel) -> Callable[..., Any]:
    """The machine code of a kernel in a `wrapper`; the caller vouches for the types."""
    return machine_code(_dispatcher(wrapper, kernel), wrapper.signature)


_seen: dict[tuple[Any, Kernel], int] = {}


def compiled_for_batches(wrapper: Any, kernel: Kernel, numbers: int) -> Callable[..., Any] | None:
    """The machine code of a kernel in a wrapper for batches; None while single calls cost less.

    That is while batches, the one of so many ``numbers`` that comes now included, had less than
    `ENOUGH` in this process, unless the code was on the disk when the first of them came.
    """
    key = wrapper, kernel
    if key not in _seen:
        _seen[key] = ENOUGH if _is_on_disk(_dispatcher(wrapper, kernel)) else 0
    _seen[key] += numbers
    return compiled(wrapper, kernel) if _seen[key] >= ENOUGH else None


def compile_batches(problem: Problem) -> None:
    """Compile now what evaluates batches of a problem, before something is measured or compared."""
    points = np.zeros((-(-ENOUGH // problem.dimension), problem.dimension))
    problem(points)
    problem.constraint(points)


@cache
def native_address(wrapper: Any, kernel: Kernel) -> int:
    """Where the machine code of a kernel in a wrapper is, for what is compiled to call.

    It is called as numba calls its own functions (``BaseContext.call_conv``), with arguments of the
    wrapper's types.
    """
    compiled(wrapper, kernel)
    (result,) = _dispatcher(wrapper, kernel).overloads.values()
    return int(result.library.get_pointer_to_function(result.fndesc.llvm_func_name))


def point_evaluator(kernel: Kernel, constants: Constants, who: str) -> Callable[[ArrayLike], float]:
    """A function ``(dimension,) -> float`` for one problem, named ``who`` in its errors."""
    tables = constants.flat()
    address = tables.ctypes.data
    dimension = constants.rows.shape[1]
    array, float64 = np.ndarray, np.dtype(np.float64)

    def entry(x: Vector, address: int) -> float:
        nonlocal entry
        entry = compiled(point_wrapper, kernel)
        return float(entry(x, address))

    def evaluate_point(x: Any) -> float:
        try:
            if x.__class__ is array and x.dtype is float64 and x.ndim == 1:  # hot: no type(x)
                return entry(x, address)
        except ValueError:
            pass
        return entry(as_point(x, dimension, who), tables.ctypes.data)  # keeps the tables alive

    return evaluate_point


def vector_evaluators(
    kernel: Kernel, constants: Constants, who: str, values_per_point: int
) -> tuple[Callable[[ArrayLike], Vector], Callable[[ArrayLike], int]]:
    """A function ``(dimension,) -> (m,)``, and one that tells how many of these are not <= 0."""
    tables = constants.flat()
    address = tables.ctypes.data
    dimension = constants.rows.shape[1]
    array, float64, empty = np.ndarray, np.dtype(np.float64), np.empty

    def entry(x: Vector, address: int, values: Vector) -> int:
        nonlocal entry
        entry = compiled(vector_wrapper, kernel)
        return int(entry(x, address, values))

    unread = empty(values_per_point)

    def evaluate(x: Any) -> Vector:
        values = empty(values_per_point)
        count_positive(x, values)
        return values

    def count_positive(x: Any, values: Vector = unread) -> int:
        try:
            if x.__class__ is array and x.dtype is float64 and x.ndim == 1:  # hot: no type(x)
                return entry(x, address, values)
        except ValueError:
            pass
        point = as_point(x, dimension, who)
        return entry(point, tables.ctypes.data, values)  # keeps the tables alive

    return evaluate, count_positive


def batch_evaluator(
    kernel: Kernel, constants: Constants, who: str, values_per_point: int | None = None
) -> Callable[[Vector], Vector]:
    """A function ``(n, dimension) -> (n,)``, or ``(n, m)`` with ``m`` values per point."""
    tables = constants.flat()
    address = tables.ctypes.data
    dimension = constants.rows.shape[1]

    def entry(points: Vector, address: int, values: Vector) -> None:
        nonlocal entry
        code = compiled_for_batches(batch_wrapper, kernel, points.size)
        if code is not None:
            entry = code
            entry(points, address, values)
        elif values_per_point is None:
            point_code = compiled(point_wrapper, kernel)
            values[:] = [point_code(x, address) for x in points]
        else:
            point_code = compiled(vector_wrapper, kernel)
            for x, own in zip(points, values.reshape(-1, values_per_point), strict=True):
                point_code(x, address, own)

    def evaluate_batch(x: Vector, _kept_alive: Vector = tables) -> Vector:
        points = as_batch(x, dimension, who)
        values = np.empty(len(points) * (values_per_point or 1))
        entry(points, address, values)
        return values if values_per_point is None else values.reshape(-1, values_per_point)

    return evaluate_batch
