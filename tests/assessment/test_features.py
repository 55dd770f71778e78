"""Landscape features from a CSV file stand beside the problems of the matrix."""

import numpy as np
import pytest

import firsthit
from firsthit.assessment import AssessmentError


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
    assert "features: 3 of 9 problems are not in the file; NaN there." in table.notes


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
        ("function,dimension,x\n1,2,3\n1,2,4\n", "line 3: the problem was there before"),
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
    with pytest.raises(AssessmentError, match="gaps have none"):
        results.matrix(features=tmp_path / "none.csv", gaps=True)
