"""LaTeX: any text is escaped, the structure is a tabular with booktabs' rules, COCO's cells."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.assessment import AssessmentError, Results, Table


def unescaped(latex):
    """Special characters of LaTeX that stand for themselves, i.e. without their commands."""
    commands = r"\\textbackslash\{\}|\\text[a-z]+\{\}|\\dots\{\}|\\[{}$&#_%]|\{-\}|\{\[\}|\{\]\}"
    return re.sub(commands, "", latex)


@given(st.text(max_size=5))
def test_no_text_can_break_out(text):
    names = np.array([f"a{text}", f"b{text}"], dtype=object)
    latex = Table({"x": np.array([1.0, 2.0]), "name": names}).to_latex()
    rows = latex.partition("\\midrule\n")[2].split("\n")
    for row in rows[:2]:
        cell = row.partition(" & ")[2].removesuffix(r" \\")
        assert not re.search(r"[\\{}$&#_%~^<>|\"`'\[\]\n\r\t-]", unescaped(cell))


def check_tables(latex):
    """Every row has as many cells as its table has columns, and fits a page; rules match."""
    blocks = re.findall(
        r"\\begin\{(tabular|longtable)\}\{@\{\}([lr]+)@\{\}\}\n(.*?)\\end\{\1\}", latex, re.DOTALL
    )
    assert blocks
    for kind, columns, body in blocks:
        lines = body.strip().split("\n")
        assert lines[0] == r"\toprule"
        assert lines[-1] == r"\bottomrule"
        assert (kind == "longtable") == (r"\endhead" in lines)
        rows = [line for line in lines if not line.endswith(("rule", "head"))]
        widest = [0.0] * len(columns)
        for row in rows:
            assert row.endswith(r" \\")
            cells = re.split(r"(?<!\\) & ", row.removesuffix(r" \\"))
            if row.startswith(r"\multicolumn{"):
                assert f"{{{len(columns)}}}" in cells[0]
                continue
            assert len(cells) == len(columns)
            widest = [max(w, points(one)) for w, one in zip(widest, cells, strict=True)]
        assert sum(widest) + 6 * len(columns) <= 345
        assert len(rows) <= 55 or kind == "longtable"
        assert body.count("{") == body.count("}")
        assert (len(re.findall(r"(?<!\\)\$", body)) % 2) == 0
    return [(columns, body) for _, columns, body in blocks]


def points(latex):
    """At least the width of a cell in 8 pt: 4.25 points a letter, scripts and commands smaller."""
    plain = re.sub(r"\\[a-zA-Z]+(\{\})?", "x", latex.replace(r"\textbf", "").replace(r"\cdot", "x"))
    scripts = sum(map(len, re.findall(r"[_^]\{([^{}]*)\}", plain)))
    return 4.25 * (len(re.sub(r"[\\{}$_^]", "", plain)) - scripts * 0.65)


def test_any_table_has_latex(tmp_path, log_folder):
    names = np.array(["a & b", "$x$\\", "ü_\u202e"], dtype=object)
    table = Table({"name_": names, "art": np.array([1.5, np.inf, np.nan]), "n": np.arange(3)})
    (block,) = check_tables(table.to_latex(tmp_path / "t.tex"))
    assert block[0] == "lrr"
    assert r"a \& b & 1.5 & 0 \\" in block[1]
    assert r"\$x\$\textbackslash{} & $\infty$ & 1 \\" in block[1]
    assert (tmp_path / "t.tex").read_text(encoding="utf-8") == table.to_latex()


def test_what_all_rows_share_stands_above_and_targets_are_columns(loaded):
    table = loaded.art("1e1,1e-8", dimensions=2, algorithms="cma")
    ((columns, body),) = check_tables(table.to_latex())
    assert columns == "rrr"
    assert "algorithm cma, suite bbob, dimension 2" in body
    assert r"function & $10^{1}$ & $10^{-8}$ \\" in body


def test_wide_tables_go_on_and_repeat_what_their_rows_are_about(loaded):
    table = loaded.art("1e2..1e-8/5", interval=0.9)
    blocks = check_tables(table.to_latex())
    assert len(blocks) > 3
    assert all(body.count("cma &") == 6 for _, body in blocks)


def test_long_tables_run_over_pages_and_longer_ones_are_refused():
    n = np.arange(60)
    ((_, body),) = check_tables(Table({"n": n, "x": n / 7}).to_latex())
    assert body.count(r" \\") == 61
    with pytest.raises(AssessmentError, match="501 rows are too many"):
        Table({"n": np.arange(501)}).to_latex()
    names = np.array(["W" * 70], dtype=object)
    with pytest.raises(AssessmentError, match="shorter names"):
        Table({"algorithm": names, "x": np.ones(1)}).to_latex()


def runs_of(algorithm, lengths, last=1e-9):
    """Runs of these lengths on f3 in 5-D that have the precision 1 until their last evaluation."""
    return [
        {
            "algorithm": algorithm, "function": 3, "dimension": 5, "instance": i,
            "precisions": [1.0] * (length - 1) + [last],
        }
        for i, length in enumerate(lengths, 1)
    ]  # fmt: skip


def test_pairs_are_marked_where_the_test_decides(make_log):
    slow = [300] * 15
    both = Results(make_log(runs_of("fast", range(100, 115)) + runs_of("slow", slow)))
    table = both.compare(1e-8)
    ((_, body),) = check_tables(table.to_latex())
    assert r"f3 & \textbf{0.3567}$^{\ast}$ {[}" in body
    assert r"bbob, 5{-}D: aRT of fast / aRT of slow" in body
    same = Results(make_log(runs_of("same", slow) + runs_of("slow", slow))).compare(1e-8)
    ((_, body),) = check_tables(same.to_latex())
    assert r"\ast" not in body


@pytest.mark.parametrize(("second", "sign"), [(2.0, "<"), (0.5, ">")])
def test_pairs_that_only_precisions_decide_say_which_is_better(make_log, second, sign):
    lengths = [300] * 15
    runs = runs_of("a", lengths, last=0.9) + [
        {**run, "precisions": [3.0] * 299 + [second]} for run in runs_of("b", lengths)
    ]
    ((_, body),) = check_tables(Results(make_log(runs)).compare(1e-8).to_latex())
    assert rf"f3 & \textbf{{--}}$^{{\ast{sign}}}$ \\" in body


def test_cocos_table_by_hand(make_log):
    """15 against 15 separated runs: p = 2 / C(30, 15), so the best has a star, 8 orders deep."""
    fast = runs_of("fa_st", range(100, 115))
    never = runs_of("none", [400] * 15, last=1.0)
    results = Results(make_log(fast + runs_of("slow", [300] * 15) + never))
    table = results.coco_table(1e-8)
    rows = {row[4]: dict(zip(table.names, row, strict=True)) for row in table.rows()}
    assert rows["fa_st"]["art"] == rows["fa_st"]["ratio"] == 107.0
    assert rows["fa_st"]["best"]
    assert rows["fa_st"]["p"] < 1e-7
    assert np.isnan(rows["slow"]["p"])
    assert (rows["slow"]["q10"], rows["slow"]["q90"]) == (1.0, 1.0)
    ((columns, body),) = check_tables(table.to_latex())
    assert columns == "lrr"
    assert r"fa\_st & \textbf{110}" in body
    assert re.search(r"\\ast7", body)
    assert r"none & $\infty$ & 0/15 \\" in body
    alone = results.coco_table(1e-8, algorithms="fa_st")
    assert np.isnan(alone["p"]).all()


def test_cocos_table_has_no_star_if_no_algorithm_hit_the_target(make_log):
    better = [{**run, "precisions": [0.5] * 400} for run in runs_of("better", [400] * 15)]
    table = Results(make_log(better + runs_of("worse", [400] * 15, last=1.0))).coco_table(1e-8)
    assert np.isinf(table["art"]).all()
    assert np.isnan(table["p"]).all()
    assert r"\ast" not in "".join(body for _, body in check_tables(table.to_latex()))
