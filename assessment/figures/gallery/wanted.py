"""What a figure is asked to show; how it is drawn, named and given a caption."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...data.choice import Selectors, choose, common_runs
from ...data.fixed_budget_data import FixedBudgetData, fixed_budget_data
from ...data.fronts.archives import Archives, archives_of
from ...data.notes import caption_notes, runs_of_log
from ...data.run_sets import RunSet
from ...data.target_choice import asked_run_sets, joined_run_sets
from ...errors import AssessmentError
from ...tables.table import Table
from ...targets.budgets import Budgets
from ...targets.defaults import Default
from ...targets.parse import target_text
from ...targets.target_sets import TargetSet
from ..files import Drawing, file_part

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ....loggers import Log


AXIS = "evaluations/dimension"
_PER_DECADE = 10

Cell = dict[str, Any]
"""What a figure is about: some of ``suite``, ``function``, ``dimension``, ``group``, ``target``."""


@dataclass(frozen=True)
class Wanted:
    """Which figures, of what.

    Attributes:
        selectors: Which runs.
        count: What an evaluation is, as in `Results.ecdf`.
        reference: For losses, as in `Results.loss`, None for the best of all;
            for profiles, as in `Results.ecdf`.
        unequal: Whether what joins functions shows what not all algorithms were run on, too.
        seed: Of all that is simulated.
        width: Of figures: that of a ``"column"`` of a paper or of a ``"page"``.
        budget: Of the vertical cut, in evaluations / dimension; None: the largest power of ten
            below the longest run.
        target: Of the horizontal cut; None: 1e-1, or the second of four of the suite's.
        objectives: Axes of fronts: ``"scaled"`` or ``"raw"`` values.
    """

    selectors: Selectors = field(default_factory=Selectors)
    count: str = "f+g"
    reference: str | None = None
    unequal: bool = False
    seed: int = 1
    width: str = "column"
    budget: float | str | None = None
    target: float | None = None
    objectives: str = "scaled"


def cells_of(table: Table, *names: str) -> list[Cell]:
    """The combinations of values in some columns, in order."""
    values = sorted(set(zip(*(table[name].tolist() for name in names), strict=True)))
    return [dict(zip(names, one, strict=True)) for one in values]


def drawn(
    log: Log,
    wanted: Wanted,
    cell: Cell,
    figure: Figure,
    caption: str,
    *algorithms: str,
    functions: Sequence[int] | None = None,
    joins: bool = False,
) -> Drawing:
    """Names the figure, and adds to its caption how many runs of each algorithm stand behind it.

    Args:
        log: All runs.
        wanted: Which figures.
        cell: What the figure is about; the figure's name tells it.
        figure: The figure.
        caption: What it shows.
        *algorithms: The only ones that it shows, for figures of two.
        functions: Those that it shows, where ``cell`` names none.
        joins: Whether it shows what all algorithms were run on (`rows_joined`); what was left out
            is said.
    """
    shown = only(wanted, *algorithms) if algorithms else wanted
    runs, rows = log.runs, choose(log, **shown.selectors)
    notes: tuple[str, ...] = ()
    if joins:
        rows, notes = rows_joined(log, shown)
    for name in ("algorithm", "suite", "function", "dimension", "instance"):
        if name in cell:
            rows = rows[runs[name][rows] == cell[name]]
    if functions is not None:
        rows = rows[np.isin(runs["function"][rows], functions)]
    counts = zip(*np.unique(runs["algorithm"][rows], return_counts=True), strict=True)
    counted = ", ".join(f"{name} {count}" for name, count in counts)
    forms = {
        "function": "f{:03d}".format,
        "dimension": "d{:02d}".format,
        "instance": "i{:02d}".format,
        "target": target_text,
    }
    parts = [forms.get(name, file_part)(value) for name, value in cell.items()]
    file = "_".join([*parts, *map(file_part, algorithms)])
    if log.recommended:
        caption += " Runs are measured by the best solution that they recommended so far."
    notes += caption_notes(runs_of_log(log, rows, wanted.count))
    said = "".join(f" {note[0].upper()}{note[1:]}" for note in notes)
    return Drawing(file, figure, f"{caption} Runs: {counted}.{said}")


def rows_joined(log: Log, wanted: Wanted) -> tuple[NDArray[np.intp], tuple[str, ...]]:
    """The runs of a figure that joins functions, and sentences on what is left out."""
    rows = choose(log, **wanted.selectors)
    return (rows, ()) if wanted.unequal else common_runs(log, rows)


def drawing(
    log: Log,
    wanted: Wanted,
    cell: Cell,
    caption: str,
    draw: Callable[..., Figure],
    table: Table,
    *options: object,
    algorithms: Sequence[str] = (),
    joins: bool = False,
) -> Drawing:
    """Draws what a table says of a cell, with a colour for each algorithm of the log.

    Args:
        log: All runs.
        wanted: Which figures.
        cell: What the figure is about; the rows of the table that it shows.
        caption: What it shows.
        draw: Draws it.
        table: What it is drawn from.
        *options: Of ``draw``, after the table.
        algorithms: The only ones that it shows, for figures of two.
        joins: See `drawn`.
    """
    shown: dict[str, Any] = {"algorithms": log.algorithms, "width": wanted.width}
    if "function" not in cell:
        rows = rows_joined(log, wanted)[0] if joins else choose(log, **wanted.selectors)
        for name in ("suite", "dimension"):
            if name in cell:
                rows = rows[log.runs[name][rows] == cell[name]]
        shown["functions"] = np.unique(log.runs["function"][rows]).tolist()
    figure = draw(table, *options, **cell, **shown)
    return drawn(log, wanted, cell, figure, caption, *algorithms, joins=joins)


def place(cell: Cell) -> str:
    """What a figure is about, for its caption, such as ``bbob f3 in 5-D``."""
    function = f" f{cell['function']}" if "function" in cell else ""
    dimension = f" in {cell['dimension']}-D" if "dimension" in cell else ""
    return f"{cell['suite']}{function}{dimension}"


def pairs_of(log: Log, wanted: Wanted) -> Iterator[tuple[str, str]]:
    """Pairs of algorithms, as far as figures for each make sense.

    Raises:
        AssessmentError: There is one algorithm only.
    """
    asked = wanted.selectors.get("algorithms") or log.algorithms
    names = [asked] if isinstance(asked, str) else list(asked)
    if len(names) < 2:
        raise AssessmentError("figures of two algorithms need two; the logs hold one")
    return itertools.combinations(names, 2)


def only(wanted: Wanted, *algorithms: str) -> Wanted:
    """The same of some algorithms alone."""
    return replace(wanted, selectors={**wanted.selectors, "algorithms": algorithms})


def runs_asked(log: Log, wanted: Wanted, default: Default) -> tuple[list[RunSet], TargetSet]:
    """The runs and targets of a figure."""
    return asked_run_sets(log, None, default, wanted.count, **wanted.selectors)


def runs_joined(log: Log, wanted: Wanted, default: Default) -> tuple[list[RunSet], TargetSet]:
    """The runs and targets of a figure that joins functions."""
    return joined_run_sets(log, None, default, wanted.unequal, wanted.count, **wanted.selectors)


def archives_asked(log: Log, wanted: Wanted) -> list[Archives]:
    """The archives of a figure."""
    return list(archives_of(log, choose(log, **wanted.selectors)))


def at_budgets(log: Log, wanted: Wanted, budgets: Budgets | None) -> Iterator[FixedBudgetData]:
    """The runs of a figure at budgets; None: those of each dimension's own."""
    return fixed_budget_data(log, choose(log, **wanted.selectors), budgets, AXIS, wanted.count)
