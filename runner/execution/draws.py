"""What the first starts of many runs draw from, computed for all of them at once.

NumPy mixes the words of one seed sequence in some microseconds, and a short run does not last much
longer. Here the same is done with arrays that have a column for each run. NumPy promises to keep
what a ``SeedSequence``, and a ``PCG64`` made of one, give; a test compares.

Source: M. E. O'Neill: Developing a seed_seq Alternative (2015), as NumPy implements it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.random.bit_generator import ISpawnableSeedSequence
from numpy.typing import NDArray

from .seeds import STATE_FACTOR, STATE_FIRST, Words, descendant, seed_number, seed_of

_Columns = NDArray[np.uint32]

_PROPOSALS = 2**32 - 1
_MANY = 10
"""From so many runs on it pays."""
_SIZE = 4
"""Words in a pool."""
_FIRST, _FACTOR = 0x43B0D7E5, 0x931E8875
_LEFT, _RIGHT, _HALF = np.uint32(0xCA01F9DD), np.uint32(0x4973F715), np.uint32(16)


class FirstDraw(NamedTuple):
    """What the first start of a run draws from.

    Attributes:
        words: What the run's seed sequence is made of.
        seed: The same as ``seed_number(descendant(words, 0))``.
        state: uint64 (4,), what ``PCG64`` takes of ``descendant(words, 0, 0)``.
    """

    words: Words
    seed: int
    state: NDArray[np.uint64]

    def generator(self) -> np.random.Generator:
        """The same as ``default_rng(descendant(words, 0, 0))``."""
        return np.random.Generator(np.random.PCG64(_Drawn(self.words, self.state)))

    def proposals(self) -> np.random.Generator:
        """What ``initial_solution_proposal`` draws from, in the whole run."""
        return np.random.default_rng(descendant(self.words, _PROPOSALS))


def first_draws(runs: Sequence[Words]) -> list[FirstDraw]:
    """What the first starts of runs draw from.

    Args:
        runs: What their seed sequences are made of: words of 32 bits, at least four.
    """
    draws: dict[Words, FirstDraw] = {}
    for length in set(map(len, runs)):
        alike = [words for words in runs if len(words) == length]
        found = _at_once(alike) if len(alike) >= _MANY else map(_by_itself, alike)
        draws.update(zip(alike, found, strict=True))
    return [draws[words] for words in runs]


def _by_itself(words: Words) -> FirstDraw:
    state = descendant(words, 0, 0).generate_state(_SIZE, np.uint64).astype(np.uint64)
    return FirstDraw(words, seed_number(descendant(words, 0)), state)


def _at_once(runs: Sequence[Words]) -> Iterator[FirstDraw]:
    """As ``_by_itself``, of runs with equally many words."""
    pool = _Pool(np.array(runs, dtype=np.uint32).T)
    pool.add(0)
    seeds = map(seed_of, pool.state(1)[0].tolist())
    pool.add(0)
    states = np.ascontiguousarray(pool.state(2 * _SIZE).T, "<u4").view("<u8").astype(np.uint64)
    return map(FirstDraw, runs, seeds, states)


class _Pool:
    """The pools of many seed sequences.

    Args:
        words: Shape ``(n_words, n_runs)``.
    """

    def __init__(self, words: _Columns) -> None:
        self._hashes = 0
        self._values = self._hashed(words[:_SIZE], _SIZE)
        for source in range(_SIZE):
            others = [i for i in range(_SIZE) if i != source]
            hashed = self._hashed(self._values[source], len(others))
            self._values[others] = _mixed(self._values[others], hashed)
        for word in words[_SIZE:]:
            self.add(word)

    def add(self, word: _Columns | int) -> None:
        """Mix a word in."""
        self._values = _mixed(self._values, self._hashed(np.asarray(word, np.uint32), _SIZE))

    def state(self, count: int) -> _Columns:
        """What ``generate_state(count)`` gives, shape ``(count, n_runs)``."""
        rows = [i % _SIZE for i in range(count)]
        return _hash(self._values[rows], _constants(STATE_FIRST, STATE_FACTOR, count + 1))

    def _hashed(self, values: _Columns, count: int) -> _Columns:
        """Values, each row of them hashed by the next function: shape ``(count, n_runs)``."""
        self._hashes += count
        constants = _constants(_FIRST, _FACTOR, self._hashes + 1)
        return _hash(values, constants[-count - 1 :])


def _hash(values: _Columns, constants: _Columns) -> _Columns:
    return _stirred((values ^ constants[:-1]) * constants[1:])


def _mixed(values: _Columns, hashed: _Columns) -> _Columns:
    return _stirred(values * _LEFT - hashed * _RIGHT)


def _stirred(values: _Columns) -> _Columns:
    stirred: _Columns = values ^ (values >> _HALF)
    return stirred


@lru_cache(maxsize=256)
def _constants(first: int, factor: int, count: int) -> _Columns:
    """The hash functions' constants, shape ``(count, 1)``."""
    powers = [first * pow(factor, k, 2**32) % 2**32 for k in range(count)]
    return np.array(powers, dtype=np.uint32)[:, np.newaxis]


class _Drawn(ISpawnableSeedSequence):
    """A seed sequence of which the one thing that ``PCG64`` asks for is known."""

    def __init__(self, words: Words, state: NDArray[np.uint64]) -> None:
        self._words, self._state = words, state

    @cached_property
    def _itself(self) -> np.random.SeedSequence:
        return descendant(self._words, 0, 0)

    def generate_state(self, n_words: int, dtype: Any = np.uint32) -> NDArray[Any]:
        if n_words == _SIZE and dtype is np.uint64:
            return self._state
        return self._itself.generate_state(n_words, dtype)

    def spawn(self, n_children: int) -> Any:
        return self._itself.spawn(n_children)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._itself, name)

    def __reduce__(self) -> Any:
        return self._itself.__reduce__()
