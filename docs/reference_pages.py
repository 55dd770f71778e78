"""Sphinx extension of the reference: pages of classes and questions, examples, exceptions.

All of it follows from the public names and the registered questions, so that a new class or
question appears without a change here:

- Before a build, `write_api_pages` writes a page for each public class and function into
  ``reference/api``. ``{api-index} firsthit.loggers`` lists the pages of a module.
- ``{question-index}`` lists the pages of the questions by heading, as ``firsthit assess --help``.
- ``{question-options} art``, ``{question-columns} art`` and ``{question-method} art`` are the parts
  of the page of a question.
- ``{example}`` executes Python and shows its output and its figures.
- ``{exceptions}`` lists the exceptions with their exit codes.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import importlib
import inspect
import io
import os
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from importlib.util import resolve_name
from itertools import pairwise
from pathlib import Path
from textwrap import dedent, indent
from types import ModuleType
from typing import Any, NamedTuple

import click
import yaml
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.domains.python import PyObject
from sphinx.util.docutils import SphinxDirective

import firsthit
from firsthit.assessment.questions._framework import catalogue, registry
from firsthit.assessment.questions._framework.docstrings import split_docstring
from firsthit.assessment.questions._framework.question import SHARED_ARGUMENTS, Question
from firsthit.assessment.questions._framework.render import drawings
from firsthit.assessment.tables.table import Table
from firsthit.cli.assess import build_command
from firsthit.loggers.errors import MissingRunsError
from firsthit.suites.errors import FirsthitError

DOCS = Path(__file__).parent
API_FOLDER = DOCS / "reference" / "api"
COLUMNS_FILE = DOCS / "reference" / "columns.yaml"
MODULES = (
    "firsthit", "firsthit.suites", "firsthit.loggers", "firsthit.runner", "firsthit.assessment",
    "firsthit.bridges", "firsthit.coco",
)  # fmt: skip
"""Modules with public names. A name of several modules is documented in the first one."""
SOURCE_URL = "https://github.com/firsthit/firsthit/blob/main"
EXAMPLE_LOGS = {
    "results/quickstart.h5": ["run", "quickstart"],
    "results/two-objectives.h5": ["run", str(DOCS / "reference" / "examples" / "biobj.yaml")],
    "results/notes.h5": ["run", str(DOCS / "reference" / "examples" / "notes.yaml")],
}
"""Logs that examples load, with the arguments of ``firsthit`` that make them."""
FIGURE_DOTS_PER_INCH = 200
FIRST_LINES, LAST_LINES = 14, 3
"""Lines that the output of an example keeps."""
_SHORT_TYPES = {
    r"~numpy\.ndarray\[tuple\[~typing\.Any, \.\.\.\], ~numpy\.dtype\[(.*?)\]\]": r"NDArray[\1]",
    r"TypeAliasForwardRef\('(\w+)'\)": r"\1",
    r"<function \w+>|<factory>": "...",
}
"""Pieces of signatures as Sphinx writes them, to what the pages show."""
SHARED_OPTIONS = {
    *SHARED_ARGUMENTS, "hypervolume_reference", "coco_archive", "recommended", "width",
    "overwrite", "table_format", "help",
}  # fmt: skip
"""Options that many tables have; they are listed once, on the page of all tables."""


def public_names(module_name: str) -> dict[str, object]:
    """Return the public names of a module with their objects; without modules and exceptions.

    Names of an earlier module in `MODULES` are left out.
    """
    earlier_modules = MODULES[: MODULES.index(module_name)]
    earlier = [value for name in earlier_modules for value in public_names(name).values()]
    module = importlib.import_module(module_name)
    names = getattr(module, "__all__", None) or [
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", "") == module_name
    ]
    public = {name: getattr(module, name) for name in sorted(names, key=str.lower)}
    return {
        name: value
        for name, value in public.items()
        if not isinstance(value, ModuleType)
        and not (inspect.isclass(value) and issubclass(value, BaseException))
        and not any(value is other for other in earlier)
    }


def write_api_pages(app: Sphinx) -> None:
    """Write a page for each public name, and delete the pages of names that do not exist any more.

    A page that does not change is not written again, so that Sphinx does not read it again.
    """
    pages = {
        API_FOLDER / f"{_page_of(module_name, name, value)}.md": _write_api_page(
            module_name, name, value
        )
        for module_name in MODULES
        for name, value in public_names(module_name).items()
    }
    for file in API_FOLDER.rglob("*.md"):
        if file not in pages:
            file.unlink()
    for file, text in pages.items():
        if not file.is_file() or file.read_text(encoding="utf-8") != text:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")


def _page_of(module_name: str, name: str, value: object) -> str:
    """Return the page of a public name, without suffix, in the folder of all pages.

    Classes have a folder of their own, because some file systems do not distinguish the class
    ``Areas`` from the function ``areas``.
    """
    kind = "classes" if inspect.isclass(value) else "functions"
    return f"{kind}/{module_name}.{name}"


def _write_api_page(module_name: str, name: str, value: object) -> str:
    """Return the page of a public name. Its docstring has the text and an example."""
    full_name = f"{module_name}.{name}"
    if inspect.isclass(value):
        entry = f".. autoclass:: {full_name}\n   :members:"
    elif callable(value):
        entry = f".. autofunction:: {full_name}"
    else:
        docstring = inspect.cleandoc(_find_assignment(module_name, name).docstring)
        text, _, example = docstring.partition("Example:\n")
        entry = f".. py:data:: {name}\n   :module: {module_name}\n   :value: {value!r}\n\n"
        entry += indent(f"{text}.. rubric:: Example\n\n{dedent(example)}", "   ")
    return f"# {full_name}\n\n```{{eval-rst}}\n{entry}\n```\n"


class _Assignment(NamedTuple):
    """Assignment of a public value that is neither a class nor a function, with its docstring."""

    file: str
    first_line: int
    last_line: int
    docstring: str


def _find_assignment(module_name: str, name: str) -> _Assignment:
    """Find the assignment of a public value in the module that defines it.

    Python does not keep the docstring below an assignment, so the source is read. A module that
    imports its names at their first use has a stub beside it, which names the other modules.
    """
    module = importlib.import_module(module_name)
    file = Path(module.__file__ or "")
    stub = file.with_suffix(".pyi")
    body = ast.parse((stub if stub.is_file() else file).read_text(encoding="utf-8")).body
    for node, next_node in pairwise([*body, ast.Pass()]):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if name in (alias.name, alias.asname):
                    source = "." * node.level + (node.module or "")
                    package = module.__spec__.parent if module.__spec__ else None
                    return _find_assignment(resolve_name(source, package), alias.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(next_node, ast.Expr):
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            if ast.unparse(target) == name:
                docstring = ast.literal_eval(next_node.value)
                return _Assignment(str(file), node.lineno, node.end_lineno or 0, docstring)
    raise LookupError(f"{module_name}.{name} has no docstring")


class ApiIndex(SphinxDirective):
    """List the public names of a module with their summaries, and link their pages."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the list, and a toctree."""
        module_name = self.arguments[0]
        names = public_names(module_name)
        lines = [
            f"- {{doc}}`{name} <api/{_page_of(module_name, name, value)}>`: {_summarize(value)}"
            for name, value in names.items()
        ]
        pages = [
            f"{name} <api/{_page_of(module_name, name, value)}>" for name, value in names.items()
        ]
        text = "\n".join([*lines, "", "```{toctree}", ":hidden:", "", *pages, "```"])
        return self.parse_text_to_nodes(text)


def _summarize(value: object) -> str:
    """Return the first line of the docstring of a class or function; else the value itself."""
    if inspect.isclass(value) or callable(value):
        return split_docstring(value.__doc__).summary.replace("``", "`")
    return f"`{value!r}`"


class QuestionIndex(SphinxDirective):
    """List the pages of all questions by heading, with summaries."""

    def run(self) -> list[nodes.Node]:
        """Return a section for each heading; a question without a page is a warning of Sphinx."""
        sections: list[nodes.Node] = []
        for heading, entries in catalogue.QUESTIONS_BY_HEADING.items():
            pages = [f"questions/{name}" for name in entries]
            lines = [
                f"- {{doc}}`{name} <questions/{name}>`: {entry.summary}"
                for name, entry in entries.items()
            ]
            text = "\n".join([*lines, "", "```{toctree}", ":hidden:", "", *pages, "```"])
            title = nodes.title(heading, heading)
            section = nodes.section("", title, ids=[nodes.make_id(heading)])
            section += self.parse_text_to_nodes(text)
            sections.append(section)
        question = registry.question("ecdf")  # it has all these options
        assert question is not None
        rows = [
            row
            for row in _list_options(build_command(question, "ecdf"), question)
            if row.name in SHARED_OPTIONS
        ]
        title = nodes.title("Options of all tables", "Options of all tables")
        section = nodes.section("", title, ids=["options-of-all-tables"])
        section += self.parse_text_to_nodes("\n".join(_write_option_table(rows)))
        return [*sections, section]


class QuestionOptions(SphinxDirective):
    """Table of the options of a question: on the command line, in Python, and their effect."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the usage of the command and the table; without the options of all questions."""
        name = self.arguments[0]
        question = registry.question(name)
        assert question is not None, name
        command = build_command(question, name)
        usage = command.get_usage(_context_of(command)).removeprefix("Usage: ")
        rows = [row for row in _list_options(command, question) if row.name not in SHARED_OPTIONS]
        if question.two:
            names = ", ".join(f"`{parameter}`" for parameter in question.two)
            rows.insert(0, _OptionRow("", "`--algorithms A,B`", names, "The compared algorithms."))
        lines = [f"```text\n{usage}\n```", "", *(_write_option_table(rows) if rows else [])]
        lines += ["", "[Options of all tables](../questions.md) are listed once."]
        return self.parse_text_to_nodes("\n".join(lines))


class _OptionRow(NamedTuple):
    """Row of a table of options; cells are in Markdown."""

    name: str
    command_line: str
    python: str
    effect: str


def _context_of(command: click.Command) -> click.Context:
    return click.Context(command, info_name=f"firsthit assess {command.name}", terminal_width=200)


def _list_options(command: click.Command, question: Question[Any]) -> list[_OptionRow]:
    """Return the options of the command of a question that have a help."""
    rows = []
    for parameter in command.params:
        record = parameter.get_help_record(_context_of(command))
        if record and record[1]:
            name = parameter.name or ""
            argument = f"`{name}`" if name in question.arguments else ""
            rows.append(_OptionRow(name, f"`{record[0]}`", argument, record[1]))
    return rows


def _write_option_table(rows: Sequence[_OptionRow]) -> list[str]:
    """Return the lines of a table in Markdown."""
    cells = [
        [row.command_line.replace("|", "\\|"), row.python, _as_cell(row.effect)] for row in rows
    ]
    head = ["| Command line | Python | Effect |", "|---|---|---|"]
    return [*head, *(f"| {' | '.join(row)} |" for row in cells)]


def _as_cell(text: str) -> str:
    """Return a text as a cell of a table in Markdown, in which options are code."""
    escaped = " ".join(text.split()).replace("|", "\\|").replace("*", "\\*").replace("<", "\\<")
    return re.sub(r"(?<![\w`-])(--[a-z][\w-]*)(?![\w`])", r"`\1`", escaped)


class QuestionMethod(SphinxDirective):
    """Entry of the method of `Results` that answers a question: its signature, result and errors.

    Arguments and text are left out, because the rest of the page explains them.
    """

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the entry, and those of the methods of ``results.plot`` for its figures."""
        name = self.arguments[0]
        lines = [
            "```{eval-rst}",
            f".. automethod:: firsthit.assessment.Results.{name.replace('-', '_')}",
            "```",
        ]
        return self.parse_text_to_nodes("\n".join(lines))


def shorten_docstring(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]
) -> None:
    """Prepare docstrings before napoleon converts them; a handler of autodoc.

    Of a question, keep the summary and the sections Returns and Raises. Napoleon would take the
    text of a property or of Returns up to its first colon for a type: an empty type before it
    prevents that.
    """
    if what == "property" and lines:
        lines[0] = f": {lines[0]}"
    prefix, _, method = name.rpartition(".")
    if prefix.endswith("Results") and method.replace("_", "-") in registry.own_questions():
        text = "\n".join(lines)
        kept = [split_docstring(text).summary, ""]
        for header in ("Returns:", "Raises:"):
            if header in lines:
                start = lines.index(header)
                end = next(
                    (i for i in range(start + 1, len(lines)) if lines[i] and lines[i][0] != " "),
                    len(lines),
                )
                kept += [*lines[start:end], ""]
        lines[:] = kept
    if "Returns:" in lines:
        first = lines.index("Returns:") + 1
        lines[first] = f"    : {lines[first].strip()}"


def shorten_types(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, signature: str | None, result: str
) -> tuple[str, str] | None:
    """Shorten types and defaults in a signature; a handler of autodoc.

    Sphinx writes arrays with all parameters of `numpy.ndarray`, and cannot parse a signature with a
    default in angle brackets, such as a function.
    """
    if signature is None:
        return None
    texts = [signature, result or ""]
    for pattern, replacement in _SHORT_TYPES.items():
        texts = [re.sub(pattern, replacement, text) for text in texts]
    return texts[0], texts[1]


class QuestionColumns(SphinxDirective):
    """Table of the columns of a question's table, with units.

    Each line of the body is a call, such as ``results.art(interval=0.95)``. The columns are those
    of the tables that the calls return, so that the list is complete for these options. The file
    ``columns.yaml`` describes each column.
    """

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the table; a column without a description is an error."""
        name = self.arguments[0]
        descriptions = _read_columns(name)
        columns: dict[str, tuple[str, str]] = {}
        for call in self.content:
            table = _Execution(self.env.app).evaluate(call)
            for column in table.names:
                pattern = next((key for key in descriptions if fnmatchcase(column, key)), None)
                if pattern is None:
                    raise self.error(f"{COLUMNS_FILE.name}: no description of {name}: {column}")
                columns[_show_pattern(pattern)] = descriptions[pattern]
        lines = [
            "CSV, JSON and pandas have these columns. Text and LaTeX join or omit some of them.",
            "",
            "| Column | Unit | Meaning |",
            "|---|---|---|",
        ]
        lines += [
            f"| {column} | {unit} | {_as_cell(meaning)} |"
            for column, (unit, meaning) in columns.items()
        ]
        return self.parse_text_to_nodes("\n".join(lines))


def _read_columns(name: str) -> dict[str, tuple[str, str]]:
    """Return unit and meaning of columns by name or pattern: those of a question, then the shared.

    In the file, a description is ``unit; meaning``; the unit may be empty.
    """
    texts: Mapping[str, Mapping[str, str]] = yaml.safe_load(COLUMNS_FILE.read_text("utf-8"))
    descriptions = {**texts.get(name, {}), **texts["shared"]}
    descriptions |= texts.get(name, {})
    return {
        column: (unit.strip(), meaning.strip())
        for column, text in descriptions.items()
        for unit, _, meaning in [text.partition(";")]
    }


def _show_pattern(pattern: str) -> str:
    """Return a column as code; ``*`` of a pattern becomes an ellipsis."""
    return f"`{pattern.replace('*', '…')}`"


class Example(SphinxDirective):
    """Execute the body as Python, and show it with what it prints and the figures that it draws.

    A statement that is an expression and returns matplotlib axes gives a figure. The caption is
    that of ``firsthit figures``.
    """

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the code, its output and its figures."""
        code = "\n".join(self.content)
        block = nodes.literal_block(code, code, language="python")
        execution = _Execution(self.env.app)
        printed = execution.run(code)
        output = nodes.literal_block(printed, printed, language="text", classes=["output"])
        figures = [
            nodes.figure(
                "",
                nodes.image(uri=picture.uri, alt=picture.alternative, classes=["drawing"]),
                nodes.caption("", picture.caption),
            )
            for picture in execution.pictures
        ]
        return [block, *([output] if printed else []), *figures]


class _Picture(NamedTuple):
    """Figure of an example: its address, alternative text, and caption."""

    uri: str
    alternative: str
    caption: str


class _Execution:
    """Execution of examples in the folder that contains their logs.

    Args:
        app: The application of Sphinx.

    Attributes:
        pictures: The figures.
    """

    def __init__(self, app: Sphinx) -> None:
        self.pictures: list[_Picture] = []
        self._folder = Path(app.config.nb_execution_cache_path).with_suffix(".logs")
        self._names: dict[str, Any] = {}

    def run(self, code: str) -> str:
        """Execute statements, and return what they print."""
        printed = io.StringIO()
        with (
            self._in_folder(code),
            contextlib.redirect_stdout(printed),
            contextlib.redirect_stderr(io.StringIO()),
        ):
            for statement in ast.parse(code).body:
                if not isinstance(statement, ast.Expr):
                    exec(compile(ast.Module([statement], []), "example", "exec"), self._names)
                    continue
                value = self._evaluate(statement.value)
                if hasattr(value, "get_figure"):
                    assert isinstance(statement.value, ast.Call)
                    picture = _Picture(
                        _embed_picture(value.get_figure()),
                        f"Figure drawn by {ast.unparse(statement)}",
                        self._caption_of(statement.value),
                    )
                    self.pictures.append(picture)
        return _shorten(printed.getvalue().rstrip())

    def _evaluate(self, expression: ast.expr) -> Any:
        return eval(compile(ast.Expression(expression), "example", "eval"), self._names)

    def _caption_of(self, call: ast.Call) -> str:
        """Return the caption of the figure of a call such as ``results.plot.art(functions=3)``."""
        from matplotlib import pyplot

        assert isinstance(call.func, ast.Attribute), ast.unparse(call)
        kind = call.func.attr.replace("_", "-")
        figure = registry.figure(kind)
        assert figure is not None, kind
        options = {keyword.arg: self._evaluate(keyword.value) for keyword in call.keywords}
        bound = figure.question.signature.bind_partial(None, *map(self._evaluate, call.args))
        arguments = dict(list(bound.arguments.items())[1:])
        if figure.question.two:
            options["algorithms"] = [arguments.pop(name) for name in figure.question.two]
        drawing = next(drawings(kind, self._names["results"].log, {**options, **arguments}))
        pyplot.close(drawing.figure)
        return drawing.caption

    def evaluate(self, call: str) -> Table:
        """Return the table of a call such as ``results.art()``, with the log of its comment.

        The log is ``results/quickstart.h5``; a comment behind the call, ``# two-objectives``, names
        another.
        """
        call, _, log = call.partition("#")
        path = f"results/{log.strip() or 'quickstart'}.h5"
        with self._in_folder(path):
            table: Table = eval(call, {"results": firsthit.load(path)})
        return table

    @contextlib.contextmanager
    def _in_folder(self, code: str) -> Iterator[None]:
        """Work in the folder of the logs; make the logs first that the code names."""
        self._folder.mkdir(parents=True, exist_ok=True)
        for log, arguments in EXAMPLE_LOGS.items():
            if log in code and not (self._folder / log).is_file():
                command = [sys.executable, "-m", "firsthit", *arguments]
                subprocess.run(command, cwd=self._folder, check=True, capture_output=True)
        with contextlib.chdir(self._folder):
            yield


def _shorten(printed: str) -> str:
    """Return an output; replace the middle of a long one by a line with an ellipsis."""
    lines = printed.splitlines()
    if len(lines) > FIRST_LINES + LAST_LINES + 1:
        lines[FIRST_LINES:-LAST_LINES] = ["…"]
    return "\n".join(lines)


def _embed_picture(figure: Any) -> str:
    """Return a figure as the address of an embedded PNG, and close it."""
    from matplotlib import pyplot

    data = io.BytesIO()
    figure.savefig(data, format="png", dpi=FIGURE_DOTS_PER_INCH)
    pyplot.close(figure)
    return "data:image/png;base64," + base64.b64encode(data.getvalue()).decode()


class Exceptions(SphinxDirective):
    """Entry of each exception, with the built-in exceptions that it also is and its exit code."""

    def run(self) -> list[nodes.Node]:
        """Return a table, and the entry of each exception."""
        for module in pkgutil.walk_packages(firsthit.__path__, "firsthit."):
            if not module.name.endswith("__main__"):
                importlib.import_module(module.name)
        classes = sorted({*_all_subclasses(FirsthitError)}, key=lambda cls: cls.__name__)
        rows = [
            f"| {{py:exc}}`~{_public_path(cls)}` | {_builtin_bases(cls)} | "
            f"{1 if issubclass(cls, MissingRunsError) else 2} |"
            for cls in classes
        ]
        lines = ["| Exception | Also a | Exit code |", "|---|---|---|", *rows, "", "```{eval-rst}"]
        lines += [f".. autoexception:: {_public_path(cls)}" for cls in classes]
        return self.parse_text_to_nodes("\n".join([*lines, "```"]))


def _public_path(cls: type) -> str:
    """Return the path by which users import a class."""
    for module_name in MODULES:
        if getattr(importlib.import_module(module_name), cls.__name__, None) is cls:
            return f"{module_name}.{cls.__name__}"
    return f"{cls.__module__}.{cls.__name__}"


def _all_subclasses(base: type) -> Iterator[type]:
    yield base
    for subclass in base.__subclasses__():
        if subclass.__module__.startswith("firsthit") and not subclass.__name__.startswith("_"):
            yield from _all_subclasses(subclass)


def _builtin_bases(cls: type) -> str:
    names = [
        f"`{base.__name__}`"
        for base in cls.__mro__
        if base.__module__ == "builtins" and base not in (Exception, BaseException, object)
    ]
    return ", ".join(names[:2])


def link_source(domain: str, info: Mapping[str, str]) -> str | None:
    """Return the address of the source of a Python object, for ``sphinx.ext.linkcode``."""
    value: Any = importlib.import_module(info["module"])
    for name in info["fullname"].split("."):
        value = getattr(value, name, None)
    value = inspect.unwrap(value.fget if isinstance(value, property) else value)
    try:
        file = inspect.getsourcefile(value)
        lines, first_line = inspect.getsourcelines(value)
        last_line = first_line + len(lines) - 1
    except TypeError:  # a value that is no class or function
        if "." in info["fullname"]:
            return None
        file, first_line, last_line, _ = _find_assignment(info["module"], info["fullname"])
    path = os.path.relpath(os.path.realpath(file or ""), DOCS.parent).replace(os.sep, "/")
    return f"{SOURCE_URL}/{path}#L{first_line}-L{last_line}"


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directives and handlers; Sphinx calls this function."""
    for field in PyObject.doc_field_types:
        if field.name == "variable":
            field.label = "Attributes"  # as in docstrings; Sphinx writes "Variables"
    app.add_directive("api-index", ApiIndex)
    app.add_directive("question-index", QuestionIndex)
    app.add_directive("question-options", QuestionOptions)
    app.add_directive("question-method", QuestionMethod)
    app.add_directive("question-columns", QuestionColumns)
    app.add_directive("example", Example)
    app.add_directive("exceptions", Exceptions)
    app.connect("builder-inited", write_api_pages)
    app.connect("autodoc-process-signature", shorten_types)
    app.connect("autodoc-process-docstring", shorten_docstring, priority=400)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
