"""What an eye sees in every kind of figure: no text over text or outside, panels wide enough."""

import itertools

import numpy as np
import pytest

from firsthit import Observer, Suite
from firsthit.assessment import load
from firsthit.assessment.asking.drawing import drawings
from firsthit.assessment.asking.registry import figure, figure_names
from firsthit.assessment.figures.style import COLOURS

ONE_OBJECTIVE = [name for name in figure_names() if "front" not in name and "surface" not in name]
NUMBERS = (1, 2, 3, 8, 12)
"""Of algorithms."""
RANKS = "ranks-over-budgets"
OF_ONE_FUNCTION = {
    kind for kind in ONE_OBJECTIVE
    if kind.endswith("density") or "function" in str(figure(kind).cells).split()
}  # fmt: skip
OF_SEVERAL_DIMENSIONS = {"scaling", "scatter"}
"""All others show one dimension: more of them in the log would change nothing."""
SLACK = 1.0
"""Pixels (at 100 to the inch) by which boxes of text may touch: they have a border."""

# Machado, Oliveira, Fernandes (2009), severity 1, on linear RGB
VISION = {
    "usual": np.eye(3),
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
               [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
               [-0.011820, 0.042940, 0.968881]],
}  # fmt: skip


def linear(colour):
    values = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def oklab(rgb):
    """Coordinates in which distances are about those that eyes see (Ottosson 2020)."""
    cones = [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
             [0.0883024619, 0.2817188376, 0.6299787005]]  # fmt: skip
    lab = [[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
           [0.0259040371, 0.7827717662, -0.8086757660]]  # fmt: skip
    return np.array(lab) @ np.cbrt(np.array(cones) @ np.clip(rgb, 0, 1))


def test_ten_colours_differ_on_white_and_on_dark_paper_also_for_the_colour_blind():
    assert len(COLOURS) >= 10
    for colour in COLOURS:
        light = linear(colour) @ [0.2126, 0.7152, 0.0722]
        dark = linear("#0f1418") @ [0.2126, 0.7152, 0.0722]
        assert 1.05 / (light + 0.05) >= 3
        assert (light + 0.05) / (dark + 0.05) >= 3
    for one, other in itertools.combinations(COLOURS, 2):
        for matrix in VISION.values():
            seen = [oklab(np.array(matrix) @ linear(colour)) for colour in (one, other)]
            assert np.linalg.norm(seen[0] - seen[1]) > 0.07, (one, other)


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """A function: numbers of algorithms, functions and dimensions, length of names -> log."""
    files = {}

    def make(algorithms, functions, dimensions, length):
        key = functions, dimensions, length
        if key not in files:
            folder = tmp_path_factory.mktemp("eyes")
            files[key] = [folder / f"{place}.h5" for place in range(max(NUMBERS))]
        for place, file in enumerate(files[key][:algorithms]):
            if not file.exists():
                record(file, place, *key)
        return load(files[key][:algorithms]).log

    return make


def record(file, place, functions, dimensions, length):
    """Runs of one algorithm; every third finds the optimum."""
    name = f"{place:02d}" + "abcdefghij" * 5
    rng = np.random.default_rng(place)
    suite = Suite("bbob", f"1-{functions}", (2, 3, 5, 10)[:dimensions], "1-2")
    with Observer(file, algorithm=name[:length]) as observer:
        for number, problem in enumerate(observer(suite)):
            spread = np.repeat(0.5 ** np.arange(0, 12 + place), 8)[:, None]
            best = suite[number].optimal_solution if place % 3 == 0 else 0.0
            problem.note(sigma=1.0 + number)
            problem(best + spread * rng.normal(size=(len(spread), problem.dimension)))


def texts_of(figure):
    """Boxes of all texts that are seen, each with the text and the axes it belongs to."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.text import Text

    canvas = FigureCanvasAgg(figure)
    figure.draw_without_rendering()
    renderer = canvas.get_renderer()
    hidden = {
        id(label)
        for axes in figure.axes
        for axis, low_high in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim()))
        for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks())
        for label in (tick.label1, tick.label2)
        if not axes.axison
        or not min(low_high) * (1 - 1e-9) <= tick.get_loc() <= max(low_high) * (1 + 1e-9)
    }
    found = []
    for text in figure.findobj(Text):
        if text.get_visible() and text.get_text().strip() and id(text) not in hidden:
            found.append((text.get_text(), text.get_window_extent(renderer)))
    return [one for one in found if one[1].width > 0]


def faults(drawn):
    texts = texts_of(drawn)
    whole = drawn.bbox
    for said, box in texts:
        if (
            box.x0 < -SLACK or box.y0 < -SLACK
            or box.x1 > whole.x1 + SLACK or box.y1 > whole.y1 + SLACK
        ):  # fmt: skip
            yield f"{said!r} is outside"
    for (one, a), (other, b) in itertools.combinations(texts, 2):
        across = min(a.x1, b.x1) - max(a.x0, b.x0)
        up = min(a.y1, b.y1) - max(a.y0, b.y0)
        if across > SLACK and up > SLACK:
            yield f"{one!r} over {other!r}"
    for axes in drawn.axes:
        if axes.axison and axes.get_label() != "<colorbar>":
            yield from faults_of_panel(axes)


def faults_of_panel(axes):
    """Whether it is thinner than its labels, or an axis goes on where nothing is drawn."""
    box = axes.get_window_extent()
    across = [tick.label1.get_window_extent().width for tick in axes.xaxis.get_major_ticks()]
    upright = [label.get_rotation() % 180 == 90 for label in axes.get_xticklabels()]
    if box.height < 12 or box.width < 25 or (max(across, default=0) > box.width and upright[0]):
        yield f"a panel of {box.width:.0f} × {box.height:.0f}"
    for name, shared in (("x", axes.get_shared_x_axes()), ("y", axes.get_shared_y_axes())):
        low, high = sorted(getattr(axes, f"{name}axis").get_view_interval())
        ends = [getattr(one.dataLim, f"interval{name}") for one in shared.get_siblings(axes)]
        data = np.array(ends)[np.isfinite(ends).all(axis=1)]
        if getattr(axes, f"get_{name}scale")() != "log" or not data.size or data.min() <= 0:
            continue
        if low < data.min() / 20 or high > 20 * data.max():
            yield f"{name} from {low:g} to {high:g}, data from {data.min():g} to {data.max():g}"


def product_of_sizes():
    """Of each kind many and one other number of algorithms; other sizes change with the kind.

    So every size meets every kind of figure or a neighbour of it, and every two sizes each other.
    """
    for place, kind in enumerate(ONE_OBJECTIVE):
        two = bool(figure(kind).question.two) or kind in ("critical-difference", RANKS)
        *others, many = NUMBERS[two:]
        for i, algorithms in enumerate((others[place % len(others)], many)):
            functions = 1 if kind in OF_ONE_FUNCTION else (1, 3, 24)[(i + place) % 3]
            dimensions = (1, 4)[(i + place // 2) % 2] if kind in OF_SEVERAL_DIMENSIONS else 1
            if kind == RANKS:  # it names no function, and resamples all
                functions = 3
            length, width = (5, 45)[(i + place // 3) % 2], ("column", "page")[(i + place // 4) % 2]
            yield kind, algorithms, functions, dimensions, length, width


def check(logs, kind, *sizes, width):
    """Draw the first figure of a kind and look at it."""
    log = logs(*sizes)
    chosen = {"algorithms": log.algorithms[:2]} if figure(kind).question.two else {}
    drawing = next(drawings(kind, log, chosen, width))
    assert list(faults(drawing.figure)) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "algorithms", "functions", "dimensions", "length", "width"), list(product_of_sizes())
)
def test_nothing_is_over_anything_or_outside(
    kind, algorithms, functions, dimensions, length, width, logs
):
    check(logs, kind, algorithms, functions, dimensions, length, width=width)


@pytest.mark.parametrize("kind", ["attainment", "parameters", "scatter"])
def test_two_long_names_in_a_column(kind, logs):
    check(logs, kind, 2, 1, 1, 45, width="column")
