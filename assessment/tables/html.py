"""Tables as HTML, for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape


def html_table(
    heads: Sequence[str], lines: Sequence[Sequence[str]], notes: Sequence[str] = ()
) -> str:
    """A table with its notes under it; numbers are aligned to the right, any text is escaped."""
    right = [all_numeric([line[i] for line in lines]) for i in range(len(heads))]
    styles = [f"text-align: {'right' if number else 'left'}" for number in right]

    def row(cells: Sequence[str], tag: str) -> str:
        marked = (
            f'<{tag} style="{style}">{escape(cell)}</{tag}>'
            for cell, style in zip(cells, styles, strict=True)
        )
        return f"<tr>{''.join(marked)}</tr>"

    body = "\n".join(row(cells, "td") for cells in lines)
    under = "".join(f"<p><small>{escape(note)}</small></p>" for note in notes)
    return f"<table><thead>{row(heads, 'th')}</thead>\n<tbody>\n{body}\n</tbody></table>{under}"


def all_numeric(cells: Sequence[str]) -> bool:
    """Whether a column has numbers alone; empty cells and ``-`` are let off."""
    return bool(cells) and all(map(_numeric, cells))


def _numeric(text: str) -> bool:
    head = text.split(" ")[0].rstrip("%").removesuffix("*D")
    try:
        float(head)
    except ValueError:
        return text in ("", "-")
    return True
