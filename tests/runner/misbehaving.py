"""Optimizers that misbehave in every way we could think of, each with what is to come of it.

Workers import this file by its path. All evaluate the same ten points, unless they say otherwise;
the raw function counts its calls in a file of its own, which firsthit knows nothing of.
"""

# ruff: noqa: NPY002, SIM115
import atexit
import builtins
import concurrent.futures
import contextlib
import ctypes
import decimal
import faulthandler
import functools
import gc
import locale
import logging
import multiprocessing
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import firsthit

FOLDER = Path(os.environ.get("MISBEHAVING_FOLDER", tempfile.gettempdir()))
HOUR = 3600
tally = FOLDER / "before"


def calls_of(algorithm, instance):
    """Calls of the raw function in the last attempt at a run."""
    return (FOLDER / f"{algorithm}-{instance}").stat().st_size


def sphere(x):
    with tally.open("ab") as file:
        file.write(b"x")
    return float((x**2).sum())


@firsthit.register_suite("misbehaviour", functions=[1], dimensions=[3], instances=[1, 2])
def suite(function, dimension, instance):
    return firsthit.problem_from(
        sphere, dimension, instance=instance, transformation="shift",
        optimal_value=0.0, optimal_solution=np.zeros(dimension),
    )  # fmt: skip


@dataclass(frozen=True)
class Kind:
    """One kind of misbehaviour.

    Attributes:
        status: What its runs come to; of several, one.
        text: Part of the error; the error is empty where this is.
        alone: It needs a process of its own: not for ``workers: 0``.
        uncalled: Evaluations that the raw function is not called for.
    """

    status: str
    text: str = ""
    alone: bool = False
    uncalled: int = 0


KINDS = {}


def kind(*facts, **more):
    """Register an optimizer, and have its runs counted."""

    def register(function):
        @functools.wraps(function)
        def counted(problem, **offered):
            global tally
            tally = FOLDER / f"{function.__name__}-{problem.id_instance}"
            tally.write_bytes(b"")
            return function(problem, **offered)

        KINDS[function.__name__] = Kind(*facts, **more)
        return counted

    return register


def ten(problem):
    """Evaluate ten points, singly and in a batch, with a restart between them."""
    rng = np.random.default_rng(problem.dimension)
    for _ in range(6):
        problem(rng.uniform(-5, 5, problem.dimension))
    problem.restart("again", seed=5, start=np.ones(problem.dimension))
    problem.recommend(np.zeros(problem.dimension))
    problem(rng.uniform(-5, 5, (4, problem.dimension)))


def left_running(pid):
    """Note a process that is to be gone in the end."""
    (FOLDER / f"left-{pid}").touch()


class Warned(Exception):
    """Raised by a handler that was left."""


@kind("terminated")
def innocent(problem):
    """Uses what others change."""
    import scipy.optimize

    with contextlib.ExitStack() as stack:
        for _ in range(300):
            stack.enter_context(open(os.devnull))
    begin = time.perf_counter() + time.monotonic() + time.time()
    assert time.perf_counter() + time.monotonic() + time.time() >= begin
    assert os.path.isdir(os.getcwd())
    assert threading.active_count() <= 2, threading.enumerate()
    assert signal.getsignal(signal.SIGUSR1) == signal.SIG_DFL
    assert "PATH" in os.environ
    assert sys.getrecursionlimit() >= 1000
    assert gc.isenabled()
    assert decimal.getcontext().prec == 28
    assert logging.getLogger().isEnabledFor(logging.ERROR)
    assert np.searchsorted([1.0, 2.0], 1.5) == 1
    warnings.warn("an ordinary warning", stacklevel=1)
    assert np.isinf(np.float64(1) / np.float64(0))
    assert float(scipy.optimize.minimize(lambda x: (x**2).sum(), [1.0]).fun) < 1e-6
    with tempfile.TemporaryFile() as file:
        file.write(b"x")
    ten(problem)


# What a run does after its ten evaluations

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
"""Name to what is done, and what is to come of it; below are those that need more words."""


def after_ten(name, then):
    def optimizer(problem):
        ten(problem)
        then()

    optimizer.__name__ = name
    return optimizer


for name, (then, register) in AFTER_TEN.items():
    globals()[name] = register(after_ten(name, then))


# What ends the process, or tries to


@kind("failed", "KeyboardInterrupt", alone=True)
def interrupts(problem):
    ten(problem)
    raise KeyboardInterrupt


@kind("failed", "exit code 1, twice", alone=True)
def ends_by_a_timer_of_faulthandler(problem):
    ten(problem)
    faulthandler.dump_traceback_later(0.1, exit=True)
    time.sleep(HOUR)


@kind("terminated")
def exits_in_a_thread(problem):
    ten(problem)
    thread = threading.Thread(target=sys.exit, args=(5,))
    thread.start()
    thread.join()


# What does not end


@kind("timeout", "no end within", alone=True)
def loops(problem):
    ten(problem)
    while True:
        time.sleep(0.001)  # the processor is for the tests beside this one


@kind("budget", alone=True)
def swallows_stops(problem, x0):
    while True:
        with contextlib.suppress(BaseException):
            problem(x0)


@kind("budget", alone=True)
def swallows_stops_in_threads(problem, x0):
    threads = [threading.Thread(target=swallowing, args=(problem, x0)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def swallowing(problem, x0):
    while True:
        with contextlib.suppress(BaseException):
            problem(x0)


@kind("failed", "1000 announcements without an evaluation between", alone=True)
def announces_for_ever(problem, x0):
    problem(x0)
    while True:
        with contextlib.suppress(BaseException):
            problem.restart("again")


# Processes and threads

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
    """The child of the first run evaluates in the second one; where that is in its process."""
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


def quietly(problem, x0):
    with contextlib.suppress(Exception):
        problem(x0)


@kind("terminated", alone=True)
def leaves_a_program(problem):
    ten(problem)
    program = subprocess.Popen([sys.executable, "-c", f"import time; time.sleep({HOUR})"])
    left_running(program.pid)


@kind("terminated")
def evaluates_in_threads(problem, rng):
    points = rng.uniform(-5, 5, (10, problem.dimension))
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        list(pool.map(problem, points))


@kind("terminated", alone=True)
def leaves_threads(problem, x0):
    ten(problem)
    threading.Thread(target=time.sleep, args=(HOUR,), daemon=True).start()
    threading.Thread(target=evaluates_late, args=(problem, x0), daemon=True).start()


def evaluates_late(problem, x0):
    """Evaluates when the run is over, which a refusal shows, again and again."""
    time.sleep(0.2)
    while True:
        quietly(problem, x0)
        time.sleep(0.01)


@kind("terminated")
def evaluates_in_coroutines(problem, rng):
    import asyncio

    async def one(x):
        await asyncio.sleep(0)
        return problem(x)

    async def all_of_them():
        await asyncio.gather(*map(one, rng.uniform(-5, 5, (10, problem.dimension))))

    asyncio.run(all_of_them())


# Descriptors, output, limits


@kind("terminated", alone=True)
def closes_standard_streams(problem):
    ten(problem)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        stream.close()
    for descriptor in range(3):
        with contextlib.suppress(OSError):
            os.close(descriptor)


@kind("failed", "wrote something else to its coordinator's pipe, twice", alone=True)
def writes_to_all_descriptors(problem):
    ten(problem)
    for descriptor in range(64):
        with contextlib.suppress(OSError):
            os.write(descriptor, b"garbage\0" * 100)


@kind("terminated", alone=True)
def prints_200_megabytes(problem):
    ten(problem)
    for _ in range(200):
        print("x" * 2**20)


@kind("terminated", alone=True)
def limits_descriptors(problem):
    import resource

    ten(problem)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))


@kind("failed", "Unable to allocate", alone=True)
def limits_memory(problem):
    import resource

    ten(problem)
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * os.sysconf("SC_PAGE_SIZE") + 2**26
    resource.setrlimit(resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))
    np.ones(2**27)


def calls_itself_again():
    calls_itself_again()


# What a process keeps


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
    """The timer may strike the run that follows."""

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


# What is evaluated, and what is told


@kind("terminated")
def evaluates_nonsense(problem, x0):
    ten(problem)
    for wrong in ("x", None, x0[:-1], x0 * 1j, [x0, x0[:-1]], np.zeros((2, 2, 2)), {}, object()):
        try:
            problem(wrong)
        except Exception:
            continue
        raise AssertionError(f"{wrong!r} was evaluated")


@kind("terminated", uncalled=3)
def evaluates_not_a_number(problem, x0):
    for value in (np.nan, np.inf, -np.inf):
        quietly(problem, x0 * 0 + value)


@kind("terminated")
def overwrites_its_points(problem):
    x = np.zeros(problem.dimension)
    for i in range(10):
        x[:] = 1 + i
        problem(x)
        x[:] = np.nan


class Hostile:
    @property
    def message(self):
        raise RuntimeError("no message for you")


@kind("failed", "RuntimeError: no message for you")
def returns_what_cannot_be_read(problem):
    ten(problem)
    return Hostile()


class Text(str):
    def __reduce__(self):
        return os._exit, (9,)


@kind("failed", "Mute")
def raises_what_cannot_be_told(problem):
    class Mute(Exception):
        def __str__(self):
            raise RuntimeError("cannot be told")

    ten(problem)
    raise Mute


@kind("failed", "ValueError: bomb")
def raises_what_must_not_be_unpickled(problem):
    ten(problem)
    raise ValueError(Text("bomb"))
