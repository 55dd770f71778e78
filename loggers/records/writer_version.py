"""Find the version and the git commit of the firsthit that runs.

A log names both in its attribute `writer_version`, so that a reader can find the source code that
wrote the log. Two cases are distinguished: in a checkout of firsthit, `pyproject.toml` and git
answer; elsewhere the package is installed, and the metadata of the distribution and the file
`_commit.txt`, which the build writes, answer.

This module uses the standard library only and has no relative imports, because `setup.py` runs it
before the dependencies of firsthit are installed.
"""

from __future__ import annotations

import os
import subprocess
from functools import cache
from pathlib import Path

COMMIT_FILE = "_commit.txt"
"""File in the folder of an installed package with the commit that it was built from."""

_PACKAGE = Path(__file__).parents[2]
_TOP_FOLDER = _PACKAGE.parent
_UNKNOWN_NUMBER = "0.0.0"
_GIT_TIMEOUT_SECONDS = 5.0


def writer_version() -> str:
    """Return the version of firsthit with its commit, such as ``"0.1.0+g94f1784"``.

    ``.dirty`` follows the commit if tracked files of the checkout had uncommitted changes, because
    the commit alone does not identify this code. In a checkout, the first call in a process takes
    about 15 ms, because it starts git. For an installed package, no process is started.

    Returns:
        A version number after PEP 440; ``"0.1.0+unknown"`` if the commit is not known.
    """
    commit = (commit_of_checkout() if _is_checkout() else None) or _commit_of_build()
    return f"{version_number()}+{f'g{commit}' if commit else 'unknown'}"


@cache
def version_number() -> str:
    """Return the version number of firsthit, such as ``"0.1.0"``.

    In a checkout, `pyproject.toml` declares it: an editable install keeps the metadata of the
    moment at which it was made, and a checkout may not be installed at all.

    Returns:
        The number; ``"0.0.0"`` for a copy of the package without any metadata.
    """
    if _is_checkout():
        number: str = _project()["version"]
        return number
    from importlib import metadata  # imported here because it takes 15 ms

    try:
        return metadata.version("firsthit")
    except metadata.PackageNotFoundError:
        return _UNKNOWN_NUMBER


@cache
def commit_of_checkout(folder: Path = _TOP_FOLDER) -> str | None:
    """Ask git for the commit of a checkout, abbreviated to at least seven digits.

    Args:
        folder: Top folder of the checkout. A repository that contains this folder is not asked,
            because its commits are those of another project.

    Returns:
        Such as ``"94f1784"``, or ``"94f1784.dirty"`` if tracked files have uncommitted changes.
        None if git is missing or fails, or if the folder is not the top folder of a repository.
    """
    # With --git-dir, git does not search the folders above. Variables such as GIT_INDEX_FILE, which
    # git sets for its hooks, belong to another repository.
    environment = {name: text for name, text in os.environ.items() if not name.startswith("GIT_")}
    command = [
        "git", "--git-dir=.git", "--work-tree=.", "--no-optional-locks",
        "describe", "--always", "--exclude=*", "--abbrev=7", "--dirty=.dirty",
    ]  # fmt: skip
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=True,
            timeout=_GIT_TIMEOUT_SECONDS,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() or None


@cache
def _is_checkout() -> bool:
    """Return whether the folder that contains the package has firsthit's ``pyproject.toml``."""
    try:
        return _project().get("name") == "firsthit"
    except (OSError, ValueError):
        return False


@cache
def _project() -> dict[str, str]:
    """Read the table ``project`` of the ``pyproject.toml`` beside the package."""
    import tomllib  # imported here because it takes 10 ms

    text = (_TOP_FOLDER / "pyproject.toml").read_text(encoding="utf-8")
    project: dict[str, str] = tomllib.loads(text).get("project", {})
    return project


def _commit_of_build() -> str | None:
    """Read the commit that the build wrote into the package; None if it wrote none."""
    try:
        return (_PACKAGE / COMMIT_FILE).read_text(encoding="ascii").strip() or None
    except (OSError, ValueError):
        return None
