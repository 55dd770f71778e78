"""Seeds from names: a run's random numbers depend on what it is, never on when or where it runs.

They depend on the campaign's seed, the problem, the algorithm's name and the repetition; the k-th
start of a run takes the k-th child of the run's sequence. Adding, removing or reordering runs
changes no other run.
"""

from __future__ import annotations

import hashlib
import struct

import numpy as np
from numpy.typing import NDArray

from ...suites import Problem, ProblemId

STATE_FIRST, STATE_FACTOR = 0x8B51F9DD, 0x58F38DED
"""By which a seed sequence hashes what it generates."""
_WORD = 0xFFFFFFFF

Words = tuple[int, ...]
"""What a seed sequence is made of: words of 32 bits."""


def run_sequence(
    campaign_seed: int, problem: ProblemId, algorithm: str, repetition: int
) -> np.random.SeedSequence:
    """The seed sequence of one run (SHA-256 of the names, not Python's ``hash``)."""
    return descendant(run_words(campaign_seed, problem, algorithm, repetition))


def run_words(campaign_seed: int, problem: ProblemId, algorithm: str, repetition: int) -> Words:
    """What the seed sequence of a run is made of: more than four words of 32 bits."""
    text = f"{problem}\0{algorithm}\0{repetition}"
    digest = hashlib.sha256(text.encode()).digest()
    words = [campaign_seed] if campaign_seed < 2**32 else _words_of(campaign_seed)
    return (*words, *struct.unpack("<8I", digest))


def descendant(words: Words, *key: int) -> np.random.SeedSequence:
    """The same as ``SeedSequence(words, spawn_key=key)``, in half the time.

    ``SeedSequence`` mixes its entropy and then its key, one word after the other.
    """
    return np.random.SeedSequence(np.array((*words, *key), dtype=np.uint32))


def _words_of(number: int) -> list[int]:
    """The 32-bit words of a number, lowest first, as ``SeedSequence`` splits it.

    It is told words, not numbers, because splitting costs more than all its mixing.
    """
    return [number >> shift & 0xFFFFFFFF for shift in range(0, number.bit_length(), 32)]


def start_sequence(run: np.random.SeedSequence, start: int) -> np.random.SeedSequence:
    """The seed sequence of start number ``start`` (0 is the first), whatever was drawn before."""
    return np.random.SeedSequence(run.entropy, spawn_key=(*run.spawn_key, start))


def start_point(problem: Problem, run: np.random.SeedSequence, start: int) -> NDArray[np.float64]:
    """Where start number ``start`` of a run begins, shape ``(dimension,)``.

    The log keeps the hash of the point, as the point follows from the run's names:

    >>> from firsthit.suites import Suite
    >>> problem = Suite("bbob").problem(1, 2, 1)
    >>> run = run_sequence(1, problem.problem_id, "mine", 0)
    >>> start_point(problem, run, 0).tolist() == problem.initial_solution.tolist()
    True
    """
    if start == 0:
        return problem.initial_solution
    return problem.initial_solution_proposal(np.random.default_rng(start_sequence(run, start)))


def seed_number(sequence: np.random.SeedSequence) -> int:
    """A seed in ``1 … 2**31 - 1`` for libraries that want a number (0 means the clock to some)."""
    return seed_of(_first_word(sequence))


def seed_of(word: int) -> int:
    """The same of the first word that the sequence generates."""
    return word % (2**31 - 1) + 1


def _first_word(sequence: np.random.SeedSequence) -> int:
    """``sequence.generate_state(1)[0]``, which numpy promises to keep, in a tenth of the time."""
    word = (int(sequence.pool[0]) ^ STATE_FIRST) * (STATE_FIRST * STATE_FACTOR & _WORD) & _WORD
    return word ^ word >> 16
