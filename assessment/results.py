"""Results: questions to the logs of one or more algorithms, answered as tables."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import numpy as np
from numpy.typing import NDArray

from ..suites.selection import ranges
from .asking.methods import Figures, Questions
from .data.runs import Runs
from .data.selection import Selectors, refuse_two_references, select_runs
from .data.target_choice import Counted, Reference, RequestedTargets
from .errors import AssessmentError
from .tables.table import Table, written
from .targets.parse import Targets
from .targets.target_sets import decades

if TYPE_CHECKING:
    from ..loggers import Log
    from .asking.context import Choices
    from .regression import RegressionOptions, RegressionTable


_HEIGHT_PIXELS = 820
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

    - the `Selectors` ``algorithms``, ``suites``, ``functions``, ``dimensions``, ``instances``,
      of which `filter` makes results of their own;
    - most of them ``count``, what an evaluation is: ``"f+g"`` (COCO's, the default), ``"f"``,
      ``"g"``; they differ where constraints were evaluated; or ``"seconds"``: columns of
      evaluations are called ``seconds`` then, and nothing is divided by the dimension;
    - ``targets``: precisions as numbers, as text such as ``"1e1,1e-8"`` or ``"1e2..1e-8/5"``, as a
      table that `targets` made, or the name of a way to take them from the data; exact where the
      log's grid of 20 per decade allows it (``table.notes`` says where not). None: some of each
      suite's own, as its log has them; in tables its decades, such as 1e1 … 1e-8, unless said.

    Raises (every question): UnknownNameError, SelectionError for what is not in the log;
    AssessmentError for targets or options that make no sense.

    Each answer is a `Table`: ``to_pandas()`` gives a data frame, ``to_csv``, ``to_json`` and
    ``to_latex`` write it. ``results.log.runs.to_pandas()`` has a row for each run.

    Attributes:
        log: The log that is asked; ``len(results)`` is its number of runs.
    """

    def __init__(self, log: Log) -> None:
        self.log = log

    @property
    def plot(self) -> Figures:
        """Figures: ``results.plot.ecdf(dimensions=5)`` draws one and returns matplotlib axes."""
        return Figures(self)

    def explore(
        self,
        targets: RequestedTargets = None,
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

        return explorer_of(self.log, title, Choices(seed, targets, unequal, count, reference))

    def __len__(self) -> int:
        """Number of runs."""
        return len(self.log)

    def filter(self, **selectors: Unpack[Selectors]) -> Results:
        """The results of some of the runs: ``results.filter(algorithms="mine", dimensions=5)``.

        All questions and figures, ``len(results)`` and the report are of these runs then.
        """
        return Results(self.log.take(select_runs(self.log, **selectors)))

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
        from .data.hypervolume import change_reference

        rows = select_runs(self.log, **selectors)
        return Results(
            change_reference(self.log, rows, reference, [results.log for results in others])
        )

    def hypervolume_references(self, **selectors: Unpack[Selectors]) -> Table:
        """What hypervolumes are measured from, and the best of the data (`references_table`)."""
        from .data.hypervolume import references_table

        return references_table(self.log, select_runs(self.log, **selectors))

    def regressions(
        self,
        base: Results,
        targets: Targets | None = None,
        *,
        options: RegressionOptions | None = None,
        **selectors: Unpack[Counted],
    ) -> RegressionTable:
        """What is slower or less reliable here than in ``base``; see `regression_table`."""
        from .regression import regression_table

        count = selectors.pop("count", None) or "f+g"
        new, aims = Runs(self.log, selectors, count).at_targets(targets, decades)
        old, _ = Runs(base.log, selectors, count).at_targets(targets, decades)
        logs = ((base.log, old), (self.log, new))
        refuse_two_references([(log, run_set.rows) for log, sets in logs for run_set in sets])
        return regression_table(old, new, aims, options)


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


class Explorer:
    """A page; a notebook shows it in a frame of its own, which reaches nothing outside.

    Args:
        html: The page.

    Attributes:
        html: Likewise.
    """

    def __init__(self, html: str) -> None:
        self.html = html

    def save(self, path: str | Path) -> Path:
        """Write the page; raises AssessmentError where that does not work."""
        written(self.html, path)
        return Path(path)

    def __repr__(self) -> str:
        megabytes = len(self.html) / 1e6
        return f"<Explorer: a page of {megabytes:.1f} MB; .save('page.html') writes it>"

    def _repr_html_(self) -> str:
        """The page in a frame."""
        return (
            f'<iframe srcdoc="{escape(self.html)}" sandbox="allow-scripts allow-downloads" '
            f'title="report" style="width: 100%; height: {_HEIGHT_PIXELS}px; border: 0"></iframe>'
        )


def explorer_of(log: Log, title: str, choices: Choices) -> Explorer:
    """The page of a log."""
    from .report.build import page_of
    from .report.page import check_report_packages, render

    check_report_packages()
    return Explorer(render(page_of(log, title, choices)))
