"""From what a user says to matrices of problems × algorithms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from ...suites.errors import UnknownNameError
from ..errors import AssessmentError
from ..statistics.anytime.aocc import PrecisionScale
from ..targets.defaults import hardest
from .choice import Selectors, choose
from .notes import notes_on_targets
from .problem_matrix import (
    ProblemMatrix,
    matrices,
    of_areas,
    of_penalized_runtimes,
    of_runtimes,
)
from .run_areas import notes_on_areas, run_areas
from .target_choice import Asked, asked_run_sets

if TYPE_CHECKING:
    from ...loggers import Log

_OF_PROBLEMS = (
    "values are those of single problems (function, dimension, instance), over their runs"
)
MEASURES = ("art", "par10", "aocc")


def measured_matrices(
    log: Log,
    measure: str,
    targets: Asked,
    budget: float | str | None,
    axis: str,
    count: str | None = None,
    **selectors: Unpack[Selectors],
) -> tuple[list[ProblemMatrix], tuple[str, ...]]:
    """Matrices of a measure, and sentences on what they hold.

    Args:
        log: Where the runs are.
        measure: One of `MEASURES`.
        targets: Of runtimes, one; None for the hardest of each suite.
        budget: Of areas, see `run_areas`.
        axis: Unit of the budget.
        count: What an evaluation is; see `RunSet`.
        **selectors: Which runs.

    Raises:
        UnknownNameError: There is no such measure.
        AssessmentError: There are several targets, a target or budget that the measure does not
            take, or no common problem.
    """
    if measure not in MEASURES:
        raise UnknownNameError.of("measure", measure, MEASURES)
    if measure == "aocc":
        if targets is not None:
            raise AssessmentError("measure aocc takes a budget, no targets")
        scale = PrecisionScale()
        areas = run_areas(log, choose(log, **selectors), budget, axis, scale, count or "f+g")
        said = "value: mean area over the convergence curve; larger is better."
        return matrices(of_areas(areas), is_merit=True), (said, *notes_on_areas(areas, scale))
    if budget is not None:
        raise AssessmentError(f"measure {measure} takes a target, no budget")
    run_sets, wanted = asked_run_sets(log, targets, hardest, count, **selectors)
    notes = notes_on_targets(run_sets, wanted, _OF_PROBLEMS)
    hardness = ", ".join(dict.fromkeys(wanted.text(one.suite) for one in run_sets))
    if measure == "art":
        said = f"value: average runtime to {hardness}, inf where no run hit; smaller is better."
        return matrices(of_runtimes(run_sets), is_merit=False), (said, *notes)
    said = (
        f"value: PAR-10 to {hardness}, a failed run counting ten times the largest number of "
        "evaluations of any run here; smaller is better. Other algorithms may change that number."
    )
    return matrices(of_penalized_runtimes(run_sets), is_merit=False), (said, *notes)
