"""Run-length targets carry their budgets through tables, files, figures and the report."""

import pytest

from firsthit.assessment import AssessmentError

from ..command_line import succeed
from .conftest import write_reference
from .questions import QUESTIONS
from .report.conftest import data_of

BUDGETS = [1.0, 3.0, 50.0]
ASKED = "1*D,3*D,50*D"


@pytest.fixture(scope="module")
def jumping(tmp_path_factory):
    """A reference that reaches 10 at 4 evaluations and 1e-8 at 6: in 2-D, budgets 1·D, 3·D and
    50·D choose 10 and, as nothing takes longer, twice the final 1e-8."""
    folder = tmp_path_factory.mktemp("jumping") / "jumping-bbob"
    return write_reference(folder, "bbob", [(f, 2) for f in (1, 2, 3)], [(10.0, 4), (1e-8, 6)])


def asked(results, jumping, question, *pair, **more):
    table = results.targets("runlength", jumping, ASKED, dimensions=2)
    return getattr(results, question)(*pair, targets=table, dimensions=2, **more)


def test_a_column_for_each_budget_even_where_precisions_are_equal(results, jumping):
    table = asked(results, jumping, "coco_table", reference=jumping)
    assert table.names[:6] == ("suite", "dimension", "function", "budget", "target", "algorithm")
    mine = (table["function"] == 1) & (table["algorithm"] == "a")
    assert table["budget"][mine].tolist() == BUDGETS
    assert table["target"][mine].tolist() == [10.0, 1e-8, 1e-8]
    assert table["reference"][mine].tolist() == [4.0, 6.0, 6.0]
    lines = table.to_latex().splitlines()
    assert r" & 1D & 3D & 50D & \#succ \\" in lines
    assert r"\textbf{f1} & $10^{1}$ & $10^{-8}$ & $10^{-8}$ &  \\" in lines
    assert r"reference & 4.0 & 6.0 & 6.0 &  \\" in lines
    assert sum(line.startswith("a &") for line in lines) == 3
    assert all(line.count("&") == 4 for line in lines if line.startswith(("a &", "b &")))


def test_targets_without_budgets_have_no_such_column(results):
    assert "budget" not in results.coco_table(dimensions=2).names
    assert "budget" not in results.art(targets="dynamic", dimensions=2).names


def test_text_and_latex_of_others_have_a_column_for_each_budget(results, jumping):
    assert str(asked(results, jumping, "best")).splitlines()[0].split()[3:] == ["1D", "3D", "50D"]
    latex = asked(results, jumping, "compare").to_latex()
    assert r" & 1D & 3D & 50D \\" in latex.splitlines()


def test_a_file_keeps_budgets(results, jumping, tmp_path):
    table = results.targets("runlength", jumping, ASKED, dimensions=2)
    table.to_csv(tmp_path / "t.csv")
    again = results.art(str(tmp_path / "t.csv"), dimensions=2, functions=1, algorithms="a")
    assert again["budget"].tolist() == BUDGETS
    assert again["target"].tolist() == table["target"][table["function"] == 1].tolist()
    found = results.coco_table(str(tmp_path / "t.csv"), dimensions=2)
    assert found.to_csv() == asked(results, jumping, "coco_table").to_csv()


@pytest.mark.parametrize(
    ("last", "message"),
    [
        ("3,10,100", "one target for each budget, a larger one no easier target"),
        ("3,10,0.1", "f3 of bbob in 2-D has budgets 1, 10, others have 1, 5; give all the same"),
    ],
)
def test_budgets_that_do_not_fit_are_refused(results, tmp_path, last, message):
    function, *_ = last.split(",")
    rows = ["1,1,10", "1,5,1", f"{function},1,10", last]
    cells = [f"bbob,{one.split(',')[0]},2,{','.join(one.split(',')[1:])}" for one in rows]
    file = tmp_path / "t.csv"
    file.write_text("\n".join(["suite,function,dimension,budget,target", *cells]) + "\n")
    with pytest.raises(AssessmentError, match=message):
        results.art(str(file))


def test_profiles_show_the_reference_that_targets_are_made_from(results, jumping):
    """Of logs, of an algorithm there, and of averages, which jump at its runtimes 4 and 6."""
    for reference, name in (("best", "best of 2"), ("a", "a")):
        table = results.ecdf("runlength:0.5..50/5*D", reference=reference)
        shown = [p for p in table.profiles if p.reference]
        assert [(p.algorithm, p.dimension, p.pairs) for p in shown] == [
            (name, 2, 33),
            (name, 5, 33),
        ]
    of_file = results.ecdf("runlength:1*D,3*D,50*D", reference=jumping, dimensions=2)
    [one] = [p for p in of_file.profiles if p.reference]
    assert (one.at(1.9), one.at(2.1), one.at(3.1)) == (0.0, 1 / 3, 1.0)
    art = results.art("runlength:1*D,3*D,50*D", reference=jumping, dimensions=2)
    assert set(art["reference"].tolist()) == {4.0, 6.0}


@pytest.mark.slow
def test_figures_take_run_length_targets(log_folder, tmp_path):
    targets = ("--targets", "runlength:1*D,3*D,10*D", "--reference", "best")
    words = ("--functions", 1, "--dimensions", 2, "--format", "svg", "-o", tmp_path)
    kinds = "heatmap,scatter,ratios,runtime-density"
    succeed("figures", log_folder, *targets, *words, "--kinds", kinds)
    words = ("--functions", 1, "--dimensions", 2, "--plot", tmp_path / "ecdf.svg")
    succeed("assess", "ecdf", log_folder, *targets, *words)
    captions = {file.stem: file.read_text(encoding="utf-8") for file in tmp_path.glob("*.txt")}
    assert "Run-length targets: just missed by best within" in captions["heatmap_bbob_d02"]
    assert "the run-length targets of 1D, 3D, 10D" in captions["heatmap_bbob_d02"]
    assert "Thick: the best of 2" in captions["ecdf"]
    assert "the run-length targets of 1D … 10D" in captions["scatter_bbob_f001_cma_nelder-mead"]
    assert "targets 1D, 3D, 10D." in captions["ratios_bbob_d02_cma_nelder-mead"]
    assert any(name.startswith("runtime-density") for name in captions)


def test_the_report_takes_run_length_targets(loaded):
    page = loaded.report("runlength:1*D,3*D,10*D", reference="best").html
    art = data_of(page)["art"]
    assert (art["key"], art["targets"]) == ("budget", [[1.0, 3.0, 10.0]])
    assert set(art["cells"]["budget"]) == {1.0, 3.0, 10.0}
    assert data_of(page)["ecdf"]["reference"]
    assert "3 run-length targets 1D … 10D" in page
    own = loaded.report("runlength", reference="best").html
    assert data_of(own)["art"]["targets"] == [[0.5, 1.2, 3.0, 10.0, 50.0]]
    assert "31 run-length targets" in own


THE_SAME_FOR_ALL_FUNCTIONS = {"fixed-budget", "dual-ecdf"}
"""What asks for such targets."""
WITH_TARGETS = {name for name, question in QUESTIONS.items() if "targets" in question.parameters}


@pytest.mark.parametrize("name", sorted(WITH_TARGETS - THE_SAME_FOR_ALL_FUNCTIONS))
def test_whatever_table_tells_a_target_tells_its_budget_before_it(results, jumping, name):
    asked = {"targets": results.targets("runlength", jumping, ASKED, dimensions=2)}
    if name == "areas":
        asked["budget"] = 10
    if name in ("ranks", "matrix"):
        asked["targets"] = results.targets("runlength", jumping, "3*D", dimensions=2)
    pair = ("a", "b")[: len(QUESTIONS[name].two)]
    table = getattr(results, name.replace("-", "_"))(*pair, dimensions=2, **asked)
    if "target" in table.names:
        assert table.names[table.names.index("target") - 1] == "budget"
        own = set(zip(table["budget"].tolist(), table["target"].tolist(), strict=True))
        assert own <= {(1.0, 10.0), (3.0, 1e-8), (50.0, 1e-8)}
        assert len(own) > 1 or name in ("ranks", "matrix", "runtime-density")
        assert "budget" in str(table) or "3D" in str(table)
