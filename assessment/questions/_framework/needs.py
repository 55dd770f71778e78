"""Define needs: which data a question takes, how these are read, and the options for reading.

``@question(…, needs=at_targets(decades))`` declares that the question's function receives an
`AtTargets`. `Need.open` reads the sample; its parameters are options of the question, with their
types, defaults and documentation. A question may define another need by ``Need(function)``: the
first parameter of the function is the `Selection`, the others are options.

The functions import the module of their sample only when they read it, because the help of a
command does not need it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any, get_type_hints

from ...samples.sample import Sample, open_runs
from ...selection import Selection
from ...targets.budgets import AXIS, own_budgets
from ...targets.target_sets import (
    Cell,
    Default,
    all_targets,
    coco_table_targets,
    decades,
    hardest,
    pair_targets,
)
from .options import Axis, Budget, Budgets, Precision, Reference, RuntimeAxis, Targets

if TYPE_CHECKING:
    from ...hits.archives import FromEnds

_DEFAULT_TARGETS: Mapping[Default, str] = {
    decades: "None: the suite's powers of ten, e.g. 1e1, 1e0, ... 1e-8.",
    all_targets: "None: all targets of the suite, e.g. 51 from 1e2 to 1e-8.",
    hardest: "None: the final target, or the suite's hardest target.",
    pair_targets: "None: 1e1, 1e-1, 1e-4, 1e-8, or four targets of the suite.",
    coco_table_targets: "None: 1e1, 1, 1e-1, 1e-2, 1e-3, 1e-5, 1e-7, or the suite's powers of ten.",
}
"""Default to the description of the option ``targets``, unless the question's docstring has one."""


@dataclass(frozen=True, eq=False)
class Need:
    """A declaration of the data that a question takes.

    Attributes:
        open: Function that reads the sample of some selected runs. Its parameters after the first
            are options of the question.
        documented: Descriptions of these options by name; the docstring of the question takes
            precedence.
        hidden: Parameters of ``open`` that are no options of the question.

    Example:
        >>> from firsthit.assessment import at_budgets
        >>> list(at_budgets().parameters)
        ['budgets', 'axis']
        >>> list(at_budgets(takes_axis=False).parameters), at_budgets(takes_axis=False).hidden
        (['budgets'], ('axis',))
    """

    open: Callable[..., Sample[Any]] = field(repr=False)
    documented: Mapping[str, str] = field(default_factory=dict)
    hidden: tuple[str, ...] = ()

    @cached_property
    def parameters(self) -> dict[str, inspect.Parameter]:
        """The options, by name."""
        parameters = list(inspect.signature(self.open).parameters.items())[1:]
        return {name: parameter for name, parameter in parameters if name not in self.hidden}

    @cached_property
    def hints(self) -> dict[str, Any]:
        """Types of the options, by name."""
        hints = get_type_hints(self.open, include_extras=True)
        return {name: hints[name] for name in self.parameters}


runs_alone = Need(open_runs, hidden=("rows",))
"""Need of the runs alone, without their results: a plain `Sample`.

Example:
    >>> from firsthit.assessment import runs_alone
    >>> list(runs_alone.parameters)  # it gives the question no options
    []
"""


def at_targets(
    default: Default,
    *,
    takes_axis: bool = False,
    shows_reference: bool = False,
    own_targets: bool = False,
    budgets: str | None = None,
) -> Need:
    """Declare that a question takes the first hits of targets, as an `AtTargets`.

    Args:
        default: Function from a suite's `Measurement` to the targets if the user chooses none.
        takes_axis: Whether the unit of budgets is an option.
        shows_reference: Whether the question shows the reference, as ``sample.reference``.
            Otherwise a reference is an option for run-length targets alone.
        own_targets: Whether the reference is read at its own targets, not at those of the sample.
        budgets: Budgets of run-length targets if the user names none. None: five budgets.

    Example:
        >>> from firsthit.assessment import at_targets, decades
        >>> list(at_targets(decades).parameters)
        ['targets', 'reference']
        >>> list(at_targets(decades, takes_axis=True).parameters)
        ['targets', 'axis', 'reference']
    """

    def open_sample(
        selection: Selection,
        targets: Targets | None = None,
        *,
        axis: RuntimeAxis = AXIS,
        reference: Reference | None = None,
    ) -> Sample[Any]:
        from ...samples.at_targets import open_at_targets

        return open_at_targets(
            selection,
            targets,
            default,
            reference=reference,
            shows_reference=shows_reference,
            own_targets=own_targets,
            budgets=budgets,
            axis=axis,
        )

    documented = {
        "targets": _DEFAULT_TARGETS.get(default, "None: some targets of the suite."),
        "axis": "Unit of budgets.",
        "reference": "None: no reference; run-length targets need one.",
    }
    return Need(open_sample, documented, () if takes_axis else ("axis",))


def at_budgets(*, takes_axis: bool = True) -> Need:
    """Declare that a question takes best precisions within budgets, as an `AtBudgets`.

    Args:
        takes_axis: Whether the unit of budgets is an option.

    Example:
        >>> from firsthit.assessment import at_budgets
        >>> list(at_budgets().parameters)
        ['budgets', 'axis']
    """

    def open_sample(
        selection: Selection, budgets: Budgets | None = None, *, axis: Axis = AXIS
    ) -> Sample[Any]:
        from ...samples.at_budgets import open_at_budgets

        return open_at_budgets(selection, budgets, axis)

    documented = {
        "budgets": "None: powers of ten below the longest run, and the longest run of each "
        "algorithm.",
        "axis": "Unit of budgets.",
    }
    return Need(open_sample, documented, () if takes_axis else ("axis",))


def curves(*, takes_axis: bool = True) -> Need:
    """Declare that a question takes convergence curves, as a `Curves`.

    Args:
        takes_axis: Whether the unit of budgets is an option; otherwise it is evaluations.

    Example:
        >>> from firsthit.assessment import curves
        >>> list(curves().parameters)
        ['axis']
        >>> list(curves(takes_axis=False).parameters)
        []
    """

    def open_sample(
        selection: Selection, *, axis: Axis = AXIS if takes_axis else "evaluations"
    ) -> Sample[Any]:
        from ...samples.curves import open_curves

        return open_curves(selection, axis)

    return Need(open_sample, {"axis": "Unit of budgets."}, () if takes_axis else ("axis",))


def areas(*, takes_scale: bool = True) -> Need:
    """Declare that a question takes areas over the convergence curve, as an `Areas`.

    Args:
        takes_scale: Whether the precisions worth 0 and 1 are options; otherwise 1e2 and 1e-8.

    Example:
        >>> from firsthit.assessment import areas
        >>> list(areas().parameters)
        ['budget', 'lower', 'upper']
    """

    def open_sample(
        selection: Selection,
        budget: Budget | None = None,
        *,
        lower: Precision = 1e-8,
        upper: Precision = 1e2,
    ) -> Sample[Any]:
        from ...samples.areas import open_areas
        from ...statistics.aocc import PrecisionScale

        return open_areas(selection, budget, PrecisionScale(lower, upper))

    documented = {
        "budget": "Budget at which the area ends. None: the budget of the runs, if all have the "
        "same.",
        "lower": "Precision with the value 1.",
        "upper": "Precision with the value 0.",
    }
    return Need(open_sample, documented, () if takes_scale else ("lower", "upper"))


def of_shared_functions(need: Need) -> Need:
    """Return a need that leaves out functions that not all of the selected algorithms were run on.

    A note states their number.
    """

    @wraps(need.open)
    def open_sample(selection: Selection, **options: Any) -> Sample[Any]:
        sample = need.open(selection, **options)
        classes_of_algorithm: dict[str, set[Cell]] = {}
        for cell in sample:
            classes_of_algorithm.setdefault(cell.algorithm, set()).add(cell.problem_class)
        class_sets = classes_of_algorithm.values()
        shared = set.intersection(*class_sets) if class_sets else set()
        n_left_out = len(set().union(*class_sets) - shared)
        notes = selection.notes
        if n_left_out:
            note = (
                f"functions of one algorithm: {n_left_out}; left out, because a difference needs "
                "both."
            )
            notes = (*notes, note)
        shared_sample = sample.of(cell for cell in sample if cell.problem_class in shared)
        return replace(shared_sample, selection=replace(selection, notes=notes))

    return replace(need, open=open_sample)


def archives(default: FromEnds = own_budgets) -> Need:
    """Declare that a question takes archives of two objectives, as an `Archives`.

    Args:
        default: Function from the lengths of runs and the unit to the budgets if the user chooses
            none.

    Example:
        >>> from firsthit.assessment import archives
        >>> list(archives().parameters)
        ['budgets', 'axis']
    """

    def open_sample(
        selection: Selection, budgets: Budgets | None = None, *, axis: Axis = AXIS
    ) -> Sample[Any]:
        from ...samples.archives import open_archives

        return open_archives(selection, budgets, default, axis)

    default_budgets = (
        "None: powers of ten below the longest run, and the length of the longest run."
        if default is own_budgets
        else "None: all evaluations of the runs."
    )
    return Need(open_sample, {"budgets": default_budgets, "axis": "Unit of budgets."})
