"""A fork of the process that writes a log leaves the log alone, however it ends.

Private names: the writer of a log is forked between two of its steps.
"""

import os
import subprocess
import sys
import textwrap

import pytest

from firsthit.loggers import read_log
from firsthit.loggers.errors import ObservationError
from firsthit.loggers.hdf5.writer import LogWriter
from firsthit.loggers.records.log_header import LogHeader

from .conftest import random_run

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs fork, which Windows has not")
HEADER = LogHeader({"random": {}})


def in_a_fork(action):
    """The exit code of a fork that does this."""
    pid = os.fork()
    if pid == 0:
        try:
            action()
        except BaseException:
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


@pytest.mark.parametrize("end", ["close", "abandon", "sync", "_finalizer"])
def test_a_fork_that_ends_the_log_leaves_it_to_its_parent(tmp_path, end):
    path = tmp_path / "a.h5"
    log = LogWriter(path, HEADER)
    log.add(random_run(repetition=0))
    log.add(random_run(repetition=1))
    before = sorted(os.listdir(tmp_path / "a.h5.parts"))
    action = getattr(log, end)

    def child():
        try:
            action()
        except ObservationError:
            assert end == "sync"
        log.announce("from the fork")

    assert in_a_fork(child) == 0
    assert sorted(os.listdir(tmp_path / "a.h5.parts")) == before
    with pytest.raises(OSError, match=f"by process {os.getpid()}"):
        LogWriter(path, HEADER, resume=True)
    log.close()
    assert read_log(path).runs.repetition.tolist() == [0, 1]
    assert os.listdir(tmp_path) == ["a.h5"]


def test_a_fork_may_not_add_runs(tmp_path):
    record = random_run()
    with LogWriter(tmp_path / "a.h5", HEADER) as log:

        def child():
            with pytest.raises(ObservationError, match="by the process that opened it"):
                log.add(record)

        assert in_a_fork(child) == 0
        log.add(record)
    assert len(read_log(tmp_path / "a.h5")) == 1


@pytest.mark.parametrize("with_block", [True, False])
def test_a_loop_whose_fork_exits_keeps_its_log(tmp_path, with_block):
    """The plain three lines, with an algorithm that forks and lets the child end by itself."""
    loop = """
        for problem in observer(problem_from(sum, 2, instance=i) for i in (1, 2, 3)):
            problem([1.0, 2.0])
            pid = os.fork()
            if pid == 0:
                sys.exit(0)
            assert os.waitpid(pid, 0)[1] == 0
            problem([0.5, 2.0])
    """
    text = textwrap.dedent(loop)
    begin = "observer = Observer(sys.argv[1], algorithm='a')\n"
    code = f"{begin}{text}observer.close()\n"
    if with_block:
        code = f"{begin}with observer:\n{textwrap.indent(text, '    ')}"
    code = f"import os, sys\nfrom firsthit import Observer, problem_from\n{code}"
    path = tmp_path / "a.h5"
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert os.listdir(tmp_path) == ["a.h5"]
    assert read_log(path).runs.evaluations.tolist() == [2, 2, 2]
