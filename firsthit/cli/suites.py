"""``firsthit suites``: which suites there are, and what is in them."""

from __future__ import annotations

import click

from ..entry_points import entry_points
from .options import format_option, print_rows


@click.command()
@click.argument("name", required=False)
@format_option
def command(name: str | None, form: str) -> None:
    """List the registered suites, or the functions of the suite NAME.

    Dimensions and instances are those of the standard experiment, whose problems are counted; the
    suites of COCO and ma-bbob have any others too.
    """
    from ..suites import suite_names
    from ..suites.selection import ranges
    from ..suites.suite import definition

    if name is None:
        suites = [definition(known) for known in suite_names()]
        rows = [
            {
                "suite": suite.name,
                "version": suite.version,
                "functions": ranges(suite.functions),
                "dimensions": ranges(suite.dimensions),
                "instances": ranges(suite.instances),
                "problems": str(
                    len(suite.functions) * len(suite.dimensions) * len(suite.instances)
                ),
                "indicator": suite.measurement.indicator,
                "final target": _final_target(suite.measurement.final_target),
            }
            for suite in suites
        ]
    else:
        suite = definition(name)
        first = (suite.dimensions[0], suite.instances[0])
        rows = [
            {"function": str(number), "group": problem.group, "name": problem.name}
            for number, problem in ((f, suite.problem(f, *first)) for f in suite.functions)
        ]
    print_rows(rows, form)
    if name is None and form == "table":
        for added in sorted(entry_points("firsthit.suites")):
            click.echo(f"of an installed package: {added}")


def _final_target(precision: float | None) -> str:
    return "none" if precision is None else f"{precision:g}"
