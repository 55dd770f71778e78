"""Draws the figures of questions: which there are, their names, captions, and runs behind them."""

from __future__ import annotations

import io
import itertools
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...suites.errors import UnknownNameError
from ..data.archives import on_two_objectives
from ..data.notes import caption_notes, runs_of_log
from ..data.runs import Runs
from ..data.selection import select_runs
from ..data.target_choice import is_runlength
from ..errors import AssessmentError
from ..figures.files import Drawing, check_plot_path, file_part, write_figure
from ..tables.table import Table
from ..targets.target_sets import key_of
from . import registry
from .cell import Cell, part_of_name
from .declaration import Figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TWO_OBJECTIVES = "two objectives"
"""What a question may need, beside packages."""
_DOTS_PER_INCH, _SCREEN_DOTS_PER_INCH = 200, 100


def drawings(
    kind: str, log: Any, options: Mapping[str, Any] | None = None, width: str = "column"
) -> Iterator[Drawing]:
    """The figures of one kind, one after the other, each with name and caption.

    ``options`` are selectors, ``count``, ``unequal``, and those of the question and the
    drawing; ``width`` is that of a ``"column"`` of a paper or of a ``"page"``.
    """
    options = options or {}
    figure = registry.figure(kind)
    if figure is None:
        raise UnknownNameError.of("kind of figure", kind, registry.figure_names())
    for pair in _pairs(figure, log, options):
        runs, question_options, draw_options = _split(figure, log, {**figure.several, **options})
        table = figure.question(
            runs, **dict(zip(figure.question.two, pair, strict=True)), **question_options
        )
        compared = runs.of_two(*pair) if pair else runs
        if figure.question.joins:
            compared = compared.common()
        for cell in _cells(figure, compared, table, {**question_options, **draw_options}):
            how = {"algorithms": log.algorithms, "width": width}
            if "function" not in cell.values:
                how["functions"] = cell.functions
            drawn = figure.draw(table, **draw_options, **cell.values, **how)
            name = "_".join([figure.name, cell.name, *map(file_part, pair)])
            yield Drawing(name, drawn, _caption(figure, cell))


def inapplicable_kinds(log: Any, selectors: Mapping[str, Any]) -> set[str]:
    """The kinds of figures that are not drawn of these runs unless they are asked for by name."""
    figures = registry.index()["figures"]
    questions = {
        name: registry.index()["questions"][figure["question"]] for name, figure in figures.items()
    }
    left = {name for name, figure in figures.items() if figure["unasked"] == "no"}
    if log.recommended:
        left.update(name for name, question in questions.items() if not question["recommended"])
    if len(list(selectors.get("algorithms") or log.algorithms)) != 2:
        left.update(name for name, question in questions.items() if question["two"])
    packages = {name for question in questions.values() for name in question["needs"]}
    lacking = {name for name in packages - {TWO_OBJECTIVES} if not find_spec(name)}
    if not on_two_objectives(log, select_runs(log, **selectors)).any():
        lacking.add(TWO_OBJECTIVES)
    return left | {name for name, question in questions.items() if lacking & {*question["needs"]}}


def plotted(results: Any, figure: Figure, *args: Any, **options: Any) -> Axes:
    """Draw one figure of `Results`, show it in a notebook, and return its axes.

    Values of the cell, such as ``function``, are not named: selectors choose one, and an
    AssessmentError says what there is to choose.
    """
    runs, question_options, draw_options = _split(figure, results.log, options)
    given = figure.question.signature.bind_partial(None, *args).arguments
    question_options = {**question_options, **dict(list(given.items())[1:])}
    table = figure.question(runs, **question_options)
    drawn = figure.draw(table, **draw_options, algorithms=results.algorithms)
    if "ipykernel" in sys.modules:
        _show_when_the_cell_ends(drawn)
    return drawn.axes[0]


def _show_when_the_cell_ends(figure: Any) -> None:
    """Show a figure as it is then: with the title and limits that the cell gives it."""
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


def save_plots(figure: Figure, table: Table, path: str | Path) -> list[Path]:
    """Draw every cell of a table into files; the suffix says the format.

    One figure goes to ``path`` itself. Several go to names with what tells them apart, such as
    ``NAME_d05.png`` or ``NAME_d05_f003.png``.
    """
    target = check_plot_path(path)
    cells = _values(figure, table)
    for cell in cells:
        cell.pop("functions", None)
    differ = [name for name in (cells or [{}])[0] if len({cell[name] for cell in cells}) > 1]
    files = []
    for values in cells:
        tags = ["_" + part_of_name(name, values[name]) for name in differ]
        file = target.with_name(target.stem + "".join(tags) + target.suffix)
        write_figure(figure.draw(table, **values), file)
        files.append(file)
    return files


def _pairs(figure: Figure, log: Any, options: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Pairs of algorithms, for the question of two; else nothing, once."""
    if not figure.question.two:
        return [()]
    requested = options.get("algorithms") or log.algorithms
    names = [requested] if isinstance(requested, str) else list(requested)
    if len(names) < 2:
        raise AssessmentError("figures of two algorithms need two; the logs hold one")
    return list(itertools.combinations(names, 2))


def _split(
    figure: Figure, log: Any, options: Mapping[str, Any]
) -> tuple[Runs, dict[str, Any], dict[str, Any]]:
    """The runs, the options of the question, and those of the drawing."""
    draw_options = {name: value for name, value in options.items() if name in figure.own}
    given = {name: value for name, value in options.items() if name not in figure.own}
    return *figure.question.runs(log, {**figure.defaults, **given}), draw_options


def _cells(figure: Figure, runs: Runs, table: Table, options: Mapping[str, Any]) -> Iterator[Cell]:
    """What the figures of a kind show, in order; nothing is drawn."""
    for each in _values(figure, table):
        functions = each.pop("functions", None)
        if functions is None:
            rows = _rows_of(runs, each, ("suite", "dimension"))
            functions = np.unique(runs.log.runs["function"][rows]).tolist()
        yield Cell(runs, table, options, each, functions)


def _values(figure: Figure, table: Table) -> list[dict[str, Any]]:
    """The values of the columns that a figure shows one of, for each figure."""
    if callable(figure.cells):
        return figure.cells(table)
    names = [key_of(table.columns) if name == "target" else name for name in figure.cells.split()]
    if "group" in table.columns and set(table["group"].tolist()) != {"all"}:
        names = list(dict.fromkeys([*names, "group"]))  # the table tells groups apart
    values = sorted(set(zip(*(table[name].tolist() for name in names), strict=True)))
    return [dict(zip(names, cell_values, strict=True)) for cell_values in values]


def _rows_of(runs: Runs, values: Mapping[str, Any], names: Sequence[str]) -> NDArray[np.intp]:
    """Rows of the log that have the values of a cell."""
    rows = runs.rows
    for name in names:
        if name in values:
            rows = rows[runs.log.runs[name][rows] == values[name]]
    return rows


def _caption(figure: Figure, cell: Cell) -> str:
    """What a figure shows, how many runs of each algorithm, and what has to be known of them."""
    caption = figure.caption
    text = caption(cell) if callable(caption) else caption.format(place=cell.place, **cell.values)
    runs = cell.runs
    names = ("algorithm", "suite", "function", "dimension", "instance")
    rows = _rows_of(runs, cell.values, names)
    if "function" not in cell.values:
        rows = rows[np.isin(runs.log.runs["function"][rows], cell.functions)]
    counts = np.unique(runs.log.runs["algorithm"][rows], return_counts=True)
    counted = ", ".join(f"{name} {count}" for name, count in zip(*counts, strict=True))
    if is_runlength(cell.options.get("targets")):
        text += f" Run-length targets: just missed by {cell.options['reference']} within budgets."
    if runs.log.recommended:
        text += " Runs are measured by the best solution that they recommended so far."
    count = runs.count if figure.question.counts else "f"
    notes = (*runs.notes, *caption_notes(runs_of_log(runs.log, rows, count)))
    more = "".join(f" {note[0].upper()}{note[1:]}" for note in notes)
    return f"{text} Runs: {counted}.{more}"
