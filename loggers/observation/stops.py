"""Conditions under which a run ends by itself, and the exceptions that end an optimizer."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from ..errors import ObservationError

Count = Literal["f", "f+g"]
"""Evaluations that a budget counts: of the objective, or of objective and constraints, as COCO
does."""


class RunStop(BaseException):
    """Base class of the exceptions that an evaluation raises to end the optimizer.

    Not an ``Exception``, so that ``except Exception`` in an optimizer does not catch it. The runner
    catches it. After the first one, every later evaluation raises it again.
    """


class BudgetExhausted(RunStop):
    """The budget is spent. The evaluation that raised this exception was not made."""


class TimeExhausted(RunStop):
    """The time limit is over. The evaluation that raised this exception was not made."""


class FinalTargetHit(RunStop):
    """The final target was hit, and the hit is recorded."""


class RecordInterrupted(RunStop):
    """An earlier evaluation could not be recorded completely, so the run ended there.

    An exception interrupted the recording: a signal handler raised it, or memory was exhausted. The
    interrupted evaluation counts. Everything recorded before it is kept.
    """


@dataclass(frozen=True, slots=True)
class StopConditions:
    """Conditions under which a run ends by itself.

    Attributes:
        budget_evaluations: Maximum number of evaluations, >= 1. None: no limit.
        final_target: Whether the run ends with the evaluation that hits the suite's final target.
        timeout_seconds: Maximum wall time in seconds, > 0. None: no limit.
        count: Evaluations that the budget counts: ``"f"``, those of the objective, or ``"f+g"``,
            those of the objective and of the constraints.

    Raises:
        ObservationError: A value is not allowed.

    Example:
        >>> from firsthit.loggers import StopConditions
        >>> StopConditions(budget_evaluations=1000, timeout_seconds=60.0).final_target
        True
    """

    budget_evaluations: int | None = None
    final_target: bool = True
    timeout_seconds: float | None = None
    count: Count = "f"

    def __post_init__(self) -> None:
        budget, timeout = self.budget_evaluations, self.timeout_seconds
        if budget is not None and (isinstance(budget, bool) or int(budget) != budget or budget < 1):
            raise ObservationError(
                f"budget_evaluations is {budget!r}; it must be an integer >= 1, or None"
            )
        if self.count not in ("f", "f+g"):
            raise ObservationError(f"count is {self.count!r}; it must be 'f' or 'f+g'")
        if timeout is not None and not 0 < timeout < math.inf:
            raise ObservationError(
                f"timeout_seconds is {timeout!r}; it must be a number > 0, or None"
            )
