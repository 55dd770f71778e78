"""Targets: COCO's, what a user types, and those that references and data choose."""

import numpy as np
import pytest

import firsthit
from firsthit.assessment import AssessmentError, Results
from firsthit.suites.errors import UnknownNameError

from .conftest import write_reference


@pytest.fixture(scope="module")
def targets_of(make_log):
    """A function: targets as a user names them -> precisions, easiest first.

    The suite of the runs has targets on both sides of 0.
    """
    results = Results(make_log([{"suite": "pairs", "precisions": [0.5], "objectives": 2}]))
    return lambda value: tuple(results.art(value)["target"].tolist())


def test_bbob_targets_are_cocos(targets_of):
    targets = targets_of("bbob")
    assert len(targets) == 51
    np.testing.assert_allclose(targets, 10 ** np.arange(2, -8.2, -0.2), rtol=1e-12)
    assert [float(f"1e{n}") for n in range(2, -9, -1)] == [t for t in targets[::5]]


@pytest.mark.parametrize(
    ("value", "targets"),
    [
        ("1e1,1e-8", (10.0, 1e-8)),
        (" 1e-8 , 10, 1e1", (10.0, 1e-8)),
        (0.5, (0.5,)),
        (1, (1.0,)),
        ([1e-3, "1e2"], (100.0, 1e-3)),
        (np.array([0.1]), (0.1,)),
        ("1e-5,0,-1e-5", (1e-5, 0.0, -1e-5)),
        ([-1, 0.0, 1e-8], (1e-8, 0.0, -1.0)),
    ],
)
def test_targets_are_sorted_easiest_first_and_each_once(targets_of, value, targets):
    assert targets_of(value) == targets


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("", "'' is no number"),
        ("1e1,,1e-8", "'' is no number"),
        ("ten", "'ten' is no number"),
        ("1e1;1e-8", "'1e1;1e-8' is no number"),
        ([None], "'None' is no number"),
        ([], "none given"),
        ("1e-9", "1e-9 is not available"),
        ("nan", "nan is not available"),
        ("inf", "inf is not available"),
        (True, "True is not available"),
    ],
)
def test_bad_targets_are_one_sentence(targets_of, value, message):
    with pytest.raises(AssessmentError, match=message) as error:
        targets_of(value)
    assert "\n" not in str(error.value)


def test_ranges_are_even_on_the_log_scale(targets_of):
    assert targets_of("1e2..1e-8/5") == targets_of("bbob")
    assert targets_of("1e1..1e-8/1") == targets_of("decades") == targets_of("bbob")[5::5]
    np.testing.assert_allclose(
        targets_of("1..1e-3/2, 5"), [5, 1, 10**-0.5, 0.1, 10**-1.5, 0.01, 10**-2.5, 1e-3]
    )
    assert targets_of("1e2..2e1/2") == pytest.approx((100.0, 10**1.5))


@pytest.mark.parametrize(
    "text", ["1e-8..1e2/5", "1..1/5", "1..0/5", "1e-5..-1e-5/5", "1e2..1e-8/0", "1e2..1e-8/9999"]
)
def test_ranges_that_lead_nowhere_are_refused(targets_of, text):
    with pytest.raises(AssessmentError, match="must go from easiest to hardest"):
        targets_of(text)


@pytest.mark.parametrize("text", ["1e2..1e-8", "1e2..1e-8/x", "..", "1e2..zero/5", "1e2..1e-9/5"])
def test_what_is_no_range_is_refused(targets_of, text):
    with pytest.raises(AssessmentError, match=r"is no number|at least 1e-8"):
        targets_of(text)


def test_dynamic_targets_begin_where_the_worst_first_evaluation_hits(make_log, targets_of):
    """Precisions at the first evaluation: 30 and 70; of 10**(k/5), 10**2 is the first above 70."""
    runs = [
        {"algorithm": "a", "precisions": [30.0, 1.0]},
        {"algorithm": "b", "precisions": [70.0, 2.0]},
        {"algorithm": "b", "function": 2, "precisions": [1.0]},
    ]
    table = Results(make_log(runs)).targets("dynamic")
    first = table["target"][table["function"] == 1]
    assert tuple(first.tolist()) == targets_of("bbob")
    second = table["target"][table["function"] == 2]
    assert (second[0], second[-1], len(second)) == (1.0, 1e-8, 41)
    assert "a further algorithm can change the targets" in table.notes[0]


def test_iohanalyzers_targets_by_hand(make_log):
    """From 100, the worst first value, to 0.01, the best last one."""
    runs = [
        {"algorithm": "a", "precisions": [100.0, 1.0, 5.0]},
        {"algorithm": "b", "precisions": [10.0, 0.01]},
    ]
    results = Results(make_log(runs))
    found = results.targets("iohanalyzer-log")["target"]
    np.testing.assert_allclose(found, 10.0 ** np.linspace(2, -2, 10))
    np.testing.assert_allclose(
        results.targets("iohanalyzer-linear")["target"], np.linspace(100, 0.01, 10)
    )
    assert results.targets("iohanalyzer-final")["target"].tolist() == [0.01]


def test_final_targets_are_the_best_algorithms_two_percent_quantile(make_log):
    """Final values of a: 1 … 51, whose 2 % quantile (type 7) is 2; of b: 1.5."""
    runs = [{"instance": i, "precisions": [float(i)]} for i in range(1, 52)]
    runs.append({"algorithm": "b", "precisions": [1.5]})
    both = Results(make_log(runs)).targets("iohanalyzer-final")
    alone = Results(make_log(runs)).targets("iohanalyzer-final", algorithms="a")
    assert (both["target"].tolist(), alone["target"].tolist()) == ([1.5], [2.0])


def test_the_best_of_the_logs_is_never_slower(results):
    best = results.targets("runlength", "best", "1..100/3*D")["target"]
    for name in ("a", "b"):
        assert (best <= results.targets("runlength", name, "1..100/3*D")["target"]).all()
    several = results.targets("runlength", ["a", "b"], "1..100/3*D")["target"]
    np.testing.assert_array_equal(best, several)


def test_a_reference_does_not_depend_on_the_algorithms_asked_for(results):
    asked = results.targets("runlength", "b", algorithms="a")
    assert asked.to_csv() == results.targets("runlength", "b").to_csv()


def test_a_file_of_average_runtimes_is_a_reference(results, tmp_path):
    cells = [(function, dimension) for function in (1, 2, 3) for dimension in (2, 5)]
    runtimes = [(10.0, 5), (1.0, 30)]
    reference = write_reference(tmp_path / "all-bbob", "bbob", cells, runtimes)
    table = results.targets("runlength", reference, "1*D,5*D")
    of_two = table["target"][table["dimension"] == 2]
    np.testing.assert_allclose(of_two, [10.0, 10**0.8] * 3)
    few = write_reference(tmp_path / "few-bbob", "bbob", cells[:-1], runtimes)
    with pytest.raises(AssessmentError, match="no data for f3 of bbob in 5-D"):
        results.targets("runlength", few)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("runlength",), AssessmentError, "need a reference"),
        (("runlength", ["a", "c"]), UnknownNameError, "unknown algorithm 'c'"),
        (("dynamic", "a"), AssessmentError, "dynamic takes neither"),
    ],
)
def test_what_makes_no_sense_is_refused(results, arguments, error, message):
    with pytest.raises(error, match=message):
        results.targets(*arguments)


def test_targets_by_name_are_those_of_the_table(results):
    table = results.targets("dynamic")
    assert results.art(targets="dynamic").to_csv() == results.art(targets=table).to_csv()
    of_b = results.targets("runlength", "b")
    assert of_b.notes[0] in results.art(targets=of_b).notes
    with pytest.raises(AssessmentError, match="need a reference"):
        results.art(targets="runlength")


def test_functions_with_more_targets_weigh_more_only_with_pairs(make_log, tmp_path):
    """f1 has one target, hit at once; f2 has three, none hit: a quarter of pairs, half of
    functions."""
    log = make_log([{"function": 1, "precisions": [1.0]}, {"function": 2, "precisions": [9.0]}])
    rows = ["suite,function,dimension,target", "bbob,1,2,2"]
    rows += [f"bbob,2,2,{target}" for target in (3, 2, 1)]
    (tmp_path / "own.csv").write_text("\n".join(rows) + "\n")
    areas = [
        Results(log).areas(str(tmp_path / "own.csv"), budget=10, weights=weights)["area"].tolist()
        for weights in ("pairs", "functions")
    ]
    assert areas == [[0.25], [0.5]]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("suite,function,dimension\nbbob,1,2\n", "line 2: 'target'; needed are suite"),
        ("suite,function,dimension,target\nbbob,1,2,x\n", "line 2: 'x' is no number"),
        ("suite,function,dimension,target\nbbob,1,2,1e-9\n", "at least 1e-8"),
        ("suite,function,dimension,target\n", "holds none"),
    ],
)
def test_files_that_hold_no_targets_are_refused(results, tmp_path, content, message):
    (tmp_path / "t.csv").write_text(content)
    with pytest.raises(AssessmentError, match=message):
        results.art(str(tmp_path / "t.csv"))
    with pytest.raises(AssessmentError, match="cannot read"):
        results.art(str(tmp_path / "none.csv"))


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("bbob,99999999999999999999,2,1", "'99999999999999999999' is no integer from 0 to 2"),
        (f"bbob,{'1' * 5000},2,1", "1' is no integer from 0 to 2"),
        ("bbob,1,2,1_000", "'1_000' is no number"),
        ("bbob,1,2,0.5,15841,51924", "line 2 has 6 cells, but the header 4"),
    ],
)
def test_a_row_of_targets_that_is_not_what_it_seems_is_refused(results, tmp_path, row, reason):
    path = tmp_path / "targets.csv"
    path.write_text(f"suite,function,dimension,target\n{row}\n")
    with pytest.raises(AssessmentError, match=reason) as error:
        results.art(str(path))
    assert len(str(error.value)) < 500
    with pytest.raises(AssessmentError, match="'1_000' is no number"):
        results.art("1_000")


@pytest.mark.parametrize("rule", ["cocopp", "cocopp-unique"])
def test_a_reference_without_hits_has_no_targets_by_cocopps_rule(tmp_path, rule):
    with firsthit.Observer(tmp_path / "a.h5", "nan") as observer:
        for problem in observer(firsthit.Suite("bbob", functions=1, dimensions=2, instances=1)):
            problem(np.full(2, np.nan))
    results = firsthit.load(tmp_path / "a.h5")
    with pytest.raises(AssessmentError, match=r"hits no target on f1 of bbob in 2-D"):
        results.targets(reference="nan", rule=rule)
