"""``firsthit.score``: one number for an optimizer, for those who search for optimizers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, SupportsFloat

import numpy as np

from .assessment import AssessmentError, Table
from .assessment.statistics.aocc import PrecisionScale, area_over_curve, mean_over_problems
from .assessment.tables.table import Value, table_of, text
from .loggers import RunRecord
from .runner import (
    Budget,
    CampaignError,
    ExecutorConfig,
    RestartScheme,
    RunRules,
    RunSpec,
    optimizer_ref,
    parse_budget,
)
from .runner.benchmarking import planned_runs
from .runner.campaign.keys import checked
from .runner.execution.execute import made_one_by_one
from .runner.optimizers.import_string import refuse_while_importing
from .score_presets import Part, filled
from .suites import Problem, ProblemId, Suite, definition
from .suites.selection import Selection

_checked = partial(checked, where="score: ")
_BROKEN = ("failed", "timeout", "interrupted")


@dataclass(frozen=True)
class Failure:
    """A run that failed, timed out or was interrupted.

    Attributes:
        problem: On which problem.
        repetition: Which run on it, from 0.
        evaluations: So many it had made.
        text: What went wrong: the error and where it was raised; then, a line each, the calls in
            the user's own files that led to it.
    """

    problem: ProblemId
    repetition: int
    evaluations: int
    text: str

    def __str__(self) -> str:
        return f"{self.problem}, after {self.evaluations} evaluations: {self.text}"


@dataclass(frozen=True, eq=False, repr=False)
class Score:
    """How good an optimizer is on some problems: a number between 0 and 1, larger is better.

    ``float(score)`` is its value, which ``f"{score:.3f}"`` formats; scores are ordered among each
    other and with numbers.

    Attributes:
        value: Mean over the problems of the area over the convergence curve (`area_over_curve`).
        low: Lower end of its confidence interval; NaN where the runs do not tell it.
        high: Upper end, likewise.
        by_problem: ``suite, function, dimension, instance, runs, failed, value``, a row for each
            problem, in the order of suite, dimension, function, instance.
        failures: Runs that broke off. They count in ``value`` with what they had reached until
            then, carried forward: 0 where they made no evaluation.
        evaluations: Made in all.
        notes: What the numbers rest on, in sentences.
    """

    value: float
    low: float
    high: float
    by_problem: Table
    failures: tuple[Failure, ...]
    evaluations: int
    notes: tuple[str, ...]

    def __float__(self) -> float:
        return self.value

    def __lt__(self, other: SupportsFloat) -> bool:
        return self.value < float(other)

    def __gt__(self, other: SupportsFloat) -> bool:
        return self.value > float(other)

    def __le__(self, other: SupportsFloat) -> bool:
        return self.value <= float(other)

    def __ge__(self, other: SupportsFloat) -> bool:
        return self.value >= float(other)

    def __format__(self, spec: str) -> str:
        return format(self.value, spec) if spec else str(self)

    def __repr__(self) -> str:
        return f"<Score {self}>"

    def __str__(self) -> str:
        shown = f"{text(self.value)} ({text(self.low)} … {text(self.high)})"
        runs = int(self.by_problem["runs"].sum())
        failed = f", {len(self.failures)} failed" if self.failures else ""
        return f"{shown} on {len(self.by_problem)} problems, {runs} runs{failed}"


def score(
    optimizer: object,
    suite: str | Suite | Iterable[Problem] | None = None,
    *,
    preset: Literal["blade"] | None = None,
    split: Mapping[str, Selection] | None = None,
    part: Part | None = None,
    functions: Selection | None = None,
    dimensions: Selection | None = None,
    instances: Selection | None = None,
    budget: int | float | str | Budget | None = None,
    lower: float | None = None,
    upper: float | None = None,
    restarts: int | Mapping[str, Any] | RestartScheme | None = None,
    repetitions: int = 1,
    parameters: dict[str, Any] | None = None,
    timeout: float | None = None,
    seed: int = 1,
    workers: int | str = 0,
    isolation: str = "algorithm",
    level: float = 0.95,
) -> Score:
    """Run an optimizer on all problems of a suite and give one number: its mean AOCC.

    The area over the convergence curve (AOCC) of a run is the mean over evaluations 1 … budget of
    ``1 - log10(best precision so far)``, clipped at ``lower`` and ``upper`` and scaled to [0, 1]
    (`area_over_curve`). A run that ends before its budget keeps its last value. The number is exact
    and the same for any number of workers; nothing is written, and of a run nothing is kept
    but its area.

    ``preset="blade"`` is the score of LLM-driven algorithm discovery (LLaMEA, BLADE): the 24
    functions of bbob in 2-D and 5-D, 2000·D evaluations, no restarts; instances 1 to 5 to find an
    algorithm, and with ``part="test"`` 6 to 15 to judge it.

    Args:
        optimizer: As of ``firsthit.benchmark``, as all arguments that are not named here.
        suite: Likewise. It and a budget are needed without a preset.
        preset: Says what is not given here.
        split: Two sets of instances without overlap, ``{"train": "1-5", "test": "6-15"}``; None:
            the preset's.
        part: Which of them; None: ``"train"``, where there is a split.
        functions: Likewise.
        dimensions: Likewise.
        instances: Likewise.
        budget: Evaluations of one run, such as ``"2000*D"``; with restarts, as many as
            fit. Stages are refused.
        lower: Precision from which on nothing is gained; None: 1e-8.
        upper: Precision above which nothing is lost; None: 1e2.
        restarts: Most restarts of one run.
        repetitions: Runs on each problem.
        parameters: Further arguments of the optimizer, by name.
        timeout: Seconds of wall time after which a run is ended.
        seed: Every run's own seed derives from it and the run's names.
        workers: 0 makes the runs in this process; a number of processes; ``"all"``.
        isolation: ``"run"``: each run has a process of its own.
        level: Of the interval.

    Returns:
        The score.

    Raises:
        FirsthitError: An argument is wrong, or a problem has no reference value, so that there are
            no precisions.
    """
    refuse_while_importing("score")
    given = {
        "suite": suite, "functions": functions, "dimensions": dimensions, "instances": instances,
        "budget": budget, "lower": lower, "upper": upper, "restarts": restarts,
    }  # fmt: skip
    asked, said = filled(preset, split, part, given)
    scale = PrecisionScale(asked["lower"], asked["upper"])
    if not 0 < level < 1:
        raise AssessmentError(f"level is {level!r}, must lie between 0 and 1")
    evaluations = parse_budget(asked["budget"])
    if not isinstance(evaluations, Budget):
        raise CampaignError("score: a budget of evaluations is needed, one for all: no stages")
    rules = RunRules(
        evaluations,
        _checked("restarts", asked["restarts"]),
        _checked("seed", seed),
        timeout_seconds=_checked("timeout", timeout),
        record="improvements",
        archive="none",
    )
    where = ExecutorConfig(_checked("workers", workers), isolation=_checked("isolation", isolation))
    refs = (optimizer_ref(optimizer, parameters=parameters),)
    filters = (asked["functions"], asked["dimensions"], asked["instances"])
    runs = [
        replace(run, rules=replace(rules, final_target=_ends_early(run, scale.lower)))
        for run in planned_runs(
            refs, asked["suite"], filters, rules, _checked("repetitions", repetitions), where
        )
    ]
    scored = sorted(
        (_scored(run, scale) for run in made_one_by_one(runs, where)), key=lambda one: one.place
    )
    found = _score(scored, scale, asked["budget"], level)
    return replace(found, notes=(*said, *found.notes))


def _ends_early(run: RunSpec, lower: float) -> bool:
    """Whether nothing that matters comes after the final target of the problem's suite."""
    if isinstance(run.problem, Problem):
        final = run.problem.measurement.final_target
    else:
        final = definition(run.problem.suite).measurement.final_target
    return final is not None and final <= lower


@dataclass(frozen=True, slots=True)
class _Scored:
    """What is kept of a run."""

    problem: ProblemId
    repetition: int
    evaluations: int
    area: float
    error: str | None

    @property
    def place(self) -> tuple[str, int, int, int, int]:
        one = self.problem
        return one.suite, one.dimension, one.function, one.instance, self.repetition


def _scored(run: RunRecord, scale: PrecisionScale) -> _Scored:
    problem = run.identity.problem
    if np.isnan(run.reference_value):
        raise AssessmentError(f"score: {problem} has no reference value, so there is no precision")
    assert run.budget is not None
    hits, area = run.hits, 0.0
    if len(hits):
        curve = hits["evaluation"], hits["precision"]
        area = float(area_over_curve(*curve, run.budget, scale))
    error = (run.error or run.status) if run.status in _BROKEN else None
    return _Scored(problem, run.identity.repetition, run.evaluations, area, error)


def _score(scored: Sequence[_Scored], scale: PrecisionScale, budget: object, level: float) -> Score:
    problems = list(dict.fromkeys(one.problem for one in scored))
    number = {problem: i for i, problem in enumerate(problems)}
    cells = [(one.suite, one.dimension, one.function) for one in problems]
    cell = {name: i for i, name in enumerate(dict.fromkeys(cells))}
    place = np.array([number[one.problem] for one in scored])
    areas = np.array([one.area for one in scored])
    function = np.array([cell[cells[i]] for i in place.tolist()])
    (value, low, high), meaning = mean_over_problems(areas, function, place, level)
    broken = np.array([one.error is not None for one in scored])
    rows: list[list[Value]] = [
        [
            problem.suite, problem.function, problem.dimension, problem.instance,
            int((place == i).sum()), int(broken[place == i].sum()), float(areas[place == i].mean()),
        ]
        for i, problem in enumerate(problems)
    ]  # fmt: skip
    names = ("suite", "function", "dimension", "instance", "runs", "failed", "value")
    failures = tuple(
        Failure(one.problem, one.repetition, one.evaluations, one.error)
        for one in scored
        if one.error is not None
    )
    notes = (
        f"mean over {len(problems)} problems of the area over the convergence curve up to "
        f"{budget} evaluations, precisions from {scale.upper:g} to {scale.lower:g} on a "
        "logarithmic scale; a run that ended before keeps its last value.",
        meaning,
    )
    evaluations = sum(one.evaluations for one in scored)
    return Score(float(value), float(low), float(high), Table(table_of(names, rows)), failures,
                 evaluations, notes)  # fmt: skip
