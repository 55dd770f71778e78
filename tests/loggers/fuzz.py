"""Damage logs at random, correct all checksums, and read the logs: reading must end with a result.

A malicious program also corrects checksums: SHA-256 of the user block, Fletcher-32 of chunks,
Jenkins' lookup3 of HDF5's own structures, and CRC-32 of the records of a journal.

Another process reads the mutants. It writes the number of a mutant before the reading and the
result after it, so that a mutant that kills the process or takes too long can be identified.
"""

import faulthandler
import io
import json
import multiprocessing
import os
import re
import resource
import signal
import struct
import traceback
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import h5py
import numpy as np

from firsthit.loggers import read_log
from firsthit.loggers.hdf5 import reader
from firsthit.loggers.hdf5.encode import encode
from firsthit.loggers.hdf5.journal import JournalEncoder, complete_records, encode_record
from firsthit.loggers.hdf5.schema import HEAD_BYTES
from firsthit.suites import FirsthitError

from .conftest import random_run, tabulate
from .forging import with_head

TABLES = ("hits", "trajectory", "restarts", "recommendations", "notes_of", "archive", "objectives")
BATCH = 25
KINDS = ("as written", "plain", "chunks", "journal")
ENDS = "ends.txt"
MOST_SECONDS = 60
MOST_MEBIBYTES = 400
_SIGNATURES = (
    b"\x89HDF\r\n\x1a\n", b"OHDR", b"OCHK", b"FRHP", b"FHDB", b"FHIB", b"BTHD", b"BTLF", b"BTIN",
    b"FAHD", b"FADB", b"EAHD", b"EAIB", b"SMTB", b"SMLI",
)  # fmt: skip


def records():
    """Return the records of three runs, which are equal in all processes, including their times."""
    runs = (random_run(repetition=r, evaluations=30) for r in range(3))
    return [replace(run, wall_seconds=1.0, cpu_seconds=0.5, problem_seconds=0.25) for run in runs]


def header():
    campaign = {"suites": [{"name": "custom", "version": "1", "dimensions": [3]}], "seed": 1}
    made = {"versions": {"numpy": "2"}, "created_utc": "2026-01-01T00:00:00Z"}
    return json.dumps({"algorithms": {"random": {}}, "campaign": campaign, "provenance": made})


def image_of(kind):
    """Return a small log as bytes, of which HDF5's own structures are the largest part."""
    if kind == "journal":
        encoder = JournalEncoder(header())
        return b"".join([encoder.head, *map(encoder.encode_run, records())])
    written = b"".join(encode(tabulate(records(), header())))
    if kind == "as written":
        return written
    copy = io.BytesIO()
    options = {"chunks": True, "fletcher32": True} if kind == "chunks" else {}
    with (
        h5py.File(io.BytesIO(written)) as old,
        h5py.File(copy, "w", libver=("v110", "v110"), userblock_size=HEAD_BYTES) as new,
    ):
        for name, value in old.attrs.items():
            new.attrs[name] = value
        for name, dataset in old.items():
            new.create_dataset(name, data=dataset[:], dtype=dataset.dtype, **options)
    return with_head(copy.getvalue())


def lookup3(data):
    """Compute Jenkins' hash, which HDF5 writes behind its own structures."""

    def rot(x, k):
        return (x << k | x >> (32 - k)) & 0xFFFFFFFF

    a = b = c = (0xDEADBEEF + len(data)) & 0xFFFFFFFF
    length = -(-len(data) // 12) * 12
    words = struct.unpack(f"<{length // 4}I", data.ljust(length, b"\0"))
    for i in range(0, len(words), 3):
        a, b, c = ((x + y) & 0xFFFFFFFF for x, y in zip((a, b, c), words[i : i + 3], strict=True))
        if i + 3 == len(words):
            break
        for first, second, third in ((4, 6, 8), (16, 19, 4)):
            a, c = (a - c & 0xFFFFFFFF) ^ rot(c, first), c + b & 0xFFFFFFFF
            b, a = (b - a & 0xFFFFFFFF) ^ rot(a, second), a + c & 0xFFFFFFFF
            c, b = (c - b & 0xFFFFFFFF) ^ rot(b, third), b + a & 0xFFFFFFFF
    c = (c ^ b) - rot(b, 14) & 0xFFFFFFFF
    a = (a ^ c) - rot(c, 11) & 0xFFFFFFFF
    b = (b ^ a) - rot(a, 25) & 0xFFFFFFFF
    c = (c ^ b) - rot(b, 16) & 0xFFFFFFFF
    a = (a ^ c) - rot(c, 4) & 0xFFFFFFFF
    b = (b ^ a) - rot(a, 14) & 0xFFFFFFFF
    return (c ^ b) - rot(b, 24) & 0xFFFFFFFF


def fletcher32(data):
    """Compute the checksum of HDF5's filter ``fletcher32``."""
    words = [*struct.unpack(f">{len(data) // 2}H", data[: len(data) // 2 * 2])]
    words += [data[-1] << 8] if len(data) % 2 else []
    first = second = 0
    for start in range(0, len(words), 360):
        for word in words[start : start + 360]:
            first += word
            second += first
        first = (first & 0xFFFF) + (first >> 16)
        second = (second & 0xFFFF) + (second >> 16)
    first = (first & 0xFFFF) + (first >> 16)
    second = (second & 0xFFFF) + (second >> 16)
    return second << 16 | first


def checksums(image):
    """Find the checksums in an HDF5 file.

    Returns:
        The function, the start and the end of each block with a checksum. The checksum is the 4
        bytes that follow the block.
    """
    blocks = []
    for signature in _SIGNATURES:
        start = image.find(signature, HEAD_BYTES)
        while start >= 0:
            for end in range(start + 8, min(start + 1500, len(image) - 3)):
                if lookup3(image[start:end]) == int.from_bytes(image[end : end + 4], "little"):
                    blocks.append((lookup3, start, end))
                    break
            start = image.find(signature, start + 1)
    with h5py.File(io.BytesIO(image)) as file:
        for dataset in file.values():
            if dataset.chunks is None or not dataset.fletcher32:
                continue
            for number in range(dataset.id.get_num_chunks()):
                chunk = dataset.id.get_chunk_info(number)
                end = chunk.byte_offset + chunk.size - 4
                blocks.append((fletcher32, chunk.byte_offset, end))
    return blocks


@cache
def prepared(kind):
    """Return the bytes of a log, its checksums, and the offsets that are damaged most often.

    The offsets are those in HDF5's own structures; in a journal, all offsets.
    """
    image = image_of(kind)
    if kind == "journal":
        return image, [], np.arange(len(image))
    sums = checksums(image)
    for function, start, end in sums:
        assert function(image[start:end]) == int.from_bytes(image[end : end + 4], "little")
    is_structure = np.zeros(len(image), bool)
    for function, start, end in sums:
        is_structure[start:end] = function is lookup3
    return image, sums, np.flatnonzero(is_structure)


def mutated(kind, number):
    """Return a damaged log with correct checksums; ``number`` is the seed of the damage."""
    image, sums, offsets = prepared(kind)
    rng = np.random.default_rng([KINDS.index(kind), number])
    if kind == "journal":
        payloads = (payload for _, payload in complete_records(io.BytesIO(image), len(image)))
        return b"".join(encode_record(damaged(payload, rng)) for payload in payloads)
    data = bytearray(damaged(image, rng, offsets))
    for function, start, end in sums:
        if end + 4 <= len(data) and data[start : end + 4] != image[start : end + 4]:
            data[end : end + 4] = function(bytes(data[start:end])).to_bytes(4, "little")
    return with_head(bytes(data))


def damaged(content, rng, offsets=None):
    """Damage bytes: flip a bit, set bytes to 0, to 255 or at random, copy bytes, or cut the end.

    Args:
        content: The bytes.
        rng: Generator of the damage.
        offsets: Offsets of 70 % of the damage, which then has one to four parts. None: there are
            zero to two parts, at random offsets.

    Returns:
        A damaged copy.
    """
    data = bytearray(content)
    for _ in range(rng.integers(1, 5) if offsets is not None else rng.integers(0, 3)):
        offset = int(rng.integers(min(HEAD_BYTES, len(data) // 2), len(data)))
        if offsets is not None and rng.random() < 0.7:
            offset = int(rng.choice(offsets))
        size = int(min(rng.choice([1, 1, 2, 4, 8, 64]), len(data) - offset))
        kind = rng.integers(6)
        if size <= 0:  # An earlier part of the damage cut the data here.
            continue
        if kind == 0:
            data[offset] ^= 1 << int(rng.integers(8))
        elif kind == 1:
            data[offset : offset + size] = bytes(size)
        elif kind == 2:
            data[offset : offset + size] = b"\xff" * size
        elif kind == 3:
            data[offset : offset + size] = rng.bytes(size)
        elif kind == 4:
            other = int(rng.integers(0, len(data) - size))
            data[offset : offset + size] = data[other : other + size]
        elif rng.integers(10) == 0:
            del data[offset:]
            data.extend(b"\0" * 16)
    return bytes(data)


def all_of(path):
    """Return all data of a log as sorted texts: its headers, and one text for each run."""
    log = read_log(path)
    rows = np.arange(len(log))
    log.first_hits(rows, [1e2, 1e-8, 0.77])
    log.best_at(rows, [1, 10])
    names = type(log.runs).__annotations__
    texts = [str(log.headers)]
    for run in rows.tolist():
        tables = [getattr(log, name)(run).tobytes() for name in TABLES]
        values = [repr(log.runs[name][run]) for name in names]
        texts.append(str((*values, log.best_solution(run).tobytes(), *tables)))
    return sorted(texts)


def end_of(path, expected):
    """Read a mutant and return the result.

    Args:
        path: Path of the log.
        expected: `all_of` the undamaged log.

    Returns:
        ``"equal"`` or ``"other"``, by the content; ``"refused"`` if firsthit raised an error.
    """
    try:
        return "equal" if all_of(path) == expected else "other"
    except FirsthitError as error:
        text = str(error)
        assert len(text) < 1000 and text.isprintable(), text  # noqa: PT018
        return "refused"


def read_mutants(kind, first, count, folder):
    """Read mutants one after the other, and write their numbers and results to the file `ENDS`."""
    path = target = Path(folder) / "a.h5"
    if kind == "journal":
        target = path.with_name("a.h5.parts") / "00000001.journal"
        target.parent.mkdir()
    target.write_bytes(prepared(kind)[0])
    expected = all_of(path)
    whole_bytes, peak = reader.WHOLE_BYTES, mebibytes()
    with open(folder / ENDS, "w", encoding="utf-8", buffering=1) as ends:
        faulthandler.enable(ends)
        for number in range(first, first + count):
            target.write_bytes(mutated(kind, number))
            reader.WHOLE_BYTES = 0 if number % 2 else whole_bytes
            ends.write(f"\n{number} ")
            try:
                end = end_of(path, expected)
            except BaseException:
                traceback.print_exc(file=ends)
                raise
            if mebibytes() - peak > MOST_MEBIBYTES:
                os.abort()  # HDF5 allocates gigabytes for some lengths in its own structures.
            ends.write(end)
        ends.write("\n")


def mebibytes():
    """Return the largest memory of this process in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10


def fuzz(kind, first, count, folder):
    """Read damaged logs, and count the results.

    HDF5 crashes with some mutants, or allocates gigabytes. A process reads few mutants, because
    HDF5 may have overwritten its memory.

    Args:
        kind: One of `KINDS`.
        first: Number of the first mutant.
        count: Number of mutants.
        folder: Folder for temporary files.

    Returns:
        The number of mutants by result: ``equal`` to the undamaged log, ``other``, ``refused``, or
        ``crashed``.

    Raises:
        AssertionError: A mutant took too long, or raised an exception that is no error of firsthit.
            The text has the number of the mutant.
    """
    prepared(kind)  # fills the cache for all forks
    ends = Counter()
    stop = first + count
    while first < stop:
        batch_folder = folder / str(first)
        batch_folder.mkdir()
        process = multiprocessing.get_context("fork").Process(
            target=read_mutants, args=(kind, first, min(BATCH, stop - first), batch_folder)
        )
        process.start()
        process.join(MOST_SECONDS)
        is_late = process.is_alive()
        if is_late:
            os.kill(process.pid, signal.SIGABRT)  # makes it write its stack
            process.join()
        output = (batch_folder / ENDS).read_text(encoding="utf-8")
        results = re.findall(r"^\d+ (equal|other|refused)$", output, re.MULTILINE)
        assert not is_late, output
        assert process.exitcode in (0, -signal.SIGSEGV, -signal.SIGABRT, -signal.SIGFPE), output
        if process.exitcode:
            results.append("crashed")
        ends.update(results)
        first += len(results)
    return ends
