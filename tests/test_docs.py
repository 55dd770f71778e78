"""The pages of docs/: their Python and commands run, the site builds without a warning."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
BLOCK = re.compile(r"(<!-- not run: [^\n]* -->\n\n?)?```(python|yaml|console)\n(.*?)```", re.DOTALL)


def blocks(page):
    """Language and text of the blocks that run, in order."""
    text = page.read_text(encoding="utf-8")
    return [(language, body) for unused, language, body in BLOCK.findall(text) if not unused]


PAGES = sorted(page for page in DOCS.rglob("*.md") if blocks(page))


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(DOCS).as_posix())
def test_what_a_page_shows_runs_in_its_order(page, tmp_path):
    script = []
    for language, body in blocks(page):
        if language == "yaml":
            name = re.match(r"# ([\w-]+\.yaml)\n", body)
            if name:
                (tmp_path / name[1]).write_text(body)
        elif language == "python":
            script.append(body)
        else:
            run_python(script, tmp_path)
            script.clear()
            run_commands(body, tmp_path)
    run_python(script, tmp_path)


def run_python(script, folder):
    if script:
        (folder / "page.py").write_text("\n".join(script))
        finished([sys.executable, "page.py"], folder)


def run_commands(body, folder):
    """Run each line after ``$``; what follows it is what it prints, with … for anything."""
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        program, *arguments = shlex.split(command)
        assert program == "firsthit"
        said = finished([sys.executable, "-m", "firsthit", *arguments], folder)
        pattern = ".*".join(re.escape(piece) for piece in expected.rstrip().split("…"))
        assert re.fullmatch(pattern, said.rstrip(), re.DOTALL), said


def finished(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_site_builds_without_a_warning(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", str(DOCS), str(tmp_path)],
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "reference" / "python.html").exists()
