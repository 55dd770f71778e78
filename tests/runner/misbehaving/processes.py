"""Optimizers that start processes and threads."""

import concurrent.futures
import multiprocessing
import os
import subprocess
import sys
import threading
import time

from kinds import FOLDER, HOUR, kind, left_running, quietly, ten

ELSEWHERE = "tried to evaluate in other processes, where evaluations cannot be observed"


@kind("failed", ELSEWHERE)
def forks_and_goes_on_in_both(problem, x0):
    ten(problem)
    child = os.fork()
    if child:
        os.waitpid(child, 0)
    else:
        try:
            problem(x0)
        finally:
            os._exit(0)


@kind("failed", ELSEWHERE, alone=True)
def forks_back_into_the_runner(problem, x0):
    ten(problem)
    child = os.fork()
    if child:
        os.waitpid(child, 0)
    else:
        problem(x0)


@kind("terminated", alone=True)
def forks_and_leaves_the_child(problem):
    ten(problem)
    if child := os.fork():
        left_running(child)
    else:
        time.sleep(HOUR)


@kind("failed", "exit code 5, twice", alone=True)
def leaves_a_child_and_dies(problem):
    ten(problem)
    if child := os.fork():
        left_running(child)
        os._exit(5)
    time.sleep(HOUR)


@kind("terminated", alone=True)
def is_disturbed_by_the_child_of_a_run_before(problem, x0):
    """Fork in the first run a child that evaluates during the second run.

    The second run may be in the same process as the first one.
    """
    ten(problem)
    second, refused = FOLDER / "second-run", FOLDER / "child-refused"
    if problem.id_instance == 1:
        if os.fork() == 0:
            while not second.exists():
                time.sleep(0.01)
            try:
                problem(x0)
            finally:
                refused.touch()
                os._exit(0)
        return
    second.touch()
    for _ in range(100):
        if refused.exists():
            break
        time.sleep(0.01)


@kind("failed", ELSEWHERE)
def evaluates_in_processes(problem, x0):
    ten(problem)
    context = multiprocessing.get_context("fork")
    children = [context.Process(target=quietly, args=(problem, x0)) for _ in range(2)]
    for child in children:
        child.start()
    for child in children:
        child.join()


@kind("terminated", alone=True)
def leaves_a_program(problem):
    ten(problem)
    program = subprocess.Popen([sys.executable, "-c", f"import time; time.sleep({HOUR})"])
    left_running(program.pid)


@kind("terminated", overlaps=10)
def evaluates_in_threads(problem, rng):
    points = rng.uniform(-5, 5, (10, problem.dimension))
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        list(pool.map(problem, points))


@kind("terminated", alone=True)
def leaves_threads(problem, x0):
    ten(problem)
    threading.Thread(target=time.sleep, args=(HOUR,), daemon=True).start()
    threading.Thread(target=evaluate_late, args=(problem, x0), daemon=True).start()


def evaluate_late(problem, x0):
    """Evaluate again and again, although the run has ended and refuses all evaluations."""
    time.sleep(0.2)
    while True:
        quietly(problem, x0)
        time.sleep(0.01)


@kind("terminated")
def evaluates_in_coroutines(problem, rng):
    import asyncio

    async def evaluate(x):
        await asyncio.sleep(0)
        return problem(x)

    async def evaluate_all():
        await asyncio.gather(*map(evaluate, rng.uniform(-5, 5, (10, problem.dimension))))

    asyncio.run(evaluate_all())
