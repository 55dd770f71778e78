"""Runs on bbob-noisy and bbob-constrained with a penalty and budgets of both counts."""

import numpy as np
import pytest

from firsthit.assessment import AssessmentError, Results
from firsthit.loggers import read_log
from firsthit.runner import execute, load_campaign, open_log, plan
from firsthit.suites import Suite
from firsthit.suites.errors import SuiteError

WALK = """
import numpy as np

def points_of(problem, rng):
    low, high = problem.lower_bounds, problem.upper_bounds
    return low + rng.random((60, problem.dimension)) * (high - low)

def penalized(problem, rng):
    function = problem.penalized(100.0)
    for x in points_of(problem, rng):
        function(x)
"""
CAMPAIGN = """
suites:
  - {{name: bbob-noisy, functions: "101,108,115", dimensions: [2], instances: 1-2}}
  - {{name: bbob-constrained, functions: "1,14,27", dimensions: [2], instances: 1-2}}
optimizers:
  - {{name: walk, use: walk.py:{kind}}}
budget: {budget}
restarts: 0
workers: {workers}
output: {kind}{workers}.h5
"""


@pytest.fixture(scope="module")
def log_of(tmp_path_factory):
    """Makes the campaign's log: single points or batches, with so many workers."""

    def make(kind, workers, budget="100"):
        folder = tmp_path_factory.mktemp("campaign")
        (folder / "walk.py").write_text(WALK)
        file = folder / f"{kind}{workers}.yaml"
        file.write_text(CAMPAIGN.format(kind=kind, workers=workers, budget=budget))
        campaign = load_campaign(file)
        path = folder / f"{kind}{workers}.h5"
        with open_log(path, campaign.header(), resume=False) as writer:
            execute(plan(campaign), writer, campaign.executor_config)
        return read_log(path)

    return make


def test_a_campaign_with_a_penalty_counts_both_and_says_so(log_of):
    log = log_of("penalized", 0, "100 * dimension f+g")
    constrained = log.runs.suite == "bbob-constrained"
    assert log.runs.evaluations.tolist() == [60] * len(log)
    assert log.runs.evaluations_constraints.tolist() == [60 * here for here in constrained]
    assert log.header_of(0)["campaign"]["budget"] == "100*D f+g"
    notes = log.notes_of(int(np.flatnonzero(constrained)[0]))
    assert set(notes["name"].tolist()) == {b"penalty_weight"}
    assert set(notes["value"].tolist()) == {100.0}


def test_a_budget_of_f_and_g_ends_penalized_runs(log_of):
    log = log_of("penalized", 0, "50 f+g")
    both = log.runs.evaluations + log.runs.evaluations_constraints
    assert set(both.tolist()) == {50}
    assert set(log.runs.status.tolist()) == {"budget"}


def test_areas_end_at_the_budget_of_the_runs_where_it_counts_what_is_asked(log_of):
    results = Results(log_of("penalized", 0, "50 f+g"))
    chosen = {"suites": "bbob-constrained"}
    assert set(results.aocc(**chosen)["budget"].tolist()) == {50.0}
    assert results.aocc(**chosen).to_csv() == results.aocc(50, **chosen).to_csv()
    with pytest.raises(AssessmentError, match=r"counts f\+g, and f is asked for; name a budget"):
        results.aocc(count="f", **chosen)


def test_a_penalty_by_hand():
    problem = Suite("bbob-constrained", 14, 2, 1)[0]
    x = np.array([[1.0, 2.0], [-3.0, 4.0]])
    violation = np.maximum(problem.constraint(x), 0).sum(axis=1)
    assert problem.penalized(2.5)(x).tolist() == (problem(x) + 2.5 * violation).tolist()
    assert problem.penalized(2.5)(x[0]) == problem.penalized(2.5)(x)[0]
    assert problem.penalized()(problem.optimal_solution) == problem.optimal_value
    free = Suite("bbob", 1, 2, 1)[0]
    assert free.penalized()(x).tolist() == free(x).tolist()
    for weight in (0, -1.0, np.inf, np.nan):
        with pytest.raises(SuiteError, match="penalized takes one objective and a weight"):
            problem.penalized(weight)
