"""Reads COCO's data: formats bbob, bbob-new, bbob-new2 and that of the bi-objective suites."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ....suites.facts import ProblemId
from ..blocks import Array, Block, Layout, read_blocks
from ..data_files import DataFiles
from ..tables import DataSet, ImportedRun
from .info_files import Entry, IndexedRun, read_info
from .reference_data import is_reference
from .two_objectives import NO_ARCHIVE, ends_head, read_archives, with_two_objectives

KINDS = ("tdat", "rdat", "mdat")
"""Endings of the files that may stand beside a data file ``.dat``."""

_REFERENCE = re.compile(r"(?:F(?:opt|ref) \(|reference value = )([-+.\deE]+)")
_INSTANCE = re.compile(r"instance = (\d+)")
_NO_ROWS = np.empty((0, 3))
_OLD_SUITES = ((range(1, 25), "bbob"), (range(101, 131), "bbob-noisy"))
_MEASURED_OTHERWISE = {
    "bbob-noisy": "COCO's data of bbob-noisy hold noise-free values without the penalty outside "
    "[-5, 5], which counts here: points out there may hit targets that they do not hit here.",
    "bbob-constrained": "COCO's data of bbob-constrained hold max(f, fopt) + the sum of "
    "violations, not the best feasible value: points that are not feasible may hit targets.",
}
"""Beginnings of the names of suites whose runs COCO measures in another way, and the note on it."""
_OURS = "written by firsthit"
_NO_VALUE = 1e21
"""COCO writes 2e21 for NaN and 3e21 for infinity: from here on there is no value."""

# evaluations, evaluations of the constraints where there are any, best precision
_BIOBJ, _WITH_CONSTRAINTS, _WITHOUT = (
    Layout(("%",), ends_head, columns) for columns in ((0, 0, 1), (0, 1, 2), (0, 0, 2))
)
_BIOBJ_WITH_TARGET = Layout(("%",), ends_head, (0, 0, 1, 2), values=2)


@dataclass(frozen=True, slots=True)
class _DataFile:
    """One ``.dat`` file and all that index files say of it."""

    name: str
    entry: Entry
    index: str
    runs: list[IndexedRun]

    @property
    def is_biobj(self) -> bool:
        return "indicator" in self.entry.facts


def read_coco(files: DataFiles) -> DataSet:
    """All runs of a data set of COCO; a LogFormatError names file and line.

    Evaluations spent are those of the index or of the last line, whichever is later.
    """
    notes: Counter[str] = Counter()
    runs: dict[str, list[ImportedRun]] = {}
    facts: dict[str, set[str]] = {"coco_version": set(), "data_format": set(), "comment": set()}
    listed = _listed_files(files, notes)
    for file in listed.values():
        runs.setdefault(_algorithm(files, file), []).extend(_runs(files, file, notes))
        for fact in ("coco_version", "data_format"):
            facts[fact] |= {file.entry.facts[fact]} if fact in file.entry.facts else set()
        facts["comment"] |= {file.entry.comment} if file.entry.comment else set()
    unlisted = [name for name in files if name.endswith(".dat") and name not in listed]
    if unlisted:
        notes[
            f"{len(unlisted)} data files are in no index and were left out, such as {unlisted[0]}."
        ] += 1
    origin = {"format": "COCO", **{name: sorted(texts) for name, texts in facts.items()}}
    sentences = (text.replace("{n}", str(n)) for text, n in notes.items())
    return DataSet(runs, origin, tuple(sentences))


def _listed_files(files: DataFiles, notes: Counter[str]) -> dict[str, _DataFile]:
    """All data files that are listed, by name; runs of one file in the order of its index."""
    listed: dict[str, _DataFile] = {}
    for index in (name for name in files if name.endswith(".info")):
        entries = read_info(files, index)
        if not entries:
            notes[f"{index} is empty: its experiment broke off, and its runs are not known."] += 1
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


def _algorithm(files: DataFiles, file: _DataFile) -> str:
    facts = file.entry.facts
    name = facts.get("algId", facts.get("algorithm", "")).strip()
    if not name or not name.isprintable() or len(name.encode("utf-8", "replace")) > 200:
        raise files.error(
            file.index, f"the algorithm's name is {name[:40]!r}; it must be printable and short",
            file.entry.line,
        )  # fmt: skip
    return name


def _suite(files: DataFiles, file: _DataFile, notes: Counter[str]) -> str:
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


def _runs(files: DataFiles, file: _DataFile, notes: Counter[str]) -> Iterator[ImportedRun]:
    """The runs of one data file and of the files that stand beside it."""
    name, entry, n_runs = file.name, file.entry, len(file.runs)
    suite = _suite(files, file, notes)
    for beginning, sentence in _MEASURED_OTHERWISE.items():
        if suite.startswith(beginning) and not entry.comment.startswith(_OURS):
            notes[sentence] += 1
    blocks = _blocks(files, file, name, notes)
    if len(blocks) < n_runs or (len(blocks) > n_runs and n_runs == 0):
        raise files.error(name, f"it holds {len(blocks)} runs, but {file.index!r} lists {n_runs}")
    if len(blocks) > n_runs:
        notes[
            f"{name} holds {len(blocks)} runs, but only {n_runs} are listed: the others are left "
            "out, since their instances are not known."
        ] += 1
    paths, restarts, recommendations = (
        _neighbour_rows(files, file, kind, len(blocks), notes) for kind in KINDS
    )
    archives = [NO_ARCHIVE] * n_runs
    if file.is_biobj:
        instances = [run.instance for run in file.runs]
        archives = read_archives(files, file.index, name, instances)
    for i, indexed in enumerate(file.runs):
        head, lines, line = blocks[i]
        rows = lines[:, :3]
        reference, instance = _head_facts(head)
        if instance and int(instance) != indexed.instance:
            raise files.error(
                name,
                f"this run is of instance {instance}, in the index of {indexed.instance}",
                line,
            )
        last_rows = [part[-1] for part in (rows, paths[i]) if len(part)]
        run = ImportedRun(
            ProblemId(suite, entry.function, entry.dimension, indexed.instance),
            "targets_5",
            reference,
            _spent(indexed, int(max((row[0] for row in last_rows), default=0)), notes),
            int(max((row[1] for row in last_rows), default=0)),
            indexed.evaluations is not None,
            rows,
            paths[i],
            np.maximum(restarts[i][:, 0] - 1, 0),
            recommendations[i][:, [0, 2]],
        )
        yield with_two_objectives(run, lines, archives[i], notes) if file.is_biobj else run


def _blocks(files: DataFiles, file: _DataFile, name: str, notes: Counter[str]) -> list[Block]:
    """What a data file, or one beside it, holds of each run.

    Columns are evaluations, evaluations of the constraints, and best precision; in ``.dat`` files
    of two objectives also the target hit.
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
        layout = _WITH_CONSTRAINTS if counts_constraints else _WITHOUT
    with files.parsing(name):
        blocks = read_blocks(data, layout)
    for block in blocks:
        if layout is not _WITH_CONSTRAINTS:
            block.rows[:, 1] = 0
        block.rows[block.rows[:, 2] >= _NO_VALUE, 2] = np.inf
    return blocks


def _neighbour_rows(
    files: DataFiles, file: _DataFile, kind: str, n_blocks: int, notes: Counter[str]
) -> list[Array]:
    """What a file beside the data file holds of each run: nothing where there is none."""
    name = file.name[: -len("dat")] + kind
    if (file.is_biobj and kind == "mdat") or name not in files:
        if kind == "tdat":
            notes["{n} data files have no .tdat: the best at regular counts is not known."] += 1
        return [_NO_ROWS] * n_blocks
    blocks = _blocks(files, file, name, notes)
    if len(blocks) == n_blocks:
        return [block.rows for block in blocks]
    if kind == "tdat":
        raise files.error(name, f"it holds {len(blocks)} runs, but {file.name!r} holds {n_blocks}")
    notes[f"{{n}} files .{kind} have not as many runs as their .dat: they were left out."] += 1
    return [_NO_ROWS] * n_blocks


def _head_facts(head: tuple[str, ...]) -> tuple[float, str]:
    """Reference value and instance that a head names; 0 and nothing where it does not."""
    text = " ".join(head)
    reference, instance = _REFERENCE.search(text), _INSTANCE.search(text)
    try:
        value = float(reference[1]) if reference else 0.0
    except ValueError:
        value = 0.0
    return value, instance[1] if instance else ""


def _spent(indexed: IndexedRun, written: int, notes: Counter[str]) -> int:
    if indexed.evaluations is None:
        notes[
            "{n} runs were not finished: they count with the evaluations that were written, as "
            "interrupted."
        ] += 1
        return written
    if indexed.evaluations != written and indexed.evaluations:
        notes[
            "{n} runs have another number of evaluations in the index than in their last line: "
            "the larger is taken."
        ] += 1
    return max(indexed.evaluations, written)
