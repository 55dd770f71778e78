"""Logs made to harm who reads them: each is refused with one sentence, and costs little.

Private names: byte formats are forged, and limits of the reader are lowered.
"""

import json
import os
import resource
import zlib

import h5py
import numpy as np
import pytest

from firsthit.loggers import read_log
from firsthit.loggers.errors import LogConflictError, LogFormatError
from firsthit.loggers.hdf5 import reader
from firsthit.loggers.hdf5.writer import LogWriter
from firsthit.loggers.records.log_header import LogHeader

from .conftest import random_run
from .forging import change_rows, edited, put, with_head
from .fuzz import KINDS, fuzz


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
        monkeypatch.setattr(reader, "WHOLE_BYTES", 0)
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


HITS = np.dtype(
    [("target", "<f8"), ("evaluation", "<i8"), ("precision", "<f8"), ("constraints", "<i8")]
)


def sized(name, dtype, shape, **arguments):
    def change(file):
        put(file, name, shape=shape, dtype=dtype, **arguments)

    return change


def of_zeros(name, rows, dtype=None, chunk=4096):
    """Rows of zeros that compress a thousandfold, all of their chunks there."""

    def change(file):
        kind = file[name].dtype if dtype is None else dtype
        data = put(file, name, shape=(rows,), dtype=kind, chunks=(chunk,), compression=1)
        packed = zlib.compress(bytes(chunk * kind.itemsize), 9)
        for start in range(0, rows, chunk):
            data.id.write_direct_chunk((start,), packed)

    return change


def bomb_in_a_chunk(file):
    """One chunk that unpacks to 600 MB where a few numbers are declared."""
    rows = file["hits"].shape
    data = put(file, "hits", shape=rows, dtype=HITS, chunks=rows, compression=1)
    pack = zlib.compressobj(1)
    pieces = [pack.compress(bytes(2**20)) for _ in range(600)]
    data.id.write_direct_chunk((0,), b"".join([*pieces, pack.flush()]))


def damaged_chunk(file):
    data = file["hits"]
    info = data.id.get_chunk_info(0)
    data.id.write_direct_chunk((0,), b"\xff" * info.size)


def deep(file):
    del file["hits"]
    place = file.create_group("hits")
    for _ in range(3000):
        place = place.create_group("g")


def attribute(name, value, **arguments):
    def change(file):
        del file.attrs[name]
        file.attrs.create(name, value, **arguments)

    return change


def committed(file):
    del file["hits"]
    file["hits"] = HITS


def as_link(link, name="hits"):
    def change(file):
        file.copy(name, "elsewhere")
        del file[name]
        file[name] = link

    return change


def as_virtual(file):
    layout = h5py.VirtualLayout(shape=file["hits"].shape, dtype=HITS)
    layout[:] = h5py.VirtualSource("other.h5", "x", shape=file["hits"].shape)
    del file["hits"]
    file.create_virtual_dataset("hits", layout)


def as_external(file):
    where = [("/etc/hostname", 0, h5py.h5f.UNLIMITED)]
    put(file, "hits", shape=file["hits"].shape, dtype=HITS, external=where)


def twenty_filters(file):
    plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    plist.set_chunk((9,))
    for _ in range(20):
        plist.set_shuffle()
    del file["hits_offsets"]
    space = h5py.h5s.create_simple((9,))
    h5py.h5d.create(file.id, b"hits_offsets", h5py.h5t.STD_I64LE, space, plist)


def text(*texts):
    return lambda file: put(file, "algorithms", data=np.array(texts))


STRUCTURE = {
    "no runs": (lambda file: file.pop("runs"), "runs is missing"),
    "no offsets": (lambda file: file.pop("hits_offsets"), "hits_offsets is missing"),
    "a soft link": (as_link(h5py.SoftLink("/elsewhere")), "hits is .* a link to elsewhere"),
    "a soft link of runs": (as_link(h5py.SoftLink("/elsewhere"), "runs"), "runs is .* a link to"),
    "a link to itself": (as_link(h5py.SoftLink("/hits")), "missing|link to elsewhere|damaged"),
    "an external link": (as_link(h5py.ExternalLink("a.h5", "/elsewhere")), "missing|link to else"),
    "external storage": (as_external, "hits keeps its data outside of this file"),
    "virtual storage": (as_virtual, "hits keeps its data outside of this file"),
    "terabytes": (sized("hits", HITS, (10**12,)), "declares far more"),
    "terabytes in chunks": (sized("hits", HITS, (10**12,), chunks=(4096,)), "far more"),
    "more than 2**63 bytes": (
        sized("hits", HITS, (2**61,), chunks=(4096,)), "far more|damaged",
    ),
    "a bomb of runs": (of_zeros("runs", 2**20), "far more"),
    "a bomb of hits": (of_zeros("hits", 15 * 2**20), "far more"),
    "a bomb in a chunk": (bomb_in_a_chunk, "chunks that do not unpack to what they declare"),
    "a bomb of offsets": (of_zeros("hits_offsets", 2**22), "far more|does not fit the runs"),
    "a bomb of names": (of_zeros("algorithms", 2**22, np.dtype("S200")), "far more"),
    "a damaged chunk": (damaged_chunk, "is damaged"),
    "nothing written": (sized("hits", HITS, (9,)), "hits_offsets does not fit the runs"),
    "no chunks written": (sized("hits", HITS, (9,), chunks=(9,)), "does not fit the runs"),
    "huge chunks": (of_zeros("hits", 2**18, chunk=2**18), "hits has chunks of 262144 rows"),
    "two dimensions": (sized("runs", "<f8", (2, 2)), "has type float64, shape"),
    "no dimension": (sized("hits", HITS, ()), "has type"),
    "no data space": (lambda file: put(file, "hits", data=h5py.Empty(HITS)), "has type|damaged"),
    "groups without end": (deep, "hits is no dataset"),
    "a type for a dataset": (committed, "hits is no dataset"),
    "references": (
        lambda file: put(file, "hits", data=[file["runs"].ref], dtype=h5py.ref_dtype),
        "has type object",
    ),
    "texts of any length": (
        lambda file: put(file, "algorithms", data=["a"], dtype=h5py.string_dtype()),
        "algorithms has type object",
    ),
    "texts of any length in runs": (
        sized("runs", np.dtype([("key", "S32"), ("header", h5py.string_dtype())]), (2,)),
        "runs has type",
    ),
    "long text": (text(b"a" * 999), "algorithms has type"),
    "text that is none": (text(b"\xff\xfe"), "damaged"),
    "arrays in runs": (sized("runs", np.dtype([("key", "S32"), ("x", "f8", (9,))]), (4,)), "type"),
    "other numbers": (sized("hits", "<f8", (9,)), "hits has type float64"),
    "big endian": (sized("hits_offsets", ">i8", (5,)), "hits_offsets has type >i8"),
    "fewer fields": (sized("hits", np.dtype([("target", "<f8")]), (9,)), "hits has type"),
    "other names": (
        sized("hits", np.dtype([(n + "s", HITS[n]) for n in HITS.names]), (9,)), "hits has type",
    ),
    "room between": (
        sized("hits", np.dtype({"names": HITS.names, "formats": ["<f8", "<i8", "<f8", "<i8"],
                                "offsets": [0, 8, 16, 24], "itemsize": 2**20}), (9,)), "has type",
    ),
    "another filter": (
        lambda file: put(file, "hits", data=file["hits"][:], chunks=True, compression="lzf"),
        "filters",
    ),
    "a scale filter": (
        lambda file: put(file, "hits_offsets", data=np.arange(9), chunks=(9,), scaleoffset=2),
        "filters",
    ),
    "twenty of one filter": (twenty_filters, "filters"),
    "a version of many": (attribute("schema_version", [2, 2]), "name no version"),
    "a version to come": (attribute("schema_version", 3), "format 3.2 is newer than 2.2"),
}  # fmt: skip


@pytest.mark.parametrize("case", STRUCTURE)
def test_a_file_of_another_structure_is_refused(log, case, mode):
    change, reason = STRUCTURE[case]
    with edited(log) as file:
        change(file)
    refused(log, reason)


def at(name, field, index, value):
    def change(rows):
        rows[field][index] = value

    return lambda file: change_rows(file, name, change)


def offsets(index, value):
    def change(rows):
        rows[index] = value

    return lambda file: change_rows(file, "hits_offsets", change)


def in_runs(field, value):
    return at("runs", field, 0, value)


def in_texts(name, said):
    return lambda file: put(file, name, data=np.array([said.encode()]))


def in_header(**parts):
    header = {"algorithms": {"random": {}}, "campaign": None, "provenance": {}, **parts}
    return in_texts("headers", json.dumps(header))


def in_campaign(**facts):
    return in_header(campaign=facts)


def in_suite(field, value):
    def change(file):
        old = file["suites"][:]
        kind = [(n, "S1200" if old.dtype[n].kind == "S" else "<f8") for n in old.dtype.names]
        rows = old.astype(kind)
        rows[field] = value
        put(file, "suites", data=rows)

    return change


CONTENT = {
    "targets that rise": (at("hits", "target", 0, 1e-9), "hits are out of range or order"),
    "a target of NaN": (at("hits", "target", 0, np.nan), "hits are out of range or order"),
    "evaluations that fall": (at("trajectory", "evaluation", -1, 1), "trajectory are out of range"),
    "evaluation 0": (at("hits", "evaluation", 0, 0), "hits are out of range"),
    "a negative evaluation": (at("hits", "evaluation", 0, -(2**63)), "out of range"),
    "an evaluation after the end": (at("hits", "evaluation", -1, 2**62), "out of range"),
    "offsets that overlap": (offsets(slice(1, 3), [30, 2]), "hits_offsets descends"),
    "offsets that begin later": (offsets(0, 1), "does not fit the runs"),
    "offsets too long": (
        lambda file: change_rows(file, "hits_offsets", lambda rows: rows[[0, *range(len(rows))]]),
        "does not fit the runs",
    ),
    "an offset beyond all": (offsets(-1, 2**62), "does not fit the runs"),
    "a negative offset": (offsets(1, -5), "hits_offsets descends"),
    "a dimension of nothing": (in_runs("dimension", 0), "runs.dimension is less than 1"),
    "a dimension of 4 billion": (in_runs("dimension", 2**32 - 1), "one number for each variable"),
    "a key that is no text": (in_runs("key", b"\xff" * 32), "runs.key is no ASCII"),
    "another dimension": (in_runs("dimension", 7), "one number for each variable"),
    "evaluations below 0": (in_runs("evaluations", -1), "runs.evaluations is less than 0"),
    "evaluations of constraints below 0": (
        in_runs("evaluations_constraints", -7), "runs.evaluations_constraints is less than 0",
    ),
    "2**53 evaluations": (in_runs("evaluations", 2**53), "runs.evaluations is not below"),
    "2**62 evaluations of constraints": (
        in_runs("evaluations_constraints", 2**62), "runs.evaluations_constraints is not below",
    ),
    "2**53 evaluations of f and g": (
        in_runs("evaluations_constraints", 2**53 - 1), "evaluations of f and g are not below",
    ),
    "a budget below 0": (in_runs("budget", -5), "runs.budget is less than -1"),
    "a name with NUL": (in_texts("algorithms", "a\0b"), "not printable"),
    "a name that paints": (in_texts("algorithms", "\x1b[31mred"), "not printable"),
    "a name from right to left": (in_texts("algorithms", "a\u202eb"), "not printable"),
    "a suite that paints": (in_suite("version", b"\x1b[31m"), "not printable"),
    "an unknown suite": (in_suite("name", b"other"), "functions has unknown suites"),
    "targets that are none": (in_suite("targets", b"[1, 2]"), "damaged"),
    "targets that are text": (in_suite("targets", b'["x"]'), "damaged"),
    "targets without end": (in_suite("targets", b"[" * 1200), "damaged"),
    "a header of numbers": (in_texts("headers", "7"), "header is impossible"),
    "a header without algorithms": (in_header(algorithms=None), "header.algorithms is impossible"),
    "algorithms without facts": (in_header(algorithms={"a": 7}), r"algorithms.\* is impossible"),
    "a campaign of text": (in_header(campaign="x"), "header.campaign is impossible"),
    "provenance of numbers": (in_header(provenance=[1]), "header.provenance is impossible"),
    "an import of text": (in_header(provenance={"imported": "x"}), "imported is impossible"),
    "notes of a number": (in_header(provenance={"imported": {"notes": 7}}), "notes is impossible"),
    "versions of lists": (in_header(provenance={"versions": {"a": []}}), "versions.* is"),
    "a time of numbers": (in_header(provenance={"created_utc": 7}), "created_utc is impossible"),
    "repetitions of text": (in_campaign(repetitions="x"), "header.campaign.repetitions is"),
    "a seed of text": (in_campaign(seed="x"), "header.campaign.seed is impossible"),
    "a limit of text": (in_campaign(timeout="x"), "header.campaign.timeout is impossible"),
    "suites of a number": (in_campaign(suites=7), "header.campaign.suites is impossible"),
    "a suite of text": (in_campaign(suites=["x"]), "campaign.suites.* is impossible"),
    "a suite without version": (in_campaign(suites=[{"name": "x"}]), "suites.*version is"),
    "a header of deep lists": (in_texts("headers", "[" * 100_000), "damaged"),
    "a header of long numbers": (in_texts("headers", "9" * 10_000), "damaged"),
}  # fmt: skip


@pytest.mark.parametrize("case", CONTENT)
def test_a_file_of_impossible_content_is_refused(log, case, mode):
    change, reason = CONTENT[case]
    with edited(log) as file:
        change(file)
    refused(log, reason)


def test_positions_beyond_the_texts_are_refused(log, mode):
    for column in ("algorithm", "function_row", "message", "header", "status", "record"):
        whole = log.read_bytes()
        with edited(log) as file:
            at("runs", column, 1, 200)(file)
        refused(log, rf"runs\.{column} points beyond")
        log.write_bytes(whole)


def test_names_that_look_like_paths_stay_names(log, mode):
    name = "../../etc/passwd"
    with edited(log) as file:
        in_texts("algorithms", name)(file)
    before = sorted(os.listdir(log.parent))
    assert read_log(log).algorithms == (name,)
    assert sorted(os.listdir(log.parent)) == before


def test_one_run_with_two_outcomes_in_one_file_is_refused(log):
    with edited(log) as file:
        key = file["runs"][0]["key"]
        in_runs("key", file["runs"][1]["key"])(file)
    assert key
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


def mostly_survived(kind, ends, count):
    """All mutants ended as they should; HDF5 crashes at 1 % at most, which SECURITY.md says."""
    print(kind, dict(ends))
    assert sum(ends.values()) == count
    assert ends["crashed"] <= (0 if kind == "journal" else max(1, count // 100))


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_random_damage_with_correct_checksums_is_a_sentence_or_data(tmp_path, kind):
    mostly_survived(kind, fuzz(kind, 0, 25, tmp_path), 25)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_much_random_damage_is_a_sentence_or_data(tmp_path, kind):
    """1000 mutants in all; more with ``FIRSTHIT_FUZZ=5000`` of each kind."""
    count = int(os.environ.get("FIRSTHIT_FUZZ", "250"))
    mostly_survived(kind, fuzz(kind, 1000, count, tmp_path), count)
