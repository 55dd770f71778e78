"""Average runtimes against the dimension, from the data of the section ``art``."""

from __future__ import annotations

from ..section import Section

SECTION = Section(
    "scaling",
    "Scaling with the dimension",
    "aRT / dimension against the dimension, both logarithmic; a horizontal line is a runtime "
    "proportional to the dimension. No mark where nothing succeeded.",
)
