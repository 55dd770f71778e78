"""Runs measured by the solutions that they recommended, against loops over what was recommended."""

import numpy as np
import pytest

import firsthit
from firsthit.assessment import AssessmentError

from ..command_line import succeed
from .questions import QUESTIONS

TARGETS = [1e2, 1e1, 1.0, 1e-1, 1e-8]
BUDGETS = [1.0, 5.0, 20.0, 40.0]


@pytest.fixture(scope="module")
def logged(tmp_path_factory):
    """A log, and by problem what was recommended: (evaluations made, precision)."""
    path = tmp_path_factory.mktemp("recommended") / "a.h5"
    rng, said = np.random.default_rng(3), {}
    suite = firsthit.Suite("bbob", functions=1, dimensions=2, instances="1-6")
    with firsthit.Observer(path, algorithm="a") as observer:
        for true, problem in zip(suite, observer(suite), strict=True):
            mine = said.setdefault(problem.id_instance, [])
            for i in range(60):
                problem(rng.uniform(-5, 5, 2))
                if i % 7 == 3 and problem.id_instance != 4:
                    x = true.optimal_solution + rng.normal(size=2) * 10.0 ** rng.uniform(-3, 1)
                    problem.recommend(x)
                    mine.append((i + 1, true(x) - true.optimal_value))
    return path, said


def test_runtimes_are_those_of_the_first_recommended_solution_that_hits(logged):
    path, said = logged
    table = firsthit.load(path, recommended=True).runtimes(TARGETS)
    found = {
        (instance, target): runtime
        for instance, target, runtime in zip(
            table["instance"].tolist(), table["target"].tolist(), table["runtime"].tolist(),
            strict=True,
        )
    }  # fmt: skip
    for instance, mine in said.items():
        for target in TARGETS:
            hits = [evaluation for evaluation, precision in mine if precision <= target]
            assert found[instance, target] == min(hits, default=np.inf)


def test_precisions_are_those_of_the_best_recommended_so_far(logged):
    path, said = logged
    results = firsthit.load(path, recommended=True)
    for budget in BUDGETS:
        best = [
            min((p for evaluation, p in mine if evaluation <= 2 * budget), default=np.inf)
            for mine in said.values()
        ]
        table = results.fixed_budget(f"{budget}*D", targets=[1.0])
        assert table["success_1e0"][0] == np.mean(np.array(best) <= 1.0)
        assert table["mean"][0] == pytest.approx(np.mean(best), rel=1e-9)


def test_art_charges_runs_that_recommended_nothing_with_all_they_spent(logged):
    path, said = logged
    table = firsthit.load(path, recommended=True).art([10.0])
    hits = [next((e for e, p in mine if p <= 10.0), np.nan) for mine in said.values()]
    until = np.where(np.isnan(hits), 60, hits).sum()
    assert table["art"][0] == until / np.isfinite(hits).sum()
    said = "; the best recommended solution so far is measured (1 of 6 runs recommended none)."
    assert any(note.endswith(said) for note in table.notes)


def test_a_solution_recommended_before_any_evaluation_counts_from_the_first(tmp_path):
    with firsthit.Observer(tmp_path / "a.h5", algorithm="a") as observer:
        for problem in observer(firsthit.Suite("bbob", functions=1, dimensions=2, instances=1)):
            problem.recommend(problem.initial_solution)
            problem(np.zeros(2))
    table = firsthit.load(tmp_path / "a.h5", recommended=True).runtimes([1e8])
    assert table["runtime"].tolist() == [1.0]


def test_logs_without_recommendations_are_refused(log_folder):
    with pytest.raises(AssessmentError, match="no run in the logs recommended a solution"):
        firsthit.load(log_folder, recommended=True)


OF_ALL_EVALUATIONS = {
    "termination", "parameters", "restarts", "timing", "tuning", "points",
    "indicators", "fronts", "surfaces", "surface-difference",
}  # fmt: skip
"""They tell what else a run did."""


def test_all_tables_of_runtimes_and_precisions_take_them():
    taking = {
        name for name in QUESTIONS if "--recommended" in succeed("assess", name, "--help").stdout
    }
    assert taking == set(QUESTIONS) - OF_ALL_EVALUATIONS
