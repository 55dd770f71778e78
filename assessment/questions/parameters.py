"""List the parameters that algorithms noted during runs, and the tuning that preceded the runs.

`parameters` lists the values that an algorithm noted with ``problem.note``; its figure draws one
parameter against evaluations. `tuning` lists the statements of log headers on how algorithms were
tuned.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import NDArray

from ...loggers.records.log_header import TUNING_NUMBERS
from ...loggers.records.points import POINT_LIMIT_NOTE
from ...suites.errors import UnknownNameError
from ..caveats import Explanation
from ..errors import AssessmentError
from ..figures.axes import FigureOptions, by_algorithm, figure_and_axes, split
from ..figures.style import add_legend, label, logarithmic
from ..grouping import CellRuns
from ..samples.convention import ONCE, Convention
from ..samples.sample import Answer, Sample
from ..selection import cells
from ..statistics.quantiles import Floats
from ..tables.table import Table, Value, stacked, table_of
from ..targets.parse import items_of
from ._framework.context import Context
from ._framework.needs import runs_alone
from ._framework.options import Names
from ._framework.question import question

if TYPE_CHECKING:
    from matplotlib.figure import Figure


_RUN_COLUMNS = ("algorithm", "suite", "function", "dimension", "instance", "repetition")
_COLUMNS = (*_RUN_COLUMNS, "name", "evaluation", "value")
_TUNING_COLUMNS = ("algorithm", "runs", "evaluations", *TUNING_NUMBERS, "tuning")


@question(
    "Runs",
    40,
    needs=runs_alone,
    convention=Convention("each noted value is a row"),
    counts=False,
    examples=("results/my.h5 --names sigma --plot sigma.pdf",),
    explains=[
        Explanation(
            "not noted",
            "not noted: 3 of 15 runs noted no parameter; they have no rows.",
            "The optimizer did not call problem.note in these runs. Medians over runs do not "
            "include them.",
            "Call problem.note in the optimizer, if you need values of all runs.",
        )
    ],
)
def parameters(sample: Sample[CellRuns], names: Names | None = None) -> Table:
    """List the parameters that algorithms noted while they ran.

    Each value stands beside the evaluation at which the parameter had it. An algorithm notes its
    parameters by problem.note(sigma=…). Logs of IOHprofiler contain the attributes that they
    watched. `firsthit figures --kinds parameters` draws each parameter.

    Args:
        names: Names of parameters, e.g. sigma,popsize. None: all.

    Returns:
        One row for each noted value, ordered by run and parameter. ``algorithm``, ``suite``,
        ``function``, ``dimension``, ``instance`` and ``repetition`` identify the run. ``name`` is
        the parameter, and ``value`` is the value that it had at ``evaluation``.

    Raises:
        AssessmentError: Nothing was noted in these runs.
        UnknownNameError: A parameter was not noted.
    """
    log, rows = sample.log, sample.rows
    chosen = None if names is None else items_of(names)
    blocks: list[list[Value | NDArray[Any]]] = []
    noted_names: set[str] = set()
    n_silent = 0
    for row in rows.tolist():
        notes_of_run = log.notes_of(row)
        # firsthit's own note on recorded points is no parameter of the algorithm.
        notes_of_run = notes_of_run[notes_of_run["name"] != POINT_LIMIT_NOTE.encode()]
        encoded_names = np.unique(notes_of_run["name"]).tolist()
        n_silent += not encoded_names
        for encoded_name in encoded_names:
            name = encoded_name.decode(errors="replace")
            noted_names.add(name)
            if chosen is None or name in chosen:
                values = notes_of_run[notes_of_run["name"] == encoded_name]
                run_key: list[Value] = [log.runs[column][row].item() for column in _RUN_COLUMNS]
                blocks.append([*run_key, name, values["evaluation"], values["value"]])
    if not noted_names:
        raise AssessmentError(
            "no parameter was noted in these runs; algorithms note theirs by problem.note(NAME=…)"
        )
    for name in chosen or ():
        if name not in noted_names:
            raise UnknownNameError.of("parameter", name, sorted(noted_names))
    notes = (
        (f"not noted: {n_silent} of {len(rows)} runs noted no parameter; they have no rows.",)
        if n_silent
        else ()
    )
    return Table(stacked(_COLUMNS, blocks), notes)


@parameters.caveat(
    explains=[
        Explanation(
            "values",
            "values: recorded at hits of targets and at scheduled evaluations (20 per decade); "
            "imported data have their own schedule.",
            "Logs do not record every noted value. A parameter may change between two recorded "
            "evaluations without a trace.",
            "Set record: improvements in the campaign, because then values are recorded more "
            "often.",
        )
    ]
)
def where_values_were_noted(sample: Sample[CellRuns], answer: Answer) -> Iterable[str]:
    """State at which evaluations the log contains values."""
    yield (
        "values: recorded at hits of targets and at scheduled evaluations (20 per decade); "
        "imported data have their own schedule."
    )


@parameters.figure(
    "parameters",
    cells="suite function dimension name",
    caption="Parameter {name} against evaluations on {place}. Thin lines: single runs. Thick "
    "line: median over the runs that have not ended.",
)
def draw_parameters(table: Table, **options: Unpack[FigureOptions]) -> Figure:
    """Draw a parameter against evaluations: thin lines are runs, the thick one is their median.

    The median at an evaluation is over the runs that noted the parameter both before and after it.
    It is drawn while these are at least half of all runs. The axis of values is logarithmic if all
    are positive.

    Args:
        table: The table of `parameters`.
        **options: ``suite``, ``function``, ``dimension`` and ``name`` (of the parameter) select the
            lines.
    """
    figure, axes, rows = figure_and_axes(table, ("suite", "function", "dimension", "name"), options)
    for name, algorithm_rows, style in by_algorithm(rows, marked=False):
        runs = [
            (run["evaluation"].astype(np.float64), run["value"])
            for instance_rows in split(algorithm_rows, "instance").values()
            for run in split(instance_rows, "repetition").values()
        ]
        for evaluations, values in runs:
            axes.plot(evaluations, values, **(style | {"linewidth": 0.4, "alpha": 0.5}))
        axes.plot(*_median_of_runs(runs), label=name, **(style | {"linewidth": 1.6}))
    logarithmic(axes, y=bool((rows["value"] > 0).all()))
    axes.set_xlabel("evaluations")
    axes.set_ylabel(label(str(rows["name"][0])), parse_math=False)
    add_legend(axes)
    return figure


def _median_of_runs(runs: list[tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
    """Compute the median over runs of a parameter's last noted value.

    A run has a value from its first note to its last one.

    Args:
        runs: Evaluations, ascending, and noted values of each run.

    Returns:
        Evaluations at which at least half of the runs have a value, and the medians.
    """
    grid = np.unique(np.concatenate([evaluations for evaluations, _ in runs]))
    values_on_grid = np.full((len(runs), len(grid)), np.nan)
    for row, (evaluations, values) in zip(values_on_grid, runs, strict=True):
        last_note = np.searchsorted(evaluations, grid, side="right") - 1
        has_value = (last_note >= 0) & (grid <= evaluations[-1])
        row[has_value] = values[last_note[has_value]]
    is_shown = 2 * np.isfinite(values_on_grid).sum(axis=0) >= len(runs)
    return grid[is_shown], np.nanmedian(values_on_grid[:, is_shown], axis=0)


@question(
    "Runs",
    30,
    needs=runs_alone,
    convention=ONCE,
    counts=False,
    examples=("results/my.h5",),
    explains=[
        Explanation(
            "no statement",
            "no statement: logs of 24 runs; it is unknown how their algorithm was tuned.",
            "An algorithm that was tuned on these functions has an advantage. Without a "
            "statement, readers cannot know this.",
            "State the tuning in the campaign (key tuning) or with Observer(tuning=...), so that "
            "the comparison is fair.",
        )
    ],
)
def tuning(sample: Sample[CellRuns]) -> Table:
    """List settings tested and budget invested before the runs.

    The table shows how many settings of each algorithm were tested, and the evaluations of these
    tests. A comparison is fair if each algorithm was tuned with similar effort. The numbers are
    those that a campaign states under the key 'tuning', or a program with Observer(tuning=...).
    State any tuning to the problems in this way (Hansen, Tušar, Mersmann, Auger, Brockhoff, "COCO:
    The Experimental Procedure" (2016), arXiv:1603.08776).

    Returns:
        One row for each statement about an ``algorithm``. ``runs`` is the number of runs that the
        statement is about. ``evaluations`` is the number of evaluations of the objective in all
        runs of the algorithm, for comparison. ``settings_tested`` and ``budget_invested`` (in
        evaluations) are NaN if the log does not state them. ``tuning`` is the rest of the
        statement, as text.
    """
    log, rows = sample.log, sample.rows
    table_rows: list[list[Value]] = []
    n_silent = 0
    for positions in cells(log, rows, ("algorithm",)):
        algorithm_rows = rows[positions]
        algorithm = str(log.runs["algorithm"][algorithm_rows[:1]][0])
        evaluations = int(log.runs["evaluations"][algorithm_rows].sum())
        runs_by_statement: Counter[_TuningStatement] = Counter()
        for header, n_runs in log.headers_of(algorithm_rows):
            runs_by_statement[_parse_tuning(header.get("tuning"), algorithm)] += n_runs
        for statement, n_runs in runs_by_statement.items():
            table_rows.append([algorithm, n_runs, evaluations, *statement])
            n_silent += n_runs if statement.is_empty else 0
    notes: tuple[str, ...] = ()
    if n_silent:
        notes = (
            f"no statement: logs of {n_silent} runs; it is unknown how their algorithm was tuned.",
        )
    return Table(table_of(_TUNING_COLUMNS, table_rows), notes)


class _TuningStatement(NamedTuple):
    """Statement of a log header on how an algorithm was tuned: the last columns of the table.

    Attributes:
        settings_tested: Number of tested settings; NaN if unknown.
        budget_invested: Evaluations spent on tests; NaN if unknown.
        remarks: All other entries as text; may be empty.
    """

    settings_tested: float
    budget_invested: float
    remarks: str

    @property
    def is_empty(self) -> bool:
        """Whether the header says nothing about the algorithm."""
        numbers = self.settings_tested, self.budget_invested
        return all(math.isnan(number) for number in numbers) and not self.remarks


def _parse_tuning(tuning: object, algorithm: str) -> _TuningStatement:
    """Parse the entry ``tuning`` of a log header, which may have an entry for each algorithm."""
    entry = tuning.get(algorithm, tuning) if isinstance(tuning, Mapping) else tuning
    if not isinstance(entry, Mapping):
        return _TuningStatement(math.nan, math.nan, "" if entry is None else str(entry))
    numbers = (entry.get(name) for name in TUNING_NUMBERS)
    settings, budget = (float(n) if isinstance(n, int | float) else math.nan for n in numbers)
    remarks = [f"{key}: {value}" for key, value in entry.items() if key not in TUNING_NUMBERS]
    return _TuningStatement(settings, budget, "; ".join(remarks))


@parameters.report(
    "parameter-grid",
    "Grid of parameters",
    "Share of function-target pairs that the runs solved within one budget, with its 95 % "
    "interval, by the value of one parameter. A curve joins the algorithms whose other parameters "
    "are equal. The map 'Best algorithm by budget' compares these shares.",
    place=16,
    needs="grid",
)
def grid_section(context: Context) -> Mapping[str, Any]:
    """Return the parameters of the algorithms that differ only by the values of parameters.

    Returns:
        ``grid``: a row for each algorithm with its position, the ``optimizer``, and its
        ``parameters`` that differ within the grid. No ``grid`` if no numeric parameter has several
        values.
    """
    described: dict[str, Mapping[str, Any]] = {}
    for header in context.log.headers:
        described |= header.get("algorithms") or {}
    by_optimizer: dict[str, list[tuple[int, Mapping[str, Any]]]] = {}
    for position, name in enumerate(context.positions.algorithms):
        facts = described.get(name, {})
        if facts.get("use") and facts.get("parameters"):
            by_optimizer.setdefault(facts["use"], []).append((position, facts["parameters"]))
    rows = []
    for optimizer, members in by_optimizer.items():
        names = sorted({name for _, values in members for name in values})
        # A list or a mapping is compared as text, because it is not hashable.
        differing = [n for n in names if len({str(values.get(n)) for _, values in members}) > 1]
        if not any(_is_number(values.get(n)) for n in differing for _, values in members):
            continue
        for position, values in members:
            shown = {n: values.get(n) for n in differing}
            cells = {n: v if _is_number(v) else str(v) for n, v in shown.items()}
            rows.append({"algorithm": position, "optimizer": optimizer, "parameters": cells})
    return {"grid": rows} if rows else {}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
