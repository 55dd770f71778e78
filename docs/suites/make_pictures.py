"""Make the pictures of the pages of ``docs/suites``: one function of each suite, in two dimensions.

Run ``python docs/suites/make_pictures.py``. Levels are equidistant in the logarithm of the distance
from the optimal value; a star is the optimum. For pbo, a picture counts all bit strings by their
number of ones and their distance from the optimal value.
"""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl

mpl.use("agg")

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from firsthit.suites import Problem, Suite

Array = NDArray[np.float64]
FOLDER = Path(__file__).parent
POINTS = 161
SHOWN = {
    "bbob": (17, 2),
    "bbob-boxed": (21, 2),
    "bbob-largescale": (10, 80),
    "bbob-mixint": (8, 5),
    "bbob-noisy": (107, 2),
    "bbob-constrained": (3, 2),
    "ma-bbob": (1, 2),
    "bbob-biobj": (4, 2),
    "bbob-biobj-ext": (58, 2),
    "bbob-biobj-mixint": (2, 5),
}
"""Function and dimension that the picture of each suite shows."""
OF_BITS = ((2, "LeadingOnes"), (18, "LABS"), (24, "ConcatenatedTrap"))
"""Functions of pbo, with 16 bits."""


def plane(problem: Problem, reach: float) -> tuple[Array, Array, Array]:
    """Evaluate a problem on a grid of two variables.

    The variables are the last two, or the last integer and the first continuous variable. The
    others have the values of the optimum, or of the start point if there is no single optimum.

    Args:
        problem: The problem.
        reach: Largest absolute value of a continuous variable.

    Returns:
        Both coordinates of the grid, shape ``(POINTS, POINTS)``; and the values, one for each point
        of the grid.
    """
    middle = problem.optimal_solution
    middle = problem.initial_solution if middle is None else middle
    ends = [np.linspace(-reach, reach, POINTS)] * 2
    if problem.number_of_integer_variables:
        integers = problem.number_of_integer_variables
        ends[0] = np.linspace(-0.5, problem.upper_bounds[integers - 1] + 0.5, POINTS)
        axes = [integers - 1, integers]
    else:
        axes = [problem.dimension - 2, problem.dimension - 1]
    a, b = np.meshgrid(*ends)
    points = np.tile(middle, (a.size, 1))
    points[:, axes[0]], points[:, axes[1]] = a.ravel(), b.ravel()
    if problem.is_noisy:
        values = problem.noisy(points, np.random.default_rng(1))
    else:
        values = problem(points)
    return a, b, values


def contours(ax: Axes, a: Array, b: Array, distance: Array) -> None:
    """Fill contours by the logarithm of the distance from the optimal value."""
    height = np.log10(np.maximum(distance, 1e-3)).reshape(a.shape)
    height[~np.isfinite(height)] = np.nan
    ax.contourf(a, b, height, levels=14, cmap="viridis_r")


def one_objective(ax: Axes, problem: Problem) -> None:
    """Draw the contours, the optimum, and the feasible region."""
    a, b, values = plane(problem, 6.0 if "boxed" in problem.suite else 5.0)
    contours(ax, a, b, values - problem.optimal_value)
    if problem.number_of_constraints:
        points = np.column_stack([a.ravel(), b.ravel()])
        worst = problem.constraint(points).max(axis=1).reshape(a.shape)
        ax.contourf(a, b, worst, levels=[0, np.inf], colors=["white"], alpha=0.6)
        ax.contour(a, b, worst, levels=[0], colors=["black"], linewidths=1)
    integers = problem.number_of_integer_variables
    first = integers - 1 if integers else problem.dimension - 2
    ax.plot(*problem.optimal_solution[first : first + 2], "*", color="red", markersize=9)


def front(problem: Problem) -> tuple[Array, Array]:
    """Return the nondominated points of a dense random sample, and their values."""
    rng = np.random.default_rng(0)
    low, high = problem.lower_bounds, problem.upper_bounds
    is_integer = np.arange(problem.dimension) < problem.number_of_integer_variables
    low, high = np.where(is_integer, low, -5), np.where(is_integer, high, 5)
    points = rng.uniform(low, high, (200_000, problem.dimension))
    points[:, is_integer] = np.rint(points[:, is_integer])
    values = problem(points)
    order = np.lexsort((values[:, 1], values[:, 0]))
    best = np.minimum.accumulate(np.concatenate([[np.inf], values[order, 1]]))[:-1]
    members = order[values[order, 1] < best]
    return points[members], values[members]


def two_objectives(axes: NDArray[np.object_], problem: Problem) -> None:
    """Draw contours of both objectives with the sampled Pareto set, and the sampled front."""
    points, values = front(problem)
    integers = problem.number_of_integer_variables
    first = integers - 1 if integers else problem.dimension - 2
    a, b, both = plane(problem, 5.0)
    for k in range(2):
        contours(axes[k], a, b, both[:, k] - problem.ideal_point[k])
        axes[k].plot(*points[:, first : first + 2].T, ".", color="red", markersize=2)
        axes[k].set_title(f"objective {k + 1}", fontsize=8)
    normalised = (values - problem.ideal_point) / (problem.nadir_point - problem.ideal_point)
    axes[2].plot(*normalised.T, ".", color="red", markersize=3)
    axes[2].set(xlim=(-0.05, 1.05), ylim=(-0.05, 1.05))
    axes[2].set_title("front, ideal 0, nadir 1", fontsize=8)


def bits(axes: NDArray[np.object_]) -> None:
    """Draw how many bit strings have a number of ones and a distance from the optimal value."""
    strings = (np.arange(2**16)[:, None] >> np.arange(16) & 1).astype(float)
    for ax, (function, name) in zip(axes, OF_BITS, strict=True):
        problem = Suite("pbo", function, 16, 1)[0]
        distances = problem(strings) - problem.optimal_value
        coordinates = np.column_stack([strings.sum(axis=1), distances])
        points, counts = np.unique(coordinates.round(9), axis=0, return_counts=True)
        ax.scatter(*points.T, c=np.log10(counts), s=9, cmap="viridis_r")
        best = points[points[:, 1] == points[:, 1].min()]
        ax.plot(*best.T, "*", color="red", markersize=9)
        ax.set_title(f"f{function} {name}", fontsize=8)
        ax.set_xlabel("number of ones", fontsize=7)


def main() -> None:
    """Write a PNG of each suite beside this script."""
    figure, axes = plt.subplots(1, len(OF_BITS), figsize=(6.6, 2.4), layout="constrained")
    bits(axes)
    for ax in axes:
        ax.tick_params(labelsize=7)
    figure.savefig(FOLDER / "pbo.png", dpi=75)
    plt.close(figure)
    for name, (function, dimension) in SHOWN.items():
        problem = Suite(name, function, dimension, 1)[0]
        is_pair = problem.number_of_objectives == 2
        size = (6.6, 2.4) if is_pair else (2.6, 2.4)
        figure, axes = plt.subplots(1, 3 if is_pair else 1, figsize=size, layout="constrained")
        if is_pair:
            two_objectives(axes, problem)
        else:
            one_objective(axes, problem)
        for ax in np.atleast_1d(axes):
            ax.tick_params(labelsize=7)
        figure.savefig(FOLDER / f"{name}.png", dpi=75)
        plt.close(figure)


if __name__ == "__main__":
    main()
