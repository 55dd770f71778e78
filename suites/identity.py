"""Who a problem is: the names from which its identifier, its log entries and its seeds derive."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, order=True)
class ProblemId:
    """Identity of one problem; its text form names it in files and logs.

    >>> str(ProblemId("bbob", 3, 10, 1))
    'bbob_f003_i01_d10'
    """

    suite: str
    function: int
    dimension: int
    instance: int

    def __reduce__(self) -> tuple[Any, ...]:
        return ProblemId, (self.suite, self.function, self.dimension, self.instance)

    def __str__(self) -> str:
        return f"{self.suite}_f{self.function:03d}_i{self.instance:02d}_d{self.dimension:02d}"
