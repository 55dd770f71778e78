"""Algorithms that were run on different functions, dimensions or instances."""

import numpy as np
import pytest

import firsthit
from firsthit.assessment import AssessmentError, Results


def runs_of(algorithm, functions, instances, dimension=2):
    return [
        {
            "algorithm": algorithm,
            "function": f,
            "dimension": dimension,
            "instance": i,
            "precisions": [50.0] * (f + i) + [1e-8],
        }
        for f in functions
        for i in instances
    ]


@pytest.fixture(scope="module")
def unequal(make_log):
    """a: f1-3, instances 1-3; b: f1-2, instances 2-5, and 5-D too."""
    runs = runs_of("a", (1, 2, 3), (1, 2, 3)) + runs_of("b", (1, 2), (2, 3, 4, 5))
    return Results(make_log(runs + runs_of("b", (1, 2), (2, 3), dimension=5)))


def test_profiles_join_what_all_were_run_on_and_say_what_they_left_out(unequal):
    table = unequal.ecdf()
    assert [(p.algorithm, p.dimension) for p in table.profiles] == [("a", 2), ("b", 2)]
    for p in table.profiles:
        assert (p.functions, p.instances, p.partial) == ((1, 2), (2, 3), False)
    [note] = [n for n in table.notes if "left out" in n]
    assert "a: 5 runs (functions 1-3; dimensions 2; instances 1-3)" in note
    assert "b: 8 runs (functions 1, 2; dimensions 2, 5; instances 2-5)" in note
    assert "--unequal" in note
    np.testing.assert_array_equal(table.profiles[0].fraction, table.profiles[1].fraction)


def test_all_are_shown_and_marked_when_asked(unequal):
    table = unequal.ecdf(unequal=True)
    by_name = {(p.algorithm, p.dimension): p for p in table.profiles}
    assert by_name["a", 2].functions == (1, 2, 3)
    assert by_name["b", 2].instances == (2, 3, 4, 5)
    assert by_name["a", 2].partial
    assert by_name["b", 2].partial
    assert not by_name["b", 5].partial
    assert by_name["a", 2].label == "a *"
    assert "a *" in str(table)
    assert set(table["algorithm"].tolist()) == {"a", "b"}
    assert any("*: functions or instances are missing" in note for note in table.notes)
    assert not any("left out" in note for note in table.notes)


def test_different_functions_are_named_where_all_are_shown(unequal):
    words = "different functions: a on bbob f1-3 in 2-D; b on bbob f1, 2 in "
    for table in (
        unequal.areas(budget=100.0, unequal=True),
        unequal.best(1.0, shares=True, unequal=True),
        unequal.loss("best"),
        unequal.scaling(1.0),
    ):
        assert any(note.startswith(words) for note in table.notes), table.notes


def test_functions_that_differ_between_dimensions_are_named_by_dimension(make_log):
    runs = runs_of("a", (1, 2, 3), (1,)) + runs_of("a", (1,), (1,), dimension=5)
    results = Results(make_log(runs + runs_of("b", (1, 2), (1,))))
    notes = results.scaling(1.0).notes
    words = "different functions: a on bbob f1-3 in 2-D, f1 in 5-D; b on bbob f1, 2 in 2-D; "
    assert any(note.startswith(words) for note in notes), notes


def test_equal_sets_have_no_word_of_it(make_log):
    results = Results(make_log(runs_of("a", (1, 2), (1, 2)) + runs_of("b", (1, 2), (1, 2))))
    for table in (results.ecdf(), results.ecdf(unequal=True)):
        assert not any("left out" in note or "*" in note for note in table.notes)
        assert not any(p.partial for p in table.profiles)


def test_other_instances_of_the_same_functions_are_shown_and_marked(make_log):
    results = Results(make_log(runs_of("a", (1, 2), (1, 2)) + runs_of("b", (1, 2), (71, 72))))
    table = results.ecdf()
    assert [p.partial for p in table.profiles] == [True, True]
    assert any("no common one on" in note for note in table.notes)


def test_nothing_in_common_is_refused(make_log):
    results = Results(make_log(runs_of("a", (1,), (1,)) + runs_of("b", (2,), (1,))))
    with pytest.raises(AssessmentError, match="a, b have no function of bbob in a dimension"):
        results.ecdf()
    assert len(results.ecdf(unequal=True).profiles) == 2


def test_suites_are_joined_each_by_itself(make_log):
    runs = runs_of("a", (1, 2), (1,)) + runs_of("b", (1, 2), (1,))
    other = [{**run, "suite": "other"} for run in runs_of("a", (3,), (1,))]
    table = Results(make_log(runs + other)).ecdf()
    assert [(p.algorithm, p.suite) for p in table.profiles] == [
        ("a", "bbob"),
        ("a", "other"),
        ("b", "bbob"),
    ]


def test_runs_that_were_cut_make_restarts_biased_and_it_is_said():
    """1 of 3 runs hits, the budget ended the others; not where the algorithm ended by itself."""

    def results(n_hits, until_the_budget):
        def solve(problem):
            for _ in range(7):
                problem([3.0, 0.0])
            if problem.id_instance <= n_hits:
                problem([0.5, 0.0])
            while until_the_budget:
                problem([3.0, 0.0])

        problems = [
            firsthit.problem_from(lambda x: float(x @ x), 2, instance=i, optimal_value=0.0)
            for i in (1, 2, 3)
        ]
        return firsthit.benchmark(solve, problems, budget=9, restarts=0)

    def is_said(table):
        return any("a limit stopped others" in note for note in table.notes)

    one_of_cut, two_of_cut, one_of_ended = results(1, True), results(2, True), results(1, False)
    for ask in ("art", "ecdf", "fixed_target", "scaling"):
        assert is_said(getattr(one_of_cut, ask)([1.0]))
        assert not is_said(getattr(two_of_cut, ask)([1.0]))
        assert not is_said(getattr(one_of_ended, ask)([1.0]))
    assert is_said(one_of_cut.areas([1.0], budget=10.0))
    assert not is_said(one_of_cut.ecdf([1.0], runtimes="runs"))


def test_iohanalyzers_budget_is_the_longest_run_also_after_its_hit(make_log):
    """One run hits 1e-8 after 2 and goes on to 12; the other fails after 5: B = 12."""
    runs = [
        {"instance": 1, "precisions": [9.0, 1e-8, *[1.0] * 10]},
        {"instance": 2, "precisions": [9.0] * 5},
    ]
    table = Results(make_log(runs)).fixed_target([1e-8], convention="iohanalyzer")
    assert table["ERT"].tolist() == [2 + 12]
    assert table["PAR-1"].tolist() == [(2 + 12) / 2]
    assert any(note.startswith("B: ") for note in table.notes)
