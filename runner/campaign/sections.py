"""The sections of a campaign file that have a structure of their own: imports, suites, optimizers.

Everything wrong is collected in an ``ErrorList``, so that a user sees all of it at once.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...loggers.records.identity import check_name
from ...suites import FirsthitError
from ...suites.errors import unknown_name
from ...suites.suite import definition
from ..errors import CampaignError, OptimizerError
from ..optimizers.resolve import OptimizerRef
from . import fields
from .campaign import RunRules, SuiteChoice
from .checks import check_call, check_problems, check_restarts, first_problems
from .fields import Read, Wrong
from .keys import FILTERS, OPTIMIZER_KEYS, SUITE_KEYS
from .yaml_tree import Node, Place

_MAX_PROBLEMS = 100
_MOST_VARIANTS = 1000


class ErrorList:
    """What is wrong with one file, with the place where each error stands."""

    def __init__(self, label: str) -> None:
        self.label = label
        self._found: list[tuple[int, int, str]] = []

    def add(self, sentence: str, place: Place | None, where: str | None = None) -> None:
        """Note one error; ``where`` stands in for a place that is not in the file."""
        if place is not None:
            text = f"{self.label}:{place.line}:{place.column}: {sentence}"
            self._found.append((place.line, place.column, text))
        else:
            self._found.append((0, 0, f"{where or self.label}: {sentence}"))

    def add_at(self, sentence: object, nodes: Mapping[str, Node], *keys: str) -> None:
        """Note an error at the first of these keys that is given."""
        key = next(key for key in keys if key in nodes)
        self.add(str(sentence), nodes[key].place, f"option --{key}")

    def value(self, read: Read[Any], node: Node | None, what: str, default: Any) -> Any:
        """The value of a node; ``default`` without one, or where it is wrong, which is noted."""
        if node is None or node.is_refused:
            return default
        try:
            return read(node, what)
        except Wrong as wrong:
            self.add(str(wrong), wrong.place, f"option --{what.replace('_', '-')}")
            return default

    def unknown_keys(self, node: Node, known: Sequence[str], what: str) -> None:
        """Note each key of a mapping that is not known."""
        for key in node.value:
            if key not in known:
                sentence = unknown_name("key", key, known)
                self.add(f"{what}{sentence}", node.keys.get(key, node.place))

    def raise_if_any(self) -> None:
        """Raise CampaignError with all errors, in the order of the file."""
        texts = [text for _, _, text in sorted(self._found)]
        if len(texts) > _MAX_PROBLEMS:
            texts[_MAX_PROBLEMS:] = [
                f"{self.label}: and {len(texts) - _MAX_PROBLEMS} problems more"
            ]
        if texts:
            raise CampaignError(texts)


def read_suites(nodes: Mapping[str, Node], errors: ErrorList) -> tuple[SuiteChoice, ...]:
    """The suites under ``suites``, or the one under ``suite`` with the filters beside it."""
    listed = nodes.get("suites")
    if listed is None:
        return _suite(nodes, errors) if "suite" in nodes else ()
    for key in ("suite", *FILTERS):
        if key in nodes:
            sentence = f"key {key!r} cannot stand beside 'suites'; write it into the entries"
            errors.add_at(sentence, nodes, key)
    found: list[SuiteChoice] = []
    for entry in errors.value(fields.entries, listed, "suites", []):
        if isinstance(entry.value, str):
            found += _suite({"suite": entry}, errors)
        elif _is_mapping(entry, "suites", "a name", "name", tuple(SUITE_KEYS), errors):
            found += _suite({**entry.value, "suite": entry.value["name"]}, errors)
    return tuple(found)


def _is_mapping(
    entry: Node, what: str, form: str, needed: str, known: Sequence[str], errors: ErrorList
) -> bool:
    """Whether an entry of a list is a mapping with the key that it needs; notes what is wrong."""
    if not isinstance(entry.value, dict):
        sentence = f"an entry of {what} is {form} or a mapping; {fields.came(entry)}"
        errors.add(sentence, entry.place)
        return False
    errors.unknown_keys(entry, known, f"in {what}: ")
    if needed not in entry.value:
        errors.add(f"in {what}: key {needed!r} is missing", entry.place)
    return needed in entry.value


def _suite(nodes: Mapping[str, Node], errors: ErrorList) -> tuple[SuiteChoice, ...]:
    name = errors.value(fields.text, nodes["suite"], "suite", "")
    if not name:
        return ()
    allowed: tuple[Sequence[int] | None, ...] = (None, None, None)
    try:
        suite = definition(name)
        allowed = (suite.functions, suite.valid_dimensions, suite.valid_instances)
    except FirsthitError as error:
        own = "A suite of your own needs the file that registers it under 'imports'."
        errors.add_at(f"{error} {own}", nodes, "suite")
    chosen = [
        errors.value(fields.selection(there_are, f"suite {name!r}"), nodes.get(key), key, None)
        for key, there_are in zip(FILTERS, allowed, strict=True)
    ]
    return (SuiteChoice(name, *chosen),)


def read_optimizers(
    node: Node | None,
    folder: str,
    rules: RunRules | None,
    suites: Sequence[SuiteChoice],
    errors: ErrorList,
) -> tuple[OptimizerRef, ...]:
    """The optimizers: each a reference, or a mapping with ``use``; lists in parameters are grids.

    Without ``rules`` they are neither imported nor tried.
    """
    found: dict[str, OptimizerRef] = {}
    problems = first_problems(suites)
    for entry in errors.value(fields.entries, node, "optimizers", []):
        mapping: dict[str, Node] = entry.value if isinstance(entry.value, dict) else {}
        place = mapping.get("use", entry).place
        for number, ref in enumerate(_entry(entry, folder, errors)):
            if ref.name in found:
                sentence = f"two optimizers are called {ref.name!r}; give one another 'name'"
                errors.add(sentence, place)
            try:
                check_name(ref.name, "name")
            except FirsthitError as error:
                errors.add(str(error), place)
                break
            found[ref.name] = ref
            if rules is None:
                continue
            try:
                if number == 0:
                    check_call(ref, rules)
                check_problems(ref, problems)
            except OptimizerError as error:
                parameters = mapping.get("parameters", entry)
                errors.add(str(error), parameters.keys.get(error.parameter or "", place))
            try:
                check_restarts(ref, rules)
            except OptimizerError as error:
                errors.add(str(error), mapping.get("restarts", entry).place)
    return tuple(found.values())


def _entry(entry: Node, folder: str, errors: ErrorList) -> Iterator[OptimizerRef]:
    if isinstance(entry.value, str):
        yield OptimizerRef(entry.value, entry.value, folder=folder)
        return
    if not _is_mapping(entry, "optimizers", "a reference", "use", tuple(OPTIMIZER_KEYS), errors):
        return
    use = errors.value(fields.text, entry.value["use"], "use", "")
    name = errors.value(fields.name, entry.value.get("name"), "name", "") or use
    restarts = errors.value(fields.restarts, entry.value.get("restarts"), "restarts", None)
    if use:
        for suffix, parameters in _variants(entry.value.get("parameters"), errors):
            yield OptimizerRef(f"{name}{suffix}", use, parameters, restarts, folder)


def _variants(node: Node | None, errors: ErrorList) -> list[tuple[str, dict[str, Any]]]:
    """Every combination of the grid, with the suffix of its name: ``[popsize=10]``."""
    if node is None or node.value is None or node.is_refused:
        return [("", {})]
    if not isinstance(node.value, dict):
        errors.add(f"parameters must be a mapping; {fields.came(node)}", node.place)
        return [("", {})]
    plain = node.plain()
    grid = {key: value for key, value in plain.items() if isinstance(value, list)}
    for key in [key for key, values in grid.items() if not values]:
        errors.add(f"parameter {key!r} has an empty list of values", node.value[key].place)
        grid[key] = [None]
    count = math.prod(len(values) for values in grid.values())
    if count > _MOST_VARIANTS:
        sentence = f"the grid has {count} combinations; at most {_MOST_VARIANTS} are run"
        errors.add(sentence, node.place)
        return []
    points = [dict(zip(grid, values, strict=True)) for values in itertools.product(*grid.values())]
    return [(_suffix(point), {**plain, **point}) for point in points]


def _suffix(values: Mapping[str, Any]) -> str:
    texts = [f"{key}={v if isinstance(v, str) else json.dumps(v)}" for key, v in values.items()]
    return f"[{','.join(texts)}]" if texts else ""
