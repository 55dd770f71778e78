"""``cocoex.noiser``: noise for an observed problem, which is logged without it.

The laws are ``cocoex``'s, the numbers are not: they are hashes of the point.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from hashlib import blake2b
from statistics import NormalDist
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

Draw = Callable[..., float]

_STANDARD = NormalDist()


def rand(x: ArrayLike, i: int = 0) -> float:
    """A number uniform in (0, 1), the same for equal ``x[:2]`` and ``i``."""
    point = np.asarray(x, np.float64)[:2] + 0.0  # -0.0 is 0.0
    digest = blake2b(point.tobytes() + b"%d" % i, digest_size=8).digest()
    return ((int.from_bytes(digest, "little") >> 12) + 0.5) / 2**52


def randn(x: ArrayLike, i: int = 0) -> float:
    """A normal number, the same for equal ``x[:2]`` and ``i``."""
    return _STANDARD.inv_cdf(rand(x, i))


def randc(x: ArrayLike, i: int = 0) -> float:
    """A Cauchy number, the same for equal ``x[:2]`` and ``i``."""
    return math.tan(math.pi * (rand(x, i) - 0.5))


class Noisifier:
    """Adds noise to what a problem returns; the observer of the problem sees it without.

    The noise is a function of ``x``: the same point has the same value. Outliers are half Cauchy
    times pi/2, so that one is larger than k with a probability of about 1/k.

    Args:
        p_add: Probability of a bad outlier, which is added; by default 0.2 where the other two
            probabilities are 0, and else 0.
        p_subtract: Probability of a good outlier, which is subtracted.
        p_epsilon: Probability of normal noise.
        epsilon: Standard deviation of the normal noise.
        rands: A uniform, a normal, and one or two heavy-tailed functions of ``x`` and a number,
            as of this module: the third draws what is added, the last what is subtracted.
    """

    p_add_single_default = 0.2

    def __init__(
        self,
        p_add: float | None = None,
        p_subtract: float = 0.0,
        p_epsilon: float = 0.0,
        epsilon: float = 1e-4,
        rands: Sequence[Draw] = (rand, randn, randc),
    ) -> None:
        if p_add is None:
            p_add = self.p_add_single_default if p_subtract == p_epsilon == 0 else 0.0
        self.parameters = {
            "p_add": p_add, "p_subtract": p_subtract, "p_epsilon": p_epsilon, "epsilon": epsilon,
        }  # fmt: skip
        self._rands = rands
        self._problem: Any = None

    def noisify(self, problem: Any) -> Self:
        """Wrap a problem; what is returned has all its attributes."""
        self._problem = problem
        return self

    def __call__(self, x: ArrayLike) -> Any:
        """The value of a point with noise; of two objectives, each with its own."""
        return self._noisy(x, self._problem(x), 0)

    def constraint(self, x: ArrayLike) -> Any:
        """Constraint values of a point, each with its own noise."""
        return self._noisy(x, self._problem.constraint(x), self._problem.number_of_objectives)

    def _noisy(self, x: ArrayLike, values: Any, first: int) -> Any:
        if np.ndim(values) == 0:
            return values + self._noise(x, first)
        noise: NDArray[np.float64] = np.array(
            [self._noise(x, first + place) for place in range(len(values))]
        )
        return values + noise

    def _noise(self, x: ArrayLike, place: int) -> float:
        """What is added to the value at a place among all that are computed of a point."""
        uniform, normal, *heavy = self._rands
        given, start = self.parameters, 6 * place
        noise = 0.0
        if given["p_add"] and uniform(x, start) < given["p_add"]:
            noise += abs(heavy[0](x, start + 1)) * np.pi / 2
        if given["p_subtract"] and uniform(x, start + 2) < given["p_subtract"]:
            noise -= abs(heavy[-1](x, start + 3)) * np.pi / 2
        if given["p_epsilon"] and uniform(x, start + 4) < given["p_epsilon"]:
            noise += given["epsilon"] * normal(x, start + 5)
        return noise

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"a noisy problem has no attribute {name!r}")
        return getattr(self._problem, name)
