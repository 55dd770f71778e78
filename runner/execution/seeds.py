"""Seeds from names: a run's random numbers depend on what it is, never on when or where it runs.

They depend on the campaign's seed, the problem, the algorithm's name and the repetition; the k-th
start of a run takes the k-th child of the run's sequence. Adding, removing or reordering runs
changes no other run.
"""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray

from ...loggers.records.identity import RunIdentity
from ...suites import Problem

PROPOSALS, DURATIONS = 2**32 - 1, 2**32 - 2
"""Keys by which ``initial_solution_proposal`` and durations draw, in the whole run."""


def run_sequence(run: RunIdentity) -> np.random.SeedSequence:
    """The seed sequence of one run (SHA-256 of the names, not Python's ``hash``)."""
    text = f"{run.problem}\0{run.algorithm}\0{run.repetition}"
    words = max(1, -(-run.campaign_seed.bit_length() // 32))
    seed = run.campaign_seed.to_bytes(4 * words, "little")
    return np.random.SeedSequence(
        np.frombuffer(seed + hashlib.sha256(text.encode()).digest(), "<u4")
    )


def start_sequence(run: np.random.SeedSequence, start: int) -> np.random.SeedSequence:
    """The seed sequence of start number ``start`` (0 is the first), whatever was drawn before."""
    return _child(run, start)


def generator(run: np.random.SeedSequence, *key: int) -> np.random.Generator:
    """What draws in a run: at a start, whose key is ``start, 0``, or in the whole run."""
    return np.random.default_rng(_child(run, *key))


def start_point(problem: Problem, run: np.random.SeedSequence, start: int) -> NDArray[np.float64]:
    """Where start number ``start`` of a run begins, shape ``(dimension,)``.

    The log keeps the hash of the point, as the point follows from the run's names:

    >>> from firsthit.suites import Suite
    >>> problem = Suite("bbob").problem(1, 2, 1)
    >>> run = run_sequence(RunIdentity("mine", problem.problem_id, campaign_seed=1))
    >>> start_point(problem, run, 0).tolist() == problem.initial_solution.tolist()
    True
    """
    if start == 0:
        return problem.initial_solution
    return problem.initial_solution_proposal(np.random.default_rng(start_sequence(run, start)))


def seed_number(sequence: np.random.SeedSequence) -> int:
    """A seed in ``1 … 2**31 - 1`` for libraries that want a number (0 means the clock to some)."""
    return int(sequence.generate_state(1)[0]) % (2**31 - 1) + 1


def _child(run: np.random.SeedSequence, *key: int) -> np.random.SeedSequence:
    return np.random.SeedSequence(run.entropy, spawn_key=(*run.spawn_key, *key))
