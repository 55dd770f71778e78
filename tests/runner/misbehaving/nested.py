"""Optimizers that evaluate while an evaluation is in progress."""

import gc
import signal
import sys
import threading

from kinds import kind, ten


@kind("terminated", overlaps=40)
def evaluates_in_a_signal_handler(problem, rng):
    remaining = 20

    def evaluate_again(*_):
        nonlocal remaining
        if remaining:
            remaining -= 1
            problem(rng.uniform(-5, 5, problem.dimension))

    old_handler = signal.signal(signal.SIGALRM, evaluate_again)
    signal.setitimer(signal.ITIMER_REAL, 1e-4, 1e-4)
    for _ in range(20):
        problem(rng.uniform(-5, 5, problem.dimension))
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, old_handler)


@kind("terminated", overlaps=40)
def evaluates_in_finalizers(problem, rng):
    remaining = 20

    class EvaluatesAtItsEnd:
        def __init__(self):
            self.cycle = self  # so that garbage collection calls the finalizer

        def __del__(self):
            nonlocal remaining
            if remaining:
                remaining -= 1
                problem(rng.uniform(-5, 5, problem.dimension))

    threshold = gc.get_threshold()
    gc.set_threshold(5)
    for _ in range(20):
        EvaluatesAtItsEnd()
        problem(rng.uniform(-5, 5, problem.dimension))
    remaining = 0
    gc.set_threshold(*threshold)


@kind("terminated")
def exits_in_a_thread(problem):
    ten(problem)
    thread = threading.Thread(target=sys.exit, args=(5,))
    thread.start()
    thread.join()
