"""What an eye sees in every kind of figure: no text over text or outside, panels wide enough.

``FIRSTHIT_ALL_FIGURES=1 pytest -m slow`` on this file draws all sizes, else a third of them.

Private names: colours are measured, and each kind of figure is asked for its drawing function.
"""

import itertools
import os

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.lines import Line2D
from matplotlib.text import Text

from firsthit import Observer, Suite
from firsthit.assessment import load
from firsthit.assessment.figures.style import COLOURS, N_STYLES, hatch_of, style_of
from firsthit.assessment.questions._framework.registry import figure, figure_names
from firsthit.assessment.questions._framework.render import drawings

KINDS = figure_names()
OF_TWO_OBJECTIVES = [kind for kind in KINDS if "front" in kind or "surface" in kind]
OF_SEVERAL_DIMENSIONS = ("ecdf-dimensions", "scaling", "scaling-functions")
OF_TWO_OR_MORE = (
    "critical-difference", "heatmap", "loss", "performance-profile", "ranks-over-budgets",
)  # fmt: skip
"""Kinds that compare algorithms, besides those of exactly two."""
ALGORITHMS, FUNCTIONS, DIMENSIONS = (1, 2, 12, 20), (1, 3, 24), (1, 4)
MAX_DRAWINGS = 3
"""Maximum number of figures of one kind and size that are looked at."""
SLACK = 1.0
"""Pixels (at 100 to the inch) by which boxes of text may touch: they have a border."""

# Machado, Oliveira, Fernandes (2009), severity 1, on linear RGB
VISION = {
    "usual": np.eye(3),
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
               [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
               [-0.011820, 0.042940, 0.968881]],
    "tritan": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
               [0.004733, 0.691367, 0.303900]],
}  # fmt: skip
MIN_DIFFERENCE = 15
"""Of two colours by CIEDE2000, if nothing else tells two styles apart."""


def linear(colour):
    values = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def cielab(rgb):
    """Convert linear RGB (sRGB primaries, D65) to CIELAB."""
    xyz = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
                    [0.0193339, 0.1191920, 0.9503041]]) @ np.clip(rgb, 0, 1)  # fmt: skip
    ratios = xyz / [0.95047, 1.0, 1.08883]
    x, y, z = np.where(
        ratios > 216 / 24389, np.cbrt(ratios), (24389 / 27 * ratios + 16) / 116
    )  # fmt: skip
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def ciede2000(one, other):
    """Compute the difference of two colours in CIELAB (Sharma, Wu, Dalal 2005)."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    chroma = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    stretch = 1.5 - 0.5 * np.sqrt(chroma**7 / (chroma**7 + 25.0**7))
    c1, c2 = np.hypot(stretch * a1, b1), np.hypot(stretch * a2, b2)
    h1, h2 = (np.degrees(np.arctan2(b, stretch * a)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = 0.0 if c1 * c2 == 0 else (h2 - h1 + 180) % 360 - 180
    lightness, c = (l1 + l2) / 2, (c1 + c2) / 2
    hue = h1 + h2 if c1 * c2 == 0 else (h1 + turn / 2) % 360
    cosine = [
        np.cos(np.radians(n * hue - shift)) for n, shift in ((1, 30), (2, 0), (3, -6), (4, 63))
    ]
    t = 1 + np.dot([-0.17, 0.24, 0.32, -0.2], cosine)
    rotation = (
        -2
        * np.sqrt(c**7 / (c**7 + 25.0**7))
        * np.sin(np.radians(60 * np.exp(-(((hue - 275) / 25) ** 2))))
    )
    by_lightness = (l2 - l1) / (
        1 + 0.015 * (lightness - 50) ** 2 / np.sqrt(20 + (lightness - 50) ** 2)
    )
    by_chroma = (c2 - c1) / (1 + 0.045 * c)
    by_hue = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2)) / (1 + 0.015 * c * t)
    return np.sqrt(by_lightness**2 + by_chroma**2 + by_hue**2 + rotation * by_chroma * by_hue)


@pytest.mark.parametrize(
    ("one", "other", "difference"),
    [
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, 2.5, 0), (73, 25, -18), 27.1492),
        ((90.9257, -0.5406, -0.9208), (88.6381, -0.8985, -0.7239), 1.5381),
    ],
)
def test_ciede2000_is_that_of_sharma_et_al(one, other, difference):
    assert ciede2000(one, other) == pytest.approx(difference, abs=1e-4)


def test_colours_differ_also_for_the_colour_blind_and_stand_out_from_white_and_dark_paper():
    for colour in COLOURS:
        light = linear(colour) @ [0.2126, 0.7152, 0.0722]
        dark = linear("#0f1418") @ [0.2126, 0.7152, 0.0722]
        assert 1.05 / (light + 0.05) >= 3
        assert (light + 0.05) / (dark + 0.05) >= 3
    for one, other in itertools.combinations(COLOURS, 2):
        for matrix in VISION.values():
            seen = [cielab(np.array(matrix) @ linear(colour)) for colour in (one, other)]
            assert ciede2000(*seen) >= MIN_DIFFERENCE, (one, other)


def test_no_two_of_sixty_styles_of_curves_points_and_areas_are_equal():
    styles = [style_of(i) for i in range(60)]
    assert len({(style["color"], str(style["linestyle"])) for style in styles}) == N_STYLES == 60
    assert len({(style["color"], style["marker"]) for style in styles}) == 60
    assert len({(style["color"], hatch_of(i)) for i, style in enumerate(styles)}) == 60


@pytest.fixture(scope="session")
def logs(tmp_path_factory):
    """A function: suite, numbers of algorithms, functions and dimensions, long names -> log."""
    files = {}

    def make(suite, algorithms, functions, dimensions, has_long_names):
        key = suite, functions, dimensions, has_long_names
        if key not in files:
            folder = tmp_path_factory.mktemp("eyes")
            files[key] = [folder / f"{number}.h5" for number in range(max(ALGORITHMS))]
        for number, file in enumerate(files[key][:algorithms]):
            if not file.exists():
                record(file, number, *key)
        return load(files[key][:algorithms]).log

    return make


def record(file, number, suite_name, functions, dimensions, has_long_names):
    """Runs of one algorithm. Every third finds the optimum; all long names begin alike."""
    name = f"an algorithm whose name is long {number}" if has_long_names else f"a{number:02d}"
    rng = np.random.default_rng(number)
    suite = Suite(suite_name, f"1-{functions}", (2, 3, 5, 10)[:dimensions], "1-2")
    with Observer(file, algorithm=name) as observer:
        for i, problem in enumerate(observer(suite)):
            spread = np.repeat(0.5 ** np.arange(0, 12 + number), 8)[:, None]
            is_solved = number % 3 == 0 and suite_name == "bbob"
            best = suite[i].optimal_solution if is_solved else 0.0
            problem.note(sigma=1.0 + i)
            problem(best + spread * rng.normal(size=(len(spread), problem.dimension)))


def texts_of(figure):
    """Boxes of all texts that are seen, each with the text and the axes it belongs to."""
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
    yield from equal_styles(drawn)
    for axes in drawn.axes:
        if axes.axison and axes.get_label() != "<colorbar>":
            yield from faults_of_panel(axes)


def equal_styles(drawn):
    """Name the styles that two names of one panel, or two below all panels, have."""
    lists = [[key for key in axes.findobj(Line2D) if key.get_gid() == "key"] for axes in drawn.axes]
    for keys in [*lists, *(legend.get_lines() for legend in drawn.legends)]:
        # matplotlib has no public name for the dashes of a line
        styles = [(key.get_color(), key._unscaled_dash_pattern, key.get_marker()) for key in keys]
        for style in set(styles):
            if styles.count(style) > 1:
                yield f"{styles.count(style)} names have the style {style}"


def is_empty(axes):
    """Return whether nothing is drawn in a panel."""
    lines = [
        line for line in axes.get_lines() if line.get_transform().contains_branch(axes.transData)
    ]
    has_points = any(
        np.isfinite(np.asarray(line.get_xydata(), float)).all(axis=1).any() for line in lines
    )
    return not (has_points or axes.collections or axes.images or axes.patches)


def faults_of_panel(axes):
    """Whether it is thinner than its labels, or an axis goes on where nothing is drawn."""
    if is_empty(axes):
        yield "an empty panel"
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
        margin = max(20, (data.max() / data.min()) ** 0.06)
        if low < data.min() / margin or high > margin * data.max():
            yield f"{name} from {low:g} to {high:g}, data from {data.min():g} to {data.max():g}"


def picture_of(drawing):
    canvas = FigureCanvasAgg(drawing.figure)
    canvas.draw()
    return bytes(canvas.buffer_rgba())


def check(logs, kind, algorithms, functions, dimensions):
    """Look at the first figures of a kind; long names and the width alternate with the size."""
    suite = "bbob-biobj" if kind in OF_TWO_OBJECTIVES else "bbob"
    number = KINDS.index(kind) + FUNCTIONS.index(functions) + DIMENSIONS.index(dimensions)
    log = logs(suite, algorithms, functions, dimensions, bool(number % 2))
    selected = {"algorithms": log.algorithms[:2]} if figure(kind).question.two else {}
    width = ("column", "page")[number // 2 % 2]
    pictures, all_faults = [], []
    for drawing in itertools.islice(drawings(kind, log, selected, width), MAX_DRAWINGS):
        all_faults += [f"{drawing.name}: {fault}" for fault in faults(drawing.figure)]
        pictures.append(picture_of(drawing))
    assert all_faults == []
    assert len(set(pictures)) == len(pictures) > 0


def numbers_of_algorithms(kind):
    if figure(kind).question.two:
        return (2,)
    return ALGORITHMS[1:] if kind in OF_TWO_OR_MORE else ALGORITHMS


def sizes_of(kind):
    """Yield sizes in which every number of algorithms, functions and dimensions occurs.

    They are a third of all sizes, or all of a kind with one number of algorithms. If the
    environment variable FIRSTHIT_ALL_FIGURES is set, they are all sizes.
    """
    numbers = numbers_of_algorithms(kind)
    is_complete = len(numbers) == 1 or "FIRSTHIT_ALL_FIGURES" in os.environ
    dimensions = DIMENSIONS[1:] if kind in OF_SEVERAL_DIMENSIONS else DIMENSIONS
    for i, j in itertools.product(range(len(numbers)), range(len(FUNCTIONS))):
        if is_complete or (KINDS.index(kind) + i + j) % 3 == 0:
            yield from ((kind, numbers[i], FUNCTIONS[j], dimension) for dimension in dimensions)


def test_every_kind_is_drawn_with_every_number_of_algorithms_functions_and_dimensions():
    for kind in KINDS:
        _, *drawn_numbers = map(set, zip(*sizes_of(kind), strict=True))
        dimensions = DIMENSIONS[1:] if kind in OF_SEVERAL_DIMENSIONS else DIMENSIONS
        assert drawn_numbers == [set(numbers_of_algorithms(kind)), set(FUNCTIONS), set(dimensions)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "algorithms", "functions", "dimensions"),
    [case for kind in KINDS for case in sizes_of(kind)],
)
def test_a_figure_has_no_faults(kind, algorithms, functions, dimensions, logs):
    check(logs, kind, algorithms, functions, dimensions)


@pytest.mark.parametrize(
    ("kind", "algorithms"), [("attainment", 2), ("parameters", 2), ("scatter", 2)]
)
def test_a_small_figure_has_no_faults(kind, algorithms, logs):
    check(logs, kind, algorithms, 1, 1)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_highlighting_changes_figures_that_draw_algorithms_in_styles(kind, logs):
    log = logs("bbob-biobj" if kind in OF_TWO_OBJECTIVES else "bbob", 2, 3, 4, False)
    pictures = [
        [
            picture_of(drawing)
            for drawing in itertools.islice(
                drawings(kind, log, highlight=highlighted), MAX_DRAWINGS
            )
        ]
        for highlighted in (None, [])
    ]
    assert (pictures[0] != pictures[1]) == figure(kind).has_styles
