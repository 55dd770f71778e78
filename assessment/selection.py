"""Select the runs of a log for a question, and divide them into cells of equal properties.

`select_runs` applies the selectors of a user. `common_runs` keeps the problems that all algorithms
were run on. `cells` groups selected rows by columns of ``log.runs``. The ``refuse_…`` functions
raise an AssessmentError if runs must not stand in one table. A position is an index into an array
of rows; a row is an index into ``log.runs``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from ..loggers.targets.grid import GRID_TOLERANCE
from ..suites.errors import UnknownNameError
from ..suites.measurement import Measurement
from ..suites.selection import Selection as Numbers
from ..suites.selection import parse_selection, ranges
from .errors import AssessmentError
from .targets.target_sets import OF_TWO_OBJECTIVES

if TYPE_CHECKING:
    from ..loggers import Log

Count = Literal["f+g", "f", "g", "seconds", "mixed-seconds"]
"""Evaluations that count: of the objective (f), of the constraints (g), or of both; or seconds."""
Names = str | Iterable[str]
_TEXTS = ("algorithm", "suite")
_PROBLEM = ("suite", "function", "dimension", "instance")


class Selectors(TypedDict, total=False):
    """Selectors of runs; a selector that is missing or None selects all runs.

    ``algorithms`` and ``suites`` are a name or several; ``functions``, ``dimensions`` and
    ``instances`` an int, a list, a range or ``"1-5,7"``.
    """

    algorithms: Names | None
    suites: Names | None
    functions: Numbers | None
    dimensions: Numbers | None
    instances: Numbers | None


@dataclass(frozen=True, eq=False)
class Selection:
    """The selected runs of a log.

    Attributes:
        log: The log that holds the runs.
        rows: Rows of ``log.runs`` of the selected runs, ascending.
        count: What counts as an evaluation; see `RunSet`.
        unequal: Whether `common` keeps all runs.
        notes: Sentences on runs that were left out.
        chosen: Rows of the selected runs, including those that `common` left out.
    """

    log: Log
    rows: NDArray[np.intp]
    count: Count = "f+g"
    unequal: bool = False
    notes: tuple[str, ...] = ()
    chosen: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, dtype=np.intp))

    @classmethod
    def of(
        cls,
        log: Log,
        selectors: Mapping[str, Any] | None = None,
        count: Count = "f+g",
        unequal: bool = False,
    ) -> Selection:
        """Select runs of a log.

        Args:
            log: The log.
            selectors: As `Selectors`. None: all runs.
            count: What counts as an evaluation.
            unequal: Whether `common` keeps all runs.

        Raises:
            FirsthitError: As of `select_runs`.
        """
        rows = select_runs(log, **(selectors or {}))
        return cls(log, rows, count, unequal, chosen=rows)

    def common(self) -> Selection:
        """Return the runs on the problems that all algorithms were run on.

        With ``unequal``, return all runs.

        Raises:
            AssessmentError: As of `common_runs`.
        """
        if self.unequal:
            return self
        rows, notes = common_runs(self.log, self.rows)
        return replace(self, rows=rows, notes=(*self.notes, *notes))


def select_runs(log: Log, **selectors: Unpack[Selectors]) -> NDArray[np.intp]:
    """Return the rows of ``log.runs`` that fit all selectors, without replaced budget stages.

    Args:
        log: The log.
        **selectors: As `Selectors`.

    Returns:
        Rows, ascending; at least one.

    Raises:
        UnknownNameError: There is no such selector, or an algorithm or suite is not in the log.
        SelectionError: A number is not in the log, or its selector is malformed.
        AssessmentError: No run fits all selectors at once.
    """
    for name in selectors:
        if name not in Selectors.__annotations__:
            raise UnknownNameError.of("selector", name, Selectors.__annotations__)
    runs, keep = log.runs, latest_stage(log)
    if not keep.any():
        raise AssessmentError("the logs hold no finished run")
    names = {"algorithm": selectors.get("algorithms"), "suite": selectors.get("suites")}
    for column, requested in names.items():
        if requested is not None:
            names_in_log, codes = runs.codes(column)
            kept = _check_names(column, requested, names_in_log)
            keep &= np.array([name in kept for name in names_in_log])[codes]
    numbers = {
        "function": selectors.get("functions"),
        "dimension": selectors.get("dimensions"),
        "instance": selectors.get("instances"),
    }
    for column, selection in numbers.items():
        if selection is not None:
            available = np.unique(runs[column]).tolist()
            selected = parse_selection(selection, available, f"{column}s", "the logs")
            keep &= np.isin(runs[column], selected)
    if not keep.any():
        texts = (
            f"{name} {requested}" for name, requested in selectors.items() if requested is not None
        )
        raise AssessmentError(f"no run in the logs fits all selectors at once: {', '.join(texts)}")
    return np.flatnonzero(keep)


def split_names(texts: Iterable[str], existing_names: Sequence[str]) -> list[str] | None:
    """Split texts at commas, except a text that is an existing name as a whole.

    Args:
        texts: Names, or several names separated by commas.
        existing_names: Names that may contain a comma.

    Returns:
        Names, without surrounding white space. None: there are no texts.
    """
    split = [
        name.strip()
        for text in texts
        for name in ([text] if text in existing_names else text.split(","))
    ]
    return split or None


def common_runs(log: Log, rows: NDArray[np.intp]) -> tuple[NDArray[np.intp], tuple[str, ...]]:
    """Return the runs on problems that every algorithm of the suite was run on.

    An algorithm belongs to a suite if it has at least one run on the suite. All instances of a
    function in a dimension are kept if all algorithms were run on the function, but have no
    instance in common.

    Args:
        log: The log.
        rows: Rows of ``log.runs``.

    Returns:
        The rows that are kept, ascending, and sentences on the runs that were left out.

    Raises:
        AssessmentError: The algorithms have no function in a dimension in common.
    """
    algorithms, n_without_shared = log.runs.codes("algorithm")[1], 0
    kept: list[NDArray[np.intp]] = []
    for suite_positions in cells(log, rows, ("suite",)):
        suite_rows = rows[suite_positions]
        suite_algorithms = set(algorithms[suite_rows].tolist())
        n_kept_before = len(kept)
        for positions in cells(log, suite_rows, ("suite", "function", "dimension")):
            cell_rows = suite_rows[positions]
            if set(algorithms[cell_rows].tolist()) != suite_algorithms:
                continue
            instances = log.runs["instance"][cell_rows]
            shared = [
                instance
                for instance in np.unique(instances).tolist()
                if set(algorithms[cell_rows[instances == instance]].tolist()) == suite_algorithms
            ]
            n_without_shared += not len(shared)
            kept.append(cell_rows[np.isin(instances, shared)] if len(shared) else cell_rows)
        if len(kept) == n_kept_before:
            names = ", ".join(
                log.runs.codes("algorithm")[0][code] for code in sorted(suite_algorithms)
            )
            suite = str(log.runs["suite"][suite_rows[0]])
            raise AssessmentError(
                f"{names} have no function of {suite} in a dimension in common; choose algorithms, "
                "or show each on what it was run (--unequal, unequal=True)"
            )
    common = np.sort(np.concatenate(kept))
    notes = _describe_left_out(log, np.setdiff1d(rows, common, assume_unique=True))
    if n_without_shared:
        notes += (
            f"different instances: no common one on {n_without_shared} functions and dimensions; "
            "all are used, and * marks algorithms that lack some.",
        )
    return common, notes


def latest_stage(log: Log) -> NDArray[np.bool_]:
    """Return a mask, shape ``(n_runs,)``: False for runs that a later budget stage replaces."""
    runs, stage = log.runs, np.asarray(log.runs["stage"])
    if not len(stage) or stage.min() == stage.max():
        return np.ones(len(stage), dtype=np.bool_)
    names = ("function", "dimension", "instance", "repetition", "campaign_seed")
    columns = [runs.codes("algorithm")[1], runs.codes("suite")[1], *(runs[n] for n in names)]
    order = np.lexsort((stage, *columns))
    starts = first_of_each([column[order] for column in columns])
    last = stage[order][np.append(starts[1:], len(order)) - 1]
    latest = np.empty(len(order), dtype=np.bool_)
    latest[order] = stage[order] == np.repeat(last, np.diff(np.append(starts, len(order))))
    return latest


def suite_of(log: Log, row: int) -> str:
    """Return the name of the suite of the run in a row of ``log.runs``."""
    names, codes = log.runs.codes("suite")
    return str(names[codes[row]])


def measurement_of(log: Log, suite: str) -> Measurement:
    """Return the indicator and the targets of a suite from the log's header."""
    return log.suites[suite].measurement


def cells(log: Log, rows: NDArray[np.intp], names: Sequence[str]) -> Iterator[NDArray[np.intp]]:
    """Group rows that agree in several columns.

    Args:
        log: The log.
        rows: Rows of ``log.runs``.
        names: Columns of ``log.runs``; the first one sorts first.

    Yields:
        For each group, in the order of its values, the positions of its runs in ``rows``.
    """
    order, starts = sorted_cells(log, rows, names)
    yield from np.split(order, starts[1:]) if len(rows) else []


def sorted_cells(
    log: Log, rows: NDArray[np.intp], names: Sequence[str]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Sort rows by several columns, so that the rows of a cell are consecutive.

    Args:
        log: The log.
        rows: Rows of ``log.runs``.
        names: Columns of ``log.runs``; the first one sorts first.

    Returns:
        The order (positions in ``rows``), and the start of each cell (positions in the order).
    """
    columns = [
        log.runs.codes(name)[1][rows] if name in _TEXTS else log.runs[name][rows] for name in names
    ]
    order = np.lexsort(columns[::-1])
    return order, first_of_each([column[order] for column in columns])


def values_of(log: Log, row: int, names: Sequence[str]) -> list[Any]:
    """Return the values of a run as Python objects.

    Args:
        log: The log.
        row: Row of ``log.runs``.
        names: Columns of ``log.runs``.
    """
    values = []
    for name in names:
        if name in _TEXTS:
            texts, codes = log.runs.codes(name)
            values.append(texts[codes[row]])
        else:
            values.append(log.runs[name][[row]].tolist()[0])
    return values


def refuse_two_versions(log: Log, rows: NDArray[np.intp]) -> None:
    """Raise an AssessmentError if the runs are on two versions of a suite."""
    (suites, suite), (versions, version) = (log.runs.codes(n) for n in ("suite", "suite_version"))
    pairs = np.unique(suite[rows] * len(versions) + version[rows])
    twice = np.flatnonzero(np.diff(pairs // max(len(versions), 1)) == 0)
    if twice.size:
        first, second = (versions[p % len(versions)] for p in pairs[twice[0] : twice[0] + 2])
        raise AssessmentError(
            f"the logs hold suite {suites[pairs[twice[0]] // len(versions)]!r} in versions {first} "
            f"and {second}, whose numbers must not be mixed; assess their files apart"
        )


def refuse_mixed(log: Log, rows: NDArray[np.intp]) -> None:
    """Raise an AssessmentError if runs have two versions of a suite or two references."""
    refuse_two_versions(log, rows)
    refuse_two_references([(log, rows)])


def references_of(log: Log, rows: NDArray[np.intp]) -> dict[str, int]:
    """Return the number of runs for the name of each reference of the hypervolume."""
    names, codes = log.runs.codes("reference_name")
    if not any(names):
        return {}
    counts = np.bincount(codes[rows], minlength=len(names)).tolist()
    return {name: count for name, count in zip(names, counts, strict=True) if name and count}


def with_reference(log: Log, rows: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the rows of runs that have a reference value.

    Precision targets do not apply to the other runs.

    Args:
        log: The log.
        rows: Rows of ``log.runs``.

    Raises:
        AssessmentError: There are rows, but none has a reference value.
    """
    has_value = ~np.isnan(log.runs["reference_value"][rows])
    if rows.size and not has_value.any():
        functions = ranges(np.unique(log.runs["function"][rows]).tolist())
        raise AssessmentError(
            f"suite {suite_of(log, rows[0])!r}: functions {functions} have no reference value, "
            "so precision targets do not apply to them; choose other functions"
        )
    kept: NDArray[np.intp] = rows[has_value]
    return kept


def notes_on_unknown(log: Log, rows: NDArray[np.intp]) -> tuple[str, ...]:
    """Return a sentence on the runs without a known reference value; empty if there are none.

    `with_reference` leaves these runs out.
    """
    unknown = rows[np.isnan(log.runs["reference_value"][rows])]
    problem_classes = zip(*(log.runs[name][unknown].tolist() for name in _PROBLEM[:3]), strict=True)
    named = [f"f{f} of {suite} in {d}-D" for suite, f, d in sorted(set(problem_classes))]
    if not named:
        return ()
    return (
        f"functions without reference value: {', '.join(named)}; left out, because precision "
        "targets need it.",
    )


def refuse_two_references(parts: Sequence[tuple[Log, NDArray[np.intp]]]) -> None:
    """Raise an AssessmentError if runs on one problem are measured from two hypervolumes.

    Args:
        parts: Logs, and the rows of their runs that are compared.
    """
    problems: list[tuple[str, int, int, int]] = []
    values: list[float] = []
    names: list[str] = []
    for log, rows in parts:
        suites, codes = log.runs.codes("suite")
        has_two_objectives = [
            measurement_of(log, name).indicator in OF_TWO_OBJECTIVES for name in suites
        ]
        if not any(has_two_objectives):
            continue
        measured = rows[np.array(has_two_objectives)[codes[rows]]]
        problems += zip(*(log.runs[name][measured].tolist() for name in _PROBLEM), strict=True)
        values += log.runs["reference_value"][measured].tolist()
        names += log.runs["reference_name"][measured].tolist()
    seen: dict[tuple[str, int, int, int], tuple[float, str]] = {}
    for problem, value, name in zip(problems, values, names, strict=True):
        first, first_name = seen.setdefault(problem, (value, name))
        if abs(first - value) > GRID_TOLERANCE:
            suite, function, dimension, instance = problem
            first_text, second_text = (
                f"{text or 'no name'} ({number:.6g})"
                for text, number in ((first_name, first), (name, value))
            )
            raise AssessmentError(
                f"f{function} of {suite} in {dimension}-D, instance {instance}: hypervolumes are "
                f"measured from two references, {first_text} and {second_text}, and must not be "
                "mixed; measure all from one (--hypervolume-reference archive, or a FILE), or "
                "assess their files apart"
            )


def first_of_each(columns: Sequence[NDArray[Any]]) -> NDArray[np.intp]:
    """Return the indices of rows that differ from the previous row; the first row is one."""
    new = np.zeros(len(columns[0]), dtype=np.bool_)
    new[:1] = True
    for column in columns:
        new[1:] |= column[1:] != column[:-1]
    return np.flatnonzero(new)


def _check_names(column: str, names: Names, names_in_log: Sequence[str]) -> list[str]:
    """Return the requested names as a list; raise if there is none, or one is not in the log."""
    requested = [names] if isinstance(names, str) else [str(name) for name in names]
    if not requested:
        raise AssessmentError(f"{column}s: none given; the logs hold {', '.join(names_in_log)}")
    for name in requested:
        if name not in names_in_log:
            raise UnknownNameError.of(column, name, names_in_log)
    return requested


def _describe_left_out(log: Log, rows: NDArray[np.intp]) -> tuple[str, ...]:
    """Return a sentence on the runs of each algorithm that are left out; empty without runs."""
    if not len(rows):
        return ()
    parts = []
    for positions in cells(log, rows, ("algorithm",)):
        left_out = rows[positions]
        numbers = {
            column: ranges(np.unique(log.runs[column][left_out]).tolist())
            for column in ("function", "dimension", "instance")
        }
        parts.append(
            f"{log.runs['algorithm'][left_out[0]]}: {len(left_out)} run{'s' * (len(left_out) > 1)} "
            f"(functions {numbers['function']}; dimensions {numbers['dimension']}; instances "
            f"{numbers['instance']})"
        )
    return (
        f"runs without counterpart of {'; '.join(parts)}; left out, but --unequal (unequal=True) "
        "uses all runs.",
    )
