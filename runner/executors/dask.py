"""Tasks on a Dask cluster. Each runs in a child of the Dask worker, which therefore survives it.

Every Dask worker keeps a ``ProcessExecutor`` with as many processes as it has threads: what kills a
process costs one run and never the Dask worker. Results come back through the scheduler, so nothing
needs a shared folder but optimizers and suites that are given as files.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import CancelledError, Future, InvalidStateError
from typing import Any, NamedTuple, TypeVar

from ..errors import CampaignError, ClusterError, WorkerDied
from .executor import portable_dumps
from .processes import Overdue, ProcessExecutor

try:
    import distributed
except ImportError as error:
    raise CampaignError(
        "a cluster needs Dask, which is not installed: pip install 'firsthit[dask]'"
    ) from error

Result = TypeVar("Result")
_CONNECT_SECONDS = 10
_PROTOCOLS = ("tcp", "tls", "ucx", "ws", "wss")
_LOOK_SECONDS = 1.0
_CLIENT_LOG = logging.getLogger("distributed.client")
"""Where Dask puts tracebacks of what ``DaskExecutor`` tells in a sentence; quiet in its time."""
_START = (
    "import json, sys, logging; from distributed import LocalCluster; "
    "cluster = LocalCluster(n_workers={workers}, threads_per_worker=1, processes=True, "
    "dashboard_address=None, silence_logs=logging.CRITICAL, memory_limit=0); "
    "print(json.dumps(cluster.scheduler_address), flush=True); sys.stdin.read(); cluster.close()"
)


class DaskExecutor:
    """Runs tasks on a Dask cluster, as many at once as it has threads.

    ``cluster`` is as of `ExecutorConfig`; a ``local`` one begins and ends with this executor. The
    others are as of `ProcessExecutor`.
    """

    def __init__(
        self,
        cluster: str,
        workers: int = 1,
        threads: int = 1,
        modules: Iterable[str] = (),
        is_overdue: Overdue | None = None,
    ) -> None:
        self._name = f"firsthit-{uuid.uuid4().hex}"
        self._where = cluster
        self._looked, self._prepared = 0.0, 0
        self._places: list[_Place] = [_Place("", 0)]
        self._waiting: dict[Future[Any], distributed.Future] = {}
        with contextlib.ExitStack() as ending:
            _CLIENT_LOG.addFilter(_nothing)
            ending.callback(_CLIENT_LOG.removeFilter, _nothing)
            if cluster == "local":
                local = ending.enter_context(contextlib.closing(_LocalCluster(workers)))
                self._where = local.address
            self._client = _client(self._where)
            plugin = ChildProcesses(threads, tuple(modules), is_overdue)
            try:
                self._client.register_plugin(plugin, name=self._name)
            except (OSError, TimeoutError) as error:
                raise self._lost() from error
            self._ending = ending.pop_all()

    @property
    def workers(self) -> int:
        """Threads of the cluster's workers now, at least 1: workers may come and go."""
        if time.monotonic() - self._looked > _LOOK_SECONDS:
            with contextlib.suppress(OSError, TimeoutError, CancelledError):
                self._look(self._client.nthreads())
            self._looked = time.monotonic()
        return len(self._places)

    def _look(self, threads: Mapping[str, int]) -> None:
        """Number the threads of all Dask workers; those that are still there keep their order."""
        there = [_Place(address, i) for address, count in threads.items() for i in range(count)]
        kept = [place for place in self._places if place in there]
        new = [place for place in there if place not in kept]
        self._places = [*kept, *new] or [_Place("", 0)]

    def submit(
        self,
        function: Callable[..., Result],
        *args: Any,
        owner: str = "",
        worker: int | None = None,
    ) -> Future[Result]:
        """See ``Executor``; results and arguments are pickled."""
        payload = portable_dumps((function, args))
        ours: Future[Result] = Future()
        there, where = None, {}
        if worker is not None and worker < self.workers and self._places[worker].address:
            there = self._places[worker].thread
            # elsewhere only where this Dask worker is lost: its child has the owner's tasks
            where = {"workers": [self._places[worker].address], "allow_other_workers": True}
        try:
            theirs = self._client.submit(
                run_in_child, self._name, payload, owner, there, self._prepared,
                pure=False, key=f"{uuid.uuid4()}", **where,
            )  # fmt: skip
        except Exception as error:
            raise self._lost() from error
        self._waiting[ours] = theirs
        theirs.add_done_callback(lambda future: self._done(future, ours))
        return ours

    def prepare(self, processes: int) -> None:
        """See ``Executor``; each Dask worker is told with the next task."""
        self._prepared = processes

    def close(self) -> None:
        """End what runs, and leave the cluster as it was."""
        for future in list(self._waiting):
            future.cancel()
        with contextlib.suppress(Exception):
            if self._client.status == "running":
                self._client.cancel(list(self._waiting.values()))
                self._client.unregister_worker_plugin(self._name)
        self._waiting.clear()
        with contextlib.suppress(Exception):
            self._client.close(timeout=5)
        self._ending.close()

    def _done(self, theirs: distributed.Future, ours: Future[Any]) -> None:
        self._waiting.pop(ours, None)
        with contextlib.suppress(InvalidStateError):
            error: BaseException | None
            try:
                if theirs.status == "finished":
                    ours.set_result(theirs.result(timeout=_CONNECT_SECONDS))
                    return
                error = theirs.exception(timeout=_CONNECT_SECONDS)
            except InvalidStateError:
                raise
            except (Exception, CancelledError):
                error = None
            ours.set_exception(_translated(error) or self._lost())

    def _lost(self) -> ClusterError:
        return ClusterError(
            f"the Dask scheduler at {self._where!r} is lost; finished runs are kept, and the same "
            "command continues"
        )


class ChildProcesses(distributed.WorkerPlugin):  # type: ignore[misc]
    """What each Dask worker keeps for one executor: processes in which the tasks run."""

    def __init__(self, threads: int, modules: tuple[str, ...], is_overdue: Overdue | None) -> None:
        self._arguments = (threads, modules, is_overdue)

    def setup(self, worker: distributed.Worker) -> None:
        """Called in the Dask worker when it joins."""
        self.pool = ProcessExecutor(worker.state.nthreads, *self._arguments)

    def teardown(self, worker: distributed.Worker) -> None:
        """Called in the Dask worker when it, or the executor, ends."""
        self.pool.close()


def run_in_child(name: str, payload: bytes, owner: str, worker: int | None, prepared: int) -> Any:
    """The task as the Dask worker sees it: hand it to one of its child processes and wait."""
    plugin: ChildProcesses = distributed.get_worker().plugins[name]
    plugin.pool.prepare(prepared)
    return plugin.pool.submit_pickled(payload, owner, worker).result()


class _Place(NamedTuple):
    """One thread of a Dask worker, to which one child process belongs."""

    address: str
    thread: int


class _LocalCluster:
    """A cluster in a process of its own, which ends when we do, however we end."""

    def __init__(self, workers: int) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START.format(workers=workers)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            text=True,
            env={**os.environ, "DASK_DISTRIBUTED__WORKER__DAEMON": "False"},
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            self.close()
            raise ClusterError("a local Dask cluster cannot be started")
        self.address: str = json.loads(line)

    def close(self) -> None:
        """End it and wait for it."""
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()
        try:
            self._process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _nothing(record: logging.LogRecord) -> bool:
    """A filter that lets no record through."""
    return False


def _client(where: str) -> distributed.Client:
    protocol, is_address, _ = where.partition("://")
    if protocol not in _PROTOCOLS if is_address else not os.path.exists(where):
        what = "address" if is_address else "file"
        raise ClusterError(
            f"no scheduler {what} {where!r}; cluster is an address such as 'tcp://host:8786', the "
            "path of a scheduler file, or 'local'"
        )
    place = {"address": where} if is_address else {"scheduler_file": where}
    try:
        return distributed.Client(
            **place, timeout=_CONNECT_SECONDS, set_as_default=False, name="firsthit"
        )
    except (OSError, ValueError, KeyError, TimeoutError) as error:
        reason = " ".join(str(error).split())[:200]
        raise ClusterError(f"no Dask scheduler answers at {where!r}: {reason}") from error


def _translated(error: BaseException | None) -> BaseException | None:
    """The error as one of the runner's own; None where the connection is lost."""
    if error is None or isinstance(error, CancelledError):
        return None
    if isinstance(error, distributed.KilledWorker):
        return WorkerDied("Dask workers died at it")
    if isinstance(error, OSError | KeyError):  # the plugin or its pool is not there any more
        return WorkerDied(f"a Dask worker failed ({type(error).__name__}: {error})")
    return error
