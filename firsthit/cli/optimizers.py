"""``firsthit optimizers``: the built-in optimizers, their parameters, and whether they run here."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence

import click

from ..entry_points import entry_points
from .doctor import chosen, package_of, tried, what_is_missing
from .options import format_option, print_rows

_SECONDS = 60.0


@click.command()
@click.argument("names", nargs=-1)
@click.option("--run", "really", is_flag=True, help="Really run each for a moment.")
@click.option("--parameters", is_flag=True, help="List parameters with their defaults, one a line.")
@format_option
def command(names: Sequence[str], really: bool, parameters: bool, form: str) -> None:
    """List the built-in optimizers, with the version of their package and what they know.

    "knows" tells what they make use of beyond values: integer variables and constraints; "bits"
    whether they take bits, or nothing else; "objectives" how many they take. On suites with
    constraints or bits, or with another number of objectives, others are refused before the run.
    "parallel" tells how they use several evaluators: told point by point (asynchronous), in batches
    that are waited for, or one only.

    NAMES are optimizers or packages, such as scipy or cma:fmin2 [default: all]. Others are named
    'module:function' or 'path/file.py:function' in a campaign.
    """
    selected = chosen(names)
    if parameters:
        rows = [row for name in selected for row in _parameters(name)]
    else:
        found = tried(selected, _SECONDS) if really else {}
        rows = [_facts(name, found.get(name)) for name in selected]
    print_rows(rows or [{"optimizer": "", "parameter": "", "default": ""}], form)
    if not names and form == "table":
        for added in sorted(entry_points("firsthit.optimizers")):
            click.echo(f"of an installed package: {added}")


def _facts(name: str, found: tuple[str, str] | None) -> Mapping[str, str | int | None]:
    from ..runner.optimizers.resolve import BUILT_IN

    built_in = BUILT_IN[name]
    here = ": ".join(filter(None, found)) if found else what_is_missing(name) or "installed"
    return {
        "optimizer": name,
        "about": built_in.about,
        "package": package_of(name),
        "here": here,
        "batch": built_in.batch,
        "parallel": built_in.parallel,
        "knows": ", ".join(name for name in ("integers", "constraints") if getattr(built_in, name)),
        "bits": built_in.bits,
        "objectives": ", ".join(map(str, built_in.objectives)),
        "ends": "with the budget" if built_in.needs_budget else "by itself",
    }


def _parameters(name: str) -> Iterator[Mapping[str, str | int | None]]:
    from ..runner.optimizers.resolve import BUILT_IN

    for parameter in inspect.signature(BUILT_IN[name].solve).parameters.values():
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY:
            default = "the package's" if parameter.default is None else str(parameter.default)
            yield {"optimizer": name, "parameter": parameter.name, "default": default}
