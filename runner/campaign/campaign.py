"""Represent a campaign as frozen data: suites, optimizers, repetitions and the rules of its runs.

The reader of campaign files makes a `Campaign`, and the plan makes a `RunSpec` for each run.
`Campaign.header` returns the description of a campaign that its log stores. `Campaign.from_header`
reads this description, so that the runs of a log can be made again without the campaign file. The
methods ``description`` return data that can be written as JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from math import inf
from pathlib import Path
from typing import Any

from ...loggers.indicators.registry import MakeIndicator
from ...loggers.observation.stops import Count
from ...loggers.records.identity import RunIdentity
from ...loggers.records.log_header import LogHeader
from ...loggers.records.points import MAX_POINT_BYTES, PointChoice
from ...loggers.records.run_record import ArchiveKept, Clock, ObservedRecord
from ...suites import Problem, Suite
from ...suites.facts import ProblemId
from ...suites.suite import SuiteDefinition, problem_of
from ..errors import CampaignError
from ..executors.executor import ExecutorConfig, Isolation
from ..optimizers.parallel import Parallel
from ..optimizers.resolve import OptimizerRef
from ..optimizers.restarts import RestartScheme, scheme_of
from . import fields as kinds
from .batches import Batch, parse_batch
from .budget import Budget, Stages
from .keys import NUMBERS, OPTIMIZER_KEYS, checked, complete_stored, read_stored, read_value


@dataclass(frozen=True, slots=True)
class Campaign:
    """A campaign: all settings of ``firsthit run``.

    The attributes without a description here are keys of the campaign file. ``keys.py`` describes
    them.

    Attributes:
        name: Name of the campaign file without its suffix.
        suites: Suites with the selected problems.
        optimizers: Optimizers with different names.
        rules: Rules that apply to all runs.
        folder: Folder of relative paths in ``optimizers`` and ``imports``. It is absolute, because
            worker processes may have another working folder.
        batch: Part of the campaign that is run. None: the whole campaign.
    """

    name: str
    suites: tuple[SuiteChoice, ...]
    optimizers: tuple[OptimizerRef, ...]
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
    early_table: Mapping[str, tuple[int, ...]] | None = None  # selects problems by NUMBERS
    imports: tuple[str, ...] = ()
    folder: str = "."
    batch: Batch | None = None

    @property
    def executor_config(self) -> ExecutorConfig:
        """Configuration of the executor that makes the runs."""
        return ExecutorConfig(self.workers, self.cluster, self.threads, self.isolation)

    def header(self) -> LogHeader:
        """Return the header of the log: campaign, algorithms, tuning, setup and publication.

        Raises:
            UnknownNameError: A suite is not registered.
            SelectionError: A suite lacks a selected problem.
        """
        algorithms = {ref.name: ref.description() for ref in self.optimizers}
        return LogHeader(algorithms, self.description(), self.tuning, self.setup, self.publication)

    def description(self) -> dict[str, Any]:
        """Return the campaign as JSON-able data, as the header of its log stores it.

        Raises:
            UnknownNameError: A suite is not registered.
            SelectionError: A suite lacks a selected problem.
        """
        return {
            "name": self.name,
            "suites": [choice.description() for choice in self.suites],
            **self.rules.description(),
            "repetitions": self.repetitions,
            "isolation": self.executor_config.isolation_in_log,
            "imports": list(self.imports),
            **({} if self.batch is None else {"batch": str(self.batch)}),
        }

    @classmethod
    def from_header(cls, header: Mapping[str, Any], folder: str = ".") -> Campaign:
        """Read the campaign in the header of a log.

        Values are checked as in a campaign file. Nothing is imported, and it is not checked whether
        suites, optimizers and the indicator exist.

        A key that did not exist when the header was written has the value `Key.before`. No header
        contains ``cluster``, ``threads``, ``output`` and ``workers``. They have the defaults of
        this class, with one exception: ``workers`` is 0 if the runs were made without isolation,
        which means in the main process.

        Args:
            header: One of ``Log.headers``, of any version since schema 2.0.
            folder: Folder of relative paths in optimizers, imports and durations.

        Returns:
            The campaign, in which the optimizers are sorted by name. Its method `header` returns a
            header equal to ``header`` if this version wrote ``header``, and if the files that it
            names are in ``folder`` and have not changed.

        Raises:
            CampaignError: The header contains no campaign, because the runs were observed in a loop
                or imported from other data; or the campaign contains Python objects instead of
                names; or it is damaged. The message is one sentence, without the name of the log.
        """
        stored, algorithms = header.get("campaign"), header.get("algorithms")
        if stored is None:
            raise CampaignError(
                "the runs were observed in a loop or imported: no campaign describes them"
            )
        if not isinstance(stored, dict) or not isinstance(algorithms, dict) or not algorithms:
            raise CampaignError("campaign and algorithms must be mappings")
        stored = complete_stored(stored)
        suites = stored.get("suites")
        if not isinstance(suites, list) or not suites:
            raise CampaignError("suites must be a list with at least one entry")
        is_in_process = stored["isolation"] == "none"
        return cls(
            name=read_value(kinds.text, stored.get("name"), "name"),
            suites=tuple(_read_stored_suite(entry) for entry in suites),
            optimizers=tuple(
                _read_stored_optimizer(name, entry, folder) for name, entry in algorithms.items()
            ),
            rules=RunRules.from_header(stored, folder),
            repetitions=read_stored("repetitions", stored),
            workers=0 if is_in_process else 1,
            isolation="algorithm" if is_in_process else read_stored("isolation", stored),
            **{
                key: checked(key, header[key])
                for key in ("tuning", "setup", "publication")
                if header.get(key) is not None
            },
            imports=read_stored("imports", stored) if stored["imports"] else (),
            folder=folder,
            batch=None if stored.get("batch") is None else parse_batch(stored["batch"]),
        )


@dataclass(frozen=True, slots=True)
class SuiteChoice:
    """A registered suite and a selection of its problems.

    Attributes:
        name: Name of the suite.
        functions: Numbers of functions. None: the functions of the suite's standard experiment.
        dimensions: Dimensions. None: the dimensions of the suite's standard experiment.
        instances: Numbers of instances. None: the instances of the suite's standard experiment.
    """

    name: str
    functions: tuple[int, ...] | None = None
    dimensions: tuple[int, ...] | None = None
    instances: tuple[int, ...] | None = None

    def suite(self) -> Suite:
        """Return the suite with the selected problems.

        Raises:
            UnknownNameError: The suite is not registered.
            SelectionError: The suite lacks a selected problem.
        """
        return Suite(self.name, self.functions, self.dimensions, self.instances)

    def description(self) -> dict[str, Any]:
        """Return name and version of the suite and the numbers of its problems as JSON-able data.

        Raises:
            UnknownNameError: The suite is not registered.
            SelectionError: The suite lacks a selected problem.
        """
        suite = self.suite()
        numbers = {key: list(getattr(suite, key)) for key in NUMBERS}
        return {"name": suite.name, "version": suite.version, **numbers}


@dataclass(frozen=True, slots=True)
class RunRules:
    """Rules that apply to all runs of a campaign.

    The attributes are keys of the campaign file. ``keys.py`` describes those that are missing here.

    Attributes:
        budget: Budget of a run, or stages with one budget each. None: no budget; a run ends when
            the optimizer has ended for the last time.
        restarts: Restart scheme, or maximum number of restarts. None: as many restarts as the
            budget allows; without a budget, no restarts.
        timeout_seconds: Maximum wall time of a run in seconds. None: no limit.
        indicator: Name of the quality indicator. None: the indicator of each suite.
        parallel: Simulated parallel evaluation. None: one evaluation after the other.
        record_points: Evaluated points that are recorded. None: none.

    Raises:
        CampaignError: The budget is in seconds although no time is simulated, or the clock must be
            measured although time is simulated.
    """

    budget: Budget | Stages | None = None
    restarts: RestartScheme | int | None = None
    seed: int = 1
    final_target: bool = True
    timeout_seconds: float | None = None
    record: ObservedRecord = "targets"
    indicator: str | None = None
    archive: ArchiveKept = "all"
    clock: Clock = "none"
    parallel: Parallel | None = None
    record_points: PointChoice | None = None
    max_point_bytes: int = MAX_POINT_BYTES

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
        """The budget of each stage; one budget without stages. None in it: no budget."""
        return self.budget.budgets if isinstance(self.budget, Stages) else (self.budget,)

    def restarts_of(self, optimizer: OptimizerRef) -> RestartScheme:
        """Return the restart scheme of an optimizer; if it has none, the scheme of the campaign."""
        return scheme_of(self.restarts if optimizer.restarts is None else optimizer.restarts)

    @classmethod
    def from_header(cls, stored: Mapping[str, Any], folder: str = ".") -> RunRules:
        """Read the rules of the campaign in the header of a log, as `Campaign.from_header` does.

        Args:
            stored: The campaign of the header, as `complete_stored` returns it.
            folder: Folder of a relative path in the duration of parallel evaluations.

        Raises:
            CampaignError: A rule is missing, or a campaign file could not contain it.
        """
        if isinstance(parallel := stored.get("parallel"), dict):
            # The header also contains the checksum of the duration's file, which is not a rule.
            keys = [key for key in ("evaluators", "duration") if key in parallel]
            stored = {**stored, "parallel": {key: parallel[key] for key in keys}}
        rules = cls(*(read_stored(key, stored) for key in RUN_RULES))
        if rules.parallel is None:
            return rules
        return replace(rules, parallel=replace(rules.parallel, folder=folder))

    def description(self) -> dict[str, Any]:
        """Return the rules as JSON-able data, by the keys of the campaign file.

        ``budget`` is a text, or a list of texts if there are stages. The data of a log and of the
        campaign that continues it are compared; see `resume.check_unchanged`.
        """
        budgets = None if self.budget is None else [str(budget) for budget in self.stages]
        values = (getattr(self, entry.name) for entry in fields(self))
        return dict(zip(RUN_RULES, values, strict=True)) | {
            "budget": budgets if budgets is None or len(budgets) > 1 else budgets[0],
            "restarts": scheme_of(self.restarts).description(),
            "parallel": None if self.parallel is None else self.parallel.description(),
            "record_points": None
            if self.record_points is None
            else self.record_points.description(),
        }


RUN_RULES = tuple(entry.name.removesuffix("_seconds") for entry in fields(RunRules))
"""Keys of campaign files and logs for the attributes of `RunRules`, in the same order."""


@dataclass(frozen=True, slots=True)
class RunSpec:
    """Description of a run to be made, which is sent to worker processes.

    Attributes:
        problem: Identity of a problem of a registered suite, or the problem itself.
        optimizer: The optimizer.
        rules: Rules of the run.
        repetition: Number of the repetition, counted from 0.
        imports: Modules and files that are imported before the problem is made.
        suite: Definition of the problem's suite, for worker processes in which the suite is not
            registered. None: it is registered in all processes, or ``imports`` register it.
        indicator: Name and maker of the indicator of the run, for worker processes in which it is
            not registered. None: it is registered in all processes, or ``imports`` register it.
        stage: Index of the stage, counted from 0. The seed of a run does not depend on the stage.
            So a run of a later stage first repeats the run of the earlier stage, and continues it.
    """

    problem: ProblemId | Problem
    optimizer: OptimizerRef
    rules: RunRules = field(default_factory=RunRules)
    repetition: int = 0
    imports: tuple[str, ...] = ()
    suite: SuiteDefinition | None = None
    indicator: tuple[str, MakeIndicator] | None = None
    stage: int = 0

    @property
    def problem_id(self) -> ProblemId:
        """Identity of the problem."""
        return self.problem.problem_id if isinstance(self.problem, Problem) else self.problem

    @property
    def is_named(self) -> bool:
        """Whether the run is described by names, and contains no Python objects of the user."""
        return (
            isinstance(self.problem, ProblemId)
            and isinstance(self.optimizer.use, str)
            and not (self.rules.parallel and callable(self.rules.parallel.duration))
            and self.suite is None
            and self.indicator is None
        )

    @property
    def identity(self) -> RunIdentity:
        """Identity of the run, from which its key in the log is computed."""
        return RunIdentity(
            self.optimizer.name,
            self.problem_id,
            self.repetition,
            campaign_seed=self.rules.seed,
            stage=self.stage,
        )

    @property
    def budget(self) -> Budget | None:
        """Budget of the run's stage. None: no budget."""
        return self.rules.stages[self.stage]

    @property
    def budget_evaluations(self) -> int | None:
        """Maximum number of evaluations. None: no limit, or a budget in seconds."""
        budget = self.budget
        if budget is None or budget.count == "seconds":
            return None
        return budget.evaluations(self.problem_id.dimension)

    @property
    def budget_seconds(self) -> float:
        """Maximum simulated time in seconds. inf: no limit, or a budget of evaluations."""
        budget = self.budget
        return inf if budget is None or budget.count != "seconds" else budget.factor

    @property
    def budget_count(self) -> Count:
        """Evaluations that the budget counts, as in `Budget.count`. ``"f"`` if it counts none."""
        budget = self.budget
        return "f" if budget is None or budget.count == "seconds" else budget.count

    @property
    def restarts(self) -> RestartScheme:
        """Restart scheme of the optimizer; if it has none, the scheme of the campaign."""
        return self.rules.restarts_of(self.optimizer)

    @property
    def most_restarts(self) -> int | None:
        """Maximum number of restarts. None: only the budget limits them."""
        most = self.restarts.most
        return 0 if most is None and self.rules.budget is None else most

    def make_problem(self) -> Problem:
        """Return the problem. If the run has only its identity, make the problem."""
        if isinstance(self.problem, Problem):
            return self.problem
        return named_problem(self.problem)


def named_problem(problem_id: ProblemId) -> Problem:
    """Make the problem of a registered suite that has this identity."""
    return problem_of(
        problem_id.suite, problem_id.function, problem_id.dimension, problem_id.instance
    )


def _read_stored_suite(stored: Any) -> SuiteChoice:
    """Read an entry of ``suites`` in a log's header; raise CampaignError if it is damaged."""
    if not isinstance(stored, dict):
        raise CampaignError("an entry of suites must be a mapping")
    name = read_value(kinds.text, stored.get("name"), "the name of a suite")
    if not set(NUMBERS) & set(stored):
        raise CampaignError(
            f"the problems of suite {name[:60]!r} were given one by one: no campaign can name them"
        )
    for key in NUMBERS:
        # A campaign file may contain null for the standard numbers of a suite. A header never does.
        if key in stored and stored[key] is None:
            raise CampaignError(f"{key} of suite {name[:60]!r} must be numbers")
    numbers = (read_stored(key, stored) for key in NUMBERS)
    return SuiteChoice(name, *numbers)


def _read_stored_optimizer(name: Any, stored: Any, folder: str) -> OptimizerRef:
    """Read an entry of ``algorithms`` in a log's header; raise CampaignError if it is damaged."""
    where = f"algorithm {str(name)[:60]!r}: "
    if not isinstance(stored, dict):
        raise CampaignError(f"{where}it must be a mapping")
    values = {
        key: read_value(OPTIMIZER_KEYS[key].kind, value, key, where)
        for key, value in {**stored, "name": name}.items()
        if key in OPTIMIZER_KEYS
    }
    if "use" not in values:
        raise CampaignError(f"{where}key 'use' is missing")
    if not isinstance(values.get("parameters", {}), dict):
        raise CampaignError(f"{where}parameters must be a mapping")
    return OptimizerRef(**values, folder=folder)
