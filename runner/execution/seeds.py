"""Derive the random seeds of runs from the names of the runs.

The seed sequence of a run depends on the campaign's seed, the problem, the algorithm's name and the
repetition. Start ``k`` of a run uses child ``k`` of this sequence. So the random numbers of a run
do not change if other runs are added, removed or reordered. They also do not depend on the time or
the process in which the run is made.
"""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray

from ...loggers.records.identity import RunIdentity
from ...suites import Problem

PROPOSALS, DURATIONS = 2**32 - 1, 2**32 - 2
"""Keys of two generators that a run uses in all its starts; see `generator`.

`PROPOSALS` is for ``initial_solution_proposal`` of the problem, and `DURATIONS` is for simulated
durations of evaluations. They are the largest possible keys, so that no number of a start is equal
to one of them.
"""


def run_sequence(run: RunIdentity) -> np.random.SeedSequence:
    """Return the seed sequence of a run, which SHA-256 computes from its names and its seed."""
    text = f"{run.problem}\0{run.algorithm}\0{run.repetition}"
    n_words = max(1, -(-run.campaign_seed.bit_length() // 32))
    seed = run.campaign_seed.to_bytes(4 * n_words, "little")
    return np.random.SeedSequence(
        np.frombuffer(seed + hashlib.sha256(text.encode()).digest(), "<u4")
    )


def start_sequence(run: np.random.SeedSequence, start: int) -> np.random.SeedSequence:
    """Return the seed sequence of one start of a run.

    Args:
        run: Seed sequence of the run. It is not changed.
        start: Number of the start, counted from 0.
    """
    return _child(run, start)


def generator(run: np.random.SeedSequence, *key: int) -> np.random.Generator:
    """Return a new random generator of a run.

    Args:
        run: Seed sequence of the run. It is not changed.
        *key: Numbers that identify the generator in its run. ``start, 0``: generator that the
            optimizer receives at a start. `PROPOSALS` or `DURATIONS`: generator for the whole run.
            Two calls with equal keys return generators of equal numbers.
    """
    return np.random.default_rng(_child(run, *key))


def start_point(problem: Problem, run: np.random.SeedSequence, start: int) -> NDArray[np.float64]:
    """Return the point at which one start of a run begins.

    The first start begins at the initial solution of the problem. Later starts begin at random
    points. The log stores only a hash of the point, because this function can compute it again:

    >>> from firsthit.suites import Suite
    >>> problem = Suite("bbob").problem(1, 2, 1)
    >>> run = run_sequence(RunIdentity("mine", problem.problem_id, campaign_seed=1))
    >>> start_point(problem, run, 0).tolist() == problem.initial_solution.tolist()
    True

    Args:
        problem: Problem of the run.
        run: Seed sequence of the run.
        start: Number of the start, counted from 0.

    Returns:
        The point, shape ``(dimension,)``.
    """
    if start == 0:
        return problem.initial_solution
    return problem.initial_solution_proposal(np.random.default_rng(start_sequence(run, start)))


def seed_number(sequence: np.random.SeedSequence) -> int:
    """Return a seed between 1 and ``2**31 - 1`` for libraries that need an integer.

    The seed is never 0, because some libraries replace a seed of 0 by the time of the clock.
    """
    return int(sequence.generate_state(1)[0]) % (2**31 - 1) + 1


def _child(run: np.random.SeedSequence, *key: int) -> np.random.SeedSequence:
    # SeedSequence.spawn() would return another child at each call.
    return np.random.SeedSequence(run.entropy, spawn_key=(*run.spawn_key, *key))
