"""Attainment surfaces of runs on two objectives, their differences, their section of the report.

All runs of an algorithm on a function are taken together, whatever their instances, which scaling
by ideal and nadir point makes alike.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ..caveats import Explanation
from ..errors import AssessmentError
from ..figures.axes import (
    SCALED,
    SMALLEST_SCALED,
    FigureOptions,
    add_differences,
    by_algorithm,
    figure_and_axes,
    has_few_algorithms,
    scaled_plane,
    single_value,
    split,
    staircase,
)
from ..figures.style import add_legend
from ..grouping import groups_of_two
from ..hits.archives import CellArchives, archives_of, end_budget, on_two_objectives
from ..samples.archives import Archives
from ..samples.convention import Convention
from ..samples.sample import Answer
from ..statistics.attainment import Curve, attainment_differences, attainment_surfaces
from ..statistics.fronts import GRID, Steps, steps_of, surface_steps
from ..statistics.quantiles import Floats
from ..tables.table import Table, Value, stacked
from ..targets.budgets import axis_text, counts_of, up_to_the_ends
from ..targets.parse import items_of
from ._framework.context import Context
from ._framework.needs import archives, of_shared_functions
from ._framework.options import Algorithm, Option
from ._framework.question import question

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ._framework.cell import Cell


SurfaceNames = float | str | Iterable[float | str]
Surfaces = Annotated[SurfaceNames, Option("NAMES")]
_PERCENTS = {"best": 0.0, "median": 50.0, "worst": 100.0}
_SHARE_TEXTS = {"best": "one", "median": "half", "worst": "all"}
"""Shares of the runs of a surface in words, for captions."""
_COLUMNS = (
    "algorithm", "suite", "function", "dimension", "runs", "budget", "surface", "scaled_1",
    "scaled_2",
)  # fmt: skip
_BUDGETS_PER_DECADE = 3
_CONVENTION = Convention("each has the same weight, after its end with its last archive")


@question(
    "Archives of two objectives",
    30,
    needs=archives(end_budget),
    convention=_CONVENTION,
    counts=False,
    requires="two objectives",
    examples=(
        "results/bbob-biobj.h5 --plot surfaces.pdf",
        "results/bbob-biobj.h5 --surfaces 25,50,75",
    ),
)
def surfaces(
    sample: Archives, surfaces: Surfaces = "best,median,worst", *, exact: bool = False
) -> Table:
    """Compute what one, half or all of the runs attain.

    A run attains a point if its archive has a point that is no worse in both objectives. An
    attainment surface is the border of the region that a share of the runs on a function attains.
    The table has the corners of these surfaces. Objectives
    are scaled so that the ideal point is 0 and the nadir point is 1. A surface that too few runs
    attain has no rows.

    Args:
        surfaces: Surfaces to compute: best, median and worst (attained by one, half and all of the
            runs), or percentages of runs, e.g. 25,75.
        exact: Compute every corner with the package moocore instead of rounding values up by less
            than figures show.

    Returns:
        One row for each corner; ``algorithm``, ``suite``, ``function``, ``dimension``, ``budget``
        (in the requested unit) and ``surface`` (``best``, ``median``, ``worst``, ``25%``, …)
        identify its surface. ``runs`` is the number of runs. ``scaled_1`` and ``scaled_2`` are the
        coordinates of the corner.
    """
    names = _parse_surfaces(surfaces)
    blocks: list[list[Value | NDArray[Any]]] = []
    for cell, budgets, evaluations in sample.at_budgets():
        leading_values = [*cell.identity, len(cell.runs)]
        for budget, fronts in zip(budgets, cell.normalised_fronts(evaluations), strict=True):
            counts = [_count_required_runs(name, len(fronts)) for name in names]
            for name, surface in zip(names, _compute_surfaces(fronts, counts, exact), strict=True):
                blocks.append([*leading_values, float(budget), name, *surface.T])
    return Table(stacked(_COLUMNS, blocks))


def _parse_surfaces(value: SurfaceNames) -> tuple[str, ...]:
    """Parse names of surfaces and percentages, and remove duplicates.

    >>> _parse_surfaces("best, 25")
    ('best', '25%')
    """
    names = []
    for item in items_of(value):
        if item not in _PERCENTS:
            try:
                percent = float(str(item).removesuffix("%"))
            except ValueError:
                percent = math.nan
            if not 0 < percent <= 100:
                raise AssessmentError(
                    f"surfaces: {str(item)[:80]!r} is none of {', '.join(_PERCENTS)}, nor a "
                    "percentage of runs above 0 and at most 100"
                )
            item = f"{percent:g}%"
        names.append(str(item))
    if not names:
        raise AssessmentError(f"surfaces: none given; take {', '.join(_PERCENTS)} or percentages")
    return tuple(dict.fromkeys(names))


def _count_required_runs(name: str, n_runs: int) -> int:
    """Return how many of ``n_runs`` runs must attain a point of the surface.

    >>> [_count_required_runs(name, 5) for name in ("best", "median", "worst", "50%")]
    [1, 3, 5, 3]
    """
    share = _PERCENTS[name] if name in _PERCENTS else float(name[:-1])
    return max(1, math.ceil(round(share * n_runs / 100, 9)))


def _compute_surfaces(fronts: Sequence[Floats], counts: Sequence[int], exact: bool) -> list[Floats]:
    """Compute attainment surfaces of several levels.

    Args:
        fronts: The fronts of the runs, scaled, each of shape ``(n, 2)``.
        counts: For each surface, the number of runs that must attain it.
        exact: Compute every corner; else corners are rounded up to the points of ``GRID``.

    Returns:
        For each surface its corners, shape ``(n, 2)``.
    """
    if exact:
        percents = [100 * count / len(fronts) for count in counts]
        curves = attainment_surfaces([_as_curve(front) for front in fronts], percents)
        return [np.stack(curve, axis=1) for curve in curves]
    steps = [steps_of(front) for front in fronts]
    return [GRID[surface_steps(steps, count)] for count in counts]


def _as_curve(front: Floats) -> Curve:
    return front[:, 0], front[:, 1]


def _caption(cell: Cell) -> str:
    names = dict.fromkeys(cell.rows["surface"].tolist())
    thick = _choose_thick_surface(names)
    regions = f"{_SHARE_TEXTS.get(thick, thick)} of the runs"
    if has_few_algorithms(cell.table):
        regions += " (thick)"
        thin = [_SHARE_TEXTS.get(name, name) for name in names if name != thick]
        regions += f", by {' and '.join(thin)} of them (thin)" if thin else ""
    return (
        f"Attainment surfaces on {cell.place} {_describe_budget(cell)}: borders of the regions "
        f"attained by {regions}. Runs on all instances are taken together. {SCALED}"
    )


def _choose_thick_surface(names: Iterable[str]) -> str:
    """Return which of the surfaces of an algorithm is thick: the median, or else the first one."""
    return "median" if "median" in names else next(iter(names))


def _describe_budget(cell: Cell) -> str:
    """Return the budget of the archives that a figure shows, as a phrase."""
    if cell.options.get("budgets") is None:
        return "at the end of the runs"
    return f"after {cell.rows['budget'][0]:g} {axis_text(cell.table.axis)}"


@surfaces.figure(
    "surfaces",
    cells="suite function dimension",
    caption=_caption,
)
def draw_surfaces(table: Table, **options: Unpack[FigureOptions]) -> Figure:
    """Draw attainment surfaces, one colour for each algorithm; the median is thick.

    If there are more than four algorithms, thin surfaces are left out.

    Args:
        table: The table of `surfaces`.
        **options: ``suite``, ``function`` and ``dimension`` select the surfaces.

    Raises:
        AssessmentError: An algorithm has surfaces of several budgets.
    """
    figure, axes, rows = figure_and_axes(table, ("suite", "function", "dimension"), options)
    figure.set_figheight(3.0)
    fronts = []
    for name, algorithm_rows, style in by_algorithm(rows, marked=False):
        single_value("budget", algorithm_rows["budget"].tolist(), None)
        rows_by_surface = split(algorithm_rows, "surface")
        thick_surface = _choose_thick_surface(rows_by_surface)
        for surface, corners in rows_by_surface.items():
            if surface != thick_surface and not has_few_algorithms(table):
                continue
            front = np.stack([corners["scaled_1"], corners["scaled_2"]], axis=1)
            fronts.append(front)
            thick = (
                {"linewidth": 1.6, "label": name}
                if surface == thick_surface
                else {"linewidth": 0.5}
            )
            axes.plot(*staircase(front, SMALLEST_SCALED), **(style | thick))
    scaled_plane(axes, fronts)
    add_legend(axes)
    return figure


@surfaces.report(
    "fronts",
    "Fronts of two objectives",
    "What the runs attain within a budget. Half of them have a point on or below the thick line "
    "(the median attainment surface); one of them has one on or below the lower thin line, and all "
    "of them on or below the upper one. A run that ended keeps its archive. Objectives are scaled, "
    "the ideal point to 0 and the nadir point to 1, so that runs on all instances can be taken "
    "together. For a single instance, the axes can show unscaled objectives. Values are rounded "
    "up, by at most 4 % or 0.004 of the scale.",
    place=60,
    needs="fronts",
)
def section(context: Context) -> Mapping[str, Any]:
    """Return attainment surfaces by budget, as steps on a grid, for the report.

    There are surfaces of all instances of a function together, and of each instance with its ideal
    and nadir point. The result is empty if no run has two objectives.
    """
    log, rows = context.log, context.runs.rows
    rows = rows[on_two_objectives(log, rows)]
    if not len(rows):
        return {}
    longest_run = float((log.runs["evaluations"][rows] / log.runs["dimension"][rows]).max())
    budgets = up_to_the_ends([longest_run], 1.0, 0, _BUDGETS_PER_DECADE)
    cells = []
    for cell_archives in archives_of(log, rows):
        counts = counts_of(budgets, float(cell_archives.dimension))
        by_budget = [
            [steps_of(front) for front in fronts]
            for fronts in cell_archives.normalised_fronts(counts)
        ]
        cells.append(
            {
                **context.positions.of(cell_archives.algorithm, cell_archives.suite),
                "function": cell_archives.function,
                "dimension": cell_archives.dimension,
                **_encode_surfaces(by_budget),
                "instances": [
                    _encode_instance(cell_archives, by_budget, i)
                    for i in np.unique(cell_archives.instances).tolist()
                ],
            }
        )
    return {
        "fronts": {
            "names": tuple(_PERCENTS),
            "grid": [float(f"{value:.4g}") for value in GRID.tolist()],
            "budgets": budgets,
            "cells": cells,
        }
    }


def _encode_instance(
    archives: CellArchives, by_budget: Sequence[Sequence[Steps]], instance: int
) -> dict[str, Any]:
    run_indices = np.flatnonzero(archives.instances == instance).tolist()
    first_run = archives.runs[run_indices[0]]
    return {
        "instance": instance,
        "ideal": first_run.ideal.tolist(),
        "nadir": first_run.nadir.tolist(),
        **_encode_surfaces(
            [[fronts[run_index] for run_index in run_indices] for fronts in by_budget]
        ),
    }


def _encode_surfaces(by_budget: Sequence[Sequence[Steps]]) -> dict[str, Any]:
    """Return the number of runs, and their best, median and worst surface.

    These are equal if there is only one run, so that one surface is returned.

    Args:
        by_budget: For each budget the fronts of the runs.
    """
    n_runs = len(by_budget[0])
    counts = [_count_required_runs(name, n_runs) for name in _PERCENTS] if n_runs > 1 else [1]
    return {"runs": n_runs, "surfaces": [_encode_corners(by_budget, count) for count in counts]}


def _encode_corners(by_budget: Sequence[Sequence[Steps]], count: int) -> list[list[int]]:
    """Encode a surface at all budgets as the corners that each budget adds.

    A surface never moves back. Therefore the surface at a budget consists of the nondominated
    corners among all corners of this budget and of smaller ones.

    Args:
        by_budget: For each budget the fronts of the runs, as steps on the grid.
        count: Number of runs that must attain the surface.

    Returns:
        Differences between successive corners in the first and in the second objective, as indices
        of the grid, because differences compress well; and the number of new corners per budget.
    """
    seen_keys = np.empty(0, dtype=np.intp)
    corners, new_corner_counts = [np.zeros((1, 2), dtype=np.intp)], []
    for fronts in by_budget:
        surface = fronts[0] if len(fronts) == 1 else surface_steps(fronts, count)
        keys = surface[:, 0] * len(GRID) + surface[:, 1]
        is_new = ~np.isin(keys, seen_keys)
        seen_keys = np.concatenate([seen_keys, keys[is_new]])
        corners.append(surface[is_new])
        new_corner_counts.append(int(is_new.sum()))
    return [*np.diff(np.concatenate(corners), axis=0).T.tolist(), new_corner_counts]


_DIFFERENCE_COLUMNS = (
    "suite", "function", "dimension", "budget", "first", "second", "runs_first", "runs_second",
    "from_1", "to_1", "from_2", "to_2", "difference",
)  # fmt: skip


@question(
    "Archives of two objectives",
    40,
    needs=of_shared_functions(archives(end_budget)),
    convention=_CONVENTION,
    counts=False,
    requires="moocore, two objectives",
    examples=(
        "my.h5 --algorithms A,B --functions 1",
        "my.h5 --algorithms A,B --plot surfaces.pdf",
    ),
)
def surface_difference(
    sample: Archives, first: Algorithm, second: Algorithm, *, exact: bool = False
) -> Table:
    """Show where two algorithms differ in what their runs attain.

    A run attains a point if its archive has a point that is no worse in both objectives. The table
    has rectangles of the two objectives, scaled so that the ideal point is 0 and the
    nadir point is 1. In each, difference is the share of runs of the first algorithm that attain a
    point, minus the share of the second. It is above 0 where the first algorithm attains more
    often. Outside of the rectangles, the shares are equal. Functions that only one of the
    algorithms was run on are left out. The package moocore is required.

    Args:
        exact: Compute every corner instead of rounding values up by less than figures show.

    Returns:
        One row for each rectangle of a ``suite``, ``function``, ``dimension`` and ``budget``.
        ``first`` and ``second`` are the algorithms, and ``runs_first`` and ``runs_second`` are
        their numbers of runs. The rectangle goes from ``from_1`` to ``to_1`` and from ``from_2`` to
        ``to_2``; inf: it has no end. ``difference`` is the share of ``first`` minus the share of
        ``second``.
    """
    blocks: list[list[Value | NDArray[Any]]] = []
    for [first_archives], [second_archives] in groups_of_two(sample, first, second, "function"):
        budgets, evaluations = sample.budgets_of([first_archives, second_archives])
        sides = [side.normalised_fronts(evaluations) for side in (first_archives, second_archives)]
        problem_class: list[Value] = [
            first_archives.suite,
            first_archives.function,
            first_archives.dimension,
        ]
        names: list[Value] = [first, second, len(first_archives.runs), len(second_archives.runs)]
        for budget, *side_fronts in zip(budgets, *sides, strict=True):
            curves = [
                [_as_curve(front if exact else GRID[steps_of(front)]) for front in fronts]
                for fronts in side_fronts
            ]
            rectangles = attainment_differences(*curves)
            blocks.append([*problem_class, float(budget), *names, *rectangles.T])
    return Table(stacked(_DIFFERENCE_COLUMNS, blocks))


_VALUES_ARE_ROUNDED = [
    Explanation(
        "rounded values",
        "rounded values: up by at most 4 % or 0.004; --exact (exact=True) computes every corner.",
        "Surfaces with many corners are rounded to keep the table short. Small differences "
        "between algorithms may disappear.",
        "Give --exact, because it computes every corner without rounding.",
    )
]


@surfaces.caveat(explains=_VALUES_ARE_ROUNDED)
@surface_difference.caveat(explains=_VALUES_ARE_ROUNDED)
def values_are_rounded(sample: Archives, answer: Answer) -> Iterable[str]:
    """Say that values are rounded up, unless every corner is asked for."""
    if not answer.options["exact"]:
        yield (
            "rounded values: up by at most 4 % or 0.004; --exact (exact=True) computes every "
            "corner."
        )


def _difference_caption(cell: Cell) -> str:
    first, second = (cell.rows[name][0] for name in ("first", "second"))
    time = "at their end" if cell.options.get("budgets") is None else _describe_budget(cell)
    return (
        f"Share of the runs of {first} that attain a point {time}, minus that of {second}, "
        f"on {cell.place}. Blue: {first} attains the point more often. Runs on all instances are "
        f"taken together. {SCALED}"
    )


@surface_difference.figure(
    "surface-difference",
    cells="suite function dimension",
    caption=_difference_caption,
    has_styles=False,
)
def draw_surface_difference(table: Table, **options: Unpack[FigureOptions]) -> Figure:
    """Draw where one algorithm attains more often than another: blue the first, red the second.

    Args:
        table: The table of `surface_difference`.
        **options: ``suite``, ``function`` and ``dimension`` select the rectangles.

    Raises:
        AssessmentError: There are differences of several budgets.
    """
    figure, axes, rows = figure_and_axes(table, ("suite", "function", "dimension"), options)
    single_value("budget", rows["budget"].tolist(), None)
    figure.set_figheight(3.0)
    left, right, low, high = (
        np.clip(rows[name], SMALLEST_SCALED / 2, 1e9)
        for name in ("from_1", "to_1", "from_2", "to_2")
    )
    scaled_plane(axes, [np.stack([left, low], axis=1)])
    add_differences(axes, rows, (left, right, low, high), rasterized=True)
    return figure
