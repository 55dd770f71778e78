"""The runs of a log sorted into trials: one set for each algorithm, function and dimension."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...suites.errors import UnknownNameError
from ...suites.selection import Selection, parse_selection, ranges
from ..errors import AssessmentError
from ..statistics.average_runtime import Floats
from ..targets.parse import FINAL_TARGET, target_text

if TYPE_CHECKING:
    from ...loggers import Log

Names = str | Iterable[str]
_BROKEN = ("failed", "timeout", "interrupted")
_ROWS_AT_ONCE = 20_000


@dataclass(frozen=True, eq=False)
class Trials:
    """All runs of one algorithm on one function in one dimension.

    Instances and repetitions are the trials; every run counts once, failed and interrupted ones
    with the evaluations they spent.

    Attributes:
        algorithm: Name of the algorithm.
        suite: Name of the suite.
        function: Number of the function.
        dimension: Number of variables.
        group: Name of the function's group in its suite.
        instances: Instance of each run, shape ``(n_runs,)``.
        repetitions: Repetition of each run, shape ``(n_runs,)``.
        hits: Evaluations at the first hit, shape ``(n_runs, n_targets)``; NaN where not reached.
        spent: Evaluations of each run, shape ``(n_runs,)``; of a run that reached the final target
            1e-8, the evaluations at that hit (as in cocopp).
        broken: How many runs failed, timed out or were interrupted.
        rows: Rows of the log that the runs are, shape ``(n_runs,)``; empty where it is not known.
        exact: False where the log's grid is too coarse and the hit is an upper bound, in the shape
            of ``hits``.
    """

    algorithm: str
    suite: str
    function: int
    dimension: int
    group: str
    instances: NDArray[np.int64]
    repetitions: NDArray[np.int64]
    hits: Floats
    spent: Floats
    exact: NDArray[np.bool_]
    broken: int = 0
    rows: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, dtype=np.intp))

    def rng(self, seed: int) -> np.random.Generator:
        """A generator seeded by ``seed`` and names alone: no other data change its draws."""
        name = f"{self.algorithm}\0{self.suite}\0{self.function}\0{self.dimension}"
        words = [seed, *struct.unpack("<8I", hashlib.sha256(name.encode()).digest())]
        # the same as of the list itself, which takes several times as long
        entropy = np.array(words, dtype=np.uint32) if seed < 2**32 else words
        return np.random.default_rng(np.random.SeedSequence(entropy))


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
    starts = _starts([column[order] for column in columns])
    last = stage[order][np.append(starts[1:], len(order)) - 1]
    latest = np.empty(len(order), dtype=np.bool_)
    latest[order] = stage[order] == np.repeat(last, np.diff(np.append(starts, len(order))))
    return latest


def trials_of(log: Log, rows: NDArray[np.intp], targets: Sequence[float]) -> list[Trials]:
    """Sort ``rows`` of the log into trials, by algorithm, suite, function and dimension.

    Args:
        log: What `firsthit.loggers.read_log` returned.
        rows: Rows of ``log.runs``.
        targets: Precisions, easiest first.

    Raises:
        AssessmentError: Targets have no meaning for a function (its reference value is unknown), or
            the runs belong to two versions of a suite.
    """
    _refuse_unknown_reference(log, rows)
    refuse_two_versions(log, rows)
    if not len(rows):
        return []
    runs = log.runs
    cells = [runs.codes("algorithm")[1][rows], runs.codes("suite")[1][rows]]
    cells += [runs["function"][rows], runs["dimension"][rows]]
    order = np.lexsort((runs["repetition"][rows], runs["instance"][rows], *cells[::-1]))
    starts = _starts([column[order] for column in cells])
    hits, exact = _sorted_hits(log, rows, order, np.array([*targets, FINAL_TARGET]))
    return _cut(log, rows[order], starts, hits, exact)


def _sorted_hits(
    log: Log, rows: NDArray[np.intp], order: NDArray[np.intp], targets: Floats
) -> tuple[Floats, NDArray[np.bool_]]:
    """First hits of ``rows[order]``, read in the order of ``rows``, which is that of the log."""
    place = np.empty(len(rows), dtype=np.intp)
    place[order] = np.arange(len(rows))
    hits = np.empty((len(rows), len(targets)))
    exact = np.empty(hits.shape, dtype=np.bool_)
    for start in range(0, len(rows), _ROWS_AT_ONCE):
        part = slice(start, start + _ROWS_AT_ONCE)
        hits[place[part]], exact[place[part]] = log.first_hits(rows[part], targets)
    return hits, np.broadcast_to(np.True_, exact.shape) if exact.all() else exact


def _starts(columns: Sequence[NDArray[Any]]) -> NDArray[np.intp]:
    """Where a row differs from the one before in some column; the first row does."""
    new = np.zeros(len(columns[0]), dtype=np.bool_)
    new[:1] = True
    for column in columns:
        new[1:] |= column[1:] != column[:-1]
    return np.flatnonzero(new)


def _cut(
    log: Log,
    rows: NDArray[np.intp],
    starts: NDArray[np.intp],
    hits: Floats,
    exact: NDArray[np.bool_],
) -> list[Trials]:
    """Trials of sorted ``rows``; the last column of ``hits``, ``exact`` is the final target's."""
    runs = log.runs
    names: dict[str, list[str]] = {}
    for what in ("algorithm", "suite", "group"):
        known, codes = runs.codes(what)
        names[what] = [known[code] for code in codes[rows[starts]].tolist()]
    statuses, status = runs.codes("status")
    broken = np.array([name in _BROKEN for name in statuses])[status[rows]]
    spent = runs["evaluations"][rows].astype(np.float64)
    spent = np.where(np.isfinite(hits[:, -1]), hits[:, -1], spent)
    columns = [runs[name][rows].astype(np.int64) for name in ("instance", "repetition")]
    functions, dimensions = (runs[n][rows[starts]].tolist() for n in ("function", "dimension"))
    counts = np.add.reduceat(broken, starts, dtype=np.int64).tolist()
    spans = zip(starts.tolist(), [*starts[1:].tolist(), len(rows)], strict=True)
    return [
        Trials(
            algorithm=names["algorithm"][i],
            suite=names["suite"][i],
            function=functions[i],
            dimension=dimensions[i],
            group=names["group"][i],
            instances=columns[0][start:stop],
            repetitions=columns[1][start:stop],
            hits=hits[start:stop, :-1],
            spent=spent[start:stop],
            exact=exact[start:stop, :-1],
            broken=counts[i],
            rows=rows[start:stop],
        )
        for i, (start, stop) in enumerate(spans)
    ]


def notes_on(trials: Sequence[Trials], targets: Sequence[float]) -> tuple[str, ...]:
    """Sentences on runs that broke off and on targets whose runtimes are upper bounds."""
    return broken_notes(trials) + _bound_notes(trials, targets)


def broken_notes(trials: Sequence[Trials]) -> tuple[str, ...]:
    """A sentence on runs that failed, timed out or were interrupted; none where there are none."""
    broken, runs = sum(one.broken for one in trials), sum(len(one.spent) for one in trials)
    if not broken:
        return ()
    return (
        f"{broken} of {runs} runs failed, timed out or were interrupted: they count as runs, with "
        "the evaluations they spent.",
    )


def _bound_notes(trials: Sequence[Trials], targets: Sequence[float]) -> tuple[str, ...]:
    bounds = np.zeros(len(targets), dtype=np.bool_)
    for one in trials:
        bounds |= ~one.exact.all(axis=0)
    names = [target_text(t) for t, bound in zip(targets, bounds, strict=True) if bound]
    if not names:
        return ()
    return (
        f"targets {', '.join(names)} lie between the recorded ones: some of their runtimes are "
        "upper bounds, from the next evaluation that the log tells.",
    )


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


def _refuse_unknown_reference(log: Log, rows: NDArray[np.intp]) -> None:
    unknown = rows[np.isnan(log.runs["reference_value"][rows])]
    if unknown.size:
        known, codes = log.runs.codes("suite")
        suite = known[codes[unknown[0]]]
        functions = ranges(np.unique(log.runs["function"][unknown]).tolist())
        raise AssessmentError(
            f"suite {suite!r}: functions {functions} have no reference value, so precision "
            "targets do not apply to them; choose other functions"
        )


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
