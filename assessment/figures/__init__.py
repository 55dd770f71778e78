"""What figures share: what all look like, the rows of a table that one shows, and files.

Kinds of figures are declared by the questions that they draw (`questions`).
"""

from .files import FORMATS, Drawing, save

__all__ = ["FORMATS", "Drawing", "save"]
