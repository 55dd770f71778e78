"""What a campaign is: suites × optimizers × repetitions, as frozen data, and the runs it makes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..loggers import LogHeader, RunIdentity
from ..suites import Problem, ProblemId, Suite, problem_of
from ..suites.suite import SuiteDefinition
from .budget import Budget
from .errors import CampaignError
from .optimizers import OptimizerRef


@dataclass(frozen=True, slots=True)
class SuiteChoice:
    """A registered suite and which of its problems; None for those of its standard experiment."""

    name: str
    functions: tuple[int, ...] | None = None
    dimensions: tuple[int, ...] | None = None
    instances: tuple[int, ...] | None = None

    def suite(self) -> Suite:
        """The suite; raises UnknownNameError or SelectionError where it is not there."""
        return Suite(self.name, self.functions, self.dimensions, self.instances)


@dataclass(frozen=True, slots=True)
class RunRules:
    """What all runs of a campaign have in common.

    Attributes:
        budget: Evaluations of one run; None: one natural termination (and the restarts asked for).
        restarts: Most restarts of one run. None: as many as fit the budget, none without budget.
        seed: The campaign's seed; every run's own seed derives from it and the run's names.
        final_target: Whether a run ends when it hits the final target.
        timeout_seconds: Wall time after which a run is ended; None for no limit.
        record: ``"targets"`` or ``"improvements"``.
    """

    budget: Budget | None = None
    restarts: int | None = None
    seed: int = 1
    final_target: bool = True
    timeout_seconds: float | None = None
    record: str = "targets"

    def description(self) -> dict[str, Any]:
        """JSON-able; what must not change between a run and its resumption."""
        return {
            "budget": None if self.budget is None else str(self.budget),
            "restarts": self.restarts,
            "seed": self.seed,
            "final_target": self.final_target,
            "timeout": self.timeout_seconds,
            "record": self.record,
        }


@dataclass(frozen=True, slots=True)
class Campaign:
    """Everything that ``firsthit run`` does.

    Attributes:
        name: The file's stem.
        suites: What is optimized.
        optimizers: By what; their names differ.
        rules: Budget, restarts, seed and so on.
        repetitions: Runs of each optimizer on each problem.
        workers: Runs at the same time.
        output: The log.
        tuning: How the optimizers were tuned, as the author discloses it.
        imports: Modules and files that register suites, imported first.
        folder: What relative paths in ``imports`` and optimizers are relative to.
    """

    name: str
    suites: tuple[SuiteChoice, ...]
    optimizers: tuple[OptimizerRef, ...]
    rules: RunRules
    repetitions: int = 1
    workers: int = 1
    output: Path = Path("results.h5")
    tuning: Any = None
    imports: tuple[str, ...] = ()
    folder: str = "."

    def description(self) -> dict[str, Any]:
        """JSON-able; goes into the log."""
        suites = []
        for choice in self.suites:
            suite = choice.suite()
            suites.append({
                "name": suite.name,
                "version": suite.version,
                "functions": list(suite.functions),
                "dimensions": list(suite.dimensions),
                "instances": list(suite.instances),
            })  # fmt: skip
        return {
            "name": self.name,
            "suites": suites,
            **self.rules.description(),
            "repetitions": self.repetitions,
            "imports": list(self.imports),
        }

    def header(self) -> LogHeader:
        """What the log says of the campaign, its algorithms and their tuning."""
        algorithms = {ref.name: ref.description() for ref in self.optimizers}
        return LogHeader(campaign=self.description(), algorithms=algorithms, tuning=self.tuning)


@dataclass(frozen=True, slots=True)
class RunSpec:
    """One run to be made; travels to workers.

    Attributes:
        problem: A problem, or the identity of one of a registered suite.
        optimizer: By what it is optimized.
        rules: Budget, restarts, seed and so on.
        repetition: Counted from 0.
        imports: Modules and files to import before the problem is made.
        suite: The suite's definition, where workers may not know it.
    """

    problem: ProblemId | Problem
    optimizer: OptimizerRef
    rules: RunRules = field(default_factory=RunRules)
    repetition: int = 0
    imports: tuple[str, ...] = ()
    suite: SuiteDefinition | None = None

    @property
    def problem_id(self) -> ProblemId:
        """Identity of the problem."""
        return self.problem.problem_id if isinstance(self.problem, Problem) else self.problem

    @property
    def identity(self) -> RunIdentity:
        """Names of the run; they make its key in the log."""
        return RunIdentity(
            self.optimizer.name, self.problem_id, self.repetition, campaign_seed=self.rules.seed
        )

    @property
    def budget_evaluations(self) -> int | None:
        """Evaluations it may spend, None for no limit."""
        budget = self.rules.budget
        return None if budget is None else budget.evaluations(self.problem_id.dimension)

    @property
    def most_restarts(self) -> int | None:
        """Restarts it may make; None for no limit but the budget."""
        own, common = self.optimizer.restarts, self.rules.restarts
        asked = common if own is None else own
        return 0 if asked is None and self.rules.budget is None else asked

    def make_problem(self) -> Problem:
        """The problem, made anew where only its identity is known."""
        if isinstance(self.problem, Problem):
            return self.problem
        name = self.problem
        return problem_of(name.suite, name.function, name.dimension, name.instance)


def plan(campaign: Campaign) -> list[RunSpec]:
    """All runs of a campaign: suite by suite, dimension by dimension, functions fastest.

    So whoever stops early has every function and optimizer on the first instances, and processes
    compile different kernels at the same time.

    Raises:
        CampaignError: No runs, the same run twice, or a budget of less than one evaluation.
    """
    runs = list(_runs(campaign))
    if not runs:
        raise CampaignError(f"campaign {campaign.name!r} makes no runs")
    check_runs(runs)
    return runs


def check_runs(runs: list[RunSpec]) -> None:
    """Raise CampaignError where two runs have the same names, or a budget is less than one."""
    seen: set[tuple[object, ...]] = set()
    for run in runs:
        names = (run.optimizer.name, run.problem_id, run.repetition)
        if names in seen:
            raise CampaignError(
                f"the run {run.identity} is asked for twice; problems need different identities "
                "(register them as a suite), optimizers different names"
            )
        seen.add(names)
        evaluations = run.budget_evaluations
        if evaluations is not None and evaluations < 1:
            raise CampaignError(
                f"budget '{run.rules.budget}' gives no evaluation in dimension "
                f"{run.problem_id.dimension}"
            )


def _runs(campaign: Campaign) -> Iterator[RunSpec]:
    for choice in campaign.suites:
        suite = choice.suite()
        for dimension, repetition, instance, optimizer, function in itertools.product(
            suite.dimensions,
            range(campaign.repetitions),
            suite.instances,
            campaign.optimizers,
            suite.functions,
        ):
            identity = ProblemId(suite.name, function, dimension, instance)
            yield RunSpec(identity, optimizer, campaign.rules, repetition, campaign.imports)
