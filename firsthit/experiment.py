"""``firsthit.benchmark``: the runner's experiment, its log opened as results."""

from __future__ import annotations

import inspect
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
    run.__module__ = __name__
    run.__annotations__["return"] = "Results"
    signature = inspect.signature(experiment).replace(return_annotation="Results")
    run.__signature__ = signature  # type: ignore[attr-defined]
    return run


benchmark = _with_results(runner.benchmark)
