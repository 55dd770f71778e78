"""Options that several commands have: each is declared here, once.

``@options.count`` adds an option as it stands; ``@options.seed("the intervals")`` one whose help or
default the command says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click

Command = Callable[..., Any]
Decorator = Callable[[Command], Command]


def _numbers(option: str, example: str) -> Decorator:
    return click.option(option, metavar="NUMBERS", help=f"Such as {example} [default: all].")


functions = _numbers("--functions", "1-5,7")
dimensions = _numbers("--dimensions", "2,5")
instances = _numbers("--instances", "1-5,71-80")

hypervolume_reference = click.option(
    "--hypervolume-reference",
    metavar="archive|FILE",
    help="With two objectives, measure from the best of the archives in LOGS together, or from a "
    "file that `firsthit references` wrote [default: what each log was measured from].",
)
"""``--hypervolume-reference``: what hypervolumes are measured from anew."""


def targets(default: str) -> Decorator:
    """``--targets``: precisions, for `asked_targets`; ``default`` is what the help says."""
    return click.option(
        "--targets",
        metavar="NUMBERS",
        help="Precisions such as 1e1,1e-8 or 1e-5,0,-1e-5; 1e2..1e-8/5: five per decade; "
        "runlength or runlength:0.5,10 with --reference; dynamic; a file NAME.csv that "
        "`assess targets` wrote "
        f"[default: {default}].",
    )


def budgets(default: str) -> Decorator:
    """``--budgets``: multiples of the dimension, or in the unit of ``--axis``."""
    return click.option(
        "--budgets",
        metavar="NUMBERS",
        help="Multiples of the dimension, such as 10,1e3 or 10*D,1000*D, or in the unit of "
        f"--axis [default: {default}].",
    )


def one_budget(
    meaning: str,
    default: str = "that of the runs, where all have the same",
    required: bool = False,
) -> Decorator:
    """``--budget``: one, as text."""
    text = f"{meaning}, such as 100 or 100*D: a multiple of the dimension, or in the unit of --axis"
    return click.option(
        "--budget",
        metavar="NUMBER",
        required=required,
        help=f"{text}." if required else f"{text} [default: {default}].",
    )


def chosen_from(option: str, names: Sequence[str], help: str) -> Decorator:
    """One of several names, the first by default."""
    return click.option(
        option, type=click.Choice(names), default=names[0], show_default=True, help=help
    )


axis = chosen_from("--axis", ["evaluations/dimension", "evaluations"], "Unit of budgets.")

group_by = chosen_from(
    "--group-by", ["all", "group", "function"], "What a curve spans; never several dimensions."
)


def reference(default: str) -> Decorator:
    """``--reference``: what algorithms are measured against."""
    return click.option(
        "--reference",
        metavar="NAME",
        help="An algorithm of LOGS, 'best' for the best of them on each target, or a file of "
        f"COCO's reference data [default: {default}].",
    )


unequal = click.option(
    "--unequal",
    is_flag=True,
    help="Show all runs of each algorithm, and mark who lacks what another has [default: only "
    "functions, dimensions and instances that all were run on].",
)
"""``--unequal``: of a question that joins algorithms over many functions."""


count = click.option(
    "--count",
    type=click.Choice(["f+g", "f", "g"]),
    help="What counts as an evaluation: of the objective or of the constraints, as COCO counts; of "
    "the objective; of the constraints [default: f+g].",
)
"""``--count``: goes with the selectors."""


recommended = click.option(
    "--recommended",
    is_flag=True,
    help="Measure runs by the solutions that they recommended (problem.recommend), not by all that "
    "they evaluated.",
)
"""``--recommended``: says how the logs are read."""


def seed(of: str) -> Decorator:
    """``--seed`` of what is random, 1 by default."""
    return click.option("--seed", type=int, default=1, show_default=True, help=f"Of {of}.")


def alpha(meaning: str) -> Decorator:
    """``--alpha``: level of tests, 0.05 by default."""
    return click.option("--alpha", type=float, default=0.05, show_default=True, help=meaning)


def interval(of: str) -> Decorator:
    """``--interval``: level of confidence intervals, None without."""
    return click.option(
        "--interval",
        type=float,
        metavar="LEVEL",
        help=f"Add the confidence interval of {of}, such as 0.95.",
    )


def is_given(option: str) -> bool:
    """Whether the option, by its argument's name, is on the command line."""
    source = click.get_current_context().get_parameter_source(option)
    return source is click.core.ParameterSource.COMMANDLINE
