"""The same evaluations observed by cocoex and by us on two objectives: the same data either way."""

import re
from dataclasses import replace

import cocoex
import moocore
import numpy as np
import pytest

import firsthit
from firsthit.loggers import import_data, read_log, write_coco
from firsthit.loggers.errors import LogFormatError, LogWriteError

from ... import tiny_suites

SUITES = {
    "bbob-biobj": ([1, 20], [2, 5], [1, 3, 11]),
    "bbob-biobj-ext": ([20, 57], [3], [1, 2]),
    "bbob-biobj-mixint": ([1, 20], [5, 10], [1, 2]),
}
EVALUATIONS = 300
RESTART = 120
BIOBJECTIVE_TARGETS = firsthit.Suite("bbob-biobj", 1, 2, 1)[0].measurement.targets
TARGETS = [target + 1e-12 * abs(target) for target in BIOBJECTIVE_TARGETS]
"""Just above COCO's grid: where one rounds to below it, cocopp takes the next harder one."""

NOT_OURS = re.compile(r" \| 2 objectives.*|index = \d+, ")
"""What differs in heads: solutions, and numbers of problems, which depend on cocoex's options."""


def optima(problem):
    """Where both objectives are best, in the suite of their own."""
    single = "bbob-mixint" if problem.number_of_integer_variables else "bbob"
    for title in problem.title.split("__"):
        function, instance, _ = (int(part[1:]) for part in title.split("_")[1:])
        one = firsthit.Suite(single, function, problem.dimension, instance)
        yield one.problem(function, problem.dimension, instance).optimal_solution


def points(problem):
    """Random points that close in on the line between both optima."""
    rng = np.random.default_rng([problem.function, problem.dimension, problem.instance])
    first, second = optima(problem)
    share = rng.random((EVALUATIONS, 1))
    reach = 5 * 10.0 ** (-np.arange(EVALUATIONS)[:, np.newaxis] / 80)
    return first + (second - first) * share + reach * rng.normal(size=(EVALUATIONS, len(first)))


@pytest.fixture(scope="module", params=SUITES)
def both(request, tmp_path_factory):
    """Name of the suite, and the folder with ``own.h5``, ``coco`` and ``written``."""
    name = request.param
    folder = tmp_path_factory.mktemp(name)
    functions, dimensions, instances = SUITES[name]
    numbers, sizes = (",".join(map(str, axis)) for axis in (instances, dimensions))
    peers = cocoex.Suite(name, f"instances: {numbers}", f"dimensions: {sizes}")
    watcher = cocoex.Observer(name, f"outer_folder: {folder} result_folder: coco algorithm_name: x")
    suite = firsthit.Suite(name, functions, dimensions, instances)
    with firsthit.Observer(folder / "own.h5", algorithm="x", record="improvements") as observer:
        for problem, run in zip(suite, observer(suite), strict=True):
            place = (problem.function, problem.dimension, problem.instance)
            peer = peers.get_problem_by_function_dimension_instance(*place)
            peer.observe_with(watcher)
            for i, x in enumerate(points(problem)):
                assert run(x) == pytest.approx(peer(x), rel=1e-9)
                if i + 1 == RESTART:
                    run.restart()
                    watcher.signal_restart(peer)
            peer.free()
    write_coco(read_log(folder / "own.h5"), folder / "written")
    return name, folder


def lines_of(path):
    """Heads, and the numbers of each block below them."""
    heads, blocks = [], []
    for line in path.read_text().splitlines():
        if line.startswith("%"):
            if not heads or blocks[-1]:
                blocks.append([])
            heads.append(line.strip())
        else:
            blocks[-1].append([float(number) for number in line.split()])
    return heads, blocks


def test_runs_of_cocoex_are_ours(both):
    name, folder = both
    own, coco = read_log(folder / "own.h5"), read_log(folder / "coco")
    for column in ("suite", "group", "function", "dimension", "instance", "evaluations", "status",
                   "reference_name", "archive_kept"):  # fmt: skip
        assert coco.runs[column].tolist() == own.runs[column].tolist(), column
    assert coco.suites == own.suites
    assert coco.groups(name) == own.groups(name)
    assert coco.runs["reference_value"] == pytest.approx(own.runs["reference_value"], rel=1e-15)
    assert set(own.runs["reference_name"].tolist()) <= {"COCO 2.8.2", "COCO's placeholder"}
    for run in range(len(own)):
        theirs, ours = coco.archive(run), own.archive(run)
        assert theirs["evaluation"].tolist() == ours["evaluation"].tolist()
        for value in ("y1", "y2"):
            assert theirs[value] == pytest.approx(ours[value], rel=1e-9)
        assert coco.objectives(run).tolist() == own.objectives(run).tolist()
        assert coco.restarts(run)["evaluation"].tolist() == [RESTART]


def test_hits_are_equal(both):
    """On bbob-biobj-mixint, where cocoex writes no lines for targets, by its archives."""
    _, folder = both
    logs = [read_log(folder / kind) for kind in ("own.h5", "coco", "written")]
    hits = [log.first_hits(range(len(log)), TARGETS) for log in logs]
    for one in hits:
        assert one.exact.all()
        assert np.array_equal(one.evaluations, hits[0].evaluations, equal_nan=True)
    assert np.isfinite(hits[0].evaluations).sum() > 5 * len(logs[0])
    assert logs[1].notes == logs[2].notes == ()


def test_hits_are_those_of_the_dumbest_loop(both):
    """The hypervolume of all points so far, by moocore, evaluation by evaluation."""
    _, folder = both
    log = read_log(folder / "coco")
    for run in (0, len(log) - 1):
        archive, region = log.archive(run), log.objectives(run)
        values = np.column_stack([archive["y1"], archive["y2"]])
        n = (values - region["ideal"]) / (region["nadir"] - region["ideal"])
        reference = log.runs["reference_value"][run]
        seen, precisions = [], []
        for k in range(1, len(n) + 1):
            volume = moocore.hypervolume(n[:k], ref=[1.0, 1.0])
            outside = np.maximum(n[:k] - 1, 0)
            seen.append(volume)
            distance = np.sqrt((outside**2).sum(axis=1)).min() if volume < 1e-13 else 0.0
            precisions.append(reference - volume + distance)
        for target in BIOBJECTIVE_TARGETS[::7]:
            if np.abs(np.array(precisions) - target).min() > 1e-9:
                first = [int(e) for e, p in zip(archive["evaluation"], precisions, strict=True)
                         if p <= target][:1]  # fmt: skip
                found = log.first_hits([run], [target]).evaluations[0]
                assert found[np.isfinite(found)].tolist() == first


def test_files_are_cocoexs(both):
    """But for ``.mdat``, which is not written, and target lines of bbob-biobj-mixint."""
    name, folder = both
    theirs, ours = (
        {path.relative_to(folder / kind): path for path in (folder / kind).rglob("*.*")
         if path.suffix != ".mdat"}
        for kind in ("coco", "written")
    )  # fmt: skip
    assert set(theirs) == set(ours)
    for place, path in theirs.items():
        if path.suffix == ".info":
            head, _, *rest = path.read_text().splitlines()
            own_head, comment, *own_rest = ours[place].read_text().splitlines()
            assert own_head == head.replace(", settings = ''", "").rstrip()
            assert comment.startswith("% written by firsthit")
            assert own_rest == rest
            continue
        (their_heads, their_blocks), (heads, blocks) = lines_of(path), lines_of(ours[place])
        said = [[NOT_OURS.sub("", head) for head in kind] for kind in (heads, their_heads)]
        assert said[0] == said[1]
        assert len(blocks) == len(their_blocks)
        for mine, peers in zip(blocks, their_blocks, strict=True):
            if path.suffix == ".dat" and name == "bbob-biobj-mixint":
                counts = {line[0] for line in peers}
                mine = [[*line[:2], 0] for line in mine if line[0] in counts]
                peers = [[*line[:2], 0] for line in peers]
            columns = 3 if path.suffix == ".adat" else None
            assert [line[0] for line in mine] == [line[0] for line in peers]
            numbers = [np.array([line[1:columns] for line in one]) for one in (mine, peers)]
            np.testing.assert_allclose(*numbers, rtol=1e-9, atol=1e-12)


def test_cocopp_reads_what_is_written_as_cocoexs_own(both, with_cocopp):
    name, folder = both
    (theirs, said), (ours, ours_said) = (with_cocopp(folder / k) for k in ("coco", "written"))
    assert set(theirs) == set(ours)
    for place, one in ours.items():
        assert one.suite_name == theirs[place].suite_name == name
        assert one.reference_values == theirs[place].reference_values
        assert one.maxevals.tolist() == theirs[place].maxevals.tolist()
        if name != "bbob-biobj-mixint":
            hits = [np.array(data.detEvals(TARGETS)) for data in (one, theirs[place])]
            assert np.array_equal(*hits, equal_nan=True)
    others = [{text for text in texts if "DataSet(" not in text} for texts in (said, ours_said)]
    assert {text for text in others[0] if not text.startswith("settings")} == others[1]


def test_a_log_of_targets_is_written_with_the_same_hits(both, tmp_path):
    name, _ = both
    functions, dimensions, instances = SUITES[name]
    suite = firsthit.Suite(name, functions, dimensions[:1], instances)
    with firsthit.Observer(tmp_path / "own.h5", algorithm="x", archive="final") as observer:
        for problem, run in zip(suite, observer(suite), strict=True):
            run(points(problem))
    log = read_log(tmp_path / "own.h5")
    assert len(write_coco(log, tmp_path / "written")) == 1
    again = read_log(tmp_path / "written")
    hits = [one.first_hits(range(len(log)), TARGETS) for one in (log, again)]
    assert np.array_equal(hits[0].evaluations, hits[1].evaluations, equal_nan=True)
    assert set(again.runs["archive_kept"].tolist()) == {"final"}
    for run in range(len(log)):
        assert again.archive(run)["evaluation"].tolist() == log.archive(run)["evaluation"].tolist()


def observed(folder, options="", times=1, suite="bbob-biobj", dimension=2):
    """Data of cocoex with these options of its observer; gives the folder."""
    chosen = f"dimensions: {dimension} instance_indices: 1-2 function_indices: 1"
    peers = cocoex.Suite(suite, "", chosen)
    watcher = cocoex.Observer(
        suite, f"outer_folder: {folder} result_folder: coco algorithm_name: x {options}"
    )
    rng = np.random.default_rng(1)
    for _ in range(times):
        for problem in peers:
            problem.observe_with(watcher)
            for _ in range(60):
                problem(problem.initial_solution + rng.uniform(-4, 4, dimension))
            problem.free()
    return folder / "coco"


def test_runs_on_one_instance_have_their_own_archives(tmp_path):
    log = read_log(observed(tmp_path, times=2))
    assert log.runs["instance"].tolist() == [1, 1, 2, 2]
    assert log.runs["repetition"].tolist() == [0, 1, 0, 1]
    assert len({log.archive(run).tobytes() for run in range(4)}) == 4
    measured = firsthit.load(tmp_path / "coco").measured_from("archive").log
    value = measured.runs["reference_value"]
    assert value[0] == value[1] > max(log.runs["reference_value"] - log.runs["best_precision"]) - 1
    again = read_log(import_data(tmp_path / "coco", tmp_path / "log.h5").path)
    assert [again.archive(run).tobytes() for run in range(4)] == [
        log.archive(run).tobytes() for run in range(4)
    ]


@pytest.mark.parametrize("kept", ["final", "none"])
def test_what_is_left_of_archives(kept, tmp_path):
    whole = read_log(observed(tmp_path / "all"))
    log = read_log(observed(tmp_path / kept, f"log_nondominated: {kept}"))
    assert set(log.runs["archive_kept"].tolist()) == {kept}
    for run in range(len(log)):
        rows = [tuple(row) for row in log.archive(run).tolist()]
        assert set(rows) < {tuple(row) for row in whole.archive(run).tolist()}
        assert bool(rows) == (kept == "final")


def test_without_archives_mixed_integers_have_bounds_and_a_note(tmp_path):
    folder = observed(tmp_path, "log_nondominated: none", 1, "bbob-biobj-mixint", 5)
    log = read_log(folder)
    assert set(log.runs["record"].tolist()) == {"sampled"}
    assert any("2 runs have no lines for targets" in note for note in log.notes)


CORRUPTIONS = {
    "letters": (lambda text: text.replace("\n2\t", "\n2\tx", 1), "does not contain the expected"),
    "backwards": (lambda text: text.replace("\n1\t", "\n7\t", 1), "is less than the one before"),
    "instance": (lambda text: text.replace("instance = 1", "instance = 5"), "is of instance 5"),
    "infinite": (lambda text: text.replace("\n1\t", "\n1\tinf\t", 1), "is not finite"),
    "no head": (lambda text: text.split("\n", 2)[2], "without a head"),
}


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_an_archive_that_cannot_be_read_is_one_sentence(name, tmp_path):
    change, sentence = CORRUPTIONS[name]
    folder = observed(tmp_path)
    [path] = (folder / "archive").glob("*_i01_*")
    text = path.read_text()
    assert change(text) != text
    path.write_text(change(text))
    with pytest.raises(LogFormatError, match=sentence) as caught:
        read_log(folder)
    assert path.name in str(caught.value)


def test_an_archive_that_breaks_off_is_read_to_its_last_whole_line(tmp_path):
    folder = observed(tmp_path)
    [path] = (folder / "archive").glob("*_i01_*")
    whole = read_log(folder).archive(0)
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:5]) + lines[5][:9])
    assert read_log(folder).archive(0).tolist() == whole[:3].tolist()


@pytest.mark.parametrize("suite", ["bbob-biobj", "own"])
def test_another_indicator_is_not_written_as_hypervolume(suite, tmp_path):
    problem = firsthit.Suite("bbob-biobj", 1, 2, 1)[0]
    if suite == "own":
        problem = problem.with_identity(
            replace(problem.problem_id, suite=suite), suite_version="1", problem_id="own_f001",
            group="", measurement=problem.measurement, remake=(firsthit.Suite, ()),
        )  # fmt: skip
    name = tiny_suites.TinySum.name
    with firsthit.Observer(tmp_path / "log.h5", algorithm="x", indicator=name) as observer:
        for run in observer([problem]):
            run(run.initial_solution)
    sentence = (
        f"runs on suite '{suite}' were measured by {name}; of two objectives, COCO's data contain "
        "only the hypervolume on bbob-biobj, bbob-biobj-ext, bbob-biobj-mixint; export them as ioh"
    )
    with pytest.raises(LogWriteError, match=sentence):
        write_coco(read_log(tmp_path / "log.h5"), tmp_path / "written")
    assert not (tmp_path / "written").exists()
