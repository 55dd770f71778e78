"""``firsthit figures``: figures for papers, each with a text that says what is drawn."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from ..assessment.asking import registry
from ..terminal import options
from ..terminal.assessing import of_logs
from ..terminal.options import Command
from ..terminal.questions import option_of

TWO_OBJECTIVES = "two objectives"

if TYPE_CHECKING:
    from ..assessment import Results, Selectors
    from ..assessment.data.target_choice import Counted
    from ..assessment.figures import Drawing

_OLD_KINDS = (
    "cuts",
    "loss", "scatter", "ratios",
    "critical-difference", "attainment", "attainment-difference", "surfaces",
    "surface-difference", "fronts",
)  # fmt: skip
"""Those that no question draws yet."""
_OLD_DEFAULT_KINDS = (
    "loss", "critical-difference",
    "surfaces",
)  # fmt: skip
_OF_TWO = ("scatter", "ratios", "attainment-difference", "surface-difference")
"""Drawn unasked only where there are exactly two algorithms."""
_WHERE_THEY_APPLY = (
    "critical-difference", "attainment-difference",
)  # fmt: skip
"""Drawn unasked only where there is something to be drawn."""
_OF_TWO_OBJECTIVES = ("surfaces", "surface-difference")
"""Drawn unasked only of runs on two objectives."""
_ASKED_FOR = ("fronts",)
"""Drawn only where they are asked for: there is one for each instance."""
_BY_MOOCORE = ("attainment", "attainment-difference", "surface-difference")
"""Drawn unasked only where the package is installed."""
_OF_ALL_EVALUATIONS = ("fronts", "surfaces", "surface-difference")
"""Not drawn of recommended solutions: these show what else a run did, by its evaluations."""
_USERS = {
    "reference": ("loss",),
    "unequal": ("critical-difference",),
    "budget": ("cuts",),
    "target": ("cuts",),
    "objectives": ("fronts",),
    "count": tuple(kind for kind in _OLD_KINDS if kind not in _OF_ALL_EVALUATIONS),
    "seed": ("ecdf-functions"),
}
"""Options to the old kinds that have a use for them; refused where nothing drawn has one."""
_QUESTIONS, _FIGURES = (registry.index()[name] for name in ("questions", "figures"))
KINDS = (*_FIGURES, *_OLD_KINDS)
DEFAULT_KINDS = (
    *(name for name, one in _FIGURES.items() if one["curated"]),
    *_OLD_DEFAULT_KINDS,
)


def _users(option: str) -> list[str]:
    """The kinds that have a use for an option."""
    more = {"unequal": "joins", "count": "counts"}
    own = [
        name
        for name, one in _FIGURES.items()
        if one.get(more.get(option, "")) or any(o["name"] == option for o in one["options"])
    ]
    return [*own, *_USERS.get(option, ())]


def _options_of_figures(command: Command) -> Command:
    """The options of all figures, each once; what is not given stands at each figure's default."""
    there: dict[str, dict[str, Any]] = {}
    for one in _FIGURES.values():
        for option in one["options"]:
            there.setdefault(option["name"], option)
    old = {getattr(one, "name", "") for one in getattr(command, "__click_params__", [])}
    for name, option in there.items():
        if name not in old:
            said = f"Of {', '.join(_users(name))}. {option['general']}".strip()
            params = command.__dict__.setdefault("__click_params__", [])
            params.insert(0, option_of(option, default=False, help=said))
    return command


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
@_options_of_figures
@click.option(
    "--reference",
    metavar="NAME",
    help="Of loss, dual-ecdf, ecdf and ecdf-functions: an algorithm of LOGS, 'best' of them, or a "
    "file of COCO's reference data; thick in profiles [default: best; of ecdf and ecdf-functions "
    "none].",
)
@options.unequal
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
    index: bool,
    **wishes: Any,
) -> None:
    """Draw figures for a paper into FOLDER, with a caption NAME.txt for each.

    Files that exist there under the same names are replaced. Unless --kinds names them, figures of
    two algorithms are drawn where LOGS hold exactly two. An option of some kinds is refused where
    none of them is drawn.
    """
    from ..assessment.asking.drawing import drawings
    from ..assessment.errors import AssessmentError, writing
    from ..assessment.figures import save
    from ..suites.errors import UnknownNameError

    some = {None: DEFAULT_KINDS, "all": KINDS}.get(kinds)
    unasked = some is not None
    if some is None:
        chosen = [name.strip() for name in (kinds or "").split(",")]
    else:
        left = _inapplicable(results, counted)
        chosen = [name for name in some if name not in left]
    for name in chosen:
        if name not in KINDS:
            raise UnknownNameError.of("kind of figure", name, KINDS)
    _check_uses(chosen)
    of_all = {*_OF_ALL_EVALUATIONS, *(n for n in _FIGURES if not _question(n)["recommended"])}
    if results.log.recommended and (wrong := set(chosen) & of_all):
        raise click.UsageError(
            f"--recommended: figures of kind {', '.join(sorted(wrong))} show what runs did besides "
            "recommending; draw them without"
        )
    given = {name: one for name, one in wishes.items() if options.is_given(name)}
    selectors = {name: one for name, one in counted.items() if name != "count"}
    if "count" in counted:
        given["count"] = counted["count"]
    folder = Path(output)
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    again = shlex.join(["firsthit", *sys.argv[1:]])
    made = []
    tolerated = {*_WHERE_THEY_APPLY, *(n for n in _FIGURES if _unasked(n) == "where it applies")}
    for name in chosen:
        try:
            for drawing in drawings(name, results.log, {**selectors, **_taken(name, given)}, width):
                save(drawing, folder, format, again)
                made.append(drawing)
        except AssessmentError as error:
            if not unasked or name not in tolerated:
                raise
            click.echo(f"no figures of kind {name}: {error}", err=True)
    if index:
        _write_index(made, folder, format)
    click.echo(f"wrote {len(made)} figures to {folder}", err=True)


def _taken(kind: str, given: dict[str, Any]) -> dict[str, Any]:
    """Those of the options on the command line that a kind has a use for."""
    return {name: one for name, one in given.items() if kind in _users(name)}


def _question(kind: str) -> dict[str, Any]:
    """The question of a figure, as the index has it."""
    found: dict[str, Any] = _QUESTIONS[_FIGURES[kind]["question"]]
    return found


def _unasked(kind: str) -> str:
    found: str = _FIGURES[kind]["unasked"]
    return found


def _check_uses(kinds: Sequence[str]) -> None:
    """Refuse options that none of the kinds has a use for.

    Raises:
        click.UsageError: An option is given without need.
    """
    every = {option["name"]: None for one in _FIGURES.values() for option in one["options"]}
    for option in {**every, **_USERS}:
        users = _users(option)
        if options.is_given(option) and not set(users) & set(kinds):
            raise click.UsageError(
                f"--{option}: only figures of kind {' and '.join(users)} have a use for it; name "
                f"one with --kinds (to be drawn: {', '.join(kinds)})"
            )


def _inapplicable(results: Results, counted: Counted) -> set[str]:
    """The kinds that are not drawn unless they are asked for by name."""
    from ..assessment.data.choice import choose
    from ..assessment.data.fronts.archives import on_two_objectives

    selectors = cast("Selectors", {n: one for n, one in counted.items() if n != "count"})
    left = {*_ASKED_FOR, *(name for name in _FIGURES if _unasked(name) == "no")}
    if results.log.recommended:
        left.update(_OF_ALL_EVALUATIONS)
        left.update(name for name in _FIGURES if not _question(name)["recommended"])
    if len(list(selectors["algorithms"] or results.algorithms)) != 2:
        left.update(_OF_TWO)
        left.update(name for name in _FIGURES if _question(name)["two"])
    needs = {name: _question(name)["needs"] for name in _FIGURES}
    packages = {one for own in needs.values() for one in own} - {TWO_OBJECTIVES}
    lacking = {one for one in packages if not find_spec(one)}
    if not find_spec("moocore"):
        left.update(_BY_MOOCORE)
    if not on_two_objectives(results.log, choose(results.log, **selectors)).any():
        left.update(_OF_TWO_OBJECTIVES)
        lacking.add(TWO_OBJECTIVES)
    return left | {name for name, own in needs.items() if lacking & {*own}}


def _write_index(made: Sequence[Drawing], folder: Path, form: str) -> None:
    blocks = [f"![{one.name}]({one.name}.{form})\n\n{one.caption}\n" for one in made]
    text = "# Figures\n\n" + "\n".join(blocks)
    (folder / "README.md").write_text(text, encoding="utf-8")
