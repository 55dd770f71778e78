"""Find contradictions between the facts that COCO's data contain more than once.

COCO writes the best precision so far of a run into three files: at targets into ``.dat``, at
regular counts of evaluations into ``.tdat``, and after restarts into ``.rdat``. The index, the
names of files and the heads repeat other facts. So lost or damaged lines often contradict others.
`find_contradictions` yields a note for each kind of contradiction in a run. In a note, ``{n}``
stands for the number of runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from ....suites import Problem, suite_names
from ....suites.arrays import Floats
from ....suites.facts import ProblemId
from ....suites.suite import definition
from .info_files import IndexedRun

NO_VALUE = 1e21
"""Smallest number that means no value: COCO writes 2e21 for NaN and 3e21 for infinity."""

_DIGITS = 1e-9
"""Relative tolerance for numbers that are printed with ten digits."""
_INDEX_TOLERANCE = 0.06
"""Relative tolerance for the two digits of a precision in an index file."""
_RANK_TOLERANCE = 1e-6
"""Tolerance for ranks of targets, so that rounding of a precision close to a target is ignored."""


class RunLines(NamedTuple):
    """The lines of one run, and facts of its head and index.

    Columns of lines are evaluations, evaluations of the constraints, best precision so far and, in
    data with one objective and without constraints, the best value so far.
    """

    indexed: IndexedRun
    dat: Floats  # shape (n, 3) or (n, 4)
    tdat: Floats | None  # None: there is no such file
    rdat: Floats  # (0, 3) without such a file
    scheduled: Floats  # counts that lines of all runs in the .tdat file have
    reference: float  # value that precisions are relative to; 0: unknown
    declared: float  # reference value that firsthit's suite declares; NaN: unknown
    targets_per_decade: int  # that .dat has at least; 0: unknown
    smallest_target: float  # that .dat has


def find_contradictions(run: RunLines) -> Iterator[str]:
    """Yield a note for each kind of contradiction in the data of a run."""
    parts = [part for part in (run.dat, run.tdat) if part is not None]
    best = min((float(part[:, 2].min(initial=np.inf)) for part in parts), default=np.inf)
    best_in_index = np.inf if run.indexed.best >= NO_VALUE else run.indexed.best
    tolerance = _INDEX_TOLERANCE * abs(run.indexed.best) + 2e-8
    if best != best_in_index and abs(best - best_in_index) > tolerance:
        yield (
            "{n} runs have another best precision in the index than in their data: the data count."
        )
    last_count = parts[-1][-1, 0] if len(parts[-1]) else 0
    if run.indexed.evaluations and run.indexed.evaluations != last_count:
        yield (
            "{n} runs have another number of evaluations in the index than in their last line: "
            "the larger is taken."
        )
    if not _descends([*parts, run.rdat]):
        yield (
            "{n} runs have best precisions in .dat, .tdat and .rdat that contradict each other: "
            "lines are damaged or missing."
        )
    if any(_differs_from_value(part, run.reference) for part in parts):
        yield (
            "{n} runs have lines in which the best precision is not the best value minus Fopt: "
            "the precisions count."
        )
    if not np.isnan(run.declared) and abs(run.reference - run.declared) > _DIGITS * max(
        1.0, abs(run.declared)
    ):
        yield (
            "{n} runs have another Fopt than the suite declares: index or data are damaged, "
            "or of another version of the suite."
        )
    if np.any(run.dat[1:-1, 2] == run.dat[:-2, 2]):
        yield "{n} runs have lines in .dat that do not improve: they are of another file."
    if run.tdat is None:
        return
    if len(run.dat) and len(run.tdat) and run.dat[0, 0] != run.tdat[0, 0]:
        yield "{n} runs begin at another evaluation in .dat than in .tdat: lines are missing."
    if run.targets_per_decade and _lacks_lines(run, run.tdat):
        yield (
            "{n} runs hit targets in .tdat for which .dat has no line: lines are missing, or "
            "COCO's observer wrote fewer targets than usual. First hits are upper bounds."
        )
    counts = run.tdat[:, 0]
    if len(counts) and len(
        np.setdiff1d(run.scheduled[run.scheduled < counts[-1]], counts, assume_unique=True)
    ):
        yield "{n} runs lack lines in .tdat at counts of evaluations that other runs have."


def collect_scheduled_counts(paths: Iterable[Floats]) -> Floats:
    """Return the counts in the lines of a ``.tdat`` file, except those of the ends of runs."""
    return np.unique(np.concatenate([[], *(path[:-1, 0] for path in paths)]))


def find_declared_problem(problem: ProblemId) -> Problem | None:
    """Return the problem of a known suite; None if the suite has no such problem."""
    suite = definition(problem.suite) if problem.suite in suite_names() else None
    if suite is None or not (
        problem.function in suite.functions
        and problem.dimension in suite.valid_dimensions
        and problem.instance in suite.valid_instances
    ):
        return None
    return suite.problem(problem.function, problem.dimension, problem.instance)


def _descends(parts: list[Floats]) -> bool:
    """Return whether best precisions never increase, and are equal at equal counts."""
    rows = np.concatenate([part[:, [0, 2]] for part in parts])
    counts, values = rows[np.argsort(rows[:, 0], kind="stable")].T
    is_same_count = counts[1:] == counts[:-1]
    return not np.any((values[1:] > values[:-1]) | is_same_count & (values[1:] != values[:-1]))


def _differs_from_value(lines: Floats, reference: float) -> bool:
    """Return whether a precision is not the value in the same line minus the reference value."""
    if lines.shape[1] < 4 or reference == 0:
        return False
    precision, value = lines[np.isfinite(lines[:, 2]) & (np.abs(lines[:, 3]) < NO_VALUE), 2:].T
    error = np.abs(precision + reference - value)
    return bool(np.any(error > _DIGITS * (np.abs(precision) + np.abs(value))))


def _lacks_lines(run: RunLines, tdat: Floats) -> bool:
    """Return whether ``.tdat`` shows that a target was hit before ``.dat`` has a line for it."""
    rows = np.searchsorted(run.dat[:, 0], tdat[:, 0], side="right")
    precisions = np.append(np.inf, run.dat[:, 2])[rows]
    ranks_in_dat, ranks_in_tdat = (
        np.ceil(run.targets_per_decade * np.log10(np.maximum(values, run.smallest_target)) + shift)
        for values, shift in ((precisions, -_RANK_TOLERANCE), (tdat[:, 2], _RANK_TOLERANCE))
    )
    return bool(np.any(ranks_in_dat > ranks_in_tdat))
