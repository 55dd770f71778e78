"""What a campaign is: suites × optimizers × repetitions, as frozen data, and the runs it makes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from math import inf
from pathlib import Path
from typing import Any

from ...loggers.observation.stops import Count
from ...loggers.records.identity import RunIdentity
from ...loggers.records.log_header import LogHeader
from ...loggers.records.run_record import ArchiveKept, Clock, Record
from ...suites import Problem, Suite
from ...suites.facts import ProblemId
from ...suites.suite import SuiteDefinition, problem_of
from ..errors import CampaignError
from ..executors.executor import ExecutorConfig, Isolation
from ..optimizers.parallel import Parallel
from ..optimizers.resolve import OptimizerRef
from ..optimizers.restarts import RestartScheme, scheme_of
from .batches import Batch
from .budget import Budget, Stages

NUMBERS = ("functions", "dimensions", "instances")
"""The keys that choose problems of a suite."""


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

    def description(self) -> dict[str, Any]:
        """JSON-able: name and version, and the numbers of its problems."""
        suite = self.suite()
        numbers = {key: list(getattr(suite, key)) for key in NUMBERS}
        return {"name": suite.name, "version": suite.version, **numbers}


@dataclass(frozen=True, slots=True)
class RunRules:
    """What all runs of a campaign have in common; fields are keys of its file, see `keys.py`."""

    budget: Budget | Stages | None = None  # None: one natural termination, and restarts asked for
    restarts: RestartScheme | int | None = None  # None: as many as fit the budget, none without
    seed: int = 1
    final_target: bool = True
    timeout_seconds: float | None = None
    record: Record = "targets"
    indicator: str | None = None  # None: what each suite says
    archive: ArchiveKept = "all"
    clock: Clock = "none"
    parallel: Parallel | None = None  # None: evaluations one after the other

    def __post_init__(self) -> None:
        if self.parallel is None and self.stages[0] and self.stages[0].count == "seconds":
            raise CampaignError(
                f"budget '{self.budget}': seconds are of simulated time, for evaluations in "
                "parallel; give 'parallel', or 'timeout' for wall time"
            )
        if self.parallel is not None and self.clock == "measured":
            raise CampaignError("clock is measured, but with 'parallel' seconds are simulated")

    @property
    def stages(self) -> tuple[Budget | None, ...]:
        """The budget of every stage; one where there are no stages."""
        return self.budget.budgets if isinstance(self.budget, Stages) else (self.budget,)

    def restarts_of(self, optimizer: OptimizerRef) -> RestartScheme:
        """The optimizer's own restart scheme, or that of all."""
        own = optimizer.restarts
        return scheme_of(self.restarts if own is None else own)

    def description(self) -> dict[str, Any]:
        """JSON-able; what must not change between a run and its resumption.

        ``budget`` is a text, or a list of texts where it has stages: more of them fit.
        """
        budgets = None if self.budget is None else [str(budget) for budget in self.stages]
        values = (getattr(self, entry.name) for entry in fields(self))
        return dict(zip(RUN_RULES, values, strict=True)) | {
            "budget": budgets if budgets is None or len(budgets) > 1 else budgets[0],
            "restarts": scheme_of(self.restarts).description(),
            "parallel": None if self.parallel is None else self.parallel.description(),
        }


RUN_RULES = tuple(entry.name.removesuffix("_seconds") for entry in fields(RunRules))
"""The keys of ``RunRules`` in campaign files and logs."""


@dataclass(frozen=True, slots=True)
class Campaign:
    """Everything that ``firsthit run`` does; most fields are keys of its file, see `keys.py`."""

    name: str  # the file's stem
    suites: tuple[SuiteChoice, ...]
    optimizers: tuple[OptimizerRef, ...]  # their names differ
    rules: RunRules
    repetitions: int = 1
    workers: int = 1
    cluster: str | None = None
    threads: int = 1
    isolation: Isolation = "algorithm"
    output: Path = Path("results.h5")
    tuning: Any = None
    setup: Mapping[str, str | float] | None = None
    publication: Mapping[str, Any] | None = None
    imports: tuple[str, ...] = ()
    folder: str = "."  # of relative paths; absolute, as workers may have been started elsewhere
    batch: Batch | None = None  # None: the whole

    @property
    def executor_config(self) -> ExecutorConfig:
        """Where the runs are made."""
        return ExecutorConfig(self.workers, self.cluster, self.threads, self.isolation)

    def description(self) -> dict[str, Any]:
        """JSON-able; goes into the log."""
        return {
            "name": self.name,
            "suites": [choice.description() for choice in self.suites],
            **self.rules.description(),
            "repetitions": self.repetitions,
            "isolation": self.executor_config.isolation_in_log,
            "imports": list(self.imports),
            **({} if self.batch is None else {"batch": str(self.batch)}),
        }

    def header(self) -> LogHeader:
        """What the log says of the campaign, its algorithms, tuning, setup and publication."""
        algorithms = {ref.name: ref.description() for ref in self.optimizers}
        return LogHeader(algorithms, self.description(), self.tuning, self.setup, self.publication)


def named_problem(name: ProblemId) -> Problem:
    """A new instance of a problem of a registered suite."""
    return problem_of(name.suite, name.function, name.dimension, name.instance)


@dataclass(frozen=True, slots=True)
class RunSpec:
    """One run to be made; travels to workers."""

    problem: ProblemId | Problem  # a problem, or the identity of one of a registered suite
    optimizer: OptimizerRef
    rules: RunRules = field(default_factory=RunRules)
    repetition: int = 0
    imports: tuple[str, ...] = ()  # modules and files to import before the problem is made
    suite: SuiteDefinition | None = None  # where workers may not know it
    stage: int = 0  # the seed does not depend on it: a later one repeats an earlier one and goes on

    @property
    def problem_id(self) -> ProblemId:
        """Identity of the problem."""
        return self.problem.problem_id if isinstance(self.problem, Problem) else self.problem

    @property
    def is_named(self) -> bool:
        """Whether names say it all, so that another process on this machine can make it."""
        return (
            isinstance(self.problem, ProblemId)
            and isinstance(self.optimizer.use, str)
            and not (self.rules.parallel and callable(self.rules.parallel.duration))
            and self.suite is None
        )

    @property
    def identity(self) -> RunIdentity:
        """Names of the run; they make its key in the log."""
        return RunIdentity(
            self.optimizer.name,
            self.problem_id,
            self.repetition,
            campaign_seed=self.rules.seed,
            stage=self.stage,
        )

    @property
    def budget(self) -> Budget | None:
        """The budget of its stage."""
        return self.rules.stages[self.stage]

    @property
    def budget_evaluations(self) -> int | None:
        """Evaluations it may spend, None for no limit."""
        budget = self.budget
        if budget is None or budget.count == "seconds":
            return None
        return budget.evaluations(self.problem_id.dimension)

    @property
    def budget_seconds(self) -> float:
        """Seconds of simulated time it may spend, inf for no limit."""
        budget = self.budget
        return inf if budget is None or budget.count != "seconds" else budget.factor

    @property
    def budget_count(self) -> Count:
        """Which evaluations its budget counts."""
        budget = self.budget
        return "f" if budget is None or budget.count == "seconds" else budget.count

    @property
    def restarts(self) -> RestartScheme:
        """The optimizer's own restart scheme, or that of all."""
        return self.rules.restarts_of(self.optimizer)

    @property
    def most_restarts(self) -> int | None:
        """Restarts it may make; None for no limit but the budget."""
        most = self.restarts.most
        return 0 if most is None and self.rules.budget is None else most

    def make_problem(self) -> Problem:
        """The problem, made anew where only its identity is known."""
        if isinstance(self.problem, Problem):
            return self.problem
        return named_problem(self.problem)
