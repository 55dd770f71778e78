"""Compare values of firsthit and of a peer: print the largest differences for each function.

Run ``python benchmarks/accuracy.py``, or with ``--suite bbob-mixint``; the peer is cocoex, for
``ma-bbob`` it is ioh. Points lie inside, outside and on the box and near the optimum, in all
dimensions of the suite, on eight instances, with two objectives on six. ``relative`` is the
difference divided by the larger of 1, the value and its distance from the optimal value (the two
can cancel); ``plain`` is divided by the value alone; ``batch`` compares a batch with single points;
``optimum`` is the optimal solution's value minus the optimal value, with two objectives the nadir
point's difference, relative to the larger of 1 and the value; ``limits`` compares constraints,
likewise; ``equal`` is the share of values equal to the last bit. Values of ``bbob-noisy`` are the
measured ones, drawn from cocoex's own stream of random numbers; cocoex applies noise to a
difference, which shows near the optimum, most in f114 and f126.
If bounds, start points, identifiers or names differ from those of cocoex, lines below the table
say so.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import cocoex
import numpy as np

from firsthit.suites import Problem, Suite
from firsthit.suites.compiled.compilation import compile_batches
from firsthit.suites.suite import definition

INSTANCES = (1, 2, 5, 71, 80, 101, 1000, 54321)
INSTANCES_OF_PAIRS = (1, 2, 5, 10, 11, 15)  # cocoex searches for others anew for each problem
COLUMNS = ("relative", "plain", "batch", "optimum", "limits")
STREAM = Path(__file__).parents[1] / "tests" / "suites" / "coco_stream.py"
KINDS = ("Gaussian", "uniform", "Cauchy")
Evaluate = Callable[[np.ndarray], float]


def sample(problem: Problem, rng: np.random.Generator) -> np.ndarray:
    """Draw points inside, outside and on the box, and near the optimum, one in each row."""
    shape = (6, problem.dimension)
    low, high = problem.lower_bounds, problem.upper_bounds
    outside = 0.2 * (high - low)
    optima = [problem.optimal_solution]
    if problem.number_of_objectives == 2:
        constants = problem.constants()
        optima = [constants["first_optimum"], constants["second_optimum"]]
    near = (1.0, 1.0) if problem.is_noisy else (1e-3, 1e-6)  # cocoex: noise of a difference
    return np.vstack(
        [
            rng.uniform(low, high, shape),
            rng.uniform(low - outside, high + outside, shape),
            np.where(rng.random(shape) < 0.5, low, high),
            *(x + size * rng.standard_normal(shape) for x in optima for size in near),
        ]
    )


def load_coco_stream() -> Any:
    """Import the class of cocoex's random numbers for ``bbob-noisy`` from the tests."""
    spec = importlib.util.spec_from_file_location("coco_stream", STREAM)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.CocoStream


@np.errstate(invalid="ignore")
def differences(problem: Problem, peer: Any, rng: np.random.Generator) -> list[float]:
    """Compute the row of one problem: the largest differences, and the share of equal values.

    Args:
        problem: The problem of firsthit.
        peer: The same problem of the peer.
        rng: Generator of the points.
    """
    x = sample(problem, rng)
    compile_batches(problem)
    if problem.is_noisy:
        cocoex.Suite("bbob-noisy", "instances: 1", "dimensions: 2 function_indices: 1")  # resets it
        stream = load_coco_stream()(len(x) * [KINDS[(problem.function - 101) % 3]])
        ours = batch = problem.noisy(x, stream)
    else:
        ours, batch = np.array([problem(point) for point in x]), problem(x)
    theirs = np.array([peer(point) for point in x])
    optimum = problem.optimal_value if problem.ideal_point is None else problem.ideal_point
    assert optimum is not None
    equal = ours == theirs
    truth = np.where(np.isfinite(theirs), theirs, 1.0)
    apart = np.where(equal, 0.0, np.abs(ours - theirs))
    size = np.maximum(1.0, np.maximum(np.abs(truth), np.abs(truth - optimum)))
    limits = 0.0
    if problem.number_of_constraints:
        constraints = np.array([peer.constraint(point) for point in x])
        scale = np.maximum(1.0, np.abs(constraints))
        limits = np.max(np.abs(problem.constraint(x) - constraints) / scale)
    return [
        float(np.max(apart / size)),
        float(np.max(apart / np.abs(truth))),
        float(np.max(np.where(batch == ours, 0.0, np.abs(batch - ours)))),
        optimum_difference(problem, peer),
        float(limits),
        float(np.mean(equal)),
    ]


def optimum_difference(problem: Problem, peer: Any) -> float:
    """Compute the column ``optimum``, see the docstring of this module."""
    if problem.number_of_objectives == 1:
        return float(abs(problem(problem.optimal_solution) - problem.optimal_value))
    theirs = np.array(peer.largest_fvalues_of_interest)
    return float(np.max(np.abs(problem.nadir_point - theirs) / np.maximum(1, np.abs(theirs))))


def unlike(problem: Problem, peer: cocoex.Problem) -> Iterator[str]:
    """Yield a line for each fact of a problem that differs from cocoex's."""
    pairs = {
        "identifier": (problem.id, peer.id),
        "name": (problem.title, peer.name),
        "lower bounds": (problem.lower_bounds, peer.lower_bounds),
        "upper bounds": (problem.upper_bounds, peer.upper_bounds),
        "start point": (problem.initial_solution, peer.initial_solution),
        "integers": (problem.number_of_integer_variables, peer.number_of_integer_variables),
    }
    for name, (ours, theirs) in pairs.items():
        is_text = isinstance(ours, str)
        if ours != theirs if is_text else not np.allclose(ours, theirs, 1e-11, 1e-11):
            yield f"{problem.problem_id}: {name} {ours}, of cocoex {theirs}"


def affine_peer(problem: Problem) -> Evaluate:
    """Return ioh's function of the same instance of ``ma-bbob``."""
    import ioh

    mixture = ioh.problem.ManyAffine(problem.instance, problem.dimension)
    return lambda x: float(mixture(x))


@click.command()
@click.option("--suite", default="bbob", help="bbob, bbob-boxed, bbob-largescale, …")
@click.option("--functions", help="Such as 1-5,21; by default all.")
@click.option("--dimensions", help="Such as 2,5; by default those of the suite.")
def main(suite: str, functions: str | None, dimensions: str | None) -> None:
    """Print the table."""
    instances = INSTANCES if definition(suite).objectives == 1 else INSTANCES_OF_PAIRS
    numbers = ",".join(map(str, instances))
    chosen = Suite(suite, functions, dimensions, instances)
    is_affine = suite == "ma-bbob"
    if not is_affine and suite not in cocoex.known_suite_names:
        cocoex.known_suite_names.append(suite)
    options = f"dimensions: {','.join(map(str, chosen.dimensions))}"
    peers = None if is_affine else cocoex.Suite(suite, f"instances: {numbers}", options)
    rng = np.random.default_rng(0)
    notes: list[str] = []
    print("  f" + "".join(f"{name:>10s}" for name in (*COLUMNS, "equal")))
    for function in chosen.functions:
        rows = []
        for problem in Suite(suite, function, chosen.dimensions, instances):
            if peers is None:
                rows.append(differences(problem, affine_peer(problem), rng))
                continue
            numbers_of_it = (function, problem.dimension, problem.instance)
            peer = peers.get_problem_by_function_dimension_instance(*numbers_of_it)
            rows.append(differences(problem, peer, rng))
            notes += unlike(problem, peer)
        *worst, equal = [*np.max(rows, axis=0)[:-1], np.mean(rows, axis=0)[-1]]
        print(f"{function:3d}" + "".join(f"{value:10.1e}" for value in worst) + f"{equal:10.2f}")
    for note in notes:
        print(note)


if __name__ == "__main__":
    main()
