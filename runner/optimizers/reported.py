"""What optimizers return and raise: why they ended, evaluations that they claim, errors."""

from __future__ import annotations

import sysconfig
import traceback
from pathlib import Path

import numpy as np

_COUNTS = ("nfev", "evaluations")
_MOST_CALLS = 8
_FIRSTHIT = __name__.partition(".")[0]
_INSTALLED = ("site-packages", "dist-packages")


def reason_of(result: object) -> str:
    """Why a start ended, as far as what the optimizer returned tells; ``""`` where it does not."""
    message = getattr(result, "message", None)
    if isinstance(message, bytes):
        return message.decode(errors="replace")
    if isinstance(message, str):
        return message
    if isinstance(message, list):
        return "; ".join(str(line) for line in message)
    if isinstance(result, str):
        return result
    second = result[1] if isinstance(result, tuple) and len(result) == 2 else None
    stop = getattr(second, "stop", None)  # as of pycma's (x, evolution_strategy)
    stopped = stop() if callable(stop) else result
    return ", ".join(str(name) for name in stopped) if isinstance(stopped, dict) else ""


def reported_evaluations(result: object) -> int:
    """Evaluations that the optimizer says it made: scipy's ``nfev``, or ``evaluations``; else 0."""
    for name in _COUNTS:
        count = getattr(result, name, None)
        if isinstance(count, int | np.integer) and not isinstance(count, bool):
            return int(count)
    return 0


def describe(error: BaseException) -> str:
    """An error as one line of text: type, message, and the place in the optimizer's code."""
    text = " ".join("".join(traceback.format_exception_only(error)).strip().splitlines())
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return text
    last = frames[-1]
    return f"{text} ({last.filename}:{last.lineno} in {last.name})"


def calls_to(error: BaseException) -> str:
    """The calls that led to an error, a line each, as far as they are in the user's own files.

    Calls in firsthit, in Python's library and in installed packages are left out, and all but the
    last eight. ``""`` where there are none.
    """
    frames = traceback.walk_tb(error.__traceback__)
    own = [
        call
        for (frame, _), call in zip(frames, traceback.extract_tb(error.__traceback__), strict=True)
        if frame.f_globals.get("__name__", "").partition(".")[0] != _FIRSTHIT
        and not _is_library(call.filename)
    ]
    lines = []
    for call in own[-_MOST_CALLS:]:
        code = "" if call.filename.startswith("<") else call.line
        place = f"{Path(call.filename).name}:{call.lineno} in {call.name}"
        lines.append(f"\n  {place}: {code}" if code else f"\n  {place}")
    return "".join(lines)


def _is_library(filename: str) -> bool:
    """Whether a file belongs to Python's library or to an installed package."""
    parts = Path(filename).parts
    in_python = filename.startswith((sysconfig.get_path("stdlib"), "<frozen"))
    return in_python or any(name in parts for name in _INSTALLED)
