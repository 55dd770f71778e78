"""Names of the command line, of Python and of campaigns: a table in the docs, one meaning each."""

import inspect
import re
from dataclasses import fields
from pathlib import Path

import click

import firsthit
from firsthit.assessment import (
    Results,
    Selectors,
)
from firsthit.assessment.asking import registry
from firsthit.assessment.data.target_choice import Counted
from firsthit.assessment.regression import RegressionOptions
from firsthit.cli import group
from firsthit.runner.campaign.keys import CAMPAIGN_KEYS, OPTIMIZER_KEYS, SUITE_KEYS

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "names.md"
QUESTIONS = registry.index()["questions"]
OPTIONS = (RegressionOptions,)
CALLS = (firsthit.benchmark, firsthit.score, firsthit.load, firsthit.Observer, firsthit.Suite)


def commands(command=group):
    """All commands, those in groups too."""
    if not isinstance(command, click.Group):
        yield command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        yield from commands(command.get_command(context, name))


def spoken():
    """Each name to the places that have it: command, python, campaign."""
    options = {
        text.removeprefix("--")
        for command in commands()
        for one in command.params
        if isinstance(one, click.Option)
        for text in one.opts
        if text.startswith("--")
    }
    methods = [f for name, f in inspect.getmembers(Results, inspect.isfunction) if name[0] != "_"]
    keywords = {
        name
        for call in (*methods, *CALLS)
        for name, one in inspect.signature(call).parameters.items()
        if name != "self" and one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)
    }
    keywords |= {name for one in QUESTIONS for name in registry.question(one).keywords}
    keywords |= {*Selectors.__annotations__, *Counted.__annotations__}
    keywords |= {field.name for kind in OPTIONS for field in fields(kind)}
    places = {
        "command": options - {"help", "version"},
        "python": keywords,
        "campaign": {*CAMPAIGN_KEYS, *SUITE_KEYS, *OPTIMIZER_KEYS},
    }
    found = {}
    for place, names in places.items():
        for name in names:
            found.setdefault(name.replace("_", "-"), set()).add(place)
    return found


def test_the_table_of_names_holds_what_there_is():
    """To mend it, edit docs/reference/names.md: a line a name, sorted, with its marks."""
    rows = re.findall(r"^\| `([\w-]+)` \| (.+?) \| (✓?) ?\| (✓?) ?\| (✓?) ?\|$", PAGE.read_text(
        encoding="utf-8"), re.MULTILINE)  # fmt: skip
    shown = {
        name: {place for place, mark in zip(("command", "python", "campaign"), marks, strict=True)
               if mark}
        for name, _, *marks in rows
    }  # fmt: skip
    there = spoken()
    assert [name for name, *_ in rows] == sorted(there), set(there) ^ set(shown)
    assert shown == there
    assert all(meaning.strip() for _, meaning, *_ in rows)
