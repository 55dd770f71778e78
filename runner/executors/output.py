"""The printed output of worker processes, captured by the main process.

The standard error of a worker process, to which its standard output is redirected, is a pipe. A
thread of the main process reads the pipe (`OutputReader`), so that the last words of a process that
crashes are kept. The worker marks in its output where each run begins. The first 10 MB of output
go to a file of the folder `NAME.h5.output` beside the log (`OutputCapture`). The last 64 kB of a
process are kept in memory, and the tail of what a failed run printed is taken from them.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

MAX_FILE_BYTES = 10_000_000
"""Longest output of one worker that is written to its file."""
_RING_BYTES = 64 * 1024
"""Number of bytes at the end of the output of a process that are kept in memory."""
_MAX_TAIL_BYTES = 4000
_MAX_TAIL_LINES = 20
_MAX_LINE_CHARACTERS = 160
_MAX_TAILS = 1000
"""Number of runs whose tail of the output is kept; messages show a few of them."""
_READ_BYTES = 64 * 1024
_SHORT_READ_BYTES = 4096
_PAUSE_SECONDS = 0.002
"""Pause after a short read, so that many short prints are read at once. A process can still print
30 MB/s, because a pipe holds 64 kB on Linux."""
_END_SECONDS = 5.0
"""Longest wait for the end of a reader; it lasts this long only if a disk does not respond."""

_MARK_PATTERN = re.compile(rb"\0firsthit section ([+-])([^\n\0]{0,1000})\n")
_MAX_MARK_BYTES = 1100
"""Marks and end tokens are shorter, and begin with the byte 0."""


def encode_mark(title: str, keeps_tail: bool) -> bytes:
    """Return the bytes that separate two sections of the output of a process.

    Args:
        title: Title of the section that begins. Empty: the following output has no title.
        keeps_tail: Whether the tail of the section that ends is kept.
    """
    return f"\0firsthit section {'+' if keeps_tail else '-'}{title}\n".encode(errors="replace")


@dataclass(frozen=True, slots=True)
class OutputTail:
    """The end of the output of one section.

    Attributes:
        text: At most 20 lines that are not empty, each shortened to 160 characters.
        file: File with more of the output. None: there is no file.
    """

    text: str
    file: Path | None

    def describe(self) -> str:
        """Return the lines of a message, without a line feed at the end."""
        source = "" if self.file is None else f" (more in {self.file})"
        lines = "".join(f"\n  {line}" for line in self.text.splitlines())
        return f"the last lines that it printed{source}:{lines}"


class OutputCapture:
    """The captured output of all workers of one execution. Threads may share it.

    Processes that print at the same time write to different files, ``worker-1.txt``,
    ``worker-2.txt`` and so on. A process that ends leaves its file to a later one. So there are at
    most as many files as processes at the same time, and a worker that prints nothing has no file.
    Files of an earlier execution are continued. If a file cannot be written, only the tails are
    kept.

    Args:
        log: The log, ``NAME.h5``; the files are in ``NAME.h5.output``. None: there are no files.
    """

    def __init__(self, log: Path | None = None) -> None:
        self._folder = None if log is None else output_folder(log)
        self._lock = threading.Lock()
        self._files: list[_OutputFile] = []
        self._free_files: list[_OutputFile] = []
        self._has_files = False
        self._tails: dict[str, OutputTail] = {}

    @property
    def folder(self) -> Path | None:
        """Folder of the files after `close`; None if no file was written."""
        return self._folder if self._has_files else None

    def get_tail(self, title: str) -> OutputTail | None:
        """Return the tail of a section. None: it was not kept, or the section is empty."""
        return self._tails.get(title)

    def close(self) -> None:
        """Complete all files: each states how much output was dropped, if any was."""
        with self._lock:
            self._has_files = any(file.exists for file in self._files)
            for file in self._files:
                file.close()
            self._files.clear()
            self._free_files.clear()

    def take_file(self) -> _OutputFile | None:
        """Return a file that no process uses; None if there are no files."""
        if self._folder is None:
            return None
        with self._lock:
            if self._free_files:
                return self._free_files.pop()
            number = len(self._files) + 1
            self._files.append(_OutputFile(self._folder / f"worker-{number}.txt"))
            return self._files[-1]

    def return_file(self, file: _OutputFile) -> None:
        """Leave a file to another process."""
        with self._lock:
            self._free_files.append(file)

    def keep_tail(self, title: str, tail: OutputTail) -> None:
        """Keep the tail of a section, unless 1000 tails are kept already."""
        with self._lock:
            if len(self._tails) < _MAX_TAILS or title in self._tails:
                self._tails[title] = tail


def output_folder(log: Path) -> Path:
    """Return the folder for the output of the workers that make the runs of a log."""
    return log.with_name(f"{log.name}.output")


def remove_output(log: Path) -> None:
    """Remove the output of earlier executions for this log, as far as it can be removed."""
    shutil.rmtree(output_folder(log), ignore_errors=True)


class _OutputFile:
    """A file for at most 10 MB of output.

    Attributes:
        path: The file. It is created with the first output.
        exists: Whether output was written to it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.exists = False
        self._file: BinaryIO | None = None
        self._n_bytes = self._n_dropped_bytes = 0
        self._is_usable = True
        self._ends_line = True

    def write(self, output: bytes) -> None:
        """Append output, as far as it fits into the limit. A disk that is full is ignored."""
        kept = output[: MAX_FILE_BYTES - self._n_bytes] if self._is_usable else b""
        if kept:
            try:
                if self._file is None:
                    self.path.parent.mkdir(exist_ok=True)
                    self._file = self.path.open("ab", buffering=0)
                self._file.write(kept)
            except OSError:
                self._is_usable, kept = False, b""
            else:
                self.exists, self._ends_line = True, kept.endswith(b"\n")
        self._n_bytes += len(kept)
        self._n_dropped_bytes += len(output) - len(kept)

    def write_heading(self, title: str) -> None:
        """Write the title of a section in a line of its own, if it fits into the limit."""
        line = self._encode_line(f"== {title} ==")
        if self._n_bytes + len(line) <= MAX_FILE_BYTES:
            self.write(line)

    def close(self) -> None:
        """State in one line how much was dropped, if anything was, and close the file."""
        file, self._file, self._is_usable = self._file, None, False
        if file is None:
            return
        with suppress(OSError), file:
            if self._n_dropped_bytes:
                text = f"== {self._n_dropped_bytes:,} more bytes were printed and dropped =="
                file.write(self._encode_line(text))

    def _encode_line(self, text: str) -> bytes:
        start = "" if self._ends_line else "\n"
        return f"{start}{text}\n".encode(errors="replace")


class OutputReader:
    """Reader of the output of one process, in a thread of its own.

    Args:
        capture: Receives the output.

    Attributes:
        descriptor: File descriptor of the end of the pipe to which the process writes.

    Raises:
        OSError, RuntimeError: The system does not allow another pipe or thread.
    """

    def __init__(self, capture: OutputCapture) -> None:
        self._capture = capture
        self._file: _OutputFile | None = None
        self._title = ""
        self._has_heading = False  # the title is in the file
        self._ring = bytearray()
        self._n_section_bytes = 0
        # The reader stops at this token instead of at the end of the pipe, because processes that
        # the worker has started may still hold the pipe.
        self._end_token = b"\0firsthit end " + secrets.token_hex(16).encode()
        self._read_descriptor, self.descriptor = os.pipe()
        self._thread = threading.Thread(target=self._read, name="firsthit output", daemon=True)
        try:
            self._thread.start()
        except BaseException:  # the system has no thread left
            os.close(self._read_descriptor)
            os.close(self.descriptor)
            raise

    def close(self) -> None:
        """Read the rest of the output, keep the tail of the last section, and end the thread.

        Call this once, after the process has ended.
        """
        with suppress(OSError):  # nothing is read any more
            os.write(self.descriptor, self._end_token)
        self._thread.join(_END_SECONDS)
        os.close(self.descriptor)

    def _read(self) -> None:
        """Read output until the end token. Runs in the thread of this reader."""
        pending = b""  # possibly the first bytes of a mark
        try:
            while True:
                data = os.read(self._read_descriptor, _READ_BYTES)
                output, token, _ = (pending + data).partition(self._end_token)
                pending = self._process(output)
                if token or not data:
                    break
                if len(data) < _SHORT_READ_BYTES:
                    time.sleep(_PAUSE_SECONDS)
            self._add_output(pending)
            self._end_section(keeps_tail=True)
        finally:
            os.close(self._read_descriptor)
            if self._file is not None:
                self._capture.return_file(self._file)

    def _process(self, output: bytes) -> bytes:
        """Process output and marks, and return the rest, which may be an incomplete mark."""
        position = 0
        for mark in _MARK_PATTERN.finditer(output):
            self._add_output(output[position : mark.start()])
            self._end_section(keeps_tail=mark[1] == b"+")
            self._title = mark[2].decode(errors="replace")
            position = mark.end()
        end = output.rfind(b"\0", max(position, len(output) - _MAX_MARK_BYTES))
        if end < 0:
            end = len(output)
        self._add_output(output[position:end])
        return output[end:]

    def _add_output(self, output: bytes) -> None:
        if not output:
            return
        self._ring += output
        del self._ring[:-_RING_BYTES]
        self._n_section_bytes += len(output)
        if self._file is None:
            self._file = self._capture.take_file()
        if self._file is not None:
            if self._title and not self._has_heading:
                self._file.write_heading(self._title)
                self._has_heading = True
            self._file.write(output)

    def _end_section(self, keeps_tail: bool) -> None:
        n_bytes = min(self._n_section_bytes, _MAX_TAIL_BYTES)
        if keeps_tail and self._title and n_bytes:
            text = self._ring[-n_bytes:].decode(errors="replace")
            lines = [line[:_MAX_LINE_CHARACTERS] for line in text.splitlines() if line.strip()]
            file = self._file
            path = file.path if file is not None and file.exists else None
            if lines:
                tail = OutputTail("\n".join(lines[-_MAX_TAIL_LINES:]), path)
                self._capture.keep_tail(self._title, tail)
        self._n_section_bytes, self._has_heading = 0, False
