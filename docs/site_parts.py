"""Sphinx extension of the site: reference of commands, notes and log format.

``{commands}`` lists the commands of ``firsthit`` by heading, as its help does, with the examples
and options of each command.

``{notes}`` lists notes below tables, with the reason and what to do. The argument is ``warnings``
or ``definitions``.

``{log-description}`` and ``{log-datasets}`` show the texts that a log contains.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

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

_CODE = re.compile(r"`([^`]+)`|(?<![\w-])(--[a-z][\w-]*)")


class Commands(SphinxDirective):
    """Sections for the commands of ``firsthit``; see the module."""

    def run(self) -> list[nodes.Node]:
        """Return a section for each heading."""
        context = click.Context(group)
        return [
            _section(
                heading,
                nodes.make_id(heading),
                [_command(name, group.get_command(context, name)) for name in summaries],
            )
            for heading, summaries in group.sections.items()
        ]


def _command(name: str, command: click.Command | None) -> nodes.section:
    """Return the section of a command: usage, help, examples, options and subcommands."""
    assert command is not None, name
    path = f"firsthit {name}"
    context = click.Context(command, info_name=path, terminal_width=200, max_content_width=200)
    usage = command.get_usage(context).removeprefix("Usage: ")
    parts: list[nodes.Node] = [nodes.literal_block(usage, usage, language="text")]
    parts += _help(command.help or "")
    if examples := "\n".join(getattr(command, "examples", ())):
        parts.append(nodes.literal_block(examples, examples, language="sh"))
    if isinstance(command, LazyGroup):
        parts.append(_paragraph(f"`{path} --help` lists its commands."))
    records = (parameter.get_help_record(context) for parameter in command.params)
    if options := [record for record in records if record and record[1] and record[0] != "--help"]:
        parts.append(_definitions(options))
    if isinstance(command, click.Group):  # a lazy group has no entries in `commands`
        parts += [_command(f"{name} {key}", part) for key, part in command.commands.items()]
    return _section(name, nodes.make_id(path), parts)


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


def _definitions(options: Sequence[tuple[str, str]]) -> nodes.definition_list:
    """Return a list of options and their descriptions, as click prints them in a help."""
    definitions = nodes.definition_list(classes=["options"])
    for names, text in options:
        term = nodes.term("", "", nodes.literal(names, names))
        definitions += nodes.definition_list_item("", term, nodes.definition("", _paragraph(text)))
    return definitions


def _section(title: str, anchor: str, parts: Sequence[nodes.Node]) -> nodes.section:
    return nodes.section("", nodes.title(title, title), *parts, ids=[anchor])


class Notes(SphinxDirective):
    """Sections for the warnings or the definitions below tables: example, reason and action."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return a section for each title; several notes may have one title."""
        sections: dict[str, nodes.section] = {}
        kind = self.arguments[0]
        label = {"warnings": "Why", "definitions": "Use"}[kind]
        for entry in list_notes():
            title, example, reason, action, is_definition = entry.explanation
            if is_definition != (kind == "definitions"):
                continue
            if title not in sections:
                sections[title] = _section(title, nodes.make_id(f"{kind}-{title}"), [])
            tables = ", ".join(
                table if " " in table else f"[`{table}`](/reference/questions/{table}.md)"
                for table in entry.tables
            )
            sections[title] += [
                nodes.literal_block(example, example, language="text"),
                _paragraph(f"{label}: {reason}"),
                _paragraph(f"What to do: {action}"),
                *self.parse_text_to_nodes(f"Where: {tables}."),
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


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directives; Sphinx calls this function."""
    app.add_directive("commands", Commands)
    app.add_directive("notes", Notes)
    app.add_directive("log-description", LogDescription)
    app.add_directive("log-datasets", LogDatasets)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
