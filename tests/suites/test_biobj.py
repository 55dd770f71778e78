"""bbob-biobj, -ext and -mixint against cocoex and stored values; references; their contract."""

import numpy as np
import pytest

import firsthit
from firsthit.suites import Suite
from firsthit.suites.errors import EvaluationError


def test_both_objectives_are_the_functions_of_bbob():
    """f8 in instance 3 pairs bbob's f1 in instance 7 with its f17 in instance 8."""
    problem = Suite("bbob-biobj", 8, 5, 3)[0]
    first, second = Suite("bbob", 1, 5, 7)[0], Suite("bbob", 17, 5, 8)[0]
    x = np.random.default_rng(0).uniform(-5, 5, 5)
    assert problem(x).tolist() == [first(x), second(x)]
    assert problem.ideal_point.tolist() == [first.optimal_value, second.optimal_value]
    assert problem.nadir_point[0] == first(second.optimal_solution)
    assert problem.nadir_point[1] == second(first.optimal_solution)
    assert problem.name == "Sphere/Schaffer F7, condition 10"
    assert problem.constants()["second_Q"].tolist() == second.constants()["Q"].tolist()


def test_a_point_may_be_anything_that_holds_numbers():
    problem = Suite("bbob-biobj", 1, 2, 1)[0]
    values = problem(np.array([1.0, 2.0]))
    for x in ([1, 2], (1.0, 2.0), np.array([1, 9, 2])[::2], np.array([1, 2], dtype=np.float32)):
        assert problem(x).tolist() == values.tolist()
    assert np.isnan(problem([np.nan, np.inf])).all()
    assert problem([np.inf, 0.0]).tolist() == [np.inf, np.inf]
    with pytest.raises(EvaluationError, match="bbob-biobj_f001_i01_d02: x has shape"):
        problem(np.zeros(3))
    kept, before = values, values.copy()
    problem([4.0, 4.0])
    assert kept.tolist() == before.tolist()  # an array of its own for each evaluation


def test_references_are_known_or_said_to_be_a_placeholder():
    known = Suite("bbob-biobj", 1, 2, 1)[0]
    assert (known.reference_value, known.reference_name) == (0.833332923849452, "COCO 2.8.2")
    of_ext = Suite("bbob-biobj-ext", 55, 40, 10)[0]
    assert of_ext.reference_name == "COCO 2.8.2"
    assert of_ext.reference_value < 1
    for name, *numbers in (
        ("bbob-biobj", 1, 2, 11),
        ("bbob-biobj", 1, 7, 1),
        ("bbob-biobj-ext", 56, 2, 1),
        ("bbob-biobj-mixint", 1, 5, 1),
    ):
        problem = Suite(name, *numbers)[0]
        assert (problem.reference_value, problem.reference_name) == (1.0, "COCO's placeholder")
    assert Suite("bbob", 1, 2, 1)[0].reference_name == ""


@pytest.mark.slow
def test_the_table_of_references_is_complete():
    problems = list(Suite("bbob-biobj", None, [2, 3, 5, 10, 20, 40], "1-10"))
    assert len(problems) == 55 * 6 * 10
    assert {problem.reference_name for problem in problems} == {"COCO 2.8.2"}
    values = [problem.reference_value for problem in problems]
    assert min(values) == pytest.approx(0.1398, abs=1e-4)
    assert max(values) == pytest.approx(0.99999, abs=1e-5)


def test_groups_are_the_pairs_of_groups_of_bbob():
    suite = Suite("bbob-biobj")
    assert len(suite.groups) == 15
    assert suite.groups["separable - separable"] == (1, 2, 11)
    assert suite.groups["separable - weakly structured"] == (9, 10, 18, 19)
    assert suite.groups["weakly structured - weakly structured"] == (53, 54, 55)
    extended = Suite("bbob-biobj-ext").groups
    assert extended["separable - separable"] == (1, 2, 11, *range(56, 65))
    assert sum(map(len, extended.values())) == 92


def test_runs_are_measured_by_58_targets_and_none_ends_a_run():
    problem = Suite("bbob-biobj-mixint", 1, 5, 1)[0]
    assert problem.measurement.indicator == "hypervolume"
    assert problem.measurement.final_target is None
    targets = problem.measurement.targets
    assert len(targets) == 58
    assert targets[0] == 1.0
    assert targets[50:53] == pytest.approx((1e-5, 0.0, -1e-5), rel=1e-12)
    assert targets[-1] == pytest.approx(-1e-4)


def test_an_algorithm_may_know_the_nadir_point_under_the_name_of_cocoex(tmp_path):
    suite = Suite("bbob-biobj", 1, 2, 1)
    with firsthit.Observer(tmp_path / "a.h5", algorithm="a") as observer:
        for observed in observer(suite):
            observed(observed.initial_solution)
            limits = observed.largest_fvalues_of_interest.tolist()
    assert limits == suite[0].nadir_point.tolist()
