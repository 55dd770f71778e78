"""Filters of functions, dimensions, instances: ``3``, ``[1, 2]``, ``range(1, 6)``, ``"1-5,7"``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from .errors import SelectionError

Selection = int | str | Iterable[int]

_PART = re.compile(r"(\d+)(?:\s*-\s*(\d+))?", re.ASCII)
_MOST = 1_000_000
_COCO_KEYS = (
    "functions", "dimensions", "instances",
    "function_indices", "dimension_indices", "instance_indices",
)  # fmt: skip


def parse_selection(
    value: Selection, allowed: Sequence[int] | None, what: str, where: str = ""
) -> tuple[int, ...]:
    """The numbers that a filter selects, in the order given, each once.

    ``allowed`` is None where every number >= 1 exists; ``what`` is selected from ``where``, for the
    message of a SelectionError.

    >>> parse_selection("1-3,7", None, "instances")
    (1, 2, 3, 7)
    """
    prefix = f"{where}: " if where else ""
    numbers = _numbers(value, what, prefix)
    if not numbers:
        raise SelectionError(f"{prefix}{what} selects nothing (got {value!r})")
    wrong = [n for n in numbers if n < 1 or (allowed is not None and n not in allowed)]
    if wrong:
        has = "any number >= 1" if allowed is None else ranges(allowed)
        raise SelectionError(f"{prefix}{what} {ranges(wrong)} not available; there is {has}")
    return tuple(dict.fromkeys(numbers))


def coco_filters(
    given: Mapping[str, Selection | None], standard: Mapping[str, tuple[int, ...]], where: str
) -> list[Selection | None]:
    """Functions, dimensions and instances, where COCO's filter texts may be among what is given.

    A text with a colon, such as ``"dimensions: 2,5 instance_indices: 1-5"``, stands for what it
    names. Indices count, from 1, in the numbers of the standard experiment.
    """
    texts = [value for value in given.values() if isinstance(value, str) and ":" in value]
    if not texts:
        return list(given.values())
    chosen: dict[str, Selection | None] = {
        key: None if isinstance(value, str) and (":" in value or not value.strip()) else value
        for key, value in given.items()
    }
    for key, numbers in (item for text in texts for item in coco_items(text, where)):
        what = key.replace("_indices", "s")
        if what not in chosen or chosen[what] is not None:
            known = ", ".join(_COCO_KEYS)
            problem = "is not understood" if what not in chosen else "is given twice"
            raise SelectionError(f"{where}: the filter {key!r} {problem}; there is {known}")
        if key.endswith("_indices"):
            places = parse_selection(numbers, range(1, len(standard[what]) + 1), key, where)
            chosen[what] = [standard[what][place - 1] for place in places]
        else:
            chosen[what] = numbers
    return list(chosen.values())


def coco_items(text: str, where: str) -> list[tuple[str, str]]:
    """Names and values of COCO's text ``"name: value name: value"``, in its order."""
    start, *parts = re.split(r"([A-Za-z_]+)\s*:", text)
    if start.strip():
        raise SelectionError(f"{where}: the filter {text[:80]!r} does not begin with 'name:'")
    return [(key, numbers.strip()) for key, numbers in zip(parts[::2], parts[1::2], strict=True)]


def _numbers(value: Selection, what: str, prefix: str) -> list[int]:
    if isinstance(value, str):
        return _from_text(value, what, prefix)
    items: Iterable[object] = value if isinstance(value, Iterable) else [value]
    numbers = []
    for item in items:
        if isinstance(item, bool) or not hasattr(item, "__index__"):
            raise SelectionError(
                f"{prefix}{what} takes integers, a list, a range or text like '1-5,7'; "
                f"got {item!r} of type {type(item).__name__}"
            )
        numbers.append(int(item.__index__()))
    return numbers


def _from_text(text: str, what: str, prefix: str) -> list[int]:
    numbers: list[int] = []
    for part in text.split(","):
        match = _PART.fullmatch(part.strip())
        if not match or len(part) > 40:
            raise SelectionError(
                f"{prefix}{what} {text[:80]!r} is not a list of numbers and ranges such as '1-5,7'"
            )
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first or last - first >= _MOST:
            raise SelectionError(f"{prefix}{what}: the range {part.strip()!r} is empty or too long")
        numbers.extend(range(first, last + 1))
    return numbers


def ranges(numbers: Iterable[int]) -> str:
    """Numbers as text, runs of three and more as ranges.

    >>> ranges([1, 2, 3, 7])
    '1-3, 7'
    """
    parts: list[list[int]] = []
    for n in sorted(set(numbers)):
        if parts and n == parts[-1][-1] + 1:
            parts[-1].append(n)
        else:
            parts.append([n])
    texts = [
        f"{run[0]}-{run[-1]}" if len(run) > 2 else ", ".join(str(n) for n in run) for run in parts
    ]
    return ", ".join(texts)
