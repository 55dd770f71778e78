"""All questions of firsthit, as the help of ``firsthit assess`` and `Results` describe them."""

import inspect
import re
from dataclasses import dataclass

from firsthit.assessment import Results

from ..command_line import succeed

SHARED = (
    "unequal", "count", "algorithms", "suites", "functions", "dimensions", "instances",
)  # fmt: skip
"""Arguments that are not a question's own."""


@dataclass(frozen=True)
class Question:
    """Description of one question.

    Attributes:
        parameters: Names of its own options, without selectors, ``count`` and ``unequal``.
        two: Names of the parameters that are the two compared algorithms; empty for most questions.
        counts: Whether it takes ``count``.
        joins: Whether it takes ``unequal``.
    """

    parameters: tuple[str, ...]
    two: tuple[str, ...]
    counts: bool
    joins: bool


def describe(name):
    """Return the description of a question."""
    method = getattr(Results(None), name.replace("-", "_"))
    usage = succeed("assess", name, "--help").stdout
    return Question(
        parameters=tuple(
            parameter
            for parameter in inspect.signature(method).parameters
            if parameter not in SHARED
        ),
        two=("first", "second") if "name two with --algorithms" in " ".join(usage.split()) else (),
        counts="--count " in usage,
        joins="--unequal " in usage,
    )


def names_in(text):
    """Return the names of questions in a part of ``firsthit assess --help``."""
    return re.findall(r"^  ([a-z][a-z-]+)  ", text, re.MULTILINE)


HELP = succeed("assess", "--help").stdout
QUESTIONS = {name: describe(name) for name in names_in(HELP)}
OF_TWO_OBJECTIVES = set(
    names_in(HELP.partition("Archives of two objectives:\n")[2].partition("\n\n")[0])
)
_FIGURES_HELP = " ".join(succeed("figures", "--help").stdout.split())
KINDS = tuple(
    _FIGURES_HELP.partition("or 'all'; kinds: ")[2]
    .partition(". Default")[0]
    .replace("- ", "-")
    .split(", ")
)
"""Kinds of figures, in the order of the help of ``firsthit figures``."""


def options_of(name):
    """The names of its own options."""
    question = QUESTIONS[name]
    return set(question.parameters) - set(question.two)


def required(name):
    """Values of what must be given, or be there in every log."""
    if name == "targets":
        return {"way": "dynamic"}
    return {"budget": 10} if name in ("aocc", "areas", "contributions") else {}


def ask(results, name, **options):
    """Its table; of the first and the last algorithm where two are compared."""
    pair = (results.algorithms[0], results.algorithms[-1]) if QUESTIONS[name].two else ()
    return getattr(results, name.replace("-", "_"))(*pair, **required(name) | options)
