"""Logs made to harm who reads them: each is refused with one sentence, and costs little."""

import json
import os
import resource
import select
import signal
import subprocess
import sys
import zlib

import h5py
import numpy as np
import pytest

from firsthit.loggers import LogConflictError, LogFormatError, LogHeader, LogWriter, read_log
from firsthit.loggers.hdf5 import examiner, outline
from firsthit.loggers.hdf5 import reader as decode
from firsthit.loggers.hdf5.examiner import Examiner
from firsthit.loggers.hdf5.image import with_head
from firsthit.loggers.hdf5.reader import read_table

from .conftest import random_run
from .forging import edited, forge, put
from .fuzz import fuzz


@pytest.fixture(scope="module")
def content(tmp_path_factory):
    path = tmp_path_factory.mktemp("whole") / "a.h5"
    with LogWriter(path, LogHeader({"random": {}})) as writer:
        for repetition in range(4):
            writer.add(random_run(repetition=repetition, evaluations=60))
    return path.read_bytes()


@pytest.fixture
def log(tmp_path, content):
    path = tmp_path / "a.h5"
    path.write_bytes(content)
    return path


@pytest.fixture(params=["whole", "in pieces"])
def mode(request, monkeypatch):
    """Both ways to read: small files at once, large ones when something is asked for."""
    if request.param == "in pieces":
        monkeypatch.setattr(decode, "WHOLE_BYTES", 0)
    return request.param


def read_all(path):
    log = read_log(path)
    log.first_hits(np.arange(len(log)), [1e2, 1e-8, 3e-3])
    log.best_at(np.arange(len(log)), [1, 10])
    for run in range(len(log)):
        log.hits(run)


def refused(path, reason):
    """Reading all of the log ends in one sentence, and takes little memory."""
    before = peak_mebibytes()
    with pytest.raises(LogFormatError, match=reason) as caught:
        read_all(path)
    assert peak_mebibytes() - before < 300
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def peak_mebibytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10


def sized(name, dtype, shape, **arguments):
    def change(file):
        put(file, name, shape=shape, dtype=dtype, **arguments)

    return change


def of_zeros(name, rows, dtype=None):
    """A column of so many zeros that compress a thousandfold, all of its chunks there."""

    def change(file):
        kind = file[name].dtype if dtype is None else dtype
        data = put(file, name, shape=(rows,), dtype=kind, chunks=(65536,), compression=1)
        chunk = zlib.compress(bytes(65536 * kind.itemsize), 9)
        for start in range(0, rows, 65536):
            data.id.write_direct_chunk((start,), chunk)

    return change


def bomb_in_a_chunk(file):
    """One chunk that unpacks to 600 MB where a few numbers are declared."""
    rows = file["hits/precision"].shape
    data = put(file, "hits/precision", shape=rows, dtype="<f8", chunks=rows, compression=1)
    pack = zlib.compressobj(1)
    pieces = [pack.compress(bytes(2**20)) for _ in range(600)]
    data.id.write_direct_chunk((0,), b"".join([*pieces, pack.flush()]))


def damaged_chunk(file):
    data = file["hits/target"]
    info = data.id.get_chunk_info(0)
    data.id.write_direct_chunk((0,), b"\xff" * info.size)


def short_chunk(file):
    rows = file["hits/target"].shape
    data = put(file, "hits/target", shape=rows, dtype="<i2", chunks=rows, compression=1)
    data.id.write_direct_chunk((0,), zlib.compress(bytes(4)))


def deep(file):
    del file["hits/target"]
    place = file["hits"].create_group("target")
    for _ in range(3000):
        place = place.create_group("g")


def compound(*fields):
    return np.dtype(list(fields))


def attribute(name, value, **arguments):
    def change(file):
        del file.attrs[name]
        file.attrs.create(name, value, **arguments)

    return change


def enumerated(file):
    put(file, "hits/target", shape=(9,), dtype=h5py.enum_dtype({"A": 1}, basetype="i2"))


def committed(file):
    del file["hits/target"]
    file["hits/target"] = np.dtype("<i2")


def references(file):
    put(file, "hits/target", data=[file["runs"].ref], dtype=h5py.ref_dtype)


def objects_in_runs(file):
    kind = compound(("key", "S32"), ("header", h5py.string_dtype()))
    put(file, "runs", shape=(2,), dtype=kind)


def far_scale(file):
    put(file, "hits/target", data=np.arange(9, dtype="<i2"), chunks=(9,), scaleoffset=2)


STRUCTURE = {
    "eight terabytes": (sized("hits/precision", "<f8", (10**12,)), "far more data"),
    "eight terabytes in chunks": (
        sized("hits/precision", "<f8", (10**12,), chunks=(65536,)), "far more data",
    ),
    "more than 2**63 bytes": (
        sized("hits/precision", "<f8", (2**61,), chunks=(65536,)), "far more data|damaged",
    ),
    "runs without end": (sized("runs", np.dtype("<f8"), (2**40,), chunks=(65536,)), "has type"),
    "a bomb of runs": (of_zeros("runs", 2**20), "far more data"),
    "a bomb of hits": (of_zeros("hits/precision", 50 * 2**20), "far more data"),
    "a bomb in a chunk": (bomb_in_a_chunk, "no full chunk"),
    "a bomb of offsets": (of_zeros("hits/offset", 2**22), "far more data|does not fit the runs"),
    "a bomb of names": (
        of_zeros("algorithms", 2**22, np.dtype("S200")), "far more data",
    ),
    "a damaged chunk": (damaged_chunk, "cannot be unpacked|no full chunk"),
    "a short chunk": (short_chunk, "no full chunk"),
    "tiny chunks": (sized("hits/precision", "<f8", (5000,), chunks=(1,)), "chunks of 1 entries"),
    "no chunks written": (sized("hits/target", "<i2", (9,), chunks=(9,)), "lacks some"),
    "huge chunks": (
        sized("hits/target", "<i2", (2**20,), chunks=(2**20,), compression=1), "chunks of 1048576",
    ),
    "two dimensions": (sized("runs", "<f8", (2, 2)), "has type float64 and shape"),
    "no dimension": (sized("hits/target", "<i2", ()), "has type int16 and shape"),
    "no data space": (
        lambda file: put(file, "hits/target", data=h5py.Empty("<i2")), "has type|damaged",
    ),
    "groups without end": (deep, "is no dataset"),
    "a type for a dataset": (committed, "is no dataset"),
    "an enumeration": (enumerated, "has type|lacks|wrong lengths"),
    "references": (references, "has type object"),
    "texts of any length in runs": (objects_in_runs, "has type"),
    "arrays in runs": (sized("runs", compound(("key", "S32"), ("x", "f8", (9,))), (4,)), "type"),
    "records in records": (
        sized("runs", compound(("key", "S32"), ("x", [("y", "f8")])), (4,)), "does not use",
    ),
    "records for numbers": (sized("hits/target", compound(("x", "<i2")), (9,)), "has type"),
    "complex numbers": (sized("hits/precision", "<c16", (9,)), "has type complex128"),
    "half numbers": (sized("hits/precision", "<f2", (9,)), "has type float16"),
    "times": (sized("hits/precision", "<f8", (9,), compression="szip" if
              h5py.h5z.filter_avail(h5py.h5z.FILTER_SZIP) else "lzf"), "filters"),
    "a scale filter": (far_scale, "filters"),
    "two of one filter": (None, "filters"),
    "a format of another kind": (attribute("format", 7), "no log of firsthit"),
    "a format of any length": (
        attribute("format", "firsthit log", dtype=h5py.string_dtype()), "no log of firsthit",
    ),
    "a huge attribute": (attribute("format", b"x" * 60_000), "no log of firsthit"),
    "a version of many": (attribute("schema_version", [1, 1]), "schema version is None"),
    "a version to come": (attribute("schema_version", 2), "schema version is 2"),
}  # fmt: skip


def two_filters(file):
    plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    plist.set_chunk((9,))
    for _ in range(20):
        plist.set_shuffle()
    del file["hits/target"]
    space = h5py.h5s.create_simple((9,))
    h5py.h5d.create(file["hits"].id, b"target", h5py.h5t.STD_I16LE, space, plist)


STRUCTURE["two of one filter"] = (two_filters, "filters")


@pytest.mark.parametrize("case", STRUCTURE)
def test_a_file_of_another_structure_is_refused(log, case, mode):
    change, reason = STRUCTURE[case]
    with edited(log) as file:
        change(file)
    refused(log, reason)


def at(name, index, value):
    def change(runs, columns, texts):
        columns[name][index] = value

    return change


def in_runs(name, value):
    def change(runs, columns, texts):
        runs[name][0] = value

    return change


def in_texts(name, text):
    def change(runs, columns, texts):
        texts[name] = (text,)

    return change


def longer_offset(runs, columns, texts):
    columns["hits/offset"][-1] = 2**63


def in_header(**parts):
    header = {"algorithms": {"random": {}}, "campaign": None, "provenance": {}, **parts}
    return in_texts("headers", json.dumps(header))


def in_campaign(**facts):
    return in_header(campaign=facts)


CONTENT = {
    "a target below the last": (at("hits/target", -1, -30000), "hits/target is out of range"),
    "targets that rise": (at("hits/target", 0, -160), "hits/target ascends"),
    "evaluation 0": (at("hits/evaluation", 0, 0), "hits/evaluation is out of range"),
    "a negative evaluation": (at("hits/evaluation", 0, -(2**63)), "is out of range"),
    "an evaluation after the end": (at("hits/evaluation", -1, 2**62), "is out of range"),
    "evaluations that fall": (
        at("trajectory/evaluation", slice(None), 1), "trajectory/evaluation does not ascend",
    ),
    "offsets that overlap": (
        at("hits/offset", slice(1, 3), [30, 2]), "descends|wrong lengths",
    ),
    "offsets that begin later": (at("hits/offset", 0, 1), "does not fit the runs"),
    "an offset beyond all": (longer_offset, "wrong lengths"),
    "a dimension of nothing": (in_runs("dimension", 0), "runs.dimension is 0"),
    "a dimension of 4 billion": (in_runs("dimension", 2**32 - 1), "fit the dimension"),
    "an algorithm that is not there": (in_runs("algorithm", 9), None),
    "evaluations below 0": (in_runs("evaluations", -1), "runs.evaluations is negative"),
    "another function": (in_runs("function", 24), "differs from its row of functions"),
    "a name with NUL": (in_texts("algorithms", "a\0b"), "not printable"),
    "a name that paints": (in_texts("algorithms", "\x1b[31mred"), "not printable"),
    "a name from right to left": (in_texts("algorithms", "a\u202eb"), "not printable"),
    "a header of numbers": (in_texts("headers", "7"), "no JSON object"),
    "a header without algorithms": (in_header(algorithms=None), "header.algorithms does not map"),
    "algorithms without facts": (in_header(algorithms={"a": 7}), "header.algorithms does not map"),
    "an algorithm that paints": (in_header(algorithms={"\x1b[31m": {}}), "not printable"),
    "a campaign of text": (in_header(campaign="x"), "header.campaign is no mapping"),
    "provenance of numbers": (in_header(provenance=[1]), "header.provenance is no mapping"),
    "versions of lists": (in_header(provenance={"versions": {"a": []}}), "versions is no mapping"),
    "a time of numbers": (in_header(provenance={"created_utc": 7}), "has no time"),
    "repetitions of text": (in_campaign(repetitions="x"), "header.campaign.repetitions is"),
    "a seed of text": (in_campaign(seed="x"), "header.campaign.seed is impossible"),
    "a limit of text": (in_campaign(timeout="x"), "header.campaign.timeout is impossible"),
    "suites of a number": (in_campaign(suites=7), "header.campaign.suites is impossible"),
    "a suite of text": (in_campaign(suites=["x"]), "one without name or version"),
    "a suite without version": (in_campaign(suites=[{"name": "x"}]), "one without name"),
    "dimensions of text": (
        in_campaign(suites=[{"name": "x", "version": "1", "dimensions": ["2"]}]), "no numbers",
    ),
    "a header of deep lists": (in_texts("headers", "[" * 100_000), "damaged"),
    "a header of long numbers": (in_texts("headers", "9" * 10_000), "damaged"),
}  # fmt: skip


@pytest.mark.parametrize("case", [name for name in CONTENT if CONTENT[name][1]])
def test_a_file_of_impossible_content_is_refused(log, case, mode):
    change, reason = CONTENT[case]
    forge(log, change)
    refused(log, reason)


def test_positions_beyond_the_texts_are_refused(log, mode):
    for column in ("algorithm", "function_row", "message", "header", "status", "record"):
        whole = log.read_bytes()
        with edited(log) as file:
            runs = file["runs"][:]
            runs[column][1] = 200
            file["runs"][:] = runs
        refused(log, rf"runs\.{column} points beyond")
        log.write_bytes(whole)


def test_names_that_look_like_paths_stay_names(log, mode):
    name = "../../etc/passwd"
    forge(log, in_texts("algorithms", name))
    before = sorted(os.listdir(log.parent))
    assert read_log(log).algorithms == (name,)
    assert sorted(os.listdir(log.parent)) == before


def test_one_run_with_two_outcomes_in_one_file_is_refused(log):
    def change(runs, columns, texts):
        runs["key"][1] = runs["key"][0]

    forge(log, change)
    with pytest.raises(LogConflictError, match="two different outcomes"):
        read_log(log)


@pytest.mark.parametrize("block", [0, 1024, 4096])
def test_user_blocks_of_another_size_are_refused(log, block):
    """The content starts where the head says; a second file before or behind it is not read."""
    content = log.read_bytes()
    inner = content[512:]
    forged = {
        0: inner,
        1024: with_head(bytes(512) + bytes(512) + inner),
        4096: with_head(bytes(512) + inner[:8] + bytes(3576) + inner),
    }[block]
    log.write_bytes(forged)
    with pytest.raises(LogFormatError):
        read_log(log)


def test_what_nobody_asks_for_is_not_opened(log, mode):
    """Unknown datasets are ignored, however strange: nothing is followed, nothing read."""
    with edited(log) as file:
        file["unknown/.."] = np.arange(3)
        file["unknown/loop"] = h5py.SoftLink("/unknown")
        file["unknown/away"] = h5py.ExternalLink("/etc/passwd", "/")
        file.create_dataset("unknown/huge", shape=(2**55,), dtype="u1", chunks=(2**20,))
        file.create_dataset(
            "unknown/outside", shape=(4,), dtype="u1", external=[("/etc/hostname", 0, 4)]
        )
        for i in range(2000):
            file.attrs[f"a{i}"] = i
    assert len(read_log(log)) == 4


DIES = "import os, signal; input(); os.kill(os.getpid(), signal.{})"
SCRIPTS = {
    "crashes": (DIES.format("SIGSEGV"), r"is damaged: .* crashes over it \(Segmentation fault\)"),
    "leaves": ("input(); raise SystemExit(3)", r"is damaged: .* crashes over it \(exit 3\)"),
    "ends": ("input()", r"is damaged: .* crashes over it \(exit 0\)"),
    "is killed": (DIES.format("SIGKILL"), "examines it was killed 4 times, .* may be whole$"),
    "hangs": ("import time; input(); time.sleep(600)", "HDF5 comes to no end with it in 1 s$"),
    "talks without end": ("input()\nwhile True: print('x' * 2**20, end='')", "comes to no end of"),
}


@pytest.mark.parametrize("case", SCRIPTS)
def test_when_hdf5_crashes_or_hangs_the_reader_does_not(log, monkeypatch, tmp_path, case):
    code, reason = SCRIPTS[case]
    script = tmp_path / "script.py"
    script.write_text(code)
    monkeypatch.setattr(examiner, "_SCRIPT", script)
    monkeypatch.setattr(examiner, "_MAX_ANSWER_BYTES", 2**22)
    mine = Examiner(time_limit_seconds=1.0)
    monkeypatch.setattr(decode, "examiner", mine)
    with pytest.raises(LogFormatError, match=reason):
        read_table(log)
    monkeypatch.setattr(examiner, "_SCRIPT", examiner.Path(outline.__file__))
    mine._limit = 60.0
    assert len(read_table(log)) == 4
    mine.stop()


def test_a_process_killed_once_costs_nothing(log, monkeypatch, tmp_path):
    """Before it is asked, and while it is at work."""
    flag = tmp_path / "flag"
    script = tmp_path / "script.py"
    script.write_text(
        f"import os, runpy, signal\nif not os.path.exists({str(flag)!r}):\n"
        f"    open({str(flag)!r}, 'w').close(), input(), os.kill(os.getpid(), signal.SIGKILL)\n"
        f"runpy.run_path({outline.__file__!r}, run_name='__main__')\n"
    )
    monkeypatch.setattr(examiner, "_SCRIPT", script)
    monkeypatch.setattr(decode, "examiner", mine := Examiner())
    assert len(read_table(log)) == 4
    assert flag.exists()
    assert mine._process is not None
    mine._process.send_signal(signal.SIGINT)
    assert len(read_table(log)) == 4
    before = mine._process.pid
    os.kill(before, signal.SIGKILL)
    assert len(read_table(log)) == 4
    assert mine._process.pid != before
    mine.stop()


def test_the_process_that_opens_files_has_little_memory(tmp_path):
    mine = Examiner()
    try:
        mine.outline(tmp_path / "none.h5", [], [])
        process = mine._process
        soft, hard = resource.prlimit(process.pid, resource.RLIMIT_AS)
        assert soft == hard == outline.MAX_ADDRESS_BYTES
    finally:
        mine.stop()
    assert process.returncode is not None


def test_the_process_ends_with_its_owner():
    """Killed without any chance to clean up, the reader leaves no process behind."""
    code = (
        "import pathlib\n"
        "from firsthit.loggers.hdf5.examiner import examiner\n"
        "examiner.outline(pathlib.Path('none.h5'), [], [])\n"
        "print(examiner._process.pid, flush=True)\n"
        "input()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as owner:
        child = os.pidfd_open(int(owner.stdout.readline()))
        owner.kill()
        assert select.select([child], [], [], 30)[0]
        os.close(child)


def test_the_outline_says_where_the_bytes_stand(log):
    """Against plain h5py: the chunks that are told hold the dataset's content."""
    question = {"path": str(log), "format": "firsthit log", "columns": ["runs"], "optional": []}
    told = json.loads(outline.answer(json.dumps(question)))["columns"]["runs"]
    with h5py.File(log) as file:
        expected = file["runs"].id.read_direct_chunk((0,))[1]
    [[row, place, size, mask]] = told["chunks"]
    assert (row, mask) == (0, 0)
    assert log.read_bytes()[place : place + size] == expected


def test_random_damage_with_a_correct_head_is_refused_or_harmless(tmp_path, monkeypatch):
    monkeypatch.setattr(decode, "WHOLE_BYTES", decode.WHOLE_BYTES)
    count = int(os.environ.get("FIRSTHIT_FUZZ", "200"))
    ends = fuzz(count, seed=7, folder=tmp_path)
    print(dict(ends))
    assert sum(ends.values()) == count
    assert ends["refused"] > count / 2


LIES = {
    "chunks that overlap": (lambda c: [[0, 600, 10**9, 0]], "overlap or stand beyond"),
    "a chunk behind the end": (lambda c: [[0, 10**9, 8, 0]], "overlap or stand beyond"),
    "a chunk before the start": (lambda c: [[0, -8, 8, 0]], "overlap or stand beyond"),
    "a chunk of no size": (lambda c: [[0, c[0][1], -1, 0]], "overlap or stand beyond"),
    "a chunk elsewhere": (lambda c: [[7, *c[0][1:]]], "lacks some of its chunks"),
    "two chunks for one": (lambda c: c + c, "lacks some of its chunks"),
    "filters left out": (lambda c: [[*c[0][:3], 7]], "no full chunk"),
}


@pytest.mark.parametrize("case", LIES)
def test_places_that_cannot_be_are_refused(log, monkeypatch, case):
    """Even the process that opens files is not believed: it may have been taken over."""
    change, reason = LIES[case]

    class Liar:
        def outline(self, path, columns, optional):
            told = examiner.examiner.outline(path, columns, optional)
            column = told["columns"]["trajectory/precision"]
            column["chunks"] = change(column["chunks"])
            return told

    monkeypatch.setattr(decode, "examiner", Liar())
    refused(log, reason)


def test_a_file_that_is_replaced_while_it_is_opened_is_looked_for_again(log, monkeypatch):
    class Other:
        def outline(self, path, columns, optional):
            return {**examiner.examiner.outline(path, columns, optional), "identity": [0, 0, 0, 0]}

    monkeypatch.setattr(decode, "examiner", Other())
    with pytest.raises(FileNotFoundError, match="was replaced"):
        read_table(log)
