"""Random search, firsthit's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...errors import OptimizerError
from .built_in import BuiltIn, finite_bounds


def random_search(problem: Any, rng: np.random.Generator, *, batch_size: int = 1000) -> None:
    """Uniform points in the bounds, evaluated in batches, for ever."""
    if batch_size < 1:
        raise OptimizerError(f"random-search: batch_size must be >= 1, got {batch_size}")
    low, high = finite_bounds("random-search", problem)
    while True:
        problem(rng.uniform(low, high, (batch_size, len(low))))


OPTIMIZERS: Mapping[str, BuiltIn] = {
    "random-search": BuiltIn(
        random_search, "uniform points in the bounds", needs_budget=True, batch="yes"
    ),
}
