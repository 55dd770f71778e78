"""Make the options of the command ``firsthit assess NAME`` from the signature of a question.

A question is a method of ``Results``, such as ``ranks``. Its command is made from its signature and
its docstring:

- The type hint of a parameter determines the type and the metavar of the option. A hint
  ``Annotated[type, Option(...)]`` also contains a part of the help (see `_framework.options`).
- The default of the parameter is the default of the option.
- The description of the parameter in the docstring is the rest of the help.

The same rules turn the parameters of a function that draws a figure into drawing options.
"""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args, get_origin

import click

from ..assessment.questions._framework.docstrings import split_docstring
from ..assessment.questions._framework.options import Option
from ..assessment.questions._framework.question import drawing_options
from .help import Option as CommandOption

if TYPE_CHECKING:
    from ..assessment.questions._framework.question import Figure, Question

OUTPUT = "output"
"""Parameter of a question with the file that the question writes."""
_LITERAL_BLOCK = re.compile(r"^(.*)::\n\n((?:    .*(?:\n|$))+)", re.MULTILINE)
"""Line that ends with two colons, and the indented block below it."""
_CLICK_TYPES = {int: click.INT, float: click.FLOAT}
"""Types of click by the type of the parameter. All other parameters are texts."""


class HelpAndOptions(NamedTuple):
    """Help and options of a question's command.

    Attributes:
        help_text: Help of the command, without the list of its options.
        options: Options of the command.
    """

    help_text: str
    options: list[click.Option]


class DrawingOption(NamedTuple):
    """Option that changes how a figure is drawn.

    Attributes:
        option: The option of click.
        kinds: Kinds of figures that have the option, as in ``--kind KIND``.
    """

    option: click.Option
    kinds: tuple[str, ...]


def build_question_options(question: Question[Any]) -> HelpAndOptions:
    """Return the help of a question's command, and one option for each parameter of the question.

    A question that compares two algorithms has one parameter for each of them. These two parameters
    get no options, because the user names the algorithms by ``--algorithms A,B``.
    """
    # These words are written as options, such as --plot, where the docstring mentions them.
    option_names = (*question.keywords, "algorithms", "format", "plot")
    summary, body, descriptions = split_docstring(question.__doc__)
    help_text = convert_to_help("\n\n".join(filter(None, (summary, body))), option_names)
    compared_algorithms = question.two  # names of two parameters, or empty
    options = []
    for name, parameter in question.parameters.items():
        if name not in compared_algorithms:
            description = convert_to_help(descriptions.get(name, ""), option_names)
            options.append(build_option(parameter, question.hints[name], description))
    return HelpAndOptions(help_text, options)


def build_figure_options(figures: Mapping[str, Figure]) -> dict[str, DrawingOption]:
    """Return the drawing options of a question's figures.

    If there is more than one kind of figure, the help of each option ends with the kinds of figures
    that have it.

    Args:
        figures: Figures of the question, by their kind.

    Returns:
        Name of the parameter to its option. An option that several figures have occurs once. Its
        type and default are those of the last of these figures.
    """
    options: dict[str, DrawingOption] = {}
    for kind, figure in figures.items():
        descriptions = split_docstring(figure.draw.__doc__).arguments
        parameters = drawing_options(figure)
        scope = inspect.unwrap(figure.draw).__globals__
        for name, parameter in parameters.items():
            previous_kinds = options[name].kinds if name in options else ()
            kinds = (*previous_kinds, kind)
            description = convert_to_help(descriptions.get(name, ""), parameters)
            # With ``from __future__ import annotations``, an annotation is a text. It is evaluated
            # among the global names of its module. `get_type_hints` would evaluate all annotations
            # of the function and fail, because types of tables and figures are imported for type
            # checkers only.
            hint = eval(parameter.annotation, scope)
            option = build_option(parameter, hint, description)
            if len(figures) > 1:
                option.help = f"{option.help} For --kind {' or '.join(kinds)}."
            options[name] = DrawingOption(option, kinds)
    return options


def build_option(parameter: inspect.Parameter, hint: Any, description: str) -> click.Option:
    """Make the click option of a parameter.

    Args:
        parameter: Parameter of a question or of a function that draws.
        hint: Type hint of the parameter, which may be ``Annotated`` with an `Option`.
        description: Description of the parameter in the docstring, as `convert_to_help` returns it.

    Returns:
        The option ``--NAME`` with type, default, metavar and help. A parameter of type bool becomes
        a flag without a value. A parameter without a default becomes a required option.
    """
    name = parameter.name
    declared = _find_declaration(hint) or Option()
    choices = declared.choices or _find_choices(hint)
    is_required = parameter.default is parameter.empty
    settings: dict[str, Any] = {}
    if not choices and _find_plain_type(hint) is bool:
        settings["is_flag"] = True
    else:
        click_type = _CLICK_TYPES.get(_find_plain_type(hint), click.STRING)
        settings["type"] = click.Choice(choices) if choices else click_type
        settings["required"] = is_required
        # click itself writes INTEGER for integers, and lists choices.
        if declared.metavar not in ("", "INTEGER") and not choices:
            settings["metavar"] = declared.metavar
        if not is_required and parameter.default is not None:
            settings |= {"default": parameter.default, "show_default": True}
    short_names = ["-o"] if name == OUTPUT else []
    return CommandOption(
        [*short_names, f"--{name.replace('_', '-')}", name],
        help=join_help(declared.help, description),
        **settings,
    )


def convert_to_help(text: str, option_names: Iterable[str]) -> str:
    """Convert text of a docstring to text of a command's help.

    Backquotes are removed. The name of an option in double backquotes is written as ``--NAME``. A
    literal block, which begins after ``::``, keeps its lines.

    Args:
        text: Text of a docstring.
        option_names: Names of parameters that are options. Other names are not changed.

    >>> convert_to_help("With ``group_by``, see `ecdf_band`.", ["group_by"])
    'With --group-by, see ecdf_band.'
    """
    allowed_names = set(option_names)

    def replace_name(match: re.Match[str]) -> str:
        name = match[1]
        return f"--{name.replace('_', '-')}" if name in allowed_names else name

    # click does not wrap a paragraph that begins with \b.
    with_marked_blocks = _LITERAL_BLOCK.sub("\b\n\\1:\n\\2", text)
    without_double_backquotes = re.sub(r"``([^`]+)``", replace_name, with_marked_blocks)
    return re.sub(r"`([^`]+)`", r"\1", without_double_backquotes)


def join_help(general: str, documented: str) -> str:
    """Join the help of an option's type with the description of the parameter.

    Args:
        general: `Option.help` of the type, which many questions use. It may contain the placeholder
            ``{}``. The description is written in place of ``{}``, or after the text if there is no
            ``{}``.
        documented: Description of the parameter in the docstring of one question. It may end with a
            sentence ``None: …``, which explains the default None. Help shows it as the default.

    Returns:
        The help of the option, one or more sentences; ``""`` if both texts are empty.

    >>> join_help("Precisions, e.g. 1e-8.", "None: the suite's targets.")
    "Precisions, e.g. 1e-8. Default: the suite's targets."
    >>> join_help("{}, e.g. 100", "End of the area.")
    'End of the area, e.g. 100.'
    """
    description, separator, default = documented.partition("None: ")
    description = description.strip().rstrip(".")
    if "{}" in general:
        text = general.format(description)
    else:
        text = ". ".join(filter(None, (general.rstrip("."), description)))
    sentences = [text, f"Default: {default.strip()}" if separator else ""]
    return " ".join(f"{sentence.rstrip('.')}." for sentence in sentences if sentence)


def _find_declaration(hint: Any) -> Option | None:
    """Return the `Option` in a type hint ``Annotated[…]`` or ``Annotated[…] | None``.

    Return None if the hint contains no `Option`.
    """
    for annotation in (hint, *get_args(hint)):
        for metadata in getattr(annotation, "__metadata__", ()):
            if isinstance(metadata, Option):
                return metadata
    return None


def _find_choices(hint: Any) -> tuple[str, ...]:
    """Return the words of a type hint ``Literal[…]`` or ``Literal[…] | None``.

    Return an empty tuple for other type hints.
    """
    parts = (hint, *get_args(hint))
    literals = [part for part in parts if get_origin(part) is Literal]
    return get_args(literals[0]) if literals else ()


def _find_plain_type(hint: Any) -> type:
    """Return the first of the types bool, int and float in a type hint; return str without one.

    For example, ``float | None`` and ``Annotated[float, …]`` give float.
    """
    is_compound = isinstance(hint, types.UnionType) or get_origin(hint) is not None
    for part in (hint, *(get_args(hint) if is_compound else ())):
        plain_type = getattr(part, "__origin__", part)  # the type in ``Annotated[type, …]``
        if plain_type in (bool, int, float):
            return plain_type  # type: ignore[no-any-return]
    return str
