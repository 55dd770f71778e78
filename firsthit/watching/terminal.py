"""Show snapshots of a campaign in a terminal, for ``firsthit status --follow``."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import click

from ..suites.texts import visible
from .watcher import Curve, Panel, Snapshot, Watcher

_CLEAR_SCREEN = "\x1b[H\x1b[2J"
_MIN_COLUMNS = 40
_MAX_NAME_CHARACTERS = 24
_COLUMNS = ("algorithm", "dimension", "done", "planned", "running", "failed", "timeout")
_MAX_FAILURES = 8
_MAX_BUDGETS = 3
"""Number of budgets of which the solved pairs are shown: the largest powers of ten."""
_SECONDS_BETWEEN_PRINTS = 60.0
"""Minimum time between two texts if the output is not a terminal."""


def follow_in_terminal(watcher: Watcher) -> Snapshot:
    """Show snapshots on standard output until the campaign ends, and return the last one.

    A campaign ends when it is complete, or when the coordinator that was at work is gone. If
    planned runs are missing and no coordinator was at work, the function waits for one. On a
    terminal each snapshot replaces the previous one. Elsewhere a text is printed at most every
    minute, and at the end.
    """
    is_terminal = sys.stdout.isatty()
    printed, printed_time = None, -_SECONDS_BETWEEN_PRINTS
    was_running = False
    while True:
        pause_seconds = watcher.update()
        snapshot = watcher.snapshot
        was_running |= snapshot["state"] == "running"
        has_ended = snapshot["state"] in ("complete", "ended") or (
            was_running and snapshot["state"] == "stopped"
        )
        is_due = is_terminal or time.monotonic() - printed_time >= _SECONDS_BETWEEN_PRINTS
        if snapshot is not printed and (is_due or has_ended):
            printed, printed_time = snapshot, time.monotonic()
            _print_snapshot(snapshot, is_terminal, has_ended)
        if has_ended:
            return snapshot
        time.sleep(pause_seconds)


def _print_snapshot(snapshot: Snapshot, is_terminal: bool, is_last: bool) -> None:
    size = shutil.get_terminal_size()
    columns = max(size.columns, _MIN_COLUMNS)
    lines = describe_snapshot(snapshot, columns)
    if is_terminal and not is_last and len(lines) > size.lines - 1:
        n_hidden = len(lines) - (size.lines - 2)
        lines = [*lines[: size.lines - 2], f"… and {n_hidden} more lines"]
    if is_terminal:
        # The stream of results would escape the control characters.
        stream: Any = sys.stdout
        getattr(stream, "unescaped", stream).write(_CLEAR_SCREEN)
    click.echo("\n".join([*lines, *([] if is_terminal else [""])]))


def describe_snapshot(snapshot: Snapshot, columns: int = 80) -> list[str]:
    """Return lines that describe a snapshot, without control characters.

    Args:
        snapshot: The snapshot.
        columns: Maximum length of a line.
    """
    lines = [f"{snapshot['log']}   {snapshot['time']}", describe_state(snapshot), ""]
    if snapshot["rows"]:
        titles = ["time-out" if name == "timeout" else name for name in _COLUMNS]
        cells = [
            [_shorten("?" if row[name] is None else str(row[name])) for name in _COLUMNS]
            for row in snapshot["rows"]
        ]
        lines += _layout([titles, *cells])
    if snapshot["failures"]:
        lines += ["", "failures"]
        for failure in snapshot["failures"][:_MAX_FAILURES]:
            first_line = str(failure["message"]).partition("\n")[0]
            n_runs = failure["n_runs"]
            lines.append(
                f"  {failure['algorithm']}, {n_runs} {'run' if n_runs == 1 else 'runs'} "
                f"{failure['status']}: {first_line}"
            )
        n_more = snapshot["n_failure_kinds"] - _MAX_FAILURES
        if n_more > 0:
            lines.append(f"  and {n_more} other errors")
    ecdf = snapshot["ecdf"]
    if ecdf is not None:
        lines += ["", f"function-target pairs solved, of {ecdf['n_runs']} runs so far"]
        for panel in ecdf["panels"]:
            lines += _describe_panel(panel)
        if any(curve["is_partial"] for panel in ecdf["panels"] for curve in panel["curves"]):
            lines.append("* lacks problems of another algorithm, and must not be compared with it")
        lines += [f"note: {note}" for note in ecdf["notes"] if not ecdf["panels"]]
    lines += [f"note: {note}" for note in snapshot["notes"]]
    return [_cut(visible(line), columns) for line in lines]


def describe_state(snapshot: Snapshot) -> str:
    """Return a sentence on the state of a campaign, with its failed runs and the time left."""
    total = snapshot["total"]
    counts = {name: count or 0 for name, count in total.items()}
    n_ended = counts["done"] + counts["failed"] + counts["timeout"]
    failed = f", {counts['failed']} failed" if counts["failed"] else ""
    failed += f", {counts['timeout']} timed out" if counts["timeout"] else ""
    state = snapshot["state"]
    if state == "reading":
        return "reading the log"
    if state == "waiting":
        return "waiting: the campaign has not begun"
    if state == "complete":
        return f"complete: {n_ended} runs{failed}"
    if state == "ended":
        return f"{n_ended} runs{failed}; no coordinator is at work, and the plan is unknown"
    planned = "" if total["planned"] is None else f" of {total['planned']}"
    if state == "stopped":
        return (
            f"stopped: {n_ended}{planned} runs{failed}; no coordinator is at work, "
            "firsthit run continues"
        )
    seconds_left = snapshot["seconds_left"]
    time_left = (
        "time left not known yet"
        if seconds_left is None
        else f"about {timedelta(seconds=round(seconds_left))} left"
    )
    return f"running: {n_ended}{planned} runs{failed}, {time_left}"


def _describe_panel(panel: Panel) -> list[str]:
    """Return a table of the shares of pairs that each algorithm solved within some budgets."""
    ends = [curve["cross"] or curve["budgets"][-1] for curve in panel["curves"] if curve["budgets"]]
    last_budget = max(ends, default=1.0)
    n_decades = len(f"{int(last_budget)}")
    exponents = range(max(0, n_decades - _MAX_BUDGETS), n_decades)
    factor = "*D" if panel["axis"] == "evaluations/dimension" else ""
    titles = [f"{10**exponent}{factor}" for exponent in exponents]
    rows = [
        (
            _shorten(curve["algorithm"]) + " *" * curve["is_partial"],
            *(f"{100 * _find_share(curve, 10.0**exponent):.0f} %" for exponent in exponents),
        )
        for curve in panel["curves"]
    ]
    return _layout([(f"{panel['suite']}, {panel['dimension']}-D", *titles), *rows])


def _find_share(curve: Curve, budget: float) -> float:
    """Return the share of pairs solved within a budget."""
    shares = [
        share
        for b, share in zip(curve["budgets"], curve["shares"], strict=True)
        if b <= budget * (1 + 1e-6)
    ]
    return shares[-1] if shares else 0.0


def _layout(rows: Sequence[Sequence[str]]) -> list[str]:
    """Align the first column to the left and the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for first, *others in rows:
        cells = (cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))
        lines.append("  ".join([first.ljust(widths[0]), *cells]))
    return lines


def _shorten(name: str) -> str:
    return _cut(visible(name), _MAX_NAME_CHARACTERS)


def _cut(text: str, n_characters: int) -> str:
    return text if len(text) <= n_characters else f"{text[: n_characters - 1]}…"
