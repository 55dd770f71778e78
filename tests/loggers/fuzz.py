"""Damages logs at random, makes their SHA-256 fit again, and reads them: nothing may break.

``FIRSTHIT_FUZZ=5000 python -m pytest -s tests/loggers/test_hostile_logs.py -k random`` runs long.
"""

import sys
from collections import Counter
from pathlib import Path

import h5py
import numpy as np

from firsthit.loggers import LogConflictError, LogFormatError, LogHeader, read_log
from firsthit.loggers.hdf5 import reader
from firsthit.loggers.hdf5.encode import encode
from firsthit.loggers.hdf5.schema import HEAD_BYTES

from .conftest import random_run, tabulate
from .forging import with_head

TABLES = ("hits", "trajectory", "restarts", "recommendations", "notes_of", "archive", "objectives")


def small_log():
    """A log of three runs as bytes: most of it is HDF5's own data, not ours."""
    records = [random_run(repetition=r, evaluations=30) for r in range(3)]
    return b"".join(encode(tabulate(records, LogHeader({"random": {}}).to_json())))


def structure(path):
    """Positions in a log of bytes that are HDF5's own data: not 0, neither head nor chunk."""
    is_own = np.frombuffer(path.read_bytes(), np.uint8) != 0
    is_own[:HEAD_BYTES] = False
    with h5py.File(path) as file:
        for dataset in file.values():
            for number in range(dataset.id.get_num_chunks()):
                chunk = dataset.id.get_chunk_info(number)
                is_own[chunk.byte_offset : chunk.byte_offset + chunk.size] = False
    return np.flatnonzero(is_own)


def mutated(content, places, rng):
    """The log with one to four damages: flipped, zeroed, copied, large or cut bytes.

    Most of them strike at ``places``.
    """
    data = bytearray(content)
    for _ in range(rng.integers(1, 5)):
        at = int(rng.choice(places) if rng.random() < 0.8 else rng.integers(HEAD_BYTES, len(data)))
        size = int(min(rng.choice([1, 1, 2, 4, 8, 64]), len(data) - at))
        kind = rng.integers(6)
        if size <= 0:  # cut off before
            continue
        if kind == 0:
            data[at] ^= 1 << int(rng.integers(8))
        elif kind == 1:
            data[at : at + size] = bytes(size)
        elif kind == 2:
            data[at : at + size] = b"\xff" * size
        elif kind == 3:
            data[at : at + size] = rng.bytes(size)
        elif kind == 4:
            other = int(rng.integers(HEAD_BYTES, len(data) - size))
            data[at : at + size] = data[other : other + size]
        elif rng.integers(10) == 0:
            del data[at:]
            data.extend(b"\0" * 16)
    return with_head(bytes(data))


def all_of(path):
    """All that a log says, by run."""
    log = read_log(path)
    rows = np.arange(len(log))
    log.first_hits(rows, [1e2, 1e-8, 0.77])
    log.best_at(rows, [1, 10])
    names = type(log.runs).__annotations__
    found = []
    for run in rows.tolist():
        tables = [getattr(log, name)(run).tobytes() for name in TABLES]
        facts = [repr(log.runs[name][run]) for name in names]
        found.append((str(log.header_of(run)), *facts, log.best_solution(run).tobytes(), *tables))
    return sorted(found)


def fuzz(count, seed, folder):
    """Read so many damaged logs; how often they were ``equal`` to the whole one, and ``refused``.

    Raises:
        AssertionError: A log says something else than before.
        Exception: Whatever the reader lets through that is no error of a log.
    """
    content, path = small_log(), Path(folder) / "a.h5"
    path.write_bytes(content)
    before, places = all_of(path), structure(path)
    ends = Counter()
    whole = reader.WHOLE_BYTES
    try:
        for number in range(count):
            path.write_bytes(mutated(content, places, np.random.default_rng([seed, number])))
            reader.WHOLE_BYTES = 0 if number % 2 else whole
            try:
                assert all_of(path) == before, "a wrong log is read"
            except (LogFormatError, LogConflictError) as error:
                is_short = "\n" not in str(error) and len(str(error)) < 1000
                ends["refused" if is_short else "refused at length"] += 1
            except BaseException:
                print(f"seed {seed}, number {number}", file=sys.stderr)
                raise
            else:
                ends["equal"] += 1
    finally:
        reader.WHOLE_BYTES = whole
    return ends
