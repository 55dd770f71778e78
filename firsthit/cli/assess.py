"""``firsthit assess …``: what logs say, one table a command.

The commands are made of the index of questions, or of a user's own question.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from ..assessment.asking import registry
from . import options
from .lazy import LazyGroup

if TYPE_CHECKING:
    from ..assessment import Results, Table
    from ..assessment.asking.declaration import Question
    from ..assessment.data.selection import Selectors

_KINDS = {"int": click.INT, "float": click.FLOAT, "text": click.STRING}
_NAMED = "\n\nName two algorithms with --algorithms A,B where the logs hold more."
_OTHER_QUESTIONS = "Of installed packages, and your own: firsthit assess FILE.py:NAME"


format_option = click.option(
    "--format",
    "form",
    type=click.Choice(["table", "csv", "json", "latex"]),
    default="table",
    help="What goes to standard output [default: table].",
)


class QuestionGroup(LazyGroup):
    """A command for each question.

    Those of the index are listed by heading; users' own are ``FILE.py:NAME`` or entry points.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(sections=_sections(), **settings)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a question; None where there is none."""
        described = registry.index()["questions"].get(cmd_name)
        if described is not None:
            return command_of(cmd_name, described, lambda: _known(cmd_name))
        own = _user_question(cmd_name)
        if own is None:
            return None
        from ..assessment.asking.generate import described as description

        return command_of(cmd_name, description(own), lambda: own)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Users' own questions, too."""
        if args[0] not in self.summaries and _user_question(args[0]) is not None:
            return args[0], self.get_command(ctx, args[0]), args[1:]
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """By heading; at last the names of users' own, which are not imported for it."""
        super().format_commands(ctx, formatter)
        if names := sorted(registry.installed_questions()):
            with formatter.section(_OTHER_QUESTIONS):
                formatter.write_dl([(name.replace("_", "-"), "") for name in names])


def command_of(
    name: str, described: Mapping[str, Any], find: Callable[[], Question[Any, Any]]
) -> click.Command:
    """The command of a question, by what `generate.described` says of it; ``find`` imports it."""

    @options.of_logs
    def answer(results: Results, selectors: Any, form: str, **own: Any) -> None:
        question, plot = find(), own.pop("plot", None)
        pair = _two_algorithms(results, selectors) if described["two"] else ()
        runs, arguments = question.runs(results.log, {**selectors, **own})
        table = question(runs, *pair, **arguments)
        if plot is not None:
            _plot(described["figure"], table, plot)
        if plot is None or options.is_given("form"):
            show(table, form)

    text = described["help"] + (_NAMED if described["two"] else "")
    command = click.command(name, help=text, short_help=described["summary"])(answer)
    command.params += [option_of(option) for option in described["options"]]
    for applies, decorator in (
        (described["joins"], options.unequal),
        (described["counts"], options.count),
        (described["recommended"], options.recommended),
        (described["figure"], _plot_option(described["figure"])),
        (True, format_option),
    ):
        if applies:
            decorator(command)
    return command


def show(table: Table, form: str) -> None:
    """Print a table to standard output and its notes to standard error."""
    for note in table.notes:
        click.echo(f"note: {note}", err=True)
    if form == "table":
        click.echo(str(table))
    else:
        click.echo(getattr(table, f"to_{form}")(), nl=False)


def option_of(described: Mapping[str, Any], default: bool = True, help: str = "") -> click.Option:
    """An option of a question, as `generate` describes it.

    Without its ``default`` None stands for what is not given; ``help`` replaces the question's own.
    """
    flag = described["kind"] == "bool"
    kind = click.Choice(described["choices"]) if described["choices"] else None
    settings: dict[str, Any] = {"is_flag": True} if flag else {}
    if not flag:
        settings = {"type": kind or _KINDS[described["kind"]]}
        if described["metavar"] and kind is None and described["metavar"] != "INTEGER":
            settings["metavar"] = described["metavar"]
        if default and described["default"] is not None:
            settings |= {"default": described["default"], "show_default": True}
        settings["required"] = default and described["required"]
    short = ["-o"] if described["name"] == "output" else []
    return click.Option(
        [*short, f"--{described['name'].replace('_', '-')}", described["name"]],
        help=help or described["help"],
        **settings,
    )


def _sections() -> dict[str, dict[str, str]]:
    """Headings with the lines of their questions."""
    lines: dict[str, list[tuple[int, str, str]]] = {heading: [] for heading in registry.headings()}
    for name, entry in registry.index()["questions"].items():
        lines[entry["heading"]].append((entry["place"], name, entry["summary"]))
    return {
        heading: {name: summary for _, name, summary in sorted(own)}
        for heading, own in lines.items()
    }


def _known(name: str) -> Question[Any, Any]:
    found = registry.question(name)
    assert found is not None
    return found


def _user_question(name: str) -> Question[Any, Any] | None:
    """A question of a file or of an entry point; None where the name is neither."""
    file, colon, _ = name.rpartition(":")
    if colon and file.endswith(".py"):
        return registry.question_of_file(name)
    return (
        registry.question(name)
        if name.replace("-", "_") in registry.installed_questions()
        else None
    )


def _two_algorithms(results: Results, selectors: Selectors) -> tuple[str, str]:
    """The two algorithms chosen, or there, of a question about two; chosen no more."""
    names = list(selectors.pop("algorithms", None) or results.algorithms)
    if len(names) != 2:
        raise click.UsageError(
            f"this compares two algorithms, not {len(names)}: name them with --algorithms A,B; "
            f"the logs hold {', '.join(results.algorithms)}"
        )
    return names[0], names[1]


def _plot(name: str, table: Any, path: str) -> None:
    from ..assessment.asking.drawing import save_plots

    figure = registry.figure(name)
    assert figure is not None
    for file in save_plots(figure, table, path):
        click.echo(f"wrote {file}", err=True)


def _checked(context: click.Context, option: click.Parameter, path: str | None) -> str | None:
    """Refuse a file that cannot be drawn into before logs are read."""
    if path is not None:
        from ..assessment.figures.files import check_plot_path

        check_plot_path(path)
    return path


def _plot_option(figure: str | None) -> Callable[[click.Command], click.Command]:
    return click.option(
        "--plot",
        metavar="FILE",
        callback=_checked,
        help=f"Draw figures of kind {figure} into FILE.png, .svg or .pdf (what tells them apart is "
        "appended where there are several); numbers are then printed only if --format asks.",
    )


@click.command(cls=QuestionGroup)
def command() -> None:
    """Compute tables from logs: one table a command.

    LOGS are files, folders, globs, or names of published data such as 'coco:bbob/2009/BFGS'; logs
    still being written count with their finished runs.
    """
