"""Pickling tasks for worker processes, which do not import the user's main module."""

from __future__ import annotations

import cloudpickle

from ..errors import OptimizerError


def portable_dumps(task: object) -> bytes:
    """Pickle what workers can unpickle.

    Functions of importable modules go by name; lambdas, closures, and what a script or notebook
    itself defines go by value.

    Raises:
        OptimizerError: It cannot be sent; the text says what to do.
    """
    try:
        return bytes(cloudpickle.dumps(task))
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
        raise OptimizerError(
            "the optimizer, suite or problem cannot be sent to worker processes "
            f"({problem[:300]}). Use workers=0, or give a reference 'path/file.py:function' or "
            "'module:function'."
        ) from error
