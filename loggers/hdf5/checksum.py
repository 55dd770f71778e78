"""The user block of a log file: the format's name, and the SHA-256 of all that follows it."""

from __future__ import annotations

import hashlib
import io

from .schema import FORMAT, HEAD_BYTES


def head(content: bytes | memoryview) -> bytes:
    """The user block that stands before this content."""
    return _head_of(hashlib.sha256(content).hexdigest())


def with_head(image: bytes) -> bytes:
    """A file with a user block that fits what follows it."""
    content = memoryview(image)[HEAD_BYTES:]
    return head(content) + content


def what_is_wrong(file: io.FileIO) -> str:
    """Why an open file cannot be a log; empty where its content fits its checksum."""
    file.seek(0)
    found = file.read(HEAD_BYTES)
    if found.split()[:3] != [*FORMAT.encode().split(), b"sha256"] or len(found) < HEAD_BYTES:
        return "it is no log of firsthit, or its beginning is damaged"
    if found != _head_of(hashlib.file_digest(file, "sha256").hexdigest()):
        return "it is damaged: its content does not fit its checksum"
    return ""


def _head_of(digest: str) -> bytes:
    return f"{FORMAT}\nsha256 {digest}\n".encode().ljust(HEAD_BYTES, b"\n")
