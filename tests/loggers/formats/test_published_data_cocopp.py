"""cocopp as an oracle: what patterns of published data mean, and what it reads of ours."""

import contextlib
import io
import os
import random
import re
import warnings

import pytest

import firsthit

from ...assessment.cocopp_oracle import contained
from ...command_line import invoke, succeed

PARTS = (
    "bbob", "bbob-noisy", "2009", "2010-others", "CMA", "BIPOP-CMA-ES", "BFGS", "1+1", "R_de",
)  # fmt: skip
PIECES = (*PARTS, "cma", "Bbob/2", "/", ".", ".*", "*", "!", "-", "_", "s", "^b", "[0-9]", "(", "$")


@pytest.fixture(scope="module")
def archiving(tmp_path_factory):
    """cocopp's module, with a cache of its own."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch, contained(home):
        patch.setenv("XDG_CACHE_HOME", str(home))
        from cocopp import archiving

        archiving.ArchivesLocal.register = classmethod(lambda *_: None)
        yield archiving


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """An archive of 50 made-up names."""
    folder, rng = tmp_path_factory.mktemp("archive"), random.Random(1)
    names = set()
    while len(names) < 50:
        parts = rng.choices(PARTS, k=rng.randint(1, 3))
        names.add("/".join([*parts[:-1], f"{parts[-1]}_{rng.choice('abc')}.tgz"]))
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(name.encode())
    succeed("data", "index", folder)
    return folder


def cocopp_references(archive, folder, pattern):
    """The names that cocopp finds; None where it raises."""
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            found = archive.get_extended([pattern], remote=False)
    except (ValueError, re.error):
        return None
    return [path.removeprefix(f"{folder}/") for path in found]


def our_references(folder, pattern):
    """The names that firsthit finds; None where it raises."""
    done = invoke("data", "fetch", f"coco:{pattern}")
    if done.exit_code:
        assert done.exit_code == 2
        assert done.stderr.count("\n") == 1
        return None
    return [path.removeprefix(f"{folder}/") for path in done.stdout.splitlines()]


def test_matching_is_that_of_cocopp(archiving, folder, monkeypatch):
    monkeypatch.setenv("FIRSTHIT_COCO_ARCHIVE", str(folder))
    archive = archiving.get(str(folder))
    names, rng = list(archive), random.Random(2)
    kinds = {"some": 0, "error": 0}
    patterns = set()
    while len(patterns) < 100:
        pattern = "".join(rng.choices(PIECES, k=rng.randint(1, 4)))
        if rng.random() < 0.5:  # a part of a name
            name = rng.choice(names)
            pattern = name[rng.randrange(5) : -rng.randint(1, 5)] + rng.choice(
                ("", "!", "*", ".*z")
            )
        if not os.path.exists(pattern):  # cocopp takes it for a path
            patterns.add(pattern)
    for pattern in sorted(patterns):
        theirs = cocopp_references(archive, folder, pattern)
        ours = our_references(folder, pattern)
        assert ours == theirs, pattern
        kinds["error" if ours is None else "some"] += 1
    assert len(names) == 50
    assert min(kinds.values()) > 20


def test_cocopp_reads_what_we_index(archiving, folder):
    archive = archiving.get(str(folder))
    assert sorted(archive) == sorted(
        path.relative_to(folder).as_posix() for path in folder.rglob("*.tgz")
    )
    for name in archive:
        archive.check_hash(name)
    ours = (folder / "coco_archive_definition.txt").read_text()
    (folder / "coco_archive_definition.txt").unlink()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns that there is no definition yet
        archiving.create(str(folder))
    assert (folder / "coco_archive_definition.txt").read_text() == ours


def test_cocopp_reads_what_is_published(archiving, tmp_path):
    """Its archive finds the data by name, checks their hash, and its reader takes them."""
    import cocopp

    log, out = tmp_path / "log.h5", tmp_path / "out"
    firsthit.benchmark(
        "random-search", "bbob", functions=[1, 8], dimensions=2, instances="1-3", budget=50,
        output=log,
    )  # fmt: skip
    succeed(
        "publish", log, "--output", out, "--title", "Title", "--author", "Lovelace, Ada",
        "--license", "CC0-1.0", "--date", "2026-11-01",
    )  # fmt: skip
    archive = archiving.get(str(out / "coco"))
    (name,) = archive
    archive.check_hash(name)
    with contained(tmp_path):
        sets = cocopp.load(archive.get(name))
    assert sorted((data.funcId, data.dim, len(data.instancenumbers)) for data in sets) == [
        (1, 2, 3), (8, 2, 3),
    ]  # fmt: skip
