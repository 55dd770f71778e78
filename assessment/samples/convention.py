"""Conventions: how a table counts runs, and the clauses that state it in the notes.

A question declares a `Convention` with the decorator ``@question``. Two notes below its table come
from the convention. The note on the number of runs ends with `Convention.sentence`. If some runs
failed, timed out or were interrupted, a second note gives their number and ends with
`Convention.failed`. Questions share the conventions below; a question with other rules makes its
own.

In the clauses, an *unsuccessful* run is a run that missed the target, and ``{unit}`` stands for
evaluations or seconds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..hits.run_sets import RunSet


def _never_restarted(run_set: RunSet) -> bool:
    return False


def _always_restarted(run_set: RunSet) -> bool:
    return True


@dataclass(frozen=True)
class Convention:
    """The rule by which a table counts runs, as clauses for its notes.

    Attributes:
        sentence: A clause on how runs count, without a capital letter and a full stop. Empty: the
            note gives the numbers of runs and instances only.
        failed: A clause on how the runs count that failed, timed out or were interrupted. Its
            subject ``they`` stands for these runs. Empty: the note gives their number only.
        restarted: A function that takes the runs of one algorithm on one function and dimension.
            It returns whether the table shows runtimes of the algorithm with restarts for them.
            Default: it returns False. The caveat on biased restarts asks it.

    Example:
        >>> from firsthit.assessment import Convention
        >>> convention = Convention("each counts once", failed="they count as any other run")
        >>> convention.with_more("repeated runs are averaged").sentence
        'each counts once; repeated runs are averaged'
    """

    sentence: str
    failed: str = "they count with all their {unit}"
    restarted: Callable[[RunSet], bool] = field(default=_never_restarted, repr=False)

    def with_more(self, sentence: str) -> Convention:
        """Return a copy whose sentence ends with a semicolon and this further clause."""
        return replace(self, sentence=f"{self.sentence}; {sentence}")


EACH_RUN = Convention("each counts once, unsuccessful runs with all their {unit}")
"""For averages, such as the average runtime. A run without a hit adds its cost to the sum.

Example:
    >>> from firsthit.assessment import EACH_RUN
    >>> EACH_RUN.sentence.format(unit="evaluations")
    'each counts once, unsuccessful runs with all their evaluations'
"""
RESTARTED = replace(EACH_RUN, restarted=_always_restarted)
"""For runtimes of the algorithm if it is restarted until it hits the target.

Example:
    >>> from firsthit.assessment import EACH_RUN, RESTARTED
    >>> RESTARTED.sentence == EACH_RUN.sentence
    True
"""
SINGLE_RUNS = Convention(
    "each counts once, unsuccessful runs as never reaching the target",
    failed="they count; targets that they missed count as never reached",
)
"""For runtimes of single runs. A run without a hit has the runtime infinity.

Example:
    >>> from firsthit.assessment import SINGLE_RUNS
    >>> SINGLE_RUNS.sentence
    'each counts once, unsuccessful runs as never reaching the target'
"""
LAST_VALUE = Convention(
    "each counts once, after its end with its last value",
    failed="they count, after their end with their last value",
)
"""For precisions at budgets. A run that ended before the budget has its last precision there.

Example:
    >>> from firsthit.assessment import LAST_VALUE
    >>> LAST_VALUE.sentence
    'each counts once, after its end with its last value'
"""
ONCE = Convention("each counts once")
"""For numbers of runs and for sums over runs, where a failed run counts as any other.

Example:
    >>> from firsthit.assessment import ONCE
    >>> ONCE.with_more("failed runs are repeated").sentence
    'each counts once; failed runs are repeated'
"""
UNDECLARED = Convention("", failed="")
"""For questions that declare no convention. The notes give the numbers of runs only."""

Conventions = Convention | tuple[Convention | None, ...] | Callable[..., Convention | None] | None
"""What a question may declare as its convention.

- A `Convention` applies to all samples of the question.
- A tuple contains the convention of each sample, or None.
- A function takes a sample and the options. It returns the convention of the sample, or None.
- None alone means `UNDECLARED`.

None in a tuple or from a function: the table has no notes on the runs of the sample.
"""
