"""What COCO's data of two objectives say of a run besides the lines of its data files."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np

from ....suites import ProblemId, suite_names
from ....suites.biobj.references import PLACEHOLDER, reference
from ....suites.suite import definition
from ..blocks import Array
from ..imported_runs import ImportedRun
from .adat_files import CocoArchive

_TENTH_OF_DECADE = 10**0.1 * (1 + 1e-6)
_ROUNDING = 1e-9
_NO_POINTS = np.empty((0, 2))
_FEW_LINES = (
    "{n} runs have no lines for targets, as is usual on bbob-biobj-mixint, and no whole archive: "
    "most of their first hits are upper bounds."
)


def with_two_objectives(
    run: ImportedRun, lines: Array, archive: CocoArchive, notes: Counter[str]
) -> ImportedRun:
    """The run with its archive, ideal and nadir point, and the name of its reference.

    COCO's logger writes a line for each target 10**(i/20), but on bbob-biobj-mixint for multiples
    of 1e5 only. There hits follow from the archive, where it is whole.

    Args:
        run: As of one objective.
        lines: Of its ``.dat`` file: evaluation, 0, value, and in all but old data the target hit.
        archive: Of its ``.adat`` file.
        notes: Where a sentence is counted.
    """
    objectives = _objectives(run.problem) if len(archive.rows) else _NO_POINTS
    run = run._replace(
        record="targets_10",
        number_of_objectives=2,
        reference_name=_reference_name(run.problem, run.reference),
        archive=archive.rows,
        archive_kept=archive.kept,
        objectives=objectives,
    )
    if not _lacks_targets(lines):
        return run
    if archive.kept == "all" and len(objectives):
        entries = _measured(archive.rows, objectives, run.reference)
        if abs(entries[-1, 2] - lines[-1, 2]) <= _ROUNDING * max(1.0, abs(lines[-1, 2])):
            return run._replace(record="improvements", entries=entries)
    notes[_FEW_LINES] += 1
    return run._replace(record="sampled")


def _lacks_targets(lines: Array) -> bool:
    """Whether a target hit is far above the value beside it."""
    value, target = lines[:, 2], lines[:, -1]
    is_far = (value > 0) & (target > np.maximum(value, 1e-8) * _TENTH_OF_DECADE)
    return lines.shape[1] == 4 and bool(is_far.any())


def _reference_name(problem: ProblemId, value: float) -> str:
    """Whose hypervolume it is: COCO's of today, the placeholder 1, or what the data say."""
    if problem.suite in ("bbob-biobj", "bbob-biobj-ext"):
        known, name = reference(problem.function, problem.dimension, problem.instance)
        if math.isclose(value, known, rel_tol=1e-12):
            return name
    return PLACEHOLDER if value == 1 else "COCO's data"


def _objectives(problem: ProblemId) -> Array:
    """Ideal and nadir of both objectives; nothing where the problem is none of our suites'."""
    known = definition(problem.suite) if problem.suite in suite_names() else None
    place = (problem.function, problem.dimension, problem.instance)
    if known is None or not (
        place[0] in known.functions
        and place[1] in known.valid_dimensions
        and place[2] in known.valid_instances
    ):
        return _NO_POINTS
    made = known.problem(*place)
    if made.ideal_point is None or made.nadir_point is None:
        return _NO_POINTS
    return np.column_stack([made.ideal_point, made.nadir_point])


def _measured(rows: Array, objectives: Array, reference_value: float) -> Array:
    """Evaluation, 0 and precision after each point of an archive."""
    from ...indicators.archive import Archive  # numba

    values, _ = Archive(objectives[:, 0], objectives[:, 1]).enter(np.array(rows[:, 1:]))
    return np.column_stack([rows[:, 0], np.zeros(len(rows)), reference_value + values])
