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
