"""Writes ``index.json`` and ``methods.pyi`` from the questions: python -m …asking.generate.

The index has what help prints, so that nothing of a question is imported for it. The stub has the
types of the methods of `Results` and of ``results.plot``. A test compares both with the questions.
A docstring is the text for Python and the command line alike.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import pkgutil
import re
import types
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from .declaration import HEADINGS, QUESTIONS, Figure, Question
from .options import Option
from .registry import INDEX

_SECTIONS = re.compile(r"^(Args|Returns|Raises|Yields):\s*$", re.MULTILINE)
_ARGUMENT = re.compile(r"^    (\w+): (.*(?:\n        .*)*)", re.MULTILINE)


def parts(docstring: str | None) -> tuple[str, str, dict[str, str]]:
    """The first sentence, the paragraphs after it, and what is said of each argument."""
    text = inspect.cleandoc(docstring or "")
    body = _SECTIONS.split(text)
    first, _, rest = body[0].strip().partition("\n\n")
    named = dict(zip(body[1::2], body[2::2], strict=True))
    arguments = {
        name: " ".join(words.split()) for name, words in _ARGUMENT.findall(named.get("Args", ""))
    }
    return " ".join(first.split()), rest.strip(), arguments


def for_terminal(text: str, options: Iterable[str]) -> str:
    """Without backquotes; names of options as they are written on the command line.

    >>> for_terminal("With ``group_by``, see `ecdf_band`.", ["group_by"])
    'With --group-by, see ecdf_band.'
    """
    known = set(options)

    def written(match: re.Match[str]) -> str:
        name = match[1]
        return f"--{name.replace('_', '-')}" if name in known else name

    return re.sub(r"`([^`]+)`", r"\1", re.sub(r"``([^`]+)``", written, text))


def option_help(general: str, documented: str) -> str:
    """The help of an option: what it is in any question, and in this one.

    A sentence ``None: …`` of the docstring says what stands where nothing is given.

    >>> option_help("Precisions such as 1e-8", "None: the suite's.")
    "Precisions such as 1e-8 [default: the suite's]."
    >>> option_help("{}, such as 100", "Where the area ends.")
    'Where the area ends, such as 100.'
    """
    before, none, default = documented.partition("None: ")
    own = before.strip().rstrip(".")
    text = general.format(own) if "{}" in general else ". ".join(filter(None, (general, own)))
    ending = f" [default: {default.strip().rstrip('.')}]" if none else ""
    return f"{text.rstrip('.')}{ending}." if text or ending else ""


STUB = Path(__file__).with_name("methods.pyi")
_QUESTIONS = f"{__package__.rpartition('.')[0]}.questions"
_HEAD = '''# ruff: noqa
# fmt: off
"""Types of the methods that questions and figures are; written by `generate`."""

'''


def found() -> list[Question[Any, Any]]:
    """All questions in the folder `questions`, in the order of help."""
    package = importlib.import_module(_QUESTIONS)
    for question in pkgutil.walk_packages(package.__path__, f"{_QUESTIONS}."):
        importlib.import_module(question.name)
    own = (
        question
        for question in QUESTIONS.values()
        if question.function.__module__.startswith(_QUESTIONS)
    )
    return sorted(own, key=lambda question: (_place(question), question.name))


def _module(function: Any) -> str:
    """Name of the module of a function, in the folder of questions."""
    name: str = function.__module__
    return name.removeprefix(f"{_QUESTIONS}.")


def index() -> dict[str, Any]:
    """What ``index.json`` holds; see `described`."""
    questions, figures, sections = {}, {}, {}
    for question in found():
        questions[question.name] = {"module": _module(question.function), **described(question)}
        for figure in question.figures.values():
            figures[figure.name] = {"module": _module(figure.draw), **_figure_entry(figure)}
        for section in question.sections:
            sections[section.id] = {"module": _module(section.data)}
    parts = {"questions": questions, "figures": figures, "sections": sections}
    return {"headings": list(HEADINGS), **parts}


def described(question: Question[Any, Any]) -> dict[str, Any]:
    """A question as its command needs it: heading, texts, options; plain data."""
    first, rest, documented = parts(question.__doc__)
    known = (*question.keywords, "algorithms", "format", "plot")
    return {
        "heading": question.heading,
        "place": question.place,
        "summary": first[:1].lower() + first[1:].rstrip("."),
        "help": for_terminal("\n\n".join(filter(None, (first, rest))), known),
        "counts": question.counts,
        "recommended": question.recommended,
        "joins": question.joins,
        "needs": list(question.needs),
        "two": list(question.two),
        "figure": next(iter(question.figures), None),
        "options": [
            _option(name, parameter, question.hints[name], documented.get(name, ""), known)
            for name, parameter in question.parameters.items()
            if name not in question.two
        ],
    }


def _figure_entry(figure: Figure) -> dict[str, Any]:
    """A kind of figures as the command needs it."""
    question = figure.question
    hints = inspect.get_annotations(figure.draw, eval_str=False)
    scope = inspect.unwrap(figure.draw).__globals__
    _, _, documented = parts(figure.draw.__doc__)
    own = [
        _option(name, parameter, eval(hints[name], scope), documented.get(name, ""), ())
        for name, parameter in figure.own.items()
    ]
    question_options = {
        parameter["name"]: parameter for parameter in described(question)["options"]
    }
    return {
        "question": question.name,
        "curated": figure.curated,
        "unasked": figure.unasked,
        "counts": "count" in figure.taken,
        "joins": "unequal" in figure.taken,
        "measures": figure.measures,
        "options": [
            *(question_options[name] for name in figure.taken if name in question_options),
            *own,
        ],
    }


def _option(
    name: str, parameter: inspect.Parameter, hint: Any, documented: str, known: Iterable[str]
) -> dict[str, Any]:
    """One option as click needs it; what it is in any question, and its help in this one."""
    option = _option_of(hint)
    kind, choices = _kind(hint)
    empty = parameter.default is parameter.empty
    general = option.help if option else "{}"
    return {
        "name": name,
        "kind": kind,
        "choices": choices,
        "metavar": option.metavar if option else "",
        "default": None if empty else parameter.default,
        "required": empty,
        "help": option_help(general, for_terminal(documented, known)),
        "general": general.format("").strip(", ").strip(),
    }


def _option_of(hint: Any) -> Option | None:
    """What an `Annotated` type, or such a type or None, says of its parameter."""
    for annotation in (hint, *get_args(hint)):
        for metadata in getattr(annotation, "__metadata__", ()):
            if isinstance(metadata, Option):
                return metadata
    return None


def _kind(hint: Any) -> tuple[str, list[str]]:
    """How click reads a type, and its choices."""
    if (option := _option_of(hint)) is not None and option.choices:
        return "choice", list(option.choices)
    several = isinstance(hint, types.UnionType) or get_origin(hint) is not None
    inside = (
        [annotation for annotation in get_args(hint) if annotation is not type(None)]
        if several
        else [hint]
    )
    for annotation in (hint, *inside):
        if get_origin(annotation) is Literal:
            return "choice", list(get_args(annotation))
    for annotation in (hint, *inside):
        plain = getattr(annotation, "__origin__", annotation)
        for kind in (bool, int, float):
            if plain is kind:
                return kind.__name__, []
    return "text", []


def _place(question: Question[Any, Any]) -> tuple[int, int]:
    known = question.heading in HEADINGS
    return HEADINGS.index(question.heading) if known else len(HEADINGS), question.place


def stub() -> str:
    """What ``methods.pyi`` holds."""
    imports = _Imports()
    questions = [line for question in found() for line in _method(question, imports)]
    figures = [
        line
        for question in found()
        for figure in question.figures.values()
        for line in _plot(figure, imports)
    ]
    lines = [
        "class Questions:", '    """The questions to a log."""', *questions, "",
        "class Figures:", '    """The figures of a log."""', "",
        "    def __init__(self, results: object) -> None: ...", *figures,
    ]  # fmt: skip
    imports.add("firsthit.assessment.data.selection", "Selectors")
    imports.add("typing", "Unpack")
    return _HEAD + "\n".join([*imports.lines(), "", *lines]) + "\n"


class _Imports:
    """The imports of the stub."""

    def __init__(self) -> None:
        self._names: dict[str, set[str]] = {}

    def add(self, module: str, name: str) -> None:
        """One more; raises ValueError where another module has one of this name."""
        other = next((m for m, names in self._names.items() if name in names and m != module), None)
        if other is not None:
            raise ValueError(f"{module} and {other} both define {name}: rename one")
        self._names.setdefault(module, set()).add(name)

    def lines(self) -> Iterator[str]:
        """As source, a line for each module."""
        for module, names in sorted(self._names.items()):
            yield f"from {module} import {', '.join(f'{n} as {n}' for n in sorted(names))}"


def _method(question: Question[Any, Any], imports: _Imports) -> Iterator[str]:
    parameters = list(question.parameters.values())
    result = question.signature.return_annotation
    _import_names(result, inspect.getmodule(question.function), imports)
    yield from _definition(question, question.function.__name__, parameters, result, imports)


def _plot(figure: Figure, imports: _Imports) -> Iterator[str]:
    taken = figure.taken
    parameters = [
        parameter
        for name, parameter in figure.question.parameters.items()
        if name in taken or parameter.default is parameter.empty
    ]
    source = inspect.getmodule(inspect.unwrap(figure.draw))
    for parameter in figure.own.values():
        _import_names(parameter.annotation, source, imports)
        parameters.append(parameter.replace(kind=parameter.KEYWORD_ONLY))
    imports.add("matplotlib.axes", "Axes")
    name = figure.name.replace("-", "_")
    yield from _definition(figure.question, name, parameters, "Axes", imports, figure.draw.__doc__)


def _definition(
    question: Question[Any, Any],
    name: str,
    parameters: list[inspect.Parameter],
    result: str,
    imports: _Imports,
    docstring: str | None = None,
) -> Iterator[str]:
    """A method of the stub, with the parameters of the question and its docstring."""
    source = inspect.getmodule(question.function)
    positional = [
        parameter for parameter in parameters if parameter.kind is not parameter.KEYWORD_ONLY
    ]
    keyword = [parameter for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY]
    arguments = ["self", *(_parameter(parameter, source, imports) for parameter in positional)]
    more = [_parameter(parameter, source, imports) for parameter in keyword]
    more += ["unequal: bool = ..."] * question.joins + ["count: str | None = ..."] * question.counts
    arguments += ["*", *more] if more else []
    yield ""
    arguments.append("**selectors: Unpack[Selectors]")
    yield f"    def {name}({', '.join(arguments)}) -> {result}:"
    text = inspect.cleandoc(docstring or question.function.__doc__ or "").replace(
        "\n", "\n        "
    )
    yield f'        r"""{text}\n        """'.replace("        \n", "\n")


def _parameter(parameter: inspect.Parameter, source: Any, imports: _Imports) -> str:
    _import_names(parameter.annotation, source, imports)
    default = "" if parameter.default is parameter.empty else " = ..."
    return f"{parameter.name}: {parameter.annotation}{default}"


def _import_names(annotation: str, source: Any, imports: _Imports) -> None:
    """Import the names of an annotation in a module from where they are defined."""
    there = _imported(source)
    for name in _names_in(annotation):
        if name in there:
            imports.add(*there[name])
        elif name in vars(source):
            imports.add(source.__name__, name)


def _imported(source: Any) -> dict[str, tuple[str, str]]:
    """Names that a module imports, each with where it comes from."""
    tree = ast.parse(inspect.getsource(source))
    return {
        alias.asname or alias.name: (
            importlib.util.resolve_name("." * node.level + (node.module or ""), source.__package__),
            alias.name,
        )
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def _names_in(annotation: str) -> list[str]:
    tree = ast.parse(annotation, mode="eval")
    return [node.id for node in ast.walk(tree) if isinstance(node, ast.Name)]


def write() -> None:
    """Write both files."""
    INDEX.write_text(text_of_index(), encoding="utf-8", newline="")
    STUB.write_text(stub(), encoding="utf-8", newline="")


def text_of_index() -> str:
    """What ``index.json`` holds, as text."""
    return json.dumps(index(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    write()
