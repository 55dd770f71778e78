"""Every registered suite keeps the contract of problems; in each tier as much as fits."""

import subprocess
import sys

import pytest

from firsthit.suites import Suite, check_suite, suite_names

FORMS = {
    "bbob": (1, 7, 16, 20, 21),
    "bbob-biobj": (1, 55),
    "bbob-biobj-ext": (56,),
    "bbob-biobj-mixint": (92,),
    "bbob-boxed": (1, 21),
    "bbob-constrained": (1, 14, 53),
    "bbob-constrained-active-only": (27,),
    "bbob-constrained-no-disguise": (40,),
    "bbob-largescale": (1, 6, 21),
    "bbob-mixint": (1, 6),
    "bbob-noisy": (101, 115, 129),
    "ma-bbob": (1,),
    "pbo": (1, 14, 18, 21, 23, 25),
}
"""Functions of each suite that are made in different ways: the default tier checks these."""

NAMES = [name for name in suite_names() if name in FORMS]


def test_all_suites_are_checked():
    """A suite without a row in `FORMS` fails; other tests may have registered suites here."""
    code = "from firsthit.suites import suite_names; print(*suite_names())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert sorted(FORMS) == sorted(done.stdout.split())


@pytest.mark.parametrize("name", FORMS)
def test_functions_made_in_different_ways_keep_the_contract(name):
    suite = Suite(name)
    small = Suite(name, FORMS[name], suite.dimensions[0], [1])
    assert check_suite(small) == len(FORMS[name])


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMS)
def test_all_problems_keep_the_contract(name):
    suite = Suite(name)
    sizes = sorted({suite.dimensions[0], suite.dimensions[1], suite.dimensions[-1]} - {640, 320})
    assert check_suite(Suite(name, dimensions=sizes, instances=[1, 15])) > 0
