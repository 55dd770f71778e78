"""Commands refuse to replace files and folders that exist, unless ``--overwrite`` is given.

The tests find the commands by their options, so that a new command cannot be left out.
"""

import pytest

from firsthit import Observer, Suite, benchmark
from firsthit.loggers import read_log

from .command_line import commands_of, help_of, invoke, options_of, succeed

NAME_THEIR_LOG = {"run", "check", "status", "watch"}
"""Commands whose --output names the log of a campaign: it is continued, or only read."""
MUST_READ_FIRST = {"figures", "rerun"}
"""Commands that read logs before they know the files that they write; they have tests below."""
REQUIRED = {
    "export": ["--format", "coco"],
    "assess areas": ["--budget", "10"],
}
"""Options without which click refuses a command before the command begins."""


def commands_with(option):
    """Return the words of each command that has an option, such as ``("assess", "ecdf")``."""
    words = [(name,) for name in commands_of()]
    groups = [word for word in words if commands_of(*word)]
    words += [(*group, name) for group in groups for name in commands_of(*group)]
    return [word for word in words if word not in groups and option in options_of(*word)]


def files_of(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
    }


@pytest.fixture
def log(tmp_path):
    """A log of two functions in two dimensions."""
    with Observer(tmp_path / "log.h5", algorithm="walk") as observer:
        for problem in observer(Suite("bbob", functions="1,2", dimensions="2,3", instances=1)):
            problem(problem.initial_solution)
            problem(problem.initial_solution + 0.1)
    return tmp_path / "log.h5"


def test_every_command_that_writes_can_replace():
    for option in ("--output", "--plot"):
        commands = [words for words in commands_with(option) if words[0] not in NAME_THEIR_LOG]
        assert len(commands) > 8
        for words in commands:
            assert "--overwrite" in options_of(*words), words


@pytest.mark.parametrize("option", ["--output", "--plot"])
def test_every_command_refuses_an_existing_file_before_it_reads_logs(option, tmp_path):
    """A missing log stands for the work that must not begin."""
    for words in commands_with(option):
        if {words[0]} & (NAME_THEIR_LOG | MUST_READ_FIRST):
            continue
        is_log = "h5" in help_of(*words).partition("--output")[2].partition("\n")[0]
        output = tmp_path / ("out.h5" if is_log else "out.svg")
        output.write_text("mine")
        before = files_of(tmp_path)
        done = invoke(*words, "no.h5", option, output, *REQUIRED.get(" ".join(words), []))
        assert done.exit_code == 2, words
        assert done.stdout == ""
        assert done.stderr == (
            f"firsthit: {str(output)!r} exists; give another {option}, or replace it with "
            "--overwrite\n"
        ), words
        assert files_of(tmp_path) == before


def test_existing_files_are_replaced_when_asked(log, tmp_path):
    for name, words in (
        ("a.html", ("report", "--output")),
        ("a.svg", ("assess", "ecdf", "--dimensions", "2", "--plot")),
        ("best.csv", ("assess", "best", "--output")),
    ):
        file = tmp_path / name
        file.write_text("mine")
        command = (*words, file, log)
        assert invoke(*command).exit_code == 2, words
        succeed(*command, "--overwrite")
        assert b"mine" not in file.read_bytes()[:4]
    assert list(tmp_path.glob(".*")) == []


def test_the_names_of_several_figures_are_checked_before_the_first_is_written(log, tmp_path):
    words = ("assess", "ecdf", log, "--plot", tmp_path / "a.svg")
    (tmp_path / "a_d03.txt").write_text("mine")
    before = files_of(tmp_path)
    done = invoke(*words)
    assert done.exit_code == 2
    assert f"{str(tmp_path / 'a_d03.txt')!r} exists; give another --plot" in done.stderr
    assert files_of(tmp_path) == before
    succeed(*words, "--overwrite")
    assert (tmp_path / "a_d03.txt").read_text(encoding="utf-8") != "mine"
    assert (tmp_path / "a_d02.svg").exists()


def test_a_merged_or_imported_log_replaces_another_one_when_asked(log, tmp_path):
    other = tmp_path / "other.h5"
    data = tmp_path / "coco"
    succeed("export", log, "--format", "coco", "--output", data)
    for words in (("merge", log, "--output", other), ("import", data, "--output", other)):
        with Observer(other, algorithm="other", overwrite=True) as observer:
            for problem in observer(Suite("bbob", functions=5, dimensions=2, instances="1-3")):
                problem(problem.initial_solution)
        assert invoke(*words).exit_code == 2
        assert read_log(other).algorithms == ("other",)
        succeed(*words, "--overwrite")
        assert read_log(other).algorithms == ("walk",)
        assert len(read_log(other)) == 4
        other.write_text("no log")
        done = invoke(*words, "--overwrite")
        assert (done.exit_code, other.read_text()) == (2, "no log")
        assert "it is no log of firsthit" in done.stderr
        other.unlink()


def test_merging_a_log_into_itself_needs_no_permission(log, tmp_path):
    succeed("merge", log)
    succeed("merge", log, "--output", log)
    other = tmp_path / "other.h5"
    succeed("merge", log, "--output", other)
    assert "--overwrite" in invoke("merge", log, other, "--output", other).stderr
    succeed("merge", log, other, "--output", other, "--overwrite")
    assert len(read_log(other)) == 4


@pytest.mark.slow
def test_figures_replace_those_of_the_same_names_only(log, tmp_path):
    folder = tmp_path / "figures"
    words = ("figures", log, "--output", folder, "--kinds", "ecdf", "--format", "svg", "--index")
    succeed(*words, "--dimensions", "2")
    (folder / "paper.tex").write_text("mine")
    done = invoke(*words)
    assert done.exit_code == 2
    assert f"{str(folder / 'ecdf_bbob_d02_all.svg')!r} exists" in done.stderr
    succeed(*words[:5], "convergence", *words[6:])
    succeed(*words, "--dimensions", "3")
    others = {n: text for n, text in files_of(folder).items() if n[:5] not in ("ecdf_", "READM")}
    assert any(name.startswith("convergence") for name in others)
    succeed(*words, "--overwrite")
    assert others.items() <= files_of(folder).items()
    (folder / "README.md").write_text("mine")
    done = invoke(*words[:5], "art", *words[6:])
    assert f"{str(folder / 'README.md')!r} exists" in done.stderr


@pytest.mark.parametrize("form", ["coco", "ioh", "parquet"])
def test_only_an_exported_folder_is_replaced(log, tmp_path, form):
    folder = tmp_path / "out"
    words = ("export", log, "--format", form, "--output", folder)
    folder.mkdir()
    assert invoke(*words).exit_code == 2
    succeed(*words, "--overwrite")
    names = set(files_of(folder))
    assert names
    succeed(*words, "--overwrite")
    assert set(files_of(folder)) == names
    (folder / "notes.txt").write_text("mine")
    before = files_of(tmp_path)
    done = invoke(*words, "--overwrite")
    assert done.exit_code == 2
    assert "'notes.txt' in it was not written by the same command" in done.stderr
    assert files_of(tmp_path) == before


def test_data_of_others_are_not_replaced(log, tmp_path):
    folder = tmp_path / "out"
    words = ("export", log, "--format", "coco", "--output", folder)
    succeed(*words)
    [index, *_] = sorted(folder.glob("*.info"))
    index.write_text(index.read_text().replace("firsthit", "cocoex"))
    assert f"{index.name!r} in it was not written" in invoke(*words, "--overwrite").stderr


@pytest.mark.slow
def test_only_a_published_folder_is_replaced(log, tmp_path):
    folder = tmp_path / "published"
    words = (
        "publish", log, "--output", folder, "--title", "T", "--author", "Lovelace, Ada",
        "--license", "CC0-1.0", "--date", "2026-11-01",
    )  # fmt: skip
    succeed(*words)
    files = files_of(folder)
    done = invoke(*words)
    assert (done.exit_code, files_of(folder)) == (2, files)
    assert "--overwrite" in done.stderr
    succeed(*words, "--overwrite")
    assert set(files_of(folder)) == set(files)
    (folder / "notes.txt").write_text("mine")
    done = invoke(*words, "--overwrite")
    assert done.exit_code == 2
    assert "'notes.txt' in it was not written by the same command" in done.stderr
    assert (folder / "notes.txt").read_text() == "mine"


@pytest.mark.slow
def test_rerun_replaces_the_logs_of_another_rerun_when_asked(tmp_path):
    for seed in (1, 2):
        benchmark(
            "random-search", "bbob", functions=1, dimensions=2, instances=1, budget=20, seed=seed,
            output=tmp_path / f"{seed}.h5",
        )  # fmt: skip
    folder = tmp_path / "again"
    words = ("--output", folder, "--workers", "1")
    succeed("rerun", tmp_path / "1.h5", *words)
    succeed("rerun", tmp_path / "1.h5", *words)
    done = invoke("rerun", tmp_path / "2.h5", *words)
    assert done.exit_code == 2
    assert "or replace its logs with --overwrite" in done.stderr
    succeed("rerun", tmp_path / "2.h5", *words, "--overwrite")
    done = invoke("rerun", folder / "1.h5", *words, "--overwrite")
    assert done.exit_code == 2
    assert "--overwrite would delete this log" in done.stderr
    (folder / "notes.txt").write_text("mine")
    done = invoke("rerun", tmp_path / "1.h5", *words, "--overwrite")
    assert "'notes.txt' in it does not belong to a rerun" in done.stderr
    assert len(read_log(folder / "1.h5")) == 1


def test_run_renews_only_its_report(tmp_path):
    campaign, page = tmp_path / "few.yaml", tmp_path / "few.html"
    campaign.write_text(
        "suite: bbob\nfunctions: 1\ndimensions: 2\ninstances: 1\noptimizers: [random-search]\n"
        f"budget: 20\nworkers: 0\noutput: {tmp_path / 'few.h5'}\n"
    )
    page.write_text("mine")
    done = invoke("run", campaign, "--report")
    assert done.exit_code == 2
    assert done.stderr == (
        f"firsthit: {str(page)!r} exists; give another --output, or replace it with --overwrite\n"
    )
    assert not (tmp_path / "few.h5").exists()
    succeed("run", campaign, "--report", "--overwrite")
    assert "few.h5" in page.read_text(encoding="utf-8")
    succeed("run", campaign, "--report")
    succeed("merge", tmp_path / "few.h5", "--output", tmp_path / "other.h5")
    succeed("report", tmp_path / "other.h5", "--output", page, "--overwrite")
    assert invoke("run", campaign, "--report").exit_code == 2
