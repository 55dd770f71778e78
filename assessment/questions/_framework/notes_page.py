"""List the explanations of all notes, for the page of notes in the documentation.

The explanations are declared beside the caveats, by ``@caveat(…, explains=[…])`` and
``@QUESTION.caveat(explains=[…])``.
"""

from __future__ import annotations

from typing import NamedTuple

from ...caveats import REGISTERED_CAVEATS, Explanation
from ...samples.sample import Kind
from . import registry

_TABLES_OF_KINDS: dict[Kind, str] = {
    "targets": "tables of runtimes to targets",
    "budgets": "tables of precisions at budgets",
    "curves": "tables of convergence curves",
    "areas": "tables of areas over the convergence curve",
    "archives": "tables of archives",
}
"""Words for the tables of a kind of sample."""


class NoteEntry(NamedTuple):
    """Entry of the page of notes.

    Attributes:
        explanation: Title, example, reason and action of the note.
        tables: Where the note appears: names of questions such as ``art``, or words such as "all
            tables".
    """

    explanation: Explanation
    tables: tuple[str, ...]


def list_notes() -> list[NoteEntry]:
    """Return an entry for each explanation of a note, ordered by title.

    All modules of questions are imported.
    """
    tables_of_explanation: dict[Explanation, dict[str, None]] = {}
    for registered in REGISTERED_CAVEATS:
        tables = [_TABLES_OF_KINDS[kind] for kind in registered.kinds] or ["all tables"]
        for explanation in registered.explains:
            tables_of_explanation.setdefault(explanation, {}).update(dict.fromkeys(tables))
    for name in registry.own_questions():
        question = registry.question(name)
        assert question is not None
        for explanation in question.explains:
            tables_of_explanation.setdefault(explanation, {})[name] = None
    return sorted(
        (
            NoteEntry(explanation, tuple(tables))
            for explanation, tables in tables_of_explanation.items()
        ),
        key=lambda entry: entry.explanation.title.casefold(),
    )
