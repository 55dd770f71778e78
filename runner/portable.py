"""Pickling tasks for worker processes, which do not import the user's main module."""

from __future__ import annotations

import importlib
import importlib.util
import pickle
import sys
from collections.abc import Callable
from typing import Any

from .errors import OptimizerError

_MAIN = b"__main__"


def portable_dumps(task: object) -> bytes:
    """Pickle what workers can unpickle.

    Functions of importable modules go by name. Lambdas, closures, and what a script or notebook
    itself defines go by value, which needs the package cloudpickle.

    Raises:
        OptimizerError: It cannot be sent; the text says what to do.
    """
    try:
        data = pickle.dumps(task)
        if _MAIN not in data:
            return data
        problem = "it is defined in the script or notebook itself"
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
    if importlib.util.find_spec("cloudpickle") is not None:
        try:
            return bytes(importlib.import_module("cloudpickle").dumps(task))
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
    raise OptimizerError(
        f"the optimizer, suite or problem cannot be sent to worker processes ({problem[:300]}). "
        "Use workers=1, or give a reference 'path/file.py:function' or 'module:function', "
        "or install cloudpickle."
    )


def reference_in_main(function: Callable[..., Any]) -> str | None:
    """``"path/script.py:function"`` for a function of the running script; else None."""
    main = sys.modules.get("__main__")
    path = getattr(main, "__file__", None)
    name = getattr(function, "__qualname__", "")
    is_there = name.isidentifier() and getattr(main, name, None) is function
    if not is_there or not path or getattr(function, "__module__", None) != "__main__":
        return None
    return f"{path}:{name}"
