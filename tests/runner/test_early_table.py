"""The early table of a campaign: its runs are made first, and a terminal shows their table."""

import io
import sys

import pytest

from firsthit.loggers import read_log
from firsthit.runner import load_campaign, ready_campaigns

from ..command_line import COMMAND
from .conftest import log_content

CAMPAIGN = """
suite: runner-toy
imports: [toy.py]
instances: 1-3
optimizers: [random-search, {use: "scipy:Nelder-Mead", name: nm}]
budget: 10*D
early_table: {functions: [1, 3], dimensions: 3}
"""
HEADING = "first results, functions 1, 3, dimensions 3:"


class Terminal(io.StringIO):
    def isatty(self):
        return True


class InterruptingTerminal(Terminal):
    def write(self, text):
        if HEADING in text:
            raise KeyboardInterrupt
        return super().write(text)


@pytest.fixture
def campaign(folder):
    file = folder / "early.yaml"
    file.write_text(CAMPAIGN)
    return file


def run_on_terminal(monkeypatch, *words, terminal=None):
    """Run a command whose stderr is a terminal; return its exit code and what stderr shows."""
    monkeypatch.setattr("sys.stderr", terminal or Terminal())
    monkeypatch.setattr("sys.argv", ["firsthit", *map(str, words)])
    with pytest.raises(SystemExit) as end:
        COMMAND.load()()
    return end.value.code or 0, sys.stderr.getvalue()


def test_the_table_of_the_first_runs_is_printed_once(campaign, monkeypatch, tmp_path, cli):
    log = tmp_path / "log.h5"
    command = ("run", campaign, "--output", log, "--workers", 0)
    code, text = run_on_terminal(monkeypatch, *command)
    assert code == 0, text
    before, _, after = text.partition(HEADING)
    table, _, after = after.partition("the campaign continues")
    assert "54/54" not in before
    assert "54/54" in after
    assert HEADING not in after
    rows = [line.split() for line in table.splitlines() if line.startswith(("nm ", "random-"))]
    assert len(rows) == 2
    monkeypatch.undo()
    assert cli("run", campaign, "--output", tmp_path / "plain.h5", "--workers", 0)[0] == 0
    assert log_content(log) == log_content(tmp_path / "plain.h5")


def test_early_runs_are_made_before_the_others(campaign, monkeypatch, tmp_path):
    """Ctrl-C comes when the table is printed: the log then has the runs of the table only."""
    log = tmp_path / "log.h5"
    command = ("run", campaign, "--output", log, "--workers", 0)
    code, _ = run_on_terminal(monkeypatch, *command, terminal=InterruptingTerminal())
    assert code == 130
    runs = read_log(log).runs
    assert len(runs["function"]) == 12
    assert set(runs["function"].tolist()) == {1, 3}
    assert set(runs["dimension"].tolist()) == {3}


@pytest.mark.slow
def test_without_a_terminal_there_is_no_early_table(campaign, cli, tmp_path):
    code, out, err = cli("run", campaign, "--output", tmp_path / "log.h5")
    assert code == 0
    assert HEADING not in out + err


def test_a_table_is_printed_only_if_runs_of_it_were_made(campaign, monkeypatch, tmp_path):
    log = tmp_path / "log.h5"
    command = ("run", campaign, "--output", log, "--workers", 0)
    assert run_on_terminal(monkeypatch, *command)[0] == 0
    command = (*command, "--repetitions", 2)
    code, text = run_on_terminal(monkeypatch, *command)
    assert code == 0
    assert HEADING in text  # of the second repetition
    code, text = run_on_terminal(monkeypatch, *command)
    assert code == 0
    assert HEADING not in text


def test_quickstart_has_an_early_table():
    campaigns = {name: load_campaign(name, imports=False) for name in ready_campaigns()}
    tables = {name: one.early_table for name, one in campaigns.items() if one.early_table}
    assert tables == {"quickstart": {"functions": (1, 8, 15, 21), "dimensions": (2,)}}
