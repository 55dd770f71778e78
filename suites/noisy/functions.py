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


_BASES = (
    (1, FUNCTIONS[1]),
    (8, FUNCTIONS[8]),
    (7, replace(FUNCTIONS[7], kernel=unimodal.step_ellipsoid_of)),
    (10, replace(FUNCTIONS[10], instance=_mild_ellipsoid)),
    (14, FUNCTIONS[14]),
    (17, replace(FUNCTIONS[17], name="Schaffer F7", kernel=kernels.schaffers)),
    (19, replace(FUNCTIONS[19], kernel=kernels.griewank_rosenbrock)),
    (21, replace(FUNCTIONS[21], kernel=kernels.gallagher)),
)
"""Numbers in bbob, and functions without their penalty; with moderate noise the first two."""
_KINDS = ("Gaussian", "uniform", "Cauchy")


@dataclass(frozen=True, slots=True)
class NoisyFunction:
    """One function of bbob-noisy."""

    seed: int  # the number in bbob of the function from which instances are drawn
    function: Function
    kind: str  # ``"Gaussian"``, ``"uniform"`` or ``"Cauchy"``
    is_severe: bool  # else moderate

    @classmethod
    def of(cls, number: int) -> NoisyFunction:
        """The function of that number, 101 to 130: three kinds of noise of each base."""
        is_severe = number > 106
        triple, kind = divmod(number - (107 if is_severe else 101), 3)
        return cls(*_BASES[triple], _KINDS[kind], is_severe)

    @property
    def name(self) -> str:
        """For people."""
        strength = "severe" if self.is_severe else "moderate"
        return f"{self.function.name}, {strength} {self.kind} noise"

    def model(self, dimension: int) -> Array:
        """What ``noise`` reads: the kind, alpha, and beta or p, shape ``(3,)``."""
        strength = 1.0 if self.is_severe else 0.01
        match self.kind:
            case "Gaussian":
                return np.array([GAUSSIAN, 0.0, strength])
            case "uniform":
                return np.array([UNIFORM, (0.49 + 1 / dimension) * strength, strength])
        return np.array([CAUCHY, strength, 0.2 if self.is_severe else 0.05])
