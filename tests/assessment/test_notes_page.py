"""Warnings have the form "what: number; consequence"; the page of notes explains each note.

Private names: the generator of the page, because only the site calls it.
"""

import re

import pytest

import firsthit
from firsthit.assessment.questions._framework.notes_page import list_notes

from .questions import QUESTIONS, ask

MAX_WORDS = 25
MAX_WORDS_WITH_NAMES = 45
"""Maximum for notes of tests, which list algorithms and functions."""
FORM = re.compile(r"[^:]+: .*\.", re.DOTALL)
WARNING = re.compile(r"[^:]+: .*; .*\.", re.DOTALL)
MIN_WORDS = 7
"""Minimum for reasons and actions. "The table shows this column." is no reason."""
NOTES = list_notes()


@pytest.mark.parametrize("entry", NOTES, ids=lambda entry: entry.explanation.title)
def test_an_explanation_has_a_complete_note_a_reason_and_an_action(entry):
    title, example, reason, action, is_definition = entry.explanation
    assert example.startswith(title)
    assert is_definition or WARNING.fullmatch(example), f"{example!r}: write a consequence"
    assert FORM.fullmatch(example), f"{example!r}: write 'what: number; consequence.'"
    assert len(example.split()) <= MAX_WORDS, f"{example!r}: write at most {MAX_WORDS} words"
    assert reason.endswith(".")
    assert action.endswith(".")
    for sentence in (reason, action):
        assert len(sentence.split()) >= MIN_WORDS, f"{sentence!r}: state a reason"
    assert entry.tables


def test_titles_are_explained_once_for_each_kind_of_table():
    places = [(entry.explanation.title, table) for entry in NOTES for table in entry.tables]
    examples = [entry.explanation.example for entry in NOTES]
    assert len(set(examples)) == len(examples)
    assert {title for title, _ in places} >= {"runs", "stopped runs", "dominant instance"}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["unequal sets", "constraints", "two objectives"])
def test_notes_of_tables_are_explained(kinds, kind):
    titles = tuple(entry.explanation.title for entry in NOTES)
    results = firsthit.load(kinds[kind])
    faults, n_answered = [], 0
    for name in QUESTIONS:
        try:
            table = ask(results, name)
        except firsthit.FirsthitError:
            continue  # some questions do not apply to these runs, such as archives
        n_answered += 1
        for note in table.notes:
            if not FORM.fullmatch(note):
                faults.append(f"{name}: {note!r}: write 'what: number; consequence.'")
            elif len(note.split()) > MAX_WORDS_WITH_NAMES:
                faults.append(f"{name}: {note!r}: write at most {MAX_WORDS} words, names excluded")
            elif not note.startswith(titles):
                faults.append(f"{name}: {note!r}: declare an Explanation with this title")
    assert not faults, "\n".join(faults)
    assert n_answered > 20
