"""Identify runs: the names of a run, from which its key in every log is computed."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ...suites.facts import ProblemId
from ..errors import ObservationError

MAX_NAME_BYTES = 200
"""Maximum length of the name of an algorithm, a suite or another name in a log."""
_RUN_LIMITS = {"repetition": 2**32, "stage": 2**32, "campaign_seed": 2**64}
_PROBLEM_LIMITS = {"function": 2**32, "dimension": 2**32, "instance": 2**64}
"""Numbers must be lower than these limits, because of their types in the log."""


@dataclass(frozen=True, slots=True, order=True)
class RunIdentity:
    """Names and numbers that identify a run: runs with equal identities are copies of one run.

    Attributes:
        algorithm: Name of the algorithm in logs and figures: printable, at most 200 bytes.
        problem: Identity of the problem, the attribute ``problem_id`` of a problem.
        repetition: Number of the run among those on the same problem, from 0.
        campaign_seed: Seed from which the seed of the run is derived.
        stage: Number of the budget stage, from 0.

    Raises:
        ObservationError: The name or a number cannot be written to a log.

    Example:
        >>> from firsthit import Suite
        >>> from firsthit.loggers import RunIdentity
        >>> problem = Suite("bbob", functions=1, dimensions=2, instances=1)[0]
        >>> print(RunIdentity("my-algorithm", problem.problem_id, repetition=2))
        my-algorithm on bbob_f001_i01_d02, repetition 2
    """

    algorithm: str
    problem: ProblemId
    repetition: int = 0
    campaign_seed: int = 0
    stage: int = 0

    def __post_init__(self) -> None:
        check_name(self.algorithm, "algorithm")
        for source, limits in ((self, _RUN_LIMITS), (self.problem, _PROBLEM_LIMITS)):
            for name, limit in limits.items():
                value = getattr(source, name)
                if not isinstance(value, int | np.integer) or not 0 <= value < limit:
                    bits = limit.bit_length() - 1
                    raise ObservationError(
                        f"{name} is {value!r}; it must be an integer in [0, 2**{bits})"
                    )

    @property
    def key(self) -> str:
        """Key of the run in every log: 32 hexadecimal characters of the SHA-256 of its names.

        >>> RunIdentity("random", ProblemId("bbob", 1, 2, 1)).key
        'ab2b21a18192cb43f302716e2d278c9c'
        """
        return key_of(self.algorithm, self.problem, self.repetition, self.campaign_seed, self.stage)

    def __str__(self) -> str:
        text = f"{self.algorithm} on {self.problem}, repetition {self.repetition}"
        return f"{text}, stage {self.stage}" if self.stage else text


def key_of(
    algorithm: str, problem: ProblemId, repetition: int, campaign_seed: int, stage: int = 0
) -> str:
    """Compute the key of a run without a `RunIdentity`, whose checks take longer than the key.

    Args:
        algorithm: Name of the algorithm, which must have been checked by `check_name`.
        problem: The problem.
        repetition: Number of the repetition, from 0.
        campaign_seed: Seed of the campaign.
        stage: Number of the budget stage, from 0.

    Returns:
        32 hexadecimal characters.
    """
    problem_numbers = f"{problem.function:d}, {problem.dimension:d}, {problem.instance:d}"
    numbers = f"{problem_numbers}, {repetition:d}, {campaign_seed:d}, {stage:d}"
    # JSON; never change this text: runs of earlier logs have keys that were computed from it
    names = f"[{_quote(algorithm)}, {_quote(problem.suite)}, {numbers}]"
    return hashlib.sha256(names.encode()).hexdigest()[:32]


def check_name(name: object, label: str) -> str:
    """Check that a name can be written to a log, and return it.

    Args:
        name: The name.
        label: Noun for the name in the message, such as "algorithm".

    Raises:
        ObservationError: The name is no text, has characters that cannot be printed or only blanks,
            or is too long.
    """
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise ObservationError(f"{label} is {name!r}; it must be a printable name")
    # the first comparison is fast: UTF-8 has at most four bytes per character
    if 4 * len(name) > MAX_NAME_BYTES < len(name.encode("utf-8", "replace")):
        raise ObservationError(f"{label} {name[:40]!r}… is longer than {MAX_NAME_BYTES} bytes")
    return name


_quote = lru_cache(maxsize=1024)(json.dumps)  # a campaign has few names and many runs
