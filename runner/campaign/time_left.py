"""Estimate how long the remaining runs of a campaign take, from the runs that have ended."""

from __future__ import annotations

from collections.abc import Mapping

RunKind = tuple[int, str, int]
"""Budget stage, algorithm and dimension of runs. Runs of one kind take about equally long."""
_MIN_RUNS_OF_A_KIND = 10
"""Number of ended runs of a kind from which their mean duration is used."""


def estimate_seconds_left(
    n_planned: Mapping[RunKind, int],
    n_ended: Mapping[RunKind, int],
    run_seconds: Mapping[RunKind, float],
    n_parallel: float,
) -> float | None:
    """Estimate the wall time until the last run ends, from the mean duration of each kind of runs.

    Args:
        n_planned: Number of planned runs of each kind.
        n_ended: Number of ended runs of each kind; a missing kind has none.
        run_seconds: Wall time of the ended runs of each kind in total, in seconds.
        n_parallel: Mean number of runs that are made at the same time.

    Returns:
        Seconds. None as long as a kind with unfinished runs has fewer than ten ended runs, or fewer
        than a third of its runs if it has fewer than 30; also if ``n_parallel`` is 0.
    """
    run_seconds_left = 0.0
    for kind, n_of_kind in n_planned.items():
        n_ended_of_kind = n_ended.get(kind, 0)
        if n_ended_of_kind >= n_of_kind:
            continue
        if n_ended_of_kind < min(_MIN_RUNS_OF_A_KIND, -(-n_of_kind // 3)):
            return None
        mean_seconds = run_seconds[kind] / n_ended_of_kind
        run_seconds_left += (n_of_kind - n_ended_of_kind) * mean_seconds
    return run_seconds_left / n_parallel if n_parallel else None
