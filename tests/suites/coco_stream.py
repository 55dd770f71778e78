"""COCO's stream of random numbers, as a replacement of a NumPy generator."""

import ctypes
import threading
from itertools import count, islice
from types import SimpleNamespace

KINDS = ("Gaussian", "uniform", "Cauchy")

MODULUS = 2**31 - 1

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


def draw_uniform(seed):
    """Generate the uniform numbers that COCO draws with a seed.

    They come from Lehmer's multiplicative generator, 16807 modulo 2**31 - 1, with a Bays-Durham
    shuffle of 32 slots (Hansen et al. 2009, INRIA RR-6829).
    """
    state, slots = seed, [0] * 40
    for slot in reversed(range(40)):  # of the 40 slots, only the first 32 are used
        state = slots[slot] = 16807 * state % MODULUS
    last = slots[0]
    while True:
        state = 16807 * state % MODULUS
        slot = last // 67108865  # maps 31 bits to 32 slots
        last, slots[slot] = slots[slot], state
        yield last / MODULUS


class CocoStream:
    """The numbers that ``cocoex`` draws after a suite was made, as those of a ``bit_generator``.

    There are two counters, for uniform and for normal numbers. Each draw takes the next value of a
    counter as the seed of a new generator. A uniform number is the first number of this generator;
    a normal number is made from its first two numbers.

    Args:
        kinds: Noise of each evaluated function: ``"Gaussian"``, ``"uniform"`` or ``"Cauchy"``.
        before: Number of these evaluations whose numbers are skipped.
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
                    yield from islice(draw_uniform(seed), 1 if draw == "U" else 2)


def kind_of(function):
    """Return the noise of a function of ``bbob-noisy``."""
    return KINDS[(function - 101) % 3]
