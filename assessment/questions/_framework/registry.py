"""Find questions, their figures and their sections of the report, and import them when needed.

The catalogue lists the questions of firsthit. Questions of users come from a file, from a module
that is imported already, or from an entry point of an installed package.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ....entry_points import entry_points
from . import catalogue

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from .question import Figure, Question, Section

_PACKAGE_OF_QUESTIONS = __package__.rpartition(".")[0]


def own_questions() -> dict[str, catalogue.Entry]:
    """Return firsthit's own questions by name, with ``-``, in the order of help."""
    return {
        name: entry
        for entries in catalogue.QUESTIONS_BY_HEADING.values()
        for name, entry in entries.items()
    }


def question(name: str) -> Question[Any] | None:
    """Import a question and return it; return None if there is no question of this name.

    Questions of firsthit precede those of imported modules, and these precede entry points.

    Args:
        name: Name of the question, with ``-`` or ``_``.

    Raises:
        AssessmentError: The entry point is no question.
    """
    from .question import QUESTIONS

    function_name = name.replace("-", "_")
    if entry := own_questions().get(function_name.replace("_", "-")):
        import_module(f"{_PACKAGE_OF_QUESTIONS}.{entry.module}")
    elif function_name not in QUESTIONS and (
        entry_point := installed_questions().get(function_name)
    ):
        return _check_question(entry_point.load(), entry_point.value)
    return QUESTIONS.get(function_name)


def figures_of(question: Question[Any]) -> Mapping[str, Figure]:
    """Import the figures of a question and return them by kind, the default kind first."""
    entry = own_questions().get(question.name)
    if entry is not None and entry.figures:
        import_module(f"{_PACKAGE_OF_QUESTIONS}.{entry.module.replace('.table', '.figures')}")
    return question.figures


def question_of_file(location: str) -> Question[Any]:
    """Run a file and return one of its questions.

    Args:
        location: File and function, such as ``mine.py:hit_share``.

    Raises:
        AssessmentError: There is no such file, running it fails, or the function is no question.
    """
    from importlib.util import module_from_spec, spec_from_file_location

    from ...errors import AssessmentError

    file, _, name = location.rpartition(":")
    path = Path(file)
    spec = spec_from_file_location(path.stem, path)
    if not path.is_file() or spec is None or spec.loader is None:
        raise AssessmentError(f"question {location!r}: there is no file {file}")
    module = module_from_spec(spec)
    sys.modules.setdefault(path.stem, module)  # dataclasses and pickle look a module up by name
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise AssessmentError(
            f"question {location!r}: running the file ends in {type(error).__name__}: {error}"
        ) from error
    return _check_question(getattr(module, name, None), location)


def installed_questions() -> dict[str, EntryPoint]:
    """Return the entry points of questions in installed packages, by name with ``_``."""
    return {
        name.replace("-", "_"): entry_point
        for name, entry_point in entry_points("firsthit.questions").items()
    }


def names() -> list[str]:
    """Return the names, with ``_``, of firsthit's own questions and of those that are imported."""
    # Importing the module here would cost time, and it declares no question by itself.
    module = sys.modules.get(f"{__package__}.question")
    imported: Iterable[str] = module.QUESTIONS if module else ()
    return list(dict.fromkeys([*(name.replace("-", "_") for name in own_questions()), *imported]))


def figure(kind: str) -> Figure | None:
    """Import a kind of figures and return it; return None if there is no such kind."""
    from .question import QUESTIONS

    name = next((name for name, entry in own_questions().items() if kind in entry.figures), None)
    if name is not None and (declared := question(name)) is not None:
        return figures_of(declared)[kind]
    figures = (question.figures.get(kind) for question in QUESTIONS.values())
    return next(filter(None, figures), None)


def figure_names() -> list[str]:
    """Return all kinds of figures, in the order of their questions."""
    module = sys.modules.get(f"{__package__}.question")
    imported: Iterable[Question[Any]] = module.QUESTIONS.values() if module else ()
    kinds = [kind for entry in own_questions().values() for kind in entry.figures]
    kinds += [kind for question in imported for kind in question.figures]
    return list(dict.fromkeys(kinds))


def sections() -> list[Section]:
    """Return the sections of the report, in the order of the page."""
    from .question import QUESTIONS

    for module in catalogue.SECTION_MODULES:
        import_module(f"{_PACKAGE_OF_QUESTIONS}.{module}")
    sections = [section for question in QUESTIONS.values() for section in question.sections]
    return sorted(sections, key=lambda section: section.place)


def _check_question(candidate: object, location: str) -> Question[Any]:
    """Return the candidate; raise AssessmentError if it is no question."""
    from ...errors import AssessmentError
    from .question import Question

    if not isinstance(candidate, Question):
        raise AssessmentError(
            f"question {location!r}: that is no question; decorate a function of a sample with "
            "@question"
        )
    return candidate
