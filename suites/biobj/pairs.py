"""Pairs of functions and instances of bbob, and the hypervolumes to which precisions are relative.

Source: D. Brockhoff, A. Auger, N. Hansen, T. Tušar: Using well-understood single-objective
functions in multiobjective black-box optimization test suites, Evolutionary Computation 30(2),
2022; the pairs as in coco-experiment 2.8.2.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from itertools import combinations, combinations_with_replacement
from typing import NamedTuple

FUNCTIONS = (1, 2, 6, 8, 13, 14, 15, 17, 20, 21)
"""Functions of bbob, two of each group, of which bbob-biobj has all pairs, also with themselves."""

# The groups of bbob; f16 is in no pair.
_GROUPS = {
    "separable": range(1, 6),
    "moderate": range(6, 10),
    "ill-conditioned": range(10, 15),
    "multi-modal": (15, 17, 18, 19),
    "weakly structured": range(20, 25),
}

# fmt: off
INSTANCES = (
    (2, 4), (3, 5), (7, 8), (9, 10), (11, 12), (13, 14), (15, 16), (17, 18), (19, 21), (21, 22),
    (23, 24), (25, 26), (27, 28), (29, 30), (31, 34), (33, 34), (35, 36), (37, 38), (39, 40),
    (41, 42), (43, 44), (45, 47), (47, 48), (49, 51), (51, 52), (53, 54), (55, 56), (57, 58),
    (59, 60), (61, 63), (63, 64), (65, 68), (67, 68), (69, 70), (71, 72), (73, 74), (75, 77),
    (77, 79), (79, 80), (81, 82), (83, 84), (85, 86), (87, 88), (89, 91), (91, 92), (93, 94),
    (95, 97), (97, 98), (99, 100), (101, 102), (103, 104), (105, 106), (107, 108), (109, 110),
    (111, 112), (113, 114), (115, 116), (117, 118), (119, 120), (121, 122), (123, 125), (125, 126),
    (127, 128), (129, 130), (131, 132), (133, 135), (135, 136), (137, 138), (139, 141), (141, 142),
    (143, 144), (145, 148), (147, 148), (149, 151), (151, 152), (153, 156), (155, 156), (157, 158),
    (159, 160), (161, 162), (163, 164), (165, 166), (167, 169), (169, 170), (171, 175), (173, 175),
    (175, 176), (177, 178), (179, 180), (181, 182), (183, 184), (185, 186), (187, 188), (189, 190),
    (191, 192), (193, 196), (195, 196), (197, 198), (199, 200), (201, 202),
)
# fmt: on
"""The instances of both objectives, for instances 1 … 100 of the suites.

COCO lists the first 15; ``tests/golden/make_biobj_instances.py`` states the rule of the others.
"""


class Reference(NamedTuple):
    """The hypervolume to which precisions of a problem are relative."""

    value: float  # in [0, 1]
    name: str  # `KNOWN` or `PLACEHOLDER`


KNOWN = "COCO 2.8.2"
"""Name of the references in ``hypervolume.csv``."""

PLACEHOLDER = "COCO's placeholder"
"""Name of the reference 1.0, the largest possible one, for problems without a known hypervolume."""


def reference(function: int, dimension: int, instance: int) -> Reference:
    """Return the reference of a problem of bbob-biobj or bbob-biobj-ext.

    Args:
        function: Number of the function, 1 to 92.
        dimension: Number of variables.
        instance: Number of the instance.

    Returns:
        The hypervolume that COCO uses, or the placeholder 1.0.
    """
    hypervolumes = _read_hypervolumes().get((function, dimension), [])
    if instance > len(hypervolumes):
        return Reference(1.0, PLACEHOLDER)
    return Reference(hypervolumes[instance - 1], KNOWN)


def group_functions(n_functions: int) -> dict[str, list[int]]:
    """Return the first functions by group, under names such as ``"separable - multi-modal"``."""
    functions: dict[str, list[int]] = {}
    for function, pair in enumerate(PAIRS[:n_functions], 1):
        names = (name for f in pair for name, members in _GROUPS.items() if f in members)
        functions.setdefault(" - ".join(names), []).append(function)
    return functions


@cache
def _read_hypervolumes() -> dict[tuple[int, int], list[float]]:
    """Return the hypervolumes of instances 1 … 10, by function and dimension."""
    text = (files(__package__) / "hypervolume.csv").read_text(encoding="utf-8")
    lines = [line.split(",") for line in text.splitlines() if not line.startswith("#")]
    return {
        (int(function), int(dimension)): [float(value) for value in values]
        for function, dimension, *values in lines[1:]
    }


def _generate_pairs() -> Iterator[tuple[int, int]]:
    """Generate the pairs of `FUNCTIONS`, then the other pairs of each group."""
    first_pairs = tuple(combinations_with_replacement(FUNCTIONS, 2))
    yield from first_pairs
    for members in _GROUPS.values():
        for pair in combinations(members, 2):
            if pair not in first_pairs:
                yield pair


PAIRS = tuple(_generate_pairs())
"""Numbers in bbob of both objectives, for f1 … f92; the first 55 are those of bbob-biobj."""
