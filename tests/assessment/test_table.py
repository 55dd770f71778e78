"""Tables: the same rows as columns, text, CSV, JSON and data frame."""

import csv
import io
import json
import math
import sys

import numpy as np
import pandas as pd
import pytest

from firsthit.assessment import AssessmentError, MissingPackageError, Table
from firsthit.assessment.tables.table import aligned, table_of, text
from firsthit.suites.errors import UnknownNameError


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
