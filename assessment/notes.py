"""Notes on runs, which several caveats, questions and captions of figures share.

A note is one sentence that ends with a full stop. Each public function returns notes on the runs
that it receives, or none if the fact that it checks for does not apply. `basis` combines the notes
on the number of runs and their instances. Caveats, which decide whether a table has a note, are in
`caveats` and beside the questions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from ..loggers.targets.grid import is_below_reference
from ..suites.biobj.pairs import PLACEHOLDER
from ..suites.facts import ProblemId
from ..suites.region import is_outside_region
from ..suites.selection import ranges
from ..suites.texts import natural, natural_order
from .cost import SIMULATED, unit_of_count
from .grouping import CellRuns
from .samples.convention import EACH_RUN, Convention
from .selection import cells as cells_of
from .selection import measurement_of, values_of
from .statistics.average_runtime import dominant_instances
from .statistics.hits import FEWEST_INSTANCES, for_the_function, repeats
from .targets.parse import target_text
from .targets.target_sets import Cell

if TYPE_CHECKING:
    from ..loggers import Log
    from .hits.run_sets import RunSet
    from .references import Entries
    from .samples.at_targets import AtTargets
    from .samples.sample import Sample
    from .statistics.intervals import Resampling
    from .statistics.quantiles import Floats

_MAX_NAMED_AVERAGES = 4
"""Maximum number of averages that the note of `dominance_notes` names."""
_MAX_NAMED_DIFFERENCES = 3
"""Maximum number of differences that the note of `notes_on_instances` names."""
_COUNTED_EVALUATIONS = {
    "f+g": "of the objective and of the constraints alike (f+g, as COCO counts)",
    "f": "of the objective alone (f)",
    "g": "of the constraints alone (g)",
}
"""What counts as an evaluation, by the values of `CellRuns.count`."""


def notes_on_targets(rests_on: Sequence[Any] | None) -> tuple[str, ...]:
    """Return notes on the runs that targets were computed from.

    Args:
        rests_on: The runs, as `TargetSet.rests_on` holds them. None: the targets were not computed
            from runs, and there is no note. Empty: they were computed from a reference without
            runs.
    """
    if rests_on is None:
        return ()
    notes = basis(rests_on)
    if not notes:
        return ("targets: from the published average runtimes of the reference.",)
    return tuple(f"targets from {note}" for note in notes)


def broken_notes(runs: Iterable[CellRuns], clause: str = EACH_RUN.failed) -> tuple[str, ...]:
    """Return a note on the runs that failed, timed out or were interrupted.

    Args:
        runs: The runs, by algorithm, function and dimension.
        clause: A clause that states how these runs count (`Convention.failed`). Empty: no clause.

    Returns:
        One note; none if all runs ended regularly.
    """
    cells = list(runs)
    n_broken = sum(cell.broken for cell in cells)
    n_runs = sum(len(cell.instances) for cell in cells)
    if not n_broken:
        return ()
    rule = f"; {clause.replace('{unit}', unit_of_count(cells[0].count))}" if clause else ""
    return (
        f"incomplete runs: {n_broken} of {n_runs} failed, timed out or were interrupted{rule}.",
    )


def caption_notes(runs: Iterable[CellRuns]) -> tuple[str, ...]:
    """Return notes for the caption of a figure, which states the numbers of runs itself.

    The notes are on different functions, on different instances, and on what counts as an
    evaluation. The last note is left out if evaluations of an unconstrained objective count.

    Args:
        runs: The runs of the figure, by algorithm, function and dimension.
    """
    cells = list(runs)
    count_clause = _describe_count(cells)
    count_notes = (f"{count_clause}.",) if count_clause else ()
    return (*notes_on_functions(cells), *notes_on_instances(cells), *count_notes)


def _describe_count(cells: Sequence[CellRuns]) -> str:
    """Return a clause on what counts; empty for evaluations of an unconstrained objective.

    All cells count the same: evaluations of one kind, or seconds.
    """
    clocks = sorted({clock for cell in cells for clock in cell.clocks})
    if clocks:
        # Measured seconds are valid for the machine only, simulated seconds for every machine.
        validity = ""
        if clocks != [SIMULATED]:
            validity = f", and belong to {'it' if len(clocks) == 1 else 'them'}"
        return f"runtimes are seconds of {' and of '.join(clocks)}{validity}"
    if any(cell.constraints for cell in cells):
        return f"evaluations are those {_COUNTED_EVALUATIONS[cells[0].count]}"
    return ""


def basis(runs: Iterable[CellRuns], convention: Convention | None = EACH_RUN) -> tuple[str, ...]:
    """Return notes on the number of runs, their instances, and how they count.

    Args:
        runs: The runs, by algorithm, function and dimension.
        convention: The rule by which the runs count. None: the notes do not state a rule.

    Returns:
        Notes in this order: different functions, different instances, the sentence of `runs_note`,
        and the references of hypervolumes if there are two objectives. Empty if there are no runs.
    """
    cells = list(runs)
    if not cells:
        return ()
    return (
        *notes_on_functions(cells),
        *notes_on_instances(cells),
        runs_note(cells, "" if convention is None else convention.sentence),
        *reference_notes(cells),
    )


def runs_note(runs: Sequence[CellRuns], convention: str) -> str:
    """Return one sentence on the number of runs, their instances, and what counts.

    Args:
        runs: At least one cell of runs, by algorithm, function and dimension.
        convention: A clause that states how the runs count. Empty: no clause.
    """
    by_algorithm: dict[str, list[CellRuns]] = {}
    for cell in runs:
        by_algorithm.setdefault(cell.algorithm, []).append(cell)
    descriptions = {name: _runs_and_instances(cells) for name, cells in by_algorithm.items()}
    if len(set(descriptions.values())) == 1:
        description = next(iter(descriptions.values()))
    else:
        description = "; ".join(f"{name}: {text}" for name, text in descriptions.items())
    # `_describe_count` takes what is counted from the first cell: that of the first algorithm.
    cells = [cell for cells_of_algorithm in by_algorithm.values() for cell in cells_of_algorithm]
    clauses = (
        description,
        convention.replace("{unit}", unit_of_count(cells[0].count)),
        _describe_count(cells),
        _describe_recommendations(cells),
    )
    return f"runs: {'; '.join(filter(None, clauses))}."


def _describe_recommendations(cells: Sequence[CellRuns]) -> str:
    """Return a clause on runs that are measured by the solutions that they recommended.

    The clause is empty if no log holds recommended solutions.
    """
    measured_cells = [cell for cell in cells if cell.silent is not None]
    if not measured_cells:
        return ""
    n_silent = sum(cell.silent or 0 for cell in measured_cells)
    n_runs = sum(len(cell.instances) for cell in measured_cells)
    exception = f" ({n_silent} of {n_runs} runs recommended none)" if n_silent else ""
    return f"the best recommended solution so far is measured{exception}"


def reference_notes(runs: Iterable[CellRuns]) -> tuple[str, ...]:
    """Return a note on the references of hypervolumes; none for runs of one objective."""
    runs_of_reference: Counter[str] = Counter()
    for cell in runs:
        runs_of_reference.update(cell.references)
    if not runs_of_reference:
        return ()
    names = ", ".join(
        f"{name} ({n_runs} runs)" for name, n_runs in sorted(runs_of_reference.items())
    )
    note = f"hypervolume references: {names}"
    if PLACEHOLDER in runs_of_reference:
        note += "; no archive can reach its value 1.0, so consider --hypervolume-reference archive"
    return (f"{note}.",)


def dominance_notes(sample: AtTargets) -> tuple[str, ...]:
    """Return a note on the average runtimes that one instance dominates; none if there are none.

    An instance dominates an average runtime if its runs spent more than half of the evaluations
    that all runs spent up to the target (`dominant_instances`).
    """
    dominated: dict[str, list[tuple[float, float]]] = {}  # targets and shares by instance
    unit = ""
    for run_set in sample:
        unit = unit_of_count(run_set.count)
        is_hit = np.isfinite(run_set.hits)
        costs = np.where(is_hit, run_set.hits, run_set.spent[:, np.newaxis])
        instances, shares = dominant_instances(costs, run_set.instances)
        targets = sample.targets.of(*run_set.problem_class)
        for j in np.flatnonzero(np.isfinite(shares) & is_hit.any(axis=0)).tolist():
            name = (
                f"{run_set.algorithm} on f{run_set.function} in {run_set.dimension}-D, "
                f"instance {instances[j]}"
            )
            dominated.setdefault(name, []).append((targets[j], float(shares[j])))
    if not dominated:
        return ()
    named = [
        f"{name}, {_targets_and_share(targets_and_shares)}"
        for name, targets_and_shares in islice(dominated.items(), _MAX_NAMED_AVERAGES)
    ]
    n_averages = sum(map(len, dominated.values()))
    n_left_out = len(dominated) - _MAX_NAMED_AVERAGES
    more = f"; and {n_left_out} more" if n_left_out > 0 else ""
    return (
        f"dominant instance: most {unit} of {n_averages} averages ({'; '.join(named)}{more}); they "
        "mainly describe this instance.",
    )


def _targets_and_share(targets_and_shares: Sequence[tuple[float, float]]) -> str:
    """Return text for the first and last target and the largest share: ``targets 10 to 1 (60%)``.

    Args:
        targets_and_shares: Pairs of a target and the share that the dominant instance spent.
    """
    targets = [target_text(target) for target, _ in targets_and_shares]
    largest_share = max(share for _, share in targets_and_shares)
    if len(targets) == 1:
        return f"target {targets[0]} ({largest_share:.0%})"
    return f"targets {targets[0]} to {targets[-1]} ({largest_share:.0%})"


def _runs_and_instances(run_sets: Sequence[CellRuns]) -> str:
    """Return text such as ``5-10 on each function and dimension (instances 1-5)``."""
    counts = sorted({len(run_set.instances) for run_set in run_sets})
    count_range = "-".join(str(n) for n in dict.fromkeys((counts[0], counts[-1])))
    instances = ranges(sorted({i for run_set in run_sets for i in run_set.instances.tolist()}))
    return f"{count_range} on each function and dimension (instances {instances})"


def notes_on_instances(runs: Iterable[CellRuns]) -> tuple[str, ...]:
    """Return a note on functions and dimensions where the algorithms have different instances.

    There is no note if all algorithms have equal instances everywhere.
    """
    instances_by_class: dict[Cell, dict[str, str]] = {}
    for cell_runs in runs:
        by_algorithm = instances_by_class.setdefault(cell_runs.problem_class, {})
        by_algorithm[cell_runs.algorithm] = _instances_of(cell_runs)
    return _different_instances(
        [by_algorithm for by_algorithm in instances_by_class.values() if len(by_algorithm) > 1]
    )


def notes_on_functions(runs: Iterable[CellRuns]) -> tuple[str, ...]:
    """Return a note on the functions and dimensions of each algorithm.

    There is no note if all algorithms have equal functions and dimensions.
    """
    runs_by_algorithm: dict[str, dict[str, list[CellRuns]]] = {}
    for cell_runs in runs:
        by_suite = runs_by_algorithm.setdefault(cell_runs.algorithm, {})
        by_suite.setdefault(cell_runs.suite, []).append(cell_runs)
    problem_classes = [
        {
            cell_runs.problem_class
            for runs_of_suite in by_suite.values()
            for cell_runs in runs_of_suite
        }
        for by_suite in runs_by_algorithm.values()
    ]
    if all(classes == problem_classes[0] for classes in problem_classes):
        return ()
    descriptions = "; ".join(
        f"{name} on {_functions_of(by_suite)}"
        for name, by_suite in sorted(runs_by_algorithm.items())
    )
    return (f"different functions: {descriptions}; compare only common functions and dimensions.",)


def notes_on_versions(pairs: Iterable[tuple[CellRuns, CellRuns]]) -> tuple[str, ...]:
    """Return a note on different instances of two versions; none if the instances are equal.

    Args:
        pairs: For each function and dimension, the runs of the base version and of the new version.
            The names of their algorithms may differ.
    """
    return _different_instances(
        [{"base": _instances_of(base), "new": _instances_of(new)} for base, new in pairs]
    )


def _instances_of(cell_runs: CellRuns) -> str:
    return ranges(sorted(set(cell_runs.instances.tolist())))


def _functions_of(by_suite: Mapping[str, Sequence[CellRuns]]) -> str:
    """Return text for the functions and dimensions of each suite: ``bbob f1-3 in 2, 5-D``.

    Args:
        by_suite: The runs of one algorithm by the name of the suite.
    """
    texts: list[str] = []
    for suite, runs_of_suite in by_suite.items():
        functions_of_dimension: dict[int, set[int]] = {}
        for cell_runs in runs_of_suite:
            functions_of_dimension.setdefault(cell_runs.dimension, set()).add(cell_runs.function)
        dimensions_of_functions: dict[str, list[int]] = {}
        for dimension, functions in sorted(functions_of_dimension.items()):
            dimensions_of_functions.setdefault(ranges(functions), []).append(dimension)
        parts = [
            f"f{functions} in {ranges(dimensions)}-D"
            for functions, dimensions in dimensions_of_functions.items()
        ]
        texts.append(f"{suite} {', '.join(parts)}")
    return " and ".join(texts)


def _different_instances(instances_of_classes: Sequence[Mapping[str, str]]) -> tuple[str, ...]:
    """Return a note on different instances; none if there are no differences.

    Args:
        instances_of_classes: A mapping for each function and dimension. It maps the name of an
            algorithm or version to the text of its instances, such as ``1-5``.
    """
    differences = Counter(
        ", ".join(f"{name} on {instances[name]}" for name in natural_order(instances))
        for instances in instances_of_classes
        if len(set(instances.values())) > 1
    )
    if not differences:
        return ()
    named = "; ".join(text for text, _ in differences.most_common(_MAX_NAMED_DIFFERENCES))
    n_left_out = len(differences) - _MAX_NAMED_DIFFERENCES
    more = f"; and {n_left_out} more" if n_left_out > 0 else ""
    n_differing, n_classes = differences.total(), len(instances_of_classes)
    return (
        f"different instances: {n_differing} of {n_classes} functions and dimensions "
        f"({named}{more}); algorithms may differ because instances do.",
    )


def notes_on_tests(run_sets: Iterable[CellRuns]) -> tuple[str, ...]:
    """Return a note on how statistical tests treat several runs on one instance.

    There is no note if all runs are on different instances.
    """
    if not any(repeats(run_set.instances) for run_set in run_sets):
        return ()
    return (
        "repeated instances: tests exchange runs within shared instances, which p-values refer to; "
        "if fewer than half are shared, they exchange whole instances.",
    )


def notes_on_intervals(sample: AtTargets, resampling: Resampling, skew: str) -> list[str]:
    """Return notes on confidence intervals of average runtimes.

    Args:
        sample: The runs that intervals are computed from.
        resampling: Level and seed of the intervals.
        skew: A clause on the intervals of very skewed runtimes, such as "their upper ends may be
            too low". Their note ends with it.

    Returns:
        The first note states the level and the seed. Three notes follow where they apply: whether
        the intervals hold for the functions or for the instances, the cost of failures that no run
        showed, and the number of intervals of very skew runtimes.
    """
    from .statistics.mean_intervals import heavy_tail_ratios, tail_is_heavy

    notes = [
        f"intervals: pointwise {100 * resampling.level:g} % (seed {resampling.seed}); not "
        "corrected for multiple comparisons."
    ]
    notes += notes_on_repetitions("intervals", sample.cells)
    notes += notes_on_unseen_failures(sample, resampling, "upper ends")
    is_heavy = np.concatenate([tail_is_heavy(run_set.hits) for run_set in sample])
    if is_heavy.any():
        thresholds = np.concatenate([heavy_tail_ratios(run_set.hits) for run_set in sample])
        notes.append(
            f"skewed runtimes: {int(is_heavy.sum())} of {len(is_heavy)} aRTs (longest success over "
            f"{_range_text(thresholds[is_heavy])} times the median); {skew}."
        )
    return notes


def _range_text(values: Floats) -> str:
    """Return text for the smallest and the largest of some numbers, such as ``11.3 to 16.1``."""
    ends = dict.fromkeys(f"{end:.1f}" for end in (values.min(), values.max()))
    return " to ".join(ends)


def notes_on_unseen_failures(
    run_sets: Iterable[RunSet], resampling: Resampling, quantity: str
) -> list[str]:
    """Return a note on the possible cost of failures that no run showed.

    Args:
        run_sets: The runs that intervals are computed from.
        resampling: Level of the intervals.
        quantity: Noun for the numbers that unobserved failures raise, such as "upper ends".

    Returns:
        One note on the run sets with at least two runs that all hit a target. No note if there are
        no such run sets.
    """
    # Imported here, because the import takes 3 ms and only tables with intervals need it.
    from .statistics.intervals import unseen_failures

    sets = list(run_sets)
    counts = [
        len(run_set.spent)
        for run_set in sets
        if len(run_set.spent) > 1 and np.isfinite(run_set.hits).all(axis=0).any()
    ]
    if not counts:
        return []
    fewest, most = min(counts), max(counts)
    cost = f"{unseen_failures(fewest, resampling.level):.2g} ({fewest} runs)"
    if most > fewest:
        cost += f" or {unseen_failures(most, resampling.level):.2g} ({most} runs)"
    return [
        "unobserved failures: not in intervals; if all runs succeeded, failures can raise "
        f"{quantity} by {cost} times the {unit_of_count(sets[0].count)} of a failed run."
    ]


def notes_on_repetitions(label: str, run_sets: Sequence[RunSet]) -> list[str]:
    """Return notes on what intervals hold for if instances have several runs.

    Intervals hold for the function if there are at least `FEWEST_INSTANCES` instances, and for the
    instances alone otherwise.

    Args:
        label: The columns or texts that the notes are about. Each note begins with it.
        run_sets: The runs that intervals are computed from.

    Returns:
        At most one note for each of the two cases; none if no instance has several runs.
    """
    repeated = [run_set for run_set in run_sets if repeats(run_set.instances)]
    n_for_instances = sum(not for_the_function(run_set.instances) for run_set in repeated)
    notes = []
    if len(repeated) > n_for_instances:
        notes.append(
            f"{label}: valid for the function; an instance with several runs counts as one, so add "
            "instances instead of runs."
        )
    if n_for_instances:
        notes.append(
            f"{label}: valid for the instances only on {n_for_instances} of {len(run_sets)} "
            f"functions and dimensions, which have fewer than {FEWEST_INSTANCES} instances."
        )
    return notes


def notes_on_reference(
    entries: Entries, name: str, previous_notes: Sequence[str]
) -> tuple[str, ...]:
    """Return notes on the algorithms and runs that a reference was computed from.

    Args:
        entries: The entries of the reference.
        name: Name of the reference.
        previous_notes: Notes that the table has already. They are not repeated.

    Returns:
        The notes; empty if the reference was computed without runs.
    """
    # Only entries that were computed from runs have the attribute ``run_sets``.
    runs = [run_set for entry in entries.values() for run_set in getattr(entry, "run_sets", ())]
    algorithms = sorted({run_set.algorithm for run_set in runs}, key=natural)
    notes = [f"reference ({name}), {note}" for note in basis(runs) if note not in previous_notes]
    if len(algorithms) > 1:
        notes.insert(
            0, f"reference ({name}): smallest aRT of {', '.join(algorithms)} to each target."
        )
    return tuple(notes)


def describe_missing_reference(name: str, n_missing: int, n_run_sets: int) -> str:
    """Return a note on algorithms and functions for which a reference has no data.

    Args:
        name: Name of the reference.
        n_missing: Number of combinations of algorithm, function and dimension without data.
        n_run_sets: Number of all such combinations.
    """
    if n_missing == n_run_sets:
        return f"reference: {name} has no data for the functions shown; there are no ratios."
    return (
        f"reference: {name} has no data for {n_missing} of {n_run_sets} combinations of algorithm, "
        "function and dimension; they have no ratios."
    )


def notes_on_unusable_points(sample: Sample[Any]) -> Iterator[str]:
    """Yield a note on each algorithm whose runs show wrong points, such as NaN or another box.

    In one suite and dimension, these are an algorithm of which some runs saw no finite value, and
    an algorithm of which all runs have their best point outside the region of interest. Constraints
    and two objectives are not considered: there, a run without a feasible point has no value.
    """
    log, keys = sample.log, ("algorithm", "suite", "dimension")
    is_considered = (log.runs["evaluations"] > 0) & (log.runs["evaluations_constraints"] == 0)
    rows = sample.rows[is_considered[sample.rows]]
    for indices in cells_of(log, rows, keys):
        runs = rows[indices]
        algorithm, suite, dimension = values_of(log, runs[0], keys)
        label = f"{algorithm} on {suite} in {dimension}-D"
        n_without_value = int(np.isposinf(log.runs["best_precision"][runs]).sum())
        if n_without_value:
            yield (
                f"no finite value: {n_without_value} of {len(runs)} runs of {label}; their points "
                "may be NaN."
            )
        elif all(_has_best_point_outside(log, int(run)) for run in runs):
            yield (
                f"outside the region of interest: best points of all {len(runs)} runs of {label}; "
                "the optimizer may use other bounds."
            )


def notes_on_wrong_references(sample: Sample[Any]) -> Iterator[str]:
    """Yield a note on each function on which runs have values below the reference value.

    The reference value is then not the optimum, and the hits of all targets come too early. Noisy
    values, hypervolumes and unscaled values may be below the reference value, and give no note.
    """
    log, keys = sample.log, ("suite", "function", "dimension")
    precisions, references = log.runs["best_precision"], log.runs["reference_value"]
    rows = sample.rows[precisions[sample.rows] < 0]
    for indices in cells_of(log, rows, keys):
        runs = rows[indices]
        suite, function, dimension = values_of(log, runs[0], keys)
        indicator = measurement_of(log, suite).indicator
        runs = runs[is_below_reference(indicator, precisions[runs], references[runs])]
        if len(runs):
            yield (
                f"below the reference value: {len(runs)} {'run' if len(runs) == 1 else 'runs'} on "
                f"{suite} f{function} in {dimension}-D, by up to {-precisions[runs].min():.3g}; "
                "correct the optimal value, because hits come too early."
            )


def _has_best_point_outside(log: Log, run: int) -> bool:
    point = log.best_solution(run)
    names = ("suite", "function", "dimension", "instance")
    return bool(point.size) and is_outside_region(ProblemId(*values_of(log, run, names)), point)
