"""The same evaluations observed by cocoex and by us, suite by suite: the same data either way."""

import cocoex
import numpy as np
import pytest

import firsthit
from firsthit.loggers import Indicator, read_log, register_indicator, write_coco

from .conftest import pairs

SUITES = {
    "bbob": ([1, 8], [2, 5], [1, 3]),
    "bbob-boxed": ([1, 8, 21], [2, 5], [1, 3]),
    "bbob-largescale": ([1, 11], [20, 80], [1, 3]),
    "bbob-mixint": ([1, 3, 8], [5, 80], [1, 3]),
    "bbob-noisy": ([101, 108, 123], [2, 5], [1, 3]),
    "bbob-constrained": ([1, 2, 8], [2, 5], [1, 3]),
}
EVALUATIONS = 200
TARGETS = [
    target * (1 + 1e-12) for target in firsthit.Suite("bbob", 1, 2, 1)[0].measurement.targets
]
"""Just above COCO's grid: where one rounds to below it, cocopp takes the next harder one."""


class Violations(Indicator):
    """What COCO records with constraints: ``max(f, fopt)`` and the sum of violations."""

    name = "test-sum-of-violations"
    is_at_least_the_value = True

    def __init__(self, problem):
        self.problem = problem

    def measure(self, points, values):
        violations = np.maximum(0, self.problem.constraint(points)).sum(axis=1)
        return np.maximum(values, self.problem.optimal_value) + violations


register_indicator(Violations.name, Violations)


def points(problem, everywhere):
    """Random points that close in on the optimum, and it itself as the last one."""
    rng = np.random.default_rng([problem.function, problem.dimension, problem.instance])
    low, high = problem.lower_bounds, problem.upper_bounds
    best = np.asarray(problem.optimal_solution)
    reach = (high - low) / 2 * 10.0 ** (-np.arange(EVALUATIONS)[:, None] / 25)
    reach[-1] = 0
    x = best + reach * rng.uniform(-1, 1, (EVALUATIONS, problem.dimension))
    return x if everywhere else np.clip(x, low, high)


def run_both(folder, name, functions, dimensions, instances, everywhere=False, indicator=None):
    """Folders of both data; infeasible points have their constraints evaluated, not the value.

    Args:
        everywhere: Whether points may be infeasible, and outside the box.
        indicator: Of our log; by default the suite's.
    """
    options = f"dimensions: {','.join(map(str, dimensions))}"
    peers = cocoex.Suite(name, f"instances: {','.join(map(str, instances))}", options)
    watcher = cocoex.Observer(name, f"outer_folder: {folder} result_folder: coco algorithm_name: x")
    suite = firsthit.Suite(name, functions, dimensions, instances)
    with firsthit.Observer(
        folder / "own.h5", algorithm="x", record="improvements", indicator=indicator
    ) as observer:
        for problem, run in zip(suite, observer(suite), strict=True):
            place = (problem.function, problem.dimension, problem.instance)
            peer = peers.get_problem_by_function_dimension_instance(*place)
            peer.observe_with(watcher)
            for x in points(problem, everywhere):
                if problem.number_of_constraints:
                    run.constraint(x)
                    peer.constraint(x)
                if everywhere or problem.is_feasible(x):
                    run(x)
                    peer(x)
            peer.free()
    write_coco(read_log(folder / "own.h5"), folder / "written")
    return folder


@pytest.fixture(scope="module", params=SUITES)
def both(request, tmp_path_factory):
    """Name of the suite and the folder with ``own.h5``, ``coco`` and ``written``."""
    name = request.param
    return name, run_both(tmp_path_factory.mktemp(name), name, *SUITES[name])


def art(path):
    """Function, dimension and target to aRT."""
    table = firsthit.load(path).art(TARGETS)
    names = ("function", "dimension", "target", "art")
    rows = zip(*(table[name].tolist() for name in names), strict=True)
    return {tuple(place): value for *place, value in rows}


def test_runs_of_cocoex_are_ours(both):
    name, folder = both
    own, coco = read_log(folder / "own.h5"), read_log(folder / "coco")
    functions, dimensions, instances = SUITES[name]
    assert len(own) == len(functions) * len(dimensions) * len(instances)
    for column in ("suite", "group", "function", "dimension", "instance", "evaluations",
                   "evaluations_constraints", "status"):  # fmt: skip
        assert coco.runs[column].tolist() == own.runs[column].tolist(), column
    assert set(coco.runs["suite"].tolist()) == {name}
    assert (coco.runs["evaluations_constraints"] > 0).all() == (name == "bbob-constrained")
    assert coco.suites == own.suites
    assert coco.groups(name) == own.groups(name)
    assert coco.runs["reference_value"] == pytest.approx(own.runs["reference_value"], rel=1e-12)


def test_art_is_that_of_cocoexs_own_data_and_of_cocopp(both, with_cocopp):
    """Evaluations are those that COCO counts: with constraints, f + g."""
    name, folder = both
    ours = art(folder / "own.h5")
    assert sum(map(np.isfinite, ours.values())) > len(ours) // 2
    assert art(folder / "coco") == art(folder / "written") == ours
    for data, _ in (with_cocopp(folder / "coco"), with_cocopp(folder / "written")):
        theirs = {
            (*place, target): value
            for place, one in data.items()
            for target, value in zip(TARGETS, one.detERT(TARGETS), strict=True)
        }
        assert theirs == ours
        assert {one.suite_name for one in data.values()} == {name}


def test_cocopp_warns_of_what_is_written_as_of_cocoexs_own_data(both, with_cocopp):
    """But for ``settings``, which is not written."""
    _, folder = both
    theirs, ours = (with_cocopp(folder / kind)[1] for kind in ("coco", "written"))
    theirs = [t.replace(", settings = ", "") for t in theirs if not t.startswith("settings")]
    assert [text.replace("written", "coco") for text in ours] == theirs


def lines_of(path):
    """Heads, and columns 1 to 5 of the lines below each."""
    heads, blocks = [], []
    for line in path.read_text().splitlines():
        if line.startswith("%"):
            heads.append(line)
            blocks.append([])
        else:
            blocks[-1].append(line.split()[:5])
    return heads, blocks


def test_files_have_cocoexs_names_and_index(both):
    _, folder = both
    names = [
        sorted(path.relative_to(folder / kind) for path in (folder / kind).rglob("*.*"))
        for kind in ("coco", "written")
    ]
    assert names[0] == names[1]
    for theirs, ours in pairs(folder, "*.info"):
        text = theirs.read_text().replace(", settings = ''", "")
        kept = [line for line in ours.read_text().splitlines() if not line.startswith("%")]
        assert kept == [line for line in text.splitlines() if not line.startswith("%")]


def test_data_lines_are_cocoexs(both):
    """Columns 1 to 5; with constraints 1 to 4, since their digits are not in a log."""
    name, folder = both
    last = 4 if name == "bbob-constrained" else 5
    for theirs, ours in pairs(folder, "*.dat"):
        (their_heads, their_blocks), (heads, blocks) = lines_of(theirs), lines_of(ours)
        assert heads == their_heads
        for block, other in zip(blocks, their_blocks, strict=True):
            assert [line[:2] for line in block] == [line[:2] for line in other], ours.name
            numbers = [np.array([line[2:last] for line in one], float) for one in (block, other)]
            np.testing.assert_allclose(*numbers, rtol=1e-9, atol=1e-11)


def test_best_at_regular_counts_is_cocoexs(both):
    """With constraints COCO takes f + g for the regular counts, a log f: not all lines are both."""
    name, folder = both
    for theirs, ours in pairs(folder, "*.tdat"):
        (their_heads, their_blocks), (heads, blocks) = lines_of(theirs), lines_of(ours)
        assert heads == their_heads
        for block, other in zip(blocks, their_blocks, strict=True):
            mine, peers = ({line[0]: line for line in lines} for lines in (block, other))
            common = [count for count in mine if count in peers]
            if name != "bbob-constrained":
                assert list(mine) == list(peers) == common
            assert {"1", block[-1][0]} <= set(common)
            assert [mine[n][:2] for n in common] == [peers[n][:2] for n in common], ours.name
            numbers = [np.array([lines[n][2] for n in common], float) for lines in (mine, peers)]
            np.testing.assert_allclose(*numbers, rtol=1e-9, atol=1e-11)


DIFFERENT = {"bbob-noisy": "without the penalty", "bbob-constrained": "the sum of violations"}


@pytest.mark.parametrize("name", DIFFERENT)
def test_where_coco_measures_otherwise_its_hits_are_earlier_and_a_note_says_why(name, tmp_path):
    """Points outside the box, and infeasible ones: both hit targets in COCO's data only."""
    folder = run_both(tmp_path, name, *SUITES[name], everywhere=True)
    own, coco, written = (read_log(folder / kind) for kind in ("own.h5", "coco", "written"))
    assert [DIFFERENT[name] in note for note in coco.notes] == [True]
    assert own.notes == written.notes == ()
    hits, theirs, again = (
        np.nan_to_num(log.first_hits(range(len(log)), TARGETS).evaluations, nan=np.inf)
        for log in (own, coco, written)
    )
    assert np.array_equal(hits, again)
    assert (theirs <= hits).all()
    assert (theirs < hits).any()


def test_measured_as_coco_does_infeasible_points_count_alike(tmp_path, with_cocopp):
    """The only difference is the indicator: with COCO's own, all f + g runtimes are equal."""
    name = "bbob-constrained"
    folder = run_both(tmp_path, name, *SUITES[name], everywhere=True, indicator=Violations.name)
    ours = art(folder / "own.h5")
    assert art(folder / "coco") == art(folder / "written") == ours
    for kind in ("coco", "written"):
        for place, one in with_cocopp(folder / kind)[0].items():
            assert one.detERT(TARGETS) == [ours[*place, target] for target in TARGETS]


@pytest.mark.parametrize("name", ["bbob-constrained-active-only", "ma-bbob"])
def test_what_cocopp_refuses_is_written_and_said(name, tmp_path, with_cocopp):
    with firsthit.Observer(tmp_path / "own.h5", algorithm="x") as observer:
        for problem in observer(firsthit.Suite(name, 1, 2, 1)):
            problem(problem.initial_solution)
    note, _ = write_coco(read_log(tmp_path / "own.h5"), tmp_path / "written")
    assert note == f"cocopp knows no suite {name!r}, and refuses its data."
    assert read_log(tmp_path / "written").runs["suite"].tolist() == [name]
    with pytest.raises(ValueError, match="does not exist"):
        with_cocopp(tmp_path / "written")
