"""Define ``firsthit doctor``, which tries each built-in optimizer and prints versions.

Each optimizer is run for a moment in a worker process. If an optimizer crashes or hangs, the other
optimizers are not affected. ``firsthit optimizers`` uses the functions of this module, too.
"""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Literal

import click

from .help import Command, add_option
from .options import OutputFormat, format_option, print_rows

if TYPE_CHECKING:
    from ..runner.campaign.campaign import RunSpec

Outcome = Literal["works", "fails", "missing"]
"""Outcome of a trial. ``"missing"``: a package that the optimizer needs is not installed."""
WORKS: Outcome = "works"
FAILS: Outcome = "fails"
MISSING: Outcome = "missing"

_EVALUATIONS = 200
"""Budget of a trial: 100 evaluations per dimension.

nevergrad's NGOpt with NumPy 2.4 does not fail with less than 75 evaluations per dimension.
"""
_FUNCTION, _DIMENSION = 8, 2
"""Problem of the trials: Rosenbrock's function in two dimensions if the suite is bbob."""
_LIBRARIES = ("numpy", "scipy", "numba", "h5py")


@click.command(
    cls=Command,
    examples=["firsthit doctor", "firsthit doctor scipy cma:fmin2 --timeout 20"],
)
@click.argument("names", nargs=-1)
@add_option(
    "--timeout",
    "timeout_seconds",
    type=click.FloatRange(min=0, min_open=True),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="Time limit of each test run, including the import of the package.",
)
@add_option(
    "--workers",
    type=click.IntRange(1),
    metavar="INTEGER",
    help="Number of optimizers tested at the same time. Default: all processors.",
)
@format_option
def command(
    names: Sequence[str],
    timeout_seconds: float,
    workers: int | None,
    output_format: OutputFormat,
) -> None:
    """Test each built-in optimizer on this machine with 200 evaluations.

    NAMES are optimizers or their packages, such as scipy or cma:fmin2. Default: all.

    Exit code: 1 if an optimizer fails although its packages are installed, else 0.
    """
    selected = chosen(names)
    click.echo(f"trying {len(selected)} optimizers, each for {_EVALUATIONS} evaluations", err=True)
    outcomes = tried(selected, timeout_seconds, workers)
    rows: list[Mapping[str, str | int | None]] = []
    for name in selected:
        outcome, reason = outcomes[name]
        rows.append(
            {"optimizer": name, "package": package_of(name), "result": outcome, "why": reason}
        )
    versions = environment()
    if output_format == "json":
        click.echo(json.dumps({"environment": versions, "optimizers": rows}, indent=2))
    else:
        print_rows(rows, output_format)
        counts = ", ".join(
            f"{sum(outcome == counted for outcome, _ in outcomes.values())} {verb}"
            for counted, verb in ((WORKS, "work"), (FAILS, "fail"), (MISSING, "miss a package"))
        )
        click.echo(f"\n{len(selected)} optimizers: {counts}")
        for label, version in versions.items():
            click.echo(f"{label}: {version}")
    if any(outcome == FAILS for outcome, _ in outcomes.values()):
        sys.exit(1)


def chosen(names: Iterable[str]) -> list[str]:
    """Return the built-in optimizers that the user named directly or by their package.

    Args:
        names: Names of optimizers or packages, such as ``cma:fmin2`` or ``scipy``. Empty: all.

    Returns:
        Names of optimizers, each once, in the order of `BUILT_IN`.

    Raises:
        UnknownNameError: A name is neither an optimizer nor a package.
    """
    from ..runner.optimizers.resolve import BUILT_IN
    from ..suites.errors import UnknownNameError

    optimizers_by_name: dict[str, list[str]] = {}
    for optimizer in BUILT_IN:
        package, _, _ = optimizer.partition(":")
        optimizers_by_name.setdefault(package, []).append(optimizer)
        optimizers_by_name[optimizer] = [optimizer]
    for name in names:
        if name not in optimizers_by_name:
            raise UnknownNameError.of("optimizer or package", name, optimizers_by_name)
    requested = {optimizer for name in names for optimizer in optimizers_by_name[name]}
    return [optimizer for optimizer in BUILT_IN if optimizer in requested or not requested]


def package_of(name: str) -> str:
    """Return the package of a built-in optimizer with its version, such as ``cma 4.5.0``.

    The package of firsthit's own optimizers is "firsthit", without a version.

    Raises:
        KeyError: The optimizer is not built in.
    """
    from ..runner.optimizers.resolve import BUILT_IN

    packages = BUILT_IN[name].packages
    if not packages:
        return "firsthit"
    return f"{packages[0].distribution} {packages[0].version}".rstrip()


def describe_missing_packages(name: str) -> str:
    """Return the command that installs the missing packages of an optimizer.

    If no package is missing, the text is empty.

    Raises:
        KeyError: The optimizer is not built in.
    """
    from ..runner.optimizers.resolve import BUILT_IN

    packages = dict.fromkeys(package.install for package in BUILT_IN[name].missing)
    return f"pip install {' '.join(packages)}" if packages else ""


def tried(
    names: Sequence[str], timeout_seconds: float, workers: int | None = None
) -> dict[str, tuple[Outcome, str]]:
    """Run built-in optimizers for 200 evaluations each in worker processes, and wait for them.

    Args:
        names: Names of built-in optimizers.
        timeout_seconds: Duration after which a run counts as failed. It includes the import of the
            optimizer's package.
        workers: Number of worker processes. None: one for each processor.

    Returns:
        Name of each optimizer to its outcome and the reason for the outcome. ``"fails"``: the
        reason is the error. ``"missing"``: the reason is the command that installs the missing
        packages. ``"works"``: the reason is empty.
    """
    from ..runner.executors.processes import ProcessExecutor

    outcomes: dict[str, tuple[Outcome, str]] = {}
    installed = []
    for name in names:
        if missing_packages := describe_missing_packages(name):
            outcomes[name] = (MISSING, missing_packages)
        else:
            installed.append(name)
    with closing(
        ProcessExecutor(workers, is_overdue=lambda folder, seconds: seconds > timeout_seconds)
    ) as executor:
        futures = {
            name: executor.submit(_run_and_describe_failure, _short_run(name)) for name in installed
        }
        for name, future in futures.items():
            error = future.exception()
            reason = future.result() if error is None else str(error)
            outcomes[name] = (FAILS, " ".join(reason.split())) if reason else (WORKS, "")
    return outcomes


def _short_run(name: str) -> RunSpec:
    """Return a run of a built-in optimizer on a problem that the optimizer accepts."""
    from ..runner.campaign.budget import parse_budget
    from ..runner.campaign.campaign import RunRules, RunSpec
    from ..runner.optimizers.resolve import BUILT_IN, OptimizerRef
    from ..suites.facts import ProblemId

    suite = "bbob" if 1 in BUILT_IN[name].objectives else "bbob-biobj"
    if BUILT_IN[name].bits == "only":
        suite = "pbo"
    # The run does not end at the final target, so that the optimizer uses all evaluations.
    rules = RunRules(parse_budget(_EVALUATIONS), final_target=False)
    return RunSpec(ProblemId(suite, _FUNCTION, _DIMENSION, 1), OptimizerRef(name, name), rules)


def _run_and_describe_failure(spec: RunSpec) -> str:
    """Execute a run, and return the first line of its error; return ``""`` if it did not fail.

    This function is called in a worker process.
    """
    from ..runner.execution.run import run_one

    record = run_one(spec)
    return record.error.partition("\n")[0] or record.status if record.status == "failed" else ""


def environment() -> dict[str, str]:
    """Return facts about this machine as texts by their labels.

    They are the versions of Python, firsthit and important libraries, the platform, the number of
    processors, and the folder where compiled kernels are cached.
    """
    from ..loggers.records.log_header import version_of
    from ..loggers.records.writer_version import writer_version

    return {
        "python": platform.python_version(),
        "firsthit": writer_version(),
        **{library: version_of(library) or "unknown" for library in _LIBRARIES},
        "platform": platform.platform(),
        "processors": str(os.cpu_count()),
        "compiled kernels": _find_kernel_cache(),
    }


def _find_kernel_cache() -> str:
    """Return the folder where numba caches compiled kernels, or a text that says there is none."""
    from numba import njit

    from ..suites.compiled.wrappers import point_wrapper_template

    try:
        # numba chooses the first writable one of several folders. Each compiled function with a
        # cache has the path of this folder.
        folder = njit(cache=True)(point_wrapper_template.function).stats.cache_path
    except RuntimeError as error:
        return f"no folder is writable, so they are compiled anew each time ({error})"
    return str(folder)
