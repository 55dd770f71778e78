"""Who makes the runs: how many workers, where, with how many threads each."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Crew:
    """Who makes the runs.

    Attributes:
        workers: How many at once; on a cluster that is not ``local``, as many as it has threads.
        cluster: Address or scheduler file of a Dask cluster, or ``local``; None: this machine.
        threads: Threads of one worker in BLAS, OpenMP and numba.
        isolated: Whether a single worker is a process of its own, too: only then does a time limit
            hold inside compiled code, and a run's death cost that run only.
    """

    workers: int = 1
    cluster: str | None = None
    threads: int = 1
    isolated: bool = False

    @property
    def is_serial(self) -> bool:
        """Whether the runs are made in the calling thread."""
        plain = self.cluster is None and self.threads == 1 and not self.isolated
        return plain and self.workers == 1
