"""Settings of the documentation: ``sphinx-build -W docs site``."""

import sys
from importlib.metadata import version as installed_version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # for site_parts, an extension of its own

project = "firsthit"
author = "The firsthit authors"
release = version = installed_version("firsthit")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "site_parts",
]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
suppress_warnings = ["myst.xref_missing"]  # links to files of the repository, outside the docs
default_role = "code"
smartquotes_action = "De"  # quotes in texts are those of commands
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the signature says them
napoleon_google_docstring = True
napoleon_use_ivar = True
napoleon_attr_annotations = False

html_theme = "pydata_sphinx_theme"
html_title = "firsthit"
html_static_path = ["_static"]
html_css_files = ["site.css"]
templates_path = ["_templates"]
html_sidebars = {"**": ["all-pages.html"]}
html_theme_options = {
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "header_links_before_dropdown": 6,
    "secondary_sidebar_items": {"**": ["page-toc"], "index": []},
}
html_show_sourcelink = False
