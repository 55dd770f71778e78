"""``firsthit figures``: figures for papers, each with a text that says what is drawn."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from ..terminal import options
from ..terminal.assessing import of_logs

if TYPE_CHECKING:
    from ..assessment import Results, Selectors
    from ..assessment.data.target_choice import Counted
    from ..assessment.figures import Drawing

KINDS = (
    "ecdf", "ecdf-functions", "joint", "scaling", "convergence", "cuts", "precision",
    "fixed-budget", "runtime-shapes", "precision-shapes", "heatmap", "loss", "scatter", "ratios",
    "restarts", "notes", "critical-difference", "attainment", "attainment-difference", "surfaces",
    "surface-difference", "fronts",
)  # fmt: skip
DEFAULT_KINDS = (
    "ecdf", "heatmap", "scaling", "convergence", "precision", "loss", "critical-difference",
    "surfaces",
)  # fmt: skip
_OF_TWO = ("scatter", "ratios", "attainment-difference", "surface-difference")
"""Drawn unasked only where there are exactly two algorithms."""
_WHERE_THEY_APPLY = (
    "notes", "critical-difference", "attainment-difference", "runtime-shapes", "precision-shapes",
)  # fmt: skip
"""Drawn unasked only where there is something to be drawn."""
_OF_TWO_OBJECTIVES = ("surfaces", "surface-difference")
"""Drawn unasked only of runs on two objectives."""
_ASKED_FOR = ("fronts",)
"""Drawn only where they are asked for: there is one for each instance."""
_BY_MOOCORE = ("attainment", "attainment-difference", "surface-difference")
"""Drawn unasked only where the package is installed."""
_OF_ALL_EVALUATIONS = ("restarts", "notes", "fronts", "surfaces", "surface-difference")
"""Not drawn of recommended solutions: these show what else a run did, by its evaluations."""
_USERS = {
    "reference": ("loss", "joint", "ecdf", "ecdf-functions"),
    "unequal": ("ecdf", "ecdf-functions", "joint", "precision", "critical-difference"),
    "budgets": ("precision", "precision-shapes", "joint"),
    "joined": ("precision",),
    "budget": ("cuts",),
    "target": ("cuts",),
    "shape": ("runtime-shapes", "precision-shapes"),
    "names": ("notes",),
    "objectives": ("fronts",),
    "count": tuple(kind for kind in KINDS if kind not in _OF_ALL_EVALUATIONS),
}
"""Options to the kinds that have a use for them; refused where none of these is drawn."""


@click.command()
@of_logs
@click.option("-o", "--output", metavar="FOLDER", default="figures", show_default=True)
@options.chosen_from("--format", ["pdf", "svg", "png", "pgf"], "pgf needs a TeX system.")
@click.option(
    "--kinds",
    metavar="NAMES",
    help=f"Separated by commas, or 'all', of {', '.join(KINDS)} [default, as far as they apply: "
    f"{', '.join(DEFAULT_KINDS)}].",
)
@options.chosen_from("--width", ["column", "page"], "Of a paper: 3.4 or 7 inches.")
@click.option(
    "--reference",
    metavar="NAME",
    help="Of loss, joint, ecdf and ecdf-functions: an algorithm of LOGS, 'best' of them, or a file "
    "of COCO's reference data; thick in profiles [default: best; of ecdf and ecdf-functions none].",
)
@options.unequal
@click.option(
    "--budgets",
    metavar="NUMBERS",
    help="Of precision, precision-shapes and joint: multiples of the dimension, such as 10,1e3 "
    "[default: 1, 10, 100, … up to the longest run].",
)
@click.option(
    "--joined", is_flag=True, help="Of precision: one curve over all --budgets, not one for each."
)
@click.option(
    "--budget",
    metavar="NUMBER",
    help="Of cuts: a multiple of the dimension, such as 100 or 100*D [default: the largest power "
    "of ten below the longest run].",
)
@click.option(
    "--target",
    type=float,
    metavar="NUMBER",
    help="Of cuts: a precision [default: 1e-1, or the second of four of the suite's].",
)
@options.chosen_from(
    "--shape",
    ["density", "mass", "density-nrd0"],
    "Of runtime-shapes and precision-shapes, as in `assess`.",
)
@click.option(
    "--names", metavar="NAMES", help="Of notes: parameters, separated by commas [default: all]."
)
@options.chosen_from(
    "--objectives", ["scaled", "raw"], "Axes of fronts: 0 ideal and 1 nadir, or the values."
)
@options.count
@options.recommended
@options.seed("all that is simulated")
@click.option("--index", is_flag=True, help="Also write FOLDER/README.md that shows them all.")
def command(
    results: Results,
    counted: Counted,
    output: str,
    format: str,
    kinds: str | None,
    width: str,
    seed: int,
    index: bool,
    names: str | None,
    **wishes: Any,
) -> None:
    """Draw figures for a paper into FOLDER, with a caption NAME.txt for each.

    Files that exist there under the same names are replaced. Unless --kinds names them, figures of
    two algorithms are drawn where LOGS hold exactly two. An option of some kinds is refused where
    none of them is drawn.
    """
    from ..assessment.errors import AssessmentError, writing
    from ..assessment.figures import Wanted, drawings, save

    parameters = None if names is None else [name.strip() for name in names.split(",")]
    wishes["count"] = counted.get("count") or "f+g"
    selectors = cast("Selectors", {n: one for n, one in counted.items() if n != "count"})
    wanted = Wanted(selectors, seed=seed, width=width, names=parameters, **wishes)
    some = {None: DEFAULT_KINDS, "all": KINDS}.get(kinds)
    unasked = some is not None
    if some is None:
        chosen = [name.strip() for name in (kinds or "").split(",")]
    else:
        left = _inapplicable(results, selectors)
        chosen = [name for name in some if name not in left]
    _check_uses(chosen)
    if results.log.recommended and (wrong := set(chosen) & set(_OF_ALL_EVALUATIONS)):
        raise click.UsageError(
            f"--recommended: figures of kind {', '.join(sorted(wrong))} show what runs did besides "
            "recommending; draw them without"
        )
    folder = Path(output)
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    again = shlex.join(["firsthit", *sys.argv[1:]])
    made = []
    for name in chosen:
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


def _check_uses(kinds: Sequence[str]) -> None:
    """Refuse options that none of the kinds has a use for.

    Raises:
        click.UsageError: An option is given without need.
    """
    for option, users in _USERS.items():
        if options.is_given(option) and not set(users) & set(kinds):
            raise click.UsageError(
                f"--{option}: only figures of kind {' and '.join(users)} have a use for it; name "
                f"one with --kinds (to be drawn: {', '.join(kinds)})"
            )


def _inapplicable(results: Results, selectors: Selectors) -> set[str]:
    """The kinds that are not drawn unless they are asked for by name."""
    from ..assessment.data.choice import choose
    from ..assessment.data.fronts.archives import on_two_objectives

    left = {*_ASKED_FOR}
    if results.log.recommended:
        left.update(_OF_ALL_EVALUATIONS)
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
