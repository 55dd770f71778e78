"""Says where in an HDF5 file the columns of a log stand; for a reader that does not trust the file.

The HDF5 library can crash, loop for ever or take all memory over a file made for that. So nobody
else here opens a log with it: this module runs as a script in a process of its own, with little
memory, and answers questions, one JSON text a line. From the answer the asking process reads the
columns itself (``stored.py``). Only datasets that are asked for are opened, and only through hard
links. It imports nothing of firsthit, so that it starts quickly.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from typing import IO, Any

import h5py
import numpy as np

MAX_ADDRESS_BYTES = 2**31
_MAX_CHUNKS = 2**20


class Refused(Exception):
    """Why a file is not described."""


def answer(question: str) -> str:
    """The outline of a file as JSON text; ``{"refused": reason}`` where there is none.

    Args:
        question: JSON text: ``path``, ``columns`` (names of datasets) and ``optional`` ones.
    """
    asked = json.loads(question)
    try:
        with open(asked["path"], "rb") as raw, h5py.File(raw, "r") as log:
            found: dict[str, Any] = {
                "identity": identity(raw.fileno()),
                "head_bytes": log.userblock_size,
                "format": _attribute(log, "format"),
                "schema_version": _attribute(log, "schema_version"),
                "columns": {},
            }
            shift = _Shift(raw)
            for name in [*asked["columns"], *asked["optional"]]:
                dataset = _dataset(log, name)
                if dataset is not None:
                    found["columns"][name] = _column(name, dataset, shift)
                elif name in asked["columns"] and found["format"] == asked["format"]:
                    raise Refused(f"{name} is missing")
    except FileNotFoundError:
        return json.dumps({"vanished": True})
    except Refused as error:
        return json.dumps({"refused": str(error)})
    except Exception as error:
        # what h5py raises on damaged files is open-ended; its text is the best reason there is
        reason = " ".join(f"{error}".split())[:200]
        return json.dumps({"refused": f"it is damaged ({type(error).__name__}: {reason})"})
    return json.dumps(found)


def identity(handle: int) -> list[int]:
    """Numbers that change when a path stands for another file, or the file changes."""
    now = os.fstat(handle)
    return [now.st_dev, now.st_ino, now.st_size, now.st_mtime_ns]


def _attribute(log: h5py.File, name: str) -> str | int | None:
    """A small attribute of plain type; None where there is none."""
    if name not in log.attrs:
        return None
    kind = log.attrs.get_id(name).dtype
    value = log.attrs[name] if kind.kind in "Sui" and kind.itemsize <= 32 else None
    if isinstance(value, np.integer):
        return int(value)
    return value.decode(errors="replace") if isinstance(value, bytes) else None


def _dataset(log: h5py.File, name: str) -> h5py.Dataset | None:
    place: Any = log
    for part in name.split("/"):
        if not isinstance(place, h5py.Group) or part not in place:
            return None
        if not isinstance(place.get(part, getlink=True), h5py.HardLink):
            raise Refused(f"{name} is a link to elsewhere")
        place = place[part]
    if not isinstance(place, h5py.Dataset):
        raise Refused(f"{name} is no dataset")
    return place


def _column(name: str, dataset: h5py.Dataset, shift: _Shift) -> dict[str, Any]:
    """Type, length, filters and chunks of a dataset; a chunk is (row, place, bytes, mask)."""
    if dataset.dtype.hasobject or dataset.ndim != 1:
        raise Refused(f"{name} has type {dataset.dtype} and shape {dataset.shape}")
    if dataset.external is not None or dataset.is_virtual:
        raise Refused(f"{name} keeps its data outside of this file")
    plist = dataset.id.get_create_plist()
    column: dict[str, Any] = {
        "type": plain_type(dataset.dtype),
        "rows": dataset.shape[0],
        "filters": [plist.get_filter(i)[0] for i in range(plist.get_nfilters())],
        "chunk_rows": dataset.chunks[0] if dataset.chunks else dataset.shape[0],
        "chunks": [],
    }
    if not dataset.chunks:
        place, size = dataset.id.get_offset(), dataset.shape[0] * dataset.dtype.itemsize
        column["chunks"] = [] if place is None or not size else [[0, place, size, 0]]
        return column

    def add(chunk: Any) -> None:
        if len(column["chunks"]) >= _MAX_CHUNKS:
            raise Refused(f"{name} has more than {_MAX_CHUNKS} chunks")
        place = chunk.byte_offset + shift.of(dataset, chunk)
        column["chunks"].append([chunk.chunk_offset[0], place, chunk.size, chunk.filter_mask])

    dataset.id.chunk_iter(add)
    return column


class _Shift:
    """What is missing in the places of chunks: some versions of HDF5 leave out the user block."""

    def __init__(self, raw: IO[bytes]) -> None:
        self._raw = raw
        self._bytes: int | None = None

    def of(self, dataset: h5py.Dataset, chunk: Any) -> int:
        if self._bytes is None:
            content = dataset.id.read_direct_chunk(chunk.chunk_offset)[1]
            for block in (0, dataset.file.userblock_size):
                if self._at(chunk.byte_offset + block, len(content)) == content:
                    self._bytes = block
                    break
            else:
                raise Refused("HDF5 does not tell where its data stand")
        return self._bytes

    def _at(self, place: int, size: int) -> bytes:
        self._raw.seek(place)
        return self._raw.read(size)


def plain_type(dtype: np.dtype[Any]) -> str | list[list[str]]:
    """A type as NumPy's text; of records, a list of names and such texts."""
    if dtype.names is None:
        return dtype.str
    packed = np.dtype([(name, dtype[name]) for name in dtype.names])
    if packed.itemsize != dtype.itemsize or any(dtype[name].names for name in dtype.names):
        raise Refused(f"it has a type that a log does not use: {dtype}")
    return [[name, dtype[name].str] for name in dtype.names]


def serve() -> None:
    """Answer questions from standard input until it ends; Ctrl-C is for who asks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MAX_ADDRESS_BYTES, MAX_ADDRESS_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ImportError, ValueError, OSError):
        pass  # a system without such limits; the asking process still has its time limit
    for question in sys.stdin:
        answers.write(answer(question) + "\n")
        answers.flush()


if __name__ == "__main__":
    serve()
