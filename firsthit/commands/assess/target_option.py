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

    if reference is not None and not is_runlength(targets):
        raise AssessmentError(
            "reference: it is what --targets runlength are made from; give both or none"
        )
    return resolved(results, targets, reference, filters, budgets)


def resolved(
    results: Results,
    targets: str | None,
    reference: str | None,
    filters: dict[str, Any],
    budgets: str | None = None,
) -> str | TargetTable | None:
    """As `asked_targets`, where the reference has a meaning of its own, too."""
    from ...assessment.targets.target_sets import read_targets

    if is_runlength(targets):
        _, _, own = str(targets).partition(":")
        return results.targets(RUNLENGTH, reference, own or budgets, **filters)
    if targets is not None and targets.endswith(".csv"):
        return read_targets(targets)
    return targets


def is_runlength(targets: str | None) -> bool:
    """Whether ``--targets`` asks for run-length based targets."""
    return targets is not None and targets.partition(":")[0] == RUNLENGTH
