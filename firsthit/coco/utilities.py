"""``cocoex.utilities``: progress on the screen, settings in files and from the command line."""

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

_CALLS_A_LINE = 50
_DAY = 24 * 3600


class MiniPrint:
    """Prints a symbol for each problem: ``|`` final target hit, ``:`` restarted, ``.`` otherwise.

    The dimension stands above, the function before its problems.
    """

    def __init__(self) -> None:
        self._dimension: int | None = None
        self._function: int | None = None
        self._last_index = -1
        self._calls = 0
        self._sweeps = 0
        self._began = time.time()

    @property
    def stime(self) -> str:
        """The time of day, and the days since the first print."""
        days = int((time.time() - self._began) / _DAY)
        now = time.localtime()
        return f"{now.tm_hour}h{time.strftime('%M:%S', now)}" + f"+{days}d" * bool(days)

    def __call__(
        self, problem: Problem, final: bool = False, restarted: int = 0, final_message: bool = False
    ) -> None:
        """Print the symbol of a problem that was run.

        Args:
            problem: The problem.
            final: Whether it is the last one.
            restarted: Whether the algorithm was restarted.
            final_message: Say so after the last one.
        """
        text = self._place(problem)
        text += "|" if problem.final_target_hit else ":" if restarted else "."
        if final:
            self._sweeps += 1
            text += f"\nSuite done ({self._sweeps})\n" * final_message
        self._calls += 1
        print(text, end="", flush=True)

    def _place(self, problem: Problem) -> str:
        """Dimension and function, where they are new."""
        text = ""
        if problem.dimension != self._dimension or problem.index < self._last_index:
            text = f"{chr(10) * (self._dimension is not None)}{problem.dimension}D {self.stime}\n"
            self._function, self._calls = None, 0
        if problem.id_function != self._function:
            if self._calls >= _CALLS_A_LINE:
                text, self._calls = text + "\n", 0
            text += f"{f'f{problem.id_function}':>3}"
        self._dimension, self._function = problem.dimension, problem.id_function
        self._last_index = problem.index
        return text


class ShortInfo:
    """Prints dimension and function when they change, and what an evaluation took.

    To be called before the solver; ``add_evals`` after it.
    """

    def __init__(self) -> None:
        self._function = ""
        self._dimension = 0
        self._since = time.time()
        self._evaluations = self._runs = 0
        self.evals_by_dimension: dict[int, float] = {}

    def print(self, problem: Problem, end: str = "", **options: Any) -> None:
        """Print what is new of a problem, with the options of Python's ``print``."""
        print(self(problem), end=end, **options)

    def __call__(self, problem: Problem) -> str:
        """What is new of a problem, as text; ``""`` where only the instance is."""
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
        """Count evaluations and runs of the solver."""
        self._evaluations += evals
        self._runs += runs

    def function_done(self) -> str:
        """How many runs there were on a function, as text; ``""`` where there were none."""
        text = f"{f'({self._runs})':<5} " if self._runs else ""
        self._runs = 0
        return text

    def dimension_done(self) -> str:
        """What an evaluation took in a dimension, as text; the next one begins."""
        seconds = (time.time() - self._since) / max(self._evaluations, 1)
        self.evals_by_dimension[self._dimension] = seconds
        self._evaluations, self._since = 0, time.time()
        return f"\n    {self._dimension}-D done in {seconds:.1e} seconds/evaluation"

    def print_timings(self) -> None:
        """Print a table of what an evaluation took in each dimension."""
        line = "  -----------------------------"
        print("  dimension seconds/evaluations", line, sep="\n")
        for dimension, seconds in sorted(self.evals_by_dimension.items()):
            print(f"    {dimension:3}      {seconds:.1e} ")
        print(line)

    @staticmethod
    def short_time_stap() -> str:
        """Date and time of day, as ``Jan20 18h27:56``."""
        return time.strftime("%b%d %Hh%M:%S")


class SameFunction:
    """Counts instances of one function that follow each other; called with identifiers.

    Attributes:
        count: How many there were up to now.
    """

    def __init__(self) -> None:
        self.count = 0
        self._last: tuple[str, ...] = ()

    @staticmethod
    def filter(id: str) -> tuple[str, ...]:
        """The parts of an identifier without the instance."""
        return tuple(part for part in id.split("_") if not part.startswith("i"))

    def __call__(self, id: str) -> int:
        """How many identifiers directly before differ in the instance alone."""
        parts = self.filter(id)
        self.count = self.count + 1 if parts == self._last else 1
        self._last = parts
        return self.count - 1


class ObserverOptions(dict[str, Any]):
    """Options of an observer, which `Observer` takes as they are."""

    def __init__(self, options: Mapping[str, Any] | None = None) -> None:
        super().__init__(options or {})

    def update(self, *args: Any, **kwargs: Any) -> ObserverOptions:  # type: ignore[override]
        """Set options."""
        super().update(*args, **kwargs)
        return self

    def update_gracefully(self, options: Mapping[str, Any]) -> ObserverOptions:
        """Set the options that are not there yet."""
        return self.update({**options, **self})

    @property
    def as_string(self) -> str:
        """The options as text."""
        return options_text(self)


def print_flush(*args: object) -> None:
    """Print at once, without an end of line."""
    print(*args, end="", flush=True)


def ascetime(sec: float, decimals: int = 0) -> str:
    """Seconds as text: ``0h33:21``; with decimals below a minute as ``5.67 sec``."""
    if sec < 0 or (decimals and sec < 60):
        return f"{sec:.{max(decimals, 1)}f} sec"
    minutes, seconds = divmod(sec, 60)
    hours, minutes = divmod(int(minutes), 60)
    width = 2 if decimals == 0 else decimals + 3
    rest = seconds if decimals else math.floor(seconds)
    return f"{hours}h{minutes:02d}:{rest:0{width}.{decimals}f}"


def about_equal(a: float, b: float, precision: float = 1e-6) -> bool:
    """Whether two numbers differ by at most ``precision`` times the larger one."""
    return math.isclose(a, b, rel_tol=precision)


def forgiving_import(module: str, warn_level: int = 0) -> ModuleType | None:
    """Import a module; None where it is missing.

    Args:
        module: Its name.
        warn_level: 1 prints that it is missing, 2 raises ImportError.
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
    """Arguments of the command line, ``name=value`` each, as a mapping.

    Args:
        args: The arguments; a value that is a Python literal is read as such.
        known_names: The names that are allowed, and their unique beginnings; None for all.
        specials: ``{"batch": "current_batch/batches"}`` reads ``batch=2/4`` into these two.
        split: What separates name and value.
        print: Shows what was read.

    Raises:
        UnknownNameError: A name is not known.
        SelectionError: An argument has no value, or not two numbers where two are wanted.
    """
    known = None if known_names is None else list(known_names)
    read: dict[str, Any] = {}
    for argument in args:
        name, separator, text = argument.partition(split)
        if not separator or split in text:
            raise SelectionError(f"argument {argument!r} must read 'name{split}value'")
        if name in (specials or {}):
            assert specials is not None
            values = _pair(argument, text, specials[name].split("/"))
            print(f"{name}:")
            for key, number in values.items():
                print(f"  {key} = {number}")
            read |= values
            continue
        if known is not None and name not in known:
            name = _completed(name, known)
        read[name] = _literal(text)
        print(f"{name} = {read[name]}")
    return read


def _completed(name: str, known: list[str]) -> str:
    found = [other for other in known if other.startswith(name)]
    if len(found) != 1:
        raise UnknownNameError.of("argument", name, known)
    return found[0]


def _pair(argument: str, text: str, names: Sequence[str]) -> dict[str, int]:
    try:
        numbers = [int(part) for part in text.split("/")]
    except ValueError:
        numbers = []
    if len(numbers) != len(names):
        raise SelectionError(f"argument {argument!r} must read as 'batch=1/3': {'/'.join(names)}")
    return dict(zip(names, numbers, strict=True))


def _literal(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def dict_to_eval(
    dict_: Mapping[Any, Any], ignore_list: str | tuple[str, ...] = ("_", "self")
) -> dict[Any, Any]:
    """The entries that ``ast.literal_eval`` reads back from their text.

    Args:
        dict_: Any mapping.
        ignore_list: Keys that begin so are left out.
    """
    return {
        key: value
        for key, value in dict_.items()
        if not str(key).startswith(ignore_list) and _is_literal(key, value)
    }


def _is_literal(*values: Any) -> bool:
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
    """Write the entries of ``dict_to_eval`` to a file that is not there yet.

    Args:
        dict_: Mostly ``locals()``.
        filename: The file, or the parts of its path.
        ignore_list: As of ``dict_to_eval``.
    """
    path = _path(filename)
    if os.path.exists(path):
        warnings.warn(f"{path!r} exists, and was left as it is", stacklevel=2)
        return
    kept = dict_to_eval(dict_) if ignore_list is None else dict_to_eval(dict_, ignore_list)
    with open(path, "w", encoding="utf-8") as file:
        file.write(repr(kept))


def read_setting(filename: str | Sequence[str], warn: bool = True) -> Any:
    """What ``write_setting`` wrote; None where there is no file, with a warning by default."""
    path = _path(filename)
    if not os.path.isfile(path):
        if warn:
            warnings.warn(f"there is no file {path!r}", stacklevel=2)
        return None
    with open(path, encoding="utf-8") as file:
        return ast.literal_eval(file.read())


def _path(filename: str | Sequence[str]) -> str:
    return filename if isinstance(filename, str) else os.path.join(*filename)
