"""Measure the cost of an evaluation in firsthit, cocoex and ioh, in one run.

Run ``python benchmarks/evaluation.py`` (about 10 minutes; ``--quick`` about 1), or with ``--suite
bbob-boxed`` and others; ioh has bbob, bbob-boxed (SBOX), ma-bbob and pbo. Every contender gets the
same random points. Within a (function, dimension) the contenders take turns, round after round, so
that a change of the machine's speed meets all of them; the table shows medians over the rounds in
microseconds per evaluation, and medians of the ratios peer / firsthit taken in a round.

Columns: ``point`` is one call with one point, ``batch N`` one call with N points, ``+obs`` the same
with the library's observer: firsthit's observer (``+clock`` with ``clock: measured``), cocoex's
"bbob" or "bbob-biobj" observer, ioh's Analyzer. ``hit`` is one observed call of a trivial function
that falls with each call, so that every evaluation hits a target.
"""

from __future__ import annotations

import csv
import itertools
import platform
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click
import numpy as np

from firsthit.loggers import ObservedProblem, observe_problem
from firsthit.loggers.observation.stops import StopConditions
from firsthit.loggers.records.identity import RunIdentity
from firsthit.suites import Problem, Suite
from firsthit.suites.compiled.compilation import compile_batches
from firsthit.suites.suite import definition

Evaluate = Callable[[np.ndarray], object]
Peer = Callable[..., AbstractContextManager[list[tuple[str, int, Evaluate]]]]
POINTS = 256
BBOB_DIMENSIONS = [2, 3, 5, 10, 20, 40, 80, 160, 640]
OBSERVED_PAIRS = {
    "cocoex +obs / point +obs": ("cocoex +obs", "point +obs"),
    "ioh +obs / point +obs": ("ioh +obs", "point +obs"),
    "cocoex / point": ("cocoex", "point"),
    "ioh / point": ("ioh", "point"),
    "cocoex +obs / batch 100 +obs": ("cocoex +obs", "batch 100 +obs"),
    "ioh +obs / batch 100 +obs": ("ioh +obs", "batch 100 +obs"),
    "point +obs +clock / point +obs": ("point +obs +clock", "point +obs"),
}


def observed(problem: Problem, **options: Any) -> ObservedProblem:
    """Begin a firsthit run as a campaign does, but without an end at the final target."""
    stop = StopConditions(final_target=False)
    return observe_problem(problem, RunIdentity("benchmark", problem.problem_id), stop, **options)


def observed_hits(problem: Problem) -> ObservedProblem:
    """Begin a run in which every evaluation is an improvement and hits a target."""
    values = itertools.count(0.0, -1.0)
    falling = problem.wrapped((Suite, ()), evaluate_point=lambda x: next(values))
    return observed(falling, record="improvements")


def own(problem: Problem, batches: list[int]) -> Iterator[tuple[str, int, Evaluate]]:
    """Yield firsthit's contenders: single points and batches, bare and observed."""
    yield "point", 1, problem
    yield "point +obs", 1, observed(problem)
    yield "point +obs +clock", 1, observed(problem, clock="measured")
    if problem.number_of_objectives == 1 and problem.scaling is None:
        yield "hit", 1, observed_hits(problem)
    for size in batches:
        yield f"batch {size}", size, problem
        yield f"batch {size} +obs", size, observed(problem)


@contextmanager
def coco(
    suite_name: str, function: int, dimension: int, folder: Path
) -> Iterator[list[tuple[str, int, Evaluate]]]:
    """Open cocoex's contenders: a bare problem and an observed one."""
    import cocoex

    index = definition(suite_name).functions.index(function) + 1
    options = f"dimensions: {dimension} function_indices: {index}"
    suites = [cocoex.Suite(suite_name, "instances: 1", options) for _ in range(2)]
    bare, logged = (suite[0] for suite in suites)
    kind = "bbob-biobj" if logged.number_of_objectives == 2 else "bbob"
    logged.observe_with(cocoex.Observer(kind, f"outer_folder: {folder} result_folder: coco"))
    yield [("cocoex", 1, bare), ("cocoex +obs", 1, logged)]
    for problem in (bare, logged):
        problem.free()


def ioh_problem(suite_name: str, function: int, dimension: int) -> Any:
    """Return ioh's problem of the first instance."""
    import ioh

    if suite_name == "ma-bbob":
        return ioh.problem.ManyAffine(1, dimension)
    kinds = {
        "bbob": ioh.ProblemClass.BBOB,
        "bbob-boxed": ioh.ProblemClass.SBOX,
        "pbo": ioh.ProblemClass.PBO,
    }
    return ioh.get_problem(function, 1, dimension, kinds[suite_name])


@contextmanager
def iohprofiler(
    suite_name: str, function: int, dimension: int, folder: Path
) -> Iterator[list[tuple[str, int, Evaluate]]]:
    """Open ioh's contenders: a bare problem and one with its Analyzer."""
    import ioh

    bare, logged = (ioh_problem(suite_name, function, dimension) for _ in range(2))
    logger = ioh.logger.Analyzer(root=str(folder), folder_name="ioh", algorithm_name="benchmark")
    logged.attach_logger(logger)
    yield [("ioh", 1, bare), ("ioh +obs", 1, logged)]
    logged.detach_logger()
    logger.close()


def seconds(evaluate: Evaluate, inputs: list[np.ndarray]) -> float:
    """Return the wall time in seconds of one pass over the inputs."""
    start = time.perf_counter()
    for x in inputs:
        evaluate(x)
    return time.perf_counter() - start


def measure(
    contenders: list[tuple[str, int, Evaluate]], points: np.ndarray, rounds: int, binary: bool
) -> dict[str, list[float]]:
    """Let contenders take turns, and measure their evaluations.

    Args:
        contenders: Name, size of a batch and function of each contender.
        points: Points, shape ``(n, dimension)``.
        rounds: Number of turns of each contender.
        binary: Whether the variables are bits. If so, single points are int64, which ioh needs;
            batches are float64.

    Returns:
        Microseconds per evaluation in each round, by contender.
    """
    inputs = {
        size: [*(points[:POINTS].astype(np.int64) if binary else points[:POINTS])]
        if size == 1
        else [np.ascontiguousarray(points[:size])] * max(1, POINTS // size)
        for size in {size for _, size, _ in contenders}
    }
    passes = {}
    for name, size, evaluate in contenders:
        seconds(evaluate, inputs[size])
        passes[name] = max(1, round(2e-3 / max(1e-6, seconds(evaluate, inputs[size]))))
    costs: dict[str, list[float]] = {name: [] for name, _, _ in contenders}
    for _ in range(rounds):
        for name, size, evaluate in contenders:
            spent = sum(seconds(evaluate, inputs[size]) for _ in range(passes[name]))
            costs[name].append(1e6 * spent / (passes[name] * len(inputs[size]) * size))
    return costs


def peers_of(suite_name: str, dimension: int) -> list[Peer]:
    """Return the peers that have the problems of a suite in a dimension."""
    if suite_name in ("ma-bbob", "pbo"):
        return [iohprofiler]
    if dimension not in definition(suite_name).dimensions:
        return []
    return [coco, iohprofiler] if suite_name in ("bbob", "bbob-boxed") else [coco]


def problem_costs(
    suite_name: str, function: int, dimension: int, batches: list[int], rounds: int
) -> dict[str, list[float]]:
    """Measure all contenders on one function in one dimension, see `measure`."""
    problem = Suite(suite_name, function, dimension, 1)[0]
    compile_batches(problem)
    rng = np.random.default_rng([function, dimension])
    shape = (max(POINTS, *batches), dimension)
    low, high = problem.lower_bounds, problem.upper_bounds
    if problem.number_of_objectives == 2:
        # The Pareto fronts lie inside these bounds.
        low, high = np.maximum(low, -5), np.where(high > 50, 5, high)
    points = rng.uniform(low, high, shape)
    if problem.is_binary:
        points = np.round(points)
    contenders = list(own(problem, batches))
    with ExitStack() as stack, tempfile.TemporaryDirectory() as folder:
        for peer in peers_of(suite_name, dimension):
            contenders += stack.enter_context(peer(suite_name, function, dimension, Path(folder)))
        costs = measure(contenders, points, rounds, problem.is_binary)
        stack.close()
    return costs


def paired_ratios(costs: dict[str, list[float]]) -> dict[str, float]:
    """Return medians over rounds of the ratio peer / firsthit; above 1 firsthit is faster."""
    return {
        label: statistics.median(p / o for p, o in zip(costs[peer], costs[ours], strict=True))
        for label, (peer, ours) in OBSERVED_PAIRS.items()
        if peer in costs and ours in costs
    }


def machine() -> str:
    """Describe processor, system and versions in one line."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        model = names[0].partition(": ")[2] if names else model
    names = ("firsthit", "numpy", "numba", "coco-experiment", "ioh")
    versions = ", ".join(f"{name} {version(name)}" for name in names)
    return f"{model}, {platform.system()}, Python {platform.python_version()}, {versions}"


def summarise(ratios: dict[tuple[int, int], dict[str, float]]) -> None:
    """Print geometric means of the ratios, and the function on which firsthit is slowest."""
    for label in OBSERVED_PAIRS:
        ratio_by_cell = {key: row[label] for key, row in ratios.items() if label in row}
        if ratio_by_cell:
            mean = statistics.geometric_mean(ratio_by_cell.values())
            (function, dimension), least = min(ratio_by_cell.items(), key=lambda item: item[1])
            click.echo(
                f"{label:31s} geometric mean {mean:6.2f}   "
                f"least {least:6.2f} (f{function}, D = {dimension})"
            )


def as_numbers(ctx: click.Context, parameter: click.Parameter, text: str) -> list[int]:
    """Parse the numbers of a comma-separated option; raise click.BadParameter for other text."""
    try:
        return [int(part) for part in text.split(",") if part]
    except ValueError as error:
        raise click.BadParameter(f"{text!r} is not a list of numbers such as 2,5") from error


@click.command()
@click.option("--suite", "suite_name", default="bbob", help="bbob-boxed, ma-bbob, …")
@click.option("--functions", default="", callback=as_numbers, help="By default all.")
@click.option("--dimensions", default="", callback=as_numbers, help="By default the suite's.")
@click.option("--batches", default="10,100,1000", callback=as_numbers)
@click.option("--rounds", default=7, help="Turns that every contender takes.")
@click.option("--quick", is_flag=True, help="Three dimensions, batches of 100, 3 rounds.")
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="A CSV file.")
def main(
    suite_name: str,
    functions: list[int],
    dimensions: list[int],
    batches: list[int],
    rounds: int,
    quick: bool,
    output: Path | None,
) -> None:
    """Print the cost of an evaluation, in microseconds, and the ratios to the peers."""
    suite = definition(suite_name)
    functions = functions or list(suite.functions)
    dimensions = dimensions or (BBOB_DIMENSIONS if suite_name == "bbob" else list(suite.dimensions))
    if quick:
        standard = suite.dimensions
        dimensions = [standard[0], standard[len(standard) // 2], standard[-1]]
        batches, rounds = [100], 3
    click.echo(f"{datetime.now(UTC):%Y-%m-%d}  {machine()}")
    rows: list[dict[str, object]] = []
    ratios: dict[tuple[int, int], dict[str, float]] = {}
    for dimension in dimensions:
        header = ""
        for function in functions:
            costs = problem_costs(suite_name, function, dimension, batches, rounds)
            medians = {name: statistics.median(values) for name, values in costs.items()}
            ratios[function, dimension] = paired_ratios(costs)
            if not header:
                header = f"\nD = {dimension}\n  f " + "".join(f"{name:>18s}" for name in medians)
                click.echo(header)
            click.echo(f"{function:3d} " + "".join(f"{cost:18.3f}" for cost in medians.values()))
            rows.append({"function": function, "dimension": dimension, **medians})
    click.echo("\nratios peer / firsthit within a round; above 1 firsthit is faster")
    summarise(ratios)
    if output:
        output.parent.mkdir(parents=True, exist_ok=True)
        with output.open("w", newline="", encoding="utf-8") as file:
            file.write(
                f"# {datetime.now(UTC):%Y-%m-%d}; {machine()}; microseconds per evaluation\n"
            )
            writer = csv.DictWriter(file, list(dict.fromkeys(key for row in rows for key in row)))
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    main()
