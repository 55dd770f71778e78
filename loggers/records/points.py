"""Choice of the points that a run records: those of its hits, of all or of its first evaluations.

By default a run records no points. `parse_points` reads the choice from an argument, a campaign
file or the header of a log.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ..errors import ObservationError

RecordPoints = Literal["hits", "all"] | Mapping[str, int | str]
"""Points to record, as a user writes them: ``"hits"``, ``"all"`` or ``{"first": "50*D"}``."""
MAX_POINT_BYTES = 100_000_000
"""Default of the maximum size of the recorded points of one run, in bytes before compression."""
POINT_LIMIT_NOTE = "max_point_bytes"
"""Name of the note that a run logs when its points reach the maximum size, which is the value."""
_FORMS = "'hits', 'all', or first with a number of evaluations, such as {first: 50*D}"
_FIRST_TEXT = re.compile(r"\s*first\s*:?\s*(\S.*)")
_COUNT = re.compile(r"\s*(\d+(?:\.\d*)?(?:e\+?\d+)?)\s*(\*\s*(?:D|dimension))?\s*", re.ASCII)
_MAX_COUNT = 2**53
_MAX_SHOWN_CHARACTERS = 60


@dataclass(frozen=True, slots=True)
class PointChoice:
    """Points that a run records.

    Attributes:
        kind: ``"hits"``: points of the recorded hits and improvements. ``"all"``: points of all
            evaluations. ``"first"``: points of the first evaluations.
        factor: Number of the first evaluations; 0 for the other kinds.
        per_dimension: Whether the number is multiplied by the dimension.
    """

    kind: Literal["hits", "all", "first"]
    factor: float = 0
    per_dimension: bool = False

    def count_evaluations(self, dimension: int) -> int | None:
        """Return the number of first evaluations whose points are recorded; None: no limit."""
        if self.kind != "first":
            return None
        return int(self.factor * (dimension if self.per_dimension else 1))

    def description(self) -> str | dict[str, str]:
        """Return the choice as JSON-able data, which `parse_points` reads."""
        return {"first": self._count_text} if self.kind == "first" else self.kind

    def __str__(self) -> str:
        return f"first {self._count_text}" if self.kind == "first" else self.kind

    @property
    def _count_text(self) -> str:
        return f"{self.factor:g}" + ("*D" if self.per_dimension else "")


def parse_points(value: object) -> PointChoice | None:
    """Read a choice of points.

    Args:
        value: ``"hits"``, ``"all"``, ``{"first": "50*D"}``, ``{"first": 1000}``, the text
            ``"first 50*D"``, or a `PointChoice`. None: no points are recorded.

    Raises:
        ObservationError: The value has another form, or the number is not in [1, 2**53].

    >>> parse_points({"first": "50*D"}).count_evaluations(5)
    250
    """
    if value is None or isinstance(value, PointChoice):
        return value
    if value == "hits":
        return PointChoice("hits")
    if value == "all":
        return PointChoice("all")
    count: object = None
    if isinstance(value, str) and (match := _FIRST_TEXT.fullmatch(value)):
        count = match[1]
    elif isinstance(value, Mapping) and set(value) == {"first"}:
        count = value["first"]
    if isinstance(count, int | str) and (match := _COUNT.fullmatch(str(count))):
        factor = float(match[1])
        if 1 <= factor <= _MAX_COUNT:
            return PointChoice("first", factor, match[2] is not None)
    text = repr(value)[:_MAX_SHOWN_CHARACTERS]
    raise ObservationError(f"record_points is {text}; it must be {_FORMS}")


def check_max_point_bytes(value: object) -> int:
    """Return a maximum size of points in bytes; raise ObservationError if it is no integer >= 1."""
    if isinstance(value, int) and not isinstance(value, bool) and value >= 1:
        return value
    raise ObservationError(
        f"max_point_bytes is {value!r}; it must be a whole number of bytes, at least 1"
    )
