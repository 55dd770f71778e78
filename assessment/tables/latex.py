r"""LaTeX code of tables that fit a page, with booktabs' rules and infinity as a symbol.

`escaped`, `number` and `cell` convert the content of cells; `pages` lays out the converted cells.
It estimates widths by `width`, because only LaTeX itself knows them.

A document needs ``\usepackage{booktabs}``, for long tables ``\usepackage{longtable}``, and a
Unicode engine or ``\usepackage[utf8]{inputenc}``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ..errors import AssessmentError

PAGE_POINTS = 345.0
"""Width of the text of LaTeX's ``article`` on A4; papers in one column are as wide or wider."""
PAGE_ROWS = 45
"""Number of rows that fit a page; tables with more rows become a ``longtable``."""
MOST_ROWS = 500
"""Maximum number of rows of a table; more than eleven pages are too many for a paper."""
_CHARACTER_POINTS, _CAPITAL_POINTS, _GAP_POINTS = 4.3, 5.8, 6.0
"""Widths in ``\footnotesize``: a digit or small letter, a capital letter, a gap of columns."""
_SCRIPT_SIZE = 0.75
"""Size of superscripts and subscripts relative to the text."""

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "_": r"\_",
    "%": r"\%",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    "'": r"\textquotesingle{}",
    "-": "{-}",
    "[": "{[}",
    "]": "{]}",
    "…": r"\dots{}",
}


def escaped(text: str) -> str:
    r"""Escape text so that LaTeX prints it unchanged.

    Special characters and those that form ligatures get a command or braces; characters that are
    not printable become Python's escape sequences.

    >>> print(escaped("cma_es & 50% {x}"))
    cma\_es \& 50\% \{x\}
    """
    printable = "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in text
    )
    return "".join(_SPECIAL.get(character, character) for character in printable)


def number(value: float) -> str:
    r"""Return a number with two significant digits, in math mode where this is needed.

    The notation is scientific from 1e4 on and below 1e-4; NaN is ``--``.

    >>> print(number(1234.0), number(0.034), number(123456.0), number(np.inf), number(np.nan))
    1200 0.034 $1.2{\cdot}10^{5}$ $\infty$ --
    >>> print(number(0.0), number(1.0), number(12.34), number(9999.0), number(3e-7))
    0 1.0 12 $1.0{\cdot}10^{4}$ $3.0{\cdot}10^{-7}$
    >>> print(number(-2.5), number(-np.inf))
    $-$2.5 $-\infty$
    """
    if np.isnan(value):
        return "--"
    if np.isinf(value):
        return r"$\infty$" if value > 0 else r"$-\infty$"
    if value == 0:
        return "0"
    mantissa, exponent = f"{value:.1e}".split("e")
    if -4 <= int(exponent) <= 3:
        decimals = max(1 - int(exponent), 0)
        return f"{float(f'{mantissa}e{exponent}'):.{decimals}f}".replace("-", "$-$")
    return rf"${mantissa}{{\cdot}}10^{{{int(exponent)}}}$"


def cell(text: str) -> str:
    r"""Convert a cell of a text table: numbers to math mode where this is needed; escape the rest.

    >>> print(cell("1.235e+06 (3/5)"), cell("inf"), cell("x2 [1.5, -3]"), cell("a_b"))
    $1.235{\cdot}10^{6}$ (3/5) $\infty$ x2 {[}1.5, $-$3{]} a\_b
    """
    pieces, end = [], 0
    for match in _NUMBER.finditer(text):
        pieces += [escaped(text[end : match.start()]), _in_math(match[0])]
        end = match.end()
    return "".join([*pieces, escaped(text[end:])])


_NUMBER = re.compile(r"(?<![\w.+-])(?:-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|-?inf|nan)(?![\w.])")


def _in_math(number: str) -> str:
    """Return a number that `_NUMBER` matched as LaTeX; ``nan`` is ``--``."""
    if number == "nan":
        return "--"
    sign, digits = ("-", number[1:]) if number.startswith("-") else ("", number)
    if digits == "inf":
        return rf"${sign}\infty$"
    mantissa, _, exponent = digits.partition("e")
    if not exponent:
        return f"$-${digits}" if sign else digits
    power = f"10^{{{int(exponent)}}}"
    return f"${sign}{power}$" if mantissa == "1" else rf"${sign}{mantissa}{{\cdot}}{power}$"


def width(latex: str) -> float:
    r"""Estimate the width of a cell in ``\footnotesize``, in points.

    A superscript above a subscript counts as wide as the wider of the two.

    >>> width(r"\textbf{12}$_{-20\%}^{+5\%}$") == (2 + 0.75 * 4) * 4.3
    True
    """
    script_widths = (
        _SCRIPT_SIZE * max(map(_text_width, scripts)) for scripts in _SCRIPTS.findall(latex)
    )
    return sum(script_widths) + _text_width(_SCRIPTS.sub("", latex))


_IN_BRACES = r"((?:\{.*?\}|[^{}])*)"
_SCRIPTS = re.compile(rf"\$(?:_\{{{_IN_BRACES}\}})?(?:\^\{{{_IN_BRACES}\}})?\$")
"""A formula of a subscript and a superscript; either may be missing."""


def _text_width(latex: str) -> float:
    """Estimate the width of LaTeX code without scripts; a command counts as one letter."""
    plain = re.sub(r"\\text(?:bf|it)\b", "", latex)
    plain = re.sub(r"\\[a-zA-Z]+(?:\{\})?|\\.", "x", plain)
    plain = re.sub(r"[{}$^_]", "", plain)
    n_capitals = sum(character.isupper() for character in plain)
    return n_capitals * _CAPITAL_POINTS + (len(plain) - n_capitals) * _CHARACTER_POINTS


def pages(
    titles: Sequence[str],
    rows: Sequence[Sequence[str]],
    alignments: str,
    n_keys: int,
    title: str = "",
) -> str:
    r"""Lay out a table in ``\footnotesize`` as pieces that fit the width of a page.

    Each piece is a ``tabular`` with all rows, or a ``longtable`` if there are more than
    `PAGE_ROWS`. Columns that do not fit beside the others go to a further piece, which repeats the
    key columns.

    Args:
        titles: Column titles as LaTeX code.
        rows: Cells as LaTeX code, one for each column. A row of one cell is a heading over all
            columns, or a rule if the cell is empty.
        alignments: A letter for each column: ``l`` or ``r``.
        n_keys: Number of the first columns that identify a row.
        title: Line above the column titles as LaTeX code. Empty: no line.

    Raises:
        AssessmentError: There are more than `MOST_ROWS` rows, or the key columns and one further
            column are wider than a page.
    """
    if len(rows) > MOST_ROWS:
        raise AssessmentError(
            f"latex: {len(rows)} rows are too many for a paper (at most {MOST_ROWS}); choose "
            "functions, dimensions, algorithms or targets, or take the format csv"
        )
    full_rows = [row for row in rows if len(row) > 1]
    widths = [
        max(map(width, column)) + _GAP_POINTS for column in zip(titles, *full_rows, strict=True)
    ]
    key_width = math.fsum(widths[:n_keys])
    boundaries, piece_width = [n_keys], key_width
    for i in range(n_keys, len(titles)):
        if key_width + widths[i] > PAGE_POINTS:
            raise AssessmentError(
                f"latex: the columns {', '.join([*titles[:n_keys], titles[i]])} do not fit a page "
                "together, a name or a value being too long; give algorithms shorter names, or "
                "take the format csv"
            )
        if piece_width + widths[i] > PAGE_POINTS:
            boundaries.append(i)
            piece_width = key_width
        piece_width += widths[i]
    boundaries.append(len(titles))
    pieces = []
    for start, end in pairwise(boundaries):
        selected = [*range(n_keys), *range(start, end)]
        body = [row if len(row) == 1 else [row[i] for i in selected] for row in rows]
        alignments_of_piece = "".join(alignments[i] for i in selected)
        pieces.append(_tabular([titles[i] for i in selected], body, alignments_of_piece, title))
    return "\\medskip\n".join(pieces)


def _tabular(
    titles: Sequence[str], rows: Sequence[Sequence[str]], alignments: str, title: str
) -> str:
    """Return one piece of `pages` with booktabs' rules."""
    environment = "longtable" if len(rows) > PAGE_ROWS else "tabular"
    spanning = rf"\multicolumn{{{len(titles)}}}{{@{{}}l@{{}}}}{{%s}} \\"
    lines = [r"{\footnotesize\setlength{\tabcolsep}{3pt}\renewcommand{\arraystretch}{1.25}%"]
    lines += [rf"\begin{{{environment}}}{{@{{}}{alignments}@{{}}}}", r"\toprule"]
    lines += [spanning % title] if title else []
    lines += [_line(titles), r"\midrule"]
    lines += [r"\endhead"] if environment == "longtable" else []
    for row in rows:
        if len(row) > 1:
            lines.append(_line(row))
        else:
            lines.append(spanning % row[0] if row[0] else r"\midrule")
    lines += [r"\bottomrule", rf"\end{{{environment}}}", "}"]
    return "\n".join(lines) + "\n"


def _line(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"
