"""Seeds from names: a run's random numbers depend on what it is, never on when or where it runs.

They depend on the campaign's seed, the problem, the algorithm's name and the repetition; the k-th
start of a run takes the k-th child of the run's sequence. Adding, removing or reordering runs
changes no other run.
"""

from __future__ import annotations

import hashlib

import numpy as np

from ..suites import ProblemId


def run_sequence(
    campaign_seed: int, problem: ProblemId, algorithm: str, repetition: int
) -> np.random.SeedSequence:
    """The seed sequence of one run (SHA-256 of the names, not Python's ``hash``)."""
    text = f"{problem}\0{algorithm}\0{repetition}"
    words = np.frombuffer(hashlib.sha256(text.encode()).digest(), dtype="<u4")
    return np.random.SeedSequence([campaign_seed, *words.tolist()])


def start_sequence(run: np.random.SeedSequence, start: int) -> np.random.SeedSequence:
    """The seed sequence of start number ``start`` (0 is the first), whatever was drawn before."""
    return np.random.SeedSequence(run.entropy, spawn_key=(*run.spawn_key, start))


def seed_number(sequence: np.random.SeedSequence) -> int:
    """A seed in ``1 … 2**31 - 1`` for libraries that want a number (0 means the clock to some)."""
    return int(sequence.generate_state(1)[0]) % (2**31 - 1) + 1
