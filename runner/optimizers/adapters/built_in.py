"""Declare built-in optimizers, and share code between the adapters of all packages.

An adapter is a function that makes one start of an optimizer on an observed problem, and returns a
`StartResult`. `BuiltIn` describes an optimizer: its adapter, its packages and the kinds of problems
that it can optimize. A package often has one function for many methods. `Method` then makes the
adapter of one method from that function, the method's name and its options. The functions at the
end convert bounds and step sizes.
"""

from __future__ import annotations

import importlib.util
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from ....loggers.records.log_header import version_of
from ....suites.arrays import Floats
from ...errors import OptimizerError

Solver = Callable[..., Any]
"""Adapter of an optimizer."""

UNLIMITED = 10**9
"""Limit of iterations that adapters pass to packages. No run reaches it.

Only the budget of the run limits a start.
"""


@dataclass(frozen=True, slots=True)
class Package:
    """A Python package that an optimizer needs."""

    module: str  # name for ``import``
    distribution: str  # name on PyPI
    licence: str  # as the package states it
    install: str = "'firsthit[solvers]'"  # argument of ``pip install``

    @property
    def is_installed(self) -> bool:
        """Whether the package can be imported; it is not imported."""
        return importlib.util.find_spec(self.module) is not None

    @property
    def version(self) -> str:
        """Version of the package; ``""`` if it is unknown or not installed."""
        return version_of(self.distribution) or ""


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """Description of one built-in optimizer.

    Attributes:
        solve: Adapter of the optimizer.
        about: Method of the optimizer in a few words.
        packages: Packages that the optimizer needs. The package that implements it is the first.
        needs_budget: Whether the optimizer never ends by itself.
        batch: Whether the optimizer evaluates several points with one call of the problem:
            ``"yes"``, ``"no"``, or the name of the parameter that makes it do so.
        restarts: Whether the optimizer restarts by itself, and announces its restarts.
        integers: Whether the optimizer handles integer variables. If not, it proposes real values,
            and the problem rounds them.
        bits: Whether the optimizer accepts problems of bits. ``"only"``: it accepts no others.
        constraints: Whether the optimizer accepts problems with constraints.
        objectives: Numbers of objectives that the optimizer accepts.
        ask_tell: Function for simulated parallel evaluation, with the arguments of ``solve``. It
            returns an object with ``ask()``, which returns a point, and ``tell(point, value)``,
            which accepts values in any order. None: the optimizer must be told all values of a
            generation together.
    """

    solve: Solver
    about: str
    packages: tuple[Package, ...] = ()
    needs_budget: bool = False
    batch: str = "no"
    restarts: bool = False
    integers: bool = False
    bits: Literal["yes", "no", "only"] = "no"
    constraints: bool = False
    objectives: tuple[int, ...] = (1,)
    ask_tell: Solver | None = None

    @property
    def parallel(self) -> str:
        """How the optimizer uses several evaluators, as text for tables.

        ``asynchronous``: all evaluators, point by point. ``batches`` or ``batches with PARAMETER``:
        all evaluators, batch by batch. ``one``: only one evaluator.
        """
        if self.ask_tell is not None:
            return "asynchronous"
        return {"yes": "batches", "no": "one"}.get(self.batch, f"batches with {self.batch}")

    @property
    def missing(self) -> tuple[Package, ...]:
        """Packages that the optimizer needs and that are not installed."""
        return tuple(package for package in self.packages if not package.is_installed)


@dataclass(frozen=True, slots=True)
class StartResult:
    """Result of one start, as the package reports it.

    Attributes:
        message: Reason why the start ended.
        nfev: Number of evaluations of this start that the package counted. None: unknown.
    """

    message: str = ""
    nfev: int | None = None


@dataclass(frozen=True)
class Method:
    """Adapter of one optimizer, made from a function for several optimizers.

    Attributes:
        function: Function that is called as ``function(name, problem, …, **options)``. If ``name``
            is None, it is called without the first argument.
        name: Name of the method in the package. None: the function takes no name.
        options: Parameters that a campaign may set, and their defaults. If the default is None and
            the campaign does not set the parameter, the parameter is not passed to the function.
            The default of the function or the package then applies.
    """

    function: Solver
    name: str | None
    options: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, *offered: Any, **keywords: Any) -> Any:
        """Make one start.

        Args:
            *offered: Arguments that the run offers, such as the problem and the start point.
            **keywords: Arguments by name, including the parameters that the campaign sets.
        """
        arguments = {**self.options, **keywords}
        arguments = {name: value for name, value in arguments.items() if value is not None}
        method = () if self.name is None else (self.name,)
        return self.function(*method, *offered, **arguments)

    @property
    def __signature__(self) -> inspect.Signature:
        """Signature of the adapter, which `resolve.plan_call` reads.

        Its parameters are those that a run offers to the function, and a keyword for each option.
        """
        parameters = list(inspect.signature(self.function).parameters.values())
        offered = [p for p in parameters if p.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
        options = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
            for name, default in self.options.items()
        ]
        return inspect.Signature([*(offered if self.name is None else offered[1:]), *options])


def finite_bounds(label: str, problem: Any) -> tuple[Floats, Floats]:
    """Return the bounds of a problem, or raise OptimizerError if one of them is infinite.

    Args:
        label: Name of the optimizer or option that needs finite bounds, for the message.
        problem: The observed problem.

    Returns:
        Lower and upper bounds, each of shape ``(dimension,)``.

    Raises:
        OptimizerError: A bound is infinite.
    """
    lower, upper = problem.lower_bounds, problem.upper_bounds
    if not (np.isfinite(lower).all() and np.isfinite(upper).all()):
        raise OptimizerError(f"{label} needs finite bounds; the problem has {lower} and {upper}")
    return lower, upper


def round_integers(problem: Any, points: Floats) -> Floats:
    """Return points with their integer variables rounded to the nearest value in the bounds.

    Args:
        problem: The observed problem, whose integer variables come first.
        points: Points, shape ``(n, dimension)``; they are not changed.

    Returns:
        New points of the same shape. Halves are rounded upwards.
    """
    k = problem.number_of_integer_variables
    rounded = points.copy()
    low, high = problem.lower_bounds[:k], problem.upper_bounds[:k]
    rounded[:, :k] = np.clip(np.floor(points[:, :k] + 0.5), low, high)
    return rounded


def first_steps(problem: Any, share: float) -> Floats:
    """Compute the first step of a search in each variable.

    Args:
        problem: The observed problem, with finite bounds.
        share: Length of a step as a share of the width of the bounds, in (0, 1].

    Returns:
        Steps > 0, shape ``(dimension,)``. In integer variables they are at least 1.

    Raises:
        OptimizerError: The share is out of range, or a bound is infinite.
    """
    if not 0 < share <= 1:
        raise OptimizerError(f"first_step is a share of the bounds' width, in (0, 1]; got {share}")
    low, high = finite_bounds("first_step", problem)
    steps = share * (high - low)
    integers = problem.number_of_integer_variables
    steps[:integers] = np.maximum(steps[:integers], 1.0)
    return steps


def first_sigma(problem: Any, sigma: float | None) -> float:
    """Return the first step size of CMA-ES.

    Args:
        problem: The observed problem, with finite bounds.
        sigma: Step size that the campaign sets. None: a fifth of the mean width of the bounds.
    """
    if sigma is not None:
        return sigma
    return float(np.mean(problem.upper_bounds - problem.lower_bounds)) / 5
