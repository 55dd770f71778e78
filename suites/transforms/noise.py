"""Noise: what an optimizer is given differs from the true value."""

from __future__ import annotations

from ..facts import Noise
from ..problem import Problem


def with_noise(problem: Problem, noise: Noise) -> Problem:
    """The same problem, measured with noise; ``problem(x)`` stays the true value.

    Args:
        problem: Without noise so far, or with noise that is replaced.
        noise: ``noise(points, values, rng)`` returns what is measured, shape of ``values``; see
            ``ProblemFacts``.

    Example::

        def gauss(points, values, rng):
            return values * np.exp(0.1 * rng.standard_normal(len(values)))

        noisy = with_noise(problem, gauss)
    """
    return problem.wrapped((with_noise, (problem, noise)), noise=noise)
