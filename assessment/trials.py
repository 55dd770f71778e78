"""The runs of a log sorted into trials: one set for each algorithm, function and dimension."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..suites.errors import UnknownNameError
from ..suites.selection import Selection, parse_selection, ranges
from .errors import AssessmentError
from .runtimes import Floats
from .targets import FINAL_TARGET, target_text

if TYPE_CHECKING:
    from ..loggers import Log

Names = str | Iterable[str]
_CELL = ("algorithm", "suite", "function", "dimension")
_BROKEN = ("failed", "timeout", "interrupted")


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

    def rng(self, seed: int) -> np.random.Generator:
        """A generator seeded by ``seed`` and names alone: no other data change its draws."""
        name = f"{self.algorithm}\0{self.suite}\0{self.function}\0{self.dimension}"
        words = np.frombuffer(hashlib.sha256(name.encode()).digest(), dtype="<u4")
        return np.random.default_rng(np.random.SeedSequence([seed, *words.tolist()]))


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
            keep &= np.isin(runs[what], _known(what, names, runs[what]))
    for what, numbers in (("function", choice.function), ("dimension", choice.dimension)):
        if numbers is not None:
            there = np.unique(runs[what]).tolist()
            keep &= np.isin(runs[what], parse_selection(numbers, there, f"{what}s", "the logs"))
    if not keep.any():
        raise AssessmentError(f"no run in the logs fits all filters at once: {_filters(choice)}")
    return np.flatnonzero(keep)


def latest_stage(log: Log) -> NDArray[np.bool_]:
    """True for the runs that no later budget stage of the same run replaces."""
    latest: dict[tuple[object, ...], int] = {}
    runs = log.runs
    names = (*_CELL, "instance", "repetition", "campaign_seed")
    keys = list(zip(*(runs[name].tolist() for name in names), strict=True))
    for key, stage in zip(keys, runs["stage"].tolist(), strict=True):
        latest[key] = max(stage, latest.get(key, stage))
    wanted = np.array([latest[key] for key in keys], dtype=np.int64)
    return np.asarray(runs["stage"] == wanted, dtype=np.bool_)


def trials_of(log: Log, rows: NDArray[np.intp], targets: Sequence[float]) -> Iterator[Trials]:
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
    _refuse_two_versions(log, rows)
    runs = log.runs
    hits, exact = log.first_hits(rows, np.array([*targets, FINAL_TARGET]))
    keys = (runs[name][rows].tolist() for name in (*_CELL, "instance", "repetition", "key"))
    cells: dict[tuple[object, ...], list[int]] = {}
    for *key, place in sorted(zip(*keys, range(len(rows)), strict=True)):
        cells.setdefault(tuple(key[: len(_CELL)]), []).append(place)
    for places in cells.values():
        yield _trials(log, rows[places], hits[places], exact[places])


def _trials(log: Log, rows: NDArray[np.intp], hits: Floats, exact: NDArray[np.bool_]) -> Trials:
    """Trials of ``rows``; the last column of ``hits`` and ``exact`` is that of the final target."""
    runs, first = log.runs, rows[0]
    final, spent = hits[:, -1], runs["evaluations"][rows].astype(np.float64)
    return Trials(
        algorithm=str(runs["algorithm"][first]),
        suite=str(runs["suite"][first]),
        function=int(runs["function"][first]),
        dimension=int(runs["dimension"][first]),
        group=str(runs["group"][first]),
        instances=runs["instance"][rows].astype(np.int64),
        repetitions=runs["repetition"][rows].astype(np.int64),
        hits=hits[:, :-1],
        spent=np.where(np.isfinite(final), final, spent),
        exact=exact[:, :-1],
        broken=int(np.isin(runs["status"][rows].astype(str), _BROKEN).sum()),
    )


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


def _known(what: str, names: Names, there: NDArray[np.object_]) -> list[str]:
    known = sorted({str(name) for name in there})
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
        suite = log.runs["suite"][unknown[0]]
        functions = ranges(np.unique(log.runs["function"][unknown]).tolist())
        raise AssessmentError(
            f"suite {str(suite)!r}: functions {functions} have no reference value, so precision "
            "targets do not apply to them; choose other functions"
        )


def _refuse_two_versions(log: Log, rows: NDArray[np.intp]) -> None:
    versions: dict[str, str] = {}
    for suite, version in zip(
        log.runs["suite"][rows].tolist(), log.runs["suite_version"][rows].tolist(), strict=True
    ):
        if versions.setdefault(suite, version) != version:
            raise AssessmentError(
                f"the logs hold suite {suite!r} in versions {versions[suite]} and {version}, whose "
                "numbers must not be mixed; assess their files apart"
            )
