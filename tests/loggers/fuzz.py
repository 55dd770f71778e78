"""Damages logs at random, makes their SHA-256 fit again, and reads them: nothing may break.

``FIRSTHIT_FUZZ=5000 python -m pytest -s tests/loggers/test_hostile_logs.py -k random`` runs long.
"""

import json
import sys
from collections import Counter
from pathlib import Path

import numpy as np

from firsthit.loggers import LogConflictError, LogFormatError, LogHeader, read_log
from firsthit.loggers.hdf5 import outline
from firsthit.loggers.hdf5 import reader as decode
from firsthit.loggers.hdf5.image import encode, with_head
from firsthit.loggers.hdf5.schema import FORMAT, FUNCTION_TEXTS, HEAD_BYTES, RAGGED
from firsthit.loggers.hdf5.table import tabulate

from .conftest import random_run

UNCHECKED = ("wall_seconds", "cpu_seconds", "problem_seconds", "error")
"""What the checksum of a run does not cover."""


def small_log():
    """A log of three runs as bytes: most of it is HDF5's own data, not ours."""
    records = [random_run(repetition=r, evaluations=30) for r in range(3)]
    return b"".join(encode(tabulate(records, LogHeader({"random": {}}).to_json())))


def structure(path):
    """Positions in a log of bytes that are HDF5's own data: not 0, neither head nor chunk."""
    names = [f"{name}/{column}" for name, part in RAGGED.items() for column in ("offset", *part)]
    names += [f"functions/{name}" for name in (*FUNCTION_TEXTS, "function")]
    names += ["headers", "algorithms", "messages", "runs"]
    question = {"path": str(path), "format": FORMAT, "columns": names, "optional": []}
    told = json.loads(outline.answer(json.dumps(question)))
    is_own = np.frombuffer(path.read_bytes(), np.uint8) != 0
    is_own[:HEAD_BYTES] = False
    for column in told["columns"].values():
        for _, place, size, _ in column["chunks"]:
            is_own[place : place + size] = False
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
    """All that a log says, by run: what its checksum covers, and the rest."""
    log = read_log(path)
    rows = np.arange(len(log))
    log.first_hits(rows, [1e2, 1e-8, 0.77])
    log.best_at(rows, [1, 10])
    names = [name for name in type(log.runs).__annotations__ if name not in UNCHECKED]
    covered = []
    for run in rows.tolist():
        log.recommendations(run), log.header_of(run)
        parts = (log.hits(run), log.trajectory(run), log.restarts(run))
        columns = [getattr(part, name).tobytes() for part in parts for name in part.dtypes]
        facts = [repr(log.runs[name][run]) for name in names]
        covered.append((*facts, log.best_solution(run).tobytes(), *columns))
    for name in UNCHECKED:
        log.runs[name]
    return sorted(covered)


def fuzz(count, seed, folder):
    """Read so many damaged logs.

    Returns:
        How often which end was met: ``equal`` and ``other`` (read, with other content of runs than
        before), ``refused``, ``crashed`` (the process that opens files, not this one).

    Raises:
        AssertionError: A log that was read whole, and so compared with the checksums of its runs,
            says something else than before.
        Exception: Whatever the reader lets through that is no error of a log.
    """
    content, path = small_log(), Path(folder) / "a.h5"
    path.write_bytes(content)
    before, places = all_of(path), structure(path)
    ends = Counter()
    for number in range(count):
        path.write_bytes(mutated(content, places, np.random.default_rng([seed, number])))
        decode.WHOLE_BYTES = 0 if number % 2 else 2**24
        try:
            found = all_of(path)
            assert found == before or not decode.WHOLE_BYTES, "a wrong log is read"
        except (LogFormatError, LogConflictError) as error:
            text = str(error)
            assert "\n" not in text
            assert len(text) < 1000
            ends["crashed" if "library" in text or "no end" in text else "refused"] += 1
        except BaseException:
            print(f"seed {seed}, number {number}", file=sys.stderr)
            raise
        else:
            ends["equal" if found == before else "other"] += 1
    return ends
