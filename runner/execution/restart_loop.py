"""The starts of one run: an optimizer, called again and again until something ends the run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np

from ...loggers import RunStop, StopConditions
from ...loggers.records.run_record import MAX_REASON_BYTES, Status, clean_text
from ...suites import Problem, ProblemId, definition, register_suite, suite_names
from ...suites.suite import SuiteDefinition
from ..campaign.campaign import RunSpec
from ..executors.workplace import HERE
from ..optimizers.arguments import Arguments
from ..optimizers.import_string import import_text
from ..optimizers.reported import reason_of, reported_evaluations
from ..optimizers.resolve import Optimizer, resolve_optimizer
from .contained import seed_global_generators
from .draws import FirstDraw
from .guard import RunProblem
from .seeds import Words, descendant, seed_number, start_point

EMPTY_STARTS = 3
"""So many starts in a row without any evaluation end a run."""


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


class RunInterrupted(RunStop):
    """Raised into an optimizer whose time is over."""


class Starts:
    """The starts of one run, in the optimizer's thread.

    All that follows from the run's names is there before it begins.

    Attributes:
        observed: What the optimizer receives.
    """

    __slots__ = (
        "_arguments", "_end", "_first", "_last_words", "_most", "_optimizer", "_scheme", "_seed",
        "_spec", "_words", "observed",
    )  # fmt: skip

    def __init__(
        self, spec: RunSpec, problem: Problem, optimizer: Optimizer, draw: FirstDraw
    ) -> None:
        rules, words = spec.rules, draw.words
        self._spec = spec
        self._optimizer = optimizer
        self._scheme = spec.restarts
        self._most = spec.most_restarts
        self._words = words
        self._seed = draw.seed
        self.observed = HERE.get().observed(
            problem,
            spec.identity,
            _conditions(spec.budget_evaluations, rules.final_target),
            rules.record,
            draw.proposals,
            seed=self._seed,
        )
        self._first, self._arguments = self._ready(0, draw.generator)
        self._last_words = self._end = ""

    def make_all(self) -> None:
        """Start until nothing more is to be done; stops and errors pass on."""
        start = empty = 0
        while True:
            before = self.observed.evaluations
            self._last_words = clean_text(self._make(start, before), MAX_REASON_BYTES)
            empty = empty + 1 if self.observed.evaluations == before else 0
            if empty == EMPTY_STARTS:
                self._end = f"{EMPTY_STARTS} starts in a row made no evaluation"
                return
            is_last = self._most is not None and start >= self._most
            if is_last or self.observed.evaluations_left < 1:
                return
            start += 1
            self._prepare(start, self._last_words)

    def verdict(self, said: str, deafness: str) -> Verdict:
        """How the run ended.

        Args:
            said: What the starts raised, but for stops; ``""`` where they raised nothing else.
            deafness: What the optimizer did not listen to; ``""`` where it listened.
        """
        observed = self.observed
        if self._spec.rules.final_target and observed.final_target_hit:
            return Verdict("target", said)
        if observed.evaluations_left < 1:
            return Verdict("budget", said)
        if said:
            return Verdict("failed", f"{said}{self._elsewhere('; ')}")
        if deafness:
            return Verdict("failed", deafness)
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

    def _make(self, start: int, before: int) -> str:
        """Start the optimizer, after so many evaluations; its last words."""
        observed = self.observed
        optimizer, arguments = self._first, self._arguments
        if start:
            optimizer, arguments = self._ready(start, partial(_generator, self._words, start))
        seed_global_generators(self._seed)
        result = optimizer.start(observed, arguments)
        if result is None:
            return ""
        reported = reported_evaluations(result)
        if reported > (made := observed.evaluations - before):
            seen = f"only {made} were" if made else "none was"
            raise RuntimeError(
                f"the optimizer reports {reported} evaluations, but {seen} observed; evaluations "
                "in other processes, or of another function, cannot be observed"
            )
        return reason_of(result)

    def _ready(self, start: int, rng: _Rng) -> tuple[Optimizer, Arguments]:
        """The optimizer with the parameters of this start, and what it is called with."""
        optimizer = self._optimizer
        if self._scheme.multiply:
            swept = self._scheme.parameters(optimizer.call.parameters, start)
            optimizer = replace(optimizer, call=replace(optimizer.call, parameters=swept))
        offer = Offer(self.observed, self._seed, start, rng)
        return optimizer, optimizer.call.arguments(offer)


_Rng = Callable[[], np.random.Generator]
_conditions = lru_cache(maxsize=256, typed=True)(StopConditions)


class Offer(dict[str, Any]):
    """What an optimizer may ask for, by name (see ``OFFERED``); made when it is asked for."""

    def __init__(self, observed: RunProblem, seed: int, start: int, rng: _Rng) -> None:
        super().__init__(problem=observed, seed=seed, start=start)
        self._rng = rng

    def __missing__(self, name: str) -> Any:
        value = self[name] = self._made(self["problem"], name)
        return value

    def _made(self, observed: RunProblem, name: str) -> Any:
        if name == "rng":
            return self._rng()
        if name == "budget":
            left = observed.evaluations_left
            return None if left == np.inf else int(left)
        return getattr(observed, "initial_solution" if name == "x0" else name)


def _generator(words: Words, start: int) -> np.random.Generator:
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
