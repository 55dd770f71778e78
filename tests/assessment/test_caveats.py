"""Notes that the framework appends to tables, by the kind of the sample and the convention."""

import pytest

import firsthit
from firsthit.assessment import Results


@pytest.fixture(scope="module")
def with_failures(make_log, random_runs):
    """Two algorithms, of which one run failed."""
    first, *runs = random_runs(1, "a") + random_runs(2, "b")
    return Results(make_log([{**first, "status": "failed"}, *runs]))


def note(table, part):
    """The only note with these words."""
    (found,) = (text for text in table.notes if part in text)
    return found


@pytest.mark.parametrize(
    ("name", "options", "how"),
    [
        ("art", {}, "they count with all their evaluations."),
        ("ecdf", {}, "they count with all their evaluations."),
        ("ecdf", {"runtimes": "runs"}, "they count; targets that they missed count"),
        ("runtimes", {}, "they count; targets that they missed count as never reached."),
        ("dual_ecdf", {}, "they count; targets that they missed count as never reached."),
        ("runtime_density", {}, "they count, unless they missed the target."),
        ("fixed_target", {"convention": "runs"}, "they count."),
        ("fixed_budget", {}, "they count, after their end with their last value."),
        ("precision_ecdf", {}, "they count, after their end with their last value."),
        ("matrix", {"measure": "par10", "targets": 1.0}, "they count as runs."),
    ],
)
def test_a_failed_run_counts_as_the_convention_says(with_failures, name, options, how):
    said = note(getattr(with_failures, name)(**options), "failed, timed out or were interrupted")
    assert said.startswith("incomplete runs: 1 of 36 failed, timed out or were interrupted; ")
    assert how in said


def test_questions_on_curves_say_how_failed_runs_count(tmp_path):
    def breaks_off(problem, rng):
        for _ in range(20):
            problem(rng.uniform(-5, 5, problem.dimension))
        raise ValueError("broke off")

    with pytest.warns(UserWarning, match="2 of 2 runs failed"):
        results = firsthit.benchmark(
            breaks_off, "bbob", functions=[1, 2], dimensions=2, instances="1", budget=100,
            restarts=0, output=tmp_path / "log.h5", progress=False,
        )  # fmt: skip
    for question in (results.cuts, results.attainment, results.data_profile):
        said = note(question(), "failed, timed out or were interrupted")
        assert said.endswith("; they count, after their end with their last value.")


def test_intervals_of_scaling_state_level_seed_and_skewness(make_log):
    hits = [10, 12, 9, 11, 900]
    runs = [{"instance": i, "precisions": [9.0] * (h - 1) + [0.5]} for i, h in enumerate(hits, 1)]
    results = Results(make_log(runs))
    notes = results.scaling(1.0, interval=0.9, seed=7).notes
    assert any(text.startswith("intervals: pointwise 90 % (seed 7)") for text in notes)
    assert any(text.startswith("skewed runtimes: 1 of 1 aRTs") for text in notes)
    assert any(text.startswith("unobserved failures: ") for text in notes)
    assert not any(text.startswith("intervals") for text in results.scaling(1.0).notes)


@pytest.mark.parametrize("part", ["these aRTs are biased", "dominant instance"])
def test_the_table_of_coco_has_the_caveats_of_averages(tmp_path, part):
    """One run hits the target with its last evaluation; a small budget ends 14 other runs."""

    def hit_with_the_last_evaluation(problem, budget):
        for evaluation in range(1, budget + 1):
            problem([3.0 if evaluation < 5000 else 0.5, 0.0])

    for name, instances, budget in (("long", [1], 5000), ("short", range(2, 16), 10)):
        problems = [
            firsthit.problem_from(lambda x: float(x @ x), 2, instance=instance, optimal_value=0.0)
            for instance in instances
        ]
        firsthit.benchmark(
            hit_with_the_last_evaluation, problems, budget=budget, restarts=0,
            algorithm="a", output=tmp_path / f"{name}.h5",
        )  # fmt: skip
    results = firsthit.load(tmp_path)
    assert note(results.coco_table(1.0), part) == note(results.art(1.0), part)
