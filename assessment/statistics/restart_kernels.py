"""Compiled loops: what failed runs cost before a success, and restarts of resampled runs."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from .quantiles import Floats

Indices = NDArray[np.int64]
_LATE = 4


# Arrays and loops, since heapq, lists of tuples and NumPy's functions took 5 s to compile.
@njit(cache=True, nogil=True)
def _sums_of(count: int) -> tuple[Floats, Indices]:
    """Room for ``count`` sums, all inf yet, and a binary tree over them.

    Node ``k`` of the tree names the least sum below it, the first of equal ones; the children of
    ``k`` are ``2 k`` and ``2 k + 1``, so that ``least[1]`` names the least of all.
    """
    width = 1
    while width < count:
        width *= 2
    sums, least = np.empty(width), np.empty(2 * width, np.int64)
    for node in range(2 * width - 1, 0, -1):
        least[node] = node - width if node >= width else least[2 * node]
    for i in range(width):
        sums[i] = np.inf
    return sums, least


@njit(cache=True, nogil=True)
def _put(sums: Floats, least: Indices, i: int, value: float) -> None:
    """Change sum ``i``."""
    sums[i] = value
    node = (i + len(sums)) // 2
    while node > 0:
        left, right = least[2 * node], least[2 * node + 1]
        least[node] = left if sums[left] <= sums[right] else right
        node //= 2


@njit(cache=True, nogil=True)
def _longer(numbers: Floats) -> Floats:
    """The same numbers with room for as many more."""
    longer = np.empty(2 * len(numbers))
    for k in range(len(numbers)):
        longer[k] = numbers[k]
    return longer


@njit(cache=True, nogil=True)
def failed_evaluations(
    spent: Floats, n_runs: int, most_mass: float, remainder: float
) -> tuple[Floats, Floats]:
    """Distribution of the evaluations that a restarted algorithm fails for before it succeeds.

    It is ``p * U`` with ``U = sum over k of F^(*k)``, where ``F`` puts ``1 / n_runs`` on what each
    failed run spent, and ``p`` is the share of the others. ``U`` solves the renewal equation ``U =
    delta_0 + F * U`` (Feller, "An Introduction to Probability Theory and Its Applications" II,
    1971, XI.1), so its atoms are found in ascending order, each the next smallest sum of an atom
    and a length. Neighbours are joined in their mean while their mass in ``U`` stays below
    ``most_mass``. ``spent``, ascending, are those of the failed ones of ``n_runs``; ``remainder``
    is the probability of what is joined in one last atom, which keeps the mean.
    """
    success = 1.0 - len(spent) / n_runs
    lengths, shares, m = np.empty(len(spent)), np.zeros(len(spent)), 0
    for end in spent:
        if m == 0 or end > lengths[m - 1]:
            lengths[m], m = end, m + 1
        shares[m - 1] += 1.0 / n_runs
    lengths, shares = lengths[:m], shares[:m]
    values, masses = np.zeros(1024), np.zeros(1024)
    masses[0], n, total = 1.0, 1, 1.0
    # the next atom that each length is added to, and this sum; inf where there is no such atom yet
    place = np.zeros(m, np.int64)
    sums, least = _sums_of(m)
    for i in range(m):
        _put(sums, least, i, lengths[i])
    first, mass, moment = 0.0, 0.0, 0.0  # of the atom that grows
    while total < (1.0 - remainder) / success:
        i = least[1]
        x, part = sums[i], 0.0
        if x < np.inf:
            part = shares[i] * masses[place[i]]
        full = mass + part > most_mass and x > first
        behind = x > first + lengths[0] and mass > most_mass / _LATE
        if mass > 0.0 and (x == np.inf or full or behind):
            if n == len(values):
                values, masses = _longer(values), _longer(masses)
            values[n], masses[n] = first + moment / mass, mass
            total, mass, moment = total + mass, 0.0, 0.0
            for i in range(m):
                if sums[i] == np.inf:
                    _put(sums, least, i, lengths[i] + values[n])
            n += 1
            continue
        if mass == 0.0:
            first = x
        mass, moment = mass + part, moment + part * (x - first)
        place[i] += 1
        _put(sums, least, i, lengths[i] + values[place[i]] if place[i] < n else np.inf)
    found, probability = np.empty(n + 1), np.empty(n + 1)
    reached, moment, mean = 0.0, 0.0, 0.0
    for k in range(n):
        found[k], probability[k] = values[k], success * masses[k]
        reached, moment = reached + probability[k], moment + found[k] * probability[k]
    for i in range(m):
        mean += lengths[i] * shares[i]
    rest = 1.0 - reached
    probability[n] = rest
    found[n] = (mean / success - moment) / rest if rest > 0.0 else found[n - 1]
    return found, probability


@njit(cache=True, nogil=True)
def shares_within(
    failed: Floats,
    probability: Floats,
    atoms: Indices,
    successes: Floats,
    runs: Indices,
    weights: Floats,
    budgets: Floats,
) -> Floats:
    """Weighted sum of distribution functions, each of failed evaluations plus a success.

    All successes of a distribution are equally probable, so ``P(failed + success <= budget)`` is
    the sum over its atoms of their probability times the share of its successes that are at most
    what the atom leaves of the budget. That share is 1 from some budget on.

    Args:
        failed: Evaluations of failed runs, one distribution after the other, ascending in each.
        probability: Of each of them.
        atoms: The distribution ``i`` owns ``failed[atoms[i]:atoms[i + 1]]``.
        successes: Runtimes of successes, one distribution after the other, ascending in each.
        runs: The distribution ``i`` owns ``successes[runs[i]:runs[i + 1]]``; where that is nothing,
            it adds 0.
        weights: Of the distributions, shape ``(n,)``.
        budgets: Ascending, shape ``(n_budgets,)``.

    Returns:
        Shape ``(n_budgets,)``.
    """
    share, whole = np.zeros(len(budgets)), np.zeros(len(budgets))
    total = 0.0
    for i in range(len(weights)):
        own = successes[runs[i] : runs[i + 1]]
        if len(own) == 0:
            continue
        total += weights[i]
        first = 0
        for atom in range(atoms[i], atoms[i + 1]):
            mass = weights[i] * probability[atom]
            while first < len(budgets) and failed[atom] + own[0] > budgets[first]:
                first += 1
            within = 0
            for b in range(first, len(budgets)):
                while within < len(own) and failed[atom] + own[within] <= budgets[b]:
                    within += 1
                if within == len(own):
                    whole[b] += mass
                    break
                share[b] += mass * within / len(own)
    stays = 0.0
    for b in range(len(budgets)):
        stays += whole[b]
        share[b] = min(share[b] + stays, total)  # by rounding, the last digit may go beyond it
    return share


def resampled_counts(
    runs: Floats, ends: Floats, chosen: Indices, repeats: int, budgets: Floats, state: np.uint64
) -> Indices:
    """Simulate runtimes from each resample of the runs, and count those within each budget.

    Each run of a resample begins ``repeats`` simulations; one that misses targets goes on with runs
    drawn from its resample, until it has reached all that the resample reaches. Targets go from the
    easiest to the hardest, inf where not reached; ``chosen`` are the runs of each resample,
    ``(n_resamples, n)``; ``state`` is the seed (SplitMix64: Steele, Lea, Flood (2014), OOPSLA).
    """
    runs, ends, budgets = (np.ascontiguousarray(a, np.float64) for a in (runs, ends, budgets))
    chosen = np.ascontiguousarray(chosen, np.int64)
    reached = np.isfinite(runs).sum(axis=1)
    without_restart = np.searchsorted(budgets, runs)
    counts = np.zeros((len(chosen), len(budgets) + 1), np.int64)
    _count(runs, ends, chosen, repeats, budgets, state, reached, without_restart, counts)
    return np.asarray(counts[:, :-1].cumsum(axis=1))


@njit(cache=True, nogil=True)
def _count(  # type: ignore[no-untyped-def]
    runs, ends, chosen, repeats, budgets, state, reached, without_restart, counts
):
    """Count the runtimes whose first budget each is; those beyond all budgets at the end."""
    for resample in range(len(chosen)):
        own = chosen[resample]
        n = len(own)
        possible = 0
        for run in own:
            possible = max(possible, reached[run])
            for target in range(reached[run]):
                counts[resample, without_restart[run, target]] += repeats
        for start in range(n * repeats):
            run, elapsed = own[start % n], 0.0
            done, place = reached[run], 0
            while done < possible:
                elapsed += ends[run]
                state += np.uint64(0x9E3779B97F4A7C15)
                mixed = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
                mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
                run = own[(mixed ^ (mixed >> np.uint64(31))) % np.uint64(n)]
                for target in range(done, reached[run]):
                    runtime, end = elapsed + runs[run, target], len(budgets)
                    while place < end:  # np.searchsorted, which takes half a second to compile
                        middle = (place + end) // 2
                        if budgets[middle] < runtime:
                            place = middle + 1
                        else:
                            end = middle
                    counts[resample, place] += 1
                done = max(done, reached[run])
