"""The help of each command: complete command lines that exist, and options that explain themselves.

A test collects the faults of all commands, because each message says what to write instead.
"""

import re
import shlex
from functools import cache

import click

from firsthit.cli import group

NO_NOUN_OR_VERB = {
    *("a", "also", "alone", "an", "and", "as", "at", "by", "each", "for", "how", "if", "it", "its"),
    *("like", "likewise", "most", "none", "of", "or", "really", "such", "that", "the", "their"),
    *("then", "these", "they", "this", "those", "to", "what", "when", "where", "whether", "which"),
    *("who", "with"),
}
"""First words of a help text that is no noun and no verb."""
MAX_WIDTH = 78


@cache
def contexts():
    """Return the contexts of all commands by their command lines, such as ``firsthit run``."""
    return {context.command_path: context for context in walk(group, "firsthit")}


def walk(command, name, parent=None):
    """Yield the context of a command and of all commands below it."""
    context = click.Context(command, info_name=name, parent=parent)
    yield context
    if isinstance(command, click.Group):
        for child in command.list_commands(context):
            yield from walk(command.get_command(context, child), child, context)


def parse(command, words, name, parent=None):
    """Return the command line that words name; raise UsageError for wrong options."""
    with command.make_context(name, list(words), parent=parent) as context:
        if not isinstance(command, click.Group):
            return context.command_path
        child_name, child, rest = command.resolve_command(context, list(words))
        return parse(child, rest, child_name, context)


def test_lists_in_the_help_keep_their_lines():
    for path in ("firsthit optimizers", "firsthit export"):
        context = contexts()[path]
        assert "\\b" not in context.command.get_help(context)
    assert "\n    coco     format bbob-new2, for cocopp\n" in context.command.get_help(context)


def test_the_help_of_each_command_shows_complete_command_lines():
    faults = []
    for path, context in contexts().items():
        examples = getattr(context.command, "examples", ())
        text = context.command.get_help(context)
        if not 1 <= len(examples) <= 3:
            faults.append(f"{path}: declare one to three examples beside the command")
        for example in examples:
            if f"\n  {example}\n" not in text:
                faults.append(f"{path}: the help lacks the example {example!r}")
            if len(example) > MAX_WIDTH:
                faults.append(f"{path}: shorten {example!r} to {MAX_WIDTH} columns")
            # A shell would redirect the output.
            program, *words = shlex.split(example.partition(" > ")[0])
            assert program == "firsthit"
            try:
                named = parse(group, words, "firsthit")
            except click.UsageError as error:
                faults.append(f"{path}: correct {example!r}: {error.format_message()}")
                continue
            # An example of a group may be a command line of another command.
            if named != path and not isinstance(context.command, click.Group):
                faults.append(f"{path}: {example!r} is a command line of {named}")
    assert not faults, "\n".join(faults)


def test_the_help_of_each_option_begins_with_a_noun_or_verb_and_names_the_default():
    faults = []
    for path, context in contexts().items():
        for option in context.command.params:
            if not isinstance(option, click.Option):
                continue
            _, text = option.get_help_record(context)
            label = f"{path} {option.opts[-1]}: {text!r}:"
            first_word = re.match(r"[\w-]*", text)[0]
            if not first_word[:1].isupper() or first_word.lower() in NO_NOUN_OR_VERB:
                faults.append(f"{label} begin with a noun or a verb, such as 'Random seed of'")
            if not text.endswith("."):
                faults.append(f"{label} write sentences that end with a full stop")
            if not option.is_flag and not re.search(r"Default\b[^:]*: |Required\b", text):
                faults.append(f"{label} name the default: 'Default: no limit.'")
            if re.search(r"\[default|None: |Likewise|Default: none[:;]", text):
                faults.append(f"{label} write the default as 'Default: no limit.'")
    assert not faults, "\n".join(faults)
