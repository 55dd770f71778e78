"""How experiments run: budgets, restarts, seeds, optimizers, campaigns, executors, resumption.

A campaign (a YAML file, ``load_campaign``) or a call (``benchmark``) makes a plan of runs;
``execute`` hands them to an executor and their records to the log. ``run_one`` makes one run.
Names are imported when they are first used.
"""

from typing import TYPE_CHECKING

from ..suites.deferred import deferred

if TYPE_CHECKING:
    from .batch import Batch as Batch
    from .batch import parse_batch as parse_batch
    from .batch import piece as piece
    from .benchmarking import benchmark as benchmark
    from .budget import Budget as Budget
    from .budget import Stages as Stages
    from .budget import parse_budget as parse_budget
    from .campaign import Campaign as Campaign
    from .campaign import RunRules as RunRules
    from .campaign import RunSpec as RunSpec
    from .campaign import SuiteChoice as SuiteChoice
    from .campaign_file import load_campaign as load_campaign
    from .campaign_file import ready_campaigns as ready_campaigns
    from .campaign_keys import CAMPAIGN_KEYS as CAMPAIGN_KEYS
    from .campaign_keys import campaign_schema as campaign_schema
    from .changes import open_log as open_log
    from .crew import Crew as Crew
    from .errors import CampaignError as CampaignError
    from .errors import OptimizerError as OptimizerError
    from .errors import WorkerDied as WorkerDied
    from .execution import Outcome as Outcome
    from .execution import execute as execute
    from .executor import Executor as Executor
    from .executor import SerialExecutor as SerialExecutor
    from .optimizers import OptimizerRef as OptimizerRef
    from .optimizers import optimizer_names as optimizer_names
    from .optimizers import optimizer_ref as optimizer_ref
    from .optimizers import resolve_optimizer as resolve_optimizer
    from .planning import plan as plan
    from .processes import ProcessExecutor as ProcessExecutor
    from .progress import BarProgress as BarProgress
    from .progress import LineProgress as LineProgress
    from .progress import Progress as Progress
    from .progress import SilentProgress as SilentProgress
    from .progress import default_progress as default_progress
    from .restarts import RestartScheme as RestartScheme
    from .run import run_one as run_one
    from .solvers import BUILT_IN as BUILT_IN

__getattr__, __dir__, __all__ = deferred(
    __name__,
    {
        "batch": ("Batch", "parse_batch", "piece"),
        "benchmarking": ("benchmark",),
        "budget": ("Budget", "Stages", "parse_budget"),
        "campaign": ("Campaign", "RunRules", "RunSpec", "SuiteChoice"),
        "campaign_file": ("load_campaign", "ready_campaigns"),
        "campaign_keys": ("CAMPAIGN_KEYS", "campaign_schema"),
        "changes": ("open_log",),
        "crew": ("Crew",),
        "errors": ("CampaignError", "OptimizerError", "WorkerDied"),
        "execution": ("Outcome", "execute"),
        "executor": ("Executor", "SerialExecutor"),
        "optimizers": ("OptimizerRef", "optimizer_names", "optimizer_ref", "resolve_optimizer"),
        "planning": ("plan",),
        "processes": ("ProcessExecutor",),
        "progress": (
            "BarProgress", "LineProgress", "Progress", "SilentProgress", "default_progress",
        ),
        "restarts": ("RestartScheme",),
        "run": ("run_one",),
        "solvers": ("BUILT_IN",),
    },
)  # fmt: skip
