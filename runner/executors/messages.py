"""Messages on a pipe or in a file, each with its length and checksum.

A message is a header of 16 bytes, which holds a marker, the length and the CRC-32 of the payload,
followed by the payload. Optimizers run in the process that holds the worker's end of the pipe, and
may write to it. The marker and the checksum detect bytes that do not belong to a message.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import BytesIO
from struct import Struct

NOTICE = b"notice: "
"""First bytes of a message from a worker that is no answer but a text for the user."""
_HEADER = Struct("<4sQI")
_MARKER = b"1st\n"
_MAX_PAYLOAD_BYTES = 2**33
_MAX_READ_BYTES = 2**20
"""Longest single read: a reader may allocate a buffer of the requested size."""


class MessageError(ValueError):
    """The bytes that were read are not a message."""


def message(payload: bytes) -> bytes:
    """Return the bytes of a message with this payload."""
    return _HEADER.pack(_MARKER, len(payload), zlib.crc32(payload)) + payload


def write_message(write: Callable[[memoryview], int], payload: bytes) -> None:
    """Write a message, and block until all of it is written.

    Args:
        write: Writes the beginning of some bytes, and returns the number of bytes that it wrote.
        payload: Content of the message.
    """
    remaining = memoryview(message(payload))
    while remaining:
        remaining = remaining[write(remaining) :]


def read_message(read: Callable[[int], bytes]) -> bytes:
    """Read the next message and return its payload. Blocks as long as ``read`` blocks.

    Args:
        read: Returns at most the given number of bytes; no bytes at the end of the stream.

    Raises:
        EOFError: The stream ends before the end of the message.
        MessageError: The next bytes are not a message, or the checksum is wrong.
    """
    marker, size, checksum = _HEADER.unpack(_read_exactly(read, _HEADER.size))
    if marker != _MARKER or size > _MAX_PAYLOAD_BYTES:
        raise MessageError("no message begins here")
    payload = _read_exactly(read, size)
    if zlib.crc32(payload) != checksum:
        raise MessageError("a message does not agree with its checksum")
    return payload


def whole_messages(content: bytes) -> Iterator[bytes]:
    """Yield the payloads of consecutive messages, and stop at the first incomplete message."""
    stream = BytesIO(content)
    with suppress(EOFError, MessageError):
        while True:
            yield read_message(stream.read)


def _read_exactly(read: Callable[[int], bytes], size: int) -> bytes:
    parts = []
    while size:
        part = read(min(size, _MAX_READ_BYTES))
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
