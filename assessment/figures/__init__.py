"""Figures for papers: each drawing function takes a table and returns a matplotlib figure."""

from .budgets import draw_convergence, draw_fixed_budget, draw_precision_ecdf
from .files import FORMATS, Drawing, save
from .gallery import KINDS, Wanted, drawings
from .losses import draw_heatmap, draw_loss
from .pairs import draw_ratios, draw_scatter
from .profiles import draw_ecdf, save_ecdf
from .rug import draw_restarts
from .scaling import draw_scaling

__all__ = [
    "FORMATS",
    "KINDS",
    "Drawing",
    "Wanted",
    "draw_convergence",
    "draw_ecdf",
    "draw_fixed_budget",
    "draw_heatmap",
    "draw_loss",
    "draw_precision_ecdf",
    "draw_ratios",
    "draw_restarts",
    "draw_scaling",
    "draw_scatter",
    "drawings",
    "save",
    "save_ecdf",
]
