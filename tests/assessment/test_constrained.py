"""Evaluations of constraints: aRT equals cocopp's, and what ``count`` makes of them."""

import numpy as np
import pytest

from firsthit.assessment import AssessmentError, Results, load
from firsthit.suites import UnknownNameError

from .cocopp_oracle import contained

cocoex = pytest.importorskip("cocoex")
TARGETS = 10.0 ** np.arange(2, -6, -1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """All 54 functions in 2-D and 3-D, 3 instances, a (1+1)-ES on the feasible points."""
    outer = tmp_path_factory.mktemp("coco")
    suite = cocoex.Suite("bbob-constrained", "", "dimensions: 2,3 instance_indices: 1-3")
    observer = cocoex.Observer(
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


def test_average_runtimes_are_cocopps(folder, results, tmp_path_factory):
    """f + g, the default; every cell that is finite in cocopp is equal here, and no other."""
    ours = {(f, d, t): art for _, _, f, d, t, art, *_ in results.art(TARGETS).rows()}
    with contained(tmp_path_factory.mktemp("home")):
        import cocopp

        cocopp.genericsettings.verbose = False
        data = cocopp.load(str(folder))
        theirs = {
            (one.funcId, one.dim, target): float(art)
            for one in data
            for target, art in zip(TARGETS.tolist(), one.detERT(TARGETS), strict=True)
        }
    assert len(theirs) == 54 * 2 * 8
    finite = [cell for cell, art in theirs.items() if np.isfinite(art)]
    assert len(finite) > 100
    assert [ours[cell] for cell in finite] == pytest.approx([theirs[cell] for cell in finite])
    assert sum(np.isfinite(list(ours.values()))) == len(finite)


def test_counts_add_up(results):
    """Evaluations until the hit: f + g is the sum of f and g, and so are all evaluations."""
    both, objective, constraints = (
        results.runtimes(TARGETS, count=count) for count in ("f+g", "f", "g")
    )
    for name in ("runtime", "spent"):
        np.testing.assert_array_equal(both[name], objective[name] + constraints[name])
    assert (both["spent"] > objective["spent"]).all()
    assert results.runtimes(TARGETS)["runtime"].tolist() == both["runtime"].tolist()


def test_tables_name_what_they_count(results):
    for ask in (results.art, results.ecdf, results.fixed_target, results.scaling):
        assert any("(f+g, as COCO counts)" in note for note in ask(functions=1).notes)
        assert any("objective alone (f)" in n for n in ask(functions=1, count="f").notes)
    with pytest.raises(UnknownNameError, match="count"):
        results.art(count="h")


def test_without_constraints_there_is_one_count(make_log):
    results = Results(make_log([{"precisions": [9.0, 1.0]}]))
    assert results.art(1.0, count="f")["art"].tolist() == [2.0]
    assert any("evaluations are those of the objective." in n for n in results.art(1.0).notes)
    with pytest.raises(AssessmentError, match="evaluated no constraints"):
        results.art(1.0, count="g")
