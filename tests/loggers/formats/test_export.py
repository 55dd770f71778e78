"""What is exported reads back the same: byte by byte as cocoex writes it, and by the peers."""

import json

import cocoex
import numpy as np
import pytest

import firsthit
from firsthit.loggers import import_data, read_log, write_coco, write_ioh
from firsthit.loggers.errors import LogExistsError, LogWriteError

from .conftest import pairs

DIMENSIONS, INSTANCES, FUNCTIONS = (2, 3, 10), (1, 2, 3), (1, 2, 5, 7, 8, 12, 15, 20, 21)
GRID = 10.0 ** (np.arange(160, -161, -1) / 20)
INFO = "written by firsthit 0.1.0"


def evolve(evaluate, dimension, seed, evaluations):
    """A (1+1)-ES with the one-fifth rule."""
    rng = np.random.default_rng(seed)
    x, step = rng.uniform(-4, 4, dimension), 2.0
    best = evaluate(x)
    for _ in range(evaluations - 1):
        y = x + step * rng.standard_normal(dimension)
        value = evaluate(y)
        step *= 1.5 if value <= best else 1.5**-0.25
        if value <= best:
            x, best = y, value


def suite():
    return firsthit.Suite(
        "bbob", functions=FUNCTIONS, dimensions=DIMENSIONS, instances=list(INSTANCES)
    )


def with_values_of(problem, evaluate):
    """The problem with the values of another: COCO's own, to the last digit."""
    problem.evaluate_point = evaluate
    return problem


@pytest.fixture(scope="module")
def experiment(tmp_path_factory):
    """The same evaluations observed by cocoex, and by us with every improvement and without."""
    folder = tmp_path_factory.mktemp("same")
    peers = cocoex.Suite("bbob", f"instances: {','.join(map(str, INSTANCES))}", "")
    watcher = cocoex.Observer(
        "bbob",
        f'outer_folder: {folder} result_folder: coco algorithm_name: es algorithm_info: "{INFO}"',
    )
    with (
        firsthit.Observer(folder / "all.h5", algorithm="es", record="improvements") as observer,
        firsthit.Observer(folder / "targets.h5", algorithm="es") as second,
    ):
        for count, problem in enumerate(suite()):
            place = (problem.function, problem.dimension, problem.instance)
            peer = peers.get_problem_by_function_dimension_instance(*place)
            peer.observe_with(watcher)
            seen = []
            for run in observer([with_values_of(problem, lambda x, peer=peer: peer(x))]):

                def evaluate(x, run=run, seen=seen):
                    seen.append((x, run(x)))
                    return seen[-1][1]

                evolve(evaluate, problem.dimension, count, 300 + 7 * (count % 50))
            peer.free()
            again = iter([value for _, value in seen])
            for run in second([with_values_of(problem, lambda x, again=again: next(again))]):
                for x, _ in seen:
                    run(x)
    logs = {kind: read_log(folder / f"{kind}.h5") for kind in ("all", "targets")}
    [limits] = write_coco(logs["targets"], folder / "written")
    assert limits.startswith("COCO's data contain ten digits")
    for kind, log in logs.items():
        assert write_ioh(log, folder / f"ioh-{kind}") == ()
    return folder, logs


def columns(path, wanted):
    """Lines of a data file: heads whole, of the others some columns as they are written."""
    lines = path.read_text().splitlines()
    return [
        line if line.startswith("%") else " ".join(line.split()[i] for i in wanted)
        for line in lines
    ]


def test_rdat_has_the_heads_of_cocoex(experiment):
    for theirs, ours in pairs(experiment[0], "*.rdat"):
        assert ours.read_text() == theirs.read_text()


def test_dat_of_first_hits_has_no_line_that_cocoex_has_not(experiment):
    """A log of targets lacks what hits none: then cocoex's line is missing, never another."""
    missing = 0
    for theirs, ours in pairs(experiment[0], "*.dat"):
        rest = iter(columns(theirs, range(5)))
        kept = columns(ours, range(5))
        assert all(line in rest for line in kept), ours.name
        missing += len(columns(theirs, range(5))) - len(kept)
    assert missing > 0


def test_cocopp_computes_the_same_art_of_first_hits(experiment, with_cocopp):
    folder, _ = experiment
    theirs, _ = with_cocopp(folder / "coco")
    ours, _ = with_cocopp(folder / "written")
    targets = 10.0 ** (np.arange(10, -41, -1) / 5)
    assert set(ours) == set(theirs)
    for place, data in theirs.items():
        assert ours[place].detERT(targets) == data.detERT(targets)
        assert ours[place].instancenumbers == data.instancenumbers
        assert ours[place].maxevals.tolist() == data.maxevals.tolist()


def test_cocopp_reads_the_fifteen_instances_of_a_year_without_a_warning(tmp_path, with_cocopp):
    numbers = [*range(1, 6), *range(61, 71)]
    problems = firsthit.Suite("bbob", functions=[1, 8], dimensions=2, instances=numbers)
    with firsthit.Observer(tmp_path / "a.h5", algorithm="it's") as observer:
        for count, problem in enumerate(observer(problems)):
            evolve(problem, 2, count, 60)
    write_coco(read_log(tmp_path / "a.h5"), tmp_path / "coco")
    data, warnings = with_cocopp(tmp_path / "coco")
    assert len(data) == 2
    assert warnings == []


def by_hand(folder):
    """``(function, dimension, instance)`` to evaluations spent and points, read without ours."""
    runs = {}
    for path in folder.glob("*.json"):
        index = json.loads(path.read_text())
        for scenario in index["scenarios"]:
            blocks = (folder / scenario["path"]).read_text().split("evaluations raw_y\n")[1:]
            assert len(blocks) == len(scenario["runs"])
            for run, block in zip(scenario["runs"], blocks, strict=True):
                points = [line.split() for line in block.splitlines()]
                place = (index["function_id"], scenario["dimension"], run["instance"])
                runs[place] = (run["evals"], [(int(n), float(y)) for n, y in points])
                assert points[0][0] == "1"
                assert int(points[-1][0]) == run["evals"]
                assert [str(run["best"]["evals"]), repr(run["best"]["y"])] in points
    return runs


@pytest.mark.parametrize("kind", ["all", "targets"])
def test_ioh_data_have_the_same_hits_by_hand_and_by_iohinspector(experiment, kind):
    import iohinspector

    folder, logs = experiment
    log = logs[kind]
    rows = [log.runs[name].tolist() for name in ("function", "dimension", "instance")]
    hits, _ = log.first_hits(range(len(log)), GRID)
    parsed = by_hand(folder / f"ioh-{kind}")
    manager = iohinspector.DataManager()
    manager.add_folder(str(folder / f"ioh-{kind}"))
    frame = manager.load(monotonic=False, include_meta_data=True)
    names = ("function_id", "dimension", "instance", "evals", "evaluations", "raw_y")
    table = [frame[name].to_numpy() for name in names]
    assert set(frame["algorithm_name"]) == {"es"}
    for row, place in enumerate(zip(*rows, strict=True)):
        spent, points = parsed[place]
        assert spent == log.runs["evaluations"][row]
        expected = [next((n for n, y in points if y <= t), np.nan) for t in GRID]
        assert np.array_equal(hits[row], expected, equal_nan=True)
        own = np.all([column == value for column, value in zip(table, place, strict=False)], axis=0)
        assert set(table[3][own].tolist()) == {spent}
        assert list(zip(table[4][own].tolist(), table[5][own].tolist(), strict=True)) == points


def values_near_the_final_target():
    """Problems and values whose precision tells another story than the comparison of values."""
    for problem in firsthit.Suite("bbob", range(1, 25), 2, 1):
        threshold = problem.reference_value + 1e-8
        if threshold - problem.reference_value > 1e-8 * (1 + 1e-9):
            yield problem, float(threshold), True
    near = firsthit.problem_from(lambda x: 0.0, 2, name="near", reference_value=0.0)
    yield near, 1e-8 * (1 + 5e-10), False


def test_hits_are_written_as_the_log_has_them_where_rounding_decides(tmp_path):
    """``value <= reference + target`` is what counts; readers compare differences, with slack."""
    cases = list(values_near_the_final_target())
    assert len(cases) > 5
    for number, (problem, value, hit) in enumerate(cases):
        with firsthit.Observer(tmp_path / f"{number}.h5", algorithm="lucky") as observer:
            for run in observer([with_values_of(problem, lambda x, value=value: value)]):
                run(np.zeros(2))
        log = read_log(tmp_path / f"{number}.h5")
        assert np.isfinite(log.first_hits([0], [1e-8])[0]).all() == hit
        for write, name in ((write_coco, "coco"), (write_ioh, "ioh")):
            write(log, tmp_path / f"{number}-{name}")
            hits, _ = read_log(tmp_path / f"{number}-{name}").first_hits([0], [1e-8])
            assert np.isfinite(hits).all() == hit, name


def test_a_first_value_that_is_none(tmp_path, with_cocopp):
    """The first line of a run is its first evaluation, also where that gave infinity."""
    values = iter([np.inf, np.nan, 100.0, 90.0])
    problem = with_values_of(firsthit.Suite("bbob", 1, 2, 1)[0], lambda x: next(values))
    with firsthit.Observer(tmp_path / "a.h5", algorithm="late") as observer:
        for run in observer([problem]):
            for _ in range(4):
                run(np.zeros(2))
    log = read_log(tmp_path / "a.h5")
    for write, name in ((write_coco, "coco"), (write_ioh, "ioh")):
        write(log, tmp_path / name)
        again = read_log(tmp_path / name)
        assert again.hits(0).evaluation.tolist() == [3, 4], name
        assert again.first_hits([0], [10**1.4, 10**1.2])[0].tolist() == [[3.0, 4.0]]
    data, _ = with_cocopp(tmp_path / "coco")
    assert data[1, 2].detERT([10**1.4, 10**1.2]) == [3.0, 4.0]


def test_several_algorithms_and_awkward_names_get_folders_of_their_own(tmp_path):
    for name in ("a/b: *", "a/b: ?"):
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.h5"
        with firsthit.Observer(path, algorithm=name) as observer:
            for problem in observer(firsthit.Suite("bbob", 1, 2, [1, 2])):
                problem(problem.initial_solution)
                problem.restart("test")
                problem(problem.initial_solution + 1)
                problem.recommend(problem.initial_solution)
    log = read_log(sorted(tmp_path.glob("*.h5")))
    for write in (write_coco, write_ioh):
        folder = tmp_path / write.__name__
        write(log, folder)
        assert len(list(folder.iterdir())) == 2
        again = read_log(folder)
        assert again.algorithms == log.algorithms
        assert len(again) == 4
    assert read_log(tmp_path / "write_coco").restarts(0).evaluation.tolist() == [1]
    assert len(read_log(tmp_path / "write_coco").recommendations(0)) == 1


@pytest.mark.parametrize("write", [write_coco, write_ioh])
def test_functions_with_and_without_a_name_are_the_same(coco_data, ioh_data, tmp_path, write):
    """COCO's data hold no names: runs of one algorithm from both lost each other's file."""
    theirs = import_data(ioh_data[0], tmp_path / "ioh.h5", "RS").path
    log = read_log([coco_data["bbob"][0], theirs])
    write(log, tmp_path / "out")
    assert len(log) == len(read_log(tmp_path / "out")) == 34
    assert len([path for path in (tmp_path / "out").glob("*_f1*") if path.is_file()]) == 1


def test_nothing_is_overwritten_and_nothing_half_is_left(experiment, tmp_path):
    _, logs = experiment
    (tmp_path / "there").mkdir()
    for write in (write_coco, write_ioh):
        with pytest.raises(LogExistsError, match="overwrite=True replaces it"):
            write(logs["targets"], tmp_path / "there")
        with pytest.raises(LogWriteError, match="cannot write"):
            write(logs["targets"], tmp_path / "missing" / ("x" * 300))
    (tmp_path / "missing").rmdir()
    assert [p.name for p in tmp_path.iterdir()] == ["there"]


def test_what_coco_data_cannot_say_is_refused(ioh_maximization, tmp_path):
    with pytest.raises(LogWriteError, match="have no reference value"):
        write_coco(read_log(ioh_maximization[0]), tmp_path / "a")
    assert not list(tmp_path.iterdir())


def once_in_instance_2(problem):
    if problem.id_instance == 2:
        problem(problem.initial_solution)


def test_runs_without_evaluations_are_left_out_and_said(tmp_path):
    problems = firsthit.Suite("bbob", 1, 2, [1, 2])
    with pytest.warns(UserWarning, match="1 of 2 runs failed"):
        firsthit.benchmark(once_in_instance_2, problems, restarts=0, output=tmp_path / "a.h5")
    note, _ = write_coco(read_log(tmp_path / "a.h5"), tmp_path / "coco")
    assert note == "1 runs without any evaluation are left out."
    assert read_log(tmp_path / "coco").runs["instance"].tolist() == [2]


@pytest.mark.parametrize("record_points", ["all", "hits"])
def test_positions_in_ioh_data_are_the_recorded_points(record_points, tmp_path):
    """ioh writes six decimals; these columns have all digits."""
    own = []

    def walk(problem, rng):
        for _ in range(50):
            own.append(rng.uniform(-5, 5, problem.dimension))
            problem(own[-1])

    log = firsthit.benchmark(
        {"mine": walk}, "bbob", functions=1, dimensions=3, instances=1, budget=50, restarts=0,
        record_points=record_points,
    ).log  # fmt: skip
    assert any("columns x0, x1" in note for note in write_ioh(log, tmp_path / "ioh"))
    (path,) = (tmp_path / "ioh").rglob("*.dat")
    header, *lines = map(str.split, path.read_text().splitlines())
    assert header == ["evaluations", "raw_y", "x0", "x1", "x2"]
    hits = log.hits(0)["evaluation"].tolist()
    for evaluation, _, *point in lines:
        is_recorded = record_points == "all" or int(evaluation) in hits
        expected = own[int(evaluation) - 1] if is_recorded else np.full(3, np.nan)
        np.testing.assert_array_equal([float(x) for x in point], expected)
    imported = firsthit.load(tmp_path / "ioh").log
    assert imported.hits(0)["evaluation"].tolist() == hits
