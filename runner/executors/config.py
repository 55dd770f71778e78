"""How many workers make the runs, where, how isolated, and with how many threads each."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Literal, get_args

from ..errors import CampaignError

Isolation = Literal["algorithm", "run"]
ISOLATIONS: tuple[Isolation, ...] = get_args(Isolation)


@dataclass(frozen=True, slots=True)
class ExecutorConfig:
    """Where runs are made.

    Attributes:
        workers: 0 for the caller's own process, where whatever crashes there crashes the caller;
            else how many processes at the same time. A cluster that is not ``local`` has as many
            as it has threads.
        cluster: Address or scheduler file of a Dask cluster, or ``local``; None: this machine.
        threads: Threads of one worker process in BLAS, OpenMP and numba.
        isolation: What a worker process is for: runs of one ``"algorithm"``, or one ``"run"``.

    Raises:
        CampaignError: Runs in the caller's process cannot be isolated.
    """

    workers: int = 0
    cluster: str | None = None
    threads: int = 1
    isolation: Isolation = "algorithm"

    def __post_init__(self) -> None:
        if self.isolation == "run" and self.is_in_process:
            raise CampaignError(
                "isolation 'run' needs worker processes; with workers 0 all runs share the "
                "caller's process: set workers to 1 or more"
            )

    @property
    def is_in_process(self) -> bool:
        """Whether runs are made in the caller's process and thread."""
        return self.cluster is None and self.workers == 0


def available_processors() -> int:
    """Processors this process may use, at least 1."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
