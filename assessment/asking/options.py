"""Types of the parameters of questions: each says how it is called and explained, once.

A parameter ``seed: Seed = 1`` is the keyword ``seed`` in Python and ``--seed`` on the command line.
A parameter of a ``Literal`` type is a choice, one of type ``bool`` a switch; neither needs an
entry here. Two parameters of type `Algorithm` are ``--algorithms A,B``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from ..data import target_choice
from ..data.function_pairs import Runtimes as Runtimes
from ..data.grouping import GroupBy as GroupBy
from ..targets import budgets as budgets_module
from ..targets.budgets import Axis as Axis


@dataclass(frozen=True)
class Option:
    """How a parameter is written on the command line, and explained.

    Attributes:
        metavar: What stands for its value.
        help: What it is, in any question; ``{}`` is replaced by what the question's docstring says
            of it, which follows otherwise.
        choices: What it may be on the command line.
    """

    metavar: str = ""
    help: str = "{}"
    choices: tuple[str, ...] = ()


Algorithm = Annotated[str, Option("NAME")]
"""One algorithm; a question has two of them or none."""

Targets = Annotated[
    target_choice.RequestedTargets,
    Option(
        "NUMBERS",
        "Precisions such as 1e1,1e-8 or 1e-5,0,-1e-5; 1e2..1e-8/5: five per decade; runlength or "
        "runlength:0.5*D,10*D with --reference; dynamic; a NAME.csv that `assess targets` wrote",
    ),
]
Reference = Annotated[
    target_choice.Reference,
    Option(
        "NAME",
        "An algorithm of LOGS; 'best' for the best of them on each target, 'best:A,B' of some; "
        "best2009-bbob and others that cocopp brings; a file of such data or of assess best "
        "--output",
    ),
]
Background = Annotated[
    str,
    Option(
        "NAMES",
        "Logs or published data of others, such as 'coco:bbob/2009/*', between commas: their "
        "curves are added, thin and grey in figures",
    ),
]
FeatureFile = Annotated[
    str | Path,
    Option(
        "FILE.csv",
        "Landscape features that join the rows: columns function, dimension, and suite and "
        "instance where features depend on them; all others are features",
    ),
]
RuntimeAxis = Annotated[
    str,
    Option(
        "UNIT",
        "{}: evaluations/dimension, evaluations, or batches:P, what P evaluations at a time take",
    ),
]
Budgets = Annotated[
    budgets_module.Budgets,
    Option(
        "NUMBERS",
        "Evaluations, such as 500,1e4, or multiples of the dimension: 10*D,50*D or 1..1e3/2*D",
    ),
]
Budget = Annotated[
    float | str,
    Option(
        "NUMBER",
        "{}, such as 500, or 100*D: a multiple of the dimension",
    ),
]
Tolerances = Annotated[
    float | str | Iterable[float],
    Option("NUMBERS", "{}, such as 1e-1,1e-3"),
]
"""Each between 0 and 1."""
Percents = Annotated[float | str | Iterable[float], Option("NUMBERS")]
"""Above 0, up to 100."""
Level = Annotated[float, Option("LEVEL")]
"""Of confidence intervals, such as 0.95."""
Alpha = Annotated[float, Option("LEVEL")]
"""Of tests, such as 0.05."""
Groupings = Annotated[str | Sequence[str], Option(choices=("all", "group", "function"))]
"""What curves span; several in Python."""
OutputFile = Annotated[str | Path, Option("FILE")]
Seed = Annotated[int, Option("INTEGER")]
Samples = Annotated[int, Option("INTEGER")]
Number = Annotated[float, Option("NUMBER")]
Precision = Annotated[float, Option("NUMBER")]
Names = Annotated[str | list[str] | tuple[str, ...], Option("NAMES")]
"""Several names, such as ``"sigma,popsize"``."""
