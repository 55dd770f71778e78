"""Writes the runs of a log as COCO's data, format bbob-new2."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from ...errors import LogWriteError
from ...log.log import Log
from ...records.log_header import version_of
from ..export import (
    Group,
    Point,
    best_at,
    groups_by_folder,
    new_folder,
    run_to_write,
    runs_to_write,
)
from . import logger_lines as lines
from .biobj_writer import SUITES as TWO_OBJECTIVES
from .biobj_writer import VERSION as _VERSION
from .biobj_writer import write_part as write_biobj

_KNOWN_TO_COCOPP = (
    "bbob", "bbob-boxed", "bbob-constrained", "bbob-largescale", "bbob-mixint", "bbob-noisy",
)  # fmt: skip

_LIMITS = (
    "COCO's data hold ten digits of a precision, and for certain the first hits of five targets a "
    "decade, with two objectives of ten: hits of targets between them may become bounds. Best "
    "solutions are not written."
)


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
        LogWriteError: It cannot be written, runs have no reference value, or two objectives were
            measured by another indicator than the hypervolume.
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
        if (indicator == "hypervolume") != (suite in TWO_OBJECTIVES):
            raise LogWriteError(
                f"runs on suite {suite!r} were measured by {indicator}; COCO's data hold the "
                f"hypervolume of {', '.join(TWO_OBJECTIVES)}, and of no other suite. Export them "
                "as ioh"
            )
        if suite not in (*_KNOWN_TO_COCOPP, *TWO_OBJECTIVES):
            notes += (f"cocopp knows no suite {suite!r}, and refuses its data.",)
    notes += (_LIMITS,)
    with new_folder(folder) as temporary:
        for part, groups in groups_by_folder(log, rows).items():
            write = write_biobj if groups[0].suite in TWO_OBJECTIVES else _write_part
            write(log, temporary / part, groups)
    return notes


def _write_part(log: Log, folder: Path, groups: Iterable[Group]) -> None:
    indices: dict[int, list[str]] = {}
    for group in groups:
        indices.setdefault(group.function, []).append(_write_group(log, folder, group))
    for function, blocks in indices.items():
        (folder / f"bbobexp_f{function}.info").write_text("\n".join(blocks), encoding="utf-8")


def _write_group(log: Log, folder: Path, group: Group) -> str:
    """Write the data files of one function and dimension; the entry of the index."""
    name = f"data_f{group.function}/bbobexp_f{group.function}_DIM{group.dimension}"
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    texts: dict[str, list[str]] = {"dat": [], "tdat": [], "rdat": [], "mdat": []}
    items = []
    for row in group.rows:
        run = run_to_write(log, row, lines.NO_VALUE)
        points = {
            "dat": lines.data_points(run),
            "tdat": lines.regular_points(run),
            "rdat": lines.after_restarts(log, row, run),
            "mdat": _recommended(log, row),
        }
        for kind, text in texts.items():
            text.append(lines.head(run.reference))
            text.extend(lines.line(point, run.reference) for point in points[kind])
        [(_, _, best)] = best_at(run, [run.evaluations])
        items.append(f"{int(log.runs['instance'][row])}:{run.evaluations}|{best:.1e}")
    for kind, text in texts.items():
        (folder / f"{name}.{kind}").write_text("".join(text), encoding="ascii")
    return f"{_facts(group)}\n% written by firsthit {version_of('firsthit')}\n" + ", ".join(
        [f"{name}.dat", *items]
    )


def _facts(group: Group) -> str:
    return (
        f"suite = '{group.suite}', funcId = {group.function}, DIM = {group.dimension}, "
        f"Precision = 1.000e-08, algId = '{group.algorithm}', coco_version = '{_VERSION}', "
        f"logger = '{group.suite}', data_format = 'bbob-new2'"
    )


def _recommended(log: Log, row: int) -> Iterable[Point]:
    """Recommendations that are better than all before."""
    best = np.inf
    for count, precision in log.recommendations(row).tolist():
        if precision < best:
            best = precision
            yield count, 0, precision
