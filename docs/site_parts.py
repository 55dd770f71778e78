"""Sphinx extension of the site: reference of commands and log format, and the gallery as a grid.

``{commands} assess`` lists the commands of ``firsthit assess`` by heading, as its help does, with
the options of each command. Options that all commands have are listed once, before them. A new
question appears without a change here, because the command line finds it.

``{notes}`` lists all notes below tables, with the reason and what to do.

``{log-description}`` and ``{log-datasets}`` show the texts that a log contains.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import click
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from firsthit.assessment.questions._framework.notes_page import list_notes
from firsthit.cli import group
from firsthit.cli.lazy import LazyGroup
from firsthit.loggers.hdf5.check_file import columns_of
from firsthit.loggers.hdf5.descriptions import (
    CODES,
    DATASETS,
    DESCRIPTION,
    OFFSETS_DESCRIPTION,
    Dataset,
    describe_rows_of,
)
from firsthit.loggers.hdf5.schema import OFFSETS, TEXT_LIMITS, TEXT_TABLES
from firsthit.loggers.records.dtypes import TABLES

Option = tuple[str, str]
"""An option and its description as help prints them, for example ``--seed INTEGER``."""
_CODE = re.compile(r"`([^`]+)`|(?<![\w-])(--[a-z][\w-]*)")


class Commands(SphinxDirective):
    """Sections for the commands of ``firsthit``, or of one of its groups; see the module."""

    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return a section for each heading."""
        parent, path = _find_group(self.arguments)
        commands = {
            name: parent.get_command(click.Context(parent), name) for name in parent.summaries
        }
        single = {
            name: command
            for name, command in commands.items()
            if not isinstance(command, LazyGroup)
        }
        options = {name: _options(command, f"{path} {name}") for name, command in single.items()}
        first, *others = options.values()
        shared = [option for option in first if all(option in other for other in others)]
        sections: list[nodes.Node] = []
        if shared:
            sections.append(_section("Options of all", "options", [_definitions(shared)]))
        for heading, summaries in parent.sections.items():
            parts = [
                _command(f"{path} {name}", summary, commands[name], options.get(name, []), shared)
                for name, summary in summaries.items()
            ]
            sections.append(_section(heading, nodes.make_id(heading), parts))
        return sections


def _find_group(names: Sequence[str]) -> tuple[LazyGroup, str]:
    """Return a group of commands, and the command line that calls it."""
    command: Any = group
    for name in names:
        command = command.get_command(click.Context(command), name)
    return command, " ".join(["firsthit", *names])


def _options(command: click.Command, path: str) -> list[Option]:
    """Return the options of a command that have a description."""
    context = click.Context(command, info_name=path)
    records = (one.get_help_record(context) for one in command.params)
    return [record for record in records if record is not None and record[1]]


def _command(
    path: str,
    summary: str,
    command: click.Command,
    options: Sequence[Option],
    shared: Sequence[Option],
) -> nodes.section:
    context = click.Context(command, info_name=path, terminal_width=200, max_content_width=200)
    usage = command.get_usage(context).removeprefix("Usage: ")
    parts: list[nodes.Node] = [nodes.literal_block(usage, usage, language="text")]
    parts += _help(command.help or summary)
    if examples := "\n".join(getattr(command, "examples", ())):
        parts.append(nodes.literal_block(examples, examples, language="sh"))
    if isinstance(command, LazyGroup):
        parts.append(_paragraph(f"`{path} --help` lists them; here they have a page of their own."))
    if further_options := [option for option in options if option not in shared]:
        parts.append(_definitions(further_options))
    return _section(path.split()[-1], nodes.make_id(path), parts)


def _help(text: str) -> Iterator[nodes.Node]:
    """Yield the paragraphs of a help text; those that click does not wrap become literal blocks."""
    for part in re.split(r"\n\s*\n", text.replace("\f", "").strip()):
        if part.startswith("\b"):
            yield nodes.literal_block(part[1:].strip("\n"), part[1:].strip("\n"), language="text")
        else:
            yield _paragraph(part)


def _paragraph(text: str) -> nodes.paragraph:
    """Return a paragraph in which text in backquotes and options are code."""
    paragraph = nodes.paragraph()
    for i, part in enumerate(_CODE.split(" ".join(text.split()))):
        if part:
            paragraph += nodes.literal(part, part) if i % 3 else nodes.Text(part)
    return paragraph


def _definitions(options: Sequence[Option]) -> nodes.definition_list:
    definitions = nodes.definition_list(classes=["options"])
    for names, text in options:
        term = nodes.term("", "", nodes.literal(names, names))
        definitions += nodes.definition_list_item("", term, nodes.definition("", _paragraph(text)))
    return definitions


def _section(title: str, anchor: str, parts: Sequence[nodes.Node]) -> nodes.section:
    return nodes.section("", nodes.title(title, title), *parts, ids=[anchor])


class Notes(SphinxDirective):
    """Sections for all notes below tables: an example, when it appears, and what to do."""

    def run(self) -> list[nodes.Node]:
        """Return a section for each title; several notes may have one title."""
        sections: dict[str, nodes.section] = {}
        for entry in list_notes():
            title, example, reason, action = entry.explanation
            if title not in sections:
                sections[title] = _section(title, nodes.make_id(f"note-{title}"), [])
            tables = ", ".join(table if " " in table else f"`{table}`" for table in entry.tables)
            sections[title] += [
                nodes.literal_block(example, example, language="text"),
                _paragraph(f"Why: {reason}"),
                _paragraph(f"What to do: {action}"),
                _paragraph(f"Where: {tables}."),
            ]
        return [*sections.values()]


class LogDescription(SphinxDirective):
    """The description of a log, as the root of each log has it."""

    def run(self) -> list[nodes.Node]:
        """Return a block with the text."""
        return [nodes.literal_block(DESCRIPTION, DESCRIPTION, language="text")]


class LogDatasets(SphinxDirective):
    """Sections for the datasets of a log, each with a table of its columns."""

    def run(self) -> list[nodes.Node]:
        """Return a section for each dataset, and one for the datasets of offsets."""
        sections = [_dataset(name, texts) for name, texts in DATASETS.items()]
        names = " ".join(f"`{name}{OFFSETS}`" for name in TABLES)
        offsets = [
            _paragraph(f"For each table T of {names}: 64-bit integers. {OFFSETS_DESCRIPTION}"),
            _paragraph(f"`rows_of`: {describe_rows_of('T')}."),
        ]
        return [*sections, _section(f"T{OFFSETS}", "offsets", offsets)]


def _dataset(name: str, texts: Dataset) -> nodes.section:
    parts: list[nodes.Node] = [_paragraph(texts.description)]
    if not texts.columns:
        parts.append(_paragraph(f"Text of at most {TEXT_LIMITS[name]} bytes."))
    if name in TABLES:
        parts.append(_paragraph(f"Optional; rows of a run: `{name}{OFFSETS}`."))
    if texts.columns:
        rows = [
            (f"`{column}`", _type(name, column), text.meaning, text.unit, text.missing)
            for column, text in texts.columns.items()
        ]
        parts.append(_table(("Column", "Type", "Meaning", "Unit", "Missing value"), rows))
    return _section(name, f"dataset-{name}", parts)


def _type(name: str, column: str) -> str:
    """Return the type of a column in words."""
    dtype = columns_of(name)[column]
    if name == "runs" and column in CODES:
        codes = (f"{code} `{word}`" for code, word in enumerate(CODES[column]))
        return f"enum of {dtype.name}: {', '.join(codes)}"
    if dtype.kind != "S":
        return dtype.name
    if name in TEXT_TABLES:
        return f"text, up to {TEXT_LIMITS[name]} bytes"
    return f"text, {dtype.itemsize} bytes"


def _table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> nodes.table:
    table_group = nodes.tgroup("", *(nodes.colspec(colwidth=1) for _ in titles), cols=len(titles))
    table_group += nodes.thead("", _row(titles))
    table_group += nodes.tbody("", *map(_row, rows))
    return nodes.table("", table_group)


def _row(cells: Sequence[str]) -> nodes.row:
    return nodes.row("", *(nodes.entry("", _paragraph(cell)) for cell in cells))


def as_grid(app: Sphinx, doctree: nodes.document, name: str) -> None:
    """Put each picture of the gallery with its caption and command into a tile of a grid."""
    if name != "gallery/README":
        return
    for section in list(doctree.findall(nodes.section)):
        pictures = [
            child
            for child in section.children
            if isinstance(child, nodes.paragraph) and isinstance(child.next_node(), nodes.image)
        ]
        if not pictures:
            continue
        tiles = nodes.container(classes=["tiles"])
        section.insert(section.index(pictures[0]), tiles)
        for picture in pictures:
            # The picture is followed by its caption and its command.
            index = section.index(picture)
            parts = section.children[index : index + 3]
            for part in parts:
                section.remove(part)
            image = next(picture.findall(nodes.image))
            width = ["wide"] if image["uri"].endswith("_page.png") else []
            tiles += nodes.container("", parts[0], parts[2], parts[1], classes=["tile", *width])


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directives and the grid of the gallery; Sphinx calls this function."""
    app.add_directive("commands", Commands)
    app.add_directive("notes", Notes)
    app.add_directive("log-description", LogDescription)
    app.add_directive("log-datasets", LogDatasets)
    app.connect("doctree-resolved", as_grid)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
