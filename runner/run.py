"""One run: an optimizer on a problem, started again and again until something ends the run."""

from __future__ import annotations

import threading
from contextlib import nullcontext
from dataclasses import dataclass, replace

import numpy as np

from ..loggers import RunRecord, RunStop, StopConditions
from ..loggers.flight import Flight
from ..loggers.record import MAX_REASON_BYTES, Status, clean_text
from ..suites import Problem, ProblemId, definition, register_suite, suite_names
from ..suites.suite import SuiteDefinition
from .campaign import RunSpec
from .contained import Containment, seed_global_generators
from .optimizers import Optimizer, resolve_optimizer
from .references import import_text, searched
from .returned import describe, reason_of, reported_evaluations
from .seeds import run_sequence, seed_number, start_point, start_sequence
from .workplace import HERE

EMPTY_STARTS = 3
"""So many starts in a row without any evaluation end a run."""

_PROPOSALS = 2**32 - 1
_GRACE_SECONDS = 1.0
_FINISH_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a run ended, and what is to be said of it."""

    status: Status
    text: str = ""


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
    place = HERE.get()
    optimizer = place.optimizer(spec, load)
    starts = Starts(spec, place.problem(spec), optimizer)
    call = place.contained(starts.make_all)
    starts.observed.on_deaf, starts.observed.on_deaf_threads = call.park, call.give_up
    folder = spec.optimizer.file_folder
    with place.preserved(), nullcontext() if folder is None else searched(folder):
        try:
            call.run(spec.rules.timeout_seconds)
        except BaseException:
            call.interrupt(RunInterrupted, _GRACE_SECONDS)
            raise
        if not call.is_over:
            call.interrupt(RunInterrupted, _GRACE_SECONDS)
            return _timed_out(starts, spec)
    verdict = starts.verdict(call.error)
    return starts.observed.finish(verdict.status, verdict.text)


def load(spec: RunSpec) -> Optimizer:
    """Import what a run needs and return its optimizer.

    Raises:
        FirsthitError: Something is missing.
    """
    for text in spec.imports:
        import_text(text, spec.optimizer.folder)
    if spec.suite is not None:
        _make_known(spec.suite)
    if isinstance(spec.problem, ProblemId):
        definition(spec.problem.suite)
    optimizer = resolve_optimizer(spec.optimizer)
    optimizer.prepare()
    return optimizer


class RunInterrupted(RunStop):
    """Raised into an optimizer whose time is over."""


class Starts:
    """The starts of one run, in the optimizer's thread.

    Attributes:
        observed: What the optimizer receives.
    """

    def __init__(self, spec: RunSpec, problem: Problem, optimizer: Optimizer) -> None:
        rules = spec.rules
        identity = spec.identity
        self._spec = spec
        self._optimizer = optimizer
        self._sequence = run_sequence(
            rules.seed, identity.problem, identity.algorithm, identity.repetition
        )
        self.observed = HERE.get().observed(
            problem,
            identity,
            StopConditions(spec.budget_evaluations, rules.final_target),
            rules.record,
            np.random.default_rng(start_sequence(self._sequence, _PROPOSALS)),
            seed=seed_number(start_sequence(self._sequence, 0)),
        )
        self._last_words = self._end = ""

    def make_all(self) -> None:
        """Start until nothing more is to be done; stops and errors pass on."""
        self.observed.home = threading.get_ident()
        start = empty = 0
        while True:
            before = self.observed.evaluations
            self._last_words = clean_text(self._make(start), MAX_REASON_BYTES)
            empty = empty + 1 if self.observed.evaluations == before else 0
            if empty == EMPTY_STARTS:
                self._end = f"{EMPTY_STARTS} starts in a row made no evaluation"
                return
            most = self._spec.most_restarts
            if self.observed.evaluations_left < 1 or (most is not None and start >= most):
                return
            start += 1
            self._prepare(start, self._last_words)

    def verdict(self, error: BaseException | None) -> Verdict:
        """How the run ended, given what the starts raised."""
        observed = self.observed
        said = "" if error is None or isinstance(error, RunStop) else describe(error)
        if self._spec.rules.final_target and observed.final_target_hit:
            return Verdict("target", said)
        if observed.evaluations_left < 1:
            return Verdict("budget", said)
        if said:
            return Verdict("failed", f"{said}{self._elsewhere('; ')}")
        if observed.is_deaf:
            return Verdict("failed", f"kept on after refusals: {observed.last_refusal}")
        if not observed.evaluations:
            made = "the optimizer returned without evaluating the problem"
            end = f" ({self._end})" if self._end else ""
            return Verdict("failed", f"{made}{end}{self._elsewhere('; ')}")
        if observed.was_forked:
            return Verdict("failed", self._elsewhere())
        return Verdict("terminated", "; ".join(filter(None, (self._last_words, self._end))))

    def _elsewhere(self, before: str = "") -> str:
        """A sentence on evaluations tried in other processes; ``""`` where there were none."""
        if not (self.observed.was_forked or self.observed.was_pickled):
            return ""
        return (
            f"{before}it tried to evaluate in other processes, where evaluations cannot be "
            "observed: let it evaluate in this one; the campaign runs problems in parallel"
        )

    def _prepare(self, start: int, reason: str) -> None:
        sequence = start_sequence(self._sequence, start)
        self.observed.start_point = start_point(self.observed.problem, self._sequence, start)
        self.observed.restart(reason, seed=seed_number(sequence), start=self.observed.start_point)

    def _make(self, start: int) -> str:
        observed, optimizer = self.observed, self._swept(start)
        sequence = start_sequence(self._sequence, start)
        seed = seed_number(sequence)
        left = observed.evaluations_left
        seed_global_generators(seed)
        before = observed.evaluations
        result = optimizer.start({
            "problem": observed,
            "x0": observed.initial_solution,
            "bounds": observed.bounds,
            "lower_bounds": observed.lower_bounds,
            "upper_bounds": observed.upper_bounds,
            "dimension": observed.dimension,
            "budget": None if left == np.inf else int(left),
            "rng": np.random.default_rng(sequence.spawn(1)[0]),
            "seed": seed,
            "start": start,
        })  # fmt: skip
        reported, made = reported_evaluations(result), observed.evaluations - before
        if reported > made:
            seen = f"only {made} were" if made else "none was"
            raise RuntimeError(
                f"the optimizer reports {reported} evaluations, but {seen} observed; evaluations "
                "in other processes, or of another function, cannot be observed"
            )
        return reason_of(result)

    def _swept(self, start: int) -> Optimizer:
        """The optimizer with the parameters of this start."""
        scheme, call = self._spec.restarts, self._optimizer.call
        if not scheme.multiply:
            return self._optimizer
        swept = scheme.parameters(call.parameters, start)
        return replace(self._optimizer, call=replace(call, parameters=swept))


def _timed_out(starts: Starts, spec: RunSpec) -> RunRecord:
    text = f"no end within {spec.rules.timeout_seconds:g} s"
    observed = starts.observed
    finish = Containment(lambda: observed.finish("timeout", text))
    finish.run(_FINISH_SECONDS)
    if isinstance(finish.result, RunRecord):
        return finish.result
    text = f"{text}; an evaluation did not return"
    return lost_run(spec, "timeout", text, HERE.get().flight())


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


def _make_known(suite: SuiteDefinition) -> None:
    """Register in a worker a suite that the coordinator knows."""
    if suite.name not in suite_names():
        register_suite(
            suite.name,
            functions=suite.functions,
            dimensions=suite.dimensions,
            instances=suite.instances,
            valid_dimensions=suite.valid_dimensions,
            valid_instances=suite.valid_instances,
            groups=suite.groups,
            version=suite.version,
        )(suite.make)
