"""Generate ``methods.pyi``: the types of the methods of `Results` and of ``results.plot``.

Run it after a question has changed:
``python -m firsthit.assessment.questions._framework.codegen``. A test compares the file with the
questions.

Each method of the stub has the options of a question with their annotations, as text. The stub
imports the names in an annotation from the modules that define them. `_StubImports` collects these
imports while the methods are written.
"""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from . import registry
from .question import Figure, Question, drawing_options

STUB = Path(__file__).with_name("methods.pyi")
_HEAD = '''# ruff: noqa
# fmt: off
"""Types of the methods that questions and figures are; written by `codegen`."""

'''


def stub() -> str:
    """Return the content of ``methods.pyi``; import all questions and figures of firsthit."""
    imports = _StubImports()
    imports.add("firsthit.assessment.selection", "Selectors")
    imports.add("typing", "Unpack")
    names = registry.own_questions()
    questions = [question for name in names if (question := registry.question(name))]
    question_lines = [
        line for question in questions for line in _write_question_method(question, imports)
    ]
    figure_lines = [
        line
        for question in questions
        for figure in registry.figures_of(question).values()
        for line in _write_plot_method(figure, imports)
    ]
    lines = [
        "class Questions:", '    """The questions to a log."""', *question_lines, "",
        "class Figures:", '    """The figures of a log."""', "",
        "    def __init__(self, results: object) -> None: ...", *figure_lines,
    ]  # fmt: skip
    return _HEAD + "\n".join([*imports.write_lines(), "", *lines]) + "\n"


class _StubImports:
    """The imports of the stub: names by module."""

    def __init__(self) -> None:
        self._names_by_module: dict[str, set[str]] = {}

    def add(self, module: str, name: str) -> None:
        """Import a name from a module, once.

        Raises:
            ValueError: The stub imports this name from another module already.
        """
        for other, names in self._names_by_module.items():
            if name in names and other != module:
                raise ValueError(f"{module} and {other} both define {name}: rename one")
        self._names_by_module.setdefault(module, set()).add(name)

    def add_annotation(self, annotation: str, module: ModuleType) -> None:
        """Import the names in an annotation from the modules that define them.

        Args:
            annotation: Source text of the annotation.
            module: The module that contains the annotation.
        """
        imported = _read_imports(module)
        for node in ast.walk(ast.parse(annotation, mode="eval")):
            if isinstance(node, ast.Name):
                if node.id in imported:
                    self.add(*imported[node.id])
                elif node.id in vars(module):
                    self.add(module.__name__, node.id)

    def write_lines(self) -> Iterator[str]:
        """Yield the import statements as source, one line for each module."""
        for module, names in sorted(self._names_by_module.items()):
            # a stub exports a name only if it is imported "as" itself
            yield f"from {module} import {', '.join(f'{n} as {n}' for n in sorted(names))}"


def _read_imports(module: ModuleType) -> dict[str, tuple[str, str]]:
    """Return the names that a module imports, with the defining module and the name there.

    The source is read and not the module, because some imports are for type checkers only.
    """
    tree = ast.parse(inspect.getsource(module))
    return {
        alias.asname or alias.name: (
            importlib.util.resolve_name("." * node.level + (node.module or ""), module.__package__),
            alias.name,
        )
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def _write_question_method(question: Question[Any], imports: _StubImports) -> Iterator[str]:
    """Yield the lines of the method that answers a question."""
    return_annotation = inspect.signature(question.function).return_annotation
    imports.add_annotation(return_annotation, _find_module(question.function))
    yield from _write_method(
        question,
        question.function.__name__,
        list(question.parameters.values()),
        return_annotation,
        question.__doc__ or "",
        imports,
    )


def _write_plot_method(figure: Figure, imports: _StubImports) -> Iterator[str]:
    """Yield the lines of the method that draws a figure: options of the question and its own."""
    parameters = list(figure.question.parameters.values())
    module = _find_module(inspect.unwrap(figure.draw))
    for parameter in drawing_options(figure).values():
        imports.add_annotation(parameter.annotation, module)
        parameters.append(parameter.replace(kind=parameter.KEYWORD_ONLY))
    imports.add("matplotlib.axes", "Axes")
    yield from _write_method(
        figure.question,
        figure.name.replace("-", "_"),
        parameters,
        "Axes",
        figure.draw.__doc__ or figure.question.__doc__ or "",
        imports,
    )


def _write_method(
    question: Question[Any],
    name: str,
    parameters: list[inspect.Parameter],
    return_annotation: str,
    docstring: str,
    imports: _StubImports,
) -> Iterator[str]:
    """Yield the lines of one method of the stub, beginning with an empty line."""
    positional = [
        _write_parameter(question, parameter, imports)
        for parameter in parameters
        if parameter.kind is not parameter.KEYWORD_ONLY
    ]
    keyword = [
        _write_parameter(question, parameter, imports)
        for parameter in parameters
        if parameter.kind is parameter.KEYWORD_ONLY
    ]
    keyword += ["unequal: bool = ..."] * bool(question.joins)
    keyword += ["count: str | None = ..."] * question.counts
    arguments = ["self", *positional, *(["*"] if keyword else []), *keyword]
    arguments.append("**selectors: Unpack[Selectors]")
    yield ""
    yield f"    def {name}({', '.join(arguments)}) -> {return_annotation}:"
    text = inspect.cleandoc(docstring).replace("\n", "\n        ")
    yield f'        r"""{text}\n        """'.replace("        \n", "\n")


def _write_parameter(
    question: Question[Any], parameter: inspect.Parameter, imports: _StubImports
) -> str:
    """Return a parameter as source, and import its type as the question or its need does."""
    for function in (question.function, *(need.open for need in question.needs)):
        if parameter.name in inspect.signature(function).parameters:
            imports.add_annotation(parameter.annotation, _find_module(function))
            break
    default = "" if parameter.default is parameter.empty else " = ..."
    return f"{parameter.name}: {parameter.annotation}{default}"


def _find_module(function: Any) -> ModuleType:
    module = inspect.getmodule(function)
    assert module is not None  # functions of questions are in modules that are imported
    return module


if __name__ == "__main__":
    STUB.write_text(stub(), encoding="utf-8", newline="")
