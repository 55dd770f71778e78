"""What algorithms are compared on: sentences where functions or instances differ or repeat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ...suites.selection import ranges
from ...suites.texts import natural_order
from ..statistics.repetitions import repeats
from ..targets.target_sets import Cell
from .grouping import CellRuns

_MOST_NAMED = 3


def notes_on_instances(runs: Iterable[CellRuns]) -> tuple[str, ...]:
    """Which instances each algorithm was run on, where they are not the same for all.

    Args:
        runs: Of all algorithms that stand side by side.
    """
    cells: dict[Cell, dict[str, str]] = {}
    for cell_runs in runs:
        cells.setdefault(cell_runs.cell, {})[cell_runs.algorithm] = _numbers(cell_runs)
    return _notes([there for there in cells.values() if len(there) > 1])


def notes_on_functions(runs: Iterable[CellRuns]) -> tuple[str, ...]:
    """Which functions each algorithm was run on, where they or dimensions are not the same for all.

    Args:
        runs: Of all algorithms that stand side by side.
    """
    places: dict[str, dict[str, list[CellRuns]]] = {}
    for cell_runs in runs:
        places.setdefault(cell_runs.algorithm, {}).setdefault(cell_runs.suite, []).append(cell_runs)
    cells = [
        {cell_runs.cell for own in by_suite.values() for cell_runs in own}
        for by_suite in places.values()
    ]
    if all(there == cells[0] for there in cells):
        return ()
    texts = "; ".join(f"{name} on {_places(by_suite)}" for name, by_suite in sorted(places.items()))
    return (
        f"different functions or dimensions were run ({texts}): numbers of different functions do "
        "not compare.",
    )


def notes_on_versions(pairs: Iterable[tuple[CellRuns, CellRuns]]) -> tuple[str, ...]:
    """The same of base and new, whatever the algorithms' names."""
    return _notes([{"base": _numbers(base), "new": _numbers(new)} for base, new in pairs])


def _numbers(cell_runs: CellRuns) -> str:
    return ranges(sorted(set(cell_runs.instances.tolist())))


def _places(by_suite: Mapping[str, Sequence[CellRuns]]) -> str:
    """Such as ``bbob f1-3 in 2, 5-D``."""
    return " and ".join(
        f"{suite} f{ranges(sorted({cell_runs.function for cell_runs in own}))} in "
        f"{ranges(sorted({cell_runs.dimension for cell_runs in own}))}-D"
        for suite, own in by_suite.items()
    )


def _notes(cells: Sequence[Mapping[str, str]]) -> tuple[str, ...]:
    """A sentence on cells whose sides have different instances."""
    differing = Counter(
        ", ".join(f"{name} on {there[name]}" for name in natural_order(there))
        for there in cells
        if len(set(there.values())) > 1
    )
    if not differing:
        return ()
    named = "; ".join(text for text, _ in differing.most_common(_MOST_NAMED))
    more = f"; and {len(differing) - _MOST_NAMED} more" if len(differing) > _MOST_NAMED else ""
    return (
        f"different instances were run in {differing.total()} of {len(cells)} functions and "
        f"dimensions ({named}{more}): a difference may be that of the instances.",
    )


def notes_on_tests(run_sets: Iterable[CellRuns]) -> tuple[str, ...]:
    """How tests treat runs that repeat an instance, where there are any."""
    if not any(repeats(run_set.instances) for run_set in run_sets):
        return ()
    return (
        "instances have several runs: where two algorithms share at least half of all instances, "
        "runs are exchanged within the shared ones, others are left out, and p is about these "
        "instances; elsewhere whole instances are exchanged, and p is about the function.",
    )
