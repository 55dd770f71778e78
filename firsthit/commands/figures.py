"""``firsthit figures``: figures for papers, each with a text that says what is drawn."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..terminal.assessing import chosen_from, of_logs, seed

if TYPE_CHECKING:
    from ..assessment import Results, Selectors
    from ..assessment.figures import Drawing

KINDS = (
    "ecdf", "ecdf-functions", "joint", "scaling", "convergence", "cuts", "precision",
    "fixed-budget", "heatmap", "loss", "scatter", "ratios", "restarts", "notes",
    "critical-difference", "attainment", "attainment-difference", "surfaces",
    "surface-difference", "fronts",
)  # fmt: skip
DEFAULT_KINDS = (
    "ecdf", "heatmap", "scaling", "convergence", "precision", "loss", "critical-difference",
    "surfaces",
)  # fmt: skip
_OF_TWO = ("scatter", "ratios", "attainment-difference", "surface-difference")
"""Drawn unasked only where there are exactly two algorithms."""
_WHERE_THEY_APPLY = ("notes", "critical-difference", "attainment-difference")
"""Drawn unasked only where there is something to be drawn."""
_OF_TWO_OBJECTIVES = ("surfaces", "surface-difference")
"""Drawn unasked only of runs on two objectives."""
_ASKED_FOR = ("fronts",)
"""Drawn only where they are asked for: there is one for each instance."""
_BY_MOOCORE = ("attainment", "attainment-difference", "surface-difference")
"""Drawn unasked only where the package is installed."""


@click.command()
@of_logs
@click.option("-o", "--output", metavar="FOLDER", default="figures", show_default=True)
@chosen_from("--format", ["pdf", "svg", "png", "pgf"], "pgf needs a TeX system.")
@click.option(
    "--kinds",
    metavar="NAMES",
    help=f"Separated by commas, or 'all', of {', '.join(KINDS)} [default, as far as they apply: "
    f"{', '.join(DEFAULT_KINDS)}].",
)
@chosen_from("--width", ["column", "page"], "Of a paper: 3.4 or 7 inches.")
@click.option(
    "--reference",
    metavar="NAME",
    default="best",
    show_default=True,
    help="Of losses: an algorithm of LOGS, 'best' of them, or a file of COCO's reference data.",
)
@seed("all that is simulated")
@click.option("--index", is_flag=True, help="Also write FOLDER/README.md that shows them all.")
def command(
    results: Results,
    selectors: Selectors,
    output: str,
    format: str,
    kinds: str | None,
    width: str,
    reference: str,
    seed: int,
    index: bool,
) -> None:
    """Draw figures for a paper into FOLDER, with a caption NAME.txt for each.

    Files that exist there under the same names are replaced. Unless --kinds names them, figures of
    two algorithms are drawn where LOGS hold exactly two.
    """
    from ..assessment.errors import AssessmentError, writing
    from ..assessment.figures import Wanted, drawings, save

    wanted = Wanted(selectors, reference, seed, width)
    some = {None: DEFAULT_KINDS, "all": KINDS}.get(kinds)
    unasked = some is not None
    if some is None:
        names = [name.strip() for name in (kinds or "").split(",")]
    else:
        names = [name for name in some if name not in _inapplicable(results, selectors)]
    folder = Path(output)
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    again = shlex.join(["firsthit", *sys.argv[1:]])
    made = []
    for name in names:
        try:
            for drawing in drawings(results.log, [name], wanted):
                save(drawing, folder, format, again)
                made.append(drawing)
        except AssessmentError as error:
            if not unasked or name not in _WHERE_THEY_APPLY:
                raise
            click.echo(f"no figures of kind {name}: {error}", err=True)
    if index:
        _write_index(made, folder, format)
    click.echo(f"wrote {len(made)} figures to {folder}", err=True)


def _inapplicable(results: Results, selectors: Selectors) -> set[str]:
    """The kinds that are not drawn unless they are asked for by name."""
    from ..assessment.data.choice import choose
    from ..assessment.data.fronts.archives import on_two_objectives

    left = {*_ASKED_FOR}
    if len(list(selectors["algorithms"] or results.algorithms)) != 2:
        left.update(_OF_TWO)
    if not find_spec("moocore"):
        left.update(_BY_MOOCORE)
    if not on_two_objectives(results.log, choose(results.log, **selectors)).any():
        left.update(_OF_TWO_OBJECTIVES)
    return left


def _write_index(made: Sequence[Drawing], folder: Path, form: str) -> None:
    blocks = [f"![{one.name}]({one.name}.{form})\n\n{one.caption}\n" for one in made]
    text = "# Figures\n\n" + "\n".join(blocks)
    (folder / "README.md").write_text(text, encoding="utf-8")
