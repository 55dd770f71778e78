"""Figures for papers: one file a kind, each with a function that takes a table and draws it.

`gallery` lists the kinds and writes their captions; `style` is what all look like; `frame` picks
the rows of a table that a figure shows. To add a kind, copy `loss`, and write its caption in the
gallery.

All raise AssessmentError where the table holds no such rows, or several would fit, and
MissingPackageError where matplotlib is not installed.
"""

from .anytime.attainment import draw_attainment, draw_attainment_difference
from .files import FORMATS, Drawing, save
from .fronts.fronts import draw_fronts
from .fronts.surfaces import draw_surface_difference, draw_surfaces
from .gallery.kinds import KINDS, drawings
from .gallery.wanted import Wanted
from .loss import draw_loss
from .merit.critical_difference import draw_critical_difference
from .profiles.cuts import draw_cuts
from .ratios import draw_ratios
from .scatter import draw_scatter

__all__ = [
    "FORMATS",
    "KINDS",
    "Drawing",
    "Wanted",
    "draw_attainment",
    "draw_attainment_difference",
    "draw_critical_difference",
    "draw_cuts",
    "draw_fronts",
    "draw_loss",
    "draw_ratios",
    "draw_scatter",
    "draw_surface_difference",
    "draw_surfaces",
    "drawings",
    "save",
]
