"""Lay out the short form of a summary in at most 80 columns.

`format_summary` prints a heading for each suite and one block of rows for each dimension. A summary
of more than 40 rows has a matrix of all algorithms and dimensions instead, followed by the block of
the largest dimension. A column without any value is left out. A block with too many budgets leaves
out the smallest ones, and a matrix that is too wide continues below with the same names. A name
that is too long for its column stands on a line of its own, so that no name is cut.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from ....suites.texts import natural
from ...cost import SECONDS
from ...tables.table import text
from ...targets.budgets import budget_text

MAX_WIDTH = 80
"""Maximum number of characters of a line, the usual width of a terminal."""
_MAX_BLOCK_ROWS = 40
"""Maximum number of rows that are printed as blocks; more of them scroll out of a terminal."""
_MAX_NAME_WIDTH = 24
"""Width above which the names' column takes no space that other columns need."""
_GAPS = (3, 2)
"""Numbers of spaces between columns, the preferred one first."""
_NO_VALUE = "-"


@dataclass(frozen=True, kw_only=True)
class SummaryRow:
    """Numbers of one algorithm in one suite and dimension.

    Attributes:
        functions: Number of functions.
        runs: Number of runs.
        failed: Number of runs that failed or timed out.
        solved: Share of the function-target pairs that at least one run hit.
        budgets: Powers of ten below the budget, ascending, then the budget itself.
        pairs: Share of the pairs that are solved within each of ``budgets``.
        functions_hit: Number of functions on which at least one run hit a target, by target.
        median_art: Median over the functions with the hardest target hit of aRT / dimension, or of
            aRT in seconds; NaN if there is no such function.
        median_art_ratio: As ``median_art``, of aRT divided by the least aRT of all algorithms.
        median_precision: Median over the runs of their best precision.
    """

    algorithm: str
    suite: str
    dimension: int
    functions: int
    runs: int
    failed: int
    solved: float
    budgets: tuple[float, ...]
    pairs: tuple[float, ...]
    functions_hit: Mapping[float, int]
    median_art: float
    median_art_ratio: float
    median_precision: float

    @property
    def has_median_art(self) -> bool:
        """Whether the algorithm hit the hardest target on some function."""
        return not np.isnan(self.median_art)


@dataclass(frozen=True)
class SuiteDescription:
    """What the short form says of a suite.

    Attributes:
        heading: Problems, budget, targets, and what is counted, in words.
        target: Target of the column ``functions``: the final one, or one in the middle if no target
            ends a run.
        target_name: The target in words.
        has_final_target: Whether a target ends a run, so that pairs are solved. Otherwise they are
            reached, and the block shows precisions instead of average runtimes.
    """

    heading: str
    target: float
    target_name: str
    has_final_target: bool

    @property
    def pairs_title(self) -> str:
        """Title of the shares of pairs."""
        return f"pairs {'solved' if self.has_final_target else 'reached'} within"


@dataclass(frozen=True)
class _Column:
    """Cells below a title of two lines.

    Adjacent columns with the same non-empty ``group`` share it as the first line of their titles.
    """

    titles: tuple[str, str]
    cells: tuple[str, ...]
    group: str = ""

    @property
    def has_values(self) -> bool:
        return any(content not in ("", _NO_VALUE) for content in self.cells)


def format_summary(
    rows: Sequence[SummaryRow], suites: Mapping[str, SuiteDescription], axis: str
) -> str:
    """Return the short form of a summary.

    Args:
        rows: Numbers of each algorithm, suite and dimension.
        suites: What is said of each suite, in the order of the text.
        axis: Unit of the budgets.

    Returns:
        Lines of at most 80 characters without a line feed at the end.
    """
    has_matrix = len(rows) > _MAX_BLOCK_ROWS
    lines: list[str] = []
    for suite, description in suites.items():
        blocks = _split_by_dimension([row for row in rows if row.suite == suite])
        lines += ["", *textwrap.wrap(description.heading, MAX_WIDTH)]
        if has_matrix and len(blocks) > 1:
            lines += ["", *_format_matrix(blocks, description)]
            blocks = blocks[-1:]
        for block in blocks:
            lines += ["", *_format_block(block, description, axis)]
    return "\n".join(lines[1:])


def _split_by_dimension(rows: Sequence[SummaryRow]) -> list[list[SummaryRow]]:
    """Return the rows of each dimension, ascending; in each, the largest share of pairs first."""
    ordered = sorted(rows, key=lambda row: (row.dimension, -row.pairs[-1], natural(row.algorithm)))
    return [list(block) for _, block in groupby(ordered, key=lambda row: row.dimension)]


def _format_block(
    rows: Sequence[SummaryRow], description: SuiteDescription, axis: str
) -> list[str]:
    """Return the lines of one dimension, with as many of the largest budgets as fit."""
    failed = _Column(("failed", "runs"), tuple(_format_count(row.failed) for row in rows))
    budgets = rows[0].budgets
    pairs = [
        _Column(
            ("", budget_text(budget, axis)),
            tuple(_format_share(row.pairs[i]) for row in rows),
            description.pairs_title,
        )
        for i, budget in enumerate(budgets)
    ]
    functions = _Column(
        ("functions", f"to {description.target_name}"),
        tuple(_format_functions(row, description) for row in rows),
    )
    last = _make_last_column(rows, description, axis)
    names = [text(row.algorithm) for row in rows]
    corner = (f"{rows[0].dimension}-D", "algorithm")
    for start in range(len(pairs)):
        columns = [c for c in (failed, *pairs[start:], functions, last) if c.has_values]
        if _least_name_width(names, corner) + _least_width(columns) <= MAX_WIDTH:
            break
    return _format_columns(corner, names, columns)


def _make_last_column(
    rows: Sequence[SummaryRow], description: SuiteDescription, axis: str
) -> _Column:
    """Return the column of median precisions, or of average runtimes."""
    if not description.has_final_target:
        return _Column(("median", "precision"), tuple(text(row.median_precision) for row in rows))
    values, title = [row.median_art_ratio for row in rows], "aRT/best"
    if len(rows) == 1:
        values = [row.median_art for row in rows]
        title = "aRT in s" if axis == SECONDS else "aRT/D"
    cells = tuple(
        _NO_VALUE
        if np.isnan(value)
        else f"{_format_runtime(value)} ({row.functions_hit[description.target]})"
        for row, value in zip(rows, values, strict=True)
    )
    return _Column((title, f"to {description.target_name}"), cells)


def _format_matrix(
    blocks: Sequence[Sequence[SummaryRow]], description: SuiteDescription
) -> list[str]:
    """Return the lines of all algorithms with a column of each quantity for each dimension."""
    by_dimension = {block[0].dimension: {row.algorithm: row for row in block} for block in blocks}
    # Algorithms in the order of the largest dimension, then those that lack this dimension.
    algorithms = list(dict.fromkeys(row.algorithm for block in reversed(blocks) for row in block))
    failed = [
        sum(rows[name].failed for rows in by_dimension.values() if name in rows)
        for name in algorithms
    ]
    columns = [_Column(("failed", "runs"), tuple(map(_format_count, failed)))]
    for dimension, rows in by_dimension.items():
        cells = tuple(
            _format_share(rows[name].pairs[-1]) if name in rows else "" for name in algorithms
        )
        group = f"{description.pairs_title} budget"
        columns.append(_Column(("", f"{dimension}-D"), cells, group))
    for dimension, rows in by_dimension.items():
        cells = tuple(
            _format_functions(rows[name], description) if name in rows else ""
            for name in algorithms
        )
        group = f"functions to {description.target_name}"
        columns.append(_Column(("", f"{dimension}-D"), cells, group))
    columns = [column for column in columns if column.has_values]
    names, corner = list(map(text, algorithms)), ("", "algorithm")
    parts = _split_columns(columns, _least_name_width(names, corner))
    tables = [_format_columns(corner, names, part) for part in parts]
    return [line for table in tables for line in ["", *table]][1:]


def _least_name_width(names: Sequence[str], corner: tuple[str, str]) -> int:
    """Return the width that the names' column needs; longer names have lines of their own."""
    return min(max(map(len, [*names, *corner])), _MAX_NAME_WIDTH)


def _split_columns(columns: Sequence[_Column], name_width: int) -> list[list[_Column]]:
    """Split columns into tables that fit, between groups where possible."""

    def fits(part: Sequence[_Column]) -> bool:
        return name_width + _least_width(part) <= MAX_WIDTH

    parts: list[list[_Column]] = [[]]
    for start, end in _group_slices(columns):
        group = columns[start:end]
        if fits(group) and not fits([*parts[-1], *group]):
            parts.append([])
        for column in group:
            if parts[-1] and not fits([*parts[-1], column]):
                parts.append([])
            parts[-1].append(column)
    return parts


def _format_columns(
    corner: tuple[str, str], names: Sequence[str], columns: Sequence[_Column]
) -> list[str]:
    """Return the lines of a table whose names have the space that its columns leave.

    Args:
        corner: Title of the names, in two lines.
        names: Name of each row.
        columns: Columns of numbers.
    """
    widths = _widths(columns)
    room = MAX_WIDTH - _least_width(columns)
    name_width = max(*map(len, corner), min(max(map(len, names)), room))
    free = MAX_WIDTH - sum(widths) - name_width
    gap = next((gap for gap in _GAPS if gap * len(columns) <= free), min(_GAPS))

    def join(start: str, cells: Sequence[str]) -> str:
        parts = (cell.rjust(gap + width) for cell, width in zip(cells, widths, strict=True))
        return (start.ljust(name_width) + "".join(parts)).rstrip()

    lines = [
        (corner[0].ljust(name_width) + _format_first_titles(columns, widths, gap)).rstrip(),
        join(corner[1], [column.titles[1] for column in columns]),
    ]
    for i, name in enumerate(names):
        start = name
        if len(name) > name_width:
            lines += textwrap.wrap(name, MAX_WIDTH)
            start = ""
        lines.append(join(start, [column.cells[i] for column in columns]))
    return lines


def _least_width(columns: Sequence[_Column]) -> int:
    """Return the width of columns with the smallest gap before each."""
    return sum(_widths(columns)) + min(_GAPS) * len(columns)


def _widths(columns: Sequence[_Column]) -> list[int]:
    """Return the width of each column; the first of a group is wide enough for their title."""
    widths = [max(map(len, [*column.titles, *column.cells])) for column in columns]
    for start, end in _group_slices(columns):
        span = sum(widths[start:end]) + min(_GAPS) * (end - start - 1)
        widths[start] += max(0, len(columns[start].group) - span)
    return widths


def _group_slices(columns: Sequence[_Column]) -> list[tuple[int, int]]:
    """Return start and end of each run of columns of one group; a column without group is one."""
    slices: list[tuple[int, int]] = []
    for i, column in enumerate(columns):
        if slices and column.group and columns[i - 1].group == column.group:
            slices[-1] = slices[-1][0], i + 1
        else:
            slices.append((i, i + 1))
    return slices


def _format_first_titles(columns: Sequence[_Column], widths: Sequence[int], gap: int) -> str:
    """Return the first line of the titles, in which a group has one title."""
    parts = []
    for start, end in _group_slices(columns):
        span = sum(widths[start:end]) + gap * (end - start - 1)
        parts.append(" " * gap + (columns[start].group or columns[start].titles[0]).rjust(span))
    return "".join(parts)


def _format_count(count: int) -> str:
    return str(count) if count else _NO_VALUE


def _format_share(share: float) -> str:
    return f"{100 * share:.0f} %"


def _format_functions(row: SummaryRow, description: SuiteDescription) -> str:
    return f"{row.functions_hit[description.target]}/{row.functions}"


def _format_runtime(value: float) -> str:
    """Return a ratio or an average runtime with one decimal, or as an integer from 100 on.

    >>> [_format_runtime(value) for value in (1.0, 9.34, 118.2, 123456.0)]
    ['1.0', '9.3', '118', '1.2e+05']
    """
    if value < 100:
        return f"{value:.1f}"
    return f"{value:.0f}" if value < 1e5 else f"{value:.1e}"
