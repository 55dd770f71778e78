"""Types of the parameters of questions; a type determines how the option is written and explained.

A parameter ``seed: Seed = 1`` is the keyword ``seed`` in Python and ``--seed`` on the command line.
The metadata `Option` of a type gives the option its metavar and its help. A parameter of a
``Literal`` type is a choice, and one of type ``bool`` is a switch; neither needs a type of this
module. Two parameters of type `Algorithm` are ``--algorithms A,B``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from ... import target_choice
from ...grouping import GroupBy as GroupBy
from ...profiles.function_pairs import Runtimes as Runtimes
from ...targets import budgets as budgets_module
from ...targets.budgets import Axis as Axis
from .help_texts import BACKGROUND_HELP, REFERENCE_HELP, TARGETS_HELP


@dataclass(frozen=True)
class Option:
    """How a parameter is written and explained on the command line.

    Attributes:
        metavar: Placeholder of the value in the help.
        help: Help that the option has in all questions. The description in the question's
            docstring replaces ``{}`` in it, or else follows it.
        choices: Allowed values on the command line; empty: any value.
    """

    metavar: str = ""
    help: str = "{}"
    choices: tuple[str, ...] = ()


Algorithm = Annotated[str, Option("NAME")]
"""Name of an algorithm; a question has two parameters of this type or none."""

Targets = Annotated[
    target_choice.RequestedTargets,
    Option("NUMBERS", TARGETS_HELP),
]
Reference = Annotated[
    target_choice.Reference,
    Option("NAME", REFERENCE_HELP),
]
Background = Annotated[
    str,
    Option("NAMES", BACKGROUND_HELP),
]
FeatureFile = Annotated[
    str | Path,
    Option(
        "FILE.csv",
        "File with landscape features, which are added to the rows. Its columns are function, "
        "dimension, suite and instance if features depend on them, and one column per feature",
    ),
]
RuntimeAxis = Annotated[
    str,
    Option(
        "UNIT",
        "{}: evaluations/dimension, evaluations, or batches:P (number of batches of P parallel "
        "evaluations, e.g. batches:8)",
    ),
]
Budgets = Annotated[
    budgets_module.Budgets,
    Option(
        "NUMBERS",
        "Budgets in evaluations, e.g. 500,1e4, or as multiples of the dimension: 10*D,50*D or "
        "1..1e3/2*D (two per decade)",
    ),
]
Budget = Annotated[
    float | str,
    Option(
        "NUMBER",
        "{}, e.g. 500, or 100*D for a multiple of the dimension",
    ),
]
Tolerances = Annotated[
    float | str | Iterable[float],
    Option("NUMBERS", "{}, e.g. 1e-1,1e-3"),
]
"""Tolerances of convergence, each between 0 and 1."""
Percents = Annotated[float | str | Iterable[float], Option("NUMBERS")]
"""Percentages of runs, above 0 and up to 100."""
Level = Annotated[float, Option("LEVEL")]
"""Confidence level of intervals, such as 0.95."""
Alpha = Annotated[float, Option("LEVEL")]
"""Significance level of tests, such as 0.05."""
Groupings = Annotated[
    str | Sequence[str], Option("NAMES", "{}: all, group, function, or several, e.g. all,group")
]
"""Functions that curves span, such as ``"all"`` or ``("function", "group")``."""
OutputFile = Annotated[str | Path, Option("FILE")]
Seed = Annotated[int, Option("INTEGER")]
Resamples = Annotated[int, Option("INTEGER")]
Number = Annotated[float, Option("NUMBER")]
Precision = Annotated[float, Option("NUMBER")]
Names = Annotated[str | list[str] | tuple[str, ...], Option("NAMES")]
"""Several names, such as ``"sigma,popsize"``."""
