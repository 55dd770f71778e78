"""Optimizers that do not end by themselves."""

import contextlib
import threading
import time

from kinds import kind, ten


@kind("timeout", "no end within", alone=True)
def loops(problem):
    ten(problem)
    while True:
        time.sleep(0.001)  # leaves the processor to tests that run at the same time


@kind("budget", alone=True)
def swallows_stops(problem, x0):
    while True:
        with contextlib.suppress(BaseException):
            problem(x0)


@kind("budget", alone=True, overlaps=50)
def swallows_stops_in_threads(problem, x0):
    threads = [threading.Thread(target=swallow_stops, args=(problem, x0)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def swallow_stops(problem, x0):
    while True:
        with contextlib.suppress(BaseException):
            problem(x0)


@kind("failed", "1000 announcements without an evaluation between", alone=True)
def announces_for_ever(problem, x0):
    problem(x0)
    while True:
        with contextlib.suppress(BaseException):
            problem.restart("again")
