"""Statistics of the runtimes to single targets (fixed-target view), by convention, as a table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ...suites.errors import UnknownNameError
from ..asking.declaration import question
from ..asking.options import Budget, Number, Reference, Targets
from ..data.counting import axis_of, in_whole
from ..data.function_pairs import restart_distributions, runtimes_meant, runtimes_note
from ..data.notes import notes_on_targets, restart_notes
from ..data.run_sets import RunSet
from ..data.runs import Runs
from ..errors import AssessmentError
from ..statistics.average_runtime import (
    average_runtime,
    evaluations_until,
    success_rate,
)
from ..statistics.hits import successes
from ..statistics.quantiles import PERCENTS, Floats, quantiles
from ..statistics.restart_distribution import RestartDistribution
from ..statistics.runtime_statistics import (
    balancing_copies,
    capped,
    capped_statistics,
    geometric_mean,
    iohanalyzer_statistics,
    mean_unsuccessful,
    successful_deviation,
    successful_geometric_mean,
    successful_mean,
)
from ..tables.table import Table, Value, stacked, text
from ..targets import budgets
from ..targets.parse import target_text
from ..targets.target_sets import decades

Convention = Literal["suite", "restarts", "runs", "iohanalyzer", "capped"]
Balance = Literal["runs", "instances"]
_NAMES = ("algorithm", "suite", "function", "dimension", "target")
_CONVENTIONS = {
    "restarts": "convention restarts: of the algorithm restarted until it succeeds, a failed run "
    "costing all it spent",
    "runs": "convention runs: quantiles take a failed run as never, mean, sd and geometric mean "
    "leave it out",
    "iohanalyzer": "convention iohanalyzer: of successful runs, except PAR-k and ERT, where a "
    "failed run counts budgets",
    "capped": "convention capped: min(T, B) of all runs, except PAR-k and ERT, where a failed run "
    "counts budgets",
}
_IOHANALYZER_STATISTICS = {"iohanalyzer": iohanalyzer_statistics, "capped": capped_statistics}
_USUAL = {
    "expected": _CONVENTIONS["restarts"],
    "runs": "quantiles take a failed run as never, geometric mean leaves it out",
}
_WITH_ART = ("suite", "restarts")
_PROBABILITIES = np.array(PERCENTS) / 100


@dataclass(frozen=True)
class _Options:
    """Which statistics of runtimes are shown; see `fixed_target`."""

    convention: str = "suite"
    budget: budgets.Budget | None = None
    penalty: float = 1.0
    balance: str = "runs"

    def __post_init__(self) -> None:
        for what, known in (("convention", Convention), ("balance", Balance)):
            if getattr(self, what) not in get_args(known):
                raise UnknownNameError.of(what, getattr(self, what), get_args(known))
        if not 0 < self.penalty < np.inf:
            raise AssessmentError(f"penalty is {self.penalty:g}, must be positive and finite")


@dataclass(frozen=True, eq=False, repr=False)
class FixedTargetTable(Table):
    """One row for each algorithm, function, dimension and target; runtimes in evaluations.

    Columns of all conventions: ``algorithm, suite, function, dimension``; of run-length
    targets ``budget`` (evaluations / dimension); ``target``.

    ``restarts``: ``successes`` of ``runs``, ``success_rate``; ``evaluations`` of all runs until
    they hit or ended; ``art``, their quotient; ``geometric_mean`` and quantiles ``2%`` … ``98%``
    of the runtime with restarts (`restart_distribution`), inf where no run succeeded.

    ``suite``: the same columns; with two objectives ``geometric_mean`` and quantiles are those of
    ``runs``.

    ``runs``: ``successes``, ``runs``, ``success_rate``; ``mean``, ``sd`` and ``geometric_mean`` of
    the successful runs (NaN without); quantiles (hazen) over all runs, inf where they lean on a
    failure.

    ``iohanalyzer``: see `iohanalyzer_statistics`; ``runs`` are the successes there. ``capped``: the
    same columns; see `capped_statistics`.

    But with these two, the last column is ``mean_unsuccessful``, the mean evaluations of the runs
    that missed the target, NaN where none did.

    With balanced instances ``balanced_successes`` and ``balanced_runs`` count the copies, and all
    other numbers are over them; ``successes`` and ``runs`` stay the raw ones.
    """

    def text_cells(self) -> tuple[list[str], list[list[str]]]:
        """As text and LaTeX lay it out; see the class."""
        rows = []
        for row in self._records():
            row["target"] = target_text(row["target"])
            rows.append([text(value) for value in row.values()])
        return list(self.names), rows


@question("Evaluations to targets", 40)
def fixed_target(
    runs: Runs,
    targets: Targets | None = None,
    *,
    convention: Convention = "suite",
    budget: Budget | None = None,
    penalty: Number = 1.0,
    balance: Balance = "runs",
    reference: Reference | None = None,
) -> FixedTargetTable:
    """Statistics of the runtimes to single targets.

    restarts: of the algorithm restarted until it succeeds. art, the average runtime = evaluations
    of all runs until they hit or ended / successes; quantiles and geometric mean of the exact
    distribution that the runs stand for. A quantile is about one run with restarts: it is no
    confidence interval of art.

    suite: as restarts, but with two objectives no restarts are simulated: quantiles and geometric
    mean are those of runs there.

    runs: of single runs. Quantiles (hazen) count failures as infinite; mean, sd and geometric mean
    are over successful runs alone, so they must not be compared without the success rate.

    iohanalyzer: IOHanalyzer's set under its names. mean, median, sd and quantiles (type 3) over
    successful runs, PAR-k (failures count k budgets) and ERT with one budget for all runs, the
    largest that was spent or ``budget``.

    capped: as iohanalyzer, but mean, median, sd and quantiles are of min(T, B) over all runs. So
    IOHanalyzer's text defines them; its R code leaves failures out.

    Args:
        targets: None: the suite's powers of ten, such as 1e1, 1e0, … 1e-8.
        convention: Whose statistics; see above.
        budget: Runs count as if stopped after it. None: as they are.
        penalty: Of PAR-k.
        balance: Each run counts once, or runs are copied until all instances have equally many, as
            in cocopp.
        reference: None: none; run-length targets need one.

    Returns:
        A `FixedTargetTable`; its columns are there.
    """
    run_sets, aims = runs.at_targets(targets, decades, reference)
    end = None if budget is None else budgets.one_budget(budget)
    options = _Options(convention, end, penalty, balance)
    blocks: list[list[Value | NDArray[Any]]] = []
    names = aims.named(_NAMES)
    for run_set in run_sets:
        statistics = _statistics(run_set, options)
        names = (*aims.named(_NAMES), *statistics)
        keys = np.array(aims.keys(*run_set.cell)).T
        blocks.append([*run_set.head, *keys, *statistics.values()])
    notes = notes_on_targets(run_sets, aims, _convention(run_sets, options))
    if options.convention in _WITH_ART:
        notes += restart_notes(run_sets)
    elif options.convention in _IOHANALYZER_STATISTICS and options.budget is None:
        notes += ("B: the most that any run of the algorithm on the function spent.",)
    return FixedTargetTable(stacked(names, blocks), notes)


def _convention(run_sets: Iterable[RunSet], options: _Options) -> str:
    """How runs count, in words."""
    each = (
        "every run counts once"
        if options.balance == "runs"
        else "runs are copied until all instances of a function have equally many"
    )
    if options.convention == "suite":
        return f"{each}; {runtimes_note(run_sets, 'suite', _USUAL)}"
    return f"{each}; {_CONVENTIONS[options.convention]}"


def _statistics(run_set: RunSet, options: _Options) -> dict[str, NDArray[Any]]:
    budget = None
    if options.budget is not None:
        budget = options.budget.on(axis_of("evaluations", run_set.count), run_set.dimension)
    like_iohanalyzer = _IOHANALYZER_STATISTICS.get(options.convention)
    if like_iohanalyzer is None and budget is not None:
        hits, spent = capped(run_set.hits, run_set.spent, budget)
        run_set = replace(run_set, hits=hits, spent=spent)
    hit, runs = successes(run_set.hits), len(run_set.spent)
    raw = {"successes": hit, "runs": np.full(hit.shape, runs)}
    if options.balance == "instances":
        run_set = _balanced(run_set)
        raw["balanced_successes"] = successes(run_set.hits)
        raw["balanced_runs"] = np.full(hit.shape, len(run_set.spent))
    if like_iohanalyzer is not None:
        total = run_set.total if run_set.total.size else run_set.spent
        found = like_iohanalyzer(run_set.hits, total, budget, options.penalty)
        return found | {"runs": found["runs"].astype(np.int64)}
    raw["success_rate"] = success_rate(run_set.hits)
    missed = {"mean_unsuccessful": mean_unsuccessful(run_set.hits, run_set.spent)}
    if options.convention == "runs":
        return raw | _run_statistics(run_set.hits) | missed
    restarted = options.convention == "restarts" or runtimes_meant(run_set, "suite") != "runs"
    return {
        **raw,
        "evaluations": in_whole(evaluations_until(run_set.hits, run_set.spent), run_set.count),
        "art": average_runtime(run_set.hits, run_set.spent),
        **(_spread_of_restarts(run_set) if restarted else _spread_of_runs(run_set.hits)),
        **missed,
    }


def _spread_of_restarts(run_set: RunSet) -> dict[str, Floats]:
    known = restart_distributions(run_set)
    shares = np.array([own.quantiles(_PROBABILITIES) for own in known])
    return {
        "geometric_mean": np.array([_geometric_mean(own) for own in known]),
        **_named(shares.reshape(-1, len(_PROBABILITIES)).T),
    }


def _geometric_mean(distribution: RestartDistribution) -> float:
    return float(geometric_mean(*distribution.atoms())) if distribution.successes.size else np.inf


def _run_statistics(hits: Floats) -> dict[str, NDArray[Any]]:
    return {
        "mean": successful_mean(hits),
        "sd": successful_deviation(hits),
        **_spread_of_runs(hits),
    }


def _spread_of_runs(hits: Floats) -> dict[str, Floats]:
    return {
        "geometric_mean": successful_geometric_mean(hits),
        **_named(quantiles(hits, _PROBABILITIES)),
    }


def _named(shares: Floats) -> dict[str, Floats]:
    return {f"{percent}%": shares[i] for i, percent in enumerate(PERCENTS)}


def _balanced(run_set: RunSet) -> RunSet:
    copies = balancing_copies(run_set.instances)
    return replace(
        run_set,
        instances=np.repeat(run_set.instances, copies),
        repetitions=np.repeat(run_set.repetitions, copies),
        hits=np.repeat(run_set.hits, copies, axis=0),
        spent=np.repeat(run_set.spent, copies),
        exact=np.repeat(run_set.exact, copies, axis=0),
    )
