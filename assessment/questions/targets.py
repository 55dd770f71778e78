"""Targets that fit each function, from a reference or from the runs compared."""

from __future__ import annotations

from ..asking.declaration import question
from ..asking.options import Budgets, Reference
from ..data.runs import Runs
from ..data.target_choice import Way, chosen_targets
from ..data.targets_from_runs import Rule
from ..targets.target_sets import TargetTable


@question("Evaluations to targets", 90, counts=False, recommended=True)
def targets(
    runs: Runs,
    way: Way = "runlength",
    reference: Reference | None = None,
    budgets: Budgets | None = None,
    *,
    rule: Rule = "paper",
) -> TargetTable:
    """Sets of targets by name, such as run-length based ones.

    They fit each function; other questions take the table, or its CSV file, as ``targets``.

    runlength: for each budget the easiest of COCO's targets (five per decade) that the reference
    does not reach on average within it; 1e-8 if there is none. An algorithm that reaches it within
    the budget is better than the reference. Rules: paper, as said; paper-distinct, no target
    twice but 1e-8; cocopp, one step below the hardest target reached, divided again where equal;
    cocopp-unique, the same without the equal ones.

    The other ways depend on the runs compared, so another algorithm changes them and all numbers
    made with them. dynamic: five per decade from the easiest that every first evaluation hits.
    iohanalyzer-log, iohanalyzer-linear: ten from the worst to the best value. iohanalyzer-final:
    one, the best over algorithms of the 2 % quantile of final precisions.

    Args:
        way: How targets are chosen; see above.
        reference: Of run-length targets; in Python several algorithms, too, for their best. None:
            none; runlength needs one.
        budgets: Of run-length targets. None: 0.5, 1.2, 3, 10, 50 times the dimension.
        rule: Of run-length targets; see above.

    Returns:
        Columns: ``suite, function, dimension``; ``budget``, of run-length targets alone, in
        evaluations / dimension, NaN where the rule left some out; ``target``, a precision, easiest
        first.

    Raises:
        UnknownNameError: ``way`` or ``rule`` is unknown.
        AssessmentError: Reference and budgets are there without need, or no reference where one is
            needed; or it has no data for a function and dimension.
    """
    return chosen_targets(runs.log, runs.rows, way, reference, budgets, rule)
