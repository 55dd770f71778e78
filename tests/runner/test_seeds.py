"""Seeds follow from the names of a run."""

import hashlib

import numpy as np

from firsthit.suites import Suite

from .conftest import benchmark, shifted_sphere


def starts_of(name="walk", instance=2, repetition=0, seed=1, draws=0):
    """Return the seed, start point and first random numbers of three starts of a run.

    Args:
        name: Name of the algorithm.
        instance: Instance of function 3 of bbob in dimension 10.
        repetition: Number of the run.
        seed: Seed of the campaign.
        draws: Random numbers that each start draws in addition.
    """
    starts = []

    def solve(problem, x0, rng, seed):
        starts.append((seed, x0.tolist(), rng.random(4).tolist()))
        rng.random(draws)
        problem(x0)

    benchmark(
        solve, "bbob", functions=3, dimensions=10, instances=instance, algorithm=name, seed=seed,
        repetitions=repetition + 1, restarts=2, budget=100,
    )  # fmt: skip
    return starts[3 * repetition :]


def test_seeds_are_those_of_the_names_for_ever():
    """Golden: a change here changes every published run."""
    assert [seed for seed, _, _ in starts_of(instance=1)] == GOLDEN


GOLDEN = [1727026296, 205206407, 1926043341]


def test_each_name_changes_the_seed():
    variants = [
        starts_of(),
        starts_of(seed=2),
        starts_of(instance=1),
        starts_of(name="walk2"),
        starts_of(repetition=1),
    ]
    assert len({seed for starts in variants for seed, _, _ in starts}) == 15
    assert len({str(numbers) for starts in variants for _, _, numbers in starts}) == 15


def test_a_start_does_not_depend_on_what_was_drawn_before():
    assert starts_of(draws=5) == starts_of()


def evaluates_five_times(problem, x0):
    for _ in range(5):
        problem(x0)


def start_point(problem, name, repetition, seed, start):
    """Compute the point at which a restart begins, as ``runner/execution/seeds.py`` documents."""
    names = f"{problem.id}\0{name}\0{repetition}".encode()
    entropy = np.frombuffer(seed.to_bytes(4, "little") + hashlib.sha256(names).digest(), "<u4")
    sequence = np.random.SeedSequence(entropy, spawn_key=(start,))
    return problem.initial_solution_proposal(np.random.default_rng(sequence))


def test_start_points_follow_from_the_log():
    """A reader of the log computes them from the run's names and the problem."""
    for problem in (shifted_sphere(), Suite("bbob", 8, 5, 2)[0]):
        log = benchmark(evaluates_five_times, [problem], budget=20, repetitions=2, seed=9)
        for row in range(2):
            names = [log.runs[key][row].item() for key in ("algorithm", "repetition")]
            seed = int(log.runs.campaign_seed[row])
            points = [start_point(problem, *names, seed, start) for start in (1, 2, 3)]
            hashes = [hashlib.sha256(x.astype("<f8").tobytes()).hexdigest()[:16] for x in points]
            assert [text.decode() for text in log.restarts(row).start_hash] == hashes


def test_the_first_start_is_the_problems_initial_solution():
    _, x0, _ = starts_of()[0]
    assert x0 == Suite("bbob", 3, 10, 2)[0].initial_solution.tolist()
