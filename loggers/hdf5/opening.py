"""The one way to open what stands in a folder that a stranger may have filled.

No link is followed below such a folder, nothing but a regular file is opened, and none that is
larger than its reader expects. What a user names himself is resolved before (``files.log_place``).
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO

from ..errors import LogFormatError

FLAGS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""To open a file with: a link is an error, a pipe without a writer is not waited for."""


def open_regular(path: str | os.PathLike[str], limit: int | None = None) -> BinaryIO:
    """Open a regular file for reading.

    Args:
        path: No link is followed at its end.
        limit: The most bytes that it may have; None: any number.

    Raises:
        LogFormatError: It is a link, no regular file, or larger than that.
        OSError: It is not there, or the system does not let it be opened.
    """
    check_regular(path, os.lstat(path), limit)
    handle = os.open(path, os.O_RDONLY | FLAGS)
    try:
        check_regular(path, os.fstat(handle), limit)  # another may stand there by now
        return open(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def check_regular(
    path: str | os.PathLike[str], status: os.stat_result, limit: int | None = None
) -> None:
    """Refuse what is no regular file, or too large.

    Args:
        path: For the message.
        status: Of the file, by ``lstat`` or ``fstat``.
        limit: The most bytes that it may have; None: any number.

    Raises:
        LogFormatError: It is a link, no regular file, or larger than that.
    """
    if stat.S_ISLNK(status.st_mode):
        reason = "it is a link, and links in a folder are not followed"
    elif not stat.S_ISREG(status.st_mode):
        reason = "it is no regular file"
    elif limit is not None and status.st_size > limit:
        reason = f"it has {status.st_size} bytes, and at most {limit} are read"
    else:
        return
    raise LogFormatError(f"cannot read {str(Path(path))!r}: {reason}")
