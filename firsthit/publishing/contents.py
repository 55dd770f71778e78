"""Write a published folder: the runs of a log, tables and figures computed from them, and metadata.

`publish` first copies the runs into a new folder. Then it calls the function ``write`` of each part
in `PARTS`, in order. Such a function writes one file or several files of one kind, and returns
notes about missing content. At the end, `publish` describes the written files in ``README.md``,
``index.html`` and the RO-Crate metadata. To add a file to published folders, add a `Part` to
`PARTS`.
"""

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
from urllib.parse import quote

import numpy as np

from ..assessment.errors import AssessmentError
from ..assessment.figures import save
from ..assessment.questions._framework import catalogue, registry
from ..assessment.questions._framework.context import Choices
from ..assessment.questions._framework.render import drawings, why_inapplicable
from ..assessment.report.build import page_of
from ..assessment.report.page import check_report_packages, write_report
from ..loggers import Log, read_log, write_coco, write_parquet
from ..loggers.errors import LogWriteError
from ..loggers.formats.coco.archive import sha256_of, write_definition
from ..loggers.formats.export import check_folder_replaceable, file_name, new_folder
from ..loggers.formats.parquet import check_pyarrow
from ..loggers.hdf5.files import Paths, listed
from ..runner import CampaignError
from .campaigns import campaign_text, lock_lines, own_code
from .croissant import describe_tables
from .metadata import CRATE, LICENSE, LOG, Publication, PublicationError, citation, crate
from .pages import find_unpublished_entry, folder_page, readme

_HEADINGS = ("To begin with", "Runs")
"""Headings of the questions whose tables are published. They need no options on any log."""


_MEDIA_TYPES = {
    ".csv": "text/csv", ".h5": "application/x-hdf5", ".html": "text/html",
    ".json": "application/json", ".parquet": "application/vnd.apache.parquet",
    ".pdf": "application/pdf", ".py": "text/x-python", ".svg": "image/svg+xml",
    ".tex": "text/x-tex", ".tgz": "application/gzip", ".txt": "text/plain",
}  # fmt: skip
"""Media types of files in subfolders by suffix; other files have that of their part."""


@dataclass(frozen=True)
class Contents:
    """The data from which the writers of all parts create their files.

    Attributes:
        publication: Title, authors, licence, date and DOI.
        folder: The folder into which the parts are written.
        copied_log: The log in ``folder``, which contains the copied runs.
        compared_log: The copied runs, and the runs in published data of others.
        others: Published data of others that are not copied: name to SHA-256.
        code: The folder with the Python files that campaigns name. None: these files are not
            copied.
    """

    publication: Publication
    folder: Path
    copied_log: Log
    compared_log: Log
    others: Mapping[str, str]
    code: Path | None

    @cached_property
    def timestamp(self) -> int:
        """The modification time of files in archives: midnight UTC, in seconds since 1970."""
        return int(datetime.combine(self.publication.date, time(), UTC).timestamp())

    @cached_property
    def description(self) -> str:
        """A sentence about the runs in the folder."""
        runs = self.copied_log.runs
        names = ("algorithm", "function", "dimension")
        counts = {name: len(np.unique(runs[name])) for name in names}
        counts_text = ", ".join(f"{n} {name}{'s' * (n > 1)}" for name, n in counts.items())
        suites = ", ".join(np.unique(runs["suite"]).tolist())
        return f"{len(self.copied_log)} runs on {suites}: {counts_text}; measured with firsthit."

    def format_command(self, *words: str) -> str:
        """Return the command line of a command for the log in the published folder.

        Args:
            *words: The command with its options, without the logs.
        """
        return shlex.join(["firsthit", *words, LOG, *sorted(self.others)])

    def write(self, relative_path: str, text: str) -> None:
        """Write a UTF-8 text file below the folder; create its parent folders."""
        path = self.folder / relative_path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a published folder: a file, a subfolder, or several numbered files.

    Attributes:
        pattern: The path below the published folder. A subfolder ends in ``/``. ``*`` stands for
            the number of a file.
        media_type: The media type of the file, or of the files in the subfolder.
        description: A sentence for readers of the published folder.
        write: Function that writes the part. It returns a note for each piece of content that is
            missing. None: nothing is missing.
    """

    pattern: str
    media_type: str
    description: str
    write: Callable[[Contents], Iterable[str] | None]


def publish(
    logs: Paths,
    folder: str | Path,
    publication: Publication,
    *,
    with_others: bool = False,
    code: str | Path | None = None,
    overwrite: bool = False,
    on_step: Callable[[str], None] | None = None,
) -> tuple[str, ...]:
    """Write a folder that can be copied to a web server or to an archive such as Zenodo.

    If the folder is written again from the same logs in the same environment, all files have the
    same bytes. The logs may contain published data of others. The report, the figures and the
    tables compare with them. By default, the folder contains their names and SHA-256, but no copy.

    Args:
        logs: The logs, in the form that `load` accepts.
        folder: The folder to create. It does not exist until all files are written.
        publication: Title, authors, licence, date and DOI.
        with_others: Whether published data of others are copied, too. Default: False.
        code: The folder with the Python files that campaigns name (``my_es.py:solve``). They are
            copied. None: these files are not copied.
        overwrite: Whether to replace an existing folder that is empty or that firsthit published.
            Default: False.
        on_step: Called before each step with its description, such as "writing figures/". None: no
            calls.

    Returns:
        Notes about content that is missing in the folder, one sentence each.

    Raises:
        LogExistsError: ``folder`` exists and is not replaced.
        PublicationError: There are no runs to copy, or a file in ``code`` is missing.
    """
    # The packages for the report and for Parquet are optional. Missing packages are reported before
    # the first file is written.
    check_report_packages()
    check_pyarrow()
    target, paths = Path(folder), listed(logs)
    check_folder_replaceable(target, overwrite, find_unpublished_entry)
    log = read_log(paths)
    others, is_by_others = log.published()
    if with_others:
        others, is_by_others = {}, np.zeros(len(log), dtype=bool)
    is_copied = ~is_by_others
    if not is_copied.any():
        raise PublicationError(
            "publish: there is nothing of one's own in LOGS, all are published data of others; "
            "--with-others copies them"
        )
    with new_folder(target, overwrite, find_unpublished_entry) as temporary:
        log.take(is_copied).save(temporary / LOG, publication.log_attributes)
        copied_log = compared_log = read_log(temporary / LOG)
        if others:
            paths_of_others = [path for path in paths if read_log(path).published()[0]]
            compared_log = read_log([temporary / LOG, *paths_of_others])
        code_folder = None if code is None else Path(code)
        contents = Contents(publication, temporary, copied_log, compared_log, others, code_folder)
        notes: list[str] = []
        for part in PARTS:
            if on_step is not None:
                on_step(f"writing {part.pattern}")
            notes += part.write(contents) or ()
        _describe(contents, notes)
    return tuple(notes)


def _describe(contents: Contents, notes: Sequence[str]) -> None:
    """Write ``README.md``, ``index.html`` and the RO-Crate metadata for the files in the folder."""
    written_parts = [
        (path.relative_to(contents.folder).as_posix() + "/" * path.is_dir(), part)
        for part in PARTS
        for path in sorted(contents.folder.glob(part.pattern.rstrip("/")))
    ]
    rows = [(path, part.description) for path, part in written_parts]
    description = contents.description
    readme_text = readme(contents.publication, description, rows, contents.others, notes)
    contents.write("README.md", readme_text)
    figures = sorted(path.stem for path in contents.folder.glob("figures/*.svg"))
    paths = (path for path in sorted(contents.folder.rglob("*")) if path.is_file())
    files = [path.relative_to(contents.folder).as_posix() for path in paths]
    page = folder_page(contents.publication, description, rows, figures, files)
    contents.write("index.html", page)
    entities = [
        entity
        for path, part in written_parts
        for entity in _describe_entities(contents.folder, path, part)
    ]
    entities += [
        _describe_entity(
            contents.folder, "README.md", "text/markdown", "Description of the files."
        ),
        _describe_entity(contents.folder, "index.html", "text/html", "The description as a page."),
    ]
    text = crate(contents.publication, description, entities, contents.others)
    contents.write(CRATE, text)


def _describe_entities(folder: Path, relative_path: str, part: Part) -> list[dict[str, Any]]:
    """Return the RO-Crate entities of a part: of its file, or of its folder and all files in it.

    Args:
        folder: The published folder.
        relative_path: Path of the part below it; that of a folder ends in ``/``.
        part: The part.
    """
    if not relative_path.endswith("/"):
        return [_describe_entity(folder, relative_path, part.media_type, part.description)]
    paths = sorted(path for path in (folder / relative_path).rglob("*") if path.is_file())
    files = [
        _describe_entity(
            folder,
            path.relative_to(folder).as_posix(),
            _MEDIA_TYPES.get(path.suffix, part.media_type),
            f"File of {relative_path}: {part.description}",
        )
        for path in paths
    ]
    directory = {
        "@id": relative_path,
        "@type": "Dataset",
        "name": relative_path,
        "description": part.description,
        "hasPart": [{"@id": file["@id"]} for file in files],
    }
    return [directory, *files]


def _describe_entity(
    folder: Path, relative_path: str, media_type: str, description: str
) -> dict[str, Any]:
    """Return the RO-Crate entity of a file."""
    path = folder / relative_path
    return {
        "@id": quote(relative_path),
        "@type": "File",
        "name": relative_path,
        "description": description,
        "encodingFormat": media_type,
        "contentSize": str(path.stat().st_size),
        "sha256": sha256_of(path),
    }


def _write_coco(contents: Contents) -> Iterator[str]:
    """Write the runs in COCO's data format, as an archive for each suite and algorithm.

    Yield a note for each suite, or part of its data, that this format cannot contain.
    """
    runs, coco_folder = contents.copied_log.runs, contents.folder / "coco"
    for suite in np.unique(runs["suite"]).tolist():
        with tempfile.TemporaryDirectory() as scratch:
            data = Path(scratch, "data")
            try:
                notes = write_coco(contents.copied_log.take(runs["suite"] == suite), data)
            except LogWriteError as error:
                yield f"No data of COCO for suite {suite}: {error}"
                continue
            yield from (f"Data of COCO, suite {suite}: {note}" for note in notes)
            algorithms = np.unique(runs["algorithm"][runs["suite"] == suite]).tolist()
            # write_coco makes a subfolder for each algorithm only if there are several.
            folders = {file_name(algorithms[0]): data}
            if len(algorithms) > 1:
                folders = {path.name: path for path in sorted(data.iterdir())}
            for name, folder in folders.items():
                archive = coco_folder / file_name(suite) / f"{name}.tgz"
                _pack(folder, archive, name, contents.timestamp)
    if coco_folder.is_dir():
        write_definition(coco_folder)


def _pack(folder: Path, archive: Path, name: str, timestamp: int) -> None:
    """Pack a folder into a ``.tgz`` archive that has the same bytes on every machine.

    Args:
        folder: The folder whose files are packed.
        archive: Path of the new archive.
        name: Name of the folder in the archive.
        timestamp: Modification time of all files in the archive, in seconds since 1970.
    """
    archive.parent.mkdir(parents=True, exist_ok=True)
    with (
        open(archive, "wb") as file,
        gzip.GzipFile("", "wb", fileobj=file, mtime=timestamp) as compressed,
        tarfile.open(fileobj=compressed, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            info = tarfile.TarInfo(f"{name}/{path.relative_to(folder).as_posix()}")
            info.size, info.mtime = path.stat().st_size, timestamp
            with open(path, "rb") as content:
                tar.addfile(info, content)


def _write_parquet(contents: Contents) -> Iterable[str]:
    return write_parquet(contents.copied_log, contents.folder / "parquet")


def _write_report_page(contents: Contents) -> None:
    """Write the interactive report, ``report.html``, into the folder."""
    page = page_of(
        contents.compared_log,
        contents.publication.title,
        Choices(),
        base=contents.folder,
        created=contents.publication.date.isoformat(),
    )
    write_report(page, contents.folder / "report.html")


def _write_figures(contents: Contents) -> Iterator[str]:
    """Write the default figures that apply to the runs, as PDF and SVG.

    Yield a note for each kind of figure that cannot be drawn.
    """
    folder = contents.folder / "figures"
    folder.mkdir()
    for kind in catalogue.DEFAULT_FIGURES:
        if why_inapplicable(kind, contents.compared_log, {}) is not None:
            continue
        try:
            for drawing in drawings(kind, contents.compared_log):
                command = contents.format_command("figures", "--kinds", kind)
                for file_type in ("pdf", "svg"):
                    save(drawing, folder, file_type, command)
        except AssessmentError as error:
            yield f"No figures of kind {kind}: {error}"


def _write_tables(contents: Contents) -> Iterator[str]:
    """Write the tables of the questions under `_HEADINGS` as CSV files.

    A text file next to each table contains its notes and the command that computes it. Yield a note
    for each table that cannot be computed.
    """
    entries = [
        entry for heading in _HEADINGS for entry in catalogue.QUESTIONS_BY_HEADING[heading].items()
    ]
    for name, entry in entries:
        question = registry.question(name)
        assert question is not None
        try:
            table = question.on(question.select(contents.compared_log, {}))
        except AssessmentError as error:
            yield f"No table {name}: {error}"
            continue
        contents.write(f"tables/{name}.csv", table.to_csv())
        lines = [entry.summary, *table.notes, contents.format_command("assess", name)]
        contents.write(f"tables/{name}.txt", "\n".join(lines) + "\n")


def _write_campaigns(contents: Contents) -> Iterator[str]:
    """Write a campaign file for each header of the log; yield a note if that is impossible."""
    for suffix, header in _enumerate_headers(contents.copied_log.headers):
        try:
            text = campaign_text(header)
        except CampaignError as error:
            yield f"No campaign{suffix}.yaml: {error}."
        else:
            contents.write(f"campaign{suffix}.yaml", text)


def _copy_code(contents: Contents) -> Iterator[str]:
    """Copy the files that campaigns name from ``contents.code`` to ``code/``.

    Raises:
        PublicationError: A file is missing in ``contents.code``.
    """
    for name, sha256_of_runs in own_code(contents.copied_log).items():
        if contents.code is None:
            yield f"The code {name} is not in the folder; --code FOLDER copies it."
            continue
        source, target = contents.code / name, contents.folder / "code" / name
        if ".." in Path(name).parts or Path(name).is_absolute():
            yield f"The code {name} is not in the folder: it is outside of {contents.code}."
            continue
        if not source.is_file():
            raise PublicationError(f"code: there is no file {str(source)!r}")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        if sha256_of_runs and sha256_of(target) not in sha256_of_runs:
            yield f"The code {name} is not the version that made the runs."


def _write_lock_files(contents: Contents) -> Iterator[str]:
    """Write a ``requirements.txt`` for each header, with the versions in this header.

    Yield a note for each file that is missing or incomplete, for each distribution that ``pip``
    cannot install, and if a commit of firsthit is installed.
    """
    for suffix, header in _enumerate_headers(contents.copied_log.headers):
        provenance = header.get("provenance") or {}
        versions = dict(provenance.get("versions") or {})
        python = versions.pop("python", "?")
        versions.pop("hdf5", None)  # a C library, which pip cannot install
        if not versions:
            yield f"No requirements{suffix}.txt: the log does not say what was installed."
            continue
        lines, is_complete = lock_lines(versions, str(provenance.get("writer_version", "")))
        head = f"# Python {python}, {provenance.get('platform', 'unknown platform')}"
        contents.write(f"requirements{suffix}.txt", "\n".join([head, *lines]) + "\n")
        if not is_complete:
            yield (
                f"requirements{suffix}.txt contains only the packages that the log names, because "
                "other versions are installed now."
            )
        for line in lines:
            if line.startswith("firsthit @ git+"):
                source = line.removeprefix("firsthit @ ")
                yield (
                    f"requirements{suffix}.txt installs firsthit from a commit, because no release "
                    f"made the runs; the repository must have this commit: {source}."
                )
            if line.startswith("#"):
                yield (
                    f"requirements{suffix}.txt does not install {line.removeprefix('# ')}, which "
                    "was installed from a folder: install it from its sources."
                )


def _enumerate_headers(headers: Sequence[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a suffix for file names with each header: ``-1``, ``-2``, …; ``""`` for one header."""
    for number, header in enumerate(headers, start=1):
        yield (f"-{number}" if len(headers) > 1 else ""), header


PARTS = (
    Part(LOG, "application/x-hdf5",
         "All runs with their first hits, campaign, versions and machine. firsthit and every HDF5 "
         "library read it.", lambda contents: None),  # publish saves it before the parts
    Part("coco/", "application/gzip",
         "The runs in COCO's format, an archive for each suite and algorithm. If the folder is on "
         "a web server, `--coco-archive URL/coco` of firsthit and `archiving.get('URL/coco')` of "
         "cocopp read them by name.", _write_coco),
    Part("parquet/", "application/vnd.apache.parquet",
         "The tables of the log as Parquet files, for DuckDB, pandas and polars.", _write_parquet),
    Part("croissant.json", "application/json",
         "A description of the Parquet files for catalogues of data sets (Croissant 1.0).",
         lambda contents: contents.write("croissant.json", describe_tables(
             contents.folder, contents.publication, contents.description))),
    Part("report.html", "text/html",
         "The interactive report: one page, which works without a network.", _write_report_page),
    Part("figures/", "image/svg+xml",
         "Figures as PDF and SVG; NAME.txt is the caption of each figure.", _write_figures),
    Part("tables/", "text/csv",
         "Tables as CSV; NAME.txt has the notes of each table, and its command.", _write_tables),
    Part("campaign*.yaml", "application/yaml",
         "The campaign: suite, optimizers, budget and seed.", _write_campaigns),
    Part("code/", "text/x-python",
         "The Python files that the campaign names.", _copy_code),
    Part("requirements*.txt", "text/plain",
         "The installed packages, for `pip install -r`; its first line names the Python version.",
         _write_lock_files),
    Part(LICENSE, "text/plain", "The licence of all files in this folder.",
         lambda contents: contents.write(LICENSE, contents.publication.license.text)),
    Part("CITATION.cff", "application/yaml", "How to cite the data.",
         lambda contents: contents.write("CITATION.cff", citation(contents.publication))),
)  # fmt: skip
"""The parts of a published folder, in the order in which they are written."""
