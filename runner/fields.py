"""Typed values of a campaign file: from a node to a value, or to a sentence on what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from ..suites import FirsthitError, parse_selection
from ..suites.errors import unknown_name
from .budget import Budget, parse_budget
from .processes import available_processors
from .yaml_tree import Node, Place

Value = TypeVar("Value")
Convert = Callable[[Node, str], Value]
_MOST_WORKERS = 4096
_TRUTHS = {"yes": "true", "on": "true", "y": "true", "no": "false", "off": "false", "n": "false"}
_KINDS = {
    bool: "true or false", int: "a number", float: "a number", str: "text", list: "a list",
    dict: "a mapping", type(None): "nothing",
}  # fmt: skip


class Wrong(Exception):
    """A value that cannot be used; caught by the reader, which knows file and place."""

    def __init__(self, sentence: str, place: Place | None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.place = place


def came(node: Node) -> str:
    """What stands there, for a message: ``got 'abc' (text)``."""
    value = node.value
    if value is None or isinstance(value, list | dict):
        return f"got {_KINDS[type(value)]}"
    return f"got {str(value)[:60]!r} ({_KINDS.get(type(value), 'text')})"


def whole_number(least: int) -> Convert[int]:
    """A whole number >= ``least``."""

    def convert(node: Node, what: str) -> int:
        value = node.value
        if isinstance(value, int) and not isinstance(value, bool) and least <= value < 2**63:
            return value
        raise Wrong(
            f"{what} must be a whole number >= {least}; {came(node)}{_rewritten(value)}", node.place
        )

    return convert


def positive_number(node: Node, what: str) -> float:
    """A finite number > 0."""
    value = node.value
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1e15:
        return float(value)
    raise Wrong(f"{what} must be a number > 0; {came(node)}", node.place)


def truth(node: Node, what: str) -> bool:
    """``true`` or ``false``."""
    if isinstance(node.value, bool):
        return node.value
    near = _TRUTHS.get(str(node.value).lower())
    hint = f". Did you mean {near}?" if near else ""
    raise Wrong(f"{what} must be true or false; {came(node)}{hint}", node.place)


def text(node: Node, what: str) -> str:
    """Text that is not empty."""
    if isinstance(node.value, str) and node.value.strip():
        return node.value
    hint = ": write it in quotes" if isinstance(node.value, bool | int | float) else ""
    raise Wrong(f"{what} must be text; {came(node)}{hint}", node.place)


def one_of(known: Sequence[str]) -> Convert[str]:
    """One of some words."""

    def convert(node: Node, what: str) -> str:
        if node.value in known:
            return str(node.value)
        raise Wrong(unknown_name(what, node.value, known), node.place)

    return convert


def or_none(convert: Convert[Value]) -> Convert[Value | None]:
    """``null``, or what ``convert`` takes."""
    return lambda node, what: None if node.value is None else convert(node, what)


def budget(node: Node, what: str) -> Budget | None:
    """See :func:`firsthit.runner.budget.parse_budget`."""
    try:
        return parse_budget(node.plain())
    except FirsthitError as error:
        raise Wrong(str(error), node.place) from error


def workers(node: Node, what: str) -> int:
    """A number of worker processes, or ``all``."""
    if node.value == "all":
        return available_processors()
    if isinstance(node.value, int) and not isinstance(node.value, bool):
        if 1 <= node.value <= _MOST_WORKERS:
            return node.value
    elif isinstance(node.value, str) and node.value.isdigit():
        return workers(Node(int(node.value), node.place), what)
    raise Wrong(
        f"{what} must be a whole number from 1 to {_MOST_WORKERS}, or 'all'; {came(node)}",
        node.place,
    )


def selection(allowed: Sequence[int] | None, where: str = "") -> Convert[tuple[int, ...] | None]:
    """``null``, or numbers: ``3``, ``[1, 2]``, ``"1-5,7"``."""

    def convert(node: Node, what: str) -> tuple[int, ...] | None:
        if node.value is None:
            return None
        try:
            return parse_selection(node.plain(), allowed, what, where)
        except FirsthitError as error:
            raise Wrong(str(error), node.place) from error

    return convert


def list_of(convert: Convert[Value]) -> Convert[tuple[Value, ...]]:
    """A list of at least one."""

    def convert_all(node: Node, what: str) -> tuple[Value, ...]:
        if not isinstance(node.value, list) or not node.value:
            raise Wrong(f"{what} must be a list with at least one entry; {came(node)}", node.place)
        return tuple(convert(item, f"an entry of {what}") for item in node.value)

    return convert_all


def anything(node: Node, what: str) -> Any:
    """Whatever stands there."""
    return node.plain()


def _rewritten(value: object) -> str:
    try:
        number = float(str(value).replace("_", ""))
        return f": write {int(number)}" if number == int(number) >= 0 else ""
    except (ValueError, OverflowError):
        return ""
