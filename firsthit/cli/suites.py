"""Define ``firsthit suites``, which lists the registered suites or the functions of one suite."""

from __future__ import annotations

import click

from ..entry_points import entry_points
from .help import Command
from .options import OutputFormat, format_option, print_rows


@click.command(
    cls=Command,
    examples=["firsthit suites", "firsthit suites bbob", "firsthit suites --format json"],
)
@click.argument("name", required=False)
@format_option
def command(name: str | None, output_format: OutputFormat) -> None:
    """List the registered suites, or the functions of the suite NAME.

    The table shows the dimensions and instances of the standard experiment, and counts its
    problems. COCO's suites and ma-bbob have further dimensions and instances.
    """
    from ..suites import suite_names
    from ..suites.selection import ranges
    from ..suites.suite import definition

    if name is None:
        suites = [definition(suite_name) for suite_name in suite_names()]
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
                "final target": _format_final_target(suite.measurement.final_target),
            }
            for suite in suites
        ]
    else:
        suite = definition(name)
        # A function has the same group and name in all dimensions and instances.
        dimension, instance = suite.dimensions[0], suite.instances[0]
        problems = {
            function: suite.problem(function, dimension, instance) for function in suite.functions
        }
        rows = [
            {"function": str(function), "group": problem.group, "name": problem.name}
            for function, problem in problems.items()
        ]
    print_rows(rows, output_format)
    if name is None and output_format == "table":
        for suite_name in sorted(entry_points("firsthit.suites")):
            click.echo(f"of an installed package: {suite_name}")


def _format_final_target(precision: float | None) -> str:
    return "none" if precision is None else f"{precision:g}"
