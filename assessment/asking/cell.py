"""What one figure shows of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.runs import Runs
from ..figures.files import file_part
from ..tables.table import Table
from ..targets.parse import target_text

_FORMS = {
    "function": "f{:03d}".format,
    "dimension": "d{:02d}".format,
    "instance": "i{:02d}".format,
    "target": target_text,
    "budget": "{:g}D".format,
}


@dataclass(frozen=True, eq=False)
class Cell:
    """What one figure shows of a table.

    ``options`` are those of the question and of the drawing, as given or by default; ``values``
    such as ``{"suite": "bbob", "dimension": 5}``; ``functions`` the numbers of those that it shows.
    """

    runs: Runs
    table: Table
    options: Mapping[str, Any]
    values: Mapping[str, Any]
    functions: Sequence[int]

    @property
    def place(self) -> str:
        """Such as ``bbob f3 in 5-D``."""
        there = self.values
        function = f" f{there['function']}" if "function" in there else ""
        dimension = f" in {there['dimension']}-D" if "dimension" in there else ""
        return f"{there['suite']}{function}{dimension}"

    @cached_property
    def rows(self) -> dict[str, NDArray[Any]]:
        """The columns of the table, of the rows that it shows."""
        named = {n: value for n, value in self.values.items() if n in self.table.columns}
        keep = np.ones(len(self.table), dtype=np.bool_)
        for name, value in named.items():
            keep &= np.asarray(self.table[name] == value)
        return {name: column[keep] for name, column in self.table.columns.items()}

    @property
    def name(self) -> str:
        """As a part of a file's name."""
        return "_".join(part_of_name(name, value) for name, value in self.values.items())


def part_of_name(column: str, value: Any) -> str:
    """A value as a part of a file's name, such as ``d05`` and ``f003``."""
    return _FORMS.get(column, file_part)(value)
