"""COCO's stream of random numbers, in the place of a NumPy generator."""

import ctypes
import threading
from itertools import count
from types import SimpleNamespace

from firsthit.suites.bbob.generators import uniform

KINDS = ("Gaussian", "uniform", "Cauchy")

_NEXT = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)


class _BitGenerator(ctypes.Structure):
    """NumPy's ``bitgen_t``."""

    _fields_ = (
        ("state", ctypes.c_void_p),
        ("next_uint64", ctypes.c_void_p),
        ("next_uint32", ctypes.c_void_p),
        ("next_double", _NEXT),
        ("next_raw", ctypes.c_void_p),
    )


class CocoStream:
    """What ``cocoex`` draws after a suite was made, as the numbers of a ``bit_generator``.

    Every draw takes the next of two counters, one for uniform and one for normal numbers, as the
    seed of a generator of its own, and that one's first number; a normal number is made of its
    first two.

    Args:
        kinds: Of the functions evaluated, in order: ``"Gaussian"``, ``"uniform"``, ``"Cauchy"``.
        before: How many of these evaluations were made before.
    """

    def __init__(self, kinds, before=0):
        self._numbers = self._drawn(kinds, before)
        self._call = _NEXT(lambda state: next(self._numbers))
        self._struct = _BitGenerator(next_double=self._call)
        address = ctypes.cast(ctypes.pointer(self._struct), ctypes.c_void_p)
        interface = SimpleNamespace(bit_generator=address)
        self.bit_generator = SimpleNamespace(ctypes=interface, lock=threading.Lock())

    @staticmethod
    def _drawn(kinds, before):
        of_uniform, of_normal = count(31), count(31)
        for number, kind in enumerate(kinds):
            for draw in {"Gaussian": "N", "uniform": "UU", "Cauchy": "UNN"}[kind]:
                seed = next(of_uniform if draw == "U" else of_normal)
                if number >= before:
                    yield from uniform(1 if draw == "U" else 2, seed)


def kind_of(function):
    """The noise of a function of ``bbob-noisy``."""
    return KINDS[(function - 101) % 3]
