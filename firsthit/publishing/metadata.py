"""Write title, authors, licence, date and DOI of a publication as ``CITATION.cff`` and RO-Crate.

`told_by_campaigns` collects these data as texts from the options of ``firsthit publish`` and from
the campaigns of logs. `Publication.of` parses the texts. `Publication.log_attributes` returns them
for the published log. `citation` and `crate` return the contents of the two metadata files of a
published folder.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date as Day
from importlib import metadata, resources
from pathlib import Path
from typing import Any

from ..runner.campaign.fields import PUBLICATION
from ..suites.errors import FirsthitError

# Names of files in a published folder.
LOG = "log.h5"
CRATE = "ro-crate-metadata.json"
SOFTWARE = "#firsthit"
"""Identifier of firsthit in the metadata, by which folders that firsthit wrote are recognized."""
LICENSE = "LICENSE.txt"
_CRATE_VERSION = "https://w3id.org/ro/crate/1.1"
_ORCID = re.compile(r"(?:https://orcid\.org/)?(\d{4}-\d{4}-\d{4}-\d{3}[\dX])")
_DOI = re.compile(
    r"(?:doi:\s*|https?://(?:dx\.)?doi\.org/)?(10\.\d{4,9}(?:\.\d+)?/[\w:/;.()\[\]\\-]+)",
    re.ASCII | re.IGNORECASE,
)
"""A DOI. The characters after the prefix are those that ``CITATION.cff`` allows."""
_MAX_LICENSE_BYTES = 2**20
"""Number of bytes that are read from the file of a licence, so that a wrong path to a large file
does no harm."""


class PublicationError(FirsthitError, ValueError):
    """A folder cannot be published with these arguments; the text gives the reason."""


@dataclass(frozen=True, slots=True)
class Author:
    """A person or an organisation that made the data.

    Attributes:
        family: The family name, or the name of the organisation.
        given: The given names; ``""`` for an organisation.
        orcid: The ORCID as a URL, ``https://orcid.org/0000-…``; ``""`` if there is none.
    """

    family: str
    given: str = ""
    orcid: str = ""

    @property
    def name(self) -> str:
        """The full name, given names first."""
        return f"{self.given} {self.family}".strip()


@dataclass(frozen=True, slots=True)
class License:
    """The licence of the data.

    Attributes:
        name: The SPDX identifier, or the name of the file with the text.
        text: The text of the licence.
        is_spdx: Whether ``name`` is an SPDX identifier.
    """

    name: str
    text: str
    is_spdx: bool


@dataclass(frozen=True, slots=True)
class Publication:
    """Title, authors, licence, date and DOI of a published folder.

    Attributes:
        title: One line of text.
        authors: At least one author.
        license: The licence of all files.
        date: The day of publication, and the modification date of files in archives. The user
            passes it, because with the current day a folder that is written again would differ.
        doi: The DOI without a prefix, ``10.5281/zenodo.…``; ``""`` if there is none.
    """

    title: str
    authors: tuple[Author, ...]
    license: License
    date: Day
    doi: str = ""

    @property
    def url(self) -> str:
        """The DOI as a URL, ``https://doi.org/10.5281/zenodo.…``; ``""`` if there is none."""
        return f"https://doi.org/{self.doi}" if self.doi else ""

    @property
    def cite_as(self) -> str:
        """A line to cite the folder: authors, year, title and, if there is one, the DOI."""
        names = ", ".join(author.name for author in self.authors)
        return f"{names} ({self.date.year}): {self.title}." + f" {self.url}" * bool(self.doi)

    @property
    def log_attributes(self) -> dict[str, str]:
        """The root attributes of the published log, by name."""
        authors = "; ".join(
            f"{author.name} ({author.orcid})" if author.orcid else author.name
            for author in self.authors
        )
        attributes = {"license": self.license.name, "author": authors}
        return attributes | ({"identifier": self.url} if self.doi else {})

    @classmethod
    def of(
        cls, title: str, authors: Sequence[str], license: str, date: str, doi: str | None = None
    ) -> Publication:
        """Parse texts from the command line or from a campaign.

        Args:
            title: One line of text.
            authors: ``"Family, Given"``, ``"Family, Given, ORCID"`` or the name of an organisation.
            license: The SPDX identifier of a licence that comes with firsthit, or the path of a
                file with the text of a licence.
            date: ``YYYY-MM-DD``.
            doi: A DOI: ``10.5281/zenodo.123``, ``doi:10.5281/zenodo.123`` or
                ``https://doi.org/10.5281/zenodo.123``. Default: no DOI.

        Raises:
            PublicationError: A text is invalid, or the file of the licence cannot be read.
        """
        if not title.strip() or not title.isprintable():
            raise PublicationError(f"title: {title[:60]!r} is not one line of text")
        if not authors:
            raise PublicationError("authors: there must be at least one, such as 'Family, Given'")
        try:
            day = Day.fromisoformat(date)
        except ValueError:
            raise PublicationError(f"date: {date[:40]!r} is no day; write YYYY-MM-DD") from None
        people = tuple(map(_parse_author, authors))
        parsed_doi = "" if doi is None else _parse_doi(doi)
        return cls(title.strip(), people, _read_license(license), day, parsed_doi)


def _parse_author(text: str) -> Author:
    """Parse an author as `Publication.of` describes; raise PublicationError if that fails."""
    parts = [part.strip() for part in text.split(",")]
    orcid = _ORCID.fullmatch(parts[2]) if len(parts) == 3 else None
    if len(parts) > 3 or not all(parts) or not text.isprintable() or (parts[2:] and not orcid):
        raise PublicationError(
            f"author: {text[:60]!r} must be 'Family, Given', 'Family, Given, 0000-0000-0000-0000' "
            "with an ORCID, or an organisation's name without a comma"
        )
    family_name, given_name = (*parts, "")[:2]
    return Author(family_name, given_name, f"https://orcid.org/{orcid[1]}" if orcid else "")


def _parse_doi(text: str) -> str:
    """Return the DOI in a text without its prefix; raise PublicationError if it is no DOI."""
    doi = _DOI.fullmatch(text.strip())
    if doi is None:
        raise PublicationError(
            f"doi: {text[:60]!r} is no DOI; write it as 10.5281/zenodo.123, "
            "doi:10.5281/zenodo.123 or https://doi.org/10.5281/zenodo.123"
        )
    return doi[1]


def _read_license(name: str) -> License:
    """Return the licence that comes with firsthit under this SPDX identifier, or read a file.

    Raises:
        PublicationError: ``name`` is no such identifier, and no text file can be read at this path.
    """
    bundled_licenses = {
        Path(file.name).stem: file
        for file in resources.files(__package__).joinpath("licenses").iterdir()
        if file.name.endswith(".txt")
    }
    if name in bundled_licenses:
        return License(name, bundled_licenses[name].read_text(encoding="utf-8"), True)
    try:
        text = Path(name).read_bytes()[:_MAX_LICENSE_BYTES].decode()
    except (OSError, ValueError) as error:
        raise PublicationError(
            f"license: {name[:60]!r} is none of {', '.join(sorted(bundled_licenses))}, and no file "
            "with the text of another licence can be read there"
        ) from error
    return License(Path(name).name, text, False)


def told_by_campaigns(
    headers: Iterable[Mapping[str, Any]], options: Mapping[str, Any]
) -> dict[str, Any]:
    """Return title, authors, licence and date as texts.

    Each value comes from its option, or from the campaigns of the logs if the option is missing.

    Args:
        headers: The headers of the logs.
        options: The values of the options by name. An empty value means that the option is missing.

    Returns:
        The values by name. A name is missing if neither an option nor a campaign contains it.

    Raises:
        PublicationError: Two campaigns have different values for a missing option.
    """
    chosen = {name: value for name, value in options.items() if value}
    values: dict[str, Any] = dict(chosen)
    for header in headers:
        publication = header.get("publication") or {}
        for name in PUBLICATION:
            if name in chosen or name not in publication:
                continue
            value = publication[name]
            if values.setdefault(name, value) != value:
                raise PublicationError(
                    f"publish: the campaigns of the logs have different {name}: "
                    f"{str(values[name])[:60]!r} and {str(value)[:60]!r}; say it by an option"
                )
    return values


def citation(publication: Publication) -> str:
    """Return the text of ``CITATION.cff``, format 1.2.0."""
    # The format is YAML. Texts are written as JSON, which is valid YAML with all escapes.
    lines = [
        "cff-version: 1.2.0",
        "message: If you use these data, please cite them as below.",
        "type: dataset",
        f"title: {json.dumps(publication.title)}",
        "authors:",
    ]
    for author in publication.authors:
        fields = {"name": author.family}
        if author.given:
            fields = {"family-names": author.family, "given-names": author.given}
        if author.orcid:
            fields["orcid"] = author.orcid
        entries = [f"{key}: {json.dumps(value)}" for key, value in fields.items()]
        lines += [f"  - {entries[0]}", *(f"    {entry}" for entry in entries[1:])]
    if publication.doi:
        lines.append(f"doi: {json.dumps(publication.doi)}")
    if publication.license.is_spdx:
        lines.append(f"license: {publication.license.name}")
    lines.append(f'date-released: "{publication.date}"')
    return "\n".join(lines) + "\n"


def crate(
    publication: Publication,
    description: str,
    parts: Sequence[Mapping[str, Any]],
    others: Mapping[str, str],
) -> str:
    """Return the text of ``ro-crate-metadata.json``, format RO-Crate 1.1.

    Args:
        publication: Title, authors, licence, date and DOI.
        description: A sentence about the contents of the folder.
        parts: The RO-Crate entities of files and folders. Their ``@id`` is the path below the
            published folder.
        others: Published data of others that the report, figures and tables compare with: name to
            SHA-256.
    """
    people = [
        _describe_author(author, number) for number, author in enumerate(publication.authors, 1)
    ]
    mentioned = [
        {
            "@id": f"#{name}", "@type": "CreativeWork", "name": name,
            "description": "Published data of others, with which the report compares; not copied.",
            "identifier": f"SHA-256 {sha256}",
        }
        for name, sha256 in sorted(others.items())
    ]  # fmt: skip
    software = {
        "@id": SOFTWARE, "@type": "SoftwareApplication", "name": "firsthit",
        "url": "https://github.com/firsthit/firsthit",
        "softwareVersion": metadata.version("firsthit"),
    }  # fmt: skip
    in_folders = {file["@id"] for part in parts for file in part.get("hasPart", ())}
    root = {
        "@id": "./",
        "@type": "Dataset",
        "name": publication.title,
        "description": description,
        "datePublished": publication.date.isoformat(),
        "author": _refer_to(people),
        "license": {"@id": LICENSE},
        **({"identifier": publication.url} if publication.doi else {}),
        "hasPart": [{"@id": part["@id"]} for part in parts if part["@id"] not in in_folders],
        "mentions": _refer_to([software, *mentioned]),
    }
    descriptor = {
        "@id": CRATE, "@type": "CreativeWork", "conformsTo": {"@id": _CRATE_VERSION},
        "about": {"@id": "./"},
    }  # fmt: skip
    graph = [descriptor, root, *parts, *people, software, *mentioned]
    # RO-Crate 1.1 does not define `sha256`, and requires that further terms are declared.
    context = [f"{_CRATE_VERSION}/context", {"sha256": "https://schema.org/sha256"}]
    document = {"@context": context, "@graph": graph}
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _describe_author(author: Author, number: int) -> dict[str, Any]:
    """Return the RO-Crate entity of an author.

    Args:
        author: The author. Without given names it is an organisation.
        number: Number that identifies an author without an ORCID.
    """
    if not author.given:
        return {"@id": f"#author-{number}", "@type": "Organization", "name": author.name}
    return {
        "@id": author.orcid or f"#author-{number}",
        "@type": "Person",
        "name": author.name,
        "givenName": author.given,
        "familyName": author.family,
    }


def _refer_to(entities: Sequence[Mapping[str, Any]]) -> dict[str, Any] | list[dict[str, Any]]:
    """Return references to entities: a list, or a mapping for one entity as RO-Crate recommends."""
    references = [{"@id": entity["@id"]} for entity in entities]
    return references if len(references) != 1 else references[0]
