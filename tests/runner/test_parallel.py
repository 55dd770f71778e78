"""Evaluations in parallel, in simulated time, against the plainest event loops."""

import heapq
import math

import numpy as np
import pytest

import firsthit
from firsthit.loggers import read_log
from firsthit.runner import CampaignError, Parallel, load_campaign, open_log
from firsthit.suites import problem_from

from .conftest import log_content
from .conftest import made as run_campaign

SMALL = {"functions": [1, 8], "dimensions": 2, "instances": "1-2", "budget": "40 * D"}


class OnePlusOne:
    """A (1+1)-ES that may be asked again before it is told."""

    def __init__(self, x0, rng, step=1.0):
        self.best, self.value, self.rng, self.step = np.array(x0), math.inf, rng, step

    def ask(self):
        return self.best + self.step * self.rng.standard_normal(len(self.best))

    def tell(self, point, value):
        if value <= self.value:
            self.best, self.value = point, value
        self.step *= 1.1 if value <= self.value else 0.97


class Patient(OnePlusOne):
    """One that must be told what it asked for before it is asked again."""

    asynchronous = False


class Generations:
    """A (3, 10)-ES: asks for generations."""

    def __init__(self, x0, rng):
        self.mean, self.rng, self.step = np.array(x0), rng, 1.0

    def ask(self):
        return self.mean + self.step * self.rng.standard_normal((10, len(self.mean)))

    def tell(self, points, values):
        self.mean = points[np.argsort(values)[:3]].mean(axis=0)
        self.step *= 0.9


def made(optimizer, parallel=None, suite="bbob", **more):
    rules = {**SMALL, **more} if isinstance(suite, str) else {"budget": 60, **more}
    return firsthit.benchmark(optimizer, suite, parallel=parallel, seed=3, **rules).log


def sphere(dimension=2, **more):
    return problem_from(lambda x: float(x @ x), dimension, optimal_value=0.0, name="sphere", **more)


@pytest.mark.parametrize(
    "optimizer",
    [OnePlusOne, Patient, Generations, "random-search", "scipy:Nelder-Mead", "cma:CMA-ES",
     "nevergrad:DE", "nevergrad:CMA", "optuna:TPE", "pymoo:PSO", "cmaes:SepCMA"],
)  # fmt: skip
def test_one_evaluator_and_duration_1_is_the_ordinary_run(optimizer):
    alone, parallel = made(optimizer), made(optimizer, Parallel(1, 1))
    assert len(alone) == 4
    for name in ("evaluations", "status", "best_precision", "seed", "error"):
        assert alone.runs[name].tolist() == parallel.runs[name].tolist()
    for run in range(4):
        for name in ("hits", "trajectory", "restarts", "notes_of", "best_solution"):
            assert getattr(alone, name)(run).tobytes() == getattr(parallel, name)(run).tobytes()
        assert parallel.hit_seconds(run).tolist() == parallel.hits(run).evaluation.tolist()


@pytest.mark.parametrize("evaluators", [2, 16])
@pytest.mark.parametrize(
    "optimizer", [OnePlusOne, "random-search", "nevergrad:DE", "nevergrad:PSO", "optuna:TPE"]
)
def test_hits_of_an_asynchronous_optimizer_are_at_ceil_k_w(optimizer, evaluators):
    log = made(optimizer, Parallel(evaluators, "constant(2)"), record="improvements")
    for run in range(len(log)):
        expected = 2 * np.ceil(log.hits(run).evaluation / evaluators)
        np.testing.assert_array_equal(log.hit_seconds(run), expected)


def test_ties_are_told_in_the_order_of_asking_before_more_is_asked():
    said = []

    class Talking(OnePlusOne):
        def ask(self):
            point = super().ask()
            said.append(("asked", point))
            return point

        def tell(self, point, value):
            said.append(("told", point))

    made(Talking, Parallel(3, 1), [sphere()], budget=6)
    assert [word for word, _ in said] == 2 * (3 * ["asked"] + 3 * ["told"])
    for start in (0, 6):
        asked, told = said[start : start + 3], said[start + 3 : start + 6]
        assert all(x is y for (_, x), (_, y) in zip(asked, told, strict=True))


def in_a_loop(optimizer, duration, evaluators, budget, value):
    """Evaluation, second and value of all: asked while there is room, told when they end."""
    queue, asked, now, done = [], 0, 0.0, []
    while asked < budget or queue:
        while asked < budget and len(queue) < evaluators:
            x = optimizer.ask()
            heapq.heappush(queue, (now + duration(x), asked := asked + 1, x))
        now, _, x = heapq.heappop(queue)
        done.append((len(done) + 1, now, value(x)))
        optimizer.tell(x, done[-1][2])
    return done


@pytest.mark.parametrize("evaluators", [1, 3, 8])
def test_drawn_durations_give_the_seconds_of_the_plainest_event_loop(evaluators):
    """Told in the order of completion; noise is drawn in that order."""
    drawn, points = [], []

    def duration(x, rng):
        drawn.append(rng.lognormal(0, 0.5) * (1 + abs(x[0])))
        return drawn[-1]

    class Watched(OnePlusOne):
        def __init__(self, x0, rng):
            super().__init__(x0, np.random.default_rng(5))

    def noise(points_, values, rng):
        return values + rng.uniform(0, 0.1, len(values))

    def value(x):
        points.append(x.copy())
        return float(x @ x)

    problem = problem_from(value, 2, optimal_value=0.0, noise=noise)
    log = made(Watched, Parallel(evaluators, duration), [problem], record="improvements")
    lasting = iter(list(drawn))
    told = np.random.default_rng([int(log.runs.key[0], 16), 1])
    done = in_a_loop(
        Watched(problem.initial_solution, None), lambda x: next(lasting), evaluators, 60,
        lambda x: float(noise(None, np.array([x @ x]), told)[0]),
    )  # fmt: skip
    best, expected = math.inf, []
    for (evaluation, second, _), x in zip(done, points, strict=True):
        if (precision := float(x @ x)) < best:
            best = precision
            expected.append((evaluation, second, precision))
    hits = log.hits(0)
    assert list(zip(hits.evaluation, log.hit_seconds(0), hits.precision, strict=True)) == expected
    assert log.trajectory_seconds(0)[-1] == done[-1][1]


@pytest.mark.parametrize("evaluators", [1, 4, 10, 30])
def test_a_generation_is_waited_for(evaluators):
    """Each point begins when an evaluator is free; the next generation after the last value."""
    drawn = []

    def duration(x, rng):
        drawn.append(rng.uniform(1, 3))
        return drawn[-1]

    log = made(Generations, Parallel(evaluators, duration), [sphere()])
    now, seconds = 0.0, []
    for first in range(0, 60, 10):
        free, ends = [now] * evaluators, []
        for lasting in drawn[first : first + 10]:
            start = heapq.heappop(free)
            heapq.heappush(free, start + lasting)
            ends.append(start + lasting)
        seconds += sorted(ends)
        now = max(ends)
    np.testing.assert_allclose(
        log.hit_seconds(0), np.array(seconds)[log.hits(0).evaluation - 1], rtol=1e-14
    )
    assert log.trajectory_seconds(0)[-1] == now


def test_an_optimizer_that_must_be_told_first_uses_one_evaluator():
    log = made(Patient, Parallel(8, 2), [sphere()])
    assert log.hit_seconds(0).tolist() == (2 * log.hits(0).evaluation).tolist()


def test_a_budget_of_seconds_ends_the_run_and_counts_what_is_under_way():
    log = made(OnePlusOne, Parallel(8, 3), [sphere()], budget="10 seconds", final_target=False)
    assert log.runs.status.tolist() == ["budget"]
    assert log.runs.evaluations.tolist() == [3 * 8 + 8]
    assert log.runs.budget.tolist() == [-1]
    assert log.dropped(0).tolist() == [(32, 8)]
    assert log.trajectory_seconds(0)[-1] == 10.0
    assert log.hit_seconds(0).max() <= 9.0


def test_evaluations_under_way_when_the_target_is_hit_count():
    class Lucky:
        def __init__(self, problem):
            self.asked = 0

        def ask(self):
            self.asked += 1
            return np.full(2, 0.0 if self.asked == 5 else 3.0)

        def tell(self, point, value):
            pass

    log = made(Lucky, Parallel(3, lambda x, rng: 1.0 + x[0]), [sphere()])
    assert log.runs.status.tolist() == ["target"]
    # 3 until second 4, then three more, one of which lasts 1 second
    assert log.hits(0).evaluation[-1] == 4
    assert log.hit_seconds(0)[-1] == 5.0
    assert log.dropped(0).tolist() == [(6, 2)]
    assert log.runs.evaluations.tolist() == [6]


def test_a_restart_drops_and_counts_what_is_under_way():
    class Brief(OnePlusOne):
        def __init__(self, x0, rng):
            super().__init__(x0, rng)
            self.told = 0

        def tell(self, point, value):
            self.told += 1

        def stop(self):
            return "enough" if self.told >= 4 else ""

    log = made(Brief, Parallel(3, lambda x, rng: rng.uniform(1, 2)), [sphere()], budget=20)
    # each start: 4 are told, 2 are under way
    assert log.dropped(0).tolist() == [(6, 2), (12, 2), (18, 2)]
    assert log.restarts(0).evaluation.tolist() == [6, 12, 18]
    assert log.runs.evaluations.tolist() == [20]


def constrained():
    return sphere(constraint=lambda x: np.array([1.0 - x[0], x[1] - 5.0]), number_of_constraints=2)


def test_constraints_come_with_the_objective_and_alone_are_refused():
    seen = []

    class Careful(OnePlusOne):
        def __init__(self, problem, x0, rng):
            super().__init__(x0, rng)
            self.problem = problem

        def tell(self, point, value):
            seen.append((point, self.problem.constraint(point)))

    log = made(Careful, Parallel(4, 1), [constrained()])
    assert all((g == [1.0 - x[0], x[1] - 5.0]).all() for x, g in seen)
    assert (log.runs.evaluations[0], log.runs.evaluations_constraints[0]) == (60, 60)
    hits = log.hits(0)
    assert (hits.constraints == hits.evaluation).all()

    def impatient(problem):
        problem(np.zeros((3, 2)))
        problem.constraint(np.ones((3, 2)))

    with pytest.warns(firsthit.runner.FirsthitWarning, match="returns the objective and the const"):
        made(impatient, Parallel(4, 1), [constrained()])


def test_a_budget_of_f_and_g_counts_both_for_each_evaluation_begun():
    log = made("random-search", Parallel(4, 1), [constrained()], budget="21 f+g")
    assert (log.runs.evaluations[0], log.runs.evaluations_constraints[0]) == (10, 10)
    assert log.runs.status.tolist() == ["budget"]


def test_generations_see_the_constraints_of_their_own_points():
    def batches(problem, rng):
        for _ in range(3):
            points = rng.uniform(-5, 5, (7, 2))
            problem(points)
            expected = np.column_stack([1.0 - points[:, 0], points[:, 1] - 5.0])
            np.testing.assert_array_equal(problem.constraint(points), expected)

    log = made(batches, Parallel(4, lambda x, rng: rng.exponential()), [constrained()], restarts=0)
    assert log.runs.status.tolist() == ["terminated"]
    assert (log.runs.evaluations[0], log.runs.evaluations_constraints[0]) == (21, 21)


@pytest.mark.slow
@pytest.mark.parametrize("optimizer", ["nevergrad:DE", "optuna:CMA-ES"])
def test_penalized_values_are_told(optimizer):
    more = {"parameters": {"penalty": 10.0}}
    alone = made(optimizer, None, [constrained()], **more)
    log = made(optimizer, Parallel(1, 1), [constrained()], **more)
    for name in ("evaluation", "precision"):
        assert alone.hits(0)[name].tolist() == log.hits(0)[name].tolist()


CAMPAIGN = """
imports: [toy.py]
suite: runner-toy
functions: 1-2
dimensions: [2, 3]
instances: 1-2
optimizers: [random-search, {use: scipy:Nelder-Mead, name: nm}]
budget: 20 * D
parallel: {evaluators: 3, duration: "lognormal(0, 0.5)"}
"""


def campaign_of(folder, more="", text=CAMPAIGN, **options):
    file = folder / "c.yaml"
    file.write_text(text + more)
    return load_campaign(file, options)


def run(campaign, where=0, **which):
    run_campaign(campaign, where, **which)
    return campaign.output


@pytest.mark.slow
@pytest.mark.parametrize("where", [{"workers": 3}, {"workers": 2, "cluster": "local"}])
def test_the_log_is_the_same_wherever_it_is_made(folder, tmp_path, where):
    campaigns = [
        campaign_of(folder, output=str(tmp_path / f"{n}.h5"), **options)
        for n, options in enumerate(({"workers": 0}, where))
    ]
    paths = [run(campaign, campaign.executor_config) for campaign in campaigns]
    assert log_content(paths[0]) == log_content(paths[1])
    logs = [read_log(path) for path in paths]
    for row in range(len(logs[0])):
        assert len(logs[0].hit_seconds(row)) == len(logs[0].hits(row)) > 0
        for name in ("hit_seconds", "trajectory_seconds", "dropped"):
            assert getattr(logs[0], name)(row).tobytes() == getattr(logs[1], name)(row).tobytes()


def test_runs_that_are_missing_are_made_as_they_would_have_been(folder, tmp_path):
    whole = run(campaign_of(folder, output=str(tmp_path / "whole.h5")))
    part = campaign_of(folder, output=str(tmp_path / "part.h5"))
    run(part, runs=slice(5))
    assert log_content(run(part)) == log_content(whole)
    other = campaign_of(folder, evaluators=4, output=str(tmp_path / "part.h5"))
    assert other.rules.parallel.duration == "lognormal(0, 0.5)"
    with pytest.raises(CampaignError, match=r"parallel was .*3.*is .*4"):
        open_log(other.output, other.header(), True)


def test_a_function_in_a_file_says_how_long_evaluations_last(folder, tmp_path):
    (folder / "lasting.py").write_text("def lasting(x, rng):\n    return 1.5 + 0 * x[0]\n")
    text = CAMPAIGN.replace("lognormal(0, 0.5)", "lasting.py:lasting")
    campaign = campaign_of(folder, text=text, output=str(tmp_path / "c.h5"))
    log = read_log(run(campaign, 1))
    rows = np.flatnonzero(log.runs.algorithm == "random-search")
    for row in rows:
        expected = 1.5 * np.ceil(log.hits(row).evaluation / 3)
        assert log.hit_seconds(row).tolist() == expected.tolist()
    said = log.header_of(0)["campaign"]["parallel"]
    assert (said["evaluators"], said["duration"]) == (3, "lasting.py:lasting")
    assert len(said["file_sha256"]) == 64


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("lognormal(0, 0.5)", "lognormal(1)", r"c.yaml:9:11: .*lognormal takes deviation >= 0"),
        ("lognormal(0, 0.5)", "lognoral(0, 1)", "unknown distribution 'lognoral'. Did you mean"),
        ("lognormal(0, 0.5)", "uniform(2, 1)", "uniform takes 0 <= low < high"),
        ("lognormal(0, 0.5)", "quick", "duration 'quick' is not understood; write seconds, const"),
        ('"lognormal(0, 0.5)"', "0", r"constant takes seconds > 0"),
        ("evaluators: 3", "evaluators: 0", "evaluators must be a whole number from 1"),
        ("evaluators: 3", "workers: 3", "in parallel: unknown key 'workers'"),
        ("{evaluators: 3, duration: \"lognormal(0, 0.5)\"}", "8", "must be a mapping such as"),
        ("20 * D", "20 * D seconds", "seconds are not multiplied by the dimension"),
        ("lognormal(0, 0.5)", "none.py:f", "none.py"),
        ("parallel:", "clock: measured\nparallel:", "c.yaml:9:8: .*seconds are simulated"),
        ('parallel: {evaluators: 3, duration: "lognormal(0, 0.5)"}', "", None),
    ],
)  # fmt: skip
def test_what_cannot_be_is_one_sentence(folder, old, new, sentence):
    text = CAMPAIGN.replace(old, new)
    if sentence is None:
        text, sentence = text.replace("20 * D", "20 seconds"), "give 'parallel', or 'timeout'"
    with pytest.raises(CampaignError, match=sentence):
        campaign_of(folder, text=text)


def test_check_says_how_many_evaluators_there_are(folder, tmp_path, cli):
    text = CAMPAIGN.replace("20 * D", "30 seconds") + f"output: {tmp_path / 'c.h5'}\n"
    (folder / "c.yaml").write_text(text)
    code, out, _ = cli("check", folder / "c.yaml", "--evaluators", 5)
    assert code == 0
    assert "evaluators: 5; duration: lognormal(0, 0.5)" in out
    assert "16 runs, 480 seconds of simulated time at most" in out


@pytest.mark.parametrize("bad", [0.0, -1.0, math.nan, math.inf, None, "soon"])
def test_a_duration_that_is_none_fails_the_run(bad):
    with pytest.warns(firsthit.runner.FirsthitWarning, match="it must be a number > 0"):
        log = made("random-search", Parallel(2, lambda x, rng: bad), [sphere()])
    assert log.runs.status.tolist() == ["failed"]


@pytest.mark.parametrize(
    ("law", "mean"),
    [("uniform(1, 3)", 2.0), ("exponential(2)", 2.0), ("lognormal(0, 0.5)", math.exp(0.125))],
)
def test_laws_have_their_means(law, mean):
    lasting, rng = Parallel(1, law).law(), np.random.default_rng(1)
    drawn = [lasting(np.zeros(2), rng) for _ in range(20_000)]
    assert np.mean(drawn) == pytest.approx(mean, rel=0.03)
    assert min(drawn) > 0


DIES = """
import os
import numpy as np


class Dies:
    def __init__(self, rng):
        self.rng, self.told = rng, 0

    def ask(self):
        return self.rng.uniform(-5, 5, 2)

    def tell(self, point, value):
        self.told += 1
        if self.told == 20:
            os._exit(1)
"""


@pytest.mark.slow
def test_a_run_whose_process_dies_keeps_what_it_had_with_its_seconds(tmp_path):
    (tmp_path / "dies.py").write_text(DIES)
    optimizer, one = f"{tmp_path}/dies.py:Dies", {"functions": 1, "instances": 1}
    with pytest.warns(firsthit.runner.FirsthitWarning, match="1 of 1 runs failed"):
        log = made(optimizer, Parallel(4, 2), workers=1, record="improvements", **one)
    assert log.runs.evaluations.tolist() == [20]
    assert log.hit_seconds(0).tolist() == (2 * np.ceil(log.hits(0).evaluation / 4)).tolist()
    assert len(log.trajectory_seconds(0)) == len(log.trajectory(0))
