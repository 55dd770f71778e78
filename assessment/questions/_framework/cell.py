"""Define `Cell`: the part of a question's table that one figure shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....suites.selection import ranges
from ...figures.files import file_part
from ...selection import Selection
from ...tables.table import Table
from ...target_choice import algorithms_of_reference
from ...targets.parse import target_text

_FORMATTERS = {
    "function": "f{:03d}".format,
    "dimension": "d{:02d}".format,
    "instance": "i{:02d}".format,
    "target": target_text,
    "budget": "{:g}D".format,
}
"""Column to the function that formats its values in file names; others use `file_part`."""


@dataclass(frozen=True, eq=False)
class Cell:
    """The part of a table that one figure shows.

    Attributes:
        runs: Runs that the whole table is about.
        table: The whole table.
        options: All options of the question and of the drawing, as given or by default.
        values: Column to the value that the figure shows of it, such as
            ``{"suite": "bbob", "dimension": 5}``.
        functions: Numbers of the functions that the figure shows.
        is_part: Whether another figure of the same values shows other functions.
    """

    runs: Selection
    table: Table
    options: Mapping[str, Any]
    values: Mapping[str, Any]
    functions: Sequence[int]
    is_part: bool = False

    @property
    def name(self) -> str:
        """The values as part of a file name, such as ``bbob_f003_d05``."""
        values = [format_for_file_name(column, value) for column, value in self.values.items()]
        return "_".join(values) + self.part_name

    @property
    def part_name(self) -> str:
        """End of a file name, such as ``_f001-012``, if the figure is a part; else empty."""
        return f"_f{self.functions[0]:03d}-{self.functions[-1]:03d}" if self.is_part else ""

    @property
    def place(self) -> str:
        """Suite, function and dimension for captions, such as ``bbob f3 in 5-D``."""
        values = self.values
        function = f" f{values['function']}" if "function" in values else ""
        if self.is_part:
            function = f" f{ranges(self.functions)}"
        dimension = f" in {values['dimension']}-D" if "dimension" in values else ""
        return f"{values['suite']}{function}{dimension}"

    def describe_reference(self, name: str) -> str:
        """Return the name of the reference, and its algorithms if it is the best of several."""
        requested = self.options.get("reference")
        if not isinstance(requested, str | list):
            return name
        algorithms = algorithms_of_reference(self.runs.log, requested) or []
        return f"the {name} ({', '.join(algorithms)})" if len(algorithms) > 1 else name

    @cached_property
    def rows(self) -> dict[str, NDArray[Any]]:
        """The columns of the table, reduced to the rows of the values and functions of the cell."""
        is_shown = np.ones(len(self.table), dtype=np.bool_)
        if self.is_part:
            is_shown = np.isin(self.table["function"], self.functions)
        for column, value in self.values.items():
            if column in self.table.columns:
                is_shown &= np.asarray(self.table[column] == value)
        return {name: column[is_shown] for name, column in self.table.columns.items()}


def format_for_file_name(column: str, value: Any) -> str:
    """Format a value as part of a file name, such as ``d05`` or ``f003``.

    Args:
        column: Column of the value.
        value: The value.
    """
    return _FORMATTERS.get(column, file_part)(value)
