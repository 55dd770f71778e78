"""Calling an optimizer so that the call has an end, whatever the optimizer does.

The optimizer runs in a thread of its own. It may raise, exit, or return; it may also catch every
exception, the end of its budget among them, and go on for ever. Then its next evaluations do not
return any more (:meth:`OptimizerCall.park`): the thread is left sleeping and the run goes on
without it. A thread that neither returns nor evaluates is left behind when its time is over.
"""

from __future__ import annotations

import contextvars
import ctypes
import os
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

import numpy as np

THREAD_NAME = "firsthit optimizer"


class OptimizerCall:
    """One call of an optimizer, which either comes to its end or is declared over before.

    Attributes:
        error: What the call raised, if it did.
        is_given_up: It was declared over before it came to its end.
        result: What it returned.
    """

    __slots__ = ("_bell", "_open", "_pid", "error", "is_given_up", "result")

    def __init__(self) -> None:
        self._bell: threading.Event | None = None
        self._open = [True]
        self.is_given_up = False
        self._pid = os.getpid()
        self.error: BaseException | None = None
        self.result: Any = None

    def make(self, function: Callable[[], Any], bell: threading.Event) -> bool:
        """Call, in this thread; False where it was declared over before it came to its end.

        Args:
            function: What is called.
            bell: Set when the call is declared over.
        """
        self._bell = bell
        try:
            self.result = contextvars.copy_context().run(function)
        except BaseException as error:
            self.error = error
        if os.getpid() != self._pid:
            os._exit(0)  # the optimizer forked, and this is the child: the parent goes on
        return self._end()

    @property
    def is_over(self) -> bool:
        """Whether it came to its end, or was declared over."""
        return not self._open

    def give_up(self) -> bool:
        """Declare the call over, whatever it does; False where it came to its end before."""
        if self._end():
            self.is_given_up = True
            if self._bell is not None:
                self._bell.set()
        return self.is_given_up

    def park(self) -> NoReturn:
        """Called in the thread of the call: declare it over and never return."""
        self.give_up()
        while True:
            time.sleep(3600)

    def _end(self) -> bool:
        """True for the first who asks, in whatever thread."""
        try:
            self._open.pop()
        except IndexError:
            return False
        return True


class Contained:
    """Something that runs in a thread of its own, while the caller's thread looks after it.

    Args:
        function: What is called there, with this object.

    Attributes:
        bell: Set when the function has returned; others may ring, too.
        error: What the function itself raised.
        is_finished: It returned or raised.
    """

    def __init__(self, function: Callable[[Contained], object]) -> None:
        self._function = function
        self._context = contextvars.copy_context()
        self.bell = threading.Event()
        self.error: BaseException | None = None
        self.is_finished = False
        self._thread = threading.Thread(target=self._serve, name=THREAD_NAME, daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def join(self) -> None:
        """Wait until the thread has ended."""
        self._thread.join()

    def interrupt(self, error: type[BaseException], patience_seconds: float) -> None:
        """Raise ``error`` in the thread, repeatedly, until it ends or patience does.

        Python delivers it between two bytecodes: not before a compiled function returns.
        """
        for _ in range(10):
            if self.is_finished or self._thread.ident is None:
                return
            number = ctypes.c_ulong(self._thread.ident)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(number, ctypes.py_object(error))
            self._thread.join(patience_seconds / 10)

    def _serve(self) -> None:
        with suppress(BaseException):  # an interruption may come when the call is just over
            try:
                self._context.run(self._function, self)
            except BaseException as error:
                self.error = error
            finally:
                self.is_finished = True
                self.bell.set()


@contextmanager
def preserved_generators() -> Iterator[None]:
    """Put back numpy's and Python's global random states."""
    of_numpy, of_python = np.random.get_state(), random.getstate()  # noqa: NPY002
    try:
        yield
    finally:
        np.random.set_state(of_numpy)  # noqa: NPY002
        random.setstate(of_python)


def seed_global_generators(seed: int) -> None:
    """Seed numpy's and Python's global generators: optimizers that use these repeat, too."""
    np.random.seed(seed)  # noqa: NPY002
    _seed(seed)
    _generator.gauss_next = None


_generator: Any = random._inst
_seed = super(random.Random, _generator).seed
"""With ``gauss_next``, what ``random.seed`` does with whole numbers once it knows that it has one,
which between two runs takes longer than seeding."""
