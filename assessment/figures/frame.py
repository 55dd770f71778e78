"""What nearly all figures begin with: one pair of axes, its title, and the rows that it shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypedDict

from numpy.typing import NDArray

from ...suites.errors import UnknownNameError
from ..errors import AssessmentError
from ..tables.table import Table
from ..targets.parse import target_text
from .style import COLUMN_INCHES, label, style_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Rows = dict[str, NDArray[Any]]


class Shown(TypedDict, total=False):
    """Which value of a column a figure shows; may be left out where the rows hold one only."""

    algorithm: str | None
    suite: str | None
    group: str | None
    function: int | None
    dimension: int | None
    instance: int | None
    target: float | None
    name: str | None


def frame(table: Table, names: Sequence[str], shown: Shown) -> tuple[Figure, Axes, Rows]:
    """A figure as wide as a column with one pair of axes, and the rows of a table that it shows.

    Args:
        table: Any.
        names: Columns of which the figure shows one value; its title says which.
        shown: The values.

    Raises:
        UnknownNameError: ``shown`` has a column that is none of ``names``.
        AssessmentError: A value is not in the table, or none is given and there are several.
    """
    from matplotlib.figure import Figure

    rows = chosen(table, names, shown)
    figure = Figure(figsize=(COLUMN_INCHES, 2.5), layout="constrained")
    axes = figure.add_subplot()
    axes.set_title(_title({name: rows[name][0] for name in names}), parse_math=False)
    return figure, axes, rows


def chosen(table: Table, names: Sequence[str], shown: Shown) -> Rows:
    """The rows of a table that a figure shows; arguments and errors as of `frame`."""
    rows = dict(table.columns)
    for name, wanted in shown.items():
        if wanted is not None and name not in names:
            raise UnknownNameError.of("column that the figure shows one value of", name, names)
    for name in names:
        value = the_one(name, rows[name].tolist(), shown.get(name))
        rows = {other: column[rows[name] == value] for other, column in rows.items()}
    return rows


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
    return {
        value: {other: column[rows[name] == value] for other, column in rows.items()}
        for value in sorted(set(rows[name].tolist()))
    }


def by_algorithm(rows: Rows, marked: bool = True) -> Iterator[tuple[str, Rows, dict[str, Any]]]:
    """Label, rows and style of each algorithm: the same in all figures of the same algorithms."""
    for place, (name, own) in enumerate(split(rows, "algorithm").items()):
        yield label(name), own, style_of(place, marked)


def _title(shown: dict[str, Any]) -> str:
    """Such as ``bbob f3, 5-D`` and ``bbob, separ, 5-D, target 1e-8``."""
    parts = [shown["suite"]]
    if "algorithm" in shown:
        parts[0] = f"{label(shown['algorithm'])}: {parts[0]}"
    if "function" in shown:
        parts[0] += f" f{shown['function']}"
    if "instance" in shown:
        parts[0] += f" i{shown['instance']}"
    if "group" in shown:
        parts.append(shown["group"])
    if "dimension" in shown:
        parts.append(f"{shown['dimension']}-D")
    if "target" in shown:
        parts.append(f"target {target_text(shown['target'])}")
    return ", ".join(parts)
