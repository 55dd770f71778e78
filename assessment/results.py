"""`Results`: the entry point to the assessment, with one method for each question.

`load` reads logs. Each question selects runs and returns a table; `Results.plot` draws the figures,
and `Results.report` returns the interactive report as an `Explorer`.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Unpack

import numpy as np
from numpy.typing import NDArray

from ..suites.selection import ranges
from .cost import Count
from .errors import AssessmentError
from .questions._framework.methods import Figures, Questions
from .selection import Selection, Selectors, refuse_two_references, select_runs
from .tables.table import Table, written
from .target_choice import Counted, Reference, RequestedTargets
from .targets.parse import Targets
from .targets.target_sets import decades

if TYPE_CHECKING:
    from ..loggers import Log
    from .questions._framework.context import Choices
    from .regression import RegressionOptions, RegressionTable


_FRAME_HEIGHT_PIXELS = 820
_RUN_COLUMNS = ("algorithm", "suite", "function", "dimension", "instance", "repetition")
Paths = str | Path | Iterable[str | Path]
"""A file, a folder, a glob, or several of them."""


def load(paths: Paths, recommended: bool = False) -> Results:
    """Read logs and return their results.

    Args:
        paths: A log, a folder, a pattern such as ``"results/*.h5"``, or several of these. Data of
            COCO and IOHprofiler are read, too, and ``"coco:PATTERN"`` names published data; see
            `firsthit.loggers.read_log`. Of a log that is being written, the finished runs are read.
        recommended: Use the solutions that runs recommended (``problem.recommend``) instead of all
            evaluated solutions. A runtime is then that of the first recommended solution that hits
            the target; a precision is that of the best recommended solution so far. A run without
            recommendations hits no target; a note gives the number of these runs.

    Returns:
        The results. Their methods, such as ``art``, return tables.

    Raises:
        LogNotFoundError: There is no log at a path.
        LogFormatError: A file is damaged or is not a log.
        LogReadError: The operating system cannot read a file now.
        LogConflictError: Two logs contradict each other about a run, an algorithm or a suite.
        AssessmentError: ``recommended`` is True, and no run recommended a solution. Or runs
            evaluated constraints, because a log does not have the number of these evaluations
            before each recommendation.

    Example:
        >>> import firsthit
        >>> with firsthit.Observer("load.h5", algorithm="one-point") as observer:
        ...     for problem in observer(firsthit.Suite("bbob", functions=1, dimensions=2)):
        ...         value = problem(problem.initial_solution)
        >>> firsthit.load("load.h5")
        <Results of one-point: 15 runs, bbob f1 in 2-D>
    """
    from ..loggers import read_log

    log = read_log(paths)
    return Results(_measured_by_recommendations(log) if recommended else log)


class PointArrays(NamedTuple):
    """Recorded points of one run; see `Results.point_arrays`.

    Attributes:
        X: The points, shape ``(n, dimension)``.
        y: Their values, shape ``(n,)``, or ``(n, 2)`` with two objectives.
    """

    algorithm: str
    suite: str
    function: int
    dimension: int
    instance: int
    repetition: int
    X: NDArray[np.float64]
    y: NDArray[np.float64]


class Results(Questions):
    """The results in a log. Each table has a method, such as ``results.art()``.

    The results of an algorithm depend on its own runs only. They do not change if other algorithms
    are added. Different dimensions are never combined.

    The methods share arguments:

    - ``algorithms``, ``suites``, ``functions``, ``dimensions`` and ``instances`` select runs.
      Default: all runs. `filter` returns the results of selected runs.
    - ``count`` is the unit of runtimes. ``"f+g"``, the default: evaluations of the objective and of
      the constraints, as in COCO. ``"f"`` or ``"g"``: only one of them. ``"seconds"``: seconds of
      one machine, or simulated ones. ``"mixed-seconds"``: seconds of several machines. With
      seconds, the columns of evaluations are called ``seconds``.
    - ``targets`` are precisions: numbers, or a text such as ``"1e1,1e-8"`` or ``"1e2..1e-8/5"``
      (five per decade), or a `TargetTable`, or the name of a way to choose them, such as
      ``"dynamic"``. Default: targets of the suite, in most tables its powers of ten. The log has 20
      targets per decade. Results at other targets are upper bounds, and a note says so.

    Each method returns a `Table`, which ``to_pandas()``, ``to_csv()``, ``to_json()`` and
    ``to_latex()`` convert. ``results.log.runs.to_pandas()`` has a row for each run.

    Attributes:
        log: The log. ``len(results)`` is the number of its runs.

    Raises:
        UnknownNameError: By the methods: an option, an algorithm or a suite does not exist.
        SelectionError: By the methods: the log does not have the selected runs.
        AssessmentError: By the methods: targets or other options have a value that is not allowed.

    Example:
        >>> import firsthit
        >>> results = firsthit.benchmark(
        ...     "random-search", "bbob", functions=[1, 2], dimensions=2, instances="1-5", budget=50
        ... )
        >>> results
        <Results of random-search: 10 runs, bbob f1, 2 in 2-D>
        >>> sphere = results.filter(functions=1)
        >>> print(sphere.art(targets=[1e1, 1e0]))
        algorithm      suite  function  dimension  runs  1e1       1e0
        random-search  bbob          1          2     5  2.4  85 (2/5)
        >>> axes = results.plot.ecdf()  # a figure
    """

    def __init__(self, log: Log) -> None:
        self.log = log

    @property
    def plot(self) -> Figures:
        """Methods that draw, such as ``results.plot.ecdf(dimensions=5)``; they return axes."""
        return Figures(self)

    def report(
        self,
        targets: RequestedTargets = None,
        *,
        title: str = "Benchmark report",
        seed: int = 1,
        unequal: bool = False,
        count: Count | None = None,
        reference: Reference | None = None,
    ) -> Explorer:
        """Return the interactive page of ``firsthit report``, which a notebook shows in a frame.

        The page is part of the notebook's output. It needs no server and loads nothing from the
        network. ``results.report().save("page.html")`` writes it.

        Args:
            targets: Target precisions. Default: the suite's 51 targets, such as 1e2 … 1e-8 on bbob.
            title: Heading of the page.
            seed: Random seed of intervals, which are resampled.
            unequal: Include the problems on which only some of the algorithms were run.
            count: Unit of runtimes: ``"f+g"``, ``"f"``, ``"g"``, ``"seconds"`` or
                ``"mixed-seconds"``. Default: ``"f+g"``, evaluations of objective and constraints.
            reference: Reference of run-length targets, such as ``"best"`` or
                ``"best2009-bbob"``. Default: no reference.

        Raises:
            MissingPackageError: jinja2 or plotly is not installed.
        """
        from .questions._framework.context import Choices

        return explorer_of(self.log, title, Choices(seed, targets, unequal, count, reference))

    def __len__(self) -> int:
        """Return the number of runs."""
        return len(self.log)

    def filter(self, **selectors: Unpack[Selectors]) -> Results:
        """Return the results of some of the runs.

        For example ``results.filter(algorithms="mine", dimensions=5)``. All questions, figures,
        ``len()`` and the report of the returned results are about these runs only.
        """
        return Results(self.log.take(select_runs(self.log, **selectors)))

    def __repr__(self) -> str:
        return (
            f"<Results of {', '.join(self.algorithms) or 'no algorithm'}: {_describe_runs(self)}>"
        )

    def _repr_html_(self) -> str:
        """Return the description of the runs and the summary as HTML, for a notebook."""
        table = self.summary()._repr_html_() if len(self.log) else ""
        return f"<p><b>Results</b> of {escape(_describe_runs(self))}</p>{table}"

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

    def point_arrays(self, **selectors: Unpack[Selectors]) -> list[PointArrays]:
        """Return the recorded points and values of each selected run as arrays.

        For example ``for run in results.point_arrays(functions=8): features(run.X, run.y)``. Runs
        may have different dimensions. Runs without recorded points are left out.

        Args:
            **selectors: The runs.

        Returns:
            For each run its identity, ``X`` of shape ``(n, dimension)`` and ``y`` of shape
            ``(n,)``, or ``(n, 2)`` with two objectives, in the order of evaluations.

        Raises:
            AssessmentError: No selected run recorded points.
        """
        arrays = []
        for row in select_runs(self.log, **selectors).tolist():
            points = self.log.points(row)
            if len(points.X):
                run_key = {name: self.log.runs[name][row].item() for name in _RUN_COLUMNS}
                arrays.append(PointArrays(**run_key, X=points.X, y=points.y))
        if not arrays:
            from .questions.points import HOW_TO_RECORD

            raise AssessmentError(f"no points were recorded in these runs; {HOW_TO_RECORD}")
        return arrays

    def measured_from(
        self,
        reference: str | Path,
        *,
        others: Iterable[Results] = (),
        **selectors: Unpack[Selectors],
    ) -> Results:
        """Return results whose hypervolumes are relative to another reference.

        The hypervolumes are computed from the archives of the runs.

        Args:
            reference: ``"archive"``: for each problem, the hypervolume of all archives of the data
                together, which is at least as good as the best run; or a file of references that
                ``firsthit references`` wrote.
            others: Further results whose archives count for the reference.
            **selectors: Runs that are measured; the other runs do not change.

        Raises:
            AssessmentError: No run has two objectives, or one of them kept no complete archive.
        """
        from .hypervolume_references import change_reference

        rows = select_runs(self.log, **selectors)
        return Results(
            change_reference(self.log, rows, reference, [results.log for results in others])
        )

    def hypervolume_references(self, **selectors: Unpack[Selectors]) -> Table:
        """Tabulate the references of hypervolumes and the best of the data (`references_table`)."""
        from .hypervolume_references import references_table

        return references_table(self.log, select_runs(self.log, **selectors))

    def regressions(
        self,
        base: Results,
        targets: Targets | None = None,
        *,
        options: RegressionOptions | None = None,
        **selectors: Unpack[Counted],
    ) -> RegressionTable:
        """Test whether these results are slower or less reliable than those of ``base``.

        Args:
            base: Results of the version to compare with.
            targets: Targets of the runtimes. None: the suite's decades.
            options: Thresholds of a regression. None: the defaults.
            **selectors: Runs of both versions, and ``count``.

        Returns:
            The table of `regression_table`.

        Raises:
            AssessmentError: No function and dimension was run with both versions, or hypervolumes
                are measured from different references.
        """
        from .regression import regression_table
        from .samples.at_targets import open_at_targets

        count = selectors.pop("count", None) or "f+g"
        new, old = (
            open_at_targets(Selection.of(log, selectors, count), targets, decades)
            for log in (self.log, base.log)
        )
        refuse_two_references(
            [(sample.log, run_set.rows) for sample in (old, new) for run_set in sample]
        )
        return regression_table(old, new, options)


def _describe_runs(results: Results) -> str:
    """Return a text such as ``30 runs, bbob f1-2 in 2, 5-D``."""
    functions, dimensions = ranges(results.functions), ", ".join(map(str, results.dimensions))
    suites = ", ".join(results.suites)
    return f"{len(results.log)} runs, {suites} f{functions} in {dimensions}-D"


def _measured_by_recommendations(log: Log) -> Log:
    """Return a log of the recommended solutions; raise AssessmentError if this is impossible."""
    recommended_log = log.of_recommendations()
    if np.isinf(recommended_log.runs["best_precision"]).all():
        raise AssessmentError(
            "recommended: no run in the logs recommended a solution, or only on two objectives, "
            "where one has no precision of its own"
        )
    if recommended_log.runs["evaluations_constraints"].any():
        raise AssessmentError(
            "recommended: the runs evaluated constraints, and a log does not tell how often by a "
            "recommendation"
        )
    return recommended_log


def _numbers(column: NDArray[np.int64]) -> tuple[int, ...]:
    return tuple(np.unique(column).tolist())


class Explorer:
    """An interactive page, which a notebook shows in an isolated frame.

    Attributes:
        html: Source of the page.
    """

    def __init__(self, html: str) -> None:
        self.html = html

    def save(self, path: str | Path) -> Path:
        """Write the page to a file and return its path; raise AssessmentError if this fails."""
        written(self.html, path)
        return Path(path)

    def __repr__(self) -> str:
        megabytes = len(self.html) / 1e6
        return f"<Explorer: a page of {megabytes:.1f} MB; .save('page.html') writes it>"

    def _repr_html_(self) -> str:
        """Return the page in a frame, as HTML for a notebook."""
        return (
            f'<iframe srcdoc="{escape(self.html)}" sandbox="allow-scripts allow-downloads" '
            f'title="report" style="width: 100%; '
            f'height: {_FRAME_HEIGHT_PIXELS}px; border: 0"></iframe>'
        )


def explorer_of(log: Log, title: str, choices: Choices) -> Explorer:
    """Build the interactive page of a log.

    Args:
        log: Runs that the page shows.
        title: Heading of the page.
        choices: Options of the questions on the page.

    Raises:
        MissingPackageError: jinja2 or plotly is not installed.
    """
    from .report.build import page_of
    from .report.page import check_report_packages, render

    check_report_packages()
    return Explorer(render(page_of(log, title, choices)))
