"""Measure the cost of the archive of two objectives, in firsthit and in cocoex.

Run ``python benchmarks/hypervolume.py`` (about 3 minutes). First, an evaluation that does not enter
an archive of some size, in nanoseconds beyond the values: observed, minus the problem itself. Then
runs of a million evaluations on f1 of bbob-biobj whose archives come to have 10 000 points, in
seconds, by single points and by batches, and the same points with cocoex's observer. All in
processor time; the least of some turns, in which the contenders follow each other.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from firsthit.loggers import ObservedProblem, observe_problem
from firsthit.loggers.observation.stops import StopConditions
from firsthit.loggers.records.identity import RunIdentity
from firsthit.suites import Problem, Suite
from firsthit.suites.compiled.compilation import compile_batches

FUNCTION, DIMENSION, INSTANCE = 1, 5, 1
Points = NDArray[np.float64]


def problem_of() -> Problem:
    """Return the problem of two spheres."""
    return Suite("bbob-biobj").problem(FUNCTION, DIMENSION, INSTANCE)


def observed(problem: Problem) -> ObservedProblem:
    """Begin a run without an end at the final target, as an observer does."""
    identity = RunIdentity("benchmark", problem.problem_id)
    return observe_problem(problem, identity, StopConditions(final_target=False))


def points_of(problem: Problem, evaluations: int, members: int, seed: int = 1) -> Points:
    """Draw random points, of which ``members`` are Pareto-optimal.

    Args:
        problem: The problem.
        evaluations: Number of points.
        members: Number of Pareto-optimal points, at random positions among the others.
        seed: Random seed.

    Returns:
        The points, shape ``(evaluations, dimension)``.
    """
    rng = np.random.default_rng(seed)
    constants = problem.constants()
    first, second = constants["first_optimum"], constants["second_optimum"]
    points = rng.uniform(-5, 5, (evaluations, problem.dimension))
    rows = rng.choice(evaluations, members, replace=False)
    points[rows] = first + rng.permutation(np.linspace(0, 1, members))[:, None] * (second - first)
    return points


def seconds(evaluate: Callable[[Points], object], inputs: Iterable[Points]) -> float:
    """Return the CPU seconds of one pass over the inputs."""
    start = time.process_time()
    for x in inputs:
        evaluate(x)
    return time.process_time() - start


def cost_of_no_entry(members: int, turns: int) -> tuple[float, float]:
    """Measure the evaluation of a dominated point.

    Args:
        members: Number of points in the archive.
        turns: Number of repetitions, of which the fastest counts.

    Returns:
        Nanoseconds of the values, and further nanoseconds of the observation.
    """
    problem = problem_of()
    run = observed(problem)
    run(points_of(problem, members, members))
    inputs = [*points_of(problem, 2000, 0, seed=2)]
    for x in inputs:
        run(x)
    bare, logged = np.inf, np.inf
    for _ in range(turns):
        bare = min(bare, seconds(problem, inputs))
        logged = min(logged, seconds(run, inputs))
    return 1e9 * bare / len(inputs), 1e9 * (logged - bare) / len(inputs)


def by_cocoex(points: Points) -> float:
    """Return the CPU seconds of a run observed by cocoex; print the size of its archive."""
    import cocoex

    options = f"dimensions: {DIMENSION} function_indices: {FUNCTION}"
    suite = cocoex.Suite("bbob-biobj", f"instances: {INSTANCE}", options)
    with tempfile.TemporaryDirectory() as folder:
        observer = cocoex.Observer("bbob-biobj", f"outer_folder: {folder} result_folder: coco")
        problem = suite[0]
        problem.observe_with(observer)
        spent = seconds(problem, points)
        problem.free()
        entered = sum(
            not line.startswith("%")
            for path in Path(folder).rglob("*.adat")
            for line in path.read_text().splitlines()
        )
    click.echo(f"   cocoex: {entered} points entered", err=True)
    return spent


def by_us(points: Points, size: int) -> float:
    """Return the CPU seconds of a run observed by firsthit, in batches of ``size`` points."""
    run = observed(problem_of())
    run(points[:0])
    if size == 1:
        spent = seconds(run, points)
    else:
        spent = seconds(run, [points[i : i + size] for i in range(0, len(points), size)])
    start = time.process_time()
    record = run.finish("terminated")
    click.echo(f"   firsthit: {len(record.archive)} points entered", err=True)
    return spent + time.process_time() - start


@click.command()
@click.option("--evaluations", default=1_000_000)
@click.option("--members", default=10_000, help="Points of the archive at the end.")
@click.option("--turns", default=3)
def main(evaluations: int, members: int, turns: int) -> None:
    """Print the costs."""
    click.echo(f"{'archive':>10s} {'values ns':>12s} {'observing ns':>14s}")
    for size in (10, 100, 1000, members):
        bare, more = cost_of_no_entry(size, 20 * turns)
        click.echo(f"{size:10d} {bare:12.0f} {more:14.0f}")
    points = points_of(problem_of(), evaluations, members)
    compile_batches(problem_of())
    by_us(points[:1000], 1)
    by_us(points[:1000], 100)
    costs: dict[str, list[float]] = {}
    for _ in range(turns):
        costs.setdefault("cocoex", []).append(by_cocoex(points))
        for size in (1, 100, 1000):
            costs.setdefault(f"batches of {size}", []).append(by_us(points, size))
    peer = min(costs["cocoex"])
    click.echo(f"\n{evaluations} evaluations, an archive of {members}")
    for name, spent in costs.items():
        click.echo(f"{name:16s} {min(spent):8.2f} s   {peer / min(spent):6.1f} times faster")


if __name__ == "__main__":
    main()
