"""Profiles of other algorithms behind one's own: thin grey curves, as COCO shows its archive."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..errors import AssessmentError
from ..targets.parse import items_of
from ..targets.target_sets import TargetSet
from .profiles import EcdfTable, Profile, ProfileOptions, ecdf_tables
from .run_sets import RunSet, in_batches, run_sets_of


@dataclass(frozen=True, eq=False)
class Background:
    """Runs of others on functions and dimensions of one's own, at its targets; notes on them."""

    run_sets: tuple[RunSet, ...]
    notes: tuple[str, ...]


def background_of(
    names: str, own: Sequence[RunSet], targets: TargetSet, count: str, size: int | None = None
) -> Background:
    """Read what ``names`` stand for, at the targets of one's own run sets.

    ``names`` are logs or published data between commas; ``size`` is of batches (`in_batches`).
    """
    from ...loggers import read_log

    log = read_log([str(name) for name in items_of(names)])
    runs, algorithms = log.runs, {run_set.algorithm for run_set in own}
    cells = {(run_set.suite, run_set.function, run_set.dimension) for run_set in own}
    columns = (runs[name].tolist() for name in ("suite", "function", "dimension"))
    here = np.fromiter((cell in cells for cell in zip(*columns, strict=True)), bool, len(log))
    rows = np.flatnonzero(here & ~np.isin(runs["algorithm"], sorted(algorithms)))
    if not len(rows):
        raise AssessmentError(
            f"background: {names!r} holds no run of another algorithm on functions and dimensions "
            "of LOGS"
        )
    run_sets = tuple(in_batches(run_sets_of(log, rows, targets, count), size))
    others = sorted({run_set.algorithm for run_set in run_sets})
    sources = [f"{name} (SHA-256 {sha256})" for name, sha256 in sorted(log.published()[0].items())]
    of = f"algorithm{'s' * (len(others) > 1)} of {', '.join(sources) or names}"
    return Background(run_sets, (f"in the background: {len(others)} {of}.",))


def background_profiles(
    background: Background, tables: Sequence[EcdfTable], targets: TargetSet,
    options: Sequence[ProfileOptions],
) -> list[list[Profile]]:  # fmt: skip
    """The curves behind those of each table; none of who lacks a function of its own curves."""
    found = []
    for table, behind in zip(
        tables, ecdf_tables(background.run_sets, targets, options), strict=True
    ):
        functions: dict[tuple[str, int, str], set[int]] = {}
        for own in table.profiles:
            functions.setdefault(own.place, set()).update(own.functions)
        found.append(
            [
                replace(profile, background=True, partial=False)
                for profile in behind.profiles
                if set(profile.functions) == functions.get(profile.place)
            ]
        )
    return found
