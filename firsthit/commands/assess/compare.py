"""``firsthit assess compare``: algorithms against each other and against a reference."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from .options import budgets, choice, format_, load, reference, seed, selection, show, targets
from .target_option import asked_targets, resolved

if TYPE_CHECKING:
    from ...assessment import Results, Table, TargetTable

_VIEWS = ("pairs", "table", "loss", "best", "contributions", "scaling", "scatter", "ratios")


@click.command()
@selection
@click.option(
    "--show",
    "view",
    type=click.Choice(_VIEWS),
    default="pairs",
    show_default=True,
    help="Which comparison; see above.",
)
@targets("pairs: the final one; others: those of COCO's figure, or the suite's")
@budgets("of loss: 2, 10, 100, … up to the largest aRT")
@reference("none; loss: best")
@click.option("--against", metavar="NAME", help="Compare each with this algorithm [default: all].")
@click.option(
    "--correction",
    type=click.Choice(["holm", "bonferroni", "none"]),
    default="holm",
    show_default=True,
    help="Of the p-values of a pair of algorithms, over its functions, dimensions, targets.",
)
@click.option(
    "--alpha",
    type=float,
    default=0.05,
    show_default=True,
    help="A corrected p-value up to this decides.",
)
@seed("the intervals and the simulated restarts")
@format_()
def command(
    logs: Sequence[str],
    view: str,
    targets: str | None,
    budgets: str | None,
    reference: str | None,
    against: str | None,
    correction: str,
    alpha: float,
    seed: int,
    form: str,
    **filters: Any,
) -> None:
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
    (power 0.8, Noether 1987).

    Intervals of aRT hold at 93 to 97 % with 15 runs, success rates of 0.3 to 0.6 and usual
    distributions of runtimes, and with runs that all succeed unless runtimes are very skew (91 %).
    Where all runs succeed by luck (a true rate of 0.9 gives 15 of 15 in 1 of 5 experiments) they
    are too short: what a failure costs is then unknown.
    """  # noqa: D301 - click's mark of a paragraph that it leaves as it is
    _refuse_unused(view)
    results = load(logs)
    chosen = choice(results, filters)
    of = resolved if view in ("table", "loss") else asked_targets
    wanted = of(results, targets, reference, chosen)
    asked = _Asked(wanted, budgets, reference, against, correction, alpha, seed)
    show(_ANSWERS[view](results, asked, chosen), form)


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
    context = click.get_current_context()
    for name in sorted({name for names in _USED.values() for name in names} - {*_USED[view]}):
        if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            users = ", ".join(other for other, names in _USED.items() if name in names)
            raise click.UsageError(f"--{name} is of no use to --show {view}; it is for {users}")


@dataclass(frozen=True)
class _Asked:
    """What the options ask for."""

    targets: str | TargetTable | None
    budgets: str | None
    reference: str | None
    against: str | None
    correction: str
    alpha: float
    seed: int


def _pairs(results: Results, asked: _Asked, chosen: dict[str, Any]) -> Table:
    from ...assessment.statistics.intervals import Resampling
    from ...assessment.views.comparison.compare import CompareOptions

    resampling = Resampling(seed=asked.seed)
    options = CompareOptions(asked.against, asked.correction, asked.alpha, resampling)
    return results.compare(asked.targets, options=options, **chosen)


def _table(results: Results, asked: _Asked, chosen: dict[str, Any]) -> Table:
    return results.performance(asked.targets, asked.reference, **chosen)


def _loss(results: Results, asked: _Asked, chosen: dict[str, Any]) -> Table:
    return results.loss(asked.reference or "best", asked.budgets, **chosen)


def _best(results: Results, asked: _Asked, chosen: dict[str, Any]) -> Table:
    return results.best_reference(asked.targets, **chosen)


def _contributions(results: Results, asked: _Asked, chosen: dict[str, Any]) -> Table:
    return results.best_reference(asked.targets, **chosen).contributions()


def _scaling(results: Results, asked: _Asked, chosen: dict[str, Any]) -> Table:
    return results.scaling(asked.targets, seed=asked.seed, interval=0.95, **chosen)


def _scatter(results: Results, asked: _Asked, chosen: dict[str, Any]) -> Table:
    return results.scatter(*_two(results, chosen), asked.targets, **_others(chosen))


def _ratios(results: Results, asked: _Asked, chosen: dict[str, Any]) -> Table:
    return results.ratios(*_two(results, chosen), asked.targets, **_others(chosen))


_ANSWERS: dict[str, Callable[[Results, _Asked, dict[str, Any]], Table]] = {
    "pairs": _pairs,
    "table": _table,
    "loss": _loss,
    "best": _best,
    "contributions": _contributions,
    "scaling": _scaling,
    "scatter": _scatter,
    "ratios": _ratios,
}


def _two(results: Results, chosen: dict[str, Any]) -> tuple[str, str]:
    """The two algorithms chosen, or there."""
    names = chosen["algorithm"] or list(results.algorithms)
    if len(names) != 2:
        raise click.UsageError(
            f"this compares two algorithms, not {len(names)}: name them with --algorithms A,B; "
            f"the logs hold {', '.join(results.algorithms)}"
        )
    return names[0], names[1]


def _others(chosen: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in chosen.items() if name != "algorithm"}
