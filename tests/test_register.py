"""Texts for users are plain: short sentences, no private words, no repeated paragraphs.

The texts are the help of all commands, the docstrings of public names, messages, and the pages of
the documentation. The first words of help texts are tested in ``test_help.py``; the first lines of
docstrings are left to ruff (D401).
"""

import ast
import inspect
import re
from pathlib import Path

import pytest

import firsthit
from firsthit.assessment import Results

from .command_line import commands_of, help_of

CHECKOUT = Path(__file__).parents[1]
MAX_WORDS = 35
"""Maximum number of words of a sentence; aim at 25. A semicolon ends a sentence."""
INSTEAD = {
    r"endless runs": "infinitely many runs",
    r"drawn out": "widened or extended",
    r"rests? on": "depends on, uses, or is computed from",
    r"falling number": "a quality indicator, which is minimized",
    r"who leads": "the best algorithm",
    r"merit": "score",
    r"sweeps?": "a grid of parameters, or parameters that grow at each restart",
    r"ready campaign": "built-in campaign",
    r"under way": "running, or in progress",
    r"sets? of runs": "runs of an algorithm on a function and dimension",
    r"its columns are there": "the list of columns",
}
"""Words that only the authors understand, to what to write instead."""
ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|cf|vs|al|no|pp|approx|fig|eq|sec|ch|Ph)\.$|^[A-Z]\.$")
REPOSITORY_PATH = re.compile(
    r"`(?:\.\./)*(?:assessment|benchmarks|configs|docs|examples|firsthit|loggers|runner|suites"
    r"|tests)/[\w./*-]*`(?!\])"
)


def split_sentences(text):
    """Yield the sentences of prose; a semicolon ends a sentence, too."""
    words = []
    for word in text.split():
        words.append(word)
        bare = word.rstrip(")\"'*_")
        if bare.endswith((".", ";", "!", "?")) and not ABBREVIATION.search(bare):
            yield " ".join(words)
            words = []
    if words:
        yield " ".join(words)


def faults_of(label, paragraphs):
    """Yield what to write instead, for each fault of the paragraphs of a text."""
    seen = set()
    for paragraph in paragraphs:
        for sentence in split_sentences(paragraph):
            if (n_words := len(sentence.split())) > MAX_WORDS:
                yield f"{label}: {n_words} words, write two sentences: {sentence}"
        for phrase, instead in INSTEAD.items():
            if match := re.search(rf"\b{phrase}\b", paragraph, re.IGNORECASE):
                around = paragraph[max(match.start() - 60, 0) : match.end() + 40]
                yield f"{label}: write {instead!r} instead of {match[0]!r}: …{around}…"
        if len(paragraph.split()) > 8 and paragraph in seen:
            yield f"{label}: delete the second copy of this paragraph: {paragraph[:100]}"
        seen.add(paragraph)


def paragraphs_of_page(text):
    """Return the paragraphs, items and headings of a Markdown page, without code and tables."""
    text = re.sub(r"^(```+|~~~+|:::+).*?^\1\s*$", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"<!--.*?-->|<[^>]+>|\$[^$\n]+\$|^---$.*?^---$", "x", text, flags=re.S | re.M)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", lambda match: match[1] or "link", text)
    text = re.sub(r"`[^`]+`", "code", text)
    parts = re.split(r"\n\s*\n|\n(?=\s*(?:[-*:]|\d+\.|#+|>) )", text)
    return [" ".join(part.split()) for part in parts if "|" not in part and part.strip()]


def paragraphs_of_help(text):
    """Return the paragraphs and the descriptions of options of a help text."""
    head, _, options = text.partition("\nOptions:\n")
    prose = head.partition("\nExamples:\n")[0]  # lists of examples and of commands follow
    paragraphs = [
        " ".join(part.split()) for part in re.split(r"\n\s*\n", prose) if "      " not in part
    ]
    for record in re.split(r"\n  (?=-)", options.partition("\n\n")[0]):
        paragraphs.append(" ".join(re.sub(r"^.*?(?:  +|\n)", "", record, count=1).split()))
    # A line may end behind the hyphen of a word.
    return [re.sub(r"(?<=\w)- ", "-", paragraph) for paragraph in paragraphs]


def paragraphs_of_docstring(text):
    """Return the paragraphs of a docstring, and its arguments, without code."""
    prose = re.sub(r"^\s*(>>>|\.\.\.) .*$", "", inspect.cleandoc(text), flags=re.MULTILINE)
    prose = re.sub(r"::\n\n((?:    .*\n?|\n)+)", ".\n", prose)
    prose = re.sub(r"``[^`]+``|`[^`]+`", "code", prose)
    parts = re.split(r"\n\s*\n|\n(?=\s+\w+: )|\n(?=- )", prose)
    return [" ".join(part.split()) for part in parts]


PAGES = sorted(
    page.relative_to(CHECKOUT).as_posix()
    for page in [
        *(CHECKOUT / "docs").rglob("*.md"),
        *CHECKOUT.glob("*.md"),
        CHECKOUT / "configs" / "README.md",
    ]
    if page.name != "CHANGELOG.md" and page.parent.name != "gallery"  # captions of figures
)


@pytest.mark.parametrize("page", PAGES)
def test_pages_are_in_plain_words(page):
    text = (CHECKOUT / page).read_text(encoding="utf-8")
    faults = [*faults_of(page, paragraphs_of_page(text))]
    if page not in ("CONTRIBUTING.md",):
        faults += [
            f"{page}: link the file instead of writing its path as code: {path}"
            for path in REPOSITORY_PATH.findall(text)
        ]
    assert not faults, "\n".join(faults)


def test_the_help_is_in_plain_words():
    faults = []
    for parent in ((), ("assess",)):
        for name in ("", *commands_of(*parent)):
            words = (*parent, *filter(None, [name]))
            faults += faults_of(" ".join(("firsthit", *words)), paragraphs_of_help(help_of(*words)))
    assert not faults, "\n".join(dict.fromkeys(faults))


def public_docstrings():
    """Yield the docstrings of public names and of their public members."""
    named = {f"firsthit.{name}": getattr(firsthit, name) for name in firsthit.__all__}
    for label, thing in {**named, "firsthit.assessment.Results": Results}.items():
        yield label, inspect.getdoc(thing)
        if inspect.isclass(thing):
            for name, member in inspect.getmembers(thing):
                if not name.startswith("_") and (text := inspect.getdoc(member)):
                    yield f"{label}.{name}", text


def test_docstrings_of_public_names_are_in_plain_words():
    faults = []
    for label, text in public_docstrings():
        faults += faults_of(label, paragraphs_of_docstring(text or ""))
    assert not faults, "\n".join(dict.fromkeys(faults))


def text_of(node):
    """Return a text literal; values in braces become one word."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(text_of(part) for part in node.values)
    return "x" if isinstance(node, ast.FormattedValue) else ""


def messages_of(file):
    """Yield the messages of errors and notes in a module, with their lines."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        is_message = isinstance(node, ast.Raise | ast.Yield) or (
            isinstance(node, ast.Call)
            and ast.unparse(node.func).endswith(("echo", "Error", "warn"))
        )
        for part in ast.walk(node) if is_message else ():
            if len((text := text_of(part)).split()) > 3:
                yield node.lineno, text


@pytest.mark.slow
def test_messages_are_in_plain_words():
    faults = []
    for folder in ("assessment", "firsthit", "loggers", "runner", "suites"):
        for file in sorted((CHECKOUT / folder).rglob("*.py")):
            for line, text in messages_of(file):
                label = f"{file.relative_to(CHECKOUT).as_posix()}:{line}"
                faults += faults_of(label, [" ".join(text.split())])
    assert not faults, "\n".join(dict.fromkeys(faults))
