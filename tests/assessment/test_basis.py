"""Every table says which runs, instances, counts and convention it rests on."""

import inspect
import re
from importlib.util import find_spec

import pytest

import firsthit
from firsthit.assessment import Results

BASIS = re.compile(r"\d+(-\d+)? runs? on each function and dimension, instances 1-3(;.*)*; .+\.")
TWO = ("cma", "nelder-mead")
QUESTIONS = {
    "runtimes": lambda r: r.runtimes(),
    "art": lambda r: r.art(interval=0.95, reference="cma"),
    "ecdf": lambda r: r.ecdf(interval=0.95),
    "areas": lambda r: r.areas(budget=100),
    "fixed_target": lambda r: r.fixed_target(),
    "fixed_budget": lambda r: r.fixed_budget(),
    "aocc": lambda r: r.aocc(10, interval=0.95),
    "attainment": lambda r: r.attainment(),
    "attainment_difference": lambda r: r.attainment_difference(*TWO),
    "precision_ecdf": lambda r: r.precision_ecdf(),
    "joint": lambda r: r.joint(reference="best"),
    "cuts": lambda r: r.cuts(10, 1.0),
    "indicators": lambda r: r.indicators(),
    "fronts": lambda r: r.fronts(),
    "surfaces": lambda r: r.surfaces(),
    "surface_difference": lambda r: r.surface_difference("moea", "random"),
    "runtime_shapes": lambda r: r.runtime_shapes(),
    "precision_shapes": lambda r: r.precision_shapes(),
    "targets": lambda r: r.targets("runlength", "best"),
    "compare": lambda r: r.compare(),
    "ranks": lambda r: r.ranks(),
    "superiority": lambda r: r.superiority(),
    "matrix": lambda r: r.matrix(),
    "gaps": lambda r: r.gaps(),
    "contributions": lambda r: r.contributions(10),
    "regressions": lambda r: r.regressions(r),
    "best": lambda r: r.best(),
    "best_shares": lambda r: r.best_shares(),
    "loss": lambda r: r.loss("best"),
    "coco_table": lambda r: r.coco_table(reference="best"),
    "scaling": lambda r: r.scaling(),
    "summary": lambda r: r.summary(),
    "termination": lambda r: r.termination(),
    "restarts": lambda r: r.restarts(),
    "notes": lambda r: r.notes(),
    "tuning": lambda r: r.tuning(),
    "timing": lambda r: r.timing(),
    "scatter": lambda r: r.scatter(*TWO),
    "ratios": lambda r: r.ratios(*TWO),
}
MOOCORE = ("attainment", "attainment_difference", "surface_difference")
OF_TWO_OBJECTIVES = ("indicators", "fronts", "surfaces", "surface_difference")


@pytest.fixture(scope="module")
def results(log_folder):
    return firsthit.load(log_folder)


NO_TABLE_OF_RUNS = ("measured_from", "hypervolume_references", "explore")
"""They give results, references and a page."""


def asked():
    """The questions of `Results`, by name."""
    names = [name for name, _ in inspect.getmembers(Results, inspect.isfunction)]
    return [name for name in names if name[0] != "_" and name not in NO_TABLE_OF_RUNS]


@pytest.mark.parametrize("name", asked())
def test_every_table_says_what_it_rests_on(results, pairs_folder, name):
    if name in MOOCORE and not find_spec("moocore"):
        return
    table = QUESTIONS[name](firsthit.load(pairs_folder) if name in OF_TWO_OBJECTIVES else results)
    assert len(table)
    assert [note for note in table.notes if BASIS.search(note)], table.notes


def test_the_basis_names_runs_instances_and_what_counts(make_log):
    """Algorithms with different runs are told apart; a base and a new version, too."""
    runs = [
        {"algorithm": "a", "instance": 1, "precisions": [1.0]},
        {"algorithm": "a", "instance": 2, "precisions": [1.0]},
        {"algorithm": "b", "instance": 7, "precisions": [1.0]},
    ]
    results = Results(make_log(runs))
    which = (
        "a: 2 runs on each function and dimension, instances 1, 2; b: 1 run on each function and "
        "dimension, instances 7; "
    )
    said = results.art(1.0).notes[-1]
    assert said == (f"{which}every run counts once, a failed one with all it spent.")
    assert results.fixed_budget([1]).notes[-1].startswith(which)
    both = results.regressions(results).notes
    assert f"base: {said}" in both
    assert f"new: {said}" in both


@pytest.mark.parametrize(
    "ask",
    [
        lambda r: r.art(1.0),
        lambda r: r.fixed_target(1.0),
        lambda r: r.scaling(1.0),
        lambda r: r.best(1.0),
        lambda r: r.loss("best"),
        lambda r: r.fixed_budget([1]),
        lambda r: r.ecdf(1.0),
        lambda r: r.ranks(1.0),
        lambda r: r.ratios("a", "b", 1.0),
    ],
)
def test_other_instances_of_a_function_are_named_wherever_algorithms_stand_side_by_side(
    make_log, ask
):
    """Both algorithms have instances 1-4, but not of the same function."""
    places = [("a", 1, (1, 2)), ("a", 2, (3, 4)), ("b", 1, (3, 4)), ("b", 2, (1, 2))]
    runs = [
        {"algorithm": name, "function": f, "instance": i, "precisions": [9.0, 0.5]}
        for name, f, instances in places
        for i in instances
    ]
    words = "in 2 of 2 functions and dimensions (a on 1, 2, b on 3, 4; a on 3, 4, b on 1, 2)"
    assert any(words in note for note in ask(Results(make_log(runs))).notes)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"convention": "runs"}, "every run counts once; convention runs: quantiles take a failed"),
        ({"convention": "iohanalyzer"}, "convention iohanalyzer: of successful runs, except PAR-k"),
        (
            {"balance": "instances"},
            "runs are copied until all instances of a function",
        ),
    ],
)
def test_a_convention_is_named_where_there_are_several(results, options, words):
    table = results.fixed_target(**options)
    assert any(words in note for note in table.notes)


def test_profiles_and_ratios_name_theirs(results):
    for runtimes, words in (
        ("expected", "exact distribution"),
        ("restarts", "simulated"),
        ("runs", "a failed one as never"),
    ):
        notes = results.ecdf(runtimes=runtimes).notes
        assert any(words in n and "every function-target pair weighs the same" in n for n in notes)
    assert any("all pairs of runs" in n for n in results.ratios(*TWO).notes)
    assert any("on the same instance" in n for n in results.ratios(*TWO, pairs="instances").notes)
