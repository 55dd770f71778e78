"""Runtime profiles of each function, from the data of the section ``ecdf``."""

from __future__ import annotations

from ..section import Section

SECTION = Section(
    "functions",
    "Profiles of each function",
    "As above, for each of the chosen functions, all with the same range of budgets; colours and "
    "dashes are those of the figure above.",
)
