"""``@question``: a function from runs to a table becomes a method, a command, and more."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, update_wrapper
from typing import (
    TYPE_CHECKING,
    Any,
    Concatenate,
    Generic,
    Literal,
    ParamSpec,
    TypeVar,
    get_type_hints,
)

from ...suites.errors import UnknownNameError
from ..data.counting import SECONDS, axis_of
from ..data.runs import AXIS, Runs
from ..data.selection import Selectors
from ..errors import AssessmentError
from .options import Algorithm

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawn

    from ..tables.table import Table
    from .cell import Cell
    from .context import Context

P = ParamSpec("P")
A = ParamSpec("A")
T = TypeVar("T", bound="Table")
D = TypeVar("D", bound=Callable[..., Any])
Unasked = Literal["yes", "where it applies", "no"]
Cells = str | Callable[[Any], list[dict[str, Any]]]

_IN_SECONDS = {"evaluations": SECONDS, "evaluations_per_dimension": SECONDS}
HEADINGS = (
    "To begin with",
    "Evaluations to targets",
    "Precision within budgets",
    "Archives of two objectives",
    "Algorithms against each other, function by function",
    "Algorithms over all functions of a dimension",
    "Runs",
)
"""In the order of help; others come after them."""
QUESTIONS: dict[str, Question[Any, Any]] = {}
"""Those whose modules are imported, by the names of their functions."""


@dataclass(frozen=True, eq=False)
class Figure:
    """A kind of figures, drawn from a question's table: one for each cell of it.

    Attributes:
        question: Whose table it draws.
        draw: Takes the table, its own options, and `FigureOptions`; returns a matplotlib figure.
        cells: Columns of which a figure shows one value, or what makes the cells of a table.
        caption: Of a cell: text, in which ``{place}`` is where, or a function of the `Cell`.
        options: Options of the question that it takes; None for all. With ``targets`` goes
            ``reference``, of run-length targets alone unless it is named.
        defaults: Options whose default differs from the question's.
        several: Likewise, where all figures of a kind are drawn: they make more of them.
        curated: Whether it is drawn where no kinds are named.
        unasked: Whether it is drawn where all are: always, only if there is something to be drawn,
            or only by name.
    """

    name: str
    question: Question[Any, Any]
    draw: Callable[..., Drawn]
    cells: Cells
    caption: str | Callable[[Cell], str]
    options: tuple[str, ...] | None
    defaults: Mapping[str, Any]
    several: Mapping[str, Any]
    curated: bool
    unasked: Unasked

    @cached_property
    def own(self) -> dict[str, inspect.Parameter]:
        """The options of the drawing itself; its question has others."""
        parameters = inspect.signature(self.draw).parameters.values()
        named = [
            parameter for parameter in parameters if parameter.kind is not parameter.VAR_KEYWORD
        ]
        return {parameter.name: parameter for parameter in named[1:]}

    @property
    def measures(self) -> bool:
        """Whether it shows a reference; else it takes one to make run-length targets from."""
        names = self.question.keywords if self.options is None else self.options
        return "reference" in names

    @property
    def taken(self) -> list[str]:
        """Names of all options: of the question as far as it takes them, and its own."""
        names = self.question.keywords if self.options is None else self.options
        if "targets" in names and "reference" in self.question.parameters and not self.measures:
            names = (*names, "reference")
        return [*names, *self.own]


@dataclass(frozen=True, eq=False)
class Section:
    """One section of the report, which a script of the same name draws.

    Attributes:
        id: As the script calls it; with ``_`` for ``-`` the name of its script.
        caption: What exactly is drawn, in sentences; ``{targets}`` stands for the targets,
            and other words in braces for what seconds change (`report.page`).
        data: Makes what the script draws; its keys become those of the page's data.
        place: Its place on the page, ascending.
        is_table: Whether it is a table rather than a picture.
        needs: Key of the page's data without which there is no such section; empty for none.
        counts: Whether its question takes ``count``.
    """

    id: str
    title: str
    caption: str
    data: Callable[[Context], Mapping[str, Any]]
    place: int = 100
    is_table: bool = False
    needs: str = ""
    counts: bool = True


@dataclass(eq=False)
class Question(Generic[P, T]):
    """A function from runs to a table, with what is said of it; call it as ``art(runs, 1e-8)``.

    Attributes:
        function: Its parameters and its docstring are the options and the help.
        heading: Under which it is listed.
        place: Its place there, ascending.
        counts: Whether it takes ``count``.
        recommended: Whether recommended solutions can be measured by it.
        joins: Whether it takes ``unequal``: it joins functions, and asks for `Runs.common`.
        needs: A package that must be installed, or ``"two objectives"``; empty for nothing.
        sections: Of the report.
    """

    function: Callable[Concatenate[Runs, P], T]
    heading: str
    place: int
    counts: bool
    recommended: bool
    joins: bool
    needs: tuple[str, ...]
    figures: dict[str, Figure] = field(default_factory=dict)
    sections: list[Section] = field(default_factory=list)

    def __post_init__(self) -> None:
        update_wrapper(self, self.function)

    @property
    def name(self) -> str:
        """Such as ``fixed-target``."""
        return self.function.__name__.replace("_", "-")

    @cached_property
    def signature(self) -> inspect.Signature:
        """Of the function, with ``runs``."""
        return inspect.signature(self.function)

    @cached_property
    def parameters(self) -> dict[str, inspect.Parameter]:
        """Those besides ``runs``, by name."""
        return dict(list(self.signature.parameters.items())[1:])

    @cached_property
    def hints(self) -> dict[str, Any]:
        """Types of the parameters."""
        return get_type_hints(self.function, include_extras=True)

    @cached_property
    def two(self) -> tuple[str, ...]:
        """Names of the two parameters that are algorithms; empty where there are none."""
        return tuple(name for name in self.parameters if self.hints[name] == Algorithm)

    @property
    def keywords(self) -> tuple[str, ...]:
        """All keywords besides the selectors."""
        more = ("unequal",) * self.joins + ("count",) * self.counts
        return (*self.parameters, *more)

    def __call__(self, runs: Runs, *args: P.args, **kwargs: P.kwargs) -> T:
        """The answer.

        Raises:
            FirsthitError: What is not in the log, or options that make no sense.
        """
        given = self.signature.bind(runs, *args, **kwargs)
        for name, value in given.arguments.items():
            if self.hints.get(name) is bool:
                _check_switch(name, value)
        given.apply_defaults()
        axis = axis_of(given.arguments.get("axis", AXIS), runs.count if self.counts else "f+g")
        return _on_axis(self.function(*given.args, **given.kwargs), axis)

    def runs(self, log: Any, options: Mapping[str, Any]) -> tuple[Runs, dict[str, Any]]:
        """The runs that keywords select, and the keywords that are left: the question's own.

        Raises:
            UnknownNameError: A keyword is neither an option nor a selector.
        """
        allowed = (*self.keywords, *Selectors.__annotations__)
        for name in options:
            if name not in allowed:
                raise UnknownNameError.of(f"option of {self.function.__name__}", name, allowed)
        selectors = {name: options[name] for name in Selectors.__annotations__ if name in options}
        count, unequal = options.get("count"), options.get("unequal", False)
        _check_switch("unequal", unequal)
        left = {name: value for name, value in options.items() if name in self.parameters}
        return Runs(log, selectors, count or "f+g", unequal), left

    def figure(
        self,
        name: str,
        *,
        cells: Cells,
        caption: str | Callable[[Cell], str],
        options: str | None = None,
        curated: bool = False,
        unasked: Unasked = "yes",
        several: Mapping[str, Any] | None = None,
        **defaults: Any,
    ) -> Callable[[Callable[A, Drawn]], Callable[A, Drawn]]:
        """Declare the function below as a figure of the table, in the style of all; see `Figure`.

        ``options`` are names separated by blanks. A default may be a function: of a suite's
        measurement for ``targets``, of the log for ``budgets``.
        """
        taken = None if options is None else tuple(options.split())

        def declare(draw: Callable[A, Drawn]) -> Callable[A, Drawn]:
            from ..figures.style import styled  # tables need nothing of figures

            drawing = styled(draw)
            kind = (drawing, cells, caption, taken, defaults, several or {}, curated, unasked)
            self.figures[name] = Figure(name, self, *kind)
            return drawing

        return declare

    def report(self, id: str, title: str, caption: str, **place: Any) -> Callable[[D], D]:
        """Declare the function below, of a `Context`, as a section of the report; see `Section`."""

        def declare(data: D) -> D:
            self.sections.append(Section(id, title, caption, data, counts=self.counts, **place))
            return data

        return declare


def question(
    heading: str,
    place: int = 100,
    *,
    counts: bool = True,
    recommended: bool | None = None,
    joins: bool = False,
    needs: str = "",
) -> Callable[[Callable[Concatenate[Runs, P], T]], Question[P, T]]:
    """Declare the function below as a question; for the arguments see `Question`.

    ``recommended`` None: where it counts. ``needs`` are names separated by commas.
    """
    measured = counts if recommended is None else recommended
    needed = tuple(filter(None, (name.strip() for name in needs.split(","))))

    def declare(function: Callable[Concatenate[Runs, P], T]) -> Question[P, T]:
        declared = Question(function, heading, place, counts, measured, joins, needed)
        QUESTIONS[function.__name__] = declared
        return declared

    return declare


def _check_switch(name: str, value: object) -> None:
    if value not in (True, False):
        raise AssessmentError(f"{name} is {value!r}; it must be True or False")


def _on_axis(table: T, axis: str) -> T:
    """A table that knows its unit of budgets; its column of evaluations may be one of seconds."""
    columns = dict(table.columns)
    if axis == SECONDS:
        columns = {_IN_SECONDS.get(name, name): column for name, column in columns.items()}
    return replace(table, columns=columns, axis=axis)
