"""Run optimizers on all problems of a suite, and return their results or one number.

`benchmark` makes the runs, logs them and returns the `Results` of the log. `score` makes the runs
of one optimizer without a log. It returns a `Score`: the mean area over the convergence curve
(AOCC) of the optimizer. The arguments of `score` may come from a preset (`PRESETS`). Its instances
may be one part of a split into instances for training and instances for testing (`checked_split`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, SupportsFloat, get_args

import numpy as np

from .assessment import AssessmentError, Results, Table
from .assessment.statistics.aocc import PrecisionScale, area_over_curve, mean_over_problems
from .assessment.tables.table import Value, table_of, text
from .loggers.records.points import MAX_POINT_BYTES, RecordPoints
from .loggers.records.run_record import ArchiveKept, Clock, ObservedRecord, RunRecord
from .runner import CampaignError, Parallel, RestartScheme
from .runner.benchmarking import plan_benchmark
from .runner.campaign.budget import Budget, parse_budget
from .runner.campaign.campaign import RunRules, RunSpec
from .runner.campaign.keys import checked
from .runner.execution.execute import make_records
from .runner.executors.executor import ExecutorConfig, Isolation
from .runner.optimizers.import_string import refuse_while_importing
from .runner.optimizers.resolve import optimizer_ref, optimizer_refs
from .suites import Problem, Suite
from .suites.errors import SelectionError, UnknownNameError
from .suites.facts import ProblemId
from .suites.selection import Selection, parse_selection, ranges
from .suites.suite import definition

Part = Literal["train", "test"]
"""Part of a split: instances on which an algorithm is developed, or on which it is judged."""
PARTS: tuple[Part, ...] = get_args(Part)
_check_for_score = partial(checked, where="score: ")
_FAILURE_STATUSES = ("failed", "timeout", "interrupted")
"""Statuses of runs that `Score.failures` lists."""

PRESETS: dict[str, dict[str, Any]] = {
    # LLaMEA and BLADE (van Stein and Bäck 2024, arXiv:2405.20132). Runs are not restarted.
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
"""Arguments of `score` by the name of the preset."""


def benchmark(
    optimizer: object,
    suite: str | Suite | Iterable[Problem],
    *,
    functions: Selection | None = None,
    dimensions: Selection | None = None,
    instances: Selection | None = None,
    budget: float | str | Sequence[float | str] | None = None,
    restarts: int | Mapping[str, Any] | RestartScheme | None = None,
    repetitions: int = 1,
    seed: int = 1,
    workers: int | str = 0,
    cluster: str | None = None,
    threads: int = 1,
    isolation: Isolation = "algorithm",
    output: str | Path | None = None,
    algorithm: str | None = None,
    parameters: dict[str, Any] | None = None,
    final_target: bool = True,
    timeout: float | None = None,
    record: ObservedRecord = "targets",
    indicator: str | None = None,
    archive: ArchiveKept = "all",
    clock: Clock = "none",
    parallel: Parallel | Mapping[str, Any] | None = None,
    record_points: RecordPoints | None = None,
    max_point_bytes: int = MAX_POINT_BYTES,
    resume: bool = False,
    overwrite: bool = False,
    retry_failed: bool = False,
    accept_changes: bool | Collection[str] = False,
    progress: bool | None = None,
) -> Results:
    """Run one or several optimizers on all problems of a suite, and log the first hits of targets.

    Args:
        optimizer: One optimizer or several. An optimizer is a callable that takes by name the
            arguments that it needs: the problem first, then any of ``x0, bounds, lower_bounds,
            upper_bounds, dimension, budget, rng, seed, start``. It may also be a class or function
            that makes an object with ``ask()`` and ``tell()``; or a text
            (``"scipy:Nelder-Mead"``, ``"module:function"``, ``"path/file.py:function"``). Several
            optimizers are a list, ``[solve, "scipy:Nelder-Mead"]``, or a mapping from their names,
            ``{"mine": solve, "simplex": "scipy:Nelder-Mead"}``. An optimizer with parameters is
            written ``{"use": …, "parameters": {…}}``.
        suite: The name of a registered suite, a ``Suite``, or problems.
        functions: The functions of the named suite: an int, a list, a range, or ``"1-5,7"``. None:
            all.
        dimensions: The dimensions of the named suite, in the form of ``functions``.
        instances: The instances of the named suite, in the form of ``functions``.
        budget: Evaluations of one run: a number or ``"1e3*D"``. None: a run has no limit and ends
            when the optimizer ends. Stages, ``[100, 1000]`` or ``"[1, 2, 5]*D"``, run all problems
            with the first budget and then all with the next one, whose runs replace the earlier
            runs in assessments.
        restarts: The maximum number of restarts of one run. None: as many as the budget allows, and
            none without a budget. ``{"most": 9, "multiply": {"popsize": 2}}`` multiplies a
            parameter at each restart.
        repetitions: Runs on each problem.
        seed: The seed from which, with the names of a run, the seed of the run is derived.
        workers: The number of worker processes, which make runs at the same time; ``"all"``: one
            for each processor. 0: the runs are made in this process, and a crash ends it. What the
            optimizers print in worker processes is written to files in the folder
            ``NAME.h5.output`` beside ``output``; without ``output``, only the end of it is kept.
        cluster: A Dask cluster to run on: ``"tcp://host:port"``, the path of a scheduler file, or
            ``"local"``.
        threads: Threads of each worker process in BLAS, OpenMP and numba.
        isolation: Which runs share a worker process: ``"algorithm"``, the runs of one algorithm, so
            that no algorithm is affected by another; or ``"run"``, a process for each run.
        output: The path of the log, ``NAME.h5``; None: a temporary log. An existing log is an error
            unless ``resume`` or ``overwrite`` is True.
        algorithm: The name of a single optimizer in tables. Default: the name of the callable.
        parameters: Further arguments of a single optimizer, by name.
        final_target: Whether a run ends when it hits the final target of the suite.
        timeout: Seconds of wall time after which a run is ended, at its next evaluation. A run that
            does not evaluate can be ended only with ``workers >= 1``, because it then has a
            process that can be stopped.
        record: ``"targets"``, or ``"improvements"`` to log every improvement.
        indicator: The name of the indicator to which targets apply. Default: that of the suite.
        archive: The points that the log keeps of the archive of two objectives: ``"all"`` points
            that entered it, the ``"final"`` points that remain at the end, or ``"none"``.
        clock: ``"measured"`` records the wall time of each hit in seconds since the begin of the
            run. These times depend on the machine and differ from run to run.
        parallel: Evaluations in parallel, in simulated time: ``Parallel(evaluators=8,
            duration="lognormal(0, 0.5)")``. A budget may then be ``"60 seconds"``.
        record_points: The points that the log keeps with their values. ``"hits"``: those of the
            recorded hits and improvements. ``"all"``: those of all evaluations. ``{"first":
            "50*D"}``: those of the first evaluations of each run. None: none.
        max_point_bytes: The maximum size of the points of one run, in bytes before compression. A
            run that reaches it records no further points, and the log has a note. Default: 100 MB.
        resume: Continue ``output``: make only the runs that are missing in it. Changes of the code
            of a callable since the last run are not detected.
        overwrite: Replace ``output``. Its runs are deleted after all arguments were checked.
        retry_failed: With ``resume``, repeat failed and timed out runs, and replace them.
        accept_changes: With ``resume``, repeat failed and timed out runs also if the file that a
            text names has changed; the log records which file made which run. With names of
            algorithms, ``["mine"]``, accept the changes of these algorithms only, and repeat their
            finished runs, too.
        progress: Whether to show the progress. Default: if there are many runs.

    Returns:
        The results, as `firsthit.load` returns them; their log is the attribute ``log``.

    Raises:
        FirsthitError: An argument is wrong; the text says which one and what is allowed.
        LogExistsError: ``output`` exists.

    Warns:
        FirsthitWarning: Before the runs, if a problem has no optimal value, so that no target
            applies to it. After the runs, if some failed: their number, the first error, and the
            last lines that this run printed in a worker process.

    Example:
        >>> import firsthit
        >>> def search(problem, x0, rng):
        ...     while True:  # the budget ends the run
        ...         problem(x0 + rng.normal(size=problem.dimension))
        >>> optimizers = {"mine": search, "random": "random-search"}
        >>> results = firsthit.benchmark(
        ...     optimizers, "bbob", functions=1, dimensions=2, instances="1-5", budget="100*D"
        ... )
        >>> print(results.art(targets=[1e1, 1e0]))
        algorithm  suite  function  dimension  runs  1e1          1e0
        mine       bbob          1          2     5  4.2  164.3 (3/5)
        random     bbob          1          2     5  2.6           11
    """
    refuse_while_importing("benchmark")
    check = partial(checked, where="benchmark: ")
    rules = RunRules(
        parse_budget(budget), check("restarts", restarts), check("seed", seed),
        bool(final_target), check("timeout", timeout), check("record", record),
        check("indicator", indicator), check("archive", archive),
        check("clock", clock), check("parallel", parallel),
        check("record_points", record_points), check("max_point_bytes", max_point_bytes),
    )  # fmt: skip
    executor = ExecutorConfig(
        check("workers", workers), check("cluster", cluster),
        check("threads", threads), check("isolation", isolation),
    )  # fmt: skip
    plan = plan_benchmark(
        optimizer_refs(optimizer, algorithm, parameters),
        suite,
        (functions, dimensions, instances),
        rules,
        check("repetitions", repetitions),
        executor,
    )
    log = plan.run(
        output,
        resume=resume,
        overwrite=overwrite,
        retry_failed=retry_failed,
        accept_changes=accept_changes,
        progress=progress,
    )
    return Results(log)


@dataclass(frozen=True)
class Failure:
    """A run that failed, timed out or was interrupted.

    Attributes:
        problem: The problem of the run.
        repetition: The number of the run on this problem, counted from 0.
        evaluations: The number of evaluations before the failure.
        text: The first line is the error and the line of code that raised it. Each further line is
            a call in the user's files that led to the error.
    """

    problem: ProblemId
    repetition: int
    evaluations: int
    text: str

    def __str__(self) -> str:
        return f"{self.problem}, after {self.evaluations} evaluations: {self.text}"


@dataclass(frozen=True, eq=False, repr=False)
class Score:
    """The quality of an optimizer on some problems: a number from 0 to 1. Larger is better.

    ``float(score)`` returns the value, and ``f"{score:.3f}"`` formats it. Scores can be compared
    with each other and with numbers.

    Attributes:
        value: Mean over the problems of the area over the convergence curve (`area_over_curve`).
        low: Lower end of the confidence interval of ``value``. NaN if a function has only one run
            in a dimension.
        high: Upper end of the confidence interval, or NaN.
        by_problem: Table with the columns ``suite, function, dimension, instance, runs, failed,
            value`` and one row for each problem. The rows are sorted by suite, dimension, function
            and instance.
        failures: Runs that failed, timed out or were interrupted. For ``value``, their best
            precision stays constant until the end of the budget. The area of a run without
            evaluations is 0.
        evaluations: The number of evaluations of all runs.
        notes: Sentences that explain how the numbers were computed.

    Example:
        >>> import firsthit
        >>> score = firsthit.score(
        ...     "random-search", "bbob", functions=1, dimensions=2, instances="1-3", budget=100
        ... )
        >>> print(score)
        0.2174 (0.1241 … 0.3106) on 3 problems, 3 runs
        >>> score > 0.2, f"{score:.3f}", score.evaluations
        (True, '0.217', 300)
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
    budget: float | str | None = None,
    lower: float | None = None,
    upper: float | None = None,
    restarts: int | Mapping[str, Any] | RestartScheme | None = None,
    repetitions: int = 1,
    parameters: dict[str, Any] | None = None,
    timeout: float | None = None,
    seed: int = 1,
    workers: int | str = 0,
    isolation: Isolation = "algorithm",
    level: float = 0.95,
) -> Score:
    """Run an optimizer on all problems of a suite and give one number: its mean AOCC.

    The area over the convergence curve (AOCC) of a run is the mean over evaluations 1 … budget of
    ``1 - log10(best precision so far)``, clipped at ``lower`` and ``upper`` and scaled to [0, 1]
    (`area_over_curve`). A run that ends before its budget keeps its last value. The number is exact
    and does not depend on the number of workers. No log is written, and only the area of each run
    is kept in memory.

    ``preset="blade"`` is the score of LLM-driven algorithm discovery (LLaMEA, BLADE): the 24
    functions of bbob in 2-D and 5-D, 2000·D evaluations, no restarts. Instances 1 to 5 are for
    finding an algorithm, and with ``part="test"`` instances 6 to 15 are for judging it.

    Args:
        optimizer: One optimizer, in the form that `benchmark` accepts.
        suite: The name of a registered suite, a ``Suite``, or problems. Required without a preset.
        preset: The name of a set of values for arguments that are None.
        split: Two sets of instances without overlap, ``{"train": "1-5", "test": "6-15"}``. None:
            the split of the preset.
        part: The part of the split to run on. None: ``"train"`` if there is a split.
        functions: The functions of the named suite, in the form that `benchmark` accepts.
        dimensions: The dimensions of the named suite.
        instances: The instances of the named suite; not allowed with a split.
        budget: Evaluations of one run, with all of its restarts: a number or ``"2000*D"``. Required
            without a preset. Stages are refused.
        lower: Precisions below this value count as this value. None: 1e-8.
        upper: Precisions above this value count as this value. None: 1e2.
        restarts: The maximum number of restarts of one run. None: as many as the budget allows.
        repetitions: Runs on each problem.
        parameters: Further arguments of the optimizer, by name.
        timeout: Seconds of wall time after which a run is ended.
        seed: The seed from which, with the names of a run, the seed of the run is derived.
        workers: The number of worker processes; ``"all"``: one for each processor. 0: the runs are
            made in this process.
        isolation: ``"algorithm"``, or ``"run"`` for a process for each run.
        level: Confidence level of the interval, between 0 and 1.

    Returns:
        The score.

    Raises:
        FirsthitError: An argument is wrong, or a problem has no reference value, so that its
            precisions are unknown.

    Example:
        >>> import firsthit
        >>> score = firsthit.score(
        ...     "random-search", "bbob", functions=[1, 8], dimensions=2, budget="50*D"
        ... )
        >>> print(score)
        0.1816 (0.1607 … 0.2025) on 30 problems, 30 runs
    """
    refuse_while_importing("score")
    requested = {
        "suite": suite, "functions": functions, "dimensions": dimensions, "instances": instances,
        "budget": budget, "lower": lower, "upper": upper, "restarts": restarts,
    }  # fmt: skip
    arguments, preset_notes = _fill_arguments(preset, split, part, requested)
    scale = PrecisionScale(arguments["lower"], arguments["upper"])
    if not 0 < level < 1:
        raise AssessmentError(f"level is {level!r}, must lie between 0 and 1")
    evaluations = parse_budget(arguments["budget"])
    if not isinstance(evaluations, Budget):
        raise CampaignError("score: a budget of evaluations is needed, one for all: no stages")
    rules = RunRules(
        evaluations,
        _check_for_score("restarts", arguments["restarts"]),
        _check_for_score("seed", seed),
        timeout_seconds=_check_for_score("timeout", timeout),
        record="improvements",
        archive="none",
    )
    executor = ExecutorConfig(
        _check_for_score("workers", workers), isolation=_check_for_score("isolation", isolation)
    )
    refs = (optimizer_ref(optimizer, parameters=parameters),)
    filters = (arguments["functions"], arguments["dimensions"], arguments["instances"])
    plan = plan_benchmark(
        refs,
        arguments["suite"],
        filters,
        rules,
        _check_for_score("repetitions", repetitions),
        executor,
    )
    runs = [
        replace(run, rules=replace(rules, final_target=_may_stop_at_final_target(run, scale.lower)))
        for run in plan.runs
    ]
    # Workers return the runs in any order. The runs are sorted, because the last bit of a sum of
    # floats depends on the order of the terms.
    scored_runs = sorted(
        (_score_run(record, scale) for record in make_records(runs, executor)),
        key=lambda run: run.sort_key,
    )
    result = _combine(scored_runs, scale, arguments["budget"], level)
    return replace(result, notes=(*preset_notes, *result.notes))


@dataclass(frozen=True, slots=True)
class _ScoredRun:
    """Data of a run from which a score is computed.

    Attributes:
        problem: The problem of the run.
        repetition: The number of the run on this problem, counted from 0.
        evaluations: The number of evaluations.
        area: Area over the convergence curve, from 0 to 1.
        error: Error of a run that failed. None: the run did not fail.
    """

    problem: ProblemId
    repetition: int
    evaluations: int
    area: float
    error: str | None

    @property
    def sort_key(self) -> tuple[str, int, int, int, int]:
        """Suite, dimension, function, instance and repetition."""
        problem = self.problem
        return problem.suite, problem.dimension, problem.function, problem.instance, self.repetition


def _may_stop_at_final_target(run: RunSpec, lower: float) -> bool:
    """Return whether a run may stop at the final target of the problem's suite.

    Args:
        run: The run.
        lower: Lower limit of precisions. Smaller precisions do not improve the score.
    """
    if isinstance(run.problem, Problem):
        final_target = run.problem.measurement.final_target
    else:
        final_target = definition(run.problem.suite).measurement.final_target
    return final_target is not None and final_target <= lower


def _score_run(run: RunRecord, scale: PrecisionScale) -> _ScoredRun:
    """Compute the area over the convergence curve of a run.

    Raises:
        AssessmentError: The problem has no reference value, so that precisions are unknown.
    """
    problem = run.identity.problem
    if np.isnan(run.reference_value):
        raise AssessmentError(f"score: {problem} has no reference value, so there is no precision")
    assert run.budget is not None
    hits, area = run.hits, 0.0
    if len(hits):
        area = float(area_over_curve(hits["evaluation"], hits["precision"], run.budget, scale))
    error = (run.error or run.status) if run.status in _FAILURE_STATUSES else None
    return _ScoredRun(problem, run.identity.repetition, run.evaluations, area, error)


def _combine(
    runs: Sequence[_ScoredRun], scale: PrecisionScale, budget: object, level: float
) -> Score:
    """Compute a score from runs.

    Args:
        runs: The runs, sorted by `_ScoredRun.sort_key`.
        scale: Limits of precisions.
        budget: Budget of a run as the user wrote it, for a note.
        level: Confidence level of the interval.
    """
    problems = list(dict.fromkeys(run.problem for run in runs))
    problem_indices = {problem: i for i, problem in enumerate(problems)}
    # If each problem has only one run, the confidence interval treats the problems of a function in
    # one dimension as repeated measurements. `function_of_run` numbers these groups.
    functions = [(problem.suite, problem.dimension, problem.function) for problem in problems]
    function_indices = {name: i for i, name in enumerate(dict.fromkeys(functions))}
    problem_of_run = np.array([problem_indices[run.problem] for run in runs])
    function_of_run = np.array([function_indices[functions[i]] for i in problem_of_run.tolist()])
    areas = np.array([run.area for run in runs])
    is_failed = np.array([run.error is not None for run in runs])
    (value, low, high), interval_note = mean_over_problems(
        areas, function_of_run, problem_of_run, level
    )
    rows: list[list[Value]] = []
    for i, problem in enumerate(problems):
        is_on_problem = problem_of_run == i
        rows.append([
            problem.suite, problem.function, problem.dimension, problem.instance,
            int(is_on_problem.sum()), int(is_failed[is_on_problem].sum()),
            float(areas[is_on_problem].mean()),
        ])  # fmt: skip
    columns = ("suite", "function", "dimension", "instance", "runs", "failed", "value")
    failures = tuple(
        Failure(run.problem, run.repetition, run.evaluations, run.error)
        for run in runs
        if run.error is not None
    )
    notes = (
        f"mean over {len(problems)} problems of the area over the convergence curve up to "
        f"{budget} evaluations, precisions from {scale.upper:g} to {scale.lower:g} on a "
        "logarithmic scale; a run that ended before keeps its last value.",
        interval_note,
    )
    return Score(
        float(value), float(low), float(high), Table(table_of(columns, rows)), failures,
        sum(run.evaluations for run in runs), notes,
    )  # fmt: skip


def checked_split(split: Mapping[str, Selection]) -> dict[Part, tuple[int, ...]]:
    """Check a split of instances, and return the instances of both parts.

    An algorithm is developed on the part ``train``, and judged on the part ``test``.

    Args:
        split: Instances of each part by its name, in the form of ``instances`` of `benchmark`.

    Raises:
        UnknownNameError: The split has a part with another name.
        CampaignError: A part is missing.
        SelectionError: A text does not select instances, or an instance is in both parts.

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


def _fill_arguments(
    preset: str | None,
    split: Mapping[str, Selection] | None,
    part: Part | None,
    requested: Mapping[str, Any],
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Complete the arguments of `score` with the values of a preset and of a split.

    Args:
        preset: Name of the preset. None: no preset.
        split: Split of the user. None: the split of the preset, if it has one.
        part: Part of the split. None: ``"train"`` if there is a split.
        requested: Arguments that the user passed. None in it: the user did not pass the argument.

    Returns:
        The arguments, and notes about the preset and the split.

    Raises:
        UnknownNameError: The preset or the part does not exist.
        CampaignError: An argument is missing, or arguments contradict each other.
        SelectionError: The split is invalid.
    """
    if preset is not None and preset not in PRESETS:
        raise UnknownNameError.of("preset", preset, PRESETS)
    if part is not None and part not in PARTS:
        raise UnknownNameError.of("part of the split", part, PARTS)
    defaults: Mapping[str, Any] = (
        {"lower": 1e-8, "upper": 1e2} if preset is None else PRESETS[preset]
    )
    arguments = {
        name: defaults.get(name) if value is None else value for name, value in requested.items()
    }
    notes: tuple[str, ...] = ()
    if preset is not None:
        changed = [
            name for name, value in requested.items() if value is not None and name in defaults
        ]
        notes = (f"preset {preset}" + f", but another {', '.join(changed)}" * bool(changed) + ".",)
    split = split or defaults.get("split")
    if split is None and part is not None:
        raise CampaignError(f"score: part {part!r} of which split? Name a split or a preset")
    if split is not None:
        if requested["instances"] is not None:
            raise CampaignError("score: instances: the split says which; leave them or it out")
        part = part or "train"
        arguments["instances"] = instances = checked_split(split)[part]
        notes += (f"instances {ranges(instances)}, to {part}.",)
    for name in ("suite", "budget"):
        if arguments[name] is None:
            raise CampaignError(f"score: {name} is missing; give it, or preset='blade'")
    return arguments, notes
