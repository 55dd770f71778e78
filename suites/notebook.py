"""Suites and problems as HTML, for notebooks: their facts, and a small contour of a problem."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from html import escape
from io import BytesIO
from time import perf_counter
from typing import Any

import numpy as np

from .selection import ranges

_GRID = 81
_LEVELS = 14
_LONGEST_SECONDS = 1e-3
"""Of one evaluation, for a contour of 6561."""
_INCHES, _DOTS_PER_INCH = 2.4, 100


def suite_html(suite: Any, targets: str) -> str:
    """What a notebook shows of a `Suite`."""
    groups = "; ".join(f"{name}: {ranges(members)}" for name, members in suite.groups.items())
    facts = {
        "problems": f"{len(suite)}",
        "functions": ranges(suite.functions),
        "dimensions": ", ".join(map(str, suite.dimensions)),
        "instances": ranges(suite.instances),
        "groups": groups,
        "targets": targets,
    }
    return _facts(f"{suite.name}, version {suite.version}", facts)


def problem_html(problem: Any) -> str:
    """What a notebook shows of a `Problem`.

    The contour goes through the optimum, or the middle of the region where that is not known, along
    the first two variables; levels are equal steps of the logarithm of the distance to the least
    value seen. Problems that belong to no suite, or take a millisecond and more, have none, since
    their evaluations cost; nor is there one without matplotlib, or with two objectives.
    """
    low, high = problem.lower_bounds, problem.upper_bounds
    facts = {
        "name": problem.name,
        "group": problem.group,
        "variables": f"{problem.dimension}",
        "integers among them": _count(problem.number_of_integer_variables),
        "bounds": f"{low.min():g} … {high.max():g}",
        "objectives": _count(problem.number_of_objectives, 1),
        "constraints": _count(problem.number_of_constraints),
        "noise": "yes" if problem.is_noisy else "",
        "optimal value": "" if problem.optimal_value is None else f"{problem.optimal_value:.10g}",
        "final target": _number(problem.measurement.final_target),
    }
    return _facts(problem.id, facts) + _contour(problem)


def _facts(title: str, facts: Mapping[str, str]) -> str:
    rows = "".join(
        f'<tr><td style="text-align: left">{escape(name)}</td>'
        f'<td style="text-align: left">{escape(value)}</td></tr>'
        for name, value in facts.items()
        if value
    )
    return f"<p><b>{escape(title)}</b></p><table><tbody>{rows}</tbody></table>"


def _count(number: int, usual: int = 0) -> str:
    return "" if number == usual else str(number)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:g}"


def _contour(problem: Any) -> str:
    if problem.suite == "user" or problem.dimension < 2 or problem.number_of_objectives != 1:
        return ""
    if problem.is_binary:
        return ""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return ""
    problem(problem.initial_solution)  # compiles
    begun = perf_counter()
    problem(problem.initial_solution)
    if perf_counter() - begun > _LONGEST_SECONDS:
        return ""
    solution = problem.optimal_solution
    centre = (problem.lower_bounds + problem.upper_bounds) / 2 if solution is None else solution
    axes_of_grid = np.linspace(problem.lower_bounds[:2], problem.upper_bounds[:2], _GRID).T
    x, y = np.meshgrid(*axes_of_grid)
    points = np.tile(centre, (x.size, 1))
    points[:, 0], points[:, 1] = x.ravel(), y.ravel()
    values = problem(points).reshape(x.shape)
    finite = values[np.isfinite(values)]
    if not len(finite) or finite.max() <= finite.min():
        return ""
    heights = np.log10(values - finite.min() + 1e-3 * (finite.max() - finite.min()))
    figure = Figure(figsize=(_INCHES, _INCHES), layout="constrained")
    axes: Any = figure.add_subplot()
    axes.contourf(x, y, heights, levels=_LEVELS, cmap="viridis_r")
    if solution is not None:
        axes.plot(solution[0], solution[1], "+", color="white", markersize=9)
    axes.set(xlabel="x1", ylabel="x2", aspect="auto")
    axes.tick_params(labelsize=7)
    picture = BytesIO()
    figure.savefig(picture, format="png", dpi=_DOTS_PER_INCH)
    text = b64encode(picture.getvalue()).decode()
    pixels = int(_INCHES * _DOTS_PER_INCH)
    words = "values along the first two variables"
    return f'<img alt="{words}" width="{pixels}" src="data:image/png;base64,{text}">'
