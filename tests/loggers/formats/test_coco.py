"""COCO's data as runs: counts, precisions and hits are those of what was evaluated."""

import shutil

import numpy as np
import pytest

import firsthit
from firsthit.loggers import import_data, read_log
from firsthit.loggers.errors import LogFormatError
from firsthit.suites import FirsthitError

GRID = 10.0 ** (np.arange(40, -41, -1) / 5)


def rows_of(log, function, dimension):
    runs = log.runs
    rows = np.flatnonzero((runs["function"] == function) & (runs["dimension"] == dimension))
    return rows[np.argsort(runs["instance"][rows])]


def test_restarts_and_recommendations_are_read(coco_data):
    log = read_log(coco_data["bbob"][0])
    for run in range(len(log)):
        assert log.restarts(run).evaluation.tolist() == [51]
        recommended = log.recommendations(run)
        assert recommended.evaluation[0] == 1
        points = log.recommended_solutions(run)
        assert points.shape == (len(recommended), log.runs["dimension"][run])
        assert np.isnan(points).all()


def test_best_so_far_at_regular_counts_is_kept(coco_data):
    folder, values = coco_data["bbob"]
    log = read_log(folder)
    row = rows_of(log, 8, 2)[0]
    seen = np.array(next(v for k, v in values.items() if k.startswith("bbob_f008_i01_d02")))
    best = np.minimum.accumulate(seen) - log.runs["reference_value"][row]
    path = log.trajectory(row)
    assert {1, 2, 4, 10, 20, 40, 100, 125, 150} <= set(path.evaluation.tolist())
    assert path.precision == pytest.approx(best[path.evaluation - 1], rel=1e-8)


def test_counts_of_both_kinds_stay_in_an_imported_log(coco_data, tmp_path):
    folder, _ = coco_data["bbob-constrained"]
    log = read_log(import_data(folder, tmp_path / "log.h5").path)
    assert set(log.runs["evaluations_constraints"].tolist()) == {50}
    for weight in (0, 1):
        ours, theirs = (
            one.first_hits(range(len(log)), GRID, constraints_weight=weight).evaluations
            for one in (log, read_log(folder))
        )
        assert np.array_equal(ours, theirs, equal_nan=True)
    for run in range(len(log)):
        hits = log.hits(run)
        assert hits.constraints.tolist() == [(n + 2) // 3 for n in hits.evaluation.tolist()]


def test_a_log_names_how_the_runs_of_its_suites_were_measured(coco_data, tmp_path):
    folders = [coco_data[suite][0] for suite in ("bbob", "bbob-noisy", "bbob-biobj")]
    suites = read_log(import_data(folders, tmp_path / "log.h5").path).suites
    assert list(suites) == ["bbob", "bbob-biobj", "bbob-noisy"]
    for name in ("bbob", "bbob-noisy"):
        with firsthit.Observer(tmp_path / f"{name}.h5", algorithm="a") as observer:
            for problem in observer(firsthit.Suite(name, dimensions=2)[:1]):
                problem(problem.initial_solution)
        [own] = read_log(tmp_path / f"{name}.h5").suites.values()
        assert suites[name].measurement == own.measurement
        assert suites[name].version == own.version
    two = suites["bbob-biobj"].measurement
    assert (two.indicator, two.final_target, len(two.targets)) == ("hypervolume", None, 58)
    assert two.targets[:2] == (1.0, 10**-0.1)
    assert two.targets[50:] == pytest.approx(
        [1e-5, 0.0, -1e-5, -(10**-4.8), -(10**-4.6), -(10**-4.4), -(10**-4.2), -1e-4]
    )


OLD_INFO = """funcId = 1, DIM = 2, Precision = 1.000e-08, algId = 'old one'
% a comment
data_f1\\bbobexp_f1_DIM2.dat, 1:40|-2.0e-09, 1:50|1.5e-01, data_f1\\more.dat, 2:30|2.0e+00
"""
OLD_HEAD = (
    "% function evaluation | noise-free fitness - Fopt (7.948000000000e+01) | "
    "best noise-free fitness - Fopt | measured fitness | best measured fitness | x1 | x2\n"
)


def old_data(folder):
    """The oldest format by hand: no suite, column 2 is no count, two files in one entry."""
    (folder / "data_f1").mkdir(parents=True)
    (folder / "bbobexp_f1.info").write_text(OLD_INFO)
    first = "1 +3e+01 +3e+01 +1e+02 +1e+02 0 0\n7 +9e-01 +9e-01 +8e+01 +8e+01 0 0\n"
    (folder / "data_f1" / "bbobexp_f1_DIM2.dat").write_text(
        OLD_HEAD + first + "40 +8e-09 +8e-09 +7.9e+01 +7.9e+01 0 0\n"
        + OLD_HEAD + "1 +5e+00 +5e+00 +8e+01 +8e+01 0 0\n50 +9e+00 +1.5e-01 +8e+01 +8e+01 0 0\n"
    )  # fmt: skip
    (folder / "data_f1" / "more.dat").write_text(OLD_HEAD + "1 +2e+00 +2e+00 +8e+01 +8e+01 0 0\n")
    return folder


def test_the_oldest_format_with_repeated_instances(tmp_path):
    log = read_log(old_data(tmp_path / "old"))
    runs = log.runs
    assert runs["suite"].tolist() == ["bbob"] * 3
    assert runs["algorithm"].tolist() == ["old one"] * 3
    assert runs["instance"].tolist() == [1, 1, 2]
    assert runs["repetition"].tolist() == [0, 1, 0]
    assert runs["evaluations"].tolist() == [40, 50, 30]
    assert runs["evaluations_constraints"].tolist() == [0, 0, 0]
    assert runs["reference_value"].tolist() == [79.48] * 3
    assert runs["status"].tolist() == ["target", "terminated", "terminated"]
    hits, _ = log.first_hits(range(3), [10.0, 1.0, 1e-8])
    assert np.array_equal(hits, [[7, 7, 40], [1, 50, np.nan], [1, np.nan, np.nan]], equal_nan=True)
    notes = log.headers[0]["provenance"]["imported"]["notes"]
    assert any("taken to be bbob" in note for note in notes)
    assert any("no .tdat" in note for note in notes)


def test_runs_that_were_not_finished_are_kept_and_said(coco_data, tmp_path):
    folder = tmp_path / "broken"
    shutil.copytree(coco_data["bbob"][0], folder)
    info = folder / "bbobexp_f1.info"
    whole = info.read_text()
    assert whole.count(", 3:150|") == 2
    cut = whole.rindex(", 3:150|")
    info.write_text(whole[: cut + 3])
    log = read_log(folder)
    broken = log.runs["status"] == "interrupted"
    assert broken.sum() == 1
    assert log.runs["evaluations"][broken].tolist() == [150]
    assert any("1 runs were not finished" in n for n in log.notes)


def test_an_empty_index_and_unlisted_data_are_said(coco_data, tmp_path):
    folder = tmp_path / "killed"
    shutil.copytree(coco_data["bbob"][0], folder)
    (folder / "bbobexp_f2.info").write_text("")
    log = read_log(folder)
    assert set(log.runs["function"].tolist()) == {1, 8}
    assert any("bbobexp_f2.info is empty" in note for note in log.notes)
    assert any("2 data files are in no index" in note for note in log.notes)


def test_a_last_line_that_breaks_off_is_no_value(coco_data, tmp_path):
    """``+1.7`` may be the beginning of ``+1.7e+01``: half a number would be a false hit."""
    folder = tmp_path / "torn"
    shutil.copytree(coco_data["bbob"][0], folder)
    before = read_log(folder)
    data = folder / "data_f8" / "bbobexp_f8_DIM10.dat"
    data.write_text(data.read_text() + "151 0 +1.0")
    after = read_log(folder)
    row = rows_of(after, 8, 10)[-1]
    assert after.runs["best_precision"][row] == before.runs["best_precision"][row] > 1
    assert any("breaks off" in note for note in after.notes)


def test_the_same_data_twice_are_the_same_runs_and_other_data_are_others(coco_data, tmp_path):
    folder, _ = coco_data["bbob"]
    archive = shutil.make_archive(str(tmp_path / "same"), "gztar", folder)
    part = tmp_path / "part"
    shutil.copytree(folder, part, ignore=shutil.ignore_patterns("*f2*", "*f8*"))
    assert len(read_log([folder, archive, part])) == len(read_log(folder))
    other, _ = observe_again(tmp_path)
    assert len(read_log([folder, other])) == len(read_log(folder)) + 1


def observe_again(tmp_path):
    from cocoex import Observer, Suite

    observer = Observer("bbob", f"outer_folder: {tmp_path} result_folder: other algorithm_name: RS")
    suite = Suite("bbob", "", "dimensions: 2 instance_indices: 1 function_indices: 1")
    for problem in suite:
        problem.observe_with(observer)
        problem(problem.initial_solution)
        problem.free()
    return tmp_path / "other", suite


CORRUPTIONS = {
    "letters": (
        "data_f1/bbobexp_f1_DIM2.dat", lambda t: t.replace("\n2 0 +", "\n2 0 x+"), "line 3",
    ),
    "descending": (
        "data_f1/bbobexp_f1_DIM2.dat",
        lambda t: t.replace("\n150 0", "\n0.5 0", 1), "no count of evaluations",
    ),
    "backwards": (
        "data_f1/bbobexp_f1_DIM2.tdat", lambda t: t.replace("\n100 0", "\n3 0", 1), "less than",
    ),
    "negative": ("data_f1/bbobexp_f1_DIM2.dat", lambda t: t.replace("\n1 0", "\n-1 0", 1), "count"),
    "few columns": (
        "data_f1/bbobexp_f1_DIM2.dat", lambda t: t.replace("\n1 0 +", "\n1 0+"), "6 columns",
    ),
    "no head": ("data_f1/bbobexp_f1_DIM2.dat", lambda t: t.split("\n", 1)[1], "without a head"),
    "missing runs": (
        "data_f1/bbobexp_f1_DIM2.dat", lambda t: t[: t.rindex("%")], "has 2 runs",
    ),
    "fewer in tdat": (
        "data_f1/bbobexp_f1_DIM2.tdat", lambda t: t[: t.rindex("%")], "has 2 runs",
    ),
    "no index": ("bbobexp_f1.info", lambda t: "hello\n" + t, "line 1"),
    "no dimension": ("bbobexp_f1.info", lambda t: t.replace("DIM = 2, ", ""), "no DIM"),
    "huge function": (
        "bbobexp_f1.info", lambda t: t.replace("funcId = 1,", f"funcId = {10**40},"), "function is",
    ),
    "dimension 0": (
        "bbobexp_f1.info", lambda t: t.replace("DIM = 2,", "DIM = 0,"), "dimension is 0",
    ),
    "run": ("bbobexp_f1.info", lambda t: t.replace("1:150|", "1:1x50|"), "neither a data file nor"),
    "missing dat": ("bbobexp_f1.info", lambda t: t.replace("_DIM2.dat", "_DIM3.dat"), "missing"),
    "escape": (
        "bbobexp_f1.info", lambda t: t.replace("data_f1/", "../data_f1/"), "leads elsewhere",
    ),
    "absolute": ("bbobexp_f1.info", lambda t: t.replace("data_f1/", "/etc/"), "leads elsewhere"),
    "no name": ("bbobexp_f1.info", lambda t: t.replace("algId = 'RS'", "algId = ''"), "name is ''"),
    "control characters": (
        "bbobexp_f1.info", lambda t: t.replace("'RS'", "'R\x1b[31mS'"), "must be printable",
    ),
    "suite of two directions": (
        "bbobexp_f1.info", lambda t: t.replace("'bbob', funcId", "'b\u202eob', funcId"),
        "the suite's name is",
    ),
    "another function": (
        "bbobexp_f2.info", lambda t: t.replace("data_f2/bbobexp_f2_", "data_f1/bbobexp_f1_"),
        "another function",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_what_cannot_be_read_is_one_sentence_with_file_and_line(coco_data, tmp_path, name):
    file, change, sentence = CORRUPTIONS[name]
    folder = tmp_path / "data"
    shutil.copytree(coco_data["bbob"][0], folder)
    text = (folder / file).read_text()
    assert change(text) != text
    (folder / file).write_text(change(text))
    with pytest.raises(LogFormatError) as caught:
        read_log(folder)
    message = str(caught.value)
    assert sentence in message
    assert str(folder) in message
    assert message.isprintable()
    assert isinstance(caught.value, FirsthitError)


def test_a_link_in_the_folder_is_refused(coco_data, tmp_path):
    folder = tmp_path / "data"
    shutil.copytree(coco_data["bbob"][0], folder)
    secret = tmp_path / "secret.dat"
    secret.write_text("password\n")
    target = folder / "data_f1" / "bbobexp_f1_DIM2.dat"
    target.unlink()
    target.symlink_to(secret)
    with pytest.raises(LogFormatError, match=r"DIM2\.dat. is not opened: it is a link") as caught:
        read_log(folder)
    assert "password" not in str(caught.value)


def test_an_instance_that_contradicts_the_index(coco_data, tmp_path):
    folder = tmp_path / "data"
    shutil.copytree(coco_data["bbob-biobj"][0], folder)
    data = folder / "1-separable_1-separable" / "bbob-biobj_f01_d02_hyp.dat"
    data.write_text(data.read_text().replace("instance = 2,", "instance = 7,"))
    with pytest.raises(LogFormatError, match="this run is of instance 7, but in the index of 2"):
        read_log(folder)


def test_a_folder_with_a_log_is_a_folder_of_logs(coco_data, tmp_path):
    """Foreign data beside a log are read when they are named themselves."""
    shutil.copytree(coco_data["bbob"][0], tmp_path / "exdata")
    with firsthit.Observer(tmp_path / "own.h5", algorithm="own") as observer:
        for problem in observer(firsthit.Suite("bbob", functions=1, dimensions=2, instances=1)):
            problem(problem.initial_solution)
    assert read_log(tmp_path).algorithms == ("own",)
    assert read_log([tmp_path, tmp_path / "exdata"]).algorithms == ("RS", "own")
