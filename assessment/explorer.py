"""The interactive page as an object that notebooks show and that can be saved."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import writing

if TYPE_CHECKING:
    from ..loggers import Log
    from .asking.context import Choices

_HEIGHT_PIXELS = 820


class Explorer:
    """A page; a notebook shows it in a frame of its own, which reaches nothing outside.

    Args:
        html: The page.

    Attributes:
        html: Likewise.
    """

    def __init__(self, html: str) -> None:
        self.html = html

    def save(self, path: str | Path) -> Path:
        """Write the page; raises AssessmentError where that does not work."""
        with writing(path):
            Path(path).write_text(self.html, encoding="utf-8", newline="")
        return Path(path)

    def __repr__(self) -> str:
        megabytes = len(self.html) / 1e6
        return f"<Explorer: a page of {megabytes:.1f} MB; .save('page.html') writes it>"

    def _repr_html_(self) -> str:
        """The page in a frame."""
        return (
            f'<iframe srcdoc="{escape(self.html)}" sandbox="allow-scripts allow-downloads" '
            f'title="report" style="width: 100%; height: {_HEIGHT_PIXELS}px; border: 0"></iframe>'
        )


def explorer_of(log: Log, title: str, choices: Choices) -> Explorer:
    """The page of a log.

    Raises:
        MissingPackageError: jinja2 or plotly is not installed.
    """
    from .report.build import page_of
    from .report.page import check_report_packages, render

    check_report_packages()
    return Explorer(render(page_of(log, title, choices)))
