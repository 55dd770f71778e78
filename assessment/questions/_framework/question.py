"""The decorator ``@question``, which makes a question of a function from samples to a table.

The declaration gives a question its method of `Results`, its command and its help. A call of a
`Question` selects the runs, opens a sample for each need, computes the table by the function, and
collects the notes of the caveats. If seconds are counted, columns of evaluations are renamed last.
Figures and sections of the report are declared with the methods `Question.figure` and
`Question.report`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, reduce, update_wrapper
from operator import or_
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Generic,
    ParamSpec,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from ....suites.errors import UnknownNameError
from ...caveats import Caveat, Explanation, caveats_of
from ...cost import SECONDS, Count, axis_of
from ...errors import AssessmentError
from ...grouping import check_grouping, check_groupings
from ...samples.convention import UNDECLARED, Convention, Conventions
from ...samples.sample import Answer, Sample
from ...selection import Selection, Selectors
from ...tables.table import Table
from ...targets.budgets import AXIS
from .docstrings import complete_docstring, split_docstring
from .needs import Need, runs_alone
from .options import Algorithm, GroupBy, Groupings

if TYPE_CHECKING:
    from matplotlib.figure import Figure as MatplotlibFigure

    from ....loggers import Log
    from ...figures.axes import Width
    from .cell import Cell
    from .context import Context

DrawArguments = ParamSpec("DrawArguments")
T = TypeVar("T", bound=Table)
SectionFunction = TypeVar("SectionFunction", bound=Callable[..., Any])
FigureCells = str | Callable[[Any], list[dict[str, Any]]]
"""Columns of which a figure shows one value each, separated by spaces; or a function that returns
the values of each figure of a table, by column."""
FigureParts = Callable[["Cell", "Width"], list[list[int]]]
"""A function from what a figure shows, and its width, to the functions of each of its parts."""

QUESTIONS: dict[str, Question[Any]] = {}
"""The questions whose modules are imported, by the names of their functions."""
SHARED_ARGUMENTS = {
    "unequal": "Include all runs of each algorithm. Default: only the functions, dimensions and "
    "instances on which all algorithms were run.",
    "count": 'Unit of runtimes: ``"f+g"``, evaluations of the objective and of the constraints (as '
    'in COCO); ``"f"`` or ``"g"``, only one of them; ``"seconds"``, of one machine or simulated; '
    '``"mixed-seconds"``, of several machines. Default: ``"f+g"``.',
    "algorithms": "Names of algorithms. Default: all.",
    "suites": "Names of suites. Default: all.",
    "functions": 'Numbers of functions: an int, a list, a range or ``"1-5,7"``. Default: all.',
    "dimensions": "Dimensions, in the form of ``functions``. Default: all.",
    "instances": "Numbers of instances, in the form of ``functions``. Default: all.",
}
"""Descriptions of the arguments that many methods have, for their docstrings."""
_COLUMNS_IN_SECONDS = {"evaluations": SECONDS, "evaluations_per_dimension": SECONDS}
"""New names of columns in a table that counts seconds."""


def question(
    heading: str,
    place: int = 100,
    *,
    needs: Need | Sequence[Need] = runs_alone,
    convention: Conventions = None,
    counts: bool = True,
    recommended: bool | None = None,
    joins: bool | str = False,
    requires: str = "",
    examples: Sequence[str] = ("results/quickstart.h5",),
    explains: Sequence[Explanation] = (),
) -> Callable[[Callable[..., T]], Question[T]]:
    """Declare the function below as a question: a method of `Results` and a command.

    The function takes a sample for each need, and then the options of the question. Each option has
    a type. The first line of the function's docstring is the summary in the help, and its section
    Args describes the options. ``firsthit assess mine.py:NAME LOGS`` runs a question in a file.

    Args:
        heading: Heading under which the help lists the question.
        place: Sort key below the heading, ascending.
        needs: Which data the question takes: one need, or one for each of its samples.
        convention: How runs count, such as `EACH_RUN`. None: the notes state the numbers of runs
            and instances only.
        counts: Whether the question takes the option ``count``.
        recommended: Whether the question can measure recommended solutions (`firsthit.load`). None:
            as ``counts``.
        joins: Whether the question joins functions; or the name of the option that makes it do so.
        requires: Packages that must be installed, names separated by commas.
        examples: One to three command lines for the help, each without ``firsthit assess NAME``.
        explains: Explanations of the notes that the function itself adds to its table.

    Returns:
        The decorator.

    Raises:
        AssessmentError: An option has no type, or the question is written for an earlier version of
            firsthit.

    Example:
        >>> import firsthit, numpy as np
        >>> from firsthit.assessment import Table, at_targets, hardest, question, table_of
        >>> @question("My own", needs=at_targets(hardest))
        ... def solved(sample) -> Table:
        ...     '''Count the runs that hit the final target.'''
        ...     rows = [[*cell.identity, int(np.isfinite(cell.hits).sum())] for cell in sample]
        ...     names = ("algorithm", "suite", "function", "dimension", "solved")
        ...     return Table(table_of(names, rows))
        >>> results = firsthit.benchmark(
        ...     "random-search", "bbob", functions=1, dimensions=2, budget=50
        ... )
        >>> print(results.solved(targets=1e1))
        algorithm      suite  function  dimension  solved
        random-search  bbob          1          2      15
    """
    is_for_recommended = counts if recommended is None else recommended
    requirements = tuple(filter(None, (name.strip() for name in requires.split(","))))

    def declare(function: Callable[..., T]) -> Question[T]:
        parameters = inspect.signature(function).parameters
        sample = next(iter(parameters.values()), None)
        if isinstance(needs, str) or sample is None or "Runs" in str(sample.annotation).split("."):
            raise AssessmentError(
                f"question {function.__name__!r} is written for an earlier version of firsthit: a "
                "question takes a sample now, which its need opens, such as "
                "@question(…, needs=at_targets(decades)); required packages are named by requires"
            )
        for option in list(parameters.values())[1 if isinstance(needs, Need) else len(needs) :]:
            if option.annotation is option.empty:
                raise AssessmentError(
                    f"question {function.__name__!r}: the option {option.name!r} has no type; "
                    f"write one, such as {option.name}: bool"
                )
        declared = Question(
            function=function,
            heading=heading,
            place=place,
            needs=(needs,) if isinstance(needs, Need) else tuple(needs),
            convention=UNDECLARED if convention is None else convention,
            counts=counts,
            recommended=is_for_recommended,
            joins=joins,
            requires=requirements,
            examples=tuple(examples),
            explains=list(explains),
        )
        QUESTIONS[function.__name__] = declared
        return declared

    return declare


@dataclass(eq=False)
class Question(Generic[T]):
    """A function from samples to a table, with its declaration; call it as ``art(results)``.

    Attributes:
        function: Function that computes the table. Its first parameters are the samples, one for
            each need; the others are options.
        heading: Heading under which the help lists the question.
        place: Sort key below the heading, ascending.
        needs: Which data the question takes, one need for each sample.
        convention: How runs count, see `Convention`; a tuple has one for each sample, or None for a
            sample without notes on runs and conventions.
        counts: Whether the question takes the option ``count``.
        recommended: Whether recommended solutions can be measured by it.
        joins: Whether the question joins functions. It then takes the option ``unequal``, and only
            the problems that all algorithms were run on count. A name is that of the boolean
            option that makes the question join functions.
        requires: Packages that must be installed, or ``"two objectives"``; empty for nothing.
        examples: Arguments of the command, such as ``"results/my.h5 --seed 2"``, for its help.
        caveats: Caveats of this question, in the order of their notes.
        explains: Explanations of the notes of these caveats and of the function.
        replaced: Caveats of the samples' kinds that do not apply, because this question has more
            precise ones.
        figures: Figures of the table by kind; the first is the default.
        sections: Sections of the report that are about this question.
    """

    function: Callable[..., T]
    heading: str
    place: int
    needs: tuple[Need, ...]
    convention: Conventions
    counts: bool
    recommended: bool
    joins: bool | str
    requires: tuple[str, ...]
    examples: tuple[str, ...]
    caveats: list[Caveat] = field(default_factory=list)
    explains: list[Explanation] = field(default_factory=list)
    replaced: list[Caveat] = field(default_factory=list)
    figures: dict[str, Figure] = field(default_factory=dict)
    sections: list[Section] = field(default_factory=list)

    def __post_init__(self) -> None:
        update_wrapper(self, self.function)
        documented = {name: text for need in self.needs for name, text in need.documented.items()}
        self.__doc__ = complete_docstring(self.function.__doc__, self.parameters, documented)

    def __call__(self, results: Any, /, *args: Any, **options: Any) -> T:
        """Answer the question from `Results`.

        Args:
            results: The results; the question is about their ``log``.
            *args: Positional options.
            **options: Options, selectors, ``count`` and ``unequal``.

        Returns:
            The table with all notes.

        Raises:
            FirsthitError: Something is not in the log, or options make no sense.
        """
        for name in options:
            if name not in self.arguments:
                raise UnknownNameError.of(
                    f"option of {self.function.__name__}", name, self.arguments
                )
        keyword_options = {
            name: value for name, value in options.items() if name in self.parameters
        }
        bound = self.signature.bind(results, *args, **keyword_options)
        question_options = dict(list(bound.arguments.items())[1:])
        selection = self.select(results.log, options | question_options)
        return self.on(selection, **question_options)

    def on(self, selection: Selection, **options: Any) -> T:
        """Answer the question from runs that `select` selected.

        Args:
            selection: The runs.
            **options: Options of the question.

        Returns:
            The table with all notes.
        """
        all_options = self._fill_defaults(options)
        table: T = _finish_table(self.ask(*self.open(selection, **all_options), **all_options))
        return table

    def select(self, log: Log, options: Mapping[str, Any]) -> Selection:
        """Check options as far as this is cheap, and select the runs that they name.

        A question about two algorithms selects the runs of these two. A question that joins
        functions selects the runs on the problems that all algorithms were run on.

        Args:
            log: The log that the question is about.
            options: Selectors, ``count``, ``unequal`` and options of the question.

        Raises:
            FirsthitError: Options make no sense, or something is not in the log.
        """
        all_options = self._fill_defaults(
            {name: value for name, value in options.items() if name in self.parameters}
        )
        unequal = options.get("unequal", False)
        _check_switch("unequal", unequal)
        selectors = {name: options[name] for name in Selectors.__annotations__ if name in options}
        if self.two:
            selectors["algorithms"] = [all_options[name] for name in self.two]
        selection = Selection.of(log, selectors, options.get("count") or "f+g", unequal)
        if isinstance(self.joins, str) and not all_options[self.joins]:
            if unequal:
                raise AssessmentError(
                    f"unequal: nothing is joined but {self.joins}; ask for both or none"
                )
            return selection
        return selection.common() if self.joins else selection

    def open(self, selection: Selection, **options: Any) -> tuple[Sample[Any], ...]:
        """Read the samples of the question from the selected runs, one for each need.

        Args:
            selection: The runs, as `select` returns them.
            **options: Options of the question.
        """
        all_options = self._fill_defaults(options)
        return tuple(
            need.open(selection, **{name: all_options[name] for name in need.parameters})
            for need in self.needs
        )

    def ask(self, *samples: Sample[Any], **options: Any) -> Answer:
        """Compute the table from samples, and collect the notes of all caveats.

        Args:
            *samples: The samples, as `open` returns them.
            **options: Options of the question; those of the needs do not matter here.

        Returns:
            The answer; its table does not contain the notes of the caveats.
        """
        all_options = self._fill_defaults(options, check_required=False)
        arguments = {name: all_options[name] for name in self._function_parameters}
        return self.collect_caveats(self.function(*samples, **arguments), *samples, **options)

    def collect_caveats(self, table: Table, *samples: Sample[Any], **options: Any) -> Answer:
        """Collect the notes of all caveats to a table of samples.

        The caveats of the samples' kinds come first, then those of the question, then the notes
        that the table has already, under the name ``table``.

        Args:
            table: The table, as the question's function returned it.
            *samples: The samples that the table was computed from.
            **options: Options of the question.
        """
        all_options = self._fill_defaults(options, check_required=False)
        conventions = _resolve_conventions(self.convention, samples, all_options)
        answer = Answer(table, samples, conventions, all_options)
        said: dict[str, tuple[str, ...]] = {}
        calls = [
            (caveat, sample)
            for sample in samples
            for caveat in caveats_of(sample)
            if caveat not in self.replaced
        ]
        calls += [(caveat, samples[0]) for caveat in self.caveats]
        for caveat, sample in calls:
            notes = tuple(caveat(sample, replace(answer, said=said)))
            said = {**said, caveat.__name__: (*said.get(caveat.__name__, ()), *notes)}
        return replace(answer, said={**said, "table": table.notes})

    def caveat(
        self, *, explains: Sequence[Explanation] = (), instead_of: Sequence[Caveat] = ()
    ) -> Callable[[Caveat], Caveat]:
        """Declare the function below as a caveat of this question; see `caveats`.

        Args:
            explains: Explanation of each note that the caveat may return, for the page of notes.
            instead_of: Caveats of the sample's kind that the function replaces, because it is more
                precise.
        """

        def declare(function: Caveat) -> Caveat:
            self.caveats.append(function)
            self.explains.extend(explains)
            self.replaced.extend(instead_of)
            return function

        return declare

    def figure(
        self,
        name: str,
        *,
        cells: FigureCells,
        caption: str | Callable[[Cell], str],
        parts: FigureParts | None = None,
        has_styles: bool = True,
        **defaults: Any,
    ) -> Callable[
        [Callable[DrawArguments, MatplotlibFigure]], Callable[DrawArguments, MatplotlibFigure]
    ]:
        """Declare the function below as a kind of figures of the table; see `Figure`.

        Args:
            name: Name of the kind, such as ``"heatmap"``.
            cells: Columns of which a figure shows one value, or a function that returns the values.
            caption: Text in which ``{place}`` stands for suite, function and dimension, or a
                function of the `Cell`.
            parts: Function that divides the functions of a figure that would be too high.
            has_styles: Whether the figure draws algorithms in their styles.
            **defaults: Options of the question whose default differs for this kind. A default may
                be a function: of a suite's measurement for ``targets``, of the log for ``budgets``.

        Returns:
            The decorator. It returns the function such that it draws in the style of all figures.
        """

        def declare(
            draw: Callable[DrawArguments, MatplotlibFigure],
        ) -> Callable[DrawArguments, MatplotlibFigure]:
            from ...figures.style import styled  # tables must not import the code of figures

            styled_draw = styled(draw)
            self.figures[name] = Figure(
                name, self, styled_draw, cells, caption, defaults, parts, has_styles
            )
            return styled_draw

        return declare

    def report(
        self, id: str, title: str, caption: str, **attributes: Any
    ) -> Callable[[SectionFunction], SectionFunction]:
        """Declare the function below, which takes a `Context`, as a section of the report.

        Args:
            id: Name of the section in scripts.
            title: Title of the section.
            caption: Description of the picture or table.
            **attributes: Further attributes of the `Section`.
        """

        def declare(data: SectionFunction) -> SectionFunction:
            section = Section(id, title, caption, data, counts=self.counts, **attributes)
            self.sections.append(section)
            return data

        return declare

    @property
    def name(self) -> str:
        """Name of the command, such as ``fixed-target``."""
        return self.function.__name__.replace("_", "-")

    @cached_property
    def parameters(self) -> dict[str, inspect.Parameter]:
        """All options by name, those of the function and those of the needs, in their order.

        Algorithms come first, then the other positional options: ``reference`` of a need, those of
        the function, those of the needs. Keyword options follow: ``axis``, those of the needs,
        those of the function, ``reference``.
        """
        parameters: dict[str, inspect.Parameter] = {}
        for need in self.needs:
            parameters |= need.parameters
        parameters |= self._function_parameters
        names = sorted(parameters, key=lambda name: self._rank_option(name, parameters[name]))
        return {name: parameters[name] for name in names}

    def _rank_option(self, name: str, parameter: inspect.Parameter) -> tuple[int, int]:
        """Return the sort key of an option in `parameters`."""
        if self.hints[name] == Algorithm:
            return 0, 0
        is_of_function = name in self._function_parameters
        if parameter.kind is not parameter.KEYWORD_ONLY:
            if is_of_function:
                return 1, 1
            return 1, 0 if name == "reference" else 2
        if name == "axis":
            return 2, 0
        if name == "reference":
            return 2, 3
        return 2, 2 if is_of_function else 1

    @cached_property
    def _function_parameters(self) -> dict[str, inspect.Parameter]:
        """The options of the function, by name."""
        parameters = inspect.signature(self.function).parameters
        return dict(list(parameters.items())[len(self.needs) :])

    @cached_property
    def signature(self) -> inspect.Signature:
        """Signature of a call: the results, and all options."""
        results = inspect.Parameter("results", inspect.Parameter.POSITIONAL_ONLY)
        return inspect.Signature([results, *self.parameters.values()])

    @cached_property
    def method(self) -> Callable[..., T]:
        """Function that is the method of `Results`.

        Its signature and docstring have the options, ``unequal``, ``count`` and the selectors.
        """

        def method(results: Any, /, *args: Any, **options: Any) -> T:
            return self(results, *args, **options)

        update_wrapper(method, self.function)
        method.__qualname__ = f"Results.{self.function.__name__}"
        method.__doc__ = complete_docstring(self.__doc__, self.arguments, SHARED_ARGUMENTS)
        result = get_type_hints(self.function).get("return", Table)
        _set_signature(method, self.arguments, result)
        return method

    @cached_property
    def hints(self) -> dict[str, Any]:
        """Types of the options, by name."""
        of_function = get_type_hints(self.function, include_extras=True)
        of_needs = {name: hint for need in self.needs for name, hint in need.hints.items()}
        return {**of_needs, **{name: of_function[name] for name in self._function_parameters}}

    @cached_property
    def two(self) -> tuple[str, ...]:
        """Names of the two options that are algorithms; empty if the question compares no pair."""
        return tuple(name for name in self.parameters if self.hints[name] == Algorithm)

    @property
    def keywords(self) -> tuple[str, ...]:
        """Names of all keywords of a call except the selectors."""
        switches = ("unequal",) * bool(self.joins) + ("count",) * self.counts
        return (*self.parameters, *switches)

    @cached_property
    def arguments(self) -> dict[str, inspect.Parameter]:
        """All arguments of the method by name, in their order, with types.

        A question that compares two algorithms has no selector ``algorithms``.
        """
        types: dict[str, Any] = {"unequal": bool, "count": Count | None}
        types |= get_type_hints(Selectors)
        types |= {name: _without_metadata(hint) for name, hint in self.hints.items()}
        names = [*self.keywords, *Selectors.__annotations__]
        if self.two:
            names.remove("algorithms")
        return {
            name: self.parameters.get(
                name,
                inspect.Parameter(
                    name,
                    inspect.Parameter.KEYWORD_ONLY,
                    default=False if name == "unequal" else None,
                ),
            ).replace(annotation=types[name])
            for name in names
        }

    def _fill_defaults(
        self, options: Mapping[str, Any], check_required: bool = True
    ) -> dict[str, Any]:
        """Return all options with defaults for the missing ones, after a cheap check of the values.

        Without ``check_required``, a missing option that has no default is `Parameter.empty`.
        """
        for name, value in options.items():
            if name not in self.parameters:
                raise UnknownNameError.of(
                    f"option of {self.function.__name__}", name, self.parameters
                )
            if self.hints[name] is bool:
                _check_switch(name, value)
            elif self.hints[name] == GroupBy:
                check_grouping(value)
            elif self.hints[name] == Groupings:
                check_groupings(value)
        defaults = {name: parameter.default for name, parameter in self.parameters.items()}
        all_options = {**defaults, **options}
        missing = [name for name, value in all_options.items() if value is inspect.Parameter.empty]
        if missing and check_required:
            raise TypeError(f"missing a required argument: {missing[0]!r}")
        return all_options


@dataclass(frozen=True, eq=False)
class Figure:
    """A kind of figures that are drawn from a question's table.

    Attributes:
        name: Name of the kind, such as ``heatmap``.
        question: The question whose table is drawn.
        draw: Function that takes the table, options of its own, and `FigureOptions`, and returns a
            matplotlib figure.
        cells: Columns of which a figure shows one value, or a function that returns the values of
            each figure of a table.
        caption: Text in which ``{place}`` stands for suite, function and dimension, or a function
            of the `Cell`.
        defaults: Options of the question whose default differs when only this kind is drawn, by
            `drawings` or ``results.plot``.
        parts: Function that returns the functions of each part of a figure that would be too high
            for a page, from the `Cell` and the width. None: figures are not divided.
        has_styles: Whether the figure draws algorithms in their styles. If not, no algorithm can be
            highlighted in it.
    """

    name: str
    question: Question[Any]
    draw: Callable[..., MatplotlibFigure]
    cells: FigureCells
    caption: str | Callable[[Cell], str]
    defaults: Mapping[str, Any]
    parts: FigureParts | None = None
    has_styles: bool = True

    def document_method(self, method: Callable[..., Any]) -> None:
        """Give a method of ``results.plot`` its name, docstring and signature.

        It has the arguments of the question's method, and the options of the drawing.

        Args:
            method: Function that draws this figure of results; mutated.
        """
        update_wrapper(method, self.draw)
        method.__name__ = self.name.replace("-", "_")
        method.__qualname__ = f"Figures.{method.__name__}"
        options = {
            name: parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
            for name, parameter in drawing_options(self).items()
        }
        arguments = self.question.arguments | options
        descriptions = split_docstring(self.question.method.__doc__).arguments
        method.__doc__ = complete_docstring(self.draw.__doc__, arguments, descriptions)
        _set_signature(method, arguments, "Axes")


def _set_signature(
    method: Callable[..., Any], arguments: Mapping[str, inspect.Parameter], result: Any
) -> None:
    """Set the signature that `help` and `inspect.signature` show of a method.

    Its annotations are texts without the modules of types. `get_type_hints` returns the types.

    Args:
        method: Function of the method; mutated.
        arguments: All arguments by name, in their order.
        result: Type of the result.
    """
    results = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    shown = [
        argument.replace(annotation=_shorten_annotation(argument.annotation))
        for argument in arguments.values()
    ]
    method.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [results, *shown], return_annotation=_shorten_annotation(result)
    )
    annotations = {name: argument.annotation for name, argument in arguments.items()}
    method.__annotations__ = {**annotations, "return": result}


def _shorten_annotation(annotation: Any) -> Any:
    """Return an annotation as text, without the modules of its types; a text stays as it is."""
    if isinstance(annotation, str) or annotation is inspect.Parameter.empty:
        return annotation
    text = re.sub(r"(?<!['\w])(?:\w+\.)+(?=\w)", "", inspect.formatannotation(annotation))
    is_optional = text.startswith("Optional[")
    return f"{text.removeprefix('Optional[').removesuffix(']')} | None" if is_optional else text


def drawing_options(figure: Figure) -> dict[str, inspect.Parameter]:
    """Return the options of a figure's function, by name: its named parameters after the table.

    The `FigureOptions`, which all these functions take as keywords, are not included.
    """
    parameters = list(inspect.signature(figure.draw).parameters.values())[1:]
    return {
        parameter.name: parameter
        for parameter in parameters
        if parameter.kind is not parameter.VAR_KEYWORD
    }


@dataclass(frozen=True, eq=False)
class Section:
    """A section of the report, which a JavaScript file of the same name draws.

    Attributes:
        id: Name of the section in scripts; with ``_`` for ``-`` the name of its file.
        title: Title of the section.
        caption: Description of the picture or table, in sentences. ``{targets}`` stands for the
            targets; `report.page` replaces other words in braces if seconds are counted.
        data: Function that makes the data of the script from the context; their keys become keys of
            the page's data.
        place: Sort key on the page, ascending.
        is_table: Whether the section is a table and not a picture.
        needs: Key of the page's data without which the section is left out; empty for none.
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


def _without_metadata(hint: Any) -> Any:
    """Return a type hint without ``Annotated``, also inside a union such as ``Seed | None``."""
    if get_origin(hint) is Annotated:
        return _without_metadata(get_args(hint)[0])
    if get_origin(hint) in (Union, UnionType):
        return reduce(or_, map(_without_metadata, get_args(hint)))
    return hint


def _check_switch(name: str, value: object) -> None:
    if value not in (True, False):
        raise AssessmentError(f"{name} is {value!r}; it must be True or False")


def _resolve_conventions(
    declared: Conventions, samples: Sequence[Sample[Any]], options: Mapping[str, Any]
) -> tuple[Convention | None, ...]:
    """Return the convention of each sample; call those that depend on sample and options."""
    conventions = declared if isinstance(declared, tuple) else (declared,) * len(samples)
    return tuple(
        convention(sample, options) if callable(convention) else convention
        for convention, sample in zip(conventions, samples, strict=True)
    )


def _finish_table(answer: Answer) -> Any:
    """Return the table with all notes and its unit of budgets; rename columns that hold seconds.

    Tables that are attributes of the table receive the notes, too.
    """
    table, notes, sample = answer.table, answer.notes, answer.samples[0]
    axis = sample.axis if "axis" in answer.options else axis_of(AXIS, sample.count)
    columns = dict(table.columns)
    if axis == SECONDS:
        columns = {_COLUMNS_IN_SECONDS.get(name, name): column for name, column in columns.items()}
    inner_tables = {
        attribute.name: replace(value, notes=notes)
        for attribute in fields(table)
        if isinstance(value := getattr(table, attribute.name), Table)
    }
    return replace(table, columns=columns, notes=notes, axis=axis, **inner_tables)
