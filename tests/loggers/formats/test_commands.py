"""``firsthit import`` and ``firsthit export``, as a user types them."""

import shutil

import numpy as np
import pytest

from firsthit.loggers import import_data, read_log
from firsthit.suites import FirsthitError

from ...command_line import invoke as run


def test_import_then_assess_is_assess_of_the_source(coco_data, tmp_path):
    folder, _ = coco_data["bbob"]
    log = tmp_path / "log.h5"
    done = run("import", folder, "-o", log)
    assert done.exit_code == 0
    assert done.stdout == ""
    assert "log.h5: 18 runs" in done.stderr
    tables = [run("assess", "art", source, "--format", "csv").stdout for source in (log, folder)]
    assert tables[0] == tables[1] != ""
    assert read_log([log, folder]).runs["key"].tolist() == read_log(log).runs["key"].tolist()


def test_notes_are_said_and_stay_in_the_log(ioh_data, tmp_path):
    done = run("import", ioh_data[0], "-o", tmp_path / "log.h5")
    assert "note: the suite is not named" in done.stderr
    assert read_log(tmp_path / "log.h5").notes == read_log(ioh_data[0]).notes != ()


def test_another_name_for_the_algorithm(coco_data, tmp_path):
    run("import", coco_data["bbob"][0], "-o", tmp_path / "a.h5", "--algorithm", "mine")
    assert read_log(tmp_path / "a.h5").algorithms == ("mine",)
    two = tmp_path / "two"
    shutil.copytree(coco_data["bbob"][0], two / "a")
    shutil.copytree(coco_data["bbob"][0], two / "b")
    for info in (two / "b").glob("*.info"):
        info.write_text(info.read_text().replace("'RS'", "'other'"))
    assert read_log(two).algorithms == ("RS", "other")
    with pytest.raises(FirsthitError, match="it has the algorithms RS, other; with one name"):
        import_data(two, tmp_path / "b.h5", "mine")
    with pytest.raises(FirsthitError, match="algorithm is ''"):
        import_data(coco_data["bbob"][0], tmp_path / "b.h5", "")


def test_import_export_import_is_the_same(coco_data, tmp_path):
    run("import", coco_data["bbob"][0], "-o", tmp_path / "a.h5")
    for form in ("coco", "ioh"):
        done = run("export", tmp_path / "a.h5", "--format", form, "-o", tmp_path / form)
        assert (done.exit_code, done.stdout) == (0, f"{tmp_path / form}\n")
        again, log = read_log(tmp_path / form), read_log(tmp_path / "a.h5")
        targets = 10.0 ** (np.arange(40, -41, -1) / 5)
        hits = [one.first_hits(range(len(log)), targets)[0] for one in (again, log)]
        assert np.array_equal(*hits, equal_nan=True)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["import", "{data}", "-o", "{there}"], "exists; give another --output"),
        (["import", "{data}", "-o", "log.txt"], "must be a file name that ends in .h5"),
        (["import", "nothing", "-o", "new.h5"], "no data of COCO or IOHprofiler at 'nothing'"),
        (["import", "{there}", "-o", "new.h5"], "no data of COCO or IOHprofiler at"),
        (["export", "{there}", "--format", "coco", "-o", "."], "exists; give another --output"),
        (["export", "{there}", "--format", "csv", "-o", "new"], "'csv' is not one of"),
        (["export", "nothing", "--format", "ioh", "-o", "new"], "no log at 'nothing'"),
    ],
)
def test_wrong_use_is_one_sentence(coco_data, tmp_path, arguments, sentence, cli):
    import_data(coco_data["bbob"][0], tmp_path / "there.h5")
    places = {"data": coco_data["bbob"][0], "there": tmp_path / "there.h5"}
    code, _, err = cli(*(argument.format(**places) for argument in arguments))
    assert code == 2
    assert sentence in err
    assert [path.name for path in tmp_path.iterdir()] == ["there.h5"]


def test_a_plain_reader_finds_what_was_imported(coco_data, tmp_path):
    """The log of imported data, read by h5py alone."""
    import h5py

    import_data(coco_data["bbob"][0], tmp_path / "log.h5")
    with h5py.File(tmp_path / "log.h5") as log:
        assert set(log["runs"]["evaluations"].tolist()) == {150}
        assert set(log["runs"]["status"].tolist()) <= {0, 2}
        assert set(log["runs"]["record"].tolist()) == {2}
        assert log["restarts"]["evaluation"].tolist() == [51] * 18
        assert b'"format": "COCO"' in log["headers"][0]
        assert len(log["hits"]) == log["hits_offsets"][-1] > 100
        assert log["suites"]["indicator"].tolist() == [b"best-feasible"]
