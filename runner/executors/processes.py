"""Tasks in worker processes: one connection per worker, so that a death costs one task.

A thread of the coordinator hands tasks to idle workers and collects their answers. A worker that
dies, or does not answer within the deadline, is replaced; its task's future raises ``WorkerDied``,
with what the run at hand had reached: workers keep that in memory that they share with us.
"""

from __future__ import annotations

import os
import pickle
import signal
import socket
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from multiprocessing.connection import wait
from typing import Any, TypeVar

from ...loggers.observation.flight import Flight
from ..errors import CampaignError, WorkerDied
from .needs import NOTHING, Needs
from .nursery import Nursery
from .pickling import portable_dumps
from .worker import Answer
from .worker_handle import Task, WorkerHandle

Result = TypeVar("Result")

_MOST_STARTS_IN_VAIN = 3


class TaskError(RuntimeError):
    """A task raised in its worker; the text is the exception's."""


class ProcessExecutor:
    """Runs tasks in worker processes, which end when this process ends, however it ends.

    Args:
        workers: How many; None for the number of processors this process may use.
        deadline_seconds: A worker that takes longer for one task, or for one run of a task, is
            killed; None for no limit.
        threads: Threads of one worker in BLAS, OpenMP and numba.
        needs: What tasks need, to be loaded once for all workers.

    Raises:
        OptimizerError: From ``submit``, when the task cannot be sent to another process.
        CampaignError: This system cannot fork processes.
    """

    group_seconds = 1.2

    def __init__(
        self,
        workers: int | None = None,
        deadline_seconds: float | None = None,
        threads: int = 1,
        needs: Needs = NOTHING,
    ) -> None:
        if not hasattr(os, "fork"):
            raise CampaignError("worker processes need a POSIX system; use workers=1 here")
        self.workers = workers or available_processors()
        self._deadline_seconds = deadline_seconds
        self._threads = threads
        self._needs = needs
        self._pending: deque[Task] = deque()
        self._lock = threading.Lock()
        self._wake, self._alarm = socket.socketpair()
        self._alarm.setblocking(False)
        self._is_closing = False
        self._submitted = 0
        self._crew: list[WorkerHandle] = []
        self._nursery: Nursery | None = None
        with suppress(OSError):  # it is tried again when there is something to do
            self._nursery = Nursery(threads, needs)
        self._starts_in_vain = 0
        self._thread = threading.Thread(target=self._manage, name="firsthit executor", daemon=True)
        self._thread.start()

    def submit(self, function: Callable[..., Result], *args: Any) -> Future[Result]:
        """Queue ``function(*args)``; results and arguments are pickled."""
        return self.submit_pickled(portable_dumps((function, args)))

    def submit_pickled(self, payload: bytes) -> Future[Any]:
        """Queue a function and the tuple of its arguments, pickled together."""
        future: Future[Any] = Future()
        with self._lock:
            if self._is_closing:
                raise RuntimeError("this executor is closed")
            self._submitted += 1
            self._pending.append(Task(self._submitted, payload, future))
        self._ring()
        return future

    def close(self) -> None:
        """Kill all workers; futures without a result are cancelled."""
        with self._lock:
            self._is_closing = True
        self._ring()
        self._thread.join()

    def process_ids(self) -> list[int]:
        """Process ids of the workers alive, for tests and for people who look."""
        return [worker.pid for worker in list(self._crew)]

    def _ring(self) -> None:
        with suppress(OSError):
            self._alarm.send(b"!")

    def _manage(self) -> None:
        try:
            while not self._is_closing:
                self._hand_out()
                self._collect()
        finally:
            self._end_everything()

    def _hand_out(self) -> None:
        while True:
            with self._lock:
                if not self._pending:
                    return
            worker = self._idle_worker()
            if worker is None:
                return
            with self._lock:
                task = self._pending.popleft()
            worker.task, worker.started = task, time.monotonic()
            try:
                worker.connection.send((task.number, task.payload))
            except OSError:
                worker.task = None
                self._dismiss(worker)
                with self._lock:
                    self._pending.appendleft(task)

    def _idle_worker(self) -> WorkerHandle | None:
        idle = next((worker for worker in self._crew if worker.task is None), None)
        if idle is not None or len(self._crew) >= self.workers:
            return idle
        try:
            self._nursery = self._nursery or Nursery(self._threads, self._needs)
            worker = WorkerHandle(self._nursery)
        except (WorkerDied, OSError) as error:
            self._nursery_failed(error)
            return None
        self._crew.append(worker)
        return worker

    def _nursery_failed(self, error: Exception) -> None:
        self._starts_in_vain += 1
        if self._nursery is not None:
            self._nursery.close()
            self._nursery = None
        if self._starts_in_vain >= _MOST_STARTS_IN_VAIN:
            self._starts_in_vain = 0
            with self._lock:
                tasks, self._pending = list(self._pending), deque()
            for task in tasks:
                _refuse(task, WorkerDied(f"worker processes cannot be started: {error}"))
        else:
            self._ring()

    def _collect(self) -> None:
        signs = {sign: worker for worker in self._crew for sign in worker.signs()}
        ready = wait([self._wake, *signs], self._patience())
        if self._wake in ready:
            self._wake.recv(4096)
        for worker in dict.fromkeys(signs[sign] for sign in ready if sign is not self._wake):
            if worker not in self._crew:
                continue
            if worker.connection in ready or worker.connection.poll():
                self._answered(worker)
            else:
                self._lost(worker)
        limit = self._deadline_seconds
        if limit is not None:
            for worker in [w for w in self._crew if w.seconds_left(limit) <= 0]:
                self._lost(worker, f"worker process gave no answer within {limit:g} s")

    def _patience(self) -> float | None:
        limit = self._deadline_seconds
        if limit is None or not any(worker.task for worker in self._crew):
            return None
        return max(0.0, min(worker.seconds_left(limit) for worker in self._crew))

    def _answered(self, worker: WorkerHandle) -> None:
        try:
            answer: Answer = worker.connection.recv()
        except (EOFError, OSError, pickle.UnpicklingError):
            self._lost(worker)
            return
        task, worker.task = worker.task, None
        self._starts_in_vain = 0
        if answer.retires:
            self._dismiss(worker)
        else:
            self._hand_out()  # first, as the worker waits for it
        if task is not None:
            _deliver(task, answer)

    def _lost(self, worker: WorkerHandle, overdue: str = "") -> None:
        task, worker.task = worker.task, None
        code, flight = self._dismiss(worker)
        if task is not None:
            text = overdue or _how_it_ended(code)
            _refuse(task, WorkerDied(text, is_overdue=bool(overdue), flight=flight))

    def _dismiss(self, worker: WorkerHandle) -> tuple[int | None, Flight]:
        """End a worker; how it ended, and what its run had reached then."""
        self._crew.remove(worker)
        code = None
        if self._nursery is not None:
            try:
                code = self._nursery.end(worker.pid)
            except WorkerDied:
                self._nursery.close()
                self._nursery = None
                for other in list(self._crew):  # they die with it: nothing must be handed to them
                    self._lost(other)
        flight = worker.flight()
        worker.close()
        return code, flight

    def _end_everything(self) -> None:
        with self._lock:
            self._is_closing = True
            left = [*self._pending, *(w.task for w in self._crew if w.task)]
            self._pending.clear()
        if self._nursery is not None:
            self._nursery.close()
        for worker in self._crew:
            worker.close()
        self._crew.clear()
        for task in left:
            task.future.cancel()
        self._wake.close()
        self._alarm.close()


def available_processors() -> int:
    """Processors this process may use, at least 1; 1 where processes cannot be forked."""
    if not hasattr(os, "fork"):
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _deliver(task: Task, answer: Answer) -> None:
    if answer.result is None:
        _refuse(task, TaskError(answer.error))
        return
    with suppress(InvalidStateError):
        try:
            task.future.set_result(pickle.loads(answer.result))
        except InvalidStateError:
            raise
        except Exception as error:
            task.future.set_exception(error)


def _refuse(task: Task, error: Exception) -> None:
    with suppress(InvalidStateError):
        task.future.set_exception(error)


def _how_it_ended(code: int | None) -> str:
    if code is None:
        return "worker process ended for an unknown reason"
    if code >= 0:
        return f"worker process ended with exit code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return f"worker process was killed by {name}"
