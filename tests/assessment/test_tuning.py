"""What logs say of the tuning of their algorithms: taken from campaigns and loops, and shown."""

import math

import pytest

import firsthit
from firsthit.loggers.errors import ObservationError


def logged(path, algorithm, tuning):
    suite = firsthit.Suite("bbob", functions=1, dimensions=2, instances="1-3")
    with firsthit.Observer(path, algorithm=algorithm, tuning=tuning) as observer:
        for problem in observer(suite):
            problem(problem.initial_solution)


def test_each_algorithm_has_what_its_log_says(tmp_path):
    logged(tmp_path / "a.h5", "a", {"settings_tested": 12, "budget_invested": 1e6, "by": "irace"})
    logged(tmp_path / "b.h5", "b", "as published")
    logged(tmp_path / "c.h5", "c", None)
    logged(tmp_path / "d.h5", "d", {"a": {"settings_tested": 1}, "d": {"settings_tested": 0}})
    table = firsthit.load(tmp_path).tuning()
    assert table["algorithm"].tolist() == ["a", "b", "c", "d"]
    assert table["runs"].tolist() == [3, 3, 3, 3]
    assert table["evaluations"].tolist() == [3, 3, 3, 3]
    assert table["settings_tested"].tolist() == pytest.approx(
        [12, math.nan, math.nan, 0], nan_ok=True
    )
    assert table["budget_invested"][0] == 1e6
    assert table["tuning"].tolist() == ["by: irace", "as published", "", ""]
    assert table.notes[0] == "of 3 runs no log says how their algorithm was tuned."


@pytest.mark.parametrize("wrong", ["many", -1, True, math.inf, math.nan])
def test_numbers_that_are_none_are_refused(tmp_path, wrong):
    with pytest.raises(ObservationError, match=r"tuning: settings_tested is .*, must be a number"):
        logged(tmp_path / "a.h5", "a", {"x": {"settings_tested": wrong}})


def test_a_campaign_is_checked_where_it_says_so(tmp_path):
    text = (
        "suite: bbob\nfunctions: 1\ndimensions: 2\ninstances: 1\nbudget: 4\nworkers: 0\n"
        "optimizers: [random-search]\ntuning: {settings_tested: 3, budget_invested: 1e5}\n"
    )
    file = tmp_path / "c.yaml"
    file.write_text(text)
    campaign = firsthit.runner.load_campaign(file)
    assert campaign.tuning == {"settings_tested": 3, "budget_invested": 1e5}
    file.write_text(text.replace("3", "some"))
    with pytest.raises(firsthit.FirsthitError, match=r":8:\d+: tuning: settings_tested is 'some'"):
        firsthit.runner.load_campaign(file)
