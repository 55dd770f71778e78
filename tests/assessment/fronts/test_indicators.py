"""Fronts and their indicators against the dumbest loops, cases by hand, and moocore."""

import math
from itertools import pairwise

import moocore
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.assessment.statistics.fronts import (
    epsilon,
    front_of,
    hypervolume,
    igd_plus,
    nondominated,
)

coordinate = st.one_of(
    st.sampled_from([0.0, 0.25, 0.5, 1.0, 1.5]),
    st.floats(0, 2, allow_subnormal=False),
)
sets = st.lists(st.tuples(coordinate, coordinate), max_size=8)
some = st.lists(st.tuples(coordinate, coordinate), min_size=1, max_size=8)


def dominates(a, b):
    return a[0] <= b[0] and a[1] <= b[1] and a != b


@given(sets)
def test_the_front_is_what_nothing_dominates(points):
    expected = {p for p in points if not any(dominates(q, p) for q in points)}
    front = [tuple(point) for point in front_of(points).tolist()]
    assert set(front) == expected
    assert front == sorted(expected)
    assert [points[i] for i in nondominated(points)] == front
    assert all(points.index(points[i]) == i for i in nondominated(points).tolist())


@given(sets)
def test_hypervolume_is_the_area_of_what_is_dominated(points):
    edges = sorted({0.0, 1.0, *(min(v, 1.0) for p in points for v in p)})
    area = sum(
        (right - left) * (top - low)
        for left, right in pairwise(edges)
        for low, top in pairwise(edges)
        if any(p[0] <= left and p[1] <= low for p in points)
    )
    assert hypervolume(front_of(points)) == pytest.approx(area, abs=1e-12)


@given(sets, some)
def test_igd_plus_is_the_mean_distance_to_what_is_dominated(points, aims):
    reference, front = front_of(aims), front_of(points)
    loop = np.mean([
        min((math.hypot(*(max(a - r, 0.0) for a, r in zip(p, q, strict=True))) for p in points),
            default=math.inf)
        for q in reference.tolist()
    ])  # fmt: skip
    assert igd_plus(front, reference) == pytest.approx(loop, rel=1e-12, abs=1e-15)


@given(sets, some)
def test_epsilon_is_the_least_move_that_dominates(points, aims):
    reference, front = front_of(aims), front_of(points)
    loop = max(
        min((max(a - r for a, r in zip(p, q, strict=True)) for p in points), default=math.inf)
        for q in reference.tolist()
    )
    assert epsilon(front, reference) == pytest.approx(loop, rel=1e-12, abs=1e-15)


@given(st.integers(0, 2**32), st.integers(1, 300), st.integers(1, 300))
def test_moocore_says_the_same(seed, n, m):
    rng = np.random.default_rng(seed)
    points, aims = (rng.random((k, 2)) ** 3 for k in (n, m))
    front, reference = front_of(points), front_of(aims)
    mask = moocore.is_nondominated(points)
    assert sorted(front.tolist()) == sorted(points[mask].tolist())
    assert hypervolume(front) == pytest.approx(moocore.hypervolume(points, ref=[1, 1]), rel=1e-12)
    assert igd_plus(front, reference) == pytest.approx(
        moocore.igd_plus(points, ref=reference), rel=1e-12
    )
    assert epsilon(front, reference) == pytest.approx(
        moocore.epsilon_additive(points, ref=reference), rel=1e-12
    )
