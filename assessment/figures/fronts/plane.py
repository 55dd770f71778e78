"""The plane of two objectives that all figures of fronts are drawn in, scaled or raw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...statistics.quantiles import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..frame import Rows

OBJECTIVES = ("scaled", "raw")
"""What axes of fronts can show."""
SMALLEST = 1e-6
"""Scaled objectives below are drawn here: a logarithmic axis has no zero."""
_LARGEST = 10.0
_ROOM = 0.05
_FARTHEST = 3.0
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


def plane(axes: Axes, fronts: Sequence[Floats]) -> None:
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


def is_near(front: Floats) -> bool:
    """Whether some point of a scaled front is at most three times as far as the nadir point."""
    return bool(len(front)) and bool(front.max(axis=1).min() <= _FARTHEST)


def raw_plane(axes: Axes, rows: Rows, fronts: Sequence[Floats]) -> None:
    """Linear axes of the objectives' values, with the region between ideal and nadir point.

    They begin below the least values and end beyond the nadir point, where the fronts that come
    near (`is_near`) have begun to be seen. Of a single point, nobody knows where the region is.

    Args:
        axes: To change.
        rows: With values ``y1, y2`` and ``scaled_1, scaled_2`` of all points.
        fronts: Those drawn, scaled, each of shape ``(n, 2)``.
    """
    near = [float(front.max(axis=1).min()) for front in fronts if is_near(front)]
    nearest = max(near, default=1.0)
    ends, known = [], True
    for i in (1, 2):
        values, scaled = rows[f"y{i}"], rows[f"scaled_{i}"]
        low, high = np.argmin(scaled), np.argmax(scaled)
        span = scaled[high] - scaled[low]
        known = known and bool(span > 0)
        width = (values[high] - values[low]) / span if span > 0 else 1.0
        ideal = float(values[low] - width * scaled[low])
        first = min(0.0, float(scaled[low])) - _ROOM * max(1.0, nearest)
        last = max(1.0, nearest) * (1 + 2 * _ROOM)
        limits = (ideal + width * first, ideal + width * last)
        axes.set(**{f"{'xy'[i - 1]}lim": limits, f"{'xy'[i - 1]}label": f"objective {i}"})
        ends.append((limits[0], ideal + width))
    (left, x), (bottom, y) = ends
    if known:
        axes.plot([left, x, x], [y, y, bottom], color="0.5", linewidth=0.6, linestyle=":")
