"""Optimizers: from what a user gives (a callable, a text) to a function that makes one start.

A callable receives the arguments that it asks for by name, of those that a run has on offer.
"""

from __future__ import annotations

import inspect
import json
import os
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import numpy as np

from ...entry_points import entry_points
from ...suites.errors import unknown_name
from ..errors import FirsthitWarning, OptimizerError
from . import adapters
from .adapters.built_in import BuiltIn
from .adapters.penalized import with_penalty
from .import_string import file_hash, file_of, importing, is_file_reference, load_object
from .parallel import ParallelProblem, asked, drive_in_parallel, stop_of
from .restarts import RestartScheme, scheme_of

_ADAPTERS = [
    import_module(f"{adapters.__name__}.{module.name}")
    for module in iter_modules(adapters.__path__)
]
BUILT_IN: Mapping[str, BuiltIn] = {
    name: with_penalty(optimizer)
    for adapter in _ADAPTERS
    for name, optimizer in getattr(adapter, "OPTIMIZERS", {}).items()
}
"""The built-in optimizers by name; their packages are imported when one of them starts."""
OFFERED = {
    "problem": "the observed problem: call it, ask it for bounds, dimension, evaluations_left, …",
    "x0": "start point, shape (dimension,); another one at each restart",
    "bounds": "bounds in scipy's form",
    "lower_bounds": "shape (dimension,)",
    "upper_bounds": "shape (dimension,)",
    "dimension": "number of variables",
    "budget": "evaluations left in this run; None where there is no budget",
    "rng": "numpy Generator of this start",
    "seed": "whole number >= 1 of this start",
    "start": "number of this start in the run: 0, 1, 2, …",
}
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
Arguments = tuple[Sequence[Any], Mapping[str, Any]]
"""By position, and by name."""
_KEYS = ("use", "parameters")
_FORMS = "an optimizer is a callable, a class or function that makes an ask/tell object, or a text"


@dataclass(frozen=True)
class OptimizerRef:
    """An optimizer as named or given by the user; frozen, and picklable when it is a text."""

    name: str  # in logs and tables
    use: str | Callable[..., Any]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    restarts: RestartScheme | int | None = None  # None: what the campaign allows
    folder: str = "."  # of relative paths; absolute, as workers of a cluster stand elsewhere

    def __post_init__(self) -> None:
        object.__setattr__(self, "folder", os.path.abspath(self.folder))

    @cached_property
    def file_folder(self) -> str | None:
        """The folder of the file that ``use`` names; None where it names none."""
        if not isinstance(self.use, str) or not is_file_reference(self.use):
            return None
        return str((Path(self.folder) / file_of(self.use)).resolve().parent)

    def description(self) -> dict[str, Any]:
        """What the log keeps of it: JSON-able, equal for equal optimizers."""
        use: object = self.use
        if not isinstance(use, str):
            name = getattr(use, "__qualname__", type(use).__qualname__)
            use = f"{getattr(use, '__module__', '') or ''}.{name}"
        facts: dict[str, Any] = {"use": use, "parameters": _plain(self.parameters)}
        if self.restarts is not None:
            facts["restarts"] = scheme_of(self.restarts).description()
        return facts | file_hash(self.use, self.folder)


@dataclass(frozen=True, slots=True)
class Call:
    """How a callable is called."""

    positional: tuple[str, ...]  # names on offer that are passed by position, in order
    keywords: tuple[str, ...]  # names on offer that are passed by name
    optional: frozenset[str]  # those of them with a default, for where there is no value
    parameters: Mapping[str, Any]  # the campaign's, passed by name

    def arguments(self, offer: Mapping[str, Any]) -> Arguments:
        """What a callable is called with: that of ``offer`` which it asks for, and parameters."""
        named = {
            name: offer[name]
            for name in self.keywords
            if not (name in self.optional and offer[name] is None)
        }
        return [offer[name] for name in self.positional], {**named, **self.parameters}


@dataclass(frozen=True, slots=True)
class Optimizer:
    """A resolved optimizer: ``start`` makes one start, until its natural end."""

    function: Callable[..., Any]
    call: Call
    needs_budget: bool = False  # it never ends by itself
    modules: tuple[str, ...] = ()  # what it is going to import
    folder: str | None = None  # that of its file, where it may import others from

    def prepare(self) -> None:
        """Import what it needs now, so that the clock of the first run does not time it."""
        for module in self.modules:
            with importing(module):
                import_module(module)

    def start(self, problem: Any, arguments: Arguments) -> Any:
        """Run once, or drive the ask/tell object that the function makes; return the result."""
        before = problem.evaluations
        result = self.function(*arguments[0], **arguments[1])
        if is_ask_tell(result) and problem.evaluations == before:
            drive = drive_in_parallel if isinstance(problem, ParallelProblem) else _drive
            return drive(result, problem)
        return result


def is_ask_tell(candidate: object) -> bool:
    """Whether ``candidate`` is an object (not a class) with ``ask`` and ``tell``."""
    return not isinstance(candidate, type) and all(
        callable(getattr(candidate, name, None)) for name in ("ask", "tell")
    )


def _drive(optimizer: Any, problem: Any) -> Any:
    """Ask, evaluate and tell until ``optimizer.stop()``, where there is one, is true; return that.

    ``ask()`` returns one point, shape ``(dimension,)``, and is told ``tell(point, value)``; or
    points, ``(n, dimension)``, evaluated as one batch, and is told ``tell(points, values)``.
    ``tell`` receives the very object that ``ask`` returned.
    """
    stop = stop_of(optimizer, problem.evaluations_left < np.inf)
    while not (reason := stop()):
        points = asked(optimizer)
        if np.isnan(points).any():
            warnings.warn(
                f"{type(optimizer).__name__}.ask() returned a point with NaN; its value is no "
                "progress", FirsthitWarning, stacklevel=1,
            )  # fmt: skip
        optimizer.tell(points, problem(points if np.ndim(points) == 1 else np.asarray(points)))
    return reason


def optimizer_ref(
    optimizer: object,
    *,
    name: str | None = None,
    parameters: Mapping[str, Any] | None = None,
) -> OptimizerRef:
    """Make a reference of what the user gave."""
    if isinstance(optimizer, OptimizerRef):
        return optimizer
    if isinstance(optimizer, str):
        called = optimizer
    elif is_ask_tell(optimizer):
        kind = type(optimizer).__name__
        raise OptimizerError(
            f"the optimizer is one {kind} object with ask() and tell(), which cannot be restarted; "
            f"give what makes it: the class {kind} or a function that returns a new one"
        )
    elif callable(optimizer):
        called = _short_name(optimizer)
    else:
        raise OptimizerError(f"{_FORMS}; got {optimizer!r} of type {type(optimizer).__name__}")
    return OptimizerRef(called if name is None else name, optimizer, dict(parameters or {}))


def optimizer_refs(
    given: object, name: str | None = None, parameters: Mapping[str, Any] | None = None
) -> tuple[OptimizerRef, ...]:
    """References of one optimizer, or of several: a list, or a mapping whose keys name them.

    ``name`` and ``parameters`` are of one optimizer, and refused beside several.
    """
    if not isinstance(given, Mapping | list | tuple):
        return (optimizer_ref(given, name=name, parameters=parameters),)
    if name is not None or parameters is not None:
        key = "algorithm" if name is not None else "parameters"
        raise OptimizerError(
            f"{key!r} goes with one optimizer; several are a mapping whose keys are the names, and "
            "one with parameters is written {'use': ..., 'parameters': {...}}"
        )
    if not given:
        kind = "mapping" if isinstance(given, Mapping) else type(given).__name__
        raise OptimizerError(f"the {kind} of optimizers is empty; {_FORMS}")
    if not isinstance(given, Mapping):
        refs = tuple(optimizer_ref(entry) for entry in given)
        twice = [ref.name for i, ref in enumerate(refs) if ref.name in {r.name for r in refs[:i]}]
        if twice:
            raise OptimizerError(
                f"two of the optimizers are called {twice[0]!r}; name them: {{'a': …, 'b': …}}"
            )
        return refs
    return tuple(_named(called, entry) for called, entry in given.items())


def _named(name: object, given: object) -> OptimizerRef:
    if not isinstance(name, str):
        raise OptimizerError(f"names of optimizers are texts; got {name!r}")
    if not isinstance(given, Mapping):
        return replace(optimizer_ref(given), name=name)
    for key in given:
        if key not in _KEYS:
            raise OptimizerError(f"optimizer {name!r}: {unknown_name('key', str(key), _KEYS)}")
    if "use" not in given:
        raise OptimizerError(f"optimizer {name!r}: the key 'use' is missing")
    return optimizer_ref(given["use"], name=name, parameters=given.get("parameters"))


def plan_call(function: Callable[..., Any], parameters: Mapping[str, Any], who: str) -> Call:
    """Match a callable's signature against what is on offer and the campaign's parameters.

    The first positional parameter receives the problem, unless its name is one on offer. A
    campaign's parameter takes precedence over what is on offer under the same name.
    """
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return Call(("problem",), (), frozenset(), dict(parameters))
    accepted = list(signature.parameters.values())
    positional: list[str] = []
    if accepted and _takes_the_problem(accepted[0], parameters):
        positional.append("problem")
        accepted = accepted[1:]
    _check_parameters(accepted, parameters, who)
    keywords: list[str] = []
    optional: set[str] = set()
    for parameter in accepted:
        if parameter.kind in _VARIADIC or parameter.name in parameters:
            continue
        has_default = parameter.default is not inspect.Parameter.empty
        if parameter.name in OFFERED:
            by_position = parameter.kind is inspect.Parameter.POSITIONAL_ONLY
            (positional if by_position else keywords).append(parameter.name)
            optional.update([parameter.name] if has_default else [])
        elif not has_default:
            raise OptimizerError(
                f"optimizer {who!r} requires the argument {parameter.name!r}, which has no value. "
                f"Give it under 'parameters', or use a name on offer: {', '.join(OFFERED)}."
            )
    return Call(tuple(positional), tuple(keywords), frozenset(optional), dict(parameters))


def _takes_the_problem(first: inspect.Parameter, parameters: Mapping[str, Any]) -> bool:
    if first.kind in _POSITIONAL:
        return first.name not in {*OFFERED, *parameters}
    return first.kind is inspect.Parameter.VAR_POSITIONAL


def _check_parameters(
    accepted: list[inspect.Parameter], parameters: Mapping[str, Any], who: str
) -> None:
    if any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in accepted):
        return
    known = [p.name for p in accepted if p.kind is not inspect.Parameter.POSITIONAL_ONLY]
    for name in parameters:
        if name not in known:
            own = [item for item in known if item not in OFFERED]
            sentence = f"optimizer {who!r}: {unknown_name('parameter', name, own)}"
            raise OptimizerError(sentence, name)


def resolve_optimizer(ref: OptimizerRef, in_parallel: bool = False) -> Optimizer:
    """Find an optimizer, importing what a text names, and check that it can be called as given."""
    built_in = BUILT_IN.get(ref.use) if isinstance(ref.use, str) else None
    for package in () if built_in is None else built_in.missing:
        raise OptimizerError(
            f"optimizer {ref.use!r} needs the package {package.distribution!r}: "
            f"pip install {package.install}"
        )
    if built_in is None:
        function = _find(ref)
    else:
        function = (built_in.ask_tell if in_parallel else None) or built_in.solve
    if not callable(function):
        raise OptimizerError(f"{ref.use!r} is {type(function).__name__}, not callable; {_FORMS}")
    try:
        call = plan_call(function, ref.parameters, ref.name)
    except OptimizerError as error:
        if built_in is not None or not isinstance(ref.use, str) or not _siblings(ref.use):
            raise
        raise OptimizerError(f"{error} Built in are {', '.join(_siblings(ref.use))}.") from error
    if built_in is None:
        return Optimizer(function, call, folder=ref.file_folder)
    modules = tuple(package.module for package in built_in.packages)
    return Optimizer(function, call, built_in.needs_budget, modules)


def _find(ref: OptimizerRef) -> Any:
    if not isinstance(ref.use, str):
        return ref.use
    package_name, colon, _ = ref.use.partition(":")
    siblings = _siblings(ref.use)
    added = entry_points("firsthit.optimizers")
    if ref.use in added:
        return load_object(added[ref.use].value, Path(ref.folder))
    if not colon or package_name == "scipy":
        raise OptimizerError(_unknown(ref.use, siblings or [*BUILT_IN, *added]))
    try:
        return load_object(ref.use, Path(ref.folder))
    except OptimizerError as error:
        if not siblings:
            raise
        raise OptimizerError(_unknown(ref.use, siblings)) from error


def _siblings(use: str) -> list[str]:
    """Names of the built-in optimizers of the package that a text names."""
    return [name for name in BUILT_IN if name.startswith(f"{use.partition(':')[0]}:")]


def _unknown(use: str, known: Iterable[str]) -> str:
    others = "Others are written 'module:function' or 'path/file.py:function'."
    return f"{unknown_name('optimizer', use, known)} {others}"


def _short_name(optimizer: Callable[..., Any]) -> str:
    name = getattr(optimizer, "__name__", type(optimizer).__name__)
    return "lambda" if name == "<lambda>" else str(name)


def _plain(parameters: Mapping[str, Any]) -> dict[str, Any]:
    try:
        plain: dict[str, Any] = json.loads(json.dumps(dict(parameters), allow_nan=False))
    except (TypeError, ValueError):
        return {name: repr(value) for name, value in parameters.items()}
    return plain
