# ruff: noqa
# fmt: off
"""Types of the methods that questions and figures are; written by `generate`."""

from firsthit.assessment.asking.options import Axis as Axis, Budget as Budget, Budgets as Budgets, GroupBy as GroupBy, Groupings as Groupings, Level as Level, Number as Number, Reference as Reference, Runtimes as Runtimes, Samples as Samples, Seed as Seed, Targets as Targets
from firsthit.assessment.data.choice import Selectors as Selectors
from firsthit.assessment.data.profiles import EcdfTable as EcdfTable, Weights as Weights
from firsthit.assessment.questions.art.table import ArtTable as ArtTable
from firsthit.assessment.questions.fixed_budget import FixedBudgetTable as FixedBudgetTable, Statistic as Statistic, Successes as Successes
from firsthit.assessment.questions.fixed_target import Balance as Balance, Convention as Convention, FixedTargetTable as FixedTargetTable
from firsthit.assessment.tables.table import Table as Table
from matplotlib.axes import Axes as Axes
from typing import Unpack as Unpack

class Questions:
    """The questions to a log."""

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
        held in 27 % at worst. [>= 123] stands where runs do not tell the upper end: fewer than three
        succeeded, or runtimes are very skew. Several runs of an instance count as one instance.

        Args:
            targets: None: the suite's powers of ten, such as 1e1, 1e0, … 1e-8.
            interval: Add the confidence interval of each average, such as 0.95.
            seed: Of the intervals.
            reference: None: none; ratios to its aRT are added; run-length targets need one.

        Returns:
            An `ArtTable`; its columns are there.
        """

    def ecdf(self, targets: Targets | None = ..., *, group_by: Groupings = ..., runtimes: Runtimes = ..., axis: Axis = ..., seed: Seed = ..., samples: Samples = ..., interval: Level | None = ..., reference: Reference | None = ..., unequal: bool = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> EcdfTable:
        r"""Runtime profiles: share of function-target pairs solved in a budget.

        Every function-target pair weighs the same; dimensions are never joined. Runtimes are those of
        the algorithm restarted until it succeeds, as its runs tell (`restart_distribution`). The cross
        is at the median over functions of the longest run that missed the hardest target. Where all
        these runs spent one budget, the curve rises by simulated restarts alone right of the cross.
        Where runs ended by themselves, restarts count from the shortest of them on; a note says so.

        ``interval`` adds a band by a bootstrap over runs, pointwise: at a budget named beforehand,
        within the longest run. 95 % bands of one and of eight simulated functions held in 93 to 100 %
        of experiments with 5 to 30 runs (benchmarks/band_coverage.py), but with one function whose runs
        must find a basin that one start in ten finds, in 84 % (5 runs), 88 % (15), 91 % (30). Beyond
        the longest run they know only targets that some run reached.

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
            reference: None: none; its curves are added, thick in figures; run-length targets need one.

        Returns:
            An `EcdfTable`; its columns are there. Several of ``group_by`` give the curves of each, for
            less than one by one.
        """

    def fixed_budget(self, budgets: Budgets | None = ..., *, axis: Axis = ..., targets: Successes | None = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> FixedBudgetTable:
        r"""Statistics of the precision reached within budgets.

        Precisions rank algorithms, no more: nobody knows how much harder half of one is to reach. A run
        that ended before the budget keeps its last value. mean, sd (n - 1), quantiles (type 7:
        numpy's and R's default) and geometric mean as in IOHanalyzer. Of runs observed by
        firsthit, values are exact at 1, 2, 5, 10, 20, 50, … evaluations / dimension, and everywhere if
        every improvement was recorded; elsewhere they may be upper bounds, and a note says so.

        Args:
            budgets: None: 1, 10, 100, … up to the longest run.
            axis: Unit of budgets.
            targets: Precisions; adds the share of runs that reached each within the budget.

        Returns:
            Columns: ``algorithm, suite, function, dimension``; ``budget`` in the unit asked for and in
            ``evaluations``; number of ``runs`` and how many had ``ended`` before it; those of
            `precision_statistics`; ``success_T``, the share of runs with precision <= T, for each
            target.
        """

    def areas(self, targets: Targets | None = ..., *, budget: Budget, group_by: GroupBy = ..., runtimes: Runtimes = ..., axis: Axis = ..., weights: Weights = ..., seed: Seed = ..., samples: Samples = ..., reference: Reference | None = ..., unequal: bool = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Table:
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

    def fixed_target(self, targets: Targets | None = ..., *, convention: Convention = ..., budget: Budget | None = ..., axis: Axis = ..., penalty: Number = ..., balance: Balance = ..., reference: Reference | None = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> FixedTargetTable:
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

        Args:
            targets: None: the suite's powers of ten, such as 1e1, 1e0, … 1e-8.
            convention: Whose statistics; see above.
            budget: Runs count as if stopped after it. None: as they are.
            axis: Unit of budgets.
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
            Columns: ``algorithm, suite, function, target, dimension``; all in evaluations / dimension:
            ``art`` in ``low`` … ``high``, its confidence interval (`art_interval`), these two only with
            ``interval``; ``q25, median, q75`` of single runtimes, their dispersion (`usual_quantiles`);
            ``longest``, the longest run; ``unsuccessful``, the median length of the runs that missed
            the target (NaN where none did); ``successes`` of ``runs``.
        """

    def runtimes(self, targets: Targets | None = ..., *, reference: Reference | None = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Table:
        r"""The evaluation at which each run first hit each target.

        It is inf where the run did not hit it.

        Args:
            targets: None: the suite's powers of ten, such as 1e1, 1e0, … 1e-8.
            reference: None: none; run-length targets need one.

        Returns:
            Columns: ``algorithm, suite, function, dimension, instance, repetition, target``;
            ``runtime``, the evaluation of the first hit, inf where the run missed the target;
            ``spent``, the run's evaluations; ``exact``, False where ``runtime`` is an upper bound.
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

    def art(self, targets: Targets | None = ..., *, count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw aRT against the target precision, easy targets left, one curve for each algorithm.

        A curve ends where no run reached the target.

        Args:
            table: Average runtimes.
            **shown: ``suite``, ``function``, ``dimension``.
        """

    def heatmap(self, targets: Targets | None = ..., *, count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw functions × algorithms, a panel for each target: aRT divided by the least.

        A cell is white where the algorithm is the best, darker the more it takes, and hatched where it
        never succeeded. The ratio is written into it where there is room.

        Args:
            table: Average runtimes.
            **shown: ``suite``, ``dimension``; ``target``, without which all are shown side by side.
        """

    def ecdf(self, *, seed: Seed = ..., reference: Reference | None = ..., unequal: bool = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw the runtime profiles of all algorithms in one dimension and group of functions.

        The cross marks the median over functions of the longest unsuccessful runs. The dot ends a
        curve: the share of pairs solved at all.
        Names stand at the right, ordered by the fractions reached. Bands are shaded, where the
        table has them (``interval``).

        Args:
            table: Profiles.
            **shown: ``suite``, ``dimension``, ``group``.
        """

    def ecdf_functions(self, *, seed: Seed = ..., reference: Reference | None = ..., unequal: bool = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw a panel for each function of a group, and at last one for the group.

        Args:
            table: Profiles by ``("function", "group")``, or ``"all"`` in place of ``"group"``.
            **shown: ``suite``, ``dimension``, ``group``; the width follows from the number of panels.
        """

    def convergence(self, *, count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw the median of the best precision so far against the budget, with a band of quantiles.

        Bands hide each other: they are drawn of at most four algorithms.

        Args:
            table: The table.
            **shown: ``suite``, ``function``, ``dimension``.
        """

    def fixed_budget(self, *, statistic: Statistic | None = ..., count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw one statistic of the best precision at budgets, one curve for each algorithm.

        Args:
            table: The table.
            statistic: A column: mean, median, geometric_mean, 10%, …. None: geometric_mean; median
                where the suite has targets at or below 0.
            **shown: ``suite``, ``function``, ``dimension``.

        Raises:
            UnknownNameError: There is no such column.
        """

    def scaling(self, targets: Targets | None = ..., *, count: str | None = ..., **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw aRT / dimension against the dimension, one curve for each algorithm.

        Both axes are logarithmic, so that a horizontal line is a runtime proportional to the dimension
        and a slope of 1 a quadratic one. Bars: 25 and 75 % of single runtimes.
        Where not all runs succeeded, their successes stand at the mark, and a cross shows the median
        length of those that did not.

        Args:
            table: The table.
            **shown: ``suite``, ``function``, ``target``.
        """

    def restarts(self, **selectors: Unpack[Selectors]) -> Axes:
        r"""Draw each run as a line to its last evaluation, with a tick where it was restarted.

        A filled mark at the end is a run that hit the final target.

        Args:
            table: The table.
            **shown: ``suite``, ``function``, ``dimension``.
        """
