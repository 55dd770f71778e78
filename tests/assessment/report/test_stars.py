"""Stars stand where the least average runtime is significantly the least."""

import numpy as np

from firsthit.assessment.questions.art.section import stars
from firsthit.assessment.targets.target_sets import common_set

from ..run_sets import ranked

RUNS = 15


def test_a_clear_difference_has_a_star_and_equal_runs_have_none():
    fast, slow = np.arange(1.0, RUNS + 1), np.arange(1.0, RUNS + 1) + 100
    both = [ranked("a", np.column_stack([fast, fast])), ranked("b", np.column_stack([slow, fast]))]
    assert stars(both, common_set((1.0, 1e-8))) == {("a", "bbob", 1, 2, 1.0)}


def test_what_nobody_reached_has_no_star():
    never = np.full(RUNS, np.nan)
    assert stars([ranked("a", never), ranked("b", never)], common_set((1e-8,))) == set()


def test_one_algorithm_has_no_star():
    assert stars([ranked("a", np.arange(1.0, RUNS + 1))], common_set((1e-8,))) == set()


def test_p_values_are_multiplied_by_functions_and_other_algorithms():
    """A shift by 5.5 of 15 ranks, p about 0.006: a star alone, none among 24 functions."""
    a = np.arange(1.0, RUNS + 1)
    b = a + 5.5
    assert len(stars([ranked("a", a), ranked("b", b)], common_set((1e-8,)))) == 1
    many = [ranked(name, x, function=f) for f in range(1, 25) for name, x in (("a", a), ("b", b))]
    assert stars(many, common_set((1e-8,))) == set()
