"""Caveats: notes below a table that state the limits of the runs behind its numbers.

A *caveat* is a function that takes a sample and returns notes on it, or no notes if it does not
apply. The decorator ``@caveat(KIND)`` adds a caveat to the tables of all samples of a kind, and
``@caveat()`` adds it to all tables. The notes below a table appear in the order in which their
caveats are defined. A caveat of a single statistic is defined beside its question, with the
decorator ``@QUESTION.caveat()``. Both decorators take the `Explanation` of each note, from which
the page of all notes is generated (`questions._framework.notes_page`).

A warning has the form *what: number; consequence*, and a definition the form *what: meaning*.
A note has at most 25 words if no names are listed, and is complete without the table's head.

Whether a caveat applies depends on the kind of the sample, on the convention, and on a condition
inside the caveat. It never depends on the columns of the table. Notes that are also needed
elsewhere come from `notes`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .notes import (
    broken_notes,
    notes_on_functions,
    notes_on_instances,
    notes_on_targets,
    reference_notes,
    runs_note,
)
from .samples.convention import EACH_RUN, Convention
from .samples.sample import Answer, Kind, Sample
from .selection import notes_on_unknown
from .tables.table import Table
from .targets.parse import target_text

if TYPE_CHECKING:
    from .samples.archives import Archives
    from .samples.areas import Areas
    from .samples.at_budgets import AtBudgets
    from .samples.at_targets import AtTargets
    from .samples.curves import Curves

Caveat = Callable[[Any, Answer], Iterable[str]]
"""A function that takes a sample and the answer, and returns notes; none if it does not apply."""


class Explanation(NamedTuple):
    """Explanation of a note, for the page of all notes.

    A note is a warning or a definition. A warning states a limit of the data or of the comparison.
    A definition states what a column, an interval or a reference is, or which runs are behind the
    numbers.

    Attributes:
        title: The words that the note begins with.
        example: A complete note as it appears below a table.
        reason: Of a warning: why the limit exists and what it changes. Of a definition: what the
            numbers are for, and when they mislead.
        action: Sentence that says what a user can do, and why.
        is_definition: Whether the note is a definition.
    """

    title: str
    example: str
    reason: str
    action: str
    is_definition: bool = False


class RegisteredCaveat(NamedTuple):
    """A caveat of some kinds of samples.

    Attributes:
        kinds: Kinds of samples whose tables the caveat belongs to; empty: all kinds.
        function: The caveat.
        explains: Explanations of its notes.
    """

    kinds: tuple[Kind, ...]
    function: Caveat
    explains: tuple[Explanation, ...]


DOMINANT_INSTANCE = Explanation(
    "dominant instance",
    "dominant instance: most evaluations of 2 averages (L-BFGS-B on f16 in 2-D, instance 2, "
    "target 1e1 (82%)); they mainly describe this instance.",
    "aRT assumes that instances are equally hard, and one instance took more than half of the "
    "evaluations of an average.",
    "Show this instance separately (--instances 2), or run more instances, so that it has less "
    "weight.",
)
NO_FINITE_VALUE = Explanation(
    "no finite value",
    "no finite value: 2 of 15 runs of A on bbob in 2-D; their points may be NaN.",
    "These runs evaluated points, but every value was NaN or infinite. So they miss all targets.",
    "Check that the optimizer does not evaluate NaN, because the error may be in the program and "
    "not in the algorithm.",
)
WRONG_REFERENCE = Explanation(
    "below the reference value",
    "below the reference value: 3 runs on mine f1 in 2-D, by up to 0.5; correct the optimal "
    "value, because hits come too early.",
    "Runs found better values than the declared optimal or reference value. Therefore this value "
    "is wrong, and all precisions of the function are too small.",
    "Correct the value in the suite and repeat the runs, because the log keeps the wrong value.",
)
OUTSIDE = Explanation(
    "outside the region of interest",
    "outside the region of interest: best points of all 15 runs of A on bbob in 2-D; the "
    "optimizer may use other bounds.",
    "The best points of all runs are outside the region of interest. There, the function may have "
    "values that the benchmark does not intend.",
    "Pass the bounds of the problem to the optimizer, because it probably uses others.",
)
REFERENCE_RUNS = Explanation(
    "reference",
    "reference (best of A, B), runs: 15 on each function and dimension (instances 1-15); each "
    "counts once, unsuccessful runs with all their evaluations.",
    "Ratios and factors also depend on the runs of the reference. Functions without reference "
    "data have no ratio.",
    "Report the runs of the reference with the table, because few runs make ratios uncertain.",
    is_definition=True,
)
BACKGROUND = Explanation(
    "background",
    "background: 31 algorithms from coco:bbob/2009/*.",
    "Background curves show where your algorithms stand among published ones. They depend on the "
    "sources.",
    "Name the sources in the caption, so that readers can repeat the figure.",
    is_definition=True,
)
TESTS = Explanation(
    "repeated instances",
    "repeated instances: tests exchange runs within shared instances, which p-values refer to; if "
    "fewer than half are shared, they exchange whole instances.",
    "Runs on one instance are more similar than runs on different instances. The tests respect "
    "this, so the conclusion is limited to the shared instances.",
    "Run more instances once instead of few instances repeatedly, because the conclusion then "
    "covers more problems.",
)
INTERVALS = Explanation(
    "intervals",
    "intervals: pointwise 95 % (seed 1); not corrected for multiple comparisons.",
    "An interval shows how much an aRT may vary with other runs. Each one misses the true value "
    "in about 5 % of all experiments.",
    "Use `firsthit assess compare` for conclusions over many rows, because it corrects for "
    "multiple tests.",
    is_definition=True,
)
VALID_FOR = Explanation(
    "intervals: valid for",
    "intervals: valid for the function; an instance with several runs counts as one, so add "
    "instances instead of runs.",
    "Runs on one instance are not independent. With fewer than three instances, the interval is "
    "valid for these instances only.",
    "Add instances, because each instance counts once, however many runs it has.",
)
UNOBSERVED = Explanation(
    "unobserved failures",
    "unobserved failures: not in intervals; if all runs succeeded, failures can raise upper ends "
    "by 0.61 (5 runs) times the evaluations of a failed run.",
    "All runs of a row succeeded, so the rate of failures is unknown. A failed run costs all "
    "evaluations of its budget.",
    "Add runs, because more successes exclude frequent failures: the factor is 0.18 with 15 runs "
    "and 0.09 with 30.",
)
SKEWED = Explanation(
    "skewed runtimes",
    "skewed runtimes: 7 of 1440 aRTs (longest success over 11.3 times the median); their "
    "intervals show only the lower end.",
    "A few very long successful runs determine the mean. Further runs may be longer still, so no "
    "upper end can be given.",
    "Add runs, because long runs are rare. For this reason intervals without the mark may be too "
    "short, too.",
)
TARGETS_FROM_RUNS = Explanation(
    "targets",
    "targets from runs: 15 on each function and dimension (instances 1-15); each counts once, "
    "unsuccessful runs with all their evaluations.",
    "These targets were computed from runs, so that they are neither too easy nor too hard. Other "
    "runs give other targets.",
    "Report how targets were chosen. Give --targets 1e1,1e-8, if targets must not depend on runs.",
    is_definition=True,
)
"""Explanations of notes that several caveats return."""

REGISTERED_CAVEATS: list[RegisteredCaveat] = []
"""All caveats of kinds of samples, in the order of their notes."""
_BIASED_SUCCESS_RATE = 0.5
"""Share of successful runs below which `restarts_are_biased` considers an average as biased."""


def caveat(*kinds: Kind, explains: Sequence[Explanation]) -> Callable[[Caveat], Caveat]:
    """Return a decorator that registers a function as a caveat of some kinds of samples.

    Args:
        *kinds: The kinds of samples whose tables the caveat belongs to. Default: all kinds.
        explains: Explanation of each note that the caveat may return.
    """

    def declare(function: Caveat) -> Caveat:
        REGISTERED_CAVEATS.append(RegisteredCaveat(kinds, function, tuple(explains)))
        return function

    return declare


def caveats_of(sample: Sample[Any]) -> list[Caveat]:
    """Return the caveats that belong to the kind of a sample, in the order of their notes."""
    return [
        registered.function
        for registered in REGISTERED_CAVEATS
        if not registered.kinds or sample.kind in registered.kinds
    ]


def collect_notes(
    sample: Sample[Any], convention: Convention = EACH_RUN
) -> dict[str, tuple[str, ...]]:
    """Return the notes of all caveats of a sample's kind, for a page that shows no table of it.

    Args:
        sample: A sample of any kind.
        convention: The rule by which the runs count.

    Returns:
        The notes by the name of the caveat's function. The tuple is empty if the caveat does not
        apply.
    """
    # Caveats take an answer. This one has no table and no options, because no question was asked.
    answer = Answer(Table({}), (sample,), (convention,), {})
    return {caveat.__name__: tuple(caveat(sample, answer)) for caveat in caveats_of(sample)}


@caveat("targets", explains=[TARGETS_FROM_RUNS])
def where_targets_come_from(sample: AtTargets, answer: Answer) -> Iterable[str]:
    """State how the targets were chosen, unless they are plain precisions."""
    return sample.targets.notes


@caveat("targets", explains=[TARGETS_FROM_RUNS])
def what_targets_rest_on(sample: AtTargets, answer: Answer) -> Iterable[str]:
    """State from which runs the targets were computed; no note if they were chosen otherwise."""
    return notes_on_targets(sample.targets.rests_on)


@caveat(
    "targets",
    explains=[
        Explanation(
            "functions without reference value",
            "functions without reference value: f3 of mine in 2-D; left out, because precision "
            "targets need it.",
            "A precision is the distance to a reference value, and the suite has none for these "
            "functions.",
            "Declare the optimal value in the suite and repeat the runs, because the log stores "
            "it with each run.",
        )
    ],
)
def without_reference_value(sample: AtTargets, answer: Answer) -> Iterable[str]:
    """Name the functions that are left out because precision targets do not apply to them."""
    return notes_on_unknown(sample.log, sample.rows)


@caveat(
    explains=[
        Explanation(
            "runs without counterpart",
            "runs without counterpart of A: 5 runs (functions 3; dimensions 2; instances 1-5); "
            "left out, but --unequal (unequal=True) uses all runs.",
            "The table aggregates functions, and another algorithm was not run on these problems. "
            "Aggregates of different problems are not comparable.",
            "Run all algorithms on the same problems, because only then aggregates are comparable.",
        ),
        Explanation(
            "functions of one algorithm",
            "functions of one algorithm: 3; left out, because a difference needs both.",
            "The table shows differences between two algorithms. A function without runs of one "
            "algorithm has no difference.",
            "Run both algorithms on the same functions, so that the table covers all of them.",
        ),
    ]
)
def left_out(sample: Sample[Any], answer: Answer) -> Iterable[str]:
    """State which runs were left out because another algorithm has no run on the same problem."""
    return sample.selection.notes


@caveat(
    "targets",
    "budgets",
    "curves",
    explains=[
        Explanation(
            "incomplete runs",
            "incomplete runs: 1 of 36 failed, timed out or were interrupted; they count with all "
            "their evaluations.",
            "These runs did not end regularly. Their evaluations count, so an error can make an "
            "algorithm look slow.",
            "List the errors (`firsthit assess termination --errors`), correct the cause, and "
            "repeat only these runs (firsthit run --retry-failed).",
        )
    ],
)
def broken_runs(sample: Sample[Any], answer: Answer) -> Iterable[str]:
    """State how failed, timed-out and interrupted runs count, if there are any."""
    convention = answer.convention_of(sample)
    return () if convention is None else broken_notes(sample.cells, convention.failed)


@caveat(
    "targets",
    explains=[
        Explanation(
            "upper bounds",
            "upper bounds: 32 of 720 runtimes (targets 3e-1); the log does not record these "
            "targets, so runtimes may be too large.",
            "The log records first hits of a grid of targets. For a target between two of them, "
            "the runtime to the harder one is shown.",
            "Choose a recorded target, or set record: improvements in the campaign, because then "
            "all targets are exact.",
        )
    ],
)
def targets_between_recorded_ones(sample: AtTargets, answer: Answer) -> Iterable[str]:
    """State which runtimes are upper bounds because the log does not record hits of their targets.

    A log records first hits of a grid of targets. The runtime to a target between two of them is at
    most the runtime to the harder one. Targets that all functions share are named, unless they
    differ between functions (``targets.own``).
    """
    n_bounds = sum(int((~run_set.exact).sum()) for run_set in sample)
    n_runtimes = sum(run_set.exact.size for run_set in sample)
    if not n_bounds:
        return
    names = ""
    if not sample.targets.own:
        unrecorded_targets: set[float] = set()
        for run_set in sample:
            targets = np.array(sample.targets.of(*run_set.problem_class))
            unrecorded_targets.update(targets[~run_set.exact.all(axis=0)].tolist())
        names = ", ".join(map(target_text, sorted(unrecorded_targets, reverse=True)))
        names = f" (targets {names})"
    yield (
        f"upper bounds: {n_bounds} of {n_runtimes} runtimes{names}; the log does not record these "
        "targets, so runtimes may be too large."
    )


@caveat(
    "budgets",
    explains=[
        Explanation(
            "upper bounds",
            "upper bounds: 12 of 720 precisions; logs are exact at 1, 2, 5, 10, … evaluations / "
            "dimension, not at all of these budgets.",
            "The log has the exact best value only at these budgets. Between them, the precision "
            "of the last recorded hit is shown.",
            "Choose budgets of 1, 2, 5, 10, … times the dimension, or set record: improvements, "
            "because then all budgets are exact.",
        )
    ],
)
def precisions_are_bounds(sample: AtBudgets, answer: Answer) -> Iterable[str]:
    """State how many precisions at budgets are upper bounds, because the log has no exact value."""
    n_bounds = sum(int((~cell.exact).sum()) for cell in sample)
    if n_bounds:
        yield (
            f"upper bounds: {n_bounds} of {_number_of_precisions(sample)} precisions; logs are "
            "exact at 1, 2, 5, 10, … evaluations / dimension, not at all of these budgets."
        )


@caveat(
    "budgets",
    explains=[
        Explanation(
            "ended runs",
            "ended runs: 30 of 720 precisions; the runs ended before the budget, so their last "
            "value counts.",
            "A run that ended before the budget has no later value. With the rest of the budget "
            "it might have become better.",
            "Compare at smaller budgets, where all runs have values, or run longer.",
        )
    ],
)
def runs_ended_before_budgets(sample: AtBudgets, answer: Answer) -> Iterable[str]:
    """State how many precisions at budgets are of runs that ended before the budget."""
    n_ended = sum(int(cell.ended.sum()) for cell in sample)
    if n_ended:
        yield (
            f"ended runs: {n_ended} of {_number_of_precisions(sample)} precisions; the runs ended "
            "before the budget, so their last value counts."
        )


def _number_of_precisions(sample: AtBudgets) -> int:
    return sum(cell.exact.size for cell in sample)


@caveat(
    "curves",
    explains=[
        Explanation(
            "upper bounds",
            "upper bounds: 15 of 15 curves; their logs lack some improvements (record: "
            "improvements), so precisions may be better.",
            "The log records first hits of targets, not every improvement. Between two hits, the "
            "curve keeps the precision of the first.",
            "Set record: improvements in the campaign, because then curves are exact.",
        )
    ],
)
def curves_may_lie_too_high(sample: Curves, answer: Answer) -> Iterable[str]:
    """State for how many runs the log lacks improvements, so that their curves may be too high."""
    n_runs = sum(len(cell.curves) for cell in sample)
    n_complete = sum(cell.has_all for cell in sample)
    if n_complete < n_runs:
        yield (
            f"upper bounds: {n_runs - n_complete} of {n_runs} curves; their logs lack some "
            "improvements (record: improvements), so precisions may be better."
        )


@caveat(
    "areas",
    explains=[
        Explanation(
            "scale",
            "scale: logarithmic, from precision 100 (0) to 1e-08 (1); a run that ended before the "
            "budget keeps its last value.",
            "An area measures precision over the whole budget on a scale from 0 to 1. Other ends "
            "of the scale can change the order of algorithms.",
            "Report both precisions with the areas. Choose others with --upper and --lower, if "
            "most runs end outside them.",
            is_definition=True,
        )
    ],
)
def scale_of_areas(sample: Areas, answer: Answer) -> Iterable[str]:
    """State the two precisions that the scale of the areas ends at."""
    yield (
        f"scale: logarithmic, from precision {sample.scale.upper:g} (0) to "
        f"{sample.scale.lower:g} (1); a run that ended before the budget keeps its last value."
    )


@caveat(
    "areas",
    explains=[
        Explanation(
            "bounds",
            "bounds: 15 of 15 areas lie between aocc and most; their logs lack some improvements "
            "(record: improvements).",
            "The log records first hits of targets, not every improvement. Between two hits, the "
            "precision is known only within bounds.",
            "Set record: improvements in the campaign, because then areas are exact.",
        )
    ],
)
def areas_are_bounds(sample: Areas, answer: Answer) -> Iterable[str]:
    """State for how many areas the log determines only a lower and an upper bound."""
    n_bounds = sum(int((areas.least < areas.most).sum()) for areas in sample)
    if n_bounds:
        yield (
            f"bounds: {n_bounds} of {_number_of_areas(sample)} areas lie between aocc and most; "
            "their logs lack some improvements (record: improvements)."
        )


@caveat(
    "areas",
    explains=[
        Explanation(
            "stopped runs",
            "stopped runs: 3 of 15 areas; a smaller budget stopped these runs, so their areas may "
            "be too small.",
            "These runs had a smaller budget than the area. They keep their last value, although "
            "they might have become better.",
            "Choose a --budget that all runs have, or run longer, so that areas cover equal "
            "budgets.",
        )
    ],
)
def areas_of_shorter_runs(sample: Areas, answer: Answer) -> Iterable[str]:
    """State how many runs ended because their budget was smaller than that of the areas."""
    n_cut = sum(areas.cut for areas in sample)
    if n_cut:
        yield (
            f"stopped runs: {n_cut} of {_number_of_areas(sample)} areas; a smaller budget stopped "
            "these runs, so their areas may be too small."
        )


@caveat(
    "areas",
    explains=[
        Explanation(
            "incomplete runs",
            "incomplete runs: 1 of 36 failed, timed out or were interrupted; they count.",
            "These runs did not end regularly. They keep their last value, so their areas may be "
            "too small.",
            "List the errors (`firsthit assess termination --errors`), correct the cause, and "
            "repeat only these runs (firsthit run --retry-failed).",
        )
    ],
)
def areas_of_broken_runs(sample: Areas, answer: Answer) -> Iterable[str]:
    """State how many of the runs with areas failed, timed out or were interrupted."""
    n_broken = sum(areas.broken for areas in sample)
    if n_broken:
        yield (
            f"incomplete runs: {n_broken} of {_number_of_areas(sample)} failed, timed out or were "
            "interrupted; they count."
        )


def _number_of_areas(sample: Areas) -> int:
    return sum(len(areas.least) for areas in sample)


@caveat(
    "budgets",
    "curves",
    explains=[
        Explanation(
            "no reference value",
            "no reference value: unknown for some functions; there, precisions are indicator "
            "values.",
            "A precision is the distance to a reference value. Without one, the table shows the "
            "value itself, which has another scale.",
            "Declare the optimal value in the suite, or compare only within a function, where the "
            "scale is equal.",
        )
    ],
)
def precisions_are_indicator_values(sample: AtBudgets | Curves, answer: Answer) -> Iterable[str]:
    """State that precisions are indicator values if a function has no reference value."""
    if not all(cell.has_reference for cell in sample):
        yield (
            "no reference value: unknown for some functions; there, precisions are indicator "
            "values."
        )


@caveat(
    "archives",
    explains=[
        Explanation(
            "final archives",
            "final archives: 5 of 5 runs kept no earlier archive (archive: final); their quality "
            "before the end is unknown.",
            "The campaign recorded only final archives. Therefore the table has no values of "
            "these runs at earlier budgets.",
            "Set archive: all in the campaign, because then archives at all budgets are known.",
        )
    ],
)
def archives_at_end_alone(sample: Archives, answer: Answer) -> Iterable[str]:
    """State how many runs recorded their final archive only.

    There is no note if archives are evaluated at the end of the runs only.
    """
    n_final = sum(archives.final for archives in sample)
    if n_final and not sample.is_at_end:
        n_runs = sum(len(archives.runs) for archives in sample)
        yield (
            f"final archives: {n_final} of {n_runs} runs kept no earlier archive (archive: final); "
            "their quality before the end is unknown."
        )


@caveat(
    explains=[
        Explanation(
            "different functions",
            "different functions: A on bbob f1-3 in 2-D; B on bbob f1-2 in 2-D; compare only "
            "common functions and dimensions.",
            "The algorithms were run on different functions or dimensions. Rows of different "
            "problems are not comparable.",
            "Select common functions (--functions 1,2), so that each algorithm has the same rows.",
        )
    ]
)
def different_functions(sample: Sample[Any], answer: Answer) -> Iterable[str]:
    """State on which functions each algorithm was run, if the algorithms have different ones."""
    return notes_on_functions(sample) if _has_notes_on_runs(sample, answer) else ()


@caveat(
    explains=[
        Explanation(
            "different instances",
            "different instances: 2 of 4 functions and dimensions (A on 1-5, B on 1-3); "
            "algorithms may differ because instances do.",
            "Instances of one function differ in difficulty. An algorithm may look better only "
            "because its instances are easier.",
            "Select common instances (--instances 1-3), so that all algorithms solve the same "
            "problems.",
        )
    ]
)
def different_instances(sample: Sample[Any], answer: Answer) -> Iterable[str]:
    """State on which instances each algorithm was run, if the algorithms have different ones."""
    return notes_on_instances(sample) if _has_notes_on_runs(sample, answer) else ()


@caveat(
    explains=[
        Explanation(
            "runs",
            "runs: 5 on each function and dimension (instances 1-5); each counts once, "
            "unsuccessful runs with all their evaluations.",
            "Every number depends on the number of runs, their instances, and the way in which "
            "unsuccessful runs count.",
            "Report this note with the table, so that readers can judge and repeat the numbers.",
            is_definition=True,
        )
    ]
)
def runs_and_convention(sample: Sample[Any], answer: Answer) -> Iterable[str]:
    """State the number of runs, their instances, and how they count."""
    convention = answer.convention_of(sample)
    if convention is None or not sample.cells:
        return
    yield runs_note(sample.cells, "; ".join(filter(None, (convention.sentence, sample.remark))))


@caveat(
    explains=[
        Explanation(
            "hypervolume references",
            "hypervolume references: COCO's placeholder (5 runs); no archive can reach its value "
            "1.0, so consider --hypervolume-reference archive.",
            "With two objectives, precisions are differences to a reference value of the "
            "hypervolume. A reference that no archive can reach leaves targets unreachable.",
            "Report the reference. If it is the placeholder, give --hypervolume-reference "
            "archive, so that targets can be reached.",
        )
    ]
)
def references_of_hypervolumes(sample: Sample[Any], answer: Answer) -> Iterable[str]:
    """State the references from which hypervolumes are measured; no note with one objective."""
    return reference_notes(sample) if _has_notes_on_runs(sample, answer) else ()


def _has_notes_on_runs(sample: Sample[Any], answer: Answer) -> bool:
    """Return whether the question states runs and conventions; it declares None if it does not."""
    return answer.convention_of(sample) is not None


@caveat(
    "targets",
    explains=[
        Explanation(
            "stopped runs",
            "stopped runs: 96 of 1440 aRTs; fewer than half of the runs succeeded and a limit "
            "stopped others, so these aRTs are biased.",
            "The budget or the time limit stopped runs that might have succeeded later. The "
            "average runtime depends on this limit.",
            "Use a larger budget, because then more runs succeed or end on their own.",
        )
    ],
)
def restarts_are_biased(sample: AtTargets, answer: Answer) -> Iterable[str]:
    """State how many average runtimes and simulated restarts may be biased.

    An average runtime to a target on a function counts as biased if two conditions hold. Fewer than
    half of the runs succeeded, and a limit ended some of the unsuccessful runs. Without the limit,
    unsuccessful runs would be longer, and some of them would succeed late (Hansen et al.,
    arXiv:1605.03560, section 4; Hoos and Stützle, "Evaluating Las Vegas Algorithms" (1998), UAI).
    Averages to targets that no run hit are infinite, not biased.
    """
    convention = answer.convention_of(sample)
    n_biased = n_pairs = 0
    for run_set in sample:
        if convention is None or not convention.restarted(run_set):
            continue
        is_hit = np.isfinite(run_set.hits)
        success_rates = is_hit.mean(axis=0)
        is_cut = run_set.cut if run_set.cut.size else np.zeros(len(run_set.hits), dtype=np.bool_)
        has_cut_failure = (~is_hit & is_cut[:, np.newaxis]).any(axis=0)
        is_biased = (success_rates > 0) & (success_rates < _BIASED_SUCCESS_RATE) & has_cut_failure
        n_pairs += len(success_rates)
        n_biased += int(is_biased.sum())
    if n_biased:
        yield (
            f"stopped runs: {n_biased} of {n_pairs} aRTs; fewer than half of the runs succeeded "
            "and a limit stopped others, so these aRTs are biased."
        )
