"""Statistics of the runtimes to single targets (fixed-target view), by convention, as a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ...suites.errors import UnknownNameError
from ..caveats import Explanation
from ..cost import axis_of, in_whole
from ..errors import AssessmentError
from ..hits.run_sets import RunSet
from ..profiles.function_pairs import runtimes_meant, runtimes_note
from ..samples.at_targets import AtTargets
from ..samples.convention import EACH_RUN, RESTARTED, Convention
from ..samples.sample import Answer
from ..statistics.average_runtime import (
    average_runtime,
    evaluations_until,
    success_rate,
)
from ..statistics.hits import successes
from ..statistics.quantiles import PERCENTS, Floats, quantiles
from ..statistics.restart_distribution import distributions_of_each_target
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
from ._framework.needs import at_targets
from ._framework.options import Budget, Number
from ._framework.question import question

Statistics = Literal["suite", "restarts", "runs", "iohanalyzer", "capped"]
Balance = Literal["runs", "instances"]
_NAMES = ("algorithm", "suite", "function", "dimension", "target")
_CONVENTIONS = {
    "restarts": "runtimes with restarts until success (convention restarts)",
    "runs": "quantiles count unsuccessful runs as infinite, means leave them out (convention runs)",
    "iohanalyzer": "successful runs only, except in PAR-k and ERT (convention iohanalyzer)",
    "capped": "min(T, B) of all runs, except in PAR-k and ERT (convention capped)",
}
_IOHANALYZER_STATISTICS = {"iohanalyzer": iohanalyzer_statistics, "capped": capped_statistics}
_DEFAULT_CONVENTIONS = {
    "expected": _CONVENTIONS["restarts"],
    "runs": "quantiles count unsuccessful runs as infinite, the geometric mean leaves them out",
}
_WITH_ART = ("suite", "restarts")
_PROBABILITIES = np.array(PERCENTS) / 100


@dataclass(frozen=True)
class _Options:
    """Checked options of `fixed_target`."""

    convention: Statistics = "suite"
    budget: budgets.Budget | None = None
    penalty: float = 1.0
    balance: Balance = "runs"

    def __post_init__(self) -> None:
        for field, choices in (("convention", Statistics), ("balance", Balance)):
            if getattr(self, field) not in get_args(choices):
                raise UnknownNameError.of(field, getattr(self, field), get_args(choices))
        if not 0 < self.penalty < np.inf:
            raise AssessmentError(f"penalty is {self.penalty:g}, must be positive and finite")


@dataclass(frozen=True, eq=False, repr=False)
class FixedTargetTable(Table):
    """One row for each algorithm, function, dimension and target; runtimes in evaluations.

    All conventions have the columns ``algorithm``, ``suite``, ``function``, ``dimension`` and
    ``target``. Run-length targets also have a column ``budget``, in evaluations / dimension.

    ``restarts``: ``successes`` is how many of the ``runs`` hit the target, and ``success_rate`` is
    their share. ``evaluations`` is the sum, over all runs, of the evaluations until they hit the
    target or ended. ``art`` is this sum divided by the successes. ``geometric_mean`` and the
    quantiles ``2%`` … ``98%`` are those of the runtime with restarts (`restart_distribution`); inf
    if no run succeeded.

    ``suite``: the columns of ``restarts``. With two objectives, ``geometric_mean`` and quantiles
    are those of ``runs``.

    ``runs``: ``successes``, ``runs`` and ``success_rate``. ``mean``, ``sd`` and ``geometric_mean``
    are those of the successful runs; NaN if there is none. Quantiles (hazen) are over all runs; inf
    if they depend on a run that missed the target.

    ``iohanalyzer`` and ``capped``: `iohanalyzer_statistics` and `capped_statistics` describe the
    columns. In ``iohanalyzer``, ``runs`` is the number of successes. The last column is
    ``mean_unsuccessful``, the mean evaluations of the runs that missed the target; NaN if none did.

    If runs are copied to balance instances, ``balanced_successes`` and ``balanced_runs`` count the
    copies, and all other numbers are over the copies. ``successes`` and ``runs`` still count the
    runs.
    """

    def text_cells(self) -> tuple[list[str], list[list[str]]]:
        """Return the column titles and rows of text and LaTeX; see the class."""
        rows = []
        for row in self._records():
            row["target"] = target_text(row["target"])
            rows.append([text(value) for value in row.values()])
        return list(self.names), rows


def _convention(sample: AtTargets, options: Mapping[str, Any]) -> Convention:
    """Return how runs count by the convention of the statistics."""
    statistics = options["convention"]
    weight = (
        "each counts once"
        if options["balance"] == "runs"
        else "runs are copied until all instances of a function have equally many runs"
    )
    runtimes_phrase = (
        runtimes_note(sample, "suite", _DEFAULT_CONVENTIONS)
        if statistics == "suite"
        else _CONVENTIONS[statistics]
    )
    if statistics in _WITH_ART and all(run_set.restarts for run_set in sample):
        return replace(RESTARTED, sentence=f"{weight}; {runtimes_phrase}")
    base = RESTARTED if statistics in _WITH_ART else EACH_RUN
    return replace(base, sentence=f"{weight}; {runtimes_phrase}", failed="they count")


@question(
    "Evaluations to targets",
    40,
    needs=at_targets(decades),
    convention=_convention,
    examples=(
        "results/quickstart.h5 --targets 1e1 --functions 8",
        "results/quickstart.h5 --convention iohanalyzer",
    ),
)
def fixed_target(
    sample: AtTargets,
    *,
    convention: Statistics = "suite",
    budget: Budget | None = None,
    penalty: Number = 1.0,
    balance: Balance = "runs",
) -> FixedTargetTable:
    """Compute statistics of the runtimes to single targets.

    restarts: statistics of the algorithm restarted until it succeeds. art is the average runtime:
    the evaluations of all runs until they hit the target or ended, divided by the number of
    successes. Quantiles and geometric mean are those of the exact distribution of the runtime with
    restarts. A quantile at a step of the distribution is the middle of the step (R's type 2), so it
    differs from the quantile of 'runs' even if all runs succeed. A quantile describes one run with
    restarts: it is no confidence interval of art.

    suite: like restarts. With two objectives, no restarts are simulated, and quantiles and
    geometric mean are those of single runs.

    runs: statistics of single runs. Quantiles (Hazen's definition, R's type 5) count a run that
    missed the target as infinite. mean, sd and geometric mean are over successful runs alone, so
    they must not be compared without the success rate.

    iohanalyzer: the statistics of IOHanalyzer under its names. mean, median, sd and quantiles (type
    3) are over successful runs. PAR-k, where an unsuccessful run counts k budgets, and ERT use one
    budget for all runs: the largest that was spent, or ``budget``.

    capped: like iohanalyzer, but mean, median, sd and quantiles are of min(T, B) over all runs.
    IOHanalyzer's text defines them in this way; its R code leaves unsuccessful runs out.

    Args:
        convention: Definition of the statistics, as described above.
        budget: Budget at which runs are truncated before statistics are computed. None: runs are
            not truncated.
        penalty: Factor k of PAR-k.
        balance: Weights of runs. runs: each run counts once; instances: runs are copied until all
            instances have equally many, as in cocopp.

    Returns:
        One row for each algorithm, function, dimension and target: ``runs``, ``successes``, and a
        column for each statistic of the convention. A statistic is inf or NaN if no run hit the
        target.
    """
    targets = sample.targets
    parsed_budget = None if budget is None else budgets.one_budget(budget)
    options = _Options(convention, parsed_budget, penalty, balance)
    blocks: list[list[Value | NDArray[Any]]] = []
    names = targets.named(_NAMES)
    for run_set in sample:
        statistics = _compute_statistics(run_set, options)
        names = (*targets.named(_NAMES), *statistics)
        keys = np.array(targets.keys(*run_set.problem_class)).T
        blocks.append([*run_set.identity, *keys, *statistics.values()])
    return FixedTargetTable(stacked(names, blocks))


@fixed_target.caveat(
    explains=[
        Explanation(
            "B",
            "B: the evaluations of the longest run of the algorithm on the function.",
            "Statistics by IOHanalyzer's convention count unsuccessful runs with B evaluations. "
            "They mislead if algorithms had different budgets.",
            "Give --budget, so that B is equal for all algorithms.",
            is_definition=True,
        )
    ]
)
def budget_of_all_runs(sample: AtTargets, answer: Answer) -> Iterable[str]:
    """Say what the budget B of IOHanalyzer's statistics is, if none was given."""
    statistics = answer.options["convention"]
    if statistics in _IOHANALYZER_STATISTICS and answer.options["budget"] is None:
        yield "B: the evaluations of the longest run of the algorithm on the function."


def _compute_statistics(run_set: RunSet, options: _Options) -> dict[str, NDArray[Any]]:
    """Compute the statistics of one set of runs; return columns by name, one value per target."""
    budget = None
    if options.budget is not None:
        budget = options.budget.on(axis_of("evaluations", run_set.count), run_set.dimension)
    like_iohanalyzer = _IOHANALYZER_STATISTICS.get(options.convention)
    if like_iohanalyzer is None and budget is not None:
        hits, spent = capped(run_set.hits, run_set.spent, budget)
        run_set = replace(run_set, hits=hits, spent=spent)
    n_successes, runs = successes(run_set.hits), len(run_set.spent)
    counts = {"successes": n_successes, "runs": np.full(n_successes.shape, runs)}
    if options.balance == "instances":
        run_set = _balance_instances(run_set)
        counts["balanced_successes"] = successes(run_set.hits)
        counts["balanced_runs"] = np.full(n_successes.shape, len(run_set.spent))
    if like_iohanalyzer is not None:
        total = run_set.total if run_set.total.size else run_set.spent
        columns = like_iohanalyzer(run_set.hits, total, budget, options.penalty)
        return columns | {"runs": columns["runs"].astype(np.int64)}
    counts["success_rate"] = success_rate(run_set.hits)
    unsuccessful_columns = {"mean_unsuccessful": mean_unsuccessful(run_set.hits, run_set.spent)}
    if options.convention == "runs":
        return {
            **counts,
            "mean": successful_mean(run_set.hits),
            "sd": successful_deviation(run_set.hits),
            **_spread_of_runs(run_set.hits),
            **unsuccessful_columns,
        }
    restarted = options.convention == "restarts" or runtimes_meant(run_set, "suite") != "runs"
    return {
        **counts,
        "evaluations": in_whole(evaluations_until(run_set.hits, run_set.spent), run_set.count),
        "art": average_runtime(run_set.hits, run_set.spent),
        **(_spread_of_restarts(run_set) if restarted else _spread_of_runs(run_set.hits)),
        **unsuccessful_columns,
    }


def _spread_of_restarts(run_set: RunSet) -> dict[str, Floats]:
    distributions = distributions_of_each_target(run_set.hits, run_set.spent)
    quantiles_of_targets = np.array(
        [distribution.quantiles(_PROBABILITIES) for distribution in distributions]
    )
    geometric_means = [
        geometric_mean(*distribution.atoms()) if distribution.successes.size else np.inf
        for distribution in distributions
    ]
    return {
        "geometric_mean": np.array(geometric_means, dtype=np.float64),
        **_name_quantiles(quantiles_of_targets.reshape(-1, len(_PROBABILITIES)).T),
    }


def _spread_of_runs(hits: Floats) -> dict[str, Floats]:
    return {
        "geometric_mean": successful_geometric_mean(hits),
        **_name_quantiles(quantiles(hits, _PROBABILITIES)),
    }


def _name_quantiles(shares: Floats) -> dict[str, Floats]:
    return {f"{percent}%": shares[i] for i, percent in enumerate(PERCENTS)}


def _balance_instances(run_set: RunSet) -> RunSet:
    """Return a set of runs with copies, so that all instances have equally many runs."""
    copies = balancing_copies(run_set.instances)
    return replace(
        run_set,
        instances=np.repeat(run_set.instances, copies),
        repetitions=np.repeat(run_set.repetitions, copies),
        hits=np.repeat(run_set.hits, copies, axis=0),
        spent=np.repeat(run_set.spent, copies),
        exact=np.repeat(run_set.exact, copies, axis=0),
    )
