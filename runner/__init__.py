"""How experiments run: budgets, restarts, seeds, optimizers, campaigns, executors, resumption.

A campaign (a YAML file, ``load_campaign``) or a call (``benchmark``) makes a plan of runs;
``execute`` hands them to an executor and their records to the log. ``run_one`` makes one run.
"""

from .benchmark import benchmark
from .budget import Budget, parse_budget
from .campaign import Campaign, RunRules, RunSpec, SuiteChoice, plan
from .campaign_file import CAMPAIGN_KEYS, load_campaign, ready_campaigns
from .changes import open_log
from .errors import CampaignError, OptimizerError, WorkerDied
from .execute import Outcome, execute
from .executor import Executor, SerialExecutor
from .optimizers import OptimizerRef, optimizer_names, optimizer_ref, resolve_optimizer
from .processes import ProcessExecutor
from .progress import BarProgress, LineProgress, Progress, SilentProgress, default_progress
from .run import run_one
from .solvers import BUILT_IN

__all__ = [
    "BUILT_IN",
    "CAMPAIGN_KEYS",
    "BarProgress",
    "Budget",
    "Campaign",
    "CampaignError",
    "Executor",
    "LineProgress",
    "OptimizerError",
    "OptimizerRef",
    "Outcome",
    "ProcessExecutor",
    "Progress",
    "RunRules",
    "RunSpec",
    "SerialExecutor",
    "SilentProgress",
    "SuiteChoice",
    "WorkerDied",
    "benchmark",
    "default_progress",
    "execute",
    "load_campaign",
    "open_log",
    "optimizer_names",
    "optimizer_ref",
    "parse_budget",
    "plan",
    "ready_campaigns",
    "resolve_optimizer",
    "run_one",
]
