"""Which runs of a log a question is about, and how they fall into cells of equal facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...suites.errors import UnknownNameError
from ...suites.measurement import Measurement
from ...suites.selection import Selection, parse_selection
from ..errors import AssessmentError

if TYPE_CHECKING:
    from ...loggers import Log

Names = str | Iterable[str]
_TEXTS = ("algorithm", "suite")


@dataclass(frozen=True)
class Choice:
    """What a result is asked for; None stands for everything in the log."""

    algorithm: Names | None = None
    function: Selection | None = None
    dimension: Selection | None = None
    suite: Names | None = None


def choose(log: Log, choice: Choice) -> NDArray[np.intp]:
    """Rows of ``log.runs`` that ``choice`` selects.

    Raises:
        UnknownNameError: An algorithm or suite is not in the log.
        SelectionError: A function or dimension is not in the log, or the filter is malformed.
        AssessmentError: No run fits all filters at once.
    """
    runs, keep = log.runs, latest_stage(log)
    if not keep.any():
        raise AssessmentError("the logs hold no finished run")
    for what, names in (("algorithm", choice.algorithm), ("suite", choice.suite)):
        if names is not None:
            known, codes = runs.codes(what)
            wanted = _known(what, names, known)
            keep &= np.array([name in wanted for name in known])[codes]
    for what, numbers in (("function", choice.function), ("dimension", choice.dimension)):
        if numbers is not None:
            there = np.unique(runs[what]).tolist()
            keep &= np.isin(runs[what], parse_selection(numbers, there, f"{what}s", "the logs"))
    if not keep.any():
        raise AssessmentError(f"no run in the logs fits all filters at once: {_filters(choice)}")
    return np.flatnonzero(keep)


def latest_stage(log: Log) -> NDArray[np.bool_]:
    """True for the runs that no later budget stage of the same run replaces."""
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
    """Name of the suite of a run."""
    names, codes = log.runs.codes("suite")
    return str(names[codes[row]])


def measurement_of(log: Log, suite: str) -> Measurement:
    """The indicator and the targets of a suite, as the log's header has them."""
    return log.suites[suite].measurement


def cells(log: Log, rows: NDArray[np.intp], names: Sequence[str]) -> Iterator[NDArray[np.intp]]:
    """Places in ``rows`` of the runs that agree in all columns ``names``, in the order of these.

    Args:
        log: What `firsthit.loggers.read_log` returned.
        rows: Rows of ``log.runs``, shape ``(n_rows,)``.
        names: Columns of ``log.runs``.
    """
    columns = [
        log.runs.codes(name)[1][rows] if name in _TEXTS else log.runs[name][rows] for name in names
    ]
    order = np.lexsort(columns[::-1])
    starts = first_of_each([column[order] for column in columns])
    yield from np.split(order, starts[1:]) if len(rows) else []


def refuse_two_versions(log: Log, rows: NDArray[np.intp]) -> None:
    """Refuse runs on two versions of a suite.

    Raises:
        AssessmentError: There are such.
    """
    (suites, suite), (versions, version) = (log.runs.codes(n) for n in ("suite", "suite_version"))
    pairs = np.unique(suite[rows] * len(versions) + version[rows])
    twice = np.flatnonzero(np.diff(pairs // max(len(versions), 1)) == 0)
    if twice.size:
        one, two = (versions[p % len(versions)] for p in pairs[twice[0] : twice[0] + 2])
        raise AssessmentError(
            f"the logs hold suite {suites[pairs[twice[0]] // len(versions)]!r} in versions {one} "
            f"and {two}, whose numbers must not be mixed; assess their files apart"
        )


def first_of_each(columns: Sequence[NDArray[Any]]) -> NDArray[np.intp]:
    """Where a row differs from the one before in some column; the first row does."""
    new = np.zeros(len(columns[0]), dtype=np.bool_)
    new[:1] = True
    for column in columns:
        new[1:] |= column[1:] != column[:-1]
    return np.flatnonzero(new)


def _known(what: str, names: Names, known: Sequence[str]) -> list[str]:
    wanted = [names] if isinstance(names, str) else [str(name) for name in names]
    if not wanted:
        raise AssessmentError(f"{what}s: none given; the logs hold {', '.join(known)}")
    for name in wanted:
        if name not in known:
            raise UnknownNameError.of(what, name, known)
    return wanted


def _filters(choice: Choice) -> str:
    asked = {name: getattr(choice, name) for name in choice.__dataclass_fields__}
    return ", ".join(f"{name} {value}" for name, value in asked.items() if value is not None)
