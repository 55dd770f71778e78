"""Tables as HTML, for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape


def html_table(
    heads: Sequence[str], lines: Sequence[Sequence[str]], notes: Sequence[str] = ()
) -> str:
    """A table with its notes under it; numbers are aligned to the right, any text is escaped."""
    right = columns_of_numbers(len(heads), lines)
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


def columns_of_numbers(count: int, lines: Sequence[Sequence[str]]) -> list[bool]:
    """Whether each of so many columns has numbers alone; empty cells and ``-`` are let off."""
    return [bool(lines) and all(_numeric(line[i]) for line in lines) for i in range(count)]


def _numeric(cell: str) -> bool:
    head = cell.split(" ")[0].rstrip("%")
    try:
        float(head)
    except ValueError:
        return cell in ("", "-")
    return True
