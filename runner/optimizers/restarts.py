"""Restart schemes: how often a run starts anew, and which parameters grow from start to start."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from numbers import Integral, Real
from typing import Any

from ..errors import OptimizerError

_MOST = 2.0**53


@dataclass(frozen=True, slots=True)
class RestartScheme:
    """How often a run is restarted, and what changes from start to start.

    Attributes:
        most: Most restarts of one run. None: as many as fit the budget, none without budget.
        multiply: Factors by name of parameter: at start ``k = 0, 1, 2, …`` the optimizer receives
            its value times ``factor**k``. As IPOP-CMA-ES doubles its population (Auger and Hansen
            2005: ``multiply={"popsize": 2}``).
    """

    most: int | None = None
    multiply: Mapping[str, float] = field(default_factory=dict)

    def parameters(self, given: Mapping[str, Any], start: int) -> dict[str, Any]:
        """The parameters of start number ``start``; integers stay integers, and at least 1.

        Nothing grows beyond 2**53.

        >>> RestartScheme(9, {"popsize": 2}).parameters({"popsize": 10, "step": 0.5}, 3)
        {'popsize': 80, 'step': 0.5}
        """
        swept = {
            name: _multiplied(given[name], factor, start) for name, factor in self.multiply.items()
        }
        return {**given, **swept}

    def check(self, who: str, parameters: Mapping[str, Any], has_budget: bool) -> None:
        """Raise where what is to be multiplied has no start value, or there are no restarts.

        Args:
            who: The optimizer, for messages.
            parameters: Its parameters, which it takes.
            has_budget: Whether runs have a budget.

        Raises:
            OptimizerError: The parameter is not among these, or no number; or neither a budget nor
                a number of restarts is given.
        """
        if self.multiply and self.most is None and not has_budget:
            raise OptimizerError(
                f"optimizer {who!r}: restarts multiply {', '.join(self.multiply)}, but without a "
                "budget there are none: give 'most', or a budget"
            )
        for name in self.multiply:
            value = parameters.get(name)
            if isinstance(value, bool) or not isinstance(value, Real):
                came = f"got {value!r}" if name in parameters else "it is not given there"
                raise OptimizerError(
                    f"optimizer {who!r}: restarts multiply {name!r}, whose start value must be a "
                    f"number under the optimizer's parameters; {came}",
                    name,
                )

    def description(self) -> int | dict[str, Any] | None:
        """JSON-able: the number, or a mapping where parameters are multiplied."""
        if not self.multiply:
            return self.most
        return {"most": self.most, "multiply": dict(self.multiply)}


def scheme_of(restarts: RestartScheme | int | None) -> RestartScheme:
    """The scheme that a plain number stands for: independent restarts."""
    return restarts if isinstance(restarts, RestartScheme) else RestartScheme(restarts)


def _multiplied(value: Any, factor: float, start: int) -> int | float:
    """``value * factor**start``, within ±2**53."""
    try:
        product = value * float(factor) ** start
    except OverflowError:
        product = math.copysign(math.inf, value) if value else 0.0
    product = max(-_MOST, min(_MOST, float(product)))
    if isinstance(value, Integral):
        return round(product) if value < 1 else max(1, round(product))
    return product
