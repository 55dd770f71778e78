"""Budgets: evaluations a run may spend, as a number or as a multiple of the dimension."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from .errors import CampaignError

_NUMBER = r"(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)"
_DIMENSION = r"(?:dimension|D)"
_EXPRESSION = re.compile(
    rf"\s*(?:{_NUMBER}(?:\s*\*\s*({_DIMENSION}))?|({_DIMENSION})(?:\s*\*\s*{_NUMBER})?)\s*",
    re.ASCII,
)
_MOST = 2**53
_FORMS = "write a whole number, '1e3 * dimension' or '100 * D', or null for no budget"


@dataclass(frozen=True, slots=True)
class Budget:
    """Evaluations a run may spend.

    Attributes:
        factor: The number, or the multiple of the dimension.
        per_dimension: Whether ``factor`` is multiplied by the dimension.
    """

    factor: float
    per_dimension: bool = False

    def evaluations(self, dimension: int) -> int:
        """The number for one dimension, rounded down after removing the rounding of the product."""
        product = self.factor * (dimension if self.per_dimension else 1)
        return math.floor(round(product, 6))

    def __str__(self) -> str:
        factor = int(self.factor) if self.factor == int(self.factor) else self.factor
        return f"{factor} * dimension" if self.per_dimension else str(factor)


def parse_budget(value: object) -> Budget | None:
    """Read a budget: a number, ``"1e3 * dimension"``, ``"100 * D"``; None is no budget.

    Nothing is evaluated: number, ``*`` and ``dimension`` (or ``D``) are all there is.

    Raises:
        CampaignError: Anything else, or less than one evaluation.

    >>> parse_budget("1e3 * dimension").evaluations(5)
    5000
    """
    if value is None or isinstance(value, Budget):
        return value
    budget = _from_text(value) if isinstance(value, str) else _from_number(value)
    if not 0 < budget.factor <= _MOST:
        raise CampaignError(f"budget {value!r} is out of range; {_FORMS}")
    if not budget.per_dimension and budget.factor != int(budget.factor):
        raise CampaignError(f"budget {value!r} is no whole number; {_FORMS}")
    return budget


def _from_text(text: str) -> Budget:
    match = _EXPRESSION.fullmatch(text) if len(text) <= 60 else None
    if match is None:
        raise CampaignError(f"budget {text[:60]!r} is not understood; {_FORMS}")
    number, after, before, factor = match.groups()
    return Budget(float(number or factor or 1), per_dimension=bool(after or before))


def _from_number(value: object) -> Budget:
    if isinstance(value, bool) or not (
        hasattr(value, "__index__") or (isinstance(value, float) and math.isfinite(value))
    ):
        kind = type(value).__name__
        raise CampaignError(f"budget {value!r} of type {kind} is no number; {_FORMS}")
    return Budget(float(value))
