"""``firsthit assess``: what it prints, draws and refuses."""

import csv
import inspect
import io

import pytest

from firsthit.assessment import Results

from ..command_line import invoke
from . import questions
from .conftest import problem_id


@pytest.fixture
def assess(log_folder):
    """A function: words after ``assess NAME LOGS`` -> exit code and output."""

    def run(what, *words, logs=None):
        logs = [str(log_folder)] if logs is None else logs
        return invoke("assess", what, *logs, *words)

    return run


def rows_of(result):
    assert result.exit_code == 0, result.output
    return list(csv.DictReader(io.StringIO(result.stdout)))


def test_filters(assess):
    words = ("--algorithms", "cma", "--functions", "1,3", "--dimensions", "5", "--suites", "bbob")
    rows = rows_of(assess("art", "--format", "csv", "--targets", "1", *words))
    assert [(r["algorithm"], r["function"], r["dimension"]) for r in rows] == [
        ("cma", "1", "5"),
        ("cma", "3", "5"),
    ]


@pytest.mark.parametrize(
    "words",
    [
        ("--algorithms", "cma,nelder-mead"),
        ("--algorithms", "cma, nelder-mead"),
        ("--algorithms", "cma", "--algorithms", "nelder-mead"),
    ],
)
def test_several_algorithms(assess, words):
    rows = rows_of(assess("art", "--format", "csv", *words))
    assert {row["algorithm"] for row in rows} == {"cma", "nelder-mead"}


def test_a_comma_in_an_algorithms_name(tmp_path, write_log, assess):
    runs = [(problem_id("s", 1, 2, 1), 0.0, [3.0, 1.0])]
    log = write_log(tmp_path / "x.h5", "cma(a=1,b=2)", runs)
    words = ("--algorithms", "cma(a=1,b=2)", "--format", "csv", "--targets", "1")
    rows = rows_of(assess("art", *words, logs=[str(log)]))
    assert [row["algorithm"] for row in rows] == ["cma(a=1,b=2)"]


@pytest.mark.slow
def test_plot_writes_a_file_for_each_dimension(assess, tmp_path):
    result = assess("ecdf", "--plot", str(tmp_path / "e.png"))
    assert result.exit_code == 0
    names = ["e_d02.png", "e_d02.txt", "e_d05.png", "e_d05.txt"]
    assert sorted(file.name for file in tmp_path.iterdir()) == names
    assert "Runs: cma " in (tmp_path / "e_d05.txt").read_text(encoding="utf-8")
    assert result.stdout == ""
    assert "wrote" in result.stderr
    result = assess("ecdf", "--plot", str(tmp_path / "one.svg"), "--dimensions", "5")
    assert (tmp_path / "one.svg").exists()


def test_a_command_is_a_table_and_a_table_a_command():
    """`Results` has a method for each question; other methods belong to other commands."""
    methods = {name for name, _ in inspect.getmembers(Results, inspect.isfunction)}
    elsewhere = {
        "filter", "hypervolume_references", "measured_from", "point_arrays", "regressions",
        "report",
    }  # fmt: skip
    asked = {name.replace("-", "_") for name in questions.QUESTIONS}
    assert {name for name in methods if name[0] != "_"} - asked == elsewhere
    results = Results(None)
    for name in questions.QUESTIONS:
        assert name.replace("-", "_") in dir(results)
        assert getattr(results, name.replace("-", "_")).__doc__


QUESTIONS = {
    ("fixed-target", "--convention", "iohanalyzer", "--penalty", "10", "--targets", "1e1..1e-2/1"):
        lambda r: r.fixed_target("1e1..1e-2/1", convention="iohanalyzer", penalty=10.0),
    ("fixed-target", "--convention", "runs", "--budget", "9", "--balance", "instances"):
        lambda r: r.fixed_target(convention="runs", budget=9.0, balance="instances"),
    ("fixed-budget", "--budgets", "5 * dimension, 1*D..100*D/1"):
        lambda r: r.fixed_budget(["1*D", "5D", "10*d", "100 D"]),
    ("precision-ecdf", "--pooled", "--budgets", "5,20"):
        lambda r: r.precision_ecdf([5, 20], pooled=True),
    ("areas", "--targets", "runlength", "--reference", "best", "--budget", "10"):
        lambda r: r.areas(r.targets("runlength", "best", "0.5..50/15*D"), budget="10"),
    ("compare", "--interval", "0.5"): lambda r: r.compare(interval=0.5),
}  # fmt: skip
"""Options of every kind; that each command prints its table is tested of all."""


@pytest.mark.parametrize("words", QUESTIONS, ids=" ".join)
def test_questions_print_what_the_results_say(assess, loaded, words):
    table = QUESTIONS[words](loaded)
    result = assess(*words, "--format", "csv")
    assert result.exit_code == 0, result.output
    assert result.stdout == table.to_csv()
    assert all(note in result.stderr for note in table.notes)


def test_targets_can_be_those_that_a_reference_just_misses_or_come_from_a_file(
    assess, loaded, tmp_path
):
    wanted = loaded.targets("runlength", "best", "1*D,10*D")
    (tmp_path / "aims.csv").write_text(wanted.to_csv(), encoding="utf-8")
    words = ("compare", "--format", "csv", "--targets")
    made = assess(*words, "runlength:1*D,10*D", "--reference", "best")
    assert made.stdout == loaded.compare(wanted).to_csv()
    assert assess(*words, str(tmp_path / "aims.csv")).stdout == made.stdout


def test_two_algorithms_are_asked_for_where_two_are_compared(assess):
    for name in ("scatter", "ratios", "attainment-difference"):
        result = assess(name, "--algorithms", "cma")
        assert result.exit_code == 2
        assert "compares two algorithms, not 1" in result.output


def test_notes_go_to_standard_error(assess, write_log, tmp_path):
    """3e-3 is reached at 1003 by 2.95e-3, which hits no target of the grid; the log tells 1007."""
    values = [1.0] * 999 + [3.1e-3] * 3 + [2.95e-3] * 4 + [2.5e-3]
    log = write_log(tmp_path / "x.h5", "a", [(problem_id("s", 1, 2, 1), 0.0, values)])
    words = ("--targets", "1e-2,3e-3", "--format", "csv")
    result = assess("art", *words, logs=[str(log)])
    assert result.stderr.startswith("note: upper bounds: 1 of 2 runtimes (targets 3e-3)")
    assert [row["art"] for row in rows_of(result)] == ["1000.0", "1007.0"]


@pytest.mark.parametrize(
    ("name", "words", "message"),
    [
        ("art", ["--algorithms", "cna"], "Did you mean 'cma'"),
        ("fixed-target", ["--targets", "1", "--reference", "cma"], "give both or none"),
        ("areas", ["--budget", "1*D"], "must be above the start"),
        ("best", ["--unequal"], "nothing is joined but shares"),
    ],
)
def test_bad_options_are_one_sentence(assess, name, words, message):
    result = assess(name, *words)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


def test_values_of_an_option_that_stand_apart_are_explained(assess):
    result = assess("art", "--targets", "1e1", "1e-1")
    assert result.exit_code == 2
    assert result.stderr.startswith("firsthit: no log at '1e-1': ")
    assert result.stderr.endswith("values of an option stand between commas: --functions 1,8\n")
    result = assess("art", logs=["nothing.h5"])
    assert result.stderr.startswith("firsthit: no log at 'nothing.h5'")
    assert "commas" not in result.stderr


def test_a_bad_plot_file_is_refused_before_logs_are_read(assess):
    result = assess("ecdf", "--plot", "e.jpeg", logs=["missing.h5"])
    assert result.exit_code == 2
    assert "e.jpeg" in result.stderr
    assert "missing.h5" not in result.stderr


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("ecdf", ["--format", "xml"]), ("areas", ["--group-by", "dimension"]),
        ("compare", ["--budgets", "10"]), ("timing", ["--count", "f"]),
    ],
)  # fmt: skip
def test_options_that_a_question_does_not_have_are_refused(assess, what, words):
    assert assess(what, *words).exit_code == 2


def test_no_logs_is_said(tmp_path):
    result = invoke("assess", "art")
    assert result.exit_code == 2
    assert "LOGS" in result.stderr
    for path in (tmp_path, tmp_path / "missing.h5"):
        result = invoke("assess", "art", path)
        assert result.exit_code == 2
        assert str(tmp_path) in result.stderr
