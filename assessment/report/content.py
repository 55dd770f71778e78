"""What the page's panels draw, gathered from results: plain data, ready for JSON.

Algorithms and suites are named by their positions. A number that does not exist (a runtime where
nothing succeeded) is None.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
from numpy.typing import NDArray

from ..data.function_pairs import Simulation
from ..data.grouping import GroupBy
from ..data.ranked_runs import ranked_runs
from ..data.run_sets import Choice, RunSet, choose
from ..figures.budgets import SMALLEST_PRECISION
from ..figures.gallery import curve_budgets
from ..statistics.ecdf import POINTS_PER_DECADE
from ..statistics.intervals import Resampling
from ..tables.table import Table
from ..targets.parse import bbob_targets
from ..targets.target_sets import common_set, run_sets_to
from ..views.art import art_table
from ..views.ecdf import EcdfTable, Profile, ProfileOptions, ecdf_tables
from ..views.uncertainty import all_banded, with_intervals
from .stars import stars

if TYPE_CHECKING:
    from ..results import Results

ART_TARGETS = (1e1, 1e0, 1e-1, 1e-2, 1e-3, 1e-5, 1e-7, 1e-8)
LEVEL = 0.95
RESAMPLES = 100
_MOST_REASONS = 12
_BAND_DECIMALS = 4


class Positions:
    """Positions of names in the page's lists.

    Attributes:
        algorithms: Names, sorted.
        suites: Names, sorted.
    """

    def __init__(self, results: Results) -> None:
        self.algorithms = results.algorithms
        self.suites = results.suites
        self._algorithm = {name: i for i, name in enumerate(self.algorithms)}
        self._suite = {name: i for i, name in enumerate(self.suites)}

    def of(self, algorithm: str, suite: str) -> dict[str, int]:
        """The positions as fields of a row."""
        return {"algorithm": self._algorithm[algorithm], "suite": self._suite[suite]}

    def columns(self, table: Table) -> dict[str, list[Any]]:
        """The columns of a table with positions for names and None for what is not finite."""
        found = {name: finite(column) for name, column in table.columns.items()}
        found["algorithm"] = [self._algorithm[str(name)] for name in table["algorithm"]]
        found["suite"] = [self._suite[str(name)] for name in table["suite"]]
        return found


def content(
    results: Results, run_sets: Sequence[RunSet], files: Sequence[str], seed: int
) -> dict[str, Any]:
    """Everything the panels draw.

    Args:
        results: Of all logs.
        run_sets: Of all runs, with COCO's 51 targets.
        files: Names of the logs, for the commands that the page shows.
        seed: Of all that is simulated.
    """
    positions = Positions(results)
    return {
        "algorithms": list(positions.algorithms),
        "suites": suites(results),
        "logs": list(files),
        "smallest_precision": SMALLEST_PRECISION,
        "ecdf": profiles(run_sets, positions, seed),
        "art": {
            "targets": list(ART_TARGETS),
            "cells": averages(results, positions, seed),
        },
        "curve_budgets": curve_budgets(results),
        "fixed_budget": fixed_budget(results, positions),
        "timing": timing(results, positions),
        "outcomes": positions.columns(results.endings()),
        "reasons": reasons(results, positions),
    }


def suites(results: Results) -> list[dict[str, Any]]:
    """Name, functions, groups and dimensions of each suite."""
    runs = results.log.runs
    found = []
    for name in results.suites:
        rows = runs["suite"] == name
        numbers, first = np.unique(runs["function"][rows], return_index=True)
        titles = runs["function_name"][rows][first]
        found.append(
            {
                "name": name,
                "dimensions": np.unique(runs["dimension"][rows]).tolist(),
                "functions": [
                    {"function": int(number), "name": str(title)}
                    for number, title in zip(numbers, titles, strict=True)
                ],
                "groups": {
                    group: list(functions)
                    for group, functions in results.log.groups(name).items()
                    if group
                },
            }
        )
    return found


def averages(results: Results, positions: Positions, seed: int) -> dict[str, list[Any]]:
    """Average runtimes, exact, their intervals, and stars for what is significantly the least."""
    targets = common_set(ART_TARGETS)
    run_sets = run_sets_to(results.log, choose(results.log, Choice()), targets)
    table = with_intervals(art_table(run_sets, targets), run_sets, Resampling(LEVEL, seed))
    ends = {end: finite(rounded(table[end])) for end in ("low", "high")}
    starred = stars(ranked_runs(results.log, run_sets), ART_TARGETS)
    names = ("algorithm", "suite", "function", "dimension", "target")
    keys = zip(*(table[name].tolist() for name in names), strict=True)
    return {**positions.columns(table), **ends, "star": [key in starred for key in keys]}


def profiles(run_sets: Sequence[RunSet], positions: Positions, seed: int) -> dict[str, Any]:
    """Curves of all functions, of groups, both with bands, and of single functions."""
    targets = common_set(bbob_targets())
    ways = [ProfileOptions(group_by=by, simulation=Simulation(seed)) for by in get_args(GroupBy)]
    made = ecdf_tables(run_sets, targets, ways)
    tables = {way.group_by: table for way, table in zip(ways, made, strict=True)}
    wide = [way for way in ways if way.group_by != "function"]
    resampling = Resampling(LEVEL, seed, RESAMPLES)
    banded = all_banded([tables[way.group_by] for way in wide], run_sets, wide, resampling)
    curves = [
        curve for table in (*banded, tables["function"]) for curve in _curves(table, positions)
    ]
    return {
        "targets": list(bbob_targets()),
        "points_per_decade": POINTS_PER_DECADE,
        "curves": curves,
    }


def _curves(table: EcdfTable, positions: Positions) -> Iterable[dict[str, Any]]:
    """The profiles with their bands, which stand in the table's columns one after the other."""
    start = 0
    for profile in table.profiles:
        part = slice(start, start + len(profile.budgets))
        start = part.stop
        if profile.group:
            band = {
                end: np.round(table[end][part], _BAND_DECIMALS).tolist()
                for end in ("low", "high")
                if end in table.names
            }
            yield _curve(profile, positions) | band


def _curve(profile: Profile, positions: Positions) -> dict[str, Any]:
    return {
        **positions.of(profile.algorithm, profile.suite),
        "dimension": profile.dimension,
        "group": profile.group,
        "first": round(math.log10(profile.budgets[0]) * POINTS_PER_DECADE),
        "fraction": profile.fraction.tolist(),
        "marker": profile.marker,
        "solved": profile.solved,
        "pairs": profile.pairs,
    }


def fixed_budget(results: Results, positions: Positions) -> list[dict[str, Any]]:
    """Median and quartiles of the best precision of the runs, by budget, for each function."""
    table = results.fixed_budget(curve_budgets(results))
    cells: dict[tuple[Any, ...], dict[str, Any]] = {}
    shown = {"budget": "budget", "median": "median", "25%": "low", "75%": "high"}
    columns = {name: finite(rounded(table[name])) for name in shown}
    keys = (table[name].tolist() for name in ("algorithm", "suite", "function", "dimension"))
    for i, (algorithm, suite, function, dimension) in enumerate(zip(*keys, strict=True)):
        key = (algorithm, suite, function, dimension)
        if key not in cells:
            cells[key] = {
                **positions.of(algorithm, suite),
                "function": function,
                "dimension": dimension,
                **{name: [] for name in shown.values()},
            }
        for name, short in shown.items():
            cells[key][short].append(columns[name][i])
    return list(cells.values())


def timing(results: Results, positions: Positions) -> dict[str, list[Any]]:
    """Seconds for each evaluation, in the optimizer and in the problem, by dimension.

    None where no clock ran.
    """
    columns = positions.columns(results.timing())
    kept = {"optimizer": "optimizer_seconds", "problem": "problem_seconds"}
    named = {name: columns[name] for name in ("algorithm", "suite", "dimension")}
    return {**named, **{short: columns[name] for name, short in kept.items()}}


def reasons(results: Results, positions: Positions) -> dict[str, list[Any]]:
    """The commonest reasons of restarts and the errors of runs, with their counts."""
    log = results.log
    rows = []
    for algorithm, suite, dimension, chosen in _cells(results):
        said = Counter(
            ("restart", reason.decode(errors="replace"))
            for run in chosen
            for reason in log.restarts(int(run)).reason.tolist()
        )
        said.update(("run", str(text)) for text in log.runs["error"][chosen] if text)
        for (kind, text), count in said.most_common(_MOST_REASONS):
            named = {**positions.of(algorithm, suite), "dimension": dimension}
            rows.append({**named, "kind": kind, "text": text or "(none given)", "count": count})
    return _columns(rows)


def _cells(results: Results) -> Iterable[tuple[str, str, int, NDArray[np.intp]]]:
    """Algorithm, suite, dimension and the runs of each that there is."""
    runs = results.log.runs
    for algorithm in results.algorithms:
        of_algorithm = runs["algorithm"] == algorithm
        for suite in results.suites:
            of_suite = of_algorithm & (runs["suite"] == suite)
            for dimension in np.unique(runs["dimension"][of_suite]).tolist():
                yield (
                    algorithm,
                    suite,
                    dimension,
                    np.flatnonzero(of_suite & (runs["dimension"] == dimension)),
                )


def _columns(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    return {name: [row[name] for row in rows] for name in (rows[0] if rows else {})}


def rounded(column: NDArray[np.float64]) -> NDArray[np.float64]:
    """Five significant digits, enough for the eye: files stay small."""
    return np.array([float(f"{value:.5g}") for value in column.tolist()])


def finite(column: NDArray[Any]) -> list[Any]:
    """The values of a column, None for numbers that are not finite."""
    values: list[Any] = column.tolist()
    if column.dtype.kind != "f":
        return values
    return [value if math.isfinite(value) else None for value in values]
