"""Compiled loops of restarts: the cost of failed runs before a success, and resampled restarts.

They are loops over arrays because heapq, lists of tuples and NumPy's functions took 5 s to compile.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from .quantiles import Floats

Indices = NDArray[np.int64]

# An atom that has this share of the maximum mass is not joined with sums that are more than the
# shortest failed run away.
_SHARE_OF_FAR_ATOMS = 1 / 4


@njit(cache=True, nogil=True)
def failed_evaluations(
    spent: Floats, is_failed: NDArray[np.bool_], max_joined_mass: float, remainder: float
) -> tuple[Floats, Floats, Indices]:
    """Compute the distribution of the evaluations of failed runs before a success, for each target.

    Args:
        spent: Evaluations of the runs, ascending, shape ``(n_runs,)``.
        is_failed: Whether each run missed each target, shape ``(n_targets, n_runs)``.
        max_joined_mass: Maximum mass in ``U`` of joined atoms if no run failed; see
            `_failed_evaluations_of_target`. At the success rate ``p`` it is multiplied by
            ``p**-0.75``.
        remainder: Probability of all atoms beyond the last one that is computed.

    Returns:
        Evaluations, ascending for each target, and the probability of each, both of shape
        ``(n_atoms,)``, and offsets, shape ``(n_targets + 1,)``. Target ``i`` has the atoms from
        ``offsets[i]`` to ``offsets[i + 1] - 1``. If no run or all runs failed, the only atom is 0.
    """
    n_targets, n_runs = is_failed.shape
    failed, probability = np.empty(1024), np.empty(1024)
    offsets = np.zeros(n_targets + 1, np.int64)
    lengths = np.empty(n_runs)
    for target in range(n_targets):
        n_failed = 0
        for run in range(n_runs):
            if is_failed[target, run]:
                lengths[n_failed] = spent[run]
                n_failed += 1
        values, shares = np.zeros(1), np.ones(1)
        if 0 < n_failed < n_runs:
            max_mass = max_joined_mass * (1.0 - n_failed / n_runs) ** -0.75
            values, shares = _failed_evaluations_of_target(
                lengths[:n_failed], n_runs, max_mass, remainder
            )
        first = offsets[target]
        offsets[target + 1] = first + len(values)
        while offsets[target + 1] > len(failed):
            failed, probability = _double(failed), _double(probability)
        for k in range(len(values)):
            failed[first + k], probability[first + k] = values[k], shares[k]
    return failed[: offsets[-1]].copy(), probability[: offsets[-1]].copy(), offsets


@njit(cache=True, nogil=True)
def _failed_evaluations_of_target(
    spent: Floats, n_runs: int, max_mass: float, remainder: float
) -> tuple[Floats, Floats]:
    """Compute the distribution of the evaluations of failed runs before a success.

    It is ``p * U`` with ``U = sum over k of F^(*k)``, where ``F`` has the mass ``1 / n_runs`` at
    the evaluations of each failed run, and ``p`` is the share of the other runs. ``U`` solves the
    renewal equation ``U = delta_0 + F * U`` (Feller, "An Introduction to Probability Theory and Its
    Applications" II, 1971, XI.1). Its atoms are therefore computed in ascending order: each is the
    smallest remaining sum of an atom and the length of a failed run. Neighbours are joined in their
    mean while their mass in ``U`` stays below ``max_mass``.

    Args:
        spent: Evaluations of the failed runs, ascending, shape ``(n_failed,)``.
        n_runs: Number of all runs; some of them did not fail.
        max_mass: Maximum mass in ``U`` of joined atoms.
        remainder: Probability of all atoms beyond the last one that is computed. They become one
            atom that keeps the mean of the distribution.

    Returns:
        Evaluations, ascending, and the probability of each, both of shape ``(n_atoms,)``.
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
    # For each length: the index of the atom that it is added to next, and the sum of both, which is
    # inf while this atom does not exist yet.
    next_atoms = np.zeros(m, np.int64)
    sums, tree = _create_tournament(m)
    for i in range(m):
        _set_sum(sums, tree, i, lengths[i])
    start, mass, moment = 0.0, 0.0, 0.0  # smallest value, mass and first moment of the new atom
    while total < (1.0 - remainder) / success:
        i = tree[1]
        x, part = sums[i], 0.0
        if x < np.inf:
            part = shares[i] * masses[next_atoms[i]]
        is_full = mass + part > max_mass and x > start
        is_far = x > start + lengths[0] and mass > max_mass * _SHARE_OF_FAR_ATOMS
        if mass > 0.0 and (x == np.inf or is_full or is_far):
            if n == len(values):
                values, masses = _double(values), _double(masses)
            values[n], masses[n] = start + moment / mass, mass
            total, mass, moment = total + mass, 0.0, 0.0
            for i in range(m):
                if sums[i] == np.inf:
                    _set_sum(sums, tree, i, lengths[i] + values[n])
            n += 1
            continue
        if mass == 0.0:
            start = x
        mass, moment = mass + part, moment + part * (x - start)
        next_atoms[i] += 1
        next_sum = lengths[i] + values[next_atoms[i]] if next_atoms[i] < n else np.inf
        _set_sum(sums, tree, i, next_sum)
    failed, probability = np.empty(n + 1), np.empty(n + 1)
    cumulative, moment, mean_length = 0.0, 0.0, 0.0
    for k in range(n):
        failed[k], probability[k] = values[k], success * masses[k]
        cumulative, moment = cumulative + probability[k], moment + failed[k] * probability[k]
    for i in range(m):
        mean_length += lengths[i] * shares[i]
    last = 1.0 - cumulative
    probability[n] = last
    failed[n] = (mean_length / success - moment) / last if last > 0.0 else failed[n - 1]
    return failed, probability


@njit(cache=True, nogil=True)
def _create_tournament(count: int) -> tuple[Floats, Indices]:
    """Return ``count`` sums, at first inf, and a binary tree that finds the smallest of them.

    Node ``k`` of the tree is the index of the smallest sum below the node, the first one of equal
    sums. The children of node ``k`` are ``2 k`` and ``2 k + 1``. Node 1 is the index of the
    smallest sum of all. The number of sums is rounded up to a power of two.
    """
    width = 1
    while width < count:
        width *= 2
    sums, tree = np.empty(width), np.empty(2 * width, np.int64)
    for node in range(2 * width - 1, 0, -1):
        tree[node] = node - width if node >= width else tree[2 * node]
    for i in range(width):
        sums[i] = np.inf
    return sums, tree


@njit(cache=True, nogil=True)
def _set_sum(sums: Floats, tree: Indices, i: int, value: float) -> None:
    """Change sum ``i``, and update the tree."""
    sums[i] = value
    node = (i + len(sums)) // 2
    while node > 0:
        left, right = tree[2 * node], tree[2 * node + 1]
        tree[node] = left if sums[left] <= sums[right] else right
        node //= 2


@njit(cache=True, nogil=True)
def _double(numbers: Floats) -> Floats:
    """Return a copy with twice the size, whose second half is not initialized."""
    doubled = np.empty(2 * len(numbers))
    for k in range(len(numbers)):
        doubled[k] = numbers[k]
    return doubled


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
    """Compute a weighted sum of the distribution functions of failed evaluations plus a success.

    All successes of a distribution are equally probable. ``P(failed + success <= budget)`` is
    therefore the sum over its atoms of their probability times the share of its successes that are
    at most ``budget - atom``. This share is 1 from some budget on.

    Args:
        failed: Evaluations of failed runs, one distribution after the other, ascending in each.
        probability: Probability of each of ``failed``.
        atoms: Distribution ``i`` has the rows ``atoms[i]:atoms[i + 1]`` of ``failed``.
        successes: Runtimes of successes, one distribution after the other, ascending in each.
        runs: Distribution ``i`` has the rows ``runs[i]:runs[i + 1]`` of ``successes``. Without rows
            it adds 0.
        weights: Weight of each distribution, shape ``(n,)``.
        budgets: Evaluations, ascending, shape ``(n_budgets,)``.

    Returns:
        The sum at each budget, shape ``(n_budgets,)``.
    """
    # `steps[b]` is the mass of the atoms whose share is 1 from budget ``b`` on.
    share, steps = np.zeros(len(budgets)), np.zeros(len(budgets))
    total = 0.0
    for i in range(len(weights)):
        runtimes = successes[runs[i] : runs[i + 1]]
        if len(runtimes) == 0:
            continue
        total += weights[i]
        start = 0
        for atom in range(atoms[i], atoms[i + 1]):
            mass = weights[i] * probability[atom]
            while start < len(budgets) and failed[atom] + runtimes[0] > budgets[start]:
                start += 1
            n_within = 0
            for b in range(start, len(budgets)):
                while n_within < len(runtimes) and failed[atom] + runtimes[n_within] <= budgets[b]:
                    n_within += 1
                if n_within == len(runtimes):
                    steps[b] += mass
                    break
                share[b] += mass * n_within / len(runtimes)
    cumulative = 0.0
    for b in range(len(budgets)):
        cumulative += steps[b]
        share[b] = min(share[b] + cumulative, total)  # rounding may exceed the total
    return share


def resampled_counts(
    runs: Floats, ends: Floats, chosen: Indices, repeats: int, budgets: Floats, state: np.uint64
) -> Indices:
    """Simulate runtimes with restarts from each resample of the runs; count those within budgets.

    Each run of a resample starts ``repeats`` simulations. If the run misses targets, it is followed
    by random runs of its resample until all targets are reached that the resample reaches.

    Args:
        runs: Runtimes, shape ``(n_runs, n_targets)``, from the easiest to the hardest target; inf
            if the run did not hit the target.
        ends: Evaluations of each run in total, shape ``(n_runs,)``.
        chosen: Runs of each resample, shape ``(n_resamples, n)``.
        repeats: Number of simulations that start with each run of a resample.
        budgets: Evaluations, ascending, shape ``(n_budgets,)``.
        state: Random seed (of SplitMix64: Steele, Lea, Flood (2014), OOPSLA).

    Returns:
        Number of runtimes within each budget, over all targets, shape
        ``(n_resamples, n_budgets)``.
    """
    runs, ends, budgets = (np.ascontiguousarray(a, np.float64) for a in (runs, ends, budgets))
    chosen = np.ascontiguousarray(chosen, np.int64)
    n_reached = np.isfinite(runs).sum(axis=1)
    budget_without_restart = np.searchsorted(budgets, runs)
    counts = np.zeros((len(chosen), len(budgets) + 1), np.int64)
    _count_runtimes(
        runs, ends, chosen, repeats, budgets, state, n_reached, budget_without_restart, counts
    )
    return np.asarray(counts[:, :-1].cumsum(axis=1))


@njit(cache=True, nogil=True)
def _count_runtimes(  # type: ignore[no-untyped-def]
    runs, ends, chosen, repeats, budgets, state, n_reached, budget_without_restart, counts
):
    """Add to ``counts`` the number of runtimes whose first sufficient budget is each budget.

    ``n_reached`` is the number of targets that each run hit; ``budget_without_restart`` is the
    index of the first sufficient budget of each hit. The last column of ``counts`` is for runtimes
    beyond all budgets.
    """
    for resample in range(len(chosen)):
        members = chosen[resample]
        n = len(members)
        n_reachable = 0
        for run in members:
            n_reachable = max(n_reachable, n_reached[run])
            for target in range(n_reached[run]):
                counts[resample, budget_without_restart[run, target]] += repeats
        for start in range(n * repeats):
            run, elapsed = members[start % n], 0.0
            # Runtimes of a simulation ascend: the search for a budget starts at the previous one.
            n_done, first_budget = n_reached[run], 0
            while n_done < n_reachable:
                elapsed += ends[run]
                state += np.uint64(0x9E3779B97F4A7C15)
                mixed = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
                mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
                run = members[(mixed ^ (mixed >> np.uint64(31))) % np.uint64(n)]
                for target in range(n_done, n_reached[run]):
                    runtime = elapsed + runs[run, target]
                    # A galloping search: the next budget is usually near, and the bisection of all
                    # budgets took a third of the time. np.searchsorted takes 0.5 s to compile.
                    end, step = first_budget, 1
                    while end < len(budgets) and budgets[end] < runtime:
                        first_budget, end, step = end + 1, end + step, 2 * step
                    end = min(end, len(budgets))
                    while first_budget < end:
                        middle = (first_budget + end) // 2
                        if budgets[middle] < runtime:
                            first_budget = middle + 1
                        else:
                            end = middle
                    counts[resample, first_budget] += 1
                n_done = max(n_done, n_reached[run])
