"""The command line, run in this process."""

from click.testing import CliRunner

from firsthit.cli import group


def invoke(*words):
    """``firsthit WORDS``: its exit code, what it printed, and the exception that it ended in."""
    return CliRunner().invoke(group, [str(word) for word in words])


def succeed(*words):
    """The same of what must work."""
    done = invoke(*words)
    assert done.exit_code == 0, f"{done.output} {done.exception!r}"
    return done
