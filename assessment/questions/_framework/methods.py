"""Questions as methods of `Results`, and figures as methods of ``results.plot``.

`registry` imports a question when its method is first used. The types of the methods are in
``methods.pyi`` beside this file, which `codegen` writes.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MethodType
from typing import Any

from . import registry


class _LazyMethod:
    """Method of `Questions` whose question is imported when the method is first used.

    As an attribute of the class, it appears in ``help(Results)`` and in the reference.

    Args:
        name: Name of a question of firsthit.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, results: Questions | None, owner: type[Questions]) -> Callable[..., Any]:
        """Return the function of the method, bound to the results if there are any."""
        question = registry.question(self._name)
        assert question is not None  # it is in the catalogue
        return question.method if results is None else MethodType(question.method, results)


class Questions:
    """The questions to the log of `Results`, each a method."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """Return the method of a question that is not in the catalogue, such as a user's own."""
        question = None if name.startswith("_") else registry.question(name)
        if question is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return MethodType(question.method, self)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *registry.names()})


for _name in registry.own_questions():
    setattr(Questions, _name.replace("-", "_"), _LazyMethod(_name))


class Figures:
    """The figures of `Results`, each a method.

    A method draws one figure, shows it in a notebook, and returns its axes. Its arguments are those
    of the question of equal name. A figure shows one suite and dimension, and most show one
    function. If the results have several, select one by ``suites``, ``dimensions`` and
    ``functions``; otherwise an AssessmentError lists the values.
    ``axes.figure.savefig("a.pdf")`` writes the figure.

    Args:
        results: The `Results` that are drawn.
    """

    def __init__(self, results: Any) -> None:
        self._results = results

    def __getattr__(self, name: str) -> Callable[..., Any]:
        figure = None if name.startswith("_") else registry.figure(name.replace("_", "-"))
        if figure is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

        def draw(results: Any, /, *args: Any, **options: Any) -> Any:
            from .render import plot_figure  # the code of figures is not needed for tables

            return plot_figure(results, figure, *args, **options)

        figure.document_method(draw)
        return MethodType(draw, self._results)

    def __dir__(self) -> list[str]:
        names = (name.replace("-", "_") for name in registry.figure_names())
        return sorted({*super().__dir__(), *names})
