"""Which run a run is: the names from which its key in the log is computed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..suites import ProblemId
from .errors import ObservationError

MAX_NAME_BYTES = 200


@dataclass(frozen=True, slots=True, order=True)
class RunIdentity:
    """The names that make a run: two runs with equal names are the same run.

    Attributes:
        algorithm: Its name in logs and figures; not empty, at most 200 bytes, printable.
        problem: What was optimized.
        repetition: Counts repeated runs on the same problem from 0.
        campaign_seed: The seed from which the run's own seed derives.
        stage: Budget stage, 0 for the first or only one.

    Raises:
        ObservationError: The name of the algorithm is empty, too long or not printable, or a number
            is negative or larger than a log can hold.
    """

    algorithm: str
    problem: ProblemId
    repetition: int = 0
    campaign_seed: int = 0
    stage: int = 0

    def __post_init__(self) -> None:
        check_name(self.algorithm, "algorithm")
        _check_numbers(self, {"repetition": 32, "stage": 32, "campaign_seed": 64})
        _check_numbers(self.problem, {"function": 32, "dimension": 32, "instance": 64})

    @property
    def key(self) -> str:
        """32 hexadecimal characters of the SHA-256 of the names: the run's key in every log.

        >>> RunIdentity("random", ProblemId("bbob", 1, 2, 1)).key
        'ab2b21a18192cb43f302716e2d278c9c'
        """
        problem = self.problem
        place = (problem.function, problem.dimension, problem.instance)
        numbers = (*place, self.repetition, self.campaign_seed, self.stage)
        names = [self.algorithm, problem.suite, *map(int, numbers)]
        return hashlib.sha256(json.dumps(names).encode()).hexdigest()[:32]

    def __str__(self) -> str:
        text = f"{self.algorithm} on {self.problem}, repetition {self.repetition}"
        return f"{text}, stage {self.stage}" if self.stage else text


def check_name(name: object, what: str) -> str:
    """Return ``name`` where it can stand in a log.

    Raises:
        ObservationError: It is no text, empty, too long or not printable.
    """
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise ObservationError(f"{what} is {name!r}; it must be a printable name")
    if len(name.encode("utf-8", "replace")) > MAX_NAME_BYTES:
        raise ObservationError(f"{what} {name[:40]!r}… is longer than {MAX_NAME_BYTES} bytes")
    return name


def _check_numbers(of: object, bits: Mapping[str, int]) -> None:
    for name, size in bits.items():
        value = getattr(of, name)
        if not isinstance(value, int | np.integer) or not 0 <= value < 2**size:
            raise ObservationError(f"{name} is {value!r}; it must be an integer in [0, 2**{size})")
