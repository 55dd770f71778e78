"""The sample of questions at targets: first hits of all runs, and the targets.

`open_at_targets` resolves the targets of a question and reads an `AtTargets`. A reference algorithm
is opened by `open_reference` as a `ReferenceAt`, which reads its average runtimes at the first use.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from ..cost import axis_of
from ..errors import AssessmentError
from ..hits.run_sets import RunSet as RunSet
from ..hits.run_sets import in_batches, run_sets_of
from ..references import Entries, by_cell
from ..selection import Selection
from ..target_choice import (
    Reference,
    RequestedTargets,
    is_runlength,
    load_targets,
    reference_entries,
    resolve_targets,
)
from ..targets.budgets import AXIS, Budgets, batch_size
from ..targets.target_sets import Default, TargetSet
from .sample import Kind, Sample


@dataclass(frozen=True, eq=False)
class ReferenceAt:
    """The reference of a sample: average runtimes that algorithms are compared with.

    Attributes:
        requested: The reference as the user named it.
        read: Return the entries by suite, function and dimension, and the name of the reference.
            The first call reads them; later calls return the same objects.
    """

    requested: Reference
    read: Callable[[], tuple[Entries, str]]

    @property
    def entries(self) -> Entries:
        """Average runtimes by suite, function and dimension."""
        return self.read()[0]

    @property
    def name(self) -> str:
        """Name of the reference."""
        return self.read()[1]


@dataclass(frozen=True, eq=False, kw_only=True)
class AtTargets(Sample[RunSet]):
    """The selected runs with their first hits of targets.

    Besides the attributes that `Sample` lists, a cell has

    - ``hits``, evaluations at the first hit, shape ``(n_runs, n_targets)``, easiest target first;
      NaN if the run did not hit the target
    - ``spent``, evaluations of each run, shape ``(n_runs,)``; of a run that hit the final target,
      the evaluations at this hit
    - ``exact``, False where the hit is an upper bound, in the shape of ``hits``.

    The sample has the attributes of `Sample`, and these:

    Attributes:
        targets: The targets of each function. ``targets.of(suite, function, dimension)`` returns
            them. ``targets.keys(suite, function, dimension)`` returns the values of the columns
            that ``targets.named(columns)`` puts in the place of the column ``target``.
        reference: The reference that algorithms are compared with. None: no reference.

    Example:
        >>> import firsthit, numpy as np
        >>> from firsthit.assessment import AtTargets, Table, at_targets, decades
        >>> from firsthit.assessment import question, table_of
        >>> @question("My own", needs=at_targets(decades))
        ... def hit_rates(sample: AtTargets) -> Table:
        ...     '''Compute the share of the runs that hit each target.'''
        ...     rows = [
        ...         [cell.algorithm, *key, float(np.isfinite(hits).mean())]
        ...         for cell in sample
        ...         for key, hits in zip(sample.targets.keys(*cell.problem_class), cell.hits.T)
        ...     ]
        ...     names = sample.targets.named(("algorithm", "target", "rate"))
        ...     return Table(table_of(names, rows))
        >>> results = firsthit.benchmark(
        ...     "random-search", "bbob", functions=1, dimensions=2, budget=20
        ... )
        >>> print(results.hit_rates([1e1, 1e0]))
        algorithm      target    rate
        random-search      10       1
        random-search       1  0.6667
    """

    kind: ClassVar[Kind] = "targets"
    targets: TargetSet
    reference: ReferenceAt | None = None

    def check_single_target(self) -> None:
        """Raise an AssessmentError unless each function has one target."""
        n_targets = max((run_set.hits.shape[1] for run_set in self), default=1)
        if n_targets != 1:
            raise AssessmentError(f"targets: one target is needed, {n_targets} are given")

    def check_shared_targets(self, *, budgets_suffice: bool = False) -> None:
        """Raise an AssessmentError if targets differ between functions.

        Args:
            budgets_suffice: Whether run-length targets are allowed. They differ between functions,
                but their budgets may be the same for all functions.
        """
        if self.targets.own and not (budgets_suffice and self.targets.budgets):
            raise AssessmentError(
                "targets: those asked for differ between functions; give targets that all "
                "functions share, such as 1e1,1e-1"
            )


def open_at_targets(
    selection: Selection,
    targets: RequestedTargets | Default,
    default: Default,
    *,
    reference: Reference | None = None,
    shows_reference: bool = False,
    own_targets: bool = False,
    budgets: Budgets | None = None,
    axis: str = AXIS,
) -> AtTargets:
    """Resolve the targets of a question, and read the first hits of the selected runs.

    Args:
        selection: The selected runs.
        targets: Targets that the user requested, or a function that replaces ``default``.
        default: Return the targets of a suite from its measurement, if none are requested.
        reference: The reference that run-length targets are computed from, and that algorithms are
            compared with. None: no reference.
        shows_reference: Whether the question shows the reference. Otherwise a reference without
            run-length targets is an error.
        own_targets: Whether the reference is read at its own targets instead of the targets of the
            sample.
        budgets: Budgets of run-length targets if the request names none. None: the usual ones.
        axis: Unit of budgets. With ``"batches:P"``, hits and lengths are numbers of batches. It is
            seconds if the selection counts seconds.

    Raises:
        AssessmentError: The reference is not used, `resolve_targets` fails, or the runs must not be
            mixed.
    """
    requested = None if callable(targets) else targets
    if reference is not None and not shows_reference and not is_runlength(requested):
        raise AssessmentError(
            "reference: it is what --targets runlength are made from; give both or none"
        )
    # Run-length targets are computed for all selected functions, also for those left out by common.
    loaded = load_targets(selection.log, selection.chosen, requested, reference, budgets)
    default_targets = targets if callable(targets) else default
    resolved = resolve_targets(selection.log, selection.rows, loaded, default_targets)
    run_sets = run_sets_of(selection.log, selection.rows, resolved, selection.count)
    unit = axis_of(axis, selection.count)
    shown = None
    if reference is not None and shows_reference:
        shown = open_reference(selection, reference, None if own_targets else resolved)
    return AtTargets(
        selection=selection,
        cells=tuple(in_batches(run_sets, batch_size(unit))),
        axis=unit,
        targets=resolved,
        reference=shown,
    )


def open_reference(
    selection: Selection, reference: Reference, targets: TargetSet | None
) -> ReferenceAt:
    """Return a reference; its average runtimes are read at the first use, not here.

    Args:
        selection: Runs of the algorithms of the log that a reference may name.
        reference: The reference as the user named it.
        targets: Targets of the average runtimes. None: the targets of the reference itself.
    """

    @cache
    def read() -> tuple[Entries, str]:
        entries, name = reference_entries(
            selection.log, selection.rows, reference, selection.count, targets
        )
        return by_cell(entries), name

    return ReferenceAt(reference, read)
