"""Damages logs at random, corrects every checksum, and reads them: nothing may break.

A program that wants to harm corrects checksums, too: the user block's SHA-256, Fletcher-32 of
chunks, those of HDF5's own structures (Jenkins' lookup3), and the CRC-32 of a journal's records.

Mutants are read in a process of their own, which writes down the number of each one before it, and
how it ended after it: one that kills the process, or takes too long, is known so.
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
from firsthit.loggers.hdf5.journal import JournalEncoder, record_bytes, whole_records
from firsthit.loggers.hdf5.merge import encode
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
    """Runs that are the same in every process, times included."""
    runs = (random_run(repetition=r, evaluations=30) for r in range(3))
    return [replace(run, wall_seconds=1.0, cpu_seconds=0.5, problem_seconds=0.25) for run in runs]


def header():
    campaign = {"suites": [{"name": "custom", "version": "1", "dimensions": [3]}], "seed": 1}
    made = {"versions": {"numpy": "2"}, "created_utc": "2026-01-01T00:00:00Z"}
    return json.dumps({"algorithms": {"random": {}}, "campaign": campaign, "provenance": made})


def image_of(kind):
    """A small log as bytes: most of it is HDF5's own data, not ours."""
    if kind == "journal":
        encoder = JournalEncoder(header())
        return b"".join([encoder.head, *map(encoder.record, records())])
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
    """Jenkins' hash that HDF5 puts behind its own structures."""

    def rot(x, k):
        return (x << k | x >> (32 - k)) & 0xFFFFFFFF

    a = b = c = (0xDEADBEEF + len(data)) & 0xFFFFFFFF
    length = -(-len(data) // 12) * 12
    words = struct.unpack(f"<{length // 4}I", data.ljust(length, b"\0"))
    for at in range(0, len(words), 3):
        a, b, c = ((x + y) & 0xFFFFFFFF for x, y in zip((a, b, c), words[at : at + 3], strict=True))
        if at + 3 == len(words):
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
    """The checksum of HDF5's filter of this name."""
    words = [*struct.unpack(f">{len(data) // 2}H", data[: len(data) // 2 * 2])]
    words += [data[-1] << 8] if len(data) % 2 else []
    first = second = 0
    for at in range(0, len(words), 360):
        for word in words[at : at + 360]:
            first += word
            second += first
        first = (first & 0xFFFF) + (first >> 16)
        second = (second & 0xFFFF) + (second >> 16)
    first = (first & 0xFFFF) + (first >> 16)
    second = (second & 0xFFFF) + (second >> 16)
    return second << 16 | first


def checksums(image):
    """Where stands a checksum of what: (function, start, end), its 4 bytes following ``end``."""
    found = []
    for signature in _SIGNATURES:
        start = image.find(signature, HEAD_BYTES)
        while start >= 0:
            for end in range(start + 8, min(start + 1500, len(image) - 3)):
                if lookup3(image[start:end]) == int.from_bytes(image[end : end + 4], "little"):
                    found.append((lookup3, start, end))
                    break
            start = image.find(signature, start + 1)
    with h5py.File(io.BytesIO(image)) as file:
        for dataset in file.values():
            if dataset.chunks is None or not dataset.fletcher32:
                continue
            for number in range(dataset.id.get_num_chunks()):
                chunk = dataset.id.get_chunk_info(number)
                end = chunk.byte_offset + chunk.size - 4
                found.append((fletcher32, chunk.byte_offset, end))
    return found


@cache
def prepared(kind):
    """The bytes of a log, its checksums, and the places that damage is to strike."""
    image = image_of(kind)
    if kind == "journal":
        return image, [], np.arange(len(image))
    sums = checksums(image)
    for function, start, end in sums:
        assert function(image[start:end]) == int.from_bytes(image[end : end + 4], "little")
    is_own = np.zeros(len(image), bool)
    for function, start, end in sums:
        is_own[start:end] = function is lookup3
    return image, sums, np.flatnonzero(is_own)


def mutated(kind, number):
    """The log with one to four damages, and correct checksums."""
    image, sums, places = prepared(kind)
    rng = np.random.default_rng([KINDS.index(kind), number])
    if kind == "journal":
        payloads = (payload for _, payload in whole_records(io.BytesIO(image), len(image)))
        return b"".join(record_bytes(damaged(payload, rng)) for payload in payloads)
    data = bytearray(damaged(image, rng, places))
    for function, start, end in sums:
        if end + 4 <= len(data) and data[start : end + 4] != image[start : end + 4]:
            data[end : end + 4] = function(bytes(data[start:end])).to_bytes(4, "little")
    return with_head(bytes(data))


def damaged(content, rng, places=None):
    """Bytes that are flipped, zeroed, copied, large or cut; most at ``places``, or anywhere."""
    data = bytearray(content)
    for _ in range(rng.integers(1, 5) if places is not None else rng.integers(0, 3)):
        at = int(rng.integers(min(HEAD_BYTES, len(data) // 2), len(data)))
        if places is not None and rng.random() < 0.7:
            at = int(rng.choice(places))
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
            other = int(rng.integers(0, len(data) - size))
            data[at : at + size] = data[other : other + size]
        elif rng.integers(10) == 0:
            del data[at:]
            data.extend(b"\0" * 16)
    return bytes(data)


def all_of(path):
    """All that a log says, by run."""
    log = read_log(path)
    rows = np.arange(len(log))
    log.first_hits(rows, [1e2, 1e-8, 0.77])
    log.best_at(rows, [1, 10])
    names = type(log.runs).__annotations__
    found = [str(log.headers)]
    for run in rows.tolist():
        tables = [getattr(log, name)(run).tobytes() for name in TABLES]
        facts = [repr(log.runs[name][run]) for name in names]
        found.append(str((*facts, log.best_solution(run).tobytes(), *tables)))
    return sorted(found)


def end_of(path, before):
    """How the reading of a mutant ends: ``equal``, ``other`` or ``refused``."""
    try:
        return "equal" if all_of(path) == before else "other"
    except FirsthitError as error:
        text = str(error)
        assert len(text) < 1000 and text.isprintable(), text  # noqa: PT018
        return "refused"


def read_mutants(kind, first, count, folder):
    """Read mutants one after the other; see above."""
    path = target = Path(folder) / "a.h5"
    if kind == "journal":
        target = path.with_name("a.h5.parts") / "00000001.journal"
        target.parent.mkdir()
    target.write_bytes(prepared(kind)[0])
    before = all_of(path)
    whole, peak = reader.WHOLE_BYTES, mebibytes()
    with open(folder / ENDS, "w", encoding="utf-8", buffering=1) as ends:
        faulthandler.enable(ends)
        for number in range(first, first + count):
            target.write_bytes(mutated(kind, number))
            reader.WHOLE_BYTES = 0 if number % 2 else whole
            ends.write(f"\n{number} ")
            try:
                end = end_of(path, before)
            except BaseException:
                traceback.print_exc(file=ends)
                raise
            if mebibytes() - peak > MOST_MEBIBYTES:
                os.abort()  # HDF5 takes gigabytes for some lengths in its own structures
            ends.write(end)
        ends.write("\n")


def mebibytes():
    """The most memory that this process had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10


def fuzz(kind, first, count, folder):
    """How often mutants of a kind of log were ``equal`` to the whole one, ``other``, ``refused``.

    HDF5 itself does not survive all of them, or takes gigabytes: those are ``crashed``. What it may
    have overwritten in memory ends with the process, which reads a few mutants only.

    Raises:
        AssertionError: A mutant took too long, or raised what is no error of firsthit;
            the text names it.
    """
    prepared(kind)  # once for all processes
    ends = Counter()
    stop = first + count
    while first < stop:
        own = folder / str(first)
        own.mkdir()
        process = multiprocessing.get_context("fork").Process(
            target=read_mutants, args=(kind, first, min(BATCH, stop - first), own)
        )
        process.start()
        process.join(MOST_SECONDS)
        is_late = process.is_alive()
        if is_late:
            os.kill(process.pid, signal.SIGABRT)  # so that it says where it is
            process.join()
        said = (own / ENDS).read_text(encoding="utf-8")
        found = re.findall(r"^\d+ (equal|other|refused)$", said, re.MULTILINE)
        assert not is_late, said
        assert process.exitcode in (0, -signal.SIGSEGV, -signal.SIGABRT, -signal.SIGFPE), said
        if process.exitcode:
            found.append("crashed")
        ends.update(found)
        first += len(found)
    return ends
