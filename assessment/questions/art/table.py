"""Compute average runtimes (aRT) to targets, their intervals, and ratios to a reference.

The question `art` computes the averages. On request, `with_intervals` adds confidence intervals and
`with_ratios` the ratios to a reference. The caveats below it explain the numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...caveats import (
    DOMINANT_INSTANCE,
    INTERVALS,
    NO_FINITE_VALUE,
    OUTSIDE,
    REFERENCE_RUNS,
    SKEWED,
    UNOBSERVED,
    VALID_FOR,
    WRONG_REFERENCE,
    Explanation,
)
from ...cost import in_whole
from ...notes import (
    describe_missing_reference,
    dominance_notes,
    notes_on_intervals,
    notes_on_reference,
    notes_on_unusable_points,
    notes_on_wrong_references,
)
from ...samples.at_targets import AtTargets
from ...samples.convention import RESTARTED
from ...samples.sample import Answer
from ...statistics.average_runtime import evaluations_until, per_success
from ...statistics.hits import successes
from ...tables.table import Table, Value, stacked, text
from ...targets.parse import target_text
from ...targets.target_sets import decades
from .._framework.needs import at_targets
from .._framework.options import Level, Seed
from .._framework.question import question

if TYPE_CHECKING:
    from ...statistics.intervals import Resampling

COLUMNS = (
    "algorithm", "suite", "function", "dimension", "target", "art", "successes", "runs",
    "evaluations",
)  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class ArtTable(Table):
    """aRT to each target; as text, one line for each algorithm, function and dimension.

    Each row belongs to an ``algorithm``, ``suite``, ``function``, ``dimension`` and ``target``.
    Run-length targets also have a column ``budget``, in evaluations / dimension. ``art`` is in
    evaluations; inf if no run succeeded. ``successes`` is how many of the ``runs`` hit the target.
    ``evaluations`` is the sum, over the runs, of the evaluations until they hit the target or
    ended.

    With an interval, ``low`` and ``high`` are the limits of the confidence interval of ``art``, and
    ``at_least`` is whether the runs do not determine the upper limit (`with_intervals`). With a
    reference, `with_ratios` describes the columns ``reference``, ``ratio``, ``ratio_low``,
    ``ratio_high``, ``ratio_at_least`` and ``ratio_at_most``. The text shows ratios after an ``x``.

    Attributes:
        in_columns: Whether text has a column for each target; else a line.
    """

    in_columns: bool = True

    def text_cells(self) -> tuple[list[str], list[list[str]]]:
        """Return column titles and cells for text and LaTeX, with a column for each target."""
        if not self.in_columns:
            return super().text_cells()
        targets = sorted(set(self["target"].tolist()), reverse=True)
        lines: dict[tuple[Value, ...], dict[float, str]] = {}
        for row in self._records():
            line = tuple(row[name] for name in (*COLUMNS[:4], "runs"))
            n_successes, n_runs = row["successes"], row["runs"]
            details = "" if n_successes == n_runs else f" ({n_successes}/{n_runs})"
            if row.get("at_least"):
                details += f" [>= {text(row['low'])}]"
            elif "low" in row:
                details += f" [{text(row['low'])}, {text(row['high'])}]"
            if "ratio" in row and not np.isnan(row["ratio"]):
                details += f" x{text(row['ratio'])}{_ratio_interval_text(row)}"
            lines.setdefault(line, {})[row["target"]] = f"{text(row['art'])}{details}"
        cells = [
            [*(text(value) for value in line), *(text_of_target.get(t, "") for t in targets)]
            for line, text_of_target in lines.items()
        ]
        return [*COLUMNS[:4], "runs", *map(target_text, targets)], cells


def _ratio_interval_text(row: Mapping[str, Any]) -> str:
    """Return the interval of a ratio with a leading space, such as `` [0.5, 2]``.

    A limit that the runs do not determine is left out, as in `` [>= 0.5]``. The text is empty if
    there is no limit.
    """
    if np.isnan(row["ratio_high"]):
        return ""
    low, high = text(row["ratio_low"]), text(row["ratio_high"])
    texts = {
        (False, False): f" [{low}, {high}]",
        (True, False): f" [>= {low}]",
        (False, True): f" [<= {high}]",
        (True, True): "",
    }
    return texts[bool(row["ratio_at_least"]), bool(row["ratio_at_most"])]


def averages(sample: AtTargets) -> ArtTable:
    """Compute the average runtimes of a sample (for the formula see `average_runtime`)."""
    blocks: list[list[Value | NDArray[Any]]] = []
    for run_set in sample:
        keys = np.array(sample.targets.keys(*run_set.problem_class)).T
        total, n_successes = evaluations_until(run_set.hits, run_set.spent), successes(run_set.hits)
        statistics = (
            per_success(total, n_successes),
            n_successes,
            len(run_set.spent),
            in_whole(total, run_set.count),
        )
        blocks.append([*run_set.identity, *keys, *statistics])
    columns = stacked(sample.targets.named(COLUMNS), blocks)
    return ArtTable(columns, in_columns=not sample.targets.own)


@question(
    "To begin with",
    20,
    needs=at_targets(decades, shows_reference=True),
    convention=RESTARTED,
    examples=(
        "results/quickstart.h5 --targets 1e1,1e-8 --interval 0.95",
        "results/quickstart.h5 --reference best --format csv",
        "results/quickstart.h5 --functions 3 --plot art.pdf",
    ),
)
def art(sample: AtTargets, *, interval: Level | None = None, seed: Seed = 1) -> ArtTable:
    """Compute the average runtime to each target.

    aRT is the number of evaluations that all runs made until they reached the target or ended,
    divided by the number of runs that reached it. A run that missed the target counts with its own
    evaluations. aRT estimates the expected runtime of the algorithm if it is restarted until it
    reaches the target. COCO also calls it ERT. aRT assumes that all instances are equally hard; a
    note names an instance that dominates an average.

    Values in the table::

        1136                    evaluations (inf: no run reached the target)
        (3/5)                   3 of 5 runs reached the target; omitted if all did
        [599.5, 2392]           confidence interval (option interval)
        [>= 4260]               lower end only: fewer than three runs reached the
                                target, or their runtimes are very skewed
        x9.536 [2.285, 42.48]   ratio to the aRT of the reference, and its interval
                                (option reference; 95 % unless interval is given)

    In intervals, several runs on one instance count as one instance if there are at least three
    instances. The interval of a single run is [nan, nan]. Intervals are too short if failures are
    rare and no run failed; a note states the possible cost. They are also too short if runtimes
    have two modes or a heavy tail. The page Validation of the documentation has their coverage.

    Args:
        interval: Confidence level between 0 and 1, e.g. 0.95: add the confidence interval of each
            average. None: no interval.
        seed: Random seed of the intervals.
        reference: Ratios to its aRT are added. Run-length targets are computed from it. None: no
            reference.

    Returns:
        One row for each algorithm, function, dimension and target: ``art`` (inf if no run hit the
        target), ``successes``, ``runs`` and ``evaluations``. An interval adds ``low``, ``high`` and
        ``at_least``. A reference adds its aRT and ``ratio``, with ``ratio_low`` and ``ratio_high``.
    """
    table = averages(sample)
    if interval is None and sample.reference is None:
        return table
    resampling = _resampling({"interval": interval, "seed": seed})
    if interval is not None:
        from .intervals import with_intervals

        table = with_intervals(table, sample.cells, resampling)
    if sample.reference is None:
        return table
    from .ratios import with_ratios

    return with_ratios(table, sample, sample.reference.entries, resampling)


def _resampling(options: Mapping[str, Any]) -> Resampling:
    """Return level and seed of intervals; ratios have intervals at 95 % if no level is given."""
    from ...statistics.intervals import Resampling

    level = options["interval"]
    return Resampling(seed=options["seed"]) if level is None else Resampling(level, options["seed"])


@art.caveat(explains=[NO_FINITE_VALUE, OUTSIDE])
def unusable_points(sample: AtTargets, answer: Answer) -> Iterable[str]:
    """Name algorithms whose runs saw no finite value, or that left the region of interest."""
    return notes_on_unusable_points(sample)


@art.caveat(explains=[WRONG_REFERENCE])
def wrong_references(sample: AtTargets, answer: Answer) -> Iterable[str]:
    """Name functions on which runs have values below the reference value."""
    return notes_on_wrong_references(sample)


@art.caveat(explains=[DOMINANT_INSTANCE])
def dominant_instances(sample: AtTargets, answer: Answer) -> Iterable[str]:
    """Name averages that one instance dominates."""
    return dominance_notes(sample)


@art.caveat(explains=[INTERVALS, VALID_FOR, UNOBSERVED, SKEWED])
def intervals_of_averages(sample: AtTargets, answer: Answer) -> Iterable[str]:
    """Say what the intervals of averages are about."""
    if answer.options["interval"] is None:
        return
    yield from notes_on_intervals(
        sample, _resampling(answer.options), "their intervals show only the lower end"
    )


@art.caveat(
    explains=[
        Explanation(
            "ratio",
            "ratio: aRT divided by that of best, with 95 % interval (seed 1).",
            "It shows how many times as many evaluations as the reference an algorithm needs. It "
            "misleads if the reference is unclear.",
            "Report the reference with the ratios, because another reference gives other ratios.",
            is_definition=True,
        ),
        Explanation(
            "reference",
            "reference: the best of A, B, chosen on these runs; so ratios to it are too large on "
            "average, especially with few runs.",
            "The reference was chosen on the runs that it is compared with. So it partly contains "
            "the luckiest runs.",
            "Add runs, because then luck matters less, or use a published reference, such as "
            "best2009-bbob.",
        ),
    ]
)
def ratios_to_reference(sample: AtTargets, answer: Answer) -> Iterable[str]:
    """Say what the ratios to a reference are, and how their intervals were computed."""
    if sample.reference is None:
        return
    entries, name = sample.reference.read()
    resampling = _resampling(answer.options)
    run_sets_of_entries = [getattr(entry, "run_sets", None) for entry in entries.values()]
    exact = ""
    if any(run_sets is None for run_sets in run_sets_of_entries):
        exact = f"; the averages of {name} count as exact"
    yield (
        f"ratio: aRT divided by that of {name}, with {100 * resampling.level:g} % interval (seed "
        f"{resampling.seed}){exact}."
    )
    if any(run_sets is not None and len(run_sets) > 1 for run_sets in run_sets_of_entries):
        yield (
            f"reference: {name}, chosen on these runs; so ratios to it are too large on average, "
            "especially with few runs."
        )
    n_missing = sum(run_set.problem_class not in entries for run_set in sample)
    if n_missing:
        yield describe_missing_reference(name, n_missing, len(sample))


@art.caveat(explains=[REFERENCE_RUNS])
def runs_of_reference(sample: AtTargets, answer: Answer) -> Iterable[str]:
    """Say which runs the reference rests on."""
    if sample.reference is None:
        return ()
    return notes_on_reference(*sample.reference.read(), answer.notes)
