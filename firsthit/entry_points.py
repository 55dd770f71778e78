"""What installed packages add to firsthit: entry points ``firsthit.suites`` and their like."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Group = Literal["firsthit.suites", "firsthit.optimizers", "firsthit.questions"]


def entry_points(group: Group) -> dict[str, EntryPoint]:
    """Those of one group by name; nothing is imported.

    A package declares what it adds in its ``pyproject.toml``::

        [project.entry-points."firsthit.suites"]
        mine = "my_package.suite"

    An entry point of a suite is the module that registers it; of an optimizer and of a question it
    is ``module:name``. Firsthit's own are found without.
    """
    # importlib.metadata takes 0.05 s to import, half of what a list of questions may take
    declared = (
        group in file.read_text(encoding="utf-8", errors="replace")
        for folder in sys.path
        for file in Path(folder).glob("*-info/entry_points.txt")
    )
    if not any(declared):
        return {}
    from importlib.metadata import entry_points as found

    return {entry.name: entry for entry in found(group=group)}
