"""Which arguments a callable receives: those it asks for by name, of those a run has on offer."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...suites.errors import unknown_name
from ..errors import OptimizerError

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
