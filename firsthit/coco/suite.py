"""Provide ``cocoex.Suite``: the problems of a suite in COCO's order, with its filters and years.

`_select_problems` parses the two texts of a `Suite`, and returns the positions and identities of
its problems. A problem is created when it is requested.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from functools import cached_property

from ..suites.errors import SelectionError
from ..suites.facts import ProblemId
from ..suites.selection import coco_items, parse_selection
from ..suites.suite import SuiteDefinition, definition, suite_names
from .exceptions import EmptySelectionException, NoSuchProblemException, NoSuchSuiteException
from .observer import Observer
from .problem import Problem

known_suite_names = [
    "bbob", "bbob-biobj", "bbob-biobj-ext", "bbob-boxed", "bbob-constrained", "bbob-largescale",
    "bbob-mixint", "bbob-biobj-mixint", "bbob-noisy",
]  # fmt: skip
"""COCO's suites; `Suite` accepts the names of all other registered suites, too.

Example:
    >>> from firsthit import coco as cocoex
    >>> "bbob-mixint" in cocoex.known_suite_names
    True
"""

_FIRST_YEAR = 2009
_YEARS = {
    "bbob": {
        2009: "1-5,1-5,1-5", 2010: "1-15", 2012: "1-5,21-30", 2013: "1-5,31-40",
        2015: "1-5,41-50", 2016: "1-5,51-60", 2017: "1-5,61-70", 2018: "1-5,71-80",
        2021: "1-5,91-100", 2023: "1-5,101-110",
    },
    "bbob-biobj": {2009: "1-15", 2016: "1-10", 2017: "1-15"},
    "bbob-biobj-ext": {2009: "1-15", 2016: "1-10", 2017: "1-15"},
    "bbob-boxed": {2023: "1-5,101-110"},
}  # fmt: skip
"""Instances of suites that depend on the year: suite to first year to instances.

The instances of a year are used until the next year in the mapping.
"""
_YEAR_ZERO = {"bbob": "1-5,51-60", "bbob-biobj": "1-10", "bbob-biobj-ext": "1-10"}
"""Instances of ``"year: 0000"``, which cocoex accepts; 1 to 15 for suites that are not listed."""


class Suite:
    """Problems of a suite, ordered by dimension, then function, then instance.

    An iteration over the suite returns all problems. As with ``cocoex``, each problem is freed when
    the next one is requested. The suite does not free problems that ``get_problem`` returned.

    Args:
        suite_name: ``"bbob"``, or another name that ``firsthit suites`` lists.
        suite_instance: ``"instances: 1-5,71-80"``, ``"year: 2009"``, or ``"year: 0000"`` for the
            instances that cocoex takes for it (those of 2016 on bbob). An instance may occur
            several times. ``""`` or None: the instances of the standard experiment.
        suite_options: ``"dimensions: 2,5 function_indices: 1-3 instance_indices: 1-5"``. The filter
            ``dimension_indices`` exists, too. Indices are counted from 1. ``""`` or None: all
            problems.

    Attributes:
        name: The name of the suite.
        instance: The text ``suite_instance``.
        options: The text ``suite_options``.
        current_index: Position of the last problem that ``next_problem`` returned. None before the
            first problem.
        current_problem: The last problem that ``next_problem`` returned; None before the first
            and after the last problem.

    Raises:
        NoSuchSuiteException: No suite has this name.
        EmptySelectionException: A filter is invalid, or selects nothing of the suite. It is a
            NoSuchSuiteException, as in ``cocoex``, and a SelectionError.

    Example:
        >>> from firsthit import coco as cocoex
        >>> suite = cocoex.Suite("bbob", "instances: 1", "dimensions: 2 function_indices: 1,2")
        >>> [problem.id for problem in suite]
        ['bbob_f001_i01_d02', 'bbob_f002_i01_d02']
    """

    def __init__(
        self, suite_name: str, suite_instance: str | None = "", suite_options: str | None = ""
    ) -> None:
        if suite_name not in suite_names():
            raise NoSuchSuiteException.of("suite", suite_name, suite_names())
        self.name = suite_name
        self.instance = suite_instance or ""
        self.options = suite_options or ""
        self.current_index: int | None = None
        self.current_problem: Problem | None = None
        self._definition = definition(suite_name)
        try:
            self._problems = _select_problems(self._definition, self.instance, self.options)
        except SelectionError as error:
            raise EmptySelectionException(str(error)) from error

    @cached_property
    def _ids(self) -> list[str]:
        return [self._definition.id_of(identity) for _, identity in self._problems]

    @property
    def dimensions(self) -> list[int]:
        """Numbers of variables, ascending."""
        return sorted({identity.dimension for _, identity in self._problems})

    @property
    def indices(self) -> list[int]:
        """Positions of the problems in the suite without ``suite_options``, counted from 0."""
        return [index for index, _ in self._problems]

    @property
    def number_of_objectives(self) -> list[int]:
        """The number of objectives of all problems, as a list with one element."""
        return [self._definition.objectives]

    @property
    def problem_names(self) -> list[str]:
        """Descriptive names of the problems. This is slow, because all problems are created."""
        return [problem.name for problem in map(self.get_problem, range(len(self)))]

    @property
    def info(self) -> str:
        """A sentence that describes the suite."""
        return str(self)

    def ids(self, *id_snippets: str, get_problem: bool = False, verbose: bool = False) -> object:
        """Return the identifiers that contain all snippets.

        Args:
            *id_snippets: Parts of identifiers, such as ``"f001", "d10"``.
            get_problem: Whether the first of these problems is returned instead of identifiers.
            verbose: Whether the identifiers and positions are printed.

        Returns:
            A list of texts, or a `Problem` if ``get_problem`` is True.

        Raises:
            NoSuchProblemException: ``get_problem`` is True, and no identifier matches.
        """
        matches = [
            (position, name)
            for position, name in enumerate(self._ids)
            if all(snippet in name for snippet in id_snippets)
        ]
        if verbose:
            for position, name in matches:
                print(f"  id={name}, index={position}")
        if get_problem:
            return self.get_problem(matches[0][0] if matches else " ".join(id_snippets))
        return [name for _, name in matches]

    find_problem_ids = ids

    def get_problem(self, id: int | str, observer: Observer | None = None) -> Problem:
        """Return the problem at a position or with an identifier.

        Args:
            id: The identifier, or the position in this suite, counted from 0. Negative positions
                are counted from the end.
            observer: The observer that logs the run. None: the problem is not observed.

        Raises:
            NoSuchProblemException: There is no such problem.
        """
        index, identity = self._problems[self._find_position(id)]
        return Problem(self._definition, identity, index).observe_with(observer)

    def _find_position(self, id: int | str) -> int:
        """Return the position, from 0, that a position or identifier of `get_problem` means."""
        if isinstance(id, str):
            if id not in self._ids:
                raise NoSuchProblemException(f"suite {self.name!r} has no problem {id!r} here")
            return self._ids.index(id)
        try:
            return range(len(self))[operator.index(id)]
        except (IndexError, TypeError):
            raise NoSuchProblemException(
                f"suite {self.name!r} has {len(self)} problems here, counted from 0; got {id!r}"
            ) from None

    __getitem__ = get_problem

    def get_problem_by_function_dimension_instance(
        self, function: int, dimension: int, instance: int, observer: Observer | None = None
    ) -> Problem:
        """Return the first problem with these numbers.

        Args:
            function: Number of the function.
            dimension: Number of variables.
            instance: Number of the instance.
            observer: The observer that logs the run. None: the problem is not observed.

        Raises:
            NoSuchProblemException: There is no such problem.
        """
        requested = ProblemId(self.name, function, dimension, instance)
        for position, (_, identity) in enumerate(self._problems):
            if identity == requested:
                return self.get_problem(position, observer)
        raise NoSuchProblemException(
            f"suite {self.name!r} has no function {function}, dimension {dimension}, instance "
            f"{instance} here"
        )

    def next_problem(self, observer: Observer | None = None) -> Problem | None:
        """Free the current problem, and return the next one. After the last problem, return None.

        The first call returns the first problem, and so does the first call after ``reset``.
        """
        self.free()
        self.current_index = 0 if self.current_index is None else self.current_index + 1
        if self.current_index < len(self):
            self.current_problem = self.get_problem(self.current_index, observer)
        return self.current_problem

    def reset(self) -> None:
        """Free the current problem, so that ``next_problem`` returns the first one."""
        self.free()
        self.current_index = None

    def free(self) -> None:
        """Free the current problem, if there is one."""
        if self.current_problem is not None:
            self.current_problem.free()
            self.current_problem = None

    def __len__(self) -> int:
        return len(self._problems)

    def __iter__(self) -> Iterator[Problem]:
        self.reset()
        while (problem := self.next_problem()) is not None:
            yield problem
        self.reset()

    def __str__(self) -> str:
        dimensions = ", ".join(map(str, self.dimensions))
        return f"{self!r} with {len(self)} problems in dimensions {dimensions}"

    def __repr__(self) -> str:
        return f"Suite({self.name!r}, {self.instance!r}, {self.options!r})"


def _select_problems(
    suite: SuiteDefinition, instance: str, options: str
) -> list[tuple[int, ProblemId]]:
    """Return the problems that the texts of a `Suite` select, in COCO's order.

    Args:
        suite: The definition of the suite.
        instance: The text ``suite_instance``.
        options: The text ``suite_options``.

    Returns:
        For each problem, its position and its identity. The position is counted from 0 among the
        problems without ``options``.

    Raises:
        SelectionError: A text is invalid, or all filters together select no problems.
    """
    where = f"suite {suite.name!r}"
    instances = _select_instances(
        suite, _parse_filters(instance, ("year", "instances"), where), where
    )
    sizes = {
        "dimension": len(suite.dimensions),
        "function": len(suite.functions),
        "instance": len(instances),
    }
    keys = ("dimensions", *(f"{name}_indices" for name in sizes))
    filters = _parse_filters(options, keys, where)
    selected: dict[str, set[int]] = {}
    for name, size in sizes.items():
        key = f"{name}_indices"
        selected[name] = set(range(size))
        if key in filters:
            numbers = parse_selection(filters[key], range(1, size + 1), key, where)
            selected[name] = {number - 1 for number in numbers}
    if "dimensions" in filters:
        dimensions = parse_selection(filters["dimensions"], suite.dimensions, "dimensions", where)
        selected["dimension"] &= {suite.dimensions.index(dimension) for dimension in dimensions}
    if not all(selected.values()):
        raise SelectionError(f"{where}: the filters {options!r} select nothing together")
    return [
        ((d * sizes["function"] + f) * sizes["instance"] + i,
         ProblemId(suite.name, suite.functions[f], suite.dimensions[d], instances[i]))
        for d in sorted(selected["dimension"])
        for f in sorted(selected["function"])
        for i in sorted(selected["instance"])
    ]  # fmt: skip


def _select_instances(
    suite: SuiteDefinition, filters: dict[str, str], where: str
) -> tuple[int, ...]:
    """Return the instances that the text ``suite_instance`` selects.

    Args:
        suite: The definition of the suite.
        filters: Value of the filter ``instances`` or ``year`` by name. Empty: the instances of the
            standard experiment are returned.
        where: Beginning of error messages.
    """
    text, allowed = filters.get("instances"), suite.valid_instances
    if text is None:
        if "year" not in filters:
            return suite.instances
        years = _YEARS.get(suite.name, {_FIRST_YEAR: "1-15"})
        if filters["year"].strip("0") == "":
            return parse_selection(_YEAR_ZERO.get(suite.name, "1-15"), allowed, "instances", where)
        [year] = parse_selection(filters["year"], None, "year", where)[:1]
        if year < min(years):
            raise SelectionError(f"{where}: year {year} not available; there is {min(years)} on")
        text = years[max(first_year for first_year in years if first_year <= year)]
    # An instance may occur several times. parse_selection removes duplicates, so that it is called
    # for each part of the text separately.
    return tuple(
        n for part in text.split(",") for n in parse_selection(part, allowed, "instances", where)
    )


def _parse_filters(text: str, allowed_keys: tuple[str, ...], where: str) -> dict[str, str]:
    """Parse a text ``key: value key: value``, and return the values by key.

    Raises:
        SelectionError: A key is not allowed or occurs twice, or the text has another form.
    """
    items = coco_items(text, where)
    for key, _ in items:
        if key not in allowed_keys:
            raise SelectionError(
                f"{where}: the filter {key!r} in {text!r} is not understood there; Suite(name, "
                "'year: …' or 'instances: …', 'dimensions: … function_indices: … "
                "instance_indices: …')"
            )
        if sum(key == other for other, _ in items) > 1:
            raise SelectionError(f"{where}: the filter {key!r} is given twice")
    return dict(items)
