"""The pages of docs/: their Python and commands run, the site builds without a warning."""

import ast
import importlib
import inspect
import itertools
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
import yaml

import firsthit

from .command_line import commands_of
from .pages import has_blocks, run_page

DOCS = Path(__file__).parents[1] / "docs"
ALL_PAGES = sorted([*DOCS.rglob("*.md"), DOCS.parent / "README.md"])
PAGES = [page for page in ALL_PAGES if page.is_relative_to(DOCS) and has_blocks(page)]


def name_of(page):
    return page.relative_to(DOCS.parent).as_posix()


def prose_of(page):
    """Return the text of a page without its code blocks."""
    text = page.read_text(encoding="utf-8")
    return re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_blocks_of_a_page_run_and_print_what_it_shows(page, tmp_path):
    _, differences = run_page(page.read_text(encoding="utf-8"), tmp_path)
    assert not differences, f"python tests/pages.py {page} writes the output"


@pytest.mark.slow
def test_the_site(tmp_path):
    """It is built once: that takes long."""
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", str(DOCS), str(tmp_path)],
        capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    no_page_holds_literal_markup(tmp_path)
    every_command_and_question_is_in_the_reference(tmp_path)
    every_public_name_is_in_the_reference(tmp_path)
    every_page_of_a_name_has_its_source_and_an_example_with_output(tmp_path)
    every_described_column_is_in_a_table(tmp_path)
    every_page_leads_to_all_others(tmp_path)


class Prose(HTMLParser):
    """The text of a page outside of code, formulas and signatures."""

    def __init__(self):
        super().__init__()
        self.text, self.inside = [], []

    def handle_starttag(self, tag, attributes):
        classes = (dict(attributes).get("class") or "").split()
        is_skipped = (tag == "dt" and "sig" in classes) or "math" in classes
        is_skipped = is_skipped or tag in ("pre", "code", "script", "style")
        if is_skipped or (self.inside and self.inside[-1] == tag):
            self.inside.append(tag)

    def handle_endtag(self, tag):
        if self.inside and self.inside[-1] == tag:
            self.inside.pop()

    def handle_data(self, data):
        if not self.inside:
            self.text.append(data)


MARKUP = re.compile(
    r"\.\. [\w-]+::|`|:\w+:[`_]|^:::|\]\(|\*\*[^*\s][^*]*\*\*(?!\w)|^#+ |\{[a-z-]+\}`"
    r"|\\\[|\$\$",
    re.MULTILINE,
)


def no_page_holds_literal_markup(site):
    pages = [page for page in site.rglob("*.html") if not page.name.startswith("genindex")]
    assert len(pages) > 30
    literal_markup = {}
    for page in pages:
        prose = Prose()
        prose.feed(page.read_text(encoding="utf-8"))
        if marks := [text.strip() for text in prose.text if MARKUP.search(text)]:
            literal_markup[page.relative_to(site).as_posix()] = marks
    assert not literal_markup


def every_command_and_question_is_in_the_reference(site):
    text = (site / "reference" / "command-line.html").read_text(encoding="utf-8")
    assert len(commands_of()) > 10
    assert all(f'id="firsthit-{name}"' in text for name in commands_of())
    for name in commands_of("assess"):
        page = (site / "reference" / "questions" / f"{name}.html").read_text(encoding="utf-8")
        method = f"firsthit.assessment.Results.{name.replace('-', '_')}"
        assert f'id="{method}"' in page
        assert "[source]" in page
        assert f"firsthit assess {name} [OPTIONS] LOGS..." in page
        assert ">Unit</p></th>" in page
        assert 'class="output' in page


PUBLIC_MODULES = (
    "firsthit", "firsthit.suites", "firsthit.loggers", "firsthit.runner", "firsthit.assessment",
    "firsthit.coco",
)  # fmt: skip


def every_public_name_is_in_the_reference(site):
    pages = (site / "reference").rglob("*.html")
    anchors = {
        anchor
        for page in pages
        for anchor in re.findall(r'id="(firsthit\.[\w.]+)"', page.read_text(encoding="utf-8"))
    }
    for module_name in PUBLIC_MODULES:
        module = importlib.import_module(module_name)
        for name in module.__all__:
            paths = {f"{other}.{name}" for other in PUBLIC_MODULES}
            assert inspect.ismodule(getattr(module, name)) or paths & anchors, name


def every_page_of_a_name_has_its_source_and_an_example_with_output(site):
    pages = [*(site / "reference" / "api").rglob("*.html")]
    assert len(pages) > 80
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert "[source]" in text, page.name
        assert '<span class="gp">&gt;&gt;&gt; </span>' in text, page.name
        assert '<span class="go">' in text, page.name
        assert "TypeAliasForwardRef" not in text, page.name


def every_described_column_is_in_a_table(site):
    """The build refuses a column without a description."""
    descriptions = yaml.safe_load((DOCS / "reference" / "columns.yaml").read_text("utf-8"))
    for name, columns in descriptions.items():
        pages = (site / "reference" / "questions").glob("*" if name == "shared" else f"{name}.html")
        text = "".join(page.read_text(encoding="utf-8") for page in pages)
        for column in columns:
            assert f'<span class="pre">{column.replace("*", "…")}</span>' in text, (name, column)


def every_page_leads_to_all_others(site):
    """The header has the seven parts, and the navigation at the left all pages."""
    for name in ("index", "concepts", "reference/questions"):
        text = (site / f"{name}.html").read_text(encoding="utf-8")
        header = text[text.index("<header") : text.index("</header>")]
        parts = ("Start", "Tutorials", "Concepts", "How-to", "Reference", "Validation", "About")
        places = [re.search(rf">\s*{part}\s*</a>", header) for part in parts]
        assert all(places)
        assert sorted(places, key=lambda one: one.start()) == places
        left = text[text.index('class="all-pages"') :]
        assert left[: left.index("</nav>")].count("<a ") > 25


@pytest.mark.parametrize("module_name", [*PUBLIC_MODULES, "firsthit.bridges"])
def test_public_classes_and_functions_have_an_example(module_name):
    """``test_docstrings.py`` executes the examples."""
    module = importlib.import_module(module_name)
    names = getattr(module, "__all__", None) or [
        name for name, value in vars(module).items()
        if getattr(value, "__module__", "") == module_name and not name.startswith("_")
    ]  # fmt: skip
    without = [
        name
        for name in names
        if callable(value := getattr(module, name))
        and not (inspect.isclass(value) and issubclass(value, BaseException))
        and ">>> " not in (value.__doc__ or "")
    ]
    assert not without


def test_the_glossary_gives_each_word_once():
    """At most 60 terms, so that people read it."""
    terms = re.findall(r"\n\n([^\n#`:][^\n]*)\n: ", (DOCS / "glossary.md").read_text())
    assert len(terms) == len(set(terms)) <= 60
    assert "run" in terms


EXPRESSION = re.compile(r"`(results\.[a-z_]+[^`]*)`")


@pytest.fixture(scope="module")
def results():
    return firsthit.benchmark(
        "random-search", "bbob", functions=1, dimensions=2, instances=1, budget=2
    )


@pytest.mark.parametrize("page", ALL_PAGES, ids=name_of)
def test_expressions_of_results_name_methods_and_arguments(page, results):
    """An ellipsis in a call stands for any further arguments."""
    for expression in EXPRESSION.findall(prose_of(page)):
        text = re.sub(r"(, )?…", "", " ".join(expression.split()))
        check_names(ast.parse(text, mode="eval").body, results, expression)


def check_names(node, results, expression):
    """Return the object that the names stand for; of a call, only check the keywords."""
    if isinstance(node, ast.Name):
        return results
    if isinstance(node, ast.Attribute):
        parent = check_names(node.value, results, expression)
        if parent is UNKNOWN:
            return UNKNOWN
        assert hasattr(parent, node.attr), expression
        return getattr(parent, node.attr)
    if isinstance(node, ast.Call):
        function = check_names(node.func, results, expression)
        if function is not UNKNOWN:
            arguments = {keyword.arg: None for keyword in node.keywords}
            inspect.signature(function).bind_partial(*node.args, **arguments)
    return UNKNOWN


UNKNOWN = object()
"""The value of a call, which is not made."""


def texts_of_the_code():
    """Yield the texts in the code, with the expressions in them replaced by "…"."""
    for package in ("assessment", "firsthit", "loggers", "runner", "suites"):
        for file in (DOCS.parent / package).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.JoinedStr):
                    yield "".join(constant(part).value for part in node.values)
                elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield node.value


def constant(part):
    return part if isinstance(part, ast.Constant) else ast.Constant("…")


@pytest.mark.slow
def test_messages_of_the_troubleshooting_page_are_in_the_code():
    """Pieces of three words and more are compared."""
    texts = "\n".join(texts_of_the_code())
    page = (DOCS / "troubleshooting.md").read_text(encoding="utf-8").partition("## Exceptions")[0]
    terms = re.findall(r"^(`.*`)\n: ", page, re.MULTILINE)
    messages = [message for term in terms for message in re.findall(r"`([^`]+)`", term)]
    assert len(messages) > 40
    pieces = [piece.strip(" .;:,") for message in messages for piece in message.split("…")]
    unknown = [piece for piece in pieces if len(piece.split()) > 2 and piece not in texts]
    assert not unknown, "\n".join(unknown)


WRITTEN_PAGES = [page for page in ALL_PAGES if page.parent.name != "gallery"]  # captions are alike


@pytest.mark.parametrize("page", WRITTEN_PAGES, ids=name_of)
def test_no_paragraph_is_doubled(page):
    """Two paragraphs are equal if they share most of their sequences of five words."""
    paragraphs = [text.split() for text in re.split(r"\n\s*\n|\n(?=[-*|] )", prose_of(page))]
    sequences = [
        {tuple(words[i : i + 5]) for i in range(len(words) - 4)}
        for words in paragraphs
        if len(words) >= 15 and words[0] != "|"
    ]
    for first, second in itertools.combinations(sequences, 2):
        common = first & second
        assert len(common) < 0.6 * min(len(first), len(second)), " ".join(map(" ".join, common))
