"""What a built-in optimizer is, and what the adapters of all packages share."""

from __future__ import annotations

import importlib.util
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ....loggers.records.log_header import version_of
from ...errors import OptimizerError

Solver = Callable[..., Any]
Vector = NDArray[np.float64]

UNLIMITED = 10**9
"""For a package's own limits on iterations: the run's budget is the limit."""


@dataclass(frozen=True, slots=True)
class Package:
    """A Python package that an optimizer needs."""

    module: str  # what is imported
    distribution: str  # what is installed
    licence: str  # as the package states it
    install: str = "'firsthit[solvers]'"  # what to type after ``pip install``

    @property
    def is_installed(self) -> bool:
        """Whether it can be found; it is not imported."""
        return importlib.util.find_spec(self.module) is not None

    @property
    def version(self) -> str:
        """Its version; ``""`` where it does not tell or is not there."""
        return version_of(self.distribution) or ""


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """One built-in optimizer."""

    solve: Solver
    about: str  # what it is, in a few words
    packages: tuple[Package, ...] = ()  # what it needs, the package that it is of first
    needs_budget: bool = False  # it never ends by itself
    batch: str = "no"  # "yes", "no", or the parameter with which one call evaluates many points
    restarts: bool = False  # it restarts by itself, and announces that
    integers: bool = False  # it is told of them; of others problems round what they are given
    bits: Literal["yes", "no", "only"] = "no"  # whether it evaluates bits, or nothing else
    constraints: bool = False  # it is given their values, or needs none
    objectives: tuple[int, ...] = (1,)  # how many it can be given: (1,), (2,) or (1, 2)
    ask_tell: Solver | None = None
    """Takes what ``solve`` takes and makes an object with ``ask()``, which gives a point, and
    ``tell(point, value)``, in any order: for evaluations in parallel. None where it must be told a
    whole generation first."""

    @property
    def parallel(self) -> str:
        """How it uses evaluators in parallel: ``asynchronous``, in ``batches``, or ``one``."""
        if self.ask_tell is not None:
            return "asynchronous"
        return {"yes": "batches", "no": "one"}.get(self.batch, f"batches with {self.batch}")

    @property
    def missing(self) -> tuple[Package, ...]:
        """The packages it needs that are not installed."""
        return tuple(package for package in self.packages if not package.is_installed)


@dataclass(frozen=True, slots=True)
class Ended:
    """How one start ended, as the package says."""

    message: str = ""
    nfev: int | None = None  # evaluations of this start by the package's own counter


@dataclass(frozen=True)
class Method:
    """A callable of a function for a whole package and the name of one of its methods."""

    function: Solver  # called as ``function(name, problem, …, **options)``
    name: str
    options: Mapping[str, Any] = field(default_factory=dict)  # None leaves the package's default

    def __call__(self, *offered: Any, **named: Any) -> Any:
        """One start."""
        given = {k: v for k, v in {**self.options, **named}.items() if v is not None}
        return self.function(self.name, *offered, **given)

    @property
    def __signature__(self) -> inspect.Signature:
        """That of the function without ``name``, and each option by name."""
        taken = list(inspect.signature(self.function).parameters.values())[1:]
        first = [p for p in taken if p.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
        rest = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=value)
            for name, value in self.options.items()
        ]
        return inspect.Signature([*first, *rest])


def finite_bounds(who: str, problem: Any) -> tuple[Vector, Vector]:
    """Lower and upper bounds, each of shape ``(dimension,)``; raises where one is infinite."""
    lower, upper = problem.lower_bounds, problem.upper_bounds
    if not (np.isfinite(lower).all() and np.isfinite(upper).all()):
        raise OptimizerError(f"{who} needs finite bounds; the problem has {lower} and {upper}")
    return lower, upper


def with_integers(problem: Any, points: Vector) -> Vector:
    """Points ``(n, dimension)``, their integer variables rounded, halves upwards, in the bounds."""
    k = problem.number_of_integer_variables
    rounded = points.copy()
    low, high = problem.lower_bounds[:k], problem.upper_bounds[:k]
    rounded[:, :k] = np.clip(np.floor(points[:, :k] + 0.5), low, high)
    return rounded


def first_steps(problem: Any, share: float) -> Vector:
    """A share of the region's width in each variable, shape ``(dimension,)``; integers: >= 1."""
    if not 0 < share <= 1:
        raise OptimizerError(f"first_step is a share of the bounds' width, in (0, 1]; got {share}")
    low, high = finite_bounds("first_step", problem)
    steps = share * (high - low)
    integers = problem.number_of_integer_variables
    steps[:integers] = np.maximum(steps[:integers], 1.0)
    return steps


def first_sigma(problem: Any, given: float | None) -> float:
    """The first step size of CMA-ES, by default a fifth of the region's mean width."""
    if given is not None:
        return given
    return float(np.mean(problem.upper_bounds - problem.lower_bounds)) / 5
