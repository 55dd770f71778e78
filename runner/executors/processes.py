"""An executor with worker processes on this machine.

Each worker process has its own pipe, so the death of a process costs one task. A thread of the main
process, the manager, gives tasks to idle workers and collects their answers. A process runs tasks
of one owner only. The manager kills and replaces a process that dies, that exceeds its time limit,
or that writes anything but answers to its pipe. The future of its task then raises `WorkerDied`,
which holds the files in the folder of the process.

If worker processes cannot be started, or if the manager meets an unexpected error, all futures
raise `ExecutionError`, so that no caller waits for a result that cannot come.
"""

from __future__ import annotations

import pickle
import shutil
import tempfile
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from ...suites.compiled.notice import print_to_stderr
from ..errors import ExecutionError, SystemShortageError, WorkerDied
from .executor import TaskError, available_processors, portable_dumps
from .messages import NOTICE
from .output import OutputCapture
from .worker_process import READY, Ended, Reply, Task, WorkerProcess

Result = TypeVar("Result")
IsOverdue = Callable[[Path, float], bool]
"""Decides from the folder of a busy worker, and the seconds since it received its task, whether the
process exceeds its time limit."""

_POLL_SECONDS = 0.2
"""Longest wait for an answer, and shortest time between two inspections of all processes."""
_LAST_ANSWER_SECONDS = 0.5
"""Time for reading the last answers of a dead process: it may have answered just before."""
_START_ATTEMPTS = 3
_START_SECONDS = 3.0
"""Starting workers is given up after at least this many failed attempts in a row, over at least
this many seconds. Meanwhile other processes may release the resources that the system lacks."""

_START_ERRORS = (OSError, MemoryError, RuntimeError)
"""Raised if the system has no file descriptor, memory, process or thread left."""


class ProcessExecutor:
    """Executor that runs tasks in worker processes, which end when this process ends.

    Args:
        workers: Number of workers. None: one for each processor.
        threads: Number of threads of each worker in BLAS, OpenMP and numba.
        modules: Names of modules that the workers import when they start.
        is_overdue: Called repeatedly for each busy worker. If it returns True, the process is
            killed. None: no time limit.
        capture: Captures what the workers print. None: they print to stderr of this process.
        show_notice: Called in the manager's thread with each text that a worker sends for the
            user. By default it prints the text to stderr.

    Raises:
        SystemShortageError: The system has no thread left, or no space in the temporary folder.
    """

    def __init__(
        self,
        workers: int | None = None,
        threads: int = 1,
        modules: Iterable[str] = (),
        is_overdue: IsOverdue | None = None,
        capture: OutputCapture | None = None,
        show_notice: Callable[[str], None] | None = None,
    ) -> None:
        self.workers = workers or available_processors()
        self._threads = threads
        self._modules: Sequence[str] = tuple(modules)
        self._is_overdue = is_overdue
        self._capture = capture
        self._show_notice = show_notice or print_to_stderr
        self._replies: SimpleQueue[Reply] = SimpleQueue()
        self._lock = threading.Lock()  # held while tasks are queued or the executor is closed
        self._slots = [_WorkerSlot() for _ in range(self.workers)]
        self._shared_tasks: deque[Task] = deque()  # for any worker
        self._unfinished: set[Future[Any]] = set()
        self._spares: list[WorkerProcess] = []
        self._n_spares_needed = self._n_started = 0
        self._n_failed_starts = 0  # in a row
        self._first_failed_start = 0.0
        self._is_closing = False
        self._failure: ExecutionError | None = None
        self._inspected_at = time.monotonic()
        self._thread = threading.Thread(target=self._manage, name="firsthit executor", daemon=True)
        try:
            self._folder = Path(tempfile.mkdtemp(prefix="firsthit-workers-"))
            self._thread.start()
        except (OSError, RuntimeError) as error:
            raise SystemShortageError(f"worker processes cannot be managed: {error}") from error

    def submit(
        self,
        function: Callable[..., Result],
        *args: Any,
        owner: str = "",
        worker: int | None = None,
    ) -> Future[Result]:
        """Queue a task; see `Executor.submit`. The function, its arguments and result are pickled.

        Raises:
            OptimizerError: The function or an argument cannot be pickled.
            ExecutionError: The executor has failed.
            RuntimeError: The executor is closed.
        """
        return self.submit_pickled(portable_dumps((function, args)), owner, worker)

    def submit_pickled(self, payload: bytes, owner: str, worker: int | None) -> Future[Any]:
        """Queue a task that is pickled already.

        Args:
            payload: A function and the tuple of its arguments, pickled together.
            owner: Owner of the task.
            worker: Number of the worker that runs the task, modulo the number of workers. None: the
                first idle worker.

        Raises:
            ExecutionError: The executor has failed.
            RuntimeError: The executor is closed.
        """
        task = Task(payload, Future(), owner)
        tasks = self._shared_tasks if worker is None else self._slots[worker % self.workers].tasks
        with self._lock:
            if self._is_closing:
                raise self._failure or RuntimeError("this executor is closed")
            self._unfinished.add(task.future)
            task.future.add_done_callback(self._unfinished.discard)
            tasks.append(task)
        self._wake_manager()
        return task.future

    def prepare(self, processes: int) -> None:
        """Keep this number of unused processes ready, at most one for each worker."""
        self._n_spares_needed = min(processes, self.workers)
        if self._n_spares_needed > len(self._spares):
            self._wake_manager()

    def close(self) -> None:
        """Kill all workers and cancel the futures without a result. Blocks until all have ended."""
        with self._lock:
            self._is_closing = True
        self._wake_manager()
        self._thread.join()

    def process_ids(self) -> list[int]:
        """Return the process ids of the workers, those of the spare processes last."""
        return [worker.pid for worker in self._list_processes()]

    def _wake_manager(self) -> None:
        self._replies.put(None)

    def _list_processes(self) -> list[WorkerProcess]:
        used = (slot.process for slot in self._slots)
        return [*filter(None, used), *self._spares]

    # The methods below are called in the manager's thread only.

    def _manage(self) -> None:
        """Give out tasks and collect answers, until the executor is closed or cannot continue."""
        failure: ExecutionError | None = None
        try:
            while not self._is_closing:
                self._give_out_tasks()
                self._inspect_processes()
                self._take_replies()
        except ExecutionError as error:
            failure = error
        except BaseException as error:
            text = " ".join("".join(traceback.format_exception_only(error)).split())
            failure = ExecutionError(f"worker processes cannot be managed any more: {text}")
        finally:
            self._end_all(failure)

    def _give_out_tasks(self) -> None:
        """Give tasks to idle workers, and start the missing spare processes."""
        for slot in self._slots:
            tasks = slot.tasks or self._shared_tasks
            if not tasks or (slot.process is not None and slot.process.task is not None):
                continue
            try:
                process = self._provide_process(slot, tasks[0].owner)
            except _START_ERRORS as error:
                if slot.process is not None:  # the next start may use its descriptors and memory
                    self._dismiss(slot.process)
                self._count_failed_start(str(error))
            else:
                process.give(tasks.popleft())
        while len(self._spares) < self._n_spares_needed:
            try:
                self._spares.append(self._start_process())
            except _START_ERRORS:
                # if a task needs the process, it is started again, and then reports the error
                self._n_spares_needed = len(self._spares)

    def _provide_process(self, slot: _WorkerSlot, owner: str) -> WorkerProcess:
        """Return the process of a worker; first replace it if it belongs to another owner."""
        if slot.process is None or slot.process.owner != owner:
            if self._spares:
                new_process = self._spares.pop(0)
                self._n_spares_needed -= 1
            else:
                new_process = self._start_process()
            if slot.process is not None:
                self._dismiss(slot.process)
            slot.process = new_process
        return slot.process

    def _start_process(self) -> WorkerProcess:
        self._n_started += 1
        folder = self._folder / str(self._n_started)
        return WorkerProcess(folder, self._modules, self._threads, self._replies, self._capture)

    def _count_failed_start(self, reason: str) -> None:
        """Count a worker that could not start; raise SystemShortageError if there are too many."""
        now = time.monotonic()
        if not self._n_failed_starts:
            self._first_failed_start = now
        self._n_failed_starts += 1
        is_late = now - self._first_failed_start >= _START_SECONDS
        if is_late and self._n_failed_starts >= _START_ATTEMPTS:
            raise SystemShortageError(f"worker processes cannot be started: {reason}")

    def _inspect_processes(self) -> None:
        """Dismiss workers that died without an answer or are overdue, if an inspection is due."""
        now = time.monotonic()
        if now - self._inspected_at < _POLL_SECONDS:
            return
        self._inspected_at = now
        for worker in self._list_processes():
            if worker.seconds_dead() > _LAST_ANSWER_SECONDS:
                self._fail_task(worker, worker.describe_end())
            elif worker.task is not None and self._is_overdue is not None:
                seconds = worker.seconds
                if self._is_overdue(worker.folder, seconds):
                    text = f"worker process gave no answer within {seconds:.0f} s"
                    self._fail_task(worker, text, is_overdue=True)

    def _take_replies(self) -> None:
        """Process all replies of workers; wait for the first for a limited time.

        Without processes and queued tasks, wait until the executor is used or closed.
        """
        has_queued = bool(self._shared_tasks) or any(slot.tasks for slot in self._slots)
        is_idle = not self._list_processes() and not has_queued
        with suppress(Empty):
            reply = self._replies.get(timeout=None if is_idle else _POLL_SECONDS)
            while True:
                if reply is not None and reply[0] in self._list_processes():
                    self._process_reply(*reply)
                reply = self._replies.get_nowait()

    def _process_reply(self, worker: WorkerProcess, answer: bytes | Ended) -> None:
        if isinstance(answer, Ended):
            self._replace(worker, answer)
            return
        if answer == READY:
            self._n_failed_starts = 0
            return
        if answer.startswith(NOTICE):
            self._show_notice(answer.removeprefix(NOTICE).decode(errors="replace"))
            return
        task, worker.task = worker.task, None
        try:
            payload, text, is_shortage, retires = pickle.loads(answer)
        except Exception as reason:
            worker.task = task
            self._fail_task(worker, f"worker process gave an answer that cannot be read ({reason})")
            return
        error = TaskError(text, worker.read_files(), is_shortage) if text else None
        try:
            if retires:
                self._dismiss(worker)
            else:
                # before the result is unpickled, so that the worker does not wait
                self._give_out_tasks()
        finally:  # also if no further worker can be started
            if task is not None:
                _resolve(task.future, payload, error)

    def _replace(self, worker: WorkerProcess, ended: Ended) -> None:
        """Dismiss a worker that has ended; requeue a task that it did not receive."""
        if ended.has_begun:
            self._fail_task(worker, ended.text)
            return
        for slot in self._slots:
            if slot.process is worker and worker.task is not None:
                slot.tasks.appendleft(worker.task)
        worker.task = None
        self._dismiss(worker)
        self._count_failed_start(ended.text)

    def _fail_task(self, worker: WorkerProcess, text: str, is_overdue: bool = False) -> None:
        """Dismiss a worker; the future of its task, if there is one, raises `WorkerDied`."""
        task, worker.task = worker.task, None
        files = self._dismiss(worker, reads_files=task is not None)
        if task is not None:
            _set_error(task.future, WorkerDied(text, is_overdue, files))

    def _dismiss(self, worker: WorkerProcess, reads_files: bool = False) -> dict[str, bytes]:
        """Kill a worker and delete its folder; return its files if ``reads_files``."""
        for slot in self._slots:
            if slot.process is worker:
                slot.process = None
        if worker in self._spares:
            self._spares.remove(worker)
        worker.end()
        files = worker.read_files() if reads_files else {}
        shutil.rmtree(worker.folder, ignore_errors=True)
        return files

    def _end_all(self, failure: ExecutionError | None) -> None:
        """Kill all workers; the futures without a result raise the failure, or are cancelled."""
        with self._lock:
            self._is_closing, self._failure = True, failure
        unfinished = list(self._unfinished)
        if failure is not None:  # first, because callers wait and killing may take seconds
            for future in unfinished:
                _set_error(future, failure)
        for worker in self._list_processes():
            worker.end()
        for slot in self._slots:
            slot.process = None
        self._spares.clear()
        for future in unfinished:
            future.cancel()
        shutil.rmtree(self._folder, ignore_errors=True)


@dataclass(slots=True, eq=False)
class _WorkerSlot:
    """A worker: its process, if one is running, and its queue of tasks."""

    process: WorkerProcess | None = None
    tasks: deque[Task] = field(default_factory=deque)


def _resolve(future: Future[Any], payload: bytes, error: TaskError | None) -> None:
    """Set the error of a future, or else its unpickled result. Cancelled futures stay cancelled."""
    if error is not None:
        _set_error(future, error)
        return
    try:
        result = pickle.loads(payload)
    except Exception as reason:
        _set_error(future, TaskError(f"{type(reason).__name__}: {reason}"))
        return
    with suppress(InvalidStateError):
        future.set_result(result)


def _set_error(future: Future[Any], error: Exception) -> None:
    with suppress(InvalidStateError):  # it was cancelled
        future.set_exception(error)
