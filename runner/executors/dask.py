"""An executor that runs tasks on a Dask cluster.

Each Dask worker keeps a `ProcessExecutor` with as many child processes as the worker has threads.
Tasks run in the child processes: if a task kills its process, one run is lost, and the Dask worker
continues. Results are returned through the scheduler. A shared folder is necessary only for
optimizers and suites that are given as files.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import CancelledError, Future, InvalidStateError
from functools import partial
from typing import Any, NamedTuple, TypeVar

from ...suites.compiled.notice import print_to_stderr
from ..errors import CampaignError, ClusterError, WorkerDied
from .executor import portable_dumps
from .output import OutputCapture, OutputReader
from .processes import IsOverdue, ProcessExecutor

try:
    import distributed
except ImportError as error:
    raise CampaignError(
        "a cluster needs Dask, which is not installed: pip install 'firsthit[dask]'"
    ) from error

Result = TypeVar("Result")
_CONNECT_SECONDS = 10
_CLUSTER_START_SECONDS = 120.0
"""A local cluster that has not started after this time is killed. Usually it takes 2 seconds."""
_CLUSTER_END_SECONDS = 20.0
_CLIENT_END_SECONDS = 5
_PROTOCOLS = ("tcp", "tls", "ucx", "ws", "wss")
_THREADS_VALID_SECONDS = 1.0
"""The threads of the cluster are asked for at most once in this time: it is a remote call."""
_MAX_REASON = 200
"""Longest text of a connection error in a message, in characters."""
_CLIENT_LOG = logging.getLogger("distributed.client")
"""Logger to which Dask writes tracebacks of errors that `DaskExecutor` reports in a sentence. It is
silent while an executor exists."""
_CLUSTER_SCRIPT = (
    "import json, sys, logging; from distributed import LocalCluster; "
    "cluster = LocalCluster(n_workers={workers}, threads_per_worker=1, processes=True, "
    "dashboard_address=None, silence_logs=logging.CRITICAL, memory_limit=0); "
    "print(json.dumps(cluster.scheduler_address), flush=True); sys.stdin.read(); cluster.close()"
)
"""Program of a local cluster. It prints the address, and ends when its standard input is closed."""


class DaskExecutor:
    """Executor that runs as many tasks at once as a Dask cluster has threads.

    Args:
        cluster: Address or scheduler file of the cluster. ``"local"``: start a cluster on this
            machine, which ends with this executor.
        workers: Number of workers of a local cluster.
        threads: Number of threads of each child process in BLAS, OpenMP and numba.
        modules: Names of modules that the child processes import when they start.
        is_overdue: Decides whether a child process exceeds its time limit. None: no time limit.
        capture: Captures what all processes of a local cluster print. None: they print to stderr.
            Workers of another cluster always print to stderr of their Dask worker.
        show_notice: Called in another thread with each text that a child process sends for the
            user. By default it prints the text to stderr.

    Raises:
        ClusterError: No scheduler answers, or a local cluster cannot be started.
    """

    def __init__(
        self,
        cluster: str,
        workers: int = 1,
        threads: int = 1,
        modules: Iterable[str] = (),
        is_overdue: IsOverdue | None = None,
        capture: OutputCapture | None = None,
        show_notice: Callable[[str], None] | None = None,
    ) -> None:
        self._name = f"firsthit-{uuid.uuid4().hex}"
        self._scheduler = cluster
        self._threads_read_at, self._n_spares_needed = 0.0, 0
        self._worker_threads: list[_WorkerThread] = [_WorkerThread("", 0)]
        self._tasks: dict[Future[Any], _Task] = {}
        with contextlib.ExitStack() as resources:
            _CLIENT_LOG.addFilter(_reject_all)
            resources.callback(_CLIENT_LOG.removeFilter, _reject_all)
            if cluster == "local":
                local_cluster = contextlib.closing(_LocalCluster(workers, capture))
                self._scheduler = resources.enter_context(local_cluster).address
            self._client = _connect(self._scheduler)
            show = show_notice or print_to_stderr
            self._client.subscribe_topic(self._name, lambda event: show(event[1]))
            plugin = ChildProcesses(self._name, threads, tuple(modules), is_overdue)
            try:
                self._client.register_plugin(plugin, name=self._name)
            except (OSError, TimeoutError) as error:
                raise self._make_lost_error() from error
            self._resources = resources.pop_all()

    @property
    def workers(self) -> int:
        """Number of threads of all Dask workers, at least 1. It changes with the cluster."""
        if time.monotonic() - self._threads_read_at > _THREADS_VALID_SECONDS:
            with contextlib.suppress(OSError, TimeoutError, CancelledError):
                old_threads = self._worker_threads
                self._renumber_threads(self._client.nthreads())
                if not set(old_threads) <= set(self._worker_threads):
                    self._resubmit_unscheduled_tasks()
            self._threads_read_at = time.monotonic()
        return len(self._worker_threads)

    def _renumber_threads(self, n_threads: Mapping[str, int]) -> None:
        """Update the numbers of the threads of all Dask workers, and keep the order of old ones."""
        current = [
            _WorkerThread(address, i) for address, count in n_threads.items() for i in range(count)
        ]
        kept = [thread for thread in self._worker_threads if thread in current]
        new = [thread for thread in current if thread not in kept]
        self._worker_threads = [*kept, *new] or [_WorkerThread("", 0)]

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
            ClusterError: The scheduler does not answer any more.
        """
        payload = portable_dumps((function, args))
        future: Future[Result] = Future()
        thread = _WorkerThread("", None)
        if worker is not None and worker < self.workers and self._worker_threads[worker].address:
            thread = self._worker_threads[worker]
        try:
            self._submit_payload(future, payload, owner, thread)
        except Exception as error:
            raise self._make_lost_error() from error
        return future

    def _submit_payload(
        self, future: Future[Any], payload: bytes, owner: str, thread: _WorkerThread
    ) -> None:
        """Send a task to Dask, which resolves ``future``."""
        dask_workers = {}
        if thread.address:
            # prefer this Dask worker, whose child process has run earlier tasks of the owner; Dask
            # chooses another one if this one is lost
            dask_workers = {"workers": [thread.address], "allow_other_workers": True}
        dask_future = self._client.submit(
            run_in_child, self._name, payload, owner, thread.thread, self._n_spares_needed,
            pure=False, key=f"{uuid.uuid4()}", **dask_workers,
        )  # fmt: skip
        self._tasks[future] = _Task(dask_future, payload, owner, thread)
        dask_future.add_done_callback(lambda done_future: self._resolve(done_future, future))

    def _resubmit_unscheduled_tasks(self) -> None:
        """Submit the tasks again that Dask would never run because their Dask worker was lost.

        Dask gives such a task to another worker if there is one at that moment. If all workers were
        lost, Dask gives it to none of the workers that join later, although it was submitted with
        ``allow_other_workers``.
        """
        addresses = {thread.address for thread in self._worker_threads}
        scheduled_keys = {key for keys in self._client.processing().values() for key in keys}
        for future, task in list(self._tasks.items()):
            is_lost = task.thread.address and task.thread.address not in addresses
            if is_lost and task.dask_future.key not in scheduled_keys:
                self._submit_payload(future, task.payload, task.owner, _WorkerThread("", None))
                task.dask_future.cancel()

    def prepare(self, processes: int) -> None:
        """Keep this number of unused processes ready; Dask workers learn it with the next task."""
        self._n_spares_needed = processes

    def close(self) -> None:
        """Cancel all tasks, remove the plugin from the cluster, and end a local cluster."""
        for future in list(self._tasks):
            future.cancel()
        with contextlib.suppress(Exception):
            if self._client.status == "running":
                self._client.cancel([task.dask_future for task in self._tasks.values()])
                self._client.unregister_worker_plugin(self._name)
        self._tasks.clear()
        with contextlib.suppress(Exception):
            self._client.close(timeout=_CLIENT_END_SECONDS)
        self._resources.close()

    def _resolve(self, dask_future: distributed.Future, future: Future[Any]) -> None:
        """Set the result or the error of a future. Cancelled futures stay cancelled."""
        if future not in self._tasks or self._tasks[future].dask_future is not dask_future:
            return  # the executor is closed, or the task was submitted again
        del self._tasks[future]
        with contextlib.suppress(InvalidStateError):
            error: BaseException | None
            try:
                if dask_future.status == "finished":
                    future.set_result(dask_future.result(timeout=_CONNECT_SECONDS))
                    return
                error = dask_future.exception(timeout=_CONNECT_SECONDS)
            except InvalidStateError:
                raise
            except (Exception, CancelledError):
                error = None
            future.set_exception(_translate(error) or self._make_lost_error())

    def _make_lost_error(self) -> ClusterError:
        return ClusterError(
            f"the Dask scheduler at {self._scheduler!r} is lost; finished runs are kept, and the "
            "same command continues"
        )


class ChildProcesses(distributed.WorkerPlugin):  # type: ignore[misc]
    """Plugin of Dask workers that keeps the child processes of one executor.

    Args:
        topic: Topic of Dask's events under which texts for the user are sent to the executor.
        threads: Number of threads of each child process in BLAS, OpenMP and numba.
        modules: Names of modules that the child processes import when they start.
        is_overdue: Decides whether a child process exceeds its time limit. None: no time limit.
    """

    def __init__(
        self, topic: str, threads: int, modules: tuple[str, ...], is_overdue: IsOverdue | None
    ) -> None:
        self._topic = topic
        self._arguments = (threads, modules, is_overdue)

    def setup(self, worker: distributed.Worker) -> None:
        """Start the executor of the child processes; called in a Dask worker when it joins."""
        send_notice = partial(worker.log_event, self._topic)
        self.pool = ProcessExecutor(
            worker.state.nthreads, *self._arguments, show_notice=send_notice
        )

    def teardown(self, worker: distributed.Worker) -> None:
        """Kill the child processes; called in a Dask worker when it or the executor ends."""
        self.pool.close()


def run_in_child(
    name: str, payload: bytes, owner: str, child: int | None, n_spares_needed: int
) -> Any:
    """Run a task in a child process of this Dask worker, and block until it has a result.

    Args:
        name: Name of the executor's plugin.
        payload: A function and the tuple of its arguments, pickled together.
        owner: Owner of the task.
        child: Number of the child process. None: the first idle one.
        n_spares_needed: Number of unused processes that are kept ready.
    """
    plugin: ChildProcesses = distributed.get_worker().plugins[name]
    plugin.pool.prepare(n_spares_needed)
    return plugin.pool.submit_pickled(payload, owner, child).result()


class _WorkerThread(NamedTuple):
    """A thread of a Dask worker, to which one child process belongs.

    Attributes:
        address: Address of the Dask worker. Empty: any Dask worker.
        thread: Number of the thread in its Dask worker. None: the first idle one.
    """

    address: str
    thread: int | None


class _Task(NamedTuple):
    """A submitted task without a result; the fields are the arguments of `_submit_payload`."""

    dask_future: distributed.Future
    payload: bytes
    owner: str
    thread: _WorkerThread


class _LocalCluster:
    """A cluster in a separate process, which ends when this process ends, even if it is killed."""

    def __init__(self, workers: int, capture: OutputCapture | None) -> None:
        self._output = None if capture is None else OutputReader(capture)
        self._process = subprocess.Popen(
            [sys.executable, "-c", _CLUSTER_SCRIPT.format(workers=workers)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=None if self._output is None else self._output.descriptor,
            start_new_session=True,
            text=True,
            # daemonic Dask workers could not start child processes
            env={**os.environ, "DASK_DISTRIBUTED__WORKER__DAEMON": "False"},
        )
        assert self._process.stdout is not None
        timer = threading.Timer(_CLUSTER_START_SECONDS, self._process.kill)
        timer.start()
        line = self._process.stdout.readline()
        timer.cancel()
        if not line:
            self.close()
            raise ClusterError("a local Dask cluster cannot be started")
        self.address: str = json.loads(line)

    def close(self) -> None:
        """End the cluster, and wait for its end."""
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()
        try:
            self._process.wait(timeout=_CLUSTER_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=_CLUSTER_END_SECONDS)
        if self._output is not None:
            self._output.close()
            self._output = None


def _reject_all(record: logging.LogRecord) -> bool:
    """Reject a log record; a filter for loggers."""
    return False


def _connect(scheduler: str) -> distributed.Client:
    """Connect to the scheduler at an address or of a scheduler file; raise ClusterError if not."""
    protocol, is_address, _ = scheduler.partition("://")
    if protocol not in _PROTOCOLS if is_address else not os.path.exists(scheduler):
        label = "address" if is_address else "file"
        raise ClusterError(
            f"no scheduler {label} {scheduler!r}; cluster is an address such as "
            "'tcp://host:8786', the path of a scheduler file, or 'local'"
        )
    location = {"address": scheduler} if is_address else {"scheduler_file": scheduler}
    try:
        return distributed.Client(
            **location, timeout=_CONNECT_SECONDS, set_as_default=False, name="firsthit"
        )
    except (OSError, ValueError, KeyError, TimeoutError) as error:
        reason = " ".join(str(error).split())[:_MAX_REASON]
        raise ClusterError(f"no Dask scheduler answers at {scheduler!r}: {reason}") from error


def _translate(error: BaseException | None) -> BaseException | None:
    """Return an error of Dask as an error of the runner; None if the connection is lost."""
    if error is None or isinstance(error, CancelledError):
        return None
    if isinstance(error, distributed.KilledWorker):
        return WorkerDied("Dask workers died during the task")
    if isinstance(error, OSError | KeyError):  # the plugin or its executor does not exist any more
        return WorkerDied(f"a Dask worker failed ({type(error).__name__}: {error})")
    return error
