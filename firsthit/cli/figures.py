"""``firsthit figures``: draw figures for papers, and write a caption for each.

The command draws several kinds of figures at once, with the options that all of them share. The
command ``firsthit assess NAME --plot`` draws the figures of one question, with all its options.
"""

from __future__ import annotations

import contextlib
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import click

from ..assessment.questions._framework import catalogue, registry
from ..assessment.questions._framework.help_texts import REFERENCE_HELP, TARGETS_HELP
from . import options
from .activity import show_activity
from .help import Command, add_option

if TYPE_CHECKING:
    from ..assessment import Results
    from ..assessment.figures import Drawing
    from ..assessment.figures.axes import Width
    from ..assessment.questions._framework.question import Figure
    from ..assessment.target_choice import Counted
    from ..loggers import Log

FigureFormat = Literal["pdf", "svg", "png", "pgf"]

_INDEX = "README.md"
_INDEX_HEAD = "# Figures\n\n"
KINDS = tuple(kind for entry in registry.own_questions().values() for kind in entry.figures)


def _refuse_existing_index(output: str, overwrite: bool, index: bool, **_: object) -> None:
    """Raise LogExistsError for --index if FOLDER has a README.md that this command did not write.

    An index that this command wrote is renewed.
    """
    readme = Path(output, _INDEX)
    if index and not (readme.is_file() and _is_index(readme)):
        options.refuse_existing([readme], overwrite)


@click.command(
    cls=Command,
    examples=[
        "firsthit figures results/quickstart.h5",
        "firsthit figures results/quickstart.h5 --kinds ecdf,scaling --format png",
        "firsthit figures results/*.h5 --kinds all --width page --index -o paper",
    ],
)
@options.call_first(_refuse_existing_index)
@options.read_logs
@add_option(
    "-o",
    "--output",
    metavar="FOLDER",
    default="figures",
    show_default=True,
    help="Folder of the figures.",
)
@options.overwrite
@options.declare_choice_option(
    "--format", get_args(FigureFormat), "File format of the figures; pgf needs a TeX system."
)
@add_option(
    "--kinds",
    metavar="NAMES",
    help=f"Kinds of figures, separated by commas, or 'all'; kinds: {', '.join(KINDS)}. Default: "
    f"{', '.join(catalogue.DEFAULT_FIGURES)}.",
)
@add_option(
    "--targets",
    metavar="NUMBERS",
    help=f"{TARGETS_HELP} Default: the targets of each kind.",
)
@add_option(
    "--reference",
    metavar="NAME",
    help=f"{REFERENCE_HELP} Run-length targets are computed from it. "
    "Its curve is drawn by assess ecdf --reference NAME --plot FILE. Default: no reference.",
)
@add_option(
    "--group-by",
    metavar="NAMES",
    help="Functions that a curve aggregates: all, group or function. The kinds ecdf and "
    "ecdf-functions accept several, e.g. all,group. Default: the value of each kind.",
)
@options.width
@options.highlight
@options.unequal
@options.count
@options.recommended
@add_option("--index", is_flag=True, help="Write FOLDER/README.md, which shows all figures, too.")
def command(
    results: Results,
    counted: Counted,
    output: str,
    overwrite: bool,
    format: FigureFormat,
    kinds: str | None,
    width: Width,
    highlight: str | None,
    index: bool,
    **shared_options: Any,
) -> None:
    """Draw figures for a paper into a folder, with a caption NAME.txt for each.

    If the folder has figures or captions of the same names, nothing is drawn, unless --overwrite is
    given. Other files in the folder stay.

    A kind that cannot be drawn from LOGS is left out, and its reason is printed. If no kind can be
    drawn, the command ends with an error. An option that no requested kind uses is an error.

    `firsthit assess NAME LOGS --plot FILE` draws the figures of one table, with all options of the
    table and its figures.
    """
    from ..assessment.errors import AssessmentError, writing
    from ..assessment.figures import save
    from ..assessment.questions._framework.render import (
        check_shared_options,
        why_inapplicable,
    )

    selectors: dict[str, Any] = {name: value for name, value in counted.items() if name != "count"}
    shared = {name: value for name, value in shared_options.items() if options.is_given(name)}
    if "count" in counted:
        shared["count"] = counted["count"]
    highlighted = options.split_highlighted_names(highlight, results.algorithms)
    kinds_are_named = kinds not in (None, "all")
    figures = _import_figures(kinds)
    if not kinds_are_named:
        for kind in list(figures):
            reason = why_inapplicable(kind, results.log, selectors)
            if reason is not None:
                click.echo(f"no figures of kind {kind}: {reason}", err=True)
                del figures[kind]
        if not figures:
            raise AssessmentError("no figure can be drawn from these runs")
    _check_options_have_effect(figures, shared)
    if highlighted and not any(figure.has_styles for figure in figures.values()):
        raise click.UsageError(f"--highlight has no effect on figures of kind {', '.join(figures)}")
    if results.log.recommended:
        _check_recommended(figures)
    check_shared_options(results.log, selectors, shared)
    folder = Path(output)
    kind_options = {
        kind: {
            **selectors,
            **{name: value for name, value in shared.items() if _concerns(name, figure)},
        }
        for kind, figure in figures.items()
    }
    if not overwrite:
        _refuse_existing_figures(folder, format, results.log, kind_options, width)
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    command_line = shlex.join(["firsthit", *sys.argv[1:]])
    saved_drawings = []
    for number, (kind, drawing_options) in enumerate(kind_options.items(), start=1):
        show_activity(f"drawing figures of kind {kind} ({number} of {len(figures)} kinds)")
        # The errors of `save` are not caught here: they concern the folder, not the kind.
        for drawing in _draw_or_leave_out(kind, results.log, drawing_options, width, highlighted):
            save(drawing, folder, format, command_line)
            saved_drawings.append(drawing)
    if not saved_drawings:
        raise AssessmentError(f"no figure can be drawn of kind {', '.join(figures)}")
    if index:
        _write_index(saved_drawings, folder, format)
    plural = "" if len(saved_drawings) == 1 else "s"
    click.echo(f"wrote {len(saved_drawings)} figure{plural} to {folder}", err=True)


def _draw_or_leave_out(
    kind: str,
    log: Log,
    drawing_options: Mapping[str, Any],
    width: Width,
    highlighted: Sequence[str] | None,
) -> Iterator[Drawing]:
    """Yield the figures of a kind; if the log lacks what they show, print the reason and end."""
    from ..assessment.errors import AssessmentError
    from ..assessment.questions._framework.render import drawings

    try:
        yield from drawings(kind, log, drawing_options, width, highlighted)
    except AssessmentError as error:
        click.echo(f"no figures of kind {kind}: {error}", err=True)


def _refuse_existing_figures(
    folder: Path,
    figure_format: FigureFormat,
    log: Log,
    kind_options: Mapping[str, Mapping[str, Any]],
    width: Width,
) -> None:
    """Raise LogExistsError if a figure to be drawn, or its caption, exists in a folder.

    The names of figures depend on tables. These are computed here only for kinds of which the
    folder has files, which begin with the kind.

    Args:
        folder: The folder, which may not exist.
        figure_format: Format of the figures.
        log: Runs that are shown.
        kind_options: Selectors and options of each kind.
        width: Width of the figures.
    """
    from ..assessment.errors import AssessmentError
    from ..assessment.figures.files import CAPTION_SUFFIX
    from ..assessment.questions._framework.render import drawing_names

    for kind, drawing_options in kind_options.items():
        if not any(folder.glob(f"{kind}_*")):
            continue
        show_activity(f"computing the names of figures of kind {kind}")
        # If a kind cannot be drawn, the loop that draws handles the error.
        with contextlib.suppress(AssessmentError):
            for name in drawing_names(kind, log, drawing_options, width):
                files = [folder / f"{name}{end}" for end in (f".{figure_format}", CAPTION_SUFFIX)]
                options.refuse_existing(files, overwrite=False)


def _import_figures(kinds: str | None) -> dict[str, Figure]:
    """Import the figures of the kinds that --kinds names.

    Args:
        kinds: Kinds, separated by commas, or "all". None: the default kinds.

    Returns:
        Kind to figure, in the order of ``kinds``.

    Raises:
        UnknownNameError: A kind does not exist.
    """
    from ..suites.errors import UnknownNameError

    figures: dict[str, Figure] = {}
    for name in _split_kinds(kinds):
        figure = registry.figure(name) if name in KINDS else None
        if figure is None:
            raise UnknownNameError.of("kind of figure", name, KINDS)
        figures[name] = figure
    return figures


def _split_kinds(kinds: str | None) -> Sequence[str]:
    """Return the names in the value of --kinds, which may not exist; see `_import_figures`."""
    if kinds is None:
        return catalogue.DEFAULT_FIGURES
    return KINDS if kinds == "all" else [name.strip() for name in kinds.split(",")]


def _check_options_have_effect(figures: Mapping[str, Figure], shared: Mapping[str, Any]) -> None:
    """Check that each shared option has an effect.

    Args:
        figures: Figures to be drawn, by kind.
        shared: Values of the shared options on the command line.

    Raises:
        UsageError: An option concerns none of the figures, or ``--reference`` is given without
            run-length targets.
    """
    from ..assessment.target_choice import is_runlength

    if "reference" in shared and not is_runlength(shared.get("targets")):
        raise click.UsageError(
            "--reference is what --targets runlength are made from; the curve of a reference is "
            "drawn by firsthit assess ecdf LOGS --reference NAME --plot FILE"
        )
    for option in shared:
        # --recommended concerns how the logs are read; `_check_recommended` checks it.
        if option == "recommended":
            continue
        if not any(_concerns(option, figure) for figure in figures.values()):
            raise click.UsageError(
                f"--{option.replace('_', '-')} concerns no figure of kind {', '.join(figures)}"
            )


def _concerns(option: str, figure: Figure) -> bool:
    """Return whether a shared option concerns a kind of figures: its question has the option.

    A reference concerns questions at targets, because run-length targets are made from it.
    """
    keywords = figure.question.keywords
    return option in keywords and (option != "reference" or "targets" in keywords)


def _check_recommended(figures: Mapping[str, Figure]) -> None:
    """Raise a UsageError if a figure needs more than the solutions that runs recommended."""
    unfit_kinds = [kind for kind, figure in figures.items() if not figure.question.recommended]
    if unfit_kinds:
        raise click.UsageError(
            f"--recommended: figures of kind {', '.join(unfit_kinds)} show what runs did besides "
            "recommending; draw them without"
        )


def _write_index(drawings: Sequence[Drawing], folder: Path, figure_format: FigureFormat) -> None:
    """Write ``README.md`` into the folder: each drawing with its caption."""
    from ..assessment.errors import replacing

    blocks = [
        f"![{drawing.name}]({drawing.name}.{figure_format})\n\n{drawing.caption}\n"
        for drawing in drawings
    ]
    with replacing(folder / _INDEX) as file:
        file.write_text(_INDEX_HEAD + "\n".join(blocks), encoding="utf-8")


def _is_index(file: Path) -> bool:
    """Return whether `_write_index` wrote a file."""
    return file.is_file() and file.read_bytes().startswith(f"{_INDEX_HEAD}![".encode())
