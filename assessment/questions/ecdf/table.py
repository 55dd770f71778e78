"""Runtime profiles: the share of function-target pairs solved within budgets."""

from __future__ import annotations

from ...asking.declaration import question
from ...asking.options import (
    Groupings,
    Level,
    Percents,
    Reference,
    RuntimeAxis,
    Runtimes,
    Samples,
    Seed,
    Targets,
)
from ...data.function_pairs import Simulation
from ...data.grouping import check_groupings
from ...data.profiles import EcdfTable, ProfileOptions, concatenate, ecdf_tables
from ...data.run_sets import in_batches
from ...data.runs import Runs
from ...errors import AssessmentError
from ...targets.budgets import batch_size
from ...targets.defaults import all_targets
from ...targets.runlength import PROFILE_BUDGETS


@question("To begin with", 30, joins=True)
def ecdf(
    runs: Runs,
    targets: Targets | None = None,
    *,
    group_by: Groupings = "all",
    runtimes: Runtimes = "suite",
    axis: RuntimeAxis = "evaluations/dimension",
    seed: Seed = 1,
    samples: Samples = 200_000,
    interval: Level | None = None,
    reference: Reference | None = None,
    fractions: Percents | None = None,
) -> EcdfTable:
    """Runtime profiles: share of function-target pairs solved in a budget.

    Every function-target pair weighs the same; dimensions are never joined. Runtimes are those of
    the algorithm restarted until it succeeds, as its runs tell (`restart_distribution`). The cross
    is at the median over functions of the longest run that missed the hardest target. Where all
    these runs spent one budget, the curve rises by simulated restarts alone right of the cross.
    Where runs ended by themselves, restarts count from the shortest of them on; a note says so.

    ``interval`` adds a band by a bootstrap over runs, pointwise: at a budget named beforehand,
    within the longest run. 95 % bands of one and of eight simulated functions held in 93 to 100 %
    of experiments with 5 to 30 runs (benchmarks/band_coverage.py), but with one function whose runs
    must find a basin that one start in ten finds, in 84 % (5 runs), 88 % (15), 91 % (30). Beyond
    the longest run they know only targets that some run reached.

    In batches of P evaluations, a hit counts with its whole batch, and every run begins a new one:
    what an algorithm takes that evaluates P points at a time.

    ``fractions`` gives the budgets at which shares of the pairs are solved instead, the factors
    between the algorithms, and the geometric mean over the easiest share; with ``interval``, their
    intervals: from where the upper end of the band reaches the share to where the lower one does.

    Args:
        targets: None: the suite's, such as 51, 1e2 … 1e-8.
        group_by: What a curve spans; never several dimensions.
        runtimes: expected: of the algorithm restarted until it succeeds, as an exact distribution;
            restarts: the same by simulation; runs: of single runs, failures counting as never;
            suite: expected, but runs with two objectives.
        axis: Unit of budgets.
        seed: Of simulated restarts, and of bands.
        samples: At least so many simulated runtimes of each function.
        interval: Add the confidence interval of each fraction, such as 0.95.
        reference: Its curves are added, thick in figures; run-length targets are made from it. With
            ``fractions``, an algorithm that factors are to. None: none.
        fractions: Percentages of the function-target pairs, such as 25,50,75. None: the curves.

    Returns:
        An `EcdfTable`, with ``fractions`` a `FractionsTable`; its columns are there. Several of
        ``group_by`` give the curves of each, for less than one by one.

    Raises:
        AssessmentError: A reference's curve is asked for in batches.
    """
    simulation = Simulation(seed, samples)
    spans = check_groupings(group_by)
    options = [ProfileOptions(span, runtimes, axis, simulation=simulation) for span in spans]
    targets = runs.load_targets(targets, reference, PROFILE_BUDGETS)
    compared = runs.common()
    size = batch_size(axis)
    if size is not None and reference is not None and fractions is None:
        raise AssessmentError("axis: a reference has no curve in batches; leave one of both out")
    run_sets, aims = compared.at_targets(targets, all_targets)
    run_sets = in_batches(run_sets, size)
    tables = ecdf_tables(run_sets, aims, options)
    if interval is not None:
        from ...data.uncertainty import banded
        from ...statistics.intervals import Resampling

        tables = banded(tables, run_sets, options, Resampling(interval, seed, samples=200))
    if fractions is not None:
        from .fractions import fractions_table, parse_percents

        base = None if reference is None else str(reference)
        return fractions_table(tables, run_sets, options, parse_percents(fractions), base)
    table = concatenate(tables)
    if reference is None:
        return table
    from ...data.reference_tables import with_reference

    return with_reference(table, aims, compared.reference_at(reference, aims), options[0])
