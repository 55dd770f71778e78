"""Fronts, indicators and surfaces: by hand, by the dumbest loops, and by moocore."""

import math
from itertools import pairwise

import moocore
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import firsthit
from firsthit.assessment import AssessmentError
from firsthit.assessment.statistics.fronts import (
    GRID,
    epsilon,
    front_of,
    hypervolume,
    igd_plus,
    nondominated,
    steps_of,
    surface_steps,
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


@pytest.mark.parametrize("indicator", [lambda front, _: hypervolume(front), igd_plus, epsilon])
@pytest.mark.parametrize("front", [[[0.5, 0.25], [0.25, 0.5]], [[0.25, 0.25], [0.5, 0.5]]])
def test_points_that_are_not_sorted_as_a_front_are_refused(indicator, front):
    with pytest.raises(ValueError, match="not a front: sort them by front_of"):
        indicator(front, [[0.0, 0.0]])


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


IDEAL, RANGE = np.array([10.0, -5.0]), np.array([2.0, 50.0])
"""Of instance 1 of the suite ``pairs``."""


@pytest.fixture
def of_runs(tmp_path, write_pairs):
    """A function: runs of algorithms as lists of scaled points -> the results of their logs."""

    def made(kept="all", **runs):
        for algorithm, all_points in runs.items():
            runs = [
                {
                    "function": 1, "dimension": 2, "instance": i,
                    "points": np.array(points, dtype=float),
                }
                for i, points in enumerate(all_points, 1)
            ]  # fmt: skip
            write_pairs(tmp_path / f"{algorithm}.h5", algorithm, runs, kept)
        return firsthit.load(tmp_path)

    return made


def column(table, name, **where):
    """Values of a column in the rows where others have these values."""
    mask = np.logical_and.reduce([table[key] == value for key, value in where.items()])
    return table[name][mask].tolist()


def test_indicators_by_hand(of_runs):
    """The second point enters no archive, the third adds to the front, the fourth is all of it."""
    results = of_runs(a=[[[0.5, 0.5], [0.9, 0.9], [0.25, 0.6], [0.25, 0.25]]])
    table = results.indicators(budgets=[1, 2, 3, 4])
    near = np.hypot(0.25, 0.25)
    for name, values in {
        "hypervolume": [0.25, 0.25, 0.5 * 0.5 + 0.25 * 0.4, 0.75 * 0.75],
        "igd+": [near, near, 0.35, 0],
        "epsilon": [0.25, 0.25, 0.25, 0],
    }.items():
        assert column(table, "median", indicator=name) == pytest.approx(values)
    assert set(table["runs"].tolist()) == {1}


def test_quartiles_are_over_the_runs_on_all_instances(of_runs):
    points = [[[p, p]] for p in (0.1, 0.2, 0.3, 0.4, 0.5)]
    table = of_runs(a=points).indicators("hypervolume", 1)
    areas = [(1 - p) ** 2 for p in (0.4, 0.3, 0.2)]
    assert [table[name][0] for name in ("25%", "median", "75%")] == pytest.approx(areas)


def test_a_run_that_ended_keeps_its_archive_and_one_before_its_first_point_has_none(of_runs):
    results = of_runs(a=[[[0.5, 0.5]]], b=[[[2.0, 2.0], [0.25, 0.25]]])
    table = results.indicators(budgets=[1, "50*D"])
    assert column(table, "median", algorithm="a", indicator="hypervolume") == [0.25, 0.25]
    assert column(table, "median", algorithm="b", indicator="hypervolume") == [0, 0.5625]
    table = results.indicators("epsilon", "0.25*D")
    assert column(table, "median", algorithm="b") == [np.inf]


def test_the_reference_is_the_union_of_all_archives_also_of_algorithms_not_asked_for(of_runs):
    results = of_runs(a=[[[0.5, 0.5]]], b=[[[0.25, 0.25]]])
    table = results.indicators("igd+", algorithms="a")
    assert table["median"].tolist() == [pytest.approx(np.hypot(0.25, 0.25))]
    assert "(a, b); further logs change them" in table.notes[-1]


def test_fronts_as_csv_are_a_reference(of_runs, tmp_path):
    results = of_runs(a=[[[0.5, 0.5], [0.2, 0.9]]], b=[[[0.25, 0.25]]])
    file = tmp_path / "fronts.csv"
    fronts = results.fronts()
    fronts.to_csv(file)
    assert column(fronts, "scaled_1", algorithm="a") == pytest.approx([0.2, 0.5])
    assert column(fronts, "y2", algorithm="a") == pytest.approx([40.0, 20.0])
    ours, theirs = (results.indicators(reference_fronts=name) for name in ("archive", file))
    assert list(ours.rows()) == list(theirs.rows())
    file.write_text("suite,function,dimension,instance,y1,y2\npairs,1,2,1,10,-5\n")
    table = results.indicators("epsilon", budgets=9, reference_fronts=file)
    assert table["median"].tolist() == pytest.approx([0.5, 0.25])
    assert table.notes[-1] == "igd+, epsilon: distances to the fronts in fronts.csv."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("suite,function\nbbob,1\n", "line 2: 'dimension'; needed are suite, function"),
        ("suite,function,dimension,instance,y1,y2\npairs,1,2,1,x,1\n", "line 2: 'x' is no number"),
        (
            "suite,function,dimension,instance,y1,y2\npairs,1,2,1,nan,1\n",
            "line 2: (nan, 1.0) is no",
        ),
        (
            "suite,function,dimension,instance,y1,y2\npairs,9,2,1,1,1\n",
            "no points of pairs f1 in 2",
        ),
    ],
)
def test_a_file_that_is_no_reference(of_runs, tmp_path, text, said):
    file = tmp_path / "fronts.csv"
    file.write_text(text)
    results = of_runs(a=[[[0.5, 0.5]]])
    with pytest.raises(AssessmentError) as caught:
        results.indicators(reference_fronts=file)
    assert said in str(caught.value)


def test_budgets_are_in_the_unit_that_is_asked_for(of_runs):
    results = of_runs(a=[[[0.5, 0.5]]])
    with pytest.raises(AssessmentError, match="share no function"):
        results.surface_difference("a", "a")
    for ask in (results.indicators, results.fronts, results.surfaces):
        assert set(ask(budgets="10*D", axis="evaluations")["budget"].tolist()) == {20.0}


def test_runs_without_archives_are_refused(loaded, of_runs):
    with pytest.raises(AssessmentError, match="runs on two objectives have one"):
        loaded.fronts()
    with pytest.raises(AssessmentError, match="a run of a kept no archive"):
        of_runs("none", a=[[[0.5, 0.5]]]).fronts()


def test_final_archives_say_that_they_know_the_end_alone(of_runs):
    results = of_runs("final", a=[[[0.5, 0.5], [0.25, 0.25]]])
    assert "1 of 1 runs kept no earlier archive" in results.indicators().notes[0]
    assert len(results.surfaces().notes) == 2


def attained(fronts, point):
    """Share of the runs that have a point no worse than this in both objectives."""
    return np.mean([any((p <= point).all() for p in front) for front in fronts])


height = st.sampled_from([0.0, 0.1, 0.3, 0.5, 1.0, 1.2])
runs = st.lists(
    st.lists(st.tuples(height, height), max_size=5), min_size=1, max_size=5
).filter(lambda runs: any(runs))  # fmt: skip


@given(runs, st.integers(1, 5))
def test_a_surface_is_what_so_many_runs_attain(runs, count):
    count = min(count, len(runs))
    fronts = [front_of(points) for points in runs]
    surface = GRID[surface_steps([steps_of(front) for front in fronts], count)]
    assert (np.diff(surface[:, 0]) > 0).all()
    assert (np.diff(surface[:, 1]) < 0).all()
    for x in (0.05, 0.15, 0.4, 0.6, 1.1, 1.5):
        for y in (0.05, 0.15, 0.4, 0.6, 1.1, 1.5):
            inside = any((corner <= (x, y)).all() for corner in surface)
            assert inside == (attained(fronts, (x, y)) * len(runs) > count - 0.5)


def test_steps_are_rounded_up_and_no_further_than_said():
    for x in 10 ** np.random.default_rng(1).uniform(-5, 4, 1000):
        [[first, second]] = GRID[steps_of([[x, x]])]
        assert x * (1 - 1e-9) <= first == second <= max(x * 1.04, x + 0.004)


def test_rounded_surfaces_are_those_of_moocore_near_by(pairs_folder):
    results = firsthit.load(pairs_folder)
    chosen = {"functions": 1, "dimensions": 2, "algorithms": "moea"}
    ours, exact = (results.surfaces("best,50,worst", exact=e, **chosen) for e in (False, True))
    archives = results.fronts(**chosen)
    sets = [
        np.column_stack([archives[f"scaled_{k}"][archives["instance"] == i] for k in (1, 2)])
        for i in (1, 2, 3)
    ]
    points = np.concatenate([np.column_stack([s, np.full(len(s), i)]) for i, s in enumerate(sets)])
    for name, percent in (("best", 17), ("50%", 50), ("worst", 84)):
        known = moocore.eaf(points[:, :2], points[:, 2] + 1, percentiles=[percent])
        mine = np.column_stack([column(exact, f"scaled_{k}", surface=name) for k in (1, 2)])
        assert sorted(mine.tolist()) == sorted(known[:, :2].tolist())
        rounded = np.column_stack([column(ours, f"scaled_{k}", surface=name) for k in (1, 2)])
        for corner in rounded:  # each is attained, and nearly on the exact surface
            assert (mine <= corner * (1 + 1e-9)).all(axis=1).any()
            assert not (mine < corner / 1.05 - 0.005).all(axis=1).any()


def test_before_enough_runs_have_a_point_there_is_no_surface(of_runs):
    results = of_runs(a=[[[0.5, 0.1]], [[0.3, 0.3]]])
    assert len(results.surfaces(budgets="0.25*D")) == 0
    assert results.surfaces(budgets=1)["surface"][-1] == "worst"


def test_a_surface_is_of_a_share_of_the_runs(of_runs):
    """Of one run, half of them, all, or a percentage, rounded up."""
    results = of_runs(a=[[[p, p]] for p in (0.1, 0.2, 0.3, 0.4)])
    table = results.surfaces(["best", "median", 26, "25%", "worst", 26], exact=True)
    assert table["surface"].tolist() == ["best", "median", "26%", "25%", "worst"]
    assert table["scaled_1"].tolist() == pytest.approx([0.1, 0.2, 0.2, 0.1, 0.4])


def test_differences_are_those_of_the_shares(of_runs):
    first, second = [[[0.5, 0.5]], [[0.1, 0.1]]], [[[0.3, 0.7]], [[0.5, 0.5]]]
    results = of_runs(a=first, b=second)
    table = results.surface_difference("a", "b")
    assert set(zip(table["runs_first"], table["runs_second"], strict=True)) == {(2, 2)}
    boxes = np.column_stack([table[n] for n in ("from_1", "to_1", "from_2", "to_2", "difference")])
    for x in np.arange(0.05, 1.5, 0.1):
        for y in np.arange(0.05, 1.5, 0.1):
            found = [b[4] for b in boxes if b[0] <= x < b[1] and b[2] <= y < b[3]]
            expected = attained(np.array(first), (x, y)) - attained(np.array(second), (x, y))
            assert sum(found) == pytest.approx(expected)


def test_another_algorithm_changes_no_surface_and_no_hypervolume(pairs_folder):
    alone, both = (firsthit.load(p) for p in (pairs_folder / "moea.h5", pairs_folder))
    for ask in (
        lambda r: r.surfaces(algorithms="moea"),
        lambda r: r.fronts(algorithms="moea"),
        lambda r: r.indicators("hypervolume", algorithms="moea"),
    ):
        assert list(ask(alone).rows()) == list(ask(both).rows())
