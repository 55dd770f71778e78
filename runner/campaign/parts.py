"""The parts of a campaign file that have a structure of their own: imports, suites, optimizers."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...loggers.records.identity import check_name
from ...suites import FirsthitError, definition
from ..errors import OptimizerError
from ..optimizers.import_string import import_text
from ..optimizers.resolve import OptimizerRef, resolve_optimizer
from . import fields
from .campaign import SuiteChoice
from .keys import FILTERS, OPTIMIZER_KEYS, SUITE_KEYS
from .restarts import RestartScheme, scheme_of
from .yaml_tree import Node, Place

if TYPE_CHECKING:
    from .file import Report

_MOST_VARIANTS = 1000


def import_all(texts: tuple[str, ...], folder: str, node: Node | None, report: Report) -> None:
    """Import what stands under ``imports``."""
    for number, text in enumerate(texts):
        try:
            import_text(text, folder)
        except FirsthitError as error:
            places = node.value if node and isinstance(node.value, list) else []
            report.add(str(error), places[number].place if number < len(places) else None)


def read_suites(nodes: Mapping[str, Node], report: Report) -> tuple[SuiteChoice, ...]:
    """The suites under ``suites``, or the one under ``suite`` with the filters beside it."""
    listed = nodes.get("suites")
    if listed is None:
        return _one_suite(nodes, report) if "suite" in nodes else ()
    for key in ("suite", *FILTERS):
        if key in nodes:
            sentence = f"key {key!r} cannot stand beside 'suites'; write it into the entries"
            report.add(sentence, nodes[key].place, f"option --{key}")
    if not isinstance(listed.value, list) or not listed.value:
        report.add(
            f"suites must be a list with at least one entry; {fields.came(listed)}", listed.place
        )
        return ()
    return tuple(choice for entry in listed.value for choice in _listed_suite(entry, report))


def _listed_suite(entry: Node, report: Report) -> tuple[SuiteChoice, ...]:
    if isinstance(entry.value, str):
        return _one_suite({"suite": entry}, report)
    if not isinstance(entry.value, dict):
        report.add(f"an entry of suites is a name or a mapping; {fields.came(entry)}", entry.place)
        return ()
    report.unknown_keys(entry, tuple(SUITE_KEYS), "in suites: ")
    if "name" not in entry.value:
        report.add("in suites: key 'name' is missing", entry.place)
        return ()
    filters = {key: node for key, node in entry.value.items() if key in FILTERS}
    return _one_suite({"suite": entry.value["name"], **filters}, report)


def _one_suite(nodes: Mapping[str, Node], report: Report) -> tuple[SuiteChoice, ...]:
    node = nodes["suite"]
    name = report.convert(fields.text, node, "suite")
    if name is None:
        return ()
    allowed: tuple[Sequence[int] | None, ...] = (None, None, None)
    try:
        suite = definition(name)
        allowed = (suite.functions, suite.valid_dimensions, suite.valid_instances)
    except FirsthitError as error:
        report.add(str(error), node.place, "option --suite")
    chosen = [
        report.convert(fields.selection(there_are, f"suite {name!r}"), nodes[key], key)
        if key in nodes
        else None
        for key, there_are in zip(FILTERS, allowed, strict=True)
    ]
    return (SuiteChoice(name, *chosen),)


@dataclass(frozen=True, slots=True)
class Ends:
    """What ends runs, as far as the whole campaign says.

    Attributes:
        has_budget: A budget does.
        has_timeout: A time limit does.
        restarts: How often they are restarted.
    """

    has_budget: bool
    has_timeout: bool
    restarts: RestartScheme | int | None


def read_optimizers(
    node: Node | None, folder: str, ends: Ends | None, report: Report
) -> tuple[OptimizerRef, ...]:
    """The optimizers: each a reference, or a mapping with ``use``; lists in parameters are grids.

    Args:
        node: What stands under ``optimizers``.
        folder: What relative paths are relative to.
        ends: What ends runs; None: optimizers are neither imported nor tried.
        report: Takes the problems.
    """
    if node is None or node.is_refused:
        return ()
    if not isinstance(node.value, list) or not node.value:
        report.add(
            f"optimizers must be a list with at least one entry; {fields.came(node)}", node.place
        )
        return ()
    found: dict[str, OptimizerRef] = {}
    for entry in node.value:
        place = entry.place
        for number, ref in enumerate(_entry(entry, folder, report)):
            if isinstance(entry.value, dict):
                place = entry.value["use"].place
            if ref.name in found:
                sentence = f"two optimizers are called {ref.name!r}; give one another 'name'"
                report.add(sentence, place)
            if not _is_name(ref.name, place, report):
                break
            found[ref.name] = ref
            if ends is None:
                continue
            if number == 0:
                _try(ref, entry, place, ends, report)
            _try_restarts(ref, entry, ends, report)
    return tuple(found.values())


def _entry(entry: Node, folder: str, report: Report) -> Iterator[OptimizerRef]:
    if isinstance(entry.value, str):
        yield OptimizerRef(entry.value, entry.value, folder=folder)
        return
    if not isinstance(entry.value, dict):
        sentence = f"an entry of optimizers is a reference or a mapping; {fields.came(entry)}"
        report.add(sentence, entry.place)
        return
    report.unknown_keys(entry, tuple(OPTIMIZER_KEYS), "in optimizers: ")
    if "use" not in entry.value:
        report.add("in optimizers: key 'use' is missing", entry.place)
        return
    use = report.convert(fields.text, entry.value["use"], "use")
    name = _name(entry.value.get("name"), report) or use
    restarts = None
    if "restarts" in entry.value:
        restarts = report.convert(fields.restarts, entry.value["restarts"], "restarts")
    if use is None:
        return
    for suffix, parameters in _variants(entry.value.get("parameters"), report):
        yield OptimizerRef(f"{name}{suffix}", use, parameters, restarts, folder)


def _name(node: Node | None, report: Report) -> str | None:
    name: str | None = None if node is None else report.convert(fields.text, node, "name")
    return name if name and _is_name(name, node.place if node else None, report) else None


def _is_name(name: str, place: Place | None, report: Report) -> bool:
    try:
        check_name(name, "name")
    except FirsthitError as error:
        report.add(str(error), place)
        return False
    return True


def _variants(node: Node | None, report: Report) -> list[tuple[str, dict[str, Any]]]:
    """Every combination of the grid, with what tells it apart: ``[popsize=10]``."""
    if node is None or node.value is None or node.is_refused:
        return [("", {})]
    if not isinstance(node.value, dict):
        report.add(f"parameters must be a mapping; {fields.came(node)}", node.place)
        return [("", {})]
    plain = node.plain()
    grid = {key: value for key, value in plain.items() if isinstance(value, list)}
    for key in [key for key, values in grid.items() if not values]:
        report.add(f"parameter {key!r} has an empty list of values", node.value[key].place)
        grid[key] = [None]
    sizes = [len(values) for values in grid.values()]
    if _product(sizes) > _MOST_VARIANTS:
        sentence = f"the grid has {_product(sizes)} combinations; at most {_MOST_VARIANTS} are run"
        report.add(sentence, node.place)
        return []
    points = [dict(zip(grid, values, strict=True)) for values in itertools.product(*grid.values())]
    return [(_suffix(point), {**plain, **point}) for point in points]


def _product(sizes: list[int]) -> int:
    product = 1
    for size in sizes:
        product *= size
    return product


def _suffix(values: Mapping[str, Any]) -> str:
    texts = [f"{key}={v if isinstance(v, str) else json.dumps(v)}" for key, v in values.items()]
    return f"[{','.join(texts)}]" if texts else ""


def _try_restarts(ref: OptimizerRef, entry: Node, ends: Ends, report: Report) -> None:
    own = entry.value.get("restarts") if isinstance(entry.value, dict) else None
    scheme = scheme_of(ends.restarts if own is None else ref.restarts)
    try:
        scheme.check(ref.name, ref.parameters, ends.has_budget)
    except OptimizerError as error:
        report.add(str(error), (own or entry).place)


def _try(ref: OptimizerRef, entry: Node, place: Place | None, ends: Ends, report: Report) -> None:
    try:
        optimizer = resolve_optimizer(ref)
    except OptimizerError as error:
        parameters = entry.value.get("parameters") if isinstance(entry.value, dict) else None
        at = (
            parameters.keys.get(error.parameter, place) if parameters and error.parameter else place
        )
        report.add(str(error), at)
        return
    if optimizer.needs_budget and not (ends.has_budget or ends.has_timeout):
        report.add(f"optimizer {ref.name!r} never ends by itself; give a budget", place)
