"""One folder a section of the report, with its Python and its script together.

A folder's ``__init__.py`` defines ``SECTION`` (heading, caption, what the page's data hold for it),
its ``section.js`` draws them with the functions of ``page/core.js``. To add a section, copy the
folder ``timing``, change the id, and enter it in ``SECTIONS`` below and in ``pyproject.toml``.
The first, ``answer``, is in the page's text and therefore not among them.
"""

from . import art, convergence, ecdf, fronts, functions, outcomes, scaling, timing

SECTIONS = tuple(
    folder.SECTION
    for folder in (ecdf, functions, art, scaling, convergence, fronts, outcomes, timing)
)
"""In the order of the page."""
