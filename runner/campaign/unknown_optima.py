"""Problems without an optimal value, to which no target applies: said before the runs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress

from ...suites import Problem, definition, problem_of
from .campaign import RunSpec

_NAMED = 3


def note_on_unknown_optima(runs: Sequence[RunSpec]) -> str | None:
    """The sentence on problems without an optimal value; None where there are none.

    Of problems given, all are looked at; of a user's suite, the first of each function. An
    indicator that was asked for has a reference of its own: then nothing is looked at.
    """
    looked_at: dict[object, Problem] = {}
    for one in dict.fromkeys(run.problem for run in runs if run.rules.indicator is None):
        if isinstance(one, Problem):
            looked_at[one] = one
        elif (one.suite, one.function) not in looked_at and not definition(one.suite).is_built_in:
            with suppress(Exception):  # what is wrong with it, its run says
                looked_at[one.suite, one.function] = problem_of(
                    one.suite, one.function, one.dimension, one.instance
                )
    unknown = [one.id for one in looked_at.values() if math.isnan(one.reference_value)]
    if not unknown:
        return None
    return (
        f"no optimal value is known of {', '.join(unknown[:_NAMED])}"
        f"{', …' if len(unknown) > _NAMED else ''}: targets do not apply there, and only questions "
        "without targets, such as fixed budgets, are answered; problem_from(..., "
        "reference_value=...) takes the best value known"
    )
