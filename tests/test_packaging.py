"""What is installed: wheel and source distribution hold the same modules, and all of them."""

import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml

import firsthit

from .git_repositories import commit_all

CHECKOUT = Path(__file__).parents[1]
PARTS = ("suites", "loggers", "runner", "assessment", "configs")


@pytest.fixture
def checkout(tmp_path):
    """A copy of what builds the package, with its links."""
    copy = tmp_path / "any name"
    copy.mkdir()
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info", "build", "_commit.txt")
    for name in (*PARTS, "firsthit"):
        shutil.copytree(CHECKOUT / name, copy / name, symlinks=True, ignore=ignored)
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(CHECKOUT / name, copy)
    return copy


def build(folder, kind):
    """Build a distribution in a folder; its file, and what was said."""
    code = f"from setuptools import build_meta; print(build_meta.build_{kind}('out'))"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        cwd=folder, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    made = list((folder / "out").glob("*")) if done.returncode == 0 else [None]
    return made[0], done.stdout + done.stderr


def in_wheel(path):
    with zipfile.ZipFile(path) as wheel:
        return {name for name in wheel.namelist() if name.startswith("firsthit/")}


def version_in_wheel(path, folder):
    """What ``writer_version`` says in a new process that imports an unpacked wheel."""
    with zipfile.ZipFile(path) as wheel:
        wheel.extractall(folder)
    code = "from firsthit.loggers.records import writer_version as w; print(w.writer_version())"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=os.environ | {"PYTHONPATH": str(folder)},
        capture_output=True, text=True, check=True, timeout=300,
    )  # fmt: skip
    return done.stdout.strip()


def unpack(source, folder):
    """Unpack a source distribution; its only folder."""
    command = [sys.executable, "-W", "ignore", "-m", "tarfile", "-e", source, folder]
    subprocess.run(command, check=True, timeout=300)
    (unpacked,) = folder.iterdir()
    return unpacked


def expected(folder):
    """Every file of the package, as it stands in the checkout."""
    package = folder / "firsthit"
    return {
        path.relative_to(folder).as_posix()
        for root in (package, *(package / part for part in PARTS))
        for path in root.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.mark.slow
def test_wheel_and_source_distribution_hold_the_same_files(checkout, tmp_path):
    files = expected(checkout)
    named = ("bbob/instances.py", "biobj/hypervolume.csv", "biobj/LICENSE-COCO.txt")
    assert {f"firsthit/suites/{name}" for name in named} <= files
    assert "firsthit/configs/quickstart.yaml" in files
    wheel, said = build(checkout, "wheel")
    assert wheel, said
    assert in_wheel(wheel) == files
    assert version_in_wheel(wheel, tmp_path / "site") == f"{firsthit.__version__}+unknown"
    shutil.rmtree(checkout / "out")
    source, said = build(checkout, "sdist")
    assert source, said
    with tarfile.open(source) as archive:
        assert not [member.name for member in archive if member.issym() or member.islnk()]
    again, said = build(unpack(source, tmp_path / "unpacked"), "wheel")
    assert again, said
    assert in_wheel(again) == files


@pytest.mark.slow
def test_wheel_and_source_distribution_name_the_commit(checkout, tmp_path):
    """The source distribution lies in another project's repository when its wheel is built."""
    commit = commit_all(checkout)
    version = f"{firsthit.__version__}+g{commit}"
    wheel, said = build(checkout, "wheel")
    assert wheel, said
    assert version_in_wheel(wheel, tmp_path / "site") == version
    shutil.rmtree(checkout / "out")
    source, said = build(checkout, "sdist")
    assert source, said
    assert not (checkout / "firsthit" / "_commit.txt").exists()
    unpacked = unpack(source, tmp_path / "other" / "unpacked")
    commit_all(tmp_path / "other")
    again, said = build(unpacked, "wheel")
    assert again, said
    assert version_in_wheel(again, tmp_path / "other" / "site") == version


def test_the_version_number_is_declared_in_pyproject_only():
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    citation = yaml.safe_load((CHECKOUT / "CITATION.cff").read_text(encoding="utf-8"))
    assert firsthit.__version__ == citation["version"] == project["version"]


def test_a_checkout_without_its_links_builds_nothing_instead_of_half_of_it(checkout):
    link = checkout / "firsthit" / "suites"
    link.unlink()
    link.write_text("../suites")  # as a system without links checks it out
    made, said = build(checkout, "wheel")
    assert made is None
    assert "firsthit/suites" in said.replace("\\", "/")
