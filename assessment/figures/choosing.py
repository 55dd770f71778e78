"""Which rows of a table a figure shows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import AssessmentError
from ..tables.table import Table

Rows = dict[str, NDArray[Any]]


def chosen(table: Table, **wanted: object) -> Rows:
    """The columns of the rows that have the values wanted.

    Args:
        table: Any.
        **wanted: Column to the value that all rows must have; None where the table holds one value
            only, which is then taken.

    Raises:
        AssessmentError: A value is not in the table, or None stands for several, or nothing fits.
    """
    keep = np.ones(len(table), dtype=bool)
    for name, value in wanted.items():
        there = list(dict.fromkeys(table[name].tolist()))
        shown = ", ".join(map(str, there)) or "nothing"
        if value is not None and value not in there:
            raise AssessmentError(f"figure: no {name} {value} in the table; it holds {shown}")
        if value is None and len(there) != 1:
            raise AssessmentError(f"figure: it shows one {name}, the table holds {shown}: name one")
        keep &= table[name] == (there[0] if value is None else value)
    if not keep.any():
        asked = ", ".join(f"{name} {value}" for name, value in wanted.items() if value is not None)
        raise AssessmentError(f"figure: no row of the table has {asked}")
    return {name: column[keep] for name, column in table.columns.items()}


def split(rows: Rows, name: str) -> dict[Any, Rows]:
    """Rows by the value of a column, in ascending order of the value."""
    values = sorted(set(rows[name].tolist()))
    return {
        value: {other: column[rows[name] == value] for other, column in rows.items()}
        for value in values
    }
