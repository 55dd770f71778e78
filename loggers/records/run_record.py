"""Everything that is known of one finished run, as plain frozen data that travels by pickle."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field, fields
from functools import partial
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ...suites import Problem
from ...suites.facts import ProblemId
from ...suites.measurement import STANDARD, Measurement
from ..errors import ObservationError
from .dtypes import TABLES, Rows, no_rows
from .identity import RunIdentity


@dataclass(frozen=True, slots=True)
class SuiteFacts:
    """A suite as its runs are recorded.

    Attributes:
        name: Of the suite.
        version: Of its definition; values never change under one version.
        measurement: The indicator that was recorded, and the targets that apply to it.
    """

    name: str
    version: str = "1"
    measurement: Measurement = field(default=STANDARD)

    @classmethod
    def of(cls, problem: Problem, indicator: str | None = None) -> SuiteFacts:
        """The facts of a problem's suite; ``indicator`` is recorded instead of the suite's own."""
        measurement = problem.measurement
        if indicator is not None and indicator != measurement.indicator:
            final = measurement.final_target if problem.number_of_objectives == 1 else None
            measurement = Measurement(indicator, measurement.targets, final)
        return cls(problem.suite, problem.suite_version, measurement)


Status = Literal["target", "budget", "terminated", "failed", "timeout", "interrupted"]
STATUSES: tuple[Status, ...] = get_args(Status)
"""How a run can end. The order is that of the codes in the file."""

Record = Literal["targets", "improvements", "targets_5", "targets_10", "sampled"]
RECORDS: tuple[Record, ...] = get_args(Record)
"""What is recorded. The order is that of the codes in the file.

``targets``: the first hits of the grid's targets. ``improvements``: every improvement. The others
are of imported data, where some improvements are recorded: ``targets_5`` and ``targets_10``, among
them the first hits of the targets 10**(i/5) >= 1e-8, or of 10**(i/10) >= 1e-8, 0 and -10**(i/10);
``sampled``, with no promise.
"""
OBSERVED_RECORDS: tuple[Record, ...] = RECORDS[:2]
"""What an observer can record."""

ArchiveKept = Literal["all", "final", "none"]
ARCHIVES_KEPT: tuple[ArchiveKept, ...] = get_args(ArchiveKept)
"""What is kept of the archive of two objectives. The order is that of the codes in the file.

``all``: every point that entered. ``final``: those that are left at the end. ``none``: nothing.
"""

MAX_TEXT_BYTES = 2000


Clock = Literal["none", "measured"]
CLOCKS: tuple[Clock, ...] = get_args(Clock)
"""Whether hits get the second of the run at which they were made, besides their evaluation."""

_TIMES = (
    "wall_seconds", "cpu_seconds", "problem_seconds", "hit_seconds", "trajectory_seconds", "origin",
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RunRecord:
    """One finished run; an ObservationError where something in it is impossible.

    Rows are those of ``dtypes.TABLES``, which says what they are; solutions are the points
    themselves, of shapes ``(n_recommendations, dimension)`` and ``(dimension,)``, or ``(0,)``.
    """

    identity: RunIdentity
    suite: SuiteFacts
    function_name: str
    group: str  # of functions within the suite; may be empty
    reference_value: float  # what precisions are measured from; NaN where there is nothing
    status: Status
    reference_name: str = ""  # where that value comes from; at most 200 bytes
    error: str = ""  # what went wrong, or why a run that ended by itself did
    seed: int = 0  # the run's own, 0 <= seed < 2**64
    budget: int | None = None  # in evaluations
    record: Record = "targets"
    evaluations: int = 0  # of the objective
    evaluations_constraints: int = 0
    best_precision: float = float("inf")  # of the indicator; inf where no finite value was seen
    wall_seconds: float = 0.0  # from the start of the run to its end
    cpu_seconds: float = 0.0  # of the process, likewise
    problem_seconds: float = 0.0  # wall time in the problem; sampled where evaluations are fast
    hits: Rows = field(default_factory=partial(no_rows, TABLES["hits"]))
    trajectory: Rows = field(default_factory=partial(no_rows, TABLES["trajectory"]))
    restarts: Rows = field(default_factory=partial(no_rows, TABLES["restarts"]))
    recommendations: Rows = field(default_factory=partial(no_rows, TABLES["recommendations"]))
    recommended_solutions: NDArray[np.float64] = field(default_factory=partial(np.empty, (0, 0)))
    notes: Rows = field(default_factory=partial(no_rows, TABLES["notes"]))
    archive: Rows = field(default_factory=partial(no_rows, TABLES["archive"]))
    archive_kept: ArchiveKept = "all"
    objectives: Rows = field(default_factory=partial(no_rows, TABLES["objectives"]))
    hit_seconds: Rows = field(default_factory=partial(no_rows, TABLES["hit_seconds"]))
    trajectory_seconds: Rows = field(default_factory=partial(no_rows, TABLES["trajectory_seconds"]))
    dropped: Rows = field(default_factory=partial(no_rows, TABLES["dropped"]))
    origin: Rows = field(default_factory=partial(no_rows, TABLES["origin"]))
    target_unit: Rows = field(default_factory=partial(no_rows, TABLES["target_unit"]))
    best_solution: NDArray[np.float64] = field(default_factory=partial(np.empty, 0))

    def __post_init__(self) -> None:
        check_one_of(self.status, STATUSES, "status")
        check_one_of(self.record, RECORDS, "record")
        check_one_of(self.archive_kept, ARCHIVES_KEPT, "archive_kept")
        if not 0 <= self.seed < 2**64:
            raise ObservationError(f"{self.identity}: seed is {self.seed}, not in [0, 2**64)")
        self._check_recorded()
        object.__setattr__(self, "error", clean_text(self.error, MAX_TEXT_BYTES))

    def _check_recorded(self) -> None:
        """Refuse here what a reader would refuse: one bad record must not spoil a log."""
        for rows in (self.hits, self.trajectory, self.archive):
            if not len(rows):
                continue
            counts = rows["evaluation"]
            before, after = counts[:-1], counts[1:]
            falls = before > after if rows is self.archive else before >= after
            # count_nonzero takes a fifth of the time of any()
            if np.count_nonzero(falls) or not (counts[0] >= 1 and counts[-1] <= self.evaluations):
                raise ObservationError(
                    f"{self.identity}: recorded evaluations must ascend from 1 to "
                    f"{self.evaluations}; they are {counts[:3]} … {counts[-3:]}"
                )
        targets = self.hits["target"]
        if np.count_nonzero(targets[1:] > targets[:-1]):
            raise ObservationError(f"{self.identity}: targets of first hits must not rise")
        if len(self.objectives) not in (0, 2):
            raise ObservationError(f"{self.identity}: ideal and nadir need a row an objective")
        timed = (self.hit_seconds, self.hits), (self.trajectory_seconds, self.trajectory)
        if len(self.origin) > 1 or any(len(s) not in (0, len(rows)) for s, rows in timed):
            raise ObservationError(f"{self.identity}: seconds need a row a hit, an origin one row")
        if len(self.target_unit) > 1:
            raise ObservationError(f"{self.identity}: the unit of targets needs one row")
        for seconds, _ in timed:
            if len(seconds) and not is_clock(seconds["seconds"]):
                raise ObservationError(f"{self.identity}: seconds must be finite, and not fall")
        dimension = self.identity.problem.dimension
        count = len(self.recommendations)
        if len(self.best_solution) not in (0, dimension) or (
            count and self.recommended_solutions.shape != (count, dimension)
        ):
            raise ObservationError(f"{self.identity}: solutions must have {dimension} numbers")

    def __reduce__(self) -> tuple[Any, ...]:
        """Arrays travel as their bytes: many short ones take long to be pickled one by one."""
        run, problem = self.identity, self.identity.problem
        place = problem.suite, problem.function, problem.dimension, problem.instance
        names = run.algorithm, place, run.repetition, run.campaign_seed, run.stage
        suite = self.suite.name, self.suite.version, self.suite.measurement
        values = [getattr(self, name) for name in _OTHERS]
        packed = [v.tobytes() if isinstance(v, np.ndarray) else v for v in values]
        return _unpacked, (names, suite, *packed)

    @property
    def key(self) -> str:
        """The run's key: see ``RunIdentity.key``."""
        return self.identity.key

    def same_outcome(self, other: RunRecord) -> bool:
        """Whether both are the same run with the same result: everything but the times.

        Seconds of hits are times: where they are simulated, they follow from the rest.
        """
        return all(
            _same(getattr(self, item.name), getattr(other, item.name))
            for item in fields(self)
            if item.name not in _TIMES
        )


_OTHERS = tuple(item.name for item in fields(RunRecord) if item.name not in ("identity", "suite"))


def _unpacked(names: tuple[Any, ...], suite: tuple[Any, ...], *values: Any) -> RunRecord:
    """The record that ``RunRecord.__reduce__`` took apart."""
    algorithm, place, *numbers = names
    identity = RunIdentity(algorithm, ProblemId(*place), *numbers)
    known = dict(zip(_OTHERS, values, strict=True))
    for name in TABLES.keys() & known:
        dtype, packed = TABLES[name], known[name]
        known[name] = np.frombuffer(packed, dtype) if packed else no_rows(dtype)
    solutions = known["recommended_solutions"]["x"]
    known["recommended_solutions"] = solutions.reshape(-1, identity.problem.dimension)
    known["best_solution"] = np.frombuffer(known["best_solution"])
    record = object.__new__(RunRecord)  # it was checked when it was made
    for name, value in (("identity", identity), ("suite", SuiteFacts(*suite)), *known.items()):
        object.__setattr__(record, name, value)
    return record


def check_one_of(value: object, allowed: tuple[str, ...], what: str) -> None:
    """Raise ObservationError where ``value`` is none of ``allowed``."""
    if value not in allowed:
        raise ObservationError(f"{what} is {value!r}; allowed are: {', '.join(allowed)}")


def is_clock(seconds: NDArray[np.float64]) -> bool:
    """Whether seconds, shape ``(n,)``, are finite, not negative, and never fall."""
    return bool(np.isfinite(seconds).all() and (np.diff(seconds, prepend=0.0) >= 0).all())


def clean_text(text: str, max_bytes: int) -> str:
    """``text`` without control characters but line ends and tabs, cut to ``max_bytes`` of UTF-8."""
    if not text:
        return text
    if not text.isprintable():
        text = "".join(c for c in text if c in "\n\t" or unicodedata.category(c)[0] != "C")
    encoded = text.encode()
    if len(encoded) <= max_bytes:
        return text
    return encoded[: max_bytes - 3].decode(errors="ignore") + "…"


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, np.ndarray):
        return bool(a.shape == b.shape and a.tobytes() == b.tobytes())
    return bool(a == b) or (a != a and b != b)
