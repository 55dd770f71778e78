"""Budget stages: the whole experiment with the first budget, then with the next, and so on."""

import numpy as np
import pytest

from firsthit import load
from firsthit.loggers import read_log
from firsthit.runner import CampaignError, load_campaign, plan

from .conftest import benchmark, made, shifted_sphere

STAGED = "imports: [toy.py]\nsuite: runner-toy\ndimensions: [2, 3]\ninstances: 1-2\nworkers: 0\n"


@pytest.fixture
def campaign(folder):
    """Reads a campaign of two optimizers with a budget."""

    def read(budget, **overrides):
        file = folder / "staged.yaml"
        file.write_text(f"{STAGED}optimizers: ['toy.py:walk', random-search]\nbudget: {budget}\n")
        return load_campaign(file, overrides)

    return read


@pytest.mark.parametrize(
    ("budget", "evaluations"),
    [
        ("[10, 20, 50]", [10, 20, 50]),
        ('["1 * D", "2 * D"]', [3, 6]),
        ('"[1, 2.5, 5] * dimension"', [3, 7, 15]),
        ("'[5, 2 * D, 1e1]'", [5, 6, 10]),
        ("[7]", [7]),
        (None, [None]),
    ],
)
def test_forms(budget, evaluations, folder):
    file = folder / "forms.yaml"
    text = "null" if budget is None else budget
    file.write_text(f"{STAGED}optimizers: ['toy.py:walk']\nbudget: {text}\n")
    runs = [run for run in plan(load_campaign(file, {"dimensions": 3})) if run.repetition == 0]
    one = [run for run in runs if str(run.problem_id) == "runner-toy_f001_i01_d03"]
    assert [run.budget_evaluations for run in one] == evaluations
    assert [run.stage for run in one] == list(range(len(evaluations)))


def test_values_in_place_of_those_of_the_file_may_be_lists(folder):
    file = folder / "lists.yaml"
    file.write_text(f"{STAGED}optimizers: ['toy.py:walk']\nbudget: 5\n")
    staged = load_campaign(file, {"budget": [10, "20 * D"], "dimensions": [3]})
    assert {run.budget_evaluations for run in plan(staged)} == {10, 60}
    with pytest.raises(CampaignError, match=r"option --budget: budget \[3\] of type list is no"):
        load_campaign(file, {"budget": [10, [3]]})
    with pytest.raises(CampaignError, match="in overrides: unknown key 'budgets'"):
        load_campaign(file, {"budgets": 10})


def test_a_later_stage_begins_like_the_earlier_and_replaces_it(campaign, tmp_path):
    staged = campaign("[10, 20, 400]", output=str(tmp_path / "a.h5"))
    assert made(staged).finished == 72
    log, runs = read_log(staged.output), read_log(staged.output).runs
    names = list(zip(runs.algorithm, runs.function, runs.dimension, runs.instance, strict=True))
    for name in set(names):
        rows = sorted(
            (i for i, one in enumerate(names) if one == name), key=lambda i: runs.stage[i]
        )
        assert [int(runs.budget[i]) for i in rows] == [10, 20, 400]
        first, last = (log.hits(rows[0]), log.hits(rows[-1]))
        begins = last.evaluation <= runs.evaluations[rows[0]]
        assert np.array_equal(first.evaluation, last.evaluation[begins])
        assert np.array_equal(first.precision, last.precision[begins])
        assert len({int(runs.seed[i]) for i in rows}) == 1
    results = load(staged.output)
    direct = campaign("400", output=str(tmp_path / "b.h5"))
    made(direct)
    targets = [1e1, 1e-1, 1e-8]
    assert str(results.art(targets=targets)) == str(load(direct.output).art(targets=targets))


def most_spent(output):
    """Return the most evaluations of a run that an assessment takes."""
    return max(load(output).runtimes()["spent"].tolist())


def test_an_assessment_is_possible_after_each_stage(campaign, tmp_path):
    output = str(tmp_path / "a.h5")
    spent = []
    for budget in ("10", "[10, 20]", "[10, 20, 50]", "[10, 20, 50]"):
        staged = campaign(budget, output=output)
        spent.append((made(staged).finished, most_spent(output)))
    assert spent == [(24, 10), (24, 20), (24, 50), (0, 50)]
    shorter = campaign("[10, 20]", output=output)
    assert made(shorter).finished == 0
    with pytest.raises(CampaignError, match="budget was"):
        made(campaign("[10, 30]", output=output))


def test_a_run_that_hit_the_final_target_is_repeated_at_its_evaluations(tmp_path):
    log = benchmark("scipy:L-BFGS-B", [shifted_sphere()], budget="[100, 1000] * D")
    assert log.runs.stage.tolist() == [0, 1]
    assert set(log.runs.status) == {"target"}
    assert len(set(log.runs.evaluations.tolist())) == 1


def test_stages_of_benchmark():
    log = benchmark(
        "random-search", [shifted_sphere(2), shifted_sphere(3)], budget=[5, 10], repetitions=2
    )
    assert sorted(zip(log.runs.stage.tolist(), log.runs.evaluations.tolist(), strict=True)) == (
        [(0, 5)] * 4 + [(1, 10)] * 4
    )


@pytest.mark.parametrize(
    ("budget", "told"),
    [
        ("'[1, 2] * D'", ["1*D", "2*D"]),
        ("[1, 2 * D]", ["1", "2*D"]),
        ("2 * D", "2*D"),
    ],
)
def test_the_header_tells_the_stages(budget, told, campaign):
    assert campaign(budget).header().campaign["budget"] == told
