"""Sentences on the runs that a table rests on, and on what algorithms are compared on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...suites.biobj.pairs import PLACEHOLDER
from ...suites.selection import ranges
from ...suites.texts import natural_order
from ..statistics.average_runtime import dominant_instances
from ..statistics.hits import repeats
from ..targets.budgets import AXES, axis_text
from ..targets.parse import target_text
from ..targets.target_sets import Cell, TargetSet
from .counting import SIMULATED, axis_of, unit_of_count
from .grouping import CellRuns, by_cell
from .run_sets import RunSet

if TYPE_CHECKING:
    from ...loggers import Log


_MOST_NAMED = 4
"""Averages that `dominance_notes` names."""
EACH_RUN = "every run counts once, a failed one with all it spent"
"""The convention of averages and of the algorithm restarted until it succeeds."""
SINGLE_RUNS = "every run counts once, a failed one as never"
LAST_VALUE = "every run counts once, after its end with its last value"
_COUNTED = {
    "f+g": "of the objective and of the constraints alike (f+g, as COCO counts)",
    "f": "of the objective alone (f)",
    "g": "of the constraints alone (g)",
}


def runs_of_log(log: Log, rows: NDArray[np.intp], count: str = "f") -> list[CellRuns]:
    """Rows of the log by algorithm, suite, function and dimension, for `basis`."""
    names = ("algorithm", "suite", "function", "dimension")
    return [CellRuns(**facts) for _, facts in by_cell(log, rows, count, names)]


def notes_on_targets(
    run_sets: Sequence[RunSet], targets: TargetSet, convention: str = EACH_RUN
) -> tuple[str, ...]:
    """Sentences on what a table rests on."""
    rests = basis(run_sets, convention)
    return targets.notes + broken_notes(run_sets) + _bounds(run_sets, targets) + rests


def _bounds(run_sets: Sequence[RunSet], targets: TargetSet) -> tuple[str, ...]:
    if targets.own:
        bounds = sum(int((~run_set.exact).sum()) for run_set in run_sets)
        total = sum(run_set.exact.size for run_set in run_sets)
        note = (
            f"{bounds} of {total} runtimes are upper bounds, from the next entry of the "
            "log: their targets lie between the recorded ones."
        )
        return (note,) if bounds else ()
    between: set[float] = set()
    for run_set in run_sets:
        aims = np.array(targets.of(*run_set.cell))
        between.update(aims[~run_set.exact.all(axis=0)].tolist())
    if not between:
        return ()
    names = ", ".join(map(target_text, sorted(between, reverse=True)))
    return (
        f"targets {names} lie between the recorded ones: some of their runtimes are upper bounds, "
        "from the next entry of the log.",
    )


def broken_notes(run_sets: Sequence[RunSet]) -> tuple[str, ...]:
    """A sentence on runs that failed, timed out or were interrupted; none where there are none."""
    broken, runs = (
        sum(run_set.broken for run_set in run_sets),
        sum(len(run_set.spent) for run_set in run_sets),
    )
    if not broken:
        return ()
    return (
        f"{broken} of {runs} runs failed, timed out or were interrupted: they count as runs, with "
        "all they spent.",
    )


def caption_notes(runs: Iterable[CellRuns]) -> tuple[str, ...]:
    """What the caption of a figure says of its runs, besides their number; see `basis`."""
    cells = list(runs)
    count_note = _count_note(cells)
    counted = (f"{count_note}.",) if count_note else ()
    return (*notes_on_functions(cells), *notes_on_instances(cells), *counted)


def _count_note(cells: Sequence[CellRuns]) -> str:
    """What is counted, where that is not evaluations of the objective; else nothing."""
    clocks = sorted({clock for cell in cells for clock in cell.clocks})
    if clocks:
        belong = ""
        if clocks != [SIMULATED]:
            belong = f", and belong to {'it' if len(clocks) == 1 else 'them'}"
        return f"runtimes are seconds of {' and of '.join(clocks)}{belong}"
    if any(cell.constraints for cell in cells):
        return f"evaluations are those {_COUNTED[cells[0].count]}"
    return ""


def basis(runs: Iterable[CellRuns], convention: str = EACH_RUN) -> tuple[str, ...]:
    """How many runs there are of each algorithm, on which instances, and how they count.

    Before it, where algorithms were run on different functions or instances, sentences on these.
    Where constraints were evaluated, also what an evaluation is; with two objectives, from which
    references hypervolumes are measured.
    """
    by_algorithm: dict[str, list[CellRuns]] = {}
    for cell in runs:
        by_algorithm.setdefault(cell.algorithm, []).append(cell)
    if not by_algorithm:
        return ()
    sets = {name: _runs_and_instances(own) for name, own in by_algorithm.items()}
    texts = set(sets.values())
    which = texts.pop() if len(texts) == 1 else "; ".join(f"{n}: {t}" for n, t in sets.items())
    cells = [cell for own in by_algorithm.values() for cell in own]
    count_note = _count_note(cells)
    return (
        *notes_on_functions(cells),
        *notes_on_instances(cells),
        f"{which}; {convention}{count_note and f'; {count_note}'}{_recommended_note(cells)}.",
        *reference_notes(cells),
    )


def _recommended_note(cells: Sequence[CellRuns]) -> str:
    """That recommended solutions are measured, and how many runs recommended none."""
    known = [cell for cell in cells if cell.silent is not None]
    if not known:
        return ""
    silent, runs = (
        sum(cell.silent or 0 for cell in known),
        sum(len(cell.instances) for cell in known),
    )
    without = f", and {silent} of {runs} runs recommended none" if silent else ""
    return f"; the best solution recommended so far is measured{without}"


def reference_notes(runs: Iterable[CellRuns]) -> tuple[str, ...]:
    """From which references hypervolumes are measured; none where there is one objective."""
    counts: Counter[str] = Counter()
    for cell in runs:
        counts.update(cell.references)
    if not counts:
        return ()
    names = ", ".join(f"{name} ({count} runs)" for name, count in sorted(counts.items()))
    note = f"hypervolumes are measured from: {names}"
    if PLACEHOLDER in counts:
        note += (
            "; the placeholder is 1, which nobody can reach: --hypervolume-reference archive "
            "measures from the best of the data"
        )
    return (f"{note}.",)


def restart_notes(run_sets: Iterable[RunSet]) -> tuple[str, ...]:
    """A sentence on numbers with simulated restarts that may be biased; none where there are none.

    Where fewer than half of the runs succeed and a budget ended some of the others, a restarted
    algorithm would have had longer runs to draw from: what failed is cheaper here than it would be,
    and what succeeds late never does (Hansen et al., arXiv:1605.03560, section 4; Hoos and
    Stützle, "Evaluating Las Vegas Algorithms" (1998), UAI).
    """
    biased = pairs = 0
    for run_set in run_sets:
        reached = np.isfinite(run_set.hits)
        rate = reached.mean(axis=0)
        cut = run_set.cut if run_set.cut.size else np.zeros(len(run_set.hits), dtype=np.bool_)
        pairs += len(rate)
        ended = (~reached & cut[:, np.newaxis]).any(axis=0)
        biased += int(((rate > 0) & (rate < 0.5) & ended).sum())
    if not biased:
        return ()
    return (
        f"{biased} of {pairs} function-target pairs were reached by fewer than half of the runs, "
        "and a limit ended others: there aRT and restarts rest on runs that were cut, and are "
        "biased; longer runs would give other numbers.",
    )


def length_notes(run_sets: Iterable[RunSet]) -> tuple[str, ...]:
    """A sentence on whose unsuccessful runs ended after different numbers of evaluations, if any.

    Where all of them spent one budget, restarts make a profile right of the cross alone. Where runs
    ended by themselves, they are in it from the shortest of them on.
    """
    lengths: dict[tuple[str, str, int], list[float]] = {}
    for run_set in run_sets:
        missed = ~np.isfinite(run_set.hits).all(axis=1)
        cell = run_set.algorithm, run_set.suite, run_set.dimension
        lengths.setdefault(cell, []).extend((run_set.spent[missed] / run_set.unit()).tolist())
        axis = axis_of(AXES[0], run_set.count)
    spans: dict[str, list[float]] = {}
    for (algorithm, _, _), found in lengths.items():
        if found and min(found) < max(found):
            spans.setdefault(algorithm, []).extend(found)
    if not spans:
        return ()
    named = ", ".join(f"{name} {min(s):.4g} to {max(s):.4g}" for name, s in spans.items())
    return (
        f"lengths of unsuccessful runs vary ({axis_text(axis)}): {named}. From the shortest "
        "on, also left of the cross, simulated restarts are part of a profile.",
    )


def dominance_notes(run_sets: Iterable[RunSet], targets: TargetSet) -> tuple[str, ...]:
    """A sentence on averages that one instance dominates (`dominant_instances`), if any."""
    found: dict[str, list[tuple[float, float]]] = {}
    unit = ""
    for run_set in run_sets:
        unit = unit_of_count(run_set.count)
        reached = np.isfinite(run_set.hits)
        until = np.where(reached, run_set.hits, run_set.spent[:, np.newaxis])
        instances, shares = dominant_instances(until, run_set.instances)
        aims = targets.of(*run_set.cell)
        for j in np.flatnonzero(np.isfinite(shares) & reached.any(axis=0)).tolist():
            where = f"{run_set.algorithm} on f{run_set.function} in {run_set.dimension}-D"
            name = f"{where}, instance {instances[j]}"
            found.setdefault(name, []).append((aims[j], float(shares[j])))
    if not found:
        return ()
    few = islice(found.items(), _MOST_NAMED)
    named = [f"{where}, {_targets_and_share(own)}" for where, own in few]
    more = len(found) - _MOST_NAMED
    rest = f"; and {more} more" if more > 0 else ""
    return (
        "aRT takes instances to be equally hard, and one instance took more than half of the "
        f"{unit} of: {'; '.join(named)}{rest}.",
    )


def _targets_and_share(found: Sequence[tuple[float, float]]) -> str:
    """Targets, and how much of the evaluations the instance took, at most."""
    names = [target_text(target) for target, _ in found]
    ends = names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"
    return f"target{'' if len(names) == 1 else 's'} {ends} ({max(s for _, s in found):.0%})"


def _runs_and_instances(run_sets: Sequence[CellRuns]) -> str:
    counts = sorted({len(run_set.instances) for run_set in run_sets})
    few = "-".join(str(n) for n in dict.fromkeys((counts[0], counts[-1])))
    instances = ranges(sorted({i for run_set in run_sets for i in run_set.instances.tolist()}))
    noun = "run" if few == "1" else "runs"
    return f"{few} {noun} on each function and dimension, instances {instances}"


_MOST_DIFFERING = 3


def notes_on_instances(runs: Iterable[CellRuns]) -> tuple[str, ...]:
    """Which instances each algorithm was run on, where they are not the same for all."""
    cells: dict[Cell, dict[str, str]] = {}
    for cell_runs in runs:
        cells.setdefault(cell_runs.cell, {})[cell_runs.algorithm] = _instances_of(cell_runs)
    return _different_instances([there for there in cells.values() if len(there) > 1])


def notes_on_functions(runs: Iterable[CellRuns]) -> tuple[str, ...]:
    """Which functions each algorithm was run on, where they or dimensions differ."""
    places: dict[str, dict[str, list[CellRuns]]] = {}
    for cell_runs in runs:
        places.setdefault(cell_runs.algorithm, {}).setdefault(cell_runs.suite, []).append(cell_runs)
    cells = [
        {cell_runs.cell for own in by_suite.values() for cell_runs in own}
        for by_suite in places.values()
    ]
    if all(there == cells[0] for there in cells):
        return ()
    texts = "; ".join(
        f"{name} on {_functions_of(by_suite)}" for name, by_suite in sorted(places.items())
    )
    return (
        f"different functions or dimensions were run ({texts}): numbers of different functions do "
        "not compare.",
    )


def notes_on_versions(pairs: Iterable[tuple[CellRuns, CellRuns]]) -> tuple[str, ...]:
    """The same of base and new, whatever the algorithms' names."""
    return _different_instances(
        [{"base": _instances_of(base), "new": _instances_of(new)} for base, new in pairs]
    )


def _instances_of(cell_runs: CellRuns) -> str:
    return ranges(sorted(set(cell_runs.instances.tolist())))


def _functions_of(by_suite: Mapping[str, Sequence[CellRuns]]) -> str:
    """Such as ``bbob f1-3 in 2, 5-D``."""
    return " and ".join(
        f"{suite} f{ranges(sorted({cell_runs.function for cell_runs in own}))} in "
        f"{ranges(sorted({cell_runs.dimension for cell_runs in own}))}-D"
        for suite, own in by_suite.items()
    )


def _different_instances(cells: Sequence[Mapping[str, str]]) -> tuple[str, ...]:
    """A sentence on cells whose sides have different instances."""
    differing = Counter(
        ", ".join(f"{name} on {there[name]}" for name in natural_order(there))
        for there in cells
        if len(set(there.values())) > 1
    )
    if not differing:
        return ()
    named = "; ".join(text for text, _ in differing.most_common(_MOST_DIFFERING))
    more = (
        f"; and {len(differing) - _MOST_DIFFERING} more" if len(differing) > _MOST_DIFFERING else ""
    )
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
