"""Commands that take long say every ten seconds what they do."""

import re

import pytest

from firsthit import Observer, Suite

from .command_line import succeed

COMMANDS = {
    "report": (["--output", "a.html"], "making the report"),
    "figures": (["--output", "figures", "--kinds", "ecdf"], "drawing figures of kind ecdf"),
    "merge": (["--output", "a.h5"], "merging logs"),
    "export": (["--format", "coco", "--output", "coco"], "writing coco"),
    "assess ecdf": ([], "reading logs"),
    "publish": (
        ["--output", "a", "--title", "T", "--author", "INRIA", "--license", "CC0-1.0", "--date",
         "2026-11-01"],
        "writing figures/",
    ),
}  # fmt: skip


@pytest.fixture
def log(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with Observer("log.h5", algorithm="walk") as observer:
        for problem in observer(Suite("bbob", functions="1,2", dimensions=2, instances=1)):
            problem(problem.initial_solution)
    return "log.h5"


@pytest.mark.parametrize(
    "command",
    [*sorted(set(COMMANDS) - {"publish"}), pytest.param("publish", marks=pytest.mark.slow)],
)
def test_lines_name_the_step_and_the_time(command, log, monkeypatch):
    monkeypatch.setattr("firsthit.cli.activity.LINE_SECONDS", 0.001)
    words, step = COMMANDS[command]
    done = succeed(*command.split(), log, *words)
    assert re.search(rf"^{step}.*, \d+ s$", done.stderr, re.MULTILINE), done.stderr


def test_an_import_names_the_step(log, monkeypatch):
    succeed("export", log, "--format", "coco", "--output", "coco")
    monkeypatch.setattr("firsthit.cli.activity.LINE_SECONDS", 0.001)
    done = succeed("import", "coco", "--output", "imported.h5")
    assert re.search(r"^importing data, \d+ s$", done.stderr, re.MULTILINE)


def test_fast_commands_print_no_such_line(log):
    assert succeed("merge", log, "--output", "a.h5").stderr == ""
