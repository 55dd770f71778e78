"""``cocoex.Suite``: the problems of a suite in COCO's order, with its filters and years."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from functools import cached_property

from ..suites.errors import SelectionError
from ..suites.facts import ProblemId
from ..suites.selection import coco_items, parse_selection
from ..suites.suite import SuiteDefinition, definition, suite_names
from .exceptions import NoSuchProblemException, NoSuchSuiteException
from .observer import Observer
from .problem import Problem

known_suite_names = [
    "bbob", "bbob-biobj", "bbob-biobj-ext", "bbob-boxed", "bbob-constrained", "bbob-largescale",
    "bbob-mixint", "bbob-biobj-mixint", "bbob-noisy",
]  # fmt: skip
"""COCO's suites; `Suite` takes the names of all others that are registered, too."""

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
"""The instances from each year on, of suites of which they depend on it."""


class Suite:
    """Problems of a suite: dimension slowest, then function, then instance.

    As with ``cocoex`` iteration goes over the whole suite and frees each problem when the next is
    asked for; problems from ``get_problem`` are free of that.

    Args:
        suite_name: ``"bbob"``, or another that ``firsthit suites`` lists.
        suite_instance: ``"instances: 1-5,71-80"`` or ``"year: 2009"``; an instance may stand there
            several times. ``""`` for those of the standard experiment.
        suite_options: ``"dimensions: 2,5 function_indices: 1-3 instance_indices: 1-5"``, also
            ``dimension_indices``; indices count from 1.

    Attributes:
        name: As given; so ``instance`` and ``options``.
        current_index: Position of the problem that ``next_problem`` gave last; None before.
        current_problem: That problem; None before, and after the last.

    Raises:
        NoSuchSuiteException: No suite has this name.
        SelectionError: A filter selects what the suite does not have.
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
        self._places = _places(self._definition, self.instance, self.options)

    @cached_property
    def _ids(self) -> list[str]:
        return [self._definition.id_of(identity) for _, identity in self._places]

    @property
    def dimensions(self) -> list[int]:
        """Numbers of variables, ascending."""
        return sorted({identity.dimension for _, identity in self._places})

    @property
    def indices(self) -> list[int]:
        """Positions of the problems in the whole suite, before filters, from 0."""
        return [index for index, _ in self._places]

    @property
    def number_of_objectives(self) -> list[int]:
        """The numbers of objectives that occur."""
        return [self._definition.objectives]

    @property
    def problem_names(self) -> list[str]:
        """Names of the problems, for people; each problem is made for it."""
        return [problem.name for problem in map(self.get_problem, range(len(self)))]

    @property
    def info(self) -> str:
        """The suite in a sentence, for people."""
        return str(self)

    def ids(self, *id_snippets: str, get_problem: bool = False, verbose: bool = False) -> object:
        """Identifiers of the problems that contain all snippets.

        Args:
            *id_snippets: Such as ``"f001", "d10"``.
            get_problem: Give the first problem instead.
            verbose: Print identifiers and positions.
        """
        found = [
            (place, name)
            for place, name in enumerate(self._ids)
            if all(snippet in name for snippet in id_snippets)
        ]
        if verbose:
            for place, name in found:
                print(f"  id={name}, index={place}")
        if get_problem:
            return self.get_problem(found[0][0] if found else " ".join(id_snippets))
        return [name for _, name in found]

    find_problem_ids = ids

    def get_problem(self, id: int | str, observer: Observer | None = None) -> Problem:
        """The problem at a position, or of an identifier, observed where an observer is given.

        Raises:
            NoSuchProblemException: There is none.
        """
        place = self._place(id)
        index, identity = self._places[place]
        return Problem(self._definition, identity, index).observe_with(observer)

    def _place(self, id: int | str) -> int:
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
        """The first problem with these numbers, observed where an observer is given.

        Raises:
            NoSuchProblemException: There is none.
        """
        requested = ProblemId(self.name, function, dimension, instance)
        for place, (_, identity) in enumerate(self._places):
            if identity == requested:
                return self.get_problem(place, observer)
        raise NoSuchProblemException(
            f"suite {self.name!r} has no function {function}, dimension {dimension}, instance "
            f"{instance} here"
        )

    def next_problem(self, observer: Observer | None = None) -> Problem | None:
        """The next problem, the first one after ``reset``; None after the last.

        The one before is freed.
        """
        self.free()
        self.current_index = 0 if self.current_index is None else self.current_index + 1
        if self.current_index < len(self):
            self.current_problem = self.get_problem(self.current_index, observer)
        return self.current_problem

    def reset(self) -> None:
        """Begin again with the first problem; the current one is freed."""
        self.free()
        self.current_index = None

    def free(self) -> None:
        """The current problem is freed."""
        if self.current_problem is not None:
            self.current_problem.free()
            self.current_problem = None

    def __len__(self) -> int:
        return len(self._places)

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


def _places(suite: SuiteDefinition, instance: str, options: str) -> list[tuple[int, ProblemId]]:
    """Positions in the whole suite, and problems, that the texts select."""
    where = f"suite {suite.name!r}"
    instances = _instances(suite, _items(instance, ("year", "instances"), where), where)
    sizes = {
        "dimension": len(suite.dimensions),
        "function": len(suite.functions),
        "instance": len(instances),
    }
    keys = ("dimensions", *(f"{what}_indices" for what in sizes))
    given = _items(options, keys, where)
    chosen = {
        what: {
            place - 1 for place in parse_selection(given[key], range(1, size + 1), key, where)
        } if (key := f"{what}_indices") in given else set(range(size))
        for what, size in sizes.items()
    }  # fmt: skip
    if "dimensions" in given:
        dimensions = parse_selection(given["dimensions"], suite.dimensions, "dimensions", where)
        chosen["dimension"] &= {suite.dimensions.index(dimension) for dimension in dimensions}
    if not all(chosen.values()):
        raise SelectionError(f"{where}: the filters {options!r} select nothing together")
    return [
        ((d * sizes["function"] + f) * sizes["instance"] + i,
         ProblemId(suite.name, suite.functions[f], suite.dimensions[d], instances[i]))
        for d in sorted(chosen["dimension"])
        for f in sorted(chosen["function"])
        for i in sorted(chosen["instance"])
    ]  # fmt: skip


def _instances(suite: SuiteDefinition, given: dict[str, str], where: str) -> tuple[int, ...]:
    """The instances that are asked for, or those of the year, or of the standard experiment."""
    text, allowed = given.get("instances"), suite.valid_instances
    if text is None:
        if "year" not in given:
            return suite.instances
        years = _YEARS.get(suite.name, {_FIRST_YEAR: "1-15"})
        [year] = parse_selection(given["year"], None, "year", where)[:1]
        if year < min(years):
            raise SelectionError(f"{where}: year {year} not available; there is {min(years)} on")
        text = years[max(known for known in years if known <= year)]
    # part by part, since an instance may stand there several times
    return tuple(
        n for part in text.split(",") for n in parse_selection(part, allowed, "instances", where)
    )


def _items(text: str, known: tuple[str, ...], where: str) -> dict[str, str]:
    items = coco_items(text, where)
    for key, _ in items:
        if key not in known:
            raise SelectionError(
                f"{where}: the filter {key!r} in {text!r} is not understood there; Suite(name, "
                "'year: …' or 'instances: …', 'dimensions: … function_indices: … "
                "instance_indices: …')"
            )
        if sum(key == other for other, _ in items) > 1:
            raise SelectionError(f"{where}: the filter {key!r} is given twice")
    return dict(items)
