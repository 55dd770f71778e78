"""Figures for papers: one file a kind, each with a function that takes a table and draws it.

`gallery` lists the kinds and writes their captions; `style` is what all look like; `frame` picks
the rows of a table that a figure shows. New kinds
are declared by the questions that they draw (`questions`).

All raise AssessmentError where the table holds no such rows, or several would fit, and
MissingPackageError where matplotlib is not installed.
"""

from .anytime.notes import draw_notes
from .files import FORMATS, Drawing, save
from .gallery.kinds import KINDS, drawings
from .gallery.wanted import Wanted
from .precision_ecdf import draw_precision_ecdf
from .profiles.joint import draw_joint
from .shapes import draw_precision_shapes, draw_runtime_shapes

__all__ = [
    "FORMATS",
    "KINDS",
    "Drawing",
    "Wanted",
    "draw_joint",
    "draw_notes",
    "draw_precision_ecdf",
    "draw_precision_shapes",
    "draw_runtime_shapes",
    "drawings",
    "save",
]
