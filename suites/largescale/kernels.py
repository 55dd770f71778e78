"""The kernels of bbob-largescale: bbob's formulas after block rotations between permutations.

In the documentation of a kernel, ``A`` is one rotation between two permutations, and ``A2`` two
rotations, with scales between them: ``y`` becomes ``P B S P' B' P'' y``. Rows of an ``A``: two
permutations, in the order of application, then the blocks. Rows of an ``A2``: three permutations,
the scales after the second one, the blocks applied first, and the others. ``n = min(1, 40 / D)``.
"""

# mypy: ignore-errors
# (numba types this module, by its own rules)

from __future__ import annotations

from ..bbob.multimodal import (
    bueche_rastrigin,
    funnels,
    gallagher_of,
    griewank_rosenbrock_of,
    katsuura_of,
    rastrigin_of,
    schaffers_of,
    weierstrass_of,
)
from ..bbob.transformations import (
    asymmetrise,
    blocks,
    oscillate,
    penalise,
    ripples,
    scale,
    shift,
    side_by_side,
    weighted_squares,
)
from ..bbob.unimodal import (
    attractive_sector_of,
    different_powers_of,
    rosenbrock_of,
    sharp_ridge_of,
    steps,
)
from ..compiled.elementary import vectorisable
from ..compiled.operators import permute, rotate_blocks


@vectorisable
def share(dimension):
    """``min(1, 40 / D)``."""
    return min(1.0, 40.0 / dimension)


@vectorisable
def linear_axes(dimension):
    """How many axes f13 treats as its first: ``D / 40``, rounded upwards."""
    return (dimension + 39) // 40


@vectorisable
def once(lanes, c, y, z):
    """``z = A y``; ``y`` is lost."""
    size = min(40, c.shape[1])
    permute(lanes, c[0], y, z)
    rotate_blocks(lanes, c[2 : 2 + size], 0.0, z, y)
    permute(lanes, c[1], y, z)


@vectorisable
def twice(lanes, c, y, z):
    """``z = A2 y``; ``y`` is lost."""
    size = min(40, c.shape[1])
    permute(lanes, c[0], y, z)
    rotate_blocks(lanes, c[4 : 4 + size], 0.0, z, y)
    permute(lanes, c[1], y, z)
    scale(lanes, c[3], z)
    rotate_blocks(lanes, c[4 + size : 4 + 2 * size], 0.0, z, y)
    permute(lanes, c[2], y, z)


@vectorisable
def large_bueche_rastrigin(lanes, x, c, w, f):
    """f4: ``n`` times Rastrigin as in bbob, ``+ 100 fpen``. Rows: those of bbob."""
    bueche_rastrigin(lanes, x, c, w, f)
    n = share(c.shape[1])
    for b in range(lanes):
        f[b] *= n
    penalise(lanes, x, 100.0 * (1.0 - n), w, f)


@vectorisable
def large_attractive_sector(lanes, x, c, w, f):
    """f6: ``Tosz(n sum (s_i z_i)^2)^.9``, ``z = A2 (x - xopt)``. Rows: 0 xopt, 1… A2."""
    y, z, _ = blocks(lanes, c, w)
    shift(lanes, x, c[0], y)
    twice(lanes, c[1:], y, z)
    attractive_sector_of(lanes, c[0], share(c.shape[1]), z, f)


@vectorisable
def large_step_ellipsoid(lanes, x, c, w, f):
    """f7: ``0.1 n max(D |y_1| / 1e4, sum 100^e_i z_i^2) + fpen``, ``z = A' round(y)``.

    ``y = Lambda^10 A (x - xopt)`` is rounded as in bbob.
    Rows: 0 xopt, 1 weights, 2 scales, 3… A, then A'.
    """
    dimension = c.shape[1]
    size = min(40, dimension)
    y, z, rest = blocks(lanes, c, w)
    first = rest[:lanes]
    shift(lanes, x, c[0], y)
    once(lanes, c[3:], y, z)
    scale(lanes, c[2], z)
    for b in range(lanes):
        first[b] = 1e-4 * dimension * abs(z[b])
    steps(z)
    once(lanes, c[5 + size :], z, y)
    weighted_squares(lanes, c[1], y, f)
    for b in range(lanes):
        f[b] = 0.1 * share(dimension) * max(first[b], f[b])
    penalise(lanes, x, 1.0, rest, f)


@vectorisable
def large_rosenbrock(lanes, x, c, w, f):
    """f9: Rosenbrock of ``A (x - xopt) + 1``. Rows: 0 xopt, 1… A."""
    y, z, _ = blocks(lanes, c, w)
    shift(lanes, x, c[0], y)
    once(lanes, c[1:], y, z)
    for k in range(z.shape[0]):
        z[k] += 1.0
    rosenbrock_of(lanes, c.shape[1], z, y, f)


@vectorisable
def large_oscillated_rotation(lanes, x, c, w, f):
    """f10, f11: ``sum weights_i z_i^2``, ``z = Tosz(A (x - xopt))``.

    Rows: 0 xopt, 1 weights, 2… A.
    """
    y, z, _ = blocks(lanes, c, w)
    shift(lanes, x, c[0], y)
    once(lanes, c[2:], y, z)
    oscillate(z)
    weighted_squares(lanes, c[1], z, f)


@vectorisable
def large_bent_cigar(lanes, x, c, w, f):
    """f12: ``sum weights_i z_i^2``, ``z = A Tasy^.5 A (x - xopt)``.

    Rows: 0 xopt, 1 weights, 2 asymmetry, 3… A.
    """
    y, z, _ = blocks(lanes, c, w)
    shift(lanes, x, c[0], y)
    once(lanes, c[3:], y, z)
    asymmetrise(lanes, c[2], z)
    once(lanes, c[3:], z, y)
    weighted_squares(lanes, c[1], y, f)


@vectorisable
def large_sharp_ridge(lanes, x, c, w, f):
    """f13: ``sum_{i<=L} z_i^2 + 100 sqrt(sum_{i>L} z_i^2)``, ``z = A2 (x - xopt)``.

    ``L`` is ``D / 40``, rounded upwards. Rows: 0 xopt, 1… A2.
    """
    y, z, _ = blocks(lanes, c, w)
    shift(lanes, x, c[0], y)
    twice(lanes, c[1:], y, z)
    sharp_ridge_of(lanes, linear_axes(c.shape[1]), z, f)


@vectorisable
def large_different_powers(lanes, x, c, w, f):
    """f14: ``sqrt(sum |z_i|^(2 + 4 e_i))``, ``z = A (x - xopt)``.

    Rows: 0 xopt, 1 exponents, 2… A.
    """
    y, z, _ = blocks(lanes, c, w)
    shift(lanes, x, c[0], y)
    once(lanes, c[2:], y, z)
    different_powers_of(lanes, c[1], z, y, f)


@vectorisable
def large_rastrigin(lanes, x, c, w, f):
    """f15: Rastrigin of ``A2 Tasy^.2 Tosz (A (x - xopt))``.

    Rows: 0 xopt, 1 asymmetry, 2… A, then A2.
    """
    dimension = c.shape[1]
    y, z, rest = blocks(lanes, c, w)
    shift(lanes, x, c[0], y)
    once(lanes, c[2:], y, z)
    oscillate(z)
    asymmetrise(lanes, c[1], z)
    twice(lanes, c[4 + min(40, dimension) :], z, y)
    rastrigin_of(lanes, dimension, y, z, rest, f)


@vectorisable
def large_weierstrass(lanes, x, c, w, f):
    """f16: Weierstrass of ``A2 Tosz(A (x - xopt))``, ``+ 10/D fpen``.

    Rows: 0 xopt, 1… A, then A2.
    """
    dimension = c.shape[1]
    y, z, _ = blocks(lanes, c, w)
    shift(lanes, x, c[0], y)
    once(lanes, c[1:], y, z)
    oscillate(z)
    twice(lanes, c[3 + min(40, dimension) :], z, y)
    weierstrass_of(lanes, dimension, y, z, f)
    penalise(lanes, x, 10.0 / dimension, z, f)


@vectorisable
def large_schaffers(lanes, x, c, w, f):
    """f17, f18: Schaffers' F7 of ``Lambda A' Tasy^.5 A (x - xopt)``, ``+ 10 fpen``.

    Rows: 0 xopt, 1 asymmetry, 2 scales, 3… A, then A'.
    """
    dimension = c.shape[1]
    y, z, _ = blocks(lanes, c, w)
    shift(lanes, x, c[0], y)
    once(lanes, c[3:], y, z)
    asymmetrise(lanes, c[1], z)
    once(lanes, c[5 + min(40, dimension) :], z, y)
    scale(lanes, c[2], y)
    schaffers_of(lanes, dimension, y, z, f)
    penalise(lanes, x, 10.0, z, f)


@vectorisable
def large_griewank_rosenbrock(lanes, x, c, w, f):
    """f19: Griewank-Rosenbrock of ``A x + 1/2``. Rows: 0… A."""
    dimension = c.shape[1]
    y, z, _ = blocks(lanes, c, w)
    for k in range(y.shape[0]):
        y[k] = x[k]
    once(lanes, c, y, z)
    for k in range(z.shape[0]):
        z[k] += 0.5
    griewank_rosenbrock_of(lanes, dimension, z, y, f)


@vectorisable
def large_gallagher(lanes, x, c, w, f):
    """f21, f22: Gallagher's peaks at ``B x``, ``+ fpen``. Rows: 0… blocks, then the peaks."""
    dimension = c.shape[1]
    size = min(40, dimension)
    y, rest = w[: dimension * lanes], w[dimension * lanes :]
    rotate_blocks(lanes, c[:size], 0.0, x, y)
    gallagher_of(lanes, dimension, side_by_side(c)[size * dimension :], y, rest, f)
    penalise(lanes, x, 1.0, rest, f)


@vectorisable
def large_katsuura(lanes, x, c, w, f):
    """f23: Katsuura of ``A2 (x - xopt)``, ``+ fpen``. Rows: 0 xopt, 1… A2."""
    dimension = c.shape[1]
    y, z, _ = blocks(lanes, c, w)
    shift(lanes, x, c[0], y)
    twice(lanes, c[1:], y, z)
    katsuura_of(lanes, dimension, z, y, f)
    penalise(lanes, x, 1.0, y, f)


@vectorisable
def large_lunacek(lanes, x, c, w, f):
    """f24: ``n`` times the funnels and ripples of bbob, ``+ 1e4 fpen``; ``z = A2 (v - m0)``.

    Rows: 0 signs, 1… A2.
    """
    dimension = c.shape[1]
    y, z, rest = blocks(lanes, c, w)
    second = rest[:lanes]
    funnels(lanes, x, c[0], y, f, second)
    twice(lanes, c[1:], y, z)
    ripples(lanes, dimension, z, y, f)
    for b in range(lanes):
        f[b] = share(dimension) * (f[b] + second[b])
    penalise(lanes, x, 1e4, rest, f)
