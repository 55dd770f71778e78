import numpy as np

from firsthit.loggers.records.identity import RunIdentity
from firsthit.runner.execution.seeds import run_sequence, seed_number, start_sequence
from firsthit.suites.facts import ProblemId

PROBLEM = ProblemId("bbob", 3, 10, 1)


def test_seeds_are_those_of_the_names_for_ever():
    """Golden: a change here changes every published run."""
    run = run_sequence(RunIdentity("walk", PROBLEM, 0, 1))
    assert [seed_number(start_sequence(run, k)) for k in range(3)] == GOLDEN


GOLDEN = [1727026296, 205206407, 1926043341]


def test_each_name_changes_the_seed():
    variants = [
        RunIdentity("walk", PROBLEM, 0, 2),
        RunIdentity("walk", ProblemId("bbob", 3, 10, 2), 0, 1),
        RunIdentity("walk2", PROBLEM, 0, 1),
        RunIdentity("walk", PROBLEM, 1, 1),
        RunIdentity("walk", PROBLEM, 0, 1),
    ]
    states = {tuple(run_sequence(names).generate_state(4)) for names in variants}
    assert len(states) == len(variants)


def test_a_start_does_not_depend_on_what_was_drawn_before():
    run = run_sequence(RunIdentity("walk", PROBLEM, 0, 1))
    run.spawn(5)
    fresh = run_sequence(RunIdentity("walk", PROBLEM, 0, 1))
    assert np.array_equal(
        start_sequence(run, 2).generate_state(4), start_sequence(fresh, 2).generate_state(4)
    )
    assert np.array_equal(
        start_sequence(run, 2).generate_state(4), fresh.spawn(3)[2].generate_state(4)
    )
