"""Commands that compare algorithms: they print what `Results` answers, and refuse nonsense."""

import pytest
from click.testing import CliRunner

from firsthit.assessment import load
from firsthit.cli import group
from firsthit.suites.errors import UnknownNameError


def assess(log_folder, name, *words, **options):
    return CliRunner().invoke(group, ["assess", name, str(log_folder), *words], **options)


def test_two_algorithms_are_asked_for_where_two_are_compared(log_folder):
    for name in ("scatter", "ratios", "attainment-difference"):
        result = assess(log_folder, name, "--algorithms", "cma")
        assert result.exit_code == 2
        assert "compares two algorithms, not 1" in result.output
    with pytest.raises(UnknownNameError, match="unknown reference 'bes'"):
        assess(log_folder, "loss", "--reference", "bes", catch_exceptions=False)


def test_targets_can_be_those_that_a_reference_just_misses_or_come_from_a_file(
    log_folder, tmp_path
):
    results = load(log_folder)
    wanted = results.targets("runlength", "best", "1*D,10*D")
    (tmp_path / "aims.csv").write_text(wanted.to_csv(), encoding="utf-8")
    words = ("--format", "csv", "--targets")
    made = assess(log_folder, "compare", *words, "runlength:1*D,10*D", "--reference", "best")
    assert made.exit_code == 0, made.output
    assert made.stdout == results.compare(wanted).to_csv()
    assert assess(log_folder, "compare", *words, str(tmp_path / "aims.csv")).stdout == made.stdout
    table = assess(log_folder, "coco-table", *words, "runlength", "--reference", "best")
    every = results.coco_table(results.targets("runlength", "best"), reference="best")
    assert table.stdout == every.to_csv()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["compare", "--reference", "best"], "give both or none"),
        (["loss", "--targets", "1e-1"], "No such option '--targets'"),
        (["compare", "--budgets", "10"], "No such option '--budgets'"),
        (["best", "--unequal"], "nothing is joined but shares"),
    ],
)
def test_what_a_table_does_not_look_at_is_refused(log_folder, words, sentence):
    result = assess(log_folder, *words)
    text = result.output + str(result.exception or "")
    assert sentence in text
    assert result.exit_code != 0
