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
    """

    def __init__(self, kinds):
        self._numbers = self._drawn(kinds)
        self._call = _NEXT(lambda state: next(self._numbers))
        self._struct = _BitGenerator(next_double=self._call)
        address = ctypes.cast(ctypes.pointer(self._struct), ctypes.c_void_p)
        interface = SimpleNamespace(bit_generator=address)
        self.bit_generator = SimpleNamespace(ctypes=interface, lock=threading.Lock())

    @staticmethod
    def _drawn(kinds):
        of_uniform, of_normal = count(31), count(31)
        for kind in kinds:
            for draw in {"Gaussian": "N", "uniform": "UU", "Cauchy": "UNN"}[kind]:
                if draw == "U":
                    yield uniform(1, next(of_uniform))[0]
                else:
                    yield from uniform(2, next(of_normal))


def kind_of(function):
    """The noise of a function of ``bbob-noisy``."""
    return KINDS[(function - 101) % 3]
