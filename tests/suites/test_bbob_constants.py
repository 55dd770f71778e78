"""The arrays of ``problem.constants()`` suffice: bbob written once more, as plainly as can be."""

import numpy as np
import pytest

from firsthit.suites import Suite

A = 4.2096874637


def oscillation(x):
    x = np.asarray(x, dtype=float)
    t = 10 * np.log(np.abs(np.where(x == 0, 1, x)))
    fast, slow = np.where(x > 0, 1, 0.55), np.where(x > 0, 0.79, 0.31)
    return np.sign(x) * np.exp((t + 0.49 * (np.sin(fast * t) + np.sin(slow * t))) / 10)


def asymmetry(x, beta, e):
    return np.where(x > 0, np.abs(x) ** (1 + beta * e * np.sqrt(np.abs(x))), x)


def rastrigin(z):
    return 10 * (len(z) - np.cos(2 * np.pi * z).sum()) + (z**2).sum()


def rosenbrock_terms(z):
    return 100 * (z[:-1] ** 2 - z[1:]) ** 2 + (z[:-1] - 1) ** 2


def penalty(x):
    return (np.maximum(0, np.abs(x) - 5) ** 2).sum()


def nearest(x):
    return np.floor(x + 0.5)


def plain(function, x, c):
    """The value of one point of any of the 24 functions, RR-6829 and COCO's corrections."""
    D = len(x)
    e = np.arange(D) / (D - 1)
    z, Q, R = x - c["optimum"], c.get("Q"), c.get("R")
    weights = np.where(np.arange(D) == 0, 1e6, 1.0)

    def lam(alpha):
        return alpha ** (e / 2)

    def half_rotated():
        return max(1, np.sqrt(D) / 8) * Q @ x + 0.5

    def schaffers(alpha):
        v = lam(alpha) * (Q @ asymmetry(R @ z, 0.5, e))
        s = np.sqrt(v[:-1] ** 2 + v[1:] ** 2)
        mean = (np.sqrt(s) * (1 + np.sin(50 * s**0.2) ** 2)).mean()
        return mean**2 + 10 * penalty(x)

    def bueche_rastrigin():
        y = oscillation(z)
        scales = lam(10) * np.where((y > 0) & (np.arange(D) % 2 == 0), 10, 1)
        return rastrigin(scales * y) + 100 * penalty(x)

    def linear_slope():
        s, corner = c["signs"] * 10**e, 5 * c["signs"]
        return (5 * np.abs(s) - s * np.where(x * corner < 25, x, corner)).sum()

    def attractive_sector():
        v = R @ (lam(10) * (Q @ z))
        s = np.where(c["optimum"] * v > 0, 100, 1)
        return oscillation(((s * v) ** 2).sum()) ** 0.9

    def step_ellipsoid():
        y = lam(10) * (Q @ z)
        v = R @ np.where(np.abs(y) > 0.5, nearest(y), nearest(10 * y) / 10)
        return 0.1 * max(abs(y[0]) / 1e4, (100**e * v**2).sum()) + penalty(x)

    def sharp_ridge():
        v = R @ (lam(10) * (Q @ z))
        return v[0] ** 2 + 100 * np.sqrt((v[1:] ** 2).sum())

    def bent_cigar():
        return ((1e6 / weights) * (R @ asymmetry(R @ z, 0.5, e)) ** 2).sum()

    def rastrigin_rotated():
        return rastrigin(R @ (lam(10) * (Q @ asymmetry(oscillation(R @ z), 0.2, e))))

    def weierstrass():
        v = R @ (lam(0.01) * (Q @ oscillation(R @ z)))
        k = np.arange(12)
        waves = (0.5**k * np.cos(2 * np.pi * 3.0**k * (v[:, None] + 0.5))).sum(axis=1)
        lowest = (0.5**k * np.cos(np.pi * 3.0**k)).sum()
        return 10 * (waves.mean() - lowest) ** 3 + 10 / D * penalty(x)

    def griewank_rosenbrock():
        s = rosenbrock_terms(half_rotated())
        return 10 * (s / 4000 - np.cos(s)).mean() + 10

    def schwefel():
        v = 2 * c["signs"] * x
        y = v.copy()
        y[1:] += 0.25 * (v[:-1] - A)
        y = 100 * (lam(10) * (y - A) + A)
        outside = (np.maximum(0, np.abs(y) - 500) ** 2).sum()
        return 0.01 * (outside + 418.9828872724339 - (y * np.sin(np.sqrt(np.abs(y)))).mean())

    def gallagher():
        away = (x - c["peaks"]) @ Q.T
        hills = c["heights"] * np.exp(-(c["curvatures"] * away**2).sum(axis=1) / (2 * D))
        return oscillation(10 - hills.max()) ** 2 + penalty(x)

    def katsuura():
        v = R @ (lam(100) * (Q @ z))
        powers = 2.0 ** np.arange(1, 33)
        s = (np.abs(powers * v[:, None] - nearest(powers * v[:, None])) / powers).sum(axis=1)
        product = ((1 + np.arange(1, D + 1) * s) ** (10 / D**1.2)).prod()
        return 10 / D**2 * (product - 1) + penalty(x)

    def lunacek():
        v, m0 = 2 * c["signs"] * x, 2.5
        s = 1 - 1 / (2 * np.sqrt(D + 20) - 8.2)
        m1 = -np.sqrt((m0**2 - 1) / s)
        bowls = min(((v - m0) ** 2).sum(), D + s * ((v - m1) ** 2).sum())
        ripples = 10 * (D - np.cos(2 * np.pi * (R @ (lam(100) * (Q @ (v - m0))))).sum())
        return bowls + ripples + 1e4 * penalty(x)

    values = {
        1: lambda: (z**2).sum(),
        2: lambda: (1e6**e * oscillation(z) ** 2).sum(),
        3: lambda: rastrigin(lam(10) * asymmetry(oscillation(z), 0.2, e)),
        4: bueche_rastrigin,
        5: linear_slope,
        6: attractive_sector,
        7: step_ellipsoid,
        8: lambda: rosenbrock_terms(max(1, np.sqrt(D) / 8) * z + 1).sum(),
        9: lambda: rosenbrock_terms(half_rotated()).sum(),
        10: lambda: (1e6**e * oscillation(R @ z) ** 2).sum(),
        11: lambda: (weights * oscillation(R @ z) ** 2).sum(),
        12: bent_cigar,
        13: sharp_ridge,
        14: lambda: np.sqrt((np.abs(R @ z) ** (2 + 4 * e)).sum()),
        15: rastrigin_rotated,
        16: weierstrass,
        17: lambda: schaffers(10),
        18: lambda: schaffers(1000),
        19: griewank_rosenbrock,
        20: schwefel,
        21: gallagher,
        22: gallagher,
        23: katsuura,
        24: lunacek,
    }
    return values[function]() + c["optimal_value"]


@pytest.mark.parametrize("dimension", [2, 20])
@pytest.mark.parametrize("function", range(1, 25))
def test_a_problem_can_be_evaluated_from_its_constants(function, dimension):
    problem = Suite("bbob", function, dimension, 7)[0]
    constants = problem.constants()
    assert constants["optimum"].tolist() == problem.optimal_solution.tolist()
    assert constants["optimal_value"] == problem.optimal_value
    for x in np.random.default_rng(function).uniform(-6, 6, (5, dimension)):
        expected = plain(function, x, constants)
        assert problem(x) == pytest.approx(expected, rel=1e-7 if function in (16, 19, 23) else 1e-9)


def test_the_arrays_are_copies():
    problem = Suite("bbob", 6, 3, 1)[0]
    value = problem(np.ones(3))
    for array in problem.constants().values():
        array[...] = 0
    assert problem(np.ones(3)) == value
    assert np.abs(problem.constants()["Q"]).sum() > 0
