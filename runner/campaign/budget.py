"""Represent and parse budgets of runs.

A `Budget` limits a run. It is a number of evaluations, a multiple of the dimension, or a number of
seconds of simulated time. `Stages` are several ascending budgets: a campaign makes all its runs
with the first budget, then with the second one, and so on. `parse_budget` reads both from a number,
a text such as ``"1e3*D f+g"``, or a list.
"""

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

# Parts of the regular expressions of budgets. "1e3*D f+g" consists of a number, the dimension and a
# count.
_NUMBER = r"(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)"
_DIMENSION = r"(?:dimension|[dD])"
_COUNT = r"(?:\s+(f\s*\+\s*g|f|seconds))?\s*"
_EXPRESSION = re.compile(
    rf"\s*(?:{_NUMBER}(?:\s*\*?\s*({_DIMENSION}))?|({_DIMENSION})(?:\s*\*\s*{_NUMBER})?){_COUNT}",
    re.ASCII,
)
"""One budget: a number and an optional ``D``, in either order, and an optional count."""
_STAGES = re.compile(rf"\s*\[([^\[\]]*)\]\s*(\*?\s*{_DIMENSION})?{_COUNT}", re.ASCII)
"""Stages in brackets, an optional ``*D`` and an optional count, which apply to all stages."""
_STAGE_NUMBER = re.compile(rf"\s*{_NUMBER}\s*", re.ASCII)
"""One stage in brackets before ``*D``: a number alone."""
_MAX_FACTOR = 2**53
"""Maximum of `Budget.factor`: up to here float64 represents every number of evaluations exactly."""
_MAX_STAGES = 100
_MAX_TEXT_LENGTH = 60
"""Maximum length of one budget as text, and of a value in an error message, in characters."""
_FORMS = "write a whole number, '1000*D', '60 seconds' of simulated time, or null for no budget"
_STAGE_FORMS = "write stages as [100, 1000] or '[1, 2, 5]*D'"


@dataclass(frozen=True, slots=True)
class Budget:
    """Maximum number of evaluations, or of seconds of simulated time, that a run may use.

    Attributes:
        factor: The number of evaluations or seconds. If ``per_dimension`` is True, the number of
            evaluations divided by the dimension.
        per_dimension: Whether ``factor`` is multiplied by the dimension. Default: False.
        count: Quantity that the budget limits: ``"f"``, evaluations of the objective; ``"f+g"``,
            evaluations of the objective and of the constraints together; ``"seconds"``, simulated
            time. Default: ``"f"``.
    """

    factor: float
    per_dimension: bool = False
    count: Count | Literal["seconds"] = "f"

    def evaluations(self, dimension: int) -> int:
        """Return the budget in evaluations for a dimension, rounded down to a whole number."""
        product = self.factor * (dimension if self.per_dimension else 1)
        # Rounding to 6 digits first removes errors of float64: 0.29 * 100 is 28.999999999999996.
        return math.floor(round(product, 6))

    def __str__(self) -> str:
        factor = _format_number(self.factor)
        number = f"{factor}*D" if self.per_dimension else factor
        return number if self.count == "f" else f"{number} {self.count}"


@dataclass(frozen=True, slots=True)
class Stages:
    """Two or more ascending budgets. A campaign makes all its runs with each of them, in order."""

    budgets: tuple[Budget, ...]

    def __str__(self) -> str:
        if all(budget.per_dimension for budget in self.budgets):
            factors = ", ".join(_format_number(budget.factor) for budget in self.budgets)
            count = self.budgets[0].count
            return f"[{factors}]*D" + ("" if count == "f" else f" {count}")
        return f"[{', '.join(map(str, self.budgets))}]"


def parse_budget(value: object) -> Budget | Stages | None:
    """Read a budget or stages.

    A text consists of a number, ``*``, ``D`` (or ``dimension``) and a count, which is ``f``,
    ``f+g`` or ``seconds``. Either the number or ``D`` may be missing. The count may be missing;
    its default is ``f``. The text is never evaluated as Python code.

    Args:
        value: A number of evaluations, a text, a list of both, a text with stages in brackets, or a
            `Budget` or `Stages`. None: no budget.

    Returns:
        The budget, or the stages if there are two or more. None if ``value`` is None.

    Raises:
        CampaignError: The value has another form or is out of range, or its stages do not ascend.

    >>> parse_budget("1e3*D").evaluations(5)
    5000
    >>> [budget.evaluations(5) for budget in parse_budget("[1, 2, 5] * D").budgets]
    [5, 10, 25]
    >>> parse_budget("100 * D f+g").count
    'f+g'
    """
    if value is None or isinstance(value, Budget | Stages):
        return value
    if isinstance(value, str) and (match := _STAGES.fullmatch(value)):
        return _make_stages(list(map(_parse_single, _split_stages(value, *match.groups("")))))
    if isinstance(value, np.ndarray | Sequence) and not isinstance(value, str | bytes | bytearray):
        return _make_stages([_parse_single(item) for item in value[: _MAX_STAGES + 1]])
    return _parse_single(value)


def _split_stages(text: str, inside: str, multiplier: str, count: str) -> list[str]:
    """Split a text such as ``[1, 2] * D f+g`` into its stages ``1 * D f+g`` and ``2 * D f+g``.

    Args:
        text: The text, for the error message.
        inside: Content of the brackets.
        multiplier: Text between the brackets and the count, such as ``* D``; may be empty.
        count: Count at the end of the text; may be empty.

    Raises:
        CampaignError: There is a multiplier, and a stage in the brackets is not a number.
    """
    # One stage more than allowed is enough for `_make_stages` to refuse the text.
    parts = inside.split(",")[: _MAX_STAGES + 1]
    if multiplier and not all(map(_STAGE_NUMBER.fullmatch, parts)):
        raise CampaignError(f"budget {text[:_MAX_TEXT_LENGTH]!r} is not understood; {_STAGE_FORMS}")
    return [" ".join(filter(None, (part, multiplier, count))) for part in parts]


def _make_stages(budgets: Sequence[Budget]) -> Budget | Stages:
    """Return the stages that consist of these budgets; return a single budget unchanged.

    Raises:
        CampaignError: There are no budgets or too many, they have different counts, or they do not
            ascend. A multiple of the dimension is compared only with another multiple.
    """
    if not budgets or len(budgets) > _MAX_STAGES:
        number = "no" if not budgets else f"more than {_MAX_STAGES}"
        raise CampaignError(f"budget has {number} stages; {_STAGE_FORMS}")
    if len({budget.count for budget in budgets}) > 1:
        raise CampaignError("budget stages count different things; end all of them alike")
    for earlier, later in pairwise(budgets):
        # If only one of the two depends on the dimension, `plan` compares them in each dimension.
        is_comparable = earlier.per_dimension == later.per_dimension
        if is_comparable and earlier.factor >= later.factor:
            raise CampaignError(f"budget stages must ascend; '{later}' comes after '{earlier}'")
    return budgets[0] if len(budgets) == 1 else Stages(tuple(budgets))


def _parse_single(value: object) -> Budget:
    if isinstance(value, Budget):
        return value
    budget = _parse_text(value) if isinstance(value, str) else _parse_number(value)
    shown = _shorten(value)
    if not 0 < budget.factor <= _MAX_FACTOR:
        raise CampaignError(f"budget {shown} is out of range; {_FORMS}")
    if budget.count == "seconds":
        if budget.per_dimension:
            raise CampaignError(f"budget {shown}: seconds are not multiplied by the dimension")
    elif not budget.per_dimension and budget.factor != int(budget.factor):
        raise CampaignError(f"budget {shown} is no whole number; {_FORMS}")
    return budget


def _parse_text(text: str) -> Budget:
    match = _EXPRESSION.fullmatch(text) if len(text) <= _MAX_TEXT_LENGTH else None
    if match is None:
        raise CampaignError(f"budget {text[:_MAX_TEXT_LENGTH]!r} is not understood; {_FORMS}")
    number, dimension_after, dimension_before, factor, count_text = match.groups()
    count: Count | Literal["seconds"] = "f+g" if "g" in (count_text or "") else "f"
    if count_text == "seconds":
        count = "seconds"
    return Budget(float(number or factor or 1), bool(dimension_after or dimension_before), count)


def _parse_number(value: object) -> Budget:
    is_number = hasattr(value, "__index__") or (isinstance(value, float) and math.isfinite(value))
    if isinstance(value, bool) or not is_number:
        type_name = type(value).__name__
        raise CampaignError(f"budget {_shorten(value)} of type {type_name} is no number; {_FORMS}")
    try:
        return Budget(float(value))  # type: ignore[arg-type]
    except OverflowError:
        return Budget(math.inf)  # the caller reports that it is out of range


def _format_number(number: float) -> str:
    return str(int(number) if number == int(number) else number)


def _shorten(value: object) -> str:
    return repr(value)[:_MAX_TEXT_LENGTH]
