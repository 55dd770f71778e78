"""The functions of bbob and their instances: optimum, and the rows that each kernel reads.

A kernel, in ``unimodal`` or ``multimodal``, gets ``lanes`` points ``x`` (see ``transformations``
for blocks), the rows ``c`` of constants made here (named at each kernel; a matrix stands as its
columns, one a row), a workspace ``w``, and leaves the values in ``f``, shape ``(lanes,)``.

Products of matrices and powers are formed in the order of COCO's implementation, since f16, f19 and
f23 amplify rounding; so the values agree with ``cocoex`` as far as its C library's functions allow.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ..compiled.compilation import Constants
from ..compiled.formula import Formula
from . import generators, multimodal, unimodal
from .generators import rotation

Array = NDArray[np.float64]

_SCHWEFEL_OPTIMUM = 4.2096874637
_COCO_SCHWEFEL = 2.10484373165
_SHARED_SEED = {4: 3, 18: 17}


@dataclass(frozen=True, slots=True)
class Seeds:
    """What an instance is drawn from."""

    dimension: int
    seed: int  # ``function + 10000 instance``; f4 uses f3's, f18 uses f17's
    reach: float = 4.0  # most optima lie in ``[-reach, reach)``; 5 in bbob-boxed

    @classmethod
    def of(cls, function: int, dimension: int, instance: int, reach: float = 4.0) -> Seeds:
        """The seeds of one instance."""
        return cls(dimension, _SHARED_SEED.get(function, function) + 10000 * instance, reach)

    @property
    def xopt(self) -> Array:
        """The optimum of most functions, shape ``(dimension,)``."""
        return generators.optimal_solution(self.dimension, self.seed, self.reach)

    @property
    def q(self) -> Array:
        """The rotation ``Q``, shape ``(dimension, dimension)``."""
        return rotation(self.dimension, self.seed)

    @property
    def r(self) -> Array:
        """The rotation ``R``, shape ``(dimension, dimension)``."""
        return rotation(self.dimension, self.seed + 1000000)

    def powers(self, base: float, stretch: float = 1.0) -> Array:
        """``base^(stretch e_i)``, ``e_i = i / (dimension - 1)``, shape ``(dimension,)``."""
        last = self.dimension - 1.0
        return np.array([math.pow(base, stretch * i / last) for i in range(self.dimension)])

    def linear(self, factor: float) -> Array:
        """``factor e_i``, shape ``(dimension,)``."""
        return factor * np.arange(self.dimension) / (self.dimension - 1)


@dataclass(frozen=True, slots=True)
class Instance:
    """One instance of one function."""

    optimum: Array
    rows: Array  # what the function's kernel reads, (rows, dimension)
    arrays: dict[str, Array] = field(default_factory=dict)  # see ``suites.bbob``

    def constants(self, optimal_value: float) -> Constants:
        """The kernel's constants, with its workspace: two blocks and a number, or the peaks."""
        dimension, peaks = len(self.optimum), len(self.arrays.get("heights", ()))
        return Constants(self.rows, optimal_value, dimension + max(dimension, peaks) + 1)


def rows(*parts: Array) -> Array:
    """Vectors and matrices, one under the other, shape ``(k, dimension)``."""
    return np.vstack([np.atleast_2d(part) for part in parts])


def _product(r: Array, scales: Array, q: Array) -> Array:
    """``R Lambda Q``, summed in the order of the definition's inner index."""
    total = np.zeros_like(r)
    for k in range(len(scales)):
        total += np.outer(r[:, k] * scales[k], q[k])
    return total


def _sphere(s: Seeds) -> Instance:
    return Instance(s.xopt, rows(s.xopt))


def _ellipsoid(s: Seeds) -> Instance:
    return Instance(s.xopt, rows(s.xopt, s.powers(1e6)))


def _rastrigin(s: Seeds) -> Instance:
    return Instance(s.xopt, rows(s.xopt, s.linear(0.2), s.powers(math.sqrt(10))))


def _bueche_rastrigin(s: Seeds) -> Instance:
    xopt = s.xopt
    xopt[::2] = np.abs(xopt[::2])
    small = s.powers(math.sqrt(10))
    large = small.copy()
    large[::2] *= 10
    return Instance(xopt, rows(xopt, small, large))


def _linear_slope(s: Seeds) -> Instance:
    sign = np.where(s.xopt < 0, -1.0, 1.0)
    return Instance(5 * sign, rows(5 * sign, sign * s.powers(10)), {"signs": sign})


def _attractive_sector(s: Seeds) -> Instance:
    matrix = _product(s.r, s.powers(math.sqrt(10)), s.q)
    return Instance(s.xopt, rows(s.xopt, matrix.T))


def _step_ellipsoid(s: Seeds) -> Instance:
    scaled = s.powers(math.sqrt(10))[:, None] * s.q
    return Instance(s.xopt, rows(s.xopt, s.powers(100), scaled.T, s.r.T))


def _rosenbrock(s: Seeds) -> Instance:
    optimum = 0.75 * s.xopt
    factor = max(1.0, math.sqrt(s.dimension) / 8)
    return Instance(optimum, rows(optimum, np.full(s.dimension, factor)))


def _half_rotated(s: Seeds) -> Instance:
    factor = max(1.0, math.sqrt(s.dimension) / 8)
    matrix = factor * s.q
    optimum = s.q.T @ np.full(s.dimension, 0.5 / factor)
    return Instance(optimum, rows(matrix.T))


def _rotated_ellipsoid(s: Seeds) -> Instance:
    return Instance(s.xopt, rows(s.xopt, s.powers(1e6), s.r.T))


def _discus(s: Seeds) -> Instance:
    weights = np.ones(s.dimension)
    weights[0] = 1e6
    return Instance(s.xopt, rows(s.xopt, weights, s.r.T))


def _bent_cigar(s: Seeds) -> Instance:
    weights = np.full(s.dimension, 1e6)
    weights[0] = 1
    xopt = generators.optimal_solution(s.dimension, s.seed + 1000000, s.reach)
    return Instance(xopt, rows(xopt, weights, s.linear(0.5), s.r.T))


def _different_powers(s: Seeds) -> Instance:
    return Instance(s.xopt, rows(s.xopt, 2 + s.linear(4), s.r.T))


def _rotated_rastrigin(s: Seeds) -> Instance:
    matrix = _product(s.r, s.powers(math.sqrt(10)), s.q)
    return Instance(s.xopt, rows(s.xopt, s.linear(0.2), s.r.T, matrix.T))


def _weierstrass(s: Seeds) -> Instance:
    matrix = _product(s.r, s.powers(1 / math.sqrt(100)), s.q)
    return Instance(s.xopt, rows(s.xopt, s.r.T, matrix.T))


def _schaffers(conditioning: float) -> Callable[[Seeds], Instance]:
    def instance(s: Seeds) -> Instance:
        matrix = s.powers(math.sqrt(conditioning))[:, None] * s.q
        return Instance(s.xopt, rows(s.xopt, s.linear(0.5), s.r.T, matrix.T))

    return instance


def _schwefel(s: Seeds) -> Instance:
    sign = np.where(generators.uniform(s.dimension, s.seed) < 0.5, -1.0, 1.0)
    scales = s.powers(math.sqrt(10))
    return Instance(sign * _SCHWEFEL_OPTIMUM / 2, rows(sign, scales), {"signs": sign})


def gallagher_arrays(s: Seeds, peaks: int, spread: float, first: float) -> dict[str, Array]:
    """Peaks in ``[-spread / 2, spread / 2)``, their curvatures and heights, as constants have them.

    ``first`` conditions the best one.
    """
    places = spread * generators.uniform(s.dimension * peaks, s.seed) - spread / 2
    places = places.reshape(peaks, s.dimension)
    places[0] *= s.reach / 5
    order = np.argsort(generators.uniform(peaks - 1, s.seed), kind="stable")
    conditioning = [first, *(math.pow(1000.0, k / (peaks - 2.0)) for k in order.tolist())]
    drawn = [generators.uniform(s.dimension, s.seed + 1000 * k) for k in range(peaks)]
    exponents = np.argsort(drawn, axis=1, kind="stable") / (s.dimension - 1.0) - 0.5
    curvatures = np.array(
        [
            [math.pow(alpha, exponent) for exponent in of_peak]
            for alpha, of_peak in zip(conditioning, exponents.tolist(), strict=True)
        ]
    )
    heights = np.append(10.0, 1.1 + 8.0 * np.arange(peaks - 1) / (peaks - 2))
    return {"peaks": places, "curvatures": curvatures, "heights": heights}


def gallagher_rows(rotated: Array, arrays: dict[str, Array]) -> Array:
    """What ``multimodal.gallagher_of`` reads; ``rotated``, shape ``(dimension, peaks)``."""
    dimension, peaks = rotated.shape
    spare = np.zeros(-peaks % dimension)
    logarithms = -2 * dimension * np.log(arrays["heights"])
    numbers = (rotated.ravel(), arrays["curvatures"].T.ravel(), logarithms, spare)
    return np.concatenate(numbers).reshape(-1, dimension)


def _gallagher(peaks: int, spread: float, first: float) -> Callable[[Seeds], Instance]:
    def instance(s: Seeds) -> Instance:
        arrays = gallagher_arrays(s, peaks, spread, first)
        places = arrays["peaks"]
        q, rotated = s.q, np.zeros((s.dimension, peaks))
        for j in range(s.dimension):
            rotated += np.outer(q[:, j], places[:, j])
        return Instance(places[0].copy(), rows(q.T, gallagher_rows(rotated, arrays)), arrays)

    return instance


def _katsuura(s: Seeds) -> Instance:
    matrix = _product(s.r, s.powers(math.sqrt(100)), s.q)
    return Instance(s.xopt, rows(s.xopt, matrix.T))


def _lunacek(s: Seeds) -> Instance:
    sign = np.where(generators.gaussian(s.dimension, s.seed) < 0, -1.0, 1.0)
    scaled = s.powers(math.sqrt(100))[:, None] * s.q
    return Instance(1.25 * sign, rows(sign, scaled.T, s.r.T), {"signs": sign})


def _rotation(s: Seeds, name: str) -> Array:
    return s.q if name == "Q" else s.r


@dataclass(frozen=True, slots=True)
class Function:
    """One function of bbob, or of a suite that is made of these."""

    name: str  # for people
    kernel: Callable[..., None]
    instance: Callable[[Seeds], Instance]
    parts: str = ""  # names of what defines an instance besides its other arrays
    part: Callable[[Seeds, str], Array] = _rotation  # makes one of these


FUNCTIONS = {
    1: Function("Sphere", unimodal.sphere, _sphere),
    2: Function("Ellipsoid separable", unimodal.ellipsoid, _ellipsoid),
    3: Function("Rastrigin separable", multimodal.rastrigin, _rastrigin),
    4: Function("Bueche-Rastrigin", multimodal.bueche_rastrigin, _bueche_rastrigin),
    5: Function("Linear slope", unimodal.linear_slope, _linear_slope),
    6: Function("Attractive sector", unimodal.attractive_sector, _attractive_sector, "Q R"),
    7: Function("Step-ellipsoid", unimodal.step_ellipsoid, _step_ellipsoid, "Q R"),
    8: Function("Rosenbrock original", unimodal.rosenbrock, _rosenbrock),
    9: Function("Rosenbrock rotated", unimodal.rosenbrock_rotated, _half_rotated, "Q"),
    10: Function("Ellipsoid", unimodal.oscillated_rotation, _rotated_ellipsoid, "R"),
    11: Function("Discus", unimodal.oscillated_rotation, _discus, "R"),
    12: Function("Bent cigar", unimodal.bent_cigar, _bent_cigar, "R"),
    13: Function("Sharp ridge", unimodal.sharp_ridge, _attractive_sector, "Q R"),
    14: Function("Sum of different powers", unimodal.different_powers, _different_powers, "R"),
    15: Function("Rastrigin", multimodal.rastrigin_rotated, _rotated_rastrigin, "Q R"),
    16: Function("Weierstrass", multimodal.weierstrass, _weierstrass, "Q R"),
    17: Function("Schaffer F7, condition 10", multimodal.schaffers, _schaffers(10.0), "Q R"),
    18: Function("Schaffer F7, condition 1000", multimodal.schaffers, _schaffers(1000.0), "Q R"),
    19: Function("Griewank-Rosenbrock", multimodal.griewank_rosenbrock, _half_rotated, "Q"),
    20: Function("Schwefel x*sin(x)", multimodal.schwefel, _schwefel),
    21: Function(
        "Gallagher 101 peaks", multimodal.gallagher, _gallagher(101, 10.0, math.sqrt(1000.0)), "Q"
    ),
    22: Function("Gallagher 21 peaks", multimodal.gallagher, _gallagher(21, 9.8, 1000.0), "Q"),
    23: Function("Katsuura", multimodal.katsuura, _katsuura, "Q R"),
    24: Function("Lunacek bi-Rastrigin", multimodal.lunacek, _lunacek, "Q R"),
}


def formula(function: int, dimension: int, instance: int, reach: float = 4.0) -> Formula:
    """One instance of one function; ``reach`` as of ``Seeds``."""
    return formula_of(FUNCTIONS[function], Seeds.of(function, dimension, instance, reach))


def formula_of(function: Function, s: Seeds, factor: float = 1.0) -> Formula:
    """One instance of a function, whose kernel's values are multiplied by ``factor``."""
    drawn, value = function.instance(s), generators.optimal_value(s.seed)
    constants = replace(drawn.constants(value / factor), factor=factor)
    arrays = partial(_arrays, function, s)
    return Formula(function.name, function.kernel, constants, drawn.optimum, arrays)


def coco_optimum(function: int, drawn: Formula) -> Array:
    """The optimum as COCO states it, shape ``(dimension,)``: of f20, 2e-10 from where it is.

    It is what COCO makes grids of integers and nadir points of.
    """
    return np.copysign(_COCO_SCHWEFEL, drawn.optimum) if function == 20 else drawn.optimum


def _arrays(function: Function, s: Seeds) -> dict[str, Array]:
    """The arrays that define an instance, as the suite names them."""
    drawn = function.instance(s)
    return {
        "optimum": drawn.optimum.copy(),
        "optimal_value": np.array(generators.optimal_value(s.seed)),
        **{name: function.part(s, name).copy() for name in function.parts.split()},
        **drawn.arrays,
    }
