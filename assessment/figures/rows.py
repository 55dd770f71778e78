"""Which rows of a table a figure shows."""

from __future__ import annotations

from collections.abc import Iterable
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
        keep &= table[name] == the_one(name, table[name].tolist(), value)
    if not keep.any():
        asked = ", ".join(f"{name} {value}" for name, value in wanted.items() if value is not None)
        raise AssessmentError(f"figure: no row of the table has {asked}")
    return {name: column[keep] for name, column in table.columns.items()}


def the_one(name: str, values: Iterable[Any], wanted: object) -> Any:
    """The value wanted, which must be there; where none is, the only one there is.

    Raises:
        AssessmentError: It is not there, or None stands for several.
    """
    there = list(dict.fromkeys(values))
    shown = ", ".join(map(str, there)) or "nothing"
    if wanted is not None and wanted not in there:
        raise AssessmentError(f"figure: no {name} {wanted} in the table; it holds {shown}")
    if wanted is None and len(there) != 1:
        raise AssessmentError(f"figure: it shows one {name}, the table holds {shown}: name one")
    return there[0] if wanted is None else wanted


def split(rows: Rows, name: str) -> dict[Any, Rows]:
    """Rows by the value of a column, in ascending order of the value."""
    values = sorted(set(rows[name].tolist()))
    return {
        value: {other: column[rows[name] == value] for other, column in rows.items()}
        for value in values
    }
