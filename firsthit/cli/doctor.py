"""``firsthit doctor``: really runs every built-in optimizer for a moment, and lists versions.

Each optimizer runs in a worker process: one that crashes or hangs costs its own line only.
"""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from typing import TYPE_CHECKING

import click

from .options import format_option, print_rows

if TYPE_CHECKING:
    from ..runner.campaign.campaign import RunSpec

_EVALUATIONS = 200
"""100 times the dimension: nevergrad's NGOpt, with NumPy 2.4, fails from 75 times on."""
_FUNCTION, _DIMENSION = 8, 2
_LIBRARIES = ("firsthit", "numpy", "scipy", "numba", "h5py")
WORKS, FAILS, MISSING = "works", "fails", "missing"


@click.command()
@click.argument("names", nargs=-1)
@click.option(
    "--timeout",
    "timeout_seconds",
    type=click.FloatRange(min=0, min_open=True),
    default=60.0,
    show_default=True,
    help="Seconds after which an optimizer is taken to hang; its package's import counts.",
)
@click.option("--workers", type=click.IntRange(1), help="How many at the same time [default: all].")
@format_option
def command(names: Sequence[str], timeout_seconds: float, workers: int | None, form: str) -> None:
    """Run each built-in optimizer for 200 evaluations and say whether it works here.

    NAMES are optimizers or their packages, such as scipy or cma:fmin2 [default: all].

    Exit code 1 if an optimizer fails whose packages are installed.
    """
    selected = chosen(names)
    click.echo(f"trying {len(selected)} optimizers, each for {_EVALUATIONS} evaluations", err=True)
    found = tried(selected, timeout_seconds, workers)
    rows: list[Mapping[str, str | int | None]] = [
        {"optimizer": name, "package": package_of(name), "result": found[name][0],
         "why": found[name][1]}
        for name in selected
    ]  # fmt: skip
    here = environment()
    if form == "json":
        click.echo(json.dumps({"environment": here, "optimizers": rows}, indent=2))
    else:
        print_rows(rows, form)
        counts = ", ".join(
            f"{sum(result == kind for result, _ in found.values())} {word}"
            for kind, word in ((WORKS, "work"), (FAILS, "fail"), (MISSING, "miss a package"))
        )
        click.echo(f"\n{len(selected)} optimizers: {counts}")
        for what, text in here.items():
            click.echo(f"{what}: {text}")
    if any(result == FAILS for result, _ in found.values()):
        sys.exit(1)


def chosen(names: Iterable[str]) -> list[str]:
    """Built-in optimizers by their names or their packages' names; all where none is given."""
    from ..runner.optimizers.resolve import BUILT_IN
    from ..suites.errors import UnknownNameError

    by_name: dict[str, list[str]] = {}
    for name in BUILT_IN:
        by_name.setdefault(name.partition(":")[0], []).append(name)
        by_name[name] = [name]
    for name in names:
        if name not in by_name:
            raise UnknownNameError.of("optimizer or package", name, by_name)
    requested = {item for name in names for item in by_name[name]}
    return [name for name in BUILT_IN if name in requested or not requested]


def package_of(name: str) -> str:
    """Package and version of a built-in optimizer, such as ``cma 4.5.0``."""
    from ..runner.optimizers.resolve import BUILT_IN

    packages = BUILT_IN[name].packages
    if not packages:
        return "firsthit"
    return f"{packages[0].distribution} {packages[0].version}".rstrip()


def what_is_missing(name: str) -> str:
    """What to install for a built-in optimizer; ``""`` where nothing is missing."""
    from ..runner.optimizers.resolve import BUILT_IN

    packages = dict.fromkeys(package.install for package in BUILT_IN[name].missing)
    return f"pip install {' '.join(packages)}" if packages else ""


def tried(
    names: Sequence[str], timeout_seconds: float, workers: int | None = None
) -> dict[str, tuple[str, str]]:
    """Run each optimizer in a process of its own: ``WORKS``, ``FAILS`` or ``MISSING``, and why.

    So many ``workers`` are at it at the same time; None: one for each processor.
    """
    from ..runner.executors.processes import ProcessExecutor

    missing = {name: what_is_missing(name) for name in names}
    installed = [name for name in names if not missing[name]]
    found = {name: (MISSING, text) for name, text in missing.items() if text}
    with closing(
        ProcessExecutor(workers, is_overdue=lambda folder, seconds: seconds > timeout_seconds)
    ) as executor:
        futures = {name: executor.submit(_ended, _short_run(name)) for name in installed}
        for name, future in futures.items():
            error = future.exception()
            text = future.result() if error is None else str(error)
            found[name] = (FAILS, " ".join(text.split())) if text else (WORKS, "")
    return found


def environment() -> dict[str, str]:
    """Versions, machine, and where compiled kernels are kept."""
    from ..loggers.records.log_header import version_of

    return {
        "python": platform.python_version(),
        **{name: version_of(name) or "unknown" for name in _LIBRARIES},
        "platform": platform.platform(),
        "processors": str(os.cpu_count()),
        "compiled kernels": _kernel_cache(),
    }


def _short_run(name: str) -> RunSpec:
    from ..runner.campaign.budget import parse_budget
    from ..runner.campaign.campaign import RunRules, RunSpec
    from ..runner.optimizers.resolve import BUILT_IN, OptimizerRef
    from ..suites.facts import ProblemId

    suite = "bbob" if 1 in BUILT_IN[name].objectives else "bbob-biobj"
    if BUILT_IN[name].bits == "only":
        suite = "pbo"
    rules = RunRules(parse_budget(_EVALUATIONS), final_target=False)
    return RunSpec(ProblemId(suite, _FUNCTION, _DIMENSION, 1), OptimizerRef(name, name), rules)


def _ended(spec: RunSpec) -> str:
    """In a worker: why the run failed; ``""`` where it did not."""
    from ..runner.execution.run import run_one

    record = run_one(spec)
    return record.error.partition("\n")[0] or record.status if record.status == "failed" else ""


def _kernel_cache() -> str:
    """The folder of numba's cache; numba itself looks for one that it can write."""
    from numba import njit

    from ..suites.compiled.wrappers import point_wrapper

    try:
        folder = njit(cache=True)(point_wrapper).stats.cache_path
    except RuntimeError as error:
        return f"no folder is writable, so they are compiled anew each time ({error})"
    return str(folder)
