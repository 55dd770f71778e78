"""Which run a run is: the names from which its key in the log is computed."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ...suites.facts import ProblemId
from ..errors import ObservationError

MAX_NAME_BYTES = 200
_OWN = {"repetition": 2**32, "stage": 2**32, "campaign_seed": 2**64}
_LIMITS = {**_OWN, "function": 2**32, "dimension": 2**32, "instance": 2**64}


@dataclass(frozen=True, slots=True, order=True)
class RunIdentity:
    """The names that make a run: two runs with equal names are the same run."""

    algorithm: str  # in logs and figures; printable, at most 200 bytes
    problem: ProblemId
    repetition: int = 0  # counts repeated runs on the same problem from 0
    campaign_seed: int = 0  # from which the run's own seed derives
    stage: int = 0  # of the budget, 0 for the first or only one

    def __post_init__(self) -> None:
        check_name(self.algorithm, "algorithm")
        for name, limit in _LIMITS.items():
            value = getattr(self if name in _OWN else self.problem, name)
            if not isinstance(value, int | np.integer) or not 0 <= value < limit:
                bits = limit.bit_length() - 1
                raise ObservationError(
                    f"{name} is {value!r}; it must be an integer in [0, 2**{bits})"
                )

    @property
    def key(self) -> str:
        """32 hexadecimal characters of the SHA-256 of the names: the run's key in every log.

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
    """The key of `RunIdentity`, of names that can stand in a log."""
    place = f"{problem.function:d}, {problem.dimension:d}, {problem.instance:d}"
    numbers = f"{place}, {repetition:d}, {campaign_seed:d}, {stage:d}"
    names = f"[{_quoted(algorithm)}, {_quoted(problem.suite)}, {numbers}]"  # JSON
    return hashlib.sha256(names.encode()).hexdigest()[:32]


def check_name(name: object, what: str) -> str:
    """Return ``name``, or raise an ObservationError where it cannot stand in a log."""
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise ObservationError(f"{what} is {name!r}; it must be a printable name")
    if 4 * len(name) > MAX_NAME_BYTES < len(name.encode("utf-8", "replace")):
        raise ObservationError(f"{what} {name[:40]!r}… is longer than {MAX_NAME_BYTES} bytes")
    return name


_quoted = lru_cache(maxsize=1024)(json.dumps)
