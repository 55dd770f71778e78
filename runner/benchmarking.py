"""``benchmark``: one or several optimizers on a suite, from Python."""

from __future__ import annotations

import itertools
import math
import sys
import warnings
import weakref
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from ..loggers import Log, read_log
from ..loggers.records.log_header import LogHeader
from ..suites import Problem, Suite
from ..suites.facts import ProblemId
from ..suites.selection import Selection
from ..suites.suite import SuiteDefinition, definition
from .campaign.budget import Budget, Stages, parse_budget
from .campaign.campaign import RunRules, RunSpec
from .campaign.checks import check_fit, note_on_unknown_optima
from .campaign.keys import checked
from .campaign.plan import check_runs
from .campaign.resume import open_log
from .errors import CampaignError, FirsthitWarning
from .execution.execute import execute
from .execution.progress import Progress, SilentProgress, default_progress
from .executors.executor import ExecutorConfig, portable_dumps
from .optimizers.import_string import refuse_while_importing
from .optimizers.parallel import Parallel
from .optimizers.resolve import OptimizerRef, optimizer_refs
from .optimizers.restarts import RestartScheme

_MANY_RUNS = 20
_checked = partial(checked, where="benchmark: ")
_FIRSTHIT = __name__.partition(".")[0]


def benchmark(
    optimizer: object,
    suite: str | Suite | Iterable[Problem],
    *,
    functions: Selection | None = None,
    dimensions: Selection | None = None,
    instances: Selection | None = None,
    budget: int | float | str | Budget | Stages | Sequence[Any] | None = None,
    restarts: int | Mapping[str, Any] | RestartScheme | None = None,
    repetitions: int = 1,
    seed: int = 1,
    workers: int | str = 0,
    cluster: str | None = None,
    threads: int = 1,
    isolation: str = "algorithm",
    output: str | Path | None = None,
    algorithm: str | None = None,
    parameters: dict[str, Any] | None = None,
    final_target: bool = True,
    timeout: float | None = None,
    record: str = "targets",
    indicator: str | None = None,
    archive: str = "all",
    clock: str = "none",
    parallel: Parallel | Mapping[str, Any] | None = None,
    resume: bool = False,
    overwrite: bool = False,
    retry_failed: bool = False,
    accept_changes: bool | Collection[str] = False,
    progress: Progress | bool | None = None,
) -> Log:
    """Run one or several optimizers on all problems of a suite; log the first hits of targets.

    Args:
        optimizer: One: a callable that takes by name what it needs (the problem first, then any of
            ``x0, bounds, lower_bounds, upper_bounds, dimension, budget, rng, seed, start``); a
            class or function that makes an object with ``ask()`` and ``tell()``; or a text such
            as ``"scipy:Nelder-Mead"``, ``"module:function"``, ``"path/file.py:function"``.
            Or several: a list of such, ``[solve, "scipy:Nelder-Mead"]``, or a mapping from their
            names, ``{"mine": solve, "simplex": "scipy:Nelder-Mead"}``; one with parameters is
            written ``{"use": …, "parameters": {…}}``.
        suite: A registered suite's name, a ``Suite``, or problems.
        functions: With a name: which functions; an int, a list, a range, ``"1-5,7"``.
        dimensions: Likewise.
        instances: Likewise.
        budget: Evaluations of one run: a number, ``"1e3*D"``; None: until the optimizer
            ends by itself. Stages, such as ``[100, 1000]`` or ``"[1, 2, 5]*D"``: all is
            run with the first budget, then all with the next, which replaces it in assessments.
        restarts: Most restarts of one run. None: as many as fit the budget, none without budget.
            ``{"most": 9, "multiply": {"popsize": 2}}`` multiplies a parameter at each restart.
        repetitions: Runs on each problem.
        seed: Every run's own seed derives from it and the run's names.
        workers: 0 makes the runs in this process, where what crashes crashes the caller; a number
            of isolated processes makes as many at the same time; ``"all"`` for all processors.
        cluster: A Dask cluster to run on: ``"tcp://host:port"``, the path of a scheduler file, or
            ``"local"``.
        threads: Threads of each worker process in BLAS, OpenMP and numba.
        isolation: What a worker process is for: the runs of one ``"algorithm"``, so that none meets
            what another one did to its process, or one ``"run"``.
        output: The log, ``NAME.h5``; None for a temporary one. One that is there is neither
            changed nor replaced, unless ``resume`` or ``overwrite`` says so.
        algorithm: The name of one optimizer in tables; by default that of the callable.
        parameters: Further arguments of one optimizer, by name.
        final_target: Whether a run ends when it hits the suite's final target.
        timeout: Seconds of wall time after which a run is ended, at its next evaluation. One that
            does not evaluate can be ended in a process of its own only: with ``workers >= 1``.
        record: ``"targets"``, or ``"improvements"`` to log every improvement.
        indicator: Name of what targets apply to; by default the suite's.
        archive: What the log keeps of the archive of two objectives: ``"all"`` points that entered
            it, the ``"final"`` ones, those that are left at the end, or ``"none"``.
        clock: ``"measured"`` records the wall second of its run at which each hit was made: it
            belongs to the machine, and changes from run to run.
        parallel: Evaluations in parallel, in simulated time: ``Parallel(evaluators=8,
            duration="lognormal(0, 0.5)")``. A budget may then be ``"60 seconds"``.
        resume: Continue ``output``: make only the runs that are missing in it. Whether the code
            of a callable has changed since is not seen.
        overwrite: Replace ``output``: its runs are lost, once all arguments were found right.
        retry_failed: With ``resume``, make its failed and timed out runs again; what comes of them
            takes their place.
        accept_changes: As ``retry_failed``, also where the file that a text names has changed; the
            log says which file made which run. Names of algorithms, ``["mine"]``: changes of these
            alone, and also their finished runs are made again.
        progress: True or False to show it or not; by default where there are many runs.

    Returns:
        The log.

    Raises:
        FirsthitError: An argument is wrong; the text says which and what is allowed.
        LogExistsError: ``output`` is there.

    Warns:
        FirsthitWarning: Before the runs, where a problem has no optimal value, so that no target
            applies to it; after them, where some failed: how many, and the first error.
    """
    refuse_while_importing("benchmark")
    rules = RunRules(
        parse_budget(budget), _checked("restarts", restarts), _checked("seed", seed),
        bool(final_target), _checked("timeout", timeout), _checked("record", record),
        _checked("indicator", indicator), _checked("archive", archive),
        _checked("clock", clock), _checked("parallel", parallel),
    )  # fmt: skip
    where = ExecutorConfig(
        _checked("workers", workers), _checked("cluster", cluster), _checked("threads", threads),
        _checked("isolation", isolation),
    )  # fmt: skip
    if resume and overwrite:
        raise CampaignError("benchmark: resume=True continues the log, overwrite=True replaces it")
    refs = optimizer_refs(optimizer, algorithm, parameters)
    count = _checked("repetitions", repetitions)
    runs = planned_runs(refs, suite, (functions, dimensions, instances), rules, count, where)
    if unknown := note_on_unknown_optima(runs):
        warnings.warn(unknown, FirsthitWarning, stacklevel=_level_of_caller())
    campaign = {
        "name": "benchmark", "suites": _suites(runs), "repetitions": count, **rules.description(),
        "isolation": where.isolation_in_log,
    }  # fmt: skip
    header = LogHeader({ref.name: ref.description() for ref in refs}, campaign)
    if progress is None:
        progress = len(runs) >= _MANY_RUNS
    if isinstance(progress, bool):
        progress = default_progress() if progress else SilentProgress()
    with ExitStack() as stack:
        if output is None:
            temporary = TemporaryDirectory(prefix="firsthit-", ignore_cleanup_errors=True)
            path = Path(stack.enter_context(temporary), "log.h5")
        else:
            path = Path(output)
        try:
            with open_log(path, header, resume, retry_failed, overwrite, accept_changes) as writer:
                execute(runs, writer, where, progress)
        except KeyboardInterrupt as error:
            if output is not None:
                error.add_note(f"finished runs are in {str(path)!r}; resume=True continues")
            raise
        log = read_log(path)
        if output is None:  # the log goes when nobody holds it any more
            weakref.finalize(log, stack.pop_all().close)
    _warn_of_failures(log)
    return log


def planned_runs(
    refs: Sequence[OptimizerRef],
    suite: Any,
    filters: tuple[Selection | None, ...],
    rules: RunRules,
    repetitions: int,
    where: ExecutorConfig,
) -> list[RunSpec]:
    """The runs of optimizers on problems, stage by stage; none that cannot be made or measured.

    ``filters`` are functions, dimensions and instances, where ``suite`` is a name.
    """
    problems, unknown_to_workers = _problems(suite, filters)
    check_fit(refs, problems, rules)
    runs = [
        RunSpec(problem, ref, rules, repetition, suite=unknown_to_workers, stage=stage)
        for stage, problem, ref, repetition in itertools.product(
            range(len(rules.stages)), problems, refs, range(repetitions)
        )
    ]
    if not runs:
        raise CampaignError("there are no problems to run on")
    check_runs(runs)
    if not where.is_in_process:
        for run in {run.optimizer.name: run for run in runs}.values():
            portable_dumps(run)
    return runs


def _problems(
    suite: Any, filters: tuple[Selection | None, ...]
) -> tuple[Sequence[Problem | ProblemId], SuiteDefinition | None]:
    """The problems, and the definition of their suite where it is not firsthit's own."""
    if isinstance(suite, str):
        suite = Suite(suite, *filters)
    elif any(choice is not None for choice in filters):
        raise CampaignError("functions, dimensions and instances go with a suite's name")
    if isinstance(suite, Suite):
        known = definition(suite.name)
        return list(suite.identities()), None if known.is_built_in else known
    if not isinstance(suite, Iterable):
        raise CampaignError(f"suite is a name, a Suite, or problems; got {type(suite).__name__}")
    problems = list(suite)
    for problem in problems:
        if not isinstance(problem, Problem):
            raise CampaignError(f"a suite consists of problems; got {type(problem).__name__}")
    return problems, None


def _warn_of_failures(log: Log) -> None:
    failed = np.flatnonzero(log.runs.status == "failed")
    if len(failed):
        first = str(log.runs.error[failed[0]]).partition("\n")[0]
        text = f"{len(failed)} of {len(log)} runs failed; first: {first}"
        warnings.warn(text, FirsthitWarning, stacklevel=_level_of_caller())


def _level_of_caller() -> int:
    """How many calls above the calling function the first one outside firsthit is."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back and frame.f_globals["__name__"].partition(".")[0] == _FIRSTHIT:
        level, frame = level + 1, frame.f_back
    return level


def _suites(runs: Sequence[RunSpec]) -> list[dict[str, Any]]:
    """The suites as a campaign describes them; without numbers where problems are no product."""
    problems: dict[str, dict[ProblemId, Problem | ProblemId]] = {}
    for run in runs:
        problems.setdefault(run.problem_id.suite, {})[run.problem_id] = run.problem
    suites: list[dict[str, Any]] = []
    for name, found in problems.items():
        first = next(iter(found.values()))
        version = first.suite_version if isinstance(first, Problem) else definition(name).version
        numbers = {
            f"{what}s": list(dict.fromkeys(getattr(each, what) for each in found))
            for what in ("function", "dimension", "instance")
        }
        is_product = math.prod(map(len, numbers.values())) == len(found)
        suites.append({"name": name, "version": version, **(numbers if is_product else {})})
    return suites
