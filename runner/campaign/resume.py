"""Resuming: do the runs in the log still fit the campaign that continues it?"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from dataclasses import replace
from json import dumps, loads
from pathlib import Path
from typing import Any

import numpy as np

from ...loggers import Log, read_log
from ...loggers.errors import LogNotFoundError
from ...loggers.hdf5.deduplicate import FILE, REPLACED, different_algorithms
from ...loggers.hdf5.writer import LogWriter
from ...loggers.records.log_header import LogHeader
from ...suites.errors import UnknownNameError
from ..errors import CampaignError
from .campaign import RUN_RULES

_ACCEPT = (
    " Or keep the other runs: --accept-changes (accept_changes=True) runs again what failed, by "
    "the file as it is now; --accept-changes NAME also the other runs of the algorithm NAME."
)
_MUST_STAY = tuple(key for key in RUN_RULES if key not in ("budget", "timeout"))
"""Of the budget, stages may be added; the timeout may become longer."""


def open_log(
    path: Path,
    header: LogHeader,
    resume: bool,
    retry_failed: bool = False,
    overwrite: bool = False,
    accept_changes: bool | Collection[str] = False,
) -> LogWriter:
    """A writer for the log; with ``resume`` a log that is there is continued, if it still fits.

    Args:
        path: The log.
        header: What it is to say of the runs to come.
        resume: Continue a log that is there.
        retry_failed: Make its failed and timed out runs again.
        overwrite: Remove a log that is there first.
        accept_changes: Also where the file of an optimizer has changed since; its failed and timed
            out runs are made again, and the log says which file made which run. Names of
            algorithms: of these alone, and all their runs that another file made are made again.

    Raises:
        CampaignError: The log was made by another campaign, or an algorithm that is named has no
            file.
        UnknownNameError: There is no algorithm that is named.
        LogExistsError: It is there, and is neither to be continued nor to be replaced.
        LogFormatError: What is there and to be replaced is no log.
        LogWriteError: It cannot be written there.
    """
    retry_failed = retry_failed or bool(accept_changes)
    names = () if isinstance(accept_changes, bool) else tuple(accept_changes)
    again: list[str] = []
    if resume:
        for name in names:
            _check_has_file(name, header.algorithms)
        with contextlib.suppress(LogNotFoundError):
            log = read_log(path)
            accepted = header.algorithms if accept_changes is True else names
            header = _with_replaced(log, header, accepted)
            check_unchanged(path, log, header, retry_failed)
            again = [key for name in names for key in _made_by_another_file(log, header, name)]
    return LogWriter(path, header, resume, retry_failed, overwrite, again)


def _check_has_file(name: str, algorithms: Mapping[str, Mapping[str, Any]]) -> None:
    if name not in algorithms:
        raise UnknownNameError.of("algorithm", name, algorithms)
    if not algorithms[name].get(FILE):
        raise CampaignError(
            f"accept changes of {name!r}: it is in no file whose changes are seen; give its new "
            "version another name"
        )


def _made_by_another_file(log: Log, header: LogHeader, name: str) -> list[str]:
    """Keys of the runs of an algorithm that were not made by its file as it is now."""
    runs = log.runs
    rows = (runs["algorithm"] == name) & (runs["code"] != header.algorithms[name][FILE])
    keys: list[str] = runs["key"][rows].tolist()
    return keys


def check_unchanged(path: Path, log: Log, header: LogHeader, retry_failed: bool = False) -> None:
    """Raise CampaignError where runs in the log were made otherwise than they would be now.

    More suites, functions, dimensions, instances, repetitions, optimizers or stages of the budget
    do fit: their runs are added. So do fewer: their runs stay. A longer time limit fits where no
    run that ended by a shorter one is to stay.
    """
    limits = [] if retry_failed else _limits_that_ended_runs(log)
    changes = dict.fromkeys(
        change for stored in log.headers for change in _changes(stored, header, limits)
    )
    if changes:
        are_files = all(change.endswith("has changed") for change in changes)
        raise CampaignError(
            f"the log {str(path)!r} was made by another campaign: {'; '.join(changes)}. "
            f"Change it back, or give another output.{_ACCEPT if are_files else ''}"
        )


def _changes(
    stored: Mapping[str, Any], header: LogHeader, limits: Sequence[float]
) -> Iterator[str]:
    if stored.get("campaign") is None or header.campaign is None:
        yield "it holds runs of an observer, not of a campaign"
        return
    old, new = stored["campaign"], loads(dumps(header.campaign))
    yield from _budget(old.get("budget"), new.get("budget"))
    for key in _MUST_STAY:
        if old.get(key) != new.get(key):
            yield f"{key} was {dumps(old.get(key))}, is {dumps(new.get(key))}"
    yield from _timeout(old.get("timeout"), new.get("timeout"), limits)
    versions = {suite["name"]: suite["version"] for suite in old.get("suites", [])}
    for suite in new["suites"]:
        version = versions.get(suite["name"], suite["version"])
        if version != suite["version"]:
            yield f"suite {suite['name']!r} had version {version}, has {suite['version']}"
    for name, facts in loads(dumps(dict(header.algorithms))).items():
        for text in different_algorithms(stored["algorithms"].get(name, facts), facts):
            yield f"algorithm {name!r}: {text}"


def _budget(old: Any, new: Any) -> Iterator[str]:
    """Stages may be added or left out at the end; those in both must be equal."""
    before, now = (budget if isinstance(budget, list) else [budget] for budget in (old, new))
    if any(a != b for a, b in zip(before, now, strict=False)):
        yield f"budget was {dumps(old)}, is {dumps(new)}"


def _timeout(old: float | None, new: float | None, limits: Sequence[float]) -> Iterator[str]:
    allowed = float("inf") if new is None else new
    if allowed < (float("inf") if old is None else old):
        yield f"timeout was {dumps(old)}, is {dumps(new)}"
    elif old in limits and old != new:
        ended = f"it ended {limits.count(old)} runs, which --retry-failed makes again"
        yield f"timeout was {dumps(old)}, is {dumps(new)} ({ended})"


def _limits_that_ended_runs(log: Log) -> list[float]:
    """The time limits, in seconds, that ended runs of the log; one entry a run."""
    rows = np.flatnonzero(log.runs["status"] == "timeout")
    campaigns = (log.header_of(int(row)).get("campaign") or {} for row in rows)
    return [campaign["timeout"] for campaign in campaigns if campaign.get("timeout") is not None]


def _with_replaced(log: Log, header: LogHeader, accepted: Container[str]) -> LogHeader:
    """The header, with the hashes of files in the log that those of now are accepted for."""
    algorithms = dict(header.algorithms)
    for name, facts in header.algorithms.items():
        stored = [(head.get("algorithms") or {}).get(name, {}) for head in log.headers]
        others = {entry[FILE] for entry in stored if FILE in entry} - {facts.get(FILE)}
        known = any(entry.get(FILE) == facts.get(FILE) for entry in stored)
        if FILE in facts and others and (name in accepted or known):
            algorithms[name] = {**facts, REPLACED: sorted(others)}
    return replace(header, algorithms=algorithms)
