"""The answer in words, which the page has as text: no script draws it."""

from .words import DRAWS, HOW, answers

__all__ = ["DRAWS", "HOW", "answers"]
