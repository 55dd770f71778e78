"""The pseudo-Boolean suite beside ioh."""

import ioh
import numpy as np

from firsthit.suites import Suite


def test_values_are_iohs_to_the_bit_at_fifty_thousand_points():
    rng = np.random.default_rng(20261123)
    compared = 0
    for dimension in (9, 16, 25, 64, 100):
        for function in range(1, 26):
            for instance in [1, *rng.choice(np.arange(2, 151), 19, replace=False).tolist()]:
                problem = Suite("pbo", function, dimension, instance)[0]
                peer = ioh.get_problem(function, instance, dimension, ioh.ProblemClass.PBO)
                points = (rng.random((20, dimension)) < rng.random((20, 1))).astype(int)
                truth = [-peer(x) for x in points.tolist()]
                assert [problem(x) for x in points] == truth, problem.id
                assert problem(points).tolist() == truth, problem.id
                compared += len(points)
    assert compared == 50_000
