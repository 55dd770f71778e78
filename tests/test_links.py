"""Markdown files: links and anchors lead somewhere, files exist, commands and options, too."""

import itertools
import re
import shlex
from pathlib import Path

import pytest

from .command_line import choices_of, commands_of, help_of, options_of

ROOT = Path(__file__).parents[1]
FILES = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md", "configs/*.md", "benchmarks/*.md", ".github/*.md")
    for path in ROOT.glob(pattern)
    if path.name != "CHANGELOG.md"
)
FOLDERS = "suites|loggers|runner|assessment|firsthit|configs|docs|benchmarks|examples|tests"


def named(path):
    return path.relative_to(ROOT).as_posix()


def anchors(path):
    """Those of the headings, as GitHub and MyST make them."""
    text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    heads = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}


@pytest.mark.parametrize("path", FILES, ids=named)
def test_relative_links_lead_somewhere(path):
    text = path.read_text(encoding="utf-8")
    for link in re.findall(r"\]\(<?([^)\s>]+)>?\)", text):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        there = (path.parent / name).resolve() if name else path
        assert there.exists(), link
        assert not anchor or there.suffix != ".md" or anchor in anchors(there), link


@pytest.mark.parametrize("path", FILES, ids=named)
def test_files_of_the_repository_are_there(path):
    text = path.read_text(encoding="utf-8")
    for name in re.findall(rf"`((?:{FOLDERS})/[\w./-]*\w)`", text):
        assert (ROOT / name).exists() or list(ROOT.glob(f"{name}.*")), name


def commands_in(text):
    """Yield the command lines of firsthit in code blocks and code spans."""
    for block in re.findall(r"^```[^\n]*\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        joined = block.replace("\\\n", " ")
        yield from re.findall(r"^(?:\$ |.*&& )?firsthit (?!=)(.+)$", joined, re.MULTILINE)
    prose = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    yield from re.findall(r"^    (?:.*&& )?firsthit (.+)$", prose, re.MULTILINE)
    yield from (" ".join(span.split()) for span in re.findall(r"`firsthit\s([^`]+)`", prose))


def check_value(command, option, value, line):
    """Check that a value is a choice of the option; words in capitals stand for any value."""
    if re.search(r"[A-Z…]", value):
        return
    if choices := choices_of(option, *command):
        assert value in choices, line
    if option == "--kinds":
        words = re.sub(r"-\s+", "-", help_of(*command)).split()
        assert {*value.split(",")} <= {word.rstrip(".,;]") for word in words}, line


@pytest.mark.parametrize("path", FILES, ids=named)
def test_commands_options_and_choices_exist(path):
    for line in commands_in(path.read_text(encoding="utf-8")):
        words = shlex.split(line, comments=True, posix=True)
        command = []
        while commands_of(*command) and words and not words[0].startswith("-"):
            if not re.fullmatch(r"[a-z-]+,?", words[0]):  # such as …, TABLE
                break
            name = words.pop(0).rstrip(",")
            assert name in commands_of(*command), line
            command.append(name)
        for word, following in itertools.zip_longest(words, words[1:], fillvalue="…"):
            if word.startswith("--") and not commands_of(*command):
                option, _, value = word.partition("=")
                option = re.match(r"--[a-z-]+", option)[0]
                assert option in options_of(*command), line
                check_value(command, option, value or following.rstrip("],"), line)
