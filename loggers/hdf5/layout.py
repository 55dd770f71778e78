"""Where the columns stand in a file that this process wrote itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .mould import Place


@dataclass(frozen=True, slots=True)
class Layout:
    """What a reader would otherwise have to find out of a file, and to doubt.

    Attributes:
        digest: SHA-256 of all that follows the user block, in hexadecimal characters.
        columns: By name, as ``mould.py`` describes them.
    """

    digest: str
    columns: Mapping[str, Place]
