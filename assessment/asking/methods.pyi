# ruff: noqa
# fmt: off
"""Types of the methods that questions and figures are; written by `generate`."""

from firsthit.assessment.asking.options import Algorithm as Algorithm, Alpha as Alpha, Axis as Axis, Background as Background, Budget as Budget, Budgets as Budgets, FeatureFile as FeatureFile, GroupBy as GroupBy, Groupings as Groupings, Level as Level, Names as Names, Number as Number, OutputFile as OutputFile, Percents as Percents, Precision as Precision, Reference as Reference, RuntimeAxis as RuntimeAxis, Runtimes as Runtimes, Samples as Samples, Seed as Seed, Targets as Targets, Tolerances as Tolerances
from firsthit.assessment.data.convergence_test import Best as Best
from firsthit.assessment.data.profiles import EcdfTable as EcdfTable, Weights as Weights
from firsthit.assessment.data.selection import Selectors as Selectors
from firsthit.assessment.data.target_choice import Way as Way
from firsthit.assessment.data.targets_from_runs import Rule as Rule
from firsthit.assessment.questions.art.table import ArtTable as ArtTable
from firsthit.assessment.questions.coco_table import CocoTable as CocoTable
from firsthit.assessment.questions.compare import Against as Against, CompareTable as CompareTable, Correction as Correction
from firsthit.assessment.questions.cuts import CutsTable as CutsTable, Precisions as Precisions
from firsthit.assessment.questions.density import DensityTable as DensityTable, Shape as Shape
from firsthit.assessment.questions.fixed_budget import FixedBudgetTable as FixedBudgetTable, Statistic as Statistic, Successes as Successes
from firsthit.assessment.questions.fixed_target import Balance as Balance, Convention as Convention, FixedTargetTable as FixedTargetTable
from firsthit.assessment.questions.fronts import Objectives as Objectives
from firsthit.assessment.questions.indicators import FrontsName as FrontsName
from firsthit.assessment.questions.loss import LossRule as LossRule, LossTable as LossTable
from firsthit.assessment.questions.matrix import MatrixTable as MatrixTable, Measure as Measure
from firsthit.assessment.questions.pairs import Pairs as Pairs, RatioTable as RatioTable
from firsthit.assessment.questions.ranks.table import Over as Over, RankCorrection as RankCorrection, RanksTable as RanksTable, Rounds as Rounds
from firsthit.assessment.questions.summary import SummaryTable as SummaryTable
from firsthit.assessment.questions.surfaces import Surfaces as Surfaces
from firsthit.assessment.tables.table import Table as Table
from firsthit.assessment.targets.target_sets import TargetTable as TargetTable
from matplotlib.axes import Axes as Axes
from typing import Unpack as Unpack

class Questions:
    """The questions to a log."""

    def summary(self, *, count: str | None = ..., **selectors: Unpack[Selectors]) -> SummaryTable:
        r"""How much each algorithm reached, and how fast: what 'run' prints.

        pairs solved: share of function-target pairs that at least one run hit. functions to 1e-8: on
        how many functions at least one run hit it. aRT to 1e-8: geometric mean of average runtimes over
        the functions on which every algorithm hit it ("over 3"), so that means compare; none where
        there is no such function. Functions whose reference value nobody knows have no targets; they
        are left out, with a note.

        Returns:
            A `SummaryTable`; its columns are there.
        """

    def art(self, targets: Targets | None = ..., *, interval: Level | None = ..., seed: Seed = ..., reference: Reference | None = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> ArtTable:
        r"""Average runtime to each target.

        aRT = evaluations of all runs until they hit the target or else ended / runs that hit it: an
        estimate of the expected evaluations of the algorithm restarted until it hits (COCO's aRT, also
        called ERT). A run that missed counts with the evaluations it spent itself. (3/15) says that 3
        of 15 runs hit; inf, that none did. Instances are taken to be equally hard; a note names one
        that took most of the evaluations (`dominant_instances`). With ``reference``, x1.5 [1.2, 1.9] is
        the ratio to the aRT of the reference and its interval, 95 % unless said.

        Intervals at 95 %, in simulated experiments with 5 to 30 runs and 19 laws of runtimes that have
        one mode and no heavy tail (benchmarks/interval_coverage.py): they held in 93 to 100 % for each
        law where all runs succeed, in 90 to 100 % at success rates 0.1, 0.3 and 0.6. At rates 0.8 and
        0.9 in 37 to 98 %: few runs often all hit by luck, and then intervals are too short; a note says
        by how much, for each evaluation that a failed run costs. With two modes or a heavy tail they
        held in 27 % at worst. [>= 123] stands where the runs do not determine the upper end: fewer than
        three succeeded, or runtimes are very skew. Several runs of an instance count as one instance.

        Args:
            targets: None: the suite's powers of ten, such as 1e1, 1e0, … 1e-8.
            interval: Add the confidence interval of each average, such as 0.95.
            seed: Of the intervals.
            reference: Ratios to its aRT are added; run-length targets are made from it. None: none.

        Returns:
            An `ArtTable`; its columns are there.
        """

    def ecdf(self, targets: Targets | None = ..., *, group_by: Groupings = ..., runtimes: Runtimes = ..., axis: RuntimeAxis = ..., seed: Seed = ..., samples: Samples = ..., interval: Level | None = ..., reference: Reference | None = ..., fractions: Percents | None = ..., background: Background | None = ..., unequal: bool = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> EcdfTable:
        r"""Runtime profiles: share of function-target pairs solved in a budget.

        Every function-target pair weighs the same; dimensions are never joined. Runtimes are those of
        the algorithm restarted until it succeeds, computed from its runs (`restart_distribution`). The
        cross is at the median over functions of the longest run that missed the hardest target. Where
        all these runs spent one budget, the curve rises by simulated restarts alone right of the cross.
        Where runs ended by themselves, restarts count from the shortest of them on; a note says so.

        ``interval`` adds a band by a bootstrap over runs, pointwise: at a budget named beforehand,
        within the longest run. 95 % bands of one and of eight simulated functions held in 93 to 100 %
        of experiments with 5 to 30 runs (benchmarks/band_coverage.py), but with one function whose runs
        must find a basin that one start in ten finds, in 84 % (5 runs), 88 % (15), 91 % (30). Beyond
        the longest run they know only targets that some run reached.

        In batches of P evaluations, a hit counts with its whole batch, and every run begins a new one:
        what an algorithm takes that evaluates P points at a time.

        ``fractions`` gives the budgets at which shares of the pairs are solved instead, the factors
        between the algorithms, and the geometric mean over the easiest share; with ``interval``, their
        intervals: from where the upper end of the band reaches the share to where the lower one does.

        Args:
            targets: None: the suite's, such as 51, 1e2 … 1e-8.
            group_by: What a curve spans; never several dimensions.
            runtimes: expected: of the algorithm restarted until it succeeds, as an exact distribution;
                restarts: the same by simulation; runs: of single runs, failures counting as never;
                suite: expected, but runs with two objectives.
            axis: Unit of budgets.
            seed: Of simulated restarts, and of bands.
            samples: At least so many simulated runtimes of each function.
            interval: Add the confidence interval of each fraction, such as 0.95.
            reference: Its curves are added, thick in figures; run-length targets are made from it. With
                ``fractions``, an algorithm that factors are to. None: none.
            fractions: Percentages of the function-target pairs, such as 25,50,75. None: the curves.
            background: None: none. Who lacks functions of a curve has none there.

        Returns:
            An `EcdfTable`, with ``fractions`` a `FractionsTable`; its columns are there. Several of
            ``group_by`` give the curves of each, for less than one by one.

        Raises:
            AssessmentError: A reference's curve is asked for in batches.
        """

    def compare(self, targets: Targets | None = ..., *, against: Against | None = ..., correction: Correction = ..., alpha: Alpha = ..., interval: Level | None = ..., seed: Seed = ..., reference: Reference | None = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> CompareTable:
        r"""Pairs of algorithms: ratio, interval, test, conclusion.

        Function by function; dimensions are never joined. The ratio of the average runtimes of two
        algorithms with its interval, a rank-sum test, and in words who is faster, or how many more
        instances it takes to separate them.

        The test ranks runs by their evaluations to the target; runs that missed it come after, by the
        precision they had when the shortest of them ended. Where neither algorithm hit the target, the
        conclusion is "ranks better (by precision)". The test is exact up to 60 runs. P-values are
        corrected for all rows of a pair, so that a pair without any difference gets a conclusion with
        probability at most ``alpha``. "more instances" assumes that the difference seen is the true one
        (power 0.8, Noether 1987). Where instances have several runs, runs are exchanged within the
        instances that both algorithms have ("more runs on these instances"), or whole instances if they
        share fewer than half.

        Intervals are those of average runtimes (see `art`), of a quotient; where all runs of one
        algorithm hit by luck, they are too short, and a note says by how much, as there. They are drawn
        out to 1 where the test does not decide, so that a ratio never contradicts the conclusion beside
        it.

        Args:
            targets: None: the final one, or the suite's hardest.
            against: Compare each with this algorithm. None: all.
            correction: Of the p-values of a pair of algorithms, over its functions, dimensions,
                targets.
            alpha: A corrected p-value up to this decides.
            interval: Of the intervals of ratios (in Python, None leaves them out).
            seed: Of the intervals.
            reference: None: none; run-length targets need one.

        Returns:
            A `CompareTable`; its columns are there.
        """

    def fixed_budget(self, budgets: Budgets | None = ..., *, axis: Axis = ..., targets: Successes | None = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> FixedBudgetTable:
        r"""Statistics of the precision reached within budgets.

        Precisions rank algorithms, no more: nobody knows how much harder half of one is to reach. A run
        that ended before the budget keeps its last value. mean, sd (n - 1), quantiles (type 7:
        numpy's and R's default) and geometric mean as in IOHanalyzer. Of runs observed by
        firsthit, values are exact at 1, 2, 5, 10, 20, 50, … evaluations / dimension, and everywhere if
        every improvement was recorded; elsewhere they may be upper bounds, and a note says so.

        Args:
            budgets: None: powers of ten below the longest run, and the longest of each algorithm.
            axis: Unit of budgets.
            targets: Precisions; adds the share of runs that reached each within the budget.

        Returns:
            Columns: ``algorithm, suite, function, dimension``; ``budget`` in the unit asked for and in
            ``evaluations``; number of ``runs`` and how many had ``ended`` before it; those of
            `precision_statistics`; ``success_T``, the share of runs with precision <= T, for each
            target.
        """

    def areas(self, targets: Targets | None = ..., *, budget: Budget, group_by: GroupBy = ..., runtimes: Runtimes = ..., axis: RuntimeAxis = ..., weights: Weights = ..., seed: Seed = ..., samples: Samples = ..., reference: Reference | None = ..., unequal: bool = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Table:
        r"""Area under each runtime profile, and its geometric mean runtime.

        Up to ``budget``. Each area is exact for the runtimes, not for a sampled curve.

        Args:
            targets: None: the suite's, such as 51, 1e2 … 1e-8.
            budget: Where the area ends.
            group_by: What a curve spans; never several dimensions.
            runtimes: expected: of the algorithm restarted until it succeeds, as an exact distribution;
                restarts: the same by simulation; runs: of single runs, failures counting as never;
                suite: expected, but runs with two objectives.
            axis: Unit of budgets.
            weights: pairs: each function-target pair weighs the same; functions: each function does,
                whatever its number of targets.
            seed: Of simulated restarts.
            samples: At least so many simulated runtimes of each function.
            reference: None: none; run-length targets need one.

        Returns:
            Columns: ``algorithm, suite, dimension, group, budget``; ``area`` over the logarithm of the
            budget from 1 on (`log_area`); ``linear_area`` (`linear_area`); ``geometric_mean`` of the
            runtimes, those beyond the budget counting as it (`capped_geometric_mean`); ``solved`` of
            ``pairs``, by one run at least.
        """

    def fixed_target(self, targets: Targets | None = ..., *, convention: Convention = ..., budget: Budget | None = ..., penalty: Number = ..., balance: Balance = ..., reference: Reference | None = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> FixedTargetTable:
        r"""Statistics of the runtimes to single targets.

        restarts: of the algorithm restarted until it succeeds. art, the average runtime = evaluations
        of all runs until they hit or ended / successes; quantiles and geometric mean of the exact
        distribution that the runs stand for. A quantile is about one run with restarts: it is no
        confidence interval of art.

        suite: as restarts, but with two objectives no restarts are simulated: quantiles and geometric
        mean are those of runs there.

        runs: of single runs. Quantiles (hazen) count failures as infinite; mean, sd and geometric mean
        are over successful runs alone, so they must not be compared without the success rate.

        iohanalyzer: IOHanalyzer's set under its names. mean, median, sd and quantiles (type 3) over
        successful runs, PAR-k (failures count k budgets) and ERT with one budget for all runs, the
        largest that was spent or ``budget``.

        capped: as iohanalyzer, but mean, median, sd and quantiles are of min(T, B) over all runs. So
        IOHanalyzer's text defines them; its R code leaves failures out.

        Args:
            targets: None: the suite's powers of ten, such as 1e1, 1e0, … 1e-8.
            convention: Whose statistics; see above.
            budget: Runs count as if stopped after it. None: as they are.
            penalty: Of PAR-k.
            balance: Each run counts once, or runs are copied until all instances have equally many, as
                in cocopp.
            reference: None: none; run-length targets need one.

        Returns:
            A `FixedTargetTable`; its columns are there.
        """

    def scaling(self, targets: Targets | None = ..., *, interval: Level | None = ..., seed: Seed = ..., reference: Reference | None = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Table:
        r"""Average runtime by dimension.

        The average runtime divided by the dimension, with its dispersion, of each function and target;
        percentiles are those of single runtimes, with restarts on one objective. No slope is fitted.

        Args:
            targets: None: the suite's powers of ten, such as 1e1, 1e0, … 1e-8.
            interval: Add the confidence interval of each average, such as 0.95.
            seed: Of the intervals.
            reference: None: none; run-length targets need one.

        Returns:
            Columns: ``algorithm, suite, function``; of run-length targets ``budget``; ``target,
            dimension``; all in evaluations / dimension:
            ``art`` in ``low`` … ``high``, its confidence interval (`art_interval`), these two only with
            ``interval``; ``q25, median, q75`` of single runtimes, their dispersion (`usual_quantiles`);
            ``longest``, the longest run; ``unsuccessful``, the median length of the runs that missed
            the target (NaN where none did); ``successes`` of ``runs``.
        """

    def dual_ecdf(self, targets: Targets | None = ..., budgets: Budgets | None = ..., *, group_by: GroupBy = ..., reference: Reference | None = ..., unequal: bool = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Table:
        r"""Runtimes to single targets, and precisions at single budgets.

        The distribution of runtimes to each target, and of precisions at each budget. Both are of
        single runs, without restarts, and meet: at the hardest target, the curve of a budget begins
        where the curve of that target is at the budget. `firsthit figures --kinds dual-ecdf` draws them
        side by side, as COCO's papers of 2010 did.

        Args:
            targets: The same for all functions of a suite. None: 1e1, 1e-1, 1e-4, 1e-8, or four of the
                suite's.
            budgets: None: powers of ten below the longest run, and the longest of each algorithm.
            group_by: What a curve spans; never several dimensions.
            reference: None: none; the distribution of its average runtimes is added.

        Returns:
            Columns: ``algorithm, suite, dimension, group``; ``of``: ``"runtime"``, then ``at`` is a
            target and ``value`` evaluations / dimension; or ``"precision"``, then ``at`` is a budget
            (evaluations / dimension) and ``value`` a precision; ``fraction``, the share of runs whose
            runtime or precision is at most ``value``, each function weighing the same.
            ``"reference"`` is of the average runtimes of a reference, as ``"runtime"``: the share of
            functions.

        Raises:
            AssessmentError: Functions have targets of their own.
        """

    def runtimes(self, targets: Targets | None = ..., *, reference: Reference | None = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Table:
        r"""The evaluation at which each run first hit each target.

        It is inf where the run did not hit it.

        Args:
            targets: None: the suite's powers of ten, such as 1e1, 1e0, … 1e-8.
            reference: None: none; run-length targets need one.

        Returns:
            Columns: ``algorithm, suite, function, dimension, instance, repetition``; of
            run-length targets ``budget`` (evaluations / dimension); ``target``;
            ``runtime``, the evaluation of the first hit, inf where the run missed the target;
            ``spent``, the run's evaluations; ``exact``, False where ``runtime`` is an upper bound.
        """

    def runtime_density(self, targets: Targets | None = ..., *, shape: Shape = ..., reference: Reference | None = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> DensityTable:
        r"""Densities, or masses, of the runtimes to targets.

        Of single runs, without restarts. Runs that missed the target are no part of a density; their
        share is what it lacks to 1.

        Args:
            targets: None: the suite's powers of ten, such as 1e1, 1e0, … 1e-8.
            shape: What is given for each runtime.
            reference: None: none; run-length targets need one.

        Returns:
            Columns: ``algorithm, suite, function, dimension``; of run-length targets ``budget``
            (evaluations / dimension); ``target, runtime`` (evaluations);
            ``density`` per decade of runtime (`kernel_density`); with ``"mass"`` ``probability``
            instead (`probability_mass`), with ``"density-nrd0"`` ``density`` per evaluation
            (`kernel_density_of_r`).

        Raises:
            UnknownNameError: ``shape`` is none of the three.
        """

    def targets(self, way: Way = ..., reference: Reference | None = ..., budgets: Budgets | None = ..., *, rule: Rule = ..., **selectors: Unpack[Selectors]) -> TargetTable:
        r"""Sets of targets by name, such as run-length based ones.

        They fit each function; other questions take the table, or its CSV file, as ``targets``.

        runlength: for each budget the easiest of COCO's targets (five per decade) that the reference
        does not reach on average within it; 1e-8 if there is none. An algorithm that reaches it within
        the budget is better than the reference. Rules: paper, as said; paper-distinct, no target
        twice but 1e-8; cocopp, one step below the hardest target reached, divided again where equal;
        cocopp-unique, the same without the equal ones.

        The other ways depend on the runs compared, so another algorithm changes them and all numbers
        made with them. dynamic: five per decade from the easiest that every first evaluation hits.
        iohanalyzer-log, iohanalyzer-linear: ten from the worst to the best value. iohanalyzer-final:
        one, the best over algorithms of the 2 % quantile of final precisions.

        Args:
            way: How targets are chosen; see above.
            reference: Of run-length targets; in Python several algorithms, too, for their best. None:
                none; runlength needs one.
            budgets: Of run-length targets. None: 0.5, 1.2, 3, 10, 50 times the dimension.
            rule: Of run-length targets; see above.

        Returns:
            Columns: ``suite, function, dimension``; ``budget``, of run-length targets alone, in
            evaluations / dimension, NaN where the rule left some out; ``target``, a precision, easiest
            first.

        Raises:
            UnknownNameError: ``way`` or ``rule`` is unknown.
            AssessmentError: Reference and budgets are there without need, or no reference where one is
                needed; or it has no data for a function and dimension.
        """

    def precision_ecdf(self, budgets: Budgets | None = ..., *, axis: Axis = ..., group_by: GroupBy = ..., pooled: bool = ..., unequal: bool = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Table:
        r"""Share of runs within each precision, at budgets.

        It goes on where a runtime profile to 1e-8 ends at the budget (the right-hand panels of COCO's
        older documents); it is of single runs, without restarts. ``pooled`` takes all pairs of run and
        budget together: how good an algorithm is at any of these times.

        Args:
            budgets: None: powers of ten below the longest run, and the longest of each algorithm.
            axis: Unit of budgets.
            group_by: What a curve spans; never several dimensions.
            pooled: One curve over all ``budgets``, which must be given, not one for each.

        Returns:
            Columns: ``algorithm, suite, dimension, group``; ``budget`` in the unit asked for, with
            ``pooled`` ``budgets``, all of them as text; ``precision``, ``10**(k/5)`` from 1e-8 to the
            first that all runs are below, and 0 and ``-10**(k/5)`` where the suite has such targets;
            ``fraction``, the share of runs at or below it, each function weighing the same
            (`precision_profiles`).

        Raises:
            AssessmentError: ``pooled`` without ``budgets``.
        """

    def precision_density(self, budgets: Budgets | None = ..., *, axis: Axis = ..., shape: Shape = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> DensityTable:
        r"""Densities, or masses, of the precisions at budgets.

        Of the best precision of each run within the budget.

        Args:
            budgets: None: powers of ten below the longest run, and the longest of each algorithm.
            axis: Unit of budgets.
            shape: What is given for each precision.

        Returns:
            Columns: ``algorithm, suite, function, dimension, budget, precision``; ``density`` per
            decade of precision (`kernel_density`); with ``"mass"`` ``probability`` instead
            (`probability_mass`), with ``"density-nrd0"`` ``density`` of the precision itself
            (`kernel_density_of_r`).

        Raises:
            UnknownNameError: ``shape`` is none of the three.
        """

    def cuts(self, budget: Budgets | None = ..., target: Precisions | None = ..., *, axis: Axis = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> CutsTable:
        r"""Convergence of each run, cut at budgets and at targets.

        A vertical cut gives its precision at a budget (fixed budget), a horizontal one its runtime to a
        target (fixed target), inf where it was not hit. Each run has a row for each pair of both.

        Args:
            budget: One or several, of the vertical cuts. None: that which all algorithms were run with
                in the dimension, at most the longest run on the function.
            target: One or several precisions, of the horizontal cuts. None: 1e-1, or the second of four
                of the suite's.
            axis: Unit of budgets.

        Returns:
            Columns: ``algorithm, suite, function, dimension, instance``; ``precision``, the best at
            ``budget``, inf before the first value; ``runtime``, the budget at which ``target`` was hit,
            inf where it was not. Budgets are in the unit that was asked for.
        """

    def aocc(self, budget: Budget | None = ..., *, lower: Precision = ..., upper: Precision = ..., group_by: GroupBy = ..., interval: Level | None = ..., unequal: bool = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Table:
        r"""Area over the convergence curve: one number for all budgets.

        AOCC: mean over evaluations 1 … ``budget`` of 1 - log10(best precision so far), clipped at
        ``lower`` and ``upper`` and scaled to 0 … 1, as firsthit.score gives it; larger is better. Exact
        where logs hold every improvement; elsewhere it lies between aocc and most. firsthit.score
        counts evaluations of the objective alone.

        Args:
            budget: Where the area ends. None: that of the runs, where all have the same.
            lower: Precision worth 1.
            upper: Precision worth 0.
            group_by: What a row spans; never several dimensions.
            interval: Add the confidence interval of the area, such as 0.95.

        Returns:
            Columns: ``algorithm, suite, dimension, group``; ``budget`` in evaluations; number of
            ``runs`` and of ``problems``; ``aocc``, the mean over problems of the mean over their runs,
            as far as the log proves it; ``most``, what it can be at most: equal where the logs tell
            every improvement. With ``interval``, ``low`` and ``high``, the confidence interval of
            ``aocc``.

        Raises:
            AssessmentError: ``interval`` is no level; or, where constraints were evaluated, ``count``
                is not what the budgets of the runs count; or as of `run_areas`.
        """

    def attainment(self, levels: Percents = ..., *, axis: Axis = ..., group_by: GroupBy = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Table:
        r"""Precision that a share of the runs had, by budget.

        Levels of the empirical attainment function, each a curve that its corners give: from budget on,
        that share of the runs had precision or better. A level that no budget attains has no rows. All
        runs weigh the same. Needs the package moocore.

        Args:
            levels: Percentages of runs, above 0 and at most 100.
            axis: Unit of budgets.
            group_by: Whose runs are taken together; never several dimensions.

        Returns:
            Columns: ``algorithm, suite, dimension, group``; number of ``runs``; ``level`` in percent;
            ``budget`` in the unit asked for and ``precision`` of each corner.
        """

    def attainment_difference(self, first: Algorithm, second: Algorithm, *, axis: Axis = ..., group_by: GroupBy = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Table:
        r"""Where two algorithms differ in attainment.

        The share of runs that had a precision within a budget, in rectangles of both; difference is
        above 0 where the first attains more, outside of the rectangles there is none. Functions that
        only one of them was run on are left out; all runs weigh the same. Needs the package moocore.

        Args:
            axis: Unit of budgets.
            group_by: Whose runs are taken together; never several dimensions.

        Returns:
            Columns: ``suite, dimension, group, first, second``, their numbers of runs; rectangles
            ``budget_from … budget_to`` × ``precision_from … precision_to`` (inf: without end);
            ``difference``, share of ``first`` minus share of ``second``.
        """

    def indicators(self, indicators: Names = ..., budgets: Budgets | None = ..., *, axis: Axis = ..., reference_fronts: FrontsName = ..., **selectors: Unpack[Selectors]) -> Table:
        r"""Hypervolume, IGD+ and epsilon of archives within budgets.

        Median and quartiles over the runs of hypervolume (larger is better), igd+ and epsilon (smaller
        is better; inf before the first point), in the plane where the ideal point is 0 and the nadir
        point 1. A run that ended before the budget keeps its archive.

        Args:
            indicators: Some of hypervolume, igd+, epsilon.
            budgets: None: powers of ten below the longest run, and that run's own.
            axis: Unit of budgets.
            reference_fronts: What igd+ and epsilon measure against: archive, the best of all archives
                in the logs, or a file NAME.csv with a table of `fronts`.

        Returns:
            Columns: ``algorithm, suite, function, dimension, indicator``; number of ``runs``;
            ``budget`` in the unit asked for; ``25%``, ``median``, ``75%`` (type 7).
        """

    def fronts(self, budgets: Budgets | None = ..., *, axis: Axis = ..., **selectors: Unpack[Selectors]) -> Table:
        r"""Best points of each algorithm on each problem.

        The nondominated points of all its runs on the problem, taken together. y1 and y2 are the
        objectives; scaled_1 and scaled_2 are 0 at the ideal and 1 at the nadir point. As CSV it is a
        reference for `indicators`.

        Args:
            budgets: None: all that the runs evaluated.
            axis: Unit of budgets.

        Returns:
            Columns: ``algorithm, suite, function, dimension, instance``; number of ``runs``; ``budget``
            in the unit asked for; the values of the objectives ``y1`` and ``y2``; ``scaled_1,
            scaled_2``.
        """

    def surfaces(self, surfaces: Surfaces = ..., budgets: Budgets | None = ..., *, axis: Axis = ..., exact: bool = ..., **selectors: Unpack[Selectors]) -> Table:
        r"""What one, half or all of the runs attain.

        The corners of attainment surfaces: so many of the runs on a function have a point that is no
        worse than a corner in both objectives, scaled so that the ideal point is 0 and the nadir point
        1. A surface that too few runs attain has no rows.

        Args:
            surfaces: Of one, half, all of the runs; or percentages, such as 25,75.
            budgets: None: all that the runs evaluated.
            axis: Unit of budgets.
            exact: Every corner, by the package moocore; else values are rounded up, finer than figures
                show.

        Returns:
            Columns: ``algorithm, suite, function, dimension``; number of ``runs``; ``budget`` in the
            unit asked for; ``surface``, one of ``best``, ``median``, ``worst``, ``25%``, …; its corners
            ``scaled_1, scaled_2``.
        """

    def surface_difference(self, first: Algorithm, second: Algorithm, budgets: Budgets | None = ..., *, axis: Axis = ..., exact: bool = ..., **selectors: Unpack[Selectors]) -> Table:
        r"""Where two algorithms differ in what their runs attain.

        The share of runs that attain a point, in rectangles of the two objectives, scaled so that the
        ideal point is 0 and the nadir point 1; difference is above 0 where the first attains more
        often, outside of the rectangles there is none. Functions that only one of them was run on are
        left out. Needs the package moocore.

        Args:
            budgets: None: all that the runs evaluated.
            axis: Unit of budgets.
            exact: Every corner; else values are rounded up, finer than figures show.

        Returns:
            Columns: ``suite, function, dimension, budget, first, second``, their numbers of runs;
            rectangles ``from_1 … to_1`` × ``from_2 … to_2`` (inf: without end); ``difference``, share
            of ``first`` minus share of ``second``.
        """

    def coco_table(self, targets: Targets | None = ..., *, reference: Reference | None = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> CocoTable:
        r"""Average runtimes divided by those of a reference, in COCO's layout.

        The average runtime of each algorithm, divided by that of the reference; beside it the 10 and 90
        % points of single runtimes (with restarts on one objective), successes, and the significance of
        the best against each other. Made for LaTeX: a tabular for each dimension with targets as
        columns.

        Args:
            targets: None: 1e1, 1, 1e-1, 1e-2, 1e-3, 1e-5, 1e-7, or the suite's powers of ten.
            reference: Run-length targets are made from it, too. None: none, averages are not divided;
                run-length targets need one.

        Returns:
            A `CocoTable`; its columns are there.
        """

    def loss(self, reference: Reference = ..., budgets: Budgets | None = ..., *, rule: LossRule = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> LossTable:
        r"""How many times longer than a reference, by budget.

        The loss at a budget is about the hardest target whose average runtime (aRT) of the algorithm
        itself is within the budget, as in cocopp: this aRT, or the budget where the reference reaches
        the next target in less, divided by the aRT of the reference to the same target. The targets are
        COCO's, five per decade from 1e10 to 1e-8, or the suite's own where these go to 0 and below. As
        text, percentiles of the loss over functions; other formats have the functions.

        Args:
            reference: What algorithms are measured against.
            budgets: None: 2, 10, 100, … times the dimension, or powers of ten of seconds, up to the
                largest aRT.
            rule: coco: as said; ratio: never the budget, always the aRT of the algorithm.

        Returns:
            A `LossTable`; its columns are there.
        """

    def best(self, targets: Targets | None = ..., *, shares: bool = ..., reference: Reference | None = ..., output: OutputFile | None = ..., unequal: bool = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Table:
        r"""Smallest average runtime to each target, and whose it is.

        Of algorithms that are equal, it is the first by name. With ``shares``, on how many
        function-target pairs of a dimension each algorithm has it, on the functions, dimensions and
        instances that all were run on, or on all with ``unequal``.

        Args:
            targets: None: the suite's powers of ten, such as 1e1, 1e0, … 1e-8.
            shares: Count the function-target pairs that each algorithm is best on.
            reference: None: none; run-length targets need one.
            output: Write the averages to COCO's targets (five per decade), or to ``targets``, into this
                CSV file, which ``reference`` of any question takes. None: nothing is written.

        Returns:
            A `BestTable`; its columns are there. With ``shares`` the columns ``suite, dimension,
            algorithm``; ``targets``, how many pairs the algorithm is best on; their ``share`` of all
            pairs that anybody reached.

        Raises:
            AssessmentError: There is ``unequal`` without ``shares``: no functions are joined then; or
                ``output`` does not end in .csv, or something else than f+g is counted.
        """

    def scatter(self, first: Algorithm, second: Algorithm, targets: Targets | None = ..., *, reference: Reference | None = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Table:
        r"""Average runtimes of two algorithms as points.

        To each target on every function and dimension that both were run on, with their longest runs:
        averages beyond these rest on restarts. ``algorithms`` names the two where the logs hold more.

        Args:
            targets: None: the suite's, such as 51, 1e2 … 1e-8.
            reference: None: none; run-length targets need one.

        Returns:
            Columns: ``suite, function, dimension``; of run-length targets ``budget`` (evaluations /
            dimension); ``target, first, second``; ``art_first, art_second`` in
            evaluations, inf where not reached; ``longest_first, longest_second``, the evaluations of
            the longest run.

        Raises:
            AssessmentError: They share no function and dimension.
        """

    def ratios(self, first: Algorithm, second: Algorithm, targets: Targets | None = ..., *, pairs: Pairs = ..., reference: Reference | None = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> RatioTable:
        r"""Distribution of the runtime ratios of two algorithms.

        Over pairs of their runs on all functions of a dimension. The fraction at 1 is how often the
        first is at least as fast. Functions on which both failed in all pairs do not count.
        ``algorithms`` names the two where the logs hold more.

        Args:
            targets: None: 1e1, 1e-1, 1e-4, 1e-8, or four of the suite's.
            pairs: all pairs of runs, as in COCO's figures; or those on equal instances.
            reference: None: none; run-length targets need one.

        Returns:
            Columns: ``suite, dimension, target, first, second, ratio``, of run-length targets
            ``budget`` (evaluations / dimension) instead of ``target``; ``fraction``, the share of
            pairs of runs whose ratio (first by second) is at most ``ratio``, each function weighing the
            same; ``pairs``, how many there are.

        Raises:
            UnknownNameError: ``pairs`` is neither.
            AssessmentError: They share no function and dimension, or functions have targets of their
                own that no budgets chose.
        """

    def ranks(self, targets: Targets | None = ..., *, over: Over = ..., superiority: bool = ..., correction: RankCorrection = ..., alpha: Alpha = ..., interval: Level = ..., seed: Seed = ..., rounds: Rounds = ..., reference: Reference | None = ..., unequal: bool = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> RanksTable:
        r"""Average ranks with intervals and a test, Glicko-2 ratings; who beats whom.

        In each dimension, over the functions that all algorithms were run on; one target. Runs are
        ordered by their evaluations to it, those that missed it by precision. p: Friedman's test;
        critical_difference: Nemenyi's (Demšar 2006); both by permutation within functions, inf where
        there are too few functions for any difference. rating: Glicko-2 by IOHanalyzer's convention.

        With ``superiority``, all pairs: the probability that a run of the first beats one of the
        second, mean over functions (rliable's probability of improvement). p is of their average ranks,
        by permutation within functions, with ``correction``. Two algorithms need 6 functions to differ
        at 0.05, three need 7.

        With ``over`` budgets, ranks within each of 1, 2, 5, 10, 20, … evaluations / dimension, and the
        longest run: runs that hit the target by then are ordered by their evaluations to it, all others
        by their best precision by then; a run that ended keeps its last value.

        Args:
            targets: One. None: the final one, or the suite's hardest.
            over: The target, or budgets: a row for each budget and algorithm.
            superiority: Who beats whom how probably instead, a row for each pair of algorithms.
            correction: Of the p-values of all pairs of a dimension; with nemenyi, pairs differ where
                their ranks differ by the critical difference.
            alpha: Of the critical difference; a corrected p-value up to this is a difference.
            interval: Of intervals.
            seed: Of resamples and games.
            rounds: Of games for ratings.
            reference: None: none; run-length targets need one.

        Returns:
            A `RanksTable` with the columns of its ``ranks``, with ``superiority`` those of its
            ``pairs``; they are there. Over budgets, ``budget`` follows ``dimension``.

        Raises:
            AssessmentError: There are several targets, or nowhere two algorithms on one function.
        """

    def matrix(self, measure: Measure = ..., targets: Targets | None = ..., *, gaps: bool = ..., budget: Budget | None = ..., reference: Reference | None = ..., features: FeatureFile | None = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> MatrixTable:
        r"""Problems x algorithms with the virtual best, to choose among them; the gap to it.

        A number for each problem (function, dimension, instance) and algorithm. virtual_best is the
        best of each row.

        With ``gaps``, in each dimension: the single best has the best mean over the problems, the
        virtual best takes the best algorithm on each, and the gap between them is what choosing
        perfectly could gain.

        Args:
            measure: What the numbers are: average runtime, PAR-10, or area over the convergence curve.
            targets: Of art and par10, one. None: the final one, or the suite's hardest.
            gaps: Instead the single best, the virtual best and the gap between, in each dimension.
            budget: Of aocc: where areas end. None: that of the runs, where all have the same.
            reference: None: none; run-length targets need one.
            features: None: none.

        Returns:
            A `MatrixTable`. Columns: ``suite, dimension, function, instance``; for each algorithm
            ``value:NAME`` (inf: never succeeded; NaN: not run in this dimension); ``virtual_best``, the
            best of the row, and ``best``, whose it is; ``feature:NAME`` for each feature (NaN: the file
            does not have the problem). With ``gaps`` the columns of its ``gaps``, which
            are there.

        Raises:
            UnknownNameError: There is no such measure.
            AssessmentError: There are several targets, a target or budget that the measure does not
                take, or no common problem.
        """

    def contributions(self, budget: Budget | None = ..., *, count: str | None = ..., **selectors: Unpack[Selectors]) -> Table:
        r"""What each algorithm adds to a portfolio: Shapley values.

        In each dimension, a portfolio is worth the mean over problems of the best area over the
        convergence curve (see `aocc`) of its members. alone: of the algorithm by itself; marginal: what
        the portfolio of all loses without it; shapley: its Shapley value, exact for any number of
        algorithms.

        Args:
            budget: Where areas end. None: that of the runs, where all have the same.

        Returns:
            Columns: ``suite, dimension, algorithm``, number of ``problems``; ``alone``, the score of
            the algorithm by itself; ``marginal``, what the portfolio of all loses without it;
            ``shapley``, its Shapley value (`shapley_values`), and its ``share`` of their sum, which is
            the virtual best's score.
        """

    def data_profile(self, tau: Tolerances = ..., *, budget: Budget | None = ..., reference: Best = ..., unequal: bool = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Table:
        r"""Data profiles (Moré and Wild): share of problems solved within simplex gradients.

        A simplex gradient is dimension + 1 evaluations. A run solves its problem at its first
        evaluation with f(x0) - f >= (1 - tau) (f(x0) - f_L). x0 is the initial solution of the suite,
        whose value is computed; where the suite is not to be had, f(x0) is the worst first value of all
        runs on the problem. A problem is a function, an instance, and which of the runs on it. Source:
        Moré and Wild (2009), SIAM J. Optim. 20(1), equations 2.2 and 2.8.

        Args:
            tau: Tolerances of the test, between 0 and 1.
            budget: What comes later counts neither as solved nor for f_L. None: all counts.
            reference: f_L is the best value of all algorithms within the budget, so that another
                algorithm may change the numbers of all; or the known optimum.

        Returns:
            Columns: ``algorithm, suite, dimension, tau``; ``simplex_gradients``, evaluations divided by
            dimension + 1, a row for each at which the share grows, and one where the longest curve
            ends; ``fraction``, the share of problems solved within so many.

        Raises:
            AssessmentError: A suite has two objectives, a tau is not between 0 and 1, the optimum is
                asked for and unknown, or seconds are counted.
        """

    def performance_profile(self, tau: Tolerances = ..., *, budget: Budget | None = ..., reference: Best = ..., unequal: bool = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Table:
        r"""Performance profiles (Dolan and Moré): share of problems solved within a ratio to the best.

        The ratio is that of a run's evaluations to those of the fastest algorithm on the same problem;
        at 1 stands the share on which an algorithm is the fastest. When a run solves its problem, what
        a problem is, and tau, f(x0) and f_L are those of data-profile. Ratios depend on all algorithms:
        of three, the order of the last two may change with the first (Gould and Scott 2016). Source:
        Dolan and Moré (2002), Math. Program. 91.

        Args:
            tau: Tolerances of the test, between 0 and 1.
            budget: What comes later counts neither as solved nor for f_L. None: all counts.
            reference: f_L is the best value of all algorithms within the budget, or the known optimum.

        Returns:
            Columns: ``algorithm, suite, dimension, tau``; ``ratio``, at least 1, a row for each at
            which the share grows, and one where the longest curve ends; ``fraction``, the share of
            problems solved within so many times the evaluations of the fastest.

        Raises:
            AssessmentError: As of `data_profile`.
        """

    def termination(self, **selectors: Unpack[Selectors]) -> Table:
        r"""How runs ended, and how often they were restarted.

        target: the run hit the final target; budget: it spent the budget; terminated: the optimizer
        ended by itself; failed, timeout, interrupted: it broke off. "restarts" is the mean number of
        restarts of a run.

        Returns:
            Columns: ``algorithm, suite, dimension``; number of ``runs``; how many of them ended by each
            status; their ``evaluations`` in all; ``restarts``, the mean number of restarts of a run.
        """

    def restarts(self, **selectors: Unpack[Selectors]) -> Table:
        r"""Every start of every run, with the reason of each restart.

        At which evaluation each start began, and why the start before it ended.

        Returns:
            Columns: ``algorithm, suite, function, dimension, instance, repetition``; number of the
            ``start``, 0 for the first; ``evaluation``, how many the run had made before it;
            ``evaluations`` of the run in all; ``status`` of the run; ``reason`` of the restart, empty
            for the first start.
        """

    def tuning(self, **selectors: Unpack[Selectors]) -> Table:
        r"""Settings tested and budget invested before the runs.

        As the logs disclose it: how many settings were tested, and what that cost. A comparison is fair
        where as much was spent on each algorithm. Campaigns say it under 'tuning', loops by
        Observer(tuning=...). Any tuning to the problems should be described so (Hansen, Tušar,
        Mersmann, Auger, Brockhoff, "COCO: The Experimental Procedure" (2016), arXiv:1603.08776).

        Returns:
            Columns: ``algorithm``; the ``runs`` that this is said of; the ``evaluations`` of the
            objective in all runs of the algorithm, to compare with; ``settings_tested`` and
            ``budget_invested`` (evaluations), NaN where a log does not say; ``tuning``, whatever else
            it says, as text. A row for each statement of an algorithm.
        """

    def parameters(self, names: Names | None = ..., **selectors: Unpack[Selectors]) -> Table:
        r"""Parameters that algorithms noted while they ran.

        With the evaluations at which they had them. An algorithm notes its parameters by
        problem.note(sigma=…); logs of IOHprofiler bring the attributes that they watched. `firsthit
        figures --kinds parameters` draws each.

        Args:
            names: Of parameters, such as sigma,popsize. None: all.

        Returns:
            Columns: ``algorithm, suite, function, dimension, instance, repetition``; ``name`` of the
            parameter; ``evaluation`` and the ``value`` that the parameter had then. A row for every
            value that was noted, run by run and parameter by parameter.

        Raises:
            AssessmentError: Nothing was noted in these runs.
            UnknownNameError: A parameter was not.
        """

    def timing(self, *, by_function: bool = ..., **selectors: Unpack[Selectors]) -> Table:
        r"""Seconds per evaluation, in optimizer and problem.

        By dimension. Means are all seconds over all evaluations; wall_10%, wall_50%, wall_90% are
        quantiles over runs. Notes say on which machine, with which versions and with which 'setup' of
        the campaign. Let nothing else run meanwhile: 'workers: 1', as in the ready campaign 'timing'.

        What is neither in the problem nor in the optimizer, observing and waiting for a processor,
        counts for the optimizer. Runs that no clock timed (imported, or lost with their process) are
        left out, and a note counts them. Values are NaN where no run was timed, or none evaluated.

        Args:
            by_function: Tell functions apart.

        Returns:
            Columns: ``algorithm, suite, dimension`` (and ``function``); number of ``runs`` and of their
            ``evaluations`` of the objective; seconds per evaluation: ``wall`` = ``optimizer`` +
            ``problem``, and ``cpu``, of all threads of the process; ``wall_10%``, ``wall_50%``,
            ``wall_90%``: quantiles of ``wall`` over runs (`spread_of_runs`).
        """

class Figures:
    """The figures of a log."""

    def __init__(self, results: object) -> None: ...

    def art(self, targets: Targets | None = ..., *, reference: Reference | None = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw aRT against the target precision, easy targets left, one curve for each algorithm.

        A curve ends where no run reached the target.

        Args:
            table: Average runtimes.
            **options: ``suite``, ``function``, ``dimension``.
        """

    def heatmap(self, targets: Targets | None = ..., *, reference: Reference | None = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw functions × algorithms, a panel for each target: aRT divided by the least.

        A cell is white where the algorithm is the best, darker the more it takes, and hatched where it
        never succeeded. The ratio is written into it where there is room.

        Args:
            table: Average runtimes.
            **options: ``suite``, ``dimension``; ``target``, without which all are shown side by side.
        """

    def ecdf(self, targets: Targets | None = ..., *, seed: Seed = ..., reference: Reference | None = ..., background: Background | None = ..., unequal: bool = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw the runtime profiles of all algorithms in one dimension and group of functions.

        The cross marks the median over functions of the longest unsuccessful runs. The dot ends a
        curve: the share of pairs solved at all.
        Names stand at the right, ordered by the fractions reached. Bands are shaded, where the
        table has them (``interval``).

        Args:
            table: Profiles.
            **options: ``suite``, ``dimension``, ``group``.
        """

    def ecdf_functions(self, targets: Targets | None = ..., *, seed: Seed = ..., reference: Reference | None = ..., background: Background | None = ..., one_axes: bool = ..., unequal: bool = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw a panel for each function of a group, and at last one for the group.

        Args:
            table: Profiles by ``("function", "group")``, or ``"all"`` in place of ``"group"``.
            one_axes: All as curves in one plot instead: thin ones of the functions, a thick one of the
                group. Of one algorithm, colours tell functions apart; of several, algorithms.
            **options: ``suite``, ``dimension``, ``group``; the number of panels gives their width.
        """

    def convergence(self, *, count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw the median of the best precision so far against the budget, with a band of quantiles.

        Bands hide each other: they are drawn of at most four algorithms.

        Args:
            table: The table.
            **options: ``suite``, ``function``, ``dimension``.
        """

    def fixed_budget(self, *, statistic: Statistic | None = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw one statistic of the best precision at budgets, one curve for each algorithm.

        Args:
            table: The table.
            statistic: A column: mean, median, geometric_mean, 10%, …. None: geometric_mean; median
                where the suite has targets at or below 0.
            **options: ``suite``, ``function``, ``dimension``.

        Raises:
            UnknownNameError: There is no such column.
        """

    def scaling(self, targets: Targets | None = ..., *, reference: Reference | None = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw aRT / dimension against the dimension, one curve for each algorithm.

        Both axes are logarithmic, so that a horizontal line is a runtime proportional to the dimension
        and a slope of 1 a quadratic one. Bars: 25 and 75 % of single runtimes.
        Where not all runs succeeded, their successes stand at the mark, and a cross shows the median
        length of those that did not.

        Args:
            table: The table.
            **options: ``suite``, ``function``, ``target``; of run-length targets ``budget``.
        """

    def dual_ecdf(self, targets: Targets | None = ..., budgets: Budgets | None = ..., *, reference: Reference | None = ..., per_target: bool = ..., unequal: bool = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw the distributions of one algorithm's runtimes and precisions, as two panels.

        Left a curve for each target, the share of runs that reached it within a budget; right one for
        each budget, the share of runs within a precision, from the hardest target on: there each begins
        where the left curve of that target is at that budget. Curves of a reference are in the
        background, thick and pale, in the colours of their targets.

        Args:
            table: The table.
            per_target: At the right precisions divided by targets, so that the curve of each target
                goes on: after the largest budget by each target, after the others by the hardest.
            **options: ``algorithm``, ``suite``, ``group``, ``dimension``.

        Raises:
            AssessmentError: ``per_target``, and a target is not above 0.
        """

    def runtime_density(self, targets: Targets | None = ..., *, shape: Shape = ..., reference: Reference | None = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw the distributions of runtimes to targets, a panel for each, the hardest at the right.

        As `draw_precision_density`; the share beside a ridge is that of the runs that hit the target.

        Args:
            table: The table.
            **options: ``suite``, ``function``, ``dimension``.
        """

    def precision(self, budgets: Budgets | None = ..., *, pooled: bool = ..., unequal: bool = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw the share of runs within each precision, a panel for each budget.

        Precision falls to the right, so that a curve goes on where the profile of runtimes to the
        hardest target ends at that budget. Of more budgets than have room, three in a column and five
        on a page, the largest are shown. Where budgets are pooled, there is one panel.

        Args:
            table: The table.
            **options: ``suite``, ``group``, ``dimension``.
        """

    def precision_density(self, budgets: Budgets | None = ..., *, shape: Shape = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw the distributions of the best precision within budgets, a panel for each budget.

        Each algorithm has a ridge, of a kernel density or of masses, and all are equally high: what is
        compared is where they lie and how wide they are. A percentage is the share of the runs that are
        in the distribution, where not all are. Of more panels than have room, two in a column and four
        on a page, the last are drawn. Values are on a logarithmic axis; for ``"density-nrd0"``, which
        is of the values themselves and reaches below 0, on a linear one. Masses of precisions with both
        signs are on one that is linear around 0.

        Args:
            table: The table.
            **options: ``suite``, ``function``, ``dimension``.
        """

    def cuts(self, budget: Budgets | None = ..., target: Precisions | None = ..., *, count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw the convergence curves of runs, cut at budgets and at targets.

        A vertical line is a budget: where curves cross it, at stars, are the precisions of the
        fixed-budget view, whose distribution is in the panel at the right. A horizontal line is a
        target: where curves cross it are the runtimes of the fixed-target view, whose distribution is
        in the panel above.

        Args:
            table: The table.
            **options: ``suite``, ``function``, ``dimension``.
        """

    def attainment(self, *, count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw the levels of an attainment function: from each curve on, so many runs are that good.

        Args:
            table: The table.
            **options: ``algorithm``, ``suite``, ``group``, ``dimension``.
        """

    def attainment_difference(self, first: Algorithm, second: Algorithm, *, count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw where one algorithm attains more often than another: blue the first, red the second.

        Args:
            table: The table.
            **options: ``suite``, ``group``, ``dimension``.
        """

    def fronts(self, *, objectives: Objectives = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw the best points of each algorithm on a problem, and the boundary of what they dominate.

        Args:
            table: The table.
            objectives: ``"scaled"``: 0 is the ideal point and 1 the nadir point, on logarithmic axes;
                ``"raw"``: the values of the objectives, on linear ones; a front that does not come near
                the region between these points is outside, and its name says so.
            **options: ``suite``, ``function``, ``dimension``, ``instance``.

        Raises:
            UnknownNameError: ``objectives`` is neither.
            AssessmentError: Of an algorithm there are fronts of several budgets.
        """

    def surfaces(self, **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw attainment surfaces: thick the median, thin all others, one colour an algorithm.

        Args:
            table: The table.
            **options: ``suite``, ``function``, ``dimension``.

        Raises:
            AssessmentError: Of an algorithm there are surfaces of several budgets.
        """

    def surface_difference(self, first: Algorithm, second: Algorithm, **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw where one algorithm attains more often than another: blue the first, red the second.

        Args:
            table: The table.
            **options: ``suite``, ``function``, ``dimension``.

        Raises:
            AssessmentError: There are differences of several budgets.
        """

    def loss(self, reference: Reference = ..., *, count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw the loss against a reference by budget: the geometric mean over functions, and each.

        Args:
            table: The table.
            **options: ``suite``, ``dimension``.
        """

    def scatter(self, first: Algorithm, second: Algorithm, targets: Targets | None = ..., *, reference: Reference | None = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw aRT of one algorithm against that of another, a point for each target and dimension.

        A colour and marker stand for a dimension. On the diagonal both are equal; points at the upper
        or right edge are targets that one of them did not reach. Filled marks: both aRTs are at most
        the longest run; the others rest on the successes of few.

        Args:
            table: The table.
            **options: ``suite``; ``function``, without which all are shown at once.
        """

    def ratios(self, first: Algorithm, second: Algorithm, targets: Targets | None = ..., *, reference: Reference | None = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw the distribution of runtime ratios of two algorithms, a curve for each target.

        Left of 1 the first is faster: the height at 1, marked by a dot, is the share of pairs of runs
        in which it is. Harder targets are darker. A curve that ends below 1 lacks pairs in which the
        first was never done.

        Args:
            table: The table.
            **options: ``suite``, ``dimension``.
        """

    def critical_difference(self, targets: Targets | None = ..., *, reference: Reference | None = ..., unequal: bool = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw average ranks with their intervals, best on the left, as Demšar (2006, figure 1) does.

        A bar joins algorithms of which no two differ, by the corrected p-values of the pairs. Ranks
        over budgets are drawn by `draw_ranks_over_budgets`.

        Args:
            table: The table.
            **options: ``suite``, ``dimension``.
        """

    def ranks_over_budgets(self, targets: Targets | None = ..., *, reference: Reference | None = ..., unequal: bool = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw average ranks within budgets, best on top, with a line where their order changes.

        Args:
            table: The table, over budgets.
            **options: ``suite``, ``dimension``.
        """

    def data_profile(self, tau: Tolerances = ..., *, budget: Budget | None = ..., unequal: bool = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw data profiles, a panel for each tolerance.

        Args:
            table: The table.
            **options: ``suite``, ``dimension``.
        """

    def performance_profile(self, tau: Tolerances = ..., *, budget: Budget | None = ..., unequal: bool = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw performance profiles, a panel for each tolerance.

        Args:
            table: The table.
            **options: ``suite``, ``dimension``.
        """

    def restarts(self, **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw each run as a line to its last evaluation, with a tick where it was restarted.

        A filled mark at the end is a run that hit the final target.

        Args:
            table: The table.
            **options: ``suite``, ``function``, ``dimension``.
        """

    def parameters(self, names: Names | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw a parameter against evaluations: thin lines are runs, the thick one is their median.

        The median is over the runs that noted the parameter before and after an evaluation, while these
        are at least half of all. The axis of values is logarithmic where all are positive.

        Args:
            table: The table.
            **options: ``suite``, ``function``, ``dimension``, ``name`` of the parameter.
        """
