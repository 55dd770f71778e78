"""Asks a process of its own what stands where in an HDF5 file: see ``outline.py``."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .schema import FORMAT

TIME_LIMIT_SECONDS = 60.0
_ATTEMPTS = 4
_FROM_OUTSIDE = (-9, -15)
"""SIGKILL and SIGTERM as ``subprocess`` tells them: HDF5 does not end a process so."""
_MAX_ANSWER_BYTES = 2**28
_SCRIPT = Path(__file__).with_name("outline.py")


class ExaminerError(Exception):
    """The file could not be examined; the text says why."""


class Examiner:
    """A process that describes HDF5 files. It starts when first asked, and anew after a crash.

    Args:
        time_limit_seconds: For one file.
    """

    def __init__(self, time_limit_seconds: float = TIME_LIMIT_SECONDS) -> None:
        self._limit = time_limit_seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._turn = threading.Lock()

    def outline(self, path: Path, columns: Iterable[str], optional: Iterable[str]) -> Any:
        """What ``outline.answer`` says of a file.

        Raises:
            ExaminerError: HDF5 crashed or did not come to an end, or the process was killed.
            OSError: No process can be started.
        """
        question = {
            "path": os.path.abspath(path), "format": FORMAT,
            "columns": list(columns), "optional": list(optional),
        }  # fmt: skip
        text = json.dumps(question).encode() + b"\n"
        with self._turn:
            for _ in range(_ATTEMPTS):
                answer = self._ask(text)
                if isinstance(answer, bytes):
                    return json.loads(answer)
                if answer not in _FROM_OUTSIDE:
                    raise ExaminerError(
                        f"it is damaged: the HDF5 library crashes over it ({_cause(answer)})"
                    )
        raise ExaminerError(
            f"the process that examines it was killed {_ATTEMPTS} times, perhaps for want of "
            "memory; the file may be whole"
        )

    def _ask(self, question: bytes) -> bytes | int:
        """The answer or, where the process died over it, its exit code."""
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        late = threading.Event()

        def end() -> None:
            late.set()
            process.kill()

        clock = threading.Timer(self._limit, end)
        clock.daemon = True
        clock.start()
        try:
            process.stdin.write(question)
            process.stdin.flush()
            line = process.stdout.readline(_MAX_ANSWER_BYTES)
        except OSError:
            line = b""
        except BaseException:
            self.stop()
            raise
        finally:
            clock.cancel()
        if line.endswith(b"\n"):
            return line
        self.stop()
        if late.is_set():
            raise ExaminerError(f"HDF5 comes to no end with it in {self._limit:g} s")
        if len(line) >= _MAX_ANSWER_BYTES:
            raise ExaminerError("it is damaged: HDF5 comes to no end of what it finds there")
        return process.returncode

    def _running(self) -> subprocess.Popen[bytes]:
        """The process; a copy of this object that a fork made gets one of its own."""
        if self._owner != os.getpid():
            self._process, self._owner = None, os.getpid()
        if self._process is None or self._process.poll() is not None:
            self.stop()
            self._process = subprocess.Popen(
                [sys.executable, "-P", str(_SCRIPT)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        return self._process

    def stop(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is None or self._owner != os.getpid():
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):  # what was not sent to a process that died
                if pipe is not None:
                    pipe.close()


def _cause(code: int) -> str:
    """How a process ended, in words."""
    return f"exit {code}" if code >= 0 else f"{signal.strsignal(-code) or f'signal {-code}'}"


examiner = Examiner()
"""The one of this process."""

atexit.register(examiner.stop)
