"""The last step of every figure: titles and labels get lines that have room, ticks stay apart.

Questions say what their figures show, and need not know how long names are.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure
    from matplotlib.text import Text

_ONE_DECADE, _FEW_DECADES = 15.0, 60.0
"""Axes that span less get more ticks than powers of ten."""
_ROUNDING = 1e-9
"""Of numbers that should be equal: an axis of such ends shows nothing else."""
_EDGE_POINTS = 3.0
"""Texts stay so far from each other and from the edge of the figure."""


def fit(figure: Figure) -> None:
    """Break titles and labels that are longer than their room; thin the ticks of logarithmic axes.

    To be called once, when all is drawn. What is one word longer than its room ends in ``…``.
    """
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            _set_few_ticks(axis)
    with missing_glyphs_ignored():
        for _ in range(2):  # more lines make panels smaller, so that others may need more, too
            figure.draw_without_rendering()
            too_long = [(text, room) for text, room in _rooms(figure) if _length(text) > room]
            if not too_long:
                break
            for text, room in too_long:
                _break(text, room)


@contextmanager
def missing_glyphs_ignored() -> Iterator[None]:
    """Draw without a warning for each letter of a name that the font lacks."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing", category=UserWarning)
        yield


def _set_few_ticks(axis: Axis) -> None:
    """Labels of a logarithmic axis: of powers of ten, within few also 2 and 5.

    Where fewer than two of these are inside, some round numbers.
    """
    from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter, StrMethodFormatter

    scale: Any = axis.get_transform()
    if not isinstance(axis.get_major_locator(), LogLocator) or scale.base != 10:
        return
    low, high = sorted(axis.get_view_interval())
    if 0 < high <= low * (1 + _ROUNDING):
        low, high = low / 2, high * 2
        axis.set_view_interval(low, high, ignore=True)
    if low > 0 and high / low < _FEW_DECADES:
        subs = (1.0, 2.0, 5.0) if high / low < _ONE_DECADE else (1.0, 3.0)
        inside = [sub * 10.0**k for k in range(-30, 31) for sub in subs]
        several = sum(low <= tick <= high for tick in inside) > 1
        axis.set_major_locator(LogLocator(subs=subs, numticks=6) if several else MaxNLocator(2))
        axis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axis.set_minor_formatter(NullFormatter())


def _rooms(figure: Figure) -> Iterator[tuple[Text, float]]:
    """Titles, labels of axes and texts inside them, each with the pixels that it may be long."""
    edge = _EDGE_POINTS * figure.dpi / 72
    right, top = figure.bbox.width - edge, figure.bbox.height - edge
    if figure.get_suptitle():
        top = max(text.get_window_extent().y0 for text in figure.texts if _is_across(text)) - edge
    for text in figure.texts:
        yield text, _room(text, edge, right if _is_across(text) else top)
    for axes in figure.axes:
        for label, end in ((axes.xaxis.label, right), (axes.yaxis.label, top)):
            yield label, _room(label, edge, end)
        for title in _titles(axes):
            yield title, _room(title, edge, min([right, *_titles_after(figure, axes, edge)]))
        box = axes.get_window_extent()
        for text in axes.texts:
            if text.get_transform() == axes.transAxes and text.get_position()[0] <= 1:
                yield text, _room(text, box.x0, box.x1)


def _titles(axes: Axes) -> list[Text]:
    """The titles at the left, in the middle and at the right that are not empty."""
    from matplotlib.text import Text

    texts = [child for child in axes.get_children() if isinstance(child, Text)]
    return [text for text in texts if text.get_text() and text not in axes.texts]


def _titles_after(figure: Figure, axes: Axes, edge: float) -> Iterator[float]:
    """Where titles begin of panels at the right of one, in its row."""
    own = axes.get_window_extent()
    for other in figure.axes:
        box = other.get_window_extent()
        if box.x0 >= own.x1 and abs(box.y1 - own.y1) < edge:
            yield from (title.get_window_extent().x0 - edge for title in _titles(other))


def _is_across(text: Text) -> bool:
    return text.get_rotation() % 180 == 0


def _length(text: Text) -> float:
    box = text.get_window_extent()
    return float(box.width if _is_across(text) else box.height)


def _room(text: Text, start: float, end: float) -> float:
    """How long a text may be between two ends, where it is and as it is aligned."""
    box = text.get_window_extent()
    low, high = (box.x0, box.x1) if _is_across(text) else (box.y0, box.y1)
    aligned = text.get_horizontalalignment()
    if aligned == "center":
        return 2 * min(float(low + high) / 2 - start, end - float(low + high) / 2)
    return end - float(low) if aligned == "left" else float(high) - start


def _break(text: Text, room: float) -> None:
    """Put a text into lines of at most so many pixels."""
    lines = []
    for line in text.get_text().split("\n"):
        words = line.split(" ")
        while words:
            count = len(words)
            while count > 1 and _length_of(text, " ".join(words[:count])) > room:
                count -= 1
            lines.append(_cut(text, " ".join(words[:count]), room))
            words = words[count:]
    text.set_text("\n".join(lines))


def _cut(text: Text, line: str, room: float) -> str:
    """A line, without its last letters where it is too long."""
    kept = line
    while len(kept) > 1 and _length_of(text, kept) > room:
        kept = kept[:-2] + "…"
    return kept


def _length_of(text: Text, line: str) -> float:
    text.set_text(line)
    return _length(text)
