"""When a run ends by itself, and the two exceptions by which the optimizer learns of it."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import ObservationError


class RunStop(BaseException):
    """Ends an optimizer from within an evaluation.

    No ``Exception``, so that an optimizer's ``except Exception`` cannot swallow it. The runner
    catches it. Once raised, every further evaluation raises it again.
    """


class BudgetExhausted(RunStop):
    """One evaluation more was asked for than the budget allows; it was not made."""


class FinalTargetHit(RunStop):
    """The final target was hit, and the hit is recorded."""


@dataclass(frozen=True, slots=True)
class StopConditions:
    """When a run ends by itself.

    Attributes:
        budget_evaluations: So many evaluations of the objective, >= 1; None for no limit.
        final_target: End with the evaluation that hits the final target, 1e-8.

    Raises:
        ObservationError: The budget is no positive integer.
    """

    budget_evaluations: int | None = None
    final_target: bool = True

    def __post_init__(self) -> None:
        budget = self.budget_evaluations
        if budget is not None and (isinstance(budget, bool) or int(budget) != budget or budget < 1):
            raise ObservationError(
                f"budget_evaluations is {budget!r}; it must be an integer >= 1, or None"
            )
