"""Writing of figures to files, each with its caption in a text file beside it."""

from __future__ import annotations

import shutil
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import AssessmentError, replacing, writing
from .fit import missing_glyphs_ignored
from .style import STYLE, require_matplotlib

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = ("pdf", "svg", "png", "pgf")
SUFFIXES = (".png", ".svg", ".pdf")
"""Formats of figures that a question draws beside its printed table."""
CAPTION_SUFFIX = ".txt"
_TEX_SYSTEMS = ("xelatex", "lualatex", "pdflatex")
"""Programs that can measure texts for pgf; the first one that is installed is used."""
_UNDATED: dict[str, dict[str, Any]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
"""Metadata by format that omit the date, so that equal figures give equal bytes."""


@dataclass(frozen=True, eq=False)
class Drawing:
    """A figure that is ready to be saved.

    Attributes:
        name: Name of its file, without the suffix.
        figure: The figure.
        caption: Sentences on the targets, the convention and the runs.
    """

    name: str
    figure: Figure
    caption: str


def save(drawing: Drawing, folder: Path, form: str, command: str) -> Path:
    """Write a figure into a folder, and its caption beside it as ``NAME.txt``.

    Args:
        drawing: Figure and caption.
        folder: Folder, which must exist.
        form: Format, one of `FORMATS`.
        command: Command line that draws the figure again.

    Returns:
        The figure's file.

    Raises:
        AssessmentError: A file cannot be written, or ``pgf`` lacks a TeX system.
    """
    file = folder / f"{drawing.name}.{form}"
    save_as(drawing, file, command)
    return file


def save_as(drawing: Drawing, file: Path, command: str) -> None:
    """Write a figure into a file, and its caption beside it as ``NAME.txt``.

    Args:
        drawing: Figure and caption.
        file: File of the figure; its suffix is one of `FORMATS`.
        command: Command line that draws the figure again.

    Raises:
        AssessmentError: A file cannot be written, or ``pgf`` lacks a TeX system.
    """
    from importlib import metadata  # takes 15 ms, which commands without figures need not spend

    text = f"{drawing.caption}\n\nfirsthit {metadata.version('firsthit')}: {command}\n"
    write_figure(drawing.figure, file)
    with replacing(file.with_suffix(CAPTION_SUFFIX)) as caption_file:
        caption_file.write_text(text, encoding="utf-8")


def write_figure(figure: Figure, file: Path) -> None:
    """Write a figure in the format of the file's suffix; equal figures give equal bytes.

    An existing file is replaced. For all formats except pgf, it is unchanged if writing fails.

    Args:
        figure: Figure; its resolution and layout are fixed by this call.
        file: File; its suffix is one of `FORMATS`.

    Raises:
        AssessmentError: The file cannot be written, or ``pgf`` lacks a TeX system.
    """
    form = file.suffix.lower()[1:]
    tex = next(filter(shutil.which, _TEX_SYSTEMS), _TEX_SYSTEMS[0])
    style = {**STYLE, "pgf.texsystem": tex}
    # A file of pgf contains its own name if it has images, so it cannot be renamed.
    writer = nullcontext(file) if form == "pgf" else replacing(file)
    with (
        require_matplotlib().rc_context(style),
        missing_glyphs_ignored(),
        writing(file),
        writer as new_file,
    ):
        figure.dpi = STYLE["savefig.dpi"]  # at fewer, letters are narrower than in the file
        figure.draw_without_rendering()
        figure.set_layout_engine("none")  # laid out once: again would move it by fractions
        try:
            figure.savefig(new_file, format=form, metadata=_UNDATED.get(form))
        except Exception as error:  # of many types, as TeX systems are incomplete in many ways
            if form != "pgf":
                raise
            reason = str(error).partition("\n")[0]
            raise AssessmentError(
                f"{file}: the format pgf needs a TeX system ({reason}); install one, or take pdf"
            ) from error


def check_plot_path(path: str | Path) -> Path:
    """Return the path of a plot file; raise AssessmentError if no figure can be written to it.

    The suffix and the folder are checked, so that commands fail before they compute anything.
    """
    target = Path(path)
    if target.suffix.lower() not in SUFFIXES:
        raise AssessmentError(
            f"plot file {str(path)!r}: suffix {target.suffix!r} is none of {', '.join(SUFFIXES)}"
        )
    if not target.parent.is_dir():
        raise AssessmentError(f"plot file {str(path)!r}: there is no folder {str(target.parent)!r}")
    return target


def file_part(name: str) -> str:
    """Convert a name to a part of a file name: at most 60 letters, digits, ``-`` and ``.``.

    >>> file_part("../a b/c")
    '..-a-b-c'
    """
    return "".join(c if c.isalnum() or c in "-." else "-" for c in name)[:60] or "-"
