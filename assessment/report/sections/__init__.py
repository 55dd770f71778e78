"""The sections of the report that no question has yet, and the scripts of all.

A folder's ``section.js`` draws the section of its name with the functions of ``page/core.js``; what
it draws comes from the question's function below ``@NAME.report`` (`questions`).
"""

from ...asking import registry
from ...asking.declaration import Section
from . import fronts


def sections() -> list[Section]:
    """In the order of the page."""
    found = [fronts.SECTION, *registry.sections()]
    return sorted(found, key=lambda section: section.place)
