"""Define how often a run restarts its optimizer, and which parameters grow from start to start.

`RestartScheme` holds the maximum number of restarts of a run. It may also hold factors by which
parameters of the optimizer grow at each restart: the population size, for example, may double. A
campaign has one scheme for all optimizers, and an optimizer may have a scheme of its own.
`scheme_of` converts a plain number of restarts to a scheme without growing parameters.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from numbers import Integral, Real
from typing import Any

from ..errors import OptimizerError

_MAX_VALUE = 2.0**53
"""Maximum of a growing parameter: up to here float64 represents every integer exactly."""


@dataclass(frozen=True, slots=True)
class RestartScheme:
    """The number of restarts of a run, and the parameters that grow from start to start.

    Attributes:
        most: Maximum number of restarts of one run. None: as many restarts as the budget allows;
            without a budget, no restarts.
        multiply: Factor of each growing parameter, by its name. At start ``k = 0, 1, 2, …`` the
            optimizer receives the parameter's value times ``factor**k``. For example, IPOP-CMA-ES
            doubles its population: ``multiply={"popsize": 2}`` (Auger and Hansen 2005).

    Example:
        >>> from firsthit.runner import RestartScheme
        >>> scheme = RestartScheme(most=9, multiply={"popsize": 2})
        >>> [scheme.parameters({"popsize": 10}, start)["popsize"] for start in range(4)]
        [10, 20, 40, 80]
    """

    most: int | None = None
    multiply: Mapping[str, float] = field(default_factory=dict)

    def parameters(self, parameters: Mapping[str, Any], start: int) -> dict[str, Any]:
        """Return the optimizer's parameters for one start of a run.

        Args:
            parameters: Parameters of the first start by name. All growing parameters are in them.
            start: Number of the start in its run, counted from 0.

        Returns:
            All parameters by name. Growing parameters are limited to ±2**53. An integer stays an
            integer, and an integer of at least 1 stays at least 1.

        >>> RestartScheme(9, {"popsize": 2}).parameters({"popsize": 10, "step": 0.5}, 3)
        {'popsize': 80, 'step': 0.5}
        """
        multiplied = {
            name: _multiply(parameters[name], factor, start)
            for name, factor in self.multiply.items()
        }
        return {**parameters, **multiplied}

    def check(self, optimizer_name: str, parameters: Mapping[str, Any], has_budget: bool) -> None:
        """Check that the scheme can be applied to an optimizer.

        Args:
            optimizer_name: Name of the optimizer for the messages.
            parameters: Parameters of the optimizer by name.
            has_budget: Whether runs have a budget.

        Raises:
            OptimizerError: The value of a growing parameter is missing or is not a number, or the
                scheme has growing parameters although runs without a budget are not restarted.
        """
        if self.multiply and self.most is None and not has_budget:
            raise OptimizerError(
                f"optimizer {optimizer_name!r}: restarts multiply {', '.join(self.multiply)}, but "
                "without a budget there are no restarts: give 'most', or a budget"
            )
        for name in self.multiply:
            value = parameters.get(name)
            if isinstance(value, bool) or not isinstance(value, Real):
                fault = f"got {value!r}" if name in parameters else "it is not given there"
                raise OptimizerError(
                    f"optimizer {optimizer_name!r}: restarts multiply {name!r}, whose start value "
                    f"must be a number under the optimizer's parameters; {fault}",
                    name,
                )

    def description(self) -> int | dict[str, Any] | None:
        """Return JSON-able data: `most`, or a mapping of both attributes if parameters grow."""
        if not self.multiply:
            return self.most
        return {"most": self.most, "multiply": dict(self.multiply)}


def scheme_of(restarts: RestartScheme | int | None) -> RestartScheme:
    """Convert a maximum number of restarts to a scheme; return a scheme unchanged."""
    return restarts if isinstance(restarts, RestartScheme) else RestartScheme(restarts)


def _multiply(value: Any, factor: float, start: int) -> int | float:
    """Return ``value * factor**start`` with the limits that `RestartScheme.parameters` states."""
    try:
        product = value * float(factor) ** start
    except OverflowError:
        product = math.copysign(math.inf, value) if value else 0.0
    product = max(-_MAX_VALUE, min(_MAX_VALUE, float(product)))
    if isinstance(value, Integral):
        return round(product) if value < 1 else max(1, round(product))
    return product
