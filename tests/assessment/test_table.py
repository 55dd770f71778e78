"""Tables: the same rows as columns, text, CSV, JSON and data frame; CSV holds no formula.

Private names: the formats of tables are tested with columns that no question prints.
"""

import csv
import io
import json
import math
import sys

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.assessment import AssessmentError, MissingPackageError, Table
from firsthit.assessment.hypervolume_references import read_references
from firsthit.assessment.questions.indicators import read_fronts
from firsthit.assessment.tables.csv_text import csv_text, read_csv
from firsthit.assessment.tables.table import aligned, table_of, text
from firsthit.assessment.targets.target_sets import read_targets
from firsthit.suites.errors import UnknownNameError
from firsthit.suites.facts import ProblemId


@pytest.fixture
def table():
    rows = [['cma, "pop=4"', 3, 0.1 + 0.2, True], ["größe", 20, math.inf, False]]
    return Table(table_of(["name", "runs", "art", "exact"], rows))


def test_csv_keeps_every_digit_and_quotes_names(table):
    lines = table.to_csv().split("\n")
    assert lines == [
        "name,runs,art,exact",
        '"cma, ""pop=4""",3,0.30000000000000004,True',
        "größe,20,inf,False",
        "",
    ]
    assert next(csv.DictReader(io.StringIO(table.to_csv())))["name"] == 'cma, "pop=4"'


def test_json_is_valid_and_infinity_is_null(table):
    def refuse(constant):
        raise AssertionError(f"{constant} is no JSON")

    rows = json.loads(table.to_json(), parse_constant=refuse)
    assert rows == [
        {"name": 'cma, "pop=4"', "runs": 3, "art": 0.1 + 0.2, "exact": True},
        {"name": "größe", "runs": 20, "art": None, "exact": False},
    ]


def test_data_frame_has_the_columns(table):
    frame = table.to_pandas()
    assert list(frame.columns) == ["name", "runs", "art", "exact"]
    assert frame["art"].tolist() == [0.1 + 0.2, math.inf]
    assert frame["runs"].dtype == np.int64
    assert isinstance(frame, pd.DataFrame)


def test_data_frame_without_pandas_says_what_to_install(table, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingPackageError, match=r"pip install 'firsthit\[tables\]'"):
        table.to_pandas()


def test_files_hold_what_is_returned(table, tmp_path):
    assert table.to_csv(tmp_path / "t.csv") == (tmp_path / "t.csv").read_text("utf-8")
    assert table.to_json(tmp_path / "t.json") == (tmp_path / "t.json").read_text("utf-8")
    with pytest.raises(AssessmentError, match=r"cannot write .*nowhere"):
        table.to_csv(tmp_path / "nowhere" / "t.csv")


def test_text_is_aligned(table):
    assert str(table).split("\n") == [
        "name          runs  art  exact",
        'cma, "pop=4"     3  0.3  True',
        "größe           20  inf  False",
    ]


def test_columns_by_name(table):
    assert len(table) == 2
    assert table["runs"].tolist() == [3, 20]
    with pytest.raises(UnknownNameError, match="Did you mean 'runs'"):
        table["run"]


def test_empty_table_keeps_its_header():
    empty = Table(table_of(["a", "b"], []))
    assert len(empty) == 0
    assert empty.to_csv() == "a,b\n"
    assert json.loads(empty.to_json()) == []
    assert str(empty) == "a  b"


def test_columns_of_different_length_are_refused():
    with pytest.raises(AssessmentError, match="different lengths"):
        Table({"a": np.zeros(2), "b": np.zeros(3)})


def test_numbers_for_the_eye():
    values = (3, 1234567.0, 12345.6, 120.0, 0.00123456, math.inf, "a\x1b[31m\nb")
    assert [text(v) for v in values] == [
        "3",
        "1.235e+06",
        "12346",
        "120",
        "0.001235",
        "inf",
        "a\\u001b[31m\\nb",
    ]


def test_columns_of_numbers_with_remarks_are_aligned_right():
    lines = aligned(["a", "x"], [["1.5 (2/3)", "b"], ["20", "c"], ["-", "d"]]).split("\n")
    assert lines == ["        a  x", "1.5 (2/3)  b", "       20  c", "        -  d"]


FORMULAS = ["=HYPERLINK(1)", "+1", "-1", "@SUM(A1)", "\tx", "\rx"]


@pytest.mark.parametrize("name", FORMULAS)
def test_text_that_looks_like_a_formula_has_an_apostrophe_before_it(name):
    table = Table({"algorithm": np.array([name], object), name: np.array([-1.5])})
    header, row = csv.reader(io.StringIO(table.to_csv(), newline=""))
    assert header == ["algorithm", "'" + name]
    assert row == ["'" + name, "-1.5"]


def test_numbers_and_other_text_stay_as_they_are():
    rows = [
        ["cma", -1, -2.5, True, -np.inf],
        ["a=b", 1, 2.5, False, np.nan],
        ["'a", 0, 0.0, True, 1.5],
    ]
    assert csv_text(["a"] * 5, rows).splitlines()[1:] == [
        "cma,-1,-2.5,True,-inf", "a=b,1,2.5,False,nan", "'a,0,0.0,True,1.5",
    ]  # fmt: skip


texts = st.text(st.sampled_from("'=+-@\t\r\n,\"a1"), min_size=1, max_size=6)


@given(rows=st.lists(st.tuples(texts, texts), min_size=1))
def test_what_is_written_is_read_again(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("csv") / "a.csv"
    path.write_text(csv_text(["a", "=b"], rows), encoding="utf-8", newline="")
    names, found = read_csv(path)
    assert names == ["a", "=b"]
    assert [(row["a"], row["=b"]) for row in found] == rows


def test_every_reader_takes_the_apostrophe_off(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(
        "suite,function,dimension,instance,name,value,target,y1,y2\n"
        "'=own,1,2,3,'@best,0.5,1e-3,'-1.0,2.0\n",
        encoding="utf-8",
    )
    assert read_targets(path)["suite"].tolist() == ["=own"]
    assert read_fronts(path)["=own", 1, 2, 3].tolist() == [[-1.0, 2.0]]
    problem = ProblemId("=own", 1, 2, 3)
    assert read_references(path)[problem].name == "@best"


@pytest.mark.parametrize("read", [read_targets, read_fronts, read_references])
@pytest.mark.parametrize("content", [b"\xff\xfe", b"a," + b"x" * 200_000])
def test_what_is_no_csv_is_one_sentence(tmp_path, read, content):
    path = tmp_path / "a.csv"
    path.write_bytes(content)
    with pytest.raises(AssessmentError, match="cannot read"):
        read(path)
