"""Archives are read in memory; what is hostile in them is one sentence, and writes nothing."""

import gzip
import io
import stat
import tarfile
import zipfile

import numpy as np
import pytest

from firsthit.loggers import read_log
from firsthit.loggers.errors import LogFormatError, LogNotFoundError
from firsthit.suites import FirsthitError

INFO = (
    "suite = 'bbob', funcId = 1, DIM = 2, Precision = 1.000e-08, algId = 'A', "
    "coco_version = '2.8.2', logger = 'bbob', data_format = 'bbob-new2'\n% \n"
    "data_f1/bbobexp_f1_DIM2.dat, 1:3|1.0e+00"
)
HEAD = (
    "% f evaluations | g evaluations | best noise-free fitness - Fopt (7.948000000000e+01) + "
    "sum g_i+ | measured fitness | best measured fitness or single-digit g-values | x1 | x2...\n"
)
DATA = HEAD + "1 0 +3.0e+00 +8.2e+01 +8.2e+01\n3 0 +1.0e+00 +8.0e+01 +8.0e+01\n"
GOOD = {
    "A/bbobexp_f1.info": INFO.encode(),
    "A/data_f1/bbobexp_f1_DIM2.dat": DATA.encode(),
    "A/data_f1/bbobexp_f1_DIM2.tdat": DATA.encode(),
}


def tar(path, files, mode="w:gz"):
    """Name to content, or to a ready TarInfo with content."""
    with tarfile.open(path, mode) as archive:
        for name, content in files:
            if isinstance(content, tarfile.TarInfo):
                archive.addfile(content)
                continue
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return path


def zipped(path, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return path


@pytest.mark.parametrize("kind", ["A.tar.gz", "A.tgz", "A.tar", "A.zip", "folder"])
def test_all_ways_hold_the_same(tmp_path, kind):
    path = tmp_path / kind
    extra = [("A/README.md", b"hi"), ("__MACOSX/A/._bbobexp_f1.info", b"\x00")]
    files = [*GOOD.items(), *extra]
    if kind.endswith("zip"):
        zipped(path, files)
    elif kind == "folder":
        for name, content in files:
            (path / name).parent.mkdir(parents=True, exist_ok=True)
            (path / name).write_bytes(content)
    else:
        tar(path, files, "w" if kind.endswith("tar") else "w:gz")
    log = read_log(path)
    assert log.algorithms == ("A",)
    assert log.runs["evaluations"].tolist() == [3]
    assert log.first_hits([0], [10.0, 2.0, 1.0])[0].tolist() == [[1.0, 3.0, 3.0]]
    assert [p.name for p in tmp_path.iterdir()] == [kind]


def test_a_pattern_of_archives(tmp_path):
    tar(tmp_path / "a.tgz", GOOD.items())
    renamed = [(n, c.replace(b"'A'", b"'B'")) for n, c in GOOD.items()]
    zipped(tmp_path / "b.zip", renamed)
    assert read_log(str(tmp_path / "*.*")).algorithms == ("A", "B")


def link(name, target, kind=tarfile.SYMTYPE):
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def device(name, kind):
    info = tarfile.TarInfo(name)
    info.type = kind
    return info


def with_member(name, content=b"x"):
    return [*GOOD.items(), (name, content)]


DAT = "A/data_f1/bbobexp_f1_DIM2.dat"
TAR_CASES = {
    "parent folder": (with_member("../evil.dat"), "leads out"),
    "parent folder inside": (with_member("A/../../evil.info"), "leads out"),
    "parent folder of no data": (with_member("../evil.sh"), "leads out"),
    "absolute": (with_member("/etc/evil.dat"), "leads out"),
    "drive": (with_member("C:\\evil.dat"), "leads out"),
    "backslashes": (with_member("..\\..\\evil.dat"), "leads out"),
    "folder that escapes": ([*GOOD.items(), ("", device("../x", tarfile.DIRTYPE))], "leads out"),
    "symlink": ([*GOOD.items(), ("", link("A/data_f1/l.dat", "/etc/passwd"))], "no regular file"),
    "symlink within": ([*GOOD.items(), ("", link("A/l.dat", "bbobexp_f1.info"))], "no regular"),
    "hard link": ([*GOOD.items(), ("", link("A/h.dat", DAT, tarfile.LNKTYPE))], "no regular"),
    "fifo": ([*GOOD.items(), ("", device("A/p.dat", tarfile.FIFOTYPE))], "no regular"),
    "device": ([*GOOD.items(), ("", device("A/d.dat", tarfile.CHRTYPE))], "no regular"),
    "twice": ([*GOOD.items(), (DAT, b"1")], "there twice"),
    "300 characters": (with_member("A/" + "n" * 300 + ".dat"), "no proper name"),
    "terminal escape": (with_member("A/\x1b[2Jevil.dat"), "no proper name"),
    "right to left": (with_member("A/\u202etad.dat"), "no proper name"),
    "line end": (with_member("A/a\nb.dat"), "no proper name"),
    "only foreign files": ([("A/readme.txt", b"x"), ("A/x.py", b"x")], "neither an .info file nor"),
    "empty": ([], "neither an .info file nor"),
    "no dat": ([("A/bbobexp_f1.info", INFO.encode())], "is missing"),
    "escaping index": (
        [("A/bbobexp_f1.info", INFO.replace("data_f1/", "../data_f1/").encode())],
        "leads elsewhere",
    ),
    "binary data": ([*list(GOOD.items())[:1], (DAT, bytes(range(256)) * 9 + b"\n")], "cannot read"),
    "NUL in numbers": (
        [*list(GOOD.items())[:1], (DAT, DATA.replace("3 0", "3\x00 0").encode())], "line 3",
    ),
    "both kinds": (
        [*GOOD.items(), ("A/IOHprofiler_f1_S.json", b"{}")], "data of both IOHprofiler",
    ),
}  # fmt: skip


def refused(path, sentence, tmp_path):
    before = sorted(p.name for p in tmp_path.rglob("*"))
    with pytest.raises(LogFormatError) as caught:
        read_log(path)
    message = str(caught.value)
    assert isinstance(caught.value, FirsthitError)
    assert sentence in message
    assert message.isprintable()
    assert len(message) < 600
    assert sorted(p.name for p in tmp_path.rglob("*")) == before


@pytest.mark.parametrize("name", TAR_CASES)
def test_hostile_tar(tmp_path, name):
    files, sentence = TAR_CASES[name]
    refused(tar(tmp_path / "A.tar.gz", files), sentence, tmp_path)


ZIP_CASES = ["parent folder", "parent folder inside", "absolute", "backslashes", "300 characters",
             "terminal escape", "only foreign files", "no dat", "binary data"]  # fmt: skip


@pytest.mark.parametrize("name", ZIP_CASES)
def test_hostile_zip(tmp_path, name):
    files, sentence = TAR_CASES[name]
    refused(zipped(tmp_path / "A.zip", files), sentence, tmp_path)


def test_a_link_in_a_zip(tmp_path):
    path = zipped(tmp_path / "A.zip", GOOD.items())
    info = zipfile.ZipInfo("A/link.dat")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(info, "/etc/passwd")
    refused(path, "no regular file", tmp_path)


def test_a_member_twice_in_a_zip(tmp_path):
    path = zipped(tmp_path / "A.zip", GOOD.items())
    with zipfile.ZipFile(path, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr(DAT, "1")
    refused(path, "there twice", tmp_path)


def test_an_encrypted_member(tmp_path):
    path = zipped(tmp_path / "A.zip", GOOD.items())
    data = bytearray(path.read_bytes())
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.find(mark)
        data[at + place] |= 1
    path.write_bytes(bytes(data))
    refused(path, "encrypted", tmp_path)


def test_a_bomb_by_ratio(tmp_path):
    """A quarter of a megabyte that unpacks to 256 is refused, by the limits as they are."""
    path = tmp_path / "A.tar.gz"
    with gzip.open(path, "wb") as file:
        info = tarfile.TarInfo("A/x.dat")
        info.size = 2**28
        file.write(info.tobuf())
        for _ in range(2**8):
            file.write(bytes(2**20))
    assert path.stat().st_size < 2**19
    refused(path, "unpacks to more than", tmp_path)


def test_a_zip_that_lies_about_sizes(tmp_path):
    path = zipped(tmp_path / "A.zip", [("A/x.dat", b"1 0 1\n" * 10_000), *GOOD.items()])
    data = path.read_bytes()
    size = (60_000).to_bytes(4, "little")
    assert data.count(size) == 2
    path.write_bytes(data.replace(size, (10).to_bytes(4, "little")))
    refused(path, "cannot read the archive", tmp_path)


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9, 0.99])
def test_truncated_archives(tmp_path, part):
    for path in (
        tar(tmp_path / "A.tar.gz", GOOD.items()),
        zipped(tmp_path / "A.zip", GOOD.items()),
    ):
        data = path.read_bytes()
        path.write_bytes(data[: int(len(data) * part)])
        refused(path, "cannot read the archive", tmp_path)
        path.unlink()


@pytest.mark.parametrize(
    "data", [b"", b"\x1f\x8b", b"PK\x03\x04", b"hello" * 300, bytes(5000), b"BZh9", b"\xfd7zXZ\x00"]
)
def test_files_that_are_no_archives(tmp_path, data):
    for name in ("A.tar.gz", "A.zip"):
        path = tmp_path / name
        path.write_bytes(data)
        with pytest.raises(LogFormatError, match="cannot read the"):
            read_log(path)
        path.unlink()


def test_damaged_bytes_never_pass_as_other_numbers(tmp_path):
    """gzip and zip have checksums: every flipped byte is an error or changes nothing."""
    rng = np.random.default_rng(5)
    for make in (tar, zipped):
        path = make(tmp_path / ("A.zip" if make is zipped else "A.tgz"), GOOD.items())
        good, expected = path.read_bytes(), read_log(path).first_hits([0], [10.0, 1.0])[0]
        for at in rng.integers(0, len(good), 60).tolist():
            damaged = bytearray(good)
            damaged[at] ^= 1 << int(rng.integers(8))
            path.write_bytes(bytes(damaged))
            try:
                log = read_log(path)
            except FirsthitError:
                continue
            assert np.array_equal(log.first_hits([0], [10.0, 1.0])[0], expected)
        path.unlink()


def test_no_data_at_all(tmp_path):
    with pytest.raises(LogNotFoundError, match="no log at"):
        read_log(tmp_path / "nothing.tar.gz")
    with pytest.raises(LogNotFoundError, match="no log at"):
        read_log(tmp_path)
