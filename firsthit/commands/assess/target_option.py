"""What ``--targets`` can say beyond numbers: run-length based targets, and a file of targets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ...assessment import Results, TargetTable

RUNLENGTH = "runlength"


def asked_targets(
    results: Results,
    targets: str | None,
    reference: str | None,
    filters: dict[str, Any],
    budgets: str | None = None,
) -> str | TargetTable | None:
    """The argument ``targets`` of a question, from ``--targets`` and ``--reference``.

    Args:
        results: What is asked.
        targets: Numbers and names, which pass as they are; ``runlength`` or ``runlength:BUDGETS``;
            or a file ``NAME.csv`` with columns suite, function, dimension, target.
        reference: For run-length based targets only.
        filters: What `choice` returned.
        budgets: Of ``runlength``.

    Raises:
        AssessmentError: There is a reference without run-length targets.
    """
    from ...assessment.errors import AssessmentError
    from ...assessment.target_sets import read_targets

    name, _, own = (targets or "").partition(":")
    if name == RUNLENGTH:
        return results.targets(RUNLENGTH, reference, own or budgets, **filters)
    if reference is not None:
        raise AssessmentError(
            "reference: it is what --targets runlength are made from; give both or none"
        )
    if targets is not None and targets.endswith(".csv"):
        return read_targets(targets)
    return targets
