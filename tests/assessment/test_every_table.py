"""Every question on data of every kind: a table in every form, or one sentence; one on nonsense."""

import csv
import io
import json
import math
import re

import pytest

import firsthit
from firsthit.assessment import AssessmentError
from firsthit.suites import FirsthitError

from ..command_line import succeed
from .questions import OF_TWO_OBJECTIVES, QUESTIONS, ask, options_of
from .test_latex import check_tables

BASIS = re.compile(r"runs: .*\d+(-\d+)? on each function and dimension \(instances .+; .+\.")
REFUSED = {
    "runs on two objectives have one": lambda name, kind: (
        name in OF_TWO_OBJECTIVES and kind != "two objectives"
    ),
    "two algorithms|share no function": lambda name, kind: (
        name in ("attainment-difference", "compare", "ranks") and kind == "one run"
    ),
    "compares values of one objective": lambda name, kind: (
        name in ("data-profile", "performance-profile") and kind == "two objectives"
    ),
    "no parameter was noted": lambda name, kind: (
        name == "parameters" and kind in ("runs without evaluations", "two objectives")
    ),
    "points: a table has one dimension|no points were recorded": lambda name, kind: (
        name == "points"
    ),
}
"""Sentences, and the questions and data that they answer; all others have a table."""


@pytest.fixture(scope="module")
def data(kinds):
    """Results of the kinds of logs, by name."""
    found = {name: firsthit.load(folder) for name, folder in kinds.items()}
    recommended = firsthit.load(kinds["unequal sets"], recommended=True)
    return found | {"recommended": recommended}


def check_forms(table):
    """What is printed, shown and written holds the table's rows."""
    assert repr(table) == str(table) != ""
    assert table._repr_html_().startswith(("<table>", "<pre>"))
    head, *rows = csv.reader(io.StringIO(table.to_csv()))
    assert tuple(head) == tuple(table.names)
    assert len(rows) == len(table) == len(json.loads(table.to_json())) == len(table.to_pandas())
    assert list(table.to_pandas().columns) == list(table.names)
    try:
        latex = table.to_latex()
    except AssessmentError as error:
        assert len(table) > 500
        assert "rows are too many for a paper" in str(error)  # noqa: PT017
    else:
        check_tables(latex)


@pytest.mark.parametrize(
    "kind",
    ["one run", "runs without evaluations", "unequal sets", "two objectives", "constraints",
     "recommended"],
)  # fmt: skip
@pytest.mark.parametrize("name", [*QUESTIONS, "regressions"])
def test_it_is_answered_in_every_form_or_refused_in_one_sentence(data, name, kind):
    expected = [sentence for sentence, applies in REFUSED.items() if applies(name, kind)]
    if expected:
        with pytest.raises(FirsthitError, match=expected[0]) as refused:
            ask(data[kind], name)
        assert "\n" not in str(refused.value)
        return
    results = data[kind]
    table = results.regressions(results) if name == "regressions" else ask(results, name)
    check_forms(table)
    timed = not any(note.startswith("not timed") for note in table.notes)
    if len(table) and timed:
        assert [note for note in table.notes if BASIS.search(note)], table.notes


ALL_HAVE = {
    "algorithms": {"nix": "unknown algorithm 'nix'", (): "algorithms: none given"},
    "suites": {"bbop": "unknown suite 'bbop'"},
    "functions": {9: "functions 9 not available; there is 1", "x": "functions 'x' is not a list"},
    "dimensions": {40: "dimensions 40 not available; there is 2, 5"},
    "instances": {99: "instances 99 not available; there is 1-3"},
}
WRONG = {
    "group_by": {"al": "group-by is 'al'", "all,": "must be one of function, group, all"},
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
    usage = succeed("assess", name, "--help").stdout
    for option in options_of(name):
        # "  --rule [paper|cocopp]", "  --seed INTEGER  Of …", "  --pooled       All …"
        words = option.replace("_", "-")
        [value] = re.findall(rf"^  (?:-\w, )?--{words}(?: (\S+))?(?:$|  )", usage, re.MULTILINE)
        if value.startswith("["):
            wrong = value.strip("[]").split("|")[0][:-1]
            yield option, wrong, f"'{wrong}'.* (Did you mean|must be one of)"
        elif not value:
            yield option, "no", f"{option} is 'no'; it must be True or False"
        else:
            for wrong, said in WRONG[option].items():
                yield option, wrong, said
    for option, those in ALL_HAVE.items():
        for wrong, said in those.items():
            if not (QUESTIONS[name].two and option == "algorithms"):
                yield option, wrong, said
    if QUESTIONS[name].joins:
        yield "unequal", "no", "unequal is 'no'; it must be True or False"
    if QUESTIONS[name].counts:
        yield "count", "h", "unknown count 'h'"


def options_needed(name, option):
    """What must be given with an option, so that it is looked at."""
    if name == "targets":
        return {"way": "runlength", "reference": "cma"}
    if (name, option) == ("matrix", "budget"):
        return {"measure": "aocc"}
    return {"interval": 0.9} if option == "seed" and name != "areas" else {}


@pytest.fixture(scope="module")
def results(log_folder, pairs_folder):
    """Of one objective, and of two."""
    return firsthit.load(log_folder), firsthit.load(pairs_folder)


@pytest.mark.parametrize("name", QUESTIONS)
def test_it_is_one_sentence(name, results):
    of = results[name in OF_TWO_OBJECTIVES]
    for option, wrong, said in nonsense(name):
        with pytest.raises(FirsthitError, match=said) as error:
            ask(of, name, **options_needed(name, option) | {option: wrong})
        assert "\n" not in str(error.value)
