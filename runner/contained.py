"""Calling an optimizer so that the call has an end, whatever the optimizer does.

The optimizer runs in a thread of its own. It may raise, exit, or return; it may also catch every
exception, the end of its budget among them, and go on for ever. Then its next evaluations do not
return any more (:meth:`Containment.park`): the thread is left sleeping and the run goes on without
it. A thread that neither returns nor evaluates is left behind when its time is over.
"""

from __future__ import annotations

import contextvars
import ctypes
import os
import queue
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

import numpy as np

THREAD_NAME = "firsthit optimizer"


class OptimizerThread:
    """A thread that makes one call after the other: starting a thread costs more than a short run.

    Attributes:
        ident: The thread's number.
        is_idle: It waits for a call; false for ever after a call that did not return, or was
            interrupted.
    """

    def __init__(self) -> None:
        self._calls: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self.is_idle = True
        self._thread = threading.Thread(target=self._serve, name=THREAD_NAME, daemon=True)
        self._thread.start()

    @property
    def ident(self) -> int | None:
        """Number of the thread."""
        return self._thread.ident

    def call(self, function: Callable[[], None]) -> None:
        """Start a call."""
        self.is_idle = False
        self._calls.put(function)

    def close(self) -> None:
        """End the thread once its call is over."""
        self.is_idle = False
        self._calls.put(None)

    def join(self) -> None:
        """Wait until the thread has ended."""
        self._thread.join()

    def _serve(self) -> None:
        with suppress(BaseException):  # an interruption may come when its call is just over
            while (function := self._calls.get()) is not None:
                function()


class Containment:
    """One call in a thread of its own.

    Args:
        function: What is called.
        thread: In which thread; by default in a new one.

    Attributes:
        error: What the call raised, if it did.
        result: What it returned.
        is_finished: It returned or raised.
        is_parked: It was declared over, by :meth:`park` or :meth:`give_up`.
    """

    def __init__(self, function: Callable[[], Any], thread: OptimizerThread | None = None) -> None:
        self._function = function
        self._over = threading.Event()
        self._context = contextvars.copy_context()
        self.error: BaseException | None = None
        self.result: Any = None
        self.is_finished = False
        self.is_parked = False
        self._is_own = thread is None
        self._thread = thread or OptimizerThread()
        self._pid = os.getpid()

    def run(self, timeout_seconds: float | None = None) -> None:
        """Call and wait until the call is finished, parked, or its time is over."""
        self._thread.call(self._call)
        self._over.wait(timeout_seconds)
        if self.is_finished:
            self._thread.is_idle = True
            if self._is_own:
                self._thread.close()
                self._thread.join()

    @property
    def is_over(self) -> bool:
        """Whether nothing more is to be expected of the call."""
        return self._over.is_set()

    def interrupt(self, error: type[BaseException], patience_seconds: float) -> None:
        """Raise ``error`` in the thread, repeatedly, until the call is over or patience is.

        Python delivers it between two bytecodes: not before a compiled function returns.
        """
        for _ in range(10):
            if self._thread.ident is None or self.is_over:
                break
            number = ctypes.c_ulong(self._thread.ident)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(number, ctypes.py_object(error))
            self._over.wait(patience_seconds / 10)
        self._thread.close()

    def give_up(self) -> None:
        """Declare the call over, whatever it does."""
        self.is_parked = True
        self._over.set()

    def park(self) -> NoReturn:
        """Called in the thread: declare the call over and never return."""
        self.give_up()
        while True:
            time.sleep(3600)

    def _call(self) -> None:
        try:
            self.result = self._context.run(self._function)
        except BaseException as error:
            self.error = error
        if os.getpid() != self._pid:
            os._exit(0)  # the optimizer forked, and this is the child: the parent goes on
        self.is_finished = True
        self._over.set()


@contextmanager
def preserved_folder() -> Iterator[None]:
    """Put back the working folder."""
    folder = os.getcwd()
    try:
        yield
    finally:
        with suppress(OSError):
            os.chdir(folder)


@contextmanager
def preserved_process() -> Iterator[None]:
    """Put back what an optimizer may change: global random states and the working folder."""
    of_numpy, of_python = np.random.get_state(), random.getstate()  # noqa: NPY002
    try:
        with preserved_folder():
            yield
    finally:
        np.random.set_state(of_numpy)  # noqa: NPY002
        random.setstate(of_python)


def seed_global_generators(seed: int) -> None:
    """Seed numpy's and Python's global generators: optimizers that use these repeat, too."""
    np.random.seed(seed)  # noqa: NPY002
    random.seed(seed)
