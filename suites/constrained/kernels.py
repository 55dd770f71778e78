"""The kernels of bbob-constrained: five objectives that bbob has not, and the constraints.

What a kernel's arguments are stands in ``bbob/instances.py``. A kernel's first step is ``T`` in
``y = T(x - xopt)``: ``Tosz`` for ellipsoids and discus, ``Tasy^.2`` for the bent cigar,
``Tasy^.2 Tosz`` for both Rastrigins, and nothing for the others.
"""

# mypy: ignore-errors
# (numba types this module, by its own rules)

from __future__ import annotations

from ..bbob.multimodal import rastrigin_of
from ..bbob.transformations import (
    asymmetrise,
    blocks,
    fill,
    oscillate,
    rotate,
    shift,
    side_by_side,
    weighted_squares,
)
from ..compiled.elementary import vectorisable


@vectorisable
def ellipsoid(lanes, x, c, w, f):
    """``sum weights_i v_i^2``, ``v = Tosz(x - xopt) - x1``. Rows: 0 xopt, 1 x1, 2 weights."""
    y, v, _ = blocks(lanes, c, w)
    shift(lanes, x, c[0], y)
    oscillate(y)
    shift(lanes, y, c[1], v)
    weighted_squares(lanes, c[2], v, f)


@vectorisable
def rotated_ellipsoid(lanes, x, c, w, f):
    """``sum weights_i z_i^2``, ``z = R (Tosz(x - xopt) - x1)``; the discus has other weights.

    Rows: 0 xopt, 1 x1, 2 weights, 3… ``R``.
    """
    y, v, _ = blocks(lanes, c, w)
    shift(lanes, x, c[0], y)
    oscillate(y)
    shift(lanes, y, c[1], v)
    rotate(lanes, c[3:], 0.0, v, y)
    weighted_squares(lanes, c[2], y, f)


@vectorisable
def bent_cigar(lanes, x, c, w, f):
    """``z_1^2 + 1e6 sum_{i>1} z_i^2``, ``z = R (Tasy^.2(x - xopt) - x1)``.

    Rows: 0 xopt, 1 x1, 2 weights, 3 asymmetry, 4… ``R``.
    """
    y, v, _ = blocks(lanes, c, w)
    shift(lanes, x, c[0], y)
    asymmetrise(lanes, c[3], y)
    shift(lanes, y, c[1], v)
    rotate(lanes, c[4:], 0.0, v, y)
    weighted_squares(lanes, c[2], y, f)


@vectorisable
def rastrigin(lanes, x, c, w, f):
    """Rastrigin of ``Tasy^.2 Tosz (x - xopt) - x1``. Rows: 0 xopt, 1 x1, 2 asymmetry."""
    y, v, rest = blocks(lanes, c, w)
    shift(lanes, x, c[0], y)
    oscillate(y)
    asymmetrise(lanes, c[2], y)
    shift(lanes, y, c[1], v)
    rastrigin_of(lanes, c.shape[1], v, y, rest, f)


@vectorisable
def rastrigin_rotated(lanes, x, c, w, f):
    """Rastrigin of ``R Tasy^.2 Tosz (x - xopt) - x1``.

    Rows: 0 xopt, 1 x1, 2 asymmetry, 3… ``R``.
    """
    y, z, rest = blocks(lanes, c, w)
    shift(lanes, x, c[0], y)
    oscillate(y)
    asymmetrise(lanes, c[2], y)
    rotate(lanes, c[3:], 0.0, y, z)
    shift(lanes, z, c[1], y)
    rastrigin_of(lanes, c.shape[1], y, z, rest, f)


@vectorisable
def _linear(lanes, y, c, f):
    """``g_j = sum_k a_jk (y_k - b_jk)``, without terms in [0, 1e-11], so that 0 is feasible.

    Rows: 0 xopt, 1 asymmetry; then, one number after the other, ``a`` by columns, and ``b``.
    """
    dimension = c.shape[1]
    count = (c.shape[0] - 2) // 2
    numbers = side_by_side(c)[2 * dimension :]
    gradients, offsets = numbers[: count * dimension], numbers[count * dimension :]
    fill(f[: count * lanes], 0.0)
    for k in range(dimension):
        for j in range(count):
            a, offset = gradients[k * count + j], offsets[k * count + j]
            for b in range(lanes):
                term = a * (y[k * lanes + b] - offset)
                is_rounding = (term >= 0.0) & (term <= 1e-11)
                f[j * lanes + b] += 0.0 if is_rounding else term


@vectorisable
def plain_constraints(lanes, x, c, w, f):
    """Linear constraints of ``x - xopt``. Rows: see ``_linear``."""
    y, _, _ = blocks(lanes, c, w)
    shift(lanes, x, c[0], y)
    _linear(lanes, y, c, f)


@vectorisable
def oscillated_constraints(lanes, x, c, w, f):
    """Linear constraints of ``Tosz(x - xopt)``. Rows: see ``_linear``."""
    y, _, _ = blocks(lanes, c, w)
    shift(lanes, x, c[0], y)
    oscillate(y)
    _linear(lanes, y, c, f)


@vectorisable
def asymmetric_constraints(lanes, x, c, w, f):
    """Linear constraints of ``Tasy^.2(x - xopt)``. Rows: see ``_linear``."""
    y, _, _ = blocks(lanes, c, w)
    shift(lanes, x, c[0], y)
    asymmetrise(lanes, c[1], y)
    _linear(lanes, y, c, f)


@vectorisable
def composed_constraints(lanes, x, c, w, f):
    """Linear constraints of ``Tasy^.2 Tosz (x - xopt)``. Rows: see ``_linear``."""
    y, _, _ = blocks(lanes, c, w)
    shift(lanes, x, c[0], y)
    oscillate(y)
    asymmetrise(lanes, c[1], y)
    _linear(lanes, y, c, f)
