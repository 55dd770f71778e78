"""Which of the three constrained suites a problem belongs to."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Variant:
    """Which of the three suites it is.

    Attributes:
        name: Of the suite.
        has_inactive: Whether there are inactive constraints.
        has_disguise: Whether the gradient ``-fd`` is disguised.
    """

    name: str
    has_inactive: bool = True
    has_disguise: bool = True
