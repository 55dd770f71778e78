"""Write runs as COCO's data: format bbob-new2, and the format for two objectives.

`write_coco` exports a log, and `CocoFolder` appends one run after the other. Existing text is never
changed, as in COCO's loggers, so that the data are complete after each run.
"""

from __future__ import annotations

import contextlib
import os
from functools import partial
from pathlib import Path
from typing import TextIO

import numpy as np

from ....suites.biobj.pairs import PAIRS
from ...errors import LogWriteError
from ...log.log import Log
from ...records.run_record import RunRecord
from ...records.writer_version import version_number
from ..export import (
    RunToWrite,
    find_other_file,
    group_by_folder,
    new_folder,
    prepare_record,
    prepare_run,
    quotable,
    select_runs,
)
from .lines import choose_regular_points, format_blocks, format_pair_blocks

_VERSION = "2.8.2"
"""Version of COCO whose format is written, and whose suites have the same values as ours."""
_KNOWN_TO_COCOPP = (
    "bbob", "bbob-boxed", "bbob-constrained", "bbob-largescale", "bbob-mixint", "bbob-noisy",
)  # fmt: skip

_find_other_file = partial(
    find_other_file,
    indices="*.info",
    patterns=("*.info", "*.dat", "*.tdat", "*.rdat", "*.mdat", "*.adat"),
)
"""Return a file in a folder that `write_coco` did not write; None if there is none."""

_LIMITS = (
    "COCO's data contain ten digits of a precision, and the first hits of at least five targets "
    "per decade (ten with two objectives): hits of targets between them may become bounds. Best "
    "solutions are not written."
)
_NO_VALUE = 3e21
"""Number that COCO writes for infinity."""
_TWO_OBJECTIVES = {
    "bbob-biobj": "bbob-biobj", "bbob-biobj-ext": "bbob-biobj", "bbob-biobj-mixint": "",
}  # fmt: skip
"""COCO's suites with two objectives, and the beginning of their file names.

An empty text means that the names begin with the name of the suite.
"""

_GROUPS = (
    (5, "1-separable"), (9, "2-moderate"), (14, "3-ill-conditioned"), (19, "4-multi-modal"),
    (24, "5-weakly-structured"),
)  # fmt: skip
"""Last function of each group of bbob, and COCO's name of the group."""


def write_coco(
    log: Log, folder: str | os.PathLike[str], *, overwrite: bool = False
) -> tuple[str, ...]:
    """Export all runs of a log as COCO's data, which ``cocopp`` reads.

    For runs that recorded every improvement, evaluations and best precisions equal those that
    ``cocoex`` writes, line by line. A log has neither all solutions nor the values of evaluations
    that did not improve. Therefore solutions are left out, and the best value replaces the measured
    one. With two objectives the archives are written, without solutions.

    Args:
        log: The log.
        folder: Path of the folder. With several algorithms or suites it has a folder for each.
        overwrite: Whether to replace an existing folder that is empty or contains only the files of
            such an export. Default: False.

    Returns:
        Notes on what could not be written.

    Raises:
        LogExistsError: The folder exists and is not replaced.
        LogWriteError: The folder cannot be written, runs have no reference value or are on bits, or
            two objectives were measured by another indicator than the hypervolume.

    Example:
        >>> import os
        >>> import firsthit
        >>> from firsthit.loggers import write_coco
        >>> results = firsthit.benchmark(
        ...     "random-search", "bbob", functions=1, dimensions=2, budget=20
        ... )
        >>> notes = write_coco(results.log, "as-coco")
        >>> sorted(os.listdir("as-coco"))
        ['bbobexp_f1.info', 'data_f1']
    """
    runs = log.runs
    rows, notes = select_runs(log)
    unmeasured = rows[np.isnan(runs["reference_value"][rows])]
    if len(unmeasured):
        raise LogWriteError(
            f"runs on suite {str(runs['suite'][unmeasured[0]])!r}, function "
            f"{int(runs['function'][unmeasured[0]])} have no reference value, and COCO's data are "
            "precisions; export them as ioh"
        )
    suites_of_two_objectives = set(
        runs["suite"][rows][log.entries("objectives")[rows] > 0].tolist()
    )
    for suite in np.unique(runs["suite"][rows]).tolist():
        indicator = log.suites[suite].measurement.indicator
        if indicator == "unscaled":
            raise LogWriteError(
                f"runs on suite {suite!r} are none of COCO's: its data have no place for bits and "
                "raw values; export them as ioh"
            )
        if not is_coco_indicator(suite, indicator, suite in suites_of_two_objectives):
            raise LogWriteError(
                f"runs on suite {suite!r} were measured by {indicator}; of two objectives, COCO's "
                f"data contain only the hypervolume on {', '.join(_TWO_OBJECTIVES)}; export them "
                "as ioh"
            )
        if suite not in (*_KNOWN_TO_COCOPP, *_TWO_OBJECTIVES):
            notes += (f"cocopp knows no suite {suite!r}, and refuses its data.",)
    if np.isfinite(log.seconds(rows)).any():
        notes += ("COCO's data have no place for seconds: not written.",)
    if any(log.entries(name)[rows].any() for name in ("evaluations", "hit_solutions")):
        notes += ("COCO's data have no place for recorded points: not written.",)
    notes += (_LIMITS,)
    with new_folder(Path(folder), overwrite, _find_other_file) as temporary:
        for part, groups in group_by_folder(log, rows).items():
            if groups[0].suite in _TWO_OBJECTIVES:
                groups = sorted(groups, key=lambda group: (group.dimension, group.function))
            with contextlib.closing(CocoFolder(temporary / part, groups[0].algorithm)) as data:
                for group in groups:
                    for row in group.rows:
                        data.write(prepare_run(log, row, _NO_VALUE))
    return notes


def is_coco_indicator(suite: str, indicator: str, has_two_objectives: bool) -> bool:
    """Return whether COCO's data can contain precisions of an indicator.

    Args:
        suite: Name of the suite.
        indicator: Name of the indicator.
        has_two_objectives: Whether the log has the ideal and nadir points of two objectives.
    """
    if has_two_objectives or suite in _TWO_OBJECTIVES:
        return indicator == "hypervolume" and suite in _TWO_OBJECTIVES
    return indicator != "hypervolume"


class CocoFolder:
    """A folder with COCO's data of one algorithm on one suite, to which runs are appended.

    The data are complete after each run. Successive runs on the same function and dimension share
    files and an entry of the index. Later runs on it, after another function or dimension, have
    new files and a new entry, as written by ``cocoex``.

    Args:
        folder: Path of the folder, which is created if necessary. No other writer may use it.
        algorithm: Name of the algorithm.
        comment: Comment for people. Default: that firsthit wrote the data.
        settings: COCO's description of the algorithm's parameters. None: it is not written.
    """

    def __init__(
        self, folder: Path, algorithm: str, comment: str = "", settings: str | None = None
    ) -> None:
        self._folder = folder
        self._algorithm = quotable(algorithm)
        self._comment = " ".join(comment.split()) or f"written by firsthit {version_number()}"
        self._settings = "" if settings is None else f", settings = '{quotable(settings)}'"
        self._cell: tuple[int, int] | None = None
        self._files: dict[str, TextIO] = {}

    def add(self, record: RunRecord) -> None:
        """Append a finished run, which must have a reference value and at least one evaluation."""
        self.write(prepare_record(record, _NO_VALUE))

    def write(self, run: RunToWrite) -> None:
        """Append a run that was prepared for writing, and flush the files."""
        has_two_objectives = run.problem.suite in _TWO_OBJECTIVES
        regular = choose_regular_points(run)
        texts = (format_pair_blocks if has_two_objectives else format_blocks)(run, regular)
        head, cell = "", (run.problem.function, run.problem.dimension)
        if self._cell != cell:
            head = self._begin_pair_entry(run) if has_two_objectives else self._begin_entry(run)
            self._cell = cell
        if archive := texts.pop("adat", None):
            self._append_archive(run, archive)
        for ending, text in texts.items():
            self._files[ending].write(text)
        best = regular[-1][2]
        self._files["info"].write(f"{head}, {run.problem.instance}:{run.evaluations}|{best:.1e}")
        for file in self._files.values():
            file.flush()

    def _begin_entry(self, run: RunToWrite) -> str:
        """Open new files for the run's function and dimension; return the head of their entry."""
        problem = run.problem
        name = _find_unused_name(
            self._folder,
            f"data_f{problem.function}/bbobexp_f{problem.function}_DIM{problem.dimension}",
        )
        index = f"bbobexp_f{problem.function}.info"
        separator = self._open(index, name, ("dat", "tdat", "rdat", "mdat"))
        facts = (
            f"suite = '{problem.suite}', funcId = {problem.function}, DIM = {problem.dimension}, "
            f"Precision = 1.000e-08, algId = '{self._algorithm}', coco_version = '{_VERSION}', "
            f"logger = '{problem.suite}', data_format = 'bbob-new2'{self._settings}"
        )
        return f"{separator}{facts}\n% {self._comment}\n{name}.dat"

    def _begin_pair_entry(self, run: RunToWrite) -> str:
        """Open the files of a run on two objectives; return the head of their entry."""
        problem = run.problem
        group = _group_name(problem.function)
        name = f"{_pair_stem(run)}{_pair_dimension(run)}_hyp"
        separator = self._open(f"{group}_hyp.info", f"{group}/{name}", ("dat", "tdat", "rdat"))
        if not separator:
            separator = (
                f"suite = '{problem.suite}', algorithm = '{self._algorithm}', indicator = 'hyp', "
                f"folder = '{group}', coco_version = '{_VERSION}'{self._settings}\n"
                f"% {self._comment}\n"
            )
        numbers = f"function = {problem.function:2d}, dim = {problem.dimension:2d}"
        return f"{separator}{numbers}, {name}.dat"

    def _open(self, index: str, name: str, endings: tuple[str, ...]) -> str:
        """Open an index and data files; return the text that separates entries in the index."""
        self.close()
        (self._folder / name).parent.mkdir(parents=True, exist_ok=True)
        self._files = {
            ending: (self._folder / f"{name}.{ending}").open("a", encoding="ascii")
            for ending in endings
        }
        self._files["info"] = (self._folder / index).open("a", encoding="utf-8")
        return "\n" if self._files["info"].tell() else ""

    def _append_archive(self, run: RunToWrite, text: str) -> None:
        if run.archive_kept == "none":
            return
        archives = self._folder / "archive"
        archives.mkdir(parents=True, exist_ok=True)
        instance, dimension = run.problem.instance, _pair_dimension(run)
        name = f"{_pair_stem(run)}_i{instance:02d}{dimension}_nondom_{run.archive_kept}.adat"
        with (archives / name).open("a", encoding="ascii") as file:
            file.write(text)

    def close(self) -> None:
        """Close the files; idempotent. Another run may be appended afterwards."""
        for file in self._files.values():
            file.close()
        self._files, self._cell = {}, None


def _find_unused_name(folder: Path, name: str) -> str:
    """Return the first of ``name``, ``name-0001``, ``name-0002``, … without a file ``.dat``."""
    candidate, number = name, 0
    while os.path.lexists(folder / f"{candidate}.dat"):
        number += 1
        candidate = f"{name}-{number:04d}"
    return candidate


def _group_name(function: int) -> str:
    """Return COCO's name for the folder of a function: the groups of both of its objectives."""
    return "_".join(
        next(name for last, name in _GROUPS if member <= last) for member in PAIRS[function - 1]
    )


def _pair_stem(run: RunToWrite) -> str:
    beginning = _TWO_OBJECTIVES[run.problem.suite]
    return f"{beginning or run.problem.suite}_f{run.problem.function:0{2 if beginning else 3}d}"


def _pair_dimension(run: RunToWrite) -> str:
    return f"_d{run.problem.dimension:0{2 if _TWO_OBJECTIVES[run.problem.suite] else 3}d}"
