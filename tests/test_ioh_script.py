"""The loop of an IOHprofiler user and its port, as the documentation shows it, find the same."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import firsthit

pytestmark = pytest.mark.usefixtures("peers")
PAGE = Path(__file__).parents[1] / "docs" / "coming-from-iohprofiler.md"


def script(heading):
    """The Python block under a heading of the page."""
    text = PAGE.read_text(encoding="utf-8").partition(f"\n## {heading}\n")[2]
    return re.search(r"```(?:\{code-cell\} )?python\n(.*?)```", text, re.DOTALL)[1]


def ran(text, folder):
    done = subprocess.run(
        [sys.executable, "-c", text], cwd=folder, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return [line.split() for line in done.stdout.splitlines()]


def test_both_print_the_same(tmp_path):
    theirs, ours = (
        ran(script(name), tmp_path) for name in ("The loop with ioh", "The loop with firsthit")
    )
    assert len(ours) == len(theirs) == 2 * 2 * 2
    for a, b in zip(ours, theirs, strict=True):
        assert a[:-1] == b[:-1]
        assert float(a[-1]) == pytest.approx(float(b[-1]), rel=1e-9)


def test_their_data_and_our_log_say_the_same(tmp_path):
    ran(script("The loop with ioh"), tmp_path)
    ran(script("The loop with firsthit"), tmp_path)
    ours, theirs = firsthit.load(tmp_path / "es.h5"), firsthit.load(tmp_path / "es")
    targets = {"targets": [1e2, 1e1, 1e0], "dimensions": 3}
    assert ours.art(**targets)["art"].tolist() == theirs.art(**targets)["art"].tolist()
    assert len(ours.log) == len(theirs.log) == 8
