"""Define ``firsthit optimizers``, which lists the built-in optimizers or their parameters.

By default, an optimizer counts as usable on this machine if its packages are installed. With
``--run``, the optimizer is tried in a short run, as in ``firsthit doctor``.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence

import click

from ..entry_points import entry_points
from .doctor import Outcome, chosen, describe_missing_packages, package_of, tried
from .help import Command, add_option
from .options import OutputFormat, format_option, print_rows

_TIMEOUT_SECONDS = 60.0
"""Time limit of a trial in seconds, equal to the default of ``firsthit doctor --timeout``."""

_EMPTY_ROW = {"optimizer": "", "parameter": "", "default": ""}
"""Row that is printed if no optimizer has parameters, so that the table has its column titles."""


@click.command(
    cls=Command,
    examples=[
        "firsthit optimizers",
        "firsthit optimizers scipy --parameters",
        "firsthit optimizers cma:fmin2 --run",
    ],
)
@click.argument("names", nargs=-1)
@add_option("--run", "runs_each", is_flag=True, help="Test each optimizer with a short run.")
@add_option(
    "--parameters", is_flag=True, help="List the parameters of the optimizers, with their defaults."
)
@format_option
def command(
    names: Sequence[str], runs_each: bool, parameters: bool, output_format: OutputFormat
) -> None:
    r"""List the built-in optimizers, with the versions of their packages and their abilities.

    NAMES are optimizers or packages, such as scipy or cma:fmin2. Default: all. Your own optimizers
    are named 'module:function' or 'path/file.py:function' in a campaign.

    \b
    Columns:
      knows       information that the optimizer uses beside values: integer
                  variables, constraints
      bits        whether the optimizer accepts bits, or nothing else
      objectives  numbers of objectives that the optimizer accepts
      parallel    use of several evaluators: one value at a time (asynchronous),
                  complete batches, or a single evaluator

    A campaign refuses an optimizer that does not accept the problems of its suite.
    """
    selected = chosen(names)
    if parameters:
        rows = [row for name in selected for row in _parameter_rows(name)]
    else:
        outcomes = tried(selected, _TIMEOUT_SECONDS) if runs_each else {}
        rows = [_optimizer_row(name, outcomes.get(name)) for name in selected]
    print_rows(rows or [_EMPTY_ROW], output_format)
    if not names and output_format == "table":
        for name in sorted(entry_points("firsthit.optimizers")):
            click.echo(f"of an installed package: {name}")


def _parameter_rows(name: str) -> Iterator[Mapping[str, str | int | None]]:
    """Yield one row for each parameter of a built-in optimizer."""
    from ..runner.optimizers.resolve import BUILT_IN

    for parameter in inspect.signature(BUILT_IN[name].solve).parameters.values():
        # Parameters of a campaign are keyword-only. A run passes the other arguments, such as the
        # problem.
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY:
            default = "the package's" if parameter.default is None else str(parameter.default)
            yield {"optimizer": name, "parameter": parameter.name, "default": default}


def _optimizer_row(
    name: str, outcome: tuple[Outcome, str] | None
) -> Mapping[str, str | int | None]:
    """Return the row of a built-in optimizer.

    Args:
        name: Name of the optimizer.
        outcome: Outcome of a trial, and the reason for the outcome. None: there was no trial. The
            column "here" then tells whether the packages of the optimizer are installed.
    """
    from ..runner.optimizers.resolve import BUILT_IN

    built_in = BUILT_IN[name]
    if outcome is None:
        usability = describe_missing_packages(name) or "installed"
    else:
        usability = ": ".join(filter(None, outcome))
    capabilities = [
        capability for capability in ("integers", "constraints") if getattr(built_in, capability)
    ]
    return {
        "optimizer": name,
        "about": built_in.about,
        "package": package_of(name),
        "here": usability,
        "batch": built_in.batch,
        "parallel": built_in.parallel,
        "knows": ", ".join(capabilities),
        "bits": built_in.bits,
        "objectives": ", ".join(map(str, built_in.objectives)),
        "ends": "with the budget" if built_in.needs_budget else "by itself",
    }
