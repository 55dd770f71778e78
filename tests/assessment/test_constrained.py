"""Evaluations of constraints: aRT equals cocopp's, and what ``count`` makes of them."""

from importlib.util import find_spec

import numpy as np
import pytest

import firsthit
from firsthit.assessment import AssessmentError, Results, load
from firsthit.assessment.statistics.aocc import PrecisionScale

from ..command_line import invoke
from .conftest import write_reference
from .questions import OF_TWO_OBJECTIVES, QUESTIONS, ask

TARGETS = 10.0 ** np.arange(2, -6, -1)


@pytest.fixture(scope="module")
def folder(peers, tmp_path_factory):
    """All 54 functions in 2-D and 3-D, 3 instances, a (1+1)-ES on the feasible points."""
    outer = tmp_path_factory.mktemp("coco")
    suite = peers.cocoex.Suite("bbob-constrained", "", "dimensions: 2,3 instance_indices: 1-3")
    observer = peers.cocoex.Observer(
        "bbob-constrained", f"outer_folder: {outer} result_folder: data algorithm_name: RS"
    )
    for seed, problem in enumerate(suite):
        rng = np.random.default_rng(seed)
        problem.observe_with(observer)
        best, x, step = np.inf, problem.initial_solution, 1.0
        for k in range(150):
            y = x + step * rng.normal(size=problem.dimension) * (k > 0)
            feasible = (problem.constraint(y) <= 0).all()
            value = problem(y)
            if feasible and value < best:
                best, x, step = value, y, step * 1.5
            else:
                step *= 0.9
            if k % 7 == 3:
                problem.constraint(y)
        problem.free()
    return outer / "data"


@pytest.fixture(scope="module")
def results(folder):
    return load(folder)


def test_counts_add_up(results):
    """Evaluations until the hit: f + g is the sum of f and g, and so are all evaluations."""
    both, objective, constraints = (
        results.runtimes(TARGETS, count=count) for count in ("f+g", "f", "g")
    )
    for name in ("runtime", "spent"):
        np.testing.assert_array_equal(both[name], objective[name] + constraints[name])
    assert (both["spent"] > objective["spent"]).all()
    assert results.runtimes(TARGETS)["runtime"].tolist() == both["runtime"].tolist()


def test_without_constraints_there_is_one_count(make_log):
    results = Results(make_log([{"precisions": [9.0, 1.0]}]))
    assert results.art(1.0, count="f")["art"].tolist() == [2.0]
    assert not any("evaluations are those" in note for note in results.art(1.0).notes)
    with pytest.raises(AssessmentError, match="evaluated no constraints"):
        results.art(1.0, count="g")


@pytest.mark.parametrize("count", ["f+g", "f", "g"])
def test_budgets_are_counted_as_runtimes_are(results, count):
    """Within a budget, a precision is known exactly where the runtime to it is within the budget.

    Where both counts differ, the log tells the constraints at its entries only: the best that it
    proves is never better than the run's, and reaches each target when the runtime does.
    """
    chosen = {"functions": [1, 2, 3], "dimensions": 2, "count": count}
    times = results.runtimes([10.0, 1.0, 0.1], **chosen)
    budgets = [3, 10, 40, 100, 400]
    table = results.fixed_budget(budgets, axis="evaluations", targets=[10.0, 1.0, 0.1], **chosen)
    for row in range(len(table)):
        mine = times["function"] == table["function"][row]
        for target, name in ((10.0, "success_1e1"), (1.0, "success_1e0"), (0.1, "success_1e-1")):
            hit = times["runtime"][mine & (times["target"] == target)] <= table["budget"][row]
            assert table[name][row] == hit.mean()
    assert (table["ended"] == [
        (times["spent"][(times["function"] == f) & (times["target"] == 1.0)] < b).sum()
        for f, b in zip(table["function"], table["budget"], strict=True)
    ]).all()  # fmt: skip


def test_areas_and_curves_count_constraints_as_a_loop_does(tmp_path):
    """Every improvement kept: merits after each evaluation, of whatever kind, summed by a loop."""
    suite = firsthit.Suite("bbob-constrained", functions=1, dimensions=2, instances=1)
    kinds, values = [], []
    with firsthit.Observer(tmp_path / "a.h5", algorithm="a", record="improvements") as observer:
        for problem in observer(suite):
            rng, x = np.random.default_rng(1), problem.initial_solution
            for k in range(60):
                y = x + rng.normal(size=2) * (k > 0)
                feasible = True
                for _ in range(1 + k % 3):
                    feasible = (problem.constraint(y) <= 0).all()
                    kinds.append("g")
                    values.append(problem.best_observed_value)
                before = problem.best_observed_value
                problem(y)
                kinds.append("f")
                values.append(problem.best_observed_value)
                if feasible and values[-1] < before:
                    x = y
    results = load(tmp_path / "a.h5")
    reference = results.log.runs["reference_value"][0]
    precision = np.array(values) - reference
    for count in ("f+g", "f", "g"):
        merits, last = [], 0.0
        for kind, value in zip(kinds, precision, strict=True):
            if kind == "g" and count == "g":
                merits.append(last)
            last = float(PrecisionScale().score(value))
            if kind in count and count != "g":
                merits.append(last)
        if count == "g":  # what follows an evaluation of the constraints is within the same budget
            merits = [*merits[1:], last]
        table = results.aocc(len(merits), count=count)
        assert table["aocc"] == pytest.approx(np.mean(merits), rel=1e-12)
        assert table["most"] == pytest.approx(table["aocc"], rel=1e-12)
        if find_spec("moocore"):
            corners = results.attainment(50, axis="evaluations", count=count)
            at = [results.fixed_budget([b], axis="evaluations", count=count)["mean"][0]
                  for b in corners["budget"] if b >= 1]  # fmt: skip
            assert corners["precision"][corners["budget"] >= 1].tolist() == pytest.approx(at)
    with pytest.raises(AssessmentError, match="name a budget, or another count"):
        results.aocc()


def test_a_reference_of_coco_counts_both(results, tmp_path):
    """COCO's files hold f + g: beside another count they would be wrong by a factor."""
    folder = tmp_path / "best-bbob-constrained"
    archive = write_reference(folder, "bbob-constrained", [(1, 2)], [(10.0, 4)])
    chosen = {"functions": 1, "dimensions": 2, "reference": str(archive)}
    assert np.isfinite(results.art([10.0], **chosen)["ratio"]).all()
    for question in (results.art, results.ecdf, results.coco_table):
        with pytest.raises(AssessmentError, match=r"best-bbob.*\(f\+g\), and f is asked for"):
            question([10.0], count="f", **chosen)


def test_two_versions_are_compared_at_a_count(folder):
    words = ["regressions", str(folder), str(folder), "--functions", "1", "--dimensions", "2"]
    for count in ("f", "f+g"):
        done = invoke(*words, "--targets", "10", "--count", count)
        assert (done.exit_code, f"({count}" in done.stderr) == (0, True), done.output


def test_the_precision_at_the_end_of_a_run_is_its_best_at_each_count(results):
    """Within all evaluations of a run, counted as asked, its precision is its best."""
    rows = np.flatnonzero(results.log.runs["function"] == 1)
    for count in ("f", "f+g", "g"):
        for row in rows:
            run = {
                f"{name}s": int(results.log.runs[name][row])
                for name in ("function", "dimension", "instance")
            }
            spent = results.runtimes([1e-8], count=count, **run)["spent"]
            table = results.fixed_budget(spent, axis="evaluations", count=count, **run)
            assert table["median"].tolist() == [results.log.runs["best_precision"][row]]


@pytest.fixture(scope="module")
def same_points(tmp_path_factory):
    """Two algorithms evaluate the same points; a checks each once, b three times."""
    folder = tmp_path_factory.mktemp("two")
    suite = firsthit.Suite("bbob-constrained", functions=1, dimensions=2, instances="1-5")
    for name, checks in (("a", 1), ("b", 3)):
        with firsthit.Observer(folder / f"{name}.h5", algorithm=name) as observer:
            for problem in observer(suite):
                rng, x = np.random.default_rng(1), problem.initial_solution
                for _ in range(200):
                    for _ in range(checks):
                        problem.constraint(x)
                    problem(x)
                    best = problem.best_observed_solution
                    x = (problem.initial_solution if best is None else best) + rng.normal(size=2)
    return load(folder)


@pytest.mark.parametrize(("count", "ratio"), [("f", 1.0), ("f+g", 0.5), ("g", 1 / 3)])
def test_algorithms_are_compared_by_what_is_counted(same_points, count, ratio):
    arts = same_points.art("decades", algorithms="a", count="f")
    target = float(arts["target"][np.isfinite(arts["art"])].min())
    compared = same_points.compare(target, count=count)
    assert compared["ratio"] == pytest.approx(ratio)
    table = same_points.coco_table(target, reference="b", count=count)
    assert table["ratio"] == pytest.approx([ratio, 1.0])
    matrix = same_points.matrix("art", target, count=count)
    assert (matrix["value:a"] / matrix["value:b"]) == pytest.approx(ratio)
    ranked = same_points.ranks(target, count=count)
    assert ranked["algorithm"][0] == "a"
    (loss,) = same_points.loss("b", [50], algorithms="a", count=count)["loss"]
    assert loss == pytest.approx(ratio)
    for answer in (compared, table, matrix, ranked):
        assert any(f"({count}" in note for note in answer.notes)


COUNTING = {name for name, question in QUESTIONS.items() if question.counts}


@pytest.mark.parametrize(
    ("count", "said"),
    [
        ("f", "objective alone (f)"),
        ("f+g", "(f+g, as COCO counts)"),
        ("g", "constraints alone (g)"),
    ],
)
@pytest.mark.parametrize("name", sorted(COUNTING - OF_TWO_OBJECTIVES))
def test_all_that_counts_takes_a_count_and_says_so(same_points, name, count, said):
    assert any(said in note for note in ask(same_points, name, count=count).notes)
