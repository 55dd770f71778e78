"""COCO's reference files: every entry is read, every lookup is the file's value."""

import tarfile
from pathlib import Path

import numpy as np
import pytest

from firsthit.loggers import read_log, read_reference
from firsthit.loggers.errors import LogFormatError

ENTRIES = {
    "best2009-bbob": 144, "best09-16-bbob": 144, "best2009-bbob-noisy": 180,
    "best09-16-bbob-noisy": 180, "best2016-bbob-biobj": 330, "best2019-bbob-largescale": 144,
}  # fmt: skip


@pytest.fixture(scope="module")
def folder():
    import importlib.util

    spec = importlib.util.find_spec("cocopp")
    return Path(spec.submodule_search_locations[0]) / "refalgs"


@pytest.fixture(scope="module")
def best2009(folder):
    entries = read_reference(folder / "best2009-bbob.tar.gz")
    return {(entry.function, entry.dimension): entry for entry in entries}


@pytest.mark.parametrize("name", ENTRIES)
def test_all_entries_and_all_their_lines(folder, name):
    path = folder / f"{name}.tar.gz"
    entries = read_reference(path)
    assert len(entries) == ENTRIES[name]
    by_place = {(entry.function, entry.dimension): entry for entry in entries}
    assert len(by_place) == ENTRIES[name]
    lines = 0
    with tarfile.open(path) as archive:
        for member in archive:
            if not member.name.endswith(".dat"):
                continue
            place = member.name[: -len(".dat")].split("_f")[-1].split("_d")
            entry = by_place[int(place[0]), int(place[1])]
            text = archive.extractfile(member).read().decode()
            rows = [line.split() for line in text.splitlines() if not line.startswith("%")]
            assert entry.average_runtimes.tolist() == [float(row[0]) for row in rows]
            assert entry.targets.tolist() == [float(row[1]) for row in rows]
            assert entry.algorithms == tuple(row[3] for row in rows)
            assert entry.successes.tolist() == [int(row[4]) for row in rows]
            assert entry.trials.tolist() == [int(row[5]) for row in rows]
            lines += len(rows)
            for row in rows:
                assert entry.average_runtime(float(row[1])) == float(row[0])
    assert lines > 1000
    assert {entry.suite for entry in entries} == {name.split("-", 1)[1].replace("16-", "")}


def test_lookups(best2009):
    sphere = best2009[1, 5]
    assert [sphere.average_runtime(t) for t in (10.0, 1.0, 1e-3, 1e-8)] == [11, 12, 12, 12]
    assert sphere.average_runtime(9.9e-9) == np.inf
    assert sphere.average_runtime(1e9) == 1
    schwefel = best2009[20, 5]
    assert [schwefel.average_runtime(t) for t in (1.0, 0.1, 1e-8)] == [851, 38111, 55406]
    assert schwefel.algorithms[-1] == "MA-LS-CHAIN_molina_noiseless.tgz"
    assert (schwefel.successes[-1], schwefel.trials[-1]) == (14, 15)


def test_a_value_that_cocopp_drops_is_there(folder):
    """cocopp returns infinity for the last row of some files: its defect, not the file's."""
    entries = read_reference(folder / "best2009-bbob-noisy.tar.gz")
    by_place = {(entry.function, entry.dimension): entry for entry in entries}
    assert by_place[110, 20].average_runtime(10**1.4) == 46213
    assert by_place[125, 40].average_runtime(10**-3.4) == 551930850


def test_runs_are_no_reference_and_a_reference_is_no_runs(folder, coco_data):
    with pytest.raises(LogFormatError, match="these are runs, not a reference"):
        read_reference(coco_data["bbob"][0])
    with pytest.raises(LogFormatError, match="or to read_reference"):
        read_log(folder / "best2009-bbob.tar.gz")


INFO = "funcId = 1, DIM = 2, Precision = 1e-8, algId = 'b', suite = 'bbob'\n% x\na.dat, 0:12|1e-8\n"
SIGN = "% Artificial instance\n% algorithm type = best\n"


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (SIGN + "1 2 2 a 5\n", "line 3"),
        (SIGN + "x 2 2 a 5 5\n", "line 3"),
        (SIGN + "1 nan 2 a 5 5\n", "is no line 'runtime target"),
        (SIGN + "1 2 2 a 6 5\n", "is no line 'runtime target"),
        (SIGN + "1 2 2 a 5 5\n2 3 3 a 5 5\n", "targets do not descend"),
        ("1 2 2 a 5 5\n", "not a reference"),
    ],
)
def test_malformed_references(tmp_path, data, sentence):
    (tmp_path / "b.info").write_text(INFO)
    (tmp_path / "a.dat").write_text(data)
    with pytest.raises(LogFormatError, match="cannot read the data") as caught:
        read_reference(tmp_path)
    assert sentence in str(caught.value)
