"""Settings of the documentation: ``sphinx-build -W docs site``."""

from importlib.metadata import version as installed_version

project = "firsthit"
author = "The firsthit authors"
release = version = installed_version("firsthit")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.mathjax",
    "sphinx_click",
]
myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 3
suppress_warnings = ["myst.xref_missing"]  # links to files of the repository, outside the docs
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the signature says them
napoleon_google_docstring = True
napoleon_use_ivar = True
napoleon_attr_annotations = False
exclude_patterns = ["gallery/*.md"]

html_theme = "pydata_sphinx_theme"
html_title = "firsthit"
html_theme_options = {"show_toc_level": 2, "navigation_with_keys": False}
html_show_sourcelink = False
