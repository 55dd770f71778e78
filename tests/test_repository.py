"""The top level of the repository holds the named files and folders only."""

import subprocess
from pathlib import Path

CHECKOUT = Path(__file__).parents[1]
FOLDERS = {
    "suites", "loggers", "runner", "assessment", "firsthit",
    "configs", "tests", "benchmarks", "docs", "examples",
    ".ci", ".github",
}  # fmt: skip
FILES = {
    "README.md", "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "LICENSE", "SECURITY.md",
    "pyproject.toml", "setup.py", ".gitignore", ".pre-commit-config.yaml",
}  # fmt: skip


def tracked_paths() -> list[str]:
    """Return the paths of all files that git tracks or that are staged for the next commit."""
    done = subprocess.run(
        ["git", "-C", CHECKOUT, "ls-files", "-z"],
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    return done.stdout.rstrip("\0").split("\0")


def test_the_top_level_holds_only_the_named_files_and_folders():
    paths = [Path(path).parts for path in tracked_paths()]
    assert {parts[0] for parts in paths if len(parts) == 1} == FILES
    assert {parts[0] for parts in paths if len(parts) > 1} == FOLDERS
