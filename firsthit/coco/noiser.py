"""Provide ``cocoex.noiser``: noise on the values of an observed problem.

The log contains the values without noise. The noise has the same distributions as in ``cocoex``.
The random numbers differ, because here they are computed from a hash of the point.
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
"""Function of a point and of the number of the draw that returns a random number.

The number of the draw makes several random numbers at one point differ.
"""

_STANDARD_NORMAL = NormalDist()
_DRAWS_PER_VALUE = 6
"""Number of draws that are reserved for the noise of one value."""


def rand(x: ArrayLike, i: int = 0) -> float:
    """Return a uniform number in (0, 1) that depends only on ``x[:2]`` and the draw ``i``."""
    point = np.asarray(x, np.float64)[:2] + 0.0  # -0.0 becomes 0.0
    digest = blake2b(point.tobytes() + b"%d" % i, digest_size=8).digest()
    return ((int.from_bytes(digest, "little") >> 12) + 0.5) / 2**52


def randn(x: ArrayLike, i: int = 0) -> float:
    """Return a standard normal number that depends only on ``x[:2]`` and the draw ``i``."""
    return _STANDARD_NORMAL.inv_cdf(rand(x, i))


def randc(x: ArrayLike, i: int = 0) -> float:
    """Return a standard Cauchy number that depends only on ``x[:2]`` and the draw ``i``."""
    return math.tan(math.pi * (rand(x, i) - 0.5))


class Noisifier:
    """Add noise to the values of a problem. The observer logs the values without noise.

    The noise depends only on the point, so that a second evaluation of a point returns the same
    value. Outliers have a half-Cauchy distribution with scale pi/2: an outlier is larger than ``k``
    with a probability of about ``1/k``.

    Args:
        p_add: Probability of an outlier that is added to the value. None: 0.2 if the other two
            probabilities are 0, otherwise 0.
        p_subtract: Probability of an outlier that is subtracted from the value.
        p_epsilon: Probability of normal noise.
        epsilon: Standard deviation of the normal noise.
        rands: Three or four functions of a point and the number of the draw. They return uniform
            numbers, normal numbers, added outliers, and subtracted outliers. With three functions,
            the third one is for both kinds of outliers.

    Attributes:
        parameters: ``p_add``, ``p_subtract``, ``p_epsilon`` and ``epsilon``.
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
        """Set the problem whose values get noise, and return this object.

        The object can then be used like the problem, because it has the problem's attributes.
        """
        self._problem = problem
        return self

    def __call__(self, x: ArrayLike) -> Any:
        """Evaluate a point. The noise of each objective value is drawn separately."""
        return self._add_noise(x, self._problem(x), 0)

    def constraint(self, x: ArrayLike) -> Any:
        """Evaluate the constraints at a point. The noise of each value is drawn separately."""
        return self._add_noise(x, self._problem.constraint(x), self._problem.number_of_objectives)

    def _add_noise(self, x: ArrayLike, values: Any, first_index: int) -> Any:
        """Return the values of one point with noise, drawn independently for each value.

        Args:
            x: The point.
            values: The objective value, or an array of values of this point.
            first_index: Index of the first value; see `_draw_noise`.
        """
        if np.ndim(values) == 0:
            return values + self._draw_noise(x, first_index)
        noise: NDArray[np.float64] = np.array(
            [self._draw_noise(x, first_index + i) for i in range(len(values))]
        )
        return values + noise

    def _draw_noise(self, x: ArrayLike, index: int) -> float:
        """Return the noise of one value.

        Args:
            x: The point.
            index: Index of the value among the objective values and, after them, the constraints.
        """
        uniform, normal, *heavy = self._rands
        parameters = self.parameters
        first_draw = _DRAWS_PER_VALUE * index
        noise = 0.0
        if parameters["p_add"] and uniform(x, first_draw) < parameters["p_add"]:
            noise += abs(heavy[0](x, first_draw + 1)) * np.pi / 2
        if parameters["p_subtract"] and uniform(x, first_draw + 2) < parameters["p_subtract"]:
            noise -= abs(heavy[-1](x, first_draw + 3)) * np.pi / 2
        if parameters["p_epsilon"] and uniform(x, first_draw + 4) < parameters["p_epsilon"]:
            noise += parameters["epsilon"] * normal(x, first_draw + 5)
        return noise

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"a noisy problem has no attribute {name!r}")
        return getattr(self._problem, name)
