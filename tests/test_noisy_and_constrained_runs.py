"""Runs on bbob-noisy and bbob-constrained: in workers, in batches, and beside data of cocoex."""

import numpy as np
import pytest

import firsthit
from firsthit.assessment import AssessmentError, Results
from firsthit.loggers import Observer, read_log
from firsthit.loggers.hdf5.writer import LogWriter
from firsthit.runner import execute, load_campaign, plan
from firsthit.suites import Suite
from firsthit.suites.errors import SuiteError

CHOICES = {"bbob-noisy": [101, 105, 118], "bbob-constrained": [9, 15, 21]}
WALK = """
import numpy as np

def points_of(problem, rng):
    low, high = problem.lower_bounds, problem.upper_bounds
    return low + rng.random((60, problem.dimension)) * (high - low)

def single(problem, rng):
    for x in points_of(problem, rng):
        problem(x)

def batches(problem, rng):
    for part in np.split(points_of(problem, rng), [1, 5, 40]):
        problem(part)

def penalized(problem, rng):
    function = problem.penalized(100.0)
    for x in points_of(problem, rng):
        function(x)
"""
CAMPAIGN = """
suites:
  - {{name: bbob-noisy, functions: "101,105,118", dimensions: [2], instances: 1-2}}
  - {{name: bbob-constrained, functions: "9,15,21", dimensions: [2], instances: 1-2}}
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
        with LogWriter(path, campaign.header()) as writer:
            execute(plan(campaign), writer, campaign.executor_config)
        return read_log(path)

    return make


def assert_same(one, other):
    assert len(one) == len(other) == 12
    assert one.runs.key.tolist() == other.runs.key.tolist()
    for run in range(len(one)):
        for table in ("hits", "trajectory", "best_solution"):
            assert getattr(one, table)(run).tobytes() == getattr(other, table)(run).tobytes()


@pytest.mark.slow
def test_workers_and_batches_make_the_same_log(log_of):
    one = log_of("single", 0)
    for kind, workers in (("batches", 0), ("single", 1), ("batches", 4)):
        assert_same(one, log_of(kind, workers))
    assert set(one.runs.evaluations.tolist()) == {60}


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


def points_of(problem):
    """Towards the optimum, inside the box, all feasible."""
    rng = np.random.default_rng([problem.function, problem.instance])
    way = problem.initial_solution - problem.optimal_solution
    points = []
    for size in 0.6 ** np.arange(rng.integers(25, 60)):
        noise = 0.3 * rng.standard_normal(problem.dimension) * problem.is_noisy
        points.append(np.clip(problem.optimal_solution + size * (way + noise), -5, 5))
    return [x for x in points if problem.is_feasible(x)]


@pytest.mark.parametrize("name", CHOICES)
def test_average_runtimes_are_those_of_the_data_of_cocoex(peers, name, tmp_path):
    """The same evaluations, logged by both; of feasible points, as cocoex adds violations."""
    cocoex = peers.cocoex
    suite = cocoex.Suite(name, "instances: 1-5", "dimensions: 3")
    logger = "bbob-constrained" if name == "bbob-constrained" else "bbob"
    theirs = cocoex.Observer(logger, f"outer_folder: {tmp_path} result_folder: coco")
    problems = Suite(name, CHOICES[name], 3, "1-5")
    with Observer(tmp_path / "ours.h5", algorithm="mine") as observer:
        for problem in observer(problems):
            peer = suite.get_problem_by_function_dimension_instance(
                problem.id_function, 3, problem.id_instance
            )
            peer.observe_with(theirs)
            for k, x in enumerate(points_of(problems[problem.id])):
                for observed in (problem, peer):
                    if problem.number_of_constraints and k % 3 == 0:
                        observed.constraint(x)
                    observed(x)
            peer.free()
    ours, coco = (firsthit.load(tmp_path / path).art() for path in ("ours.h5", "coco"))
    for column in ("suite", "function", "target", "art"):
        assert ours[column].tolist() == coco[column].tolist(), column
    assert np.isfinite(ours["art"].astype(float)).mean() > 0.5


def test_a_penalty_by_hand():
    problem = Suite("bbob-constrained", 9, 2, 1)[0]
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
