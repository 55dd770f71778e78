"""Resuming: does what is in the log still fit the campaign that is to be continued?"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ..loggers import LogHeader, LogNotFoundError, LogWriter, read_log
from .errors import CampaignError

_MUST_STAY = ("seed", "budget", "restarts", "final_target", "timeout", "record")


def check_unchanged(path: Path, stored: Mapping[str, Any], wanted: LogHeader) -> None:
    """Raise where runs in the log were made otherwise than the campaign would make them now.

    More suites, functions, dimensions, instances, repetitions or optimizers do fit: their runs are
    added. So do fewer: their runs stay.

    Args:
        path: The log, for the message.
        stored: A header of the log.
        wanted: What it would say now.

    Raises:
        CampaignError: Naming everything that no longer fits.
    """
    changes = list(_changes(stored, wanted))
    if changes:
        raise CampaignError(
            f"the log {str(path)!r} was made by another campaign: {'; '.join(changes)}. "
            "Change it back, or give another output."
        )


def open_log(path: Path, header: LogHeader, resume: bool) -> LogWriter:
    """A writer for the log; with ``resume`` a log that is there is continued, if it still fits.

    Raises:
        CampaignError: The log was made by another campaign.
        LogExistsError: It is there, and is not to be continued.
        LogWriteError: It cannot be written there.
    """
    if resume:
        try:
            stored = read_log(path).headers
        except LogNotFoundError:
            stored = ()
        for one in stored:
            check_unchanged(path, one, header)
    return LogWriter(path, header, resume=resume)


def _changes(stored: Mapping[str, Any], wanted: LogHeader) -> Iterator[str]:
    if stored.get("campaign") is None or wanted.campaign is None:
        yield "it holds runs of an observer, not of a campaign"
        return
    old, new = stored["campaign"], _plain(wanted.campaign)
    for key in _MUST_STAY:
        if old.get(key) != new.get(key):
            yield f"{key} was {_text(old.get(key))}, is {_text(new.get(key))}"
    versions = {suite["name"]: suite["version"] for suite in old.get("suites", [])}
    for suite in new["suites"]:
        version = versions.get(suite["name"], suite["version"])
        if version != suite["version"]:
            yield f"suite {suite['name']!r} had version {version}, has {suite['version']}"
    for name, facts in _plain(wanted.algorithms).items():
        yield from _algorithm(name, stored["algorithms"].get(name, facts), facts)


def _algorithm(name: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    for key in sorted({*old, *new}):
        if old.get(key) == new.get(key):
            continue
        if key == "file_sha256":
            yield f"algorithm {name!r}: the file {new.get('use')!r} has changed"
        else:
            yield f"algorithm {name!r}: {key} was {_text(old.get(key))}, is {_text(new.get(key))}"


def _plain(value: Any) -> Any:
    return json.loads(json.dumps(value))


def _text(value: object) -> str:
    return json.dumps(value)
