"""``results.plot``: each method asks a question, draws the answer, and returns matplotlib axes."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, Unpack

from .asking.methods import Figures
from .data.choice import Selectors
from .data.target_choice import Asked, Counted
from .figures.anytime.notes import draw_notes
from .figures.precision_ecdf import draw_precision_ecdf
from .figures.shapes import draw_precision_shapes, draw_runtime_shapes
from .targets.budgets import Budgets

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from .tables.table import Table

_DOTS_PER_INCH, _SHOWN_PER_INCH = 200, 100


class Plots(Figures):
    """Figures of results. A call draws one figure, shows it in a notebook, and returns its axes.

    Arguments are those of the question of the same name. A figure shows one suite and dimension,
    most of them one function: where there are several, ``suites``, ``dimensions`` and ``functions``
    say which; an AssessmentError tells what there is. ``axes.figure.savefig("a.pdf")`` keeps it.

    Raises (every method): FirsthitError as of the question; MissingPackageError without matplotlib.

    Args:
        results: Whose; a `Results`.
    """

    def __init__(self, results: Any) -> None:
        self._results = results

    def precision_ecdf(
        self, budgets: Budgets | None = None, *, joined: bool = False, **selectors: Unpack[Counted]
    ) -> Axes:
        """Share of runs within each precision, at budgets (`draw_precision_ecdf`)."""
        table = self._results.precision_ecdf(budgets, joined=joined, **selectors)
        return self._drawn(draw_precision_ecdf, table)

    def runtime_shapes(
        self, targets: Asked = None, *, shape: str = "density", **selectors: Unpack[Counted]
    ) -> Axes:
        """Distributions of runtimes to targets, on one function (`draw_runtime_shapes`)."""
        table = self._results.runtime_shapes(targets, shape=shape, **selectors)
        return self._drawn(draw_runtime_shapes, table, shape)

    def precision_shapes(
        self,
        budgets: Budgets | None = None,
        *,
        shape: str = "density",
        **selectors: Unpack[Counted],
    ) -> Axes:
        """Distributions of precisions at budgets, on one function (`draw_precision_shapes`)."""
        table = self._results.precision_shapes(budgets, shape=shape, **selectors)
        return self._drawn(draw_precision_shapes, table, shape)

    def notes(self, name: str, **selectors: Unpack[Selectors]) -> Axes:
        """A parameter that algorithms noted, on one function (`draw_notes`)."""
        return self._drawn(draw_notes, self._results.notes([name], **selectors))

    def _drawn(self, draw: Callable[..., Figure], table: Table, *options: Any) -> Axes:
        """A figure in which each algorithm has the colour that it has in all figures of these."""
        return _shown(draw(table, *options, algorithms=self._results.algorithms))


def _shown(figure: Figure) -> Axes:
    """The first axes of a figure, after a notebook, if this runs in one, has shown it."""
    if "ipykernel" in sys.modules:
        notebook: Any = import_module("IPython.display")
        picture = io.BytesIO()
        figure.savefig(picture, format="png", dpi=_DOTS_PER_INCH)
        width = int(_SHOWN_PER_INCH * figure.get_figwidth())
        notebook.display(notebook.Image(picture.getvalue(), width=width))
    return figure.axes[0]
