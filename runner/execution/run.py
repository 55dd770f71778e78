"""Runs: one, to be had as a record, or a group of them, to be had as a table."""

from __future__ import annotations

from collections.abc import Sequence

from ...loggers import RunRecord
from ...loggers.observation.flight import Flight
from ...loggers.records.outcome import RunOutcome
from ...loggers.records.run_record import Status
from ...loggers.records.table import LogTable, tabulate
from ..campaign.campaign import RunSpec
from ..executors.workplace import HERE
from .guard import RunProblem
from .restart_loop import load
from .seeds import run_sequence, seed_number, start_sequence
from .series import Series


def run_one(spec: RunSpec) -> RunRecord:
    """Make one run and return its record; whatever the optimizer does, it returns.

    An optimizer that neither evaluates nor returns is ended only by ``spec.rules.timeout_seconds``.

    Args:
        spec: What to run.

    Returns:
        The record, of status ``failed`` where the optimizer raised.

    Raises:
        FirsthitError: The problem or the optimizer cannot be made at all.
        KeyboardInterrupt: As it came; the run leaves nothing.
    """
    return Series([spec], _record, _lost_here).make()[0]


def run_group(runs: Sequence[RunSpec], most_seconds: float) -> LogTable:
    """Make runs one after the other, until the time for a group is over.

    Args:
        runs: At least one.
        most_seconds: See ``Series``.

    Returns:
        The runs made, the first of ``runs``, as a table under an empty header: packed here, where
        there are many of us, and not in the one coordinator.
    """
    series = Series[RunOutcome | RunRecord](runs, RunProblem.outcome, _lost_here, most_seconds)
    return tabulate(series.make(), "")


def check_loads(spec: RunSpec) -> None:
    """Import what a run needs.

    Raises:
        FirsthitError: Something is missing.
    """
    load(spec)


def _record(observed: RunProblem, status: Status, text: str) -> RunRecord:
    return observed.outcome(status, text).checked()


def _lost_here(spec: RunSpec, status: Status, text: str) -> RunRecord:
    return lost_run(spec, status, text, HERE.get().flight())


def lost_run(spec: RunSpec, status: Status, text: str, flight: Flight) -> RunRecord:
    """The record of a run that could not make its own, with what it is known to have reached."""
    identity = spec.identity
    sequence = run_sequence(
        spec.rules.seed, identity.problem, identity.algorithm, identity.repetition
    )
    return flight.record(
        spec.make_problem(),
        identity,
        status,
        text,
        seed=seed_number(start_sequence(sequence, 0)),
        budget=spec.budget_evaluations,
        record=spec.rules.record,
    )
