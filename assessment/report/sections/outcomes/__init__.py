"""How runs ended, how often they restarted and why, and what failed."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from ....data.choice import cells, choose, values_of
from ....views.runs.endings import endings_table
from ...context import Context, columns_of
from ..section import Section

_CELL = ("algorithm", "suite", "dimension")
_MOST_REASONS = 12


def outcomes(context: Context) -> dict[str, Any]:
    """The table of endings, and the commonest reasons."""
    table = endings_table(context.log, choose(context.log))
    return {"outcomes": context.positions.columns(table), "reasons": _reasons(context)}


def _reasons(context: Context) -> dict[str, list[Any]]:
    """The commonest reasons of restarts and the errors of runs, with their counts."""
    log = context.log
    restarted = log.entries("restarts") > 0
    rows = []
    for chosen in cells(log, np.arange(len(log)), _CELL):
        algorithm, suite, dimension = values_of(log, chosen[0], _CELL)
        said = Counter(
            ("restart", reason.decode(errors="replace"))
            for run in chosen[restarted[chosen]]
            for reason in log.restarts(int(run))["reason"].tolist()
        )
        said.update(
            ("run", str(text).partition("\n")[0]) for text in log.runs["error"][chosen] if text
        )
        for (kind, text), count in said.most_common(_MOST_REASONS):
            named = {**context.positions.of(algorithm, suite), "dimension": dimension}
            rows.append({**named, "kind": kind, "text": text or "(none given)", "count": count})
    return columns_of(rows)


SECTION = Section(
    "outcomes",
    "Restarts and failures",
    "How runs ended, what they spent, how often they restarted and why.",
    data=outcomes,
    is_table=True,
)
