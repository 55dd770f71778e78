"""Describe a published folder in the format Croissant 1.0, which catalogues of data sets read.

The log is a file object with its SHA-256. Croissant cannot describe tables inside an HDF5 file, so
each table is a record set of the Parquet files, which contain the same rows.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..loggers.formats.coco.archive import sha256_of
from ..loggers.hdf5.descriptions import DATASETS
from .metadata import LOG, Publication

PARQUET = "parquet"
_FORMAT = "http://mlcommons.org/croissant/1.0"
_PARQUET_FORMAT = "application/x-parquet"
_CROISSANT_TERMS = (
    "citeAs", "column", "equivalentProperty", "extract", "field", "fileObject", "fileProperty",
    "fileSet", "format", "includes", "isLiveDataset", "jsonPath", "key", "md5", "parentField",
    "path", "recordSet", "references", "regex", "repeated", "replace", "samplingRate", "separator",
    "source", "subField", "transform",
)  # fmt: skip
_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "sc": "https://schema.org/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    **{term: f"cr:{term}" for term in _CROISSANT_TERMS},
}
"""Context that Croissant 1.0 prescribes."""


def describe_tables(folder: Path, publication: Publication, description: str) -> str:
    """Return the text of ``croissant.json``.

    Args:
        folder: The published folder, with the log and the Parquet files.
        publication: Title, authors, licence, date and DOI.
        description: A sentence about the contents of the folder.
    """
    log = folder / LOG
    distribution: list[dict[str, Any]] = [
        {
            "@type": "cr:FileObject", "@id": "log", "name": LOG, "contentUrl": LOG,
            "description": "All runs as an HDF5 file, which describes itself.",
            "encodingFormat": "application/x-hdf5", "contentSize": f"{log.stat().st_size} B",
            "sha256": sha256_of(log),
        }
    ]  # fmt: skip
    record_sets = []
    for table in sorted(path for path in (folder / PARQUET).iterdir() if path.is_dir()):
        files = f"{table.name}-files"
        distribution.append({
            "@type": "cr:FileSet", "@id": files, "name": files,
            "encodingFormat": _PARQUET_FORMAT, "includes": f"{PARQUET}/{table.name}/**/*.parquet",
        })  # fmt: skip
        record_sets.append(_describe_table(table, files))
    is_spdx, name = publication.license.is_spdx, publication.license.name
    document = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": _FORMAT,
        "name": publication.title,
        "description": description,
        "license": f"https://spdx.org/licenses/{name}" if is_spdx else name,
        "datePublished": publication.date.isoformat(),
        "citeAs": publication.cite_as,
        **({"url": publication.url, "identifier": publication.url} if publication.doi else {}),
        "creator": [
            {"@type": "sc:Person" if author.given else "sc:Organization", "name": author.name}
            for author in publication.authors
        ],
        "distribution": distribution,
        "recordSet": record_sets,
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _describe_table(table: Path, files: str) -> dict[str, Any]:
    """Return the record set of a table.

    Args:
        table: Folder of the Parquet files of the table.
        files: Identifier of the set of these files.
    """
    import pyarrow.parquet

    schema = pyarrow.parquet.read_schema(next(iter(sorted(table.rglob("*.parquet")))))
    texts = DATASETS.get(table.name)
    meanings: Mapping[str, Any] = texts.columns if texts is not None else {}
    fields = [
        {
            "@type": "cr:Field", "@id": f"{table.name}/{column.name}", "name": column.name,
            "description": str(meanings.get(column.name, column.name)),
            "dataType": _find_data_type(str(column.type)),
            "source": {"fileSet": {"@id": files}, "extract": {"column": column.name}},
        }
        for column in schema
    ]  # fmt: skip
    return {
        "@type": "cr:RecordSet", "@id": table.name, "name": table.name,
        "description": texts.description if texts is not None else table.name, "field": fields,
    }  # fmt: skip


def _find_data_type(arrow_type: str) -> str:
    """Return the Croissant type of a column with a type of Arrow, such as ``double``."""
    if arrow_type.startswith(("int", "uint")):
        return "sc:Integer"
    if arrow_type in ("double", "float"):
        return "sc:Float"
    return "sc:Boolean" if arrow_type == "bool" else "sc:Text"
