"""Shapley values; matrices of problems and algorithms with single and virtual best and features."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import firsthit
from firsthit.assessment import AssessmentError
from firsthit.assessment.statistics.ranking import marginal_values, shapley_values

from .conftest import problem_id


@given(
    st.integers(1, 5).flatmap(
        lambda k: st.lists(
            st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.9]), min_size=k, max_size=k),
            min_size=1,
            max_size=4,
        )
    )
)
def test_shapley_values_are_the_mean_over_all_orders_of_joining(merits):
    values = np.array(merits)
    k = values.shape[1]

    def worth(members):
        return values[:, members].max(axis=1).mean() if members else 0.0

    expected = np.zeros(k)
    orders = list(permutations(range(k)))
    for order in orders:
        for i, one in enumerate(order):
            expected[one] += worth(list(order[: i + 1])) - worth(list(order[:i]))
    np.testing.assert_allclose(shapley_values(values), expected / len(orders), atol=1e-12)
    others = [[j for j in range(k) if j != i] for i in range(k)]
    lost = [worth(list(range(k))) - worth(rest) for rest in others]
    np.testing.assert_allclose(marginal_values(values), lost, atol=1e-12)
    assert shapley_values(values).sum() == pytest.approx(worth(list(range(k))))


def test_merits_that_are_none():
    for merits in ([[-0.1, 1.0]], [[np.inf, 1.0]], [[np.nan, 1.0]]):
        with pytest.raises(ValueError, match="finite"):
            shapley_values(merits)


@pytest.fixture(scope="module")
def logs(tmp_path_factory, write_log):
    """Two algorithms: ``a`` never solves instance 2 of f2, ``b`` is slower elsewhere."""
    folder = tmp_path_factory.mktemp("portfolio")

    def values(hit, length):
        return 50.0 + np.array([10.0] * (hit - 1) + [1e-9] * (length - hit + 1))

    def rows(hits):
        return [
            (problem_id("bbob", f, 2, i), 50.0, values(hit, max(hit, 6) if hit < 99 else 98))
            for (f, i), hit in hits.items()
        ]

    write_log(folder / "a.h5", "a", rows({(1, 1): 4, (1, 2): 5, (2, 1): 10, (2, 2): 99}))
    write_log(folder / "b.h5", "b", rows({(1, 1): 8, (1, 2): 7, (2, 1): 30, (2, 2): 20}))
    return folder


def test_the_matrix_of_average_runtimes(logs):
    table = firsthit.load(logs).matrix()
    assert list(zip(table["function"], table["instance"], strict=True)) == [
        (1, 1), (1, 2), (2, 1), (2, 2),
    ]  # fmt: skip
    assert table["value:a"].tolist() == [4, 5, 10, np.inf]
    assert table["value:b"].tolist() == [8, 7, 30, 20]
    assert table["virtual_best"].tolist() == [4, 5, 10, 20]
    assert table["best"].tolist() == ["a", "a", "a", "b"]
    assert next(iter(table.gaps.rows())) == ("bbob", 2, 4, "b", 16.25, 9.75, 6.5)
    assert any(
        note.startswith("single best: b on ") and "mean 16.25" in note for note in table.notes
    )


def test_the_matrix_of_penalized_runtimes(logs):
    table = firsthit.load(logs).matrix("par10")
    assert table["value:a"].tolist() == [4, 5, 10, 980]
    assert table.gaps["single_best"].tolist() == ["b"]
    solved = firsthit.load(logs).matrix("par10", functions=1)
    assert solved.gaps["single_best"].tolist() == ["a"]


def test_the_matrix_of_areas_is_that_of_aocc(logs):
    results = firsthit.load(logs)
    table = results.matrix("aocc", budget=100)
    aocc = results.aocc(100, group_by="all")
    for name in "ab":
        mean = aocc["aocc"][aocc["algorithm"] == name][0]
        assert table[f"value:{name}"].mean() == pytest.approx(mean)
    assert table["best"].tolist() == ["a", "a", "a", "b"]
    assert table.gaps["virtual_best_mean"][0] > table.gaps["single_best_mean"][0]


def test_contributions_sum_to_the_virtual_best(logs):
    results = firsthit.load(logs)
    table = results.contributions(100)
    gaps = results.matrix("aocc", gaps=True, budget=100)
    assert table["shapley"].sum() == pytest.approx(gaps["virtual_best_mean"][0])
    assert table["share"].sum() == pytest.approx(1)
    assert table["alone"].max() == pytest.approx(gaps["single_best_mean"][0])
    assert (table["marginal"] <= table["shapley"]).all()
    for one in (table, gaps):
        assert any("up to the budget (evaluations: 100 in 2-D)" in note for note in one.notes)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"measure": "aocc", "targets": [1.0]}, "takes a budget, no targets"),
        ({"measure": "art", "budget": 3}, "takes a target, no budget"),
        ({"measure": "art", "targets": [1.0, 0.1]}, "one target is needed, 2 are given"),
    ],
)
def test_what_is_no_matrix(logs, arguments, text):
    with pytest.raises(firsthit.FirsthitError, match=text):
        firsthit.load(logs).matrix(**arguments)


def test_problems_that_not_all_were_run_on_are_left_out(logs, tmp_path, write_log):
    values = np.array([60.0, 50.0])
    path = write_log(tmp_path / "c.h5", "c", [(problem_id("bbob", 1, 2, 1), 50.0, values)])
    table = firsthit.load([logs, path]).matrix()
    assert len(table) == 1
    for one in (table, table.gaps):
        assert any("without all algorithms: 3" in note for note in one.notes)
    other = write_log(tmp_path / "d.h5", "d", [(problem_id("bbob", 9, 2, 1), 50.0, values)])
    with pytest.raises(AssessmentError, match="bbob in 2-D: a, b, d have no problem in common"):
        firsthit.load([logs, other]).matrix()


@pytest.fixture
def results(log_folder):
    return firsthit.load(log_folder).filter(dimensions=2)


def test_features_join_by_the_columns_that_the_file_has(results, tmp_path):
    file = tmp_path / "f.csv"
    file.write_text("function,dimension,ela.r2,name\n1,2,0.5,7\n2,2,,8\n1,5,9,9\n")
    table, plain = results.matrix(features=file), results.matrix()
    assert table.names[-2:] == ("feature:ela.r2", "feature:name")
    for name in plain.names:
        assert table[name].tolist() == plain[name].tolist()
    known = {1: (0.5, 7.0), 2: (np.nan, 8.0), 3: (np.nan, np.nan)}
    for function, *values in zip(
        *(table[name].tolist() for name in ("function", *table.names[-2:])), strict=True
    ):
        np.testing.assert_array_equal(values, known[function])
    assert "features: 3 of 9 problems are not in the file; their features are NaN." in table.notes


def test_instances_and_suites_tell_rows_apart(results, tmp_path):
    file = tmp_path / "f.csv"
    lines = [f"bbob,2,{f},{i},{10 * f + i}" for f in (1, 2, 3) for i in (1, 2, 3)]
    file.write_text("\n".join(["suite,dimension,function,instance,x", *lines, "other,2,1,1,0"]))
    table = results.matrix(features=str(file))
    assert table["feature:x"].tolist() == (10 * table["function"] + table["instance"]).tolist()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("function,x\n1,2\n", "there is no column dimension"),
        ("function,dimension\n1,2\n", "there must be columns of features"),
        ("function,dimension,x,x\n1,2,3,4\n", "each with its own name"),
        ("function,dimension,x\n1,2,3\n1,2,4\n", "line 3: the problem has a row already"),
        ("function,dimension,x\n1,2,a\n", "line 2: x is 'a', no number"),
        ("function,dimension,x\n1.5,2,1\n", "line 2: function is '1.5', no whole number"),
        ("function,dimension,x\ninf,2,1\n", "line 2: function is 'inf', no whole number"),
    ],
)
def test_what_is_wrong_is_one_sentence(results, tmp_path, text, sentence):
    file = tmp_path / "f.csv"
    file.write_text(text)
    with pytest.raises(AssessmentError, match=sentence):
        results.matrix(features=file)


def test_gaps_have_no_features(results, tmp_path):
    with pytest.raises(AssessmentError, match="--gaps has no such rows"):
        results.matrix(features=tmp_path / "none.csv", gaps=True)
