"""Selections of numbers (functions, dimensions, instances), and COCO's filter texts.

A selection is an int, a list, a range or a text: ``3``, ``[1, 2]``, ``range(1, 6)``, ``"1-5,7"``.
COCO's filter text, such as ``"dimensions: 2,5 function_indices: 1-3"``, names what it selects;
`resolve_coco_filters` replaces it by selections.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from .errors import SelectionError

Selection = int | str | Iterable[int]

_NUMBER_OR_RANGE = re.compile(r"(\d+)(?:\s*-\s*(\d+))?", re.ASCII)
_MAX_PART_LENGTH = 40
"""Maximum number of characters of a number or range. Python refuses numbers of 4300 digits."""
_MAX_RANGE_LENGTH = 1_000_000
"""Maximum number of numbers in a range. A typing error must not fill the memory."""
_COCO_KEYS = (
    "functions", "dimensions", "instances",
    "function_indices", "dimension_indices", "instance_indices",
)  # fmt: skip


def parse_selection(
    value: Selection, allowed: Sequence[int] | None, label: str, where: str = ""
) -> tuple[int, ...]:
    """Convert a selection to the numbers that it selects, in its order, without duplicates.

    Args:
        value: An int, a list, a range, or a text such as ``"1-5,7"``.
        allowed: The numbers that exist. None: all numbers >= 1.
        label: Plural noun for the numbers in error messages, as ``"instances"``.
        where: First words of error messages, as ``"suite 'bbob'"``. Default: none.

    Raises:
        SelectionError: The selection is malformed or empty, or a number is not allowed.

    >>> parse_selection("1-3,7", None, "instances")
    (1, 2, 3, 7)
    """
    prefix = f"{where}: " if where else ""
    numbers = _parse_numbers(value, label, prefix)
    if not numbers:
        raise SelectionError(f"{prefix}{label} selects nothing (got {value!r})")
    invalid = [n for n in numbers if n < 1 or (allowed is not None and n not in allowed)]
    if invalid:
        available = "any number >= 1" if allowed is None else ranges(allowed)
        raise SelectionError(
            f"{prefix}{label} {ranges(invalid)} not available; there is {available}"
        )
    return tuple(dict.fromkeys(numbers))


def resolve_coco_filters(
    selections: Mapping[str, Selection | None],
    standard: Mapping[str, tuple[int, ...]],
    where: str,
) -> dict[str, Selection | None]:
    """Replace COCO's filter texts among selections by the selections that they name.

    A filter text is a text with a colon, such as ``"dimensions: 2,5 instance_indices: 1-5"``. It
    may stand under any key. Indices select from the numbers of the standard experiment, from 1 on.

    Args:
        selections: Selections and filter texts under the keys ``"functions"``, ``"dimensions"`` and
            ``"instances"``; None selects the standard experiment.
        standard: Numbers of the standard experiment, under the same keys.
        where: First words of error messages, as ``"suite 'bbob'"``.

    Returns:
        A selection or None under each of the same keys, in the same order.

    Raises:
        SelectionError: A filter text is malformed, or selects what is selected already.
    """
    texts = [value for value in selections.values() if isinstance(value, str) and ":" in value]
    if not texts:
        return dict(selections)
    resolved: dict[str, Selection | None] = {
        key: None if isinstance(value, str) and (":" in value or not value.strip()) else value
        for key, value in selections.items()
    }
    for coco_key, numbers in (item for text in texts for item in coco_items(text, where)):
        key = coco_key.replace("_indices", "s")
        if key not in resolved or resolved[key] is not None:
            fault = "is not understood" if key not in resolved else "is given twice"
            raise SelectionError(
                f"{where}: the filter {coco_key!r} {fault}; there is {', '.join(_COCO_KEYS)}"
            )
        if coco_key.endswith("_indices"):
            allowed_indices = range(1, len(standard[key]) + 1)
            indices = parse_selection(numbers, allowed_indices, coco_key, where)
            resolved[key] = [standard[key][index - 1] for index in indices]
        else:
            resolved[key] = numbers
    return resolved


def coco_items(text: str, where: str) -> list[tuple[str, str]]:
    """Split COCO's filter text ``"name: value name: value"`` into pairs of name and value.

    Args:
        text: The filter text.
        where: First words of the error message, as ``"suite 'bbob'"``.

    Raises:
        SelectionError: The text does not begin with a name and a colon.
    """
    start, *parts = re.split(r"([A-Za-z_]+)\s*:", text)
    if start.strip():
        raise SelectionError(f"{where}: the filter {text[:80]!r} does not begin with 'name:'")
    return [(name, value.strip()) for name, value in zip(parts[::2], parts[1::2], strict=True)]


def ranges(numbers: Iterable[int]) -> str:
    """Convert numbers to text in ascending order, with three or more in a row as a range.

    >>> ranges([1, 2, 3, 7])
    '1-3, 7'
    """
    rows: list[list[int]] = []  # each row has consecutive numbers
    for number in sorted(set(numbers)):
        if rows and number == rows[-1][-1] + 1:
            rows[-1].append(number)
        else:
            rows.append([number])
    texts = [f"{row[0]}-{row[-1]}" if len(row) > 2 else ", ".join(map(str, row)) for row in rows]
    return ", ".join(texts)


def _parse_numbers(value: Selection, label: str, prefix: str) -> list[int]:
    """Return the numbers of a selection in its order; raise SelectionError if it is malformed.

    Args:
        value: The selection.
        label: Plural noun for the numbers in the error message.
        prefix: First words of the error message, with a colon and a space; may be empty.
    """
    if isinstance(value, str):
        return _parse_text(value, label, prefix)
    items: Iterable[object] = value if isinstance(value, Iterable) else [value]
    numbers = []
    for item in items:
        if isinstance(item, bool) or not hasattr(item, "__index__"):
            raise SelectionError(
                f"{prefix}{label} takes integers, a list, a range or text like '1-5,7'; "
                f"got {item!r} of type {type(item).__name__}"
            )
        numbers.append(int(item.__index__()))
    return numbers


def _parse_text(text: str, label: str, prefix: str) -> list[int]:
    """Return the numbers of a text such as ``"1-5,7"``; see `_parse_numbers`."""
    numbers: list[int] = []
    for part in text.split(","):
        match = _NUMBER_OR_RANGE.fullmatch(part.strip())
        if not match or len(part) > _MAX_PART_LENGTH:
            raise SelectionError(
                f"{prefix}{label} {text[:80]!r} is not a list of numbers and ranges such as '1-5,7'"
            )
        start, end = int(match[1]), int(match[2] or match[1])
        if end < start or end - start >= _MAX_RANGE_LENGTH:
            raise SelectionError(
                f"{prefix}{label}: the range {part.strip()!r} is empty or too long"
            )
        numbers.extend(range(start, end + 1))
    return numbers
