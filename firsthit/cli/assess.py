"""``firsthit assess``: compute a table from logs, and draw its figures; one command per question.

`QuestionGroup` lists the questions from the catalogue, without importing them. `build_command`
makes the command of a question from its parameters and its docstring (see `question_options`). For
that the question's module is imported, even if only help is asked for.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import click

from ..assessment.questions._framework import catalogue, registry
from . import options
from .activity import show_activity
from .help import Command, Option, add_option
from .lazy import LazyGroup

if TYPE_CHECKING:
    from ..assessment import Results, Table
    from ..assessment.figures.axes import Width
    from ..assessment.questions._framework.question import Question
    from ..assessment.selection import Selectors
    from .question_options import DrawingOption

TableFormat = Literal["table", "csv", "json", "latex"]

_HELP_OF_TWO_ALGORITHMS = (
    "\n\nIf the logs contain more than two algorithms, name two with --algorithms A,B."
)
_ALGORITHMS_HELP_OF_TWO = (
    "Two algorithms to compare, separated by a comma. Default: the algorithms in LOGS, if there "
    "are two."
)
_OTHER_QUESTIONS_HEADING = "Tables of installed packages (your own: firsthit assess FILE.py:NAME)"

format_option = add_option(
    "--format",
    "table_format",
    type=click.Choice(get_args(TableFormat)),
    default="table",
    show_default=True,
    help="Output format.",
)


class QuestionGroup(LazyGroup):
    """Group with a command for each question.

    Questions of firsthit are listed by heading. Further questions are entry points of installed
    packages, or functions in users' files, which are named ``FILE.py:NAME``.
    """

    def __init__(self, **settings: Any) -> None:
        sections = {
            heading: {name: entry.summary for name, entry in entries.items()}
            for heading, entries in catalogue.QUESTIONS_BY_HEADING.items()
        }
        super().__init__(sections=sections, **settings)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a question and return its command; None if there is no such question."""
        if cmd_name in self.summaries:
            question = registry.question(cmd_name)
        else:
            question = _import_user_question(cmd_name)
        return None if question is None else build_command(question, cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve the name of a command, which may be ``FILE.py:NAME`` or an entry point."""
        if args[0] not in self.summaries and _import_user_question(args[0]) is not None:
            return args[0], self.get_command(ctx, args[0]), args[1:]
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List questions by heading, then the names of entry points, without importing any."""
        super().format_commands(ctx, formatter)
        if names := sorted(registry.installed_questions()):
            with formatter.section(_OTHER_QUESTIONS_HEADING):
                formatter.write_dl([(name.replace("_", "-"), "") for name in names])


@click.command(
    cls=QuestionGroup,
    examples=[
        "firsthit assess summary results/quickstart.h5",
        "firsthit assess art results/quickstart.h5 --targets 1e1,1e-8",
        "firsthit assess ecdf results/*.h5 --plot ecdf.pdf",
    ],
)
def command() -> None:
    """Compute tables from logs; each command prints one table.

    LOGS are files, folders, patterns, or names of published data such as 'coco:bbob/2009/BFGS'. Of
    a log that is still being written, the finished runs count.
    """


def _import_user_question(name: str) -> Question[Any] | None:
    """Import the question of a user's file or of an entry point; None if the name is neither.

    The question's file is executed.
    """
    file, colon, _ = name.rpartition(":")
    if colon and file.endswith(".py"):
        return registry.question_of_file(name)
    if name.replace("-", "_") in registry.installed_questions():
        return registry.question(name)
    return None


def build_command(question: Question[Any], name: str) -> click.Command:
    """Make the command of a question.

    The command prints the question's table, or writes figures if ``--plot`` is given.

    Args:
        question: The question.
        name: Name of the command, such as ``art`` or ``mine.py:hit_share``.
    """
    from .question_options import OUTPUT, build_figure_options, build_question_options

    entry = registry.own_questions().get(question.name)
    kinds = entry.figures if entry else tuple(question.figures)
    drawing_options: dict[str, DrawingOption] = {}
    # Without drawing options, the module of the figures is imported only if --plot is given. This
    # saves 10 ms for a table.
    if entry is None or entry.has_drawing_options:
        drawing_options = build_figure_options(registry.figures_of(question))

    def refuse_existing_files(
        overwrite: bool = False, plot: str | None = None, output: str | None = None, **_: object
    ) -> None:
        options.refuse_existing([output], overwrite)
        if plot is not None:
            from ..assessment.figures.files import CAPTION_SUFFIX

            file = Path(plot)
            plot_files = [file, file.with_suffix(CAPTION_SUFFIX)]
            options.refuse_existing(plot_files, overwrite, "--plot")

    @options.call_first(refuse_existing_files)
    @options.read_logs
    def answer_question(
        results: Results,
        selectors: Any,
        table_format: TableFormat,
        plot: str | None = None,
        kind: str | None = None,
        width: Width = "column",
        highlight: str | None = None,
        overwrite: bool = False,
        **option_values: Any,
    ) -> None:
        kind = kind or next(iter(kinds), "")
        _check_figure_options(plot, kind, drawing_options)
        if highlight is not None and not registry.figures_of(question)[kind].has_styles:
            raise click.UsageError(f"--highlight has no effect on figures of kind {kind}")
        highlighted = options.split_highlighted_names(highlight, results.algorithms)
        drawing_values = {option: option_values.pop(option) for option in drawing_options}
        pair = _choose_two_algorithms(results, selectors) if question.two else ()
        arguments = {**selectors, **option_values, **dict(zip(question.two, pair, strict=True))}
        runs = question.select(results.log, arguments)
        question_arguments = {
            name: value for name, value in arguments.items() if name in question.parameters
        }
        table = question.on(runs, **question_arguments)
        if plot is not None:
            from ..assessment.questions._framework.render import save_plots

            show_activity("drawing figures")
            files = save_plots(
                registry.figures_of(question)[kind],
                table,
                runs,
                plot,
                command=shlex.join(["firsthit", *sys.argv[1:]]),
                options=question_arguments,
                # Defaults are left to the drawing, because kinds may have different ones.
                draw_options={
                    name: value for name, value in drawing_values.items() if options.is_given(name)
                },
                width=width,
                highlight=highlighted,
                # The names of several figures depend on the table.
                check_files=partial(options.refuse_existing, overwrite=overwrite, option="--plot"),
            )
            for file in files:
                click.echo(f"wrote {file}", err=True)
        if plot is None or options.is_given("table_format"):
            show(table, table_format)

    help_text, question_options = build_question_options(question)
    if question.two:
        help_text += _HELP_OF_TWO_ALGORITHMS
    command = click.command(
        name,
        cls=Command,
        help=help_text,
        examples=[f"firsthit assess {name} {arguments}" for arguments in question.examples],
    )(answer_question)
    command.params += question_options
    if question.two:
        for parameter in command.params:
            if isinstance(parameter, click.Option) and parameter.name == "algorithms":
                parameter.help = _ALGORITHMS_HELP_OF_TWO
    # On a finished command, the decorators of options append to its parameters.
    if question.joins:
        options.unequal(command)
    if question.counts:
        options.count(command)
    if question.recommended:
        options.recommended(command)
    if kinds:
        command.params += [_build_plot_option(), _build_kind_option(kinds)]
        command.params += [drawing_option.option for drawing_option in drawing_options.values()]
        options.width(command)
        options.highlight(command)
    if kinds or OUTPUT in question.parameters:
        options.overwrite(command)
    format_option(command)
    return command


def _check_figure_options(
    plot: str | None, kind: str, drawing_options: Mapping[str, DrawingOption]
) -> None:
    """Check the options of figures that are on the command line.

    Args:
        plot: File to draw into. None: nothing is drawn.
        kind: Kind of the figures.
        drawing_options: The question's options of figures, by name.

    Raises:
        UsageError: An option of figures is given without --plot, or the kind does not have it.
    """
    for name in ("kind", "width", "highlight", *drawing_options):
        if not options.is_given(name):
            continue
        option = f"--{name.replace('_', '-')}"
        if plot is None:
            raise click.UsageError(f"{option} is an option of figures; add --plot FILE")
        if name in drawing_options and kind not in drawing_options[name].kinds:
            kinds_with_option = " or ".join(drawing_options[name].kinds)
            raise click.UsageError(
                f"{option} is no option of figures of kind {kind}; add --kind {kinds_with_option}"
            )


def _choose_two_algorithms(results: Results, selectors: Selectors) -> tuple[str, str]:
    """Return the two algorithms to compare, and remove ``algorithms`` from the selectors.

    Args:
        results: Results of the logs.
        selectors: Selectors of the command; mutated.

    Raises:
        UsageError: ``--algorithms``, or without it the logs, name more or fewer than two.
    """
    names = list(selectors.pop("algorithms", None) or results.algorithms)
    if len(names) != 2:
        raise click.UsageError(
            f"this compares two algorithms, not {len(names)}: name them with --algorithms A,B; "
            f"the logs hold {', '.join(results.algorithms)}"
        )
    return names[0], names[1]


def show(table: Table, table_format: TableFormat | Literal["junit"]) -> None:
    """Print a table to standard output, and its notes to standard error.

    Args:
        table: The table.
        table_format: Format of the output. Only the table of regressions has the format "junit".
    """
    for note in table.notes:
        click.echo(f"note: {note}", err=True)
    if table_format == "table":
        click.echo(str(table))
    else:
        click.echo(getattr(table, f"to_{table_format}")(), nl=False)


def _build_plot_option() -> click.Option:
    return Option(
        ["--plot"],
        metavar="FILE",
        callback=_check_plot_path,
        help="File name of the figure, .png, .svg or .pdf, e.g. art.pdf; its caption is written to "
        "art.txt. Several figures get different suffixes. With --plot, the table is printed only "
        "if --format is given. Default: no figure.",
    )


def _check_plot_path(
    context: click.Context, option: click.Parameter, path: str | None
) -> str | None:
    """Return the path; raise an error for a file that cannot be drawn into, before logs are read.

    This is the callback of ``--plot``.
    """
    if path is not None:
        from ..assessment.figures.files import check_plot_path

        check_plot_path(path)
    return path


def _build_kind_option(kinds: Sequence[str]) -> click.Option:
    return Option(
        ["--kind"],
        type=click.Choice(kinds),
        help=f"Kind of figure that --plot draws. Default: {kinds[0]}.",
    )
