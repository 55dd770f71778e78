"""Typed values of a campaign file: from a node to a value, or to a sentence on what is wrong.

Each kind of value is described once: how it is read, and its JSON schema for editors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from ...suites import FirsthitError, parse_selection
from ...suites.errors import unknown_name
from ..executors.config import available_processors
from ..optimizers.restarts import RestartScheme
from .budget import Budget, Stages, parse_budget
from .yaml_tree import Node, Place

Value = TypeVar("Value")
Convert = Callable[[Node, str], Value]
Schema = Mapping[str, Any]
_MOST_WORKERS = 4096
_MOST_SECONDS = 1e9
_MOST_SELECTED = 2**32
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


@dataclass(frozen=True, slots=True)
class Kind(Generic[Value]):
    """One kind of value.

    Attributes:
        read: From a node, and what it is called, to the value; raises Wrong.
        schema: What editors are told of it, a JSON schema.
    """

    read: Convert[Value]
    schema: Schema

    def __call__(self, node: Node, what: str) -> Value:
        """Read a node."""
        return self.read(node, what)


def came(node: Node) -> str:
    """What stands there, for a message: ``got 'abc' (text)``."""
    value = node.value
    if value is None or isinstance(value, list | dict):
        return f"got {_KINDS[type(value)]}"
    return f"got {str(value)[:60]!r} ({_KINDS.get(type(value), 'text')})"


def whole_number(least: int) -> Kind[int]:
    """A whole number >= ``least``."""

    def read(node: Node, what: str) -> int:
        value = node.value
        if isinstance(value, int) and not isinstance(value, bool) and least <= value < 2**63:
            return value
        raise Wrong(
            f"{what} must be a whole number >= {least}; {came(node)}{_rewritten(value)}", node.place
        )

    return Kind(read, {"type": "integer", "minimum": least})


def _positive_number(node: Node, what: str) -> float:
    value = node.value
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= 1e9:
        return float(value)
    raise Wrong(f"{what} must be a number > 0, at most {_MOST_SECONDS:g}; {came(node)}", node.place)


positive_number: Kind[float] = Kind(
    _positive_number, {"type": "number", "exclusiveMinimum": 0, "maximum": _MOST_SECONDS}
)
"""A finite number > 0."""


def _truth(node: Node, what: str) -> bool:
    if isinstance(node.value, bool):
        return node.value
    near = _TRUTHS.get(str(node.value).lower())
    hint = f". Did you mean {near}?" if near else ""
    raise Wrong(f"{what} must be true or false; {came(node)}{hint}", node.place)


truth: Kind[bool] = Kind(_truth, {"type": "boolean"})
"""``true`` or ``false``."""


def _text(node: Node, what: str) -> str:
    if isinstance(node.value, str) and node.value.strip():
        return node.value
    hint = ": write it in quotes" if isinstance(node.value, bool | int | float) else ""
    raise Wrong(f"{what} must be text; {came(node)}{hint}", node.place)


text: Kind[str] = Kind(_text, {"type": "string", "minLength": 1})
"""Text that is not empty."""


def one_of(known: Sequence[str]) -> Kind[str]:
    """One of some words."""

    def read(node: Node, what: str) -> str:
        if node.value in known:
            return str(node.value)
        raise Wrong(unknown_name(what, node.value, known), node.place)

    return Kind(read, {"enum": list(known)})


def or_none(kind: Kind[Value]) -> Kind[Value | None]:
    """``null``, or what ``kind`` takes."""

    def read(node: Node, what: str) -> Value | None:
        return None if node.value is None else kind(node, what)

    return Kind(read, {"anyOf": [{"type": "null"}, kind.schema]})


def _budget(node: Node, what: str) -> Budget | Stages | None:
    try:
        return parse_budget(node.plain())
    except FirsthitError as error:
        raise Wrong(str(error), node.place) from error


_ONE_BUDGET = {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string"}]}
budget: Kind[Budget | Stages | None] = Kind(
    _budget,
    {"anyOf": [{"type": "null"}, *_ONE_BUDGET["anyOf"], {"type": "array", "items": _ONE_BUDGET}]},
)
"""See :func:`firsthit.runner.campaign.budget.parse_budget`."""


def _workers(node: Node, what: str) -> int:
    value = node.value
    if value == "all":
        return available_processors()
    if isinstance(value, str) and len(value) < 10 and value.isdecimal():  # an option
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST_WORKERS:
        return value
    raise Wrong(
        f"{what} must be a whole number from 0 to {_MOST_WORKERS}, or 'all'; {came(node)}",
        node.place,
    )


workers: Kind[int] = Kind(
    _workers,
    {"anyOf": [{"type": "integer", "minimum": 0, "maximum": _MOST_WORKERS}, {"const": "all"}]},
)
"""A number of worker processes, 0 for none, or ``all``."""


def _indicator(node: Node, what: str) -> str:
    from ...loggers.indicators.registry import indicator_names

    if (name := text(node, what)) in (known := indicator_names()):
        return name
    raise Wrong(unknown_name(what, name, known), node.place)


indicator: Kind[str] = Kind(_indicator, text.schema)
"""The name of a registered indicator."""


def selection(
    allowed: Sequence[int] | None = None, where: str = ""
) -> Kind[tuple[int, ...] | None]:
    """``null``, or numbers: ``3``, ``[1, 2]``, ``"1-5,7"``."""

    def read(node: Node, what: str) -> tuple[int, ...] | None:
        if node.value is None:
            return None
        try:
            numbers = parse_selection(node.plain(), allowed, what, where)
        except FirsthitError as error:
            raise Wrong(str(error), node.place) from error
        if max(numbers) >= _MOST_SELECTED:
            raise Wrong(f"{what} must be less than {_MOST_SELECTED}", node.place)
        return numbers

    number = {"type": "integer", "minimum": 1}
    listed = {"type": "array", "items": number, "minItems": 1}
    return Kind(read, {"anyOf": [{"type": "null"}, number, {"type": "string"}, listed]})


def list_of(kind: Kind[Value]) -> Kind[tuple[Value, ...]]:
    """A list of at least one."""

    def read(node: Node, what: str) -> tuple[Value, ...]:
        if not isinstance(node.value, list) or not node.value:
            raise Wrong(f"{what} must be a list with at least one entry; {came(node)}", node.place)
        return tuple(kind(item, f"an entry of {what}") for item in node.value)

    return Kind(read, {"type": "array", "items": kind.schema, "minItems": 1})


def _anything(node: Node, what: str) -> Any:
    return node.plain()


anything: Kind[Any] = Kind(_anything, {})
"""Whatever stands there."""

mapping: Kind[Any] = Kind(_anything, {"type": ["object", "null"]})
"""A mapping whose keys the optimizer knows; read where they are."""


def _restarts(node: Node, what: str) -> RestartScheme | int | None:
    if not isinstance(node.value, dict):
        return _MOST_RESTARTS(node, what)
    for key in node.value:
        if key not in ("most", "multiply"):
            raise Wrong(
                f"in {what}: {unknown_name('key', key, ('most', 'multiply'))}", node.keys.get(key)
            )
    most = node.value.get("most", Node(None, node.place))
    factors = node.value.get("multiply", Node(None, node.place))
    if not isinstance(factors.value, dict) or not factors.value:
        raise Wrong(
            f"{what}: multiply must map parameters to factors, as in {{popsize: 2}}; "
            f"{came(factors) if not isinstance(factors.value, dict) else 'it is empty'}",
            factors.place,
        )
    multiply = {
        name: positive_number(factor, f"{what}: {name}") for name, factor in factors.value.items()
    }
    return RestartScheme(_MOST_RESTARTS(most, f"{what}: most"), multiply)


_MOST_RESTARTS = or_none(whole_number(0))
restarts: Kind[RestartScheme | int | None] = Kind(
    _restarts,
    {
        "anyOf": [
            *_MOST_RESTARTS.schema["anyOf"],
            {
                "type": "object",
                "properties": {
                    "most": _MOST_RESTARTS.schema,
                    "multiply": {"type": "object", "additionalProperties": positive_number.schema},
                },
                "required": ["multiply"],
                "additionalProperties": False,
            },
        ]
    },
)
"""Most restarts of one run, or ``{most, multiply: {parameter: factor}}``."""


def _rewritten(value: object) -> str:
    try:
        number = float(str(value).replace("_", ""))
        return f": write {int(number)}" if number == int(number) >= 0 else ""
    except (ValueError, OverflowError):
        return ""
