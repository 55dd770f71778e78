"""The built-in optimizers by name.

A package is imported when one of its optimizers starts, not before. An adapter passes on the start
point, the bounds, the seed of the start and the campaign's parameters by name, evaluates in batches
where the package can, and returns the package's reason for stopping and its count of evaluations.
"""

from __future__ import annotations

from collections.abc import Mapping

from .adapters import (
    cma,
    cmaes,
    comocma,
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
from .adapters.built_in import BuiltIn
from .adapters.penalized import with_penalty

_ADAPTERS = (
    random_search, scipy_minimize, scipy_global, cma, cmaes, nevergrad, nlopt, comocma, optuna,
    pybobyqa, pygmo, pymoo,
)  # fmt: skip
BUILT_IN: Mapping[str, BuiltIn] = {
    name: with_penalty(one) for adapter in _ADAPTERS for name, one in adapter.OPTIMIZERS.items()
}
