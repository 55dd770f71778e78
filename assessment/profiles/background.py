"""Profiles of other algorithms, which figures show as thin grey curves in the background.

COCO shows the algorithms of its archive in this way. `background_of` reads the runs of the other
algorithms at the targets of the compared runs. `background_profiles` computes their curves for the
tables of the compared runs. `notes_on_background` names the algorithms whose curves are missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..cost import Count
from ..errors import AssessmentError
from ..hits.run_sets import RunSet, in_batches, run_sets_of
from ..targets.parse import items_of
from ..targets.target_sets import TargetSet
from .profiles import EcdfTable, Profile, ProfileOptions, ecdf_tables

_MAX_NAMED_ALGORITHMS = 10
"""Maximum number of algorithms that a note or a caption names."""


@dataclass(frozen=True, eq=False)
class Background:
    """Runs of other algorithms on functions and dimensions of the compared runs.

    Attributes:
        run_sets: The runs, with their first hits of the targets of the compared runs.
        sources: The logs and published data, as text; published data with their SHA-256.
        left_out: Algorithms of the sources that have the name of a compared algorithm.
    """

    run_sets: tuple[RunSet, ...]
    sources: str
    left_out: tuple[str, ...] = ()

    @property
    def algorithms(self) -> tuple[str, ...]:
        """Names of the algorithms, in the order of their runs."""
        return tuple(dict.fromkeys(run_set.algorithm for run_set in self.run_sets))


def background_of(
    names: str,
    compared: Sequence[RunSet],
    targets: TargetSet,
    count: Count,
    evaluations_per_batch: int | None = None,
) -> Background:
    """Read the runs of other algorithms on the functions and dimensions of the compared runs.

    Runs of the compared algorithms are left out, even if they are in the sources.

    Args:
        names: Paths of logs and names of published data, separated by commas.
        compared: The compared runs.
        targets: The targets of the compared runs.
        count: What counts as an evaluation.
        evaluations_per_batch: Number of evaluations of a batch. Hits and lengths of runs are then
            numbers of batches. None: they stay as counted.

    Returns:
        The runs of the other algorithms.

    Raises:
        AssessmentError: The sources contain no run of another algorithm on these functions and
            dimensions.
        FirsthitError: A source cannot be read.
    """
    # Imported here, because most tables have no background and do not need this import.
    from ...loggers import read_log

    log = read_log([str(name) for name in items_of(names)])
    runs = log.runs
    compared_algorithms = {run_set.algorithm for run_set in compared}
    compared_classes = {run_set.problem_class for run_set in compared}
    columns = (runs[name].tolist() for name in ("suite", "function", "dimension"))
    problem_classes = zip(*columns, strict=True)
    is_on_compared_class = np.array(
        [cls in compared_classes for cls in problem_classes], dtype=bool
    )
    is_of_other_algorithm = ~np.isin(runs["algorithm"], sorted(compared_algorithms))
    rows = np.flatnonzero(is_on_compared_class & is_of_other_algorithm)
    rows_left_out = np.flatnonzero(is_on_compared_class & ~is_of_other_algorithm)
    if not len(rows):
        raise AssessmentError(
            f"background: {names!r} holds no run of another algorithm on the functions and "
            "dimensions of the compared runs"
        )
    run_sets = tuple(in_batches(run_sets_of(log, rows, targets, count), evaluations_per_batch))
    left_out = dict.fromkeys(runs["algorithm"][rows_left_out].tolist())
    checksums, _ = log.published()
    published_names = [f"{name} (SHA-256 {sha256})" for name, sha256 in sorted(checksums.items())]
    return Background(run_sets, ", ".join(published_names) or names, tuple(left_out))


def background_profiles(
    background: Background,
    tables: Sequence[EcdfTable],
    targets: TargetSet,
    options: Sequence[ProfileOptions],
) -> list[list[Profile]]:
    """Compute the background curves of each table.

    A background curve is kept only if it spans exactly the functions that the table's curves of the
    same suite, dimension and group span. Curves over different functions cannot be compared.

    Args:
        background: The runs of other algorithms.
        tables: The tables of the compared algorithms, one for each of ``options``.
        targets: The targets of the compared runs.
        options: Options of the profiles, as the tables were computed with them.

    Returns:
        For each table, the background curves.
    """
    background_tables = ecdf_tables(background.run_sets, targets, options)
    curves = []
    for table, background_table in zip(tables, background_tables, strict=True):
        # By suite, dimension and name of the group, which `Profile.place` returns.
        compared_functions: dict[tuple[str, int, str], set[int]] = {}
        for profile in table.profiles:
            compared_functions.setdefault(profile.place, set()).update(profile.functions)
        curves.append(
            [
                replace(profile, background=True, partial=False)
                for profile in background_table.profiles
                if set(profile.functions) == compared_functions.get(profile.place)
            ]
        )
    return curves


def notes_on_background(background: Background, profiles: Sequence[Profile]) -> tuple[str, ...]:
    """Return notes on the curves in the background, on those that are missing, and on the sources.

    Args:
        background: The runs of other algorithms.
        profiles: All curves, those of the compared algorithms and those in the background.
    """
    n_possible = len({p.place for p in profiles if not (p.background or p.reference)})
    return describe_background(
        background, [p.algorithm for p in profiles if p.background], n_possible
    )


def describe_background(
    background: Background, algorithms_of_curves: Iterable[str], n_possible: int
) -> tuple[str, ...]:
    """Return notes on the curves in the background, on those that are missing, and on the sources.

    Args:
        background: The runs of other algorithms.
        algorithms_of_curves: The algorithm of each curve in the background.
        n_possible: Number of curves that each algorithm has if it was run on all functions.
    """
    n_curves = dict.fromkeys(background.algorithms, 0)
    for algorithm in algorithms_of_curves:
        n_curves[algorithm] += 1
    n_drawn = sum(map(bool, n_curves.values()))
    notes = [f"background: {n_drawn} algorithm{'s' * (n_drawn != 1)} from {background.sources}."]
    if missing := [
        f"{algorithm} ({n_possible - n} of {n_possible})"
        for algorithm, n in n_curves.items()
        if n < n_possible
    ]:
        notes.append(
            "the background lacks curves of algorithms that were not run on all functions of the "
            f"curve: {join_names(missing)}."
        )
    if background.left_out:
        notes.append(
            "left out of the background, because a compared algorithm has the same name: "
            f"{join_names(background.left_out)}."
        )
    return tuple(notes)


def join_names(names: Sequence[str]) -> str:
    """Join names by commas; of many names, give the first ones and the number of the others."""
    n_others = len(names) - _MAX_NAMED_ALGORITHMS
    others = f" and {n_others} more" if n_others > 0 else ""
    return ", ".join(names[:_MAX_NAMED_ALGORITHMS]) + others
