"""``firsthit.score``: the number, its bounds, and what becomes of optimizers that misbehave."""

import pickle
import runpy
from pathlib import Path

import numpy as np
import pytest

import firsthit
from firsthit.suites import FirsthitError, problem_from

EXAMPLES = Path(__file__).parents[1] / "examples"
BBOB = {"functions": [1, 8, 15], "dimensions": [2, 3], "instances": "1-3"}


def walk(problem, rng):
    """Improves slowly and ends by itself, so that it is started again."""
    x = problem.initial_solution
    y = problem(x)
    for points in rng.standard_normal((20, 3, problem.dimension)):
        values = problem(x + 0.5 * points)
        if values.min() < y:
            x, y = x + 0.5 * points[values.argmin()], values.min()


def area(precisions, budget, lower=1e-8, upper=1e2):
    best = np.minimum.accumulate([*precisions, *[np.inf] * budget])[:budget]
    clipped = np.log10(np.clip(best, lower, upper))
    return np.mean(1 - (clipped - np.log10(lower)) / (np.log10(upper) - np.log10(lower)))


def test_it_is_what_a_loop_over_all_values_gives():
    seen = []

    def sphere(x):
        seen.append(float(((x - 1) ** 2).sum()))
        return seen[-1]

    problem = problem_from(
        sphere, 3, optimal_value=0.0, optimal_solution=np.ones(3), transformation="none"
    )
    score = firsthit.score(walk, [problem], budget=130, lower=1e-4, upper=10.0)
    assert len(seen) >= 130
    seen = [value for value in seen if value > 0]  # the check of the optimum
    assert float(score) == pytest.approx(area(seen, 130, 1e-4, 10.0), abs=1e-12)
    assert score.evaluations == 130


def test_it_is_what_improvements_logged_by_ioh_give(peers):
    ioh = peers.ioh
    theirs = ioh.get_problem(10, 1, 3, ioh.ProblemClass.BBOB)
    store = ioh.logger.Store(
        triggers=[ioh.logger.trigger.ON_IMPROVEMENT],
        properties=[ioh.logger.property.EVALUATIONS, ioh.logger.property.RAWYBEST],
    )
    theirs.attach_logger(store)

    def both(problem, rng):
        for scale in np.geomspace(1, 1e-3, 300):
            best = problem.best_observed_solution
            x = np.zeros(3) if best is None else best + scale * rng.standard_normal(3)
            problem(x)
            theirs(x.tolist())

    score = firsthit.score(
        both, "bbob", functions=10, dimensions=3, instances=1, budget=400, restarts=0
    )
    curve = {int(line["evaluations"]): line["raw_y_best"] for line in _lines(store.data())}
    values = [curve.get(i, np.inf) for i in range(1, 401)]
    assert len(curve) > 10
    assert float(score) == pytest.approx(area(values, 400), abs=1e-7)


def _lines(data):
    """The innermost records of ioh's store, whatever they are nested in."""
    if isinstance(data, dict) and "raw_y_best" in data:
        return [data]
    inner = data.values() if isinstance(data, dict) else data
    return [line for one in inner for line in _lines(one)]


def test_it_is_what_a_log_of_the_same_runs_gives():
    score = firsthit.score(walk, "bbob", budget="50 * dimension", **BBOB)
    results = firsthit.benchmark(
        walk, "bbob", budget="50 * dimension", record="improvements", progress=False, **BBOB
    )
    table = results.aocc()
    assert table["budget"].tolist() == [100, 150]
    assert float(score) == pytest.approx(table["aocc"].mean(), abs=1e-12)
    assert score.evaluations == results.log.runs["evaluations"].sum()


@pytest.mark.slow
def test_any_number_of_workers_gives_the_same():
    here, there = (
        firsthit.score(f"{__file__}:walk", "bbob", budget="50 * dimension", workers=workers, **BBOB)
        for workers in (0, 2)
    )
    assert (here.value, here.low, here.high) == (there.value, there.low, there.high)
    assert here.by_problem.to_csv() == there.by_problem.to_csv()
    assert len(here.by_problem) == 18
    assert here.low < here.value < here.high


def test_it_is_a_number_among_numbers():
    worse = firsthit.score(walk, "bbob", budget=20, **BBOB)
    better = firsthit.score(walk, "bbob", budget=2000, **BBOB)
    assert worse < better
    assert max([worse, better]) is better
    assert 0 < worse < 1
    assert worse <= better >= better.value >= worse
    assert not worse >= better
    assert f"{better:.3f}" == f"{better.value:.3f}"
    assert f"{better}" == str(better)
    assert repr(better) == f"<Score {better}>"
    assert float(pickle.loads(pickle.dumps(better))) == better.value
    assert str(better).endswith("on 18 problems, 18 runs")


def test_it_ends_at_the_final_target_only_where_nothing_is_gained_beyond():
    def finds(problem):
        problem(np.full(problem.dimension, 1.0))
        for y in (1e-9, 1e-12):
            problem(np.array([y**0.5, 0.0]))

    problem = problem_from(
        lambda x: float((x**2).sum()), 2, optimal_value=0.0, optimal_solution=np.zeros(2),
        transformation="none",
    )  # fmt: skip
    exact = {"budget": 3, "restarts": 0, "upper": 1e4}
    assert firsthit.score(finds, [problem], **exact).evaluations == 2
    finer = firsthit.score(finds, [problem], lower=1e-12, **exact)
    assert finer.evaluations == 3
    assert float(finer) == pytest.approx(area([2.0, 1e-9, 1e-12], 3, 1e-12, 1e4))


def raises(problem):
    problem(problem.initial_solution)
    if problem.dimension == 3:
        deeper({})


def deeper(names):
    return np.array(names["missing"])


def never(problem):
    return None


def test_what_breaks_off_counts_with_what_it_had_and_says_why():
    score = firsthit.score(raises, "bbob", budget=10, **BBOB)
    failed = score.by_problem["failed"]
    assert failed.tolist() == [0] * 9 + [1] * 9
    assert len(score.failures) == 9
    failure = score.failures[0]
    assert (failure.problem.dimension, failure.repetition, failure.evaluations) == (3, 0, 1)
    head, *calls = failure.text.split("\n")
    assert head.startswith("KeyError: 'missing' (")
    assert [call.split(" in ")[1] for call in calls] == [
        "raises: deeper({})", 'deeper: return np.array(names["missing"])',
    ]  # fmt: skip
    assert all(call.startswith("  test_score.py:") for call in calls)
    assert "firsthit" not in "".join(calls)
    assert (score.by_problem["value"] > 0).any()


def test_what_never_evaluates_is_worth_nothing():
    score = firsthit.score(f"{__file__}:never", "bbob", budget=10, workers=1, **BBOB)
    assert (float(score), score.evaluations, len(score.failures)) == (0.0, 0, 18)
    assert "without evaluating the problem" in score.failures[0].text


@pytest.mark.slow
def test_a_crash_is_a_failure_of_one_run(tmp_path):
    (tmp_path / "crash.py").write_text(
        "import os\n\ndef crash(problem):\n    problem(problem.initial_solution)\n"
        "    if problem.dimension == 3:\n        os._exit(3)\n"
    )
    score = firsthit.score(
        f"{tmp_path}/crash.py:crash", "bbob", budget=5, workers=1, functions=1, instances=1,
        dimensions=[2, 3],
    )  # fmt: skip
    assert score.by_problem["failed"].tolist() == [0, 1]
    assert score.by_problem["value"][1] > 0
    assert score.failures[0].evaluations == 1


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ({"budget": None}, "budget is missing"),
        ({"budget": [10, 20]}, "no stages"),
        ({"lower": 0.0}, "0 < lower < upper"),
        ({"workers": -1}, "score: workers must be a whole number"),
        ({"repetitions": 0}, "score: repetitions must be a whole number"),
        ({"level": 1.5}, "level is 1.5"),
    ],
)
def test_arguments_that_make_no_sense(wrong, text):
    with pytest.raises(FirsthitError, match=text):
        firsthit.score(walk, "bbob", **{"budget": 10, **BBOB, **wrong})


def test_without_a_reference_value_there_is_no_score():
    problem = problem_from(lambda x: float((x**2).sum()), 2, transformation="none")
    with pytest.raises(FirsthitError, match="no reference value"):
        firsthit.score(walk, [problem], budget=10)


def test_repetitions_make_the_interval_one_of_these_instances():
    score = firsthit.score(walk, "bbob", budget=50, repetitions=3, **BBOB)
    assert score.by_problem["runs"].tolist() == [3] * 18
    assert any("these instances" in note for note in score.notes)


def test_the_example_that_tunes_finds_something_better(capsys):
    pytest.importorskip("optuna")
    example = runpy.run_path(str(EXAMPLES / "tune_with_optuna.py"))
    study = example["tune"](trials=4)
    assert len(study.trials) == 4
    assert study.best_value == max(trial.value for trial in study.trials)


def test_preset_blade_is_ten_lines():
    def reference(functions, instances):
        """The mean AOCC of `random_points` over all problems."""
        found = []
        for problem in firsthit.Suite("bbob", functions, [2, 5], instances):
            rng, budget = np.random.default_rng(problem.instance), 2000 * problem.dimension
            values = problem(rng.uniform(-5, 5, (budget, problem.dimension)))
            best = np.minimum.accumulate(values - problem.optimal_value)
            clipped = np.log10(np.clip(best, 1e-8, 1e2))
            found.append(np.mean(1 - (clipped + 8) / 10))
        return np.mean(found)

    def random_points(problem):
        rng = np.random.default_rng(problem.id_instance)
        problem(rng.uniform(-5, 5, (2000 * problem.dimension, problem.dimension)))

    for part, instances in (("train", range(1, 6)), ("test", range(6, 16))):
        score = firsthit.score(random_points, preset="blade", part=part, functions=1)
        assert len(score.by_problem) == 2 * len(instances)
        assert score.value == pytest.approx(reference(1, instances), abs=1e-12)
        assert score.evaluations == 7 * 2000 * len(score.by_problem) // 2
    assert score.notes[:2] == ("preset blade, but another functions.", "instances 6-15, to test.")


@pytest.mark.slow
def test_a_preset_runs_all_functions_and_restarts_nothing():
    def once(problem):
        problem(problem.initial_solution)

    score = firsthit.score(once, preset="blade")
    assert len(score.by_problem) == 24 * 2 * 5
    assert score.evaluations == 24 * 2 * 5
    assert score.notes[0] == "preset blade."


def test_a_split_has_no_instance_in_both_parts():
    own = {"functions": 1, "dimensions": 2, "budget": 20, "split": {"train": 1, "test": "2-3"}}
    with pytest.raises(FirsthitError, match="split: instances 3, 4 are in both parts"):
        firsthit.score(walk, "bbob", **{**own, "split": {"train": "1-4", "test": "3-9"}})
    assert len(firsthit.score(walk, "bbob", part="test", **own).by_problem) == 2
    assert len(firsthit.score(walk, "bbob", **own).by_problem) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"preset": "blades"}, "unknown preset 'blades'. Did you mean 'blade'"),
        ({"preset": "blade", "part": "tests"}, "Did you mean 'test'"),
        ({"preset": "blade", "instances": 3}, "instances: the split says which"),
        ({"suite": "bbob", "budget": 10, "part": "test"}, "of which split"),
        ({"preset": "blade", "split": {"train": 1}}, "two parts are needed"),
        ({"preset": "blade", "split": {"train": 1, "tests": 2}}, "Did you mean 'test'"),
        ({"suite": "bbob"}, "budget is missing"),
        ({"budget": 10}, "suite is missing"),
    ],
)
def test_presets_and_splits_that_make_no_sense_are_refused(options, message):
    with pytest.raises(FirsthitError, match=message):
        firsthit.score(walk, **options)
