"""Runs read from logs, ready to be assessed: columns, first hits, trajectories."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...suites.errors import UnknownNameError
from ..errors import LogExistsError
from ..hdf5.deduplicate import only_used
from ..hdf5.merge import log_exists, log_path, write_merged
from ..hdf5.table import LogTable
from ..records.dtypes import Rows
from ..records.run_record import SuiteFacts
from .best_so_far import BestSoFar, best_so_far
from .first_hits import FirstHitTimes, first_hits
from .recommended import of_recommendations
from .runs import Runs


class Log:
    """Runs of one or several logs, in canonical order, every run once.

    Order: suite, dimension, function, instance, algorithm, repetition, stage.

    Args:
        table: The runs.
        files: Where they come from.
        recommended: See below.
        checksums: See below.

    Attributes:
        runs: The facts of the runs, as columns.
        files: Where they come from.
        recommended: Whether its hits and precisions are those of solutions that the algorithms
            recommended, not of all that they evaluated.
        checksums: SHA-256 of the content of each file as it was read; a log has it in its second
            line. Empty for journals and data of others.
    """

    def __init__(
        self,
        table: LogTable,
        files: Sequence[Path] = (),
        recommended: bool = False,
        checksums: Mapping[Path, str] | None = None,
    ) -> None:
        self.files = tuple(files)
        self.checksums = dict(checksums or {})
        self.recommended = recommended
        self.runs = Runs(table)
        self._table = table

    def __len__(self) -> int:
        return len(self.runs)

    def __repr__(self) -> str:
        return f"<Log: {len(self)} runs of {', '.join(self.algorithms) or 'no algorithm'}>"

    @property
    def algorithms(self) -> tuple[str, ...]:
        """Names of the algorithms, sorted."""
        return self._table.algorithms

    @property
    def suites(self) -> dict[str, SuiteFacts]:
        """Name of each suite to its version, and to how its runs were measured."""
        return {suite.name: suite for suite in self._table.suites}

    @property
    def headers(self) -> tuple[dict[str, Any], ...]:
        """What the logs say of all their runs: algorithms, campaign, tuning, provenance.

        One for each session of writing whose runs are here.
        """
        return tuple(json.loads(text) for text in self._table.headers)

    @property
    def notes(self) -> tuple[str, ...]:
        """What an import of these runs guessed or left out, or what was torn; mostly nothing.

        What is true of some of several imported folders only begins with their names.
        """
        sources_by_note: dict[str, list[str]] = {}
        provenance = [header.get("provenance") or {} for header in self.headers]
        imports = [facts["imported"] for facts in provenance if facts.get("imported")]
        for facts in imports:
            for note in facts.get("notes") or ():
                sources_by_note.setdefault(str(note), []).append(str(facts.get("from", "")))
        imported = (
            note if len(named) == len(imports) else f"{', '.join(named)}: {note}"
            for note, named in sources_by_note.items()
        )
        return (*self._table.notes, *imported, *self._notes_on_files())

    def _notes_on_files(self) -> Iterator[str]:
        """Sentences on algorithms whose file changed between their runs."""
        names, algorithms = self.runs.codes("algorithm")
        files, rows = self.runs.codes("code")
        if len(files) < 2:
            return
        for i, name in enumerate(names):
            counts = np.bincount(rows[algorithms == i], minlength=len(files)).tolist()
            made = [f"{n} by {file[:8]}" for n, file in zip(counts, files, strict=True) if n]
            if len(made) > 1:
                versions = f"{len(made)} versions of its file: {', '.join(made)}"
                yield f"runs of {name!r} were made by {versions}."

    def take(self, rows: ArrayLike) -> Log:
        """Some of the runs, in their order here.

        Args:
            rows: Positions of runs, shape ``(n_rows,)``, or a mask of all runs.
        """
        kept = only_used(self._table.take(np.unique(self._positions(rows))))
        return Log(kept, self.files, self.recommended, self.checksums)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the runs into a new log.

        Args:
            path: A new file, ``NAME.h5``.

        Raises:
            LogExistsError: There is a log of this name.
            LogWriteError: It cannot be written.
        """
        place = log_path(path)
        if log_exists(place):
            raise LogExistsError(
                f"the log {str(path)!r} exists and is never overwritten; choose another name"
            )
        write_merged(place, {place: self._table})
        return place

    def of_recommendations(self) -> Log:
        """The same runs, measured by what they recommended; see `recommended.of_recommendations`.

        ``runs``, ``hits``, ``first_hits`` and ``best_at`` are of recommended solutions there, and
        ``trajectory`` is empty.
        """
        return Log(of_recommendations(self._table), self.files, True, self.checksums)

    def header_of(self, run: int) -> dict[str, Any]:
        """The header under which a run was written."""
        header: dict[str, Any] = json.loads(self._table.headers[self._table.runs["header"][run]])
        return header

    def headers_of(self, rows: ArrayLike) -> list[tuple[dict[str, Any], int]]:
        """The headers under which runs were written, each with how many of them.

        Args:
            rows: Positions of runs, shape ``(n_rows,)``, or a mask of all runs.
        """
        headers = self._table.runs["header"][self._positions(rows)]
        numbers, counts = np.unique(headers, return_counts=True)
        texts = (self._table.headers[number] for number in numbers.tolist())
        return [(json.loads(text), n) for text, n in zip(texts, counts.tolist(), strict=True)]

    def published(self) -> tuple[dict[str, str], NDArray[np.bool_]]:
        """Published data of others among the runs: names to SHA-256, and which runs are theirs."""
        provenance = [header.get("provenance") or {} for header in self.headers]
        imported = [facts.get("imported") or {} for facts in provenance]
        names = {str(own["from"]): str(own["sha256"]) for own in imported if "sha256" in own}
        is_published = np.array(["sha256" in own for own in imported], dtype=bool)
        return names, is_published[self._table.runs["header"]]

    def groups(self, suite: str | None = None) -> dict[str, tuple[int, ...]]:
        """Name of each group of functions to the functions that have runs here.

        Args:
            suite: Of this suite; by default of all.
        """
        rows = [row for row in self._table.functions if suite in (None, row.suite)]
        rows.sort(key=lambda row: row.function)
        names = dict.fromkeys(row.group for row in rows)
        return {
            name: tuple(dict.fromkeys(row.function for row in rows if row.group == name))
            for name in names
        }

    def hits(self, run: int) -> Rows:
        """First hits of a run; with ``record="improvements"`` all its improvements.

        Rows of `dtypes.HITS`, as of all that follow: ``log.hits(0).evaluation`` is an array.
        """
        return self._of("hits", run)

    def trajectory(self, run: int) -> Rows:
        """Best precision of a run at the scheduled counts and its last evaluation."""
        return self._of("trajectory", run)

    def hit_seconds(self, run: int) -> NDArray[np.float64]:
        """Seconds of a run at its `hits`, shape ``(n_hits,)``; ``(0,)`` where nobody timed them."""
        return np.array(self._of("hit_seconds", run)["seconds"])

    def trajectory_seconds(self, run: int) -> NDArray[np.float64]:
        """Likewise at the rows of its `trajectory`; the last one is that of its end."""
        return np.array(self._of("trajectory_seconds", run)["seconds"])

    def dropped(self, run: int) -> Rows:
        """Evaluations in parallel that were under way at a restart, or when the run ended."""
        return self._of("dropped", run)

    def restarts(self, run: int) -> Rows:
        """Restarts of a run."""
        return self._of("restarts", run)

    def recommendations(self, run: int) -> Rows:
        """Recommended solutions of a run: when, and how good they are."""
        return self._of("recommendations", run)

    def recommended_solutions(self, run: int) -> NDArray[np.float64]:
        """Where they are, shape ``(n_recommendations, dimension)``."""
        dimension = int(self._table.runs["dimension"][self._row(run)])
        return self._numbers("recommended_solutions", run).reshape(-1, dimension)

    def notes_of(self, run: int) -> Rows:
        """Parameters that the algorithm noted in a run."""
        return self._of("notes", run)

    def archive(self, run: int) -> Rows:
        """Points that entered the archive of a run on two objectives, in order."""
        return self._of("archive", run)

    def objectives(self, run: int) -> Rows:
        """Ideal and nadir of a run's two objectives, a row each; no rows where nobody knows."""
        return self._of("objectives", run)

    def target_units(self, rows: ArrayLike) -> NDArray[np.float64]:
        """What the targets of a suite are multiplied by in each of these runs: 1, but for a few.

        Args:
            rows: Positions of runs, shape ``(n_rows,)``, or a mask of all runs.
        """
        units = self._table.ragged["target_unit"]
        places = self._positions(rows)
        there = units.lengths[places] > 0
        found = np.ones(len(places))
        found[there] = units.pick(places[there]).rows["unit"]
        return found

    def best_solution(self, run: int) -> NDArray[np.float64]:
        """The best point a run evaluated, shape ``(dimension,)``; ``(0,)`` where there is none."""
        return self._numbers("best_solutions", run)

    def first_hits(
        self,
        rows: ArrayLike,
        targets: ArrayLike,
        constraints_weight: float = 0.0,
        in_seconds: bool = False,
    ) -> FirstHitTimes:
        """Evaluations at the first hit of target precisions.

        Args:
            rows: Positions of runs, shape ``(n_rows,)``, or a mask of all runs.
            targets: Precisions, shape ``(n_targets,)``, also 0 and below. Within a relative 1e-9 of
                a value of the grid they mean that value.
            constraints_weight: How much of an evaluation each evaluation of the constraints made by
                then counts as, on top; COCO counts both alike, weight 1.
            in_seconds: Give the seconds of the run at its hits instead; see `seconds`.

        Returns:
            ``(evaluations, exact)``, both of shape ``(n_rows, n_targets)``. ``evaluations`` is
            float64, NaN where a target was not reached, or where the run has no reference value.
            Where ``exact`` is False, the target lies between two of the grid and was reached at
            this evaluation or at an earlier one that the log does not tell.

        Raises:
            IndexError: There is no such run.
        """
        target_values = np.atleast_1d(targets)
        index = self._positions(rows)
        return first_hits(self._table, index, target_values, constraints_weight, in_seconds)

    def seconds(self, rows: ArrayLike) -> NDArray[np.float64]:
        """Seconds that runs took in all, ``(n_rows,)``; NaN where their hits have no seconds.

        Simulated ones up to their last evaluation, or, of a run that was measured, those of the
        wall clock up to its end.
        """
        index, tables = self._positions(rows), self._table.ragged
        part = tables["trajectory_seconds"].pick(index)
        is_timed = (part.lengths > 0) & (
            tables["hit_seconds"].lengths[index] == tables["hits"].lengths[index]
        )
        last = np.append(part.rows["seconds"], np.nan)[np.where(is_timed, part.offsets[1:] - 1, -1)]
        last[self.runs["evaluations"][index] == 0] = 0.0
        wall = np.maximum(last, self.runs["wall_seconds"][index])
        return np.where(self.hosts(index) != "", wall, last)

    def hosts(self, rows: ArrayLike) -> NDArray[np.str_]:
        """Name of the machine whose clock timed each run, ``(n_rows,)``; empty: simulated time."""
        part = self._table.ragged["origin"].pick(self._positions(rows))
        hosts = np.append(part.rows["host"], np.bytes_(b""))
        found = hosts[np.where(part.lengths > 0, part.offsets[:-1], -1)]
        return np.char.decode(found, "utf-8", "replace")

    def best_at(self, rows: ArrayLike, evaluations: ArrayLike) -> BestSoFar:
        """Best precision of runs after so many evaluations.

        One call for many runs, each with its own counts, is far faster than many calls.

        Args:
            rows: Positions of runs, shape ``(n_rows,)``, or a mask of all runs.
            evaluations: Counts, shape ``(n_counts,)``, or ``(n_rows, n_counts)``.

        Returns:
            ``(precision, bound)``, both of shape ``(n_rows, n_counts)``. ``precision`` is inf
            before the first finite value, and stays what it was after the run's end. ``bound`` is
            below it where the run may have been better by then without the log telling.

        Raises:
            IndexError: There is no such run.
        """
        counts = np.atleast_1d(np.asarray(evaluations, dtype=np.int64))
        return best_so_far(self._table, self._positions(rows), counts)

    def entries(self, name: str) -> NDArray[np.int64]:
        """How many rows each run has of ``"hits"``, ``"restarts"``, ``"archive"`` …: ``(n_runs,)``.

        Raises:
            UnknownNameError: No rows have that name.
        """
        tables = self._table.ragged
        if name not in tables:
            raise UnknownNameError.of("kind of rows", name, tuple(tables))
        return tables[name].lengths

    def forget(self) -> None:
        """Free the memory of what was read from files; it is read again when asked for."""
        for entries in self._table.ragged.values():
            entries.forget()

    def _of(self, name: str, run: int) -> Rows:
        return self._table.ragged[name].of(self._row(run))

    def _numbers(self, name: str, run: int) -> NDArray[np.float64]:
        return np.array(self._of(name, run)["x"])

    def _row(self, run: int) -> int:
        return range(len(self))[run]

    def _positions(self, rows: ArrayLike) -> NDArray[np.int64]:
        """Positions of runs, from 0, of positions or a mask."""
        n_runs, index = len(self), np.asarray(rows)
        index = (np.flatnonzero(index) if index.dtype == bool else index).astype(np.int64)
        if len(index) and not (-n_runs <= index.min() and index.max() < n_runs):
            raise IndexError(f"rows must be positions of runs, from 0 to {n_runs - 1}")
        return index % max(n_runs, 1)
