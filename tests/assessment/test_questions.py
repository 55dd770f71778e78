"""Every question on every kind of log; users' own; what is generated is current.

Private names: the declarations of all questions are compared with commands, stubs and tables.
"""

import importlib
import inspect
import pkgutil
import pydoc
import re
import subprocess
import sys
from pathlib import Path
from typing import get_type_hints

import click
import pytest

import firsthit
from firsthit.assessment import AssessmentError, Results, Table, table_of
from firsthit.assessment import questions as package
from firsthit.assessment.questions._framework import catalogue, codegen, registry
from firsthit.assessment.questions._framework.docstrings import split_docstring
from firsthit.assessment.questions._framework.question import QUESTIONS as DECLARED
from firsthit.assessment.questions._framework.question import drawing_options
from firsthit.assessment.samples.convention import UNDECLARED
from firsthit.assessment.tables.latex import MOST_ROWS
from firsthit.cli.assess import command as assess
from firsthit.suites import FirsthitError
from firsthit.suites.errors import UnknownNameError

from ..command_line import invoke
from .questions import QUESTIONS, ask, options_of, required

FORMS = {"table": "__str__", "csv": "to_csv", "json": "to_json", "latex": "to_latex"}
COMMANDS = [
    (name, form)
    for number, name in enumerate(QUESTIONS)
    if name != "points"  # these logs contain none; tests/assessment/test_points.py has others
    for form in (FORMS if name == "art" else [[*FORMS][number % len(FORMS)]])
]
"""One form for each command, all for one: `test_every_table` looks at the forms themselves."""


@pytest.mark.parametrize(("name", "form"), COMMANDS)
def test_a_command_prints_the_table_in_the_form_that_is_asked(kinds, name, form):
    question = registry.question(name)
    kind = "two objectives" if "two objectives" in question.requires else "unequal sets"
    recommended = form == "json" and question.recommended
    results = firsthit.load(kinds[kind], recommended=recommended)
    table, pair = ask(results, name), ",".join(results.algorithms)
    words = [f"--{n.replace('_', '-')}={value}" for n, value in required(name).items()]
    words += ["--recommended"] * recommended + ["--algorithms", pair] * bool(question.two)
    done = invoke("assess", name, kinds[kind], "--format", form, *words)
    if form == "latex" and len(table) > MOST_ROWS:
        assert done.exit_code == 2
        return
    assert done.exit_code == 0, done.output
    assert done.stdout.rstrip("\n") == getattr(table, FORMS[form])().rstrip("\n")
    assert all(f"note: {note}\n" in done.stderr for note in table.notes)
    assert all("\n" not in note and note[-1] in ".!?" for note in table.notes)


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_log_without_runs_is_refused_in_a_sentence(name, make_log):
    log = make_log([{"precisions": [1.0]}]).take([])
    pair = ["a", "b"] if QUESTIONS[name].two else []
    with pytest.raises(FirsthitError, match=r"no finished run|has an archive|the logs hold none"):
        getattr(Results(log), name.replace("-", "_"))(*pair, **required(name))


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_keyword_that_is_none_is_told_with_the_options(kinds, name):
    with pytest.raises(UnknownNameError) as error:
        getattr(firsthit.load(kinds["one run"]), name.replace("-", "_"))(
            function="1", **required(name)
        )
    assert "Did you mean 'functions'?" in str(error.value)
    assert all(option in str(error.value) for option in options_of(name))


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_help_of_a_command_says_what_the_docstring_says(name):
    question = registry.question(name)
    first, _, said = split_docstring(question.__doc__)
    done = invoke("assess", name, "--help")
    text = " ".join(done.stdout.split())
    assert first in text
    assert "`" not in re.sub(r"`(firsthit|assess) [a-z -]+`", "", text)
    assert ("name two with --algorithms A,B" in text) == bool(question.two)
    assert set(said) == set(question.parameters) - set(question.two)
    command = assess.get_command(click.Context(assess), name)
    assert set(question.parameters) - set(question.two) <= {one.name for one in command.params}


@pytest.mark.parametrize("kind", registry.figure_names())
def test_a_figure_takes_options_of_its_question(kind):
    figure = registry.figure(kind)
    assert set(figure.defaults) <= set(figure.question.parameters)
    assert not {*drawing_options(figure)} & {*figure.question.keywords, "kind", "plot", "width"}


def declared_entries():
    """What the declarations of all modules in the folder `questions` give for the catalogue."""
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)
    headings = [*catalogue.QUESTIONS_BY_HEADING]
    rows = []
    for question in DECLARED.values():
        home, _, module = question.function.__module__.partition(".questions.")
        if f"{home}.questions" == package.__name__:
            summary = split_docstring(question.__doc__).summary
            summary = summary[:1].lower() + summary[1:].rstrip(".")
            kinds, figures = tuple(question.figures), question.figures.values()
            entry = catalogue.Entry(module, summary, kinds, any(map(drawing_options, figures)))
            place = headings.index(question.heading), question.place, question.name
            rows.append((place, question.heading, question.name, entry))
    return [row[1:] for row in sorted(rows)]


def test_the_catalogue_lists_what_is_declared():
    by_heading = catalogue.QUESTIONS_BY_HEADING.items()
    listed = [(heading, *item) for heading, entries in by_heading for item in entries.items()]
    declared = declared_entries()
    assert not [row for row in declared if row not in listed]
    assert listed == declared
    assert {*catalogue.DEFAULT_FIGURES} <= {*registry.figure_names()}


def test_the_catalogue_lists_the_modules_of_sections():
    declared_entries()  # imports all modules
    home = f"{package.__name__}."
    questions = [registry.question(name) for name in QUESTIONS]
    sections = [section for question in questions for section in question.sections]
    modules = {section.data.__module__.removeprefix(home) for section in sections}
    assert modules == {*catalogue.SECTION_MODULES}


def test_the_stub_is_current():
    """Else: python -m firsthit.assessment.questions._framework.codegen."""
    assert codegen.STUB.read_text(encoding="utf-8") == codegen.stub()


def test_the_list_of_questions_imports_no_numpy():
    code = (
        "from firsthit.cli import group\nimport sys\ntry:\n group(['assess', '--help'])\n"
        "except SystemExit: pass\n"
        "print(sorted({'numpy', 'h5py', 'scipy', 'matplotlib'} & {*sys.modules}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout.splitlines()[-1] == "[]"


MINE = '''
from firsthit.assessment import Sample, Table, at_targets, question, runs_alone, table_of
from firsthit.assessment.questions._framework.options import Algorithm, Seed


@question("My own", needs=runs_alone, joins=True)
def hit_share(sample: Sample, *, seed: Seed = 1, share: bool = False) -> Table:
    """Share of runs that hit their final target.

    With ``share``, as a share.

    Args:
        seed: Of nothing.
        share: Instead of a count.
    """
    hits = int((sample.log.runs["status"][sample.rows] == "target").sum())
    return Table(table_of(["hits", "seed"], [[hits / len(sample.rows) if share else hits, seed]]))


@question("My own")
def difference(sample: Sample, first: Algorithm, second: Algorithm) -> Table:
    """Runs of one and of the other."""
    names = sample.log.runs["algorithm"][sample.rows].tolist()
    return Table(table_of([first, second], [[names.count(first), names.count(second)]]))
'''

OLD = '''
from firsthit.assessment import Table, question


@question("My own")
def hit_share(runs: "Runs") -> Table:
    """As questions were written before."""


'''


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """A file with questions of a user, found as a module, too."""
    (tmp_path / "mine_of_test.py").write_text(MINE)
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path / "mine_of_test.py"
    sys.modules.pop("mine_of_test", None)
    for name in ("hit_share", "difference"):
        DECLARED.pop(name, None)


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
    table = mine_of_test.hit_share(results, functions=2, seed=3)
    assert isinstance(table, Table)
    assert table["seed"].tolist() == [3]
    assert results.difference("a", "bb")["a"].tolist() == [6]
    with pytest.raises(AttributeError, match="hit_shares"):
        results.hit_shares()


def test_a_users_question_needs_no_type_of_its_result(kinds):
    @firsthit.assessment.question("My own")
    def untyped(sample):
        """Count the cells of the sample."""
        return Table(table_of(["cells"], [[len(sample)]]))

    try:
        assert firsthit.load(kinds["one run"]).untyped()["cells"].tolist() == [1]
    finally:
        DECLARED.pop("untyped")


def test_an_option_of_a_users_question_needs_a_type():
    def with_option(sample, share=False) -> Table:
        """Count the cells of the sample."""

    with pytest.raises(AssessmentError, match="'with_option': the option 'share' has no type; "):
        firsthit.assessment.question("My own")(with_option)
    assert "with_option" not in DECLARED


@pytest.fixture
def example(tmp_path):
    """The file of the example in CONTRIBUTING.md."""
    text = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    (tmp_path / "example.py").write_text(code, encoding="utf-8")
    yield tmp_path / "example.py"
    sys.modules.pop("example", None)
    DECLARED.pop("hit_share", None)


def test_the_example_of_contributing_has_options_and_caveats(kinds, example):
    words = ["assess", f"{example}:hit_share", str(kinds["unequal sets"]), "--format", "csv"]
    done = invoke(*words, "--targets", "1e1,1e-1", "--count", "f")
    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines()[0] == "algorithm,suite,function,dimension,target,share"
    assert "note: different functions: " in done.stderr
    assert "each counts once, unsuccessful runs as never reaching the target" in done.stderr
    done = invoke(*words, "--targets", "runlength", "--reference", "best")
    assert done.stdout.splitlines()[0] == "algorithm,suite,function,dimension,budget,target,share"
    assert "note: targets from " in done.stderr
    shown = invoke(*words[:2], "--help").stdout
    assert all(option in shown for option in ("--targets", "--reference", "--count"))
    assert "Default: the suite's powers of ten, e.g. 1e1, 1e0, ... 1e-8." in " ".join(shown.split())


def test_a_question_without_a_convention_tells_the_runs_alone(kinds, mine):
    words = ["assess", f"{mine}:hit_share", str(kinds["one run"])]
    assert invoke(*words).stderr.splitlines() == [
        "note: runs: 1 on each function and dimension (instances 1)."
    ]


SELECTORS = ["suites", "functions", "dimensions", "instances"]


def test_the_signature_of_a_method_has_all_arguments(kinds):
    results = firsthit.load(kinds["one run"])
    names = ["targets", "interval", "seed", "reference", "count", "algorithms", *SELECTORS]
    signature = inspect.signature(results.art)
    assert [*signature.parameters] == names
    assert signature.parameters["interval"].annotation == "float | None"
    assert signature.return_annotation == "ArtTable"
    assert "firsthit." not in str(signature)
    types = get_type_hints(results.art)
    assert [*types] == [*names, "return"]
    assert types["interval"] == float | None
    assert types["return"].__name__ == "ArtTable"
    assert [*inspect.signature(Results.art).parameters] == ["self", *names]
    assert "algorithms" not in inspect.signature(results.scatter).parameters
    last = [*inspect.signature(results.ecdf).parameters][-7:]
    assert last == ["unequal", "count", "algorithms", *SELECTORS]
    drawn = inspect.signature(results.plot.fixed_budget).parameters
    assert {*drawn} > {*inspect.signature(results.fixed_budget).parameters}
    assert "table" not in drawn


@pytest.mark.parametrize("name", QUESTIONS)
def test_help_describes_every_argument_of_a_method(kinds, name):
    method = getattr(firsthit.load(kinds["one run"]), name.replace("-", "_"))
    documented = {*split_docstring(method.__doc__).arguments}
    assert {*inspect.signature(method).parameters} - {"first", "second"} <= documented
    text = pydoc.plain(pydoc.render_doc(method))
    assert f"{method.__name__}(" in text
    assert "instances: " in text


def test_help_of_results_lists_the_questions(kinds):
    text = pydoc.plain(pydoc.render_doc(firsthit.load(kinds["one run"])))
    assert all(f" {name.replace('-', '_')}(self" in text for name in QUESTIONS)


def test_algorithms_are_no_option_beside_two_algorithms(kinds):
    results = firsthit.load(kinds["unequal sets"])
    with pytest.raises(UnknownNameError, match="option of scatter 'algorithms'"):
        results.scatter("a", "bb", algorithms="a")


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_of_firsthit_declares_how_runs_count(name):
    assert registry.question(name).convention is not UNDECLARED


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("nowhere.py:x", "there is no file"),
        ("{mine}:nothing", "is no question"),
        ("{broken}:x", "running the file ends in ZeroDivisionError"),
        ("{old}:hit_share", "'hit_share' is written for an earlier version of firsthit"),
        (
            "{older}:hit_share",
            "has no Runs any more: a question takes a sample",
        ),
        ("{packages}:hit_share", "required packages are named by requires"),
    ],
)
def test_a_file_without_the_question_is_told(kinds, mine, tmp_path, place, message):
    texts = {
        "broken": "1 / 0\n",
        "old": OLD,
        "older": "from firsthit.assessment import Runs, Table, question\n",
        "packages": OLD.replace('("My own")', '("My own", needs="moocore")'),
    }
    for stem, text in texts.items():
        (tmp_path / f"{stem}.py").write_text(text)
    name = place.format(mine=mine, **{stem: tmp_path / f"{stem}.py" for stem in texts})
    done = invoke("assess", name, kinds["one run"])
    assert message in done.stderr


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
