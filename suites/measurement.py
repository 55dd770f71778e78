"""How runs on a suite are measured: the indicator, its targets, and the final one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal, localcontext
from itertools import pairwise

from .errors import SuiteError


def _coco_targets() -> tuple[float, ...]:
    """The 51 precisions 10**(2 - i/5): 1e2 … 1e-8, each the float64 nearest to it."""
    with localcontext() as context:
        context.prec = 40
        return tuple(float(Decimal(10) ** (Decimal(10 - i) / 5)) for i in range(51))


COCO_TARGETS = _coco_targets()
"""The targets of a profile on one objective (Hansen et al. 2016, arXiv:1605.03560, section 5.2)."""

BIOBJECTIVE_TARGETS = (
    *(10.0 ** (-i / 10) for i in range(51)),
    0.0,
    *(-(10.0 ** (i / 5 - 5)) for i in range(6)),
)
"""The 58 targets of COCO for hypervolumes: 1 … 1e-5, 0, and -1e-5 … -1e-4, above the reference."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """What a suite says of how its runs are measured; targets descend, and may be 0 and below."""

    indicator: str = "best-feasible"  # its name
    targets: tuple[float, ...] = COCO_TARGETS
    final_target: float | None = 1e-8  # where a problem is solved, and a run may end

    def __post_init__(self) -> None:
        targets = tuple(map(float, self.targets))
        descend = all(a > b for a, b in pairwise(targets))
        if not targets or not descend or not all(map(math.isfinite, targets)):
            raise SuiteError("targets must be finite precisions, easiest first, each once")
        object.__setattr__(self, "targets", targets)


STANDARD = Measurement()
"""Of a suite that says nothing else: one objective, 51 targets, solved at 1e-8."""
