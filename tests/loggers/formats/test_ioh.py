"""IOHprofiler's data as runs: best so far of what was evaluated, each block with its own run."""

import json
import shutil

import ioh
import numpy as np
import pytest

import firsthit
from firsthit.loggers import read_log, write_ioh
from firsthit.loggers.errors import LogFormatError

TARGETS = 10.0 ** (np.arange(20, -21, -1) / 10)


def first(values, target):
    return next((n for n, v in enumerate(values, 1) if round(v, 10) <= target), np.nan)


def run_of(log, function, dimension, instance, repetition):
    runs = log.runs
    keys = ("function", "dimension", "instance", "repetition")
    wanted = (function, dimension, instance, repetition)
    found = np.all([runs[k] == w for k, w in zip(keys, wanted, strict=True)], axis=0)
    [row] = np.flatnonzero(found)
    return int(row)


def test_hits_are_those_of_all_evaluations(ioh_data):
    folder, values = ioh_data
    log = read_log(folder)
    assert len(log) == len(values) == 16
    assert set(log.runs["suite"].tolist()) == {"bbob"}
    for key, seen in values.items():
        row = run_of(log, *key)
        assert log.runs["evaluations"][row] == len(seen)
        assert log.runs["best_precision"][row] == min(seen)
        hits, exact = log.first_hits([row], TARGETS)
        assert exact.all()
        assert np.array_equal(hits[0], [first(seen, t) for t in TARGETS], equal_nan=True)
        assert len(log.best_solution(row)) == key[1]
    assert any("taken to be bbob" in note for note in log.notes)
    assert any("10 decimals" in note for note in log.notes)
    assert any("all improvements are taken to be" in note for note in log.notes)


def test_they_are_read_with_runs_of_bbob_of_our_own(ioh_data, tmp_path):
    with firsthit.Observer(tmp_path / "own.h5", algorithm="own") as observer:
        for problem in observer(firsthit.Suite("bbob", functions=1, dimensions=2, instances=1)):
            problem(problem.initial_solution)
    table = firsthit.load([tmp_path / "own.h5", ioh_data[0]]).art(
        functions=1, dimensions=2, targets=[1e2]
    )
    assert table["algorithm"].tolist() == ["own", "random"]


def test_sbox_is_bbob_boxed(tmp_path):
    """Read as a suite without optima before; the functions are the same, and so are the hits."""
    logger = ioh.logger.Analyzer(
        root=str(tmp_path), folder_name="sbox", triggers=[ioh.logger.trigger.ON_IMPROVEMENT]
    )
    theirs = ioh.suite.SBOX([1, 5, 21], [1, 2], [2, 3])
    theirs.attach_logger(logger)
    with firsthit.Observer(tmp_path / "own.h5", algorithm="own") as observer:
        for other in theirs:
            facts = other.meta_data
            place = (facts.problem_id, facts.n_variables, facts.instance)
            for problem in observer(firsthit.Suite("bbob-boxed", *place)):
                rng = np.random.default_rng(1)
                for i in range(100):
                    away = rng.uniform(-4, 4, problem.dimension) * 0.9**i
                    x = np.clip(other.optimum.x + away, -5, 5)
                    other(x)
                    problem(x)
    logger.close()
    log, own = read_log(tmp_path / "sbox"), read_log(tmp_path / "own.h5")
    assert len(log) == len(own) == 12
    assert log.suites == own.suites
    targets = 10.0 ** (np.arange(20, -21, -1) / 10)
    for row in range(len(own)):
        place = tuple(own.runs[name][row] for name in ("function", "dimension", "instance"))
        hits = log.first_hits([run_of(log, *place, 0)], targets).evaluations
        assert np.array_equal(hits, own.first_hits([row], targets).evaluations, equal_nan=True)
        assert np.isfinite(hits).any()
    assert any("SBOX at points outside the box" in note for note in log.notes)


def test_where_larger_is_better_values_change_their_sign(ioh_maximization):
    folder, values = ioh_maximization
    log = read_log(folder)
    assert np.isnan(log.runs["reference_value"]).all()
    for key, seen in values.items():
        row = run_of(log, *key)
        assert log.runs["best_precision"][row] == -max(seen)
        improvements = [i for i, v in enumerate(seen) if v > max(seen[:i], default=-np.inf)]
        assert log.hits(row).evaluation.tolist() == [i + 1 for i in improvements]
        assert log.hits(row).precision.tolist() == [-seen[i] for i in improvements]
    assert np.isnan(log.first_hits(range(len(log)), [1.0])[0]).all()
    assert any("their signs are changed" in note for note in log.notes)
    with pytest.raises(firsthit.FirsthitError, match="have no reference value"):
        firsthit.load(folder).art()


def test_what_was_only_sampled_is_an_upper_bound(ioh_sampled):
    folder, _ = ioh_sampled
    log = read_log(folder)
    assert set(log.runs["record"].tolist()) == {"sampled"}
    easy = log.runs["best_precision"].max() * 1.5
    hits, exact = log.first_hits(range(len(log)), [easy, 1e-8])
    assert np.isfinite(hits[:, 0]).all()
    assert (hits[:, 0] % 7 == 0).all()
    assert not exact.any()
    assert any("not every improvement is recorded" in note for note in log.notes)


def test_the_older_format(tmp_path):
    (tmp_path / "d").mkdir()
    (tmp_path / "IOHprofiler_f1_Sphere.info").write_text(
        'suite = "BBOB", funcId = 1, funcName = "Sphere", DIM = 2, maximization = "F", '
        'algId = "old", algInfo = "x, y = 1"\n%\nd/a.dat, 1:8|0.398911, 2:1|22.6875\n'
    )
    head = '"function evaluation" "current f(x)" "best-so-far f(x)"\n'
    (tmp_path / "d" / "a.dat").write_text(
        f"{head}1 1.1795660759 1.1795660759\n8 0.3989110815 0.3989110815\n100 1.4 0.39\n"
        f"{head}1 22.6874871561 22.6874871561\n60 30.0 22.6874871561\n"
    )
    log = read_log(tmp_path)
    assert log.algorithms == ("old",)
    assert log.runs["instance"].tolist() == [1, 2]
    assert log.runs["evaluations"].tolist() == [100, 60]
    assert np.array_equal(
        log.first_hits([0, 1], [10.0, 1.0])[0], [[1, 8], [np.nan, np.nan]], equal_nan=True
    )


def changed(folder, tmp_path, change, name="IOHprofiler_f1_Sphere.json"):
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    index = json.loads((copy / name).read_text())
    change(index)
    (copy / name).write_text(json.dumps(index))
    return copy


def test_a_run_that_the_index_lacks_moves_no_other(ioh_data, tmp_path):
    """ioh leaves out a run whose values are all inf: its block must not go to the next run."""
    folder, values = ioh_data

    def drop(index):
        del index["scenarios"][0]["runs"][1]

    log = read_log(changed(folder, tmp_path, drop))
    assert len(log) == 15
    for instance, repetition, place in [(1, 0, 0), (2, 0, 0), (2, 1, 1)]:
        row = run_of(log, 1, 2, instance, place)
        seen = values[1, 2, instance, repetition]
        assert log.runs["best_precision"][row] == min(seen)
    assert any("lists 3: the others are left out" in note for note in log.notes)


def test_other_columns(ioh_data, tmp_path):
    """Without ``raw_y`` its best so far is read; an offset of other columns is no precision."""
    copy = changed(ioh_data[0], tmp_path, lambda index: None)
    for data in copy.rglob("*.dat"):
        data.write_text(data.read_text().replace("raw_y", "raw_y_best"))
    assert len(read_log(copy)) == 16
    for data in copy.rglob("*.dat"):
        data.write_text(data.read_text().replace("raw_y_best", "transformed_y"))
    assert np.isnan(read_log(copy).runs["reference_value"]).all()
    for data in copy.rglob("*.dat"):
        data.write_text(data.read_text().replace("transformed_y", "sigma"))
    with pytest.raises(LogFormatError, match="none of its columns is one of raw_y"):
        read_log(copy)


def test_values_that_are_no_numbers(ioh_data, tmp_path):
    """ioh writes inf as None: counted, never a hit."""
    copy = changed(ioh_data[0], tmp_path, lambda index: None)
    data = copy / "data_f1_Sphere" / "IOHprofiler_f1_DIM2.dat"
    lines = data.read_text().split("\n")
    lines[1] = "1 None 0.0 0.0"
    data.write_text("\n".join(lines))
    log = read_log(copy)
    row = run_of(log, 1, 2, 1, 0)
    assert log.first_hits([row], [1e8])[0][0, 0] > 1


def set_in(*path):
    *place, last, value = path

    def change(index):
        for step in place:
            index = index[step]
        index[last] = value

    return change


RUN = ("scenarios", 0, "runs", 0)
INDEX_CASES = {
    "evaluations differ": (
        set_in(*RUN, "evals", 149),
        "run 1 ends at evaluation 150, but in 'IOHprofiler_f1_Sphere.json' at 149",
    ),
    "best is better": (set_in(*RUN, "best", "y", 1e-9), "the better one 1e-09"),
    "best is no object": (set_in(*RUN, "best", 3), "'best' is 3; it must be a dict"),
    "instance is text": (set_in(*RUN, "instance", "1"), "'instance' is '1'"),
    "instance is negative": (set_in(*RUN, "instance", -1), "must be a count below"),
    "instance is true": (set_in(*RUN, "instance", True), "must be a count below"),
    "huge function": (set_in("function_id", 2**40), "must be a count below"),
    "maximization is text": (set_in("maximization", "F"), "must be a bool"),
    "no name": (set_in("algorithm", "name", ""), "must be a printable name"),
    "escape": (set_in("scenarios", 0, "path", "../x.dat"), "leads elsewhere"),
    "absolute": (set_in("scenarios", 0, "path", "/etc/passwd"), "leads elsewhere"),
    "missing": (set_in("scenarios", 0, "path", "x.dat"), "is missing"),
    "no scenarios": (set_in("scenarios", 7), "must be a list"),
    "name with escapes": (set_in("function_name", "\x1b[1m"), "must be a printable name"),
}


@pytest.mark.parametrize("name", INDEX_CASES)
def test_an_index_that_cannot_be_read_is_one_sentence(ioh_data, tmp_path, name):
    change, sentence = INDEX_CASES[name]
    with pytest.raises(LogFormatError) as caught:
        read_log(changed(ioh_data[0], tmp_path, change))
    assert sentence in str(caught.value)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("text", ["", "[]", "{", "[" * 5000, "3", '{"scenarios": [3]}'])
def test_an_index_that_is_no_index(ioh_data, tmp_path, text):
    copy = changed(ioh_data[0], tmp_path, lambda index: None)
    (copy / "IOHprofiler_f1_Sphere.json").write_text(text)
    with pytest.raises(LogFormatError, match=r"IOHprofiler_f1_Sphere\.json"):
        read_log(copy)


def test_our_own_export_loses_no_digits(tmp_path):
    """A value that happens to have ten decimals is no sign of rounding: others have more."""
    with firsthit.Observer(tmp_path / "own.h5", algorithm="own") as observer:
        for problem in observer(firsthit.Suite("bbob", functions=[1, 3], dimensions=2)):
            for point in np.random.default_rng(1).uniform(-5, 5, (30, 2)):
                problem(point)
    write_ioh(read_log(tmp_path / "own.h5"), tmp_path / "ioh")
    data = next((tmp_path / "ioh").rglob("*DIM2.dat"))
    lines = data.read_text().splitlines(keepends=True)
    at, value = lines[1].split()
    lines[1] = f"{at} {float(value) + 5e-11:.10f}\n"  # rounded up, as best values never increase
    data.write_text("".join(lines))
    assert not any("10 decimals" in note for note in read_log(tmp_path / "ioh").notes)


def test_notes_that_differ_between_folders_name_them(ioh_data, ioh_sampled):
    folders = ioh_data[0], ioh_sampled[0]
    notes = read_log(folders).notes
    [every] = [note for note in notes if "all improvements are taken to be" in note]
    [some] = [note for note in notes if "not every improvement is recorded" in note]
    assert every.startswith(f"{folders[0].name}: ")
    assert some.startswith(f"{folders[1].name}: ")
