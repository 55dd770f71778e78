"""The runs of one or several logs: their columns, rows of each run, first hits, best-so-far values.

`read_log` returns a `Log`. Its attribute `runs` has one value for each run. Methods such as `hits`
return the rows of one run, and `first_hits`, `best_at` and others compute arrays for many runs at
once. The rows of large logs stay in their files until a method needs them.
"""

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
from ..hdf5.deduplicate import drop_unused_texts
from ..hdf5.merge import check_log_path, log_exists, write_merged
from ..hdf5.ragged import Ragged
from ..hdf5.table import LogTable
from ..records.dtypes import Rows
from ..records.run_record import SuiteFacts
from .best_so_far import BestSoFar, best_so_far
from .first_hits import FirstHitTimes, first_hits
from .points import RunPoints, make_run_points
from .recommended import replace_hits_by_recommendations
from .runs import RunColumns


class Log:
    """Runs of one or several logs in canonical order; each run occurs once.

    The order is by suite, dimension, function, instance, algorithm, repetition and stage. A method
    that takes the position of a run counts from 0 and accepts negative positions.

    Args:
        table: The runs, in canonical order.
        files: Files from which the runs were read.
        recommended: See the attribute.
        checksums: See the attribute. None: no checksums.
        publications: See the attribute. None: no publications.

    Attributes:
        runs: Columns with one value for each run, such as ``runs.status``.
        files: Files from which the runs were read.
        recommended: Whether hits and precisions are those of the solutions that the algorithms
            recommended, instead of those of all evaluated points.
        checksums: SHA-256 of the content of each file when it was read, in hexadecimal digits. It
            is the checksum in the second line of the file. It is empty for journals and for data of
            other programs.
        publications: Attributes of each published log: ``license``, ``author`` and, if it has a
            DOI, ``identifier``. ``firsthit publish`` writes them. Other files are left out.

    Example:
        >>> import firsthit
        >>> results = firsthit.benchmark(
        ...     "random-search", "bbob", functions=1, dimensions=2, instances="1-3", budget=20
        ... )
        >>> log = results.log
        >>> log
        <Log: 3 runs of random-search>
        >>> log.runs["instance"], log.runs["evaluations"]
        (array([1, 2, 3]), array([20, 20, 20]))
        >>> log.hits(0)["evaluation"]  # first hits of the first run, easiest target first
        array([1, 2])
    """

    def __init__(
        self,
        table: LogTable,
        files: Sequence[Path] = (),
        recommended: bool = False,
        checksums: Mapping[Path, str] | None = None,
        publications: Mapping[Path, Mapping[str, str]] | None = None,
    ) -> None:
        self.files = tuple(files)
        self.checksums = dict(checksums or {})
        self.publications = dict(publications or {})
        self.recommended = recommended
        self.runs = RunColumns(table)
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
        """Version and measurement (indicator, targets, final target) of each suite, by its name."""
        return {suite.name: suite for suite in self._table.suites}

    @property
    def headers(self) -> tuple[dict[str, Any], ...]:
        """Headers of the logs: algorithms, campaign, tuning, setup and provenance.

        There is one header for each session that wrote some of these runs.
        """
        return tuple(json.loads(text) for text in self._table.headers)

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on content that could not be read or had to be guessed; usually none.

        They report what an import guessed, the torn end of a journal, content of a newer minor
        version of the format that is not used, and several versions of an algorithm's file. A note
        that applies to some of several imported folders begins with the names of these folders.
        """
        sources_by_note: dict[str, list[str]] = {}
        provenance = [header.get("provenance") or {} for header in self.headers]
        imports = [facts["imported"] for facts in provenance if facts.get("imported")]
        for facts in imports:
            for note in facts.get("notes") or ():
                sources_by_note.setdefault(str(note), []).append(str(facts.get("from", "")))
        import_notes = (
            note if len(sources) == len(imports) else f"{', '.join(sources)}: {note}"
            for note, sources in sources_by_note.items()
        )
        return (*self._table.notes, *import_notes, *self._describe_changed_files())

    def _describe_changed_files(self) -> Iterator[str]:
        """Yield a sentence on each algorithm whose runs were made by several versions of a file."""
        algorithms, algorithm_of_run = self.runs.codes("algorithm")
        checksums, checksum_of_run = self.runs.codes("code")
        if len(checksums) < 2:
            return
        for i, algorithm in enumerate(algorithms):
            counts = np.bincount(checksum_of_run[algorithm_of_run == i], minlength=len(checksums))
            versions = [
                f"{n_runs} by {checksum[:8]}"
                for n_runs, checksum in zip(counts.tolist(), checksums, strict=True)
                if n_runs
            ]
            if len(versions) > 1:
                yield (
                    f"runs of {algorithm!r} were made by {len(versions)} versions of its file: "
                    f"{', '.join(versions)}."
                )

    def take(self, rows: ArrayLike) -> Log:
        """Return a log with some of the runs, in the order of this log.

        Args:
            rows: Positions of runs, shape ``(n_rows,)``, or a mask of all runs.

        Raises:
            IndexError: A position is not that of a run.
        """
        table = drop_unused_texts(self._table.take(np.unique(self._positions_of(rows))))
        return Log(table, self.files, self.recommended, self.checksums, self.publications)

    def save(
        self, path: str | os.PathLike[str], publication: Mapping[str, str] | None = None
    ) -> Path:
        """Write the runs into a new log file, and block until it is on the disk.

        Args:
            path: A new file, ``NAME.h5``.
            publication: Root attributes of a published log by name: ``license``, ``author``,
                ``identifier``. ``firsthit publish`` writes them. Default: no such attributes.

        Returns:
            The path of the file.

        Raises:
            LogExistsError: A log of this name exists.
            LogWriteError: The file cannot be written.
        """
        new_path = check_log_path(path)
        if log_exists(new_path):
            raise LogExistsError(
                f"the log {str(path)!r} exists and is not replaced; choose another name"
            )
        write_merged(new_path, {new_path: self._table}, publication)
        return new_path

    def of_recommendations(self) -> Log:
        """Return the same runs, measured by the solutions that the algorithms recommended.

        In the returned log, ``runs``, ``hits``, ``first_hits`` and ``best_at`` are those of the
        recommended solutions, and ``trajectory`` is empty. A solution counts at the evaluation
        after which it was recommended.
        """
        table = replace_hits_by_recommendations(self._table)
        return Log(table, self.files, True, self.checksums, self.publications)

    def header_of(self, run: int) -> dict[str, Any]:
        """Return the header of the session that wrote the run at position ``run``."""
        header: dict[str, Any] = json.loads(self._table.headers[self._table.runs["header"][run]])
        return header

    def headers_of(self, rows: ArrayLike) -> list[tuple[dict[str, Any], int]]:
        """Return the headers of the sessions that wrote some runs, with the numbers of these runs.

        Args:
            rows: Positions of runs, shape ``(n_rows,)``, or a mask of all runs.

        Returns:
            Pairs of a header and the number of the runs that have it; each header occurs once.

        Raises:
            IndexError: A position is not that of a run.
        """
        headers = self._table.runs["header"][self._positions_of(rows)]
        numbers, counts = np.unique(headers, return_counts=True)
        texts = (self._table.headers[number] for number in numbers.tolist())
        return [(json.loads(text), n) for text, n in zip(texts, counts.tolist(), strict=True)]

    def published(self) -> tuple[dict[str, str], NDArray[np.bool_]]:
        """Return which runs were imported from published data sets, such as ``coco:PATTERN``.

        Returns:
            SHA-256 of each data set by its name, and a mask of the runs that were imported from
            published data sets, shape ``(n_runs,)``.
        """
        provenance = [header.get("provenance") or {} for header in self.headers]
        imports = [facts.get("imported") or {} for facts in provenance]
        checksums = {
            str(facts["from"]): str(facts["sha256"]) for facts in imports if "sha256" in facts
        }
        is_published = np.array(["sha256" in facts for facts in imports], dtype=bool)
        return checksums, is_published[self._table.runs["header"]]

    def groups(self, suite: str | None = None) -> dict[str, tuple[int, ...]]:
        """Return the numbers of the functions that have runs, by the name of their group.

        Args:
            suite: Name of a suite. Default: the functions of all suites.
        """
        rows = [row for row in self._table.functions if suite in (None, row.suite)]
        rows.sort(key=lambda row: row.function)
        groups = dict.fromkeys(row.group for row in rows)
        return {
            group: tuple(dict.fromkeys(row.function for row in rows if row.group == group))
            for group in groups
        }

    def hits(self, run: int) -> Rows:
        """Return the first hits of a run, or with ``record="improvements"`` all improvements.

        The rows have the type `dtypes.HITS`. Here and in the methods below the rows are a record
        array: ``log.hits(0).evaluation`` is a column.
        """
        return self._rows_of("hits", run)

    def hits_of_runs(self, rows: ArrayLike) -> Ragged:
        """Return the `hits` of several runs, which is faster than one call for each run.

        Args:
            rows: Positions of runs, shape ``(n_rows,)``, or a mask of all runs.

        Returns:
            All hits as ``rows``. The hits of the run at ``rows[i]`` are those from ``offsets[i]``
            to ``offsets[i + 1] - 1``.

        Raises:
            IndexError: A position is not that of a run.
        """
        return self._table.ragged["hits"].pick(self._positions_of(rows))

    def trajectory(self, run: int) -> Rows:
        """Return the best precisions of a run at the scheduled counts and at its last evaluation.

        The rows have the type `dtypes.TRAJECTORY`.
        """
        return self._rows_of("trajectory", run)

    def hit_seconds(self, run: int) -> NDArray[np.float64]:
        """Return the seconds of a run at its `hits`, shape ``(n_hits,)``; ``(0,)`` if not timed."""
        return np.array(self._rows_of("hit_seconds", run)["seconds"])

    def trajectory_seconds(self, run: int) -> NDArray[np.float64]:
        """Return the seconds of a run at the rows of its `trajectory`; ``(0,)`` if not timed.

        The last value is the time of the run's last evaluation.
        """
        return np.array(self._rows_of("trajectory_seconds", run)["seconds"])

    def dropped(self, run: int) -> Rows:
        """Return the numbers of pending evaluations at restarts and at the end of a run.

        The rows have the type `dtypes.DROPPED`. Only runs in simulated parallel time have some.
        """
        return self._rows_of("dropped", run)

    def restarts(self, run: int) -> Rows:
        """Return the restarts of a run, rows of the type `dtypes.RESTARTS`."""
        return self._rows_of("restarts", run)

    def recommendations(self, run: int) -> Rows:
        """Return the evaluation and the precision of each solution that a run recommended.

        The rows have the type `dtypes.RECOMMENDATIONS`.
        """
        return self._rows_of("recommendations", run)

    def recommended_solutions(self, run: int) -> NDArray[np.float64]:
        """Return the solutions that a run recommended, shape ``(n_recommendations, dimension)``."""
        dimension = int(self._table.runs["dimension"][self._resolve_position(run)])
        return self._numbers_of("recommended_solutions", run).reshape(-1, dimension)

    def notes_of(self, run: int) -> Rows:
        """Return the parameters that the algorithm logged in a run, of type `dtypes.NOTES`."""
        return self._rows_of("notes", run)

    def archive(self, run: int) -> Rows:
        """Return the points that entered the archive of a run with two objectives, in order.

        The rows have the type `dtypes.ARCHIVE`.
        """
        return self._rows_of("archive", run)

    def objectives(self, run: int) -> Rows:
        """Return the ideal and nadir values of the two objectives of a run's problem.

        There are two rows of the type `dtypes.OBJECTIVES`, or none if the values are unknown.
        """
        return self._rows_of("objectives", run)

    def target_units(self, rows: ArrayLike) -> NDArray[np.float64]:
        """Return the factors by which the targets of the suite are multiplied in some runs.

        Args:
            rows: Positions of runs, shape ``(n_rows,)``, or a mask of all runs.

        Returns:
            Factors, shape ``(n_rows,)``; 1 unless the suite defines another one for the problem.

        Raises:
            IndexError: A position is not that of a run.
        """
        recorded_units = self._table.ragged["target_unit"]
        positions = self._positions_of(rows)
        is_recorded = recorded_units.lengths[positions] > 0
        units = np.ones(len(positions))
        units[is_recorded] = recorded_units.pick(positions[is_recorded]).rows["unit"]
        return units

    def best_solution(self, run: int) -> NDArray[np.float64]:
        """Return the best point that a run evaluated, shape ``(dimension,)``; ``(0,)`` if none."""
        return self._numbers_of("best_solutions", run)

    def points(self, run: int) -> RunPoints:
        """Return the recorded points of a run; none unless ``record_points`` was given.

        They are those of its first or of all evaluations, or those of its hits.
        """
        row = self._table.runs[self._resolve_position(run)]
        dimension = int(row["dimension"])
        solutions = [
            self._numbers_of(name, run).reshape(-1, dimension)
            for name in ("evaluated_solutions", "hit_solutions")
        ]
        return make_run_points(
            self._rows_of("evaluations", run),
            solutions[0],
            self.hits(run),
            solutions[1],
            self.archive(run),
            self.notes_of(run),
            reference=float(row["reference_value"]),
            has_ideal_point=len(self.objectives(run)) > 0,
        )

    def first_hits(
        self,
        rows: ArrayLike,
        targets: ArrayLike,
        constraints_weight: float = 0.0,
        in_seconds: bool = False,
    ) -> FirstHitTimes:
        """Return the evaluations at which runs first hit target precisions.

        Args:
            rows: Positions of runs, shape ``(n_rows,)``, or a mask of all runs.
            targets: Precisions, shape ``(n_targets,)``, also 0 and below. A precision within a
                relative distance of 1e-9 of a value of the grid means that value.
            constraints_weight: Weight of the evaluations of the constraints up to the hit, which
                are added to those of the objective. COCO uses 1.
            in_seconds: Whether to return the seconds of the run at the hits instead. Each run must
                be timed.

        Returns:
            ``(evaluations, exact)``, both of shape ``(n_rows, n_targets)``. ``evaluations`` is
            float64; NaN if the run did not hit the target, or has no reference value. ``exact`` is
            False if the target lies between two values of the grid and the hit may have been at an
            earlier evaluation that was not recorded.

        Raises:
            IndexError: A position is not that of a run.
            ValueError: ``in_seconds`` is true, and some of the runs were not timed.
        """
        target_values = np.atleast_1d(targets)
        positions = self._positions_of(rows)
        if in_seconds:
            is_untimed = np.zeros(len(positions), dtype=np.bool_)
            for name, seconds in (("hits", "hit_seconds"), ("trajectory", "trajectory_seconds")):
                is_untimed |= (self.entries(seconds) != self.entries(name))[positions]
            if is_untimed.any():
                raise ValueError(
                    f"{is_untimed.sum()} of {len(positions)} runs were not timed, so their hits "
                    "have no seconds; leave in_seconds out, or choose timed runs"
                )
        return first_hits(self._table, positions, target_values, constraints_weight, in_seconds)

    def seconds(self, rows: ArrayLike) -> NDArray[np.float64]:
        """Return the durations of runs in seconds.

        The duration of a run in simulated time ends with its last evaluation. The duration of a
        timed run is measured by the wall clock up to the end of the run.

        Args:
            rows: Positions of runs, shape ``(n_rows,)``, or a mask of all runs.

        Returns:
            Seconds, shape ``(n_rows,)``; NaN if the hits of the run have no seconds.

        Raises:
            IndexError: A position is not that of a run.
        """
        positions, tables = self._positions_of(rows), self._table.ragged
        entries = tables["trajectory_seconds"].pick(positions)
        is_timed = (entries.lengths > 0) & (
            tables["hit_seconds"].lengths[positions] == tables["hits"].lengths[positions]
        )
        # index -1 is the appended NaN
        last_entries = np.where(is_timed, entries.offsets[1:] - 1, -1)
        last_seconds = np.append(entries.rows["seconds"], np.nan)[last_entries]
        last_seconds[self.runs["evaluations"][positions] == 0] = 0.0
        wall_seconds = np.maximum(last_seconds, self.runs["wall_seconds"][positions])
        return np.where(self.hosts(positions) != "", wall_seconds, last_seconds)

    def hosts(self, rows: ArrayLike) -> NDArray[np.str_]:
        """Return the names of the machines whose clocks timed some runs.

        Args:
            rows: Positions of runs, shape ``(n_rows,)``, or a mask of all runs.

        Returns:
            Names, shape ``(n_rows,)``; empty for a run in simulated time and for an untimed run.

        Raises:
            IndexError: A position is not that of a run.
        """
        entries = self._table.ragged["origin"].pick(self._positions_of(rows))
        names = np.append(entries.rows["host"], np.bytes_(b""))  # index -1 is the empty name
        names_of_runs = names[np.where(entries.lengths > 0, entries.offsets[:-1], -1)]
        return np.char.decode(names_of_runs, "utf-8", "replace")

    def best_at(self, rows: ArrayLike, evaluations: ArrayLike) -> BestSoFar:
        """Return the best precisions of runs up to given numbers of evaluations, with bounds.

        One call for many runs is far faster than a call for each run.

        Args:
            rows: Positions of runs, shape ``(n_rows,)``, or a mask of all runs.
            evaluations: Counts, shape ``(n_counts,)`` for all runs or ``(n_rows, n_counts)``.

        Returns:
            ``(precision, bound)``, both of shape ``(n_rows, n_counts)``. ``precision`` is inf
            before the first finite value, and constant after the run's end. ``bound`` is lower
            than ``precision`` where the run may have had a better value that was not recorded.

        Raises:
            IndexError: A position is not that of a run.
        """
        counts = np.atleast_1d(np.asarray(evaluations, dtype=np.int64))
        return best_so_far(self._table, self._positions_of(rows), counts)

    def entries(self, name: str) -> NDArray[np.int64]:
        """Return the number of rows that each run has in one of the variable-length tables.

        Args:
            name: ``"hits"``, ``"restarts"``, ``"archive"`` or another key of `dtypes.TABLES`.

        Returns:
            Numbers of rows, shape ``(n_runs,)``.

        Raises:
            UnknownNameError: No table has this name.
        """
        tables = self._table.ragged
        if name not in tables:
            raise UnknownNameError.of("kind of rows", name, tuple(tables))
        return tables[name].lengths

    def forget(self) -> None:
        """Free the memory of rows that were read from files; later calls read them again."""
        for entries in self._table.ragged.values():
            entries.forget()

    def _rows_of(self, table_name: str, run: int) -> Rows:
        """Return the rows of a run in one of `dtypes.TABLES`."""
        return self._table.ragged[table_name].of(self._resolve_position(run))

    def _numbers_of(self, table_name: str, run: int) -> NDArray[np.float64]:
        """Return the numbers of a run in a table of the type `dtypes.NUMBERS`, shape ``(n,)``."""
        return np.array(self._rows_of(table_name, run)["x"])

    def _resolve_position(self, run: int) -> int:
        """Return a position from 0 for one that may be negative; raise IndexError if invalid."""
        return range(len(self))[run]

    def _positions_of(self, rows: ArrayLike) -> NDArray[np.int64]:
        """Return positions from 0 for a mask of all runs, or for positions that may be negative."""
        n_runs, index = len(self), np.asarray(rows)
        positions = (np.flatnonzero(index) if index.dtype == bool else index).astype(np.int64)
        if len(positions) and not (-n_runs <= positions.min() and positions.max() < n_runs):
            raise IndexError(f"rows must be positions of runs, from 0 to {n_runs - 1}")
        return positions % max(n_runs, 1)
