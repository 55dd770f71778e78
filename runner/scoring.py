"""``improving_runs``: the runs of one optimizer with all their improvements, and no log.

What is to be made of the runs is the caller's: ``firsthit.score`` takes the area over each one's
convergence curve, and keeps nothing else of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from ..loggers import RunRecord
from ..suites import Problem, Suite, definition
from ..suites.selection import Selection
from .benchmarking import planned_runs
from .campaign.budget import Budget, parse_budget
from .campaign.campaign import RunRules, RunSpec
from .campaign.keys import checked
from .errors import CampaignError
from .execution.execute import made_one_by_one
from .executors.config import ExecutorConfig
from .optimizers.import_string import refuse_while_importing
from .optimizers.resolve import optimizer_ref
from .optimizers.restarts import RestartScheme

_checked = partial(checked, where="score: ")


def improving_runs(
    optimizer: object,
    suite: str | Suite | Iterable[Problem],
    *,
    functions: Selection | None = None,
    dimensions: Selection | None = None,
    instances: Selection | None = None,
    budget: int | float | str | Budget,
    hardest: float = 0.0,
    restarts: int | Mapping[str, Any] | RestartScheme | None = None,
    repetitions: int = 1,
    parameters: dict[str, Any] | None = None,
    timeout: float | None = None,
    seed: int = 1,
    workers: int | str = 0,
) -> Iterator[RunRecord]:
    """Make runs as ``benchmark`` does and hand out their records, with every improvement.

    Args:
        optimizer: As of ``benchmark``, as all arguments that are not named here.
        suite: Likewise.
        functions: Likewise.
        dimensions: Likewise.
        instances: Likewise.
        budget: Evaluations of one run; stages make no sense here.
        hardest: What is below this precision does not matter: a run ends at the final target of its
            suite where that is not above.
        restarts: As of ``benchmark``.
        repetitions: Likewise.
        parameters: Likewise.
        timeout: Likewise.
        seed: Likewise.
        workers: Likewise.

    Returns:
        The records, in the order in which the runs end.

    Raises:
        FirsthitError: An argument is wrong; the text says which and what is allowed.
    """
    refuse_while_importing("score")
    evaluations = parse_budget(budget)
    if not isinstance(evaluations, Budget):
        raise CampaignError("score: a budget of evaluations is needed, one for all: no stages")
    rules = RunRules(
        evaluations,
        _checked("restarts", restarts),
        _checked("seed", seed),
        timeout_seconds=_checked("timeout", timeout),
        record="improvements",
        archive="none",
    )
    where = ExecutorConfig(_checked("workers", workers))
    refs = (optimizer_ref(optimizer, parameters=parameters),)
    filters = (functions, dimensions, instances)
    runs = planned_runs(refs, suite, filters, rules, _checked("repetitions", repetitions), where)
    runs = [
        replace(run, rules=replace(rules, final_target=_ends_early(run, hardest))) for run in runs
    ]
    return made_one_by_one(runs, where)


def _ends_early(run: RunSpec, hardest: float) -> bool:
    """Whether nothing that matters comes after the final target of the problem's suite."""
    if isinstance(run.problem, Problem):
        final = run.problem.measurement.final_target
    else:
        final = definition(run.problem.suite).measurement.final_target
    return final is not None and final <= hardest
