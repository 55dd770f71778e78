"""``firsthit run``: run a campaign, or continue it.

The command loads the campaign, plans its runs, executes those that its log lacks and appends them
to the log. At the end it prints the summary of the log. ``firsthit check``, ``status`` and
``rerun`` use the options and functions of this module, too.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import signal
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .activity import show_activity
from .help import Command, add_option
from .options import declare_overwrite, refuse_existing
from .streams import redirect_to_unescaped_stderr

if TYPE_CHECKING:
    from ..assessment import Results
    from ..loggers import Log
    from ..runner.campaign.campaign import Campaign, RunSpec
    from ..runner.execution.execute import EarlyRuns
    from ..runner.execution.progress import Outcome, Progress
    from ..runner.executors.output import OutputCapture, OutputTail

INTERRUPTED = 130
"""Exit code of a command that was interrupted: 128 plus the number of SIGINT, as in shells."""

_THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")

_MAX_KINDS_SHOWN = 10
"""Maximum number of kinds of errors that are printed after a campaign."""

_NUMBER = re.compile(r"0x[0-9a-f]+|\d+(\.\d+)?(e[+-]?\d+)?", re.IGNORECASE)
"""Numbers and addresses in an error, which may differ between errors of one kind."""

_SECOND_INTERRUPT_MESSAGE = b"\nended at once; runs that were on the disk are kept\n"

_OVERRIDING_OPTIONS: tuple[tuple[str, type, str | None, str], ...] = (
    ("--workers", str, "N|all", "Number of runs at the same time; 0: run in this process. "
     "Default: all processors."),
    ("--cluster", str, "ADDRESS|FILE|local", "Dask cluster that executes the runs, e.g. "
     "tcp://head:8786. Default: this machine."),
    ("--threads", int, None, "Number of threads of each worker process. Default: 1."),
    ("--isolation", str, "algorithm|run", "Scope of a worker process: the runs of one algorithm, "
     "or one run. Default: algorithm."),
    ("--budget", str, "TEXT", "Maximum number of evaluations per run, e.g. 500 or '1e3*D' (D: "
     "dimension). Default: the budget in the campaign."),
    ("--restarts", int, None, "Maximum number of restarts per run. Default: no limit if there is a "
     "budget, else 0."),
    ("--repetitions", int, None, "Number of runs on each problem. Default: 1."),
    ("--seed", int, None, "Random seed of the campaign. Default: 1."),
    ("--timeout", float, "SECONDS", "Time limit per run. Default: no limit."),
    ("--indicator", str, "NAME", "Quality indicator that measures the progress of runs, e.g. "
     "value. Default: the indicator of each suite."),
    ("--archive", str, "all|final|none", "Archives of two objectives in the log: all points, the "
     "final archive, or none. Default: all."),
    ("--evaluators", int, None, "Number of parallel evaluators in simulated time. Default: no "
     "simulation."),
    ("--clock", str, "none|measured", "Clock of first hits: measured adds their seconds to the "
     "log. Default: none."),
    ("--record-points", str, "hits|all|'first 50*D'", "Points that the log contains with their "
     "values. Default: none."),
    ("--max-point-bytes", int, "BYTES", "Maximum size of the points of one run, before "
     "compression, e.g. 1000000. Default: 100000000."),
)  # fmt: skip
"""Option, type, metavar and help of each option that replaces a key of the campaign file."""


def add_overriding_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add ``--output`` and the options that replace keys of the campaign file to a command.

    The command receives None for each option that is not on the command line.
    """
    for option, option_type, metavar, help_ in reversed(_OVERRIDING_OPTIONS):
        command = add_option(option, type=option_type, metavar=metavar, help=help_)(command)
    output = add_option(
        "-o", "--output", metavar="FILE.h5", help="Log to write. Default: results/CAMPAIGN.h5."
    )
    return output(command)


batch_option = add_option(
    "--batch",
    metavar="I/N",
    help="Batch I of N of the campaign, e.g. 2/5, with its own log NAME.I-of-N.h5. Default: the "
    "whole campaign.",
)


@click.command(
    cls=Command,
    examples=[
        "firsthit run quickstart",
        "firsthit run my.yaml --budget '1e3*D' --workers 4",
        "firsthit run my.yaml --retry-failed",
    ],
)
@click.argument("campaign", metavar="FILE|NAME")
@add_overriding_options
@batch_option
@add_option("--retry-failed", is_flag=True, help="Repeat failed and timed-out runs.")
@add_option(
    "--accept-changes",
    metavar="[NAME]",
    is_flag=False,
    flag_value="",
    multiple=True,
    help="Continue after a change of an optimizer's file, and repeat failed and timed-out runs. "
    "The log records the file version of each run. With the NAME of an algorithm, accept changes "
    "of its file only, and repeat all its runs. Give this option after the campaign; may be "
    "repeated. Default: refuse a changed file.",
)
@declare_overwrite("Delete the log first, and repeat all runs.")
@add_option(
    "--show-prints",
    is_flag=True,
    help="Print the output of optimizers. Default: write it to files in FILE.h5.output; messages "
    "on failed runs show its end.",
)
@add_option(
    "--report",
    is_flag=True,
    help="Write a report on the log afterwards, NAME.html beside it. An earlier report on the log "
    "is replaced.",
)
@add_option(
    "--watch",
    is_flag=True,
    help="Show the campaign live in the browser, like firsthit watch. At the end, save the page as "
    "NAME-watch.html beside the log.",
)
def command(
    campaign: str,
    batch: str | None,
    retry_failed: bool,
    accept_changes: tuple[str, ...],
    overwrite: bool,
    show_prints: bool,
    report: bool,
    watch: bool,
    **options: Any,
) -> None:
    """Run a campaign file, or a built-in campaign such as quickstart or bbob-biobj.

    The command skips runs that the log already has. So the same command continues a campaign after
    an interruption. Options replace keys of the file.

    A campaign imports the optimizers that it names: do not run campaigns that you do not trust.

    The batches of a campaign (--batch 1/3 to --batch 3/3) can run on different machines. Afterwards
    join their logs with firsthit merge.

    Exit code: 0 if all runs succeeded, 1 if runs failed or are missing, 2 for wrong use, 130 after
    an interruption.
    """
    limit_threads()
    # This import loads numpy, which reads the limits of threads.
    from ..runner import load_campaign

    loaded = load_campaign(campaign, drop_unset(options))
    loaded = select_batch(loaded, batch, options["output"])
    if report:
        from ..assessment.report import check_report_packages

        # A missing package must be noticed before the runs, not hours later.
        check_report_packages()
        page = _report_path(loaded)
        if not _is_report_on(page, loaded.output):
            refuse_existing([page], overwrite)
    algorithm_names = [name for name in accept_changes if name]
    from ..runner.executors.output import OutputCapture

    capture = None if show_prints else OutputCapture(loaded.output)
    with _watch(loaded, overwrite) if watch else contextlib.nullcontext():
        outcome = execute_campaign(
            loaded, retry_failed, algorithm_names or bool(accept_changes), overwrite, capture
        )
    if report:
        _write_report(loaded)
    sys.exit(_print_outcome(loaded, outcome, capture))


def _watch(campaign: Campaign, overwrite: bool) -> contextlib.AbstractContextManager[None]:
    """Return a context manager that shows the dashboard of a campaign while its block runs."""
    from ..watching.process import watch_run

    return watch_run(campaign.output, overwrite)


def limit_threads() -> None:
    """Limit BLAS and OpenMP to one thread, unless the environment has another number.

    Call this before numpy is imported. The reason: on small problems, threads only cost time.
    """
    for variable in _THREAD_VARIABLES:
        os.environ.setdefault(variable, "1")


def drop_unset(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options that are on the command line, that is those that are not None."""
    return {name: value for name, value in options.items() if value is not None}


def select_batch(campaign: Campaign, batch: str | None, output: str | None) -> Campaign:
    """Return one batch of a campaign.

    Args:
        campaign: The campaign with all its runs.
        batch: The batch, such as "2/5". None: return the campaign unchanged.
        output: Log on the command line. None: the batch gets its own log, NAME.I-of-N.h5.

    Raises:
        CampaignError: ``batch`` does not have the form I/N, or I is not between 1 and N.
    """
    from ..runner.campaign.batches import parse_batch

    if batch is None:
        return campaign
    parsed_batch = parse_batch(batch)
    log = parsed_batch.output(campaign.output) if output is None else campaign.output
    return replace(campaign, batch=parsed_batch, output=log)


def execute_campaign(
    campaign: Campaign,
    retry_failed: bool = False,
    accept_changes: bool | list[str] = False,
    overwrite: bool = False,
    capture: OutputCapture | None = None,
) -> Outcome:
    """Execute the runs of a campaign that its log lacks, and append them to the log.

    The function prints notes and the progress to standard error, and handles SIGINT and SIGTERM.

    Args:
        campaign: The campaign, or one batch of it.
        retry_failed: Whether failed and timed out runs are executed again.
        accept_changes: Whether runs may be added although an optimizer's file has changed. Names of
            algorithms: all runs of these algorithms are executed again.
        overwrite: Whether an existing log is deleted first.
        capture: Captures what optimizers print in worker processes. None: they print to standard
            error.

    Returns:
        The number of runs and the duration.

    Raises:
        MissingRunsError: A record of a journal is damaged or missing. No run is executed. The runs
            from there on have been moved out of the journal, so the next call executes them.
        SystemExit: The runs were interrupted (code 130), or no further run can be executed for a
            reason that concerns no algorithm. The code is then 2 if the system lacks resources and
            no run was executed, else 1. A message is printed before.
    """
    from ..loggers.errors import MissingRunsError
    from ..loggers.hdf5.reader import damaged_journals
    from ..runner import execute, open_log, plan
    from ..runner.campaign.checks import note_on_unknown_optima
    from ..runner.errors import ExecutionError, SystemShortageError
    from ..runner.execution.progress import default_progress
    from ..runner.executors.output import remove_output

    runs = plan(campaign)
    damaged = {} if overwrite else damaged_journals(campaign.output)
    n_lost = sum(tail.n_runs for tail in damaged.values())
    # The progress bar does not work on a stream that escapes control characters.
    with redirect_to_unescaped_stderr():
        progress = default_progress()
    early = _plan_early_table(campaign, runs, progress) if sys.stderr.isatty() else None
    same_command = "the same command without --overwrite" if overwrite else "the same command"
    for note in (note_on_unknown_optima(runs), describe_point_bytes(runs)):
        if note:
            click.echo(f"note: {note}", err=True)
    try:
        with (
            handle_interrupts(),
            open_log(
                campaign.output,
                campaign.header(),
                resume=True,
                retry_failed=retry_failed,
                overwrite=overwrite,
                accept_changes=accept_changes,
            ) as writer,
            redirect_to_unescaped_stderr(),
        ):
            if n_lost:
                raise MissingRunsError(
                    f"{n_lost} run{'s are' if n_lost > 1 else ' is'} missing in "
                    f"{str(campaign.output)!r} because a record of a journal is damaged or "
                    "missing; no run was made, and the same command makes the missing runs"
                )
            if overwrite:
                remove_output(campaign.output)
            return execute(runs, writer, campaign.executor_config, progress, early, capture)
    except KeyboardInterrupt:
        location = f"finished runs are in {campaign.output}"
        click.echo(f"interrupted; {location}; {same_command} continues", err=True)
        sys.exit(INTERRUPTED)
    except ExecutionError as error:
        location = f"; finished runs are in {campaign.output}" if error.runs_made else ""
        click.echo(f"firsthit: {error}{location}; {same_command} continues", err=True)
        is_misuse = isinstance(error, SystemShortageError) and not error.runs_made
        sys.exit(2 if is_misuse else 1)


def describe_point_bytes(runs: Sequence[RunSpec]) -> str | None:
    """Return a note on the maximum size of the points of runs; None if none are recorded."""
    from ..runner.campaign.checks import compute_point_bytes

    if not (n_bytes := compute_point_bytes(runs)):
        return None
    rules = runs[0].rules
    return (
        f"recorded points ({rules.record_points}): at most {n_bytes / 1e6:,.2f} MB before "
        f"compression; max_point_bytes: {rules.max_point_bytes} in each run"
    )


def _plan_early_table(
    campaign: Campaign, runs: Sequence[RunSpec], progress: Progress
) -> EarlyRuns | None:
    """Return the runs of the early table, with a function that prints the table.

    Args:
        campaign: The campaign.
        runs: Its plan.
        progress: Display above which the table is printed.

    Returns:
        None if the campaign has no early table.
    """
    from ..runner.campaign.plan import select_early_runs
    from ..runner.execution.execute import EarlyRuns
    from ..suites.errors import FirsthitError
    from ..suites.selection import ranges

    if campaign.early_table is None:
        return None
    selectors = dict(campaign.early_table)
    selection = ", ".join(f"{key} {ranges(numbers)}" for key, numbers in selectors.items())

    def print_early_table() -> None:
        from ..assessment import load

        try:
            table = format_summary(load(campaign.output), campaign.output, **selectors)
        except FirsthitError as error:  # a missing table must not end the campaign
            table = f"there is no table of them: {error}"
        progress.print_text(f"first results, {selection}:\n{table}\nthe campaign continues")

    keys = {run.identity.key for run in select_early_runs(campaign, runs)}
    return EarlyRuns(keys, print_early_table)


@contextlib.contextmanager
def handle_interrupts() -> Iterator[None]:
    """Raise KeyboardInterrupt at the first SIGINT or SIGTERM, and end the process at the second.

    After the first signal, finished runs are still written to the log. After the second one, the
    process exits at once and its workers end with it. On exit the previous handlers are restored.
    """
    n_signals = 0

    def interrupt(signal_number: int, frame: object) -> None:
        nonlocal n_signals
        n_signals += 1
        if n_signals > 1:
            # A buffered stream must not be written to from a signal handler (reentrant call), and
            # sys.exit would run finalizers, which may wait for workers.
            with contextlib.suppress(OSError):
                os.write(2, _SECOND_INTERRUPT_MESSAGE)
            os._exit(INTERRUPTED)
        raise KeyboardInterrupt

    previous_handlers = {
        signal_number: signal.signal(signal_number, interrupt)
        for signal_number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for signal_number, handler in previous_handlers.items():
            signal.signal(signal_number, handler)


def _report_path(campaign: Campaign) -> Path:
    return campaign.output.with_suffix(".html")


def _is_report_on(page: Path, log: Path) -> bool:
    """Return whether a file is a report of firsthit on a log with the name of this log."""
    from ..assessment import AssessmentError
    from ..assessment.report import read_report

    try:
        return log.name in [Path(name).name for name in read_report(page).logs]
    except AssessmentError:
        return False


def _write_report(campaign: Campaign) -> None:
    from ..assessment.report import report

    show_activity("making the report")
    page = report(campaign.output, _report_path(campaign), title=campaign.name)
    click.echo(f"report: {page} (open it in a browser)", err=True)


def _print_outcome(campaign: Campaign, outcome: Outcome, capture: OutputCapture | None) -> int:
    """Print the summary of the log and its failed runs, and return the exit code.

    Args:
        campaign: The campaign that was executed.
        outcome: Result of the execution.
        capture: What optimizers printed. None: it was not captured.

    Returns:
        1 if the log has failed or timed out runs, of this or of an earlier command, else 0.
    """
    from ..assessment import load

    show_activity("reading the log")
    results = load(campaign.output)
    n_logged_before = outcome.runs - outcome.finished
    message = (
        f"{outcome.finished} runs made in {outcome.seconds:.0f} s"
        if outcome.finished
        else "nothing to do"
    )
    in_log = f", {n_logged_before} were in the log" if n_logged_before else ""
    click.echo(f"{message}{in_log}: {campaign.output}", err=True)
    has_failures = _print_failures(results.log, campaign.output, capture)
    if len(results.log):
        click.echo(format_summary(results, campaign.output))
    return 1 if has_failures else 0


def format_summary(results: Results, log: Path, **selectors: Any) -> str:
    """Return the short form of the summary, its notes, and the command that prints all columns.

    Args:
        results: Results of the campaign; the campaign may still be running.
        log: Log of the campaign.
        **selectors: Selectors of runs, such as ``functions``.
    """
    from ..assessment.questions.summary.layout import MAX_WIDTH

    table = results.summary(**selectors)
    sentences, lines = list(table.notes), []
    if len(table):
        lines.append(str(table))
        command = shlex.join(["firsthit", "assess", "summary", str(log), "--format", "csv"])
        sentences.append(f"All columns: {command}")
    for sentence in sentences:
        lines += textwrap.wrap(sentence, MAX_WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines)


def _print_failures(log: Log, path: Path, capture: OutputCapture | None) -> bool:
    """Print each kind of error of failed and timed out runs, and return whether there are any.

    Errors are of one kind if they differ in numbers only. The end of what such a run printed
    follows the error, if it was captured. On Dask, only the folder of all output can be named.

    Args:
        log: The runs.
        path: File of the log.
        capture: What optimizers printed. None: it was not captured.
    """
    statuses = log.runs["status"]
    failed_runs = [run for run, status in enumerate(statuses) if status in ("failed", "timeout")]
    if not failed_runs:
        return False
    click.echo(f"{len(failed_runs)} of {len(log)} runs failed:", err=True)
    runs_by_kind: dict[str, list[int]] = {}
    for run in failed_runs:
        kind = _NUMBER.sub("#", log.runs["error"][run].partition("\n")[0])
        runs_by_kind.setdefault(kind, []).append(run)
    kinds = sorted(runs_by_kind.values(), key=len, reverse=True)
    has_tail = False
    for runs in kinds[:_MAX_KINDS_SHOWN]:
        error = log.runs["error"][runs[0]].partition("\n")[0]
        algorithms = ", ".join(dict.fromkeys(log.runs["algorithm"][run] for run in runs))
        plural = "s" if len(runs) > 1 else ""
        click.echo(f"  {algorithms} ({len(runs)} run{plural}): {error}", err=True)
        if capture is not None and (tail := _find_output_tail(capture, log, runs)):
            click.echo(textwrap.indent(tail.describe(), "    "), err=True)
            has_tail = True
    if len(kinds) > _MAX_KINDS_SHOWN:
        click.echo(f"  and {len(kinds) - _MAX_KINDS_SHOWN} other kinds of errors", err=True)
    if capture is not None and capture.folder is not None and not has_tail:
        click.echo(f"  what optimizers printed is in {capture.folder}", err=True)
    command = shlex.join(["firsthit", "assess", "termination", str(path), "--errors"])
    click.echo(f"all errors: {command}", err=True)
    return True


def _find_output_tail(capture: OutputCapture, log: Log, runs: list[int]) -> OutputTail | None:
    """Return the tail of what the first of these runs with captured output printed."""
    from ..runner.benchmarking import get_output_tail

    return next(filter(None, (get_output_tail(capture, log, run) for run in runs)), None)
