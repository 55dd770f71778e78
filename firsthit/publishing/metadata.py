"""Title, authors, licence and date of a publication, as ``CITATION.cff`` and RO-Crate say them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date as Day
from importlib import metadata, resources
from pathlib import Path
from typing import Any

from ..suites.errors import FirsthitError

LOG = "log.h5"
CRATE = "ro-crate-metadata.json"
LICENSE = "LICENSE.txt"
_CRATE_VERSION = "https://w3id.org/ro/crate/1.1"
_ORCID = re.compile(r"(?:https://orcid\.org/)?(\d{4}-\d{4}-\d{4}-\d{3}[\dX])")
_MOST_TEXT_BYTES = 2**20


class PublicationError(FirsthitError, ValueError):
    """A folder cannot be published as asked for; the text says why."""


@dataclass(frozen=True, slots=True)
class Author:
    """Who made the data: a person, or an organisation, which has no given names."""

    family: str
    given: str = ""
    orcid: str = ""  # as ``https://orcid.org/0000-…``

    @property
    def name(self) -> str:
        """As people write it."""
        return f"{self.given} {self.family}".strip()


@dataclass(frozen=True, slots=True)
class License:
    """Under what the data may be used."""

    name: str  # its SPDX identifier, or the name of the file with its text
    text: str
    is_spdx: bool


@dataclass(frozen=True, slots=True)
class Publication:
    """What is said of a published folder as a whole."""

    title: str
    authors: tuple[Author, ...]
    license: License
    date: Day  # also of files in archives, so that the same folder is made again byte by byte

    @classmethod
    def of(cls, title: str, authors: Sequence[str], license: str, date: str) -> Publication:
        """From texts, as the command line has them."""
        if not title.strip() or not title.isprintable():
            raise PublicationError(f"title: {title[:60]!r} is not one line of text")
        if not authors:
            raise PublicationError("authors: there must be at least one, such as 'Family, Given'")
        try:
            day = Day.fromisoformat(date)
        except ValueError:
            raise PublicationError(f"date: {date[:40]!r} is no day; write YYYY-MM-DD") from None
        return cls(title.strip(), tuple(map(_author, authors)), _license(license), day)


def _author(text: str) -> Author:
    parts = [part.strip() for part in text.split(",")]
    orcid = _ORCID.fullmatch(parts[2]) if len(parts) == 3 else None
    if len(parts) > 3 or not all(parts) or not text.isprintable() or (parts[2:] and not orcid):
        raise PublicationError(
            f"author: {text[:60]!r} must be 'Family, Given', 'Family, Given, 0000-0000-0000-0000' "
            "with an ORCID, or an organisation's name without a comma"
        )
    family, given = (*parts, "")[:2]
    return Author(family, given, f"https://orcid.org/{orcid[1]}" if orcid else "")


def _license(name: str) -> License:
    ready = {
        Path(file.name).stem: file
        for file in resources.files(__package__).joinpath("licenses").iterdir()
        if file.name.endswith(".txt")
    }
    if name in ready:
        return License(name, ready[name].read_text(encoding="utf-8"), True)
    try:
        text = Path(name).read_bytes()[:_MOST_TEXT_BYTES].decode()
    except (OSError, ValueError) as error:
        raise PublicationError(
            f"license: {name[:60]!r} is none of {', '.join(sorted(ready))}, and no file with the "
            "text of another licence can be read there"
        ) from error
    return License(Path(name).name, text, False)


def told_by_campaigns(
    headers: Iterable[Mapping[str, Any]], given: Mapping[str, Any]
) -> dict[str, Any]:
    """What is ``given`` of title, authors, licence and date, and else what all campaigns say.

    Raises where two of them say different things.
    """
    known = {name: value for name, value in given.items() if value}
    found: dict[str, Any] = dict(known)
    for header in headers:
        for name, value in (header.get("publication") or {}).items():
            if name not in known and found.setdefault(name, value) != value:
                raise PublicationError(
                    f"publish: the campaigns of the logs have different {name}: "
                    f"{str(found[name])[:60]!r} and {str(value)[:60]!r}; say it by an option"
                )
    return found


def citation(publication: Publication) -> str:
    """``CITATION.cff``, format 1.2.0; JSON is YAML, so texts are written as JSON."""
    lines = [
        "cff-version: 1.2.0",
        "message: If you use these data, please cite them as below.",
        "type: dataset",
        f"title: {json.dumps(publication.title)}",
        "authors:",
    ]
    for author in publication.authors:
        facts = {"family-names": author.family, "given-names": author.given}
        facts = facts if author.given else {"name": author.family}
        facts |= {"orcid": author.orcid} if author.orcid else {}
        entries = [f"{key}: {json.dumps(value)}" for key, value in facts.items()]
        lines += [f"  - {entries[0]}", *(f"    {entry}" for entry in entries[1:])]
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
    """``ro-crate-metadata.json`` of RO-Crate 1.1: what the folder is, and what is in it.

    ``parts`` are entities of files and folders, whose ``@id`` is the place below the folder;
    ``others`` are other people's data: name to SHA-256.
    """
    people = [_person(author, number) for number, author in enumerate(publication.authors, 1)]
    mentioned = [
        {
            "@id": f"#{name}", "@type": "CreativeWork", "name": name,
            "description": "Data of others that were compared with; they are not copied.",
            "identifier": f"SHA-256 {sha256}",
        }
        for name, sha256 in sorted(others.items())
    ]  # fmt: skip
    software = {
        "@id": "#firsthit", "@type": "SoftwareApplication", "name": "firsthit",
        "url": "https://github.com/firsthit/firsthit",
        "softwareVersion": metadata.version("firsthit"),
    }  # fmt: skip
    root = {
        "@id": "./",
        "@type": "Dataset",
        "name": publication.title,
        "description": description,
        "datePublished": publication.date.isoformat(),
        "author": _references(people),
        "license": {"@id": LICENSE},
        "hasPart": [{"@id": part["@id"]} for part in parts],
        "mentions": _references([software, *mentioned]),
    }
    about = {
        "@id": CRATE, "@type": "CreativeWork", "conformsTo": {"@id": _CRATE_VERSION},
        "about": {"@id": "./"},
    }  # fmt: skip
    graph = [about, root, *parts, *people, software, *mentioned]
    facts = {"@context": f"{_CRATE_VERSION}/context", "@graph": graph}
    return json.dumps(facts, indent=1, ensure_ascii=False) + "\n"


def _references(entities: Sequence[Mapping[str, Any]]) -> Any:
    """What names entities; of one it is no list, as RO-Crate recommends."""
    found = [{"@id": entity["@id"]} for entity in entities]
    return found if len(found) != 1 else found[0]


def _person(author: Author, number: int) -> dict[str, Any]:
    if not author.given:
        return {"@id": f"#author-{number}", "@type": "Organization", "name": author.name}
    return {
        "@id": author.orcid or f"#author-{number}",
        "@type": "Person",
        "name": author.name,
        "givenName": author.given,
        "familyName": author.family,
    }
