"""From a campaign to its runs, in the order in which they are made."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache, partial
from typing import Any

from ...suites.facts import ProblemId
from ..errors import CampaignError
from .campaign import Campaign, RunRules, RunSpec

MOST_RUNS = 5_000_000
"""More are refused before they are made: a plan is a list in memory."""

_MOST_EVALUATIONS = 2**53


def plan(campaign: Campaign) -> list[RunSpec]:
    """All runs of a campaign, or of one batch of it: by stage, suite and dimension.

    Functions come fastest: so whoever stops early has every function on the first instances. Worker
    processes make the runs of each optimizer in this order, one optimizer after the other; each
    optimizer begins at another function, so that processes compile different kernels.

    Raises:
        CampaignError: No runs or too many, the same run twice, an empty batch, a budget that gives
            less than one evaluation, or stages that do not ascend in some dimension.
    """
    problems = sum(len(choice.suite()) for choice in campaign.suites)
    each = len(campaign.optimizers) * campaign.repetitions * len(campaign.rules.stages)
    count = problems * each
    if not count:
        raise CampaignError(f"campaign {campaign.name!r} makes no runs")
    if count > MOST_RUNS:
        raise CampaignError(f"the campaign makes {count} runs; at most {MOST_RUNS} can be made")
    names = [ref.name for ref in campaign.optimizers]
    if len(set(names)) < len(names):
        raise CampaignError(f"two optimizers have the same name: {', '.join(sorted(names))}")
    runs = list(_runs(campaign, _own_problems(campaign)))
    first = (campaign.optimizers[0], 0, 0)
    check_runs([run for run in runs if (run.optimizer, run.repetition, run.stage) == first])
    return runs


def _own_problems(campaign: Campaign) -> Collection[ProblemId] | None:
    """The problems of a batch; None for all."""
    if campaign.batch is None:
        return None
    problems = problems_of(campaign.description()["suites"])
    own = set(campaign.batch.problems(problems))
    if not own:
        raise CampaignError(
            f"batch {campaign.batch} is empty, as there are {len(problems)} problems; "
            "use at most as many batches"
        )
    return own


def check_runs(runs: list[RunSpec]) -> None:
    """Raise CampaignError where two runs have the same names, or a budget makes no sense."""
    seen: set[tuple[object, ...]] = set()
    checked: set[int] = set()
    for run in runs:
        names = (run.optimizer.name, run.problem_id, run.repetition, run.stage)
        if names in seen:
            raise CampaignError(
                f"the run {run.identity} is asked for twice; problems need different identities "
                "(register them as a suite), optimizers different names"
            )
        seen.add(names)
        if run.problem_id.dimension not in checked:
            checked.add(run.problem_id.dimension)
            _check_budget(run.rules, run.problem_id.dimension)


def _check_budget(rules: RunRules, dimension: int) -> None:
    stages = (budget for budget in rules.stages if budget is not None)
    given = [budget for budget in stages if budget.count != "seconds"]
    evaluations = [budget.evaluations(dimension) for budget in given]
    for budget, number in zip(given, evaluations, strict=True):
        if not 1 <= number <= _MOST_EVALUATIONS:
            gives = "no evaluation" if number < 1 else "more than 2**53 evaluations"
            raise CampaignError(f"budget '{budget}' gives {gives} in dimension {dimension}")
    for (earlier, fewer), (later, more) in itertools.pairwise(zip(given, evaluations, strict=True)):
        if fewer >= more:
            raise CampaignError(
                f"budget stages must ascend; in dimension {dimension} '{earlier}' gives {fewer} "
                f"evaluations, '{later}' after it {more}"
            )


def problems_of(suites: Iterable[Mapping[str, Any]]) -> list[ProblemId]:
    """The problems of suites, as a campaign describes them: each once, functions fastest."""
    problems = (
        ProblemId(suite["name"], function, dimension, instance)
        for suite in suites
        for dimension, instance, function in itertools.product(
            suite["dimensions"], suite["instances"], suite["functions"]
        )
    )
    return list(dict.fromkeys(problems))


def _runs(campaign: Campaign, own: Collection[ProblemId] | None) -> Iterator[RunSpec]:
    suites = [choice.suite() for choice in campaign.suites]
    rules, imports = campaign.rules, campaign.imports
    for stage, suite in itertools.product(range(len(rules.stages)), suites):
        named = lru_cache(None)(partial(ProblemId, suite.name))  # one object for all its runs
        for dimension, repetition, instance, (number, optimizer) in itertools.product(
            suite.dimensions, range(campaign.repetitions), suite.instances,
            enumerate(campaign.optimizers),
        ):  # fmt: skip
            first = number * len(suite.functions) // len(campaign.optimizers)
            for function in (*suite.functions[first:], *suite.functions[:first]):
                problem = named(function, dimension, instance)
                if own is None or problem in own:
                    yield RunSpec(problem, optimizer, rules, repetition, imports, stage=stage)
