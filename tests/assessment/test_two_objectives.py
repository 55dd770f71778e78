"""Runs on two objectives: COCO's 58 targets and numbers, and references that are never mixed."""

import json
from importlib import import_module

import moocore
import numpy as np
import pytest

import firsthit
from firsthit.assessment import AssessmentError, RegressionOptions
from firsthit.loggers import read_log, write_coco

from ..command_line import invoke, succeed
from .cocopp_oracle import contained
from .questions import OF_TWO_OBJECTIVES, QUESTIONS, ask

FUNCTIONS, DIMENSIONS, INSTANCES = (1, 11, 20), (2, 3), range(1, 11)
EVALUATIONS = 300
KNOWN, PLACEHOLDER = (
    firsthit.Suite("bbob-biobj", 1, 2, instance)[0].reference_name for instance in (1, 11)
)
"""Names of the references of instances with and without a known best hypervolume."""
BEST_ARCHIVE = "best archive of the data"
TARGETS = [
    target + 1e-12 * abs(target)
    for target in firsthit.Suite("bbob-biobj", 1, 2, 1)[0].measurement.targets
]
"""Just above COCO's grid: where one rounds to below it, cocopp takes the next harder one."""


def points(problem, seed=0, n=EVALUATIONS, spread=1.0):
    """Random points that close in on the line between both optima."""
    place = [problem.function, problem.dimension, problem.instance, seed]
    rng = np.random.default_rng(place)
    known = problem.constants()
    first, second = known["first_optimum"], known["second_optimum"]
    reach = spread * 10.0 ** (-np.arange(n)[:, np.newaxis] / 80)
    return first + (second - first) * rng.random((n, 1)) + reach * rng.normal(size=(n, len(first)))


def observe(path, algorithm, suite, seed=0, **options):
    with firsthit.Observer(path, algorithm=algorithm, **options) as observer:
        for problem, run in zip(suite, observer(suite), strict=True):
            run(points(problem, seed))


@pytest.fixture(scope="module")
def suite():
    return firsthit.Suite("bbob-biobj", FUNCTIONS, DIMENSIONS, INSTANCES)


@pytest.fixture(scope="module")
def folder(peers, suite, tmp_path_factory):
    """The same evaluations as ``own.h5`` and as data of cocoex in ``coco``; ``written`` of ours."""
    folder = tmp_path_factory.mktemp("two")
    observe(folder / "own.h5", "x", suite)
    problems = peers.cocoex.Suite("bbob-biobj", "", "dimensions: 2,3 function_indices: 1,11,20")
    watcher = peers.cocoex.Observer(
        "bbob-biobj", f"outer_folder: {folder} result_folder: coco algorithm_name: x"
    )
    for problem in suite:
        place = (problem.function, problem.dimension, problem.instance)
        peer = problems.get_problem_by_function_dimension_instance(*place)
        peer.observe_with(watcher)
        for x in points(problem):
            peer(x)
        peer.free()
    write_coco(read_log(folder / "own.h5"), folder / "written")
    return folder


@pytest.fixture(scope="module")
def peer(folder, tmp_path_factory):
    """cocopp's aRT and hits by folder, function and dimension, and its targets."""
    with contained(tmp_path_factory.mktemp("home")):
        pproc, testbedsettings = (
            import_module(f"cocopp.{name}") for name in ("pproc", "testbedsettings")
        )
        data = {
            (kind, one.funcId, one.dim): (one.detERT(TARGETS), np.array(one.detEvals(TARGETS)))
            for kind in ("coco", "written")
            for one in pproc.DataSetList([str(folder / kind)])
        }
        targets = testbedsettings.current_testbed.pprldmany_target_values((1, 2))
    return data, targets


SOURCES = {"own.h5": "coco", "coco": "coco", "written": "written"}
"""What is assessed, and the data that cocopp reads of the same evaluations."""


def test_the_default_targets_are_cocopps(peer, folder):
    measured = read_log(folder / "own.h5").suites["bbob-biobj"].measurement
    assert measured.targets == pytest.approx(list(peer[1]), rel=1e-12, abs=1e-20)
    assert len(measured.targets) == 58


@pytest.mark.parametrize("source", SOURCES)
def test_profiles_are_those_of_cocopps_runtimes_without_restarts(source, folder, peer):
    """Every run weighs the same, failures count as never: `pprldmany` for these suites."""
    table = firsthit.load(folder / source).ecdf()
    assert any("no restarts are simulated with two objectives" in note for note in table.notes)
    assert [p.dimension for p in table.profiles] == list(DIMENSIONS)
    for profile in table.profiles:
        assert profile.pairs == 58 * len(FUNCTIONS)
        hits = [peer[0][SOURCES[source], f, profile.dimension][1] for f in FUNCTIONS]
        runtimes = np.concatenate([one.ravel() for one in hits])
        runtimes = np.nan_to_num(runtimes, nan=np.inf) / profile.dimension
        expected = [(runtimes <= b * (1 + 1e-12)).mean() for b in profile.budgets]
        np.testing.assert_allclose(profile.fraction, expected, rtol=0, atol=1e-12)
        assert 0.2 < profile.fraction[-1] < 1


def sphere(n):
    """Points on the front of f1, ever denser: better than COCO's reference in 40-D in the end."""
    return np.concatenate([[0.0, 1.0], *(np.arange(1, 2**k, 2) / 2**k for k in range(1, n))])


@pytest.fixture(scope="module")
def beyond(tmp_path_factory):
    """A run on f1 in 40-D that goes below the reference."""
    path = tmp_path_factory.mktemp("beyond") / "log.h5"
    suite = firsthit.Suite("bbob-biobj", 1, 40, 1)
    with firsthit.Observer(path, algorithm="front") as observer:
        for problem, run in zip(suite, observer(suite), strict=True):
            known = problem.constants()
            first, second = known["first_optimum"], known["second_optimum"]
            run(first + (second - first) * sphere(17)[:, np.newaxis])
    return path


@pytest.mark.slow
def test_targets_below_zero_are_hit(beyond):
    results = firsthit.load(beyond)
    table = results.art()
    assert table["target"].tolist()[-3:] == [0.0, -1e-5, -1e-4]
    assert np.isfinite(table["art"]).tolist()[-3:] == [True, True, False]
    assert results.fixed_budget(targets="0,-1e-5")["success_-1e-5"].max() == 1.0
    measured = results.measured_from("archive")
    assert measured.log.runs["best_precision"] == pytest.approx(0.0, abs=1e-12)
    assert measured.log.runs["reference_value"][0] == pytest.approx(5 / 6, abs=1e-5)
    assert 65_000 < measured.art(0)["art"][0] <= 65_537


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    """Logs of two algorithms, ``x.h5`` and ``y.h5``, on instances with and without a reference."""
    folder = tmp_path_factory.mktemp("algorithms")
    suite = firsthit.Suite("bbob-biobj", (1, 11), 2, (1, 2, 11))
    for seed, name in enumerate("xy"):
        observe(folder / f"{name}.h5", name, suite, seed)
    return folder


NO_HYPERVOLUME = OF_TWO_OBJECTIVES | {
    "data-profile", "performance-profile", "parameters", "restarts", "termination", "timing",
    "tuning", "targets", "points",
}  # fmt: skip
"""They look at something else, or take one objective."""


@pytest.mark.parametrize("name", sorted({*QUESTIONS} - NO_HYPERVOLUME))
def test_every_table_says_what_it_is_measured_from(name, two):
    results = firsthit.load(two)
    usual, measured = (ask(r, name) for r in (results, results.measured_from("archive")))
    said = " ".join(usual.notes)
    assert len(usual)
    assert f"{KNOWN} (" in said
    assert f"{PLACEHOLDER} (" in said
    assert "--hypervolume-reference archive" in said
    said = " ".join(measured.notes)
    assert f"hypervolume references: {BEST_ARCHIVE} (" in said
    assert PLACEHOLDER not in said


def test_tables_of_one_objective_say_nothing_of_it(tmp_path):
    observe_bbob = firsthit.Suite("bbob", 1, 2, 1)
    with firsthit.Observer(tmp_path / "log.h5", algorithm="x") as observer:
        for problem in observer(observe_bbob):
            problem(problem.initial_solution)
    results = firsthit.load(tmp_path / "log.h5")
    assert "hypervolume" not in " ".join(results.art().notes + results.ecdf().notes)
    with pytest.raises(AssessmentError, match="none of these runs is measured by hypervolume"):
        results.measured_from("archive")
    with pytest.raises(AssessmentError, match="none of these runs is measured by hypervolume"):
        results.hypervolume_references()


def union_by_moocore(logs, problem):
    """The hypervolume of all archives of a problem, by moocore."""
    values = []
    for log in logs:
        for run in range(len(log)):
            if tuple(log.runs[n][run] for n in ("function", "dimension", "instance")) == problem:
                region, rows = log.objectives(run), log.archive(run)
                y = np.column_stack([rows["y1"], rows["y2"]])
                values.append((y - region["ideal"]) / (region["nadir"] - region["ideal"]))
    return moocore.hypervolume(np.concatenate(values), ref=[1.0, 1.0])


def test_the_best_archive_is_the_union_of_all(two):
    results = firsthit.load(two)
    table = results.hypervolume_references()
    assert len(table) == 6
    for _, function, dimension, instance, name, value, best, archives, runs in table.rows():
        assert (archives, runs) == (2, 2)
        assert (name, value == 1.0) == ((KNOWN, False) if instance < 11 else (PLACEHOLDER, True))
        expected = union_by_moocore([results.log], (function, dimension, instance))
        assert best == pytest.approx(expected, abs=1e-9)
    alone = firsthit.load(two / "x.h5").hypervolume_references()
    assert (alone["best"] < table["best"]).all()


def test_hits_measured_anew_are_those_of_the_dumbest_loop(two):
    results = firsthit.load(two)
    measured = results.measured_from("archive")
    run = 7
    log, old = measured.log, results.log
    reference = log.runs["reference_value"][run]
    region, rows = log.objectives(run), log.archive(run)
    y = np.column_stack([rows["y1"], rows["y2"]])
    n = (y - region["ideal"]) / (region["nadir"] - region["ideal"])
    seen = np.array([moocore.hypervolume(n[:k], ref=[1.0, 1.0]) for k in range(1, len(n) + 1)])
    assert seen[0] > 0
    for target in (0.5, 0.2, 0.1, 0.03, 0.012):
        first = int(rows["evaluation"][np.argmax(reference - seen <= target)])
        reached = bool((reference - seen <= target).any())
        hits = log.first_hits([run], [target])
        assert hits.exact.all()
        assert np.array_equal(hits.evaluations[0], [first if reached else np.nan], equal_nan=True)
    path, before = log.trajectory(run), old.trajectory(run)
    assert path["evaluation"].tolist() == before["evaluation"].tolist()
    shift = reference - old.runs["reference_value"][run]
    assert path["precision"] == pytest.approx(before["precision"] + shift, abs=1e-12)
    assert log.runs["best_precision"][run] == pytest.approx(
        old.runs["best_precision"][run] + shift, abs=1e-12
    )
    assert log.runs["key"].tolist() == old.runs["key"].tolist()


def test_measured_from_its_own_reference_nothing_changes(two, tmp_path):
    results = firsthit.load(two)
    file = tmp_path / "same.csv"
    results.hypervolume_references().to_csv(file)
    again = results.measured_from(file)
    for one, other in ((results.art(), again.art()), (results.ecdf(), again.ecdf())):
        assert one.to_csv() == other.to_csv()
        assert one.notes == other.notes


def test_two_references_are_not_mixed(two):
    results = firsthit.load(two)
    half = results.measured_from("archive", algorithms="x")
    for name in ("art", "ecdf", "fixed-budget", "aocc", "attainment", "summary"):
        with pytest.raises(AssessmentError) as caught:
            ask(half, name)
        message = str(caught.value)
        assert message.startswith("f1 of bbob-biobj in 2-D, instance 1: hypervolumes are measured")
        assert KNOWN in message
        assert BEST_ARCHIVE in message
        assert "--hypervolume-reference archive" in message
    assert len(half.art(algorithms="x"))
    both = half.hypervolume_references()
    assert len(both) == 12
    assert both["runs"].tolist() == [1] * 12


@pytest.mark.parametrize(
    ("kept", "sentence"), [("final", "what was left at the end"), ("none", "kept no archive")]
)
def test_without_whole_archives_one_sentence_says_so(kept, sentence, two, tmp_path):
    suite = firsthit.Suite("bbob-biobj", 1, 2, 1)
    observe(tmp_path / "z.h5", "z", suite, archive=kept)
    results = firsthit.load([two / "x.h5", tmp_path / "z.h5"])
    with pytest.raises(AssessmentError, match=f"1 runs of z on bbob-biobj, .*{sentence}"):
        results.measured_from("archive")
    assert len(results.measured_from("archive", algorithms="x").art(algorithms="x"))
    counts = results.hypervolume_references(functions=1, instances=1)["archives"].tolist()
    assert counts == [1 + (kept == "final")]


def test_without_whole_archives_all_suites_are_named(tmp_path):
    for name in ("bbob-biobj", "bbob-biobj-ext"):
        observe(tmp_path / f"{name}.h5", "z", firsthit.Suite(name, 1, 2, 1), archive="none")
    with pytest.raises(AssessmentError, match="2 runs of z on bbob-biobj, bbob-biobj-ext, "):
        firsthit.load(tmp_path).measured_from("archive")


def test_a_file_of_references_grows(two, tmp_path):
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    done = succeed("references", two / "x.h5", "-o", first, "--format", "csv")
    assert done.stdout.splitlines()[0] == (
        "suite,function,dimension,instance,name,value,best,archives,runs"
    )
    lines = [line.split(",") for line in first.read_text().splitlines()]
    assert lines[0] == ["suite", "function", "dimension", "instance", "name", "value"]
    assert [line[4] for line in lines[1:]] == [KNOWN, KNOWN, "first"] * 2
    succeed("references", two / "y.h5", "--hypervolume-reference", first, "-o", second)
    values = [[float(line.split(",")[5]) for line in file.read_text().splitlines()[1:]]
              for file in (first, second)]  # fmt: skip
    assert all(new >= old for old, new in zip(*values, strict=True))
    table = firsthit.load(two).measured_from(second).art()
    assert "first (" in " ".join(table.notes) or "second (" in " ".join(table.notes)


def test_a_file_is_never_overwritten(two, tmp_path):
    file = tmp_path / "known.csv"
    file.write_text("mine")
    done = invoke("references", two, "-o", file)
    assert done.exit_code == 2
    assert file.read_text() == "mine"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (None, "cannot read references"),
        ("a,b\n1,2\n", "it has no column 'suite'"),
        ("suite,function,dimension,instance,name,value\nbbob-biobj,1,2,1,a,7\n", "line 2"),
        ("suite,function,dimension,instance,name,value\nbbob-biobj,one,2,1,a,0.5\n", "line 2"),
        ("suite,function,dimension,instance,name,value\nbbob-biobj,1,2,1\n", "line 2"),
        ("suite,function,dimension,instance,name,value\nbbob-biobj,1,2,1,a,0.5\n",
         "no reference of the hypervolume for bbob-biobj_f001_i02_d02 and 4 others"),
        ("suite,function,dimension,instance,name,value\n" + "bbob-biobj,1,2,1,a,0.5\n" * 2,
         "twice"),
    ],
)  # fmt: skip
def test_a_file_that_is_none(text, sentence, two, tmp_path):
    file = tmp_path / "known.csv"
    if text is not None:
        file.write_text(text)
    with pytest.raises(AssessmentError, match=sentence):
        firsthit.load(two).measured_from(file)


@pytest.mark.slow
def test_commands_take_the_reference(two, tmp_path):
    option = ("--hypervolume-reference", "archive")
    done = succeed("assess", "art", two, *option, "--format", "json")
    expected = firsthit.load(two).measured_from("archive").art()
    assert len(json.loads(done.stdout)) == len(expected)
    assert done.stdout == expected.to_json() + "\n" * (not expected.to_json().endswith("\n"))
    succeed("regressions", two / "x.h5", two / "x.h5", *option)
    succeed("figures", two, *option, "--kinds", "ecdf", "-o", tmp_path / "f", "--format", "png")
    succeed("report", two, *option, "-o", tmp_path / "report.html")
    assert BEST_ARCHIVE in (tmp_path / "report.html").read_text()


def test_versions_are_compared_from_one_reference(two):
    base, new = (firsthit.load(two / f"{name}.h5") for name in "xy")
    one = base.measured_from("archive", others=[new])
    other = new.measured_from("archive", others=[base])
    values = [r.log.runs["reference_value"].tolist() for r in (one, other)]
    assert values[0] == values[1]
    assert values[0] == firsthit.load(two).hypervolume_references()["best"].tolist()
    assert len(other.regressions(one, options=RegressionOptions()))


def test_versions_measured_from_two_references_are_not_compared(two):
    base, new = (firsthit.load(two / f"{name}.h5") for name in "xy")
    with pytest.raises(AssessmentError, match=f"two references, {KNOWN} .* and {BEST_ARCHIVE} "):
        new.measured_from("archive").regressions(base)
    done = invoke("regressions", two / "x.h5", two / "y.h5", "--hypervolume-reference", "archive")
    assert done.exit_code in (0, 1)
