"""Decide which runs a worker executes next, and how many of them it gets at once.

`SchedulingPolicy` makes every decision about the order of runs. It uses only the numbers of queued
runs, the algorithms of the workers, and the durations of finished runs. `Dispatch` keeps the queues
and the workers, executes the decisions, and reports the durations of finished runs to the policy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sized
from math import inf
from typing import NamedTuple

from ..executors.executor import Isolation

EARLY_STAGE = -1
"""Number of the stage of early runs in the queues; the stages of campaigns begin at 0.

Early runs are few, so that a further process for them would take longer than it saves.
"""
CHUNKS_PER_WORKER = 2
"""Number of chunks that a worker holds at most.

A worker executes one chunk while the other one waits, so that the worker never waits for the main
process.
"""
_CHUNK_SECONDS = 1.0
"""Intended duration of a chunk.

It is below the time limit of `run_chunk`, because some runs take longer than expected.
"""
_MIN_CHUNK_SECONDS = 0.02
"""Shortest intended duration of a chunk.

Near the end of a campaign, shorter chunks would divide the last runs more evenly among the workers.
But sending them would take more time than this saves.
"""
_MAX_RUNS_PER_CHUNK = 512
"""Maximum number of runs in a chunk.

It limits the size of the message to a worker, and the number of runs that are repeated if the
worker's machine is lost.
"""
_MIN_HELP_SECONDS = 1.0
"""Threshold of the remaining work per worker of an algorithm, in seconds.

Above it, an idle worker helps the workers of that algorithm. A new process costs about as much: 0.3
to 1.3 s of processor time (docs/clusters.md).
"""
_MIN_FURTHER_HELP_SECONDS = 20.0
"""Value of this threshold after workers began to help as often as there are workers in a stage.

docs/clusters.md promises users this value.
"""
_MIN_RUN_SECONDS = 1e-6
"""Lower bound of an expected run duration, because a clock may measure 0 s."""
_DECAY_PER_CHUNK = 0.5
"""Decay factor of the moving average of run durations, applied once per chunk.

Old measurements must fade, because the first chunk also measures import time. With a factor of 0.5,
the weight of the first chunk is below 1 % after seven further chunks.
"""

Queues = Mapping[int, Mapping[str, Mapping[int, Sized]]]
"""Queues of runs by stage, algorithm and dimension. No mapping and no queue in it is empty."""


class ChunkChoice(NamedTuple):
    """The queue of a worker's next chunk, and the size of the chunk.

    Attributes:
        stage: Stage of the queue.
        algorithm: Algorithm of the queue.
        dimension: Dimension of the queue.
        max_runs: Maximum number of runs to take from the front of the queue, at least 1.
        is_help: Whether the worker switches to an algorithm that other workers already execute.
    """

    stage: int
    algorithm: str
    dimension: int
    max_runs: int
    is_help: bool


class SchedulingPolicy:
    """Policy that keeps workers busy with few processes, and starts the longest runs first.

    A worker takes runs from the earliest stage that has work for it. Within a stage it chooses an
    algorithm by these rules:

    1. It keeps its algorithm as long as the stage has queued runs of this algorithm.
    2. Otherwise it takes an algorithm that no other worker executes.
    3. Otherwise it helps with the algorithm that has the most remaining time per worker, if this
       time is above a threshold. A worker that switches its algorithm needs a new process, and the
       threshold is about the cost of a new process.

    So a stage starts at most one process for each algorithm and one for each worker. Further
    processes start only for at least 20 s of work, or after a process died.

    Within an algorithm, dimensions without a measured duration come first. Then come the dimensions
    with the longest runs, so that the last chunks are short and all workers end at about the same
    time.

    All runs of a chunk have the same stage, algorithm and dimension, because these runs are
    expected to take equally long. The size of a chunk follows from a moving average of their
    durations. One queue per algorithm, without dimensions, would be simpler. But long runs would
    then begin last: simulated campaigns took up to 20 % longer on 16 workers. These campaigns had
    twelve optimizers, and run times proportional to the squared dimension.

    Args:
        isolation: ``"algorithm"`` for processes that execute many runs of one algorithm, ``"run"``
            for a new process per run. With ``"run"``, each chunk is one run of the algorithm with
            the most remaining time.
    """

    def __init__(self, isolation: Isolation) -> None:
        self._isolates_runs = isolation == "run"
        self._help_starts_by_stage: Counter[int] = Counter()
        # by stage, algorithm and dimension
        self._durations: dict[tuple[int, str, int], _DecayedTotals] = {}

    def choose_chunk(
        self, queues: Queues, algorithm: str | None, workers_by_algorithm: Counter[str | None]
    ) -> ChunkChoice | None:
        """Choose the next chunk of a worker.

        Args:
            queues: The queued runs.
            algorithm: Algorithm that the worker executes. None: the worker has had no chunk yet.
            workers_by_algorithm: Number of workers on each algorithm, this worker included. The
                key None counts the workers that have had no chunk.

        Returns:
            The choice. None: the worker has to stay idle.
        """
        for stage in sorted(queues):
            algorithms = queues[stage]
            is_help = False
            if self._isolates_runs:
                seconds = {
                    name: self._estimate_remaining_seconds(stage, name, algorithms[name])
                    for name in algorithms
                }
                chosen = max(seconds, key=lambda name: seconds[name])
            elif algorithm is not None and algorithm in algorithms:
                chosen = algorithm
            elif free := [name for name in algorithms if not workers_by_algorithm[name]]:
                chosen = free[0]
            else:
                helped = self._choose_algorithm_to_help(stage, algorithms, workers_by_algorithm)
                if helped is None:
                    continue
                chosen, is_help = helped, True
            dimension, run_seconds = self._choose_dimension(stage, chosen, algorithms[chosen])
            max_runs = self._compute_chunk_size(run_seconds, queues, workers_by_algorithm.total())
            return ChunkChoice(stage, chosen, dimension, max_runs, is_help)
        return None

    def count_help(self, stage: int) -> None:
        """Count one worker that began to help in a stage.

        The threshold for helping rises when the count reaches the number of workers.
        """
        self._help_starts_by_stage[stage] += 1

    def update_durations(
        self, stage: int, algorithm: str, dimension: int, seconds: float, n_runs: int
    ) -> None:
        """Update the moving average of run durations with the finished runs of one chunk.

        Args:
            stage: Stage of the chunk.
            algorithm: Algorithm of the chunk.
            dimension: Dimension of the chunk.
            seconds: Sum of the wall times of the finished runs.
            n_runs: Number of finished runs. With 0 runs, nothing is changed.
        """
        if not n_runs:  # without runs, the mean duration would be a division by zero
            return
        key = stage, algorithm, dimension
        totals = self._durations.get(key, _DecayedTotals(0.0, 0.0))
        self._durations[key] = _DecayedTotals(
            _DECAY_PER_CHUNK * totals.seconds + seconds, _DECAY_PER_CHUNK * totals.n_runs + n_runs
        )

    def _choose_algorithm_to_help(
        self,
        stage: int,
        algorithms: Mapping[str, Mapping[int, Sized]],
        workers_by_algorithm: Counter[str | None],
    ) -> str | None:
        """Return the algorithm that an idle worker should help with; None if it should stay idle.

        Args:
            stage: The stage.
            algorithms: Queues of the stage by algorithm and dimension.
            workers_by_algorithm: Number of workers on each algorithm, at least 1 for each algorithm
                of the stage.
        """
        seconds = {
            name: self._estimate_remaining_seconds(stage, name, queues) / workers_by_algorithm[name]
            for name, queues in algorithms.items()
        }
        longest = max(seconds, key=lambda name: seconds[name])
        has_free_help = self._help_starts_by_stage[stage] < workers_by_algorithm.total()
        if has_free_help and stage != EARLY_STAGE:
            is_worthwhile = seconds[longest] > _MIN_HELP_SECONDS
        else:  # a duration of inf has not been measured, and does not justify a further process
            is_worthwhile = _MIN_FURTHER_HELP_SECONDS < seconds[longest] < inf
        return longest if is_worthwhile else None

    def _choose_dimension(
        self, stage: int, algorithm: str, queues: Mapping[int, Sized]
    ) -> tuple[int, float]:
        """Return the dimension with the longest runs, and the expected seconds of one such run."""
        run_seconds = {
            dimension: self._estimate_run_seconds(stage, algorithm, dimension)
            for dimension in queues
        }
        longest = max(run_seconds, key=lambda dimension: run_seconds[dimension])
        return longest, run_seconds[longest]

    def _compute_chunk_size(self, run_seconds: float, queues: Queues, n_workers: int) -> int:
        """Return the number of runs for a chunk, if one run is expected to take ``run_seconds``.

        A chunk is not larger than an equal share of all queued runs, so that no worker stays idle
        at the end. Very short runs are an exception: see `_MIN_CHUNK_SECONDS`.
        """
        if self._isolates_runs:
            return 1
        n_queued = sum(
            len(queue)
            for algorithms in queues.values()
            for dimensions in algorithms.values()
            for queue in dimensions.values()
        )
        fair_share = n_queued // (CHUNKS_PER_WORKER * n_workers)
        run_seconds = max(run_seconds, _MIN_RUN_SECONDS)
        largest = min(fair_share, int(_CHUNK_SECONDS / run_seconds))
        return min(max(1, largest, int(_MIN_CHUNK_SECONDS / run_seconds)), _MAX_RUNS_PER_CHUNK)

    def _estimate_remaining_seconds(
        self, stage: int, algorithm: str, queues: Mapping[int, Sized]
    ) -> float:
        """Return the expected seconds of all queued runs of an algorithm.

        The result is inf if no run of some dimension has been measured.
        """
        return sum(
            len(queue) * self._estimate_run_seconds(stage, algorithm, dimension)
            for dimension, queue in queues.items()
        )

    def _estimate_run_seconds(self, stage: int, algorithm: str, dimension: int) -> float:
        """Return the mean seconds of recent runs of this kind; inf if no run has finished."""
        totals = self._durations.get((stage, algorithm, dimension))
        return inf if totals is None else totals.seconds / totals.n_runs


class _DecayedTotals(NamedTuple):
    """Sums over the finished runs of one stage, algorithm and dimension.

    Each further chunk multiplies both sums by `_DECAY_PER_CHUNK` before its runs are added.
    """

    seconds: float
    n_runs: float
