# ruff: noqa
# fmt: off
"""Types of the methods that questions and figures are; written by `codegen`."""

from firsthit.assessment.profiles.profiles import EcdfTable as EcdfTable, Weights as Weights
from firsthit.assessment.questions._framework.options import Algorithm as Algorithm, Alpha as Alpha, Axis as Axis, Background as Background, Budget as Budget, Budgets as Budgets, FeatureFile as FeatureFile, GroupBy as GroupBy, Groupings as Groupings, Level as Level, Names as Names, Number as Number, OutputFile as OutputFile, Percents as Percents, Precision as Precision, Reference as Reference, Resamples as Resamples, RuntimeAxis as RuntimeAxis, Runtimes as Runtimes, Seed as Seed, Targets as Targets, Tolerances as Tolerances
from firsthit.assessment.questions.art.table import ArtTable as ArtTable
from firsthit.assessment.questions.coco_table import CocoTable as CocoTable
from firsthit.assessment.questions.compare import Against as Against, CompareTable as CompareTable, Correction as Correction
from firsthit.assessment.questions.convergence_test import Best as Best
from firsthit.assessment.questions.cuts import CutsTable as CutsTable, Precisions as Precisions
from firsthit.assessment.questions.density import DensityTable as DensityTable, Shape as Shape
from firsthit.assessment.questions.fixed_budget import FixedBudgetTable as FixedBudgetTable, Statistic as Statistic, Successes as Successes
from firsthit.assessment.questions.fixed_target import Balance as Balance, FixedTargetTable as FixedTargetTable, Statistics as Statistics
from firsthit.assessment.questions.fronts import Objectives as Objectives
from firsthit.assessment.questions.indicators import FrontsName as FrontsName
from firsthit.assessment.questions.loss import LossRule as LossRule, LossTable as LossTable
from firsthit.assessment.questions.matrix import MatrixTable as MatrixTable, Measure as Measure
from firsthit.assessment.questions.pairs import Pairs as Pairs, RatioTable as RatioTable
from firsthit.assessment.questions.ranks.table import Over as Over, RankCorrection as RankCorrection, RanksTable as RanksTable, Rounds as Rounds
from firsthit.assessment.questions.scaling.table import ScalingTable as ScalingTable
from firsthit.assessment.questions.summary.table import SummaryTable as SummaryTable
from firsthit.assessment.questions.surfaces import Surfaces as Surfaces
from firsthit.assessment.selection import Selectors as Selectors
from firsthit.assessment.tables.table import Table as Table
from firsthit.assessment.target_choice import Way as Way
from firsthit.assessment.targets.target_sets import TargetTable as TargetTable
from firsthit.assessment.targets_from_runs import Rule as Rule
from matplotlib.axes import Axes as Axes
from typing import Unpack as Unpack

class Questions:
    """The questions to a log."""

    def summary(self, *, count: str | None = ..., **selectors: Unpack[Selectors]) -> SummaryTable:
        r"""Show how much each algorithm reached, and how fast: the table of 'firsthit run'.

        As text, the table has a block for each dimension, or is a matrix if the blocks have more than
        40 rows. The column 'pairs solved within' is the share of function-target pairs that are solved
        within a budget; a pair is one target on one function. The column 'functions' is the number of
        functions on which at least one run hit the target. The average runtime (aRT) is the evaluations
        of all runs until they hit the target or ended, divided by the number of runs that hit it.
        aRT/best is the aRT divided by the least aRT of all algorithms, median over the functions that
        the algorithm solved. With one algorithm, the column is aRT/D, the aRT divided by the dimension.
        Suites without a final target, such as those with two objectives, show the functions on which a
        target of medium difficulty was hit, and the median over runs of the best precision.

        CSV, JSON and LaTeX have all columns. The columns art_… are geometric means of aRT over the
        functions on which every algorithm hit the target, and common_… is the number of these
        functions. Functions whose reference value is unknown have no targets. They are left out, with a
        note.

        Returns:
            One row for each algorithm and dimension: runs, failed runs, shares of solved pairs, solved
            functions, and medians of aRT. The text shows the most important columns.
        """

    def art(self, targets: Targets | None = ..., *, interval: Level | None = ..., seed: Seed = ..., reference: Reference | None = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> ArtTable:
        r"""Compute the average runtime to each target.

        aRT is the number of evaluations that all runs made until they reached the target or ended,
        divided by the number of runs that reached it. A run that missed the target counts with its own
        evaluations. aRT estimates the expected runtime of the algorithm if it is restarted until it
        reaches the target. COCO also calls it ERT. aRT assumes that all instances are equally hard; a
        note names an instance that dominates an average.

        Values in the table::

            1136                    evaluations (inf: no run reached the target)
            (3/5)                   3 of 5 runs reached the target; omitted if all did
            [599.5, 2392]           confidence interval (option interval)
            [>= 4260]               lower end only: fewer than three runs reached the
                                    target, or their runtimes are very skewed
            x9.536 [2.285, 42.48]   ratio to the aRT of the reference, and its interval
                                    (option reference; 95 % unless interval is given)

        In intervals, several runs on one instance count as one instance if there are at least three
        instances. The interval of a single run is [nan, nan]. Intervals are too short if failures are
        rare and no run failed; a note states the possible cost. They are also too short if runtimes
        have two modes or a heavy tail. The page Validation of the documentation has their coverage.

        Args:
            targets: None: the suite's powers of ten, e.g. 1e1, 1e0, ... 1e-8.
            interval: Confidence level between 0 and 1, e.g. 0.95: add the confidence interval of each
                average. None: no interval.
            seed: Random seed of the intervals.
            reference: Ratios to its aRT are added. Run-length targets are computed from it. None: no
                reference.

        Returns:
            One row for each algorithm, function, dimension and target: ``art`` (inf if no run hit the
            target), ``successes``, ``runs`` and ``evaluations``. An interval adds ``low``, ``high`` and
            ``at_least``. A reference adds its aRT and ``ratio``, with ``ratio_low`` and ``ratio_high``.
        """

    def ecdf(self, targets: Targets | None = ..., *, axis: RuntimeAxis = ..., group_by: Groupings = ..., runtimes: Runtimes = ..., seed: Seed = ..., samples: Resamples = ..., interval: Level | None = ..., fractions: Percents | None = ..., background: Background | None = ..., reference: Reference | None = ..., unequal: bool = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> EcdfTable:
        r"""Compute runtime profiles: share of function-target pairs solved in a budget.

        Every function-target pair has the same weight, and a curve never spans several dimensions.
        Runtimes are those of the algorithm restarted until it succeeds, computed from its runs
        (`restart_distribution`). The cross marks the longest unsuccessful run, median over functions.
        If all unsuccessful runs had the same budget, everything right of the cross comes from simulated
        restarts. If runs ended by themselves, simulated restarts contribute from the length of the
        shortest unsuccessful run onwards, and a note says so.

        ``interval`` adds a pointwise band by a bootstrap over runs. A band is valid at a budget that is
        chosen in advance, within the longest run. In simulated experiments with 5 to 30 runs, 95 %
        bands over one and over eight functions contained the true share in 93 to 100 %. With one
        function whose runs must find a basin that one start in ten finds, they contained it in 84 % (5
        runs), 88 % (15) and 91 % (30). Beyond the longest run, bands use only targets that some run
        reached.

        In batches of P evaluations, a hit counts with its whole batch, and every run begins a new
        batch. The curve is then that of an algorithm that evaluates P points at a time.

        With ``fractions``, the table has the budgets at which shares of the pairs are solved, instead
        of curves. It also has the factors between the algorithms, and the geometric mean runtime of the
        easiest pairs that make up each share. ``interval`` then adds confidence intervals of the
        budgets. They begin where the upper end of the band reaches the share and end where its lower
        end does.

        Args:
            targets: None: all targets of the suite, e.g. 51 from 1e2 to 1e-8.
            axis: Unit of budgets.
            group_by: Functions of one dimension that a curve aggregates.
            runtimes: Definition of runtimes. expected: runtimes of the algorithm restarted until it
                succeeds, as an exact distribution; restarts: by simulation; runs: runtimes of single
                runs, inf for a run that missed the target; suite: runs with two objectives, else
                expected.
            seed: Random seed of simulated restarts and of bands.
            samples: Minimum number of simulated runtimes of each function.
            interval: Confidence level between 0 and 1, e.g. 0.95: add the confidence interval of each
                fraction. None: no interval.
            fractions: Percentages of the function-target pairs, e.g. 25,50,75: show the budgets at
                which they are solved. None: show the curves.
            background: Their curves are added, thin and grey in figures. An algorithm without all
                functions of a curve is left out. None: no other algorithms.
            reference: Its curves are added; they are thick in figures. Run-length targets are computed
                from it. With ``fractions``, factors are relative to it. None: no reference.

        Returns:
            One row for each algorithm, group of functions, dimension and budget, with the ``fraction``
            of pairs solved. With ``fractions``, one row for each of these percentages, with the budget
            that solves it, ``factor`` and ``geometric_mean``. If ``group_by`` names several ways, the
            table has the rows of each.

        Raises:
            AssessmentError: The curve of a reference is requested in batches.
        """

    def compare(self, targets: Targets | None = ..., *, against: Against | None = ..., correction: Correction = ..., alpha: Alpha = ..., interval: Level | None = ..., seed: Seed = ..., reference: Reference | None = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> CompareTable:
        r"""Compare pairs of algorithms: ratio, interval, test, conclusion.

        Each row compares two algorithms on one function in one dimension. It has the ratio of their
        average runtimes with its confidence interval, a rank-sum test, and a conclusion in words: which
        algorithm is faster, or how many more instances are needed to separate the two.

        The test orders runs by their evaluations to the target. Runs that missed the target follow,
        ordered by the precision that they had when the shortest of them ended. If neither algorithm hit
        the target, the conclusion is "ranks better (by precision)". The test is exact up to 60 runs.
        P-values are corrected over all rows of a pair. If two algorithms do not differ at all, the
        probability that any row calls one of them faster is at most ``alpha``. "more instances" is the
        number for significance with probability 0.8, if the observed difference is the true one
        (Noether 1987).

        If instances have several runs, runs are exchanged within the instances that both algorithms
        have ("more runs on these instances"). If the algorithms share fewer than half of their
        instances, whole instances are exchanged.

        Intervals of ratios are computed like those of average runtimes (see `art`). If an algorithm
        can fail but no run failed, they are too short; a note states by how much. An interval is
        widened to include 1 if the test is not significant or favours the other algorithm. So a ratio
        never contradicts the conclusion.

        Args:
            targets: None: the final target, or the suite's hardest target.
            against: Algorithm that every other algorithm is compared with. None: all pairs are
                compared.
            correction: Correction of the p-values of a pair of algorithms, over its functions,
                dimensions and targets.
            alpha: Significance level: a row is significant if its corrected p-value is at most alpha.
            interval: Confidence level of the intervals of ratios (in Python, None leaves them out).
            seed: Random seed of the intervals.
            reference: None: no reference; run-length targets need one.

        Returns:
            One row for each pair of algorithms, function, dimension and target. It has aRT and
            successes of both, ``ratio`` with ``low`` and ``high``, ``p``, ``p_corrected`` and
            ``more_runs``. ``better`` is the name of the better algorithm, empty if the runs do not
            decide.
        """

    def fixed_budget(self, budgets: Budgets | None = ..., *, axis: Axis = ..., targets: Successes | None = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> FixedBudgetTable:
        r"""Compute statistics of the precision reached within budgets.

        Precisions rank algorithms, but do not tell how much faster one of them is: to halve a precision
        may take a few evaluations or many times the budget. A run that ended before the budget keeps
        its last value. mean, sd (n - 1), quantiles (type 7: the default of numpy and R) and geometric
        mean are those of IOHanalyzer. For runs observed by firsthit, values are exact at 1, 2, 5, 10,
        20, 50, … evaluations / dimension, and everywhere if every improvement was recorded. Elsewhere
        they may be upper bounds, and a note says so.

        Args:
            budgets: None: powers of ten below the longest run, and the longest run of each algorithm.
            axis: Unit of budgets.
            targets: Precisions, e.g. 1e1,1e-8: add the share of runs that reached each of them within
                the budget. None: no shares.

        Returns:
            One row for each ``algorithm``, ``suite``, ``function``, ``dimension`` and ``budget``.
            ``budget`` is in the requested unit, and ``evaluations`` is the budget in evaluations.
            ``runs`` is the number of runs, and ``ended`` is the number of runs that ended before the
            budget. The columns of `precision_statistics` follow. ``success_T`` is the share of runs
            with precision <= T, for each target.
        """

    def areas(self, targets: Targets | None = ..., *, axis: RuntimeAxis = ..., budget: Budget, group_by: GroupBy = ..., runtimes: Runtimes = ..., weights: Weights = ..., seed: Seed = ..., samples: Resamples = ..., reference: Reference | None = ..., unequal: bool = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Table:
        r"""Compute the area under each runtime profile, and its geometric mean runtime.

        A runtime profile is the share of function-target pairs that an algorithm solves within a
        budget. Its area is the mean of this share over the logarithm of the budget, from 1 to
        ``budget``. It lies between 0 and 1; larger is better. Areas are exact, because they are
        computed from the runtimes and not from a sampled curve.

        Args:
            targets: None: all targets of the suite, e.g. 51 from 1e2 to 1e-8.
            axis: Unit of budgets.
            budget: Budget at which the area ends.
            group_by: Functions of one dimension that a curve aggregates.
            runtimes: Definition of runtimes. expected: runtimes of the algorithm restarted until it
                succeeds, as an exact distribution; restarts: by simulation; runs: runtimes of single
                runs, inf for a run that missed the target; suite: runs with two objectives, else
                expected.
            weights: Weights in the average. pairs: equal for all function-target pairs; functions:
                equal for all functions, whatever their number of targets.
            seed: Random seed of simulated restarts.
            samples: Minimum number of simulated runtimes of each function.
            reference: None: no reference; run-length targets need one.

        Returns:
            One row for each curve; ``algorithm``, ``suite``, ``dimension`` and ``group`` identify it.
            ``budget`` is the end of the area. ``area`` is the area over the logarithm of the budget
            from 1 on (`log_area`), and ``linear_area`` is the area over the budget (`linear_area`).
            ``geometric_mean`` is the geometric mean of the runtimes, where a runtime beyond the budget
            counts as the budget (`capped_geometric_mean`). ``solved`` is how many of the ``pairs`` at
            least one run solved.
        """

    def fixed_target(self, targets: Targets | None = ..., *, convention: Statistics = ..., budget: Budget | None = ..., penalty: Number = ..., balance: Balance = ..., reference: Reference | None = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> FixedTargetTable:
        r"""Compute statistics of the runtimes to single targets.

        restarts: statistics of the algorithm restarted until it succeeds. art is the average runtime:
        the evaluations of all runs until they hit the target or ended, divided by the number of
        successes. Quantiles and geometric mean are those of the exact distribution of the runtime with
        restarts. A quantile at a step of the distribution is the middle of the step (R's type 2), so it
        differs from the quantile of 'runs' even if all runs succeed. A quantile describes one run with
        restarts: it is no confidence interval of art.

        suite: like restarts. With two objectives, no restarts are simulated, and quantiles and
        geometric mean are those of single runs.

        runs: statistics of single runs. Quantiles (Hazen's definition, R's type 5) count a run that
        missed the target as infinite. mean, sd and geometric mean are over successful runs alone, so
        they must not be compared without the success rate.

        iohanalyzer: the statistics of IOHanalyzer under its names. mean, median, sd and quantiles (type
        3) are over successful runs. PAR-k, where an unsuccessful run counts k budgets, and ERT use one
        budget for all runs: the largest that was spent, or ``budget``.

        capped: like iohanalyzer, but mean, median, sd and quantiles are of min(T, B) over all runs.
        IOHanalyzer's text defines them in this way; its R code leaves unsuccessful runs out.

        Args:
            targets: None: the suite's powers of ten, e.g. 1e1, 1e0, ... 1e-8.
            convention: Definition of the statistics, as described above.
            budget: Budget at which runs are truncated before statistics are computed. None: runs are
                not truncated.
            penalty: Factor k of PAR-k.
            balance: Weights of runs. runs: each run counts once; instances: runs are copied until all
                instances have equally many, as in cocopp.
            reference: None: no reference; run-length targets need one.

        Returns:
            One row for each algorithm, function, dimension and target: ``runs``, ``successes``, and a
            column for each statistic of the convention. A statistic is inf or NaN if no run hit the
            target.
        """

    def scaling(self, targets: Targets | None = ..., *, interval: Level | None = ..., seed: Seed = ..., reference: Reference | None = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> ScalingTable:
        r"""Compute the average runtime by dimension.

        The average runtime (aRT) to a target is the evaluations of all runs until they hit the target
        or ended, divided by the number of runs that hit it. It is divided by the dimension. Percentiles
        show the dispersion of single runtimes with restarts: a single runtime is the evaluations of the
        algorithm if it is restarted until it hits the target. With two objectives, percentiles are of
        single runs, and runs that missed the target count as infinite. No slope is fitted.

        Args:
            targets: None: the suite's powers of ten, e.g. 1e1, 1e0, ... 1e-8.
            interval: Confidence level between 0 and 1, e.g. 0.95: add the confidence interval of each
                average. None: no interval.
            seed: Random seed of the intervals.
            reference: Its average runtime is added, and figures show it as a thick line. Run-length
                targets are computed from it. None: no reference.

        Returns:
            One row for each ``algorithm``, ``suite``, ``function``, ``target`` and ``dimension``.
            Run-length targets also have a column ``budget``. Runtimes and budgets are in evaluations /
            dimension. ``art`` is the average runtime; inf if no run hit the target. ``low`` and
            ``high`` are the limits of its confidence interval (`art_interval`), with ``interval`` only.
            ``q25``, ``median`` and ``q75`` are percentiles of single runtimes (`usual_quantiles`).
            ``successes`` is the number of runs that hit the target, out of ``runs``. ``longest`` is the
            length of the longest run. ``unsuccessful`` is the median length of the runs that missed the
            target; NaN if all runs hit it. ``reference`` is the average runtime of the reference, with
            ``reference`` only; NaN if the reference lacks the function, inf if it misses the target.
        """

    def dual_ecdf(self, targets: Targets | None = ..., budgets: Budgets | None = ..., *, group_by: GroupBy = ..., background: Background | None = ..., reference: Reference | None = ..., unequal: bool = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Table:
        r"""Compute distributions of runtimes to single targets, and of precisions at budgets.

        Both distributions are those of single runs, without simulated restarts. They meet at the
        hardest target: the curve of precisions at a budget begins with the share that the curve of
        runtimes to this target has at the budget. `firsthit figures --kinds dual-ecdf` draws both side
        by side, as COCO's papers of 2010 did.

        Args:
            targets: They must be equal for all functions of a suite. None: 1e1, 1e-1, 1e-4, 1e-8, or
                four targets of the suite.
            budgets: None: powers of ten below the longest run, and the longest run of each algorithm.
            group_by: Functions of one dimension that a curve aggregates.
            background: The distributions of their runtimes to the hardest target are added, thin and
                grey in figures. An algorithm without all functions of a curve is left out. None: no
                other algorithms.
            reference: The distribution of its average runtimes is added. None: no reference.

        Returns:
            One row for each point of a curve; ``algorithm``, ``suite``, ``dimension``, ``group``,
            ``of`` and ``at`` identify the curve. If ``of`` is ``"runtime"``, ``at`` is a target and
            ``value`` is a runtime in evaluations / dimension. If it is ``"precision"``, ``at`` is a
            budget in evaluations / dimension and ``value`` is a precision. ``fraction`` is the share of
            runs whose runtime or precision is at most ``value``, where every function has the same
            weight. If ``of`` is ``"reference"``, ``value`` is an average runtime of a reference, and
            ``fraction`` is a share of functions. If it is ``"background"``, ``value`` is a runtime of
            another algorithm to the hardest target.

        Raises:
            AssessmentError: Functions of a suite have different targets.
        """

    def runtimes(self, targets: Targets | None = ..., *, reference: Reference | None = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Table:
        r"""List the evaluation at which each run first hit each target.

        A run hits a target when its best value so far is at most the reference value plus the target
        precision. The evaluation is inf if the run did not hit the target.

        Args:
            targets: None: the suite's powers of ten, e.g. 1e1, 1e0, ... 1e-8.
            reference: None: no reference; run-length targets need one.

        Returns:
            One row for each run and ``target``. ``algorithm``, ``suite``, ``function``, ``dimension``,
            ``instance`` and ``repetition`` identify the run. Run-length targets also have a column
            ``budget``, in evaluations / dimension. ``runtime`` is the evaluation of the first hit; inf
            if the run missed the target. ``spent`` is the number of evaluations of the run. ``exact``
            is False if ``runtime`` is an upper bound.
        """

    def runtime_density(self, targets: Targets | None = ..., *, shape: Shape = ..., reference: Reference | None = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> DensityTable:
        r"""Estimate densities, or masses, of the runtimes to targets.

        The runtime of a run is the evaluation at which it first hit the target. Restarts are not
        simulated. Runs that missed the target are left out, so that the integral of a density is the
        share of runs that hit the target.

        Args:
            targets: None: the suite's powers of ten, e.g. 1e1, 1e0, ... 1e-8.
            shape: Estimate at each runtime: density (kernel density of the logarithm), mass
                (probability), or density-nrd0 (kernel density of the runtime itself, as in R).
            reference: None: no reference; run-length targets need one.

        Returns:
            One row for each point of a curve; ``algorithm``, ``suite``, ``function``, ``dimension`` and
            ``target`` identify the curve. Run-length targets also have a column ``budget``, in
            evaluations / dimension. ``runtime`` is in evaluations. ``density`` is per decade of runtime
            (`kernel_density`). With ``"density-nrd0"``, it is per evaluation (`kernel_density_of_r`).
            With ``"mass"``, the column is ``probability`` (`probability_mass`).

        Raises:
            UnknownNameError: There is no such ``shape``.
        """

    def targets(self, way: Way = ..., reference: Reference | None = ..., budgets: Budgets | None = ..., *, rule: Rule = ..., **selectors: Unpack[Selectors]) -> TargetTable:
        r"""Choose sets of targets by name, such as run-length based ones.

        Each function gets its own targets. Other tables take a CSV file of this table with the option
        '--targets FILE.csv'.

        runlength: for each budget, the easiest of COCO's targets (five per decade) that the reference
        does not reach on average within the budget; 1e-8 if it reaches all. An algorithm that reaches
        this target within the budget is better than the reference. The rule paper is this definition.
        With paper-distinct, no target except 1e-8 occurs twice. With cocopp, the target is one step
        harder than the hardest target that the reference reached; it is made harder again if two
        targets would be equal. cocopp-unique is cocopp without equal targets.

        The other ways depend on the compared runs. If another algorithm is added, they give other
        targets, and all numbers at these targets change. dynamic: five per decade, from the easiest
        target that every first evaluation hits. iohanalyzer-log, iohanalyzer-linear: ten targets from
        the worst to the best value. iohanalyzer-final: one target, the best over algorithms of the 2 %
        quantile of final precisions.

        Args:
            way: Method that chooses the targets, as described above.
            reference: Run-length targets are computed from it. In Python, a list of algorithms means
                the best of them. None: no reference; runlength needs one.
            budgets: Run-length targets are computed for them. None: 0.5, 1.2, 3, 10, 50 times the
                dimension.
            rule: Rule of run-length targets, as described above.

        Returns:
            One row for each ``suite``, ``function``, ``dimension`` and ``target``. ``target`` is a
            precision; the easiest is first. Run-length targets also have a column ``budget``, in
            evaluations / dimension; it is NaN if the rule left some targets out.

        Raises:
            UnknownNameError: ``way`` or ``rule`` is unknown.
            AssessmentError: The way does not use the given reference or budgets, the way needs a
                reference, or the reference has no data for a function and dimension.
        """

    def precision_ecdf(self, budgets: Budgets | None = ..., *, axis: Axis = ..., group_by: GroupBy = ..., pooled: bool = ..., unequal: bool = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Table:
        r"""Compute the share of runs within each precision, at budgets.

        A precision is the best value so far minus the reference value, which is the optimum if it is
        known. For each budget, a curve shows the share of runs whose precision is at most a given one.
        At a precision, this is the share of runs that hit the target of this precision within the
        budget. Restarts are not simulated. With ``pooled``, all budgets share one curve, the mean of
        their curves. It compares algorithms at several budgets at once.

        Args:
            budgets: None: powers of ten below the longest run, and the longest run of each algorithm.
            axis: Unit of budgets.
            group_by: Functions of one dimension that a curve aggregates.
            pooled: Compute one curve, the mean over all budgets, instead of one for each budget; needs
                ``budgets``.

        Returns:
            One row for each point of a curve. The columns ``algorithm``, ``suite``, ``dimension``,
            ``group`` and ``budget`` identify the curve. ``budget`` is in the requested unit. With
            ``pooled``, the text column ``budgets`` replaces it and lists all budgets. ``precision``
            takes the values ``10**(k/5)`` from 1e-8 up to the first that all runs are within. If the
            suite has targets at or below 0, it also takes 0 and the values ``-10**(k/5)``.
            ``fraction`` is the share of runs with this precision or a better one, where every function
            weighs the same (`precision_profiles`).

        Raises:
            AssessmentError: ``pooled`` is set without ``budgets``.
        """

    def precision_density(self, budgets: Budgets | None = ..., *, axis: Axis = ..., shape: Shape = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> DensityTable:
        r"""Estimate densities, or masses, of the precisions at budgets.

        The precision of a run is its best value within the budget minus the reference value. A run that
        ended earlier keeps its last value.

        Args:
            budgets: None: powers of ten below the longest run, and the longest run of each algorithm.
            axis: Unit of budgets.
            shape: Estimate at each precision: density (kernel density of the logarithm), mass
                (probability), or density-nrd0 (kernel density of the precision itself, as in R).

        Returns:
            One row for each point of a curve; ``algorithm``, ``suite``, ``function``, ``dimension`` and
            ``budget`` identify the curve. ``density`` is per decade of ``precision``
            (`kernel_density`). With ``"density-nrd0"``, it is a density of the precision itself
            (`kernel_density_of_r`). With ``"mass"``, the column is ``probability``
            (`probability_mass`).

        Raises:
            UnknownNameError: There is no such ``shape``.
        """

    def cuts(self, budget: Budgets | None = ..., target: Precisions | None = ..., *, axis: Axis = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> CutsTable:
        r"""Cut the convergence of each run at budgets and at targets.

        The convergence curve of a run is its best precision so far by budget. A vertical cut of the
        curve gives the precision at a budget (fixed budget). A horizontal cut gives the runtime to a
        target (fixed target); inf if the run did not hit the target. The table has a row for each run
        and each pair of a budget and a target.

        Args:
            budget: Vertical cuts are made at them. None: the common budget of all algorithms in the
                dimension, at most the longest run on the function.
            target: Precisions at which horizontal cuts are made. None: 1e-1, or the second of four
                targets of the suite.
            axis: Unit of budgets.

        Returns:
            One row for each run, ``budget`` and ``target``. ``algorithm``, ``suite``, ``function``,
            ``dimension`` and ``instance`` identify the run. ``precision`` is the best precision within
            ``budget``; inf before the first value. ``runtime`` is the budget at which the run hit
            ``target``; inf if it did not. Budgets and runtimes are in the requested unit.
        """

    def aocc(self, budget: Budget | None = ..., *, lower: Precision = ..., upper: Precision = ..., group_by: GroupBy = ..., interval: Level | None = ..., unequal: bool = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Table:
        r"""Compute the area over the convergence curve: one number for all budgets.

        The convergence curve is the best precision of a run so far, by evaluation. On a logarithmic
        scale, a precision of ``upper`` or more has the value 0, and a precision of ``lower`` or less
        has the value 1. AOCC is the mean of these values over the evaluations 1 … ``budget``. Larger is
        better. It is the number that firsthit.score returns, which counts evaluations of the objective
        alone. The area is exact if logs contain every improvement. Otherwise it lies between aocc and
        most.

        Args:
            budget: Budget at which the area ends. None: the budget of the runs, if all have the same.
            lower: Precision with the value 1.
            upper: Precision with the value 0.
            group_by: Functions of one dimension that a row aggregates.
            interval: Confidence level between 0 and 1, e.g. 0.95: add the confidence interval of the
                area. None: no interval.

        Returns:
            One row for each ``algorithm``, ``suite``, ``dimension`` and ``group``. ``budget`` is in
            evaluations. ``runs`` and ``problems`` are numbers of these. ``aocc`` is the mean over
            problems of the mean over their runs. If an area lies between two bounds, the lower bound
            counts. ``most`` is the same mean of the upper bounds; it equals ``aocc`` if the logs
            contain every improvement. With ``interval``, ``low`` and ``high`` are the limits of the
            confidence interval of ``aocc``.

        Raises:
            AssessmentError: ``interval`` is no level, constraints were evaluated and ``count`` is not
                what the budgets of the runs count, or `run_areas` cannot compute the areas.
        """

    def attainment(self, levels: Percents = ..., *, axis: Axis = ..., group_by: GroupBy = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Table:
        r"""Compute the precision that a share of the runs had, by budget.

        A level is a percentage of the runs. Its curve shows, for each budget, the precision that this
        percentage of the runs had reached. It is a level curve of the empirical attainment function.
        The table has the corners of the curve: from the budget of a row on, the given percentage of the
        runs had the precision of the row or a better one. A level that the runs do not attain at any
        budget has no rows.

        All runs have the same weight. A figure joins all functions of a dimension if ``group_by`` is
        all. The package moocore is required.

        Args:
            levels: Percentages of runs, above 0 and at most 100.
            axis: Unit of budgets.
            group_by: Functions of one dimension whose runs are aggregated.

        Returns:
            One row for each corner; ``algorithm``, ``suite``, ``dimension``, ``group`` and ``level``
            (in percent) identify its curve. ``runs`` is the number of runs. ``budget``, in the
            requested unit, and ``precision`` are the coordinates of the corner.
        """

    def attainment_difference(self, first: Algorithm, second: Algorithm, *, axis: Axis = ..., group_by: GroupBy = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Table:
        r"""Show where two algorithms differ in attainment.

        A run attains a precision within a budget if it had this precision, or a better one, after at
        most that many evaluations. The table consists of rectangles of budgets and precisions. In a
        rectangle, difference is the share of runs of the first algorithm that attain the precision,
        minus this share of the second algorithm. It is above 0 where the first algorithm is ahead.
        Outside of all rectangles, the shares are equal.

        Functions that only one of the algorithms was run on are left out. All runs have the same
        weight. A figure joins all functions of a dimension if ``group_by`` is all. The package moocore
        is required.

        Args:
            axis: Unit of budgets.
            group_by: Functions of one dimension whose runs are aggregated.

        Returns:
            One row for each rectangle of a ``suite``, ``dimension`` and ``group``. ``first`` and
            ``second`` are the algorithms, and ``runs_first`` and ``runs_second`` are their numbers of
            runs. The rectangle goes from ``budget_from`` to ``budget_to``, in the requested unit, and
            from ``precision_from`` to ``precision_to``; inf: it has no end. ``difference`` is the share
            of runs of ``first`` that attain the precision, minus this share of ``second``.
        """

    def indicators(self, indicators: Names = ..., budgets: Budgets | None = ..., *, axis: Axis = ..., reference_fronts: FrontsName = ..., **selectors: Unpack[Selectors]) -> Table:
        r"""Compute hypervolume, IGD+ and epsilon of archives within budgets.

        The archive of a run is the set of nondominated points that it has found so far. The table has
        the median and the quartiles, over the runs, of hypervolume (larger is better), igd+ and epsilon
        (smaller is better; inf before the first point). Objectives are scaled so that the ideal point
        is 0 and the nadir point is 1. A run that ended before the budget keeps its archive.

        Args:
            indicators: Quality indicators, one or several of hypervolume, igd+, epsilon, separated by
                commas.
            budgets: None: powers of ten below the longest run, and the length of the longest run.
            axis: Unit of budgets.
            reference_fronts: Reference fronts of igd+ and epsilon: archive, the best points of all
                archives in the logs, or a file NAME.csv written by `assess fronts`.

        Returns:
            One row for each ``algorithm``, ``suite``, ``function``, ``dimension``, ``indicator`` and
            ``budget``. ``runs`` is the number of runs, and ``budget`` is in the requested unit.
            ``25%``, ``median`` and ``75%`` are quantiles of type 7.
        """

    def fronts(self, budgets: Budgets | None = ..., *, axis: Axis = ..., **selectors: Unpack[Selectors]) -> Table:
        r"""Find the best points of each algorithm on each problem.

        The best points are the nondominated points of all runs of the algorithm on the problem, taken
        together: no other point is at least as good in both objectives and better in one. y1 and y2 are
        the objectives. scaled_1 and scaled_2 are the objectives scaled so that the ideal point is 0 and
        the nadir point is 1. As CSV, the table is a reference for `indicators`.

        Args:
            budgets: None: all evaluations of the runs.
            axis: Unit of budgets.

        Returns:
            One row for each point; ``algorithm``, ``suite``, ``function``, ``dimension``, ``instance``
            and ``budget``, in the requested unit, identify its front. ``runs`` is the number of runs.
            ``y1`` and ``y2`` are the values of the objectives, ``scaled_1`` and ``scaled_2`` the scaled
            values.
        """

    def surfaces(self, surfaces: Surfaces = ..., budgets: Budgets | None = ..., *, axis: Axis = ..., exact: bool = ..., **selectors: Unpack[Selectors]) -> Table:
        r"""Compute what one, half or all of the runs attain.

        A run attains a point if its archive has a point that is no worse in both objectives. An
        attainment surface is the border of the region that a share of the runs on a function attains.
        The table has the corners of these surfaces. Objectives
        are scaled so that the ideal point is 0 and the nadir point is 1. A surface that too few runs
        attain has no rows.

        Args:
            surfaces: Surfaces to compute: best, median and worst (attained by one, half and all of the
                runs), or percentages of runs, e.g. 25,75.
            budgets: None: all evaluations of the runs.
            axis: Unit of budgets.
            exact: Compute every corner with the package moocore instead of rounding values up by less
                than figures show.

        Returns:
            One row for each corner; ``algorithm``, ``suite``, ``function``, ``dimension``, ``budget``
            (in the requested unit) and ``surface`` (``best``, ``median``, ``worst``, ``25%``, …)
            identify its surface. ``runs`` is the number of runs. ``scaled_1`` and ``scaled_2`` are the
            coordinates of the corner.
        """

    def surface_difference(self, first: Algorithm, second: Algorithm, budgets: Budgets | None = ..., *, axis: Axis = ..., exact: bool = ..., **selectors: Unpack[Selectors]) -> Table:
        r"""Show where two algorithms differ in what their runs attain.

        A run attains a point if its archive has a point that is no worse in both objectives. The table
        has rectangles of the two objectives, scaled so that the ideal point is 0 and the
        nadir point is 1. In each, difference is the share of runs of the first algorithm that attain a
        point, minus the share of the second. It is above 0 where the first algorithm attains more
        often. Outside of the rectangles, the shares are equal. Functions that only one of the
        algorithms was run on are left out. The package moocore is required.

        Args:
            budgets: None: all evaluations of the runs.
            axis: Unit of budgets.
            exact: Compute every corner instead of rounding values up by less than figures show.

        Returns:
            One row for each rectangle of a ``suite``, ``function``, ``dimension`` and ``budget``.
            ``first`` and ``second`` are the algorithms, and ``runs_first`` and ``runs_second`` are
            their numbers of runs. The rectangle goes from ``from_1`` to ``to_1`` and from ``from_2`` to
            ``to_2``; inf: it has no end. ``difference`` is the share of ``first`` minus the share of
            ``second``.
        """

    def coco_table(self, targets: Targets | None = ..., *, reference: Reference | None = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> CocoTable:
        r"""Divide average runtimes by those of a reference, in COCO's layout.

        The average runtime (aRT, see `art`) of each algorithm is divided by that of the reference: a
        ratio of 5 means that the algorithm needs five times as many evaluations. Beside the ratio are
        the 10 % and 90 % quantiles of single runtimes, divided by aRT, and the number of successful
        runs. If there is one objective, these runtimes include simulated restarts. The p-value is from
        a test of the best algorithm against each other one.

        The LaTeX form has a tabular for each dimension, with targets as columns, and explains its marks
        below the tables.

        Args:
            targets: None: 1e1, 1, 1e-1, 1e-2, 1e-3, 1e-5, 1e-7, or the suite's powers of ten.
            reference: Average runtimes are divided by its average runtimes, and run-length targets are
                computed from it. None: no reference; the ratio is then the average runtime itself.

        Returns:
            One row for each function, dimension, target and algorithm: ``art``, ``reference``,
            ``ratio``, the quantiles ``q10`` and ``q90``, ``successes``, ``best`` and ``p``.
        """

    def loss(self, reference: Reference = ..., budgets: Budgets | None = ..., *, rule: LossRule = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> LossTable:
        r"""Compute how many times longer than a reference algorithms take, by budget.

        The loss at a budget is about the hardest target whose average runtime (aRT) of the algorithm is
        within the budget, as in cocopp. It is this aRT divided by the aRT of the reference to the same
        target. If the reference reaches the next harder target in less than the budget, the numerator
        is the budget instead of the algorithm's aRT. The targets are COCO's, five per decade from 1e10
        to 1e-8, or the suite's own if these go to 0 and below. The text form has percentiles of the
        loss over functions; the other formats have the functions.

        Args:
            reference: What algorithms are measured against.
            budgets: None: 2, 10, 100, … times the dimension, or powers of ten of seconds, up to the
                largest aRT.
            rule: Numerator of the loss. coco: the aRT of the algorithm or the budget, as described;
                ratio: always the aRT.

        Returns:
            One row for each algorithm, function, dimension and budget: the hardest ``target`` that the
            algorithm reaches within the budget, and ``loss``. Both are NaN if there is no such target.
            ``loss`` is 0 if the reference does not reach the target.
        """

    def best(self, targets: Targets | None = ..., *, shares: bool = ..., output: OutputFile | None = ..., reference: Reference | None = ..., unequal: bool = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Table:
        r"""Find the algorithm with the smallest average runtime to each target.

        If several algorithms have the same average, the table names the first one in alphabetical
        order. With ``shares``, the table shows on how many function-target pairs of a dimension each
        algorithm is the best. It then counts only the functions, dimensions and instances that all
        algorithms were run on, unless ``unequal`` is set.

        Args:
            targets: None: the suite's powers of ten, e.g. 1e1, 1e0, ... 1e-8.
            shares: Count the function-target pairs that each algorithm is best on.
            output: CSV file for the averages, which ``reference`` of other tables accepts. The targets
                are COCO's (five per decade), or ``targets``. None: no file.
            reference: None: no reference; run-length targets need one.

        Returns:
            One row for each function, dimension and target: the ``algorithm`` with the smallest aRT,
            and ``art``. With ``shares``, one row for each dimension and algorithm: ``targets`` is the
            number of pairs that the algorithm is best on, and ``share`` is their share of all pairs
            that any algorithm reached.
            An existing file ``output`` is replaced.

        Raises:
            AssessmentError: ``unequal`` is set without ``shares``, ``output`` does not end in .csv, or
                something other than f+g is counted.
        """

    def scatter(self, first: Algorithm, second: Algorithm, targets: Targets | None = ..., *, reference: Reference | None = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Table:
        r"""Show the average runtimes of two algorithms as points.

        The average runtime (aRT) is the evaluations of all runs until they hit the target or ended,
        divided by the number of runs that hit it. Each target on each function and dimension that both
        algorithms were run on is a point. The table also has the longest runs, because averages beyond
        them depend on few successful runs.

        Args:
            targets: None: all targets of the suite, e.g. 51 from 1e2 to 1e-8.
            reference: None: no reference; run-length targets need one.

        Returns:
            One row for each ``suite``, ``function``, ``dimension`` and ``target``. Run-length targets
            also have a column ``budget``, in evaluations / dimension. ``first`` and ``second`` are the
            algorithms. ``art_first`` and ``art_second`` are their average runtimes in evaluations; inf
            if the target was not reached. ``longest_first`` and ``longest_second`` are the evaluations
            of their longest runs.

        Raises:
            AssessmentError: The algorithms share no function and dimension.
        """

    def ratios(self, first: Algorithm, second: Algorithm, targets: Targets | None = ..., *, pairs: Pairs = ..., reference: Reference | None = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> RatioTable:
        r"""Compute the distribution of the runtime ratios of two algorithms.

        A ratio is the runtime of a run of the first algorithm divided by that of a run of the second.
        The distribution is over pairs of their runs, on all functions of a dimension. Its value at 1 is
        how often the first algorithm is at least as fast. Functions on which both algorithms missed the
        target in all pairs do not count.

        Args:
            targets: None: 1e1, 1e-1, 1e-4, 1e-8, or four targets of the suite.
            pairs: Pairs of runs: all, as in COCO's figures, or pairs of runs on equal instances.
            reference: None: no reference; run-length targets need one.

        Returns:
            One row for each point of a curve; ``suite``, ``dimension``, ``target``, ``first`` and
            ``second`` identify the curve. Run-length targets have the column ``budget``, in evaluations
            / dimension, instead of ``target``. ``ratio`` is the runtime of ``first`` divided by that of
            ``second``. ``fraction`` is the share of pairs of runs with at most this ratio, where every
            function has the same weight. ``pairs`` is the number of pairs.

        Raises:
            UnknownNameError: ``pairs`` is neither all nor instances.
            AssessmentError: The algorithms share no function and dimension, or functions have different
                targets that no budgets chose.
        """

    def ranks(self, targets: Targets | None = ..., *, over: Over = ..., superiority: bool = ..., correction: RankCorrection = ..., alpha: Alpha = ..., interval: Level = ..., seed: Seed = ..., rounds: Rounds = ..., reference: Reference | None = ..., unequal: bool = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> RanksTable:
        r"""Compute average ranks with intervals and tests, Glicko-2 ratings, and tests of pairs.

        Ranks are averages over the functions of a dimension that all algorithms were run on, for one
        target. Runs are ordered by their evaluations to the target, and runs that missed it follow by
        precision. p is the p-value of Friedman's test, and critical_difference is Nemenyi's (Demšar
        2006): algorithms differ if their average ranks differ by at least this value; inf if there are
        too few functions for any difference. Both are computed by permutation within functions. rating
        is the rating of Glicko-2, as IOHanalyzer computes it; higher is better.

        With ``superiority``, the table has all pairs of algorithms. superiority is the probability that
        a run of the first beats a run of the second, averaged over functions (rliable's probability of
        improvement). p tests the difference of their average ranks, by permutation within functions,
        with ``correction``. Two algorithms need 6 functions to differ at 0.05, three need 7.

        With ``over`` budgets, algorithms are ranked within each of 1, 2, 5, 10, 20, … evaluations /
        dimension, and within the longest run. Runs that hit the target within the budget are ordered by
        their evaluations to it, all others by their best precision within the budget. A run that ended
        earlier keeps its last value.

        Args:
            targets: Only one target is allowed. None: the final target, or the suite's hardest target.
            over: Order of runs. target: by their evaluations to the target; budgets: within budgets,
                with a row for each budget and algorithm.
            superiority: Show the probability that one algorithm beats another, one row per pair.
            correction: Correction of the p-values of all pairs of a dimension. With nemenyi, two
                algorithms differ if their ranks are at least the critical difference apart.
            alpha: Significance level of the critical difference and of corrected p-values.
            interval: Confidence level of the intervals.
            seed: Random seed of resamples and games.
            rounds: Number of rounds of simulated games between the algorithms, from which ratings are
                computed.
            reference: None: no reference; run-length targets need one.

        Returns:
            One row for each algorithm and dimension: the average ``rank`` with ``low`` and ``high``,
            the ``critical_difference`` and the ``p`` of Friedman's test. With ``superiority``, one row
            for each pair of algorithms, with the probability ``superiority`` and its interval. Over
            budgets, a column ``budget`` follows ``dimension``.

        Raises:
            AssessmentError: There are several targets, or no function on which two algorithms were run,
                or ranks are over budgets and no run made an evaluation.
        """

    def matrix(self, measure: Measure = ..., targets: Targets | None = ..., *, budget: Budget | None = ..., gaps: bool = ..., features: FeatureFile | None = ..., reference: Reference | None = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> MatrixTable:
        r"""Tabulate problems x algorithms with the virtual best, and the gap to it.

        Each row is a problem (function, dimension, instance) with the value of each algorithm.
        virtual_best is the best value of the row.

        With ``gaps``, each row is a dimension. The single best is the algorithm with the best mean over
        the problems. The virtual best takes the best algorithm on each problem. The gap is the
        difference of their means: what a perfect choice of the algorithm for each problem would gain.

        Args:
            measure: Value in the matrix: art (average runtime), par10 (PAR-10), or aocc (area over the
                convergence curve).
            targets: Only one target is allowed, with art and par10. None: the final target, or the
                suite's hardest target.
            budget: Budget at which areas end, with aocc only. None: the budget of the runs, if all have
                the same.
            gaps: Show the single best, the virtual best and their gap in each dimension instead.
            features: None: no features.
            reference: None: no reference; run-length targets need one.

        Returns:
            One row for each problem. The columns ``suite``, ``dimension``, ``function`` and
            ``instance`` identify the problem. ``value:NAME`` is the value of the algorithm NAME; it is
            inf if no run succeeded, NaN if the algorithm was not run in this dimension.
            ``virtual_best`` is the best value, and ``best`` is the algorithm that has it, empty if
            there is no finite value. ``feature:NAME`` is a feature from the file; it is NaN if the file
            does not have the problem.

            With ``gaps``, one row for each dimension: the ``single_best`` algorithm, its mean, the mean
            of the virtual best, and their ``gap``.

        Raises:
            UnknownNameError: There is no such measure.
            AssessmentError: There are several targets, the measure does not take the target or the
                budget, or no problem is common to all algorithms of a dimension.
        """

    def contributions(self, budget: Budget | None = ..., *, count: str | None = ..., **selectors: Unpack[Selectors]) -> Table:
        r"""Compute what each algorithm adds to a portfolio: Shapley values.

        A portfolio is a set of algorithms of which the best one is used on each problem. Its score is
        the mean, over the problems of a dimension, of the largest area over the convergence curve
        (AOCC, see `aocc`) of its members. alone is the score of the algorithm by itself. marginal is
        what the portfolio of all algorithms loses without the algorithm. shapley is the Shapley value
        of the algorithm: its mean gain over all orders of adding algorithms. It is exact for any number
        of algorithms.

        Args:
            budget: Budget at which areas end. None: the budget of the runs, if all have the same.

        Returns:
            One row for each suite, dimension and algorithm. ``problems`` is the number of problems.
            ``alone`` is the score of the algorithm by itself, ``marginal`` the score that the portfolio
            loses without it, and ``shapley`` its Shapley value. ``share`` is the Shapley value divided
            by the sum of all, which is the score of the virtual best.
        """

    def data_profile(self, tau: Tolerances = ..., *, budget: Budget | None = ..., reference: Best = ..., unequal: bool = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Table:
        r"""Compute data profiles (Moré and Wild): problems solved within simplex gradients.

        A simplex gradient is dimension + 1 evaluations. A run solves its problem at its first
        evaluation with f(x0) - f >= (1 - tau) (f(x0) - f_L). x0 is the initial solution of the suite,
        whose value is computed. If the suite is not available, f(x0) is the worst first finite
        value of all runs on the problem. A problem is a function, an instance, and the number of the
        run on it. Source: Moré and Wild (2009), SIAM J. Optim. 20(1), equations 2.2 and 2.8.

        Args:
            tau: Tolerances of the test, between 0 and 1.
            budget: Budget of the test; later values are ignored. None: all values count.
            reference: Definition of f_L. best: the best value of all algorithms within the budget, so
                that a further algorithm may change all numbers; optimum: the known optimum.

        Returns:
            One row for each point of a curve; ``algorithm``, ``suite``, ``dimension`` and ``tau``
            identify the curve. ``simplex_gradients`` is evaluations divided by dimension + 1, at each
            increase of the share and at the end of the longest curve. ``fraction`` is the share of
            problems solved within this number.

        Raises:
            AssessmentError: A suite has two objectives, a tau is not between 0 and 1, the optimum is
                requested and unknown, or seconds are counted.
        """

    def performance_profile(self, tau: Tolerances = ..., *, budget: Budget | None = ..., reference: Best = ..., unequal: bool = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Table:
        r"""Compute performance profiles (Dolan and Moré): problems solved by ratio to the best.

        The ratio is the number of evaluations of a run divided by that of the fastest algorithm on the
        same problem. The share at ratio 1 is the share of problems on which an algorithm is the
        fastest. Solved, problem, tau, f(x0) and f_L are defined as for data-profile. Ratios depend on
        all algorithms: of three, the order of the last two may change with the first (Gould and Scott
        2016). Source: Dolan and Moré (2002), Math. Program. 91.

        Args:
            tau: Tolerances of the test, between 0 and 1.
            budget: Budget of the test; later values are ignored. None: all values count.
            reference: Definition of f_L. best: the best value of all algorithms within the budget;
                optimum: the known optimum.

        Returns:
            One row for each point of a curve; ``algorithm``, ``suite``, ``dimension`` and ``tau``
            identify the curve. ``ratio`` is at least 1; it takes the values at which the share
            increases and the end of the longest curve. ``fraction`` is the share of problems that are
            solved within ``ratio`` times the evaluations of the fastest algorithm.

        Raises:
            AssessmentError: `data_profile` cannot be computed.
        """

    def termination(self, *, errors: bool = ..., **selectors: Unpack[Selectors]) -> Table:
        r"""Count how runs ended, and how often they were restarted.

        The columns are numbers of runs. target: the run hit the final target. budget: it used its whole
        budget. terminated: the optimizer stopped by itself. failed: the optimizer raised an exception.
        timeout: the run exceeded its time limit. interrupted: the run was interrupted. evaluations is
        the sum over the runs, and restarts is the mean number of restarts of a run.

        Args:
            errors: List the runs that failed, timed out or were interrupted, with their errors.

        Returns:
            One row for each ``algorithm``, ``suite`` and ``dimension``. ``runs`` is the number of runs.
            A column for each status has the number of runs that ended with it. ``evaluations`` is the
            sum over the runs, and ``restarts`` is the mean number of restarts of a run. With
            ``errors``, one row for each run that did not end regularly. ``algorithm``, ``suite``,
            ``function``, ``dimension``, ``instance`` and ``repetition`` identify the run, ``status``
            and ``evaluations`` are its own, and ``error`` is the first line of its error.
        """

    def restarts(self, **selectors: Unpack[Selectors]) -> Table:
        r"""List every start of every run, with the reason of each restart.

        An optimizer that stops before the budget is used is restarted within the same run. Each row has
        the number of evaluations before a start, and the reason why the start before it ended.

        Returns:
            One row for each start. ``algorithm``, ``suite``, ``function``, ``dimension``, ``instance``
            and ``repetition`` identify the run. ``start`` is the number of the start, 0 for the first.
            ``evaluation`` is the number of evaluations that the run had made before it. ``evaluations``
            and ``status`` are those of the run. ``reason`` is the reason of the restart; empty for the
            first start.
        """

    def tuning(self, **selectors: Unpack[Selectors]) -> Table:
        r"""List settings tested and budget invested before the runs.

        The table shows how many settings of each algorithm were tested, and the evaluations of these
        tests. A comparison is fair if each algorithm was tuned with similar effort. The numbers are
        those that a campaign states under the key 'tuning', or a program with Observer(tuning=...).
        State any tuning to the problems in this way (Hansen, Tušar, Mersmann, Auger, Brockhoff, "COCO:
        The Experimental Procedure" (2016), arXiv:1603.08776).

        Returns:
            One row for each statement about an ``algorithm``. ``runs`` is the number of runs that the
            statement is about. ``evaluations`` is the number of evaluations of the objective in all
            runs of the algorithm, for comparison. ``settings_tested`` and ``budget_invested`` (in
            evaluations) are NaN if the log does not state them. ``tuning`` is the rest of the
            statement, as text.
        """

    def parameters(self, names: Names | None = ..., **selectors: Unpack[Selectors]) -> Table:
        r"""List the parameters that algorithms noted while they ran.

        Each value stands beside the evaluation at which the parameter had it. An algorithm notes its
        parameters by problem.note(sigma=…). Logs of IOHprofiler contain the attributes that they
        watched. `firsthit figures --kinds parameters` draws each parameter.

        Args:
            names: Names of parameters, e.g. sigma,popsize. None: all.

        Returns:
            One row for each noted value, ordered by run and parameter. ``algorithm``, ``suite``,
            ``function``, ``dimension``, ``instance`` and ``repetition`` identify the run. ``name`` is
            the parameter, and ``value`` is the value that it had at ``evaluation``.

        Raises:
            AssessmentError: Nothing was noted in these runs.
            UnknownNameError: A parameter was not noted.
        """

    def timing(self, *, by_function: bool = ..., **selectors: Unpack[Selectors]) -> Table:
        r"""Compute the seconds per evaluation, in optimizer and problem.

        Means are all seconds of a dimension divided by all evaluations. wall_10%, wall_50% and wall_90%
        are quantiles over runs. Notes state the machine, the versions and the 'setup' of the campaign.
        Run nothing else at the same time, and use 'workers: 1', as the built-in campaign 'timing' does.

        Time that is spent neither in the problem nor in the optimizer, such as observing and waiting
        for a processor, counts for the optimizer. Runs without timing (imported, or lost with their
        process) are left out, and a note gives their number. Values are NaN if no run was timed or none
        evaluated.

        Args:
            by_function: Show one row for each function.

        Returns:
            One row for each ``algorithm``, ``suite`` and ``dimension``, or for each ``function`` of
            these. ``runs`` is the number of runs, and ``evaluations`` is their number of evaluations of
            the objective. The other columns are seconds per evaluation: ``wall`` is the sum of
            ``optimizer`` and ``problem``, and ``cpu`` is the processor time of all threads of the
            process. ``wall_10%``, ``wall_50%`` and ``wall_90%`` are quantiles of ``wall`` over runs
            (`spread_of_runs`).
        """

    def points(self, **selectors: Unpack[Selectors]) -> Table:
        r"""List the points that runs recorded, with their values.

        A log contains points only if they were recorded. A campaign records them with the line
        'record_points: all', an Observer with the argument record_points="all". `firsthit rerun`
        repeats finished runs and records their points. All runs of the table must have the same
        dimension, because each variable is a column.

        Returns:
            One row for each point, ordered by run and evaluation. ``algorithm``, ``suite``,
            ``function``, ``dimension``, ``instance`` and ``repetition`` identify the run. ``start`` is
            the number of the start, 0 for the first. ``evaluation`` is the number of the evaluation.
            ``value`` is the value that the algorithm received; of points of hits it is the reference
            value plus the precision. With two objectives, ``value`` is that of the first, and
            ``second_value`` is that of the second; NaN if the archive lacks them. ``x1``, ``x2``, …
            are the variables.

        Raises:
            AssessmentError: The runs have several dimensions, or no points were recorded.
        """

class Figures:
    """The figures of a log."""

    def __init__(self, results: object) -> None: ...

    def art(self, targets: Targets | None = ..., *, interval: Level | None = ..., seed: Seed = ..., reference: Reference | None = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw aRT against the target precision, easy targets left, one curve for each algorithm.

        A curve ends at the hardest target that a run reached.

        Args:
            table: The table of `art`.
            **options: ``suite``, ``function`` and ``dimension`` select the curves.
        """

    def heatmap(self, targets: Targets | None = ..., *, interval: Level | None = ..., seed: Seed = ..., reference: Reference | None = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw functions × algorithms, a panel for each target: aRT divided by the least.

        A cell is white if the algorithm is the best, the darker the larger the ratio, and hatched if no
        run of the algorithm succeeded. The ratio is written into the cell if there is room.

        Args:
            table: The table of `art`.
            **options: ``suite`` and ``dimension`` select the rows of the table. ``target`` selects one
                panel; without it, all targets are shown side by side. ``functions`` are the functions;
                default: all.

        Raises:
            AssessmentError: There is one algorithm, whose ratio to the least is 1 everywhere.
        """

    def ecdf(self, targets: Targets | None = ..., *, axis: RuntimeAxis = ..., group_by: Groupings = ..., runtimes: Runtimes = ..., seed: Seed = ..., samples: Resamples = ..., interval: Level | None = ..., fractions: Percents | None = ..., background: Background | None = ..., reference: Reference | None = ..., single_runs: bool = ..., unequal: bool = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw the runtime profiles of all algorithms in one dimension and group of functions.

        The cross marks the median, over functions, of the longest unsuccessful runs. The dot at the end
        of a curve marks the share of pairs that any run solved. Names stand at the right, ordered
        by the fractions reached. Bands are shaded if the table has them (``interval``).

        Args:
            table: The table of `ecdf`.
            single_runs: Draw single runs as thin curves behind those of their algorithms. A curve over
                several functions joins one run of each function, all with the same instance.
            **options: ``suite``, ``dimension`` and ``group`` select the curves.
        """

    def ecdf_functions(self, targets: Targets | None = ..., *, axis: RuntimeAxis = ..., group_by: Groupings = ..., runtimes: Runtimes = ..., seed: Seed = ..., samples: Resamples = ..., interval: Level | None = ..., fractions: Percents | None = ..., background: Background | None = ..., reference: Reference | None = ..., one_axes: bool = ..., single_runs: bool = ..., unequal: bool = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw a panel for each function of a group, and at last one for the group.

        Args:
            table: The table of `ecdf` with ``group_by`` ``("function", "group")``, or ``"all"`` in
                place of ``"group"``.
            one_axes: Draw one plot instead of panels, with thin curves of the functions and a thick
                curve of the group. With one algorithm, colours distinguish functions; with several,
                they distinguish algorithms.
            single_runs: Draw single runs as thin curves behind those of their algorithms. A curve over
                several functions joins one run of each function, all with the same instance.
            **options: ``suite``, ``dimension`` and ``group`` select the curves. The number of panels
                determines their width.

        Raises:
            AssessmentError: ``one_axes`` and ``single_runs`` are both set.
        """

    def ecdf_dimensions(self, targets: Targets | None = ..., *, axis: RuntimeAxis = ..., group_by: Groupings = ..., runtimes: Runtimes = ..., seed: Seed = ..., samples: Resamples = ..., interval: Level | None = ..., fractions: Percents | None = ..., background: Background | None = ..., reference: Reference | None = ..., single_runs: bool = ..., unequal: bool = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw the profiles of one algorithm in all dimensions, or those of all algorithms.

        The figure of one algorithm has a panel for each group of functions. All dimensions are in one
        panel. The figure of all algorithms has a row of panels for each group, and a column for each
        dimension. It has at most seven rows.

        Args:
            table: The table of `ecdf`.
            single_runs: Draw single runs as thin curves behind those of their algorithms. A curve over
                several functions joins one run of each function, all with the same instance.
            **options: ``suite`` selects the curves. ``algorithm`` selects the algorithm; without it,
                the figure shows all algorithms of the table.

        Raises:
            AssessmentError: The table has several suites, or several algorithms and more than seven
                groups.
        """

    def convergence(self, budgets: Budgets | None = ..., *, axis: Axis = ..., targets: Successes | None = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw the median of the best precision so far against the budget, with a band of quantiles.

        Bands are drawn only if there are at most four algorithms, because they hide each other.

        Args:
            table: The table of `fixed_budget`.
            **options: ``suite``, ``function`` and ``dimension`` select the curves.
        """

    def fixed_budget(self, budgets: Budgets | None = ..., *, axis: Axis = ..., targets: Successes | None = ..., statistic: Statistic | None = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw one statistic of the best precision at budgets, one curve for each algorithm.

        Args:
            table: The table of `fixed_budget`.
            statistic: Column of the table to draw, e.g. mean, median, geometric_mean or 10%. None:
                geometric_mean, or median if the suite has targets at or below 0.
            **options: ``suite``, ``function`` and ``dimension`` select the curves.

        Raises:
            UnknownNameError: There is no such column.
        """

    def scaling(self, targets: Targets | None = ..., *, interval: Level | None = ..., seed: Seed = ..., reference: Reference | None = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw aRT / dimension against the dimension, one curve for each algorithm.

        Both axes are logarithmic. A horizontal line is a runtime that is proportional to the dimension,
        and a slope of 1 is a quadratic runtime. Bars show the 25th to 75th percentile of single
        runtimes. If not all runs succeeded, the number of successes stands at the mark if there is
        room, and a cross shows the median length of the unsuccessful runs. A reference is a thick line.
        If there are more than four algorithms, there are no bars, and crosses only where no run
        succeeded.

        Args:
            table: The table of `scaling`.
            **options: ``suite``, ``function`` and ``target`` (of run-length targets: ``budget``) select
                the curves.
        """

    def scaling_functions(self, targets: Targets | None = ..., *, interval: Level | None = ..., seed: Seed = ..., reference: Reference | None = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw aRT / dimension against the dimension for all functions, a panel for each.

        All panels have equal logarithmic axes. Dotted guide lines have slope 1: a runtime along them is
        quadratic in the dimension. A horizontal curve is a runtime that is proportional to the
        dimension. Crosses show the median length of unsuccessful runs. A reference is a thick line. If
        there are more than four algorithms, crosses are drawn only where no run succeeded.

        Args:
            table: The table of `scaling`.
            **options: ``suite`` and ``target`` (of run-length targets: ``budget``) select the curves.
                ``functions`` are the functions; default: all that have several dimensions. The number
                of panels determines the width.

        Raises:
            AssessmentError: No function has several dimensions.
        """

    def dual_ecdf(self, targets: Targets | None = ..., budgets: Budgets | None = ..., *, group_by: GroupBy = ..., background: Background | None = ..., reference: Reference | None = ..., per_target: bool = ..., unequal: bool = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw the distributions of one algorithm's runtimes and precisions, as two panels.

        The left panel has a curve for each target: the share of runs that reached it within a budget.
        The right panel has a curve for each budget: the share of runs within a precision, from the
        hardest target on. A right curve begins with the share that the left curve of the hardest target
        has at the budget. Curves of a reference are in the background, thick and pale, in the colours
        of their targets. Curves of background algorithms are thin and grey; they show runtimes to the
        hardest target.

        Args:
            table: The table of `dual_ecdf`.
            per_target: Show precisions divided by targets in the right panel, so that it continues the
                curve of each target. Curves of the largest budget are divided by each target, other
                curves by the hardest.
            **options: ``algorithm``, ``suite``, ``group`` and ``dimension`` select the curves.

        Raises:
            AssessmentError: ``per_target`` is set, and a target is not above 0.
        """

    def runtime_density(self, targets: Targets | None = ..., *, shape: Shape = ..., reference: Reference | None = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw the distributions of runtimes to targets, a panel for each, the hardest at the right.

        The figure is that of `draw_precision_density`. The share beside a ridge is that of the runs
        that hit the target.

        Args:
            table: The table of `runtime_density`.
            **options: ``suite``, ``function`` and ``dimension`` select the ridges.
        """

    def precision(self, budgets: Budgets | None = ..., *, axis: Axis = ..., group_by: GroupBy = ..., pooled: bool = ..., unequal: bool = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw the share of runs within each precision, a panel for each budget.

        The axis of precisions is inverted: better precisions are further right. A figure of the width
        of a column has at most three panels, a figure of the width of a page at most five. If there are
        more budgets, the largest are shown. If budgets are pooled, there is one panel.

        Args:
            table: The table of `precision_ecdf`.
            **options: ``suite``, ``group`` and ``dimension`` select the curves; ``width`` is the width
                of the figure.
        """

    def precision_density(self, budgets: Budgets | None = ..., *, axis: Axis = ..., shape: Shape = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw the distributions of the best precision within budgets, a panel for each budget.

        Each algorithm has a ridge of a kernel density or of masses. All ridges are equally high,
        because only their position and width are compared. A percentage is the share of the runs that
        are in the distribution, if not all are. A figure of the width of a column has at most two
        panels, a figure of the width of a page at most four. If there are more, the last are drawn.

        Values are on a logarithmic axis. For ``"density-nrd0"``, which is a density of the values
        themselves and may extend below 0, the axis is linear. For masses of precisions with both signs,
        the axis is linear around 0 and logarithmic elsewhere.

        Args:
            table: The table of `precision_density`.
            **options: ``suite``, ``function`` and ``dimension`` select the ridges.
        """

    def cuts(self, budget: Budgets | None = ..., target: Precisions | None = ..., *, axis: Axis = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw the convergence curves of runs, cut at budgets and at targets.

        A vertical line is a budget. It crosses the curves at stars, which are the precisions of the
        fixed-budget view. A panel at the right shows their distribution, one for each budget. A
        horizontal line is a target. It crosses the curves at the runtimes of the fixed-target view. A
        panel above shows their distribution, one for each target.

        Args:
            table: The table of `cuts`.
            **options: ``suite``, ``function`` and ``dimension`` select the curves.
        """

    def attainment(self, levels: Percents = ..., *, axis: Axis = ..., group_by: GroupBy = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw the levels of an attainment function: a curve of precision by budget for each level.

        Args:
            table: The table of `attainment`.
            **options: ``algorithm``, ``suite``, ``group`` and ``dimension`` select the curves.
        """

    def attainment_difference(self, first: Algorithm, second: Algorithm, *, axis: Axis = ..., group_by: GroupBy = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw where one algorithm attains more often than another: blue the first, red the second.

        Args:
            table: The table of `attainment_difference`.
            **options: ``suite``, ``group`` and ``dimension`` select the rectangles.
        """

    def fronts(self, budgets: Budgets | None = ..., *, axis: Axis = ..., objectives: Objectives = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw the best points of each algorithm on a problem, and the region that they dominate.

        Args:
            table: The table of `fronts`.
            objectives: Axes of the figure. scaled: logarithmic axes on which 0 is the ideal point and 1
                the nadir point; raw: linear axes with the values of the objectives. A front far from
                the region between these points is not drawn, and its name says so.
            **options: ``suite``, ``function``, ``dimension`` and ``instance`` select the fronts.

        Raises:
            UnknownNameError: ``objectives`` is neither ``"scaled"`` nor ``"raw"``.
            AssessmentError: An algorithm has fronts of several budgets.
        """

    def surfaces(self, surfaces: Surfaces = ..., budgets: Budgets | None = ..., *, axis: Axis = ..., exact: bool = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw attainment surfaces, one colour for each algorithm; the median is thick.

        If there are more than four algorithms, thin surfaces are left out.

        Args:
            table: The table of `surfaces`.
            **options: ``suite``, ``function`` and ``dimension`` select the surfaces.

        Raises:
            AssessmentError: An algorithm has surfaces of several budgets.
        """

    def surface_difference(self, first: Algorithm, second: Algorithm, budgets: Budgets | None = ..., *, axis: Axis = ..., exact: bool = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw where one algorithm attains more often than another: blue the first, red the second.

        Args:
            table: The table of `surface_difference`.
            **options: ``suite``, ``function`` and ``dimension`` select the rectangles.

        Raises:
            AssessmentError: There are differences of several budgets.
        """

    def loss(self, reference: Reference = ..., budgets: Budgets | None = ..., *, rule: LossRule = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw the loss against a reference by budget: the geometric mean, and dots for functions.

        If there are more than four algorithms, there are no dots.

        Args:
            table: The table of `loss`.
            **options: ``suite`` and ``dimension`` select the curves.

        Raises:
            AssessmentError: There is one algorithm, and it is its own reference.
        """

    def scatter(self, first: Algorithm, second: Algorithm, targets: Targets | None = ..., *, reference: Reference | None = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw aRT of one algorithm against that of another, a point for each target and dimension.

        A colour and a marker stand for a dimension. On the diagonal, both algorithms are equal. Points
        at the upper or right edge are targets that one of them did not reach. A mark is filled if both
        averages are at most the longest run; the other averages rest on few successes.

        Args:
            table: The table of `scatter`.
            **options: ``suite`` selects the points, ``function`` those of one function. Default: all
                functions.
        """

    def ratios(self, first: Algorithm, second: Algorithm, targets: Targets | None = ..., *, pairs: Pairs = ..., reference: Reference | None = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw the distribution of runtime ratios of two algorithms, a curve for each target.

        Left of 1, the first algorithm is faster. The dot marks the height of the curve at 1: the share
        of pairs of runs in which the first is at least as fast. Harder targets are darker. A curve ends
        below 1 if the first algorithm did not hit the target in all pairs.

        Args:
            table: The table of `ratios`.
            **options: ``suite`` and ``dimension`` select the curves.
        """

    def critical_difference(self, targets: Targets | None = ..., *, over: Over = ..., superiority: bool = ..., correction: RankCorrection = ..., alpha: Alpha = ..., interval: Level = ..., seed: Seed = ..., rounds: Rounds = ..., reference: Reference | None = ..., unequal: bool = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw average ranks with their intervals, best on the left, as Demšar (2006, figure 1) does.

        A bar joins algorithms if no two of them differ by the corrected p-values of the pairs.
        `draw_ranks_over_budgets` draws ranks over budgets.

        Args:
            table: The table of `ranks`.
            **options: ``suite`` and ``dimension`` select the rows of the table.
        """

    def ranks_over_budgets(self, targets: Targets | None = ..., *, over: Over = ..., superiority: bool = ..., correction: RankCorrection = ..., alpha: Alpha = ..., interval: Level = ..., seed: Seed = ..., rounds: Rounds = ..., reference: Reference | None = ..., unequal: bool = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw average ranks within budgets, best on top, with a line where their order changes.

        Bands show the intervals of ranks if there are at most four algorithms.

        Args:
            table: The table of `ranks` over budgets.
            **options: ``suite`` and ``dimension`` select the curves.

        Raises:
            AssessmentError: The table has ranks at a target, not over budgets.
        """

    def data_profile(self, tau: Tolerances = ..., *, budget: Budget | None = ..., reference: Best = ..., unequal: bool = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw data profiles, a panel for each tolerance.

        Args:
            table: The table of `data_profile`.
            **options: ``suite`` and ``dimension`` select the curves.
        """

    def performance_profile(self, tau: Tolerances = ..., *, budget: Budget | None = ..., reference: Best = ..., unequal: bool = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw performance profiles, a panel for each tolerance.

        Args:
            table: The table of `performance_profile`.
            **options: ``suite`` and ``dimension`` select the curves.

        Raises:
            AssessmentError: There is one algorithm, whose ratio to the fastest is 1 everywhere.
        """

    def restarts(self, **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw each run as a line to its last evaluation, with a tick where it was restarted.

        A filled mark at the end is a run that hit the final target.

        Args:
            table: The table of `restarts`.
            **options: ``suite``, ``function`` and ``dimension`` select the runs.
        """

    def parameters(self, names: Names | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw a parameter against evaluations: thin lines are runs, the thick one is their median.

        The median at an evaluation is over the runs that noted the parameter both before and after it.
        It is drawn while these are at least half of all runs. The axis of values is logarithmic if all
        are positive.

        Args:
            table: The table of `parameters`.
            **options: ``suite``, ``function``, ``dimension`` and ``name`` (of the parameter) select the
                lines.
        """
