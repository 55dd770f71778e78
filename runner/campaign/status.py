"""How far a campaign is: read from its logs and locks; nothing is imported or run."""

from __future__ import annotations

import itertools
import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...loggers import Log, read_log
from ...loggers.errors import LogNotFoundError
from ...loggers.hdf5.deduplicate import FAILED, UNFINISHED
from ...loggers.hdf5.files import log_place, parts_folder
from ...loggers.hdf5.locks import Holder, holder
from ...loggers.records.identity import RunIdentity
from ...loggers.records.log_header import LogHeader
from ...suites.texts import natural
from .batches import Batch, batch_logs, parse_batch
from .campaign import NUMBERS
from .plan import problems_of

Kind = tuple[str, int]
"""Algorithm and dimension."""

COUNTS = ("planned", "done", "running", "failed", "timeout", "missing")
"""The counts of a ``StatusRow``."""

_MOST_PLANNED = 10**7


@dataclass(frozen=True, slots=True)
class StatusRow:
    """Counts of the runs of one algorithm in one dimension."""

    algorithm: str
    dimension: int
    planned: int | None  # None where the plan is not known
    done: int  # ended by target, budget or themselves
    running: int  # one for each worker at most
    failed: int  # the optimizer raised, or its process died
    timeout: int
    missing: int | None  # neither logged nor running; interrupted runs are made again
    seconds: float  # mean wall time of the runs that ended; NaN where there are none


@dataclass(frozen=True, slots=True)
class BatchStatus:
    """How far one batch of a campaign is."""

    batch: Batch
    log: Path | None  # its own; None where there is none
    planned: int
    left: int  # in none of the logs yet


@dataclass(frozen=True, slots=True)
class StageStatus:
    """How far one stage of a campaign with several budgets is."""

    budget: str  # as the campaign says it
    planned: int
    left: int  # have not ended


@dataclass(frozen=True, slots=True)
class Status:
    """How far a campaign is."""

    log: Path
    writer: Holder | None  # who writes it, or was killed at it; of several at once, one
    workers: int  # runs at the same time, as the coordinators said; 1 where it is not known
    rows: tuple[StatusRow, ...]
    others: int  # runs in the log that the plan does not have
    is_planned: bool  # whether the plan is known
    batches: tuple[BatchStatus, ...] = ()
    stages: tuple[StageStatus, ...] = ()  # of several budgets, one after the other
    isolation: tuple[str, ...] = ()  # what processes were for, as the logs' headers say
    notes: tuple[str, ...] = ()  # what reading the logs told, such as an end that is torn

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

        A row where none has ended counts with the mean of the others; None where nothing is known.
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
    path: Path,
    header: LogHeader | None = None,
    workers: int | None = None,
    *,
    with_batches: bool = False,
) -> Status:
    """How far the campaign is whose log is at ``path``; raises where a log is damaged.

    Args:
        path: The log; it need not be there yet.
        header: That of the campaign, or of one batch of it, with its plan. None: what the log
            itself says of its campaign, as far as it does; then there must be one.
        workers: Runs at the same time, where no coordinator is alive to tell.
        with_batches: Whether the logs of batches beside ``path`` count, too.
    """
    batch_files = batch_logs(path) if with_batches else {}
    paths = [path, *batch_files.values()]
    holders = [found for file in paths if (found := holder(parts_folder(log_place(file))))]
    notes = [note for process in holders if (note := _note(process))]
    logs = list(_logs(paths))
    ended, headers = _ended(logs), [header for log in logs for header in log.headers]
    if header is None and not headers and not holders:
        read_log(path)  # raises, as there is none
    if header is not None:
        headers = [{"campaign": header.campaign, "algorithms": header.algorithms}]
    try:
        plan = _plan_of(headers, with_batches)
    except (TypeError, ValueError, KeyError, AttributeError):  # a log may say anything
        plan = None
    return Status(
        path,
        max(holders, key=lambda process: process.is_alive, default=None),
        sum(note["workers"] for note in notes) or workers or 1,
        tuple(_rows(ended, plan, notes)),
        0 if plan is None else sum(key not in plan.runs for key in ended),
        plan is not None or any(note["planned"] for note in notes),
        () if plan is None else tuple(_batches(plan, ended, batch_files)),
        () if plan is None else tuple(_stages(plan, ended)),
        _isolation(header for log in logs for header in log.headers),
        tuple(note for log in logs for note in log.notes),
    )


def running_note(workers: int, runs: Mapping[Kind, int], planned: Mapping[Kind, int]) -> str:
    """The note that a coordinator keeps in the lock of its log: one line."""
    counts = {"running": runs, "planned": planned}
    listed = {name: [[*kind, n] for kind, n in cells.items()] for name, cells in counts.items()}
    return json.dumps({"workers": workers, **listed})


def _note(writer: Holder) -> dict[str, Any]:
    """The last note of a coordinator, if it is alive; nothing where that is no note."""
    if not writer.is_alive:
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


def _isolation(headers: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    campaigns = (header.get("campaign") for header in headers)
    found = {str(c["isolation"]) for c in campaigns if isinstance(c, dict) and "isolation" in c}
    return tuple(sorted(found))


def _logs(paths: Sequence[Path]) -> Iterator[Log]:
    """Those that are there."""
    for path in paths:
        with suppress(LogNotFoundError):
            yield read_log(path)


def _ended(logs: Sequence[Log]) -> dict[str, tuple[Kind, str, float]]:
    """Kind, status and seconds of the runs that ended, by key."""
    ended: dict[str, tuple[Kind, str, float]] = {}
    for log in logs:
        runs = log.runs
        columns = (runs.key, runs.algorithm, runs.dimension, runs.status, runs.wall_seconds)
        for key, name, dimension, status, seconds in zip(
            *(c.tolist() for c in columns), strict=True
        ):
            known = ended.get(key)
            if status not in UNFINISHED and (known is None or known[1] in FAILED):
                ended[key] = (name, dimension), status, seconds
    return ended


class _Plan(NamedTuple):
    """What a campaign planned: its runs by key, and the budget of each stage as it says it."""

    runs: dict[str, RunIdentity]
    budgets: list[str]


def _plan_of(headers: Sequence[Mapping[str, Any]], is_whole: bool) -> _Plan | None:
    """The plan of the newest campaign; None where the headers do not hold it.

    It holds all batches where it ``is_whole``, else those that the headers are of. A plan of more
    than ten million runs is not believed: listing it would take all memory.
    """
    headers = [header for header in headers if header.get("campaign")]
    if not headers:
        return None
    newest = max(headers, key=lambda header: header.get("provenance", {}).get("created_utc", ""))
    campaign = newest["campaign"]
    suites = campaign.get("suites", [])
    if not suites or any(name not in suite for suite in suites for name in NUMBERS):
        return None
    budget = campaign.get("budget")
    budgets = list(map(str, budget if isinstance(budget, list) else [budget]))
    repetitions = range(campaign.get("repetitions", 1))
    count = sum(math.prod(len(suite[name]) for name in NUMBERS) for suite in suites)
    if count * len(newest["algorithms"]) * len(repetitions) * len(budgets) > _MOST_PLANNED:
        return None
    problems = problems_of(suites)
    if campaign.get("batch") is not None and not is_whole:
        texts = {header["campaign"].get("batch") for header in headers} - {None}
        shares = [parse_batch(text).problems(problems) for text in texts]
        problems = list(dict.fromkeys(itertools.chain(*shares)))
    runs = (
        RunIdentity(algorithm, problem, repetition, campaign.get("seed", 0), stage)
        for problem, algorithm, repetition, stage in itertools.product(
            problems, newest["algorithms"], repetitions, range(len(budgets))
        )
    )
    return _Plan({run.key: run for run in runs}, budgets)


def _batches(
    plan: _Plan, ended: Mapping[str, object], logs: Mapping[Batch, Path]
) -> Iterator[BatchStatus]:
    """Every batch of the divisions of which there are logs."""
    problems = list(dict.fromkeys(run.problem for run in plan.runs.values()))
    planned = Counter(run.problem for run in plan.runs.values())
    left = Counter(run.problem for key, run in plan.runs.items() if key not in ended)
    for batches in sorted({batch.batches for batch in logs}):
        for number in range(1, min(batches, len(problems)) + 1):
            batch = Batch(number, batches)
            own = batch.problems(problems)
            counts = (sum(number[problem] for problem in own) for number in (planned, left))
            yield BatchStatus(batch, logs.get(batch), *counts)


def _stages(plan: _Plan, ended: Mapping[str, object]) -> Iterator[StageStatus]:
    """Every stage, where there are several."""
    planned = Counter(run.stage for run in plan.runs.values())
    left = Counter(run.stage for key, run in plan.runs.items() if key not in ended)
    if len(plan.budgets) > 1:
        for stage, budget in enumerate(plan.budgets):
            yield StageStatus(budget, planned[stage], left[stage])


def _rows(
    ended: Mapping[str, tuple[Kind, str, float]],
    plan: _Plan | None,
    notes: Sequence[Mapping[str, Any]],
) -> Iterator[StatusRow]:
    """By algorithm and dimension, in order."""
    plans, running = (
        sum((note[what] for note in notes), Counter[Kind]()) for what in ("planned", "running")
    )
    if plan is not None:
        plans = Counter((run.algorithm, run.problem.dimension) for run in plan.runs.values())
    logged: dict[Kind, Counter[str]] = {}
    seconds: dict[Kind, float] = {}
    for key, (kind, status, wall) in ended.items():
        if plan is None or key in plan.runs:
            logged.setdefault(kind, Counter())[status] += 1
            seconds[kind] = seconds.get(kind, 0.0) + wall
    kinds = {*plans, *logged, *running}
    for kind in sorted(kinds, key=lambda kind: (natural(kind[0]), kind[1])):
        counts = logged.get(kind, Counter())
        total, failed, timeout = counts.total(), counts["failed"], counts["timeout"]
        planned = plans[kind] if plans or plan is not None else None
        missing = None if planned is None else max(planned - total, 0)
        busy = running[kind] if missing is None else min(running[kind], missing)
        left = None if missing is None else missing - busy
        mean = seconds[kind] / total if total else float("nan")
        done = total - failed - timeout
        name, dimension = kind
        yield StatusRow(name, dimension, planned, done, busy, failed, timeout, left, mean)
