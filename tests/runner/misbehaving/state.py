"""Optimizers that change the state of their process: clocks, modules and settings."""

# ruff: noqa: NPY002
import builtins
import decimal
import gc
import locale
import logging
import os
import random
import signal
import sys
import tempfile
import time

import numpy as np
from kinds import kind, ten


class Warned(Exception):
    """Exception of a signal handler that a run left in its process."""


@kind("terminated", alone=True)
def stops_clocks(problem, value="noon"):
    ten(problem)
    for name in ("time", "monotonic", "perf_counter", "process_time", "time_ns", "monotonic_ns"):
        setattr(time, name, lambda: value)


@kind("terminated", alone=True)
def makes_clocks_nan(problem):
    ten(problem)
    for name in ("time", "monotonic", "perf_counter", "process_time"):
        setattr(time, name, lambda: float("nan"))


@kind("terminated failed", alone=True)
def leaves_handlers_and_a_timer(problem):
    """Leave signal handlers and a timer, which may raise in a later run."""

    def handler(*_):
        raise Warned

    ten(problem)
    for number in (signal.SIGTERM, signal.SIGALRM, signal.SIGUSR1):
        signal.signal(number, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.3, 0.3)


@kind("terminated", alone=True)
def removes_its_folder(problem):
    ten(problem)
    folder = tempfile.mkdtemp()
    os.chdir(folder)
    os.rmdir(folder)


@kind("terminated", alone=True)
def removes_the_temporary_folder(problem):
    ten(problem)
    tempfile.tempdir = "/nowhere"


@kind("terminated failed", alone=True)
def forgets_modules(problem):
    ten(problem)
    for name in list(sys.modules):
        if name.startswith(("numpy", "firsthit")):
            del sys.modules[name]


@kind("terminated failed", alone=True)
def replaces_functions_of_libraries(problem):
    import scipy.optimize

    ten(problem)
    np.searchsorted = np.asarray = scipy.optimize.minimize = None


@kind("terminated failed", alone=True)
def replaces_built_in_functions(problem):
    ten(problem)
    builtins.len = builtins.isinstance = lambda *_: 3


@kind("terminated", alone=True)
def seeds_global_generators(problem):
    ten(problem)
    np.random.seed(1)
    random.seed(1)


@kind("terminated", alone=True)
def changes_small_things(problem):
    ten(problem)
    gc.disable()
    locale.setlocale(locale.LC_ALL, "C")
    decimal.getcontext().prec = 2
    logging.disable(logging.CRITICAL)
