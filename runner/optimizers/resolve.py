"""Convert an optimizer as the user wrote it to a function that makes one start of a run.

A user passes an optimizer as a callable, as a class or function that makes an ask/tell object, or
as a text. A text is the name of a built-in optimizer or of an entry point, or a reference such as
``"path/file.py:function"``. `optimizer_ref` and `optimizer_refs` convert all of them to
`OptimizerRef` objects, which a campaign stores. `resolve_optimizer` imports the optimizer of a
reference, and returns an `Optimizer`.

A run offers arguments such as the start point (`OFFERED`). A callable receives those that its
signature names, and the parameters that the campaign sets. `plan_call` compares the signature with
these arguments once, before the first run.
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
from .parallel import ParallelProblem, ask_points, drive_in_parallel, stop_condition
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
"""Built-in optimizers by name. The package of an optimizer is imported at its first start."""

OFFERED = {
    "problem": "the observed problem: call it, ask it for bounds, dimension, evaluations_left, …",
    "x0": "start point, shape (dimension,); another one at each restart",
    "bounds": "list of pairs (lower, upper), with the arrays bounds.lb and bounds.ub",
    "lower_bounds": "shape (dimension,)",
    "upper_bounds": "shape (dimension,)",
    "dimension": "number of variables",
    "budget": "evaluations left in this run; None where there is no budget",
    "rng": "numpy Generator of this start",
    "seed": "whole number >= 1 of this start",
    "start": "number of this start in the run: 0, 1, 2, …",
}
"""Arguments that a run offers to an optimizer, by name, and their meanings."""

Arguments = tuple[Sequence[Any], Mapping[str, Any]]
"""Positional arguments and keyword arguments of a call."""

_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_KEYS = ("use", "parameters")
"""Keys of a mapping that describes one optimizer."""
_FORMS = "an optimizer is a callable, a class or function that makes an ask/tell object, or a text"


@dataclass(frozen=True)
class OptimizerRef:
    """Reference to an optimizer as the user named or passed it.

    Attributes:
        name: Name of the optimizer in logs and tables.
        use: The optimizer: a text or a callable. A reference with a text can be pickled.
        parameters: Parameters that are passed to the optimizer by name.
        restarts: Restart scheme, or maximum number of restarts. None: the restarts of the campaign.
        folder: Folder of relative paths. It is made absolute, because worker processes may have
            another working folder.
    """

    name: str
    use: str | Callable[..., Any]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    restarts: RestartScheme | int | None = None
    folder: str = "."

    def __post_init__(self) -> None:
        object.__setattr__(self, "folder", os.path.abspath(self.folder))

    @cached_property
    def file_folder(self) -> str | None:
        """Folder of the Python file that ``use`` names. None: ``use`` names no file."""
        if not isinstance(self.use, str) or not is_file_reference(self.use):
            return None
        return str((Path(self.folder) / file_of(self.use)).resolve().parent)

    def description(self) -> dict[str, Any]:
        """Return JSON-able data for the log. Equal optimizers have equal data."""
        use: object = self.use
        if not isinstance(use, str):
            name = getattr(use, "__qualname__", type(use).__qualname__)
            use = f"{getattr(use, '__module__', '') or ''}.{name}"
        fields: dict[str, Any] = {"use": use, "parameters": _to_json_values(self.parameters)}
        if self.restarts is not None:
            fields["restarts"] = scheme_of(self.restarts).description()
        return fields | file_hash(self.use, self.folder)


@dataclass(frozen=True, slots=True)
class Call:
    """Plan of the arguments with which a callable is called at each start.

    Attributes:
        positional: Names in `OFFERED` that are passed by position, in order.
        keywords: Names in `OFFERED` that are passed by name.
        optional: Names in ``keywords`` for which the callable has a default. They are not passed if
            the offered value is None.
        parameters: Parameters of the campaign, which are passed by name.
    """

    positional: tuple[str, ...]
    keywords: tuple[str, ...]
    optional: frozenset[str]
    parameters: Mapping[str, Any]

    def arguments(self, offer: Mapping[str, Any]) -> Arguments:
        """Return the positional and the keyword arguments of one call.

        Args:
            offer: Offered values by name. Names that the plan does not use may be missing.
        """
        by_name = {
            name: offer[name]
            for name in self.keywords
            if not (name in self.optional and offer[name] is None)
        }
        return [offer[name] for name in self.positional], {**by_name, **self.parameters}


@dataclass(frozen=True, slots=True)
class Optimizer:
    """An optimizer that can be started. `start` returns when the optimizer ends by itself.

    Attributes:
        function: Function that makes one start.
        call: Plan of the function's arguments.
        needs_budget: Whether the optimizer never ends by itself.
        modules: Modules that the optimizer imports at its first start.
        folder: Folder of the optimizer's file, from which it may import modules. None: no file.
    """

    function: Callable[..., Any]
    call: Call
    needs_budget: bool = False
    modules: tuple[str, ...] = ()
    folder: str | None = None

    def prepare(self) -> None:
        """Import the modules of the optimizer before the first run.

        Otherwise the wall time of the first run would include the time of the import.

        Raises:
            OptimizerError: Importing a module fails.
        """
        for module in self.modules:
            with importing(module):
                import_module(module)

    def start(self, problem: Any, arguments: Arguments) -> Any:
        """Call the function once; if it returns an ask/tell object, drive the object to its end.

        Args:
            problem: The observed problem, which is evaluated.
            arguments: Arguments of the call, as `Call.arguments` returns them.

        Returns:
            The result of the function, or the result of the object's ``stop()``.
        """
        evaluations_before = problem.evaluations
        positional, keywords = arguments
        result = self.function(*positional, **keywords)
        # An ask/tell object is not driven if the function has evaluated the problem itself: the
        # object is then the result of a search that has ended.
        if is_ask_tell(result) and problem.evaluations == evaluations_before:
            drive = drive_in_parallel if isinstance(problem, ParallelProblem) else _drive
            return drive(result, problem)
        return result


def is_ask_tell(candidate: object) -> bool:
    """Return whether ``candidate`` is an object (not a class) with ``ask`` and ``tell``."""
    return not isinstance(candidate, type) and all(
        callable(getattr(candidate, name, None)) for name in ("ask", "tell")
    )


def _drive(optimizer: Any, problem: Any) -> Any:
    """Ask, evaluate and tell until ``optimizer.stop()`` returns a true value; return that value.

    ``ask()`` returns one point, shape ``(dimension,)``, or several points, shape
    ``(n, dimension)``, which are evaluated as one batch. ``tell`` receives the object that ``ask``
    returned, not a copy of it, and the value or values.
    """
    stop = stop_condition(optimizer, problem.evaluations_left < np.inf)
    while not (reason := stop()):
        points = ask_points(optimizer)
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
    """Make a reference to one optimizer.

    Args:
        optimizer: A callable or a text. An `OptimizerRef` is returned unchanged.
        name: Name in logs and tables. None: the text, or the name of the callable.
        parameters: Parameters that are passed to the optimizer by name. None: no parameters.

    Returns:
        The reference. Nothing is imported.

    Raises:
        OptimizerError: The optimizer is an ask/tell object, which cannot be restarted, or an object
            of another type.
    """
    if isinstance(optimizer, OptimizerRef):
        return optimizer
    if isinstance(optimizer, str):
        default_name = optimizer
    elif is_ask_tell(optimizer):
        kind = type(optimizer).__name__
        raise OptimizerError(
            f"the optimizer is one {kind} object with ask() and tell(), which cannot be restarted; "
            f"give what makes it: the class {kind} or a function that returns a new one"
        )
    elif callable(optimizer):
        default_name = _short_name(optimizer)
    else:
        raise OptimizerError(f"{_FORMS}; got {optimizer!r} of type {type(optimizer).__name__}")
    return OptimizerRef(default_name if name is None else name, optimizer, dict(parameters or {}))


def optimizer_refs(
    optimizers: object, name: str | None = None, parameters: Mapping[str, Any] | None = None
) -> tuple[OptimizerRef, ...]:
    """Make references to one optimizer, or to the optimizers of a list or mapping.

    Args:
        optimizers: One optimizer, a list or tuple, or a mapping from names to optimizers. A value
            of the mapping may be ``{"use": optimizer, "parameters": {...}}``.
        name: Name of a single optimizer in logs and tables. None: the text, or the name of the
            callable.
        parameters: Parameters of a single optimizer. None: no parameters.

    Returns:
        One reference for each optimizer, in the same order. Nothing is imported.

    Raises:
        OptimizerError: An optimizer is invalid, the list or mapping is empty, two optimizers have
            the same name, or ``name`` or ``parameters`` is passed with a list or mapping.
    """
    if not isinstance(optimizers, Mapping | list | tuple):
        return (optimizer_ref(optimizers, name=name, parameters=parameters),)
    if name is not None or parameters is not None:
        key = "algorithm" if name is not None else "parameters"
        raise OptimizerError(
            f"{key!r} goes with one optimizer; several are a mapping whose keys are the names, and "
            "one with parameters is written {'use': ..., 'parameters': {...}}"
        )
    if not optimizers:
        kind = "mapping" if isinstance(optimizers, Mapping) else type(optimizers).__name__
        raise OptimizerError(f"the {kind} of optimizers is empty; {_FORMS}")
    if isinstance(optimizers, Mapping):
        return tuple(_named_ref(key, entry) for key, entry in optimizers.items())
    refs = tuple(optimizer_ref(optimizer) for optimizer in optimizers)
    names = [ref.name for ref in refs]
    duplicates = [name for i, name in enumerate(names) if name in names[:i]]
    if duplicates:
        raise OptimizerError(
            f"two of the optimizers are called {duplicates[0]!r}; name them: {{'a': …, 'b': …}}"
        )
    return refs


def _named_ref(name: object, entry: object) -> OptimizerRef:
    """Make the reference of one entry of a mapping of optimizers.

    Args:
        name: Key of the entry, which is the name of the optimizer.
        entry: Value of the entry: an optimizer, or a mapping with ``use`` and ``parameters``.

    Raises:
        OptimizerError: The name is not a text, or the entry is invalid.
    """
    if not isinstance(name, str):
        raise OptimizerError(f"names of optimizers are texts; got {name!r}")
    if not isinstance(entry, Mapping):
        return replace(optimizer_ref(entry), name=name)
    for key in entry:
        if key not in _KEYS:
            raise OptimizerError(f"optimizer {name!r}: {unknown_name('key', str(key), _KEYS)}")
    if "use" not in entry:
        raise OptimizerError(f"optimizer {name!r}: the key 'use' is missing")
    return optimizer_ref(entry["use"], name=name, parameters=entry.get("parameters"))


def resolve_optimizer(ref: OptimizerRef, in_parallel: bool = False) -> Optimizer:
    """Import the optimizer that a reference names, and check that it can be called.

    Args:
        ref: Reference to a callable, a built-in optimizer, an entry point or a function.
        in_parallel: Whether runs use simulated parallel evaluation. If a built-in optimizer has an
            ask/tell interface, this interface is then used. Default: False.

    Returns:
        The optimizer. The package of a built-in optimizer is not imported yet.

    Raises:
        OptimizerError: There is no such optimizer, it cannot be imported, its package is not
            installed, or its signature does not fit the parameters.
    """
    built_in = BUILT_IN.get(ref.use) if isinstance(ref.use, str) else None
    for package in () if built_in is None else built_in.missing:
        raise OptimizerError(
            f"optimizer {ref.use!r} needs the package {package.distribution!r}: "
            f"pip install {package.install}"
        )
    if built_in is None:
        function = _load_optimizer(ref)
    else:
        function = (built_in.ask_tell if in_parallel else None) or built_in.solve
    if not callable(function):
        raise OptimizerError(f"{ref.use!r} is {type(function).__name__}, not callable; {_FORMS}")
    try:
        call = plan_call(function, ref.parameters, ref.name)
    except OptimizerError as error:
        if built_in is not None or not isinstance(ref.use, str) or not _siblings(ref.use):
            raise
        # The user named a function of a package that also has built-in optimizers.
        raise OptimizerError(f"{error} Built in are {', '.join(_siblings(ref.use))}.") from error
    if built_in is None:
        return Optimizer(function, call, folder=ref.file_folder)
    modules = tuple(package.module for package in built_in.packages)
    return Optimizer(function, call, built_in.needs_budget, modules)


def plan_call(
    function: Callable[..., Any], parameters: Mapping[str, Any], optimizer_name: str
) -> Call:
    """Plan the arguments of a callable from its signature.

    The first positional parameter receives the problem, unless its name is in `OFFERED` or in
    ``parameters``. If a name is in `OFFERED` and in ``parameters``, the callable receives the value
    of the campaign.

    Args:
        function: The callable. If it has no signature, like some builtins, its only argument is the
            problem.
        parameters: Parameters of the campaign by name.
        optimizer_name: Name of the optimizer for the messages.

    Returns:
        The plan of the arguments at each start.

    Raises:
        OptimizerError: The function does not accept a parameter, or requires an argument that
            neither a run nor the campaign provides.
    """
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return Call(("problem",), (), frozenset(), dict(parameters))
    accepted = list(signature.parameters.values())
    positional: list[str] = []
    if accepted and _receives_problem(accepted[0], parameters):
        positional.append("problem")
        accepted = accepted[1:]
    _check_parameters(accepted, parameters, optimizer_name)
    keywords: list[str] = []
    optional: set[str] = set()
    for parameter in accepted:
        if parameter.kind in _VARIADIC or parameter.name in parameters:
            continue
        has_default = parameter.default is not inspect.Parameter.empty
        if parameter.name in OFFERED:
            is_positional = parameter.kind is inspect.Parameter.POSITIONAL_ONLY
            (positional if is_positional else keywords).append(parameter.name)
            if has_default:
                optional.add(parameter.name)
        elif not has_default:
            raise OptimizerError(
                f"optimizer {optimizer_name!r} requires the argument {parameter.name!r}, which has "
                "no value. Give it under 'parameters', or use a name on offer: "
                f"{', '.join(OFFERED)}."
            )
    return Call(tuple(positional), tuple(keywords), frozenset(optional), dict(parameters))


def _receives_problem(parameter: inspect.Parameter, parameters: Mapping[str, Any]) -> bool:
    """Return whether the first parameter of a callable receives the problem."""
    if parameter.kind in _POSITIONAL:
        return parameter.name not in {*OFFERED, *parameters}
    return parameter.kind is inspect.Parameter.VAR_POSITIONAL


def _check_parameters(
    accepted: list[inspect.Parameter], parameters: Mapping[str, Any], optimizer_name: str
) -> None:
    """Raise OptimizerError if a callable does not accept a parameter of the campaign.

    Args:
        accepted: Parameters in the signature of the callable, without the problem.
        parameters: Parameters of the campaign by name.
        optimizer_name: Name of the optimizer for the message.
    """
    if any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in accepted):
        return
    allowed = [p.name for p in accepted if p.kind is not inspect.Parameter.POSITIONAL_ONLY]
    for name in parameters:
        if name not in allowed:
            suggested = [item for item in allowed if item not in OFFERED]
            hint = unknown_name("parameter", name, suggested)
            raise OptimizerError(f"optimizer {optimizer_name!r}: {hint}", name)


def _load_optimizer(ref: OptimizerRef) -> Any:
    """Return the object of an optimizer that is not built in; import it if it is a text."""
    if not isinstance(ref.use, str):
        return ref.use
    package_name, colon, _ = ref.use.partition(":")
    siblings = _siblings(ref.use)
    added = entry_points("firsthit.optimizers")
    if ref.use in added:
        return load_object(added[ref.use].value, Path(ref.folder))
    # The module scipy itself contains no optimizers, so that "scipy:NAME" is a misspelled name of
    # a built-in optimizer.
    if not colon or package_name == "scipy":
        raise OptimizerError(_unknown_optimizer(ref.use, siblings or [*BUILT_IN, *added]))
    try:
        return load_object(ref.use, Path(ref.folder))
    except OptimizerError as error:
        if not siblings:
            raise
        raise OptimizerError(_unknown_optimizer(ref.use, siblings)) from error


def _siblings(use: str) -> list[str]:
    """Return the names of the built-in optimizers whose package a text names before its colon."""
    return [name for name in BUILT_IN if name.startswith(f"{use.partition(':')[0]}:")]


def _unknown_optimizer(use: str, allowed: Iterable[str]) -> str:
    """Return the message for an unknown optimizer, with the nearest allowed name."""
    others = "Others are written 'module:function' or 'path/file.py:function'."
    return f"{unknown_name('optimizer', use, allowed)} {others}"


def _short_name(optimizer: Callable[..., Any]) -> str:
    name = getattr(optimizer, "__name__", type(optimizer).__name__)
    return "lambda" if name == "<lambda>" else str(name)


def _to_json_values(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return parameters as they are after storing them as JSON: tuples become lists.

    If one value is not JSON-able, all values are replaced by their ``repr``.
    """
    try:
        json_values: dict[str, Any] = json.loads(json.dumps(dict(parameters), allow_nan=False))
    except (TypeError, ValueError):
        return {name: repr(value) for name, value in parameters.items()}
    return json_values
