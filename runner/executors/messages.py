"""Messages on a pipe or in a file, each with its length and checksum.

Optimizers share their process with the worker's end of the pipe. What they may write to it is no
message, and is noticed.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import BytesIO
from struct import Struct

_HEAD = Struct("<4sQI")
_MARK = b"1st\n"
_MOST_BYTES = 2**33


class MessageError(ValueError):
    """The bytes that were read are no message."""


def message(payload: bytes) -> bytes:
    """A message as it is written."""
    return _HEAD.pack(_MARK, len(payload), zlib.crc32(payload)) + payload


def write_message(write: Callable[[memoryview], int], payload: bytes) -> None:
    """Write a message, by a function that returns how much it wrote."""
    left = memoryview(message(payload))
    while left:
        left = left[write(left) :]


def read_message(read: Callable[[int], bytes]) -> bytes:
    """The next message, by a function that returns so many bytes or fewer, none at the end.

    Raises EOFError where there is none any more, MessageError where what follows is none.
    """
    mark, size, checksum = _HEAD.unpack(_exactly(read, _HEAD.size))
    if mark != _MARK or size > _MOST_BYTES:
        raise MessageError("no message begins here")
    payload = _exactly(read, size)
    if zlib.crc32(payload) != checksum:
        raise MessageError("a message does not agree with its checksum")
    return payload


def whole_messages(content: bytes) -> Iterator[bytes]:
    """The payloads of messages in a row, up to the first that is incomplete."""
    stream = BytesIO(content)
    with suppress(EOFError, MessageError):
        while True:
            yield read_message(stream.read)


def _exactly(read: Callable[[int], bytes], size: int) -> bytes:
    parts = []
    while size:
        part = read(min(size, 2**20))
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
