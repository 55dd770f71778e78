"""Data profiles of Moré and Wild, and performance profiles of Dolan and Moré.

Both are distributions of the effort to solve problems, in the sense of `convergence_test`. A data
profile measures the effort in simplex gradients, a performance profile by its ratio to the effort
of the fastest algorithm.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Unpack

import numpy as np

from ..caveats import Explanation, curves_may_lie_too_high, precisions_are_indicator_values
from ..cost import is_seconds
from ..errors import AssessmentError
from ..figures.axes import FigureOptions, add_title_above, by_algorithm, chosen, size_of, split
from ..figures.style import add_legend, add_names_below, blank_figure
from ..samples.convention import LAST_VALUE, Convention
from ..samples.curves import Curves
from ..samples.sample import Answer
from ..tables.table import Table, Value, stacked
from ._framework.needs import curves
from ._framework.options import Budget, Tolerances
from ._framework.question import question
from .convergence_test import Best, SolutionTimes, find_solution_times, tabulate_profiles

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..statistics.quantiles import Floats
    from ._framework.cell import Cell

_NAMES = ("suite", "dimension")
_MAX_PANELS = {"column": 3, "page": 5}
"""Number of panels that remain legible, by width of the figure."""
_CONVENTION = Convention(
    "each problem (function, instance, repetition) has the same weight",
    failed=LAST_VALUE.failed,
)


@question(
    "Algorithms over all functions of a dimension",
    60,
    needs=curves(takes_axis=False),
    convention=_CONVENTION,
    joins=True,
    examples=(
        "results/quickstart.h5 --plot data-profile.pdf",
        "results/quickstart.h5 --tau 1e-3 --budget 100*D",
    ),
    explains=[
        Explanation(
            "f(x0)",
            "f(x0): unknown on 3 problems; the worst first finite value of all runs is used.",
            "A problem counts as solved if the initial value was reduced enough. This value is "
            "unknown, because the suite is not installed.",
            "Install the package of the suite, because the substitute may change which problems "
            "count as solved.",
        ),
        Explanation(
            "surplus runs",
            "surplus runs: 2 on instances where another algorithm has fewer; left out, but "
            "--unequal (unequal=True) uses all runs.",
            "Profiles compare equally many runs on each instance, because each run counts as one "
            "problem.",
            "Run all algorithms equally often. With --unequal, instances with more runs have more "
            "weight.",
        ),
    ],
)
def data_profile(
    sample: Curves,
    tau: Tolerances = "1e-1,1e-3,1e-5",
    *,
    budget: Budget | None = None,
    reference: Best = "best",
) -> Table:
    """Compute data profiles (Moré and Wild): problems solved within simplex gradients.

    A simplex gradient is dimension + 1 evaluations. A run solves its problem at its first
    evaluation with f(x0) - f >= (1 - tau) (f(x0) - f_L). x0 is the initial solution of the suite,
    whose value is computed. If the suite is not available, f(x0) is the worst first finite
    value of all runs on the problem. A problem is a function, an instance, and the number of the
    run on it. Source: Moré and Wild (2009), SIAM J. Optim. 20(1), equations 2.2 and 2.8.

    Args:
        tau: Tolerances of the test, between 0 and 1.
        budget: Budget of the test; later values are ignored. None: all values count.
        reference: Definition of f_L. best: the best value of all algorithms within the budget, so
            that a further algorithm may change all numbers; optimum: the known optimum.

    Returns:
        One row for each point of a curve; ``algorithm``, ``suite``, ``dimension`` and ``tau``
        identify the curve. ``simplex_gradients`` is evaluations divided by dimension + 1, at each
        increase of the share and at the end of the longest curve. ``fraction`` is the share of
        problems solved within this number.

    Raises:
        AssessmentError: A suite has two objectives, a tau is not between 0 and 1, the optimum is
            requested and unknown, or seconds are counted.
    """
    if is_seconds(sample.count):
        raise AssessmentError(
            "count: data profiles count simplex gradients, which are dimension + 1 evaluations, "
            "and not seconds; performance-profile does"
        )
    results, notes = find_solution_times(sample, tau, budget, reference)
    gradients = [
        {name: times / (result.dimension + 1) for name, times in result.times.items()}
        for result in results
    ]
    return _profile_table("simplex_gradients", results, gradients, notes)


def _profile_table(
    column: str,
    results: Sequence[SolutionTimes],
    scaled_times: Sequence[Mapping[str, Floats]],
    notes: tuple[str, ...],
) -> Table:
    """Return the table of the shares of problems solved within scaled times.

    Args:
        column: Column title of the scaled times.
        results: When runs pass the test, in each suite and dimension.
        scaled_times: For each of ``results``, times by algorithm, shaped as in `SolutionTimes`.
        notes: Notes of the table.
    """
    rows: list[list[Value | Floats]] = []
    for result, times in zip(results, scaled_times, strict=True):
        rows += tabulate_profiles(result, times)
    return Table(
        stacked(("algorithm", "suite", "dimension", "tau", column, "fraction"), rows), notes
    )


@data_profile.figure(
    "data-profile",
    cells="suite dimension",
    caption="Data profiles on {place} (Moré and Wild 2009): share of problems solved within "
    "a number of simplex gradients, which are evaluations / (dimension + 1); a panel for each "
    "tolerance tau.",
)
def draw_data_profile(table: Table, **options: Unpack[FigureOptions]) -> Figure:
    """Draw data profiles, a panel for each tolerance.

    Args:
        table: The table of `data_profile`.
        **options: ``suite`` and ``dimension`` select the curves.
    """
    name = "evaluations / (dimension + 1)"
    return _draw(table, "simplex_gradients", name, 10, options)


@question(
    "Algorithms over all functions of a dimension",
    70,
    needs=curves(takes_axis=False),
    convention=_CONVENTION,
    joins=True,
    examples=(
        "results/quickstart.h5 --plot profile.pdf",
        "results/quickstart.h5 --tau 1e-3",
    ),
    explains=[
        Explanation(
            "f(x0)",
            "f(x0): unknown on 3 problems; the worst first finite value of all runs is used.",
            "A problem counts as solved if the initial value was reduced enough. This value is "
            "unknown, because the suite is not installed.",
            "Install the package of the suite, because the substitute may change which problems "
            "count as solved.",
        ),
        Explanation(
            "surplus runs",
            "surplus runs: 2 on instances where another algorithm has fewer; left out, but "
            "--unequal (unequal=True) uses all runs.",
            "Profiles compare equally many runs on each instance, because each run counts as one "
            "problem.",
            "Run all algorithms equally often. With --unequal, instances with more runs have more "
            "weight.",
        ),
    ],
)
def performance_profile(
    sample: Curves,
    tau: Tolerances = "1e-1,1e-3,1e-5",
    *,
    budget: Budget | None = None,
    reference: Best = "best",
) -> Table:
    """Compute performance profiles (Dolan and Moré): problems solved by ratio to the best.

    The ratio is the number of evaluations of a run divided by that of the fastest algorithm on the
    same problem. The share at ratio 1 is the share of problems on which an algorithm is the
    fastest. Solved, problem, tau, f(x0) and f_L are defined as for data-profile. Ratios depend on
    all algorithms: of three, the order of the last two may change with the first (Gould and Scott
    2016). Source: Dolan and Moré (2002), Math. Program. 91.

    Args:
        tau: Tolerances of the test, between 0 and 1.
        budget: Budget of the test; later values are ignored. None: all values count.
        reference: Definition of f_L. best: the best value of all algorithms within the budget;
            optimum: the known optimum.

    Returns:
        One row for each point of a curve; ``algorithm``, ``suite``, ``dimension`` and ``tau``
        identify the curve. ``ratio`` is at least 1; it takes the values at which the share
        increases and the end of the longest curve. ``fraction`` is the share of problems that are
        solved within ``ratio`` times the evaluations of the fastest algorithm.

    Raises:
        AssessmentError: `data_profile` cannot be computed.
    """
    results, notes = find_solution_times(sample, tau, budget, reference)
    return _profile_table(
        "ratio", results, [_divide_by_fastest(result) for result in results], notes
    )


_REPLACED = (curves_may_lie_too_high, precisions_are_indicator_values)


_SOLVED_PROBLEMS = [
    Explanation(
        "solved",
        "solved: f(x0)-f >= (1-tau) (f(x0)-f_L), x0: initial solution, f_L: best value of all "
        "algorithms; a further algorithm can change it.",
        "A problem is solved if the run made a given share of the best known improvement. A "
        "better algorithm makes this condition harder for all.",
        "Give --reference optimum, so that curves do not depend on the other algorithms.",
        is_definition=True,
    ),
    Explanation(
        "upper bounds",
        "upper bounds: 3 of 30 runs may have solved their problems earlier; their logs lack some "
        "improvements (record: improvements).",
        "The log records first hits of targets. The condition of a profile is another target, so "
        "a run may have met it earlier.",
        "Set record: improvements in the campaign, because then profiles are exact.",
    ),
    Explanation(
        "exact",
        "exact: the logs contain every improvement.",
        "The logs contain every improvement, so no number of the figure is only a bound.",
        "Nothing: the numbers have no error of recording.",
        is_definition=True,
    ),
]


@data_profile.caveat(explains=_SOLVED_PROBLEMS, instead_of=_REPLACED)
@performance_profile.caveat(explains=_SOLVED_PROBLEMS, instead_of=_REPLACED)
def solved_problems(sample: Curves, answer: Answer) -> Iterable[str]:
    """Say when a problem is solved, and how far the logs tell it."""
    within = "" if answer.options["budget"] is None else " within the budget"
    yield (
        "solved: f(x0)-f >= (1-tau) (f(x0)-f_L), x0: initial solution, "
        + (
            "f_L: optimum."
            if answer.options["reference"] == "optimum"
            else f"f_L: best value of all algorithms{within}; a further algorithm can change it."
        )
    )
    runs = sum(len(run_curves.curves) for run_curves in sample)
    exact = sum(run_curves.has_all for run_curves in sample)
    yield (
        "exact: the logs contain every improvement."
        if runs == exact
        else f"upper bounds: {runs - exact} of {runs} runs may have solved their problems earlier; "
        "their logs lack some improvements (record: improvements)."
    )


@performance_profile.caveat(
    explains=[
        Explanation(
            "ratio",
            "ratio: runtime divided by that of the fastest algorithm on the same problem; a "
            "further algorithm can change it.",
            "It compares algorithms on problems of different difficulty. The fastest algorithm "
            "has ratio 1, so a further algorithm can change all curves.",
            "Compare only curves of one figure, because other figures have other fastest "
            "algorithms.",
            is_definition=True,
        )
    ]
)
def ratio_to_the_fastest(sample: Curves, answer: Answer) -> Iterable[str]:
    """Say what ratios are to."""
    yield (
        "ratio: runtime divided by that of the fastest algorithm on the same problem; a further "
        "algorithm can change it."
    )


def _divide_by_fastest(result: SolutionTimes) -> dict[str, Floats]:
    """Divide times by the shortest of all algorithms; inf: not solved, NaN: not run."""
    times = np.array([*result.times.values()])
    shortest = np.fmin.reduce(times, axis=0)
    ratios = {}
    for name, algorithm_times in result.times.items():
        unsolved = np.where(np.isnan(algorithm_times), np.nan, np.inf)
        ratios[name] = np.divide(
            algorithm_times, shortest, out=unsolved, where=np.isfinite(algorithm_times)
        )
    return ratios


def _caption(cell: Cell) -> str:
    return (
        f"Performance profiles on {cell.place} (Dolan and Moré 2002): share of problems solved "
        f"with at most a multiple of the {cell.table.runtime_unit} of the fastest algorithm on the "
        "problem; a panel for each tolerance tau."
    )


@performance_profile.figure(
    "performance-profile",
    cells="suite dimension",
    caption=_caption,
)
def draw_performance_profile(table: Table, **options: Unpack[FigureOptions]) -> Figure:
    """Draw performance profiles, a panel for each tolerance.

    Args:
        table: The table of `performance_profile`.
        **options: ``suite`` and ``dimension`` select the curves.

    Raises:
        AssessmentError: There is one algorithm, whose ratio to the fastest is 1 everywhere.
    """
    if len(set(table["algorithm"].tolist())) == 1:
        raise AssessmentError(
            "figure: performance-profile compares algorithms, and the table has one"
        )
    return _draw(table, "ratio", f"{table.runtime_unit} / those of the fastest", 2, options)


def _draw(table: Table, column: str, name: str, base: int, options: FigureOptions) -> Figure:
    """Draw the share of problems solved, one panel for each tolerance, in descending order.

    Args:
        table: The table.
        column: Column of the x axis.
        name: Label of the x axis.
        base: Base of its logarithms.
        options: Options of the figure.

    Raises:
        AssessmentError: There are more tolerances than panels fit.
    """
    from matplotlib.ticker import LogLocator

    rows = chosen(table, _NAMES, options)
    panels = list(reversed(split(rows, "tau").items()))
    size, max_panels = size_of(options), _MAX_PANELS[options.get("width", "column")]
    if len(panels) > max_panels:
        raise AssessmentError(
            f"figure: there is room for {max_panels} tolerances at this width, {len(panels)} are "
            "asked for (--tau)"
        )
    figure = blank_figure(size)
    all_axes = np.atleast_1d(figure.subplots(1, len(panels), sharex=True, sharey=True))
    left = min(1.0, float(rows[column].min()))
    right = max(float(rows[column].max()), 2 * left)
    for axes, (tau, panel_rows) in zip(all_axes, panels, strict=True):
        for label, curve, style in by_algorithm(panel_rows, marked=False):
            x = np.concatenate([[left], curve[column], [right]])
            y = np.concatenate([[0.0], curve["fraction"], curve["fraction"][-1:]])
            axes.plot(x, y, drawstyle="steps-post", label=label, **style)
        axes.set_title(f"tau {tau:g}", fontsize=7)
    all_axes[0].set_xscale("log", base=base)
    # Long names make the panels narrow: few labels, which are shorter than powers such as 10^1.
    all_axes[0].xaxis.set_major_locator(LogLocator(base, numticks=2))
    all_axes[0].xaxis.set_major_formatter("{x:g}")
    all_axes[0].set_xlim(left, right)
    all_axes[0].set_ylim(0, 1.01)
    all_axes[0].set_ylabel("share of problems")
    all_axes[len(panels) // 2].set_xlabel(name)
    add_title_above(figure, rows, _NAMES, options)
    if len(panels) == 1:
        add_legend(all_axes[0])
    else:  # long names beside several panels would leave no room for them
        add_names_below(figure, all_axes[0])
    return figure
