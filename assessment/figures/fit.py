"""Fit titles, labels and ticks of a figure to the room that they have.

`fit` is the last step of every figure. It breaks titles and labels into lines that are short
enough, and chooses few ticks for logarithmic axes. Functions that draw therefore need not consider
how long the names of algorithms and suites are.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure
    from matplotlib.text import Text
    from matplotlib.transforms import BboxBase

_ONE_DECADE = 15.0
"""A logarithmic axis has ticks at 1, 2 and 5 times powers of ten if it spans a smaller ratio."""
_FEW_DECADES = 60.0
"""A logarithmic axis has ticks at 1 and 3 times powers of ten if it spans a smaller ratio."""
_ROUNDING = 1e-9
"""Relative difference up to which the limits of an axis count as equal."""
_EDGE_POINTS = 3.0
"""Minimum distance of a text from other texts and from the edge of the figure."""
IF_ROOM = "if room"
"""Group (``gid``) of texts inside axes that `fit` removes if they would overlap another of them."""
_MAX_BREAKS = 2
"""Maximum number of passes: additional lines make panels smaller, so that other texts may become
too long."""


class _TextRoom(NamedTuple):
    """A text, and the maximum length in pixels of its lines."""

    text: Text
    max_pixels: float


def fit(figure: Figure) -> None:
    """Break titles and labels that are longer than their room, and thin ticks of logarithmic axes.

    Call it once, after everything was drawn. A single word that is too long is cut and ends in
    ``…``. Texts of the group `IF_ROOM` that overlap an earlier one are removed.
    """
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            _set_few_ticks(axis)
    with missing_glyphs_ignored():
        for _ in range(_MAX_BREAKS):
            figure.draw_without_rendering()
            too_long = [
                room for room in _list_rooms(figure) if _measure_length(room.text) > room.max_pixels
            ]
            if not too_long:
                break
            for text, max_pixels in too_long:
                _break_text(text, max_pixels)
        _remove_overlapping_texts(figure)


@contextmanager
def missing_glyphs_ignored() -> Iterator[None]:
    """Ignore matplotlib's warnings about characters that the font lacks."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing", category=UserWarning)
        yield


def _remove_overlapping_texts(figure: Figure) -> None:
    """Remove each text of the group `IF_ROOM` that overlaps one that stays or leaves its axes."""
    figure.draw_without_rendering()
    for axes in figure.axes:
        panel_box = axes.get_window_extent()
        kept_boxes: list[BboxBase] = []
        for text in list(axes.texts):
            if text.get_gid() != IF_ROOM:
                continue
            box = text.get_window_extent()
            is_inside = panel_box.contains(box.x0, box.y0) and panel_box.contains(box.x1, box.y1)
            if is_inside and not box.count_overlaps(kept_boxes):
                kept_boxes.append(box)
            else:
                text.remove()


def _set_few_ticks(axis: Axis) -> None:
    """Label powers of ten on a logarithmic axis; on an axis of few decades, also 2 and 5, or 3.

    If fewer than two of these ticks are visible, label up to three round numbers instead.
    """
    from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter, StrMethodFormatter

    scale: Any = axis.get_transform()
    if not isinstance(axis.get_major_locator(), LogLocator) or scale.base != 10:
        return
    low, high = sorted(axis.get_view_interval())
    if 0 < high <= low * (1 + _ROUNDING):  # an axis of a single value would show nothing else
        low, high = low / 2, high * 2
        axis.set_view_interval(low, high, ignore=True)
    if low > 0 and high / low < _FEW_DECADES:
        subs = (1.0, 2.0, 5.0) if high / low < _ONE_DECADE else (1.0, 3.0)
        ticks = [sub * 10.0**k for k in range(-30, 31) for sub in subs]
        has_several = sum(low <= tick <= high for tick in ticks) > 1
        axis.set_major_locator(LogLocator(subs=subs, numticks=6) if has_several else MaxNLocator(2))
        axis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axis.set_minor_formatter(NullFormatter())


def _list_rooms(figure: Figure) -> Iterator[_TextRoom]:
    """Yield all titles, labels of axes and texts inside axes, with their maximum length."""
    edge = _EDGE_POINTS * figure.dpi / 72
    right, top = figure.bbox.width - edge, figure.bbox.height - edge
    if figure.get_suptitle():
        horizontal_texts = filter(_is_horizontal, figure.texts)
        top = max(text.get_window_extent().y0 for text in horizontal_texts) - edge
    for text in figure.texts:
        yield _TextRoom(text, _compute_room(text, edge, right if _is_horizontal(text) else top))
    for axes in figure.axes:
        for label, end in ((axes.xaxis.label, right), (axes.yaxis.label, top)):
            yield _TextRoom(label, _compute_room(label, edge, end))
        for title in _list_titles(axes):
            end = min([right, *_list_next_titles(figure, axes, edge)])
            yield _TextRoom(title, _compute_room(title, edge, end))
        box = axes.get_window_extent()
        for text in axes.texts:
            if text.get_transform() == axes.transAxes and text.get_position()[0] <= 1:
                yield _TextRoom(text, _compute_room(text, box.x0, box.x1))


def _list_titles(axes: Axes) -> list[Text]:
    """Return the titles at the left, in the middle and at the right that are not empty."""
    from matplotlib.text import Text

    texts = [child for child in axes.get_children() if isinstance(child, Text)]
    return [text for text in texts if text.get_text() and text not in axes.texts]


def _list_next_titles(figure: Figure, axes: Axes, edge: float) -> Iterator[float]:
    """Yield the left ends, in pixels, of titles of panels in this row to the right of a panel.

    Args:
        figure: The figure.
        axes: The panel.
        edge: Pixels that must remain free before a title; panels of a row differ by less in height.
    """
    panel_box = axes.get_window_extent()
    for other in figure.axes:
        box = other.get_window_extent()
        if box.x0 >= panel_box.x1 and abs(box.y1 - panel_box.y1) < edge:
            yield from (title.get_window_extent().x0 - edge for title in _list_titles(other))


def _is_horizontal(text: Text) -> bool:
    return text.get_rotation() % 180 == 0


def _measure_length(text: Text) -> float:
    """Return the length of a text in pixels, in its direction of reading."""
    box = text.get_window_extent()
    return float(box.width if _is_horizontal(text) else box.height)


def _compute_room(text: Text, start: float, end: float) -> float:
    """Return the maximum length of a text that does not move and stays between two limits.

    Args:
        text: Text with its position and alignment.
        start: Lower limit in pixels, in the text's direction of reading.
        end: Upper limit in pixels.
    """
    box = text.get_window_extent()
    low, high = (box.x0, box.x1) if _is_horizontal(text) else (box.y0, box.y1)
    alignment = text.get_horizontalalignment()
    if alignment == "center":
        middle = float(low + high) / 2
        return 2 * min(middle - start, end - middle)
    return end - float(low) if alignment == "left" else float(high) - start


def _break_text(text: Text, max_pixels: float) -> None:
    """Break a text into lines of at most some pixels, each with as many words as possible."""
    lines = []
    for line in text.get_text().split("\n"):
        words = line.split(" ")
        while words:
            n_words = len(words)
            while n_words > 1 and _measure_line(text, " ".join(words[:n_words])) > max_pixels:
                n_words -= 1
            lines.append(_cut_line(text, " ".join(words[:n_words]), max_pixels))
            words = words[n_words:]
    text.set_text("\n".join(lines))


def _cut_line(text: Text, line: str, max_pixels: float) -> str:
    """Replace the last letters of a line by ``…`` if it is too long; overwrite the text."""
    while len(line) > 1 and _measure_line(text, line) > max_pixels:
        line = line[:-2] + "…"
    return line


def _measure_line(text: Text, line: str) -> float:
    """Return the length in pixels that a line has in the style of a text; overwrite the text."""
    text.set_text(line)
    return _measure_length(text)
