"""Rules that hold for every question of the registry, on logs of two algorithms."""

import numpy as np
import pytest

import firsthit
from firsthit.suites.facts import ProblemId

from .questions import INDEX, OF_TWO_OBJECTIVES, ask, options_of

JOINING = [name for name, question in INDEX.items() if question["joins"]]
WITH_INTERVALS = [name for name in INDEX if "interval" in options_of(name) and name != "ranks"]
"""Where they can be left out."""
OF_RUNS_ALONE = {"termination", "restarts", "parameters", "tuning", "timing"}
"""They compare nothing, so that instances do not matter."""
OF_PROBLEMS = {"matrix", "contributions", "data-profile", "performance-profile"}
"""They compare on the same instances, and refuse others."""


@pytest.fixture(scope="module")
def write_places(tmp_path_factory, write_log):
    """A function: places as {algorithm: [(function, dimension, instance), …]} -> results."""

    def write(places):
        folder = tmp_path_factory.mktemp("places")
        for number, (algorithm, mine) in enumerate(places.items(), 1):
            runs = [
                (ProblemId("bbob", f, d, i), 0.0, [9.0] * (f + number * i) + [1e-8])
                for f, d, i in mine
            ]
            write_log(folder / f"{algorithm}.h5", algorithm, runs)
        return firsthit.load(folder)

    return write


def places(functions, dimensions, instances):
    return [(f, d, i) for f in functions for d in dimensions for i in instances]


@pytest.fixture(scope="module")
def unequal(write_places):
    a, b = places((1, 2, 3), (2,), (1, 2, 3)), places((1, 2), (2,), (2, 3, 4, 5))
    return write_places({"a": a, "b": b + places((1, 2), (5,), (2, 3))})


@pytest.fixture(scope="module")
def common(write_places):
    """What both were run on."""
    return write_places(dict.fromkeys("ab", places((1, 2), (2,), (2, 3))))


@pytest.fixture(scope="module")
def crossed(write_places):
    """Both algorithms have instances 1-4, but not of the same function."""
    one, other = [(1, 2, 1), (1, 2, 2), (2, 2, 3), (2, 2, 4)], [(1, 2, 3), (1, 2, 4), (2, 2, 1)]
    return write_places({"a": one, "b": [*other, (2, 2, 2)]})


@pytest.mark.parametrize("name", JOINING)
def test_what_joins_functions_takes_what_all_were_run_on(name, unequal, common):
    more = {"shares": True} if name == "best" else {}
    table, everything = ask(unequal, name, **more), ask(unequal, name, unequal=True, **more)
    assert table.to_csv() == ask(common, name, **more).to_csv() != everything.to_csv()
    assert any("left out" in note for note in table.notes)
    assert not any("left out of" in note for note in everything.notes)


@pytest.mark.parametrize("name", sorted({*INDEX} - OF_TWO_OBJECTIVES - OF_RUNS_ALONE - OF_PROBLEMS))
def test_other_instances_of_a_function_are_named(name, crossed):
    words = "in 2 of 2 functions and dimensions (a on 1, 2, b on 3, 4; a on 3, 4, b on 1, 2)"
    assert any(words in note for note in ask(crossed, name).notes)


@pytest.mark.parametrize("name", WITH_INTERVALS)
def test_an_interval_adds_columns_and_changes_none(name, unequal):
    plain, table = (ask(unequal, name, interval=level) for level in (None, 0.9))
    assert {"low", "high"} <= {*table.names} - {*plain.names} <= {"low", "high", "at_least"}
    for column in plain.names:
        np.testing.assert_array_equal(plain[column], table[column])
    assert not any("interval" in note or "band" in note for note in plain.notes)
