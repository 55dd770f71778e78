"""Compute runtimes, their averages and distributions from logs, as functions, tables and figures.

The layers, from the bottom up:

- `statistics`: the formulas, on arrays
- `tables`: the type of all answers
- `targets`: sets of targets, parsed from text
- `selection`, `grouping`, `cost`: the selected runs, their groups, and the cost of a run
- `hits`: the loops over the runs of a log
- `references`, `target_choice`: references and targets that are computed from runs
- `samples`: the objects that questions receive
- `profiles`: runtime profiles, which questions and the report share
- `notes`: notes on runs, which tables and captions share
- `caveats`: the notes below tables, by kind of sample
- `figures`: style, rows and files of figures
- `questions`, `report`

`load` returns `Results`. To add a question, add a file to `questions`.

Public names are imported when they are first used; ``__init__.pyi`` lists them. Other names are
imported from their modules.
"""

from typing import Any

import lazy_loader as _lazy

_getattr, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)


def __getattr__(name: str) -> Any:
    if name == "Runs":
        raise ImportError(
            "firsthit.assessment has no Runs any more: a question takes a sample, which its need "
            "opens, such as @question(…, needs=at_targets(decades)); CONTRIBUTING.md has an example"
        )
    return _getattr(name)
