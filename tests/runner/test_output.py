"""The captured output of worker processes, and the notice that kernels are compiled."""

import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import firsthit
from firsthit.runner import FirsthitWarning

OPTIMIZERS = '''
import os
import subprocess
import sys
import time


def prints_and_fails(problem):
    problem(problem.initial_solution)
    print("on", problem.id)
    if problem.id_function == 2:
        print("giving up", file=sys.stderr)
        raise ValueError("too small")


def fails_silently(problem):
    problem(problem.initial_solution)
    raise ValueError("quiet")


def prints_11_megabytes(problem):
    problem(problem.initial_solution)
    for _ in range(11):
        print("x" * 999_999)
    print("the end")
    raise ValueError("too long")


def aborts(problem):
    problem(problem.initial_solution)
    print("last words")
    os.abort()


def hangs(problem):
    problem(problem.initial_solution)
    print("waiting")
    time.sleep(3600)


def leaves_a_program(problem):
    """Start a program that outlives the worker and holds its standard error."""
    program = "import sys; sys.stdin.read()"
    subprocess.Popen(
        [sys.executable, "-c", program], stdin=open(os.environ["FIFO"]), start_new_session=True
    )
    problem(problem.initial_solution)
    print("started")
    raise ValueError("left")


def shows_the_notice(problem):
    from firsthit.suites.compiled.notice import show_compilation_notice

    problem(problem.initial_solution)
    show_compilation_notice()
'''
NOTICE = "firsthit: compiling kernels (first run only)"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The current folder, with the optimizers in ``mine.py``."""
    (tmp_path / "mine.py").write_text(OPTIMIZERS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_campaign(*optimizers: str, functions: str = "1-2") -> None:
    """Write ``mine.yaml``, a campaign of one run of each optimizer on each function."""
    Path("mine.yaml").write_text(
        f"suite: bbob\nfunctions: {functions}\ndimensions: 2\ninstances: 1\nbudget: 20\n"
        f"restarts: 0\nworkers: 1\noutput: mine.h5\n"
        f"optimizers: [{', '.join(f'mine.py:{name}' for name in optimizers)}]\n"
    )


def start_campaign(*options: str, **arguments):
    """Start ``firsthit run mine.yaml`` in a process of its own."""
    command = [sys.executable, "-m", "firsthit", "run", "mine.yaml", *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **arguments)


def run_campaign(*options: str) -> tuple[int, str]:
    """Run ``mine.yaml``, and return the exit code and the text on stderr."""
    process = start_campaign(*options, stderr=subprocess.PIPE)
    _, errors = process.communicate(timeout=300)
    return process.returncode, errors


def read_output(log: str = "mine.h5") -> str:
    """Return the text of all files with output, joined."""
    return "".join(path.read_text() for path in sorted(Path(f"{log}.output").glob("*")))


def benchmark(name: str, **options):
    """Make runs of an optimizer on two functions in a worker; return the text of the warning."""
    with pytest.warns(FirsthitWarning) as warned:
        firsthit.benchmark(
            f"mine.py:{name}",
            "bbob",
            dimensions=2,
            instances=1,
            budget=20,
            restarts=0,
            **{"functions": [1, 2], "workers": 1, **options},
        )
    return str(warned[0].message)


@pytest.mark.slow
def test_the_message_of_a_failed_run_has_the_end_of_its_output_and_the_file(folder):
    write_campaign("prints_and_fails", "fails_silently")
    code, errors = run_campaign()
    assert code == 1
    assert (
        "  mine.py:prints_and_fails (1 run): ValueError: too small "
        f"({folder / 'mine.py'}:13 in prints_and_fails)\n"
        f"    the last lines that it printed (more in {Path('mine.h5.output', 'worker-1.txt')}):\n"
        "      on bbob_f002_i01_d02\n"
        "      giving up\n"
    ) in errors
    assert errors.count("on bbob_f002_i01_d02") == 1
    assert "on bbob_f001_i01_d02" not in errors
    assert errors.count("the last lines") == 1
    assert read_output() == (
        "== mine.py:prints_and_fails on bbob_f001_i01_d02, repetition 0 ==\n"
        "on bbob_f001_i01_d02\n"
        "== mine.py:prints_and_fails on bbob_f002_i01_d02, repetition 0 ==\n"
        "on bbob_f002_i01_d02\n"
        "giving up\n"
    )


def test_a_campaign_that_prints_nothing_leaves_no_file(folder):
    assert "the last lines" not in benchmark("fails_silently", output="mine.h5")
    assert not Path("mine.h5.output").exists()


@pytest.mark.slow
@pytest.mark.parametrize("options", [["--show-prints"], ["--workers", "0"]])
def test_output_is_not_captured(folder, options):
    write_campaign("prints_and_fails")
    code, errors = run_campaign(*options)
    assert code == 1
    assert "on bbob_f001_i01_d02\n" in errors
    assert "giving up\n" in errors
    assert not Path("mine.h5.output").exists()


def test_a_file_has_10_megabytes_and_says_how_much_was_dropped(folder):
    message = benchmark("prints_11_megabytes", output="mine.h5")
    assert message.endswith("the end")
    output = read_output()
    heading = "== mine.py:prints_11_megabytes on bbob_f001_i01_d02, repetition 0 ==\n"
    assert output.startswith(heading)
    printed, _, last_line = output.rstrip("\n").rpartition("\n")
    assert len(printed) == 10_000_000
    n_dropped = 2 * (11_000_000 + len("the end\n")) - (10_000_000 - len(heading))
    assert last_line == f"== {n_dropped:,} more bytes were printed and dropped =="


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="processes are not ended by a signal")
def test_the_last_words_of_a_crash_are_kept(folder):
    message = benchmark("aborts", functions=1)
    assert "killed by SIGABRT, twice" in message
    assert message.endswith("the last lines that it printed:\n  last words")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="processes are not ended by a signal")
def test_the_traceback_of_a_crash_is_in_the_file(folder, monkeypatch):
    monkeypatch.setenv("PYTHONFAULTHANDLER", "1")
    message = benchmark("aborts", output="mine.h5")
    assert "(more in mine.h5.output" in message
    output = read_output()
    assert "\nlast words\nFatal Python error: Aborted\n" in output
    assert re.search(r"mine.py\", line \d+ in aborts", output)


@pytest.mark.slow
def test_the_output_of_a_run_that_is_killed_after_its_time_limit_is_kept(folder):
    write_campaign("hangs", functions="1")
    code, errors = run_campaign("--timeout", "0.5")
    assert code == 1
    assert "no end within 0.5 s; its process was ended" in errors
    assert "\n      waiting\n" in errors


@pytest.mark.slow
def test_output_is_shown_without_a_file(folder):
    message = benchmark("prints_and_fails")
    assert message.endswith("the last lines that it printed:\n  on bbob_f002_i01_d02\n  giving up")
    Path("mine.h5.output").write_text("a file, so that there cannot be a folder")
    assert "\n  giving up" in benchmark("prints_and_fails", output="mine.h5")


@pytest.mark.slow
def test_an_execution_continues_the_files_and_overwriting_removes_them(folder):
    benchmark("prints_and_fails", output="mine.h5")
    once = read_output()
    benchmark("prints_and_fails", output="mine.h5", resume=True, retry_failed=True)
    output_of_failed_run = once[once.rindex("\n== ") + 1 :]
    assert read_output() == once + output_of_failed_run
    benchmark("prints_and_fails", output="mine.h5", overwrite=True)
    assert read_output() == once


@pytest.mark.slow
def test_the_log_does_not_depend_on_the_capture(folder):
    errors = []
    for workers in (0, 1, 2):
        log = f"log-{workers}.h5"
        benchmark("prints_and_fails", output=log, workers=workers)
        errors.append(firsthit.load(log).log.runs.error.tolist())
    assert errors[0] == errors[1] == errors[2]
    assert "giving up" not in "".join(errors[0])


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="reads /proc and opens a named pipe")
def test_no_thread_and_no_descriptor_is_left(folder, monkeypatch):
    """Also if a program that an optimizer started still holds the pipe."""
    os.mkfifo("fifo")
    monkeypatch.setenv("FIFO", "fifo")
    fifo = os.open("fifo", os.O_RDWR)  # its end ends the programs
    try:
        benchmark("prints_and_fails")  # imports whatever opens files
        before = os.listdir("/proc/self/fd")
        assert "\n  started" in benchmark("leaves_a_program")
        assert len(os.listdir("/proc/self/fd")) == len(before)
        assert "firsthit output" not in [thread.name for thread in threading.enumerate()]
    finally:
        os.close(fifo)


@pytest.mark.skipif(sys.platform == "win32", reason="opens a pseudo-terminal")
@pytest.mark.parametrize("workers", [pytest.param("0", marks=pytest.mark.slow), "1"])
def test_the_notice_of_compilation_has_a_line_of_its_own(folder, workers):
    write_campaign("shows_the_notice")
    screen = run_on_terminal("--workers", workers)
    assert_notice_stands_alone(screen)
    assert not Path("mine.h5.output").exists()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="opens a pseudo-terminal")
def test_kernels_that_are_compiled_are_announced_once(folder, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(folder / "cache"))
    write_campaign("fails_silently", "prints_and_fails")
    assert_notice_stands_alone(run_on_terminal("--workers", "2"))


@pytest.mark.slow
def test_the_output_of_a_local_dask_cluster_is_in_a_file(folder):
    write_campaign("prints_and_fails", "shows_the_notice")
    code, errors = run_campaign("--cluster", "local")
    assert code == 1
    assert f"\n{NOTICE}\n" in errors
    assert "giving up" not in errors
    assert "\n  what optimizers printed is in mine.h5.output\n" in errors
    output = read_output()
    assert "on bbob_f001_i01_d02\n" in output
    assert "giving up\n" in output


def run_on_terminal(*options: str) -> str:
    """Run ``mine.yaml`` with stderr on a terminal of 80 columns, and return what it received."""
    import fcntl
    import struct
    import termios

    main_end, terminal = os.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    process = start_campaign(*options, stderr=terminal)
    os.close(terminal)
    received = b""
    try:
        while data := os.read(main_end, 4096):
            received += data
    except OSError:  # Linux: no process holds the terminal any more
        pass
    os.close(main_end)
    process.communicate(timeout=300)
    return received.decode()


def assert_notice_stands_alone(screen: str) -> None:
    """Check that the notice was written once, on an empty line, and between two bars."""
    before, notice, after = screen.partition(NOTICE)
    assert notice
    assert NOTICE not in after
    *_, bar, blanks, rest = before.split("\r")
    assert "runs" in bar
    assert (blanks.strip(" "), rest) == ("", "")
    assert after.startswith(("\r\n", "\n"))
    assert "100 %|" in after
