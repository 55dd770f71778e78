"""The starts of one run: an optimizer, called again and again until something ends the run."""

from __future__ import annotations

import threading
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ..loggers import RunStop, StopConditions
from ..loggers.record import MAX_REASON_BYTES, Status, clean_text
from ..suites import Problem, ProblemId, definition, register_suite, suite_names
from ..suites.suite import SuiteDefinition
from .campaign import RunSpec
from .contained import seed_global_generators
from .observed_run import RunProblem
from .optimizers import Optimizer, resolve_optimizer
from .references import import_text
from .returned import describe, reason_of, reported_evaluations
from .seeds import descendant, run_words, seed_number, start_point
from .workplace import HERE

EMPTY_STARTS = 3
"""So many starts in a row without any evaluation end a run."""

_PROPOSALS = 2**32 - 1


class Verdict(NamedTuple):
    """How a run ended, and what is to be said of it."""

    status: Status
    text: str = ""


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


class Named:
    """What follows from a run's names, made for many runs before the first of them begins.

    One after the other it takes a third of the time that it takes between two runs, after code and
    data of an optimizer have filled the processor's caches.

    Attributes:
        identity: The names.
        words: What the run's seed sequence is made of.
        seed: Of the first start.
        rng: Of the first start, where the optimizer asks for one.
    """

    __slots__ = ("identity", "rng", "seed", "words")

    def __init__(self, spec: RunSpec, optimizer: Optimizer) -> None:
        self.identity = identity = spec.identity
        self.words = words = run_words(
            spec.rules.seed, identity.problem, identity.algorithm, identity.repetition
        )
        self.seed = seed_number(descendant(words, 0))
        self.rng = _generator(words, 0) if optimizer.call.asks_for("rng") else None


class RunInterrupted(RunStop):
    """Raised into an optimizer whose time is over."""


class Starts:
    """The starts of one run, in the optimizer's thread.

    Attributes:
        observed: What the optimizer receives.
    """

    def __init__(self, spec: RunSpec, named: Named, problem: Problem, optimizer: Optimizer) -> None:
        rules, words = spec.rules, named.words
        self._spec = spec
        self._optimizer = optimizer
        self._words = words
        self._seed = named.seed
        self._rng = named.rng
        self.observed = HERE.get().observed(
            problem,
            named.identity,
            _conditions(spec.budget_evaluations, rules.final_target),
            rules.record,
            lambda: np.random.default_rng(descendant(words, _PROPOSALS)),
            seed=named.seed,
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
        self._seed = seed_number(descendant(self._words, start))
        run = descendant(self._words)
        self.observed.start_point = start_point(self.observed.problem, run, start)
        self.observed.restart(reason, seed=self._seed, start=self.observed.start_point)

    def _make(self, start: int) -> str:
        observed, optimizer = self.observed, self._swept(start)
        seed_global_generators(self._seed)
        before = observed.evaluations
        offer = Offer(observed, self._words, self._seed, start)
        if self._rng is not None:
            offer["rng"], self._rng = self._rng, None
        result = optimizer.start(offer)
        reported = reported_evaluations(result)
        if reported > (made := observed.evaluations - before):
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


_conditions = lru_cache(maxsize=256, typed=True)(StopConditions)


class Offer(dict[str, Any]):
    """What an optimizer may ask for, by name (see ``OFFERED``); made when it is asked for."""

    def __init__(self, observed: RunProblem, words: tuple[int, ...], seed: int, start: int) -> None:
        super().__init__(problem=observed, seed=seed, start=start)
        self._words = words

    def __missing__(self, name: str) -> Any:
        value = self[name] = self._made(self["problem"], name)
        return value

    def _made(self, observed: RunProblem, name: str) -> Any:
        if name == "rng":
            return _generator(self._words, self["start"])
        if name == "budget":
            left = observed.evaluations_left
            return None if left == np.inf else int(left)
        return getattr(observed, "initial_solution" if name == "x0" else name)


def _generator(words: tuple[int, ...], start: int) -> np.random.Generator:
    """The generator of one start of a run."""
    return np.random.default_rng(descendant(words, start, 0))


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
