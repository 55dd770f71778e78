"""Where exported data go: a new folder, made whole or not at all, and which runs go into it."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..errors import LogExistsError, LogWriteError
from ..log.log import Log

_RUN = ("algorithm", "suite", "function", "dimension", "instance", "repetition", "campaign_seed")


@dataclass(frozen=True, slots=True)
class Group:
    """Runs of one algorithm on one function in one dimension.

    Attributes:
        algorithm: Its name, as it can stand in a file.
        suite: Name of the suite.
        function: Number of the function.
        name: The function's name; may be empty.
        dimension: Number of variables.
        rows: Positions of its runs, by repetition and instance.
    """

    algorithm: str
    suite: str
    function: int
    name: str
    dimension: int
    rows: tuple[int, ...]


@contextlib.contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """A draft that takes its name when everything is written; gone where something fails.

    Raises:
        LogExistsError: There is something of this name.
        LogWriteError: It cannot be written.
    """
    if os.path.lexists(folder):
        raise LogExistsError(
            f"the folder {str(folder)!r} exists and is never overwritten; choose another name"
        )
    draft = folder.with_name(f".{folder.name}.{uuid.uuid4().hex[:8]}.tmp")
    try:
        draft.mkdir(parents=True)
        yield draft
        draft.rename(folder)
    except OSError as error:
        raise LogWriteError(f"cannot write {str(folder)!r}: {error}") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def worth_writing(log: Log) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    """Rows of the runs to be written, and sentences on the others.

    Raises:
        LogWriteError: There is none.
    """
    runs = log.runs
    latest: dict[tuple[object, ...], tuple[int, int]] = {}
    keys = zip(*(runs[name].tolist() for name in _RUN), strict=True)
    for row, (key, stage) in enumerate(zip(keys, runs["stage"].tolist(), strict=True)):
        latest[key] = max(latest.get(key, (stage, row)), (stage, row))
    rows = np.array(sorted(row for _, row in latest.values()), dtype=np.int64)
    began = runs["evaluations"][rows] > 0
    notes = []
    if len(rows) < len(runs):
        notes.append(
            f"{len(runs) - len(rows)} runs of earlier budget stages are replaced by later ones."
        )
    if not began.all():
        notes.append(f"{int((~began).sum())} runs without any evaluation are left out.")
    broken = np.isin(runs["status"][rows[began]], ("failed", "timeout", "interrupted"))
    if broken.any():
        notes.append(
            f"{int(broken.sum())} runs failed, timed out or were interrupted: they are written "
            "with the evaluations they spent, as others."
        )
    if not began.any():
        raise LogWriteError("there is no run with an evaluation to be exported")
    return rows[began], tuple(notes)


def part_names(log: Log, rows: NDArray[np.int64]) -> dict[str, list[Group]]:
    """Runs by algorithm and suite: the folder of each, ``""`` for the only one, to its groups."""
    runs = log.runs
    names = ("algorithm", "suite", "function", "dimension", "function_name")
    cells: dict[tuple[str, str, int, int, str], list[int]] = {}
    order = np.lexsort((runs["instance"][rows], runs["repetition"][rows]))
    for row in rows[order].tolist():
        key = tuple(runs[name][row].item() for name in names)
        cells.setdefault(key, []).append(row)
    parts = sorted({key[:2] for key in cells})
    suites = {suite for _, suite in parts}
    folders: dict[tuple[str, str], str] = {}
    for algorithm, suite in parts:
        wanted = plain_name(algorithm) + (f"-{plain_name(suite)}" if len(suites) > 1 else "")
        taken = set(folders.values())
        tries = (wanted, *(f"{wanted}-{i}" for i in range(2, len(parts) + 2)))
        folders[algorithm, suite] = next(name for name in tries if name not in taken)
    groups: dict[str, list[Group]] = {}
    for key in sorted(cells):
        algorithm, suite, function, dimension, name = key
        folder = folders[algorithm, suite] if len(parts) > 1 else ""
        shown = algorithm.replace("'", "’").replace('"', "”")
        group = Group(shown, suite, function, name, dimension, tuple(cells[key]))
        groups.setdefault(folder, []).append(group)
    return groups


def plain_name(text: str) -> str:
    """``text`` as the name of a file everywhere: letters, digits, ``.``, ``_``, ``+`` and ``-``."""
    return re.sub(r"[^A-Za-z0-9._+-]+", "-", text).strip(".-")[:80] or "unnamed"
