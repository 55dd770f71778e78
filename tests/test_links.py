"""Markdown files: links and anchors lead somewhere, files exist, commands and options, too."""

import re
import shlex
from pathlib import Path

import click
import pytest

from firsthit.cli import group

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


def spoken(text):
    """The command lines of firsthit in code blocks and code spans."""
    for block in re.findall(r"```\w*\n(.*?)```", text, re.DOTALL):
        joined = block.replace("\\\n", " ")
        yield from re.findall(r"^(?:\$ |.*&& )?firsthit (?!=)(.+)$", joined, re.MULTILINE)
    yield from re.findall(r"^    (?:.*&& )?firsthit (.+)$", text, re.MULTILINE)
    yield from re.findall(r"`firsthit ([^`]+)`", text)


@pytest.mark.parametrize("path", FILES, ids=named)
def test_commands_and_options_exist(path):
    for line in spoken(path.read_text(encoding="utf-8")):
        words = shlex.split(line, comments=True, posix=True)
        command, context = group, click.Context(group)
        while isinstance(command, click.Group) and words and not words[0].startswith("-"):
            if not re.fullmatch(r"[a-z-]+,?", words[0]):  # such as …, TABLE
                break
            name = words.pop(0).rstrip(",")
            command = command.get_command(context, name)
            assert command is not None, line
            context = click.Context(command)
        known = {text for one in command.params for text in (*one.opts, *one.secondary_opts)}
        known |= {"--help", "-h", "--version"}
        for word in words:
            if word.startswith("--"):
                option = re.match(r"--[a-z-]+", word)[0]
                assert option in known or isinstance(command, click.Group), line
