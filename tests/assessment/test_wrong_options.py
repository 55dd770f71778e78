"""Nonsense for each option of each question is answered by one sentence."""

import math

import pytest

import firsthit
from firsthit.suites import FirsthitError

from .questions import INDEX, OF_TWO_OBJECTIVES, ask

ALL_HAVE = {
    "algorithms": {"nix": "unknown algorithm 'nix'", (): "algorithms: none given"},
    "suites": {"bbop": "unknown suite 'bbop'"},
    "functions": {9: "functions 9 not available; there is 1", "x": "functions 'x' is not a list"},
    "dimensions": {40: "dimensions 40 not available; there is 2, 5"},
    "instances": {99: "instances 99 not available; there is 1-3"},
}
WRONG = {
    "against": {"nix": "unknown algorithm 'nix'"},
    "alpha": {0.0: "alpha is 0.0, must lie between 0 and 1", 1.0: "alpha is 1.0"},
    "axis": {"evals/D": "unknown unit of budgets 'evals/D'", "batches:0": "such as batches:8"},
    "background": {"nix": "no log at 'nix'"},
    "budget": {
        "ten": "'ten' is no number", -1: "-1 is no positive number",
        0.1: r"0.1 is less than one evaluation; .* is written 0.1\*D",
    },
    "budgets": {
        "ten": "'ten' is no number", "0": "0 is no positive number", (): "budgets: none given",
        0.1: r"0.1 is less than one evaluation; .* is written 0.1\*D",
    },
    "features": {"nix.csv": "cannot be read as CSV"},
    "fractions": dict.fromkeys(("0", "101", "half", (math.nan,)), "is no percentage above 0"),
    "indicators": {"igd": r"unknown indicator of archives 'igd'. Did you mean 'igd\+'"},
    "interval": {95: "level is 95, must lie between 0 and 1", 0: "level is 0"},
    "levels": dict.fromkeys(("0", "101", "half", ""), "percentages"),
    "lower": dict.fromkeys((0, -1, math.nan, 1e2), "0 < lower < upper"),
    "names": {"nix": "unknown parameter 'nix'"},
    "output": {"a.txt": r"must end in \.csv"},
    "penalty": {0.0: "penalty is 0, must be positive and finite"},
    "reference": {"nix": "unknown reference 'nix'|give both or none"},
    "reference_fronts": {"nix.csv": "cannot read nix.csv"},
    "rounds": {0: "rounds is 0, must be at least 1"},
    "samples": {0: "samples is 0, must be an integer >= 1"},
    "seed": {-1: "seed is -1, must be an integer >= 0", 1.5: "seed is 1.5"},
    "surfaces": dict.fromkeys(("0", "101", "medium", ()), "surfaces: "),
    "target": {"x": "'x' is no number"},
    "targets": {
        "1e1;2": "'1e1;2' is no number", 1e-9: "at least 1e-8", (): "targets: none given",
        "runlength": "need a reference|'runlength' is no number",
    },
    "tau": dict.fromkeys(("0.1,2", "x"), "is no number between 0 and 1"),
    "upper": dict.fromkeys((0, 1e-8, math.inf), "0 < lower < upper"),
}  # fmt: skip
"""Of each option that is no choice: what is wrong, and what is said of it."""


def nonsense(name):
    """Options of a question with what is wrong, and a pattern of the sentence."""
    for option in INDEX[name]["options"]:
        if option["kind"] == "choice":
            wrong = option["choices"][0][:-1]
            yield option["name"], wrong, f"'{wrong}'.* (Did you mean|must be one of)"
        elif option["kind"] != "bool":
            for wrong, said in WRONG[option["name"]].items():
                yield option["name"], wrong, said
    for option, those in ALL_HAVE.items():
        for wrong, said in those.items():
            if not (INDEX[name]["two"] and option == "algorithms"):
                yield option, wrong, said
    if INDEX[name]["counts"]:
        yield "count", "h", "unknown count 'h'"


def beside(name, option):
    """What must be given beside an option, so that it is looked at."""
    if name == "targets":
        return {"way": "runlength", "reference": "cma"}
    if (name, option) == ("matrix", "budget"):
        return {"measure": "aocc"}
    return {"interval": 0.9} if option == "seed" and name != "areas" else {}


@pytest.fixture(scope="module")
def results(log_folder, pairs_folder):
    """Of one objective, and of two."""
    return firsthit.load(log_folder), firsthit.load(pairs_folder)


@pytest.mark.parametrize("name", INDEX)
def test_it_is_one_sentence(name, results):
    of = results[name in OF_TWO_OBJECTIVES]
    for option, wrong, said in nonsense(name):
        with pytest.raises(FirsthitError, match=said) as error:
            ask(of, name, **beside(name, option) | {option: wrong})
        assert "\n" not in str(error.value)
