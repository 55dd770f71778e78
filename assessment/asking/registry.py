"""Finds questions: firsthit's own by the index, users' own by file, import or entry point."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...entry_points import entry_points

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from .declaration import Figure, Question, Section

INDEX = Path(__file__).with_name("index.json")
_OWN = f"{__package__.rpartition('.')[0]}.questions"


@lru_cache(maxsize=1)
def index() -> dict[str, Any]:
    """What `generate` wrote: ``questions``, ``figures`` and ``sections`` by name, in order."""
    found: dict[str, Any] = json.loads(INDEX.read_text(encoding="utf-8"))
    return found


def headings() -> list[str]:
    """Of the list of questions, in order."""
    return list(index()["headings"])


def question(name: str) -> Question[Any, Any] | None:
    """A question by its name with ``-`` or ``_``; None where there is none.

    Firsthit's own, those in modules that are imported, and those of entry points.
    """
    from .declaration import QUESTIONS

    called = name.replace("-", "_")
    if own := index()["questions"].get(called.replace("_", "-")):
        import_module(f"{_OWN}.{own['module']}")
    elif called not in QUESTIONS and (entry := installed_questions().get(called)):
        return _checked(entry.load(), entry.value)
    return QUESTIONS.get(called)


def question_of_file(place: str) -> Question[Any, Any]:
    """The question ``mine.py:hit_share``."""
    from importlib.util import module_from_spec, spec_from_file_location

    from ..errors import AssessmentError

    file, _, name = place.rpartition(":")
    path = Path(file)
    spec = spec_from_file_location(path.stem, path)
    if not path.is_file() or spec is None or spec.loader is None:
        raise AssessmentError(f"question {place!r}: there is no file {file}")
    module = module_from_spec(spec)
    sys.modules.setdefault(path.stem, module)  # types and pickles look a module up by its name
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise AssessmentError(
            f"question {place!r}: running the file ends in {type(error).__name__}: {error}"
        ) from error
    return _checked(getattr(module, name, None), place)


def installed_questions() -> dict[str, EntryPoint]:
    """Entry points of installed packages, by name with ``_``."""
    return {
        name.replace("-", "_"): entry_point
        for name, entry_point in entry_points("firsthit.questions").items()
    }


def names() -> list[str]:
    """Of firsthit's own questions and of those whose modules are imported, with ``_``."""
    declared = sys.modules.get(f"{__package__}.declaration")
    imported: Iterable[str] = declared.QUESTIONS if declared else ()
    return list(
        dict.fromkeys([*(name.replace("-", "_") for name in index()["questions"]), *imported])
    )


def figure(name: str) -> Figure | None:
    """A kind of figures by its name; None where there is none."""
    from .declaration import QUESTIONS

    if own := index()["figures"].get(name):
        import_module(f"{_OWN}.{own['module']}")
    for question in QUESTIONS.values():
        if name in question.figures:
            return question.figures[name]
    return None


def figure_names() -> list[str]:
    """Of all kinds of figures, in the order of their questions."""
    from .declaration import QUESTIONS

    own = index()["figures"]
    more = (name for question in QUESTIONS.values() for name in question.figures)
    return list(dict.fromkeys([*own, *more]))


def sections() -> list[Section]:
    """The sections of the report, in the order of the page."""
    from .declaration import QUESTIONS

    for own in index()["sections"].values():
        import_module(f"{_OWN}.{own['module']}")
    found = [section for question in QUESTIONS.values() for section in question.sections]
    return sorted(found, key=lambda section: section.place)


def _checked(found: Any, place: str) -> Question[Any, Any]:
    from ..errors import AssessmentError
    from .declaration import Question

    if not isinstance(found, Question):
        raise AssessmentError(
            f"question {place!r}: that is no question; decorate a function of runs with @question"
        )
    return found
