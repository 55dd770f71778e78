"""How many workers make the runs, where, and with how many threads each."""

from __future__ import annotations

import os
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ExecutorConfig:
    """Where runs are made.

    Attributes:
        workers: 0 for the caller's own process, where whatever crashes there crashes the caller;
            else how many processes at the same time. A cluster that is not ``local`` has as many
            as it has threads.
        cluster: Address or scheduler file of a Dask cluster, or ``local``; None: this machine.
        threads: Threads of one worker process in BLAS, OpenMP and numba.
    """

    workers: int = 0
    cluster: str | None = None
    threads: int = 1

    @property
    def is_in_process(self) -> bool:
        """Whether runs are made in the caller's process and thread."""
        return self.cluster is None and self.workers == 0


def available_processors() -> int:
    """Processors this process may use, at least 1."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
