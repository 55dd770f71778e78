"""Puts figures into files, each with a text that says exactly what is drawn."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import AssessmentError, writing
from .fit import missing_glyphs_ignored
from .style import STYLE, require_matplotlib

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = ("pdf", "svg", "png", "pgf")
SUFFIXES = (".png", ".svg", ".pdf")
"""Of figures of a table that is printed, too."""
_TEX_SYSTEMS = ("xelatex", "lualatex", "pdflatex")
"""That measure the texts of pgf; the first that is installed is taken."""
_UNDATED: dict[str, dict[str, Any]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}


@dataclass(frozen=True, eq=False)
class Drawing:
    """A figure that is ready to be saved.

    Attributes:
        name: Of its file, without the suffix.
        figure: The figure.
        caption: What is drawn: targets, convention, runs.
    """

    name: str
    figure: Figure
    caption: str


def save(drawing: Drawing, folder: Path, form: str, command: str) -> Path:
    """Write the figure, and its caption beside it as ``NAME.txt``.

    Args:
        drawing: What to save.
        folder: Exists.
        form: One of `FORMATS`.
        command: What makes it again.

    Returns:
        The figure's file.

    Raises:
        AssessmentError: It cannot be written; ``pgf`` without a TeX system.
    """
    file = folder / f"{drawing.name}.{form}"
    write_figure(drawing.figure, file)
    with writing(file):
        text = f"{drawing.caption}\n\nfirsthit {metadata.version('firsthit')}: {command}\n"
        file.with_suffix(".txt").write_text(text, encoding="utf-8")
    return file


def write_figure(figure: Figure, file: Path) -> None:
    """Write a figure; the suffix says the format, the same figure gives the same bytes."""
    form = file.suffix.lower()[1:]
    tex = next(filter(shutil.which, _TEX_SYSTEMS), _TEX_SYSTEMS[0])
    style = {**STYLE, "pgf.texsystem": tex}
    with require_matplotlib().rc_context(style), missing_glyphs_ignored(), writing(file):
        figure.dpi = STYLE["savefig.dpi"]  # at fewer, letters are narrower than in the file
        figure.draw_without_rendering()
        figure.set_layout_engine("none")  # laid out once: again would move it by fractions
        try:
            figure.savefig(file, format=form, metadata=_UNDATED.get(form))
        except Exception as error:  # of many types, as TeX systems are incomplete in many ways
            if form != "pgf":
                raise
            reason = str(error).partition("\n")[0]
            raise AssessmentError(
                f"{file}: the format pgf needs a TeX system ({reason}); install one, or take pdf"
            ) from error


def check_plot_path(path: str | Path) -> Path:
    """Refuse what cannot become a figure before anything is computed."""
    target = Path(path)
    if target.suffix.lower() not in SUFFIXES:
        raise AssessmentError(
            f"plot file {str(path)!r}: suffix {target.suffix!r} is none of {', '.join(SUFFIXES)}"
        )
    if not target.parent.is_dir():
        raise AssessmentError(f"plot file {str(path)!r}: there is no folder {str(target.parent)!r}")
    return target


def file_part(name: str) -> str:
    """A name as part of a file's name: letters, digits, ``-`` and ``.`` alone, at most 60.

    >>> file_part("../a b/c")
    '..-a-b-c'
    """
    return "".join(c if c.isalnum() or c in "-." else "-" for c in name)[:60] or "-"
