"""Statistics of the runtimes to single targets (fixed-target view), by convention, as a table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ...suites.errors import UnknownNameError
from ..asking.declaration import question
from ..asking.options import Axis, Budget, Number, Reference, Targets
from ..data.function_pairs import restart_distributions, runtimes_meant, runtimes_said
from ..data.notes import notes_on_targets, restart_notes
from ..data.run_sets import RunSet
from ..data.runs import Runs
from ..errors import AssessmentError
from ..statistics.average_runtime import (
    average_runtime,
    evaluations_until,
    runtime_quantiles,
    success_rate,
)
from ..statistics.hits import successes
from ..statistics.quantiles import PERCENTS, Floats
from ..statistics.restarts.distribution import RestartDistribution
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
from ..targets.budgets import check_axis, one_budget, unit_of
from ..targets.defaults import decades
from ..targets.parse import target_text

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
_OF_IOHANALYZER = {"iohanalyzer": iohanalyzer_statistics, "capped": capped_statistics}
_USUAL = {
    "expected": _CONVENTIONS["restarts"],
    "runs": "quantiles take a failed run as never, geometric mean leaves it out",
}
_WITH_ART = ("suite", "restarts")
_PROBABILITIES = np.array(PERCENTS) / 100


@dataclass(frozen=True)
class _Options:
    """Which statistics of runtimes are shown.

    Attributes:
        convention: ``"restarts"``: aRT, and quantiles and geometric mean of the algorithm restarted
            until it succeeds; ``"runs"``: of the single runs, failures being infinite;
            ``"iohanalyzer"``: its set, under its names, most of it over successful runs alone;
            ``"capped"``: the same of ``min(T, B)``, as its text defines it;
            ``"suite"``: as is usual, restarts, but without them with two objectives
            (`allows_restarts`).
        budget: Runs count as if stopped after it; None: as they are. For ``"iohanalyzer"``, the B
            of ``PAR-k`` and ``ERT`` only, for ``"capped"`` of all; None: the most that any of the
            runs evaluated in all, also after it hit the final target.
        axis: Unit of ``budget``.
        penalty: The k of ``PAR-k``.
        balance: ``"runs"``: every run counts once; ``"instances"``: runs are copied until each
            instance has equally many, as in cocopp.
    """

    convention: str = "suite"
    budget: float | None = None
    axis: str = "evaluations/dimension"
    penalty: float = 1.0
    balance: str = "runs"

    def __post_init__(self) -> None:
        check_axis(self.axis)
        for what, known in (("convention", Convention), ("balance", Balance)):
            if getattr(self, what) not in get_args(known):
                raise UnknownNameError.of(what, getattr(self, what), get_args(known))
        for name, value in (("penalty", self.penalty), ("budget", self.budget)):
            if value is not None and not 0 < value < np.inf:
                raise AssessmentError(f"{name} is {value:g}, must be positive and finite")


@dataclass(frozen=True, eq=False, repr=False)
class FixedTargetTable(Table):
    """One row for each algorithm, function, dimension and target; runtimes in evaluations.

    Columns of all conventions: ``algorithm, suite, function, dimension, target``.

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

    def shown(self) -> tuple[list[str], list[list[str]]]:
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
    axis: Axis = "evaluations/dimension",
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
        axis: Unit of budgets.
        penalty: Of PAR-k.
        balance: Each run counts once, or runs are copied until all instances have equally many, as
            in cocopp.
        reference: None: none; run-length targets need one.

    Returns:
        A `FixedTargetTable`; its columns are there.
    """
    run_sets, wanted = runs.at_targets(targets, decades, reference)
    end = None if budget is None else one_budget(budget, axis)
    options = _Options(convention, end, axis, penalty, balance)
    blocks: list[list[Value | NDArray[Any]]] = []
    names: tuple[str, ...] = _NAMES
    for one in run_sets:
        statistics = _statistics(one, options)
        names = (*_NAMES, *statistics)
        aims = np.array(wanted.of(*one.cell))
        name = (one.algorithm, one.suite, one.function, one.dimension)
        blocks.append([*name, aims, *statistics.values()])
    notes = notes_on_targets(run_sets, wanted, _convention(run_sets, options))
    if options.convention in _WITH_ART:
        notes += restart_notes(run_sets)
    elif options.convention in _OF_IOHANALYZER and options.budget is None:
        notes += ("B: the most that any run of the algorithm on the function evaluated.",)
    return FixedTargetTable(stacked(names, blocks), notes)


def _convention(run_sets: Iterable[RunSet], options: _Options) -> str:
    """How runs count, in words."""
    each = (
        "every run counts once"
        if options.balance == "runs"
        else "runs are copied until all instances of a function have equally many"
    )
    if options.convention == "suite":
        return f"{each}; {runtimes_said(run_sets, 'suite', _USUAL)}"
    return f"{each}; {_CONVENTIONS[options.convention]}"


def _statistics(one: RunSet, options: _Options) -> dict[str, NDArray[Any]]:
    unit = unit_of(options.axis, one.dimension)
    budget = None if options.budget is None else options.budget * unit
    of_iohanalyzer = _OF_IOHANALYZER.get(options.convention)
    if of_iohanalyzer is None and budget is not None:
        hits, spent = capped(one.hits, one.spent, budget)
        one = replace(one, hits=hits, spent=spent)
    hit, runs = successes(one.hits), len(one.spent)
    raw = {"successes": hit, "runs": np.full(hit.shape, runs)}
    if options.balance == "instances":
        one = _balanced(one)
        raw["balanced_successes"] = successes(one.hits)
        raw["balanced_runs"] = np.full(hit.shape, len(one.spent))
    if of_iohanalyzer is not None:
        total = one.total if one.total.size else one.spent
        found = of_iohanalyzer(one.hits, total, budget, options.penalty)
        return found | {"runs": found["runs"].astype(np.int64)}
    raw["success_rate"] = success_rate(one.hits)
    missed = {"mean_unsuccessful": mean_unsuccessful(one.hits, one.spent)}
    if options.convention == "runs":
        return raw | _of_runs(one.hits) | missed
    restarted = options.convention == "restarts" or runtimes_meant(one, "suite") != "runs"
    return {
        **raw,
        "evaluations": evaluations_until(one.hits, one.spent).astype(np.int64),
        "art": average_runtime(one.hits, one.spent),
        **(_spread_of_restarts(one) if restarted else _spread_of_runs(one.hits)),
        **missed,
    }


def _spread_of_restarts(one: RunSet) -> dict[str, Floats]:
    known = restart_distributions(one)
    shares = np.array([own.quantiles(_PROBABILITIES) for own in known])
    return {
        "geometric_mean": np.array([_geometric_mean(own) for own in known]),
        **_named(shares.reshape(-1, len(_PROBABILITIES)).T),
    }


def _geometric_mean(one: RestartDistribution) -> float:
    return float(geometric_mean(*one.atoms())) if one.successes.size else np.inf


def _of_runs(hits: Floats) -> dict[str, NDArray[Any]]:
    return {
        "mean": successful_mean(hits),
        "sd": successful_deviation(hits),
        **_spread_of_runs(hits),
    }


def _spread_of_runs(hits: Floats) -> dict[str, Floats]:
    return {
        "geometric_mean": successful_geometric_mean(hits),
        **_named(runtime_quantiles(hits, _PROBABILITIES)),
    }


def _named(quantiles: Floats) -> dict[str, Floats]:
    return {f"{percent}%": quantiles[i] for i, percent in enumerate(PERCENTS)}


def _balanced(one: RunSet) -> RunSet:
    copies = balancing_copies(one.instances)
    return replace(
        one,
        instances=np.repeat(one.instances, copies),
        repetitions=np.repeat(one.repetitions, copies),
        hits=np.repeat(one.hits, copies, axis=0),
        spent=np.repeat(one.spent, copies),
        exact=np.repeat(one.exact, copies, axis=0),
    )
