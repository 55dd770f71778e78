"""The kernels of bbob-noisy that bbob has not: functions without their penalty, or with a factor.

What a kernel's arguments are stands in ``bbob/instances.py``.
"""

# mypy: ignore-errors
# (numba types this module, by its own rules)

from __future__ import annotations

from ..bbob import multimodal
from ..bbob.multimodal import gallagher_of, schaffers_of
from ..bbob.transformations import (
    asymmetrise,
    blocks,
    rotate,
    shift,
    side_by_side,
)
from ..compiled.elementary import vectorisable


@vectorisable
def schaffers(lanes, x, c, w, f):
    """f122: bbob's f17. Rows: as there."""
    dimension = c.shape[1]
    z, y, _ = blocks(lanes, c, w)
    shift(lanes, x, c[0], z)
    rotate(lanes, c[2 : 2 + dimension], 0.0, z, y)
    asymmetrise(lanes, c[1], y)
    rotate(lanes, c[2 + dimension : 2 + 2 * dimension], 0.0, y, z)
    schaffers_of(lanes, dimension, z, y, f)


@vectorisable
def griewank_rosenbrock(lanes, x, c, w, f):
    """f125: a tenth of bbob's f19, ``1/(D-1) sum (s_i / 4000 - cos s_i) + 1``. Rows: as there."""
    multimodal.griewank_rosenbrock(lanes, x, c, w, f)
    for b in range(lanes):
        f[b] *= 0.1


@vectorisable
def gallagher(lanes, x, c, w, f):
    """f128: bbob's f21. Rows: as there."""
    dimension = c.shape[1]
    y, rest = w[: dimension * lanes], w[dimension * lanes :]
    rotate(lanes, c[:dimension], 0.0, x, y)
    gallagher_of(lanes, dimension, side_by_side(c)[dimension * dimension :], y, rest, f)
