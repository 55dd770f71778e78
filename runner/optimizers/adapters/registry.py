"""Built-in optimizers: one module for each package, an adapter of a few lines for each optimizer.

A package is imported when one of its optimizers starts, not before. An adapter passes on the start
point, the bounds, the seed of the start and the campaign's parameters by name, evaluates in batches
where the package can, and returns the package's reason for stopping and its count of evaluations.
"""

from __future__ import annotations

from collections.abc import Mapping

from . import (
    cma,
    cmaes,
    nevergrad,
    nlopt,
    optuna,
    pybobyqa,
    pygmo,
    pymoo,
    random_search,
    scipy_global,
    scipy_minimize,
)
from .built_in import BuiltIn, Ended, Knows, Package
from .penalized import with_penalty
from .two_objectives import comocma
from .two_objectives import optuna as optuna_of_two
from .two_objectives import pygmo as pygmo_of_two
from .two_objectives import pymoo as pymoo_of_two

__all__ = ["BUILT_IN", "BuiltIn", "Ended", "Knows", "Package"]

_ADAPTERS: Mapping[str, BuiltIn] = {
    **random_search.OPTIMIZERS,
    **scipy_minimize.OPTIMIZERS,
    **scipy_global.OPTIMIZERS,
    **cma.OPTIMIZERS,
    **cmaes.OPTIMIZERS,
    **nevergrad.OPTIMIZERS,
    **nlopt.OPTIMIZERS,
    **comocma.OPTIMIZERS,
    **optuna.OPTIMIZERS,
    **optuna_of_two.OPTIMIZERS,
    **pybobyqa.OPTIMIZERS,
    **pygmo.OPTIMIZERS,
    **pygmo_of_two.OPTIMIZERS,
    **pymoo.OPTIMIZERS,
    **pymoo_of_two.OPTIMIZERS,
}
BUILT_IN: Mapping[str, BuiltIn] = {name: with_penalty(one) for name, one in _ADAPTERS.items()}
