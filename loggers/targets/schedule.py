"""At which evaluation counts a run's best-so-far is recorded, for fixed-budget views."""

from __future__ import annotations

from functools import lru_cache

from .grid import grid

_LAST_DECADE = 15


@lru_cache(maxsize=64)
def evaluation_schedule(dimension: int) -> tuple[int, ...]:
    """The counts 1, 2, 5 × 10^k × dimension and floor(10^(k/20)), ascending, up to 1e15.

    >>> evaluation_schedule(3)[:14]
    (1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 14, 15, 17)
    """
    coarse = {factor * 10**k * dimension for factor in (1, 2, 5) for k in range(_LAST_DECADE)}
    fine = {int(value) for value in grid() if 1 <= value <= 10**_LAST_DECADE}
    return tuple(sorted(count for count in coarse | fine if count <= 10**_LAST_DECADE))
