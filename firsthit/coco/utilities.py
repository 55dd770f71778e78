"""Provide ``cocoex.utilities``: progress output, and settings in files and on the command line."""

from __future__ import annotations

import ast
import importlib
import math
import os
import time
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import ModuleType
from typing import Any

from ..suites.errors import SelectionError, UnknownNameError
from .experiment import BatchScheduler, ExperimentRepeater, ProblemNonAnytime
from .observer import options_text
from .problem import Problem

__all__ = [
    "BatchScheduler", "ExperimentRepeater", "MiniPrint", "ObserverOptions", "ProblemNonAnytime",
    "SameFunction", "ShortInfo", "about_equal", "args_to_dict", "ascetime", "dict_to_eval",
    "forgiving_import", "print_flush", "read_setting", "write_setting",
]  # fmt: skip

_MAX_SYMBOLS_PER_LINE = 50
"""`MiniPrint` begins a new line at the next function after this number of symbols."""
_SECONDS_PER_DAY = 24 * 3600


class MiniPrint:
    """Print one symbol for each problem, as progress output.

    The symbol is ``|`` if the final target was hit, else ``:`` if the algorithm was restarted, else
    ``.``. The dimension is printed on a line above its problems, and the function before its
    problems.
    """

    def __init__(self) -> None:
        self._dimension: int | None = None
        self._function: int | None = None
        self._last_index = -1
        self._calls = 0
        self._sweeps = 0
        self._began = time.monotonic()

    @property
    def stime(self) -> str:
        """The time of day, and the days since this object was created."""
        days = int((time.monotonic() - self._began) / _SECONDS_PER_DAY)
        now = time.localtime()
        return f"{now.tm_hour}h{time.strftime('%M:%S', now)}" + f"+{days}d" * bool(days)

    def __call__(
        self, problem: Problem, final: bool = False, restarted: int = 0, final_message: bool = False
    ) -> None:
        """Print the symbol of a problem after its run.

        Args:
            problem: The problem.
            final: Whether it is the last problem of the suite.
            restarted: Number of restarts of the algorithm, or whether it was restarted.
            final_message: Whether a message is printed after the last problem.
        """
        text = self._format_heading(problem)
        text += "|" if problem.final_target_hit else ":" if restarted else "."
        if final:
            self._sweeps += 1
            text += f"\nSuite done ({self._sweeps})\n" * final_message
        self._calls += 1
        print(text, end="", flush=True)

    def _format_heading(self, problem: Problem) -> str:
        """Return the text before a symbol: dimension and function if they have changed."""
        text = ""
        if problem.dimension != self._dimension or problem.index < self._last_index:
            text = f"{chr(10) * (self._dimension is not None)}{problem.dimension}D {self.stime}\n"
            self._function, self._calls = None, 0
        if problem.id_function != self._function:
            if self._calls >= _MAX_SYMBOLS_PER_LINE:
                text, self._calls = text + "\n", 0
            text += f"{f'f{problem.id_function}':>3}"
        self._dimension, self._function = problem.dimension, problem.id_function
        self._last_index = problem.index
        return text


class ShortInfo:
    """Print dimension and function when they change, and the mean time of an evaluation.

    Call the object, or its method ``print``, before each run of the solver. Call ``add_evals``
    after each run.

    Attributes:
        evals_by_dimension: Seconds per evaluation by dimension.
    """

    def __init__(self) -> None:
        self._function = ""
        self._dimension = 0
        self._since = time.monotonic()
        self._evaluations = self._runs = 0
        self.evals_by_dimension: dict[int, float] = {}

    def print(self, problem: Problem, end: str = "", **options: Any) -> None:
        """Print the text for a problem, with the options of Python's ``print``."""
        print(self(problem), end=end, **options)

    def __call__(self, problem: Problem) -> str:
        """Return dimension and function as text if they have changed, else ``""``.

        When the function or the dimension changes, the text also contains the number of runs or the
        time of the previous one, and its counts are reset.
        """
        text, function = "", f"f{problem.id_function:03d}"
        if problem.dimension != self._dimension:
            if self._dimension:
                text = f"{self.function_done()}{self.dimension_done()}\n\n"
            text += f"{self.short_time_stap()}, d={problem.dimension}, running: "
            self._function, self._dimension = "", problem.dimension
        if function != self._function:
            text += f"{self.function_done()}{function}"
            self._function = function
        return text

    def add_evals(self, evals: int, runs: int) -> None:
        """Add to the numbers of evaluations and runs of the solver."""
        self._evaluations += evals
        self._runs += runs

    def function_done(self) -> str:
        """Return the number of runs on the function as text, and reset it. No runs: ``""``."""
        text = f"{f'({self._runs})':<5} " if self._runs else ""
        self._runs = 0
        return text

    def dimension_done(self) -> str:
        """Return the mean time of an evaluation in the dimension as text.

        Store this time in ``evals_by_dimension``, and reset the time and the counts.
        """
        seconds = (time.monotonic() - self._since) / max(self._evaluations, 1)
        self.evals_by_dimension[self._dimension] = seconds
        self._evaluations, self._since = 0, time.monotonic()
        return f"\n    {self._dimension}-D done in {seconds:.1e} seconds/evaluation"

    def print_timings(self) -> None:
        """Print a table of the seconds per evaluation in each dimension."""
        line = "  -----------------------------"
        print("  dimension seconds/evaluations", line, sep="\n")
        for dimension, seconds in sorted(self.evals_by_dimension.items()):
            print(f"    {dimension:3}      {seconds:.1e} ")
        print(line)

    @staticmethod
    def short_time_stap() -> str:
        """Return date and time of day in the form ``Jan20 18h27:56``."""
        return time.strftime("%b%d %Hh%M:%S")


class SameFunction:
    """Count successive problem identifiers that differ only in the instance.

    Attributes:
        count: The number of successive identifiers, including the last one.
    """

    def __init__(self) -> None:
        self.count = 0
        self._last: tuple[str, ...] = ()

    @staticmethod
    def filter(id: str) -> tuple[str, ...]:
        """Return the parts of an identifier without the instance."""
        return tuple(part for part in id.split("_") if not part.startswith("i"))

    def __call__(self, id: str) -> int:
        """Return how many identifiers directly before this one differ only in the instance."""
        parts = self.filter(id)
        self.count = self.count + 1 if parts == self._last else 1
        self._last = parts
        return self.count - 1


class ObserverOptions(dict[str, Any]):
    """Options of an observer: a mapping that `Observer` accepts."""

    def __init__(self, options: Mapping[str, Any] | None = None) -> None:
        super().__init__(options or {})

    def update(self, *args: Any, **kwargs: Any) -> ObserverOptions:  # type: ignore[override]
        """Set options, and return this object."""
        super().update(*args, **kwargs)
        return self

    def update_gracefully(self, options: Mapping[str, Any]) -> ObserverOptions:
        """Set the options that are not set yet, and return this object."""
        return self.update({**options, **self})

    @property
    def as_string(self) -> str:
        """The options as text."""
        return options_text(self)


def print_flush(*args: object) -> None:
    """Print without a newline, and flush the output."""
    print(*args, end="", flush=True)


def ascetime(sec: float, decimals: int = 0) -> str:
    """Format a duration as ``0h33:21``, or as ``5.67 sec``.

    Args:
        sec: Seconds. A negative value is written in the second form.
        decimals: Number of decimal places. If it is not 0, values below a minute are written in the
            second form.
    """
    if sec < 0 or (decimals and sec < 60):
        return f"{sec:.{max(decimals, 1)}f} sec"
    minutes, seconds = divmod(sec, 60)
    hours, minutes = divmod(int(minutes), 60)
    width = 2 if decimals == 0 else decimals + 3
    rest = seconds if decimals else math.floor(seconds)
    return f"{hours}h{minutes:02d}:{rest:0{width}.{decimals}f}"


def about_equal(a: float, b: float, precision: float = 1e-6) -> bool:
    """Return whether two numbers differ by at most ``precision`` times the larger number."""
    return math.isclose(a, b, rel_tol=precision)


def forgiving_import(module: str, warn_level: int = 0) -> ModuleType | None:
    """Import and return a module; return None if it cannot be imported.

    Args:
        module: The name of the module.
        warn_level: 0: no message. 1: print a message if the import fails. 2: raise the error.

    Raises:
        ImportError: The import failed, and ``warn_level`` is larger than 1.
    """
    try:
        return importlib.import_module(module)
    except ImportError:
        if warn_level > 1:
            raise
        if warn_level:
            print(f"importing module {module!r} failed")
        return None


def args_to_dict(
    args: Sequence[str],
    known_names: Iterable[str] | None,
    specials: Mapping[str, str] | None = None,
    split: str = "=",
    print: Callable[..., object] = lambda *args: None,
) -> dict[str, Any]:
    """Parse arguments of the command line of the form ``name=value``.

    Args:
        args: The arguments. A value that is a Python literal is evaluated. Other values remain
            texts.
        known_names: The allowed names. An argument may abbreviate a name to a unique beginning.
            None: all names are allowed.
        specials: Arguments with several integers, by name. For example, with
            ``{"batch": "current_batch/batches"}`` the argument ``batch=2/4`` gives the entries
            ``current_batch`` and ``batches``. None: no such arguments.
        split: The separator of name and value. Default: ``"="``.
        print: Function that is called with each line that shows a parsed value. Default: no output.

    Returns:
        The values by full name.

    Raises:
        UnknownNameError: A name is not allowed.
        SelectionError: An argument has no value, or a special argument has other integers than its
            names require.
    """
    allowed_names = None if known_names is None else list(known_names)
    parsed: dict[str, Any] = {}
    for argument in args:
        name, separator, text = argument.partition(split)
        if not separator or split in text:
            raise SelectionError(f"argument {argument!r} must read 'name{split}value'")
        if specials is not None and name in specials:
            numbers = _parse_integers(argument, text, specials[name].split("/"))
            print(f"{name}:")
            for key, number in numbers.items():
                print(f"  {key} = {number}")
            parsed |= numbers
            continue
        if allowed_names is not None and name not in allowed_names:
            name = _complete_name(name, allowed_names)
        parsed[name] = _parse_literal(text)
        print(f"{name} = {parsed[name]}")
    return parsed


def _complete_name(beginning: str, names: list[str]) -> str:
    """Return the only name with this beginning; raise UnknownNameError if there is not one."""
    matches = [name for name in names if name.startswith(beginning)]
    if len(matches) != 1:
        raise UnknownNameError.of("argument", beginning, names)
    return matches[0]


def _parse_integers(argument: str, text: str, names: Sequence[str]) -> dict[str, int]:
    """Parse a text such as ``1/3``, and return the integers by name.

    Args:
        argument: The whole argument, for the error message.
        text: The integers, separated by slashes.
        names: Name of each integer.
    """
    try:
        numbers = [int(part) for part in text.split("/")]
    except ValueError:
        numbers = []
    if len(numbers) != len(names):
        raise SelectionError(f"argument {argument!r} must read as 'batch=1/3': {'/'.join(names)}")
    return dict(zip(names, numbers, strict=True))


def _parse_literal(text: str) -> Any:
    """Evaluate a Python literal; return the text itself if it is not one."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def dict_to_eval(
    dict_: Mapping[Any, Any], ignore_list: str | tuple[str, ...] = ("_", "self")
) -> dict[Any, Any]:
    """Return the entries of a mapping that Python literals can represent.

    Args:
        dict_: The mapping.
        ignore_list: One or several beginnings of keys. Entries with these keys are omitted.
    """
    return {
        key: value
        for key, value in dict_.items()
        if not str(key).startswith(ignore_list) and _is_literal(key, value)
    }


def _is_literal(*values: Any) -> bool:
    """Return whether ``ast.literal_eval`` can evaluate the ``repr`` of all values."""
    try:
        ast.literal_eval(repr(values))
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return False
    return True


def write_setting(
    dict_: Mapping[str, Any],
    filename: str | Sequence[str],
    ignore_list: str | tuple[str, ...] | None = None,
) -> None:
    """Write the entries that `dict_to_eval` returns to a new file, for `read_setting`.

    If the file exists, it remains unchanged, and a warning is issued.

    Args:
        dict_: The mapping, usually ``locals()``.
        filename: The path of the file, or the parts of the path.
        ignore_list: Beginnings of keys that are left out. None: the default of `dict_to_eval`.
    """
    path = _join_path(filename)
    if os.path.exists(path):
        warnings.warn(f"{path!r} exists, and was left as it is", stacklevel=2)
        return
    entries = dict_to_eval(dict_) if ignore_list is None else dict_to_eval(dict_, ignore_list)
    with open(path, "w", encoding="utf-8") as file:
        file.write(repr(entries))


def read_setting(filename: str | Sequence[str], warn: bool = True) -> Any:
    """Return the entries that `write_setting` wrote; None if the file does not exist.

    Args:
        filename: The path of the file, or the parts of the path.
        warn: Issue a warning if the file does not exist.
    """
    path = _join_path(filename)
    if not os.path.isfile(path):
        if warn:
            warnings.warn(f"there is no file {path!r}", stacklevel=2)
        return None
    with open(path, encoding="utf-8") as file:
        return ast.literal_eval(file.read())


def _join_path(filename: str | Sequence[str]) -> str:
    return filename if isinstance(filename, str) else os.path.join(*filename)
