"""The plane of two scaled objectives, in which fronts and attainment surfaces are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..statistics.quantiles import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SMALLEST = 1e-6
"""Scaled objectives below are drawn here: a logarithmic axis has no zero."""
SCALED = (
    "Objectives are scaled: the ideal point is 0, the nadir point 1; dotted: the region between."
)
"""Of captions."""
_LARGEST = 10.0
_FAR = 1e9
_LABEL = "objective {}, scaled: 0 ideal, 1 nadir"


def staircase(front: Floats, smallest: float | None = None) -> tuple[Floats, Floats]:
    """The boundary of what a front dominates, as corners of a line that ends far outside.

    Args:
        front: Shape ``(n, 2)``, the first objective rising.
        smallest: Lower values are drawn here; None: as they are.
    """
    if not len(front):
        return np.empty(0), np.empty(0)
    x, y = (front if smallest is None else np.maximum(front, smallest)).T
    far_x, far_y = (max(float(abs(values).max()), 1.0) * _FAR for values in (x, y))
    x, y = np.append(x, far_x), np.append(y, y[-1])
    return np.repeat(x, 2)[:-1], np.concatenate([[far_y], np.repeat(y[:-1], 2)])


def scaled_plane(axes: Axes, fronts: Sequence[Floats]) -> None:
    """Logarithmic axes with the region of interest, whose upper corner is the nadir point.

    They begin below the least values and end where each front has begun to be seen.

    Args:
        axes: To change.
        fronts: Those drawn, each of shape ``(n, 2)``.
    """
    there = [front for front in fronts if len(front)]
    least = np.min([front.min(axis=0) for front in there], axis=0)
    nearest = max(float(front.max(axis=1).min()) for front in there)
    low = np.clip(least, SMALLEST, 0.1) / 1.3
    top = max(_LARGEST, 3 * nearest)
    axes.set(xscale="log", yscale="log", xlim=(low[0], top), ylim=(low[1], top))
    axes.plot([low[0], 1, 1], [1, 1, low[1]], color="0.5", linewidth=0.6, linestyle=":")
    axes.set(xlabel=_LABEL.format(1), ylabel=_LABEL.format(2))
