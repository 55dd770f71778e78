"""Which runs of a log a question is about, and how they fall into cells of equal facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from ...loggers.targets.grid import GRID_TOLERANCE
from ...suites.errors import UnknownNameError
from ...suites.measurement import Measurement
from ...suites.selection import Selection, parse_selection, ranges
from ..errors import AssessmentError
from ..targets.target_sets import OF_TWO_OBJECTIVES

if TYPE_CHECKING:
    from ...loggers import Log

Names = str | Iterable[str]
_TEXTS = ("algorithm", "suite")
_PROBLEM = ("suite", "function", "dimension", "instance")


class Selectors(TypedDict, total=False):
    """Which runs a question is about; what is left out, or None, stands for all there are.

    ``algorithms`` and ``suites`` are a name or several; ``functions``, ``dimensions`` and
    ``instances`` an int, a list, a range or ``"1-5,7"``.
    """

    algorithms: Names | None
    suites: Names | None
    functions: Selection | None
    dimensions: Selection | None
    instances: Selection | None


def select_runs(log: Log, **selectors: Unpack[Selectors]) -> NDArray[np.intp]:
    """Rows of ``log.runs`` that the selectors take.

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
    for what, requested in names.items():
        if requested is not None:
            known, codes = runs.codes(what)
            kept = _known(what, requested, known)
            keep &= np.array([name in kept for name in known])[codes]
    numbers = {
        "function": selectors.get("functions"),
        "dimension": selectors.get("dimensions"),
        "instance": selectors.get("instances"),
    }
    for what, selection in numbers.items():
        if selection is not None:
            there = np.unique(runs[what]).tolist()
            keep &= np.isin(runs[what], parse_selection(selection, there, f"{what}s", "the logs"))
    if not keep.any():
        texts = (
            f"{name} {requested}" for name, requested in selectors.items() if requested is not None
        )
        raise AssessmentError(f"no run in the logs fits all selectors at once: {', '.join(texts)}")
    return np.flatnonzero(keep)


def split_names(given: Iterable[str], known: Sequence[str]) -> list[str] | None:
    """Names as given, split at commas unless the whole is a name that exists; None for none."""
    split = [
        name.strip() for item in given for name in ([item] if item in known else item.split(","))
    ]
    return split or None


def common_runs(log: Log, rows: NDArray[np.intp]) -> tuple[NDArray[np.intp], tuple[str, ...]]:
    """The runs on functions, dimensions and instances that every algorithm of a suite was run on.

    Algorithms count where they were run on the suite at all. Where all were run on a function in a
    dimension, but on no instance in common, all its instances stay. Rows, and sentences on what was
    left out.

    Raises:
        AssessmentError: The algorithms have no function in a dimension in common.
    """
    algorithms, apart = log.runs.codes("algorithm")[1], 0
    kept: list[NDArray[np.intp]] = []
    for places in cells(log, rows, ("suite",)):
        everyone = set(algorithms[rows[places]].tolist())
        before = len(kept)
        for own in cells(log, rows[places], ("suite", "function", "dimension")):
            here = rows[places][own]
            if set(algorithms[here].tolist()) != everyone:
                continue
            instances = log.runs["instance"][here]
            shared = [
                instance
                for instance in np.unique(instances).tolist()
                if set(algorithms[here[instances == instance]].tolist()) == everyone
            ]
            apart += not len(shared)
            kept.append(here[np.isin(instances, shared)] if len(shared) else here)
        if len(kept) == before:
            names = ", ".join(log.runs.codes("algorithm")[0][code] for code in sorted(everyone))
            suite = str(log.runs["suite"][rows[places][0]])
            raise AssessmentError(
                f"{names} have no function of {suite} in a dimension in common; choose algorithms, "
                "or show each on what it was run (--unequal, unequal=True)"
            )
    common = np.sort(np.concatenate(kept))
    notes = _left_out(log, np.setdiff1d(rows, common, assume_unique=True))
    if apart:
        notes += (
            f"on {apart} functions and dimensions the algorithms have no instance in common: all "
            "of theirs are shown, and * marks algorithms that lack some.",
        )
    return common, notes


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
    """Places in ``rows`` of the runs that agree in all columns ``names``, in the order of these."""
    order, starts = sorted_cells(log, rows, names)
    yield from np.split(order, starts[1:]) if len(rows) else []


def sorted_cells(
    log: Log, rows: NDArray[np.intp], names: Sequence[str]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The order in which rows that agree in all columns stand together, and where such cells begin.

    Args and order as of `cells`; both are places, in ``rows`` and in the order.
    """
    columns = [
        log.runs.codes(name)[1][rows] if name in _TEXTS else log.runs[name][rows] for name in names
    ]
    order = np.lexsort(columns[::-1])
    return order, first_of_each([column[order] for column in columns])


def values_of(log: Log, row: int, names: Sequence[str]) -> list[Any]:
    """What a run has in columns of ``log.runs``."""
    values = []
    for name in names:
        if name in _TEXTS:
            known, codes = log.runs.codes(name)
            values.append(known[codes[row]])
        else:
            values.append(log.runs[name][[row]].tolist()[0])
    return values


def refuse_two_versions(log: Log, rows: NDArray[np.intp]) -> None:
    """Refuse runs on two versions of a suite."""
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
    """Refuse runs whose numbers must not stand in one table."""
    refuse_two_versions(log, rows)
    refuse_two_references([(log, rows)])


def references_of(log: Log, rows: NDArray[np.intp]) -> dict[str, int]:
    """Name of each reference of the hypervolume to how many of the runs are measured from it."""
    names, codes = log.runs.codes("reference_name")
    if not any(names):
        return {}
    counts = np.bincount(codes[rows], minlength=len(names)).tolist()
    return {name: count for name, count in zip(names, counts, strict=True) if name and count}


def with_reference(log: Log, rows: NDArray[np.intp]) -> NDArray[np.intp]:
    """The runs whose reference value is known: to others, precision targets do not apply."""
    known = ~np.isnan(log.runs["reference_value"][rows])
    if rows.size and not known.any():
        functions = ranges(np.unique(log.runs["function"][rows]).tolist())
        raise AssessmentError(
            f"suite {suite_of(log, rows[0])!r}: functions {functions} have no reference value, "
            "so precision targets do not apply to them; choose other functions"
        )
    kept: NDArray[np.intp] = rows[known]
    return kept


def notes_on_unknown(log: Log, rows: NDArray[np.intp]) -> tuple[str, ...]:
    """The sentence on the runs that `with_reference` leaves out; none where there are none."""
    unknown = rows[np.isnan(log.runs["reference_value"][rows])]
    places = zip(*(log.runs[name][unknown].tolist() for name in _PROBLEM[:3]), strict=True)
    named = [f"f{f} of {suite} in {d}-D" for suite, f, d in sorted(set(places))]
    if not named:
        return ()
    return (f"left out, as no reference value is known: {', '.join(named)}.",)


def refuse_two_references(parts: Sequence[tuple[Log, NDArray[np.intp]]]) -> None:
    """Refuse runs with two objectives on one problem that are measured from two values."""
    problems: list[tuple[str, int, int, int]] = []
    values: list[float] = []
    names: list[str] = []
    for log, rows in parts:
        suites, codes = log.runs.codes("suite")
        two = [measurement_of(log, name).indicator in OF_TWO_OBJECTIVES for name in suites]
        if not any(two):
            continue
        mine = rows[np.array(two)[codes[rows]]]
        problems += zip(*(log.runs[name][mine].tolist() for name in _PROBLEM), strict=True)
        values += log.runs["reference_value"][mine].tolist()
        names += log.runs["reference_name"][mine].tolist()
    seen: dict[tuple[str, int, int, int], tuple[float, str]] = {}
    for problem, value, name in zip(problems, values, names, strict=True):
        first, first_name = seen.setdefault(problem, (value, name))
        if abs(first - value) > GRID_TOLERANCE:
            suite, function, dimension, instance = problem
            here, there = (
                f"{text or 'no name'} ({number:.6g})"
                for text, number in ((first_name, first), (name, value))
            )
            raise AssessmentError(
                f"f{function} of {suite} in {dimension}-D, instance {instance}: hypervolumes are "
                f"measured from two references, {here} and {there}, and must not be mixed; measure "
                "all from one (--hypervolume-reference archive, or a FILE), or assess their files "
                "apart"
            )


def first_of_each(columns: Sequence[NDArray[Any]]) -> NDArray[np.intp]:
    """Where a row differs from the one before in some column; the first row does."""
    new = np.zeros(len(columns[0]), dtype=np.bool_)
    new[:1] = True
    for column in columns:
        new[1:] |= column[1:] != column[:-1]
    return np.flatnonzero(new)


def _known(what: str, names: Names, known: Sequence[str]) -> list[str]:
    requested = [names] if isinstance(names, str) else [str(name) for name in names]
    if not requested:
        raise AssessmentError(f"{what}s: none given; the logs hold {', '.join(known)}")
    for name in requested:
        if name not in known:
            raise UnknownNameError.of(what, name, known)
    return requested


def _left_out(log: Log, rows: NDArray[np.intp]) -> tuple[str, ...]:
    """A sentence on the runs of each algorithm that are left out."""
    if not len(rows):
        return ()
    parts = []
    for own in cells(log, rows, ("algorithm",)):
        numbers = {
            what: ranges(np.unique(log.runs[what][rows[own]]).tolist())
            for what in ("function", "dimension", "instance")
        }
        parts.append(
            f"{log.runs['algorithm'][rows[own][0]]}: {len(own)} run{'s' * (len(own) > 1)} "
            f"(functions {numbers['function']}; dimensions {numbers['dimension']}; instances "
            f"{numbers['instance']})"
        )
    return (
        "only what all algorithms were run on is compared; left out of "
        + "; ".join(parts)
        + ". --unequal (unequal=True) shows all.",
    )
