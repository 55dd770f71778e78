"""When a run ends by itself, and the exceptions by which the optimizer learns of it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from ..errors import ObservationError

Count = Literal["f", "f+g"]
"""What is counted: evaluations of the objective, or those of the constraints, too, as COCO does."""


class RunStop(BaseException):
    """Ends an optimizer from within an evaluation.

    No ``Exception``, so that an optimizer's ``except Exception`` cannot swallow it. The runner
    catches it. Once raised, every further evaluation raises it again.
    """


class BudgetExhausted(RunStop):
    """One evaluation more was asked for than the budget allows; it was not made."""


class TimeExhausted(RunStop):
    """An evaluation was asked for after the time limit; it was not made."""


class MemoryExhausted(RunStop):
    """There is no memory to record one evaluation more; it was not made. The run is ``failed``."""


class FinalTargetHit(RunStop):
    """The final target was hit, and the hit is recorded."""


@dataclass(frozen=True, slots=True)
class StopConditions:
    """When a run ends by itself."""

    budget_evaluations: int | None = None  # >= 1; None: no limit
    final_target: bool = True  # end with the evaluation that hits the suite's final target
    timeout_seconds: float | None = None  # of wall time, > 0; None: no limit
    count: Count = "f"  # which evaluations the budget counts

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
