"""The functions and noise models of bbob-noisy: which of bbob's functions, and what differs."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..bbob import unimodal
from ..bbob.instances import FUNCTIONS, Function, Instance, Seeds
from . import kernels
from .noise import CAUCHY, GAUSSIAN, UNIFORM

Array = NDArray[np.float64]


def _mild_ellipsoid(s: Seeds) -> Instance:
    """Bbob's f10 of conditioning 1e4 instead of 1e6."""
    return Instance(s.xopt, np.vstack([s.xopt, s.powers(1e4), s.r.T]))


@dataclass(frozen=True, slots=True)
class Base:
    """What is measured with noise: a function of bbob without its penalty."""

    seed: int  # bbob's number of it, from which instances are drawn
    function: Function


def _base(seed: int, **fields: object) -> Base:
    return Base(seed, replace(FUNCTIONS[seed], **fields))  # type: ignore[arg-type]


_SPHERE, _ROSENBROCK = _base(1), _base(8)
_SEVERE = (
    _SPHERE,
    _ROSENBROCK,
    _base(7, kernel=unimodal.step_ellipsoid_of),
    _base(10, instance=_mild_ellipsoid),
    _base(14),
    _base(17, name="Schaffer F7", kernel=kernels.schaffers),
    _base(19, kernel=kernels.griewank_rosenbrock),
    _base(21, kernel=kernels.gallagher),
)
_MODERATE = (_SPHERE, _ROSENBROCK)
_KINDS = ("Gaussian", "uniform", "Cauchy")


@dataclass(frozen=True, slots=True)
class NoisyFunction:
    """One function of bbob-noisy."""

    base: Base
    kind: str  # ``"Gaussian"``, ``"uniform"`` or ``"Cauchy"``
    is_severe: bool  # else moderate

    @classmethod
    def of(cls, number: int) -> NoisyFunction:
        """The function of that number, 101 to 130: three kinds of noise of each base."""
        is_severe = number > 106
        triple, kind = divmod(number - (107 if is_severe else 101), 3)
        return cls((_SEVERE if is_severe else _MODERATE)[triple], _KINDS[kind], is_severe)

    @property
    def name(self) -> str:
        """For people."""
        strength = "severe" if self.is_severe else "moderate"
        return f"{self.base.function.name}, {strength} {self.kind} noise"

    def model(self, dimension: int) -> Array:
        """What ``noise`` reads: the kind, alpha, and beta or p, shape ``(3,)``."""
        strength = 1.0 if self.is_severe else 0.01
        match self.kind:
            case "Gaussian":
                return np.array([GAUSSIAN, 0.0, strength])
            case "uniform":
                return np.array([UNIFORM, (0.49 + 1 / dimension) * strength, strength])
        return np.array([CAUCHY, strength, 0.2 if self.is_severe else 0.05])
