"""``publish``: what a published folder holds, each part with the function that writes it."""

from __future__ import annotations

import gzip
import shlex
import shutil
import tarfile
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ..assessment.asking import registry
from ..assessment.asking.context import Choices
from ..assessment.asking.drawing import drawings, inapplicable_kinds
from ..assessment.errors import AssessmentError
from ..assessment.figures import save
from ..assessment.report.build import page_of
from ..assessment.report.page import check_report_packages, write_report
from ..loggers import Log, read_log, write_coco, write_parquet
from ..loggers.errors import LogExistsError, LogWriteError
from ..loggers.formats.coco.archive import sha256_of, write_definition
from ..loggers.formats.export import file_name, new_folder
from ..loggers.formats.parquet import check_pyarrow
from ..loggers.hdf5.files import Paths, listed
from .campaigns import campaign_text, lock_lines, own_code
from .metadata import CRATE, LICENSE, LOG, Publication, PublicationError, citation, crate
from .pages import folder_page, readme

_HEADINGS = ("To begin with", "Runs")
"""The questions whose tables are published: they need no option, and are of any log."""


@dataclass(frozen=True)
class Contents:
    """What the parts of a folder are made from."""

    publication: Publication
    folder: Path  # it is written here
    own: Log  # the runs that are copied; files stand in ``folder``
    whole: Log  # own runs and those of others that they are compared with
    others: Mapping[str, str]  # published data of others that are not copied, to their SHA-256
    code: Path | None  # where the files stand that campaigns name; None: they are not copied

    @cached_property
    def seconds(self) -> int:
        """The time of files in archives."""
        return int(datetime.combine(self.publication.date, time(), UTC).timestamp())

    def command(self, *words: str) -> str:
        """A command on the runs of the folder, as its reader types it there."""
        return shlex.join(["firsthit", *words, LOG, *sorted(self.others)])

    def write(self, place: str, text: str) -> None:
        """Write a text file below the folder."""
        path = self.folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")


@dataclass(frozen=True, slots=True)
class Part:
    """A file or folder of a published folder."""

    place: str  # below the folder; folders end in ``/``; ``*`` stands for a number of several
    form: str  # media type; of a folder, that of its files
    tells: str  # what it is, in a sentence
    write: Callable[[Contents], Iterable[str] | None]  # writes it, and says what is not in it


def _coco(contents: Contents) -> Iterator[str]:
    runs, place = contents.own.runs, contents.folder / "coco"
    for suite in np.unique(runs["suite"]).tolist():
        with tempfile.TemporaryDirectory() as scratch:
            data = Path(scratch, "data")
            try:
                notes = write_coco(contents.own.take(runs["suite"] == suite), data)
            except LogWriteError as error:
                yield f"No data of COCO for suite {suite}: {error}"
                continue
            yield from (f"Data of COCO, suite {suite}: {note}" for note in notes)
            single = np.unique(runs["algorithm"][runs["suite"] == suite]).tolist()
            folders = {file_name(single[0]): data}
            if len(single) > 1:
                folders = {path.name: path for path in sorted(data.iterdir())}
            for name, folder in folders.items():
                _pack(folder, place / file_name(suite) / f"{name}.tgz", name, contents.seconds)
    if place.is_dir():
        write_definition(place)


def _pack(folder: Path, archive: Path, name: str, seconds: int) -> None:
    """An archive of a folder whose bytes depend on names and contents alone."""
    archive.parent.mkdir(parents=True, exist_ok=True)
    with (
        open(archive, "wb") as file,
        gzip.GzipFile("", "wb", fileobj=file, mtime=seconds) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            info = tarfile.TarInfo(f"{name}/{path.relative_to(folder).as_posix()}")
            info.size, info.mtime = path.stat().st_size, seconds
            with open(path, "rb") as content:
                tar.addfile(info, content)


def _parquet(contents: Contents) -> Iterable[str]:
    return write_parquet(contents.own, contents.folder / "parquet")


def _report(contents: Contents) -> None:
    page = page_of(
        contents.whole,
        contents.publication.title,
        Choices(),
        base=contents.folder,
        created=contents.publication.date.isoformat(),
    )
    write_report(page, contents.folder / "report.html")


def _figures(contents: Contents) -> Iterator[str]:
    folder = contents.folder / "figures"
    folder.mkdir()
    figures = registry.index()["figures"]
    left = inapplicable_kinds(contents.whole, {})
    for kind in (name for name, entry in figures.items() if entry["curated"]):
        if kind in left:
            continue
        try:
            for drawing in drawings(kind, contents.whole):
                for form in ("pdf", "svg"):
                    save(drawing, folder, form, contents.command("figures", "--kinds", kind))
        except AssessmentError as error:
            yield f"No figures of kind {kind}: {error}"


def _tables(contents: Contents) -> Iterator[str]:
    for name, entry in registry.index()["questions"].items():
        if entry["heading"] not in _HEADINGS:
            continue
        question = registry.question(name)
        assert question is not None
        try:
            runs, options = question.runs(contents.whole, {})
            table = question(runs, **options)
        except AssessmentError as error:
            yield f"No table {name}: {error}"
            continue
        contents.write(f"tables/{name}.csv", table.to_csv())
        lines = [entry["summary"], *table.notes, contents.command("assess", name)]
        contents.write(f"tables/{name}.txt", "\n".join(lines) + "\n")


def _campaigns(contents: Contents) -> Iterator[str]:
    for number, header in _numbered(contents.own.headers):
        text = campaign_text(header)
        if text is None:
            yield f"No campaign{number}.yaml: these runs were observed in a loop or imported."
        else:
            contents.write(f"campaign{number}.yaml", text)


def _code(contents: Contents) -> Iterator[str]:
    for name, sha256 in own_code(contents.own).items():
        if contents.code is None:
            yield f"The code {name} is not in the folder; --code FOLDER copies it."
            continue
        source, target = contents.code / name, contents.folder / "code" / name
        if ".." in Path(name).parts or Path(name).is_absolute():
            yield f"The code {name} is not in the folder: it stands outside of {contents.code}."
            continue
        if not source.is_file():
            raise PublicationError(f"code: there is no file {str(source)!r}")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        if sha256 and sha256_of(target) not in sha256:
            yield f"The code {name} is not the version that made the runs."


def _lock(contents: Contents) -> Iterator[str]:
    for number, header in _numbered(contents.own.headers):
        provenance = header.get("provenance") or {}
        versions = dict(provenance.get("versions") or {})
        python, _ = versions.pop("python", "?"), versions.pop("hdf5", None)
        if not versions:
            yield f"No requirements{number}.txt: the log does not say what was installed."
            continue
        lines, is_whole = lock_lines(versions)
        head = f"# Python {python}, {provenance.get('platform', 'unknown platform')}"
        contents.write(f"requirements{number}.txt", "\n".join([head, *lines]) + "\n")
        if not is_whole:
            yield (
                f"requirements{number}.txt has what the log names alone: other versions are "
                "installed by now."
            )
        for line in lines:
            if line.startswith("#"):
                yield (
                    f"requirements{number}.txt does not install {line.removeprefix('# ')}, which "
                    "was installed from a folder: install it from its sources."
                )


def _numbered(headers: Sequence[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The headers, with a number for names of files where there are several."""
    for number, header in enumerate(headers, start=1):
        yield (f"-{number}" if len(headers) > 1 else ""), header


PARTS = (
    Part(LOG, "application/x-hdf5",
         "All runs with their first hits, campaign, versions and machine; `firsthit` reads it, and "
         "any HDF5 library.", lambda contents: None),  # it was written first: of it all are made
    Part("coco/", "application/gzip",
         "The runs as COCO's data, an archive for each suite and algorithm; on any web server, "
         "`--coco-archive URL/coco` of firsthit and cocopp's `archiving.get(URL/coco)` find them "
         "by name.", _coco),
    Part("parquet/", "application/vnd.apache.parquet",
         "All that the log holds as Parquet files, for DuckDB, pandas and polars.", _parquet),
    Part("report.html", "text/html",
         "The interactive report: one page that needs no network.", _report),
    Part("figures/", "image/svg+xml",
         "Figures as PDF and SVG, each with NAME.txt, which says what is drawn.", _figures),
    Part("tables/", "text/csv",
         "Tables as CSV, each with NAME.txt, which says how it was computed.", _tables),
    Part("campaign*.yaml", "application/yaml",
         "The campaign: `firsthit run campaign.yaml` makes the runs again.", _campaigns),
    Part("code/", "text/x-python",
         "The files with optimizers that the campaign names.", _code),
    Part("requirements*.txt", "text/plain",
         "What was installed, in the Python that it names.",
         _lock),
    Part(LICENSE, "text/plain", "The licence of all that stands here.",
         lambda contents: contents.write(LICENSE, contents.publication.license.text)),
    Part("CITATION.cff", "application/yaml", "How to cite the data.",
         lambda contents: contents.write("CITATION.cff", citation(contents.publication))),
)  # fmt: skip
"""What a published folder holds, in the order in which it is written."""


def publish(
    logs: Paths,
    folder: str | Path,
    publication: Publication,
    *,
    with_others: bool = False,
    code: str | Path | None = None,
) -> tuple[str, ...]:
    """Write a folder that can be put on a web server or into an archive such as Zenodo.

    Made again from the same logs in the same environment, it has the same bytes. Published data of
    others take part in report, figures and tables, and are named with their SHA-256.

    Args:
        logs: As for `load`.
        folder: A new folder.
        publication: Title, authors, licence, date.
        with_others: Whether the runs of others are copied, too.
        code: Where the files stand that campaigns name (``my_es.py:solve``); they are copied.

    Returns:
        Sentences on what is not in the folder.
    """
    check_report_packages()
    check_pyarrow()
    target, paths = Path(folder), listed(logs)
    if target.exists():
        raise LogExistsError(f"the folder {str(folder)!r} exists; choose another name")
    given = read_log(paths)
    others, theirs = given.published()
    if with_others:
        others, theirs = {}, np.zeros(len(given), dtype=bool)
    kept = ~theirs
    if not kept.any():
        raise PublicationError(
            "publish: there is nothing of one's own in LOGS, all are published data of others; "
            "--with-others copies them"
        )
    with new_folder(target) as temporary:
        given.take(kept).save(temporary / LOG)
        own = whole = read_log(temporary / LOG)
        if others:
            compared = [path for path in paths if read_log(path).published()[0]]
            whole = read_log([temporary / LOG, *compared])
        place = None if code is None else Path(code)
        contents = Contents(publication, temporary, own, whole, others, place)
        notes = [note for part in PARTS for note in part.write(contents) or ()]
        _describe(contents, notes)
    return tuple(notes)


def _describe(contents: Contents, notes: Sequence[str]) -> None:
    """Write what says what is there: README, index.html and the crate."""
    written = [
        (place.relative_to(contents.folder).as_posix() + "/" * place.is_dir(), part)
        for part in PARTS
        for place in sorted(contents.folder.glob(part.place.rstrip("/")))
    ]
    rows = [(place, part.tells) for place, part in written]
    runs = contents.own.runs
    counts = {name: len(np.unique(runs[name])) for name in ("algorithm", "function", "dimension")}
    facts = ", ".join(f"{n} {name}{'s' * (n > 1)}" for name, n in counts.items())
    suites = ", ".join(np.unique(runs["suite"]).tolist())
    description = f"{len(contents.own)} runs on {suites}: {facts}; measured with firsthit."
    contents.write("README.md", readme(contents.publication, description, rows, contents.others,
                                       notes))  # fmt: skip
    figures = sorted(path.stem for path in contents.folder.glob("figures/*.svg"))
    contents.write("index.html", folder_page(contents.publication, description, rows, figures))
    entities = [_entity(contents.folder, place, part.form, part.tells) for place, part in written]
    entities += [
        _entity(contents.folder, "README.md", "text/markdown", "What is what."),
        _entity(contents.folder, "index.html", "text/html", "What is what, as a page."),
    ]
    text = crate(contents.publication, description, entities, contents.others)
    contents.write(CRATE, text)


def _entity(folder: Path, place: str, form: str, tells: str) -> dict[str, Any]:
    """A file or a folder as RO-Crate describes it."""
    if place.endswith("/"):
        return {"@id": place, "@type": "Dataset", "name": place, "description": tells}
    return {
        "@id": place,
        "@type": "File",
        "name": place,
        "description": tells,
        "encodingFormat": form,
        "contentSize": str((folder / place).stat().st_size),
        "identifier": f"SHA-256 {sha256_of(folder / place)}",
    }
