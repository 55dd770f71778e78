"""The progress that is shown while runs are made.

Private names: the forms of progress are tested on streams that stand for a terminal or a file.
"""

import io
import os
import re
import subprocess
import sys
from typing import NamedTuple

import pytest

import firsthit.runner.execution.progress as progress_module
from firsthit.loggers.records.identity import RunIdentity
from firsthit.runner import load_campaign, plan
from firsthit.runner.execution.progress import (
    BarProgress,
    LineProgress,
    SilentProgress,
    default_progress,
)

CAMPAIGN = """
suite: bbob
functions: 1-4
dimensions: [2, 3]
instances: 1-4
budget: 100
output: progress.h5
optimizers: [random-search, "scipy:L-BFGS-B"]
"""


@pytest.fixture
def runs(tmp_path):
    """64 planned runs of 4 kinds, 16 of each."""
    file = tmp_path / "progress.yaml"
    file.write_text(CAMPAIGN)
    return plan(load_campaign(file))


@pytest.fixture
def clock(monkeypatch):
    """A clock that the test advances, as a list of one number of seconds."""
    now = [0.0]
    monkeypatch.setattr(progress_module.time, "perf_counter", lambda: now[0])
    return now


class Ended(NamedTuple):
    """The part of a run's record that the progress reads."""

    identity: RunIdentity
    wall_seconds: float = 1.0
    status: str = "budget"
    evaluations: int = 100


def records_of(runs):
    """Return records of two runs: one hit the final target, one failed."""
    hit, failed = (run.identity for run in runs[:2])
    return [Ended(hit, status="target"), Ended(failed, status="failed")]


def show(progress, runs, records, n_logged=0):
    """Show the progress of an execution in which ``records`` end; return nothing."""
    progress.begin(runs, runs[n_logged:])
    for record in records:
        progress.update(record)
    progress.close()


def test_lines_state_counts_at_the_beginning_and_the_end(runs):
    stream = io.StringIO()
    show(LineProgress(stream), runs[:5], records_of(runs), n_logged=3)
    first, last = stream.getvalue().splitlines()
    assert first == "5 runs, 3 of them in the log already"
    assert re.fullmatch(
        r"1 failed, 100 %, 5/5 runs, 1 hit the final target, [\d,.]+ evaluations/s, \d+ s", last
    )


def test_lines_are_printed_in_between_if_it_takes_long(runs):
    stream = io.StringIO()
    show(LineProgress(stream, every_seconds=0), runs[:2], records_of(runs))
    assert len(stream.getvalue().splitlines()) == 4


def test_without_a_hit_of_a_final_target_lines_do_not_mention_one(runs):
    stream = io.StringIO()
    show(LineProgress(stream), runs[:1], records_of(runs)[1:])
    assert re.search(r"1 failed, 100 %, 1/1 runs, [\d.,]+ evaluations/s", stream.getvalue())


def test_only_the_number_of_runs_is_printed_if_all_were_in_the_log(runs):
    stream = io.StringIO()
    show(LineProgress(stream), runs[:3], [], n_logged=3)
    assert stream.getvalue() == "3 runs, 3 of them in the log already\n"


def test_the_bar_shows_failures_share_runs_and_rate_in_this_order(runs):
    stream = io.StringIO()
    show(BarProgress(stream), runs[:2], records_of(runs))
    last = stream.getvalue().rstrip().rpartition("\r")[2]
    assert re.search(r"1 failed, 100 %.*2/2 runs, [\d,.]+ evaluations/s, \d+ s", last)


@pytest.mark.parametrize(
    ("rate", "text"), [(3.44, "3.4"), (140, "140"), (143.7, "140"), (12_345, "12,000")]
)
def test_rates_are_written_as_people_write_numbers(runs, clock, rate, text):
    """The record has 100 evaluations, which take ``100 / rate`` seconds."""
    stream = io.StringIO()
    progress = LineProgress(stream, every_seconds=0)
    progress.begin(runs, runs)
    clock[0] = 100 / rate
    progress.update(Ended(runs[0].identity))
    assert f" {text} evaluations/s" in stream.getvalue()


def test_the_time_left_appears_when_each_kind_of_runs_has_a_third_of_its_runs(runs, clock):
    """Each of the 16 runs of a kind takes 1 s in 2-D and 3 s in 3-D; two are made at a time."""
    stream = io.StringIO()
    progress = LineProgress(stream, every_seconds=0)
    progress.begin(runs, runs)
    kinds = {}
    for run in runs:
        kinds.setdefault((run.optimizer.name, run.problem_id.dimension), []).append(run)
    assert [len(kind) for kind in kinds.values()] == [16] * 4
    for (_, dimension), kind in kinds.items():
        for run in kind[:6]:  # 6 >= 16 / 3
            assert "left" not in stream.getvalue()
            seconds = 1.0 if dimension == 2 else 3.0
            clock[0] += seconds / 2
            progress.update(Ended(run.identity, seconds))
    # 10 runs of each kind are left: 2 * 10 * (1 + 3) s of runs, two at a time
    assert stream.getvalue().rstrip().endswith(", 0:00:40 left")


def test_a_kind_without_unfinished_runs_does_not_hide_the_time_left(runs, clock):
    stream = io.StringIO()
    progress = LineProgress(stream, every_seconds=0)
    progress.begin(runs, runs[:2])  # of one kind
    clock[0] = 7.0
    progress.update(Ended(runs[0].identity, 7.0))
    assert stream.getvalue().rstrip().endswith(", 0:00:07 left")
    progress.update(Ended(runs[1].identity, 7.0))
    assert stream.getvalue().rstrip().endswith(", 7 s")


def test_a_terminal_without_columns_and_a_file_get_lines():
    class Terminal(io.StringIO):
        """A stream that claims to be a terminal, as ``docker exec -t`` gives one."""

        def isatty(self):
            return True

    assert isinstance(default_progress(Terminal()), LineProgress)
    assert isinstance(default_progress(io.StringIO()), LineProgress)


def test_a_notebook_gets_a_bar_of_80_columns(runs):
    class OutStream(io.StringIO):
        """As in a notebook: not a terminal, without a file descriptor."""

    OutStream.__module__ = "ipykernel.iostream"
    stream = OutStream()
    progress = default_progress(stream)
    assert isinstance(progress, BarProgress)
    show(progress, runs[:2], records_of(runs))
    bars = stream.getvalue().strip("\r\n").split("\r")
    assert max(map(len, bars)) <= 80
    assert "2/2 runs" in bars[-1]


def test_silence(runs):
    show(SilentProgress(), runs[:2], records_of(runs))


RUN = """
import sys
from firsthit.runner.execution.progress import default_progress
print(type(default_progress()).__name__, file=sys.stdout)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="opens a pseudo-terminal")
@pytest.mark.parametrize(("columns", "lines"), [(80, "BarProgress"), (0, "LineProgress")])
def test_a_terminal_gets_a_bar_if_it_has_columns(columns, lines):
    import fcntl
    import struct
    import termios

    main_end, terminal = os.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    done = subprocess.run(
        [sys.executable, "-c", RUN], stdout=subprocess.PIPE, stderr=terminal, text=True, check=True
    )
    os.close(terminal)
    os.close(main_end)
    assert done.stdout == f"{lines}\n"
