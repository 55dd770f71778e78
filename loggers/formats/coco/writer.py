"""Writes runs as COCO's data, format bbob-new2 and that of two objectives: of a log, or one by one.

Every file is only appended to, as COCO's loggers do, so that the data are whole after each run.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TextIO

import numpy as np

from ....suites.biobj.pairs import PAIRS
from ...errors import LogWriteError
from ...log.log import Log
from ...records.log_header import version_of
from ...records.run_record import RunRecord
from ..export import (
    RunToWrite,
    groups_by_folder,
    new_folder,
    quotable,
    record_to_write,
    run_to_write,
    runs_to_write,
)
from .lines import pair_texts_of, regular_points, texts_of

_VERSION = "2.8.2"
"""The COCO whose format is written, and whose values those of the suites of its names are."""
_KNOWN_TO_COCOPP = (
    "bbob", "bbob-boxed", "bbob-constrained", "bbob-largescale", "bbob-mixint", "bbob-noisy",
)  # fmt: skip

_LIMITS = (
    "COCO's data hold ten digits of a precision, and for certain the first hits of five targets a "
    "decade, with two objectives of ten: hits of targets between them may become bounds. Best "
    "solutions are not written."
)
_NO_VALUE = 3e21
"""What COCO writes of infinity."""
_TWO_OBJECTIVES = {
    "bbob-biobj": "bbob-biobj", "bbob-biobj-ext": "bbob-biobj", "bbob-biobj-mixint": "",
}  # fmt: skip
"""Suites of COCO with two objectives, and how their files begin, where not by the name."""

_GROUPS = (
    (5, "1-separable"), (9, "2-moderate"), (14, "3-ill-conditioned"), (19, "4-multi-modal"),
    (24, "5-weakly-structured"),
)  # fmt: skip
"""The last function of bbob of each group, and COCO's name of the group."""


def write_coco(log: Log, folder: Path) -> tuple[str, ...]:
    """Write all runs as COCO's data, as ``cocopp`` reads them.

    Of runs that recorded every improvement, evaluations and best precisions are those that
    ``cocoex`` writes, line by line. Solutions and the values of evaluations that did not improve
    are not in a log: solutions are left out, and the best value stands for the measured one. With
    two objectives the archives are written, without solutions.

    Args:
        log: The runs.
        folder: A new folder; with several algorithms or suites, one folder in it for each.

    Returns:
        Sentences on what could not be written.

    Raises:
        LogExistsError: The folder exists.
        LogWriteError: It cannot be written, runs have no reference value or are on bits, or two
            objectives were measured by another indicator than the hypervolume.
    """
    runs = log.runs
    rows, notes = runs_to_write(log)
    unknown = rows[np.isnan(runs["reference_value"][rows])]
    if len(unknown):
        raise LogWriteError(
            f"runs on suite {str(runs['suite'][unknown[0]])!r}, function "
            f"{int(runs['function'][unknown[0]])} have no reference value, and COCO's data are "
            "precisions; export them as ioh"
        )
    for suite in np.unique(runs["suite"][rows]).tolist():
        indicator = log.suites[suite].measurement.indicator
        if indicator == "unscaled":
            raise LogWriteError(
                f"runs on suite {suite!r} are none of COCO's: its data have no place for bits and "
                "raw values; export them as ioh"
            )
        if not is_coco_indicator(suite, indicator):
            raise LogWriteError(
                f"runs on suite {suite!r} were measured by {indicator}; COCO's data hold the "
                f"hypervolume of {', '.join(_TWO_OBJECTIVES)}, and of no other suite. Export them "
                "as ioh"
            )
        if suite not in (*_KNOWN_TO_COCOPP, *_TWO_OBJECTIVES):
            notes += (f"cocopp knows no suite {suite!r}, and refuses its data.",)
    if np.isfinite(log.seconds(rows)).any():
        notes += ("COCO's data have no place for seconds: not written.",)
    notes += (_LIMITS,)
    with new_folder(folder) as temporary:
        for part, groups in groups_by_folder(log, rows).items():
            if groups[0].suite in _TWO_OBJECTIVES:
                groups = sorted(groups, key=lambda group: (group.dimension, group.function))
            with contextlib.closing(CocoFolder(temporary / part, groups[0].algorithm)) as data:
                for group in groups:
                    for row in group.rows:
                        data.write(run_to_write(log, row, _NO_VALUE))
    return notes


def is_coco_indicator(suite: str, indicator: str) -> bool:
    """Whether COCO's data of a suite hold precisions of this indicator."""
    return (indicator == "hypervolume") == (suite in _TWO_OBJECTIVES)


class CocoFolder:
    """COCO's data of one algorithm on one suite; whole after each run, as it is only appended to.

    Runs of a function and dimension that follow each other share files and an entry of the index;
    those that come back to it later have new ones, as of ``cocoex``.

    Args:
        folder: Is made where it is not there; nothing else may write into it.
        algorithm: Its name.
        comment: A line for people, by default that firsthit wrote the data.
        settings: COCO's text on what distinguishes the algorithm in a sweep of a parameter.
    """

    def __init__(
        self, folder: Path, algorithm: str, comment: str = "", settings: str | None = None
    ) -> None:
        self._folder = folder
        self._algorithm = quotable(algorithm)
        self._comment = " ".join(comment.split()) or f"written by firsthit {version_of('firsthit')}"
        self._settings = "" if settings is None else f", settings = '{quotable(settings)}'"
        self._cell: tuple[int, int] | None = None
        self._files: dict[str, TextIO] = {}

    def add(self, record: RunRecord) -> None:
        """Append one finished run with a reference value and at least one evaluation."""
        self.write(record_to_write(record, _NO_VALUE))

    def write(self, run: RunToWrite) -> None:
        """Append one run."""
        is_pair = run.problem.suite in _TWO_OBJECTIVES
        regular = regular_points(run)
        texts = (pair_texts_of if is_pair else texts_of)(run, regular)
        begin, cell = "", (run.problem.function, run.problem.dimension)
        if self._cell != cell:
            begin = self._begin_pair(run) if is_pair else self._begin(run)
            self._cell = cell
        if archive := texts.pop("adat", None):
            self._append_archive(run, archive)
        for ending, text in texts.items():
            self._files[ending].write(text)
        best = regular[-1][2]
        self._files["info"].write(f"{begin}, {run.problem.instance}:{run.evaluations}|{best:.1e}")
        for file in self._files.values():
            file.flush()

    def _begin(self, run: RunToWrite) -> str:
        """Open the files of the run's function and dimension; what begins its entry."""
        place = run.problem
        name = _unused(
            self._folder,
            f"data_f{place.function}/bbobexp_f{place.function}_DIM{place.dimension}",
        )
        index = f"bbobexp_f{place.function}.info"
        separator = self._open(index, name, ("dat", "tdat", "rdat", "mdat"))
        facts = (
            f"suite = '{place.suite}', funcId = {place.function}, DIM = {place.dimension}, "
            f"Precision = 1.000e-08, algId = '{self._algorithm}', coco_version = '{_VERSION}', "
            f"logger = '{place.suite}', data_format = 'bbob-new2'{self._settings}"
        )
        return f"{separator}{facts}\n% {self._comment}\n{name}.dat"

    def _begin_pair(self, run: RunToWrite) -> str:
        """As ``_begin``, of two objectives."""
        place = run.problem
        kind = _kind(place.function)
        name = f"{_pair_stem(run)}{_pair_dimension(run)}_hyp"
        separator = self._open(f"{kind}_hyp.info", f"{kind}/{name}", ("dat", "tdat", "rdat"))
        if not separator:
            separator = (
                f"suite = '{place.suite}', algorithm = '{self._algorithm}', indicator = 'hyp', "
                f"folder = '{kind}', coco_version = '{_VERSION}'{self._settings}\n"
                f"% {self._comment}\n"
            )
        return f"{separator}function = {place.function:2d}, dim = {place.dimension:2d}, {name}.dat"

    def _open(self, index: str, name: str, endings: tuple[str, ...]) -> str:
        """Open index and files; what separates the entry from the one before it in the index."""
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
        """Close the files. Twice does no harm, and a run may follow."""
        for file in self._files.values():
            file.close()
        self._files, self._cell = {}, None


def _unused(folder: Path, name: str) -> str:
    """``name``, or the first of ``name-0001``, ``name-0002``, … of which there is no ``.dat``."""
    candidate, number = name, 0
    while os.path.lexists(folder / f"{candidate}.dat"):
        number += 1
        candidate = f"{name}-{number:04d}"
    return candidate


def _kind(function: int) -> str:
    """The groups of both functions of bbob, as COCO names folders."""
    return "_".join(
        next(name for last, name in _GROUPS if member <= last) for member in PAIRS[function - 1]
    )


def _pair_stem(run: RunToWrite) -> str:
    begin = _TWO_OBJECTIVES[run.problem.suite]
    return f"{begin or run.problem.suite}_f{run.problem.function:0{2 if begin else 3}d}"


def _pair_dimension(run: RunToWrite) -> str:
    return f"_d{run.problem.dimension:0{2 if _TWO_OBJECTIVES[run.problem.suite] else 3}d}"
