"""The flight recorder: what is read from the memory is what the recorder itself would say."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from firsthit.loggers import ObservedProblem, RunIdentity, RunStop, StopConditions
from firsthit.loggers.observation.flight import (
    EVALUATIONS,
    FLIGHT_BYTES,
    FlightMemory,
    FlightRecorder,
)
from firsthit.suites import problem_from

VALUES = st.one_of(
    st.floats(1e-12, 1e9), st.sampled_from([0.0, 1.0, np.nan, np.inf, -np.inf, 1e-8])
)
STEPS = st.lists(
    st.one_of(
        VALUES,
        st.lists(VALUES, min_size=1, max_size=8),
        st.sampled_from(["restart", "recommend"]),
    ),
    max_size=40,
)


def first(x):
    return float(x[0])


def flown(steps, record, size=FLIGHT_BYTES, final_target=True):
    """A run of these steps: the record that it makes itself, and what stands in its memory."""
    problem = problem_from(first, 2, optimal_value=0.0, optimal_solution=np.zeros(2))
    identity = RunIdentity("a", problem.problem_id)
    memory = FlightMemory(bytearray(size))
    memory.begin(0)
    memory.open(0, 2)
    recorder = FlightRecorder(2, problem.reference_value, record == "improvements", memory)
    stop = StopConditions(100, final_target)
    observed = ObservedProblem(problem, identity, stop, record, recorder=recorder)
    try:
        for step in steps:
            if step == "restart":
                observed.restart("why", seed=3, start=[1.0, 2.0])
            elif step == "recommend":
                observed.recommend([3.0, 4.0])
            else:
                x = np.array([np.atleast_1d(step), np.arange(np.size(step))]).T
                observed(x if isinstance(step, list) else x[0])
    except RunStop:
        pass
    memory.counts[EVALUATIONS] = observed.evaluations
    flight = memory.flight()
    lost = flight.record(problem, identity, "failed", "gone", seed=0, budget=100, record=record)
    return observed.finish("failed", "gone"), lost


@settings(max_examples=150, deadline=None)
@given(STEPS, st.sampled_from(["targets", "improvements"]))
def test_what_is_read_is_what_the_run_would_have_said(steps, record):
    own, lost = flown(steps, record)
    assert lost.same_outcome(own)
    assert lost.wall_seconds > 0


def test_a_memory_that_is_full_keeps_a_run_as_far_as_it_goes():
    steps = [float(value) for value in np.geomspace(1e6, 1e-6, 60)]
    own, lost = flown(steps, "improvements", size=600)
    assert 3 < lost.evaluations < own.evaluations == 60
    count = len(lost.hits)
    assert lost.hits.evaluation.tolist() == own.hits.evaluation[:count].tolist()
    assert lost.hits.evaluation[-1] == lost.evaluations


def test_a_worker_that_is_at_no_run_has_no_flight():
    memory = FlightMemory(bytearray(FLIGHT_BYTES))
    assert memory.flight().number is None
    memory.begin(4)
    assert memory.flight().number == 4
    memory.rest()
    assert memory.flight().number is None


def test_a_forked_process_writes_elsewhere():
    buffer = bytearray(FLIGHT_BYTES)
    memory = FlightMemory(buffer)
    memory.begin(0)
    memory.open(0, 3)
    before = bytes(buffer)
    memory.detach()
    memory.counts[EVALUATIONS] = 77
    memory.add_event(0, 5, 1.0)
    memory.set_best(1.0, np.ones(3))
    assert bytes(buffer) == before
