"""Published data by name; a server of this machine plays COCO's archive.

Private names: the archive's definition file and downloads are tested without the network, and
limits on the size of data sets are lowered, so that the tests need no large ones.
"""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import platformdirs
import pytest

import firsthit
from firsthit.loggers import import_data, read_log
from firsthit.loggers.errors import LogFormatError, LogNotFoundError, LogReadError
from firsthit.loggers.formats import data_files
from firsthit.loggers.formats.coco import fetching
from firsthit.loggers.formats.coco.archive import (
    DEFINITION,
    MAX_DEFINITION_BYTES,
    parse_definition,
    selected,
    write_definition,
)
from firsthit.loggers.formats.coco.fetching import OFFICIAL, VARIABLE, fetched
from firsthit.suites import FirsthitError

from ...command_line import invoke as run
from .archive_server import NAMES, content, data_set, one_byte_after_another, redirect, served
from .test_archives import GOOD, refused, tar, zipped

BIPOP = "/bbob/2009/BIPOP-CMA-ES_hansen.tgz"
HASH = "0" * 64


@pytest.fixture
def folder(tmp_path):
    """An archive of five data sets."""
    for name in NAMES:
        data_set(tmp_path / "archive" / name, name.rpartition("/")[2].partition("_")[0])
    write_definition(tmp_path / "archive")
    return tmp_path / "archive"


@pytest.fixture
def caches(tmp_path, monkeypatch):
    """The folder of all programs' caches."""
    monkeypatch.setattr(
        platformdirs, "user_cache_dir", lambda name, **_: str(tmp_path / "c" / name)
    )
    return tmp_path / "c"


@pytest.fixture
def server(folder, caches, monkeypatch):
    with served(folder) as server:
        monkeypatch.setenv(VARIABLE, server.url)
        yield server


def kept(caches):
    """Names of the files that are kept, without locks, definitions and the logs made of them."""
    files = [path for path in caches.rglob("*") if path.is_file() and path.suffix != ".h5"]
    return [path.name for path in files if path.name != DEFINITION and path.suffix != ".lock"]


def test_a_name_is_fetched_once(server, caches):
    log = read_log("coco:bbob/2009/BIPOP-CMA-ES")
    assert log.algorithms == ("BIPOP-CMA-ES",)
    assert server.asked == [f"/{DEFINITION}", BIPOP]
    again = read_log(["coco:BIPOP", "coco:bipop-cma!"])
    assert again.runs["key"].tolist() == log.runs["key"].tolist()
    assert len(server.asked) == 2
    assert kept(caches) == ["BIPOP-CMA-ES_hansen.tgz"]


def test_text_is_read_once_and_kept_as_a_log(server, caches, monkeypatch):
    name = "firsthit.loggers.formats.coco.reader.read_coco"
    first = read_log("coco:BIPOP")
    with monkeypatch.context() as patch:
        patch.setattr(name, lambda _: pytest.fail("read again"))
        again = read_log("coco:BIPOP")
    assert again.headers == first.headers
    assert again.notes == first.notes
    assert again.files == first.files
    assert again.hits(0).tolist() == first.hits(0).tolist()
    (kept,) = caches.rglob("*.h5")
    kept.write_bytes(kept.read_bytes()[:-100])
    assert read_log("coco:BIPOP").hits(0).tolist() == first.hits(0).tolist()


def test_another_log_in_place_of_the_conversion_is_not_used(server, caches, tmp_path):
    first = read_log("coco:BIPOP")
    with firsthit.Observer(tmp_path / "other.h5", algorithm="other") as observer:
        for problem in observer(firsthit.Suite("bbob", functions=1, dimensions=2, instances=1)):
            problem(problem.initial_solution)
    (conversion,) = caches.rglob("*.h5")
    conversion.write_bytes((tmp_path / "other.h5").read_bytes())
    again = read_log("coco:BIPOP")
    assert again.algorithms == ("BIPOP-CMA-ES",)
    assert again.headers == first.headers


def test_notes_and_header_name_the_data_and_their_hash(server, tmp_path):
    (data,) = fetched("coco:BIPOP")
    note = f"published data coco:{BIPOP[1:]}, SHA-256 {data.sha256}"
    assert note in read_log("coco:BIPOP").notes
    import_data("coco:BIPOP", tmp_path / "log.h5")
    assert note in read_log(tmp_path / "log.h5").notes
    assert (
        read_log(tmp_path / "log.h5").headers[0]["provenance"]["imported"]["sha256"] == data.sha256
    )


@pytest.mark.slow
def test_names_stand_beside_logs_in_commands_and_in_python(server, tmp_path):
    assert firsthit.load(["coco:BIPOP", "coco:bbob/.*bfgs*"]).algorithms == ("BFGS", "BIPOP-CMA-ES")
    for arguments in (
        ("assess", "art", "coco:BIPOP", "--format", "csv"),
        ("regressions", "coco:BIPOP", "coco:BIPOP"),
        ("export", "coco:BIPOP", "--format", "coco", "-o", tmp_path / "coco"),
        ("import", "coco:BIPOP", "-o", tmp_path / "log.h5"),
        ("figures", "coco:BIPOP", "-o", tmp_path / "figures", "--kinds", "ecdf"),
        ("report", "coco:BIPOP", "-o", tmp_path / "report.html"),
    ):
        done = run(*arguments)
        assert done.exit_code == 0, (arguments, done.output)
    (data,) = fetched("coco:BIPOP")
    assert data.sha256 in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_the_list_says_what_is_here(server):
    done = run("data", "list", "--format", "json")
    rows = json.loads(done.stdout)
    assert {row["name"] for row in rows} == {f"coco:{name}" for name in NAMES}
    assert {row["here"] for row in rows} == {"no"}
    assert server.asked == [f"/{DEFINITION}"]
    (path,) = run("data", "fetch", "BIPOP!").stdout.splitlines()
    assert Path(path).name == "BIPOP-CMA-ES_hansen.tgz"
    (row,) = json.loads(run("data", "list", "coco:bipop*", "--format", "json").stdout)
    assert row == {"name": f"coco:{BIPOP[1:]}", "MB": "0.0", "here": "yes"}


def test_offline_works_for_what_was_fetched(server, folder):
    log = read_log("coco:BIPOP")
    server.answers.update({f"/{DEFINITION}": content(b"", 5), BIPOP: content(b"", 5)})
    assert len(read_log("coco:BIPOP")) == len(log)
    done = run("data", "list", "--format", "json")
    assert len(json.loads(done.stdout)) == len(NAMES)
    assert "note: the list of names is the one fetched before: cannot fetch" in done.stderr


def test_no_server_is_one_sentence(caches, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    monkeypatch.setenv(VARIABLE, f"http://127.0.0.1:{port}")
    with pytest.raises(LogReadError, match=r"cannot fetch 'http.*txt': .*can be used offline"):
        read_log("coco:BIPOP")


def test_what_is_not_what_the_definition_means_is_refused(server, folder, caches):
    (folder / BIPOP[1:]).write_bytes(b"x" * (folder / BIPOP[1:]).stat().st_size)
    with pytest.raises(LogFormatError, match="is not what the archive's definition means"):
        read_log("coco:BIPOP")
    assert kept(caches) == []


def test_what_was_damaged_in_the_cache_is_fetched_anew(server):
    (data,) = fetched("coco:BIPOP")
    data.path.write_bytes(data.path.read_bytes() + b"\0")
    assert len(read_log("coco:BIPOP")) == 1
    assert server.asked.count(BIPOP) == 2


def test_a_download_that_breaks_off_is_not_kept(server, folder, caches):
    whole = (folder / BIPOP[1:]).read_bytes()
    server.answers[BIPOP] = content(whole[:100], len(whole))
    with pytest.raises(LogReadError, match=f"broke off after 100 of {len(whole)} bytes"):
        read_log("coco:BIPOP")
    assert kept(caches) == []
    del server.answers[BIPOP]
    assert len(read_log("coco:BIPOP")) == 1


def test_a_download_has_a_time_limit(server, caches, monkeypatch):
    monkeypatch.setattr(fetching, "DOWNLOAD_SECONDS", 0.2)
    monkeypatch.setattr(fetching, "BYTES_PER_SECOND", 1000)
    server.answers[BIPOP] = one_byte_after_another(400)
    with pytest.raises(LogReadError, match=r"sent \d+ bytes in 1 s, the time limit of this downl"):
        read_log("coco:BIPOP")
    assert kept(caches) == []


def test_a_download_of_more_than_its_size_is_stopped(server, caches):
    server.answers[BIPOP] = content(b"x" * 10**6)
    with pytest.raises(LogReadError, match="it has more than the 1000 bytes allowed"):
        read_log("coco:BIPOP")
    assert kept(caches) == []


def test_a_file_that_the_server_lacks_is_one_sentence(server, folder):
    (folder / BIPOP[1:]).unlink()
    with pytest.raises(LogReadError, match=r"cannot fetch '.*hansen.tgz': the server answers 404"):
        read_log("coco:BIPOP")


def test_redirects_are_followed_to_http_alone(server, folder):
    server.answers["/elsewhere"] = content((folder / BIPOP[1:]).read_bytes())
    server.answers[BIPOP] = redirect("/elsewhere")
    assert len(read_log("coco:BIPOP")) == 1
    for scheme in ("file", "ftp", "data"):
        server.answers["/bbob/2009/BFGS_ros.tgz"] = redirect(f"{scheme}:///etc/passwd")
        with pytest.raises(FirsthitError, match=r"cannot fetch|only https and http are"):
            read_log("coco:bbob/2009/BFGS")


def test_redirects_in_a_circle_are_one_short_sentence(server):
    server.answers[BIPOP] = redirect(BIPOP)
    with pytest.raises(LogReadError, match=r"^cannot fetch '.*hansen.tgz': too many redirects$"):
        read_log("coco:BIPOP")


def test_a_redirect_from_https_to_http_is_refused():
    from firsthit.loggers.formats.coco.fetching import _check_scheme

    with pytest.raises(LogNotFoundError, match="'http://a/b' is not used: only https are"):
        _check_scheme("http://a/b", "https://a/b")


@pytest.mark.parametrize("place", ["file:///etc", "ftp://host/data", "no-such-folder"])
def test_other_places_than_servers_and_folders_are_refused(place, monkeypatch):
    monkeypatch.setenv(VARIABLE, place)
    with pytest.raises(LogNotFoundError, match=f"{place}"):
        read_log("coco:BIPOP")


def test_a_new_name_is_found_in_a_definition_fetched_before(server, folder):
    read_log("coco:BIPOP")
    data_set(folder / "bbob/2030/NEW.tgz", "NEW")
    write_definition(folder)
    assert read_log("coco:2030/new").algorithms == ("NEW",)


@pytest.mark.parametrize(
    "text",
    [
        "", "x", "{}", "[1]", "[('a.tgz',)]", "__import__('os')", "[" * 10000, "-" * 100_000,
        f"[(1, '{HASH}', 1)]", "[('a.tgz', '0', 1)]", f"[('a.tgz', '{HASH}', -1)]",
        f"[('a.tgz', '{HASH}', True)]", f"[('a.tgz', '{HASH}'), ('a.tgz', '{HASH}')]",
        *(
            f"[({name!r}, '{HASH}', 1)]"
            for name in (
                "../x.tgz", "a/../../x.tgz", "/etc/x.tgz", "C:/x.tgz", "C:x.tgz", "a\\..\\x.tgz",
                "", ".", "a//b.tgz", "a/./b.tgz", "a\n.tgz", "\u202egzt", "a" * 251, "a/.. /x.tgz",
            )
        ),
    ],
)  # fmt: skip
def test_hostile_definitions_are_one_sentence(text):
    with pytest.raises(LogFormatError, match="cannot use the archive's definition 'here'"):
        parse_definition(text, "here")


def test_a_definition_of_ten_megabytes_is_not_read(server, caches):
    server.answers[f"/{DEFINITION}"] = content(b"[" + b" " * 10**7 + b"]")
    with pytest.raises(LogReadError, match=f"more than the {MAX_DEFINITION_BYTES} bytes allowed"):
        read_log("coco:BIPOP")
    assert kept(caches) == []


def test_a_hostile_definition_of_a_server_is_not_kept(server, caches):
    server.answers[f"/{DEFINITION}"] = content(f"[('../x.tgz', '{HASH}', 1)]".encode())
    with pytest.raises(LogFormatError, match=r"'\.\./x.tgz' is no name of a file in the archive"):
        read_log("coco:x")
    assert not list(caches.rglob(DEFINITION))


def test_of_two_processes_one_downloads(server, tmp_path):
    code = (
        "import sys, platformdirs\n"
        "platformdirs.user_cache_dir = lambda name, **_: sys.argv[1]\n"
        "from firsthit.loggers.formats.coco.fetching import fetched\n"
        "print(fetched('coco:BIPOP')[0].path)"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "both")]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    paths = {one.communicate(timeout=300)[0] for one in both}
    assert len(paths) == 1
    assert {one.returncode for one in both} == {0}
    assert server.asked.count(BIPOP) == 1


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("bfgs!", NAMES[1:2]), ("BFGS*", (NAMES[1], NAMES[4])),
        ("bbob/.*cma", NAMES[:1] + NAMES[2:4]),
        ("bbob/2012/.*", NAMES[2:4]), ("bipop", NAMES[:1]), (NAMES[2], NAMES[2:3]), ("*", NAMES),
        ("!", NAMES[:1]),
    ],
)  # fmt: skip
def test_patterns_mean_what_they_mean_to_cocopp(pattern, found):
    assert selected(NAMES, pattern, "here") == list(found)


@pytest.mark.parametrize(
    ("pattern", "sentence"),
    [
        ("bfgs", r"'coco:bfgs' matches 2 published data sets: bbob/2009/BFGS_ros.tgz, bbob-noisy"),
        ("BIPOB-CMA-ES", r"no published data match .*; near are bbob/2009/BIPOP-CMA-ES_hansen.tgz"),
        ("2009/bfsg!", r"near are bbob/2009/BFGS_ros.tgz"),
        ("qqq", r"`firsthit data list` shows all names"),
        ("*cma", r"'coco:\*cma' is no regular expression \(nothing to repeat"),
    ],
)
def test_nothing_and_too_much_are_one_sentence(pattern, sentence):
    with pytest.raises(LogNotFoundError, match=sentence):
        selected(NAMES, pattern, "here")


def test_one_exact_name_of_several_matches_is_enough():
    assert selected(["a.tgz", "a.tgz.zip"], "a.tgz", "here") == ["a.tgz"]


def test_a_folder_is_an_archive_too(folder, caches, monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    done = run("data", "fetch", "BIPOP", "BFGS*", "--coco-archive", folder)
    assert done.stdout.splitlines() == [str(folder / NAMES[i]) for i in (0, 1, 4)]
    assert VARIABLE not in os.environ
    done = run("assess", "art", "coco:BIPOP", "--coco-archive", folder, "--format", "csv")
    assert (done.exit_code, kept(caches)) == (0, [])
    (folder / NAMES[0]).write_bytes(b"x")
    (folder / NAMES[1]).unlink()
    monkeypatch.setenv(VARIABLE, str(folder))
    with pytest.raises(LogFormatError, match="its SHA-256 is another; `firsthit data index"):
        read_log("coco:BIPOP")
    with pytest.raises(LogNotFoundError, match=f"'{NAMES[1]}' of {DEFINITION} is not in"):
        read_log("coco:bbob/2009/BFGS")
    (folder / DEFINITION).unlink()
    with pytest.raises(LogNotFoundError, match=r"`firsthit data index .*` writes it"):
        read_log("coco:BIPOP")


def test_an_index_is_written_again_and_replaces_nothing_else(folder, tmp_path):
    before = (folder / DEFINITION).read_text()
    (folder / ".hidden.tgz").write_bytes(b"")
    done = run("data", "index", folder)
    assert (done.exit_code, done.stdout) == (0, f"{folder / DEFINITION}\n")
    assert (folder / DEFINITION).read_text() == before
    assert [entry.name for entry in parse_definition(before, "")] == sorted(
        NAMES, key=lambda name: (name.split("/")[0], name)
    )
    (folder / DEFINITION).write_text("a text of somebody's own")
    with pytest.raises(FirsthitError, match="it is no list of"):
        write_definition(folder)
    assert (folder / DEFINITION).read_text() == "a text of somebody's own"
    with pytest.raises(LogNotFoundError, match="no data to index in"):
        write_definition(tmp_path / "nothing")


def test_data_that_cocopp_has_cached_are_used(server, caches):
    (data,) = fetched("coco:BIPOP")
    theirs = caches / "cocopp" / "das" / server.url.removeprefix("http://") / BIPOP[1:]
    theirs.parent.mkdir(parents=True)
    data.path.rename(theirs)
    assert fetched("coco:BIPOP")[0].path == theirs
    assert server.asked.count(BIPOP) == 1


def test_the_network_is_touched_for_such_names_alone(folder, monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    assert len(read_log(folder / NAMES[0])) == 1
    with pytest.raises(LogNotFoundError, match=r"no log at 'cocoa.h5'"):
        read_log("cocoa.h5")


def test_the_official_archive_is_the_default(caches, monkeypatch):
    asked = []

    def offline(host, *_, **__):
        asked.append(host)
        raise OSError("no network in tests")

    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr(socket, "getaddrinfo", offline)
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    with pytest.raises(LogReadError, match=f"cannot fetch '{OFFICIAL}/{DEFINITION}': no network"):
        read_log("coco:BIPOP")
    assert asked == ["numbbo.github.io"]


def test_a_bomb_in_a_member_that_is_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr(data_files, "FREE_BYTES", 2**20)
    monkeypatch.setattr(data_files, "MAX_RATIO", 10)
    files = [("A/movie.bin", bytes(2**24)), *GOOD.items()]
    refused(tar(tmp_path / "A.tar.gz", files), "unpacks to more than", tmp_path)


def test_a_zip_bomb(tmp_path, monkeypatch):
    monkeypatch.setattr(data_files, "FREE_BYTES", 2**20)
    path = zipped(tmp_path / "A.zip", [*GOOD.items(), ("A/x.dat", bytes(2**25))])
    refused(path, "unpacks to more than", tmp_path)


def test_a_bomb_by_count(tmp_path, monkeypatch):
    monkeypatch.setattr(data_files, "MAX_FILES", 50)
    files = [*GOOD.items(), *((f"A/{i}.txt", b"") for i in range(60))]
    refused(tar(tmp_path / "A.tar.gz", files), "more than 50 members", tmp_path)
    (tmp_path / "A.tar.gz").unlink()
    refused(zipped(tmp_path / "A.zip", files), "63 members", tmp_path)
