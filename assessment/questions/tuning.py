"""How algorithms were tuned before their runs, as their logs disclose it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import Any

from ...loggers.records.log_header import TUNING_NUMBERS
from ..asking.declaration import question
from ..data.notes import basis, runs_of_log
from ..data.runs import Runs
from ..data.selection import cells
from ..tables.table import Table, Value, table_of

_COLUMNS = ("algorithm", "runs", "evaluations", *TUNING_NUMBERS, "tuning")


@question("Runs", 30, counts=False)
def tuning(runs: Runs) -> Table:
    """Settings tested and budget invested before the runs.

    As the logs disclose it: how many settings were tested, and what that cost. A comparison is fair
    where as much was spent on each algorithm. Campaigns say it under 'tuning', loops by
    Observer(tuning=...). Any tuning to the problems should be described so (Hansen, Tušar,
    Mersmann, Auger, Brockhoff, "COCO: The Experimental Procedure" (2016), arXiv:1603.08776).

    Returns:
        Columns: ``algorithm``; the ``runs`` that this is said of; the ``evaluations`` of the
        objective in all runs of the algorithm, to compare with; ``settings_tested`` and
        ``budget_invested`` (evaluations), NaN where a log does not say; ``tuning``, whatever else
        it says, as text. A row for each statement of an algorithm.
    """
    log, rows = runs.log, runs.rows
    lines: list[list[Value]] = []
    silent = 0
    for places in cells(log, rows, ("algorithm",)):
        mine = rows[places]
        algorithm = str(log.runs["algorithm"][mine[:1]][0])
        evaluations = int(log.runs["evaluations"][mine].sum())
        stated: Counter[tuple[float, float, str]] = Counter()
        for header, number in log.headers_of(mine):
            stated[_algorithm_tuning(header.get("tuning"), algorithm)] += number
        for (settings, budget, text), number in stated.items():
            lines.append([algorithm, number, evaluations, settings, budget, text])
            silent += number if math.isnan(settings) and math.isnan(budget) and not text else 0
    notes = basis(runs_of_log(log, rows), "every run counts once")
    if silent:
        notes = (f"of {silent} runs no log says how their algorithm was tuned.", *notes)
    return Table(table_of(_COLUMNS, lines), notes)


def _algorithm_tuning(tuning: Any, algorithm: str) -> tuple[float, float, str]:
    """Settings tested, budget invested, and the rest as text, from what a header says."""
    entry = tuning.get(algorithm, tuning) if isinstance(tuning, Mapping) else tuning
    if not isinstance(entry, Mapping):
        return math.nan, math.nan, "" if entry is None else str(entry)
    numbers = (entry.get(name) for name in TUNING_NUMBERS)
    settings, budget = (float(n) if isinstance(n, int | float) else math.nan for n in numbers)
    rest = (f"{key}: {value}" for key, value in entry.items() if key not in TUNING_NUMBERS)
    return settings, budget, "; ".join(rest)
