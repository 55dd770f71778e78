"""From a campaign to its runs, in the order in which they are made."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from itertools import pairwise

from ...suites import ProblemId, Suite
from ..errors import CampaignError
from .campaign import Campaign, RunRules, RunSpec

MOST_RUNS = 5_000_000
"""More are refused before they are made: a plan is a list in memory."""

_MOST_EVALUATIONS = 2**53


def plan(campaign: Campaign) -> list[RunSpec]:
    """All runs of a campaign: stage by stage, suite by suite, dimension by dimension.

    Functions come fastest: so whoever stops early has every function and optimizer on the first
    instances, and processes compile different kernels at the same time.

    Raises:
        CampaignError: No runs or too many, the same run twice, or a budget that gives less than
            one evaluation, or stages that do not ascend in some dimension.
    """
    count = _count(campaign)
    if not count:
        raise CampaignError(f"campaign {campaign.name!r} makes no runs")
    if count > MOST_RUNS:
        raise CampaignError(f"the campaign makes {count} runs; at most {MOST_RUNS} can be made")
    names = [ref.name for ref in campaign.optimizers]
    if len(set(names)) < len(names):
        raise CampaignError(f"two optimizers have the same name: {', '.join(sorted(names))}")
    runs = list(_runs(campaign))
    first = (campaign.optimizers[0], 0, 0)
    check_runs([run for run in runs if (run.optimizer, run.repetition, run.stage) == first])
    return runs


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
    given = [budget for budget in rules.stages if budget is not None]
    evaluations = [budget.evaluations(dimension) for budget in given]
    for budget, number in zip(given, evaluations, strict=True):
        if not 1 <= number <= _MOST_EVALUATIONS:
            gives = "no evaluation" if number < 1 else "more than 2**53 evaluations"
            raise CampaignError(f"budget '{budget}' gives {gives} in dimension {dimension}")
    for (earlier, fewer), (later, more) in pairwise(zip(given, evaluations, strict=True)):
        if fewer >= more:
            raise CampaignError(
                f"budget stages must ascend; in dimension {dimension} '{earlier}' gives {fewer} "
                f"evaluations, '{later}' after it {more}"
            )


def _count(campaign: Campaign) -> int:
    problems = 0
    for choice in campaign.suites:
        suite = choice.suite()
        problems += len(suite.functions) * len(suite.dimensions) * len(suite.instances)
    each = len(campaign.optimizers) * campaign.repetitions * len(campaign.rules.stages)
    return problems * each


def _runs(campaign: Campaign) -> Iterator[RunSpec]:
    suites = [choice.suite() for choice in campaign.suites]
    problems = [_by_row(suite) for suite in suites]
    for stage, which in itertools.product(range(len(campaign.rules.stages)), range(len(suites))):
        suite = suites[which]
        for dimension, repetition, instance, optimizer in itertools.product(
            suite.dimensions, range(campaign.repetitions), suite.instances, campaign.optimizers
        ):
            for problem in problems[which][dimension, instance]:
                yield RunSpec(
                    problem, optimizer, campaign.rules, repetition, campaign.imports, stage=stage
                )


def _by_row(suite: Suite) -> dict[tuple[int, int], list[ProblemId]]:
    """All functions, by dimension and instance."""
    return {
        (dimension, instance): [
            ProblemId(suite.name, function, dimension, instance) for function in suite.functions
        ]
        for dimension, instance in itertools.product(suite.dimensions, suite.instances)
    }
