"""No cell of text that firsthit writes as CSV is a formula, and what it reads is what it wrote."""

import csv
import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.assessment import AssessmentError
from firsthit.assessment.data.hypervolume import read_references
from firsthit.assessment.questions.indicators import read_fronts
from firsthit.assessment.tables.csv_text import csv_text, read_csv
from firsthit.assessment.tables.table import Table
from firsthit.assessment.targets.target_sets import read_targets
from firsthit.suites.facts import ProblemId

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
    assert read_fronts(path).front(("=own", 1, 2, 3)).tolist() == [[-1.0, 2.0]]
    problem = ProblemId("=own", 1, 2, 3)
    assert read_references(path)[problem].name == "@best"


@pytest.mark.parametrize("read", [read_targets, read_fronts, read_references])
@pytest.mark.parametrize("content", [b"\xff\xfe", b"a," + b"x" * 200_000])
def test_what_is_no_csv_is_one_sentence(tmp_path, read, content):
    path = tmp_path / "a.csv"
    path.write_bytes(content)
    with pytest.raises(AssessmentError, match="cannot read"):
        read(path)
