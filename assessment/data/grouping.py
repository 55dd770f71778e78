"""Groups of functions that a curve spans; never several dimensions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, Protocol, TypeVar, get_args

from ...suites.names import natural
from ..errors import AssessmentError

GroupBy = Literal["function", "group", "all"]


class Member(Protocol):
    """What belongs to one algorithm on one function in one dimension."""

    @property
    def suite(self) -> str:
        """Name of the suite."""

    @property
    def function(self) -> int:
        """Number of the function."""

    @property
    def dimension(self) -> int:
        """Number of variables."""

    @property
    def algorithm(self) -> str:
        """Name of the algorithm."""

    @property
    def group(self) -> str:
        """Name of the function's group in its suite."""


_M = TypeVar("_M", bound=Member)


def check_grouping(group_by: str) -> None:
    """Refuse what is no way of grouping.

    Raises:
        AssessmentError: ``group_by`` is none of ``"function"``, ``"group"``, ``"all"``.
    """
    if group_by not in get_args(GroupBy):
        raise AssessmentError(f"group-by is {group_by!r}, must be one of function, group, all")


def check_groupings(group_by: str | Sequence[str]) -> tuple[str, ...]:
    """One or several ways of grouping, each once.

    Raises:
        AssessmentError: There is none, or one that is no way of grouping.
    """
    ways = (group_by,) if isinstance(group_by, str) else tuple(dict.fromkeys(group_by))
    for way in ways:
        check_grouping(way)
    if not ways:
        raise AssessmentError("group-by: none given, must be of function, group, all")
    return ways


def group_name(one: Member, group_by: str) -> str:
    """Name of the group that a function belongs to, such as ``f003``, ``separ`` or ``all``."""
    return {"function": f"f{one.function:03d}", "group": one.group, "all": "all"}[group_by]


def grouped(members: Iterable[_M], group_by: str) -> list[list[_M]]:
    """Members by algorithm, suite, dimension and group; functions ascending in each.

    Groups follow each other in the order of their first functions.
    """
    groups: dict[tuple[object, str, int, int], list[_M]] = {}
    first: dict[tuple[str, str], int] = {}
    for one in sorted(members, key=lambda member: member.function):
        rank = first.setdefault((one.suite, group_name(one, group_by)), one.function)
        groups.setdefault((natural(one.algorithm), one.suite, one.dimension, rank), []).append(one)
    return [groups[key] for key in sorted(groups)]
