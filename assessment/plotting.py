"""``results.plot``: each method asks a question, draws the answer, and returns matplotlib axes."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, Unpack

from .asking.methods import Figures
from .data.choice import Selectors
from .data.target_choice import Asked, Counted, Reference
from .figures.anytime.attainment import draw_attainment
from .figures.fronts.fronts import draw_fronts
from .figures.loss import draw_loss
from .figures.merit.critical_difference import draw_critical_difference
from .figures.profiles.cuts import draw_cuts
from .figures.ratios import draw_ratios
from .figures.scatter import draw_scatter

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

    def loss(self, reference: Reference = "best", **selectors: Unpack[Selectors]) -> Axes:
        """How many times longer than a reference, by budget (`draw_loss`)."""
        return self._drawn(draw_loss, self._results.loss(reference, **selectors))

    def scatter(
        self, first: str, second: str, targets: Asked = None, **selectors: Unpack[Counted]
    ) -> Axes:
        """Average runtimes of two algorithms on one function (`draw_scatter`)."""
        return self._drawn(draw_scatter, self._results.scatter(first, second, targets, **selectors))

    def ratios(
        self, first: str, second: str, targets: Asked = None, **selectors: Unpack[Counted]
    ) -> Axes:
        """Distribution of runtime ratios of two algorithms (`draw_ratios`)."""
        return self._drawn(draw_ratios, self._results.ratios(first, second, targets, **selectors))

    def cuts(self, budget: float | str, target: float, **selectors: Unpack[Counted]) -> Axes:
        """Convergence curves, cut at a budget and at a target, on one function (`draw_cuts`)."""
        return self._drawn(draw_cuts, self._results.cuts(budget, target, **selectors))

    def fronts(self, objectives: str = "scaled", **selectors: Unpack[Selectors]) -> Axes:
        """The best points of algorithms on one instance with two objectives (`draw_fronts`)."""
        return self._drawn(draw_fronts, self._results.fronts(**selectors), objectives)

    def attainment(self, **selectors: Unpack[Selectors]) -> Axes:
        """Precision that shares of the runs had, of one algorithm (`draw_attainment`)."""
        return self._drawn(draw_attainment, self._results.attainment(group_by="all", **selectors))

    def critical_difference(self, targets: Asked = None, **selectors: Unpack[Counted]) -> Axes:
        """Average ranks, with bars over what does not differ (`draw_critical_difference`)."""
        return self._drawn(draw_critical_difference, self._results.ranks(targets, **selectors))

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
