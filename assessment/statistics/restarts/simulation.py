"""Samples of simulated restarts that go on together, a block of drawn runs at a time."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ..quantiles import Floats

Indices = NDArray[np.int64]


class RestartSimulation:
    """Samples of one algorithm restarted until each has reached all targets that any run reaches.

    Args:
        runs: Evaluations at the first hit, shape ``(n_runs, n_targets)``, NaN or inf where not
            reached; a run that misses a target misses those in the columns after it.
        ends: Evaluations of each run, shape ``(n_runs,)``.
        samples: How many samples.
    """

    def __init__(self, runs: Floats, ends: Floats, samples: int) -> None:
        self._runs = runs
        self._ends = ends
        self._depth = np.isfinite(runs).sum(axis=1)
        self._most = int(self._depth.max())
        self._elapsed = np.zeros(samples)
        self._reached = np.zeros(samples, dtype=np.int64)
        self._legs: list[tuple[Indices, Indices, Floats, Indices]] = []

    @property
    def rounds_expected(self) -> int:
        """Restarts after which the samples that are not through yet are probably fewer than one."""
        share = float((self._depth == self._most).mean())
        return 1 if share == 1 else math.ceil(math.log(len(self._elapsed)) / -math.log1p(-share))

    def go_on(self, drawn: Indices) -> bool:
        """Let each sample make the runs drawn for it; True once all have reached what they can.

        Args:
            drawn: Runs for each sample, one after the other, shape ``(n_rounds, n_samples)``.
        """
        rounds, samples = drawn.shape
        elapsed = np.empty((rounds + 1, samples))
        elapsed[0], elapsed[1:] = self._elapsed, self._ends.take(drawn)
        elapsed.cumsum(axis=0, out=elapsed)
        reached = np.empty((rounds + 1, samples), dtype=np.int64)
        reached[0], reached[1:] = self._reached, self._depth.take(drawn)
        np.maximum.accumulate(reached, axis=0, out=reached)
        gained = (reached[1:] - reached[:-1]).ravel()
        leg = np.flatnonzero(gained)
        self._legs.append((leg % samples, drawn.take(leg), elapsed.take(leg), gained.take(leg)))
        self._elapsed, self._reached = elapsed[-1], reached[-1]
        return bool(self._reached.min() == self._most)

    def runtimes(self) -> Floats:
        """Evaluations at the first hit, ``(n_samples, n_targets)``, inf where no run reaches it.

        Only once `go_on` was True.
        """
        legs = zip(*self._legs, strict=True)
        sample, run, before, gained = (np.concatenate(parts) for parts in legs)
        order = sample.argsort(kind="stable")
        gained = gained.take(order)
        samples, n_targets = len(self._elapsed), self._runs.shape[1]
        place = (run.take(order) * n_targets).repeat(gained).reshape(samples, self._most)
        before = before.take(order).repeat(gained).reshape(samples, self._most)
        runtimes = np.full((samples, n_targets), np.inf)
        np.add(
            before, self._runs.take(place + np.arange(self._most)), out=runtimes[:, : self._most]
        )
        return runtimes
