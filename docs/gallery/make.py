"""Draw the pictures of this folder, and write their page.

    firsthit run docs/gallery/gallery.yaml            a few minutes; writes results/gallery.h5
    python docs/gallery/make.py results/gallery.h5

A picture has as many of its colours as fit into 100 kB.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from matplotlib import rc_context
from PIL import Image

import firsthit
from firsthit.assessment.figures import Drawing
from firsthit.assessment.figures.style import STYLE
from firsthit.assessment.questions._framework import registry
from firsthit.assessment.questions._framework.render import drawings
from firsthit.assessment.selection import Selectors

FOLDER = Path(__file__).parent
NUMBERS_OF_COLOURS = (256, 128, 64, 28)
MAX_BYTES = 100_000
HEAD = """# Gallery of figures

The figures show five optimizers on the 24 functions of bbob in 2, 3, 5 and 10 dimensions. Each has
five instances and 1000 · D evaluations per run ([campaign](gallery.yaml), [script](make.py)).

The command below a picture draws it. `--format pdf` and `--width column` or `page` fit it to a
paper. Its caption is written into `NAME.txt`. An algorithm has the same colour and dashes in all
figures and in the report.

"""


@dataclass(frozen=True)
class Shown:
    """A picture of the gallery.

    Attributes:
        kind: Type of the figure.
        options: Selectors, and options of the question, by name.
        number: Position of the figure among those that the options draw, from 0.
        width: ``"column"`` or ``"page"``.
    """

    kind: str
    options: dict[str, str]
    number: int = 0
    width: str = "column"

    @property
    def command(self) -> str:
        """Command that draws the figure; only ``assess`` has the options of a question."""
        options = "".join(f" --{name} {value}" for name, value in self.options.items())
        width = "" if self.width == "column" else f" --width {self.width}"
        if {*self.options} <= {*Selectors.__annotations__}:
            return f"firsthit figures results/gallery.h5 --kinds {self.kind}{options}{width}"
        figure = registry.figure(self.kind)
        assert figure is not None
        name = figure.question.name
        return f"firsthit assess {name} results/gallery.h5{options} --plot {self.kind}.pdf{width}"


PAIR = {"algorithms": "BIPOP-CMA-ES,L-BFGS-B", "dimensions": "5"}
CURATED = (
    Shown("ecdf", {"dimensions": "10"}),
    Shown("ecdf", {"dimensions": "10", "functions": "15-19"}),
    Shown("heatmap", {"dimensions": "10"}, width="page"),
    Shown("heatmap", {"dimensions": "5"}),
    Shown("scaling", {"functions": "8"}),
    Shown("convergence", {"functions": "8", "dimensions": "10"}),
    Shown("precision", {"dimensions": "5"}),
    Shown("loss", {"dimensions": "5"}),
    Shown("critical-difference", {"dimensions": "5"}),
)
ON_REQUEST = (
    Shown("ratios", PAIR),
    Shown("scatter", {"algorithms": PAIR["algorithms"], "functions": "8"}),
    Shown("ecdf-functions", {"dimensions": "5"}, width="page"),
    Shown("ecdf-dimensions", {"algorithms": "BIPOP-CMA-ES"}),
    Shown("ecdf-dimensions", {}, number=5),
    Shown("dual-ecdf", {"dimensions": "5"}, width="page"),
    Shown("scaling-functions", {}, number=1),
    Shown("cuts", {"functions": "8", "dimensions": "5"}),
    Shown(
        "precision-density",
        {"functions": "8", "dimensions": "5", "shape": "density-nrd0"},
        width="page",
    ),
    Shown("runtime-density", {"functions": "8", "dimensions": "5"}),
    Shown("fixed-budget", {"functions": "8", "dimensions": "5"}),
    Shown("restarts", {"functions": "8", "dimensions": "5"}),
    Shown("attainment", {"dimensions": "5"}),
    Shown("attainment-difference", PAIR),
    Shown("ranks-over-budgets", {"dimensions": "5"}),
    Shown("data-profile", {"dimensions": "5", "tau": "1e-3"}),
    Shown("performance-profile", {"dimensions": "5", "tau": "1e-3"}),
    Shown("art", {"functions": "8", "dimensions": "5"}),
)


def draw(results: firsthit.Results, shown: Shown) -> Drawing:
    """Draw the figure of a picture."""
    chosen: dict[str, object] = {**shown.options}
    if "algorithms" in chosen:
        chosen["algorithms"] = shown.options["algorithms"].split(",")
    figures = drawings(shown.kind, results.log, chosen, shown.width)
    return [next(figures) for _ in range(shown.number + 1)][-1]


def write(drawing: Drawing, name: str) -> None:
    """Write a picture with as many colours as fit into `MAX_BYTES`."""
    data = io.BytesIO()
    with rc_context(STYLE):
        drawing.figure.savefig(data, format="png")
    picture = Image.open(data).convert("RGB")
    for n_colours in NUMBERS_OF_COLOURS:
        reduced = picture.quantize(n_colours, dither=Image.Dither.NONE)
        reduced.save(FOLDER / name, optimize=True)
        if (FOLDER / name).stat().st_size <= MAX_BYTES:
            return


def cards(results: firsthit.Results, pictures: tuple[Shown, ...]) -> Iterator[str]:
    """Write the pictures, and yield the card of each of them."""
    for shown in pictures:
        drawing = draw(results, shown)
        name = f"{drawing.name}.png"
        if shown.options.get("functions", "").find("-") > 0:
            name = f"{drawing.name}_f{shown.options['functions']}.png"
        if shown.width == "page":
            name = name.replace(".png", "_page.png")
        write(drawing, name)
        description = re.split(r"\.(?= |$)", drawing.caption)[0]  # the first sentence
        columns = ":columns: 12\n" if shown.width == "page" else ""
        yield (
            f"::::{{grid-item-card}}\n{columns}\n![{description}]({name})\n\n{drawing.caption}\n\n"
            f"    {shown.command}\n::::\n"
        )


def main(log: str) -> None:
    """Replace all pictures and the page."""
    results = firsthit.load(log)
    for old in (*FOLDER.glob("*.png"), *FOLDER.glob("*.txt")):
        old.unlink()
    page = HEAD
    for title, pictures in (("Default figures", CURATED), ("Other figures", ON_REQUEST)):
        page += f"## {title}\n\n:::::{{grid}} 1 1 2 2\n:gutter: 3\n\n"
        page += "\n".join(cards(results, pictures)) + ":::::\n\n"
    (FOLDER / "README.md").write_text(page.rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
