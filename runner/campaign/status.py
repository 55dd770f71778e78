"""How far a campaign is: read from its log and its lock, without importing or running anything."""

from __future__ import annotations

import itertools
import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from ...loggers import Log, LogNotFoundError, RunIdentity, read_log
from ...loggers.hdf5.deduplicate import UNFINISHED
from ...loggers.hdf5.files import log_place, parts_folder
from ...loggers.hdf5.locks import Holder, holder
from ...suites import ProblemId
from .campaign import RunSpec

Kind = tuple[str, int]
"""Algorithm and dimension."""

_LISTS = ("functions", "dimensions", "instances")
_MOST_PLANNED = 10**7


@dataclass(frozen=True, slots=True)
class Standing:
    """Counts of the runs of one algorithm in one dimension.

    Attributes:
        algorithm: Its name.
        dimension: Number of variables.
        planned: None where the plan is not known.
        done: Ended by target, budget or themselves.
        running: Handed out to workers by a coordinator that is alive.
        failed: The optimizer raised, or its process died.
        timeout: Ended by the time limit.
        missing: Neither logged nor running; None where the plan is not known. Interrupted runs are
            missing: they are made again.
        seconds: Mean wall time of the runs that ended; NaN where there are none.
    """

    algorithm: str
    dimension: int
    planned: int | None
    done: int
    running: int
    failed: int
    timeout: int
    missing: int | None
    seconds: float


@dataclass(frozen=True, slots=True)
class Status:
    """How far a campaign is.

    Attributes:
        log: Where its log is.
        writer: Who writes it, or was killed while it did; None where it was closed.
        workers: Runs at the same time, as the coordinator said; 1 where it is not known.
        rows: By algorithm and dimension.
        others: Runs in the log that the plan does not have.
        is_planned: Whether the plan is known.
    """

    log: Path
    writer: Holder | None
    workers: int
    rows: tuple[Standing, ...]
    others: int
    is_planned: bool

    @property
    def is_alive(self) -> bool:
        """Whether a coordinator is at work."""
        return self.writer is not None and self.writer.is_alive

    def total(self, count: str) -> int | None:
        """The sum over the rows of one of their counts; None where it is not known."""
        counts = [getattr(row, count) for row in self.rows]
        return None if None in counts else sum(counts)

    @property
    def is_complete(self) -> bool:
        """Whether every planned run has ended."""
        left = (self.total("missing"), self.total("running"))
        return self.is_planned and left == (0, 0)

    @property
    def seconds_left(self) -> float | None:
        """Wall time until all is done: runs to come, as long as those that ended, over the workers.

        A row where none has ended is taken to last as long as the mean of the others. None where
        the plan is not known, or nothing has ended yet.
        """
        known = [row.seconds for row in self.rows if not np.isnan(row.seconds)]
        if not known or not self.is_planned:
            return None
        mean = float(np.mean(known))
        seconds = sum(
            ((row.missing or 0) + row.running) * (mean if np.isnan(row.seconds) else row.seconds)
            for row in self.rows
        )
        return seconds / self.workers


def campaign_status(
    path: Path, plan: Iterable[RunSpec] | None = None, workers: int | None = None
) -> Status:
    """How far the campaign is whose log is at ``path``.

    Args:
        path: The log; it need not be there yet.
        plan: Its runs. None: what the log itself says of its campaign, as far as it does.
        workers: Runs at the same time, where no coordinator is alive to tell.

    Raises:
        LogNotFoundError: There is no log, nobody writes it, and no plan was given.
        LogFormatError: The log is damaged.
    """
    writer = holder(parts_folder(log_place(path)))
    try:
        log = read_log(path)
    except LogNotFoundError:
        if plan is None and writer is None:
            raise
        log = None
    note = _note(writer)
    planned = _keys_of_log(log) if plan is None else {run.identity.key: _kind(run) for run in plan}
    rows = tuple(_rows(log, planned, note))
    others = 0 if log is None or planned is None else sum(k not in planned for k in log.runs.key)
    crew = note.get("workers") or workers or 1
    return Status(path, writer, crew, rows, others, planned is not None or "planned" in note)


def running_note(workers: int, runs: Mapping[Kind, int], planned: Mapping[Kind, int]) -> str:
    """What a coordinator tells of itself in the lock of its log: one line."""
    counts = {"running": runs, "planned": planned}
    told = {name: [[*kind, n] for kind, n in of.items()] for name, of in counts.items()}
    return json.dumps({"workers": workers, **told})


def _note(writer: Holder | None) -> dict[str, Any]:
    """What the coordinator told last, if it is alive; nothing where that is no note."""
    if writer is None or not writer.is_alive:
        return {}
    try:
        note = json.loads(writer.note)
        counts = {
            what: Counter({(str(name), int(d)): int(n) for name, d, n in note[what]})
            for what in ("running", "planned")
        }
        return {"workers": int(note["workers"]), **counts}
    except (ValueError, TypeError, KeyError):
        return {}


def _kind(run: RunSpec) -> Kind:
    return run.optimizer.name, run.problem_id.dimension


def _keys_of_log(log: Log | None) -> dict[str, Kind] | None:
    """Keys of the runs that the newest campaign of a log planned; None where it does not tell.

    A plan of more than ten million runs is not believed: listing it would take all memory.
    """
    headers = [header for header in (log.headers if log else ()) if header.get("campaign")]
    if not headers:
        return None
    newest = max(headers, key=lambda header: header["provenance"].get("created_utc", ""))
    campaign = newest["campaign"]
    suites = campaign.get("suites", [])
    if not suites or any(name not in suite for suite in suites for name in _LISTS):
        return None
    budget = campaign.get("budget")
    stages = range(len(budget) if isinstance(budget, list) else 1)
    repetitions = range(campaign.get("repetitions", 1))
    problems = sum(math.prod(len(suite[name]) for name in _LISTS) for suite in suites)
    if problems * len(newest["algorithms"]) * len(repetitions) * len(stages) > _MOST_PLANNED:
        return None
    kinds: dict[str, Kind] = {}
    for suite in suites:
        for function, dimension, instance, algorithm, repetition, stage in itertools.product(
            *(suite[name] for name in _LISTS),
            newest["algorithms"], repetitions, stages,
        ):  # fmt: skip
            problem = ProblemId(suite["name"], function, dimension, instance)
            run = RunIdentity(algorithm, problem, repetition, campaign.get("seed", 0), stage)
            kinds[run.key] = (algorithm, dimension)
    return kinds


def _rows(
    log: Log | None, planned: Mapping[str, Kind] | None, note: Mapping[str, Any]
) -> Iterator[Standing]:
    """By algorithm and dimension, in order."""
    plans = note.get("planned") if planned is None else Counter(planned.values())
    logged, seconds = _logged(log, planned)
    running: Mapping[Kind, int] = note.get("running", {})
    kinds: set[Kind] = {*(plans or {}), *logged, *running}
    for kind in sorted(kinds):
        counts = logged.get(kind, Counter())
        ended = counts.total()
        failed, timeout = counts["failed"], counts["timeout"]
        plan = None if plans is None else plans[kind]
        missing = None if plan is None else max(plan - ended, 0)
        busy = running.get(kind, 0) if missing is None else min(running.get(kind, 0), missing)
        yield Standing(
            *kind, plan, ended - failed - timeout, busy, failed, timeout,
            None if missing is None else missing - busy,
            seconds.get(kind, float("nan")),
        )  # fmt: skip


def _logged(
    log: Log | None, planned: Mapping[str, Kind] | None
) -> tuple[dict[Kind, Counter[str]], dict[Kind, float]]:
    """Runs in the log by kind and status, without interrupted ones, and their mean seconds."""
    counts: dict[Kind, Counter[str]] = {}
    seconds: dict[Kind, float] = {}
    if log is not None:
        columns = (log.runs.key, log.runs.algorithm, log.runs.dimension, log.runs.status)
        rows = zip(*(column.tolist() for column in (*columns, log.runs.wall_seconds)), strict=True)
        for key, algorithm, dimension, status, wall in rows:
            if status in UNFINISHED or (planned is not None and key not in planned):
                continue
            kind = (algorithm, dimension)
            counts.setdefault(kind, Counter())[status] += 1
            seconds[kind] = seconds.get(kind, 0.0) + wall
    return counts, {kind: total / counts[kind].total() for kind, total in seconds.items()}


COUNTS = tuple(
    item.name for item in fields(Standing) if item.name not in ("algorithm", "dimension", "seconds")
)
"""The names of the counts, in order."""
