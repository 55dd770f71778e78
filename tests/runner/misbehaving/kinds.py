"""Registry of misbehaving optimizers, with the results that their runs must have.

A campaign names the files of this folder by their paths, and a worker process imports this module
from the folder of the file. Most optimizers evaluate ten points, see `ten`. The objective function
records its calls in a file outside of firsthit.
"""

import contextlib
import functools
import os
import struct
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

FOLDER = Path(os.environ.get("MISBEHAVING_FOLDER", tempfile.gettempdir()))
HOUR = 3600
tally = FOLDER / "before"


def values_of(algorithm, instance):
    """Return the values of all calls of the function in the last attempt at a run."""
    return np.fromfile(FOLDER / f"{algorithm}-{instance}")


def add_to_tally(value):
    """Record one call of the function in the file of the current run."""
    with tally.open("ab") as file:
        file.write(struct.pack("d", value))


@dataclass(frozen=True)
class Kind:
    """The expected results of a misbehaving optimizer.

    Attributes:
        status: Status of its runs; several allowed ones are separated by spaces.
        text: Part of the error of its runs. Empty: the error is empty.
        alone: Whether it needs a worker process, so that it is not run with ``workers: 0``.
        uncalled: Number of evaluations for which the raw function is not called.
        overlaps: Maximum number of evaluations that overlap with one evaluation.
    """

    status: str
    text: str = ""
    alone: bool = False
    uncalled: int = 0
    overlaps: int = 0


KINDS = {}


def kind(*facts, **more):
    """Return a decorator that registers an optimizer, and starts a new tally for each run.

    The arguments are those of `Kind`.
    """

    def register(function):
        @functools.wraps(function)
        def run_with_tally(problem, **arguments):
            global tally
            tally = FOLDER / f"{function.__name__}-{problem.id_instance}"
            tally.write_bytes(b"")
            return function(problem, **arguments)

        KINDS[function.__name__] = Kind(*facts, **more)
        return run_with_tally

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
    """Write a file that names a process; firsthit must end this process."""
    (FOLDER / f"left-{pid}").touch()


def quietly(problem, x0):
    """Evaluate a point, and ignore exceptions."""
    with contextlib.suppress(Exception):
        problem(x0)
