r"""Tables in LaTeX that fit a page: booktabs, any text escaped, infinity as a symbol.

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
"""So many rows fit a page; more make a ``longtable``."""
MOST_ROWS = 500
_CHARACTER, _CAPITAL, _GAP = 4.3, 5.8, 6.0
"""Points in ``\footnotesize``: a digit or small letter, a capital letter, between two columns."""
_SCRIPT = 0.75
"""Size of what is raised or lowered."""

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
    r"""Text that LaTeX prints as it is: special characters, ligatures, control characters.

    >>> print(escaped("cma_es & 50% {x}"))
    cma\_es \& 50\% \{x\}
    """
    pieces = (c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return "".join(_SPECIAL.get(c, c) for piece in pieces for c in piece)


def number(value: float) -> str:
    r"""A number in math mode with two significant digits; scientific from 1e4 on.

    >>> print(number(1234.0), number(0.034), number(123456.0), number(np.inf), number(np.nan))
    1200 0.034 $1.2{\cdot}10^{5}$ $\infty$ --
    """
    if np.isnan(value):
        return "--"
    if np.isinf(value):
        return r"$\infty$" if value > 0 else r"$-\infty$"
    if value == 0:
        return "0"
    mantissa, exponent = f"{value:.1e}".split("e")
    if -4 <= int(exponent) <= 3:
        places = max(1 - int(exponent), 0)
        return f"{float(f'{mantissa}e{exponent}'):.{places}f}".replace("-", "$-$")
    return rf"${mantissa}{{\cdot}}10^{{{int(exponent)}}}$"


def cell(text: str) -> str:
    r"""A cell of a text table: its numbers in math mode where they need it, all else escaped.

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
    r"""About how wide a cell is in ``\footnotesize``, points.

    >>> width(r"\textbf{12}$_{-20\%}^{+5\%}$") == (2 + 0.75 * 4) * 4.3
    True
    """
    scripts = (_SCRIPT * max(map(_points, found)) for found in _SCRIPTS.findall(latex))
    return sum(scripts) + _points(_SCRIPTS.sub("", latex))


_INSIDE = r"((?:\{.*?\}|[^{}])*)"
_SCRIPTS = re.compile(rf"\$(?:_\{{{_INSIDE}\}})?(?:\^\{{{_INSIDE}\}})?\$")


def _points(latex: str) -> float:
    plain = re.sub(r"\\text(?:bf|it)\b", "", latex)
    plain = re.sub(r"\\[a-zA-Z]+(?:\{\})?|\\.", "x", plain)
    plain = re.sub(r"[{}$^_]", "", plain)
    capitals = sum(c.isupper() for c in plain)
    return capitals * _CAPITAL + (len(plain) - capitals) * _CHARACTER


def pages(
    heads: Sequence[str], rows: Sequence[Sequence[str]], columns: str, keys: int, title: str = ""
) -> str:
    r"""A table in pieces that fit a page, in ``\footnotesize``: each a ``tabular`` with all rows.

    Columns that do not fit beside the others go to a further piece, which repeats the first
    ``keys`` columns. More than `PAGE_ROWS` rows make a ``longtable``. Heads, cells and title are
    ready for LaTeX; a row of one cell is a heading, or a rule if it is empty; ``keys`` is how many
    columns say what a row is about.
    """
    if len(rows) > MOST_ROWS:
        raise AssessmentError(
            f"latex: {len(rows)} rows are too many for a paper (at most {MOST_ROWS}); choose "
            "functions, dimensions, algorithms or targets, or take the format csv"
        )
    full = [row for row in rows if len(row) > 1]
    wide = [max(map(width, column)) + _GAP for column in zip(heads, *full, strict=True)]
    own = math.fsum(wide[:keys])
    ends, used = [keys], own
    for i in range(keys, len(heads)):
        if own + wide[i] > PAGE_POINTS:
            raise AssessmentError(
                f"latex: the columns {', '.join([*heads[:keys], heads[i]])} do not fit a page "
                "together, a name or a value being too long; give algorithms shorter names, or "
                "take the format csv"
            )
        if used + wide[i] > PAGE_POINTS:
            ends.append(i)
            used = own
        used += wide[i]
    ends.append(len(heads))
    pieces = []
    for first, last in pairwise(ends):
        selected = [*range(keys), *range(first, last)]
        body = [row if len(row) == 1 else [row[i] for i in selected] for row in rows]
        types = "".join(columns[i] for i in selected)
        pieces.append(_tabular([heads[i] for i in selected], body, types, title))
    return "\\medskip\n".join(pieces)


def _tabular(heads: Sequence[str], rows: Sequence[Sequence[str]], columns: str, title: str) -> str:
    """One piece, with booktabs' rules."""
    kind = "longtable" if len(rows) > PAGE_ROWS else "tabular"
    spanning = rf"\multicolumn{{{len(heads)}}}{{@{{}}l@{{}}}}{{%s}} \\"
    lines = [r"{\footnotesize\setlength{\tabcolsep}{3pt}\renewcommand{\arraystretch}{1.25}%"]
    lines += [rf"\begin{{{kind}}}{{@{{}}{columns}@{{}}}}", r"\toprule"]
    lines += [spanning % title] if title else []
    lines += [_line(heads), r"\midrule", *([r"\endhead"] if kind == "longtable" else [])]
    for row in rows:
        if len(row) > 1:
            lines.append(_line(row))
        else:
            lines.append(spanning % row[0] if row[0] else r"\midrule")
    lines += [r"\bottomrule", rf"\end{{{kind}}}", "}"]
    return "\n".join(lines) + "\n"


def _line(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"
