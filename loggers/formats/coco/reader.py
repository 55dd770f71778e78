"""Reads COCO's data: formats bbob, bbob-new, bbob-new2 and that of the bi-objective suites."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import PurePosixPath

import numpy as np
from numpy.typing import NDArray

from ....suites import ProblemId
from ..members import Members
from ..numbers import Block, TextError
from ..runs import DataSet, ImportedRun
from .info_files import Entry, IndexedRun, parse_info
from .texts import KINDS, Text, beside, blocks_of, read_ahead, read_text

Array = NDArray[np.float64]

_REFERENCE = re.compile(r"(?:F(?:opt|ref) \(|reference value = )([-+.\deE]+)")
_INSTANCE = re.compile(r"instance = (\d+)")
_NO_RESTARTS, _NOTHING_TOLD = np.empty(0), np.empty((0, 2))
_OLD_SUITES = ((range(1, 25), "bbob"), (range(101, 131), "bbob-noisy"))


@dataclass(slots=True)
class _Notes:
    """Collects what is to be said, each sentence once, with how often it holds."""

    counts: dict[str, int] = field(default_factory=dict)

    def add(self, sentence: str, times: int = 1) -> None:
        self.counts[sentence] = self.counts.get(sentence, 0) + times

    def sentences(self) -> tuple[str, ...]:
        return tuple(text.replace("{n}", str(n)) for text, n in self.counts.items())


@dataclass(slots=True)
class _DataFile:
    """One ``.dat`` file and all that index files say of it."""

    name: str
    entry: Entry
    index: str
    runs: list[IndexedRun]

    @property
    def is_biobj(self) -> bool:
        return "indicator" in self.entry.facts


def read_coco(members: Members) -> DataSet:
    """All runs of a data set of COCO.

    The first hits of COCO's targets are exact, evaluations spent are those of the index or of the
    last line, whichever is later. Runs that were not finished are kept.

    Raises:
        LogFormatError: What a file says cannot be read, or contradicts another; it names file and
            line.
    """
    notes = _Notes()
    runs: dict[str, list[ImportedRun]] = {}
    facts: dict[str, set[str]] = {"coco_version": set(), "data_format": set(), "comment": set()}
    files = _data_files(members, notes)
    names = [(file.name, file.is_biobj) for file in files.values()]
    for file, texts in zip(files.values(), read_ahead(members, names), strict=True):
        algorithm = _algorithm(members, file)
        runs.setdefault(algorithm, []).extend(_runs(members, file, texts, notes))
        for fact in ("coco_version", "data_format"):
            facts[fact] |= {file.entry.facts[fact]} if fact in file.entry.facts else set()
        facts["comment"] |= {file.entry.comment} if file.entry.comment else set()
    _note_unlisted(members, files, notes)
    origin = {"format": "COCO", **{name: sorted(texts) for name, texts in facts.items()}}
    return DataSet(runs, origin, notes.sentences())


def _data_files(members: Members, notes: _Notes) -> dict[str, _DataFile]:
    """All data files that are listed, by name; runs of one file in the order of its index."""
    files: dict[str, _DataFile] = {}
    for index in (name for name in members if name.endswith(".info")):
        try:
            entries = parse_info(members[index].decode("utf-8", "replace"))
        except TextError as error:
            raise members.error(index, str(error), error.line) from error
        if not entries:
            notes.add(f"{index} is empty: its experiment broke off, and its runs are not known.")
        for entry in entries:
            for written, runs in entry.files.items():
                name = _placed(members, index, entry, written)
                known = files.setdefault(name, _DataFile(name, entry, index, []))
                _check_same(members, index, entry, known)
                known.runs.extend(runs)
    return files


def _placed(members: Members, index: str, entry: Entry, written: str) -> str:
    """The member that an index means; only what stands in the data set can be meant."""
    above = index[: index.rfind("/") + 1]
    if above + written in members and "indicator" not in entry.facts and "\\" not in written:
        return above + written  # names of members lead nowhere else
    path = PurePosixPath(written.replace("\\", "/"))
    folder = entry.facts.get("folder", "") if "indicator" in entry.facts else ""
    name = str(PurePosixPath(index).parent / folder / path)
    if path.is_absolute() or ".." in (*path.parts, *PurePosixPath(folder).parts):
        raise members.error(index, f"the data file {written[:60]!r} leads elsewhere", entry.line)
    if name not in members:
        raise members.error(index, f"the data file {written[:60]!r} is missing", entry.line)
    return name


def _check_same(members: Members, index: str, entry: Entry, known: _DataFile) -> None:
    first = known.entry
    if (entry.function, entry.dimension) != (first.function, first.dimension):
        raise members.error(
            index, "the data file of this entry is that of another function too", entry.line
        )


def _algorithm(members: Members, file: _DataFile) -> str:
    facts = file.entry.facts
    name = facts.get("algId", facts.get("algorithm", "")).strip()
    if not name or not name.isprintable() or len(name.encode("utf-8", "replace")) > 200:
        raise members.error(
            file.index, f"the algorithm's name is {name[:40]!r}; it must be printable and short",
            file.entry.line,
        )  # fmt: skip
    return name


def _suite(members: Members, file: _DataFile, notes: _Notes) -> str:
    entry = file.entry
    if entry.facts.get("suite"):
        return entry.facts["suite"]
    if "indicator" in entry.facts:
        notes.add("the suite is not told: it is taken to be bbob-biobj.")
        return "bbob-biobj"
    for functions, suite in _OLD_SUITES:
        if entry.function in functions:
            notes.add(
                f"the suite is not told: by its functions' numbers it is taken to be {suite}."
            )
            return suite
    raise members.error(file.index, f"no suite is told of function {entry.function}", entry.line)


def _runs(
    members: Members, file: _DataFile, texts: Mapping[str, Text], notes: _Notes
) -> Iterator[ImportedRun]:
    """The runs of one data file and of the files that go with it."""
    name, entry, n_runs = file.name, file.entry, len(file.runs)
    text = texts.get(name) or read_text(members, name, file.is_biobj)
    if text.is_reference:
        raise members.error(
            name, "these are average runtimes of a reference, not runs: read_reference reads them"
        )
    suite = _suite(members, file, notes)
    found = _blocks(members, name, text, notes)
    if len(found) < n_runs or (len(found) > n_runs and n_runs == 0):
        raise members.error(name, f"it holds {len(found)} runs, but {file.index!r} lists {n_runs}")
    if len(found) > n_runs:
        notes.add(
            f"{name} holds {len(found)} runs, but only {n_runs} are listed: the others are left "
            "out, since their instances are not known."
        )
    paths, restarts, told = (
        _beside(members, file, texts, kind, len(found), notes) for kind in KINDS[1:]
    )
    for i, indexed in enumerate(file.runs):
        head, rows, line = found[i]
        reference, instance = _told(head)
        if instance and int(instance) != indexed.instance:
            raise members.error(
                name,
                f"this run is of instance {instance}, in the index of {indexed.instance}",
                line,
            )
        filled = [part for part in (rows, paths[i]) if len(part)]
        yield ImportedRun(
            ProblemId(suite, entry.function, entry.dimension, indexed.instance),
            "targets_10" if file.is_biobj else "targets_5",
            reference,
            _spent(indexed, max([int(part.item(-3)) for part in filled], default=0), notes),
            max([int(part.item(-2)) for part in filled], default=0),
            indexed.evaluations is not None,
            rows,
            paths[i],
            np.maximum(restarts[i][:, 0] - 1, 0) if len(restarts[i]) else _NO_RESTARTS,
            told[i][:, [0, 2]] if len(told[i]) else _NOTHING_TOLD,
        )


def _blocks(members: Members, name: str, text: Text, notes: _Notes) -> list[Block]:
    if text.is_cut:
        notes.add("the last line of {n} files breaks off and was left out.")
    return blocks_of(members, name, text)


def _beside(
    members: Members, file: _DataFile, texts: Mapping[str, Text], kind: str, n_blocks: int,
    notes: _Notes,
) -> list[Array]:  # fmt: skip
    """What a file beside the data file holds of each run: nothing where there is none."""
    nothing = [np.empty((0, 3))] * n_blocks
    other = beside(file.name, kind)
    if (file.is_biobj and kind == "mdat") or other not in members:
        if kind == "tdat":
            notes.add("{n} data files have no .tdat: the best at regular counts is not known.")
        return nothing
    text = texts.get(other) or read_text(members, other, file.is_biobj)
    blocks = _blocks(members, other, text, notes)
    if len(blocks) == n_blocks:
        return [block.rows for block in blocks]
    if kind == "tdat":
        raise members.error(
            other, f"it holds {len(blocks)} runs, but {file.name!r} holds {n_blocks}"
        )
    notes.add(f"{{n}} files .{kind} have not as many runs as their .dat: they were left out.")
    return nothing


@lru_cache(maxsize=1024)
def _told(head: tuple[str, ...]) -> tuple[float, str]:
    """Reference value and instance that a head tells; 0 and nothing where it does not."""
    text = " ".join(head)
    reference, instance = _REFERENCE.search(text), _INSTANCE.search(text)
    return _float(reference[1]) if reference else 0.0, instance[1] if instance else ""


def _spent(indexed: IndexedRun, written: int, notes: _Notes) -> int:
    if indexed.evaluations is None:
        notes.add(
            "{n} runs were not finished: they count with the evaluations that were written, as "
            "interrupted."
        )
        return written
    if indexed.evaluations != written and indexed.evaluations:
        notes.add(
            "{n} runs have another number of evaluations in the index than in their last line: "
            "the larger is taken."
        )
    return max(indexed.evaluations, written)


def _note_unlisted(members: Members, files: Mapping[str, _DataFile], notes: _Notes) -> None:
    listed = {name[: -len(".dat")] for name in files}
    unlisted = [name for name in members if name.endswith(".dat") and name[:-4] not in listed]
    if unlisted:
        notes.add(
            f"{len(unlisted)} data files are in no index and were left out, such as {unlisted[0]}."
        )


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
