"""What COCO's data of two objectives say of a run besides its lines: archive, ideal and nadir."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ....suites import suite_names
from ....suites.biobj.pairs import PLACEHOLDER, reference
from ....suites.facts import ProblemId
from ....suites.suite import definition
from ...records.run_record import ArchiveKept
from ..blocks import Array, Layout, read_blocks
from ..data_files import DataFiles
from ..tables import ImportedRun

_TENTH_OF_DECADE = 10**0.1 * (1 + 1e-6)
_ROUNDING = 1e-9
_NO_POINTS = np.empty((0, 2))
_FEW_LINES = (
    "{n} runs have no lines for targets, as is usual on bbob-biobj-mixint, and no whole archive: "
    "most of their first hits are upper bounds."
)


class CocoArchive(NamedTuple):
    """The archive of one run."""

    rows: Array  # evaluation and both objectives, (n, 3), evaluations ascending
    kept: ArchiveKept  # ``"none"`` of a run without ``.adat``


NO_ARCHIVE = CocoArchive(np.empty((0, 3)), "none")

_NAME = re.compile(r"_d(\d+)_hyp\.dat$")
_INSTANCE = re.compile(r"instance = (\d+)")


def ends_head(line: str) -> bool:
    """Whether a line of COCO's data names the columns: a head ends with it."""
    return line[1:].lstrip().startswith(("f evaluations", "function evaluation"))


_LAYOUT = Layout(("%",), ends_head, (0, 1, 2), values=2)


def read_archives(
    files: DataFiles, index: str, data_file: str, instances: Sequence[int]
) -> list[CocoArchive]:
    """The archives of the runs of one ``.dat`` file, from the folder ``archive`` beside the index.

    Several runs of an instance follow each other in its file.
    """
    place = _NAME.search(data_file)
    if place is None:
        return [NO_ARCHIVE for _ in instances]
    above = index.rpartition("/")[0]
    begin = data_file[: place.start()].rpartition("/")[2]
    stem = f"{above}/archive/{begin}" if above else f"archive/{begin}"
    found = {
        instance: iter(_instance_archives(files, f"{stem}_i{instance:02d}_d{place[1]}", instance))
        for instance in dict.fromkeys(instances)
    }
    return [next(found[instance], NO_ARCHIVE) for instance in instances]


def _instance_archives(files: DataFiles, stem: str, instance: int) -> list[CocoArchive]:
    kinds: tuple[ArchiveKept, ...] = ("all", "final")
    kept = next((kind for kind in kinds if f"{stem}_nondom_{kind}.adat" in files), None)
    if kept is None:
        return []
    name = f"{stem}_nondom_{kept}.adat"
    data = files[name]
    with files.parsing(name):
        blocks = read_blocks(data[: data.rfind(b"\n") + 1], _LAYOUT)
    blocks = [block for block in blocks if ends_head(block.head[-1])]
    for block in blocks:
        match = _INSTANCE.search(" ".join(block.head))
        if match and int(match[1]) != instance:
            raise files.error(name, f"this archive is of instance {match[1]}", block.line)
        if not np.isfinite(block.rows).all():
            raise files.error(name, "an objective value in it is not finite", block.line)
    return [CocoArchive(block.rows, kept) for block in blocks]


def with_two_objectives(
    run: ImportedRun, lines: Array, archive: CocoArchive, notes: Counter[str]
) -> ImportedRun:
    """The run with its archive, ideal and nadir point, and the name of its reference.

    COCO's logger writes a line for each target 10**(i/20), but on bbob-biobj-mixint for multiples
    of 1e5 only. There hits follow from the archive, where it is whole.
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
    known_problem = known.problem(*place)
    if known_problem.ideal_point is None or known_problem.nadir_point is None:
        return _NO_POINTS
    return np.column_stack([known_problem.ideal_point, known_problem.nadir_point])


def _measured(rows: Array, objectives: Array, reference_value: float) -> Array:
    """Evaluation, 0 and precision after each point of an archive."""
    from ...indicators.archive import Archive  # numba

    values, _ = Archive(objectives[:, 0], objectives[:, 1]).enter(np.array(rows[:, 1:]))
    return np.column_stack([rows[:, 0], np.zeros(len(rows)), reference_value + values])
