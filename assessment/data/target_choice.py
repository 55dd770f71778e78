"""From what a user says to targets: numbers, text, tables, ways from data, references."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ...loggers.formats.data_files import is_archive
from ...loggers.targets.grid import GRID_TOLERANCE
from ...suites.errors import UnknownNameError
from ..errors import AssessmentError
from ..targets.budgets import Budgets, parse_budgets
from ..targets.parse import Targets, items_of, parse_targets, target_text
from ..targets.runlength import TABLE_BUDGETS
from ..targets.target_sets import Default, TargetSet, TargetTable, common_set, suites_set
from .counting import is_seconds
from .grouping import CellRuns
from .notes import basis, runs_of_log
from .references import (
    TABLE_SUFFIX,
    BestOf,
    ReferenceRuntimes,
    best_of_algorithms,
    cocopp_references,
    entries_of_file,
    reference_file,
)
from .run_sets import run_sets_of
from .selection import Selectors, measurement_of, notes_on_unknown, select_runs
from .targets_from_runs import RULES, log_reference, runlength_table, targets_from_data

if TYPE_CHECKING:
    from ...loggers import Log

Reference = str | Path | Sequence[str] | Iterable[ReferenceRuntimes]
RequestedTargets = Targets | TargetTable | None
"""Targets that a question is given; see `Results`."""
Way = Literal["runlength", "dynamic", "iohanalyzer-log", "iohanalyzer-linear", "iohanalyzer-final"]
RUNLENGTH = "runlength"
WAYS: tuple[Way, ...] = get_args(Way)
BEST = "best"


def chosen_targets(
    log: Log,
    rows: NDArray[np.intp],
    way: str,
    reference: Reference | None = None,
    budgets: Budgets | None = None,
    rule: str = "paper",
) -> TargetTable:
    """Targets of the functions and dimensions of ``rows``; for the arguments see the question."""
    if way not in WAYS:
        raise UnknownNameError.of("way to choose targets", way, WAYS)
    if rule not in RULES:
        raise UnknownNameError.of("rule of run-length targets", rule, RULES)
    if way != RUNLENGTH:
        if reference is not None or budgets is not None:
            raise AssessmentError(
                f"targets: {way} takes neither reference nor budgets; runlength does"
            )
        table = targets_from_data(log, rows, way)
        return _resting_on(table, runs_of_log(log, rows, "f+g"))
    if reference is None:
        raise AssessmentError(
            "targets: run-length targets need a reference: an algorithm of the logs, 'best' for "
            "the best of them, a name such as best2009-bbob, or a file"
        )
    parsed = TABLE_BUDGETS if budgets is None else parse_budgets(budgets)
    entries, name = reference_entries(log, rows, reference)
    cells = set(zip(*(log.runs[n][rows].tolist() for n in _CELL), strict=True))
    found = [entry for entry in entries if (entry.suite, entry.function, entry.dimension) in cells]
    missing = cells - {(entry.suite, entry.function, entry.dimension) for entry in found}
    if missing:
        suite, function, dimension = min(missing)
        raise AssessmentError(
            f"reference {name}: it has no data for f{function} of {suite} in {dimension}-D"
        )
    table = runlength_table(found, parsed, rule, name)
    return _resting_on(
        table, [entry for each in found if isinstance(each, BestOf) for entry in each.run_sets]
    )


def is_runlength(targets: RequestedTargets) -> bool:
    """Whether targets are asked for as ``"runlength"`` or ``"runlength:BUDGETS"``."""
    return isinstance(targets, str) and targets.partition(":")[0] == RUNLENGTH


def _resting_on(table: TargetTable, runs: Sequence[CellRuns]) -> TargetTable:
    """The table with a note on the runs that its targets were made from."""
    rests = basis(runs) or ("what the reference says; it brings no runs.",)
    return replace(table, notes=(*table.notes, *(f"targets rest on: {note}" for note in rests)))


def resolve_targets(
    log: Log, rows: NDArray[np.intp], value: RequestedTargets, default: Default
) -> TargetSet:
    """What a question's ``targets`` mean; ``default`` gives those of a suite for None.

    Raises:
        AssessmentError: As `parse_targets`; targets need a reference and come without; or one is
            harder than a suite's final target, at which its runs end.
    """
    found = _resolve_targets(log, rows, value, default)
    return replace(found, notes=(*found.notes, *notes_on_unknown(log, rows)))


def _resolve_targets(
    log: Log, rows: NDArray[np.intp], value: RequestedTargets, default: Default
) -> TargetSet:
    measured = {suite: measurement_of(log, suite) for suite in _suites(log, rows)}
    if value is None:
        return _suite_targets(
            log, rows, {suite: default(measurement) for suite, measurement in measured.items()}
        )
    if isinstance(value, TargetTable):
        return value.target_set
    if isinstance(value, str) and value in WAYS:
        return chosen_targets(log, rows, value).target_set
    parsed = parse_targets(value)
    for suite, measurement in measured.items():
        if measurement.final_target is not None and parsed[-1] < measurement.final_target * (
            1 - GRID_TOLERANCE
        ):
            raise AssessmentError(
                f"targets: {target_text(parsed[-1])} is not available; runs on {suite} end at "
                f"their final target {target_text(measurement.final_target)}"
            )
    return common_set(parsed)


def _suite_targets(
    log: Log, rows: NDArray[np.intp], targets: Mapping[str, tuple[float, ...]]
) -> TargetSet:
    """Targets of suites, multiplied by the unit of each function and dimension where it has one."""
    units = log.target_units(rows)
    if (units == 1).all() or not any(map(any, targets.values())):
        return suites_set(targets)
    cells = zip(*(log.runs[name][rows].tolist() for name in _CELL), units.tolist(), strict=True)
    own = {
        (suite, function, dimension): tuple(_on_or_above(t * unit) for t in targets[suite])
        for suite, function, dimension, unit in cells
    }
    several = ", ".join(sorted({common_set(each).label for each in targets.values()}))
    return TargetSet(f"{several} of each function's range", own=own)


def _on_or_above(target: float) -> float:
    """The target with nine digits, upwards, so that a precision that is equal hits it.

    In floating point (1 - 40/50) * 15 is below 3, and thirds have no end.
    """
    near = float(f"{target:.8e}")
    return near if near >= target * (1 - 1e-12) else float(f"{target * (1 + 1e-8):.8e}")


class Counted(Selectors, total=False):
    """Which runs a question is about, and what it counts as an evaluation.

    ``count``: ``"f+g"``, of the objective or of the constraints (COCO's, and that of None);
    ``"f"``, of the objective; ``"g"``, of the constraints; ``"seconds"``, simulated ones or those
    of one machine; ``"mixed-seconds"``, of any.
    """

    count: str | None


def _suites(log: Log, rows: NDArray[np.intp]) -> list[str]:
    names, codes = log.runs.codes("suite")
    return [names[code] for code in np.unique(codes[rows]).tolist()]


_CELL = ("suite", "function", "dimension")


def reference_entries(
    log: Log,
    rows: NDArray[np.intp],
    reference: Reference,
    count: str | None = None,
    targets: TargetSet | None = None,
) -> tuple[list[ReferenceRuntimes], str]:
    """Entries of a reference, and its name.

    Those of algorithms of the log are counted as asked, and are at ``targets``; None: at targets
    that suit them (`log_reference`).
    """
    given = str(reference) if isinstance(reference, str | Path) else list(reference)
    names = _algorithms_named(log, given)
    if names is None and isinstance(given, str):
        return _file_entries(log, rows, given, count)
    if names is None:
        return [item for item in given if not isinstance(item, str)], "the reference given"
    chosen, counted = _rows_of(log, rows, names), count or "f+g"
    best: Iterable[BestOf]
    if targets is None:
        best, is_alone = log_reference(log, chosen, counted), names == [given]
    else:
        best = best_of_algorithms(run_sets_of(log, chosen, targets, counted), targets)
        is_alone = len(names) == 1
    return list(best), names[0] if is_alone else f"the best of {', '.join(names)}"


def _algorithms_named(log: Log, reference: str | list[Any]) -> list[str] | None:
    """The algorithms of the log that a reference is: a name, ``best`` of all, or ``best:A,B``.

    Or several names. None where it is something else.
    """
    if not isinstance(reference, str):
        return reference if all(isinstance(item, str) for item in reference) else None
    known = log.runs.codes("algorithm")[0]
    if reference in known:
        return [reference]
    if reference == BEST:
        return list(known)
    if not reference.startswith(f"{BEST}:"):
        return None
    own = reference.removeprefix(f"{BEST}:")
    names = [own] if own in known else list(dict.fromkeys(items_of(own)))
    for algorithm in names:
        if algorithm not in known:
            raise UnknownNameError.of("algorithm", algorithm, known)
    return names


def _file_entries(
    log: Log, rows: NDArray[np.intp], name: str, count: str | None
) -> tuple[list[ReferenceRuntimes], str]:
    """Entries of a file, which is named by its path or as cocopp names it; and its name."""
    if Path(name).suffix == ".h5":
        raise AssessmentError(
            f"reference {name!r}: a log is no reference; give it among the logs, and here the name "
            "of its algorithm"
        )
    file = reference_file(name)
    if file is not None:
        called = file.name.partition(".")[0]
        if is_seconds(count or ""):
            raise AssessmentError(
                f"reference {called}: such files count evaluations, and seconds are asked for; "
                "take an algorithm of the logs"
            )
        if count not in (None, "f+g") and log.runs["evaluations_constraints"][rows].any():
            raise AssessmentError(
                f"reference {called}: such files count evaluations of the objective and of the "
                f"constraints (f+g), and {count} is asked for; leave count out, or take an "
                "algorithm of the logs"
            )
        return list(entries_of_file(file)), called
    if is_archive(Path(name)) or Path(name).suffix == TABLE_SUFFIX or len(Path(name).parts) > 1:
        raise AssessmentError(f"reference {name!r}: there is no such file, nor such an algorithm")
    known = [*log.runs.codes("algorithm")[0], BEST, *cocopp_references()]
    raise UnknownNameError.of("reference", name, known)


def _rows_of(log: Log, rows: NDArray[np.intp], names: Sequence[str]) -> NDArray[np.intp]:
    """Runs of algorithms on the functions, dimensions and instances of ``rows``.

    On all their instances where they were run on none of these.
    """
    suites, functions, dimensions = (np.unique(log.runs[name][rows]).tolist() for name in _CELL)
    chosen = select_runs(
        log, algorithms=names, suites=suites, functions=functions, dimensions=dimensions
    )
    same = np.isin(log.runs["instance"][chosen], log.runs["instance"][rows])
    return chosen[same] if same.any() else chosen
