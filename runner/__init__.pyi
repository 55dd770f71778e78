from .benchmarking import benchmark as benchmark
from .campaign.batches import Batch as Batch
from .campaign.batches import parse_batch as parse_batch
from .campaign.budget import Budget as Budget
from .campaign.budget import Stages as Stages
from .campaign.budget import parse_budget as parse_budget
from .campaign.campaign import (
    Campaign as Campaign,
)
from .campaign.campaign import (
    RunRules as RunRules,
)
from .campaign.campaign import (
    RunSpec as RunSpec,
)
from .campaign.campaign import (
    SuiteChoice as SuiteChoice,
)
from .campaign.file import load_campaign as load_campaign
from .campaign.file import ready_campaigns as ready_campaigns
from .campaign.keys import CAMPAIGN_KEYS as CAMPAIGN_KEYS
from .campaign.keys import campaign_schema as campaign_schema
from .campaign.plan import plan as plan
from .campaign.resume import open_log as open_log
from .errors import (
    CampaignError as CampaignError,
)
from .errors import (
    FirsthitWarning as FirsthitWarning,
)
from .errors import (
    OptimizerError as OptimizerError,
)
from .errors import (
    WorkerDied as WorkerDied,
)
from .execution.execute import execute as execute
from .execution.progress import (
    BarProgress as BarProgress,
)
from .execution.progress import (
    LineProgress as LineProgress,
)
from .execution.progress import (
    Outcome as Outcome,
)
from .execution.progress import (
    Progress as Progress,
)
from .execution.progress import (
    SilentProgress as SilentProgress,
)
from .execution.progress import (
    default_progress as default_progress,
)
from .execution.run import run_one as run_one
from .executors.executor import Executor as Executor
from .executors.executor import ExecutorConfig as ExecutorConfig
from .executors.processes import ProcessExecutor as ProcessExecutor
from .optimizers.parallel import Parallel as Parallel
from .optimizers.resolve import (
    BUILT_IN as BUILT_IN,
)
from .optimizers.resolve import (
    OptimizerRef as OptimizerRef,
)
from .optimizers.resolve import (
    optimizer_names as optimizer_names,
)
from .optimizers.resolve import (
    optimizer_ref as optimizer_ref,
)
from .optimizers.resolve import (
    resolve_optimizer as resolve_optimizer,
)
from .optimizers.restarts import RestartScheme as RestartScheme
