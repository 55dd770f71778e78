"""Budgets: evaluations a run may spend, as a number or a multiple of the dimension; in stages."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np

from ...loggers.observation.stops import Count
from ..errors import CampaignError

_NUMBER = r"(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)"
_DIMENSION = r"(?:dimension|[dD])"
_COUNT = r"(?:\s+(f\s*\+\s*g|f|seconds))?\s*"
_EXPRESSION = re.compile(
    rf"\s*(?:{_NUMBER}(?:\s*\*?\s*({_DIMENSION}))?|({_DIMENSION})(?:\s*\*\s*{_NUMBER})?){_COUNT}",
    re.ASCII,
)
_LADDER = re.compile(rf"\s*\[([^\[\]]*)\]\s*(\*?\s*{_DIMENSION})?{_COUNT}", re.ASCII)
_ITEM = re.compile(rf"\s*{_NUMBER}\s*", re.ASCII)
_MOST = 2**53
_MOST_STAGES = 100
_MOST_TEXT = 60
_FORMS = "write a whole number, '1000*D', '60 seconds' of simulated time, or null for no budget"
_LADDERS = "write stages as [100, 1000] or '[1, 2, 5]*D'"


@dataclass(frozen=True, slots=True)
class Budget:
    """Evaluations a run may spend, or seconds of simulated time."""

    factor: float  # the number, or the multiple of the dimension
    per_dimension: bool = False
    count: Count | Literal["seconds"] = "f"  # "f+g": evaluations of the constraints count, too

    def evaluations(self, dimension: int) -> int:
        """The number for one dimension, rounded down after removing the rounding of the product."""
        product = self.factor * (dimension if self.per_dimension else 1)
        return math.floor(round(product, 6))

    def __str__(self) -> str:
        number = f"{_text(self.factor)}*D" if self.per_dimension else _text(self.factor)
        return number if self.count == "f" else f"{number} {self.count}"


@dataclass(frozen=True, slots=True)
class Stages:
    """At least two ascending budgets, with which all is run one after the other."""

    budgets: tuple[Budget, ...]

    def __str__(self) -> str:
        if all(budget.per_dimension for budget in self.budgets):
            factors = ", ".join(_text(budget.factor) for budget in self.budgets)
            count = self.budgets[0].count
            return f"[{factors}]*D" + ("" if count == "f" else f" {count}")
        return f"[{', '.join(map(str, self.budgets))}]"


def parse_budget(value: object) -> Budget | Stages | None:
    """Read a budget: a number, ``"100*D"``, ``"100 D"``, ``"1e3 * dimension"``; None is no budget.

    Stages are a list of these, or a text: ``"[1, 2, 5]*D"``. Nothing is evaluated:
    numbers, ``*``, ``dimension`` (or ``D``), brackets, and ``f+g``, ``f`` or ``seconds`` at the
    end, which says what is counted (``f``, where nothing is said), are all there is.

    >>> parse_budget("1e3*D").evaluations(5)
    5000
    >>> [budget.evaluations(5) for budget in parse_budget("[1, 2, 5] * D").budgets]
    [5, 10, 25]
    >>> parse_budget("100 * D f+g").count
    'f+g'
    """
    if value is None or isinstance(value, Budget | Stages):
        return value
    if isinstance(value, str) and (ladder := _LADDER.fullmatch(value)):
        return _stages([_single(item) for item in _items(value, *ladder.groups(""))])
    if isinstance(value, np.ndarray | Sequence) and not isinstance(value, str | bytes | bytearray):
        return _stages([_single(item) for item in value[: _MOST_STAGES + 1]])
    return _single(value)


def _items(text: str, inside: str, times: str, count: str) -> list[str]:
    """The budgets of ``[a, b, c] * D f+g``, each as a text of its own."""
    parts = inside.split(",")[: _MOST_STAGES + 1]
    if times and not all(map(_ITEM.fullmatch, parts)):
        raise CampaignError(f"budget {text[:_MOST_TEXT]!r} is not understood; {_LADDERS}")
    return [" ".join(filter(None, (part, times, count))) for part in parts]


def _stages(budgets: Sequence[Budget]) -> Budget | Stages:
    if not budgets or len(budgets) > _MOST_STAGES:
        count = "no" if not budgets else f"more than {_MOST_STAGES}"
        raise CampaignError(f"budget has {count} stages; {_LADDERS}")
    if len({budget.count for budget in budgets}) > 1:
        raise CampaignError("budget stages count different things; end all of them alike")
    for earlier, later in pairwise(budgets):
        if earlier.per_dimension == later.per_dimension and earlier.factor >= later.factor:
            raise CampaignError(f"budget stages must ascend; '{later}' comes after '{earlier}'")
    return budgets[0] if len(budgets) == 1 else Stages(tuple(budgets))


def _single(value: object) -> Budget:
    if isinstance(value, Budget):
        return value
    budget = _from_text(value) if isinstance(value, str) else _from_number(value)
    if not 0 < budget.factor <= _MOST:
        raise CampaignError(f"budget {_cut(value)} is out of range; {_FORMS}")
    if budget.count == "seconds" and budget.per_dimension:
        raise CampaignError(f"budget {_cut(value)}: seconds are not multiplied by the dimension")
    if budget.count == "seconds":
        return budget
    if not budget.per_dimension and budget.factor != int(budget.factor):
        raise CampaignError(f"budget {_cut(value)} is no whole number; {_FORMS}")
    return budget


def _from_text(text: str) -> Budget:
    match = _EXPRESSION.fullmatch(text) if len(text) <= _MOST_TEXT else None
    if match is None:
        raise CampaignError(f"budget {text[:_MOST_TEXT]!r} is not understood; {_FORMS}")
    number, after, before, factor, count = match.groups()
    counted: Count | Literal["seconds"] = "f+g" if "g" in (count or "") else "f"
    if count == "seconds":
        counted = "seconds"
    return Budget(float(number or factor or 1), bool(after or before), counted)


def _from_number(value: object) -> Budget:
    is_number = hasattr(value, "__index__") or (isinstance(value, float) and math.isfinite(value))
    if isinstance(value, bool) or not is_number:
        kind = type(value).__name__
        raise CampaignError(f"budget {_cut(value)} of type {kind} is no number; {_FORMS}")
    try:
        return Budget(float(value))  # type: ignore[arg-type]
    except OverflowError:
        return Budget(math.inf)


def _text(factor: float) -> str:
    return str(int(factor) if factor == int(factor) else factor)


def _cut(value: object) -> str:
    return repr(value)[:_MOST_TEXT]
