"""Read the sections of a campaign file that contain lists of mappings: suites and optimizers.

`read_suites` and `read_optimizers` read the sections without importing optimizers.
`check_optimizers` imports and checks the optimizers. These functions add the errors of the file to
an `ErrorList` and continue, so that the user sees all errors at once.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ...loggers.records.identity import check_name
from ...suites import FirsthitError
from ...suites.errors import unknown_name
from ...suites.suite import definition
from ...suites.texts import shorten_words
from ..errors import CampaignError, OptimizerError
from ..optimizers.resolve import OptimizerRef
from . import fields
from .campaign import RunRules, SuiteChoice
from .checks import check_call, check_problems, check_restarts, first_problems
from .fields import InvalidValue, Read
from .keys import FILTERS, OPTIMIZER_KEYS, SUITE_KEYS
from .yaml_tree import Node, Position

_MAX_ERRORS = 100
"""Maximum number of errors that are shown. The others are only counted."""
_MAX_COMBINATIONS = 1000
"""Maximum number of algorithms that one entry with a grid of parameters describes."""


class ErrorList:
    """The errors of a campaign file, and of the options that replace some of its values.

    Args:
        label: Name of the file in messages.
    """

    def __init__(self, label: str) -> None:
        self.label = label
        self._errors: list[tuple[int, int, str]] = []  # line, column, message

    def add(self, message: str, position: Position | None, source: str | None = None) -> None:
        """Add an error.

        Args:
            message: Text of the error. Words of more than 200 characters are shortened.
            position: Position of the error in the file. None: the error has no position.
            source: Beginning of the message if ``position`` is None, for example the name of an
                option. None: the name of the file.
        """
        message = shorten_words(message)
        if position is not None:
            text = f"{self.label}:{position.line}:{position.column}: {message}"
            self._errors.append((position.line, position.column, text))
        else:
            self._errors.append((0, 0, f"{source or self.label}: {message}"))

    def add_at(self, message: object, nodes: Mapping[str, Node], *keys: str) -> None:
        """Add an error at the position of a key.

        Args:
            message: Text of the error, or an exception.
            nodes: Nodes of the campaign file by key; options have replaced some of them.
            *keys: Keys that the error may concern. The first one that is in ``nodes`` is used. At
                least one must be there.
        """
        key = next(key for key in keys if key in nodes)
        self.add(str(message), nodes[key].position, f"option --{key}")

    def read_value(self, read: Read[Any], node: Node | None, label: str, default: Any) -> Any:
        """Read a value, and add an error if it is invalid.

        Args:
            read: Function that reads the value.
            node: Node of the value. None: the file does not contain the value.
            label: Key of the value.
            default: Result if there is no node, or if the value is invalid.

        Returns:
            The value, or the default.
        """
        if node is None or node.is_refused:
            return default
        try:
            return read(node, label)
        except InvalidValue as error:
            self.add(str(error), error.position, f"option --{label.replace('_', '-')}")
            return default

    def add_unknown_keys(self, node: Node, allowed: Sequence[str], prefix: str) -> None:
        """Add an error for each key of a mapping that is not allowed.

        Args:
            node: Node of the mapping.
            allowed: Allowed keys.
            prefix: Beginning of the messages, such as ``"in suites: "``.
        """
        for key in node.value:
            if key not in allowed:
                message = unknown_name("key", key, allowed)
                self.add(f"{prefix}{message}", node.keys.get(key, node.position))

    def raise_if_any(self) -> None:
        """Raise CampaignError if there are errors. It lists them in the order of the file."""
        texts = [text for _, _, text in sorted(self._errors)]
        if len(texts) > _MAX_ERRORS:
            n_more = len(texts) - _MAX_ERRORS
            texts[_MAX_ERRORS:] = [f"{self.label}: and {n_more} problems more"]
        if texts:
            raise CampaignError(texts)


def read_suites(nodes: Mapping[str, Node], errors: ErrorList) -> tuple[SuiteChoice, ...]:
    """Read the suites of a campaign.

    A campaign file has either the key ``suites``, a list, or the key ``suite`` and filters, such as
    ``functions``, at its top level.

    Args:
        nodes: Nodes of the campaign file, by key.
        errors: Errors are added here.

    Returns:
        The suites whose entries are valid. Empty if both keys are missing.
    """
    listed = nodes.get("suites")
    if listed is None:
        return _read_suite(nodes, errors) if "suite" in nodes else ()
    for key in ("suite", *FILTERS):
        if key in nodes:
            message = f"key {key!r} cannot stand beside 'suites'; write it into the entries"
            errors.add_at(message, nodes, key)
    choices: list[SuiteChoice] = []
    for entry in errors.read_value(fields.entries, listed, "suites", []):
        if isinstance(entry.value, str):
            choices += _read_suite({"suite": entry}, errors)
        elif _check_entry(entry, "suites", "a name", "name", tuple(SUITE_KEYS), errors):
            choices += _read_suite({**entry.value, "suite": entry.value["name"]}, errors)
    return tuple(choices)


def _check_entry(
    entry: Node,
    section: str,
    short_form: str,
    required: str,
    allowed: Sequence[str],
    errors: ErrorList,
) -> bool:
    """Check that an entry of a section is a mapping with a required key, and add its errors.

    Args:
        entry: Node of the entry.
        section: Key of the section, for the messages.
        short_form: Description of an entry that is not a mapping, such as ``"a name"``.
        required: Key that the entry must have.
        allowed: Keys that the entry may have.
        errors: Errors are added here.

    Returns:
        Whether the entry is a mapping with the required key. It may have other keys that are not
        allowed.
    """
    if not isinstance(entry.value, dict):
        value = fields.shown_value(entry)
        message = f"an entry of {section} is {short_form} or a mapping; {value}"
        errors.add(message, entry.position)
        return False
    errors.add_unknown_keys(entry, allowed, f"in {section}: ")
    if required not in entry.value:
        errors.add(f"in {section}: key {required!r} is missing", entry.position)
    return required in entry.value


def _read_suite(nodes: Mapping[str, Node], errors: ErrorList) -> tuple[SuiteChoice, ...]:
    """Read a suite with its filters.

    Args:
        nodes: Nodes with the keys ``suite`` (the name), ``functions``, ``dimensions`` and
            ``instances``.
        errors: Errors are added here.

    Returns:
        The suite. Empty if the name is not a text.
    """
    name = errors.read_value(fields.text, nodes["suite"], "suite", "")
    if not name:
        return ()
    allowed_by_filter: tuple[Sequence[int] | None, ...] = (None, None, None)
    try:
        suite = definition(name)
        allowed_by_filter = (suite.functions, suite.valid_dimensions, suite.valid_instances)
    except FirsthitError as error:
        hint = "A suite of your own needs the file that registers it under 'imports'."
        errors.add_at(f"{error} {hint}", nodes, "suite")
    selections = [
        errors.read_value(fields.selection(allowed, f"suite {name!r}"), nodes.get(key), key, None)
        for key, allowed in zip(FILTERS, allowed_by_filter, strict=True)
    ]
    return (SuiteChoice(name, *selections),)


class OptimizerEntry(NamedTuple):
    """An optimizer of a campaign file, with the node that describes it.

    Attributes:
        ref: The optimizer.
        node: Entry of the list of optimizers. Several optimizers share it if its parameters are a
            grid.
        is_first: Whether this is the first optimizer of its entry.
    """

    ref: OptimizerRef
    node: Node
    is_first: bool

    @property
    def position(self) -> Position | None:
        """Position of the key ``use`` of the entry in the file."""
        return self.part("use").position

    def part(self, key: str) -> Node:
        """Return the node of a key of the entry. Without this key, return the entry itself."""
        mapping = self.node.value if isinstance(self.node.value, dict) else {}
        part: Node = mapping.get(key, self.node)
        return part


def read_optimizers(node: Node | None, folder: str, errors: ErrorList) -> list[OptimizerEntry]:
    """Read the key ``optimizers``: a list of references and of mappings with the key ``use``.

    If the value of a parameter is a list, the parameters are a grid: each combination of values is
    a separate algorithm. No optimizer is imported; `check_optimizers` does so.

    Args:
        node: Node of the key. None: the key is missing.
        folder: Folder of the campaign file, to which paths are relative.
        errors: Errors are added here.

    Returns:
        The optimizers whose entries are valid.
    """
    optimizers: list[OptimizerEntry] = []
    names: set[str] = set()
    for item in errors.read_value(fields.entries, node, "optimizers", []):
        for number, ref in enumerate(_read_entry(item, folder, errors)):
            entry = OptimizerEntry(ref, item, is_first=number == 0)
            if ref.name in names:
                message = f"two optimizers are called {ref.name!r}; give one another 'name'"
                errors.add(message, entry.position)
            try:
                check_name(ref.name, "name")
            except FirsthitError as error:
                errors.add(str(error), entry.position)
                # All names of a grid begin with the same text, which is usually the error.
                # Therefore only one of them is reported.
                break
            names.add(ref.name)
            optimizers.append(entry)
    return optimizers


def check_optimizers(
    entries: Sequence[OptimizerEntry],
    rules: RunRules,
    suites: Sequence[SuiteChoice],
    errors: ErrorList,
) -> None:
    """Import the optimizers, and add an error for each that cannot optimize these suites.

    Args:
        entries: The optimizers.
        rules: Budget, restarts and time limit of the runs.
        suites: Suites of the campaign.
        errors: Errors are added here.
    """
    problems = first_problems(suites)
    for entry in entries:
        try:
            if entry.is_first:  # the other algorithms of a grid call the same function
                check_call(entry.ref, rules)
            check_problems(entry.ref, problems)
        except OptimizerError as error:
            positions = entry.part("parameters").keys
            errors.add(str(error), positions.get(error.parameter or "", entry.position))
        try:
            check_restarts(entry.ref, rules)
        except OptimizerError as error:
            errors.add(str(error), entry.part("restarts").position)


def _read_entry(entry: Node, folder: str, errors: ErrorList) -> Iterator[OptimizerRef]:
    """Yield the optimizers of one entry; there are several if its parameters are a grid."""
    if isinstance(entry.value, str):
        yield OptimizerRef(entry.value, entry.value, folder=folder)
        return
    if not _check_entry(entry, "optimizers", "a reference", "use", tuple(OPTIMIZER_KEYS), errors):
        return
    use = errors.read_value(fields.text, entry.value["use"], "use", "")
    name = errors.read_value(fields.name, entry.value.get("name"), "name", "") or use
    restarts = errors.read_value(fields.restarts, entry.value.get("restarts"), "restarts", None)
    if use:
        for suffix, parameters in _expand_grid(entry.value.get("parameters"), errors):
            yield OptimizerRef(f"{name}{suffix}", use, parameters, restarts, folder)


class _Combination(NamedTuple):
    """One combination of the values in a grid of parameters.

    Attributes:
        name_suffix: End of the algorithm's name, such as ``"[popsize=10]"``. Empty if the
            parameters are not a grid.
        parameters: All parameters of the algorithm.
    """

    name_suffix: str
    parameters: dict[str, Any]


def _expand_grid(node: Node | None, errors: ErrorList) -> list[_Combination]:
    """Return all combinations of the values in a grid of parameters.

    Args:
        node: Node of the key ``parameters``. None: the key is missing.
        errors: Errors are added here.
    """
    if node is None or node.value is None or node.is_refused:
        return [_Combination("", {})]
    if not isinstance(node.value, dict):
        errors.add(f"parameters must be a mapping; {fields.shown_value(node)}", node.position)
        return [_Combination("", {})]
    parameters = node.plain()
    grid = {key: value for key, value in parameters.items() if isinstance(value, list)}
    for key in [key for key, values in grid.items() if not values]:
        errors.add(f"parameter {key!r} has an empty list of values", node.value[key].position)
        grid[key] = [None]
    # The combinations are counted before they are made, because they may fill the memory.
    n_combinations = math.prod(len(values) for values in grid.values())
    if n_combinations > _MAX_COMBINATIONS:
        message = f"the grid has {n_combinations} combinations; at most {_MAX_COMBINATIONS} are run"
        errors.add(message, node.position)
        return []
    points = [dict(zip(grid, values, strict=True)) for values in itertools.product(*grid.values())]
    return [_Combination(_format_suffix(point), {**parameters, **point}) for point in points]


def _format_suffix(point: Mapping[str, Any]) -> str:
    """Return the values of one point of a grid as ``[NAME=VALUE,...]``; ``""`` without a grid."""
    texts = [
        f"{key}={value if isinstance(value, str) else json.dumps(value)}"
        for key, value in point.items()
    ]
    return f"[{','.join(texts)}]" if texts else ""
