"""What first starts draw from, computed for many runs at once, is what NumPy gives for each."""

import pickle
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firsthit.runner.execution import draws
from firsthit.runner.execution.contained import preserved_generators, seed_global_generators
from firsthit.runner.execution.draws import first_draws
from firsthit.runner.execution.seeds import descendant, seed_number

WORD = st.integers(0, 2**32 - 1)
MANY = st.integers(9, 12).flatmap(
    lambda count: st.lists(st.tuples(*[WORD] * count), min_size=draws._MANY, max_size=20)
)
EDGES = [(0,) * 9, (2**32 - 1,) * 9, (1, *range(8)), (5, 6, 7, 8), (1, 2, 3, 4, 5, *range(16))]


def check(runs):
    for words, draw in zip(runs, first_draws(runs), strict=True):
        assert draw.words == words
        assert draw.seed == seed_number(descendant(words, 0))
        theirs = np.random.default_rng(descendant(words, 0, 0))
        assert draw.generator().bit_generator.state == theirs.bit_generator.state


@settings(max_examples=100, deadline=None)
@given(MANY)
def test_they_are_those_of_numpy(runs):
    check(runs)


@pytest.mark.parametrize("many", [1, 10**9])
def test_at_the_edges_many_at_once_and_each_by_itself(many, monkeypatch):
    monkeypatch.setattr(draws, "_MANY", many)
    check(EDGES * 3)


def test_the_generator_is_as_good_as_numpys_own():
    words = EDGES[2]
    [draw] = first_draws([words])
    ours, theirs = draw.generator(), np.random.default_rng(descendant(words, 0, 0))
    copy = pickle.loads(pickle.dumps(ours))
    assert copy.random(4).tolist() == ours.random(4).tolist() == theirs.random(4).tolist()
    for _ in range(2):  # the children of the second call are others
        pairs = zip(ours.spawn(3), theirs.spawn(3), strict=True)
        assert all(our.integers(10**9) == their.integers(10**9) for our, their in pairs)
    seeds = ours.bit_generator.seed_seq
    assert seeds.generate_state(7).tolist() == descendant(words, 0, 0).generate_state(7).tolist()
    assert seeds.entropy.tolist() == [*words, 0, 0]
    assert seeds.spawn_key == ()
    with pytest.raises(AttributeError, match="entropie"):
        seeds.entropie  # noqa: B018


@pytest.mark.parametrize("seed", [1, 2, 12345, 2**31 - 1])
def test_global_generators_are_seeded_as_by_their_own_functions(seed):
    with preserved_generators():
        random.gauss()  # one that remembers another for the next call
        seed_global_generators(seed)
        ours = random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002
        random.seed(seed)
        np.random.seed(seed)  # noqa: NPY002
        assert (random.getstate(), np.random.get_state()[1].tolist()) == ours  # noqa: NPY002
