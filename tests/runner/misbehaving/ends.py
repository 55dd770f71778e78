"""Optimizers that end their run or their process without a return."""

# ruff: noqa: SIM115
import atexit
import ctypes
import faulthandler
import os
import signal
import socket
import sys
import time
import warnings

import numpy as np
from kinds import HOUR, kind, ten

KEPT = []
AFTER_TEN = {
    "exits": (lambda: sys.exit(4), kind("failed", "SystemExit: 4")),
    "leaves": (lambda: os._exit(3), kind("failed", "exit code 3, twice", alone=True)),
    "becomes_another_program": (
        lambda: os.execv(sys.executable, [sys.executable, "-c", ""]),
        kind("failed", "exit code 0, twice", alone=True),
    ),
    "crashes": (lambda: ctypes.string_at(0), kind("failed", "SIGSEGV, twice", alone=True)),
    "aborts": (lambda: os.abort(), kind("failed", "SIGABRT, twice", alone=True)),
    "is_killed": (
        lambda: os.kill(os.getpid(), signal.SIGKILL),
        kind("failed", "SIGKILL, twice", alone=True),
    ),
    "leaves_an_exit_function": (
        lambda: atexit.register(os._exit, 7),
        kind("terminated", alone=True),
    ),
    "stops_itself": (
        lambda: os.kill(os.getpid(), signal.SIGSTOP),
        kind("timeout", "no end within", alone=True),
    ),
    "hangs_in_compiled_code": (
        lambda: ctypes.PyDLL(None).sleep(HOUR),
        kind("timeout", "no end within", alone=True),
    ),
    "closes_descriptors": (
        lambda: os.closerange(3, 256),
        kind("failed", "worker process", alone=True),
    ),
    "leaks_descriptors": (
        lambda: KEPT.extend(open(os.devnull) for _ in range(300)),
        kind("terminated", alone=True),
    ),
    "leaves_a_socket": (
        lambda: KEPT.append(socket.create_server(("127.0.0.1", 0))),
        kind("terminated", alone=True),
    ),
    "allocates_too_much": (lambda: np.ones(10**14), kind("failed", "Unable to allocate")),
    "calls_itself_for_ever": (lambda: calls_itself_again(), kind("failed", "RecursionError")),
    "clears_the_environment": (lambda: os.environ.clear(), kind("terminated", alone=True)),
    "clears_the_search_path": (lambda: sys.path.clear(), kind("terminated", alone=True)),
    "lowers_the_recursion_limit": (
        lambda: sys.setrecursionlimit(150),
        kind("terminated failed", alone=True),
    ),
    "raises_at_floating_point_errors": (
        lambda: np.seterr(all="raise"),
        kind("terminated", alone=True),
    ),
    "makes_warnings_errors": (
        lambda: warnings.simplefilter("error"),
        kind("terminated", alone=True),
    ),
}
"""Action after ten evaluations, and decorator that registers the optimizer, by its name."""


def make_optimizer(name, action):
    """Return an optimizer that evaluates ten points and then calls ``action``."""

    def optimizer(problem):
        ten(problem)
        action()

    optimizer.__name__ = name
    return optimizer


for name, (action, register) in AFTER_TEN.items():
    globals()[name] = register(make_optimizer(name, action))


def calls_itself_again():
    calls_itself_again()


@kind("failed", "KeyboardInterrupt", alone=True)
def interrupts(problem):
    ten(problem)
    raise KeyboardInterrupt


@kind("failed", "exit code 1, twice", alone=True)
def ends_by_a_timer_of_faulthandler(problem):
    ten(problem)
    faulthandler.dump_traceback_later(0.1, exit=True)
    time.sleep(HOUR)
