"""Run the blocks of a documentation page, and write what its commands print into the page.

    python tests/pages.py docs/experiment.md

replaces the output in each ``console`` block that differs. Long output keeps its first and last
lines. An output that already matches stays, so that a page can shorten it with "…" by hand.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

BLOCK = re.compile(
    r"(?P<unused><!-- not run: [^\n]* -->\n\n?)?"
    r"```(?P<language>\{code-cell\} python|python|yaml|console)\n(?P<body>.*?)```",
    re.DOTALL,
)
OPTIONS_OF_CELL = re.compile(r"\A(?:---\n.*?^---\n|(?::\S+:.*\n)+)", re.DOTALL | re.MULTILINE)
FIRST_LINES, LAST_LINES = 14, 4
"""Lines that a long output keeps."""


def has_blocks(page: Path) -> bool:
    """Return whether a page has blocks that run."""
    return any(not block["unused"] for block in BLOCK.finditer(page.read_text(encoding="utf-8")))


def run_page(text: str, folder: Path) -> tuple[str, list[str]]:
    """Run the blocks of a page in their order, as one script and one folder.

    Args:
        text: The page.
        folder: Working directory of Python and of the commands.

    Returns:
        The page with the output that the commands print now, and a message for each output that
        does not match.
    """
    script: list[str] = []
    differences: list[str] = []
    pieces: list[str] = []
    end = 0
    for block in BLOCK.finditer(text):
        pieces.append(text[end : block.start("body")])
        end = block.end("body")
        body = block["body"]
        if block["unused"]:
            pass
        elif block["language"] == "yaml":
            if name := re.match(r"# ([\w-]+\.yaml)\n", body):
                (folder / name[1]).write_text(body, encoding="utf-8")
        elif block["language"] == "console":
            _run_python(script, folder)
            body = _run_commands(body, folder, differences)
        else:
            script.append(OPTIONS_OF_CELL.sub("", body))
        pieces.append(body)
    _run_python(script, folder)
    return "".join([*pieces, text[end:]]), differences


def _run_python(script: list[str], folder: Path) -> None:
    """Run the collected blocks as one script, and forget them."""
    if script:
        (folder / "page.py").write_text("\n".join(script), encoding="utf-8")
        _run([sys.executable, "page.py"], folder)
        script.clear()


def _run_commands(body: str, folder: Path, differences: list[str]) -> str:
    """Run each line after ``$``, and return the block with the output that differed replaced."""
    parts = []
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        program, *arguments = shlex.split(command)
        assert program == "firsthit", command
        printed = _run([sys.executable, "-m", "firsthit", *arguments], folder).rstrip()
        pattern = ".*".join(re.escape(piece) for piece in expected.rstrip().split("…"))
        if expected.strip() == "…" or not re.fullmatch(pattern, printed, re.DOTALL):
            differences.append(f"{command}\n{printed}")
            expected = _shorten(printed)
        parts.append(f"$ {command}\n{expected}".rstrip() + "\n")
    return "".join(parts)


def _shorten(printed: str) -> str:
    """Return an output without trailing spaces; replace the middle of a long one by "…"."""
    lines = [line.rstrip() for line in printed.splitlines()]
    if len(lines) > FIRST_LINES + LAST_LINES + 1:
        lines[FIRST_LINES:-LAST_LINES] = ["…"]
    return "\n".join(lines)


def _run(command: list[str], folder: Path) -> str:
    """Run a command that must succeed, and return what it prints."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def main() -> None:
    """Write the output of the commands into the pages that the command line names."""
    for name in sys.argv[1:]:
        page = Path(name)
        with tempfile.TemporaryDirectory() as folder:
            text, differences = run_page(page.read_text(encoding="utf-8"), Path(folder))
        page.write_text(text, encoding="utf-8")
        print(f"{page}: {len(differences)} outputs written")


if __name__ == "__main__":
    main()
