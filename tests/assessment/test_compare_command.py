"""``firsthit assess compare``: every view prints what `Results` answers, and refuses nonsense."""

import json

import pytest
from click.testing import CliRunner

from firsthit.assessment import load
from firsthit.cli import group
from firsthit.suites import UnknownNameError


def compare(log_folder, *words, **options):
    return CliRunner().invoke(group, ["assess", "compare", str(log_folder), *words], **options)


@pytest.mark.parametrize(
    ("view", "ask"),
    [
        ("pairs", lambda r: r.compare()),
        ("table", lambda r: r.performance()),
        ("loss", lambda r: r.loss("best")),
        ("best", lambda r: r.best_reference()),
        ("contributions", lambda r: r.best_reference().contributions()),
        ("scaling", lambda r: r.scaling(interval=0.95)),
        ("scatter", lambda r: r.scatter("cma", "nelder-mead")),
        ("ratios", lambda r: r.ratios("cma", "nelder-mead")),
    ],
)
def test_views_are_the_answers_of_results(log_folder, view, ask):
    result = compare(log_folder, "--show", view, "--format", "csv")
    assert result.exit_code == 0, result.output
    assert result.stdout == ask(load(log_folder)).to_csv()


def test_pairs_as_text_and_json(log_folder):
    result = compare(log_folder, "--functions", "1", "--dimensions", "2")
    assert "conclusion" in result.stdout
    assert "rank-sum" in result.stderr
    rows = json.loads(compare(log_folder, "--format", "json", "--against", "cma").stdout)
    assert {row["second"] for row in rows} == {"cma"}
    assert compare(log_folder, "--show", "table", "--format", "latex").stdout.startswith("\\begin")


def test_two_algorithms_are_asked_for_where_two_are_compared(log_folder):
    result = compare(log_folder, "--show", "scatter", "--algorithms", "cma")
    assert result.exit_code == 2
    assert "compares two algorithms, not 1" in result.output
    with pytest.raises(UnknownNameError, match="unknown reference 'bes'"):
        compare(log_folder, "--show", "loss", "--reference", "bes", catch_exceptions=False)


def test_targets_can_be_those_that_a_reference_just_misses_or_come_from_a_file(
    log_folder, tmp_path
):
    results = load(log_folder)
    wanted = results.targets("runlength", "best", "1,10")
    (tmp_path / "aims.csv").write_text(wanted.to_csv(), encoding="utf-8")
    words = ("--format", "csv", "--targets")
    made = compare(log_folder, *words, "runlength:1,10", "--reference", "best")
    assert made.exit_code == 0, made.output
    assert made.stdout == results.compare(wanted).to_csv()
    assert compare(log_folder, *words, str(tmp_path / "aims.csv")).stdout == made.stdout
    table = compare(log_folder, "--show", "table", *words, "runlength", "--reference", "best")
    every = results.performance(results.targets("runlength", "best"), "best")
    assert table.stdout == every.to_csv()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--reference", "best"), "give both or none"),
        (("--show", "loss", "--targets", "1e-1"), "--targets is of no use to --show loss; it is"),
        (("--budgets", "10"), "--budgets is of no use to --show pairs; it is for loss"),
        (("--show", "scatter", "--alpha", "0.01"), "--alpha is of no use to --show scatter"),
        (("--show", "ratios", "--targets", "runlength", "--reference", "best"), "all functions"),
    ],
)
def test_what_a_view_does_not_look_at_is_refused(log_folder, words, sentence):
    result = CliRunner().invoke(group, ["assess", "compare", str(log_folder), *words])
    text = result.output + str(result.exception or "")
    assert sentence in text
    assert result.exit_code != 0
