"""How long an evaluation lasts in simulated time: a number, a law in words, or a function."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...suites.errors import unknown_name
from ..errors import CampaignError

Duration = Callable[[NDArray[np.float64], np.random.Generator], float]
"""Seconds, > 0, that the evaluation of a point lasts; drawn from the generator of the run."""

_NUMBER = r"\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\s*"
_LAW = re.compile(rf"\s*(\w+)\s*\(({_NUMBER}(?:,{_NUMBER})*)\)\s*", re.ASCII)
_FORMS = (
    "write seconds, constant(2), uniform(1, 3), exponential(2), lognormal(0, 0.5), or "
    "'path/file.py:function'"
)


@dataclass(frozen=True, slots=True)
class Law:
    """A law in words and its parameters; it does not depend on the point."""

    name: str
    parameters: tuple[float, ...]

    def __call__(self, x: NDArray[np.float64], rng: np.random.Generator) -> float:
        """Seconds of one evaluation."""
        if self.name == "constant":
            return self.parameters[0]
        return float(getattr(rng, self.name)(*self.parameters))

    def __str__(self) -> str:
        return f"{self.name}({', '.join(f'{number:.12g}' for number in self.parameters)})"


_LAWS: dict[str, tuple[int, Callable[..., bool], str]] = {
    "constant": (1, lambda seconds: seconds > 0, "seconds > 0"),
    "uniform": (2, lambda low, high: 0 <= low < high, "0 <= low < high"),
    "exponential": (1, lambda mean: mean > 0, "mean > 0"),
    "lognormal": (2, lambda mean, deviation: deviation >= 0, "deviation >= 0"),
}
"""Each law: how many numbers it has, which ones it takes, and that in words."""


def read_duration(given: object) -> Duration | str:
    """What a duration means: a law, a function, or the reference of a function.

    >>> str(read_duration("lognormal(0, .5)")), str(read_duration(2))
    ('lognormal(0, 0.5)', 'constant(2)')
    """
    if callable(given):
        return given
    if isinstance(given, int | float) and not isinstance(given, bool):
        return _law("constant", (float(given),))
    if not isinstance(given, str):
        raise CampaignError(f"duration is {_cut(given)}; {_FORMS}")
    if match := _LAW.fullmatch(given):
        return _law(match[1], tuple(float(number) for number in match[2].split(",")))
    if ":" in given:
        return given
    raise CampaignError(f"duration {_cut(given)} is not understood; {_FORMS}")


def _law(name: str, numbers: tuple[float, ...]) -> Law:
    if name not in _LAWS:
        raise CampaignError(f"duration: {unknown_name('law', name, _LAWS)}")
    count, fits, in_words = _LAWS[name]
    if len(numbers) != count or not all(map(math.isfinite, numbers)) or not fits(*numbers):
        raise CampaignError(f"duration {Law(name, numbers)}: {name} takes {in_words}")
    return Law(name, numbers)


def _cut(value: Any) -> str:
    return repr(value)[:60]
