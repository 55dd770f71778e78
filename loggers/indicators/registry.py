"""Register indicators by name, and make the indicator of a run."""

from __future__ import annotations

from collections.abc import Callable

from ...suites import Problem
from ...suites.errors import UnknownNameError
from ..errors import ObservationError
from ..records.run_record import ObservedRecord
from .best_feasible import BestFeasible
from .hypervolume import Hypervolume
from .indicator import Indicator
from .noise_free import NoiseFree
from .noisy_quantile import NoisyQuantile
from .unscaled import Unscaled

MakeIndicator = Callable[[Problem], Indicator]
"""Function or class that makes the indicator of a run from its problem."""

OWN_INDICATORS = (BestFeasible, NoiseFree, NoisyQuantile, Hypervolume, Unscaled)
_REGISTRY: dict[str, MakeIndicator] = {indicator.name: indicator for indicator in OWN_INDICATORS}


def register_indicator(name: str, make: MakeIndicator) -> None:
    """Add an indicator that suites, observers and campaigns can choose by its name.

    Args:
        name: A new name.
        make: Subclass of `Indicator`, or a function: ``make(problem)`` returns an indicator for one
            run on the problem.

    Raises:
        ObservationError: An indicator of this name is registered.

    Example:
        >>> import firsthit, numpy as np
        >>> from firsthit.loggers import Indicator, register_indicator
        >>> class RunningMean(Indicator):
        ...     def __init__(self, problem):
        ...         self.total, self.count = 0.0, 0
        ...     def measure(self, points, values):
        ...         totals = self.total + np.cumsum(values)
        ...         counts = self.count + 1 + np.arange(len(values))
        ...         self.total, self.count = totals[-1], counts[-1]
        ...         return totals / counts
        >>> register_indicator("mean", RunningMean)
        >>> results = firsthit.benchmark(
        ...     "random-search", "bbob", functions=1, dimensions=2, budget=9, indicator="mean"
        ... )
        >>> results.log.suites["bbob"].measurement.indicator
        'mean'
    """
    if name in _REGISTRY:
        raise ObservationError(f"indicator {name!r} is registered already; choose another name")
    _REGISTRY[name] = make


def users_indicator(name: str) -> MakeIndicator | None:
    """Return what makes an indicator that is not part of firsthit; None for firsthit's own.

    Raises:
        UnknownNameError: No indicator has this name.
    """
    check_indicator_name(name)
    make = _REGISTRY[name]
    return None if make in OWN_INDICATORS else make


def indicator_names() -> tuple[str, ...]:
    """Return the names of all registered indicators."""
    return tuple(_REGISTRY)


def check_indicator_name(name: str) -> None:
    """Raise UnknownNameError if no indicator of this name is registered."""
    if name not in _REGISTRY:
        raise UnknownNameError.of("indicator", name, _REGISTRY)


def recorded_kind(name: str, requested: ObservedRecord) -> ObservedRecord:
    """Return the records of a run: the user's choice, unless the indicator requires more.

    Args:
        name: Name of the indicator; it need not be registered.
        requested: Choice of the user.
    """
    needs_improvements = getattr(_REGISTRY.get(name), "every_improvement", False)
    return "improvements" if needs_improvements else requested


def make_indicator(name: str, problem: Problem) -> Indicator:
    """Make the indicator with this name for one run on a problem.

    Args:
        name: Name of the indicator.
        problem: The problem of the run.

    Raises:
        UnknownNameError: No indicator has this name.
        ObservationError: The indicator cannot measure the problem.
    """
    check_indicator_name(name)
    return _REGISTRY[name](problem)
