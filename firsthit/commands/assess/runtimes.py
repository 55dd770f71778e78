"""Tables of the evaluations that targets take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...terminal import options
from ...terminal.assessing import question

if TYPE_CHECKING:
    from ...assessment import Results, Selectors, Table


@question
@options.count
@options.recommended
def summary(results: Results, selectors: Selectors) -> Table:
    """Print the table that `firsthit run` prints: how much each algorithm reached, and how fast.

    pairs solved: share of function-target pairs that at least one run hit. functions to 1e-8: on
    how many functions at least one run hit it. aRT to 1e-8: geometric mean of average runtimes over
    the functions on which every algorithm hit it ("over 3"), so that means compare; none where
    there is no such function.
    """
    return results.summary(**selectors)


@question
@options.chosen_from(
    "--way",
    ["runlength", "dynamic", "iohanalyzer-log", "iohanalyzer-linear", "iohanalyzer-final"],
    "How targets are chosen; see above.",
)
@options.reference("none; runlength needs one")
@options.budgets("0.5, 1.2, 3, 10, 50")
@options.chosen_from(
    "--rule",
    ["paper", "paper-distinct", "cocopp", "cocopp-unique"],
    "Of run-length targets; see above.",
)
@options.recommended
def targets(
    results: Results,
    selectors: Selectors,
    way: str,
    reference: str | None,
    budgets: str | None,
    rule: str,
) -> Table:
    """Print targets that fit each function; as CSV they can be given to --targets.

    runlength: for each budget the easiest of COCO's targets (five per decade) that the reference
    does not reach on average within it; 1e-8 if there is none. An algorithm that reaches it within
    the budget is better than the reference. Rules: paper, as said; paper-distinct, no target
    twice but 1e-8; cocopp, one step below the hardest target reached, divided again where equal;
    cocopp-unique, the same without the equal ones.

    The other ways depend on the runs compared, so another algorithm changes them and all numbers
    made with them. dynamic: five per decade from the easiest that every first evaluation hits.
    iohanalyzer-log, iohanalyzer-linear: ten from the worst to the best value. iohanalyzer-final:
    one, the best over algorithms of the 2 % quantile of final precisions.
    """
    return results.targets(way, reference, budgets, rule=rule, **selectors)
