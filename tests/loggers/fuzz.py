"""Damages logs at random, makes their SHA-256 fit again, and reads them: nothing may break.

``FIRSTHIT_FUZZ=5000 python -m pytest -s tests/loggers/test_hostile_logs.py -k random`` runs long.
"""

import sys
from collections import Counter
from pathlib import Path

import numpy as np

from firsthit.loggers import LogConflictError, LogFormatError, LogHeader, decode, read_log
from firsthit.loggers.image import encode, with_head
from firsthit.loggers.table import tabulate

from .conftest import random_run

HEAD = 512


def small_log():
    """A log of three runs as bytes: most of it is HDF5's own data, not ours."""
    records = [random_run(repetition=r, evaluations=30) for r in range(3)]
    return encode(tabulate(records, LogHeader({"random": {}}).to_json()))


def mutated(content, rng):
    """The log with one to four damages: flipped, zeroed, copied, large or cut bytes."""
    data = bytearray(content)
    for _ in range(rng.integers(1, 5)):
        at = int(rng.integers(HEAD, len(data)))
        size = int(min(rng.choice([1, 1, 2, 4, 8, 64]), len(data) - at))
        kind = rng.integers(6)
        if kind == 0:
            data[at] ^= 1 << int(rng.integers(8))
        elif kind == 1:
            data[at : at + size] = bytes(size)
        elif kind == 2:
            data[at : at + size] = b"\xff" * size
        elif kind == 3:
            data[at : at + size] = rng.bytes(size)
        elif kind == 4:
            other = int(rng.integers(HEAD, len(data) - size))
            data[at : at + size] = data[other : other + size]
        elif rng.integers(10) == 0:
            del data[at:]
            data.extend(b"\0" * 16)
    return with_head(bytes(data))


def read_everything(path):
    """Ask a log all there is to ask."""
    log = read_log(path)
    rows = np.arange(len(log))
    log.first_hits(rows, [1e2, 1e-8, 0.77])
    log.best_at(rows, [1, 10])
    for run in rows.tolist():
        log.hits(run), log.trajectory(run), log.restarts(run), log.recommendations(run)
        log.best_solution(run), log.header_of(run)
    for name in type(log.runs).__annotations__:
        log.runs[name]


def fuzz(count, seed, folder):
    """Read so many damaged logs.

    Returns:
        How often which end was met: ``read``, ``refused``, ``crashed`` (the process that opens
        files, not this one).

    Raises:
        Exception: Whatever the reader lets through that is no error of a log.
    """
    content, path = small_log(), Path(folder) / "a.h5"
    ends = Counter()
    for number in range(count):
        path.write_bytes(mutated(content, np.random.default_rng([seed, number])))
        decode.WHOLE_BYTES = 0 if number % 2 else 2**24
        try:
            read_everything(path)
        except (LogFormatError, LogConflictError) as error:
            text = str(error)
            assert "\n" not in text
            assert len(text) < 1000
            ends["crashed" if "library" in text or "no end" in text else "refused"] += 1
        except BaseException:
            print(f"seed {seed}, number {number}", file=sys.stderr)
            raise
        else:
            ends["read"] += 1
    return ends
