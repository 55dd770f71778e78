"""The functions of bbob-noisy: a function of bbob without its penalty, and a noise model."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from ..arrays import Floats
from ..bbob import unimodal
from ..bbob.instances import FUNCTIONS, Function, Instance, Seeds, stack_rows
from . import kernels
from .noise import CAUCHY, GAUSSIAN, UNIFORM

NoiseKind = Literal["Gaussian", "uniform", "Cauchy"]
_KINDS: tuple[NoiseKind, ...] = ("Gaussian", "uniform", "Cauchy")  # in the order of the functions


@dataclass(frozen=True, slots=True)
class NoisyFunction:
    """One function of bbob-noisy."""

    seed: int  # number of bbob's function with whose seeds the instances are drawn
    function: Function
    kind: NoiseKind
    is_severe: bool  # False: moderate noise

    @classmethod
    def from_number(cls, number: int) -> NoisyFunction:
        """Return the function with a number of the suite, 101 to 130."""
        is_severe = number > 106
        base, kind = divmod(number - (107 if is_severe else 101), len(_KINDS))
        return cls(*_BASES[base], _KINDS[kind], is_severe)

    @property
    def name(self) -> str:
        """Name of the function, for people."""
        strength = "severe" if self.is_severe else "moderate"
        return f"{self.function.name}, {strength} {self.kind} noise"

    def build_noise_model(self, dimension: int) -> Floats:
        """Return the parameters of the noise, shape ``(3,)``, as in the table of ``noise``."""
        strength = 1.0 if self.is_severe else 0.01
        match self.kind:
            case "Gaussian":
                return np.array([GAUSSIAN, 0.0, strength])
            case "uniform":
                return np.array([UNIFORM, (0.49 + 1 / dimension) * strength, strength])
        return np.array([CAUCHY, strength, 0.2 if self.is_severe else 0.05])


def _draw_mild_ellipsoid(seeds: Seeds) -> Instance:
    """Draw an instance of bbob's f10 with the condition number 1e4 instead of 1e6."""
    return Instance(seeds.xopt, stack_rows(seeds.xopt, seeds.powers(1e4), seeds.r.T))


# Numbers of bbob's functions, and these functions without their penalty, in the order of the suite.
# Only the first two occur with moderate noise.
_BASES = (
    (1, FUNCTIONS[1]),
    (8, FUNCTIONS[8]),
    (7, replace(FUNCTIONS[7], kernel=unimodal.step_ellipsoid_of)),
    (10, replace(FUNCTIONS[10], draw_instance=_draw_mild_ellipsoid)),
    (14, FUNCTIONS[14]),
    (17, replace(FUNCTIONS[17], name="Schaffer F7", kernel=kernels.schaffers)),
    (19, replace(FUNCTIONS[19], kernel=kernels.griewank_rosenbrock)),
    (21, replace(FUNCTIONS[21], kernel=kernels.gallagher)),
)
