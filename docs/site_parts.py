"""What the site has beyond Sphinx: the reference of commands, and the gallery as a grid.

``{commands} assess`` lists the commands of ``firsthit assess`` by heading, as its help does, with
the options of each; what all of them take stands once, before them. Commands are those that the
command line finds, so a new question appears by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import click
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from firsthit.cli import group
from firsthit.cli.lazy import LazyGroup

Option = tuple[str, str]
"""As help prints it: ``--seed INTEGER``, and what it means."""
_CODE = re.compile(r"`([^`]+)`|(?<![\w-])(--[a-z][\w-]*)")


class Commands(SphinxDirective):
    """Sections for the commands of ``firsthit``, or of one of its groups; see the module."""

    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        """A section for each heading."""
        parent, path = _group(self.arguments)
        commands = {
            name: parent.get_command(click.Context(parent), name) for name in parent.summaries
        }
        single = {name: one for name, one in commands.items() if not isinstance(one, LazyGroup)}
        options = {name: _options(one, f"{path} {name}") for name, one in single.items()}
        first, *others = options.values()
        shared = [one for one in first if all(one in more for more in others)]
        found: list[nodes.Node] = []
        if shared:
            found.append(_section("Options of all", "options", [_definitions(shared)]))
        for heading, summaries in parent.sections.items():
            parts = [
                _command(f"{path} {name}", summary, commands[name], options.get(name, []), shared)
                for name, summary in summaries.items()
            ]
            found.append(_section(heading, nodes.make_id(heading), parts))
        return found


def _group(arguments: Sequence[str]) -> tuple[LazyGroup, str]:
    found: Any = group
    for name in arguments:
        found = found.get_command(click.Context(found), name)
    return found, " ".join(["firsthit", *arguments])


def _options(command: click.Command, path: str) -> list[Option]:
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
    if isinstance(command, LazyGroup):
        parts.append(_paragraph(f"`{path} --help` lists them; here they have a page of their own."))
    if own := [one for one in options if one not in shared]:
        parts.append(_definitions(own))
    return _section(path.split()[-1], nodes.make_id(path), parts)


def _help(text: str) -> Iterator[nodes.Node]:
    """Its paragraphs; those that click is told not to wrap as they are."""
    for part in re.split(r"\n\s*\n", text.replace("\f", "").strip()):
        if part.startswith("\b"):
            yield nodes.literal_block(part[1:].strip("\n"), part[1:].strip("\n"), language="text")
        else:
            yield _paragraph(part)


def _paragraph(text: str) -> nodes.paragraph:
    """Text in which backquotes and options are code."""
    paragraph = nodes.paragraph()
    for i, part in enumerate(_CODE.split(" ".join(text.split()))):
        if part:
            paragraph += nodes.literal(part, part) if i % 3 else nodes.Text(part)
    return paragraph


def _definitions(options: Sequence[Option]) -> nodes.definition_list:
    found = nodes.definition_list(classes=["options"])
    for names, text in options:
        term = nodes.term("", "", nodes.literal(names, names))
        found += nodes.definition_list_item("", term, nodes.definition("", _paragraph(text)))
    return found


def _section(title: str, anchor: str, parts: Sequence[nodes.Node]) -> nodes.section:
    return nodes.section("", nodes.title(title, title), *parts, ids=[anchor])


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
            at = section.index(picture)
            parts = section.children[at : at + 3]
            for part in parts:
                section.remove(part)
            image = next(picture.findall(nodes.image))
            width = ["wide"] if image["uri"].endswith("_page.png") else []
            tiles += nodes.container("", parts[0], parts[2], parts[1], classes=["tile", *width])


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_directive("commands", Commands)
    app.connect("doctree-resolved", as_grid)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
