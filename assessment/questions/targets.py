"""Choose targets for each function, from a reference or from the compared runs."""

from __future__ import annotations

from collections.abc import Iterable

from ..caveats import TARGETS_FROM_RUNS
from ..grouping import CellRuns
from ..notes import notes_on_targets
from ..samples.sample import Answer, Sample
from ..target_choice import Way, chosen_targets
from ..targets.target_sets import TargetTable
from ..targets_from_runs import Rule
from ._framework.needs import runs_alone
from ._framework.options import Budgets, Reference
from ._framework.question import question


@question(
    "Evaluations to targets",
    90,
    needs=runs_alone,
    convention=(None,),
    counts=False,
    recommended=True,
    examples=(
        "results/quickstart.h5 --reference best --functions 8",
        "results/quickstart.h5 --way dynamic --format csv",
    ),
)
def targets(
    sample: Sample[CellRuns],
    way: Way = "runlength",
    reference: Reference | None = None,
    budgets: Budgets | None = None,
    *,
    rule: Rule = "paper",
) -> TargetTable:
    """Choose sets of targets by name, such as run-length based ones.

    Each function gets its own targets. Other tables take a CSV file of this table with the option
    '--targets FILE.csv'.

    runlength: for each budget, the easiest of COCO's targets (five per decade) that the reference
    does not reach on average within the budget; 1e-8 if it reaches all. An algorithm that reaches
    this target within the budget is better than the reference. The rule paper is this definition.
    With paper-distinct, no target except 1e-8 occurs twice. With cocopp, the target is one step
    harder than the hardest target that the reference reached; it is made harder again if two
    targets would be equal. cocopp-unique is cocopp without equal targets.

    The other ways depend on the compared runs. If another algorithm is added, they give other
    targets, and all numbers at these targets change. dynamic: five per decade, from the easiest
    target that every first evaluation hits. iohanalyzer-log, iohanalyzer-linear: ten targets from
    the worst to the best value. iohanalyzer-final: one target, the best over algorithms of the 2 %
    quantile of final precisions.

    Args:
        way: Method that chooses the targets, as described above.
        reference: Run-length targets are computed from it. In Python, a list of algorithms means
            the best of them. None: no reference; runlength needs one.
        budgets: Run-length targets are computed for them. None: 0.5, 1.2, 3, 10, 50 times the
            dimension.
        rule: Rule of run-length targets, as described above.

    Returns:
        One row for each ``suite``, ``function``, ``dimension`` and ``target``. ``target`` is a
        precision; the easiest is first. Run-length targets also have a column ``budget``, in
        evaluations / dimension; it is NaN if the rule left some targets out.

    Raises:
        UnknownNameError: ``way`` or ``rule`` is unknown.
        AssessmentError: The way does not use the given reference or budgets, the way needs a
            reference, or the reference has no data for a function and dimension.
    """
    return chosen_targets(sample.log, sample.rows, way, reference, budgets, rule)


@targets.caveat(explains=[TARGETS_FROM_RUNS])
def what_targets_rest_on(sample: Sample[CellRuns], answer: Answer) -> Iterable[str]:
    """State how targets were chosen, and which runs they were computed from."""
    assert isinstance(answer.table, TargetTable)
    return (*answer.table.notes, *notes_on_targets(answer.table.rests_on))
