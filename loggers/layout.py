"""Where the columns stand in a file that this process wrote itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Layout:
    """What a reader would otherwise have to find out of a file, and to doubt.

    Attributes:
        digest: SHA-256 of all that follows the user block, in hexadecimal characters.
        columns: As ``outline.py`` describes them.
    """

    digest: str
    columns: Mapping[str, Any]
