"""The instances of bbob's functions: optima, and the constants that the kernels read.

`FUNCTIONS` lists, for each function, its kernel and the function that draws an instance.
`draw_formula` draws one instance. Other suites replace kernels or constants and call
`build_formula`.

Products of matrices, and powers, are computed in the order of COCO's implementation, because f16,
f19 and f23 amplify rounding errors. The values then agree with those of ``cocoex`` up to the
rounding of the C library's functions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from ..arrays import Floats
from ..compiled.compilation import Constants
from ..compiled.formula import Formula
from ..compiled.kernel import Kernel
from . import generators, multimodal, unimodal
from .generators import draw_rotation

_TWICE_SCHWEFEL_OPTIMUM = 4.2096874637  # 2 |xopt_i| of f20
_COCO_SCHWEFEL_OPTIMUM = 2.10484373165  # |xopt_i| of f20 as COCO states it, 2e-10 less
_SEED_OF_OTHER_FUNCTION = {4: 3, 18: 17}  # f4 has the seeds of f3, and f18 those of f17


@dataclass(frozen=True, slots=True)
class Seeds:
    """The seed of one instance, and the arrays that are drawn from it.

    ``e_i`` is ``(i - 1) / (dimension - 1)``, where ``i`` counts from 1.
    """

    dimension: int
    seed: int
    optimum_bound: float = 4.0  # most optima lie in ``[-bound, bound)``; 5 in bbob-boxed

    @classmethod
    def from_instance(
        cls, function: int, dimension: int, instance: int, optimum_bound: float = 4.0
    ) -> Seeds:
        """Return the seeds of one instance of one function.

        Args:
            function: Number of the function, 1 to 24.
            dimension: Number of variables.
            instance: Number of the instance.
            optimum_bound: Most optima are drawn from ``[-optimum_bound, optimum_bound)``.

        Returns:
            Seeds with the seed ``function + 10000 instance``; f4 and f18 use those of f3 and f17.
        """
        seed = _SEED_OF_OTHER_FUNCTION.get(function, function) + 10000 * instance
        return cls(dimension, seed, optimum_bound)

    @property
    def xopt(self) -> Floats:
        """The optimum of most functions, a new array of shape ``(dimension,)``."""
        return generators.draw_optimal_solution(self.dimension, self.seed, self.optimum_bound)

    @property
    def q(self) -> Floats:
        """The rotation ``Q``, read-only, shape ``(dimension, dimension)``."""
        return draw_rotation(self.dimension, self.seed)

    @property
    def r(self) -> Floats:
        """The rotation ``R``, read-only, shape ``(dimension, dimension)``."""
        return draw_rotation(self.dimension, self.seed + 1000000)

    def powers(self, base: float, stretch: float = 1.0) -> Floats:
        """Compute powers.

        Args:
            base: Base of the powers.
            stretch: Largest exponent.

        Returns:
            ``base^(stretch e_i)``, shape ``(dimension,)``.
        """
        last = self.dimension - 1.0
        return np.array([math.pow(base, stretch * i / last) for i in range(self.dimension)])

    def multiples(self, factor: float) -> Floats:
        """Compute ``factor e_i``, shape ``(dimension,)``."""
        return factor * np.arange(self.dimension) / (self.dimension - 1)


@dataclass(frozen=True, slots=True)
class Instance:
    """One instance of one function, without its optimal value."""

    optimum: Floats
    rows: Floats  # constants of the function's kernel, shape (n_rows, dimension)
    arrays: dict[str, Floats] = field(default_factory=dict)  # named as in ``suites.bbob``

    def build_constants(self, optimal_value: float) -> Constants:
        """Return the constants of the kernel, with enough workspace for all of bbob's kernels.

        That is two blocks and one number per point, or one block, a number for each peak of f21 and
        f22, and one number per point.
        """
        dimension, n_peaks = len(self.optimum), len(self.arrays.get("heights", ()))
        return Constants(self.rows, optimal_value, dimension + max(dimension, n_peaks) + 1)


def _draw_rotation_by_name(seeds: Seeds, name: str) -> Floats:
    return seeds.q if name == "Q" else seeds.r


@dataclass(frozen=True, slots=True)
class Function:
    """One function of bbob, or of a suite that consists of bbob's functions."""

    name: str  # for people
    kernel: Kernel
    draw_instance: Callable[[Seeds], Instance]
    # Arrays that define an instance besides those in `Instance.arrays`, named as in the suite.
    array_names: tuple[str, ...] = ()
    draw_array: Callable[[Seeds, str], Floats] = _draw_rotation_by_name


def draw_formula(
    function: int, dimension: int, instance: int, optimum_bound: float = 4.0
) -> Formula:
    """Draw one instance of one of bbob's functions.

    Args:
        function: Number of the function, 1 to 24.
        dimension: Number of variables.
        instance: Number of the instance.
        optimum_bound: Most optima are drawn from ``[-optimum_bound, optimum_bound)``.

    Returns:
        The formula of the instance, with its optimal value.
    """
    seeds = Seeds.from_instance(function, dimension, instance, optimum_bound)
    return build_formula(FUNCTIONS[function], seeds)


def build_formula(function: Function, seeds: Seeds, factor: float = 1.0) -> Formula:
    """Draw one instance of a function.

    Args:
        function: One of `FUNCTIONS`, or a function of another suite.
        seeds: Seeds of the instance.
        factor: Factor of the kernel's values. The optimal value is not multiplied.

    Returns:
        The formula of the instance, with its optimal value.
    """
    instance = function.draw_instance(seeds)
    optimal_value = generators.draw_optimal_value(seeds.seed)
    constants = replace(instance.build_constants(optimal_value / factor), factor=factor)
    copy_arrays = partial(_copy_arrays, function, seeds)
    return Formula(function.name, function.kernel, constants, instance.optimum, copy_arrays)


def get_coco_optimum(function: int, formula: Formula) -> Floats:
    """Return the optimum of a function as COCO states it.

    It differs from the optimum in f20 only, by 2e-10. COCO computes grids of integer variables and
    nadir points from it.

    Args:
        function: Number of the function in bbob.
        formula: An instance of the function.

    Returns:
        Shape ``(dimension,)``.
    """
    if function == 20:
        return np.copysign(_COCO_SCHWEFEL_OPTIMUM, formula.optimum)
    return formula.optimum


def draw_peaks(
    seeds: Seeds, n_peaks: int, width: float, best_conditioning: float
) -> dict[str, Floats]:
    """Draw the peaks of f21 or f22.

    Args:
        seeds: Seeds of the instance.
        n_peaks: Number of peaks m.
        width: Positions are drawn from ``[-width / 2, width / 2)``, except that of the best peak.
        best_conditioning: Condition number of the best peak's curvature.

    Returns:
        ``peaks``, shape ``(m, dimension)``, ``curvatures``, shape ``(m, dimension)``, and
        ``heights``, shape ``(m,)``, as in the table of ``suites.bbob``.
    """
    positions = width * generators.draw_uniform(seeds.dimension * n_peaks, seeds.seed) - width / 2
    positions = positions.reshape(n_peaks, seeds.dimension)
    positions[0] *= seeds.optimum_bound / 5
    order = np.argsort(generators.draw_uniform(n_peaks - 1, seeds.seed), kind="stable")
    conditionings = [
        best_conditioning,
        *(math.pow(1000.0, k / (n_peaks - 2.0)) for k in order.tolist()),
    ]
    samples = [
        generators.draw_uniform(seeds.dimension, seeds.seed + 1000 * k) for k in range(n_peaks)
    ]
    exponents = np.argsort(samples, axis=1, kind="stable") / (seeds.dimension - 1.0) - 0.5
    curvatures = np.array(
        [
            [math.pow(conditioning, exponent) for exponent in exponents_of_peak]
            for conditioning, exponents_of_peak in zip(
                conditionings, exponents.tolist(), strict=True
            )
        ]
    )
    heights = np.append(10.0, 1.1 + 8.0 * np.arange(n_peaks - 1) / (n_peaks - 2))
    return {"peaks": positions, "curvatures": curvatures, "heights": heights}


def pack_peaks(rotated_positions: Floats, arrays: dict[str, Floats]) -> Floats:
    """Return the rows of constants that `multimodal.gallagher_of` reads.

    Args:
        rotated_positions: Positions of the peaks in the rotated coordinates, shape
            ``(dimension, n_peaks)``.
        arrays: Curvatures and heights, made by `draw_peaks`.

    Returns:
        Shape ``(n_rows, dimension)``; the last row ends with zeros that nothing reads.
    """
    dimension, n_peaks = rotated_positions.shape
    padding = np.zeros(-n_peaks % dimension)
    height_terms = -2 * dimension * np.log(arrays["heights"])
    parts = (rotated_positions.ravel(), arrays["curvatures"].T.ravel(), height_terms, padding)
    return np.concatenate(parts).reshape(-1, dimension)


def stack_rows(*parts: Floats) -> Floats:
    """Stack vectors ``(dimension,)`` and matrices ``(k, dimension)`` to one array of rows."""
    return np.vstack([np.atleast_2d(part) for part in parts])


# Functions that draw instances. The rows are documented at the kernels.


def _draw_sphere(seeds: Seeds) -> Instance:
    return Instance(seeds.xopt, stack_rows(seeds.xopt))


def _draw_ellipsoid(seeds: Seeds) -> Instance:
    return Instance(seeds.xopt, stack_rows(seeds.xopt, seeds.powers(1e6)))


def _draw_rastrigin(seeds: Seeds) -> Instance:
    rows = stack_rows(seeds.xopt, seeds.multiples(0.2), seeds.powers(math.sqrt(10)))
    return Instance(seeds.xopt, rows)


def _draw_bueche_rastrigin(seeds: Seeds) -> Instance:
    xopt = seeds.xopt
    xopt[::2] = np.abs(xopt[::2])
    scales = seeds.powers(math.sqrt(10))
    positive_scales = scales.copy()
    positive_scales[::2] *= 10
    return Instance(xopt, stack_rows(xopt, scales, positive_scales))


def _draw_linear_slope(seeds: Seeds) -> Instance:
    signs = np.where(seeds.xopt < 0, -1.0, 1.0)
    return Instance(5 * signs, stack_rows(5 * signs, signs * seeds.powers(10)), {"signs": signs})


def _draw_attractive_sector(seeds: Seeds) -> Instance:
    matrix = _multiply(seeds.r, seeds.powers(math.sqrt(10)), seeds.q)
    return Instance(seeds.xopt, stack_rows(seeds.xopt, matrix.T))


def _draw_step_ellipsoid(seeds: Seeds) -> Instance:
    scaled_q = seeds.powers(math.sqrt(10))[:, None] * seeds.q
    rows = stack_rows(seeds.xopt, seeds.powers(100), scaled_q.T, seeds.r.T)
    return Instance(seeds.xopt, rows)


def _draw_rosenbrock(seeds: Seeds) -> Instance:
    optimum = 0.75 * seeds.xopt
    factor = max(1.0, math.sqrt(seeds.dimension) / 8)
    return Instance(optimum, stack_rows(optimum, np.full(seeds.dimension, factor)))


def _draw_rotated_without_shift(seeds: Seeds) -> Instance:
    """Draw an instance of f9 or f19, whose optimum is where ``factor Q x`` is 1/2."""
    factor = max(1.0, math.sqrt(seeds.dimension) / 8)
    matrix = factor * seeds.q
    optimum = seeds.q.T @ np.full(seeds.dimension, 0.5 / factor)
    return Instance(optimum, stack_rows(matrix.T))


def _draw_rotated_ellipsoid(seeds: Seeds) -> Instance:
    return Instance(seeds.xopt, stack_rows(seeds.xopt, seeds.powers(1e6), seeds.r.T))


def _draw_discus(seeds: Seeds) -> Instance:
    weights = np.ones(seeds.dimension)
    weights[0] = 1e6
    return Instance(seeds.xopt, stack_rows(seeds.xopt, weights, seeds.r.T))


def _draw_bent_cigar(seeds: Seeds) -> Instance:
    weights = np.full(seeds.dimension, 1e6)
    weights[0] = 1
    xopt = generators.draw_optimal_solution(
        seeds.dimension, seeds.seed + 1000000, seeds.optimum_bound
    )
    return Instance(xopt, stack_rows(xopt, weights, seeds.multiples(0.5), seeds.r.T))


def _draw_different_powers(seeds: Seeds) -> Instance:
    return Instance(seeds.xopt, stack_rows(seeds.xopt, 2 + seeds.multiples(4), seeds.r.T))


def _draw_rotated_rastrigin(seeds: Seeds) -> Instance:
    matrix = _multiply(seeds.r, seeds.powers(math.sqrt(10)), seeds.q)
    rows = stack_rows(seeds.xopt, seeds.multiples(0.2), seeds.r.T, matrix.T)
    return Instance(seeds.xopt, rows)


def _draw_weierstrass(seeds: Seeds) -> Instance:
    matrix = _multiply(seeds.r, seeds.powers(1 / math.sqrt(100)), seeds.q)
    return Instance(seeds.xopt, stack_rows(seeds.xopt, seeds.r.T, matrix.T))


def _draw_schaffers(seeds: Seeds, conditioning: float) -> Instance:
    matrix = seeds.powers(math.sqrt(conditioning))[:, None] * seeds.q
    rows = stack_rows(seeds.xopt, seeds.multiples(0.5), seeds.r.T, matrix.T)
    return Instance(seeds.xopt, rows)


def _draw_schwefel(seeds: Seeds) -> Instance:
    signs = np.where(generators.draw_uniform(seeds.dimension, seeds.seed) < 0.5, -1.0, 1.0)
    scales = seeds.powers(math.sqrt(10))
    optimum = signs * _TWICE_SCHWEFEL_OPTIMUM / 2
    return Instance(optimum, stack_rows(signs, scales), {"signs": signs})


def _draw_gallagher(seeds: Seeds, n_peaks: int, width: float, best_conditioning: float) -> Instance:
    arrays = draw_peaks(seeds, n_peaks, width, best_conditioning)
    positions = arrays["peaks"]
    q, rotated_positions = seeds.q, np.zeros((seeds.dimension, n_peaks))
    for j in range(seeds.dimension):
        rotated_positions += np.outer(q[:, j], positions[:, j])
    rows = stack_rows(q.T, pack_peaks(rotated_positions, arrays))
    return Instance(positions[0].copy(), rows, arrays)


def _draw_katsuura(seeds: Seeds) -> Instance:
    matrix = _multiply(seeds.r, seeds.powers(math.sqrt(100)), seeds.q)
    return Instance(seeds.xopt, stack_rows(seeds.xopt, matrix.T))


def _draw_lunacek(seeds: Seeds) -> Instance:
    signs = np.where(generators.draw_normal(seeds.dimension, seeds.seed) < 0, -1.0, 1.0)
    scaled_q = seeds.powers(math.sqrt(100))[:, None] * seeds.q
    return Instance(1.25 * signs, stack_rows(signs, scaled_q.T, seeds.r.T), {"signs": signs})


def _multiply(r: Floats, scales: Floats, q: Floats) -> Floats:
    """Return ``R Lambda Q``, summed in the order of the definition's inner index."""
    total = np.zeros_like(r)
    for k in range(len(scales)):
        total += np.outer(r[:, k] * scales[k], q[k])
    return total


def _copy_arrays(function: Function, seeds: Seeds) -> dict[str, Floats]:
    """Return new arrays that define an instance, named as in the suite."""
    instance = function.draw_instance(seeds)
    return {
        "optimum": instance.optimum.copy(),
        "optimal_value": np.array(generators.draw_optimal_value(seeds.seed)),
        **{name: function.draw_array(seeds, name).copy() for name in function.array_names},
        **instance.arrays,
    }


FUNCTIONS = {
    1: Function("Sphere", unimodal.sphere, _draw_sphere),
    2: Function("Ellipsoid separable", unimodal.ellipsoid, _draw_ellipsoid),
    3: Function("Rastrigin separable", multimodal.rastrigin, _draw_rastrigin),
    4: Function("Bueche-Rastrigin", multimodal.bueche_rastrigin, _draw_bueche_rastrigin),
    5: Function("Linear slope", unimodal.linear_slope, _draw_linear_slope),
    6: Function(
        "Attractive sector", unimodal.attractive_sector, _draw_attractive_sector, ("Q", "R")
    ),
    7: Function("Step-ellipsoid", unimodal.step_ellipsoid, _draw_step_ellipsoid, ("Q", "R")),
    8: Function("Rosenbrock original", unimodal.rosenbrock, _draw_rosenbrock),
    9: Function(
        "Rosenbrock rotated", unimodal.rosenbrock_rotated, _draw_rotated_without_shift, ("Q",)
    ),
    10: Function("Ellipsoid", unimodal.oscillated_rotation, _draw_rotated_ellipsoid, ("R",)),
    11: Function("Discus", unimodal.oscillated_rotation, _draw_discus, ("R",)),
    12: Function("Bent cigar", unimodal.bent_cigar, _draw_bent_cigar, ("R",)),
    13: Function("Sharp ridge", unimodal.sharp_ridge, _draw_attractive_sector, ("Q", "R")),
    14: Function(
        "Sum of different powers", unimodal.different_powers, _draw_different_powers, ("R",)
    ),
    15: Function("Rastrigin", multimodal.rastrigin_rotated, _draw_rotated_rastrigin, ("Q", "R")),
    16: Function("Weierstrass", multimodal.weierstrass, _draw_weierstrass, ("Q", "R")),
    17: Function(
        "Schaffer F7, condition 10",
        multimodal.schaffers,
        partial(_draw_schaffers, conditioning=10.0),
        ("Q", "R"),
    ),
    18: Function(
        "Schaffer F7, condition 1000",
        multimodal.schaffers,
        partial(_draw_schaffers, conditioning=1000.0),
        ("Q", "R"),
    ),
    19: Function(
        "Griewank-Rosenbrock", multimodal.griewank_rosenbrock, _draw_rotated_without_shift, ("Q",)
    ),
    20: Function("Schwefel x*sin(x)", multimodal.schwefel, _draw_schwefel),
    21: Function(
        "Gallagher 101 peaks",
        multimodal.gallagher,
        partial(_draw_gallagher, n_peaks=101, width=10.0, best_conditioning=math.sqrt(1000.0)),
        ("Q",),
    ),
    22: Function(
        "Gallagher 21 peaks",
        multimodal.gallagher,
        partial(_draw_gallagher, n_peaks=21, width=9.8, best_conditioning=1000.0),
        ("Q",),
    ),
    23: Function("Katsuura", multimodal.katsuura, _draw_katsuura, ("Q", "R")),
    24: Function("Lunacek bi-Rastrigin", multimodal.lunacek, _draw_lunacek, ("Q", "R")),
}
