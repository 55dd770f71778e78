"""Run the command ``firsthit`` in this process, for tests without the fixture ``cli``."""

import contextlib
import io
import re
import sys
from functools import cache
from importlib.metadata import entry_points
from typing import NamedTuple

[COMMAND] = entry_points(group="console_scripts", name="firsthit")


class Done(NamedTuple):
    """Exit code and output of a command."""

    exit_code: int
    stdout: str
    stderr: str

    @property
    def output(self) -> str:
        return self.stdout + self.stderr


def invoke(*words: object) -> Done:
    """Run ``firsthit WORDS`` as the installed command does, and return its exit code and output."""
    streams = [io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2)]
    arguments, sys.argv = sys.argv, ["firsthit", *map(str, words)]
    exit_code = 0
    try:
        with contextlib.redirect_stdout(streams[0]), contextlib.redirect_stderr(streams[1]):
            COMMAND.load()()
    except SystemExit as end:
        exit_code = end.code or 0
    finally:
        sys.argv = arguments
    return Done(exit_code, *(stream.buffer.getvalue().decode() for stream in streams))


def succeed(*words: object) -> Done:
    """Run ``firsthit WORDS`` and check that the exit code is 0."""
    done = invoke(*words)
    assert done.exit_code == 0, done.output
    return done


@cache
def help_of(*words: str) -> str:
    """Return the text of ``firsthit WORDS --help``."""
    return succeed(*words, "--help").stdout


def commands_of(*words: str) -> list[str]:
    """Return the names of the commands that the help of ``firsthit WORDS`` lists."""
    # The examples are complete command lines, which begin with the name of the program.
    sections = re.split(r"^\S.*:\n(?!  firsthit )", help_of(*words), flags=re.MULTILINE)
    names = [name for text in sections[1:] for name in re.findall(r"^  ([a-z]\S*)", text, re.M)]
    return names if "COMMAND" in help_of(*words).partition("\n")[0] else []


def options_of(*words: str) -> list[str]:
    """Return the options that the help of ``firsthit WORDS`` lists, such as ``--output``."""
    lines = re.findall(r"^  (-.*)", help_of(*words), re.MULTILINE)
    return [option for line in lines for option in re.findall(r"(?<!\S)-[-\w]+", line)]


def choices_of(option: str, *words: str) -> list[str]:
    """Return the words that an option of ``firsthit WORDS`` accepts; empty if it takes any text."""
    match = re.search(rf"(?<!\S){option} \[([^\]\s]+)\]", help_of(*words))
    return match[1].split("|") if match else []
