import io

from firsthit.runner.execution.progress import (
    BarProgress,
    LineProgress,
    SilentProgress,
    default_progress,
)

from .conftest import run_with


def told(progress, records, done=0):
    progress.begin(len(records) + done, done)
    for record in records:
        progress.update(record)
    progress.close()


RECORDS = [run_with("scipy:L-BFGS-B", 100), run_with(lambda f: None, 100)]


def test_lines_tell_counts_at_the_beginning_and_the_end():
    stream = io.StringIO()
    told(LineProgress(stream), RECORDS, done=3)
    first, last = stream.getvalue().splitlines()
    assert first == "5 runs, 3 of them in the log already"
    assert last.startswith("5/5 runs, ")
    assert "evaluations/s, 1 hit the final target, 1 failed" in last


def test_lines_in_between_when_it_takes_long():
    stream = io.StringIO()
    told(LineProgress(stream, every_seconds=0), RECORDS)
    assert len(stream.getvalue().splitlines()) == 4


def test_where_no_run_hit_a_final_target_nothing_is_said_of_one():
    stream = io.StringIO()
    told(LineProgress(stream), RECORDS[1:])
    assert "evaluations/s, 1 failed, " in stream.getvalue()


def test_nothing_more_is_said_when_nothing_was_to_do():
    stream = io.StringIO()
    told(LineProgress(stream), [], done=3)
    assert stream.getvalue() == "3 runs, 3 of them in the log already\n"


def test_the_bar_tells_the_same():
    stream = io.StringIO()
    told(BarProgress(stream), RECORDS)
    assert "2/2" in stream.getvalue()
    assert "evaluations/s, 1 hit the final target, 1 failed" in stream.getvalue()


def test_a_bar_on_terminals_only():
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    assert isinstance(default_progress(Terminal()), BarProgress)
    assert isinstance(default_progress(io.StringIO()), LineProgress)


def test_silence():
    told(SilentProgress(), RECORDS)
