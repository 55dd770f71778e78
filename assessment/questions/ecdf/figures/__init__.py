"""Figures of runtime profiles: `curves` draws one dimension, `dimensions` draws several."""

from . import curves, dimensions

__all__ = ["curves", "dimensions"]
