"""Typed values of a campaign file: from a node to a value, or to a sentence on what is wrong.

Each kind of value is described once: how it is read, and its JSON schema for editors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from ...loggers.records.identity import check_name
from ...loggers.records.log_header import TUNING_NUMBERS, check_setup, check_tuning
from ...suites import FirsthitError
from ...suites.errors import unknown_name
from ...suites.selection import parse_selection
from ..executors.executor import available_processors
from ..optimizers.parallel import MOST_EVALUATORS, Parallel
from ..optimizers.restarts import RestartScheme
from .budget import Budget, Stages, parse_budget
from .yaml_tree import Node, Place, node_of

Value = TypeVar("Value")
Read = Callable[[Node, str], Value]
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
        self.place = place


@dataclass(frozen=True, slots=True)
class Kind(Generic[Value]):
    """One kind of value: how it is read from a node, and its JSON schema, for editors."""

    read: Read[Value]
    schema: Schema

    def __call__(self, node: Node, what: str) -> Value:
        """Read a node, called ``what`` in messages; raises Wrong."""
        try:
            return self.read(node, what)
        except FirsthitError as error:
            raise Wrong(str(error), node.place) from error


def _kind(schema: Schema) -> Callable[[Read[Value]], Kind[Value]]:
    """Decorates what reads a kind of value."""
    return lambda read: Kind(read, schema)


def came(node: Node) -> str:
    """What stands there, for a message: ``got 'abc' (text)``."""
    value = node.value
    if value is None or isinstance(value, list | dict):
        return f"got {_KINDS[type(value)]}"
    return f"got {str(value)[:60]!r} ({_KINDS.get(type(value), 'text')})"


def whole_number(least: int) -> Kind[int]:
    """A whole number >= ``least``."""

    @_kind({"type": "integer", "minimum": least})
    def read(node: Node, what: str) -> int:
        value = node.value
        if isinstance(value, int) and not isinstance(value, bool) and least <= value < 2**63:
            return value
        raise Wrong(
            f"{what} must be a whole number >= {least}; {came(node)}{_rewritten(value)}", node.place
        )

    return read


def _rewritten(value: object) -> str:
    try:
        number = float(str(value).replace("_", ""))
        return f": write {int(number)}" if number == int(number) >= 0 else ""
    except (ValueError, OverflowError):
        return ""


@_kind({"type": "number", "exclusiveMinimum": 0, "maximum": _MOST_SECONDS})
def positive_number(node: Node, what: str) -> float:
    """A finite number > 0."""
    value = node.value
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= 1e9:
        return float(value)
    raise Wrong(f"{what} must be a number > 0, at most {_MOST_SECONDS:g}; {came(node)}", node.place)


@_kind({"type": "boolean"})
def truth(node: Node, what: str) -> bool:
    """``true`` or ``false``."""
    if isinstance(node.value, bool):
        return node.value
    near = _TRUTHS.get(str(node.value).lower())
    hint = f". Did you mean {near}?" if near else ""
    raise Wrong(f"{what} must be true or false; {came(node)}{hint}", node.place)


@_kind({"type": "string", "minLength": 1})
def text(node: Node, what: str) -> str:
    """Text that is not empty."""
    if isinstance(node.value, str) and node.value.strip():
        return node.value
    hint = ": write it in quotes" if isinstance(node.value, bool | int | float) else ""
    raise Wrong(f"{what} must be text; {came(node)}{hint}", node.place)


@_kind(text.schema)
def name(node: Node, what: str) -> str:
    """The name of something that logs tell of."""
    return check_name(text(node, what), what)


@_kind({"type": ["object", "null"]})
def mapping(node: Node, what: str) -> Any:
    """A mapping whose keys the optimizer knows; what is wrong with them is said where they are."""
    return node.plain()


@_kind({"properties": {name: {"type": "number", "minimum": 0} for name in TUNING_NUMBERS}})
def tuning(node: Node, what: str) -> Any:
    """Text, or a mapping whose numbers are checked."""
    check_tuning(tuning := node.plain())
    return tuning


@_kind({"type": "object", "additionalProperties": {"type": ["string", "number"]}})
def setup(node: Node, what: str) -> Any:
    """A mapping of names to text."""
    check_setup(setup := node.plain())
    return setup


PUBLICATION = ("title", "authors", "license", "date")


@_kind(
    {
        "type": "object",
        "additionalProperties": False,
        "properties": {name: {"type": "string"} for name in PUBLICATION}
        | {"authors": {"type": "array", "items": {"type": "string"}}},
    }
)
def publication(node: Node, what: str) -> dict[str, str | list[str]]:
    """Title, authors, licence and date; what is wrong with a text is said when it is published."""
    found = node.plain()
    if not isinstance(found, dict):
        raise Wrong(
            f"{what} must be a mapping of {', '.join(PUBLICATION)}; {came(node)}", node.place
        )
    for key, value in found.items():
        place = node.keys.get(key, node.place)
        if key not in PUBLICATION:
            raise Wrong(f"in {what}: {unknown_name('key', key, PUBLICATION)}", place)
        kind, fits = "text, in quotes", isinstance(value, str)
        if key == "authors":
            kind = "a list of texts"
            fits = isinstance(value, list) and all(isinstance(text, str) for text in value)
        if not fits:
            raise Wrong(f"in {what}: {key} must be {kind}", place)
    return found


def one_of(known: Sequence[str]) -> Kind[str]:
    """One of some words."""

    @_kind({"enum": list(known)})
    def read(node: Node, what: str) -> str:
        if node.value in known:
            return str(node.value)
        raise Wrong(unknown_name(what, node.value, known), node.place)

    return read


def or_none(kind: Kind[Value]) -> Kind[Value | None]:
    """``null``, or what ``kind`` takes."""

    @_kind({"anyOf": [{"type": "null"}, kind.schema]})
    def read(node: Node, what: str) -> Value | None:
        return None if node.value is None else kind(node, what)

    return read


def entries(node: Node, what: str) -> list[Node]:
    """Those of a list of at least one."""
    if isinstance(node.value, list) and node.value:
        return node.value
    raise Wrong(f"{what} must be a list with at least one entry; {came(node)}", node.place)


def list_of(kind: Kind[Value]) -> Kind[tuple[Value, ...]]:
    """A list of at least one."""

    @_kind({"type": "array", "items": kind.schema, "minItems": 1})
    def read(node: Node, what: str) -> tuple[Value, ...]:
        return tuple(kind(item, f"an entry of {what}") for item in entries(node, what))

    return read


_ONE_BUDGET = {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string"}]}


@_kind(
    {"anyOf": [{"type": "null"}, *_ONE_BUDGET["anyOf"], {"type": "array", "items": _ONE_BUDGET}]}
)
def budget(node: Node, what: str) -> Budget | Stages | None:
    """As `parse_budget` reads it."""
    return parse_budget(node.plain())


@_kind({"anyOf": [{"type": "integer", "minimum": 0, "maximum": _MOST_WORKERS}, {"const": "all"}]})
def workers(node: Node, what: str) -> int:
    """A number of worker processes, 0 for none, or ``all``."""
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


@_kind(text.schema)
def indicator(node: Node, what: str) -> str:
    """The name of a registered indicator."""
    from ...loggers.indicators.registry import indicator_names

    if (name := text(node, what)) in (known := indicator_names()):
        return name
    raise Wrong(unknown_name(what, name, known), node.place)


def selection(
    allowed: Sequence[int] | None = None, where: str = ""
) -> Kind[tuple[int, ...] | None]:
    """``null``, or numbers: ``3``, ``[1, 2]``, ``"1-5,7"``."""
    number = {"type": "integer", "minimum": 1}
    listed = {"type": "array", "items": number, "minItems": 1}

    @_kind({"anyOf": [{"type": "null"}, number, {"type": "string"}, listed]})
    def read(node: Node, what: str) -> tuple[int, ...] | None:
        if node.value is None:
            return None
        numbers = parse_selection(node.plain(), allowed, what, where)
        if max(numbers) >= _MOST_SELECTED:
            raise Wrong(f"{what} must be less than {_MOST_SELECTED}", node.place)
        return numbers

    return read


@_kind(
    {
        "type": ["object", "null"],
        "properties": {
            "evaluators": {"type": "integer", "minimum": 1, "maximum": MOST_EVALUATORS},
            "duration": {"anyOf": [{"type": "number", "exclusiveMinimum": 0}, {"type": "string"}]},
        },
        "additionalProperties": False,
    }
)
def parallel(node: Node, what: str) -> Parallel | None:
    """``{evaluators, duration}``."""
    if node.value is None or isinstance(node.value, Parallel):
        return node.value
    if not isinstance(node.value, dict):
        form = "a mapping such as {evaluators: 8, duration: 1}"
        raise Wrong(f"{what} must be {form}; {came(node)}", node.place)
    _check_keys(node, what, ("evaluators", "duration"))
    try:
        return Parallel(**{key: part.plain() for key, part in node.value.items()})
    except FirsthitError as error:
        raise Wrong(f"{what}: {error}", node.place) from error


def _check_keys(node: Node, what: str, known: Sequence[str]) -> None:
    for key in node.value:
        if key not in known:
            raise Wrong(f"in {what}: {unknown_name('key', key, known)}", node.keys.get(key))


_most_restarts = or_none(whole_number(0))
_SCHEME = {
    "type": "object",
    "properties": {
        "most": _most_restarts.schema,
        "multiply": {"type": "object", "additionalProperties": positive_number.schema},
    },
    "required": ["multiply"],
    "additionalProperties": False,
}


@_kind({"anyOf": [*_most_restarts.schema["anyOf"], _SCHEME]})
def restarts(node: Node, what: str) -> RestartScheme | int | None:
    """Most restarts of one run, or ``{most, multiply: {parameter: factor}}``."""
    if isinstance(node.value, RestartScheme):  # from Python
        node = node_of(node.value.description())
    if not isinstance(node.value, dict):
        return _most_restarts(node, what)
    _check_keys(node, what, ("most", "multiply"))
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
    return RestartScheme(_most_restarts(most, f"{what}: most"), multiply)
