"""Every question on every kind of log; users' own; what is generated is current."""

import subprocess
import sys

import click
import pytest

import firsthit
from firsthit.assessment import Results, Runs, Table
from firsthit.assessment.asking import generate, registry
from firsthit.assessment.asking.generate import parts
from firsthit.assessment.tables.latex import MOST_ROWS
from firsthit.cli.assess import command as assess
from firsthit.suites import FirsthitError
from firsthit.suites.errors import UnknownNameError

from .command_line import invoke
from .questions import INDEX, ask, required

FIGURES = registry.index()["figures"]
FORMS = {"table": "__str__", "csv": "to_csv", "json": "to_json", "latex": "to_latex"}
COMMANDS = [
    (name, form)
    for number, name in enumerate(INDEX)
    for form in (FORMS if name == "art" else [[*FORMS][number % len(FORMS)]])
]
"""One form for each command, all for one: `test_every_table` looks at the forms themselves."""


@pytest.mark.parametrize(("name", "form"), COMMANDS)
def test_a_command_prints_the_table_in_the_form_that_is_asked(kinds, name, form):
    question = INDEX[name]
    kind = "two objectives" if "two objectives" in question["needs"] else "unequal sets"
    recommended = form == "json" and question["recommended"]
    results = firsthit.load(kinds[kind], recommended=recommended)
    table, pair = ask(results, name), ",".join(results.algorithms)
    words = [f"--{n.replace('_', '-')}={value}" for n, value in required(name).items()]
    words += ["--recommended"] * recommended + ["--algorithms", pair] * bool(question["two"])
    done = invoke("assess", name, kinds[kind], "--format", form, *words)
    if form == "latex" and len(table) > MOST_ROWS:
        assert isinstance(done.exception, FirsthitError)
        return
    assert done.exit_code == 0, done.output
    assert done.stdout.rstrip("\n") == getattr(table, FORMS[form])().rstrip("\n")
    assert all(f"note: {note}\n" in done.stderr for note in table.notes)
    assert all("\n" not in note and note[-1] in ".!?" for note in table.notes)


@pytest.mark.parametrize("name", INDEX)
def test_a_log_without_runs_is_refused_in_a_sentence(name, make_log):
    log = make_log([{"precisions": [1.0]}])
    log.runs, pair = log.runs[:0], ["a", "b"] if INDEX[name]["two"] else []
    with pytest.raises(FirsthitError, match=r"no finished run|has an archive|the logs hold none"):
        getattr(Results(log), name.replace("-", "_"))(*pair, **required(name))


@pytest.mark.parametrize("name", INDEX)
def test_a_keyword_that_is_none_is_told_with_the_options(kinds, name):
    with pytest.raises(UnknownNameError) as error:
        getattr(firsthit.load(kinds["one run"]), name.replace("-", "_"))(
            algorithm="a", **required(name)
        )
    assert "Did you mean 'algorithms'?" in str(error.value)
    assert all(option["name"] in str(error.value) for option in INDEX[name]["options"])


@pytest.mark.parametrize("name", INDEX)
def test_the_help_of_a_command_says_what_the_docstring_says(name):
    question = registry.question(name)
    first, _, said = parts(question.__doc__)
    done = invoke("assess", name, "--help")
    text = " ".join(done.stdout.split())
    assert first in text
    assert "`" not in text.replace("`assess targets`", "").replace("`firsthit references`", "")
    assert ("Name two algorithms with --algorithms A,B" in text) == bool(question.two)
    assert set(said) == set(question.parameters) - set(question.two)
    command = assess.get_command(click.Context(assess), name)
    assert set(question.parameters) - set(question.two) <= {one.name for one in command.params}


@pytest.mark.parametrize("kind", FIGURES)
def test_a_figure_takes_options_of_its_question(kind):
    figure = registry.figure(kind)
    assert set(figure.defaults) | set(figure.several) <= set(figure.question.parameters)
    assert set(figure.options or ()) <= set(figure.question.keywords)


def test_index_and_stub_are_current():
    """Else: python -m firsthit.assessment.asking.generate."""
    assert registry.INDEX.read_text(encoding="utf-8") == generate.text_of_index()
    assert generate.STUB.read_text(encoding="utf-8") == generate.stub()


def test_lists_of_questions_import_no_numpy():
    for words in (["assess", "--help"], ["assess", "art", "--help"]):
        code = (
            f"from firsthit.cli import group\nimport sys\ntry:\n group({words})\n"
            "except SystemExit: pass\n"
            "print(sorted({'numpy', 'h5py', 'scipy', 'matplotlib'} & {*sys.modules}))"
        )
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
        )
        assert done.stdout.splitlines()[-1] == "[]"


MINE = '''
from firsthit.assessment import Runs, Table, question
from firsthit.assessment.asking.options import Algorithm, Seed
from firsthit.assessment.tables.table import table_of


@question("My own", joins=True)
def hit_share(runs: Runs, *, seed: Seed = 1, share: bool = False) -> Table:
    """Share of runs that hit their final target.

    With ``share``, as a share.

    Args:
        seed: Of nothing.
        share: Instead of a count.
    """
    rows = runs.common().rows
    hits = int((runs.log.runs["status"][rows] == "target").sum())
    return Table(table_of(["hits", "seed"], [[hits / len(rows) if share else hits, seed]]))


@question("My own")
def difference(runs: Runs, first: Algorithm, second: Algorithm) -> Table:
    """Runs of one and of the other."""
    counts = [len(runs.of(algorithms=one).rows) for one in (first, second)]
    return Table(table_of([first, second], [counts]))
'''


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """A file with questions of a user, found as a module, too."""
    (tmp_path / "mine_of_test.py").write_text(MINE)
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path / "mine_of_test.py"
    sys.modules.pop("mine_of_test", None)
    for name in ("hit_share", "difference"):
        generate.QUESTIONS.pop(name, None)


def test_a_users_question_is_a_command_of_its_file(kinds, mine):
    words = [
        "assess",
        f"{mine}:hit_share",
        str(kinds["unequal sets"]),
        "--format",
        "csv",
        "--share",
    ]
    done = invoke(*words, "--seed", "7", "--unequal")
    assert done.exit_code == 0, done.output
    assert done.stdout == "hits,seed\n0.0,7\n"
    shown = invoke("assess", f"{mine}:hit_share", "--help").stdout
    assert "With --share, as a share." in shown
    words = ["assess", f"{mine}:difference", str(kinds["unequal sets"]), "--format", "csv"]
    assert invoke(*words).stdout == "a,bb\n6,6\n"
    done = invoke(*words[:2], kinds["one run"])
    assert done.exit_code == 2
    assert "this compares two algorithms, not 1" in done.stderr


def test_a_users_question_is_a_method_once_it_is_imported(kinds, mine):
    import mine_of_test

    results = firsthit.load(kinds["unequal sets"])
    assert results.hit_share(seed=2)["seed"].tolist() == [2]
    assert "hit_share" in dir(results)
    runs = Runs(results.log, {"functions": 1})
    table = mine_of_test.hit_share(runs, seed=3)
    assert isinstance(table, Table)
    assert results.difference("a", "bb")["a"].tolist() == [6]
    with pytest.raises(AttributeError, match="hit_shares"):
        results.hit_shares()


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("nowhere.py:x", "there is no file"),
        ("{mine}:nothing", "is no question"),
        ("{broken}:x", "running the file ends in ZeroDivisionError"),
    ],
)
def test_a_file_without_the_question_is_told(kinds, mine, tmp_path, place, message):
    (tmp_path / "broken.py").write_text("1 / 0\n")
    name = place.format(mine=mine, broken=tmp_path / "broken.py")
    done = invoke("assess", name, kinds["one run"])
    assert message in str(done.exception)


def test_a_question_of_a_package_is_a_command(kinds, mine, tmp_path):
    """A dist-info folder on the path is all that an installed package is."""
    info = tmp_path / "mine-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[firsthit.questions]\nhit-share = mine_of_test:hit_share\n"
    )
    listed = invoke("assess", "--help")
    assert "hit-share" in listed.stdout
    assert "mine_of_test" not in sys.modules
    words = ["assess", "hit-share", str(kinds["unequal sets"]), "--format", "csv"]
    assert invoke(*words).stdout == "hits,seed\n0,1\n"
    assert firsthit.load(kinds["unequal sets"]).hit_share()["hits"].tolist() == [0]
