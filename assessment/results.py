"""Results: questions to the logs of one or more algorithms, answered as tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import numpy as np
from numpy.typing import NDArray

from ..suites.selection import ranges
from .asking.methods import Questions
from .data.choice import Selectors, choose, common_runs, refuse_two_references
from .data.fixed_budget_data import FixedBudgetData, fixed_budget_data
from .data.fronts.hypervolume import measured_by, references_table
from .data.target_choice import (
    Asked,
    Counted,
    Reference,
    asked_run_sets,
    chosen_targets,
    joined_run_sets,
    reference_at,
)
from .errors import AssessmentError
from .tables.table import Table
from .targets.budgets import Budgets
from .targets.defaults import (
    decades,
    pair_targets,
)
from .targets.parse import Targets
from .targets.target_sets import TargetTable
from .views.anytime.notes import notes_table
from .views.comparison.regression import RegressionOptions, RegressionTable, regression_table
from .views.precision_ecdf import precision_profile_table
from .views.profiles.joint import joint_table
from .views.shapes import precision_shapes, runtime_shapes

if TYPE_CHECKING:
    from ..loggers import Log
    from .explorer import Explorer
    from .plotting import Plots

Paths = str | Path | Iterable[str | Path]


def load(paths: Paths, recommended: bool = False) -> Results:
    """Read logs and offer their results.

    Args:
        paths: A file, a folder, a glob, or several of them; logs still being written count with
            the runs that are finished.
        recommended: Measure runs by the solutions that they recommended (``problem.recommend``),
            not by all that they evaluated: a runtime is that of the first recommended solution
            that hits the target, a precision that of the best recommended so far. A run that
            recommended nothing hits nothing, and a note counts these.

    Raises:
        LogNotFoundError: A path stands for no log.
        LogFormatError: A file is damaged or is no log.
        LogConflictError: Two logs say different things of one run or one algorithm.
        AssessmentError: Recommended solutions are asked for, and no run recommended one, or runs
            evaluated constraints: a log does not tell how often by a recommendation.
    """
    from ..loggers import read_log

    log = read_log(paths)
    return Results(_measured_by_recommendations(log) if recommended else log)


class Results(Questions):
    """The results in a log. Each question selects runs, and its answer is a table.

    The results of an algorithm depend on its own runs only: adding another changes none of them.
    Dimensions are never joined. All take

    - the `Selectors` ``algorithms``, ``suites``, ``functions``, ``dimensions``, ``instances``;
    - most of them ``count``, what an evaluation is: ``"f+g"`` (COCO's, the default), ``"f"``,
      ``"g"``; they differ where constraints were evaluated;
    - ``targets``: precisions as numbers, as text such as ``"1e1,1e-8"`` or ``"1e2..1e-8/5"``, as a
      table that `targets` made, or the name of a way to take them from the data; exact where the
      log's grid of 20 per decade allows it (``table.notes`` says where not). None: some of each
      suite's own, as its log has them; in tables its decades, such as 1e1 … 1e-8, unless said.

    Raises (every question): UnknownNameError, SelectionError for what is not in the log;
    AssessmentError for targets or options that make no sense.

    Attributes:
        log: The log that is asked.
    """

    def __init__(self, log: Log) -> None:
        self.log = log

    @property
    def plot(self) -> Plots:
        """Figures: ``results.plot.ecdf(dimensions=5)`` draws one and returns matplotlib axes."""
        from .plotting import Plots

        return Plots(self)

    def explore(
        self,
        targets: Targets | None = None,
        *,
        title: str = "Benchmark report",
        seed: int = 1,
        unequal: bool = False,
        count: str | None = None,
        reference: Reference | None = None,
    ) -> Explorer:
        """The interactive page of ``firsthit report``, shown in a notebook in a frame of its own.

        Nothing is served and nothing is fetched: the page is part of the notebook's output.
        ``explore().save("page.html")`` writes it. Needs the packages jinja2 and plotly.
        ``targets``, ``unequal``, ``count`` and ``reference`` are those of `ecdf`.
        """
        from .asking.context import Choices
        from .explorer import explorer_of

        return explorer_of(self.log, title, Choices(seed, targets, unequal, count, reference))

    def __repr__(self) -> str:
        return f"<Results of {', '.join(self.algorithms) or 'no algorithm'}: {_what(self)}>"

    def _repr_html_(self) -> str:
        """What notebooks show: what was run, and the summary."""
        from html import escape

        table = self.summary()._repr_html_() if len(self.log) else ""
        return f"<p><b>Results</b> of {escape(_what(self))}</p>{table}"

    @property
    def algorithms(self) -> tuple[str, ...]:
        """Names of the algorithms, sorted."""
        return self.log.runs.codes("algorithm")[0]

    @property
    def suites(self) -> tuple[str, ...]:
        """Names of the suites, sorted."""
        return self.log.runs.codes("suite")[0]

    @property
    def functions(self) -> tuple[int, ...]:
        """Numbers of the functions, ascending."""
        return _numbers(self.log.runs["function"])

    @property
    def dimensions(self) -> tuple[int, ...]:
        """Dimensions, ascending."""
        return _numbers(self.log.runs["dimension"])

    def measured_from(
        self,
        reference: str | Path,
        *,
        others: Iterable[Results] = (),
        **selectors: Unpack[Selectors],
    ) -> Results:
        """The results with hypervolumes measured from another reference, by the runs' archives.

        Args:
            reference: ``"archive"``: the hypervolume of all archives of the data together, problem
                by problem, so that it is as good as the best run at least; or a file of references,
                as ``firsthit references`` writes it.
            others: Whose archives take part, too.
            **selectors: Which runs are measured; the others stay as they are.

        Raises:
            AssessmentError: No run has two objectives, or one of them kept no whole archive.
        """
        rows = choose(self.log, **selectors)
        return Results(measured_by(self.log, rows, reference, [one.log for one in others]))

    def hypervolume_references(self, **selectors: Unpack[Selectors]) -> Table:
        """What hypervolumes are measured from, and the best of the data (`references_table`)."""
        return references_table(self.log, choose(self.log, **selectors))

    def precision_ecdf(
        self,
        budgets: Budgets | None = None,
        *,
        axis: str = "evaluations/dimension",
        group_by: str = "all",
        joined: bool = False,
        unequal: bool = False,
        count: str | None = None,
        **selectors: Unpack[Selectors],
    ) -> Table:
        """Share of runs that are within each precision, at budgets (`precision_profile_table`).

        It goes on where the profile of runtimes to the hardest target ends at a budget.
        ``budgets`` and ``axis`` are those of `fixed_budget`, ``group_by`` and ``unequal`` those of
        `ecdf`. With ``joined``, one curve over all budgets, which must then be given.
        """
        if joined and budgets is None:
            raise AssessmentError("budgets: name those that are joined")
        rows, left_out = self._joined_rows(unequal, **selectors)
        data = fixed_budget_data(self.log, rows, budgets, axis, count or "f+g")
        table = precision_profile_table(data, group_by, joined)
        return replace(table, notes=(*left_out, *table.notes))

    def joint(
        self,
        targets: Asked = None,
        budgets: Budgets | None = None,
        *,
        group_by: str = "all",
        reference: Reference | None = None,
        unequal: bool = False,
        count: str | None = None,
        **selectors: Unpack[Selectors],
    ) -> Table:
        """Runtimes to single targets and precisions at single budgets (`joint_table`).

        ``targets`` None: 1e1, 1e-1, 1e-4, 1e-8, or four of the suite's; ``budgets``, in evaluations
        / dimension, None: 1, 10, 100, …; ``reference``: as in `targets`, its average runtimes
        beside; ``unequal``: as in `ecdf`. Single runs, without restarts.
        """
        run_sets, wanted = joined_run_sets(
            self.log, targets, pair_targets, unequal, count, **selectors
        )
        rows, _ = self._joined_rows(unequal, **selectors)
        known = reference and reference_at(self.log, rows, reference, wanted, count)
        data = fixed_budget_data(self.log, rows, budgets, "evaluations/dimension", count or "f+g")
        return joint_table(run_sets, wanted, data, group_by, known or None)

    def runtime_shapes(
        self,
        targets: Asked = None,
        *,
        shape: str = "density",
        **selectors: Unpack[Counted],
    ) -> Table:
        """Kernel densities, or with ``shape="mass"`` the masses, of the runs' runtimes.

        ``"density-nrd0"`` is as R has it. See `shapes.runtime_shapes`.
        """
        return runtime_shapes(*asked_run_sets(self.log, targets, decades, **selectors), shape)

    def precision_shapes(
        self,
        budgets: Budgets | None = None,
        *,
        axis: str = "evaluations/dimension",
        shape: str = "density",
        **selectors: Unpack[Counted],
    ) -> Table:
        """Kernel densities, or with ``shape="mass"`` the masses, of best precisions at budgets.

        ``budgets`` and ``axis`` are those of `fixed_budget`. See `shapes.precision_shapes`.
        """
        return precision_shapes(self._at_budgets(budgets, axis, **selectors), shape)

    def targets(
        self,
        way: str,
        reference: Reference | None = None,
        budgets: Budgets | None = None,
        *,
        rule: str = "paper",
        **selectors: Unpack[Selectors],
    ) -> TargetTable:
        """Targets of each function and dimension, to hand to other questions as ``targets``.

        Args:
            way: ``"runlength"``, or one of those `target_choices` takes from the data compared:
                ``"dynamic"``, ``"iohanalyzer-log"``, ``"iohanalyzer-linear"``,
                ``"iohanalyzer-final"``.
            reference: Of run-length targets: an algorithm here, several for their best, ``"best"``
                for that of all, or a file of COCO's reference data.
            budgets: Of run-length targets, in evaluations / dimension; None: 0.5, 1.2, 3, 10, 50.
            rule: Of run-length targets; see `runlength_table`.
            **selectors: Which runs are looked at.
        """
        rows = choose(self.log, **selectors)
        return chosen_targets(self.log, rows, way, reference, budgets, rule)

    def regressions(
        self,
        base: Results,
        targets: Targets | None = None,
        *,
        options: RegressionOptions | None = None,
        **selectors: Unpack[Counted],
    ) -> RegressionTable:
        """What is slower or less reliable here than in ``base``; see `regression_table`."""
        new, wanted = asked_run_sets(self.log, targets, decades, **selectors)
        old, _ = asked_run_sets(base.log, targets, decades, **selectors)
        logs = ((base.log, old), (self.log, new))
        refuse_two_references([(log, one.rows) for log, sets in logs for one in sets])
        return regression_table(old, new, wanted, options or RegressionOptions())

    def notes(self, names: Sequence[str] | None = None, **selectors: Unpack[Selectors]) -> Table:
        """Parameters that algorithms noted by ``problem.note`` (`notes_table`)."""
        return notes_table(self.log, choose(self.log, **selectors), names)

    def _joined_rows(
        self, unequal: bool, **selectors: Unpack[Selectors]
    ) -> tuple[NDArray[np.intp], tuple[str, ...]]:
        """Rows that lie side by side over many functions, and notes on what was left out."""
        rows = choose(self.log, **selectors)
        return (rows, ()) if unequal else common_runs(self.log, rows)

    def _at_budgets(
        self,
        budgets: Budgets | None,
        axis: str,
        count: str | None = None,
        **selectors: Unpack[Selectors],
    ) -> list[FixedBudgetData]:
        rows = choose(self.log, **selectors)
        return list(fixed_budget_data(self.log, rows, budgets, axis, count or "f+g"))


def _what(results: Results) -> str:
    """Such as ``30 runs, bbob f1-2 in 2, 5-D``."""
    functions, dimensions = ranges(results.functions), ", ".join(map(str, results.dimensions))
    suites = ", ".join(results.suites)
    return f"{len(results.log)} runs, {suites} f{functions} in {dimensions}-D"


def _measured_by_recommendations(log: Log) -> Log:
    found = log.of_recommendations()
    if np.isinf(found.runs["best_precision"]).all():
        raise AssessmentError(
            "recommended: no run in the logs recommended a solution, or only on two objectives, "
            "where one has no precision of its own"
        )
    if found.runs["evaluations_constraints"].any():
        raise AssessmentError(
            "recommended: the runs evaluated constraints, and a log does not tell how often by a "
            "recommendation"
        )
    return found


def _numbers(column: NDArray[np.int64]) -> tuple[int, ...]:
    return tuple(np.unique(column).tolist())
