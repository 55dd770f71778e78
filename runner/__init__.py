"""How experiments run: budgets, restarts, seeds, optimizers, campaigns, executors, resumption.

A campaign (a YAML file, ``load_campaign``) or a call (``benchmark``) makes a plan of runs;
``execute`` hands them to an executor and their records to the log. ``run_one`` makes one run.
"""

from .batch import Batch, parse_batch, piece
from .benchmark import benchmark
from .budget import Budget, Stages, parse_budget
from .campaign import Campaign, RunRules, RunSpec, SuiteChoice
from .campaign_file import load_campaign, ready_campaigns
from .campaign_keys import CAMPAIGN_KEYS, campaign_schema
from .changes import open_log
from .crew import Crew
from .errors import CampaignError, OptimizerError, WorkerDied
from .execute import Outcome, execute
from .executor import Executor, SerialExecutor
from .optimizers import OptimizerRef, optimizer_names, optimizer_ref, resolve_optimizer
from .planning import plan
from .processes import ProcessExecutor
from .progress import BarProgress, LineProgress, Progress, SilentProgress, default_progress
from .restarts import RestartScheme
from .run import run_one
from .solvers import BUILT_IN

__all__ = [
    "BUILT_IN",
    "CAMPAIGN_KEYS",
    "BarProgress",
    "Batch",
    "Budget",
    "Campaign",
    "CampaignError",
    "Crew",
    "Executor",
    "LineProgress",
    "OptimizerError",
    "OptimizerRef",
    "Outcome",
    "ProcessExecutor",
    "Progress",
    "RestartScheme",
    "RunRules",
    "RunSpec",
    "SerialExecutor",
    "SilentProgress",
    "Stages",
    "SuiteChoice",
    "WorkerDied",
    "benchmark",
    "campaign_schema",
    "default_progress",
    "execute",
    "load_campaign",
    "open_log",
    "optimizer_names",
    "optimizer_ref",
    "parse_batch",
    "parse_budget",
    "piece",
    "plan",
    "ready_campaigns",
    "resolve_optimizer",
    "run_one",
]
