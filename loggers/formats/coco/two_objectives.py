"""Read the archives of COCO's data with two objectives, and complete runs with them.

COCO writes the archive of a run, its nondominated points, into a file ``.adat`` in the folder
``archive``. `read_archives` reads these files. `with_two_objectives` adds to a run its archive, the
ideal and the nadir point of the problem, and the origin of its reference value.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

import numpy as np

from ....suites.arrays import Floats
from ....suites.biobj.pairs import PLACEHOLDER, reference
from ....suites.facts import ProblemId
from ...records.run_record import ArchiveKept
from ..blocks import Block, Layout, read_blocks
from ..data_files import DataFiles
from ..tables import ImportedRun
from .contradictions import find_declared_problem
from .info_files import IndexedRun

_TENTH_OF_DECADE = 10**0.1 * (1 + 1e-6)
"""Ratio of neighbouring targets of ten per decade, with a tolerance for rounding."""
_ROUNDING = 1e-9
"""Tolerance, relative above 1, for a last precision that is computed from an archive."""
_NO_POINTS, _NO_ROWS = np.empty((0, 2)), np.empty((0, 3))
_FEW_LINES = (
    "{n} runs have no lines for targets, as is usual on bbob-biobj-mixint, and no whole archive: "
    "most of their first hits are upper bounds."
)


class CocoArchive(NamedTuple):
    """The archive of one run."""

    rows: Floats  # evaluation and both objectives, shape (n, 3), evaluations ascending
    kept: ArchiveKept  # ``"none"``: the run has no file ``.adat``
    evaluations: int | None = None  # of the run, in the line below the archive; None: unknown


NO_ARCHIVE = CocoArchive(np.empty((0, 3)), "none")

_FILE_NAME = re.compile(r"_d(\d+)_hyp\.dat$")
_INSTANCE = re.compile(r"instance = (\d+)")
_EVALUATIONS = re.compile(r"% evaluations = (\d{1,15})\s*$")
_PROBLEM_NAME = re.compile(r"name = (\S+)")


def ends_head(line: str) -> bool:
    """Return whether a line of COCO's data names the columns, which is the last line of a head."""
    return line[1:].lstrip().startswith(("f evaluations", "function evaluation"))


_LAYOUT = Layout(("%",), ends_head, (0, 1, 2), values=2)


def read_archives(
    files: DataFiles,
    index: str,
    data_file: str,
    runs: Sequence[IndexedRun],
    blocks: Sequence[Block],
) -> list[CocoArchive]:
    """Read the archives of the runs of one ``.dat`` file.

    They lie in the folder ``archive`` beside the index, in a file for each instance. Several runs
    of an instance follow each other in its file.

    Args:
        files: The data set.
        index: Name of the index file.
        data_file: Name of the ``.dat`` file.
        runs: Runs of the ``.dat`` file in the index.
        blocks: Their blocks in the ``.dat`` file.

    Returns:
        Archive of each run; `NO_ARCHIVE` if there is none.

    Raises:
        LogFormatError: A file is malformed, of another problem or not finite.
    """
    match = _FILE_NAME.search(data_file)
    if match is None:
        return [NO_ARCHIVE for _ in runs]
    folder = index.rpartition("/")[0]
    beginning = data_file[: match.start()].rpartition("/")[2]
    stem = f"{folder}/archive/{beginning}" if folder else f"archive/{beginning}"
    names = {run.instance: _find_name(block) for run, block in zip(runs, blocks, strict=False)}
    archives = {
        instance: iter(_read_instance(files, f"{stem}_i{instance:02d}_d{match[1]}", instance, name))
        for instance, name in names.items()
    }
    return [next(archives[run.instance], NO_ARCHIVE) for run in runs]


def _read_instance(files: DataFiles, stem: str, instance: int, problem: str) -> list[CocoArchive]:
    kinds: tuple[ArchiveKept, ...] = ("all", "final")
    kept = next((kind for kind in kinds if f"{stem}_nondom_{kind}.adat" in files), None)
    if kept is None:
        return []
    name = f"{stem}_nondom_{kept}.adat"
    data = files[name]
    with files.parsing(name):
        blocks = read_blocks(data[: data.rfind(b"\n") + 1], _LAYOUT)
    archives = []
    # The line below an archive is the first line of the next head.
    for block, next_block in zip_longest(blocks, blocks[1:]):
        if not ends_head(block.head[-1]):
            continue
        match = _INSTANCE.search(" ".join(block.head))
        if match and int(match[1]) != instance:
            raise files.error(name, f"this archive is of instance {match[1]}", block.line)
        if _find_name(block) not in ("", problem):
            raise files.error(
                name, f"this archive is of {_find_name(block)[:60]!r}, but the run of "
                f"{problem[:60]!r}", block.line,
            )  # fmt: skip
        if not np.isfinite(block.rows).all():
            raise files.error(name, "an objective value in it is not finite", block.line)
        end = _EVALUATIONS.match(next_block.head[0]) if next_block else None
        archives.append(CocoArchive(block.rows, kept, int(end[1]) if end else None))
    return archives


def _find_name(block: Block) -> str:
    """Return the name of the problem in a head; empty if it has none."""
    match = _PROBLEM_NAME.search(" ".join(block.head))
    return match[1] if match else ""


def with_two_objectives(
    run: ImportedRun, lines: Floats, archive: CocoArchive, notes: Counter[str]
) -> ImportedRun:
    """Complete a run with its archive, ideal and nadir point, and the name of its reference.

    COCO's logger writes a line for each target 10**(i/20), but on bbob-biobj-mixint only for
    multiples of 1e5. The hits of these runs are computed from the archive if it is complete.

    Args:
        run: The run without this information.
        lines: Lines of the run in its ``.dat`` file: evaluation, 0, precision and, if the file has
            it, the target hit, shape ``(n, 3)`` or ``(n, 4)``.
        archive: Archive of the run.
        notes: Notes on the data set, which are added to.

    Returns:
        A new run.
    """
    objectives = _find_objectives(run.problem) if len(archive.rows) else _NO_POINTS
    if archive.evaluations not in (None, run.evaluations):
        notes["{n} runs have another number of evaluations in their archive: the data count."] += 1
    history, is_possible = _NO_ROWS, True
    if len(objectives):
        history, is_possible = _compute_precisions(archive.rows, objectives, run.reference)
    all_lines = np.concatenate([run.entries, run.path])
    if archive.kept != "none" and not (is_possible and _agrees(archive, history, all_lines)):
        notes[
            "{n} runs have an archive with another hypervolume than their lines: the lines count."
        ] += 1
    run = run._replace(
        record="targets_10",
        number_of_objectives=2,
        reference_name=_find_reference_name(run.problem, run.reference),
        archive=archive.rows,
        archive_kept=archive.kept,
        objectives=objectives,
    )
    if not lacks_targets(lines):
        return run
    if archive.kept == "all" and len(history) and _has_precisions(history, lines, "final"):
        return run._replace(record="improvements", entries=history)
    notes[_FEW_LINES] += 1
    return run._replace(record="sampled")


def _agrees(archive: CocoArchive, history: Floats, lines: Floats) -> bool:
    """Return whether an archive and its precisions agree with lines; a final one, with the last."""
    if not len(archive.rows):
        return not np.isfinite(lines[:, 2]).any()
    if np.any(archive.rows[1:, 0] <= archive.rows[:-1, 0]):
        return False
    return not len(history) or _has_precisions(history, lines, archive.kept)


def _has_precisions(history: Floats, lines: Floats, kept: ArchiveKept) -> bool:
    """Return whether lines have the precisions of an archive; of a final one, the last."""
    if kept == "final":
        history, lines = history[-1:], lines[lines[:, 0] == lines[:, 0].max(initial=0)]
    rows = np.searchsorted(history[:, 0], lines[:, 0], side="right")
    precisions = np.append(np.inf, history[:, 2])[rows]
    return bool(np.allclose(precisions, lines[:, 2], rtol=_ROUNDING, atol=_ROUNDING))


def lacks_targets(lines: Floats) -> bool:
    """Return whether a target hit is far above the precision, so that targets were skipped."""
    value, target = lines[:, 2], lines[:, -1]
    is_far = (value > 0) & (target > np.maximum(value, 1e-8) * _TENTH_OF_DECADE)
    return lines.shape[1] == 4 and bool(is_far.any())


def _find_reference_name(problem: ProblemId, value: float) -> str:
    """Return the origin of a reference value: COCO's current one, a placeholder, or the data."""
    if problem.suite in ("bbob-biobj", "bbob-biobj-ext"):
        current, name = reference(problem.function, problem.dimension, problem.instance)
        if math.isclose(value, current, rel_tol=1e-12):
            return name
    return PLACEHOLDER if value == 1 else "COCO's data"


def _find_objectives(problem: ProblemId) -> Floats:
    """Return ideal and nadir value of each objective, ``(2, 2)``; empty for unknown problems."""
    declared = find_declared_problem(problem)
    if declared is None or declared.ideal_point is None or declared.nadir_point is None:
        return _NO_POINTS
    return np.column_stack([declared.ideal_point, declared.nadir_point])


def _compute_precisions(
    rows: Floats, objectives: Floats, reference_value: float
) -> tuple[Floats, bool]:
    """Compute the precisions of a run from its archive.

    Returns:
        Evaluation, 0 and precision after each point, shape ``(n, 3)``; and whether no point is
        dominated by an earlier one, and none is better than the ideal point.
    """
    from ...indicators.archive import Archive  # imports numba, which takes a second

    values, entered = Archive(objectives[:, 0], objectives[:, 1]).enter(np.array(rows[:, 1:]))
    ideal = objectives[:, 0]
    is_better = rows[:, 1:] < ideal - _ROUNDING * np.maximum(1, np.abs(ideal))
    history = np.column_stack([rows[:, 0], np.zeros(len(rows)), reference_value + values])
    return history, len(entered) == len(rows) and not is_better.any()
