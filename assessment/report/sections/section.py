"""What a section of the report is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..context import Context

Data = Callable[[Context], Mapping[str, Any]]


@dataclass(frozen=True)
class Section:
    """One section that the page's script draws.

    Attributes:
        id: As the script calls it; with ``_`` for ``-`` its folder, where ``section.js`` is.
        title: Its heading.
        caption: What exactly is drawn, in sentences; ``{targets}`` stands for the targets.
        data: Makes what the script draws; its keys become those of the page's data.
        is_table: Whether it is a table rather than a picture.
        needs: Key of the page's data without which there is no such section; empty for none.
    """

    id: str
    title: str
    caption: str
    data: Data = lambda context: {}
    is_table: bool = False
    needs: str = ""
