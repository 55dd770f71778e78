"""Read COCO's data: formats bbob, bbob-new, bbob-new2, and the format for two objectives.

`read_coco` collects the data files that the index files list, and reads the runs of each data file
together with the files beside it. COCO writes several facts twice, so that a file of another
problem is noticed: it is refused, or reported by a note. The reader counts how often each note
applies, and ``{n}`` in a note is replaced by this number.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

import numpy as np

from ....suites.arrays import Floats
from ....suites.facts import ProblemId
from ..blocks import Block, Layout, read_blocks
from ..data_files import DataFiles, describe_mixed_folders, has_other_problem
from ..tables import DataSet, ImportedRun
from .contradictions import (
    NO_VALUE,
    RunLines,
    collect_scheduled_counts,
    find_contradictions,
    find_declared_problem,
)
from .info_files import Entry, IndexedRun, read_info
from .reference_data import is_reference
from .two_objectives import NO_ARCHIVE, ends_head, lacks_targets, read_archives, with_two_objectives

Suffix = Literal["tdat", "rdat", "mdat"]
SUFFIXES: tuple[Suffix, ...] = get_args(Suffix)
"""Suffixes of the files that may lie beside a data file ``.dat``, see `lines`."""

_REFERENCE = re.compile(r"(?:F(?:opt|ref) \(|reference value = )([-+.\deE]+)")
_INSTANCE = re.compile(r"instance = (\d+)")
_NAMED_DIMENSION = re.compile(r"name = \w+_d(\d{1,9})\b")
_ROUNDING = 1e-8
"""Tolerance for precisions below the smallest possible one, relative above 1."""
_SMALLEST_POSITIVE_TARGET = 1e-5
"""Smallest positive target of COCO's data with two objectives."""
_NO_ROWS = np.empty((0, 3))
_OLD_SUITES = ((range(1, 25), "bbob"), (range(101, 131), "bbob-noisy"))
_MEASURED_OTHERWISE = {
    "bbob-noisy": "COCO's data of bbob-noisy contain noise-free values without the penalty outside "
    "[-5, 5], which firsthit adds: points outside may hit targets that they do not hit here.",
    "bbob-constrained": "COCO's data of bbob-constrained contain max(f, fopt) + the sum of "
    "violations, not the best feasible value: points that are not feasible may hit targets.",
}
"""Beginnings of the names of suites that COCO measures in another way than firsthit, and notes."""
_FIRSTHIT_COMMENT = "written by firsthit"
"""Beginning of the comment in data that firsthit wrote, with its own measurement."""

# Columns: evaluations, evaluations of the constraints if there are any, best precision; with two
# objectives the target that was hit, with one objective and without constraints the best value.
_BIOBJ = Layout(("%",), ends_head, (0, 0, 1))
_CONSTRAINED = Layout(("%",), ends_head, (0, 1, 2))
_BIOBJ_WITH_TARGET, _WITH_CONSTRAINTS, _WITHOUT = (
    Layout(("%",), ends_head, columns, values=2)
    for columns in ((0, 0, 1, 2), (0, 1, 2, 4), (0, 0, 2, 4))
)


@dataclass(frozen=True, slots=True)
class _DataFile:
    """One ``.dat`` file, and its runs in all index files."""

    name: str
    entry: Entry  # the first entry that lists the file
    index: str  # name of this entry's index file
    runs: list[IndexedRun]

    @property
    def is_biobj(self) -> bool:
        """Whether the file has runs on two objectives."""
        return "indicator" in self.entry.facts


def read_coco(files: DataFiles) -> DataSet:
    """Read all runs of a data set of COCO.

    The number of evaluations of a run is the larger one of those in the index and in the last line.

    Args:
        files: The files of the data set.

    Returns:
        The runs by algorithm, and notes on what was inferred or left out.

    Raises:
        LogFormatError: A file is malformed or missing, belongs to another problem, or has a value
            better than the optimum, or the index files list no runs. The message names file and
            line.
    """
    notes: Counter[str] = Counter()
    runs: dict[str, list[ImportedRun]] = {}
    facts: dict[str, set[str]] = {"coco_version": set(), "data_format": set(), "comment": set()}
    listed = _collect_files(files, notes)
    writers: dict[str, set[str]] = {}  # texts "ALGORITHM on SUITE" by folder of index files
    for file in listed.values():
        algorithm = _read_algorithm(files, file)
        suite = file.entry.facts.get("suite", "")
        writers.setdefault(file.index.rpartition("/")[0], set()).add(f"{algorithm} on {suite}")
        runs.setdefault(algorithm, []).extend(_read_runs(files, file, notes))
        for name in ("coco_version", "data_format"):
            if name in file.entry.facts:
                facts[name].add(file.entry.facts[name])
        if file.entry.comment:
            facts["comment"].add(file.entry.comment)
    unlisted = [name for name in files if name.endswith(".dat") and name not in listed]
    if unlisted:
        notes[
            f"{len(unlisted)} data files are in no index and were left out, such as {unlisted[0]}."
        ] += 1
    if not any(runs.values()):
        raise files.error("", "its index files list no runs")
    notes.update(describe_mixed_folders(writers))
    origin = {"format": "COCO", **{name: sorted(texts) for name, texts in facts.items()}}
    formatted = (note.replace("{n}", str(count)) for note, count in notes.items())
    return DataSet(runs, origin, tuple(formatted))


def _collect_files(files: DataFiles, notes: Counter[str]) -> dict[str, _DataFile]:
    """Collect the data files that index files list, by name; runs are in the index's order."""
    listed: dict[str, _DataFile] = {}
    for index in (name for name in files if name.endswith(".info")):
        entries = read_info(files, index)
        if not entries:
            notes[f"{index} is empty: its experiment broke off, and its runs are unknown."] += 1
        for entry in entries:
            folder = entry.facts.get("folder", "") if "indicator" in entry.facts else ""
            for written, runs in entry.files.items():
                name = files.neighbour_file(index, written, folder, entry.line)
                file = listed.setdefault(name, _DataFile(name, entry, index, []))
                first = file.entry
                if (entry.function, entry.dimension) != (first.function, first.dimension):
                    raise files.error(
                        index, "the data file of this entry is that of another function too",
                        entry.line,
                    )  # fmt: skip
                file.runs.extend(runs)
    return listed


def _read_algorithm(files: DataFiles, file: _DataFile) -> str:
    facts = file.entry.facts
    name = facts.get("algId", facts.get("algorithm", "")).strip()
    if not name or not name.isprintable() or len(name.encode("utf-8", "replace")) > 200:
        raise files.error(
            file.index, f"the algorithm's name is {name[:40]!r}; it must be printable and short",
            file.entry.line,
        )  # fmt: skip
    return name


def _find_suite(files: DataFiles, file: _DataFile, notes: Counter[str]) -> str:
    entry = file.entry
    if entry.facts.get("suite"):
        return entry.facts["suite"]
    if file.is_biobj:
        notes["the suite is not named: it is taken to be bbob-biobj."] += 1
        return "bbob-biobj"
    for functions, suite in _OLD_SUITES:
        if entry.function in functions:
            notes[
                f"the suite is not named: by its functions' numbers it is taken to be {suite}."
            ] += 1
            return suite
    raise files.error(file.index, f"no suite is named for function {entry.function}", entry.line)


def _read_runs(files: DataFiles, file: _DataFile, notes: Counter[str]) -> Iterator[ImportedRun]:
    """Yield the runs of one data file and of the files beside it, and add to ``notes``."""
    name, entry, n_runs = file.name, file.entry, len(file.runs)
    suite = _find_suite(files, file, notes)
    for beginning, note in _MEASURED_OTHERWISE.items():
        if suite.startswith(beginning) and not entry.comment.startswith(_FIRSTHIT_COMMENT):
            notes[note] += 1
    if has_other_problem(name, entry.function, entry.dimension):
        notes[
            "{n} data files have another function or dimension in their name than in the index: "
            "the index counts."
        ] += 1
    blocks = _read_blocks(files, file, name, notes)
    if len(blocks) < n_runs or (len(blocks) > n_runs and n_runs == 0):
        raise files.error(name, f"it has {len(blocks)} runs, but {file.index!r} lists {n_runs}")
    if len(blocks) > n_runs:
        notes[
            f"{name} has {len(blocks)} runs, but only {n_runs} are listed: the others are left "
            "out, because their instances are unknown."
        ] += 1
    for indexed, block in zip(file.runs, blocks, strict=False):
        _check_head(files, file, indexed, block)
    paths, restarts, recommendations = (
        _read_neighbour(files, file, suffix, blocks, notes) for suffix in SUFFIXES
    )
    has_path = _neighbour_name(name, "tdat") in files
    scheduled = collect_scheduled_counts(paths)
    smallest_target = _find_smallest_target(entry)
    archives = [NO_ARCHIVE] * n_runs
    if file.is_biobj:
        archives = read_archives(files, file.index, name, file.runs, blocks)
        n_without = sum(archive.kept == "none" for archive in archives)
        if 0 < n_without < n_runs:
            notes["{n} runs have no archive, but other runs of their data file have one."] += (
                n_without
            )
    for i, indexed in enumerate(file.runs):
        head, lines, line = blocks[i]
        problem = ProblemId(suite, entry.function, entry.dimension, indexed.instance)
        reference = _parse_head(head).reference
        parts = [part for part in (lines, paths[i]) if len(part)]
        smallest = reference - 1 if file.is_biobj else 0.0
        best = min((float(part[:, 2].min()) for part in parts), default=np.inf)
        if best < smallest - _ROUNDING * max(1.0, abs(reference)):
            raise files.error(
                name, f"this run, or the one beside it in .tdat, has the precision {best:.6g}, "
                f"but the smallest possible one is {smallest:.6g}", line,
            )  # fmt: skip
        declared = None if file.is_biobj else find_declared_problem(problem)
        targets_per_decade = 10 if file.is_biobj else 5
        contradictions = find_contradictions(
            RunLines(
                indexed,
                lines[:, :3] if file.is_biobj else lines,
                paths[i] if has_path else None,
                restarts[i],
                scheduled,
                reference,
                np.nan if declared is None else declared.reference_value,
                0 if file.is_biobj and lacks_targets(lines) else targets_per_decade,
                smallest_target,
            )
        )
        for note in contradictions:
            notes[note] += 1
        last_rows = [part[-1] for part in parts]
        run = ImportedRun(
            problem,
            "targets_5",
            reference,
            _count_evaluations(indexed, int(max((row[0] for row in last_rows), default=0)), notes),
            int(max((row[1] for row in last_rows), default=0)),
            indexed.evaluations is not None,
            lines[:, :3],
            paths[i][:, :3],
            np.maximum(restarts[i][:, 0] - 1, 0),
            recommendations[i][:, [0, 2]],
        )
        yield with_two_objectives(run, lines, archives[i], notes) if file.is_biobj else run


def _read_blocks(files: DataFiles, file: _DataFile, name: str, notes: Counter[str]) -> list[Block]:
    """Read the block of each run in a data file or in a file beside it; repeated lines count once.

    Columns are evaluations, evaluations of the constraints, and best precision, which is inf
    without a value. A fourth column has the target hit in ``.dat`` files of two objectives, and the
    best value in files of one objective.
    """
    data = files[name]
    if is_reference(data):
        raise files.error(
            name,
            "these are average runtimes of a reference, not runs: give it as --reference, or to "
            "read_reference",
        )
    if data and not data.endswith(b"\n"):
        data = data[: data.rfind(b"\n") + 1]
        notes["the last line of {n} files breaks off and was left out."] += 1
    if file.is_biobj:
        layout = _BIOBJ_WITH_TARGET if b"| target hit" in data[:1000] else _BIOBJ
    else:
        counts_constraints = b"g evaluations" in data[: data.find(b"\n")]
        is_constrained = file.entry.facts.get("suite", "").startswith("bbob-constrained")
        layout = _CONSTRAINED if is_constrained else _WITH_CONSTRAINTS
        layout = layout if counts_constraints else _WITHOUT
    _check_columns(files, file, name)
    with files.parsing(name):
        blocks = read_blocks(data, layout)
    if len({_parse_head(block.head).columns for block in blocks}) > 1:
        raise files.error(name, "the heads of its runs name different columns")
    for block in blocks:
        if layout.columns[:2] == (0, 0):
            block.rows[:, 1] = 0
        block.rows[block.rows[:, 2] >= NO_VALUE, 2] = np.inf
    if name.endswith((".dat", ".tdat")):
        return [block._replace(rows=_drop_repeated_lines(block.rows)) for block in blocks]
    return blocks


def _drop_repeated_lines(rows: Floats) -> Floats:
    return rows[np.append(True, np.any(rows[1:] != rows[:-1], axis=1))] if len(rows) else rows


def _read_neighbour(
    files: DataFiles,
    file: _DataFile,
    suffix: Suffix,
    data_blocks: list[Block],
    notes: Counter[str],
) -> list[Floats]:
    """Read the rows of each run in a file beside the data file; empty if it cannot be used.

    Raises:
        LogFormatError: A head has another reference value or instance than the same run in the data
            file, so that the file belongs to another problem.
    """
    name, n_blocks = _neighbour_name(file.name, suffix), len(data_blocks)
    if (file.is_biobj and suffix == "mdat") or name not in files:
        if suffix == "tdat":
            notes["{n} data files have no .tdat: the best at regular counts is unknown."] += 1
        return [_NO_ROWS] * n_blocks
    blocks = _read_blocks(files, file, name, notes)
    if len(blocks) == n_blocks:
        for block, data_block in zip(blocks, data_blocks, strict=True):
            fact, data_fact = _parse_head(block.head), _parse_head(data_block.head)
            if fact[:2] != data_fact[:2]:
                raise files.error(
                    name, "it belongs to another problem: this run has the reference value "
                    f"{fact[0]:.12g}{fact[1] and f' and instance {fact[1]}'}, but in "
                    f"{file.name!r} {data_fact[0]:.12g}"
                    f"{data_fact[1] and f' and instance {data_fact[1]}'}", block.line,
                )  # fmt: skip
            if not file.is_biobj and fact.columns != data_fact.columns:
                raise files.error(name, f"it has other columns than {file.name!r}", block.line)
        return [block.rows for block in blocks]
    if suffix == "tdat":
        raise files.error(name, f"it has {len(blocks)} runs, but {file.name!r} has {n_blocks}")
    notes[f"{{n}} files .{suffix} have another number of runs than their .dat: left out."] += 1
    return [_NO_ROWS] * n_blocks


def _neighbour_name(name: str, suffix: Suffix) -> str:
    return name[: -len("dat")] + suffix


def _find_smallest_target(entry: Entry) -> float:
    """Return the smallest target of the lines in ``.dat``, which is at least 1e-8."""
    if "indicator" in entry.facts:
        return _SMALLEST_POSITIVE_TARGET
    try:
        return max(float(entry.facts.get("Precision", "")), 1e-8)
    except ValueError:
        return 1e-8


def _check_columns(files: DataFiles, file: _DataFile, name: str) -> None:
    """Raise LogFormatError if a line lacks columns or has those of another dimension.

    Files of one objective have five columns, or in addition one for each variable.
    """
    if file.is_biobj:
        return
    data = files[name]
    lines = data[: data.rfind(b"\n") + 1].splitlines()
    widths = {0, 5, 5 + file.entry.dimension}
    # Usually one space separates the columns; counting spaces is faster than splitting.
    if {line.count(b" ") + 1 for line in lines if not line.startswith(b"%")} <= widths:
        return
    for number, line in enumerate(lines, start=1):
        if not line.startswith(b"%") and len(line.split()) not in widths:
            raise files.error(
                name, f"this line has {len(line.split())} columns; in dimension "
                f"{file.entry.dimension} it must have 5 or {5 + file.entry.dimension}", number,
            )  # fmt: skip


def _check_head(files: DataFiles, file: _DataFile, indexed: IndexedRun, block: Block) -> None:
    """Raise LogFormatError if a run has another instance or dimension than in the index."""
    instance = _parse_head(block.head).instance
    if instance and int(instance) != indexed.instance:
        raise files.error(
            file.name,
            f"this run is of instance {instance}, but in the index of {indexed.instance}",
            block.line,
        )
    for dimension in _NAMED_DIMENSION.findall(" ".join(block.head)):
        if int(dimension) != file.entry.dimension:
            raise files.error(
                file.name,
                f"this run is in dimension {int(dimension)}, but in the index in "
                f"{file.entry.dimension}",
                block.line,
            )


class _Head(NamedTuple):
    """Facts in the head of a run."""

    reference: float  # 0: it has none
    instance: str  # empty: it has none
    columns: tuple[bool, bool]  # whether they include constraints, and targets of two objectives


def _parse_head(head: tuple[str, ...]) -> _Head:
    text = " ".join(head)
    reference, instance = _REFERENCE.search(text), _INSTANCE.search(text)
    try:
        value = float(reference[1]) if reference else 0.0
    except ValueError:
        value = 0.0
    columns = ("g evaluations" in text, "| target hit" in text)
    return _Head(value, instance[1] if instance else "", columns)


def _count_evaluations(indexed: IndexedRun, written: int, notes: Counter[str]) -> int:
    """Return the evaluations of a run; ``written``: those in the last lines of its data."""
    if indexed.evaluations is None:
        notes[
            "{n} runs were not finished: they count with the evaluations that were written, as "
            "interrupted."
        ] += 1
        return written
    return max(indexed.evaluations, written)
