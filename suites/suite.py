"""Suites: registered by name, filtered by functions, dimensions and instances, made lazily."""

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
from .selection import Selection, coco_filters, parse_selection, ranges

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Make = Callable[[int, int, int], Problem]
Refusal = Callable[[int, int], str]
PROBLEM_ID = "{suite}_f{function:03d}_i{instance:02d}_d{dimension:02d}"


def _takes_all(function: int, dimension: int) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class SuiteDefinition:
    """What a registered suite is: the arguments of `register_suite`, all known."""

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
    refusal: Refusal = _takes_all
    problem_id: str = PROBLEM_ID

    def id_of(self, identity: ProblemId) -> str:
        """The identifier of one problem."""
        return self.problem_id.format(
            suite=identity.suite,
            function=identity.function,
            dimension=identity.dimension,
            instance=identity.instance,
        )

    @property
    def is_built_in(self) -> bool:
        """Whether it is firsthit's own, which every process knows."""
        ours = __name__.partition(".")[0]
        return (self.make.__module__ or "").partition(".")[0] == ours

    def group_of(self, function: int) -> str:
        """Name of the first group that holds ``function``, ``""`` where none does."""
        return next((name for name, members in self.groups.items() if function in members), "")

    def problem(self, function: int, dimension: int, instance: int) -> Problem:
        """Make one problem, under the identity that this suite gives it."""
        problem = self.make(function, dimension, instance)
        if not isinstance(problem, Problem) or problem.dimension != dimension:
            raise SuiteError(
                f"suite {self.name!r}: the maker returned {problem!r} for function {function}, "
                f"dimension {dimension}; it must return a Problem of that dimension"
            )
        identity = ProblemId(self.name, function, dimension, instance)
        return problem.renamed(
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
    dimensions: Selection,
    instances: Selection = 1,
    valid_dimensions: Sequence[int] | None = None,
    valid_instances: Sequence[int] | None = None,
    groups: Mapping[str, Sequence[int]] | None = None,
    version: str = "1",
    indicator: str = "best-feasible",
    targets: Sequence[float] = COCO_TARGETS,
    final_target: float | None = 1e-8,
    constrained: bool = False,
    objectives: int = 1,
    binary: bool = False,
    refusal: Refusal = _takes_all,
    problem_id: str = PROBLEM_ID,
) -> Callable[[Make], Make]:
    """Register a suite: decorates its maker ``(function, dimension, instance) -> Problem``.

    Args:
        name: Letters, digits, ``-`` and ``_``; a name once only.
        functions: All function numbers: an int, a list, a range, or ``"1-24"``.
        dimensions: Those of the standard experiment.
        instances: Those of the standard experiment.
        valid_dimensions: All that can be asked for; by default ``dimensions``.
        valid_instances: All that can be asked for; by default ``instances``.
        groups: Group name to its functions.
        version: To be changed with the values of any problem.
        indicator: Name of the quality indicator that is recorded unless another is asked for.
        targets: Precisions of its assessments, easiest first; may be zero and negative.
        final_target: The precision at which a problem is solved; None where none ends a run.
        constrained: Whether problems have constraints. Needed of firsthit's own suites, so that
            optimizers which know none are refused without making a problem; others are looked at.
        objectives: Most objectives of a problem; likewise.
        binary: Whether variables are bits; likewise.
        refusal: Says why a function does not take one of the valid dimensions, as the end of a
            sentence; ``""`` where it does. By default functions take all.
        problem_id: Format of the problems' identifiers; by default as ``"bbob_f001_i01_d02"``.

    Raises:
        SuiteError: The name is taken or malformed.
        SelectionError: A selection is malformed.

    Example::

        @firsthit.register_suite("mine", functions=1, dimensions=[2, 5], instances="1-5")
        def mine(function, dimension, instance):
            return firsthit.problem_from(my_function, dimension, instance=instance,
                                         transformation="shift+rotation")
    """
    if not name or not name.isascii() or not name.replace("-", "").replace("_", "").isalnum():
        raise SuiteError(f"suite name {name!r}: only letters, digits, '-' and '_' are allowed")
    where = f"suite {name!r}"
    chosen = {"functions": functions, "dimensions": dimensions, "instances": instances}
    numbers = {key: parse_selection(value, None, key, where) for key, value in chosen.items()}
    measurement = Measurement(indicator, tuple(targets), final_target)

    def register(make: Make) -> Make:
        register_definition(
            SuiteDefinition(
                name,
                version,
                make,
                **numbers,
                valid_dimensions=valid_dimensions or numbers["dimensions"],
                valid_instances=valid_instances or numbers["instances"],
                groups={key: tuple(members) for key, members in (groups or {}).items()},
                measurement=measurement,
                constrained=constrained,
                objectives=objectives,
                binary=binary,
                refusal=refusal,
                problem_id=problem_id,
            )
        )
        return make

    return register


def register_definition(suite: SuiteDefinition) -> None:
    """Register a suite as it is; raises SuiteError where the name is taken."""
    if suite.name in _REGISTRY:
        raise SuiteError(f"suite {suite.name!r} is registered already; choose another name")
    _REGISTRY[suite.name] = suite


def suite_names() -> tuple[str, ...]:
    """Names of all registered suites, sorted."""
    return tuple(sorted(_REGISTRY))


def definition(name: str) -> SuiteDefinition:
    """The registered suite of that name, or the one that an installed package registers."""
    if name not in _REGISTRY:
        added = entry_points("firsthit.suites")
        if name in added:
            _import(added[name])
        if name not in _REGISTRY:
            raise UnknownNameError.of("suite", name, sorted({*_REGISTRY, *added}))
    return _REGISTRY[name]


def _import(added: EntryPoint) -> None:
    try:
        added.load()
    except Exception as error:
        raise SuiteError(
            f"suite {added.name!r}: importing {added.value!r} ends in "
            f"{type(error).__name__}: {error}"
        ) from error


def problem_of(suite: str, function: int, dimension: int, instance: int) -> Problem:
    """Make one problem of a registered suite from its identity."""
    return Suite(suite, function, dimension, instance)[0]


def _check_pairs(
    suite: SuiteDefinition, functions: Sequence[int], dimensions: Sequence[int]
) -> None:
    """Raise SelectionError where a function does not take a dimension."""
    for dimension in dimensions:
        refused = {f: reason for f in functions if (reason := suite.refusal(f, dimension))}
        for function, reason in refused.items():
            others = ranges(f for f in suite.functions if not suite.refusal(f, dimension))
            raise SelectionError(
                f"suite {suite.name!r}: function {function} {reason}, not {dimension}; functions "
                f"{others} take dimension {dimension}"
            )


class Suite(Sequence[Problem]):
    """Problems of a registered suite, by function, dimension and instance.

    Iteration goes dimension slowest, then function, then instance. Problems are made when asked
    for; any number may be in use at once.

    Args:
        name: A registered suite, ``"bbob"``.
        functions: An int, a list, a range or ``"1-5,7"``; None for all.
        dimensions: Likewise; None for those of the standard experiment.
        instances: Likewise.

    COCO's filters are understood in any of these places, as in
    ``Suite("bbob", "instances: 1-5", "dimensions: 2,5 function_indices: 1-3")``.

    Attributes:
        functions: The numbers selected.
        dimensions: Likewise.
        instances: Likewise.
        groups: Group name to those of its functions that are selected.
        version: The version of the definition.

    Raises:
        UnknownNameError: No suite has this name.
        SelectionError: A filter selects what the suite does not have.
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
        given = {"functions": functions, "dimensions": dimensions, "instances": instances}
        standard = {key: getattr(suite, key) for key in given}
        allowed = (suite.functions, suite.valid_dimensions, suite.valid_instances)
        filters = coco_filters(given, standard, where)
        self.functions, self.dimensions, self.instances = (
            standard[what]
            if selection is None
            else parse_selection(selection, there_are, what, where)
            for what, selection, there_are in zip(given, filters, allowed, strict=True)
        )
        _check_pairs(suite, self.functions, self.dimensions)
        self.name = name
        self.version = suite.version
        chosen = set(self.functions)
        self.groups = {
            group: tuple(f for f in members if f in chosen)
            for group, members in suite.groups.items()
            if chosen.intersection(members)
        }
        self._make = lru_cache(maxsize=16)(suite.problem)

    def problem(self, function: int, dimension: int, instance: int) -> Problem:
        """The problem with these numbers.

        Raises:
            SelectionError: It is not among those selected.
        """
        for number, there_are, what in (
            (function, self.functions, "functions"),
            (dimension, self.dimensions, "dimensions"),
            (instance, self.instances, "instances"),
        ):
            if number not in there_are:
                parse_selection(number, there_are, what, f"suite {self.name!r}")
        return self._make(function, dimension, instance)

    def identities(self) -> Iterator[ProblemId]:
        """The identities of all problems, in order, without making any."""
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
        """The problem at a position in the order of iteration, or of an identifier; or a slice.

        Raises:
            IndexError: There is no such position.
            SelectionError: There is no such identifier, or ``index`` is of another type.

        Example:
            ``suite[0]``, ``suite["bbob_f001_i01_d02"]``, ``suite[3:10]``, a list
        """
        if isinstance(index, slice):
            return [self[k] for k in range(len(self))[index]]
        if isinstance(index, str):
            for identity in self.identities():
                if definition(self.name).id_of(identity) == index:
                    return self._make(identity.function, identity.dimension, identity.instance)
            raise SelectionError(f"suite {self.name!r} has no problem {index!r} among those chosen")
        if isinstance(index, bool) or not hasattr(index, "__index__"):
            raise SelectionError(
                f"suite {self.name!r}: index must be an integer, an identifier or a slice, "
                f"got {index!r}"
            )
        position = range(len(self))[index]
        rest, i = divmod(position, len(self.instances))
        d, f = divmod(rest, len(self.functions))
        return self._make(self.functions[f], self.dimensions[d], self.instances[i])

    def __iter__(self) -> Iterator[Problem]:
        return (self._make(p.function, p.dimension, p.instance) for p in self.identities())

    def __reduce__(self) -> tuple[object, ...]:
        return (Suite, (self.name, self.functions, self.dimensions, self.instances))

    def __repr__(self) -> str:
        return f"<Suite {self.name}: {len(self)} problems>"

    def _repr_html_(self) -> str:
        from .notebook import suite_html

        measurement = definition(self.name).measurement
        easiest, hardest = measurement.targets[0], measurement.targets[-1]
        text = f"{len(measurement.targets)} precisions of {measurement.indicator}, "
        return suite_html(self, f"{text}{easiest:g} … {hardest:g}")
