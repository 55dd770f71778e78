"""Style, axes and files of figures.

`style` has the style of all figures, `axes` selects the rows of a table that a figure shows, `fit`
breaks long titles, and `files` writes figures. A type of figure is declared by its question
(`questions`).
"""

from .files import FORMATS, Drawing, save

__all__ = ["FORMATS", "Drawing", "save"]
