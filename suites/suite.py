"""Suites: collections of problems, registered by name, that create their problems when asked.

`register_suite` stores a `SuiteDefinition` under a name. A `Suite` is a selection of functions,
dimensions and instances of a registered suite; it behaves like a list of problems. Suites of
installed packages are registered when their name is first used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, overload

from ..entry_points import entry_points
from .errors import SelectionError, SuiteError, UnknownNameError
from .facts import ProblemId
from .measurement import COCO_TARGETS, STANDARD, Measurement
from .problem import Problem
from .selection import Selection, parse_selection, ranges, resolve_coco_filters

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Make = Callable[[int, int, int], Problem]
"""Function that takes function number, dimension and instance, and creates the problem."""
Refusal = Callable[[int, int], str]
"""Function that takes function number and dimension; see ``refusal`` of `register_suite`."""
PROBLEM_ID = "{suite}_f{function:03d}_i{instance:02d}_d{dimension:02d}"
"""Default format of identifiers, for ``str.format`` with these four names."""
_EXAMPLE = (
    "firsthit.register_suite({name!r}, functions=[1, 2], dimensions=[2, 5])(lambda function, "
    "dimension, instance: firsthit.problem_from([f, g][function - 1], dimension, "
    "instance=instance))"
)
"""Call that registers a suite of two Python functions f and g."""
_MAX_KEPT_PROBLEMS = 16
"""Number of problems that a `Suite` keeps. It is small because a problem of a large dimension has
large arrays."""


def _refuse_nothing(function: int, dimension: int) -> str:
    """Accept every function in every dimension: the default of ``refusal``."""
    return ""


@dataclass(frozen=True, slots=True)
class SuiteDefinition:
    """Definition of a registered suite.

    The fields are the arguments of `register_suite`, with all defaults set. ``make`` is the
    decorated function. ``functions``, ``dimensions`` and ``instances`` are the numbers of the
    standard experiment.
    """

    name: str
    version: str
    make: Make
    functions: tuple[int, ...]
    dimensions: tuple[int, ...]
    instances: tuple[int, ...]
    valid_dimensions: Sequence[int]
    valid_instances: Sequence[int]
    groups: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    measurement: Measurement = STANDARD
    constrained: bool = False
    objectives: int = 1
    binary: bool = False
    refusal: Refusal = _refuse_nothing
    problem_id: str = PROBLEM_ID

    def id_of(self, identity: ProblemId) -> str:
        """Return the identifier of a problem in this suite's format."""
        return self.problem_id.format(
            suite=identity.suite,
            function=identity.function,
            dimension=identity.dimension,
            instance=identity.instance,
        )

    @property
    def is_built_in(self) -> bool:
        """Whether the suite is part of firsthit, so that each process can import it."""
        package = __name__.partition(".")[0]
        return (self.make.__module__ or "").partition(".")[0] == package

    def group_of(self, function: int) -> str:
        """Return the name of the first group that contains a function; empty if there is none."""
        return next((name for name, members in self.groups.items() if function in members), "")

    def problem(self, function: int, dimension: int, instance: int) -> Problem:
        """Create a problem under the identity that this suite gives it.

        Args:
            function: One of the functions.
            dimension: One of the valid dimensions.
            instance: One of the valid instances.

        Raises:
            SuiteError: The maker of the suite returned no problem of this dimension.
        """
        problem = self.make(function, dimension, instance)
        if not isinstance(problem, Problem) or problem.dimension != dimension:
            raise SuiteError(
                f"suite {self.name!r}: the maker returned {problem!r} for function {function}, "
                f"dimension {dimension}; it must return a Problem of that dimension"
            )
        identity = ProblemId(self.name, function, dimension, instance)
        return problem.with_identity(
            identity,
            suite_version=self.version,
            problem_id=self.id_of(identity),
            group=self.group_of(function),
            measurement=self.measurement,
            remake=(problem_of, (self.name, function, dimension, instance)),
        )


_REGISTRY: dict[str, SuiteDefinition] = {}


def register_suite(
    name: str,
    *,
    functions: Selection,
    dimensions: Selection | None = None,
    instances: Selection = 1,
    valid_dimensions: Sequence[int] | None = None,
    valid_instances: Sequence[int] | None = None,
    groups: Mapping[str, Sequence[int]] | None = None,
    version: str = "1",
    indicator: str = "best-feasible",
    targets: Sequence[float] | None = None,
    final_target: float | None = 1e-8,
    constrained: bool = False,
    objectives: int = 1,
    binary: bool = False,
    refusal: Refusal | None = None,
    problem_id: str = PROBLEM_ID,
) -> Callable[[Make], Make]:
    """Register a suite, as the decorator of its function ``(function, dimension, instance)``.

    The decorated function returns a `Problem`. It is called when a problem is needed.

    Args:
        name: Unique name of letters, digits, ``-`` and ``_``.
        functions: All function numbers: an int, a list, a range, or a text such as ``"1-24"``.
        dimensions: Dimensions of the standard experiment, as for ``functions``. They must be given:
            without them, a SuiteError is raised.
        instances: Instances of the standard experiment, as for ``functions``.
        valid_dimensions: All dimensions that can be selected. Default: ``dimensions``.
        valid_instances: All instances that can be selected. Default: ``instances``.
        groups: Function numbers by name of the group. Default: no groups.
        version: Version of the suite. Change it whenever the values of a problem change.
        indicator: Name of the quality indicator that observers record by default.
        targets: Default target precisions of assessments, in descending order (easiest first).
            With two objectives they may be 0 and negative. None: COCO's 51 targets from 1e2 to
            1e-8.
        final_target: Precision at which a problem counts as solved. None: no precision ends a run.
        constrained: Whether problems have constraints. ``constrained``, ``objectives`` and
            ``binary`` must be correct for the suites of firsthit, because the suitability of an
            optimizer is checked without creating their problems. For other suites the problems
            themselves are checked.
        objectives: Largest number of objectives of a problem, 1 or 2.
        binary: Whether all variables of the problems are bits.
        refusal: Function that takes a function number and a valid dimension and returns why the
            function does not exist in this dimension, as ``"has 3 variables at least"``; an empty
            text if it exists. None: all functions exist in all valid dimensions.
        problem_id: Format of the problems' identifiers. Default: as ``"bbob_f001_i01_d02"``.

    Returns:
        A decorator that registers the function and returns it unchanged.

    Raises:
        SuiteError: The name is malformed or registered already, the targets are invalid,
            ``functions`` contains Python functions, or there are no ``dimensions``.
        SelectionError: A selection is malformed.

    Example:
        >>> import firsthit
        >>> @firsthit.register_suite("spheres", functions=1, dimensions=[2, 5], instances="1-5")
        ... def make_sphere(function, dimension, instance):
        ...     return firsthit.problem_from(
        ...         lambda x: sum(x**2), dimension, instance=instance,
        ...         optimal_value=0.0, transformation="shift",
        ...     )
        >>> firsthit.Suite("spheres")
        <Suite spheres: 10 problems>
    """
    if not name or not name.isascii() or not name.replace("-", "").replace("_", "").isalnum():
        raise SuiteError(f"suite name {name!r}: only letters, digits, '-' and '_' are allowed")
    if callable(functions) or (isinstance(functions, Sequence) and any(map(callable, functions))):
        raise SuiteError(
            f"suite {name!r}: functions are numbers, not Python functions; register a function "
            f"that makes a problem of each number: {_EXAMPLE.format(name=name)}"
        )
    if dimensions is None:
        raise SuiteError(f"suite {name!r}: dimensions are missing; give such as dimensions=[2, 5]")
    selections = {"functions": functions, "dimensions": dimensions, "instances": instances}
    standard = {
        key: parse_selection(selection, None, key, f"suite {name!r}")
        for key, selection in selections.items()
    }
    measurement = Measurement(
        indicator, COCO_TARGETS if targets is None else tuple(targets), final_target
    )

    def register(make: Make) -> Make:
        register_definition(
            SuiteDefinition(
                name,
                version,
                make,
                **standard,
                valid_dimensions=valid_dimensions or standard["dimensions"],
                valid_instances=valid_instances or standard["instances"],
                groups={key: tuple(members) for key, members in (groups or {}).items()},
                measurement=measurement,
                constrained=constrained,
                objectives=objectives,
                binary=binary,
                refusal=refusal or _refuse_nothing,
                problem_id=problem_id,
            )
        )
        return make

    return register


def register_definition(suite: SuiteDefinition) -> None:
    """Register a suite under the name in its definition; raise SuiteError if the name is taken."""
    if suite.name in _REGISTRY:
        raise SuiteError(f"suite {suite.name!r} is registered already; choose another name")
    _REGISTRY[suite.name] = suite


def suite_names() -> tuple[str, ...]:
    """Return the names of all registered suites, sorted.

    Example:
        >>> from firsthit.suites import suite_names
        >>> "bbob" in suite_names(), "my-suite" in suite_names()
        (True, False)
    """
    return tuple(sorted(_REGISTRY))


def definition(name: str) -> SuiteDefinition:
    """Return the definition of a suite; if needed, import the installed package that registers it.

    Raises:
        UnknownNameError: No suite has this name.
        SuiteError: The package cannot be imported.
    """
    if name not in _REGISTRY:
        installed = entry_points("firsthit.suites")
        if name in installed:
            _load(installed[name])
        if name not in _REGISTRY:
            raise UnknownNameError.of("suite", name, sorted({*_REGISTRY, *installed}))
    return _REGISTRY[name]


def _load(entry_point: EntryPoint) -> None:
    """Import the package of a suite; raise SuiteError if the import raises any exception."""
    try:
        entry_point.load()
    except Exception as error:
        raise SuiteError(
            f"suite {entry_point.name!r}: importing {entry_point.value!r} ends in "
            f"{type(error).__name__}: {error}"
        ) from error


def problem_of(suite: str, function: int, dimension: int, instance: int) -> Problem:
    """Create a problem of a registered suite.

    Args:
        suite: Name of the suite.
        function: One of the suite's functions.
        dimension: One of the suite's valid dimensions.
        instance: One of the suite's valid instances.

    Raises:
        UnknownNameError: No suite has this name.
        SelectionError: The suite has no such problem.
    """
    return Suite(suite, function, dimension, instance)[0]


class Suite(Sequence[Problem]):
    """Sequence of problems of a registered suite, selected by function, dimension and instance.

    The dimension changes slowest in the sequence, then the function, then the instance. A problem
    is created when it is accessed. Any number of problems can be in use at the same time. ``len``,
    positions, slices and identifiers such as ``suite["bbob_f001_i01_d02"]`` are supported.

    COCO's filter texts are accepted for every argument, as in
    ``Suite("bbob", "instances: 1-5", "dimensions: 2,5 function_indices: 1-3")``.

    Args:
        name: Name of a registered suite, as ``"bbob"``.
        functions: Function numbers: an int, a list, a range, or a text such as ``"1-5,7"``.
            Default: all.
        dimensions: Dimensions, as for ``functions``. Default: those of the standard experiment.
        instances: Instances, as for ``functions``. Default: those of the standard experiment.

    Attributes:
        name: Name of the suite.
        functions: Selected function numbers.
        dimensions: Selected dimensions.
        instances: Selected instances.
        groups: Selected function numbers by name of their group.
        version: Version of the suite's definition.

    Raises:
        UnknownNameError: No suite has this name.
        SelectionError: A selection is malformed, or the suite does not have what it selects.

    Example:
        >>> import firsthit
        >>> suite = firsthit.Suite("bbob", functions="1-3", dimensions=[2, 5], instances=1)
        >>> len(suite), suite.dimensions
        (6, (2, 5))
        >>> [problem.id for problem in suite][:2]
        ['bbob_f001_i01_d02', 'bbob_f002_i01_d02']
        >>> suite["bbob_f003_i01_d05"].name
        'Rastrigin separable'
    """

    def __init__(
        self,
        name: str,
        functions: Selection | None = None,
        dimensions: Selection | None = None,
        instances: Selection | None = None,
    ) -> None:
        suite = definition(name)
        where = f"suite {name!r}"
        standard = {
            "functions": suite.functions,
            "dimensions": suite.dimensions,
            "instances": suite.instances,
        }
        allowed = {
            "functions": suite.functions,
            "dimensions": suite.valid_dimensions,
            "instances": suite.valid_instances,
        }
        selections = resolve_coco_filters(
            {"functions": functions, "dimensions": dimensions, "instances": instances},
            standard,
            where,
        )
        self.functions, self.dimensions, self.instances = (
            standard[key]
            if selection is None
            else parse_selection(selection, allowed[key], key, where)
            for key, selection in selections.items()
        )
        _check_functions_exist(suite, self.functions, self.dimensions)
        # `problem` accepts every valid number of what was not selected.
        self._accepted = {
            key: allowed[key] if selection is None else getattr(self, key)
            for key, selection in selections.items()
        }
        self._definition = suite
        self.name = name
        self.version = suite.version
        selected = set(self.functions)
        self.groups = {
            group: tuple(function for function in members if function in selected)
            for group, members in suite.groups.items()
            if selected.intersection(members)
        }
        self._get_or_create = lru_cache(maxsize=_MAX_KEPT_PROBLEMS)(suite.problem)

    def problem(self, function: int, dimension: int, instance: int) -> Problem:
        """Return the problem with these numbers.

        Args:
            function: One of the selected functions.
            dimension: One of the selected dimensions; any valid one if none were selected.
            instance: One of the selected instances; any valid one if none were selected.

        Raises:
            SelectionError: A number is not selected, or not valid.
        """
        for number, (label, accepted) in zip(
            (function, dimension, instance), self._accepted.items(), strict=True
        ):
            if number not in accepted:  # raises SelectionError, which lists the accepted numbers
                parse_selection(number, accepted, label, f"suite {self.name!r}")
        _check_functions_exist(self._definition, (function,), (dimension,))
        return self._get_or_create(function, dimension, instance)

    def identities(self) -> Iterator[ProblemId]:
        """Yield the identities of all problems in order, without creating problems."""
        for dimension in self.dimensions:
            for function in self.functions:
                for instance in self.instances:
                    yield ProblemId(self.name, function, dimension, instance)

    def __len__(self) -> int:
        return len(self.functions) * len(self.dimensions) * len(self.instances)

    @overload
    def __getitem__(self, index: int | str) -> Problem: ...

    @overload
    def __getitem__(self, index: slice) -> list[Problem]: ...

    def __getitem__(self, index: int | str | slice) -> Problem | list[Problem]:
        """Return a problem by its index or its identifier, or a list of problems for a slice.

        Raises:
            IndexError: The index is out of range.
            SelectionError: No selected problem has this identifier, or ``index`` has another type.

        Example:
            ``suite[0]``, ``suite["bbob_f001_i01_d02"]``, ``suite[3:10]``
        """
        if isinstance(index, slice):
            return [self[k] for k in range(len(self))[index]]
        if isinstance(index, str):
            for identity in self.identities():
                if definition(self.name).id_of(identity) == index:
                    return self._get_or_create(
                        identity.function, identity.dimension, identity.instance
                    )
            raise SelectionError(f"suite {self.name!r} has no problem {index!r} among those chosen")
        if isinstance(index, bool) or not hasattr(index, "__index__"):
            raise SelectionError(
                f"suite {self.name!r}: index must be an integer, an identifier or a slice, "
                f"got {index!r}"
            )
        position = range(len(self))[index]  # resolves a negative index, or raises IndexError
        pair_index, instance_index = divmod(position, len(self.instances))
        dimension_index, function_index = divmod(pair_index, len(self.functions))
        return self._get_or_create(
            self.functions[function_index],
            self.dimensions[dimension_index],
            self.instances[instance_index],
        )

    def __iter__(self) -> Iterator[Problem]:
        return (
            self._get_or_create(identity.function, identity.dimension, identity.instance)
            for identity in self.identities()
        )

    def __reduce__(self) -> tuple[object, ...]:
        return (Suite, (self.name, self.functions, self.dimensions, self.instances))

    def __repr__(self) -> str:
        return f"<Suite {self.name}: {len(self)} problems>"

    def _repr_html_(self) -> str:
        from .notebook import suite_html

        measurement = definition(self.name).measurement
        easiest, hardest = measurement.targets[0], measurement.targets[-1]
        targets = f"{len(measurement.targets)} precisions of {measurement.indicator}, "
        return suite_html(self, f"{targets}{easiest:g} … {hardest:g}")


def _check_functions_exist(
    suite: SuiteDefinition, functions: Sequence[int], dimensions: Sequence[int]
) -> None:
    """Raise SelectionError if one of the functions does not exist in one of the dimensions."""
    for dimension in dimensions:
        for function in functions:
            if reason := suite.refusal(function, dimension):
                existing = ranges(f for f in suite.functions if not suite.refusal(f, dimension))
                raise SelectionError(
                    f"suite {suite.name!r}: function {function} {reason}, not {dimension}; "
                    f"functions {existing} take dimension {dimension}"
                )
