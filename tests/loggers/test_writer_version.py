"""Which version and commit of firsthit a log names: those of the code that writes it, or none."""

import shutil
import subprocess
import sys
from pathlib import Path
from runpy import run_path

import pytest

import firsthit

from ..git_repositories import commit_all, git

CHECKOUT = Path(__file__).parents[2]
MODULE = Path("firsthit", "loggers", "records", "writer_version.py")


def make_package(folder, number="7.8.9"):
    """Make a folder with firsthit's ``pyproject.toml``, if there is a number, and the module."""
    (folder / MODULE).parent.mkdir(parents=True)
    shutil.copy(CHECKOUT / MODULE, folder / MODULE)
    if number:
        (folder / "pyproject.toml").write_text(
            f'[project]\nname = "firsthit"\nversion = "{number}"'
        )
    return folder


def writer_version_in(folder):
    """The answer of the module in a folder, as a new process would have it."""
    return run_path(str(folder / MODULE))["writer_version"]()


def test_a_checkout_names_its_commit_and_whether_files_have_changed(tmp_path):
    commit = commit_all(make_package(tmp_path))
    assert writer_version_in(tmp_path) == f"7.8.9+g{commit}"
    (tmp_path / "untracked.txt").write_text("")
    assert writer_version_in(tmp_path) == f"7.8.9+g{commit}"
    with open(tmp_path / "pyproject.toml", "a") as file:
        file.write("\n# changed\n")
    assert writer_version_in(tmp_path) == f"7.8.9+g{commit}.dirty"


def test_a_tag_does_not_replace_the_commit(tmp_path):
    commit = commit_all(make_package(tmp_path))
    git(tmp_path, "tag", "-a", "-m", "release", "v7.8.9")
    assert writer_version_in(tmp_path) == f"7.8.9+g{commit}"


def test_git_is_asked_once_per_process(tmp_path):
    commit = commit_all(make_package(tmp_path))
    writer_version = run_path(str(tmp_path / MODULE))["writer_version"]
    assert writer_version() == f"7.8.9+g{commit}"
    shutil.rmtree(tmp_path / ".git")
    assert writer_version() == f"7.8.9+g{commit}"


@pytest.mark.parametrize("number", ["7.8.9", ""], ids=["unpacked sources", "installed package"])
def test_a_repository_that_contains_the_package_is_not_asked(tmp_path, number):
    package = make_package(tmp_path / "environment" / "site", number)
    commit_all(tmp_path)
    assert writer_version_in(package).endswith("+unknown")
    (package / "firsthit" / "_commit.txt").write_text("1234567\n")
    assert writer_version_in(package).endswith("+g1234567")


def test_git_of_another_project_in_the_same_folder_is_not_asked(tmp_path):
    package = make_package(tmp_path, "")
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "other"\nversion = "3.0"')
    commit_all(tmp_path)
    assert writer_version_in(package) == f"{firsthit.__version__}+unknown"


def test_variables_of_git_for_another_repository_have_no_effect(tmp_path, monkeypatch):
    """A hook of git that runs a benchmark has them in its environment."""
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").write_text("other")
    commit_all(tmp_path / "other")
    commit = commit_all(make_package(tmp_path / "checkout"))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "other" / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "other" / ".git" / "index"))
    assert writer_version_in(tmp_path / "checkout") == f"7.8.9+g{commit}"


def test_without_git_the_commit_is_unknown(tmp_path, monkeypatch):
    commit_all(make_package(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert writer_version_in(tmp_path) == "7.8.9+unknown"


def test_a_copy_without_metadata_has_the_number_zero(tmp_path):
    package = make_package(tmp_path, "")
    code = "import sys, runpy; print(runpy.run_path(sys.argv[1])['version_number']())"
    command = [sys.executable, "-I", "-S", "-c", code, package / MODULE]  # -S: without packages
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "0.0.0\n"


def test_importing_firsthit_does_not_look_for_its_version():
    code = "import sys, firsthit; assert not any('writer_version' in name for name in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
