"""Resolve the targets and the reference that a user asks for.

`resolve_targets` turns numbers, text, a `TargetTable` or a way such as ``"dynamic"`` into a
`TargetSet`. `chosen_targets` computes targets from data or, for ``"runlength"``, from a reference.
`reference_entries` reads the average runtimes of a reference: algorithms of the log, a file, or an
archive of cocopp by its name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ..loggers import ReferenceEntry
from ..loggers.formats.data_files import is_archive
from ..loggers.targets.grid import GRID_TOLERANCE
from ..suites.errors import UnknownNameError
from ..suites.texts import natural
from .cost import Count, is_seconds
from .errors import AssessmentError
from .grouping import CellRuns, by_cell
from .hits.run_sets import run_sets_of
from .references import (
    TABLE_SUFFIX,
    BestOf,
    ReferenceRuntimes,
    best_of_algorithms,
    cocopp_references,
    entries_of_file,
    reference_file,
)
from .selection import Selectors, measurement_of, select_runs
from .targets.budgets import Budgets, parse_budgets
from .targets.parse import Targets, items_of, parse_targets, target_text
from .targets.runlength import TABLE_BUDGETS
from .targets.target_sets import (
    Default,
    TargetSet,
    TargetTable,
    common_set,
    read_targets,
    suites_set,
)
from .targets_from_runs import (
    RULES,
    DerivedWay,
    Rule,
    log_reference,
    runlength_table,
    targets_from_data,
)

if TYPE_CHECKING:
    from ..loggers import Log

Reference = str | Path | Sequence[str] | Iterable[ReferenceEntry]
"""A file, the name of an archive or of an algorithm; names of algorithms; or entries of
`firsthit.loggers.read_reference`."""
RequestedTargets = Targets | TargetTable | None
"""Targets that a question is given; see `Results`."""
Way = Literal["runlength", DerivedWay]
RUNLENGTH: Final = "runlength"
WAYS: tuple[Way, ...] = get_args(Way)
BEST = "best"
_CELL = ("suite", "function", "dimension")
_RUN_CELL = ("algorithm", "suite", "function", "dimension")


class Counted(Selectors, total=False):
    """Which runs a question is about, and what it counts as an evaluation.

    ``count``: ``"f+g"``, of the objective or of the constraints (COCO's, and that of None);
    ``"f"``, of the objective; ``"g"``, of the constraints; ``"seconds"``, simulated ones or those
    of one machine; ``"mixed-seconds"``, of any.
    """

    count: Count | None


def chosen_targets(
    log: Log,
    rows: NDArray[np.intp],
    way: Way,
    reference: Reference | None = None,
    budgets: Budgets | None = None,
    rule: Rule = "paper",
) -> TargetTable:
    """Compute targets for the functions and dimensions of some runs.

    Args:
        log: The log.
        rows: Rows of ``log.runs``.
        way: One of `WAYS`.
        reference: The reference of run-length targets; None for other ways.
        budgets: The budgets of run-length targets. None: `TABLE_BUDGETS`; None for other ways.
        rule: The rule of run-length targets, one of `RULES`.

    Raises:
        UnknownNameError: ``way`` or ``rule`` is unknown.
        AssessmentError: The reference is missing, has no data for a function, or is not allowed.
    """
    if way not in WAYS:
        raise UnknownNameError.of("way to choose targets", way, WAYS)
    if rule not in RULES:
        raise UnknownNameError.of("rule of run-length targets", rule, RULES)
    if way != RUNLENGTH:
        if reference is not None or budgets is not None:
            raise AssessmentError(
                f"targets: {way} takes neither reference nor budgets; runlength does"
            )
        runs = tuple(CellRuns(**facts) for _, facts in by_cell(log, rows, "f+g", _RUN_CELL))
        return replace(targets_from_data(log, rows, way), rests_on=runs)
    if reference is None:
        raise AssessmentError(
            "targets: run-length targets need a reference: an algorithm of the logs, 'best' for "
            "the best of them, a name such as best2009-bbob, or a file"
        )
    parsed = TABLE_BUDGETS if budgets is None else parse_budgets(budgets)
    entries, name = reference_entries(log, rows, reference)
    problem_classes = set(zip(*(log.runs[n][rows].tolist() for n in _CELL), strict=True))
    matches = [
        entry
        for entry in entries
        if (entry.suite, entry.function, entry.dimension) in problem_classes
    ]
    missing = problem_classes - {
        (entry.suite, entry.function, entry.dimension) for entry in matches
    }
    if missing:
        suite, function, dimension = min(missing)
        raise AssessmentError(
            f"reference {name}: it has no data for f{function} of {suite} in {dimension}-D"
        )
    table = runlength_table(matches, parsed, rule, name)
    used = [run_set for entry in matches if isinstance(entry, BestOf) for run_set in entry.run_sets]
    algorithms = sorted({run_set.algorithm for run_set in used}, key=natural)
    notes = table.notes
    if len(algorithms) > 1:
        notes = (*notes, f"{name}: the smallest aRT of {', '.join(algorithms)} to each target.")
    return replace(table, notes=notes, rests_on=tuple(run_set.runs_alone() for run_set in used))


def is_runlength(targets: RequestedTargets) -> bool:
    """Return whether the request is ``"runlength"`` or ``"runlength:BUDGETS"``."""
    return isinstance(targets, str) and targets.partition(":")[0] == RUNLENGTH


def load_targets(
    log: Log,
    rows: NDArray[np.intp],
    targets: RequestedTargets,
    reference: Reference | None,
    budgets: Budgets | None = None,
) -> RequestedTargets:
    """Read targets from a CSV file, or compute run-length targets; return other requests as is.

    Args:
        log: The log.
        rows: The runs whose functions and dimensions run-length targets are computed for.
        targets: The targets that the user asked for.
        reference: The reference of run-length targets.
        budgets: Budgets of run-length targets if the request names none.

    Raises:
        AssessmentError: The file cannot be read, or `chosen_targets` fails.
    """
    if isinstance(targets, str) and targets.endswith(".csv"):
        return read_targets(targets)
    if not is_runlength(targets):
        return targets
    requested_budgets = str(targets).partition(":")[2] or budgets
    return chosen_targets(log, rows, RUNLENGTH, reference, requested_budgets)


def resolve_targets(
    log: Log, rows: NDArray[np.intp], value: RequestedTargets, default: Default
) -> TargetSet:
    """Return the targets of each function for the ``targets`` of a question.

    Args:
        log: The log.
        rows: The runs that the targets are for.
        value: Numbers or text (`parse_targets`), a `TargetTable`, the name of a way (`WAYS`), or
            None for the default.
        default: Return the targets of a suite from its measurement.

    Raises:
        AssessmentError: The text is no list of targets; run-length targets lack a reference; or a
            target is harder than a suite's final target, at which its runs end.
    """
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


def reference_entries(
    log: Log,
    rows: NDArray[np.intp],
    reference: Reference,
    count: Count | None = None,
    targets: TargetSet | None = None,
) -> tuple[list[ReferenceRuntimes], str]:
    """Return the average runtimes of a reference by function and dimension, and its name.

    Args:
        log: The log.
        rows: The runs that are measured against the reference.
        reference: The name or path of a reference, names of algorithms of the log, or entries.
        count: What counts as an evaluation. None: ``"f+g"``.
        targets: The targets of algorithms of the log. None: targets that `log_reference` chooses.
            Entries of files keep their targets.

    Raises:
        UnknownNameError: The reference is neither an algorithm of the log nor an archive.
        AssessmentError: A file cannot be read, or counts something else than ``count``.
    """
    requested: str | list[Any]
    requested = str(reference) if isinstance(reference, str | Path) else list(reference)
    names = algorithms_of_reference(log, requested)
    if names is None and isinstance(requested, str):
        return _read_file_entries(log, rows, requested, count)
    if names is None:
        return [item for item in requested if not isinstance(item, str)], "the reference given"
    chosen, counted = _select_reference_runs(log, rows, names), count or "f+g"
    best: Iterable[BestOf]
    if targets is None:
        best, is_alone = log_reference(log, chosen, counted), names == [requested]
    else:
        best = best_of_algorithms(run_sets_of(log, chosen, targets, counted), targets)
        is_alone = len(names) == 1
    return list(best), names[0] if is_alone else f"best of {len(names)}"


def _suites(log: Log, rows: NDArray[np.intp]) -> list[str]:
    names, codes = log.runs.codes("suite")
    return [names[code] for code in np.unique(codes[rows]).tolist()]


def _suite_targets(
    log: Log, rows: NDArray[np.intp], targets: Mapping[str, tuple[float, ...]]
) -> TargetSet:
    """Return the targets of suites, multiplied by each function's target unit if it has one."""
    units = log.target_units(rows)
    if (units == 1).all() or not any(map(any, targets.values())):
        return suites_set(targets)
    cells = zip(*(log.runs[name][rows].tolist() for name in _CELL), units.tolist(), strict=True)
    scaled = {
        (suite, function, dimension): tuple(_round_up(t * unit) for t in targets[suite])
        for suite, function, dimension, unit in cells
    }
    labels = ", ".join(sorted({common_set(of_suite).label for of_suite in targets.values()}))
    return TargetSet(f"{labels} of each function's range", own=scaled)


def _round_up(target: float) -> float:
    """Round a target up to nine digits, so that a precision equal to it hits it.

    Rounding errors would miss it: in floating point (1 - 40/50) * 15 is below 3.
    """
    rounded = float(f"{target:.8e}")
    return rounded if rounded >= target * (1 - 1e-12) else float(f"{target * (1 + 1e-8):.8e}")


def algorithms_of_reference(log: Log, reference: str | list[Any]) -> list[str] | None:
    """Return the algorithms of the log that a reference names.

    Args:
        log: The log.
        reference: The reference as the user named it: one algorithm, a list of several, all by
            ``best``, or some by ``best:A,B``.

    Returns:
        The names; None if the reference is a file, an archive or a list of entries.

    Raises:
        UnknownNameError: ``best:A,B`` names an algorithm that the log does not hold.
    """
    if not isinstance(reference, str):
        return reference if all(isinstance(item, str) for item in reference) else None
    algorithms = log.runs.codes("algorithm")[0]
    if reference in algorithms:
        return [reference]
    if reference == BEST:
        return list(algorithms)
    if not reference.startswith(f"{BEST}:"):
        return None
    text = reference.removeprefix(f"{BEST}:")
    names = [text] if text in algorithms else list(dict.fromkeys(items_of(text)))
    for algorithm in names:
        if algorithm not in algorithms:
            raise UnknownNameError.of("algorithm", algorithm, algorithms)
    return names


def _read_file_entries(
    log: Log, rows: NDArray[np.intp], name: str, count: Count | None
) -> tuple[list[ReferenceRuntimes], str]:
    """Read the entries of a file by its path or cocopp's name; return also the file's name."""
    if Path(name).suffix == ".h5":
        raise AssessmentError(
            f"reference {name!r}: a log is no reference; give it among the logs, and here the name "
            "of its algorithm"
        )
    file = reference_file(name)
    if file is not None:
        file_stem = file.name.partition(".")[0]
        if count is not None and is_seconds(count):
            raise AssessmentError(
                f"reference {file_stem}: such files count evaluations, and seconds are asked for; "
                "take an algorithm of the logs"
            )
        if count not in (None, "f+g") and log.runs["evaluations_constraints"][rows].any():
            raise AssessmentError(
                f"reference {file_stem}: such files count evaluations of the objective and of the "
                f"constraints (f+g), and {count} is asked for; leave count out, or take an "
                "algorithm of the logs"
            )
        return list(entries_of_file(file)), file_stem
    if is_archive(Path(name)) or Path(name).suffix == TABLE_SUFFIX or len(Path(name).parts) > 1:
        raise AssessmentError(f"reference {name!r}: there is no such file, nor such an algorithm")
    allowed = [*log.runs.codes("algorithm")[0], BEST, *cocopp_references()]
    raise UnknownNameError.of("reference", name, allowed)


def _select_reference_runs(
    log: Log, rows: NDArray[np.intp], names: Sequence[str]
) -> NDArray[np.intp]:
    """Select runs of algorithms on the functions, dimensions and instances of ``rows``.

    Runs on all instances are selected if the algorithms were run on none of these instances.
    """
    suites, functions, dimensions = (np.unique(log.runs[name][rows]).tolist() for name in _CELL)
    chosen = select_runs(
        log, algorithms=names, suites=suites, functions=functions, dimensions=dimensions
    )
    is_shared = np.isin(log.runs["instance"][chosen], log.runs["instance"][rows])
    return chosen[is_shared] if is_shared.any() else chosen
