"""Strict reading of YAML: a tree of plain values that know their line and column.

YAML 1.1 reads ``1e5`` as text, ``1:15`` as 75, ``no`` as False, ``010`` as 8 and keeps the last of
a doubled key, all in silence. Here numbers are those of YAML 1.2, what is ambiguous stays text or
is refused where it stands; tags, anchors and merge keys are refused. All problems are collected.
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
_MOST_DEPTH = 20
_MOST_VALUES = 20_000
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_LEADING_ZERO = re.compile(r"[-+]?0[0-9_]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_NULL = ("", "~", "null", "Null", "NULL")
_CONTROL = re.compile("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x84\\x86-\\x9f\\ud800-\\udfff]")
_ALIAS = "alias"
_LADDER = re.compile(r"budget\s*:\s*\[.*\]\s*\*")
_INDENTED_KEY = re.compile(r"\s+(- )?\w+:(\s|$)")
_BOOL = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the file, counted from 1."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Node:
    """One value of the file.

    It is None, bool, int, float, str, ``list[Node]``, ``dict[str, Node]`` or ``REFUSED``. Without
    a place it was not read from a file; ``keys`` says where each key of a mapping stands.
    """

    value: Any
    place: Place | None
    keys: dict[str, Place] = field(default_factory=dict)

    @property
    def is_refused(self) -> bool:
        """Whether it, or anything in it, was reported already."""
        if isinstance(self.value, dict):
            return any(node.is_refused for node in self.value.values())
        if isinstance(self.value, list):
            return any(node.is_refused for node in self.value)
        return self.value is REFUSED

    def plain(self) -> Any:
        """The value without places."""
        if isinstance(self.value, dict):
            return {key: node.plain() for key, node in self.value.items()}
        if isinstance(self.value, list):
            return [node.plain() for node in self.value]
        return self.value


def node_of(value: object) -> Node:
    """A value that was not read from a file, as a tree without places."""
    if isinstance(value, Mapping):
        return Node({str(key): node_of(item) for key, item in value.items()}, None)
    if isinstance(value, list):
        return Node([node_of(item) for item in value], None)
    is_whole = isinstance(value, Integral) and not isinstance(value, bool)  # of numpy, say
    return Node(int(value) if is_whole else value, None)  # type: ignore[call-overload]


REFUSED = object()
"""A value that was reported already; nothing more is said about it."""

Report = list[tuple[Place | None, str]]


def read_yaml(data: bytes) -> tuple[Node | None, Report]:
    """Read one YAML document: the tree, None where nothing can be used, and what is wrong."""
    if len(data) > MOST_BYTES:
        return None, [(None, f"the file has more than {MOST_BYTES} bytes: too many for a campaign")]
    try:
        loader = _StrictLoader(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        return None, [(None, f"the file is not UTF-8 text (byte {error.start})")]
    except yaml.reader.ReaderError as error:
        sentence = f"character {error.character!r} at position {error.position} is not allowed"
        return None, [(None, sentence)]
    try:
        root = loader.get_single_node()
    except yaml.MarkedYAMLError as error:
        parts = [part for part in (error.context, error.problem) if part]
        sentence = "; ".join(parts) + _hint(data, error.problem_mark)
        return None, [*loader.report, (_place(error.problem_mark), sentence)]
    except (ValueError, OverflowError):  # PyYAML, of "\UFFFFFFFF" and of %YAML 1e9
        place = _place(loader.get_mark())
        return None, [*loader.report, (place, "a character or number that does not exist")]
    finally:
        loader.dispose()
    if root is None:
        return None, [*loader.report, (None, "the file is empty")]
    return _node(root, loader.report), loader.report


def _hint(data: bytes, mark: yaml.Mark | None) -> str:
    """What may be meant by ``budget: [1, 2]*D``, or by a key further right than those above it."""
    lines = data.decode("utf-8-sig").splitlines()
    line = lines[mark.line] if mark is not None and mark.line < len(lines) else ""
    if _LADDER.match(line):
        return ": write '[1, 2]*D' in quotes"
    return ": is the line indented as it should be?" if _INDENTED_KEY.match(line) else ""


def _place(mark: yaml.Mark | None) -> Place | None:
    return None if mark is None else Place(mark.line + 1, mark.column + 1)


class _StrictLoader(yaml.SafeLoader):
    """Composes nodes only; collects tags and anchors, refuses depth."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.report: Report = []
        self.depth = self.values = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        event: Any = self.peek_event()  # type: ignore[no-untyped-call]
        place = _place(event.start_mark)
        self.values += 1
        if self.values > _MOST_VALUES:
            raise yaml.MarkedYAMLError(
                None, None, f"more than {_MOST_VALUES} values", event.start_mark
            )
        if isinstance(event, yaml.AliasEvent):
            self.get_event()  # type: ignore[no-untyped-call]
            alias: Any = event
            self.report.append((place, f"alias '*{alias.anchor}': write the value out"))
            return yaml.ScalarNode(_ALIAS, "", alias.start_mark, alias.end_mark, "'")
        if getattr(event, "anchor", None):
            self.report.append((place, f"anchor '&{event.anchor}': write the value out"))
            event.anchor = None
        if getattr(event, "tag", None) not in (None, "!"):
            self.report.append((place, f"tag {event.tag!r}: tags are not allowed"))
        self.depth += 1
        if self.depth > _MOST_DEPTH:
            raise yaml.MarkedYAMLError(
                None, None, f"nested deeper than {_MOST_DEPTH}", event.start_mark
            )
        node = super().compose_node(parent, index)
        self.depth -= 1
        return node


def _node(raw: yaml.Node, report: Report) -> Node:
    """From a node of PyYAML's to one of ours."""
    place = _place(raw.start_mark) or Place(1, 1)
    if isinstance(raw, yaml.MappingNode):
        return _mapping(raw, place, report)
    if isinstance(raw, yaml.SequenceNode):
        return Node([_node(item, report) for item in raw.value], place)
    return Node(_scalar(raw, place, report) if isinstance(raw, yaml.ScalarNode) else None, place)


def _mapping(raw: yaml.MappingNode, place: Place, report: Report) -> Node:
    values: dict[str, Node] = {}
    keys: dict[str, Place] = {}
    for raw_key, raw_value in raw.value:
        at = _place(raw_key.start_mark) or place
        if not isinstance(raw_key, yaml.ScalarNode) or raw_key.value == "<<":
            report.append((at, "a key must be a plain word"))
        elif _CONTROL.search(raw_key.value):
            report.append((at, f"key {raw_key.value[:60]!r} holds a control character"))
        elif raw_key.value in keys:
            first = keys[raw_key.value].line
            report.append((at, f"key {raw_key.value!r} is given twice (first in line {first})"))
        else:
            keys[raw_key.value] = at
            values[raw_key.value] = _node(raw_value, report)
    return Node(values, place, keys)


def _scalar(raw: yaml.ScalarNode, place: Place, report: Report) -> Any:
    text = raw.value
    if raw.tag == _ALIAS:
        return REFUSED
    if _CONTROL.search(text):
        report.append((place, f"{text[:60]!r} holds a control character"))
        return REFUSED
    if raw.style is not None:
        return text
    if text in _NULL:
        return None
    if text in _BOOL:
        return _BOOL[text]
    if _INTEGER.fullmatch(text):
        return int(text) if len(text) < 400 else math.inf
    if _LEADING_ZERO.fullmatch(text):
        sentence = f"{text}: some read this as octal; write it without the leading zero"
        report.append((place, sentence))
        return REFUSED
    if _FLOAT.fullmatch(text):
        return float(text)
    if _NOT_FINITE.fullmatch(text):
        report.append((place, f"{text} is no finite number"))
        return REFUSED
    return text
