"""Write the commit of the checkout into wheels and source distributions; see ``pyproject.toml``."""

from pathlib import Path
from runpy import run_path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist


class BuildWithCommit(build_py):
    """Copy the package; an editable install needs no file, because its checkout has the commit."""

    def run(self) -> None:
        """Copy the package and write its commit."""
        super().run()
        if not self.editable_mode:
            write_commit(Path(self.build_lib))


class SourceWithCommit(sdist):
    """Make a source distribution, from which a wheel is built without git."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        """Copy the sources and write their commit."""
        super().make_release_tree(base_dir, files)
        write_commit(Path(base_dir))


def write_commit(folder: Path) -> None:
    """Write the commit of the checkout into the package in ``folder``, if git knows it.

    If git does not answer, a file that came with a source distribution stays.
    """
    # run, not imported: at build time the dependencies of firsthit are not installed
    module = run_path("firsthit/loggers/records/writer_version.py")
    commit = module["commit_of_checkout"](Path.cwd())
    if commit:
        path = folder / "firsthit" / module["COMMIT_FILE"]
        path.write_text(f"{commit}\n", encoding="ascii")


setup(cmdclass={"build_py": BuildWithCommit, "sdist": SourceWithCommit})
