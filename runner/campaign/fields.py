"""Read and check values of a campaign file, and describe them by JSON schemas.

A `Kind` is a kind of value, such as a text or a budget. It reads a node of the file and returns a
value, or raises `InvalidValue` with a message and a position. Kinds without parameters are
constants, such as `text`. Functions such as `whole_number` and `list_of` make kinds with
parameters. All kinds receive the label of the value, which is its key. The label is the beginning
of the error messages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from ...loggers.records.identity import check_name
from ...loggers.records.log_header import TUNING_NUMBERS, check_setup, check_tuning
from ...loggers.records.points import PointChoice, parse_points
from ...suites import FirsthitError
from ...suites.errors import unknown_name
from ...suites.selection import parse_selection
from ..executors.executor import available_processors
from ..optimizers.parallel import MOST_EVALUATORS, Parallel
from ..optimizers.restarts import RestartScheme
from .budget import Budget, Stages, parse_budget
from .yaml_tree import Node, Position, node_of

Value = TypeVar("Value")
Read = Callable[[Node, str], Value]
"""Function that returns the value of a node. Its second argument is the label of the value."""
Schema = Mapping[str, Any]
"""JSON schema of a value (draft 2020-12)."""
_MAX_WORKERS = 4096
_MAX_POSITIVE_NUMBER = 1e9
_SELECTION_LIMIT = 2**32
"""Selected numbers must be smaller, because logs store functions and dimensions in 32 bits."""
_MAX_VALUE_LENGTH = 60
"""Maximum length of a value in an error message, in characters."""
_BOOLEAN_WORDS = {
    "yes": "true", "on": "true", "y": "true", "no": "false", "off": "false", "n": "false",
}  # fmt: skip
"""Words that YAML 1.1 reads as booleans, and the word that an error message suggests for each."""
_TYPE_NAMES = {
    bool: "true or false", int: "a number", float: "a number", str: "text", list: "a list",
    dict: "a mapping", type(None): "nothing",
}  # fmt: skip
"""Names of types in error messages."""


class InvalidValue(Exception):
    """A value is invalid. The reader of the file catches this exception and adds the file's name.

    Attributes:
        position: Position of the value. None: the value does not come from a file.
    """

    def __init__(self, message: str, position: Position | None) -> None:
        super().__init__(message)
        self.position = position


@dataclass(frozen=True, slots=True)
class Kind(Generic[Value]):
    """A kind of value. A call reads and checks a value of this kind.

    Attributes:
        read: Function that reads and checks a node.
        schema: JSON schema of the values, for editors.
    """

    read: Read[Value]
    schema: Schema

    def __call__(self, node: Node, label: str) -> Value:
        """Read and check a value.

        Args:
            node: The value with its position.
            label: Name of the value in error messages.

        Raises:
            InvalidValue: The value is not of this kind.
        """
        try:
            return self.read(node, label)
        except FirsthitError as error:
            raise InvalidValue(str(error), node.position) from error


def _kind(schema: Schema) -> Callable[[Read[Value]], Kind[Value]]:
    """Return a decorator that makes a `Kind` with this schema from a function that reads a node."""
    return lambda read: Kind(read, schema)


def shown_value(node: Node) -> str:
    """Return the value and type of a node for an error message, such as ``got 'abc' (text)``."""
    value = node.value
    if value is None or isinstance(value, list | dict):
        return f"got {_TYPE_NAMES[type(value)]}"
    return f"got {str(value)[:_MAX_VALUE_LENGTH]!r} ({_TYPE_NAMES.get(type(value), 'text')})"


def whole_number(minimum: int) -> Kind[int]:
    """Return the kind of integers from a minimum to ``2**63 - 1``."""

    @_kind({"type": "integer", "minimum": minimum})
    def read(node: Node, label: str) -> int:
        value = node.value
        if isinstance(value, int) and not isinstance(value, bool) and minimum <= value < 2**63:
            return value
        raise InvalidValue(
            f"{label} must be a whole number >= {minimum}; {shown_value(node)}"
            f"{_suggest_integer(value)}",
            node.position,
        )

    return read


def _suggest_integer(value: object) -> str:
    """Suggest the integer that a value such as ``1e5`` or ``"1_000"`` means.

    Return ``""`` if the value is not an integer >= 0 in another notation.
    """
    try:
        number = float(str(value).replace("_", ""))
        return f": write {int(number)}" if number == int(number) >= 0 else ""
    except (ValueError, OverflowError):
        return ""


@_kind({"type": "number", "exclusiveMinimum": 0, "maximum": _MAX_POSITIVE_NUMBER})
def positive_number(node: Node, label: str) -> float:
    """Read a finite number above 0, at most 1e9."""
    value = node.value
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if is_number and 0 < value <= _MAX_POSITIVE_NUMBER:
        return float(value)
    message = f"{label} must be a number > 0, at most {_MAX_POSITIVE_NUMBER:g}; {shown_value(node)}"
    raise InvalidValue(message, node.position)


@_kind({"type": "boolean"})
def boolean(node: Node, label: str) -> bool:
    """Read ``true`` or ``false``."""
    if isinstance(node.value, bool):
        return node.value
    suggestion = _BOOLEAN_WORDS.get(str(node.value).lower())
    hint = f". Did you mean {suggestion}?" if suggestion else ""
    message = f"{label} must be true or false; {shown_value(node)}{hint}"
    raise InvalidValue(message, node.position)


@_kind({"type": "string", "minLength": 1})
def text(node: Node, label: str) -> str:
    """Read a text that is not blank."""
    if isinstance(node.value, str) and node.value.strip():
        return node.value
    hint = ": write it in quotes" if isinstance(node.value, bool | int | float) else ""
    raise InvalidValue(f"{label} must be text; {shown_value(node)}{hint}", node.position)


@_kind(text.schema)
def name(node: Node, label: str) -> str:
    """Read a name that logs can contain, for example of an algorithm."""
    return check_name(text(node, label), label)


@_kind({"type": ["object", "null"]})
def mapping(node: Node, label: str) -> Any:
    """Return a mapping, or any other value, without a check.

    This is the kind of ``parameters`` of an optimizer, which ``sections.py`` checks.
    """
    return node.plain()


@_kind({"properties": {name: {"type": "number", "minimum": 0} for name in TUNING_NUMBERS}})
def tuning(node: Node, label: str) -> Any:
    """Read a description how the optimizers were tuned: a text, or a mapping.

    The numbers that `TUNING_NUMBERS` names must be >= 0.
    """
    check_tuning(tuning := node.plain())
    return tuning


@_kind({"type": "object", "additionalProperties": {"type": ["string", "number"]}})
def setup(node: Node, label: str) -> Any:
    """Read a description of the experiment: a mapping from names to texts or numbers."""
    check_setup(setup := node.plain())
    return setup


PUBLICATION = ("title", "authors", "license", "date")
"""Keys that ``publication`` may have."""


@_kind(
    {
        "type": "object",
        "additionalProperties": False,
        "properties": {name: {"type": "string"} for name in PUBLICATION}
        | {"authors": {"type": "array", "items": {"type": "string"}}},
    }
)
def publication(node: Node, label: str) -> dict[str, str | list[str]]:
    """Read title, authors, license and date of a publication.

    Only the types of the values are checked here. ``firsthit publish`` checks their texts.
    """
    values = node.plain()
    if not isinstance(values, dict):
        message = f"{label} must be a mapping of {', '.join(PUBLICATION)}; {shown_value(node)}"
        raise InvalidValue(message, node.position)
    for key, value in values.items():
        position = node.keys.get(key, node.position)
        if key not in PUBLICATION:
            raise InvalidValue(f"in {label}: {unknown_name('key', key, PUBLICATION)}", position)
        if key == "authors":
            expected = "a list of texts"
            is_valid = isinstance(value, list) and all(isinstance(item, str) for item in value)
        else:
            expected, is_valid = "text, in quotes", isinstance(value, str)
        if not is_valid:
            raise InvalidValue(f"in {label}: {key} must be {expected}", position)
    return values


def one_of(words: Sequence[str]) -> Kind[str]:
    """Return the kind of values that are one of these words."""

    @_kind({"enum": list(words)})
    def read(node: Node, label: str) -> str:
        if node.value in words:
            return str(node.value)
        if isinstance(node.value, list | dict):
            allowed = ", ".join(words)
            message = f"{label} must be one of {allowed}; {shown_value(node)}"
            raise InvalidValue(message, node.position)
        raise InvalidValue(unknown_name(label, node.value, words), node.position)

    return read


def or_none(kind: Kind[Value]) -> Kind[Value | None]:
    """Return the kind of values that are ``null`` or of the given kind."""

    @_kind({"anyOf": [{"type": "null"}, kind.schema]})
    def read(node: Node, label: str) -> Value | None:
        return None if node.value is None else kind(node, label)

    return read


def entries(node: Node, label: str) -> list[Node]:
    """Return the nodes of the entries of a list.

    Args:
        node: The list with its position.
        label: Name of the list in error messages.

    Raises:
        InvalidValue: The value is not a list, or the list is empty.
    """
    if isinstance(node.value, list) and node.value:
        return node.value
    message = f"{label} must be a list with at least one entry; {shown_value(node)}"
    raise InvalidValue(message, node.position)


def list_of(kind: Kind[Value]) -> Kind[tuple[Value, ...]]:
    """Return the kind of lists with at least one entry, all of the given kind."""

    @_kind({"type": "array", "items": kind.schema, "minItems": 1})
    def read(node: Node, label: str) -> tuple[Value, ...]:
        return tuple(kind(entry, f"an entry of {label}") for entry in entries(node, label))

    return read


_ONE_BUDGET = {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string"}]}


@_kind(
    {"anyOf": [{"type": "null"}, *_ONE_BUDGET["anyOf"], {"type": "array", "items": _ONE_BUDGET}]}
)
def budget(node: Node, label: str) -> Budget | Stages | None:
    """Read a budget or stages, as `parse_budget` describes. None: no budget."""
    return parse_budget(node.plain())


@_kind({"anyOf": [{"type": "integer", "minimum": 0, "maximum": _MAX_WORKERS}, {"const": "all"}]})
def workers(node: Node, label: str) -> int:
    """Read a number of worker processes. ``all`` means the number of processors."""
    value = node.value
    if value == "all":
        return available_processors()
    # The option --workers of the command line passes the number as a text.
    if isinstance(value, str) and len(value) < 10 and value.isdecimal():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MAX_WORKERS:
        return value
    raise InvalidValue(
        f"{label} must be a whole number from 0 to {_MAX_WORKERS}, or 'all'; {shown_value(node)}",
        node.position,
    )


@_kind(text.schema)
def indicator(node: Node, label: str) -> str:
    """Read the name of a registered indicator."""
    from ...loggers.indicators.registry import indicator_names

    if (name := text(node, label)) in (names := indicator_names()):
        return name
    raise InvalidValue(unknown_name(label, name, names), node.position)


def selection(
    allowed: Sequence[int] | None = None, owner: str = ""
) -> Kind[tuple[int, ...] | None]:
    """Return the kind of selections of numbers: ``null``, ``3``, ``[1, 2]`` or ``"1-5,7"``.

    Args:
        allowed: Numbers that may be selected. None: all numbers from 1 to ``2**32 - 1``.
        owner: Owner of the numbers in error messages, such as ``"suite 'bbob'"``.

    Returns:
        The kind. Its values are tuples of numbers. ``null`` is read as None.
    """
    number = {"type": "integer", "minimum": 1}
    numbers_list = {"type": "array", "items": number, "minItems": 1}

    @_kind({"anyOf": [{"type": "null"}, number, {"type": "string"}, numbers_list]})
    def read(node: Node, label: str) -> tuple[int, ...] | None:
        if node.value is None:
            return None
        numbers = parse_selection(node.plain(), allowed, label, owner)
        if max(numbers) >= _SELECTION_LIMIT:
            raise InvalidValue(f"{label} must be less than {_SELECTION_LIMIT}", node.position)
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
def parallel(node: Node, label: str) -> Parallel | None:
    """Read ``{evaluators, duration}``. None: evaluations are not made in parallel."""
    if node.value is None or isinstance(node.value, Parallel):
        return node.value
    if not isinstance(node.value, dict):
        example = "a mapping such as {evaluators: 8, duration: 1}"
        raise InvalidValue(f"{label} must be {example}; {shown_value(node)}", node.position)
    _check_keys(node, label, ("evaluators", "duration"))
    try:
        return Parallel(**{key: value.plain() for key, value in node.value.items()})
    except FirsthitError as error:
        raise InvalidValue(f"{label}: {error}", node.position) from error


@_kind(
    {
        "anyOf": [
            {"type": "null"},
            {"enum": ["hits", "all"]},
            {"type": "string", "pattern": "^first"},
            {
                "type": "object",
                "properties": {
                    "first": {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string"}]}
                },
                "required": ["first"],
                "additionalProperties": False,
            },
        ]
    }
)
def record_points(node: Node, label: str) -> PointChoice | None:
    """Read a choice of points, as `parse_points` describes. None: no points are recorded."""
    if isinstance(node.value, PointChoice):
        return node.value
    return parse_points(node.plain())


def selections(keys: Sequence[str]) -> Kind[dict[str, tuple[int, ...]] | None]:
    """Return the kind of mappings of keys to selections of numbers, or ``null``.

    Keys without a selection are left out.
    """
    numbers = selection()

    @_kind(
        {
            "type": ["object", "null"],
            "properties": dict.fromkeys(keys, numbers.schema),
            "additionalProperties": False,
        }
    )
    def read(node: Node, label: str) -> dict[str, tuple[int, ...]] | None:
        if node.value is None:
            return None
        if not isinstance(node.value, dict):
            message = f"{label} must be a mapping with {', '.join(keys)}; {shown_value(node)}"
            raise InvalidValue(message, node.position)
        _check_keys(node, label, keys)
        values = {key: numbers(value, key) for key, value in node.value.items()}
        return {key: value for key, value in values.items() if value is not None}

    return read


def _check_keys(node: Node, label: str, allowed: Sequence[str]) -> None:
    """Raise InvalidValue if a mapping has a key that is not allowed."""
    for key in node.value:
        if key not in allowed:
            message = f"in {label}: {unknown_name('key', key, allowed)}"
            raise InvalidValue(message, node.keys.get(key))


_max_restarts = or_none(whole_number(0))
_SCHEME = {
    "type": "object",
    "properties": {
        "most": _max_restarts.schema,
        "multiply": {"type": "object", "additionalProperties": positive_number.schema},
    },
    "required": ["multiply"],
    "additionalProperties": False,
}


@_kind({"anyOf": [*_max_restarts.schema["anyOf"], _SCHEME]})
def restarts(node: Node, label: str) -> RestartScheme | int | None:
    """Read a maximum number of restarts, or ``{most, multiply: {parameter: factor}}``."""
    if isinstance(node.value, RestartScheme):  # an argument of a Python function
        node = node_of(node.value.description())
    if not isinstance(node.value, dict):
        return _max_restarts(node, label)
    _check_keys(node, label, ("most", "multiply"))
    most = node.value.get("most", Node(None, node.position))
    factors = node.value.get("multiply", Node(None, node.position))
    if not isinstance(factors.value, dict) or not factors.value:
        raise InvalidValue(
            f"{label}: multiply must map parameters to factors, as in {{popsize: 2}}; "
            f"{shown_value(factors) if not isinstance(factors.value, dict) else 'it is empty'}",
            factors.position,
        )
    multiply = {
        name: positive_number(factor, f"{label}: {name}") for name, factor in factors.value.items()
    }
    return RestartScheme(_max_restarts(most, f"{label}: most"), multiply)
