"""Irregular data of IOHprofiler are read with a note; contradictory data are refused."""

import json

import numpy as np
import pytest

import firsthit
from firsthit.loggers import read_log, write_ioh
from firsthit.loggers.errors import LogFormatError, LogNotFoundError

OLD_HEAD = '"function evaluation" "current f(x)" "best-so-far f(x)" "current af(x)+b" "rate" \n'


def write_old_data(folder, head, runs, blocks):
    """Write an index in the format of 2018 and its data file; ``blocks``: pairs of each run."""
    data = folder / "data" / "a.dat"
    data.parent.mkdir(parents=True)
    (folder / "IOHprofiler_f1_i1.info").write_text(f"{head}\n%\ndata/a.dat, {runs}\n")
    lines = [
        OLD_HEAD
        + "".join(
            f"{count} {value:+.5e} {value:+.5e} {value:+.5e} 0.010\n" for count, value in block
        )
        for block in blocks
    ]
    data.write_text("".join(lines))


def write_json_data(folder, runs, text):
    """Write an index of the Sphere in JSON, with runs ``(evaluations, best evaluation, best)``."""
    data = folder / "data" / "a.dat"
    data.parent.mkdir(parents=True)
    index = {
        "version": "0.3.22",
        "suite": "unknown_suite",
        "function_id": 1,
        "function_name": "Sphere",
        "maximization": False,
        "algorithm": {"name": "a", "info": "-"},
        "attributes": ["evaluations", "raw_y"],
        "scenarios": [
            {
                "dimension": 2,
                "path": "data/a.dat",
                "runs": [
                    {"instance": i, "evals": evaluations, "best": {"evals": n, "y": y, "x": []}}
                    for i, (evaluations, n, y) in enumerate(runs, start=1)
                ],
            }
        ],
    }
    (folder / "IOHprofiler_f1_Sphere.json").write_text(json.dumps(index))
    data.write_text(text)


def has_note(log, words):
    return any(words in note for note in log.notes)


def test_an_old_index_of_pbo_without_name_and_direction(tmp_path):
    """IOHanalyzer's sample ``ONE_PLUS_LAMDA_EA`` has such an index, in single quotes."""
    blocks = [[(1, 38.0), (2, 39.0), (664, 100.0)], [(1, 50.0), (7, 100.0)]]
    head = "suite = 'PBO', funcId = 1, DIM = 100, algId = 'EA', algInfo = 'x, y = 1'"
    write_old_data(tmp_path, head, "1:5000|1.00000e+02, 1:5000|1.00000e+02", blocks)
    log = read_log(tmp_path)
    assert log.algorithms == ("EA",)
    assert set(log.runs["suite"].tolist()) == {"pbo"}
    assert log.runs["evaluations"].tolist() == [5000, 5000]
    assert log.hits(0).evaluation.tolist() == [1, 2, 664]
    assert log.hits(0).precision.tolist() == [62.0, 61.0, 0.0]
    assert log.hits(1).precision.tolist() == [50.0, 0.0]
    assert has_note(log, "they are on PBO")
    assert has_note(log, "the number of the index counts")


def test_a_no_break_space_separates_columns(tmp_path):
    """In Latin-1, byte A0 is a no-break space."""
    head = 'suite = "x", funcId = 1, funcName = "S", DIM = 2, maximization = "F", algId = "o"'
    write_old_data(tmp_path, head, "1:2|1.5", [])
    data = b'"function evaluation" "current f(x)"\n1\xa03\n2 1.5\n'
    (tmp_path / "data" / "a.dat").write_bytes(data)
    assert read_log(tmp_path).runs["evaluations"].tolist() == [2]


def test_a_value_better_than_the_optimum_is_refused(tmp_path):
    head = "suite = 'PBO', funcId = 1, DIM = 100, algId = 'EA'"
    write_old_data(tmp_path, head, "1:5000|1.01000e+02", [[(1, 38.0), (9, 101.0)]])
    with pytest.raises(LogFormatError, match=r"value 101, which is better than the optimum"):
        read_log(tmp_path)


def test_functions_without_a_number_are_numbered_by_name(tmp_path):
    for name, values in {"blubb": (9.0, 3.0), "bla": (5.0, 4.0)}.items():
        block = [(1, values[0]), (4, values[1])]
        head = f"funcId = {name}, DIM = 3, algId = 'EA'"
        write_old_data(tmp_path / name, head, f"1:4|{values[1]:.5e}", [block])
    log = read_log(tmp_path)
    assert has_note(log, "numbered by their names: f1 is bla, f2 is blubb")
    assert has_note(log, "by its best values, smaller ones are")
    by_number = dict(zip(log.runs["function"].tolist(), log.runs["best_precision"], strict=True))
    assert by_number == {1: 4.0, 2: 3.0}


@pytest.mark.parametrize(
    ("best", "words"), [("9.0", "both the smallest and"), ("7.0", "neither the smallest nor")]
)
def test_an_unknown_direction_is_refused(tmp_path, best, words):
    write_old_data(tmp_path, "funcId = 1, DIM = 3, algId = 'EA'", f"1:1|{best}", [[(1, 9.0)]])
    with pytest.raises(LogFormatError, match=words):
        read_log(tmp_path)


BLOCKS = (
    "evaluations raw_y\n1 9.5\n20 2.5\n30 1.5\n",
    "evaluations raw_y\n1 8.5\n20 3.5\n40 0.5\n",
)


def test_runs_with_another_best_value_are_linked_in_order(tmp_path):
    """ioh's triggers ``At`` and ``Each`` let the index miss the last value of a run."""
    write_json_data(tmp_path, [(30, 1, 9.5), (40, 12, 1.7)], "".join(BLOCKS))
    log = read_log(tmp_path)
    assert has_note(log, "linked in order, and the values of the data file count")
    assert log.runs["instance"].tolist() == [1, 2]
    assert log.runs["best_precision"].tolist() == [1.5, 0.5]


def test_the_index_of_the_trigger_each_may_lack_a_run(tmp_path):
    """The best value of the index stands in the run's block, but the last line is better."""
    write_json_data(tmp_path, [(40, 20, 3.5)], "".join(BLOCKS))
    log = read_log(tmp_path)
    assert log.runs["best_precision"].tolist() == [0.5]
    assert has_note(log, "lists 1: the others are left out")


def test_runs_in_another_order_are_linked_by_their_best_values(tmp_path):
    write_json_data(tmp_path, [(40, 40, 0.5), (30, 30, 1.5)], "".join(BLOCKS))
    log = read_log(tmp_path)
    assert dict(zip(log.runs["instance"].tolist(), log.runs["best_precision"], strict=True)) == {
        1: 0.5,
        2: 1.5,
    }
    assert has_note(log, "have another order than in the index")


def test_an_unknown_number_of_evaluations_is_that_of_the_last_line(tmp_path):
    write_json_data(tmp_path, [(0, 30, 1.5), (0, 40, 0.5)], "".join(BLOCKS))
    assert read_log(tmp_path).runs["evaluations"].tolist() == [30, 40]


@pytest.mark.parametrize(
    ("runs", "words"),
    [
        ([(30, 30, 1.5), (41, 40, 0.5)], "run 2 ends at evaluation 40, but in .* at 41"),
        ([(30, 30, 1.5), (40, 33, 0.1)], "run 2 has the best value 0.5, but in .* better one 0.1"),
        ([(30, 30, 1.5), (40, 40, 0.5), (9, 9, 0.5)], "its 2 runs are not the 3"),
    ],
)
def test_contradictions_are_refused(tmp_path, runs, words):
    write_json_data(tmp_path, runs, "".join(BLOCKS))
    with pytest.raises(LogFormatError, match=words):
        read_log(tmp_path)


def test_a_head_with_more_columns_than_its_lines(tmp_path):
    text = "".join(BLOCKS).replace("raw_y", "raw_y sigma F")
    write_json_data(tmp_path, [(30, 30, 1.5), (40, 40, 0.5)], text)
    log = read_log(tmp_path)
    assert log.runs["best_precision"].tolist() == [1.5, 0.5]
    assert has_note(log, "name more columns than their lines have")


def test_one_line_with_fewer_columns_is_refused(tmp_path):
    text = "evaluations raw_y sigma\n1 9.5 0.1\n20 2.5\n30 1.5 0.2\n"
    write_json_data(tmp_path, [(30, 30, 1.5)], text)
    with pytest.raises(LogFormatError, match=r"line 3: '20 2\.5' does not contain"):
        read_log(tmp_path)


def edit_index(folder, change):
    path = folder / "IOHprofiler_f1_Sphere.json"
    index = json.loads(path.read_text())
    change(index)
    path.write_text(json.dumps(index))


@pytest.mark.parametrize(
    ("change", "note"),
    [
        (lambda index: index.update(function_id=2), "some names of files contain another function"),
        (lambda index: index.update(function_name="Cone"), "some names of files contain another"),
        (lambda index: index.update(attributes=["evaluations"]), "have other columns than their"),
        (
            lambda index: index["scenarios"][0]["runs"][0]["best"].update(evals=1),
            "some runs have another best value in the index",
        ),
        (
            lambda index: index["scenarios"][0]["runs"][0]["best"].update(x=[0.5, 0.75]),
            "some runs have another best point in the index",
        ),
    ],
)
def test_facts_of_the_index_that_data_or_names_contradict_are_reported(tmp_path, change, note):
    text = "evaluations raw_y x0 x1\n1 9.5 2.5 1.5\n30 1.5 0.5 1.25\n"
    write_json_data(tmp_path, [(30, 30, 1.5)], text)
    edit_index(
        tmp_path, lambda index: index["scenarios"][0]["runs"][0]["best"].update(x=[0.5, 1.25])
    )
    assert not [note for note in read_log(tmp_path).notes if "another" in note]
    edit_index(tmp_path, change)
    assert has_note(read_log(tmp_path), note)


def test_a_name_with_another_dimension_is_reported(tmp_path):
    write_json_data(tmp_path, [(30, 30, 1.5)], BLOCKS[0])
    (tmp_path / "data" / "a.dat").rename(tmp_path / "data" / "IOHprofiler_f1_DIM3.dat")
    path = "data/IOHprofiler_f1_DIM3.dat"
    edit_index(tmp_path, lambda index: index["scenarios"][0].update(path=path))
    assert has_note(read_log(tmp_path), "contain another function or dimension than their index")


def test_two_algorithms_in_one_folder_are_reported(tmp_path):
    write_json_data(tmp_path, [(30, 30, 1.5)], BLOCKS[0])
    text = (tmp_path / "IOHprofiler_f1_Sphere.json").read_text()
    text = text.replace('"function_id": 1', '"function_id": 2').replace("Sphere", "Ellipsoid")
    other = tmp_path / "IOHprofiler_f2_Ellipsoid.json"
    other.write_text(text.replace('"name": "a"', '"name": "b"'))
    assert has_note(read_log(tmp_path), "name several suites or algorithms: a on unknown_suite, b")


@pytest.fixture
def own_data(tmp_path):
    """Return a folder with an export of firsthit, whose runs have hits of targets."""
    with firsthit.Observer(tmp_path / "own.h5", algorithm="own") as observer:
        for problem in observer(firsthit.Suite("bbob", functions=1, dimensions=2, instances="1-2")):
            for count in range(1, 31):
                problem(problem.initial_solution + 4 * 0.9 ** (count // 2))
    write_ioh(read_log(tmp_path / "own.h5"), tmp_path / "ioh")
    return tmp_path / "ioh"


@pytest.mark.parametrize("is_first", [True, False])
def test_a_missing_line_of_our_own_export_is_refused(own_data, is_first):
    """The first line of a run, and a line at a scheduled count, which the other run has as well."""
    [path] = own_data.rglob("*.dat")
    lines = path.read_text().splitlines(keepends=True)
    values = [line.split()[1] for line in lines]
    del lines[1 if is_first else next(i for i in range(2, 30) if values[i] == values[i - 1])]
    path.write_text("".join(lines))
    with pytest.raises(LogFormatError, match="lines of this run are missing or damaged"):
        read_log(own_data)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"record": "targets"', '"record": "tarcets"', "'record' is 'tarcets'; it must be one of"),
        ('"reference_value"', '"beference_value"', "has precisions, but no 'reference_value'"),
        ('"raw_y": "precision"', '"raw_y": "precisiom"', "'raw_y' is 'precisiom'; it must be one"),
        ('"attributes"', '"attribute"', "'attributes' is None"),
        ('  "raw_y"\n', '  "raw_x"\n', "its columns are not those of"),
    ],
)
def test_a_damaged_index_of_our_own_export_is_refused(own_data, old, new, words):
    path = own_data / "IOHprofiler_f1_Sphere.json"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(LogFormatError, match=words):
        read_log(own_data)


def test_two_objectives_are_refused(tmp_path):
    text = "evaluations raw_y F2\n1 0.5 4.25\n2 0.25 3.5\n"
    write_json_data(tmp_path, [(0, 2, 0.25)], text)
    with pytest.raises(LogFormatError, match="its column 'F2' has the values of a further"):
        read_log(tmp_path)


def test_an_index_without_runs_is_refused(tmp_path):
    write_json_data(tmp_path, [], BLOCKS[0])
    with pytest.raises(LogFormatError, match="its index files list no runs"):
        read_log(tmp_path)


def first(values, target):
    return next((n for n, value in values if value <= target), np.nan)


@pytest.mark.slow
@pytest.mark.parametrize(
    "trigger_name", ["always", "improvement", "delta", "each", "at", "during", "violation"]
)
def test_data_of_all_triggers(peers, tmp_path, trigger_name):
    """Best values and last evaluations equal those of the evaluations; others are refused.

    ioh before 0.4 has a second logger, which writes the older format.
    """
    ioh = peers.ioh
    check_data(ioh, ioh.logger.Analyzer, trigger_name, tmp_path / "new")
    if hasattr(ioh.logger, "old"):
        check_data(ioh, ioh.logger.old.Analyzer, trigger_name, tmp_path / "old")


def check_data(ioh, logger_type, trigger_name, folder):
    """Write data of ioh into a folder, and compare the log that is read from them."""
    folder.mkdir()
    kinds = ioh.logger.trigger
    trigger = {
        "always": kinds.ALWAYS,
        "improvement": kinds.ON_IMPROVEMENT,
        "delta": kinds.OnDeltaImprovement(),
        "each": kinds.Each(7),
        "at": kinds.At({1, 10, 50}),
        "during": kinds.During({(5, 20)}),
        "violation": kinds.ON_VIOLATION,
    }[trigger_name]
    triggers = [trigger]  # ioh needs the objects as long as the logger
    logger = logger_type(root=str(folder), folder_name="data", triggers=triggers)
    values = {}
    for instance in (1, 2):
        problem = ioh.get_problem(1, instance, 2, ioh.ProblemClass.BBOB)
        problem.attach_logger(logger)
        rng = np.random.default_rng(instance)
        values[instance] = [
            problem(problem.optimum.x + rng.uniform(-3, 3, 2) * 0.95**i) - problem.optimum.y
            for i in range(60)
        ]
        problem.reset()
        problem.detach_logger()
    logger.close()
    if trigger_name == "violation":  # no line was written
        with pytest.raises((LogNotFoundError, LogFormatError), match=r"no log at|list no runs"):
            read_log(folder / "data")
        return
    log = read_log(folder / "data")
    assert log.runs["evaluations"].tolist() == [60] * len(log)
    for row, instance in enumerate(log.runs["instance"].tolist()):
        history = np.minimum.accumulate(values[instance])
        for hit in log.hits(row):
            assert hit["precision"] >= history[hit["evaluation"] - 1] - 1e-9
        if trigger_name in ("always", "improvement"):
            assert log.runs["best_precision"][row] == pytest.approx(history[-1], abs=1e-9)
