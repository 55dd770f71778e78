"""Plan a campaign: list its runs in the order in which they are made, and check them.

`plan` lists and checks the runs of a `Campaign`. `check_runs` also checks runs that were planned
without a campaign file. `problems_of` lists the problems of suites in the order of the plan.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache, partial
from typing import Any

from ...suites.facts import ProblemId
from ..errors import CampaignError
from .campaign import Campaign, RunRules, RunSpec

MOST_RUNS = 5_000_000
"""Maximum number of runs of a campaign. The plan is a list, which must fit into memory."""
_MAX_EVALUATIONS = 2**53
"""Maximum budget of a run: up to here float64 represents every number of evaluations exactly."""


class BudgetError(CampaignError):
    """A budget is out of range, or stages do not ascend, in the dimension of a run."""


def plan(campaign: Campaign) -> list[RunSpec]:
    """Return all runs of a campaign, or of its batch, in the order in which they are made.

    The runs are ordered by stage, suite, dimension, repetition, instance, optimizer and function.
    The function changes fastest. So a campaign that is interrupted has runs on all functions, for
    the first instances.

    Each optimizer begins with another function, because worker processes usually execute different
    optimizers at the same time. They then compile the kernels of different functions.

    Raises:
        BudgetError: A budget is less than one evaluation or too large, or stages do not ascend in a
            dimension.
        CampaignError: There are no runs or too many, a run is planned twice, two optimizers have
            the same name, or the batch has no problem.
        UnknownNameError: A suite is not registered.
        SelectionError: A suite lacks a selected problem.

    Example:
        >>> from firsthit.runner import load_campaign, plan
        >>> specs = plan(load_campaign("quickstart"))
        >>> len(specs)
        720
        >>> str(specs[0].problem), specs[0].optimizer.name
        ('bbob_f001_i01_d02', 'random-search')
    """
    n_problems = sum(len(choice.suite()) for choice in campaign.suites)
    n_runs_per_problem = (
        len(campaign.optimizers) * campaign.repetitions * len(campaign.rules.stages)
    )
    # The runs are counted before the list is made, because too many runs would fill the memory.
    count = n_problems * n_runs_per_problem
    if not count:
        raise CampaignError(f"campaign {campaign.name!r} makes no runs")
    if count > MOST_RUNS:
        raise CampaignError(f"the campaign makes {count} runs; at most {MOST_RUNS} can be made")
    names = [ref.name for ref in campaign.optimizers]
    if len(set(names)) < len(names):
        raise CampaignError(f"two optimizers have the same name: {', '.join(sorted(names))}")
    runs = list(_generate_runs(campaign, _select_problems(campaign)))
    # It is enough to check the runs of one optimizer, repetition and stage. The other runs are on
    # the same problems, and the names of optimizers differ.
    checked_group = (campaign.optimizers[0], 0, 0)
    check_runs([run for run in runs if (run.optimizer, run.repetition, run.stage) == checked_group])
    return runs


def check_runs(runs: list[RunSpec]) -> None:
    """Check that no run is planned twice, and that the budgets are valid.

    Args:
        runs: Runs with the same rules.

    Raises:
        CampaignError: Two runs have the same algorithm, problem, repetition and stage.
        BudgetError: A budget is less than one evaluation or too large, or stages do not ascend in
            the dimension of a run.
    """
    seen_runs: set[tuple[object, ...]] = set()
    seen_dimensions: set[int] = set()
    for run in runs:
        names = (run.optimizer.name, run.problem_id, run.repetition, run.stage)
        if names in seen_runs:
            raise CampaignError(
                f"the run {run.identity} is asked for twice; problems need different identities "
                "(register them as a suite), optimizers different names"
            )
        seen_runs.add(names)
        if run.problem_id.dimension not in seen_dimensions:
            seen_dimensions.add(run.problem_id.dimension)
            _check_budget(run.rules, run.problem_id.dimension)


def select_early_runs(campaign: Campaign, runs: Iterable[RunSpec]) -> list[RunSpec]:
    """Return the runs of a campaign's plan that its early table shows.

    Args:
        campaign: The campaign. Without the key ``early_table``, no run is selected.
        runs: Its plan.

    Returns:
        The runs of the first stage on the selected problems, in the order of the plan.
    """
    if campaign.early_table is None:
        return []
    selections = [(key.removesuffix("s"), set(n)) for key, n in campaign.early_table.items()]
    return [
        run
        for run in runs
        if run.stage == 0
        and all(getattr(run.problem_id, name) in numbers for name, numbers in selections)
    ]


def problems_of(suites: Iterable[Mapping[str, Any]]) -> list[ProblemId]:
    """Return the problems of suites without duplicates, in the order of the plan.

    The problems of a suite are ordered by dimension, instance and function. The function changes
    fastest.

    Args:
        suites: Descriptions of suites, as in ``campaign["suites"]`` of a log's header. Each has the
            keys ``name``, ``functions``, ``dimensions`` and ``instances``.
    """
    problems = (
        ProblemId(suite["name"], function, dimension, instance)
        for suite in suites
        for dimension, instance, function in itertools.product(
            suite["dimensions"], suite["instances"], suite["functions"]
        )
    )
    return list(dict.fromkeys(problems))


def _select_problems(campaign: Campaign) -> Collection[ProblemId] | None:
    """Return the problems of the campaign's batch. Return None if the campaign has no batch.

    Raises:
        CampaignError: The batch has no problem.
    """
    if campaign.batch is None:
        return None
    problems = problems_of(campaign.description()["suites"])
    selected = set(campaign.batch.problems(problems))
    if not selected:
        raise CampaignError(
            f"batch {campaign.batch} is empty, as there are {len(problems)} problems; "
            "use at most as many batches"
        )
    return selected


def _generate_runs(campaign: Campaign, selected: Collection[ProblemId] | None) -> Iterator[RunSpec]:
    """Yield the runs on the selected problems, in the order of `plan`.

    Args:
        campaign: The campaign.
        selected: Problems of the campaign's batch. None: all problems of the campaign.
    """
    suites = [choice.suite() for choice in campaign.suites]
    rules, imports = campaign.rules, campaign.imports
    for stage, suite in itertools.product(range(len(rules.stages)), suites):
        # To save memory, all runs on a problem share one object that identifies the problem.
        make_id = lru_cache(None)(partial(ProblemId, suite.name))
        for dimension, repetition, instance, (number, optimizer) in itertools.product(
            suite.dimensions, range(campaign.repetitions), suite.instances,
            enumerate(campaign.optimizers),
        ):  # fmt: skip
            start = number * len(suite.functions) // len(campaign.optimizers)
            for function in (*suite.functions[start:], *suite.functions[:start]):
                problem = make_id(function, dimension, instance)
                if selected is None or problem in selected:
                    yield RunSpec(problem, optimizer, rules, repetition, imports, stage=stage)


def _check_budget(rules: RunRules, dimension: int) -> None:
    """Raise BudgetError if a budget is out of range, or if stages do not ascend.

    Budgets in seconds of simulated time are not checked, because they do not depend on the
    dimension.
    """
    stages = (budget for budget in rules.stages if budget is not None)
    budgets = [budget for budget in stages if budget.count != "seconds"]
    numbers = [budget.evaluations(dimension) for budget in budgets]
    for budget, number in zip(budgets, numbers, strict=True):
        if not 1 <= number <= _MAX_EVALUATIONS:
            evaluations = "no evaluation" if number < 1 else "more than 2**53 evaluations"
            raise BudgetError(f"budget '{budget}' gives {evaluations} in dimension {dimension}")
    pairs = zip(budgets, numbers, strict=True)
    for (earlier, earlier_number), (later, later_number) in itertools.pairwise(pairs):
        if earlier_number >= later_number:
            raise BudgetError(
                f"budget stages must ascend; in dimension {dimension} '{earlier}' gives "
                f"{earlier_number} evaluations, '{later}' after it {later_number}"
            )
