"""The nursery: a process that imports firsthit once and forks workers from that state.

It has one thread, so forking is safe whatever threads the user's process has; and the user's main
module is not imported in workers, so a script needs no ``if __name__ == "__main__"``. The
coordinator asks over a socket: ``fork`` (the worker's socket comes along) and ``end`` (a process
id; the answer is how it ended). When the coordinator is gone, however it went, the socket closes:
the nursery kills its workers and ends. A worker also dies with the nursery.
"""

from __future__ import annotations

import ctypes
import gc
import json
import mmap
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import astuple
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any

from ...loggers.observation.flight import FlightMemory
from ..errors import WorkerDied
from .needs import NOTHING, Needs

_THREADS = (
    "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS", "NUMEXPR_NUM_THREADS", "NUMBA_NUM_THREADS",
)  # fmt: skip
_PARENT_DEATH_SIGNAL = 1
_MOST_MESSAGE = 4096
_PATIENCE_SECONDS = 5.0
_START = (
    "import gc; gc.disable(); "  # it would look through what is imported, again and again
    "import json, sys; sys.path[:] = json.loads(sys.argv[2]); "
    "from {module} import main; main(int(sys.argv[1]), *json.loads(sys.argv[3]))"
)


class Nursery:
    """The coordinator's side. Used by one thread at a time.

    Args:
        threads: Threads of one worker in BLAS, OpenMP and numba.
        needs: What workers are going to need.

    Raises:
        OSError: It cannot be started.
        WorkerDied: From each method, when the nursery itself is gone.
    """

    def __init__(self, threads: int = 1, needs: Needs = NOTHING) -> None:
        self._is_empty = True
        paths = json.dumps([path or os.getcwd() for path in sys.path])
        code = _START.format(module=__name__)
        environment = {**os.environ, **dict.fromkeys(_THREADS, str(threads))}
        self._socket, theirs = socket.socketpair()
        with theirs:
            number = theirs.fileno()
            try:
                self._process = subprocess.Popen(
                    [sys.executable, "-c", code, str(number), paths, json.dumps(astuple(needs))],
                    pass_fds=[number],
                    stdin=subprocess.DEVNULL,
                    process_group=0,
                    env=environment,
                )
            except OSError:
                self._socket.close()
                raise

    def fork(self, memory: int) -> tuple[int, Connection]:
        """A new worker: its process id and the connection to it.

        Args:
            memory: File descriptor of the memory that the worker shares with the coordinator.
        """
        self._is_empty = False
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                numbers = [theirs.fileno(), memory]
                socket.send_fds(self._socket, [_message("fork", 0)], numbers)
                pid = int(self._answer()["value"])
            except (OSError, WorkerDied) as error:
                ours.close()
                raise WorkerDied(_GONE) from error
        return pid, Connection(ours.detach())

    def end(self, pid: int) -> int:
        """End a worker; its exit code, negative where a signal ended it."""
        try:
            self._socket.sendall(_message("end", pid))
            return int(self._answer()["value"])
        except OSError as error:
            raise WorkerDied(_GONE) from error

    def close(self) -> None:
        """End the nursery and all its workers, and wait for it."""
        if self._is_empty:  # it may still be importing, and has nothing to tidy up
            self._process.kill()
        with suppress(OSError):  # it is gone, or does not hear
            self._socket.shutdown(socket.SHUT_WR)
            self._socket.settimeout(_PATIENCE_SECONDS)
            self._socket.recv(1)  # its end; waiting for a process looks only now and then
        self._socket.close()
        try:
            self._process.wait(timeout=_PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _answer(self) -> dict[str, int]:
        data = self._socket.recv(_MOST_MESSAGE)
        if not data:
            raise WorkerDied(_GONE)
        answer: dict[str, int] = json.loads(data)
        return answer


_GONE = "the process that starts workers is gone"


def _message(verb: str, value: int) -> bytes:
    return json.dumps({"verb": verb, "value": value}).encode()


def main(number: int, modules: Sequence[str], problems: Sequence[Any]) -> None:
    """The nursery's side: serve the coordinator's socket until it closes.

    Args:
        number: File descriptor of the socket.
        modules: What workers are going to need, see ``Needs``.
        problems: Likewise.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    import_module("..execution.run", __package__)
    Needs(tuple(modules), tuple(problems)).load()
    gc.freeze()  # what was imported lives for ever: workers need not look at it again and again
    gc.enable()
    children: set[int] = set()
    coordinator = socket.socket(fileno=number)
    while True:
        try:
            data, numbers, _, _ = socket.recv_fds(coordinator, _MOST_MESSAGE, 2)
        except OSError:  # it was killed while an answer was on its way
            break
        if not data:
            break
        request = json.loads(data)
        if request["verb"] == "fork":
            value = _fork(coordinator, *numbers)
            children.add(value)
        else:
            children.discard(request["value"])
            value = _end(request["value"])
        coordinator.sendall(_message("done", value))
    for child in children:
        _kill(child)
    for child in children:
        _end(child)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)  # tidying up all that was imported takes longer than a group of runs


def _fork(coordinator: socket.socket, number: int, memory: int) -> int:
    nursery = os.getpid()
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid:
        os.close(number)
        os.close(memory)
        return pid
    try:
        os.setpgid(0, 0)
        coordinator.close()
        _die_with(nursery)
        from .worker import serve

        shared = mmap.mmap(memory, 0)
        os.close(memory)
        serve(Connection(number), FlightMemory(shared))
    finally:
        os._exit(0)


def _end(pid: int) -> int:
    """End a worker and whatever it has started; how it ended."""
    _kill(pid)
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return 0
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def _kill(pid: int) -> None:
    """Kill a worker and whatever it has started, without waiting for the end."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def _die_with(parent: int) -> None:
    """Have the kernel kill this process when its parent ends (Linux; elsewhere sockets tell)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(0)
