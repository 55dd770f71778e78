"""Plan and make benchmarks that are called from Python, without a campaign file.

`plan_benchmark` plans the runs of optimizers on a suite, and checks that they can be made and
measured. `BenchmarkPlan.run` makes the runs and writes a log. ``firsthit.benchmark`` and
``firsthit.score`` call these functions.
"""

from __future__ import annotations

import itertools
import math
import sys
import warnings
import weakref
from collections.abc import Collection, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from ..loggers import Log, read_log
from ..loggers.indicators.registry import MakeIndicator, users_indicator
from ..loggers.records.identity import RunIdentity
from ..loggers.records.log_header import LogHeader
from ..suites import Problem, Suite
from ..suites.facts import ProblemId
from ..suites.selection import Selection
from ..suites.suite import SuiteDefinition, definition
from ..suites.texts import visible
from .campaign.campaign import RunRules, RunSpec
from .campaign.checks import check_fit, note_on_unknown_optima
from .campaign.plan import check_runs
from .campaign.resume import open_log
from .errors import CampaignError, FirsthitWarning
from .execution.execute import execute
from .execution.progress import Progress, SilentProgress, default_progress
from .executors.executor import ExecutorConfig, portable_dumps
from .executors.output import OutputCapture, OutputTail, remove_output
from .optimizers.resolve import OptimizerRef

_MIN_RUNS_WITH_PROGRESS = 20
"""Minimum number of runs for which the progress is displayed by default."""
_FIRSTHIT = __name__.partition(".")[0]
"""Name of the top package, to recognize calls from firsthit itself."""


@dataclass(frozen=True)
class BenchmarkPlan:
    """Checked runs of optimizers on problems.

    Attributes:
        runs: The runs, in the order of the plan.
        executor: Configuration of the executor that makes the runs.
        header: Header of the log that `run` writes.
    """

    runs: Sequence[RunSpec]
    executor: ExecutorConfig
    header: LogHeader

    def run(
        self,
        output: str | Path | None = None,
        *,
        resume: bool = False,
        overwrite: bool = False,
        retry_failed: bool = False,
        accept_changes: bool | Collection[str] = False,
        progress: Progress | bool | None = None,
    ) -> Log:
        """Make the runs, write them to a log, and return the log.

        Args:
            output: Path of the log, ``NAME.h5``. None: a temporary log, which is deleted when the
                returned object is garbage-collected.
            resume: Whether an existing log ``output`` is continued. Only missing runs are made.
            overwrite: Whether an existing log ``output`` is replaced.
            retry_failed: With ``resume``: whether failed and timed-out runs are made again.
            accept_changes: With ``resume``: whether changed files of optimizers are accepted. True:
                those of all optimizers. Names of algorithms: those of these algorithms only. See
                `open_log` for the runs that are then made again.
            progress: Whether the progress is displayed, or the object that displays it. None:
                display it if there are at least 20 runs.

        Returns:
            The log with all its runs.

        Raises:
            FirsthitError: The log cannot be written or continued, or no further run can be made.
            KeyboardInterrupt: The user interrupted the runs. The log contains all finished runs.

        Warns:
            FirsthitWarning: Before the runs: a problem has no optimal value, so that targets do not
                apply to it. After the runs: some runs failed.
        """
        if resume and overwrite:
            raise CampaignError(
                "benchmark: resume=True continues the log, overwrite=True replaces it"
            )
        if note := note_on_unknown_optima(self.runs):
            warnings.warn(note, FirsthitWarning, stacklevel=_find_caller_level())
        if progress is None:
            progress = len(self.runs) >= _MIN_RUNS_WITH_PROGRESS
        if isinstance(progress, bool):
            progress = default_progress() if progress else SilentProgress()
        with ExitStack() as stack:
            if output is None:
                temporary = TemporaryDirectory(prefix="firsthit-", ignore_cleanup_errors=True)
                path = Path(stack.enter_context(temporary), "log.h5")
            else:
                path = Path(output)
            capture = OutputCapture(path if output is not None else None)
            try:
                with open_log(
                    path, self.header, resume, retry_failed, overwrite, accept_changes
                ) as writer:
                    if overwrite:
                        remove_output(path)
                    execute(self.runs, writer, self.executor, progress, capture=capture)
            except KeyboardInterrupt as error:
                if output is not None:
                    error.add_note(f"finished runs are in {str(path)!r}; resume=True continues")
                raise
            log = read_log(path)
            if output is None:  # delete the temporary folder together with the returned object
                weakref.finalize(log, stack.pop_all().close)
        _warn_about_failures(log, capture)
        return log


def plan_benchmark(
    refs: Sequence[OptimizerRef],
    suite: str | Suite | Iterable[Problem],
    filters: tuple[Selection | None, ...],
    rules: RunRules,
    repetitions: int,
    executor: ExecutorConfig,
) -> BenchmarkPlan:
    """Plan the runs of optimizers on problems, and check that they can be made and measured.

    The optimizers are imported. No run is made, and no file is written.

    Args:
        refs: The optimizers.
        suite: Name of a registered suite, a `Suite` object, or an iterable of problems.
        filters: Functions, dimensions and instances if ``suite`` is a name. None in it: all of
            them. All three must be None if ``suite`` is not a name.
        rules: Budget, restarts, seed and all other rules of the runs.
        repetitions: Number of runs of an optimizer on each problem.
        executor: Configuration of the executor that makes the runs.

    Returns:
        The plan. Its runs are ordered by stage, problem, optimizer and repetition.

    Raises:
        FirsthitError: There are no runs, or a run cannot be made or measured.
    """
    problems, user_suite = _resolve_problems(suite, filters)
    check_fit(refs, problems, rules)
    indicator = _find_user_indicator(problems, user_suite, rules)
    runs = [
        RunSpec(problem, ref, rules, repetition, suite=user_suite, indicator=indicator, stage=stage)
        for stage, problem, ref, repetition in itertools.product(
            range(len(rules.stages)), problems, refs, range(repetitions)
        )
    ]
    if not runs:
        raise CampaignError("there are no problems to run on")
    check_runs(runs)
    if not executor.is_in_process:  # report an optimizer that cannot be pickled before any run
        for run in {run.optimizer.name: run for run in runs}.values():
            portable_dumps(run)
    campaign = {
        "name": "benchmark", "suites": _describe_suites(runs), "repetitions": repetitions,
        **rules.description(), "isolation": executor.isolation_in_log,
    }  # fmt: skip
    header = LogHeader({ref.name: ref.description() for ref in refs}, campaign)
    return BenchmarkPlan(runs, executor, header)


def _resolve_problems(
    suite: Any, filters: tuple[Selection | None, ...]
) -> tuple[Sequence[Problem | ProblemId], SuiteDefinition | None]:
    """Return the problems to run on, and the definition of their suite for worker processes.

    The definition is None if worker processes do not need it: for suites of firsthit, which are
    registered in every process, and for problems without a suite.

    Raises:
        CampaignError: ``suite`` has another type, or filters are passed without a suite's name.
    """
    if isinstance(suite, str):
        suite = Suite(suite, *filters)
    elif any(choice is not None for choice in filters):
        raise CampaignError("functions, dimensions and instances go with a suite's name")
    if isinstance(suite, Suite):
        suite_definition = definition(suite.name)
        user_suite = None if suite_definition.is_built_in else suite_definition
        return list(suite.identities()), user_suite
    if not isinstance(suite, Iterable):
        raise CampaignError(f"suite is a name, a Suite, or problems; got {type(suite).__name__}")
    problems = list(suite)
    for problem in problems:
        if not isinstance(problem, Problem):
            raise CampaignError(f"a suite consists of problems; got {type(problem).__name__}")
    return problems, None


def _find_user_indicator(
    problems: Sequence[Problem | ProblemId], user_suite: SuiteDefinition | None, rules: RunRules
) -> tuple[str, MakeIndicator] | None:
    """Return name and maker of an indicator of the user, for worker processes; else None.

    All problems have the same indicator.

    Raises:
        UnknownNameError: No indicator has the name.
    """
    if rules.indicator is not None:
        name = rules.indicator
    elif user_suite is not None:
        name = user_suite.measurement.indicator
    elif problems and isinstance(problems[0], Problem):
        name = problems[0].measurement.indicator
    else:
        return None
    make = users_indicator(name)
    return None if make is None else (name, make)


def get_output_tail(capture: OutputCapture, log: Log, run: int) -> OutputTail | None:
    """Return the tail of what a run printed, if it was captured when the run failed.

    Args:
        capture: Output of the execution that made the run.
        log: A log with the run.
        run: Position of the run in the log.
    """
    columns = log.runs
    names = ("suite", "function", "dimension", "instance")
    problem = ProblemId(*(columns[name][run] for name in names))
    identity = RunIdentity(
        columns["algorithm"][run],
        problem,
        repetition=columns["repetition"][run],
        stage=columns["stage"][run],
    )
    return capture.get_tail(str(identity))


def _warn_about_failures(log: Log, capture: OutputCapture) -> None:
    """Warn the user if runs in the log failed, with their number and the first error."""
    failed_rows = np.flatnonzero(log.runs.status == "failed")
    if len(failed_rows):
        first_error = str(log.runs.error[failed_rows[0]]).partition("\n")[0]
        message = f"{len(failed_rows)} of {len(log)} runs failed; first: {first_error}"
        if tail := get_output_tail(capture, log, failed_rows[0]):
            message += f"\n{visible(tail.describe())}"
        warnings.warn(message, FirsthitWarning, stacklevel=_find_caller_level())


def _find_caller_level() -> int:
    """Return the ``stacklevel`` for a warning of the calling function.

    With it, the warning names the line of the user's code that called firsthit.
    """
    level, frame = 1, sys._getframe(1)
    while frame.f_back and frame.f_globals["__name__"].partition(".")[0] == _FIRSTHIT:
        level, frame = level + 1, frame.f_back
    return level


def _describe_suites(runs: Sequence[RunSpec]) -> list[dict[str, Any]]:
    """Return a description of each suite for the header of the log, as `Campaign.description` does.

    If the problems of a suite are not all combinations of its functions, dimensions and instances,
    the description contains only name and version. The header then does not describe the problems.
    """
    problems_by_suite: dict[str, dict[ProblemId, Problem | ProblemId]] = {}
    for run in runs:
        problems_by_suite.setdefault(run.problem_id.suite, {})[run.problem_id] = run.problem
    suites: list[dict[str, Any]] = []
    for name, problems in problems_by_suite.items():
        first = next(iter(problems.values()))
        version = first.suite_version if isinstance(first, Problem) else definition(name).version
        numbers = {
            f"{field}s": list(dict.fromkeys(getattr(problem_id, field) for problem_id in problems))
            for field in ("function", "dimension", "instance")
        }
        is_product = math.prod(map(len, numbers.values())) == len(problems)
        suites.append({"name": name, "version": version, **(numbers if is_product else {})})
    return suites
