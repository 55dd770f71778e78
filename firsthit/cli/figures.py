"""``firsthit figures``: figures for papers, each with a text that says what is drawn."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..assessment.asking import registry
from . import options
from .assess import option_of

if TYPE_CHECKING:
    from ..assessment import Results
    from ..assessment.data.target_choice import Counted
    from ..assessment.figures import Drawing

_QUESTIONS, _FIGURES = (registry.index()[name] for name in ("questions", "figures"))
KINDS = tuple(_FIGURES)
DEFAULT_KINDS = tuple(name for name, figure in _FIGURES.items() if figure["curated"])


def _users(option: str, runlength: bool = False) -> list[str]:
    """The kinds that have a use for an option; run-length targets have one for a reference."""
    if option == "reference":
        takers = _users("targets") if runlength else []
        return [name for name, figure in _FIGURES.items() if figure["measures"] or name in takers]
    more = {"unequal": "joins", "count": "counts"}
    return [
        name
        for name, figure in _FIGURES.items()
        if figure.get(more.get(option, "")) or any(o["name"] == option for o in figure["options"])
    ]


def _options_of_figures(command: options.Command) -> options.Command:
    """The options of all figures, each once; what is not given stands at each figure's default."""
    there: dict[str, dict[str, Any]] = {}
    for figure in _FIGURES.values():
        for option in figure["options"]:
            there.setdefault(option["name"], option)
    for name, option in there.items():
        text = f"Of {', '.join(_users(name))}. {option['general']}".strip()
        params = command.__dict__.setdefault("__click_params__", [])
        params.insert(0, option_of(option, default=False, help=text))
    return command


@click.command()
@options.of_logs
@click.option("-o", "--output", metavar="FOLDER", default="figures", show_default=True)
@options.chosen_from("--format", ["pdf", "svg", "png", "pgf"], "pgf needs a TeX system.")
@click.option(
    "--kinds",
    metavar="NAMES",
    help=f"Separated by commas, or 'all', of {', '.join(KINDS)} [default, as far as they apply: "
    f"{', '.join(DEFAULT_KINDS)}].",
)
@options.chosen_from("--width", ["column", "page"], "Of a paper: 3.4 or 7 inches.")
@_options_of_figures
@options.unequal
@options.count
@options.recommended
@click.option("--index", is_flag=True, help="Also write FOLDER/README.md that shows them all.")
def command(
    results: Results,
    counted: Counted,
    output: str,
    format: str,
    kinds: str | None,
    width: str,
    index: bool,
    **wishes: Any,
) -> None:
    """Draw figures for a paper into FOLDER, with a caption NAME.txt for each.

    Files that exist there under the same names are replaced. Unless --kinds names them, figures of
    two algorithms are drawn where LOGS hold exactly two. An option of some kinds is refused where
    none of them is drawn.
    """
    from ..assessment.asking.drawing import drawings, inapplicable_kinds
    from ..assessment.data.target_choice import is_runlength
    from ..assessment.errors import AssessmentError, writing
    from ..assessment.figures import save
    from ..suites.errors import UnknownNameError

    selectors = {name: value for name, value in counted.items() if name != "count"}
    some = {None: DEFAULT_KINDS, "all": KINDS}.get(kinds)
    unasked = some is not None
    if some is None:
        chosen = [name.strip() for name in (kinds or "").split(",")]
    else:
        left = inapplicable_kinds(results.log, selectors)
        chosen = [name for name in some if name not in left]
    for name in chosen:
        if name not in KINDS:
            raise UnknownNameError.of("kind of figure", name, KINDS)
    runlength = is_runlength(wishes.get("targets"))
    _check_uses(chosen, runlength)
    final_only = {
        name
        for name, figure in _FIGURES.items()
        if not _QUESTIONS[figure["question"]]["recommended"]
    }
    if results.log.recommended and (wrong := set(chosen) & final_only):
        raise click.UsageError(
            f"--recommended: figures of kind {', '.join(sorted(wrong))} show what runs did besides "
            "recommending; draw them without"
        )
    given = {name: value for name, value in wishes.items() if options.is_given(name)}
    if "count" in counted:
        given["count"] = counted["count"]
    folder = Path(output)
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    again = shlex.join(["firsthit", *sys.argv[1:]])
    drawn = []
    for name in chosen:
        try:
            taken = {key: value for key, value in given.items() if name in _users(key, runlength)}
            for drawing in drawings(name, results.log, {**selectors, **taken}, width):
                save(drawing, folder, format, again)
                drawn.append(drawing)
        except AssessmentError as error:
            if not unasked or _FIGURES[name]["unasked"] != "where it applies":
                raise
            click.echo(f"no figures of kind {name}: {error}", err=True)
    if index:
        _write_index(drawn, folder, format)
    plural = "" if len(drawn) == 1 else "s"
    click.echo(f"wrote {len(drawn)} figure{plural} to {folder}", err=True)


def _check_uses(kinds: Sequence[str], runlength: bool) -> None:
    """Refuse options that none of the kinds has a use for."""
    every = {option["name"]: None for figure in _FIGURES.values() for option in figure["options"]}
    for option in (*every, "unequal", "count"):
        users = _users(option, runlength)
        if options.is_given(option) and not set(users) & set(kinds):
            raise click.UsageError(
                f"--{option}: only figures of kind {' and '.join(users)} have a use for it; name "
                f"one with --kinds (to be drawn: {', '.join(kinds)})"
            )


def _write_index(drawn: Sequence[Drawing], folder: Path, form: str) -> None:
    blocks = [
        f"![{drawing.name}]({drawing.name}.{form})\n\n{drawing.caption}\n" for drawing in drawn
    ]
    text = "# Figures\n\n" + "\n".join(blocks)
    (folder / "README.md").write_text(text, encoding="utf-8")
