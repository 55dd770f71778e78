"""Read YAML strictly, as a tree of values with their lines and columns.

`read_yaml` returns a tree of `Node` objects. It collects all errors with their positions, and
raises no exception for them.

PyYAML alone would read ``1e5`` as text, ``1:15`` as 75, ``no`` as False and ``010`` as 8, and would
keep the last of two equal keys. This module reads numbers as YAML 1.2 does: ``1e5`` is a number.
``1:15`` and ``no`` are read as text. Leading zeros, equal keys, tags, anchors, aliases and merge
keys are errors.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from numbers import Integral
from typing import Any

import yaml

MOST_BYTES = 256 * 1024
"""Maximum size of a document in bytes. The largest useful campaign files have some kilobytes."""
_HDF5_SIGNATURE = b"\x89HDF\r\n\x1a\n"
"""Bytes in the header of an HDF5 file. In a log they follow a text of 512 bytes."""
_MAX_DEPTH = 20
"""Maximum number of nested lists and mappings; more could exceed Python's recursion limit."""
_MAX_VALUES = 20_000
"""Maximum number of values in a document, which limits the time for reading a hostile file."""
_MAX_DIGITS = 400
"""An integer with at least this number of digits is read as inf.

Python refuses to convert very long texts to int. The largest float has 309 digits.
"""
_MAX_TEXT_LENGTH = 60
"""Maximum length of a text of the file in an error message, in characters."""
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_LEADING_ZERO = re.compile(r"[-+]?0[0-9_]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_NULL = ("", "~", "null", "Null", "NULL")
_BOOL = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_CONTROL = re.compile("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x84\\x86-\\x9f\\ud800-\\udfff]")
"""Characters that a text must not contain: control characters except tab and line breaks, and
surrogates."""
_ALIAS_TAG = "alias"
"""Tag of the PyYAML nodes that stand in for aliases, which are errors."""
_COLLECTION_TAGS = ("tag:yaml.org,2002:map", "tag:yaml.org,2002:seq")
"""Tags of mappings and lists for which the file states no tag."""
_UNQUOTED_STAGES = re.compile(r"budget\s*:\s*\[.*\]\s*\*")
"""Line such as ``budget: [1, 2]*D``, which is not valid YAML without quotes."""
_INDENTED_KEY = re.compile(r"\s+(- )?\w+:(\s|$)")
"""Beginning of an indented line with a key, such as ``  - name: mine``."""


@dataclass(frozen=True, slots=True)
class Position:
    """A position in a file; line and column are counted from 1."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Node:
    """A value with its position in the file.

    Attributes:
        value: None, bool, int, float, str, ``list[Node]`` or ``dict[str, Node]``. `REFUSED` if the
            value was invalid.
        position: Position of the value. None: the value does not come from a file.
        keys: Positions of the keys if the value is a mapping; otherwise empty.
    """

    value: Any
    position: Position | None
    keys: dict[str, Position] = field(default_factory=dict)

    @classmethod
    def of(cls, value: Any) -> Node:
        """Make the node of a plain value that does not come from a file."""
        if isinstance(value, Mapping):
            return cls({str(key): cls.of(item) for key, item in value.items()}, None)
        if isinstance(value, list | tuple):
            return cls([cls.of(item) for item in value], None)
        return cls(value, None)

    @property
    def is_refused(self) -> bool:
        """Whether the value, or a value inside it, is `REFUSED`: its error was reported already."""
        if isinstance(self.value, dict):
            return any(node.is_refused for node in self.value.values())
        if isinstance(self.value, list):
            return any(node.is_refused for node in self.value)
        return self.value is REFUSED

    def plain(self) -> Any:
        """Return the value without positions; lists and mappings contain plain values, too."""
        if isinstance(self.value, dict):
            return {key: node.plain() for key, node in self.value.items()}
        if isinstance(self.value, list):
            return [node.plain() for node in self.value]
        return self.value


REFUSED = object()
"""Value of a node whose error was reported already. No second error must be reported for it."""

Report = list[tuple[Position | None, str]]
"""Errors of a document: the position and the message of each.

The position is None if the error concerns the whole file.
"""


def node_of(value: object) -> Node:
    """Convert a value that does not come from a file to a tree of nodes without positions.

    Keys of mappings become texts, and integers of numpy become int.
    """
    if isinstance(value, Mapping):
        return Node({str(key): node_of(item) for key, item in value.items()}, None)
    if isinstance(value, list):
        return Node([node_of(item) for item in value], None)
    is_integer = isinstance(value, Integral) and not isinstance(value, bool)
    return Node(int(value) if is_integer else value, None)  # type: ignore[call-overload]


def read_yaml(data: bytes) -> tuple[Node | None, Report]:
    """Read one YAML document.

    Args:
        data: Content of a file, UTF-8 text.

    Returns:
        The root of the tree, and the errors. The root is None if the document cannot be parsed or
        is empty; there is at least one error then.
    """
    if _HDF5_SIGNATURE in data[:1024]:
        return None, [(None, "this is a log, no campaign; give the campaign's YAML file")]
    if len(data) > MOST_BYTES:
        return None, [(None, f"the file has more than {MOST_BYTES} bytes: too many for a campaign")]
    try:
        loader = _StrictLoader(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        return None, [(None, f"the file is not UTF-8 text (byte {error.start})")]
    except yaml.reader.ReaderError as error:
        message = f"character {error.character!r} at position {error.position} is not allowed"
        return None, [(None, message)]
    try:
        root = loader.get_single_node()
    except yaml.MarkedYAMLError as error:
        parts = [part for part in (error.context, error.problem) if part]
        message = "; ".join(parts) + _suggest_correction(data, error.problem_mark)
        return None, [*loader.report, (_to_position(error.problem_mark), message)]
    except (ValueError, OverflowError):  # PyYAML raises them for "\UFFFFFFFF" and %YAML 1e9
        message = "a character or number that does not exist"
        return None, [*loader.report, (_to_position(loader.get_mark()), message)]
    finally:
        loader.dispose()
    if root is None:
        return None, [*loader.report, (None, "the file is empty")]
    return _convert(root, loader.report), loader.report


def _suggest_correction(data: bytes, mark: yaml.Mark | None) -> str:
    """Return a suggestion how to correct a syntax error, or ``""``.

    Args:
        data: Content of the file.
        mark: Position of the error. None: unknown.
    """
    lines = data.decode("utf-8-sig").splitlines()
    line = lines[mark.line] if mark is not None and mark.line < len(lines) else ""
    if _UNQUOTED_STAGES.match(line):
        return ": write '[1, 2]*D' in quotes"
    return ": is the line indented as it should be?" if _INDENTED_KEY.match(line) else ""


def _to_position(mark: yaml.Mark | None) -> Position | None:
    return None if mark is None else Position(mark.line + 1, mark.column + 1)


class _StrictLoader(yaml.SafeLoader):
    """A loader of PyYAML that limits the size of a document, and refuses some features of YAML.

    Only its method ``get_single_node`` is used: it returns nodes, and constructs no values.

    Attributes:
        report: Errors: one for each tag, anchor and alias in the document.
    """

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.report: Report = []
        self._depth = self._n_values = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        """Compose one node and the nodes inside it. PyYAML calls this method for each value.

        Raises:
            MarkedYAMLError: The document is nested too deeply, or has too many values.
        """
        event: Any = self.peek_event()  # type: ignore[no-untyped-call]
        position = _to_position(event.start_mark)
        self._n_values += 1
        if self._n_values > _MAX_VALUES:
            raise yaml.MarkedYAMLError(
                None, None, f"more than {_MAX_VALUES} values", event.start_mark
            )
        if isinstance(event, yaml.AliasEvent):
            self.get_event()  # type: ignore[no-untyped-call]
            alias: Any = event
            self.report.append((position, f"alias '*{alias.anchor}': write the value out"))
            return yaml.ScalarNode(_ALIAS_TAG, "", alias.start_mark, alias.end_mark, "'")
        if getattr(event, "anchor", None):
            self.report.append((position, f"anchor '&{event.anchor}': write the value out"))
            event.anchor = None
        if getattr(event, "tag", None) not in (None, "!"):
            self.report.append((position, f"tag {event.tag!r}: tags are not allowed"))
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise yaml.MarkedYAMLError(
                None, None, f"nested deeper than {_MAX_DEPTH}", event.start_mark
            )
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node


def _convert(raw: yaml.Node, report: Report) -> Node:
    """Convert a node of PyYAML and the nodes inside it, and add their errors to the report."""
    position = _to_position(raw.start_mark) or Position(1, 1)
    if not isinstance(raw, yaml.ScalarNode) and raw.tag not in _COLLECTION_TAGS:
        return Node(REFUSED, position)  # the parser has reported the tag
    if isinstance(raw, yaml.MappingNode):
        return _convert_mapping(raw, position, report)
    if isinstance(raw, yaml.SequenceNode):
        return Node([_convert(item, report) for item in raw.value], position)
    if isinstance(raw, yaml.ScalarNode):
        return Node(_convert_scalar(raw, position, report), position)
    return Node(None, position)


def _convert_mapping(raw: yaml.MappingNode, position: Position, report: Report) -> Node:
    """Convert a mapping. Keys with an error are left out."""
    values: dict[str, Node] = {}
    positions: dict[str, Position] = {}
    for raw_key, raw_value in raw.value:
        key_position = _to_position(raw_key.start_mark) or position
        if not isinstance(raw_key, yaml.ScalarNode) or raw_key.value == "<<":
            report.append((key_position, "a key must be a plain word"))
        elif _CONTROL.search(raw_key.value):
            message = f"key {raw_key.value[:_MAX_TEXT_LENGTH]!r} holds a control character"
            report.append((key_position, message))
        elif raw_key.value in positions:
            line = positions[raw_key.value].line
            message = f"key {raw_key.value!r} is given twice (first in line {line})"
            report.append((key_position, message))
        else:
            positions[raw_key.value] = key_position
            values[raw_key.value] = _convert(raw_value, report)
    return Node(values, position, positions)


def _convert_scalar(raw: yaml.ScalarNode, position: Position, report: Report) -> Any:
    """Return the value of a single value: None, bool, int, float, str, or `REFUSED`."""
    text = raw.value
    if raw.tag == _ALIAS_TAG:
        return REFUSED
    if _CONTROL.search(text):
        report.append((position, f"{text[:_MAX_TEXT_LENGTH]!r} holds a control character"))
        return REFUSED
    if raw.style is not None:  # the text is in quotes, or is a block of lines
        return text
    if text in _NULL:
        return None
    if text in _BOOL:
        return _BOOL[text]
    if _INTEGER.fullmatch(text):
        return int(text) if len(text) < _MAX_DIGITS else math.inf
    if _LEADING_ZERO.fullmatch(text):
        message = f"{text}: some read this as octal; write it without the leading zero"
        report.append((position, message))
        return REFUSED
    if _FLOAT.fullmatch(text):
        return float(text)
    if _NOT_FINITE.fullmatch(text):
        report.append((position, f"{text} is no finite number"))
        return REFUSED
    return text
