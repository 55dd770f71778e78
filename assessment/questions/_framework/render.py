"""Draw the figures of questions, with the captions that state the runs behind them.

A kind of figures (`Figure`) belongs to a question. Each figure of the kind shows a part of the
question's table, a `Cell`. `drawings` answers the question and yields all figures of a kind.
`save_plots` writes the figures of a table that is computed already. `plot_figure` draws the figure
of a method of ``results.plot``. Commands that draw several kinds call `why_inapplicable` and
`check_shared_options` first.
"""

from __future__ import annotations

import io
import itertools
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....suites.errors import UnknownNameError
from ...cost import check_count
from ...errors import AssessmentError
from ...figures.axes import FigureOptions, Width, labels_of
from ...figures.files import CAPTION_SUFFIX, Drawing, check_plot_path, file_part, save_as
from ...figures.style import N_STYLES
from ...grouping import check_groupings, group_name
from ...hits.archives import on_two_objectives
from ...notes import caption_notes
from ...samples.sample import runs_by_cell
from ...selection import Selection, select_runs
from ...tables.table import Table
from ...target_choice import is_runlength, load_targets, resolve_targets
from ...targets.target_sets import all_targets, key_of
from . import registry
from .cell import Cell, format_for_file_name
from .question import Figure, drawing_options

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as MatplotlibFigure

    from ....loggers import Log

TWO_OBJECTIVES = "two objectives"
"""Requirement of a question that is no package; see `Question.requires`."""
_DOTS_PER_INCH = 200
_SCREEN_DOTS_PER_INCH = 100
"""Resolution at which notebooks show a figure; half of the picture's, for sharp screens."""


def why_inapplicable(kind: str, log: Log, selectors: Mapping[str, Any]) -> str | None:
    """Return why a kind of figures is left out for these runs unless the user names the kind.

    Args:
        kind: Kind of figures, which must exist.
        log: The log.
        selectors: Selectors of runs.

    Returns:
        The reason as a clause, or None if the kind is not left out.
    """
    figure = registry.figure(kind)
    assert figure is not None
    question = figure.question
    if log.recommended and not question.recommended:
        return "it shows what runs did besides recommending solutions"
    algorithms = list(selectors.get("algorithms") or log.algorithms)
    if question.two and len(algorithms) != 2:
        return f"it compares two algorithms, and {len(algorithms)} are selected"
    for requirement in question.requires:
        if requirement == TWO_OBJECTIVES:
            if not on_two_objectives(log, select_runs(log, **selectors)).any():
                return "it needs runs on two objectives"
        elif not find_spec(requirement):
            return f"it needs the package {requirement}"
    return None


def check_shared_options(
    log: Log, selectors: Mapping[str, Any], options: Mapping[str, Any]
) -> None:
    """Check options that several kinds of figures share, before any figure is drawn.

    Without this check, each kind that takes a wrong option would be left out with the same reason.

    Args:
        log: Runs that are shown.
        selectors: Selectors of runs.
        options: Some of ``targets``, ``reference``, ``group_by`` and ``count``.

    Raises:
        AssessmentError: A value is not allowed, or these runs do not have it.
    """
    rows = select_runs(log, **selectors)
    if "count" in options:
        check_count(log, rows, options["count"])
    if "group_by" in options:
        check_groupings(options["group_by"])
    if "targets" in options:
        targets = load_targets(log, rows, options["targets"], options.get("reference"))
        resolve_targets(log, rows, targets, all_targets)


def drawings(
    kind: str,
    log: Log,
    options: Mapping[str, Any] | None = None,
    width: Width = "column",
    highlight: Sequence[str] | None = None,
) -> Iterator[Drawing]:
    """Draw the figures of one kind, one after the other.

    Args:
        kind: Kind of figures, such as ``"ecdf"``.
        log: Runs that are shown.
        options: Selectors, ``count``, ``unequal``, and options of the question and of the drawing.
        width: Width of the figures: a column of a paper, or a page.
        highlight: Algorithms in colour; all others are grey. None: all are in colour.

    Yields:
        Each figure with name and caption; for a question about two algorithms, those of each pair.

    Raises:
        UnknownNameError: There is no such kind.
        AssessmentError: Nothing of this kind can be drawn from the log with these options.
    """
    for prepared in _prepare_drawings(kind, log, options or {}, width):
        yield _draw_cell(
            prepared.figure,
            prepared.cell,
            prepared.draw_options,
            {"width": width, "highlight": highlight},
            prepared.name,
        )


def drawing_names(
    kind: str, log: Log, options: Mapping[str, Any], width: Width = "column"
) -> Iterator[str]:
    """Yield the names of the figures that `drawings` yields for the same arguments; draw nothing.

    Raises:
        UnknownNameError: There is no such kind.
        AssessmentError: Nothing of this kind can be drawn from the log with these options.
    """
    for prepared in _prepare_drawings(kind, log, options, width):
        yield prepared.name


class _PreparedDrawing(NamedTuple):
    """Arguments of `_draw_cell` for one figure, without the display options."""

    figure: Figure
    cell: Cell
    draw_options: Mapping[str, Any]
    name: str


def _prepare_drawings(
    kind: str, log: Log, options: Mapping[str, Any], width: Width
) -> Iterator[_PreparedDrawing]:
    """Compute the tables of one kind of figures, and yield what each figure is drawn from."""
    figure = registry.figure(kind)
    if figure is None:
        raise UnknownNameError.of("kind of figure", kind, registry.figure_names())
    question = figure.question
    for pair in _list_pairs(figure, log, options):
        arguments, draw_options = _split_options(figure, options)
        arguments |= zip(question.two, pair, strict=True)
        runs = question.select(log, arguments)
        question_options = {
            name: value for name, value in arguments.items() if name in question.parameters
        }
        table = question.on(runs, **question_options)
        for cell in _divide_table(figure, runs, table, {**question_options, **draw_options}, width):
            name = "_".join([figure.name, cell.name, *map(file_part, pair)])
            yield _PreparedDrawing(figure, cell, draw_options, name)


def save_plots(
    figure: Figure,
    table: Table,
    runs: Selection,
    path: str | Path,
    *,
    command: str,
    options: Mapping[str, Any],
    draw_options: Mapping[str, Any],
    width: Width = "column",
    highlight: Sequence[str] | None = None,
    check_files: Callable[[Sequence[Path]], None],
) -> list[Path]:
    """Draw every figure of a table into a file, and write its caption beside it as ``NAME.txt``.

    Args:
        figure: Kind of figures.
        table: Table of its question.
        runs: Runs that the table is about, as `Question.select` returns them.
        path: File of a single figure; its suffix determines the format. If there are several
            figures, the values in which they differ are added to the names, such as
            ``NAME_d05.png`` or ``NAME_d05_f003.png``, and then the functions of figures that
            differ in them alone, such as ``NAME_f001-012.png``.
        command: Command line that draws the figures again, for the captions.
        options: Options of the question.
        draw_options: Options of the drawing.
        width: Width of the figures: a column of a paper, or a page.
        highlight: Algorithms in colour; all others are grey. None: all are in colour.
        check_files: Called with the files of all figures and captions before the first one is
            drawn; raises an error if they must not be written.

    Returns:
        The files of the figures.

    Raises:
        AssessmentError: The table cannot be drawn as this kind, or a file cannot be written.
    """
    target = check_plot_path(path)
    cells = list(_divide_table(figure, runs, table, {**options, **draw_options}, width))
    if not cells:
        raise AssessmentError(f"figure: the table has nothing that kind {figure.name} shows")
    names = dict.fromkeys(name for cell in cells for name in cell.values)
    differing = [name for name in names if len({cell.values.get(name) for cell in cells}) > 1]
    files = []
    for cell in cells:
        tags = [
            "_" + format_for_file_name(name, cell.values[name])
            for name in differing
            if name in cell.values
        ]
        files.append(target.with_name(target.stem + "".join(tags) + cell.part_name + target.suffix))
    check_files([*files, *(file.with_suffix(CAPTION_SUFFIX) for file in files)])
    for cell, file in zip(cells, files, strict=True):
        display_options: FigureOptions = {"width": width, "highlight": highlight}
        drawing = _draw_cell(figure, cell, draw_options, display_options, file.stem)
        save_as(drawing, file, command)
    return files


def plot_figure(results: Any, figure: Figure, *args: Any, **options: Any) -> Axes:
    """Draw one figure of `Results`, and show it if a notebook is running.

    Args:
        results: The `Results`.
        figure: Kind of figures.
        *args: Positional options of the question.
        **options: Selectors, ``count``, ``unequal``, and options of the question and of the
            drawing. The values that the figure shows, such as a function, are no options: they
            result from the selectors.

    Returns:
        The first axes of the figure.

    Raises:
        FirsthitError: Options make no sense; or the table has several values of a column of which a
            figure shows one. The message lists the values.
    """
    arguments, draw_options = _split_options(figure, options)
    bound = figure.question.signature.bind_partial(results, *args)
    positional_options = dict(list(bound.arguments.items())[1:])
    table = figure.question(results, **{**arguments, **positional_options})
    drawing = figure.draw(table, **draw_options, algorithms=results.algorithms)
    if "ipykernel" in sys.modules:
        _show_after_notebook_cell(drawing)
    return drawing.axes[0]


def _show_after_notebook_cell(figure: MatplotlibFigure) -> None:
    """Show a figure when the running cell of the notebook has ended.

    The cell may change title and limits of the axes before that.
    """
    notebook: Any = import_module("IPython.display")
    shell = import_module("IPython").get_ipython()

    def show(*_: Any) -> None:
        shell.events.unregister("post_run_cell", show)
        picture = io.BytesIO()
        figure.savefig(picture, format="png", dpi=_DOTS_PER_INCH)
        pixels = int(_SCREEN_DOTS_PER_INCH * figure.get_figwidth())
        notebook.display(notebook.Image(picture.getvalue(), width=pixels))

    if shell is not None:
        shell.events.register("post_run_cell", show)


def _list_pairs(figure: Figure, log: Log, options: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Return the pairs of algorithms to compare; one empty tuple if the question compares none."""
    if not figure.question.two:
        return [()]
    algorithms = options.get("algorithms") or log.algorithms
    names = [algorithms] if isinstance(algorithms, str) else list(algorithms)
    if len(names) < 2:
        raise AssessmentError("figures of two algorithms need two; the logs hold one")
    return list(itertools.combinations(names, 2))


class _SplitOptions(NamedTuple):
    """Options of a figure.

    Attributes:
        arguments: Selectors, ``count``, ``unequal`` and options of the question, with the figure's
            defaults.
        draw_options: Options of the drawing.
    """

    arguments: dict[str, Any]
    draw_options: dict[str, Any]


def _split_options(figure: Figure, options: Mapping[str, Any]) -> _SplitOptions:
    names = drawing_options(figure)
    arguments = {name: value for name, value in options.items() if name not in names}
    draw_options = {name: value for name, value in options.items() if name in names}
    return _SplitOptions({**figure.defaults, **arguments}, draw_options)


def _divide_table(
    figure: Figure, runs: Selection, table: Table, options: Mapping[str, Any], width: Width
) -> Iterator[Cell]:
    """Yield the cell of each figure of a kind, in the order of the figures; draw nothing."""
    parameters = figure.question.parameters.items()
    options = {**{name: parameter.default for name, parameter in parameters}, **options}
    entries = _list_values(figure, table)
    all_values = [
        {name: value for name, value in entry.items() if name != "functions"} for entry in entries
    ]
    for entry, values in zip(entries, all_values, strict=True):
        functions = entry.get("functions")
        if functions is None:
            functions = _list_functions(runs, values)
        cell = Cell(runs, table, options, values, functions, all_values.count(values) > 1)
        parts = [] if figure.parts is None else figure.parts(cell, width)
        if len(parts) < 2:
            yield cell
        else:
            yield from (replace(cell, functions=part, is_part=True) for part in parts)


def _list_functions(runs: Selection, values: Mapping[str, Any]) -> list[int]:
    """Return the numbers of the functions of a cell, which may have a group, in ascending order.

    Args:
        runs: The selected runs.
        values: The values of the cell, by column.
    """
    rows = _select_rows(runs, values, ("suite", "dimension"))
    group = values.get("group", "all")
    if group == "all":
        functions: list[int] = np.unique(runs.log.runs["function"][rows]).tolist()
        return functions
    members = runs_by_cell(runs.log, rows, runs.count)
    return sorted(
        {
            member.function
            for member in members
            if group in (group_name(member, "function"), group_name(member, "group"))
        }
    )


def _list_values(figure: Figure, table: Table) -> list[dict[str, Any]]:
    """Return the values that each figure shows, by column; possibly with its ``functions``."""
    if callable(figure.cells):
        return figure.cells(table)
    names = [key_of(table.columns) if name == "target" else name for name in figure.cells.split()]
    if "group" in table.columns and set(table["group"].tolist()) != {"all"}:
        names = list(dict.fromkeys([*names, "group"]))  # the table has several groups of functions
    combinations = sorted(set(zip(*(table[name].tolist() for name in names), strict=True)))
    return [dict(zip(names, values, strict=True)) for values in combinations]


def _select_rows(
    runs: Selection, values: Mapping[str, Any], names: Sequence[str]
) -> NDArray[np.intp]:
    """Return the rows of the log that have the values of a cell in some columns.

    Args:
        runs: The selected runs.
        values: The values of the cell, by column.
        names: Columns to compare; those without a value are ignored.
    """
    rows = runs.rows
    for name in names:
        if name in values:
            rows = rows[runs.log.runs[name][rows] == values[name]]
    return rows


def _draw_cell(
    figure: Figure,
    cell: Cell,
    draw_options: Mapping[str, Any],
    display_options: FigureOptions,
    name: str,
) -> Drawing:
    """Draw the figure of a cell, and write its caption."""
    values: dict[str, Any] = {**display_options, "algorithms": cell.runs.log.algorithms}
    if "function" not in cell.values:
        values["functions"] = cell.functions
    drawing = figure.draw(cell.table, **draw_options, **cell.values, **values)
    return Drawing(name, drawing, _write_caption(figure, cell, display_options))


def _write_caption(figure: Figure, cell: Cell, display_options: FigureOptions) -> str:
    """Return the caption of a figure: its content, the runs of each algorithm, and their notes."""
    caption = figure.caption
    text = caption(cell) if callable(caption) else caption.format(place=cell.place, **cell.values)
    runs = cell.runs
    columns = ("algorithm", "suite", "function", "dimension", "instance")
    rows = _select_rows(runs, cell.values, columns)
    if "function" not in cell.values:
        rows = rows[np.isin(runs.log.runs["function"][rows], cell.functions)]
    runs_by_algorithm = np.unique(runs.log.runs["algorithm"][rows], return_counts=True)
    run_counts = ", ".join(f"{name} {n}" for name, n in zip(*runs_by_algorithm, strict=True))
    all_algorithms = runs.log.algorithms
    labels = labels_of(all_algorithms, display_options)
    short_names = [
        f"{labels[name]} is {name}"
        for name in runs_by_algorithm[0].tolist()
        if labels[name] != name
    ]
    if is_runlength(cell.options.get("targets")):
        text += f" Run-length targets: just missed by {cell.options['reference']} within budgets."
    if runs.log.recommended:
        text += " Runs are measured by the best solution that they recommended so far."
    count = runs.count if figure.question.counts else "f"
    notes = (*runs.notes, *caption_notes(runs_by_cell(runs.log, rows, count)))
    sentences = "".join(f" {note[0].upper()}{note[1:]}" for note in notes)
    if short_names:
        sentences += f" Shortened names: {', '.join(short_names)}."
    if len(all_algorithms) > N_STYLES:
        sentences += f" Styles repeat, because the logs hold more than {N_STYLES} algorithms."
    return f"{text} Runs: {run_counts}.{sentences}"
