r"""Tables in LaTeX: booktabs, any text escaped, infinity as a symbol.

A document needs ``\usepackage{booktabs}`` and a Unicode engine or ``\usepackage[utf8]{inputenc}``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

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
    shown = (c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return "".join(_SPECIAL.get(c, c) for piece in shown for c in piece)


def number(value: float, digits: int = 2) -> str:
    r"""A number in math mode with so many significant digits; scientific from 1e4 on.

    >>> print(number(1234.0), number(0.034), number(123456.0), number(np.inf), number(np.nan))
    1200 0.034 $1.2{\cdot}10^{5}$ $\infty$ --
    """
    if np.isnan(value):
        return "--"
    if np.isinf(value):
        return r"$\infty$" if value > 0 else r"$-\infty$"
    if value == 0:
        return "0"
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    if -4 <= int(exponent) <= 3:
        places = max(digits - 1 - int(exponent), 0)
        return f"{float(f'{mantissa}e{exponent}'):.{places}f}".replace("-", "$-$")
    return rf"${mantissa}{{\cdot}}10^{{{int(exponent)}}}$"


def tabular(heads: Sequence[str], rows: Sequence[Sequence[str]], columns: str) -> str:
    r"""A ``tabular`` with booktabs' rules; a row with one empty cell only is a ``\midrule``.

    Args:
        heads: Column heads, ready for LaTeX.
        rows: Cells, ready for LaTeX.
        columns: LaTeX's column types, such as ``"lrr"``.
    """
    lines = [rf"\begin{{tabular}}{{@{{}}{columns}@{{}}}}", r"\toprule", _line(heads), r"\midrule"]
    lines += [r"\midrule" if list(row) == [""] else _line(row) for row in rows]
    lines += [r"\bottomrule", r"\end{tabular}"]
    return "\n".join(lines) + "\n"


def _line(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"
