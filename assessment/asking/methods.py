"""Questions as methods of `Results`, figures as methods of ``results.plot``.

``methods.pyi`` beside this file has their types; `generate` writes it. Nothing of a question is
imported before it is asked.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, update_wrapper
from typing import Any

from . import registry


class Questions:
    """The questions to the log of `Results`, each a method."""

    def __getattr__(self, name: str) -> Any:
        found = None if name.startswith("_") else registry.question(name)
        if found is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return update_wrapper(partial(_ask, self, found), found.function)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *registry.names()})


def _ask(results: Any, question: Any, *args: Any, **options: Any) -> Any:
    runs, own = question.runs(results.log, options)
    return question(runs, *args, **own)


class Figures:
    """The figures of `Results`, each a method.

    A call draws one figure, shows it in a notebook, and returns its axes. Arguments are those of
    the question of the same name. A figure shows one suite and dimension, most of them one
    function: where there are several, ``suites``, ``dimensions`` and ``functions`` say which; an
    AssessmentError tells what there is. ``axes.figure.savefig("a.pdf")`` keeps it.

    Args:
        results: What is drawn.
    """

    def __init__(self, results: Any) -> None:
        self._results = results

    def __getattr__(self, name: str) -> Callable[..., Any]:
        found = None if name.startswith("_") else registry.figure(name.replace("_", "-"))
        if found is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return update_wrapper(partial(_plot, self._results, found), found.draw)

    def __dir__(self) -> list[str]:
        own = (name.replace("-", "_") for name in registry.figure_names())
        return sorted({*super().__dir__(), *own})


def _plot(results: Any, figure: Any, *args: Any, **options: Any) -> Any:
    from .drawing import plotted

    return plotted(results, figure, *args, **options)
