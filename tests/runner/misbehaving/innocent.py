"""An optimizer that behaves well and uses what the others change in their process."""

import contextlib
import decimal
import gc
import logging
import os
import signal
import sys
import tempfile
import threading
import time
import warnings

import numpy as np
from kinds import kind, ten


@kind("terminated")
def innocent(problem):
    """Check and use the state of the process that other optimizers change."""
    import scipy.optimize

    with contextlib.ExitStack() as stack:
        for _ in range(300):
            stack.enter_context(open(os.devnull))
    begin = time.perf_counter() + time.monotonic() + time.time()
    assert time.perf_counter() + time.monotonic() + time.time() >= begin
    assert os.path.isdir(os.getcwd())
    assert threading.active_count() <= 2, threading.enumerate()
    assert signal.getsignal(signal.SIGUSR1) == signal.SIG_DFL
    assert "PATH" in os.environ
    assert sys.getrecursionlimit() >= 1000
    assert gc.isenabled()
    assert decimal.getcontext().prec == 28
    assert logging.getLogger().isEnabledFor(logging.ERROR)
    assert np.searchsorted([1.0, 2.0], 1.5) == 1
    warnings.warn("an ordinary warning", stacklevel=1)
    assert np.isinf(np.float64(1) / np.float64(0))
    assert float(scipy.optimize.minimize(lambda x: (x**2).sum(), [1.0]).fun) < 1e-6
    with tempfile.TemporaryFile() as file:
        file.write(b"x")
    ten(problem)
