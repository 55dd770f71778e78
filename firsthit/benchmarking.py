"""``firsthit.benchmark`` and ``firsthit.score``: results of an optimizer, or one number for it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, wraps
from typing import Any, Literal, ParamSpec, SupportsFloat, get_args

import numpy as np

from . import runner
from .assessment import AssessmentError, Results, Table
from .assessment.statistics.aocc import PrecisionScale, area_over_curve, mean_over_problems
from .assessment.tables.table import Value, table_of, text
from .loggers import Log
from .loggers.records.run_record import RunRecord
from .runner import CampaignError, RestartScheme
from .runner.benchmarking import planned_runs
from .runner.campaign.budget import Budget, parse_budget
from .runner.campaign.campaign import RunRules, RunSpec
from .runner.campaign.keys import checked
from .runner.execution.execute import make_records
from .runner.executors.executor import ExecutorConfig
from .runner.optimizers.import_string import refuse_while_importing
from .runner.optimizers.resolve import optimizer_ref
from .suites import Problem, Suite
from .suites.errors import SelectionError, UnknownNameError
from .suites.facts import ProblemId
from .suites.selection import Selection, parse_selection, ranges
from .suites.suite import definition

Arguments = ParamSpec("Arguments")
Part = Literal["train", "test"]
PARTS: tuple[Part, ...] = get_args(Part)
_checked = partial(checked, where="score: ")
_BROKEN = ("failed", "timeout", "interrupted")


def _with_results(experiment: Callable[Arguments, Log]) -> Callable[Arguments, Results]:
    @wraps(experiment)
    def run(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Results:
        return Results(experiment(*args, **kwargs))

    docstring = (experiment.__doc__ or "").replace(
        "The log.\n", "The results, as from ``firsthit.load``; the log itself is ``.log``.\n"
    )
    run.__doc__ = docstring
    run.__module__ = __name__
    run.__annotations__["return"] = "Results"
    signature = inspect.signature(experiment).replace(return_annotation="Results")
    run.__signature__ = signature  # type: ignore[attr-defined]
    return run


benchmark = _with_results(runner.benchmark)


@dataclass(frozen=True)
class Failure:
    """A run that failed, timed out or was interrupted.

    Attributes:
        problem: On which problem.
        repetition: Which run on it, from 0.
        evaluations: How many it had made.
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
        interval = f"{text(self.value)} ({text(self.low)} … {text(self.high)})"
        runs = int(self.by_problem["runs"].sum())
        failed = f", {len(self.failures)} failed" if self.failures else ""
        return f"{interval} on {len(self.by_problem)} problems, {runs} runs{failed}"


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
    arguments, preset_notes = filled(preset, split, part, given)
    scale = PrecisionScale(arguments["lower"], arguments["upper"])
    if not 0 < level < 1:
        raise AssessmentError(f"level is {level!r}, must lie between 0 and 1")
    evaluations = parse_budget(arguments["budget"])
    if not isinstance(evaluations, Budget):
        raise CampaignError("score: a budget of evaluations is needed, one for all: no stages")
    rules = RunRules(
        evaluations,
        _checked("restarts", arguments["restarts"]),
        _checked("seed", seed),
        timeout_seconds=_checked("timeout", timeout),
        record="improvements",
        archive="none",
    )
    where = ExecutorConfig(_checked("workers", workers), isolation=_checked("isolation", isolation))
    refs = (optimizer_ref(optimizer, parameters=parameters),)
    filters = (arguments["functions"], arguments["dimensions"], arguments["instances"])
    runs = [
        replace(run, rules=replace(rules, final_target=_ends_early(run, scale.lower)))
        for run in planned_runs(
            refs, arguments["suite"], filters, rules, _checked("repetitions", repetitions), where
        )
    ]
    scored = sorted(
        (_scored(run, scale) for run in make_records(runs, where)), key=lambda run: run.place
    )
    found = _score(scored, scale, arguments["budget"], level)
    return replace(found, notes=(*preset_notes, *found.notes))


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
        problem = self.problem
        return problem.suite, problem.dimension, problem.function, problem.instance, self.repetition


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
    problems = list(dict.fromkeys(run.problem for run in scored))
    number = {problem: i for i, problem in enumerate(problems)}
    cells = [(problem.suite, problem.dimension, problem.function) for problem in problems]
    cell = {name: i for i, name in enumerate(dict.fromkeys(cells))}
    place = np.array([number[run.problem] for run in scored])
    areas = np.array([run.area for run in scored])
    function = np.array([cell[cells[i]] for i in place.tolist()])
    (value, low, high), meaning = mean_over_problems(areas, function, place, level)
    broken = np.array([run.error is not None for run in scored])
    rows: list[list[Value]] = [
        [
            problem.suite, problem.function, problem.dimension, problem.instance,
            int((place == i).sum()), int(broken[place == i].sum()), float(areas[place == i].mean()),
        ]
        for i, problem in enumerate(problems)
    ]  # fmt: skip
    names = ("suite", "function", "dimension", "instance", "runs", "failed", "value")
    failures = tuple(
        Failure(run.problem, run.repetition, run.evaluations, run.error)
        for run in scored
        if run.error is not None
    )
    notes = (
        f"mean over {len(problems)} problems of the area over the convergence curve up to "
        f"{budget} evaluations, precisions from {scale.upper:g} to {scale.lower:g} on a "
        "logarithmic scale; a run that ended before keeps its last value.",
        meaning,
    )
    evaluations = sum(run.evaluations for run in scored)
    return Score(float(value), float(low), float(high), Table(table_of(names, rows)), failures,
                 evaluations, notes)  # fmt: skip


def checked_split(split: Mapping[str, Selection]) -> dict[Part, tuple[int, ...]]:
    """Instances that an algorithm is found on, ``train``, and others to judge it on, ``test``.

    >>> checked_split({"train": "1-3", "test": [7, 8]})
    {'train': (1, 2, 3), 'test': (7, 8)}
    """
    for name in split:
        if name not in PARTS:
            raise UnknownNameError.of("part of the split", name, PARTS)
    if len(split) < len(PARTS):
        raise CampaignError("split: two parts are needed, such as train='1-5', test='6-15'")
    parts = {n: parse_selection(split[n], None, f"{n} instances", "split") for n in PARTS}
    if both := sorted({*parts["train"]} & {*parts["test"]}):
        raise SelectionError(
            f"split: instances {ranges(both)} are in both parts; how good an algorithm is on "
            "instances that it was found on says nothing of others"
        )
    return parts


PRESETS: dict[str, dict[str, Any]] = {
    # LLaMEA and BLADE (van Stein and Bäck 2024, arXiv:2405.20132): runs are not restarted
    "blade": {
        "suite": "bbob",
        "functions": "1-24",
        "dimensions": (2, 5),
        "budget": "2000*D",
        "lower": 1e-8,
        "upper": 1e2,
        "restarts": 0,
        "split": {"train": "1-5", "test": "6-15"},
    }
}


def filled(
    preset: str | None,
    split: Mapping[str, Selection] | None,
    part: Part | None,
    given: Mapping[str, Any],
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Arguments of ``score``, with what a preset or a split says in place of None; and notes."""
    if preset is not None and preset not in PRESETS:
        raise UnknownNameError.of("preset", preset, PRESETS)
    if part is not None and part not in PARTS:
        raise UnknownNameError.of("part of the split", part, PARTS)
    usual: Mapping[str, Any] = {"lower": 1e-8, "upper": 1e2} if preset is None else PRESETS[preset]
    arguments = {name: usual.get(name) if value is None else value for name, value in given.items()}
    notes: tuple[str, ...] = ()
    if preset is not None:
        other = [name for name, value in given.items() if value is not None and name in usual]
        notes = (f"preset {preset}" + f", but another {', '.join(other)}" * bool(other) + ".",)
    split = split or usual.get("split")
    if split is None and part is not None:
        raise CampaignError(f"score: part {part!r} of which split? Name a split or a preset")
    if split is not None:
        if given["instances"] is not None:
            raise CampaignError("score: instances: the split says which; leave them or it out")
        part = part or "train"
        arguments["instances"] = instances = checked_split(split)[part]
        notes += (f"instances {ranges(instances)}, to {part}.",)
    for name in ("suite", "budget"):
        if arguments[name] is None:
            raise CampaignError(f"score: {name} is missing; give it, or preset='blade'")
    return arguments, notes
