"""The hypervolumes that COCO measures from: what it knows, and a placeholder elsewhere."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

KNOWN = "COCO 2.8.2"
"""Name of the references in ``hypervolume.csv``."""

PLACEHOLDER = "COCO's placeholder"
"""Name of the reference 1.0, the largest there could be, where no hypervolume is known."""


@cache
def _table() -> dict[tuple[int, int], list[float]]:
    """The hypervolumes of instances 1 … 10, by function and dimension."""
    text = (files(__package__) / "hypervolume.csv").read_text(encoding="utf-8")
    lines = [line.split(",") for line in text.splitlines() if not line.startswith("#")]
    return {
        (int(function), int(dimension)): [float(value) for value in values]
        for function, dimension, *values in lines[1:]
    }


def reference(function: int, dimension: int, instance: int) -> tuple[float, str]:
    """The hypervolume, in [0, 1], that COCO measures from on bbob-biobj, and its name."""
    known = _table().get((function, dimension), [])
    if instance > len(known):
        return 1.0, PLACEHOLDER
    return known[instance - 1], KNOWN
