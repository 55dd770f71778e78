"""``firsthit.benchmark``: the runner's experiment, its log opened as results."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

from . import runner
from .assessment import Results
from .loggers import Log

Arguments = ParamSpec("Arguments")


def _with_results(experiment: Callable[Arguments, Log]) -> Callable[Arguments, Results]:
    @wraps(experiment)
    def run(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Results:
        return Results(experiment(*args, **kwargs))

    text = (experiment.__doc__ or "").replace(
        "The log.\n", "The results, as from ``firsthit.load``; the log itself is ``.log``.\n"
    )
    run.__doc__ = text
    return run


benchmark = _with_results(runner.benchmark)
