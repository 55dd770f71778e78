"""Make snapshots of a running campaign, at a bounded share of one processor.

`Watcher` reads the finished runs onwards (`CampaignFollower`) and computes the ECDF of all runs so
far. Both steps take longer the more runs there are. Therefore each step is repeated only after a
pause that is proportional to the processor time that the step took the last time.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from ..runner.campaign.status import COUNTS
from ..suites.errors import FirsthitError

if TYPE_CHECKING:
    from ..assessment.profiles.profiles import Profile
    from ..runner.campaign.follower import CampaignFollower
    from ..runner.campaign.status import Status

State = Literal["reading", "waiting", "running", "complete", "stopped", "ended"]
"""State of a campaign.

Reading: the log has not been read yet. Waiting: there is no log. Running: a coordinator is at work.
Complete: all planned runs have ended. Stopped: planned runs are missing, and no coordinator is at
work. Ended: no coordinator is at work, and the plan is unknown.
"""

_MAX_PROCESSOR_SHARE = 0.008
"""Largest share of one processor of each of the two steps; 2 % for everything are promised."""
_MIN_PAUSE_SECONDS = 1.0
_MAX_PAUSE_SECONDS = 60.0
"""Longest pause. It is meant for the first reading of a long log; later readings are short."""
_MIN_ECDF_PAUSE_SECONDS = 5.0
_MAX_FAILURES = 50
"""Maximum number of kinds of errors in a snapshot."""
_MAX_MESSAGE_CHARACTERS = 4000
"""Maximum length of the message of an error in a snapshot; the log has the complete text."""
_POINTS_PER_DECADE = 10
"""Number of points of a curve for each power of ten of the budget."""


class Curve(TypedDict):
    """ECDF of one algorithm: the share of function-target pairs solved within each budget."""

    algorithm: str
    is_partial: bool  # whether another algorithm has runs on more functions or instances
    budgets: list[float]
    shares: list[float]  # from 0 to 1
    cross: float | None  # median over functions of the longest unsuccessful run; None: none


class Panel(TypedDict):
    """Curves of all algorithms on one suite in one dimension."""

    suite: str
    dimension: int
    targets: str
    axis: str  # unit of the budgets
    curves: list[Curve]


class Ecdf(TypedDict):
    """Curves of all suites and dimensions."""

    n_runs: int
    panels: list[Panel]
    styles: dict[str, dict[str, Any]]  # of each algorithm, as of `style_numbers`
    notes: list[str]


class Snapshot(TypedDict):
    """Everything that is shown of a campaign; values of JSON only."""

    log: str
    state: State
    time: str  # local time at which the runs were counted
    seconds_left: float | None
    workers: int
    total: dict[str, int | None]
    rows: list[dict[str, Any]]  # columns: algorithm, dimension and `status.COUNTS`
    failures: list[dict[str, Any]]  # fields of `Failure`
    n_failure_kinds: int
    ecdf: Ecdf | None
    notes: list[str]


class Watcher:
    """Maker of snapshots of one campaign.

    Args:
        follower: Reader of the campaign.

    Attributes:
        snapshot: The last snapshot.
    """

    def __init__(self, follower: CampaignFollower) -> None:
        self._follower = follower
        self._ecdf: Ecdf | None = None
        self._error = ""
        self._is_ecdf_current = False
        self._next_ecdf_time = 0.0  # by time.monotonic()
        self.snapshot: Snapshot = _empty_snapshot("")

    def update(self) -> float:
        """Read new runs, and make a new snapshot if something has changed.

        An error of reading becomes a note of the snapshot, because a later call may succeed.

        Returns:
            Seconds to wait before the next call.
        """
        started = time.thread_time()
        has_changed, error = False, ""
        try:
            has_changed = self._follower.update()
        except FirsthitError as read_error:
            error = str(read_error)
        status = self._follower.status
        has_new_error, self._error = error != self._error, error
        if status is None:
            self.snapshot = _empty_snapshot(error)
            return _MIN_PAUSE_SECONDS
        if has_changed:
            self._is_ecdf_current = False
        read_seconds = time.thread_time() - started
        has_new_ecdf = self._update_ecdf(is_due=not status.is_alive)
        started = time.thread_time()
        if has_changed or has_new_ecdf or has_new_error:
            self.snapshot = self._make_snapshot(status)
        read_seconds += time.thread_time() - started
        pause_seconds = max(_MIN_PAUSE_SECONDS, read_seconds / _MAX_PROCESSOR_SHARE)
        return min(pause_seconds, _MAX_PAUSE_SECONDS)

    def _update_ecdf(self, is_due: bool) -> bool:
        """Compute the ECDF if it is old and the pause after the last computation is over.

        Args:
            is_due: Whether the pause is left out, because no run is being made.
        """
        if self._is_ecdf_current or not (is_due or time.monotonic() >= self._next_ecdf_time):
            return False
        is_first = self._ecdf is None
        started = time.thread_time()
        self._ecdf = _compute_ecdf(self._follower)
        self._is_ecdf_current = True
        seconds = (time.thread_time() - started) / _MAX_PROCESSOR_SHARE
        # The first computation also imports modules, so it is no measure for the next one.
        pause_seconds = max(0.0 if is_first else seconds, _MIN_ECDF_PAUSE_SECONDS)
        self._next_ecdf_time = time.monotonic() + pause_seconds
        return True

    def _make_snapshot(self, status: Status) -> Snapshot:
        failures = self._follower.list_failures()
        return {
            "log": str(status.log),
            "state": _find_state(status, self._follower.is_begun),
            "time": _format_time(),
            "seconds_left": status.seconds_left,
            "workers": status.workers,
            "total": {count: status.total(count) for count in COUNTS},
            "rows": [
                {"algorithm": row.algorithm, "dimension": row.dimension}
                | {count: getattr(row, count) for count in COUNTS}
                for row in status.rows
            ],
            "failures": [
                {
                    "algorithm": failure.algorithm,
                    "status": failure.status,
                    "message": failure.message[:_MAX_MESSAGE_CHARACTERS],
                    "n_runs": failure.n_runs,
                }
                for failure in failures[:_MAX_FAILURES]
            ],
            "n_failure_kinds": len(failures),
            "ecdf": self._ecdf,
            "notes": [*([self._error] if self._error else []), *status.notes],
        }


def _empty_snapshot(error: str) -> Snapshot:
    return {
        "log": "",
        "state": "reading",
        "time": _format_time(),
        "seconds_left": None,
        "workers": 1,
        "total": dict.fromkeys(COUNTS),
        "rows": [],
        "failures": [],
        "n_failure_kinds": 0,
        "ecdf": None,
        "notes": [error] if error else [],
    }


def _format_time() -> str:
    return f"{datetime.now():%Y-%m-%d %H:%M:%S}"


def _find_state(status: Status, is_begun: bool) -> State:
    if status.is_alive:
        return "running"
    if not is_begun:
        return "waiting"
    if not status.is_planned:
        return "ended"
    return "complete" if status.is_complete else "stopped"


def _compute_ecdf(follower: CampaignFollower) -> Ecdf | None:
    """Compute the ECDF of all runs so far, as ``firsthit assess ecdf --unequal`` does.

    Returns:
        None if there is no run.
    """
    from ..assessment import Results
    from ..assessment.figures.style import N_STYLES, style_numbers

    n_runs = 0
    try:
        log = follower.read_log()
        n_runs = len(log)
        if not n_runs:
            return None
        table = Results(log).ecdf(unequal=True)
    except FirsthitError as error:
        return {"n_runs": n_runs, "panels": [], "styles": {}, "notes": [str(error)]}
    panels: dict[tuple[str, int, str], Panel] = {}
    for profile in table.profiles:
        key = profile.suite, profile.dimension, profile.targets_text
        if key not in panels:
            panels[key] = {
                "suite": profile.suite,
                "dimension": profile.dimension,
                "targets": profile.targets_text,
                "axis": profile.axis,
                "curves": [],
            }
        panels[key]["curves"].append(_make_curve(profile))
    # Algorithms without finished runs count too, so that styles stay when their runs finish.
    planned_algorithms = [row.algorithm for row in follower.status.rows] if follower.status else []
    algorithms = sorted({*log.algorithms, *planned_algorithms})
    notes = list(table.notes)
    if len(algorithms) > N_STYLES:
        notes.append(
            f"Styles repeat: there are {len(algorithms)} algorithms, and {N_STYLES} styles."
        )
    styles = {name: style_numbers(index) for index, name in enumerate(algorithms)}
    return {"n_runs": n_runs, "panels": list(panels.values()), "styles": styles, "notes": notes}


def _make_curve(profile: Profile) -> Curve:
    budgets = _select_budgets(profile.budgets.tolist())
    return {
        "algorithm": profile.algorithm,
        "is_partial": profile.partial,
        "budgets": [float(f"{budget:.6g}") for budget in budgets],
        # the factor exceeds rounding errors: the curves have steps at powers of 10**(1/50)
        "shares": [round(profile.at(budget * (1 + 1e-9)), 4) for budget in budgets],
        "cross": None if profile.marker is None else profile.marker[0],
    }


def _select_budgets(budgets: Sequence[float]) -> list[float]:
    """Return the last budget, and powers of ``10**(1 / _POINTS_PER_DECADE)`` before it."""
    finite = [budget for budget in budgets if math.isfinite(budget) and budget > 0]
    if not finite:
        return []
    first, last = (_POINTS_PER_DECADE * math.log10(finite[i]) for i in (0, -1))
    exponents = range(math.ceil(first), math.ceil(last))
    selected = [10.0 ** (exponent / _POINTS_PER_DECADE) for exponent in exponents]
    return [*selected, finite[-1]]
