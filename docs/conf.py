"""Settings of the documentation: ``sphinx-build -W docs site``."""

import hashlib
import sys
from importlib.metadata import version as installed_version
from pathlib import Path

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS))  # for the extensions of this site

from reference_pages import link_source as linkcode_resolve  # noqa: E402, F401  # a setting

project = "firsthit"
author = "The firsthit authors"
release = version = installed_version("firsthit")

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.linkcode",
    "sphinx.ext.napoleon",
    "sphinx.ext.mathjax",
    "sphinx_copybutton",
    "sphinx_design",
    "site_parts",
    "reference_pages",
]
exclude_patterns = ["questions", "**.ipynb_checkpoints"]  # parts of docs/reference
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
mathjax_path = "mathjax/tex-svg.js"  # MathJax 3.2.2: the site works without a network
copybutton_exclude = ".linenos, .gp, .go"  # copy commands without the prompt and the output
suppress_warnings = ["myst.xref_missing"]  # links to files of the repository, outside the docs
default_role = "py:obj"  # in docstrings: a link to a public name, else code
smartquotes_action = "De"  # quotes in texts are those of commands
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_type_aliases = {"ArrayLike": "ArrayLike"}
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 100
napoleon_google_docstring = True
napoleon_use_ivar = True
napoleon_attr_annotations = False


def _hash_of_code() -> str:
    """Return a hash of all files that the outputs of cells and examples depend on.

    These are firsthit, its campaigns, and the campaigns and optimizers of the examples.
    """
    digest = hashlib.sha256()
    for folder in (
        "assessment", "configs", "docs/reference/examples", "firsthit", "loggers", "runner",
        "suites",
    ):  # fmt: skip
        for file in sorted((DOCS.parent / folder).rglob("*")):
            if file.suffix in (".py", ".yaml"):
                digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


# Cells are executed again when they, the code of firsthit or a campaign change.
nb_execution_mode = "cache"
nb_execution_cache_path = str(DOCS.parent / "build" / "executed-cells" / _hash_of_code())
nb_execution_in_temp = True
nb_execution_timeout = 300
nb_execution_raise_on_error = True
nb_merge_streams = True
nb_output_stderr = "remove"  # progress of runs

html_theme = "pydata_sphinx_theme"
html_title = "firsthit"
html_static_path = ["_static"]
html_css_files = ["site.css"]
templates_path = ["_templates"]
html_sidebars = {"**": ["all-pages.html"]}
html_theme_options = {
    "logo": {"text": f"firsthit {release}"},
    "github_url": "https://github.com/firsthit/firsthit",
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "header_links_before_dropdown": 7,
    "secondary_sidebar_items": {"**": ["page-toc"], "index": []},
    "footer_start": ["licence"],
    "footer_end": ["sphinx-version", "theme-version"],
}
html_show_sourcelink = False
