"""Tasks in worker processes: a pipe for each worker, so that a death costs one task.

A thread of the coordinator hands tasks to idle workers and collects their answers. A process runs
tasks of one owner only. One that dies, that is overdue, or whose pipe carries anything but answers
is ended and replaced; its task's future raises ``WorkerDied``, with the files that it left.
"""

from __future__ import annotations

import pickle
import shutil
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from ..errors import WorkerDied
from .executor import TaskError, available_processors, portable_dumps
from .worker_process import Reply, Task, WorkerProcess

Result = TypeVar("Result")
Overdue = Callable[[Path, float], bool]

_LOOK_SECONDS = 0.2
_LAST_WORDS_SECONDS = 0.5
"""A worker that ended may have answered just before."""
_MOST_STARTS_IN_VAIN = 3


@dataclass(slots=True, eq=False)
class _Place:
    """One worker: its process, if it has one, and the tasks that wait for it."""

    process: WorkerProcess | None = None
    tasks: deque[Task] = field(default_factory=deque)


class ProcessExecutor:
    """Runs tasks in worker processes, which end when this process ends, however it ends.

    There are ``workers`` of them, None for one on each processor, each with so many ``threads`` in
    BLAS, OpenMP and numba; they import ``modules`` at their start. ``is_overdue`` is asked again
    and again with the folder of a worker at work, and the seconds since it was given its task:
    whether it must be ended.
    """

    def __init__(
        self,
        workers: int | None = None,
        threads: int = 1,
        modules: Iterable[str] = (),
        is_overdue: Overdue | None = None,
    ) -> None:
        self.workers = workers or available_processors()
        self._threads = threads
        self._modules: Sequence[str] = tuple(modules)
        self._is_overdue = is_overdue
        self._folder = Path(tempfile.mkdtemp(prefix="firsthit-workers-"))
        self._replies: SimpleQueue[Reply] = SimpleQueue()
        self._lock = threading.Lock()
        self._places = [_Place() for _ in range(self.workers)]
        self._anywhere: deque[Task] = deque()
        self._spares: list[WorkerProcess] = []
        self._spares_needed = self._started = self._starts_in_vain = 0
        self._is_closing = False
        self._looked = time.monotonic()
        self._thread = threading.Thread(target=self._manage, name="firsthit executor", daemon=True)
        self._thread.start()

    def submit(
        self,
        function: Callable[..., Result],
        *args: Any,
        owner: str = "",
        worker: int | None = None,
    ) -> Future[Result]:
        """See ``Executor``; results and arguments are pickled."""
        return self.submit_pickled(portable_dumps((function, args)), owner, worker)

    def submit_pickled(self, payload: bytes, owner: str, worker: int | None) -> Future[Any]:
        """Queue a function and the tuple of its arguments, pickled together."""
        task = Task(payload, Future(), owner)
        tasks = self._anywhere if worker is None else self._places[worker % self.workers].tasks
        with self._lock:
            if self._is_closing:
                raise RuntimeError("this executor is closed")
            tasks.append(task)
        self._replies.put(None)
        return task.future

    def prepare(self, processes: int) -> None:
        """See ``Executor``; at most one for each worker."""
        self._spares_needed = min(processes, self.workers)
        if self._spares_needed > len(self._spares):
            self._replies.put(None)

    def close(self) -> None:
        """Kill all workers; futures without a result are cancelled."""
        with self._lock:
            self._is_closing = True
        self._replies.put(None)
        self._thread.join()

    def process_ids(self) -> list[int]:
        """Process ids of the workers alive, for tests and for people who look."""
        return [worker.pid for worker in self._processes()]

    def _processes(self) -> list[WorkerProcess]:
        """The processes of the workers, and the spare ones."""
        used = (place.process for place in self._places)
        return [*filter(None, used), *self._spares]

    def _manage(self) -> None:
        try:
            while not self._is_closing:
                self._hand_out()
                self._look()
                self._listen()
        finally:
            self._end_all()

    def _hand_out(self) -> None:
        """Give tasks to idle workers, and start the spare processes that are missing."""
        try:
            for place in self._places:
                tasks = place.tasks or self._anywhere
                if tasks and (place.process is None or place.process.task is None):
                    self._process_for(place, tasks[0].owner).give(tasks.popleft())
            while len(self._spares) < self._spares_needed:
                self._spares.append(self._start())
        except OSError as error:
            self._failed_to_start(error)

    def _process_for(self, place: _Place, owner: str) -> WorkerProcess:
        """The worker's own process where it is that owner's, else an unused one instead of it."""
        if place.process is None or place.process.owner != owner:
            if self._spares:
                new = self._spares.pop(0)
                self._spares_needed -= 1
            else:
                new = self._start()
            if place.process is not None:
                self._dismiss(place.process)
            place.process = new
        return place.process

    def _start(self) -> WorkerProcess:
        self._started += 1
        folder = self._folder / str(self._started)
        return WorkerProcess(folder, self._modules, self._threads, self._replies)

    def _failed_to_start(self, error: OSError) -> None:
        self._starts_in_vain += 1
        if self._starts_in_vain >= _MOST_STARTS_IN_VAIN:
            self._starts_in_vain = 0
            for task in self._take_waiting():
                _refuse(task, WorkerDied(f"worker processes cannot be started: {error}"))

    def _take_waiting(self) -> list[Task]:
        """Remove the waiting tasks, and return them."""
        with self._lock:
            queues = [self._anywhere, *(place.tasks for place in self._places)]
            waiting = [task for tasks in queues for task in tasks]
            for tasks in queues:
                tasks.clear()
        return waiting

    def _look(self) -> None:
        """Now and then: end workers that are overdue, find those that died without an answer."""
        now = time.monotonic()
        if now - self._looked < _LOOK_SECONDS:
            return
        self._looked = now
        for worker in self._processes():
            if worker.seconds_dead() > _LAST_WORDS_SECONDS:
                self._lost(worker, worker.how_it_ended())
            elif worker.task is not None and self._is_overdue is not None:
                seconds = worker.seconds
                if self._is_overdue(worker.folder, seconds):
                    text = f"worker process gave no answer within {seconds:.0f} s"
                    self._lost(worker, text, is_overdue=True)

    def _listen(self) -> None:
        """Take the answers of workers; wait for them a while."""
        with suppress(Empty):
            reply = self._replies.get(timeout=_LOOK_SECONDS if self._processes() else None)
            while True:
                if reply is not None and reply[0] in self._processes():
                    self._take(*reply)
                reply = self._replies.get_nowait()

    def _take(self, worker: WorkerProcess, answer: bytes | str | None) -> None:
        if isinstance(answer, str):
            self._lost(worker, answer)
            return
        task, worker.task = worker.task, None
        if answer is None:  # it was gone before it began
            for place in self._places:
                if place.process is worker and task is not None:
                    place.tasks.appendleft(task)
            self._dismiss(worker)
            return
        try:
            payload, error, retires = pickle.loads(answer)
        except Exception as reason:
            worker.task = task
            self._lost(worker, f"worker process gave an answer that cannot be read ({reason})")
            return
        self._starts_in_vain = 0
        files = worker.files() if error else {}
        if retires:
            self._dismiss(worker)
        else:
            self._hand_out()  # first, as the worker waits for it
        if task is not None:
            _deliver(task, payload, error, files)

    def _lost(self, worker: WorkerProcess, text: str, is_overdue: bool = False) -> None:
        task, worker.task = worker.task, None
        files = self._dismiss(worker, task is not None)
        if task is not None:
            _refuse(task, WorkerDied(text, is_overdue, files))

    def _dismiss(self, worker: WorkerProcess, wants_files: bool = False) -> dict[str, bytes]:
        """End a worker; return the files that it left, if asked to."""
        for place in self._places:
            if place.process is worker:
                place.process = None
        if worker in self._spares:
            self._spares.remove(worker)
        worker.end()
        files = worker.files() if wants_files else {}
        shutil.rmtree(worker.folder, ignore_errors=True)
        return files

    def _end_all(self) -> None:
        with self._lock:
            self._is_closing = True
        workers = self._processes()
        left = [*self._take_waiting(), *(worker.task for worker in workers if worker.task)]
        for worker in workers:
            worker.end()
        for place in self._places:
            place.process = None
        self._spares.clear()
        for task in left:
            task.future.cancel()
        shutil.rmtree(self._folder, ignore_errors=True)


def _deliver(task: Task, payload: bytes, error: str, files: Mapping[str, bytes]) -> None:
    if error:
        _refuse(task, TaskError(error, files))
        return
    try:
        result = pickle.loads(payload)
    except Exception as reason:
        _refuse(task, TaskError(f"{type(reason).__name__}: {reason}"))
        return
    with suppress(InvalidStateError):
        task.future.set_result(result)


def _refuse(task: Task, error: Exception) -> None:
    with suppress(InvalidStateError):
        task.future.set_exception(error)
