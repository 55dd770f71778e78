"""Results: questions to the logs of one or more algorithms, answered as tables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import numpy as np
from numpy.typing import NDArray

from ..suites.selection import ranges
from .asking.methods import Questions
from .data.choice import Selectors, choose, common_runs, refuse_two_references
from .data.fronts.archives import Archives, archives_of
from .data.fronts.hypervolume import measured_by
from .data.fronts.reference import UNION, fronts_by_name
from .data.problem_matrix import measured_matrices
from .data.ranked_runs import ranked_runs
from .data.run_areas import run_areas
from .data.run_curves import run_curves
from .data.target_choice import (
    Asked,
    Counted,
    Reference,
    asked_run_sets,
    joined_run_sets,
    reference_entries,
)
from .errors import AssessmentError
from .statistics.anytime.aocc import PrecisionScale
from .tables.table import Table
from .targets.budgets import Budgets, check_axis, one_budget, parse_budgets
from .targets.defaults import (
    all_targets,
    coco_table_targets,
    decades,
    hardest,
    loss_targets,
    pair_targets,
)
from .targets.parse import Targets
from .views.anytime.aocc import aocc_table
from .views.anytime.attainment import (
    LEVELS,
    Levels,
    attainment_difference_table,
    attainment_table,
    parse_levels,
)
from .views.comparison.best import BestTable, best_reference
from .views.comparison.coco_table import CocoTable, coco_table
from .views.comparison.compare import CompareOptions, CompareTable, compare_table
from .views.comparison.loss import LossTable, loss_table
from .views.comparison.pairwise import ratio_table, scatter_table
from .views.comparison.regression import RegressionOptions, RegressionTable, regression_table
from .views.fronts.fronts import fronts_table
from .views.fronts.indicators import (
    INDICATORS,
    indicators_table,
    needs_reference,
    parse_indicators,
)
from .views.fronts.references import references_table
from .views.fronts.surfaces import (
    SURFACES,
    Surfaces,
    parse_surfaces,
    surface_difference_table,
    surfaces_table,
)
from .views.merit.contributions import contributions_table
from .views.merit.matrix import MatrixTable, matrix_table
from .views.merit.ranks import RankOptions, RanksTable, ranks_table
from .views.profiles.cuts import CutsTable, cuts_table
from .views.reference import naming_reference
from .views.summary import SummaryTable, summary

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

    def aocc(
        self,
        budget: float | str | None = None,
        *,
        axis: str = "evaluations/dimension",
        lower: float = 1e-8,
        upper: float = 1e2,
        group_by: str = "all",
        interval: float | None = None,
        unequal: bool = False,
        count: str | None = None,
        **selectors: Unpack[Selectors],
    ) -> Table:
        """Mean area over the convergence curve, as ``firsthit.score`` gives it (`aocc_table`).

        ``budget`` in the unit ``axis``; None: that of the runs, where all have the same. Where
        constraints were evaluated, ``count`` must be what these budgets count; ``firsthit.score``
        counts f.
        ``lower`` and ``upper`` bound precisions, ``group_by`` and ``unequal`` are those of `ecdf`.
        With ``interval``, such as 0.95, the columns ``low`` and ``high`` hold the confidence
        interval.
        """
        scale = PrecisionScale(lower, upper)
        rows, left_out = self._joined_rows(unequal, **selectors)
        areas = run_areas(self.log, rows, budget, axis, scale, count or "f+g")
        table = aocc_table(areas, group_by, scale, interval)
        return replace(table, notes=(*left_out, *table.notes))

    def attainment(
        self,
        levels: Levels = LEVELS,
        *,
        axis: str = "evaluations/dimension",
        group_by: str = "function",
        count: str | None = None,
        **selectors: Unpack[Selectors],
    ) -> Table:
        """Precision that a share of the runs had, by budget: the attainment function's levels.

        ``levels`` in percent, numbers or text such as ``"25,50"``; ``axis`` is the unit of budgets.
        Needs the package moocore. See `attainment_table`.
        """
        curves = run_curves(self.log, choose(self.log, **selectors), axis, count or "f+g")
        return attainment_table(curves, group_by, parse_levels(levels))

    def attainment_difference(
        self,
        first: str,
        second: str,
        *,
        axis: str = "evaluations/dimension",
        group_by: str = "function",
        count: str | None = None,
        **selectors: Unpack[Selectors],
    ) -> Table:
        """Where two algorithms differ in attainment (`attainment_difference_table`)."""
        selectors["algorithms"] = (first, second)
        curves = run_curves(self.log, choose(self.log, **selectors), axis, count or "f+g")
        return attainment_difference_table(curves, group_by, first, second)

    def cuts(
        self,
        budget: float | str,
        target: float,
        *,
        axis: str = "evaluations/dimension",
        count: str | None = None,
        **selectors: Unpack[Selectors],
    ) -> CutsTable:
        """Convergence curves of runs, cut at a budget and at a target precision (`CutsTable`)."""
        curves = run_curves(self.log, choose(self.log, **selectors), axis, count or "f+g")
        return cuts_table(curves, one_budget(budget, axis), target)

    def indicators(
        self,
        indicators: str | Iterable[str] = tuple(INDICATORS),
        budgets: Budgets | None = None,
        *,
        axis: str = "evaluations/dimension",
        reference_fronts: str | Path = UNION,
        **selectors: Unpack[Selectors],
    ) -> Table:
        """Indicators of the archives of two objectives within budgets (`indicators_table`).

        ``indicators``: ``"hypervolume"``, ``"igd+"``, ``"epsilon"``, or several. ``budgets`` and
        ``axis`` are those of `fixed_budget`. ``reference_fronts``: what the last two measure
        against: ``"archive"``, the best of all archives in the logs, or a CSV file as of `fronts`.
        """
        names = parse_indicators(indicators)
        fronts = fronts_by_name(self.log, reference_fronts) if needs_reference(names) else None
        archives, wanted = self._archives(budgets, axis, **selectors)
        return indicators_table(archives, fronts, names, wanted, axis)

    def fronts(
        self,
        budgets: Budgets | None = None,
        *,
        axis: str = "evaluations/dimension",
        **selectors: Unpack[Selectors],
    ) -> Table:
        """The best points of each algorithm on each problem of two objectives (`fronts_table`).

        ``budgets`` None: all that the runs evaluated.
        """
        archives, wanted = self._archives(budgets, axis, **selectors)
        return fronts_table(archives, wanted, axis)

    def surfaces(
        self,
        surfaces: Surfaces = SURFACES,
        budgets: Budgets | None = None,
        *,
        axis: str = "evaluations/dimension",
        exact: bool = False,
        **selectors: Unpack[Selectors],
    ) -> Table:
        """What a share of the runs on two objectives attains (`surfaces_table`).

        ``surfaces``: ``"best"``, ``"median"``, ``"worst"``, percentages of runs, or several.
        ``budgets`` None: all that the runs evaluated. ``exact`` needs the package moocore.
        """
        archives, wanted = self._archives(budgets, axis, **selectors)
        return surfaces_table(archives, parse_surfaces(surfaces), wanted, axis, exact=exact)

    def surface_difference(
        self,
        first: str,
        second: str,
        budgets: Budgets | None = None,
        *,
        axis: str = "evaluations/dimension",
        exact: bool = False,
        **selectors: Unpack[Selectors],
    ) -> Table:
        """Where two algorithms differ in what their runs attain (`surface_difference_table`).

        Needs the package moocore.
        """
        selectors["algorithms"] = (first, second)
        archives, wanted = self._archives(budgets, axis, **selectors)
        return surface_difference_table(archives, first, second, wanted, axis, exact=exact)

    def compare(
        self,
        targets: Asked = None,
        *,
        options: CompareOptions | None = None,
        **selectors: Unpack[Counted],
    ) -> CompareTable:
        """Pairs of algorithms on each function: ratio of aRT, its interval, rank-sum test, result.

        ``targets`` None: the suite's final one, else its hardest; runs that miss it are ordered
        by the precision they reach.
        ``options``: against which algorithm, correction for many tests, level, seed.
        """
        run_sets, wanted = asked_run_sets(self.log, targets, hardest, **selectors)
        data = ranked_runs(self.log, run_sets)
        return compare_table(data, wanted, options or CompareOptions())

    def ranks(
        self,
        targets: Asked = None,
        *,
        options: RankOptions | None = None,
        unequal: bool = False,
        **selectors: Unpack[Counted],
    ) -> RanksTable:
        """Average ranks over functions with intervals and tests, and ratings (`RanksTable`).

        ``targets``: one; None: the suite's final one, else its hardest. Pairs are in `superiority`.
        ``unequal``: as in `ecdf`.
        """
        run_sets, wanted = joined_run_sets(self.log, targets, hardest, unequal, **selectors)
        return ranks_table(ranked_runs(self.log, run_sets), wanted, options or RankOptions())

    def superiority(
        self,
        targets: Asked = None,
        *,
        options: RankOptions | None = None,
        unequal: bool = False,
        **selectors: Unpack[Counted],
    ) -> Table:
        """Who beats whom how probably, over functions, with tests of the ranks: `RanksTable.pairs`.

        The arguments are those of `ranks`.
        """
        return self.ranks(targets, options=options, unequal=unequal, **selectors).pairs

    def matrix(
        self,
        measure: str = "art",
        targets: Asked = None,
        *,
        budget: float | str | None = None,
        axis: str = "evaluations/dimension",
        **selectors: Unpack[Counted],
    ) -> MatrixTable:
        """Problems × algorithms of ``"art"``, ``"par10"`` or ``"aocc"``, with the virtual best.

        For those who choose among algorithms; see `MatrixTable`. ``targets``: one, of runtimes;
        None: the suite's final one, else its hardest. ``budget`` and ``axis``: of ``"aocc"``, as in
        `aocc`.
        """
        return matrix_table(
            *measured_matrices(self.log, measure, targets, budget, axis, **selectors)
        )

    def gaps(
        self,
        measure: str = "art",
        targets: Asked = None,
        *,
        budget: float | str | None = None,
        axis: str = "evaluations/dimension",
        **selectors: Unpack[Counted],
    ) -> Table:
        """What choosing perfectly among algorithms could gain: `MatrixTable.gaps`.

        The arguments are those of `matrix`.
        """
        return self.matrix(measure, targets, budget=budget, axis=axis, **selectors).gaps

    def contributions(
        self,
        budget: float | str | None = None,
        *,
        axis: str = "evaluations/dimension",
        **selectors: Unpack[Counted],
    ) -> Table:
        """What each algorithm adds to the portfolio of all: Shapley values (`contributions_table`).

        The merit on a problem is the area over the convergence curve; ``budget`` and ``axis`` are
        those of `aocc`.
        """
        return contributions_table(
            *measured_matrices(self.log, "aocc", None, budget, axis, **selectors)
        )

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

    def best(self, targets: Asked = None, **selectors: Unpack[Counted]) -> BestTable:
        """The artificial best of the algorithms: smallest aRT to each target, and whose it is."""
        return best_reference(*asked_run_sets(self.log, targets, decades, **selectors))

    def best_shares(
        self, targets: Asked = None, *, unequal: bool = False, **selectors: Unpack[Counted]
    ) -> Table:
        """On how many function-target pairs each algorithm is the best (`BestTable.shares`).

        ``unequal``: as in `ecdf`.
        """
        asked = joined_run_sets(self.log, targets, decades, unequal, **selectors)
        return best_reference(*asked).shares()

    def loss(
        self,
        reference: Reference,
        budgets: Budgets | None = None,
        *,
        rule: str = "coco",
        count: str | None = None,
        **selectors: Unpack[Selectors],
    ) -> LossTable:
        """How many times longer than a reference the algorithms take, by budget; see `loss_table`.

        ``reference``: as in `targets`. ``budgets`` in evaluations / dimension; None: 2, 10, 100, …
        up to the largest finite aRT. The targets are COCO's, five per decade from 1e10 to 1e-8,
        or the suite's own where these go to 0 and below.
        """
        asked = asked_run_sets(self.log, None, loss_targets, count, **selectors)
        rows = choose(self.log, **selectors)
        entries, name = reference_entries(self.log, rows, reference, count)
        wished = None if budgets is None else parse_budgets(budgets)
        table = loss_table(*asked, entries, wished, rule)
        return naming_reference(table, entries, name)

    def coco_table(
        self,
        targets: Asked = None,
        reference: Reference | None = None,
        count: str | None = None,
        **selectors: Unpack[Selectors],
    ) -> CocoTable:
        """COCO's table: aRT by that of a reference, dispersion, successes, significance.

        ``targets`` None: COCO's 1e1, 1, 1e-1, 1e-2, 1e-3, 1e-5, 1e-7, or the suite's decades.
        ``reference``: as in `targets`; None: the averages stay. See `coco_table`.
        """
        run_sets, wanted = asked_run_sets(self.log, targets, coco_table_targets, count, **selectors)
        data = ranked_runs(self.log, run_sets)
        if not reference:
            return coco_table(data, wanted)
        rows = choose(self.log, **selectors)
        entries, name = reference_entries(self.log, rows, reference, count)
        return naming_reference(coco_table(data, wanted, entries), entries, name)

    def summary(self, *, count: str | None = None, **selectors: Unpack[Selectors]) -> SummaryTable:
        """The short table after a campaign: share of pairs, aRT to an easy and the hardest target.

        Means are over the functions that every algorithm reached the target on. See `SummaryTable`.
        """
        rows = choose(self.log, **selectors) if len(self.log) else np.empty(0, dtype=np.intp)
        return summary(self.log, rows, count or "f+g")

    def scatter(
        self, first: str, second: str, targets: Asked = None, **selectors: Unpack[Counted]
    ) -> Table:
        """Average runtimes of two algorithms as points (`scatter_table`).

        ``targets`` None: the suite's.
        """
        selectors["algorithms"] = first, second
        asked = asked_run_sets(self.log, targets, all_targets, **selectors)
        return scatter_table(*asked, first, second)

    def ratios(
        self,
        first: str,
        second: str,
        targets: Asked = None,
        *,
        pairs: str = "all",
        **selectors: Unpack[Counted],
    ) -> Table:
        """Distribution of runtime ratios of two algorithms (`ratio_table`).

        ``targets`` None: 1e1, 1e-1, 1e-4, 1e-8, or four of the suite's.
        """
        selectors["algorithms"] = first, second
        asked = asked_run_sets(self.log, targets, pair_targets, **selectors)
        return ratio_table(*asked, first, second, pairs)

    def _joined_rows(
        self, unequal: bool, **selectors: Unpack[Selectors]
    ) -> tuple[NDArray[np.intp], tuple[str, ...]]:
        """Rows that lie side by side over many functions, and notes on what was left out."""
        rows = choose(self.log, **selectors)
        return (rows, ()) if unequal else common_runs(self.log, rows)

    def _archives(
        self, budgets: Budgets | None, axis: str, **selectors: Unpack[Selectors]
    ) -> tuple[list[Archives], tuple[float, ...] | None]:
        check_axis(axis)
        wanted = None if budgets is None else parse_budgets(budgets)
        return list(archives_of(self.log, choose(self.log, **selectors))), wanted


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
