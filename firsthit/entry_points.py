"""Find the suites, optimizers and questions that installed packages add to firsthit."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Group = Literal["firsthit.suites", "firsthit.optimizers", "firsthit.questions"]


def entry_points(group: Group) -> dict[str, EntryPoint]:
    """Return the entry points of a group by name, without importing their modules.

    A package declares its additions in its ``pyproject.toml``::

        [project.entry-points."firsthit.suites"]
        mine = "my_package.suite"

    The entry point of a suite is the module that registers the suite. The entry point of an
    optimizer or a question is ``module:name``. Firsthit's own suites, optimizers and questions are
    no entry points.
    """
    # Importing importlib.metadata takes 0.05 s, half of the time limit for listing the questions.
    # Therefore it is imported only if a package on the path mentions the group.
    is_group_mentioned = any(
        group in file.read_text(encoding="utf-8", errors="replace")
        for folder in sys.path
        for file in Path(folder).glob("*-info/entry_points.txt")
    )
    if not is_group_mentioned:
        return {}
    from importlib import metadata

    return {entry.name: entry for entry in metadata.entry_points(group=group)}
