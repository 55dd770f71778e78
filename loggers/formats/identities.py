"""What tells imported runs apart: repetitions, seeds and keys, without an object for each run."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from numpy.typing import NDArray

from ...suites import ProblemId
from ..records.identity import RunIdentity, key_of


class Identities(NamedTuple):
    """What the runs of an algorithm have, in their order.

    Attributes:
        keys: Those of ``RunIdentity``, as a log holds them.
        repetitions: Count runs on the same problem from 0.
        seeds: Made of what a run holds.
    """

    keys: list[bytes]
    repetitions: list[int]
    seeds: list[int]


def identities_of(
    algorithm: str, problems: Sequence[ProblemId], contents: Iterable[Iterable[NDArray[Any]]]
) -> Identities:
    """Identities of runs: the same data read twice are the same, other data of one name are others.

    Args:
        algorithm: Its name.
        problems: What each run is on, with numbers that a log can hold.
        contents: What each run holds, in flat arrays.

    Raises:
        ObservationError: The name cannot stand in a log.
    """
    if problems:
        RunIdentity(algorithm, problems[0])
    seeds = [_seed(parts) for parts in contents]
    made: dict[ProblemId, int] = {}
    keys, repetitions = [], []
    for problem, seed in zip(problems, seeds, strict=True):
        repetition = made.get(problem, 0)
        made[problem] = repetition + 1
        repetitions.append(repetition)
        keys.append(key_of(algorithm, problem, repetition, seed).encode())
    return Identities(keys, repetitions, seeds)


def _seed(parts: Iterable[NDArray[Any]]) -> int:
    content = hashlib.sha256()
    for part in parts:
        content.update(part.data)
    return int.from_bytes(content.digest()[:8], "little")
