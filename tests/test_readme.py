"""What README.md shows works as it stands there, and CONTRIBUTING.md names what there is."""

import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import scipy

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def smaller(code, *changes):
    """The code with a smaller experiment; each change must be found."""
    for before, after in changes:
        assert before in code
        code = code.replace(before, after)
    return code


def test_the_loop_and_benchmark(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    loop, benchmark = blocks("python")
    loop = smaller(loop, ("dimensions=[2, 5])", "dimensions=2, instances=1)"))
    few = "dimensions=2, instances=1, functions=[1, 8]"
    benchmark = smaller(benchmark, ("dimensions=[2, 5]", few), ("workers=2", "workers=1"))
    (tmp_path / "script.py").write_text(loop + benchmark)
    results = runpy.run_path(str(tmp_path / "script.py"), run_name="__main__")["results"]
    assert (tmp_path / "results" / "nm.h5").exists()
    assert len(results.log) == 2
    assert "solve" in capsys.readouterr().out


def finished(*words, cwd):
    done = subprocess.run(
        [sys.executable, "-m", "firsthit", *words],
        capture_output=True, text=True, cwd=cwd, timeout=900, check=True,
    )  # fmt: skip
    return done.stdout


def first_words(text):
    return {line.split()[0] for line in text.splitlines() if line.strip("…")}


@pytest.mark.slow  # the experiment that README shows
def test_the_numbers_are_those_of_the_commands_above_them(tmp_path):
    """With the version of SciPy that README names; with others, the lines.

    ``FIRSTHIT_QUICKSTART`` names the log of README's first command where that was just run.
    """
    if log := os.environ.get("FIRSTHIT_QUICKSTART"):
        (tmp_path / "results").mkdir()
        shutil.copy(log, tmp_path / "results" / "quickstart.h5")
    else:
        finished("run", "quickstart", cwd=tmp_path)
    said = {}
    is_same_scipy = scipy.__version__.startswith(re.search(r"\(SciPy\s([\d.]+)", README)[1] + ".")
    for block in blocks("console"):
        line, expected = block.removeprefix("$ firsthit ").split("\n", 1)
        said[line.split()[1]] = text = finished(*shlex.split(line), cwd=tmp_path)
        pattern = ".*".join(re.escape(piece) for piece in expected.rstrip().split("…"))
        if is_same_scipy:
            assert re.fullmatch(pattern, text.rstrip(), re.DOTALL), text
        else:
            assert first_words(expected) <= first_words(text)
    if is_same_scipy:
        art = [line.split() for line in said["art"].splitlines() if line.startswith("L-BFGS-B")]
        assert f"after {float(art[1][-1]):.0f} evaluations" in README
        assert f"so that {art[2][5]} evaluations are to be expected" in README
        profiles = {line.split()[0]: line.split() for line in said["ecdf"].splitlines()}
        for name, word in (("L-BFGS-B", "solves "), ("DE", "differential evolution ")):
            assert f"{word}{100 * float(profiles[name][6]):.0f} %" in README
        shares = [f"{100 * float(profiles[name][7]):.0f} %" for name in ("L-BFGS-B", "DE")]
        assert f"the two solve {shares[0]} and {shares[1]}" in README


def test_the_campaign(cli, tmp_path):
    (campaign,) = blocks("yaml")
    (tmp_path / "mine.yaml").write_text(campaign)
    (tmp_path / "my_es.py").write_text("def solve(problem, popsize=4): problem([0, 0])\n")
    code, said, _ = cli("check", "mine.yaml")
    assert code == 0
    assert "my-es[popsize=40]" in said
    assert f"{24 * 4 * 15 * 3} runs" in said


def test_there_are_two_commands():
    assert re.findall(r"^    (pip install .*)$", README, re.MULTILINE) == [
        "pip install '.[report]' && firsthit run quickstart --report",
        "pip install '.[test]' && pytest -n auto",
    ]


def test_contributing_names_files_that_exist():
    root = Path(__file__).parents[1]
    text = (root / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = re.findall(r"`([\w/.]+/[\w.]*|[\w/]+\.(?:py|md|cff|toml))`", text)
    assert len(named) > 15
    assert [name for name in named if not (root / name).exists()] == []
