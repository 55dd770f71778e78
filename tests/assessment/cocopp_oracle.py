"""cocopp as an oracle, kept to itself."""

import contextlib
import io
import socket
import warnings

import numpy as np
import pytest


@contextlib.contextmanager
def contained(home):
    """Keeps cocopp, which prints, warns, draws and asks the network at import, to itself."""

    def offline(*_, **__):
        raise OSError("no network in tests")

    state = np.random.get_state()  # noqa: NPY002 - cocopp draws from it
    with (
        pytest.MonkeyPatch.context() as patch,
        warnings.catch_warnings(),
        contextlib.redirect_stdout(io.StringIO()),
    ):
        patch.setattr(socket, "getaddrinfo", offline)
        patch.setenv("HOME", str(home))
        warnings.simplefilter("ignore")
        from cocopp import testbedsettings

        testbedsettings.reset_current_testbed()
        yield
        testbedsettings.reset_current_testbed()
    np.random.set_state(state)  # noqa: NPY002
