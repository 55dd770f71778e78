"""How runs on a suite are measured: quality indicator, target precisions, and final target.

A suite declares a `Measurement`. It is written to the log of each run, and assessments read their
default targets there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal, localcontext
from itertools import pairwise

from .errors import SuiteError


def _compute_coco_targets() -> tuple[float, ...]:
    """Return the 51 precisions ``10^(2 - i/5)``, 1e2 … 1e-8, each rounded to the nearest float64.

    Computed with decimals, because ``10.0 ** (2 - i / 5)`` is often not the nearest float64.
    """
    with localcontext() as context:
        context.prec = 40
        return tuple(float(Decimal(10) ** (Decimal(10 - i) / 5)) for i in range(51))


# Default targets for one objective (Hansen et al. 2016, arXiv:1605.03560, section 5.2).
COCO_TARGETS = _compute_coco_targets()

# COCO's 58 targets for hypervolumes, relative to the reference value: 1 … 1e-5, 0, and
# -1e-5 … -1e-4. The negative ones are hypervolumes that exceed the reference value.
BIOBJECTIVE_TARGETS = (
    *(10.0 ** (-i / 10) for i in range(51)),
    0.0,
    *(-(10.0 ** (i / 5 - 5)) for i in range(6)),
)


@dataclass(frozen=True, slots=True)
class Measurement:
    """How the runs on a suite are measured.

    Attributes:
        indicator: Name of the quality indicator whose value a run records.
        targets: Default target precisions of assessments, in strictly descending order (easiest
            first). With two objectives they may be 0 and negative.
        final_target: Precision at which a problem counts as solved and a run may end. None: no
            precision ends a run.

    Raises:
        SuiteError: There are no targets, they do not descend, or one is not finite.
    """

    indicator: str = "best-feasible"
    targets: tuple[float, ...] = COCO_TARGETS
    final_target: float | None = 1e-8

    def __post_init__(self) -> None:
        targets = tuple(map(float, self.targets))
        is_descending = all(easier > harder for easier, harder in pairwise(targets))
        if not targets or not is_descending or not all(map(math.isfinite, targets)):
            raise SuiteError("targets must be finite precisions, easiest first, each once")
        object.__setattr__(self, "targets", targets)


# Measurement of a suite that declares nothing: one objective, 51 targets, solved at 1e-8.
STANDARD = Measurement()
