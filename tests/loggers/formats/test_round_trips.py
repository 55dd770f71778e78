"""A log that is exported and read back has the same hits; what a format cannot hold is said."""

import numpy as np
import pytest

import firsthit
from firsthit.loggers import read_log, write_coco, write_ioh, write_parquet
from firsthit.loggers.errors import LogFormatError

SUITES = {
    "bbob": 2, "bbob-boxed": 2, "bbob-largescale": 20, "bbob-mixint": 5, "bbob-noisy": 2,
    "bbob-constrained": 2, "bbob-biobj": 2, "bbob-biobj-ext": 2, "bbob-biobj-mixint": 5,
    "ma-bbob": 2,
}  # fmt: skip
"""All that are built in, with a dimension that each has."""
GRID = 10.0 ** (np.arange(160, -161, -1) / 20)
BETWEEN = np.concatenate([10 ** np.linspace(5, -9, 200), [0.0, -1e-3]])
COUNTS = np.arange(1, 61)


def search(run, place):
    """Step by step closer to the best point; ``place`` is where it begins, or ``"outside"``."""
    rng = np.random.default_rng(run.index)
    low, high = run.lower_bounds, run.upper_bounds
    best, lowest = rng.uniform(low, high), np.inf
    for i in range(60 if place != "once" else 1):
        x = best + (high - low) / 4 * 0.9**i * rng.standard_normal(run.dimension)
        if place == "outside":
            x = high + 1 + rng.random(run.dimension)
        if run.number_of_constraints and i % 2 == 0:
            run.constraint(x)
        y = run(x)
        if np.ndim(y) == 0 and y <= lowest:
            best, lowest = x, y
    if run.number_of_constraints:
        run.constraint(best)


def log_of(path, suite, dimension, record, place):
    functions = firsthit.Suite(suite).functions[:27:13]
    problems = firsthit.Suite(suite, functions, dimension, [1, 2])
    with firsthit.Observer(path, algorithm="a", record=record) as observer:
        for run in observer(problems):
            search(run, place)
    return read_log(path)


def in_order(log):
    names = ("repetition", "instance", "dimension", "function")
    return np.lexsort([log.runs[name] for name in names])


def equal(one, other):
    return (one == other) | (np.isnan(one) & np.isnan(other))


def check(log, write, folder):
    """Facts of runs and first hits are equal; first hits that differ are said to be bounds."""
    notes = write(log, folder)
    again = read_log(folder)
    ours, theirs = in_order(log), in_order(again)
    assert len(ours) == len(theirs)
    facts = ["suite", "function", "instance", "repetition", "evaluations", "status"]
    facts += ["evaluations_constraints"]
    if write is write_ioh:
        facts += ["record", "reference_value", "best_precision"]
    for name in facts:
        assert log.runs[name][ours].tolist() == again.runs[name][theirs].tolist(), name
    for weight in (0.0, 1.0):
        for targets in (GRID, BETWEEN):
            hits, exact = log.first_hits(ours, targets, weight)
            read, said = again.first_hits(theirs, targets, weight)
            assert not (said & ~exact).any()
            assert equal(hits, read)[said].all()
            assert write is write_coco or (said == exact).all()
            if targets is GRID:
                assert equal(hits, read).all()
    if write is write_ioh:
        for best, read in zip(
            log.best_at(ours, COUNTS), again.best_at(theirs, COUNTS), strict=True
        ):
            assert np.array_equal(best, read)
        for one, other in zip(ours, theirs, strict=True):
            assert log.best_solution(one).tolist() == again.best_solution(other).tolist()
    else:
        assert "ten digits of a precision" in notes[-1]


def slow_elsewhere(suite):
    """The default tier looks at one suite without constraints, and one with them."""
    marks = () if suite in ("bbob", "bbob-constrained") else pytest.mark.slow
    return pytest.param(suite, marks=marks)


@pytest.mark.parametrize(
    ("record", "place"),
    [
        ("targets", "inside"),
        ("targets", "outside"),
        ("targets", "once"),
        ("improvements", "inside"),
    ],
)
@pytest.mark.parametrize("suite", [slow_elsewhere(suite) for suite in SUITES])
def test_what_is_read_back_is_what_was_written(suite, record, place, tmp_path):
    log = log_of(tmp_path / "log.h5", suite, SUITES[suite], record, place)
    for write in (write_coco, write_ioh):
        check(log, write, tmp_path / write.__name__)


def test_evaluations_of_constraints_count_after_an_ioh_export(tmp_path):
    """By hand: f, g, f, g, and the second f hits: at f + g = 3."""
    problem = firsthit.Suite("bbob-constrained", 1, 2, 1)[0]
    corners = 4.0 * np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]])
    infeasible = next(x for x in corners if not problem.is_feasible(x))
    with firsthit.Observer(tmp_path / "a.h5", algorithm="a") as observer:
        for run in observer([problem]):
            for x in (infeasible, problem.initial_solution):
                run(x)
                run.constraint(x)
    write_ioh(read_log(tmp_path / "a.h5"), tmp_path / "ioh")
    [data] = (tmp_path / "ioh").rglob("*.dat")
    lines = data.read_text().splitlines()
    assert lines[0] == "evaluations raw_y evaluations_constraints"
    assert lines[-1].split()[::2] == ["2", "1"]
    tables = [
        firsthit.load(tmp_path / name).art(targets=[1e8], count="f+g") for name in ("a.h5", "ioh")
    ]
    assert [table["art"].tolist() for table in tables] == [[3.0], [3.0]]


@pytest.mark.parametrize("clock", ["simulated", "measured"])
@pytest.mark.parametrize("record", ["targets", "improvements"])
def test_seconds_are_read_back_where_the_format_has_room(record, clock, tmp_path):
    """IOHprofiler's data and Parquet have columns for them; COCO's have none, as a note says."""
    timed = {"clock": "measured"}
    if clock == "simulated":
        timed = {"parallel": firsthit.Parallel(4, "lognormal(0, 0.5)")}
    log = firsthit.benchmark(
        "random-search", "bbob", functions=[1, 3], dimensions=2, instances="1-2", budget=40,
        record=record, **timed,
    ).log  # fmt: skip
    rows = range(len(log))
    for write in (write_ioh, write_parquet):
        assert write(log, tmp_path / write.__name__) == ()
        again = read_log(tmp_path / write.__name__)
        ours, theirs = in_order(log), in_order(again)
        assert log.seconds(ours).tolist() == again.seconds(theirs).tolist()
        assert log.hosts(rows).tolist() == again.hosts(rows).tolist()
        hits, read = (
            one.first_hits(places, GRID, in_seconds=True)[0]
            for one, places in ((log, ours), (again, theirs))
        )
        assert equal(hits, read).all()
        assert np.isfinite(hits).any()
    notes = write_coco(log, tmp_path / "coco")
    assert "COCO's data have no place for seconds: not written." in notes
    assert np.isnan(read_log(tmp_path / "coco").seconds(rows)).all()


def test_seconds_of_ioh_that_fall_are_refused(tmp_path):
    log = firsthit.benchmark(
        "random-search", "bbob", functions=1, dimensions=2, instances=1, budget=40,
        parallel=firsthit.Parallel(4, 0.5),
    ).log  # fmt: skip
    write_ioh(log, tmp_path / "ioh")
    [data] = (tmp_path / "ioh").rglob("*.dat")
    lines = data.read_text().splitlines()
    assert lines[0] == "evaluations raw_y seconds"
    assert lines[1].split()[0::2] == ["1", "0.5"]
    data.write_text("\n".join([*lines[:-1], f"{lines[-1].rpartition(' ')[0]} 0.1"]) + "\n")
    with pytest.raises(LogFormatError, match="its seconds are not finite, or decrease"):
        read_log(tmp_path / "ioh")


@pytest.mark.parametrize("values", [[np.inf, np.nan], [1e25, 3e22, 1.0]])
def test_values_that_are_none_or_huge(values, tmp_path):
    problem = firsthit.problem_from(lambda x: values[int(x[0])], 2, reference_value=0.0)
    with firsthit.Observer(tmp_path / "a.h5", algorithm="a") as observer:
        for run in observer([problem]):
            for i in range(len(values)):
                run(np.full(2, float(i)))
    log = read_log(tmp_path / "a.h5")
    write_ioh(log, tmp_path / "ioh")
    again = read_log(tmp_path / "ioh")
    targets = [1e25, 1e24, 1e2]
    assert np.array_equal(log.first_hits([0], targets)[0], again.first_hits([0], targets)[0],
                          equal_nan=True)  # fmt: skip


def test_a_missing_index_is_told(tmp_path):
    with firsthit.Observer(tmp_path / "a.h5", algorithm="a") as observer:
        for run in observer(firsthit.Suite("bbob", [1, 2], 2, 1)):
            run(run.initial_solution)
    for write, index in ((write_ioh, "IOHprofiler_f2_*.json"), (write_coco, "bbobexp_f2.info")):
        folder = tmp_path / write.__name__
        write(read_log(tmp_path / "a.h5"), folder)
        [path] = folder.glob(index)
        path.unlink()
        again = read_log(folder)
        assert len(again) == 1
        assert any("1 data files are in no index and were left out" in note for note in again.notes)


def test_what_ioh_data_have_no_place_for_is_told(tmp_path):
    with firsthit.Observer(tmp_path / "a.h5", algorithm="a") as observer:
        for run in observer(firsthit.Suite("bbob", 1, 2, 1)):
            run(run.initial_solution)
            run.restart("why")
            run.recommend(run.initial_solution)
            run(run.initial_solution)
    [note] = write_ioh(read_log(tmp_path / "a.h5"), tmp_path / "ioh")
    assert "no place for restarts, recommendations" in note
