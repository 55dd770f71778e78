"""Results: questions to the logs of one or more algorithms, answered as tables."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..suites.selection import Selection
from .averages import ArtTable, art_table, runtimes_table
from .distributions import EcdfTable, Simulation, ecdf_table
from .table import Table
from .targets import Targets, bbob_targets, decade_targets, parse_targets
from .trials import Choice, Names, choose, trials_of

if TYPE_CHECKING:
    from ..loggers import Log

Paths = str | Path | Iterable[str | Path]


def load(paths: Paths) -> Results:
    """Read logs and offer their results.

    Args:
        paths: A file, a folder, a glob, or several of them; logs still being written count with
            the runs that are finished.

    Raises:
        LogNotFoundError: A path stands for no log.
        LogFormatError: A file is damaged or is no log.
        LogConflictError: Two logs tell different things of one run or one algorithm.
    """
    from ..loggers import read_log

    return Results(read_log(paths))


class Results:
    """The results in a log. Each question selects runs, and its answer is a table.

    The results of an algorithm depend on its own runs only: adding another changes none of them.
    All take ``algorithm`` and ``suite`` (a name or several), ``function`` and ``dimension`` (an
    int, a list, a range or ``"1-5,7"``), where None means all there are, and ``targets``:
    precisions as numbers or as text such as ``"1e1,1e-8"``, exact where the log's grid of 20 per
    decade allows it (``table.notes`` says where not). Dimensions are never joined.

    Raises (every question): UnknownNameError, SelectionError for what is not in the log;
    AssessmentError for targets or options that make no sense.

    Attributes:
        log: The log that is asked.
    """

    def __init__(self, log: Log) -> None:
        self.log = log

    @property
    def algorithms(self) -> tuple[str, ...]:
        """Names of the algorithms, sorted."""
        return tuple(sorted({str(name) for name in self.log.runs["algorithm"]}))

    @property
    def suites(self) -> tuple[str, ...]:
        """Names of the suites, sorted."""
        return tuple(sorted({str(name) for name in self.log.runs["suite"]}))

    @property
    def functions(self) -> tuple[int, ...]:
        """Numbers of the functions, ascending."""
        return _numbers(self.log.runs["function"])

    @property
    def dimensions(self) -> tuple[int, ...]:
        """Dimensions, ascending."""
        return _numbers(self.log.runs["dimension"])

    def runtimes(
        self,
        algorithm: Names | None = None,
        function: Selection | None = None,
        dimension: Selection | None = None,
        targets: Targets | None = None,
        *,
        suite: Names | None = None,
    ) -> Table:
        """The evaluation at which each run first hit each target (inf where it did not).

        ``targets`` None: the decades 1e1 … 1e-8.
        """
        wanted = decade_targets() if targets is None else parse_targets(targets)
        rows = choose(self.log, Choice(algorithm, function, dimension, suite))
        return runtimes_table(trials_of(self.log, rows, wanted), wanted)

    def art(
        self,
        algorithm: Names | None = None,
        function: Selection | None = None,
        dimension: Selection | None = None,
        targets: Targets | None = None,
        *,
        suite: Names | None = None,
    ) -> ArtTable:
        """Average runtime (aRT) of each algorithm on each function, dimension and target.

        ``targets`` None: the decades 1e1 … 1e-8. Formula and meaning: `average_runtime`.
        """
        wanted = decade_targets() if targets is None else parse_targets(targets)
        rows = choose(self.log, Choice(algorithm, function, dimension, suite))
        return art_table(trials_of(self.log, rows, wanted), wanted)

    def ecdf(
        self,
        algorithm: Names | None = None,
        function: Selection | None = None,
        dimension: Selection | None = None,
        targets: Targets | None = None,
        *,
        suite: Names | None = None,
        group_by: str = "all",
        seed: int = 1,
        samples: int = 100,
    ) -> EcdfTable:
        """Runtime profiles: share of function-target pairs solved, by evaluations / dimension.

        Runtimes are those of the algorithm restarted until it succeeds, simulated from its runs
        (`simulated_runtimes`); the same ``seed`` gives the same numbers.

        Args:
            algorithm: See the class, as ``function``, ``dimension`` and ``suite``.
            function: Which functions.
            dimension: Which dimensions; each has its own curves.
            targets: None: COCO's 51, 1e2 … 1e-8.
            suite: Which suites; each has its own curves.
            group_by: What a curve spans: ``"function"``, ``"group"`` or ``"all"``.
            seed: Seed of the simulation.
            samples: At least so many simulated runtimes for each function-target pair.
        """
        wanted = bbob_targets() if targets is None else parse_targets(targets)
        simulation = Simulation(seed, samples)
        rows = choose(self.log, Choice(algorithm, function, dimension, suite))
        return ecdf_table(trials_of(self.log, rows, wanted), wanted, group_by, simulation)


def _numbers(column: NDArray[np.int64]) -> tuple[int, ...]:
    return tuple(np.unique(column).tolist())
