"""Functions that evaluate problems: kernels bound to constants, compiled when first called.

numba compiles a kernel inside a wrapper template (see ``wrappers``): one template for single
points, one for batches. The machine code is cached on disk.

The wrapper for single points holds the interpreter's lock, so that two threads never use the
workspace in a problem's tables at the same time. The wrapper for batches releases the lock, and
allocates a workspace in each call.

The first batches of a process are evaluated point by point, because compiling the wrapper for
batches takes longer. The values are equal to the bit. See `compile_when_worthwhile`.
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
from numpy.typing import ArrayLike

from ..arrays import Floats
from ..facts import PointConstraint
from ..points import Vector, as_batch, as_point
from ..problem import Problem
from .kernel import Kernel
from .notice import show_compilation_notice
from .wrappers import (
    HEADER_SIZE,
    WrapperTemplate,
    batch_wrapper_template,
    point_wrapper_template,
    vector_wrapper_template,
)

BATCH_COMPILATION_COORDINATES = 10**6
"""Number of coordinates (points times variables) in batches of a kernel that pays for compilation.

Evaluating them point by point takes up to 0.2 s, compiling the wrapper for batches takes 1 s.
"""

_LOCK_TIMEOUT_SECONDS = 60  # longer than the compilation of any kernel takes


@dataclass(frozen=True, slots=True)
class Constants:
    """The values that the wrappers around a kernel read besides the points.

    A problem's value is ``(value of the kernel + offset) * factor``.
    """

    rows: Floats  # the kernel's constants, shape (n_rows, dimension)
    offset: float  # optimal value divided by ``factor``, if the kernel's minimum is 0
    workspace_per_point: int  # numbers that the kernel needs; most need 2 * dimension + 1
    factor: float = 1.0
    transform: Floats | None = None  # made by ``operators``; None: no input transform

    def pack(self) -> Vector:
        """Return the tables that a wrapper reads by their address, as one new array.

        They are the header, the rows of the transform, the rows of the kernel, and memory for one
        point, one value and the workspace of one point. The caller keeps the array alive.
        """
        n_rows, dimension = self.rows.shape
        transform = np.empty((0, dimension)) if self.transform is None else self.transform
        memory = np.zeros(dimension + 1 + self.workspace_per_point)
        total = HEADER_SIZE + transform.size + self.rows.size + memory.size
        header = [dimension, len(transform), n_rows, self.offset, self.factor, total]
        return np.concatenate([header, transform.ravel(), self.rows.ravel(), memory])


def build_point_evaluator(
    kernel: Kernel, constants: Constants, label: str
) -> Callable[[ArrayLike], float]:
    """Return a function that evaluates one point; its first call compiles the kernel.

    Args:
        kernel: The kernel.
        constants: Constants of the problem.
        label: Begins the messages of errors; the problem's identifier.

    Returns:
        A function of a point, shape ``(dimension,)``. It raises EvaluationError if the argument has
        another shape or is not numeric.
    """
    tables = constants.pack()
    address = tables.ctypes.data
    dimension = constants.rows.shape[1]
    array, float64 = np.ndarray, np.dtype(np.float64)

    def entry(x: Vector, address: int) -> float:
        nonlocal entry  # later calls go to the machine code without a further test
        entry = compile_kernel(point_wrapper_template, kernel)
        return float(entry(x, address))

    def evaluate_point(x: Any) -> float:
        try:
            # Hot path. `x.__class__` is faster than `type(x)`.
            if x.__class__ is array and x.dtype is float64 and x.ndim == 1:
                return entry(x, address)
        except ValueError:
            pass  # wrong number of variables: `as_point` raises the error for users
        # Read from `tables`, not from `address`: this keeps the tables alive.
        return entry(as_point(x, dimension, label), tables.ctypes.data)

    return evaluate_point


def build_batch_evaluator(
    kernel: Kernel, constants: Constants, label: str, values_per_point: int | None = None
) -> Callable[[Vector], Vector]:
    """Return a function that evaluates a batch; it compiles the kernel when that is worthwhile.

    Args:
        kernel: The kernel.
        constants: Constants of the problem.
        label: Begins the messages of errors; the problem's identifier.
        values_per_point: Number of values that the kernel writes for a point; None: one value, and
            results without an axis for it.

    Returns:
        A function of points, shape ``(n, dimension)``. It returns values of shape ``(n,)``, or
        ``(n, values_per_point)``. It raises EvaluationError if the argument has another shape or is
        not numeric.
    """
    tables = constants.pack()
    address = tables.ctypes.data
    dimension = constants.rows.shape[1]

    def entry(points: Vector, address: int, values: Vector) -> None:
        nonlocal entry  # later calls go to the machine code without a further test
        batch_code = compile_when_worthwhile(batch_wrapper_template, kernel, points.size)
        if batch_code is not None:
            entry = batch_code
            entry(points, address, values)
        elif values_per_point is None:
            point_code = compile_kernel(point_wrapper_template, kernel)
            values[:] = [point_code(x, address) for x in points]
        else:
            point_code = compile_kernel(vector_wrapper_template, kernel)
            value_rows = values.reshape(-1, values_per_point)
            for x, values_of_point in zip(points, value_rows, strict=True):
                point_code(x, address, values_of_point)

    # The default argument keeps the tables alive.
    def evaluate_batch(x: Vector, _tables: Vector = tables) -> Vector:
        points = as_batch(x, dimension, label)
        values = np.empty(len(points) * (values_per_point or 1))
        entry(points, address, values)
        return values if values_per_point is None else values.reshape(-1, values_per_point)

    return evaluate_batch


def build_point_constraint(
    kernel: Kernel, constants: Constants, label: str, values_per_point: int
) -> PointConstraint:
    """Return functions that evaluate the constraints at a point; the first call compiles.

    Args:
        kernel: A kernel that writes ``values_per_point`` values for a point.
        constants: Constants of the problem.
        label: Begins the messages of errors; the problem's identifier.
        values_per_point: Number of constraints.

    Returns:
        A function that returns the values, shape ``(values_per_point,)``, and a function that
        returns how many of them are positive or NaN. Both take a point, shape ``(dimension,)``.
    """
    tables = constants.pack()
    address = tables.ctypes.data
    dimension = constants.rows.shape[1]
    array, float64, empty = np.ndarray, np.dtype(np.float64), np.empty

    def entry(x: Vector, address: int, values: Vector) -> int:
        nonlocal entry  # later calls go to the machine code without a further test
        entry = compile_kernel(vector_wrapper_template, kernel)
        return int(entry(x, address, values))

    scratch = empty(values_per_point)

    def evaluate(x: Any) -> Vector:
        values = empty(values_per_point)
        count_violated(x, values)
        return values

    def count_violated(x: Any, values: Vector = scratch) -> int:
        try:
            # Hot path. `x.__class__` is faster than `type(x)`.
            if x.__class__ is array and x.dtype is float64 and x.ndim == 1:
                return entry(x, address, values)
        except ValueError:
            pass  # wrong number of variables: `as_point` raises the error for users
        point = as_point(x, dimension, label)
        # Read from `tables`, not from `address`: this keeps the tables alive.
        return entry(point, tables.ctypes.data, values)

    return PointConstraint(evaluate, count_violated)


def compile_batches(problem: Problem) -> None:
    """Compile now what evaluates batches of a problem, so that later batches are fast.

    Call it before measuring times. It evaluates `BATCH_COMPILATION_COORDINATES` zeros.
    """
    n_points = -(-BATCH_COMPILATION_COORDINATES // problem.dimension)
    points = np.zeros((n_points, problem.dimension))
    problem(points)
    problem.constraint(points)


@cache
def compile_kernel(template: WrapperTemplate, kernel: Kernel) -> Callable[..., Any]:
    """Return the machine code of a kernel in a wrapper template, compiled or from the cache.

    Args:
        template: The wrapper template.
        kernel: The kernel.

    Returns:
        A function. The caller must pass arguments of the types in ``template.signature``: they are
        not checked.
    """
    return machine_code(_get_dispatcher(template, kernel), template.signature)


_coordinates_seen: dict[tuple[WrapperTemplate, Kernel], int] = {}


def compile_when_worthwhile(
    template: WrapperTemplate, kernel: Kernel, n_coordinates: int
) -> Callable[..., Any] | None:
    """Return the machine code of a kernel in a template for batches, or None if it does not pay.

    It pays if the machine code was on disk at the first call, or if the batches of this process had
    at least `BATCH_COMPILATION_COORDINATES` coordinates. Each call adds to their number.

    Args:
        template: A template for batches.
        kernel: The kernel.
        n_coordinates: Points times variables of the batch that is evaluated next.

    Returns:
        The machine code. None: evaluate this batch point by point.
    """
    key = template, kernel
    if key not in _coordinates_seen:
        is_cached = _is_on_disk(_get_dispatcher(template, kernel))
        _coordinates_seen[key] = BATCH_COMPILATION_COORDINATES if is_cached else 0
    _coordinates_seen[key] += n_coordinates
    if _coordinates_seen[key] < BATCH_COMPILATION_COORDINATES:
        return None
    return compile_kernel(template, kernel)


@cache
def get_native_address(template: WrapperTemplate, kernel: Kernel) -> int:
    """Return the address of the machine code of a kernel in a wrapper template; compile it first.

    Args:
        template: The wrapper template.
        kernel: The kernel.

    Returns:
        The address, which compiled code calls by numba's calling convention
        (``BaseContext.call_conv``), with arguments of the types in ``template.signature``.
    """
    compile_kernel(template, kernel)
    (result,) = _get_dispatcher(template, kernel).overloads.values()
    return int(result.library.get_pointer_to_function(result.fndesc.llvm_func_name))


@cache
def machine_code(function: Any, signature: str) -> Callable[..., Any]:
    """Return the compiled entry of a numba function, from numba's cache on disk or compiled now.

    It shows a notice when it first compiles, see ``notice.py``. Calling the entry instead of
    ``function`` saves 0.1 µs, because numba does not look at the types of the arguments.

    Args:
        function: A function decorated with ``njit(cache=True)``.
        signature: Types of its arguments, such as ``"float64[::1], int64"``.

    Returns:
        The entry. The caller must pass arguments of exactly these types: they are not checked.

    Raises:
        NumbaError: The function cannot be compiled.
    """
    with ExitStack() as stack:
        stack.enter_context(install_listener("numba:compile", _CompilationNotice()))
        if not _is_on_disk(function):
            # Of several processes, one compiles; the others wait and read what it wrote. Without
            # the lock, if the folder cannot be written or locked, each process compiles.
            with suppress(OSError, NotImplementedError):
                prefix = _get_cache_prefix(function)
                prefix.parent.mkdir(parents=True, exist_ok=True)
                lock_path = prefix.with_name(f"{prefix.name}.lock")
                stack.enter_context(FileLock(lock_path, timeout=_LOCK_TIMEOUT_SECONDS))
        entry: Callable[..., Any]
        try:
            entry = function.compile(f"({signature},)")
        except NumbaError:
            raise
        except Exception:
            # A file of the cache is truncated, for example because the disk was full. `recompile`
            # compiles nothing, because nothing was compiled before; it deletes the index of the
            # files, so that the next line makes them anew.
            function.recompile()
            entry = function.compile(f"({signature},)")
    return entry


@cache
def _get_dispatcher(template: WrapperTemplate, kernel: Kernel) -> Any:
    """Return numba's dispatcher of a kernel in a template; the cache keeps its machine code."""
    decorate = njit(cache=True, error_model="numpy", nogil=template.releases_lock)
    return decorate(_insert_kernel(template.function, kernel))


def _insert_kernel(template: Callable[..., Any], kernel: Kernel) -> Callable[..., Any]:
    """Return a copy of a template that calls ``kernel``, with a name for numba's cache.

    The name contains a digest of all sources, because numba compares the template's file only.
    """
    functions = [getattr(function, "py_func", function) for function in (template, kernel)]
    digest = _digest_sources(tuple(function.__module__ for function in functions))
    name = "_".join([*(function.__name__ for function in functions), digest])
    copy = FunctionType(template.__code__, {**template.__globals__, "kernel": kernel}, name)
    copy.__qualname__ = name
    copy.__module__ = template.__module__
    return copy


@cache
def _digest_sources(modules: tuple[str, ...]) -> str:
    """Return a digest of the sources of modules and of all modules that `_collect_modules` adds."""
    names: set[str] = set()
    for module in modules:
        _collect_modules(module, names)
    text = "".join(name + inspect.getsource(sys.modules[name]) for name in sorted(names))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _collect_modules(name: str, names: set[str]) -> set[str]:
    """Add a module to ``names``, and all whose compiled functions it uses; return ``names``."""
    names.add(name)
    for value in vars(sys.modules[name]).values():
        source = getattr(value, "py_func", None)
        if source is not None and source.__module__ not in names:
            _collect_modules(source.__module__, names)
    return names


def _is_on_disk(function: Any) -> bool:
    """Return whether numba's cache has machine code of a function, even of an older numba."""
    prefix = _get_cache_prefix(function)
    return any(prefix.parent.glob(f"{prefix.name}-*.nbc"))


def _get_cache_prefix(function: Any) -> Path:
    """Return the folder of a function's files in numba's cache, with the start of their names."""
    source = Path(function.py_func.__code__.co_filename)
    return Path(function.stats.cache_path) / f"{source.stem}.{function.py_func.__qualname__}"


class _CompilationNotice(Listener):
    """Shows a notice when numba compiles for the first time; not when it reads its cache."""

    def on_start(self, event: object) -> None:
        show_compilation_notice()

    def on_end(self, event: object) -> None:
        pass
