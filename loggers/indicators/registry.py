"""Indicators by name."""

from __future__ import annotations

from collections.abc import Callable

from ...suites import Problem
from ...suites.errors import UnknownNameError
from ..errors import ObservationError
from ..records.run_record import Record
from .best_feasible import BestFeasible
from .hypervolume import Hypervolume
from .indicator import Indicator
from .noise_free import NoiseFree
from .noisy_quantile import NoisyQuantile
from .unscaled import Unscaled

MakeIndicator = Callable[[Problem], Indicator]

_REGISTRY: dict[str, MakeIndicator] = {
    kind.name: kind for kind in (BestFeasible, NoiseFree, NoisyQuantile, Hypervolume, Unscaled)
}


def register_indicator(name: str, make: MakeIndicator) -> None:
    """Make an indicator known to suites, observers and campaigns.

    Args:
        name: A name once only.
        make: Takes the problem of a run, returns an indicator for that run.

    Raises:
        ObservationError: The name is taken.
    """
    if name in _REGISTRY:
        raise ObservationError(f"indicator {name!r} is registered already; choose another name")
    _REGISTRY[name] = make


def indicator_names() -> tuple[str, ...]:
    """Names of all registered indicators."""
    return tuple(_REGISTRY)


def check_indicator_name(name: str) -> None:
    """Raise UnknownNameError where nobody registered an indicator of that name."""
    if name not in _REGISTRY:
        raise UnknownNameError.of("indicator", name, _REGISTRY)


def recorded_kind(name: str, requested: Record) -> Record:
    """What runs record that are measured by an indicator, where ``asked`` is asked for."""
    every = getattr(_REGISTRY.get(name), "every_improvement", False)
    return "improvements" if every else requested


def make_indicator(name: str, problem: Problem) -> Indicator:
    """The indicator of that name for one run on a problem."""
    check_indicator_name(name)
    return _REGISTRY[name](problem)
