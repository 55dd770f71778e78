"""What was chosen when a report was made, in words, and how each choice is changed."""

from __future__ import annotations

import numpy as np

from ..asking.context import Context
from ..data.selection import references_of

_COUNTED = {
    "f+g": "evaluations of the objective and of the constraints, as COCO counts (f+g)",
    "f": "evaluations of the objective alone (f)",
    "g": "evaluations of the constraints alone (g)",
    "seconds": "seconds of each run (seconds)",
    "mixed-seconds": "seconds of each run, of several clocks (mixed-seconds)",
}


def choice_rows(context: Context) -> list[dict[str, str]]:
    """Rows ``{name, here, change}``: targets, reference, unequal sets, counts, seed."""
    own = context.choices
    unequal = (
        "all runs of each algorithm; * marks who lacks functions or instances that another has"
        if own.unequal
        else "the answer and profiles use only functions, dimensions and instances that all "
        "algorithms were run on; tables and the other figures use all runs, and mark by * who "
        "lacks some"
    )
    rows = (
        ("targets", context.targets_text, "firsthit report LOGS --targets 1e1,1e-1,1e-8"),
        (
            "runtimes in profiles",
            "of the algorithm restarted until it succeeds (exact distribution)"
            + "; with two objectives, of runs as they are" * bool(context.by_hypervolume),
            "firsthit assess ecdf LOGS --runtimes runs",
        ),
        (
            "reference",
            "none" if context.reference is None else context.reference[1],
            "firsthit report LOGS --reference NAME, best, or a file of COCO's reference data; "
            "ratios to the least and to an algorithm: above the table of average runtimes",
        ),
        *_hypervolume(context),
        ("unequal sets", unequal, "firsthit report LOGS --unequal"),
        ("what counts", _COUNTED[own.count or "f+g"], "firsthit report LOGS --count f"),
        ("seed of all that is random", str(own.seed), "firsthit report LOGS --seed 2"),
    )
    return [{"name": name, "here": here, "change": change} for name, here, change in rows]


def _hypervolume(context: Context) -> list[tuple[str, str, str]]:
    """The row on what hypervolumes are measured from; none without two objectives."""
    if not context.by_hypervolume:
        return []
    names = references_of(context.log, np.arange(len(context.log)))
    here = ", ".join(f"{name} ({runs} runs)" for name, runs in names.items()) or "not known"
    change = "firsthit report LOGS --hypervolume-reference archive"
    return [("reference of hypervolumes", here, change)]
