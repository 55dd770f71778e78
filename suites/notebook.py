"""HTML of suites and problems for notebooks: a table of facts, and a contour plot of a problem."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from html import escape
from io import BytesIO
from time import perf_counter
from typing import Any

import numpy as np

from .arrays import Floats
from .selection import ranges

# The classes `Problem` and `Suite` cannot be imported here, because their modules import this one.
Problem = Any
Suite = Any

_GRID_SIZE = 81  # number of grid points along each axis
_N_LEVELS = 14  # number of contour levels
_MAX_EVALUATION_SECONDS = 1e-3
"""Longest duration of one evaluation for which there is a plot. The grid of 81 * 81 points then
takes at most 6.6 s."""
_SIZE_INCHES = 2.4  # width and height of the plot
_DOTS_PER_INCH = 100
_HEIGHT_OFFSET = 1e-3
"""Fraction of the range of values that is added to all values, because the logarithm of 0 is
infinite."""


def suite_html(suite: Suite, targets: str) -> str:
    """Return the HTML of a suite: a table of its numbers of functions, dimensions and so on.

    Args:
        suite: The suite; no problem of it is created.
        targets: Description of its default targets.
    """
    groups = "; ".join(f"{name}: {ranges(members)}" for name, members in suite.groups.items())
    fields = {
        "problems": f"{len(suite)}",
        "functions": ranges(suite.functions),
        "dimensions": ", ".join(map(str, suite.dimensions)),
        "instances": ranges(suite.instances),
        "groups": groups,
        "targets": targets,
    }
    return _format_table(f"{suite.name}, version {suite.version}", fields)


def problem_html(problem: Problem) -> str:
    """Return the HTML of a problem: a table of its facts and, if possible, a contour plot.

    The plot shows the plane of the first two variables through the optimum, or through the middle
    of the region if the optimum is unknown. Contour levels are equal steps of the logarithm of the
    difference to the lowest value in the plot.

    There is no plot if matplotlib is not installed, if the problem has one variable, two objectives
    or bits, or if its evaluations may be expensive: it belongs to no registered suite, or one
    evaluation takes more than 1 ms.
    """
    n_integers, n_constraints = problem.number_of_integer_variables, problem.number_of_constraints
    n_objectives, final_target = problem.number_of_objectives, problem.measurement.final_target
    fields = {
        "name": problem.name,
        "group": problem.group,
        "variables": f"{problem.dimension}",
        "integers among them": str(n_integers) if n_integers else "",
        "bounds": f"{problem.lower_bounds.min():g} … {problem.upper_bounds.max():g}",
        "objectives": str(n_objectives) if n_objectives != 1 else "",
        "constraints": str(n_constraints) if n_constraints else "",
        "noise": "yes" if problem.is_noisy else "",
        "optimal value": "" if problem.optimal_value is None else f"{problem.optimal_value:.10g}",
        "final target": "" if final_target is None else f"{final_target:g}",
    }
    return _format_table(problem.id, fields) + _draw_contours(problem)


def _format_table(title: str, fields: Mapping[str, str]) -> str:
    """Return an HTML table with one row for each field that is not empty."""
    rows = "".join(
        f'<tr><td style="text-align: left">{escape(name)}</td>'
        f'<td style="text-align: left">{escape(value)}</td></tr>'
        for name, value in fields.items()
        if value
    )
    return f"<p><b>{escape(title)}</b></p><table><tbody>{rows}</tbody></table>"


def _draw_contours(problem: Problem) -> str:
    """Return the contour plot of a problem as an HTML image; empty if `problem_html` has none."""
    if problem.suite == "user" or problem.dimension < 2 or problem.number_of_objectives != 1:
        return ""
    if problem.is_binary:
        return ""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return ""
    problem(problem.initial_solution)  # compiles the kernel, which must not count below
    start = perf_counter()
    problem(problem.initial_solution)
    if perf_counter() - start > _MAX_EVALUATION_SECONDS:
        return ""
    optimum = problem.optimal_solution
    x, y, values = _evaluate_on_grid(problem, optimum)
    finite = values[np.isfinite(values)]
    if not len(finite) or finite.max() <= finite.min():
        return ""
    value_range = finite.max() - finite.min()
    heights = np.log10(values - finite.min() + _HEIGHT_OFFSET * value_range)
    figure = Figure(figsize=(_SIZE_INCHES, _SIZE_INCHES), layout="constrained")
    axes: Any = figure.add_subplot()
    axes.contourf(x, y, heights, levels=_N_LEVELS, cmap="viridis_r")
    if optimum is not None:
        axes.plot(optimum[0], optimum[1], "+", color="white", markersize=9)
    axes.set(xlabel="x1", ylabel="x2", aspect="auto")
    axes.tick_params(labelsize=7)
    png = BytesIO()
    figure.savefig(png, format="png", dpi=_DOTS_PER_INCH)
    data = b64encode(png.getvalue()).decode()
    width_pixels = int(_SIZE_INCHES * _DOTS_PER_INCH)
    alt = "values along the first two variables"
    return f'<img alt="{alt}" width="{width_pixels}" src="data:image/png;base64,{data}">'


def _evaluate_on_grid(problem: Problem, optimum: Floats | None) -> tuple[Floats, Floats, Floats]:
    """Evaluate a problem on a grid of its first two variables; the others are those of the optimum.

    Returns:
        First variable, second variable, and value of each point of the grid, three square arrays.
    """
    centre = (problem.lower_bounds + problem.upper_bounds) / 2 if optimum is None else optimum
    axis_values = np.linspace(problem.lower_bounds[:2], problem.upper_bounds[:2], _GRID_SIZE).T
    x, y = np.meshgrid(*axis_values)
    points = np.tile(centre, (x.size, 1))
    points[:, 0], points[:, 1] = x.ravel(), y.ravel()
    return x, y, problem(points).reshape(x.shape)
