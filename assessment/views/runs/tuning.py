"""How algorithms were tuned before their runs, as their logs disclose it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ....loggers.records.log_header import TUNING_NUMBERS
from ...data.choice import cells
from ...data.notes import basis, runs_of_log
from ...tables.table import Table, Value, table_of

if TYPE_CHECKING:
    from ....loggers import Log

TUNING_COLUMNS = ("algorithm", "runs", "evaluations", *TUNING_NUMBERS, "tuning")


def tuning_table(log: Log, rows: NDArray[np.intp]) -> Table:
    """What logs say of the tuning of each algorithm, with what its runs cost.

    Any tuning to the problems should be described, with the number of settings tested and the
    budget invested (Hansen, Tušar, Mersmann, Auger, Brockhoff, "COCO: The Experimental Procedure"
    (2016), arXiv:1603.08776).

    Columns: ``algorithm``; the ``runs`` that this is said of; the ``evaluations`` of the objective
    in all runs of the algorithm, to compare with; ``settings_tested`` and ``budget_invested``
    (evaluations), NaN where a log does not say; ``tuning``, whatever else it says, as text. A row
    for each statement of an algorithm.

    Args:
        log: What `firsthit.loggers.read_log` returned.
        rows: Rows of ``log.runs``.
    """
    lines: list[list[Value]] = []
    silent = 0
    for places in cells(log, rows, ("algorithm",)):
        mine = rows[places]
        algorithm = str(log.runs["algorithm"][mine[:1]][0])
        evaluations = int(log.runs["evaluations"][mine].sum())
        stated: Counter[tuple[float, float, str]] = Counter()
        for header, runs in log.headers_of(mine):
            stated[_of_algorithm(header.get("tuning"), algorithm)] += runs
        for (settings, budget, text), runs in stated.items():
            lines.append([algorithm, runs, evaluations, settings, budget, text])
            silent += runs if math.isnan(settings) and math.isnan(budget) and not text else 0
    notes = basis(runs_of_log(log, rows), "every run counts once")
    if silent:
        notes = (f"of {silent} runs no log says how their algorithm was tuned.", *notes)
    return Table(table_of(TUNING_COLUMNS, lines), notes)


def _of_algorithm(tuning: Any, algorithm: str) -> tuple[float, float, str]:
    """Settings tested, budget invested, and the rest as text, from what a header says."""
    said = tuning.get(algorithm, tuning) if isinstance(tuning, Mapping) else tuning
    if not isinstance(said, Mapping):
        return math.nan, math.nan, "" if said is None else str(said)
    numbers = (said.get(name) for name in TUNING_NUMBERS)
    settings, budget = (float(n) if isinstance(n, int | float) else math.nan for n in numbers)
    rest = (f"{key}: {value}" for key, value in said.items() if key not in TUNING_NUMBERS)
    return settings, budget, "; ".join(rest)
