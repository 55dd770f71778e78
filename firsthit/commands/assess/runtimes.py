"""Tables of the evaluations that targets take."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...terminal import options
from ...terminal.assessing import asked_targets, beside, question, resolved

if TYPE_CHECKING:
    from ...assessment import Results, Selectors, Table
    from ...terminal.assessing import AskedTargets


_whose_runtimes = options.chosen_from(
    "--runtimes",
    ["suite", "expected", "restarts", "runs"],
    "expected: of the algorithm restarted until it succeeds, as an exact distribution; restarts: "
    "the same by simulation; runs: of single runs, failures counting as never; suite: expected, "
    "but runs with two objectives.",
)


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
@options.targets("the suite's powers of ten, such as 1e1, 1e0, … 1e-8")
@options.reference("none; ratios to its aRT are added; --targets runlength needs one")
@options.count
@options.recommended
@options.interval("each average")
@options.seed("the intervals")
def art(
    results: Results,
    selectors: Selectors,
    targets: str | None,
    reference: str | None,
    interval: float | None,
    seed: int,
) -> Table:
    """Print the average runtime (aRT) to each target.

    aRT = evaluations of all runs until they hit the target or else ended / runs that hit it: an
    estimate of the expected evaluations of the algorithm restarted until it hits (COCO's aRT, also
    called ERT). A run that missed counts with the evaluations it spent itself. (3/15) says that 3
    of 15 runs hit; inf, that none did. With --reference, x1.5 [1.2, 1.9] is the ratio to the aRT
    of the reference and its interval.

    Intervals at 95 %, in simulated experiments with 5 to 30 runs and 19 laws of runtimes that have
    one mode and no heavy tail (benchmarks/interval_coverage.py): they held in 93 to 100 % for each
    law where all runs succeed, in 90 to 100 % at success rates 0.1, 0.3 and 0.6. At rates 0.8 and
    0.9 in 37 to 98 %: few runs often all hit by luck, and then intervals are too short; a note says
    by how much, for each evaluation that a failed run costs. With two modes or a heavy tail they
    held in 27 % at worst. [>= 123] stands where runs do not tell the upper end: fewer than three
    succeeded, or runtimes are very skew. Several runs of an instance count as one instance.
    """
    wanted = resolved(results, targets, reference, selectors)
    return results.art(
        wanted, interval=interval, seed=seed, reference=beside(targets, reference), **selectors
    )


def _checked(context: click.Context, option: click.Parameter, path: str | None) -> str | None:
    """Refuse a file that cannot be drawn into before logs are read."""
    if path is not None:
        from ...assessment.figures.ecdf import check_plot_path

        check_plot_path(path)
    return path


@question
@options.targets("the suite's, such as 51, 1e2 … 1e-8")
@options.group_by
@options.reference("none; its curves are added, thick in figures; --targets runlength needs one")
@_whose_runtimes
@options.axis
@options.count
@options.recommended
@options.unequal
@options.interval("each fraction")
@options.seed("simulated restarts, and of bands")
@click.option(
    "--plot",
    metavar="FILE",
    callback=_checked,
    help="Draw into FILE.png, .svg or .pdf, one file for each dimension and group "
    "(their names are appended where there are several).",
)
def ecdf(
    results: Results,
    selectors: Selectors,
    targets: str | None,
    reference: str | None,
    group_by: str,
    runtimes: str,
    axis: str,
    unequal: bool,
    interval: float | None,
    seed: int,
    plot: str | None,
) -> Table | None:
    """Print or draw runtime profiles: the share of function-target pairs solved in a budget.

    Every function-target pair weighs the same; dimensions are never joined. The cross is at the
    median over functions of the longest run that missed the hardest target: right of it a profile
    rests on simulated restarts.

    --interval adds a band by a bootstrap over runs, pointwise: at a budget named beforehand, within
    the longest run. 95 % bands of one and of eight simulated functions held in 93 to 100 % of
    experiments with 5 to 30 runs (benchmarks/band_coverage.py), but with one function whose runs
    must find a basin that one start in ten finds, in 84 % (5 runs), 88 % (15), 91 % (30). Beyond
    the longest run they know only targets that some run reached.

    With --plot, the numbers are printed only if --format asks for them.
    """
    from ...assessment.figures.ecdf import save_ecdf

    wanted = resolved(results, targets, reference, selectors, "0.5..50/15")
    table = results.ecdf(
        wanted,
        group_by=group_by,
        runtimes=runtimes,
        axis=axis,
        seed=seed,
        interval=interval,
        unequal=unequal,
        reference=beside(targets, reference),
        **selectors,
    )
    if plot is None:
        return table
    for file in save_ecdf(table, plot):
        click.echo(f"wrote {file}", err=True)
    return table if options.is_given("form") else None


@question
@asked_targets("the suite's, such as 51, 1e2 … 1e-8", budgets="0.5..50/15")
@options.one_budget("Where the area ends", required=True)
@options.group_by
@_whose_runtimes
@options.axis
@options.count
@options.recommended
@options.unequal
@options.seed("simulated restarts")
def areas(
    results: Results,
    selectors: Selectors,
    targets: AskedTargets,
    budget: str,
    group_by: str,
    runtimes: str,
    axis: str,
    unequal: bool,
    seed: int,
) -> Table:
    """Print the area under each runtime profile up to --budget, and its geometric mean runtime."""
    from ...assessment import ProfileOptions, Simulation

    profile = ProfileOptions(group_by, runtimes, axis, simulation=Simulation(seed))
    return results.areas(targets, budget=budget, options=profile, unequal=unequal, **selectors)


@question
@asked_targets("the suite's powers of ten, such as 1e1, 1e0, … 1e-8")
@options.chosen_from(
    "--convention", ["suite", "restarts", "runs", "iohanalyzer"], "Whose statistics; see above."
)
@options.one_budget("Runs count as if stopped after it", "as they are")
@options.axis
@click.option(
    "--penalty", type=float, default=1.0, show_default=True, metavar="K", help="Of PAR-k."
)
@options.chosen_from(
    "--balance",
    ["runs", "instances"],
    "Each run counts once, or runs are copied until all instances have equally many, as in cocopp.",
)
@options.count
@options.recommended
def fixed_target(
    results: Results,
    selectors: Selectors,
    targets: AskedTargets,
    convention: str,
    budget: str | None,
    axis: str,
    penalty: float,
    balance: str,
) -> Table:
    """Print statistics of the evaluations to each target, by convention.

    restarts: of the algorithm restarted until it succeeds. art, the average runtime = evaluations
    of all runs until they hit or ended / successes; quantiles and geometric mean of the exact
    distribution that the runs stand for. A quantile is about one run with restarts: it is no
    confidence interval of art.

    suite: as restarts, but with two objectives no restarts are simulated: quantiles and geometric
    mean are those of runs there.

    runs: of single runs. Quantiles (hazen) count failures as infinite; mean, sd and geometric mean
    are over successful runs alone, so they must not be compared without the success rate.

    iohanalyzer: IOHanalyzer's set under its names. mean, median, sd and quantiles (type 3) over
    successful runs, PAR-k (failures count k budgets) and ERT with one budget for all runs, the
    largest that was spent or --budget.
    """
    from ...assessment import FixedTargetOptions
    from ...assessment.targets.budgets import one_budget

    stop = None if budget is None else one_budget(budget, axis)
    statistics = FixedTargetOptions(convention, stop, axis, penalty, balance)
    return results.fixed_target(targets, options=statistics, **selectors)


@question
@asked_targets("the suite's powers of ten, such as 1e1, 1e0, … 1e-8")
@options.count
@options.recommended
@options.interval("each average")
@options.seed("the intervals")
def scaling(
    results: Results,
    selectors: Selectors,
    targets: AskedTargets,
    interval: float | None,
    seed: int,
) -> Table:
    """Print the average runtime divided by the dimension, by dimension, with its dispersion.

    Of each function and target; percentiles are those of single runtimes, with restarts on
    one objective.
    """
    return results.scaling(targets, seed=seed, interval=interval, **selectors)


@question
@options.targets("1e1, 1e-1, 1e-4, 1e-8, or four of the suite's")
@options.budgets("1, 10, 100, … up to the longest run")
@options.group_by
@options.reference("none; the distribution of its average runtimes is added")
@options.count
@options.recommended
@options.unequal
def joint(
    results: Results,
    selectors: Selectors,
    targets: str | None,
    budgets: str | None,
    group_by: str,
    reference: str | None,
    unequal: bool,
) -> Table:
    """Print the distribution of runtimes to each target, and of precisions at each budget.

    Both are of single runs, without restarts, and meet: at the hardest target, the curve of a
    budget begins where the curve of that target is at the budget. `firsthit figures --kinds joint`
    draws them side by side, as COCO's papers of 2010 did.
    """
    return results.joint(
        targets, budgets, group_by=group_by, reference=reference, unequal=unequal, **selectors
    )


@question
@asked_targets("the suite's powers of ten, such as 1e1, 1e0, … 1e-8")
@options.count
@options.recommended
def runtimes(results: Results, selectors: Selectors, targets: AskedTargets) -> Table:
    """Print the evaluation at which each run first hit each target; inf where it did not."""
    return results.runtimes(targets, **selectors)


@question
@asked_targets("the suite's powers of ten, such as 1e1, 1e0, … 1e-8")
@options.shape
@options.count
@options.recommended
def runtime_shapes(
    results: Results, selectors: Selectors, targets: AskedTargets, shape: str
) -> Table:
    """Print kernel densities, or masses, of the runtimes of single runs to each target.

    Runs that missed the target are no part of a density; their share is in its notes.
    """
    return results.runtime_shapes(targets, shape=shape, **selectors)


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
