"""``firsthit assess compare``: algorithms against each other and against a reference."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...terminal.assessing import (
    asked_targets,
    budgets,
    chosen_from,
    count,
    format_,
    given,
    question,
    reference,
    resolved,
    seed,
    targets,
)

if TYPE_CHECKING:
    from ...assessment import Results, Selectors, Table

_VIEWS = ("pairs", "table", "loss", "best", "contributions", "scaling", "scatter", "ratios")


@click.command()
@question
@chosen_from("--show", _VIEWS, "Which comparison; see above.")
@targets("pairs: the final one; others: those of COCO's figure, or the suite's")
@budgets("of loss: 2, 10, 100, … up to the largest aRT")
@reference("none; loss: best")
@click.option("--against", metavar="NAME", help="Compare each with this algorithm [default: all].")
@chosen_from(
    "--correction",
    ["holm", "bonferroni", "none"],
    "Of the p-values of a pair of algorithms, over its functions, dimensions, targets.",
)
@click.option(
    "--alpha",
    type=float,
    default=0.05,
    show_default=True,
    help="A corrected p-value up to this decides.",
)
@count
@seed("the intervals")
@format_
def command(
    results: Results,
    selectors: Selectors,
    show: str,
    targets: str | None,
    budgets: str | None,
    reference: str | None,
    against: str | None,
    correction: str,
    alpha: float,
    seed: int,
) -> Table:
    """Compare algorithms, function by function; dimensions are never joined.

    \b
    pairs          aRT ratio of each two with its 95 % interval, rank-sum test,
                   conclusion: who is faster, or how many more instances it takes
    table          COCO's table: aRT by that of --reference, dispersion,
                   successes, significance of the best; made for --format latex
    loss           how many times longer than --reference, by budget
    best           the smallest aRT to each target, and whose it is
    contributions  how many targets each algorithm is best on
    scaling        aRT / dimension with interval and dispersion
    scatter        aRT of two algorithms as points
    ratios         distribution of the runtime ratios of two algorithms

    The test ranks runs by their evaluations to the target; runs that missed it come after, by the
    precision they had when the shortest of them ended. It is exact up to 60 runs. P-values are
    corrected for all rows of a pair, so that a pair without any difference gets a conclusion with
    probability at most --alpha. "more instances" assumes that the difference seen is the true one
    (power 0.8, Noether 1987). Where instances have several runs, runs are exchanged within the
    instances that both algorithms have, or whole instances if they share fewer than half.

    Intervals are those of `firsthit assess art`, of a quotient. They are drawn out to 1 where the
    test does not decide, so that a ratio never contradicts the conclusion beside it.
    """  # noqa: D301 - click's mark of a paragraph that it leaves as it is
    from ...assessment.statistics.intervals import Resampling
    from ...assessment.views.comparison.compare import CompareOptions

    _refuse_unused(show)
    if show == "loss":
        return results.loss(reference or "best", budgets, **selectors)
    if show == "table":
        wanted = resolved(results, targets, reference, selectors)
        return results.performance(wanted, reference, **selectors)
    wanted = asked_targets(results, targets, reference, selectors)
    if show == "scaling":
        return results.scaling(wanted, seed=seed, interval=0.95, **selectors)
    if show == "best":
        return results.best_reference(wanted, **selectors)
    if show == "contributions":
        return results.best_reference(wanted, **selectors).contributions()
    if show == "pairs":
        options = CompareOptions(against, correction, alpha, Resampling(seed=seed))
        return results.compare(wanted, options=options, **selectors)
    compared = results.scatter if show == "scatter" else results.ratios
    return compared(*_two(results, selectors), wanted, **selectors)


_USED = {
    "pairs": ("targets", "reference", "against", "correction", "alpha", "seed"),
    "table": ("targets", "reference"),
    "loss": ("reference", "budgets"),
    "best": ("targets", "reference"),
    "contributions": ("targets", "reference"),
    "scaling": ("targets", "reference", "seed"),
    "scatter": ("targets", "reference"),
    "ratios": ("targets", "reference"),
}
"""Which of these options a view uses."""


def _refuse_unused(view: str) -> None:
    """Refuse an option that the view does not look at.

    Raises:
        click.UsageError: One was given.
    """
    for name in sorted({name for names in _USED.values() for name in names} - {*_USED[view]}):
        if given(name):
            users = ", ".join(other for other, names in _USED.items() if name in names)
            raise click.UsageError(f"--{name} is of no use to --show {view}; it is for {users}")


def _two(results: Results, selectors: Selectors) -> tuple[str, str]:
    """The two algorithms chosen, or there."""
    names = list(selectors["algorithms"] or results.algorithms)
    if len(names) != 2:
        raise click.UsageError(
            f"this compares two algorithms, not {len(names)}: name them with --algorithms A,B; "
            f"the logs hold {', '.join(results.algorithms)}"
        )
    return names[0], names[1]
