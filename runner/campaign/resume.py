"""Open the log of a campaign, and check that an existing log fits the campaign.

A log stores one header for each campaign file that wrote to it. `open_log` returns the writer of a
log. Before it continues an existing log, it compares the stored headers with the header of the
planned runs (`check_unchanged`). The planned runs may be more or fewer than the runs in the log.
The options that influence the result of a run must be equal, and so must the versions of suites and
the files of optimizers. The user may accept a changed file of an optimizer.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from dataclasses import replace
from json import dumps, loads
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...loggers import Log, read_log
from ...loggers.errors import LogNotFoundError
from ...loggers.hdf5.deduplicate import FILE, REPLACED, different_algorithms
from ...loggers.hdf5.writer import LogWriter
from ...loggers.records.log_header import LogHeader
from ...suites.errors import UnknownNameError
from ..errors import CampaignError
from .campaign import RUN_RULES
from .file import load_campaign, ready_campaigns
from .keys import checked, complete_stored

_ACCEPT_HINT = (
    " Or continue the log with the changed files: --accept-changes (accept_changes=True) keeps the "
    "completed runs, and makes failed and timed-out runs again; --accept-changes NAME makes all "
    "runs of the algorithm NAME again that another version of its file made."
)
"""Hint of the error message if only files of optimizers have changed."""
_FIXED_KEYS = tuple(key for key in RUN_RULES if key not in ("budget", "timeout"))
"""Keys of a campaign whose value must be equal in the log and in the planned runs.

``budget`` and ``timeout`` have rules of their own: see `_find_budget_change` and
`_find_timeout_change`.
"""


def open_log(
    path: Path,
    header: LogHeader,
    resume: bool,
    retry_failed: bool = False,
    overwrite: bool = False,
    accept_changes: bool | Collection[str] = False,
) -> LogWriter:
    """Open a log for writing, and return its writer, which locks the log.

    Args:
        path: Path of the log, ``NAME.h5``.
        header: Header of the planned runs.
        resume: Whether an existing log is continued, unless ``overwrite`` is True.
        retry_failed: Whether the failed and timed-out runs in the log are made again.
        overwrite: Whether an existing log is deleted first.
        accept_changes: Whether the log is continued although files of optimizers have changed.
            True: accept the changes of all files, and make failed and timed-out runs again. The log
            records the file that made each run. Names of algorithms: accept the changes of these
            algorithms' files only, and also make again all their runs that another version of the
            file made. False, the default: a changed file raises CampaignError.

    Raises:
        CampaignError: The log belongs to another campaign, or ``accept_changes`` names an algorithm
            for which the header has no checksum of a file.
        UnknownNameError: There is no algorithm with a name in ``accept_changes``.
        LogExistsError: The log exists, and ``resume`` and ``overwrite`` are False.
        LogFormatError: ``overwrite`` would delete a file that is no log.
        LogWriteError: The log cannot be written.

    Example:
        >>> from pathlib import Path
        >>> import firsthit
        >>> from firsthit.runner import execute, load_campaign, open_log, plan
        >>> selection = {"functions": 1, "dimensions": 2, "instances": 1, "budget": 20}
        >>> campaign = load_campaign("quickstart", selection)
        >>> with open_log(Path("opened.h5"), campaign.header(), resume=False) as writer:
        ...     outcome = execute(plan(campaign), writer)
        >>> firsthit.load("opened.h5")
        <Results of DE, L-BFGS-B, random-search: 3 runs, bbob f1 in 2-D>
    """
    retry_failed = retry_failed or bool(accept_changes)
    accepted_names = () if isinstance(accept_changes, bool) else tuple(accept_changes)
    keys_to_repeat: list[str] = []
    if resume and not overwrite:
        for name in accepted_names:
            _check_has_file(name, header.algorithms)
        with contextlib.suppress(LogNotFoundError):
            log = read_log(path)
            accepted = header.algorithms if accept_changes is True else accepted_names
            header = _add_replaced_files(log, header, accepted)
            check_unchanged(path, log, header, retry_failed)
            keys_to_repeat = [
                key for name in accepted_names for key in _select_outdated_keys(log, header, name)
            ]
    return LogWriter(path, header, resume, retry_failed, overwrite, keys_to_repeat)


def check_unchanged(path: Path, log: Log, header: LogHeader, retry_failed: bool = False) -> None:
    """Check that the runs in a log were made with the options of the planned runs.

    The planned runs may have more or fewer suites, functions, dimensions, instances, repetitions,
    optimizers or budget stages than the log. New runs are then added, and the runs in the log stay.
    The time limit ``timeout`` may be longer than in the log. But if runs in the log exceeded the
    shorter limit, they must be made again, because the longer limit might not end them.

    Args:
        path: Path of the log, for the error message.
        log: The log.
        header: Header of the planned runs.
        retry_failed: Whether failed and timed-out runs are made again. Default: False.

    Raises:
        CampaignError: Some options, versions or files differ. The message lists the differences.
    """
    exceeded_limits = [] if retry_failed else _collect_exceeded_limits(log)
    changes = dict.fromkeys(  # several headers of a log may differ in the same way
        change
        for stored in log.headers
        for change in _find_changes(stored, header, exceeded_limits)
    )
    if not changes:
        return
    description = "; ".join(change.text for change in changes)
    if built_in_name := _find_built_in_name(log, header):
        raise CampaignError(
            f"the log {str(path)!r} was made with an earlier version of the built-in campaign "
            f"{built_in_name!r}, or with other options: {description}; name another log with "
            "--output, or replace this log with --overwrite"
        )
    hint = _ACCEPT_HINT if all(change.is_acceptable for change in changes) else ""
    raise CampaignError(
        f"the log {str(path)!r} was made by another campaign: {description}. "
        f"Change it back, or give another output.{hint}"
    )


def _find_built_in_name(log: Log, header: LogHeader) -> str | None:
    """Return the name of the built-in campaign with which a log was made in another version.

    Args:
        log: The log.
        header: Header of the planned runs.

    Returns:
        The name. None if the campaign in the log has another name, or if the planned runs are not
        those of a built-in campaign without further options.
    """
    campaign = header.campaign or {}
    name = campaign.get("name")
    names_in_log = {(stored.get("campaign") or {}).get("name") for stored in log.headers}
    if name not in ready_campaigns() or names_in_log != {name}:
        return None
    built_in = load_campaign(name, imports=False)
    rules = built_in.rules.description()
    has_equal_rules = all(campaign.get(key) == value for key, value in rules.items())
    has_equal_algorithms = header.algorithms == built_in.header().algorithms
    return name if has_equal_rules and has_equal_algorithms else None


class _Change(NamedTuple):
    """A difference between a stored header and the header of the planned runs.

    Attributes:
        text: The difference as a clause of the error message.
        is_acceptable: Whether ``accept_changes`` of `open_log` allows this difference.
    """

    text: str
    is_acceptable: bool = False


def _check_has_file(name: str, algorithms: Mapping[str, Mapping[str, Any]]) -> None:
    """Check that the header has a checksum of the file of an algorithm.

    Args:
        name: Name of the algorithm, as the user wrote it.
        algorithms: Algorithms of the header: name to description.

    Raises:
        UnknownNameError: There is no algorithm with this name.
        CampaignError: There is no checksum, for example because the optimizer is built in.
    """
    if name not in algorithms:
        raise UnknownNameError.of("algorithm", name, algorithms)
    if not algorithms[name].get(FILE):
        raise CampaignError(
            f"accept changes of {name!r}: it is in no file of which the log records a checksum; "
            "give its new version another name"
        )


def _add_replaced_files(log: Log, header: LogHeader, accepted: Container[str]) -> LogHeader:
    """Return the header with the checksums of the files that the present files replace.

    An algorithm gets the checksums of its earlier files in the log in two cases: its name is in
    ``accepted``, or the log already contains its present file. In the second case the user accepted
    the change when that file was first used.

    Args:
        log: The log that is continued.
        header: Header of the planned runs; it is not changed.
        accepted: Names of the algorithms whose changed files the user accepts.
    """
    algorithms = dict(header.algorithms)
    for name, entry in header.algorithms.items():
        stored_entries = [(stored.get("algorithms") or {}).get(name, {}) for stored in log.headers]
        earlier_checksums = {stored[FILE] for stored in stored_entries if FILE in stored}
        earlier_checksums -= {entry.get(FILE)}
        was_accepted = any(stored.get(FILE) == entry.get(FILE) for stored in stored_entries)
        if FILE in entry and earlier_checksums and (name in accepted or was_accepted):
            algorithms[name] = {**entry, REPLACED: sorted(earlier_checksums)}
    return replace(header, algorithms=algorithms)


def _select_outdated_keys(log: Log, header: LogHeader, name: str) -> list[str]:
    """Return the keys of an algorithm's runs in the log that another version of its file made."""
    runs = log.runs
    is_outdated = (runs["algorithm"] == name) & (runs["code"] != header.algorithms[name][FILE])
    keys: list[str] = runs["key"][is_outdated].tolist()
    return keys


def _collect_exceeded_limits(log: Log) -> list[float]:
    """Return one time limit in seconds for each timed-out run in the log: the limit of that run."""
    rows = np.flatnonzero(log.runs["status"] == "timeout")
    campaigns = (log.header_of(int(row)).get("campaign") or {} for row in rows)
    return [campaign["timeout"] for campaign in campaigns if campaign.get("timeout") is not None]


def _find_changes(
    stored: Mapping[str, Any], header: LogHeader, exceeded_limits: Sequence[float]
) -> Iterator[_Change]:
    """Yield the differences between a stored header and the header of the planned runs.

    Both headers are completed by `complete_stored`. So a key that did not exist when the log was
    written is not a difference.

    Args:
        stored: A header in the log.
        header: Header of the planned runs.
        exceeded_limits: Time limits in seconds, one for each timed-out run that will stay in the
            log.
    """
    if stored.get("campaign") is None or header.campaign is None:
        yield _Change("it holds runs of an observer, not of a campaign")
        return
    old = complete_stored(stored["campaign"])
    new = complete_stored(_convert_to_json(header.campaign))
    yield from _find_budget_change(old.get("budget"), new.get("budget"))
    for key in _FIXED_KEYS:
        if not _is_equal(key, old.get(key), new.get(key)):
            yield _describe_change(key, old.get(key), new.get(key))
    yield from _find_timeout_change(old.get("timeout"), new.get("timeout"), exceeded_limits)
    versions = {suite["name"]: suite["version"] for suite in old.get("suites", [])}
    for suite in new["suites"]:
        version = versions.get(suite["name"], suite["version"])
        if version != suite["version"]:
            yield _Change(f"suite {suite['name']!r} had version {version}, has {suite['version']}")
    for name, entry in _convert_to_json(dict(header.algorithms)).items():
        stored_entry = stored["algorithms"].get(name, entry)
        entry_with_stored_file = {**entry, FILE: stored_entry.get(FILE)}
        fixed_differences = set(different_algorithms(stored_entry, entry_with_stored_file))
        for difference in different_algorithms(stored_entry, entry):
            yield _Change(
                f"algorithm {name!r}: {difference}",
                is_acceptable=difference not in fixed_differences,
            )


def _convert_to_json(value: Any) -> Any:
    """Return a value as a log returns it after storing it as JSON: tuples become lists."""
    return loads(dumps(value))


def _describe_change(key: str, old: Any, new: Any, consequence: str = "") -> _Change:
    """Return the change of one key of a campaign; ``consequence`` follows the values."""
    return _Change(f"{key} was {dumps(old)}, is {dumps(new)}{consequence}")


def _is_equal(key: str, old: Any, new: Any) -> bool:
    """Return whether the reader of campaign files reads two stored values of a key as equal."""
    if old == new:
        return True
    try:
        return bool(checked(key, old) == checked(key, new))
    except CampaignError:
        # No campaign file contains such a value: it describes a Python object or a file.
        return False


def _find_budget_change(old: Any, new: Any) -> Iterator[_Change]:
    """Yield a change if a stage has another budget; stages at the end may be added or removed.

    Args:
        old: Budget in the log: one budget, or a list with the budget of each stage.
        new: Budget of the planned runs.
    """
    old_stages, new_stages = (
        budget if isinstance(budget, list) else [budget] for budget in (old, new)
    )
    pairs_of_stages = zip(
        old_stages, new_stages, strict=False
    )  # ignores stages that one side lacks
    if not all(_is_equal("budget", *pair) for pair in pairs_of_stages):
        yield _describe_change("budget", old, new)


def _find_timeout_change(
    old: float | None, new: float | None, exceeded_limits: Sequence[float]
) -> Iterator[_Change]:
    """Yield a change if the time limit is shorter, or is longer and runs exceeded the old limit.

    Args:
        old: Time limit in the log, in seconds. None: no limit.
        new: Time limit of the planned runs.
        exceeded_limits: As in `_find_changes`.
    """
    if (inf if new is None else new) < (inf if old is None else old):
        yield _describe_change("timeout", old, new)
    elif old in exceeded_limits and old != new:
        count = exceeded_limits.count(old)
        consequence = f" (it ended {count} runs, which --retry-failed makes again)"
        yield _describe_change("timeout", old, new, consequence)
