"""The pages of docs/: their Python and commands run, the site builds without a warning."""

import re
import shlex
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import click
import pytest

from firsthit.cli import group

DOCS = Path(__file__).parents[1] / "docs"
BLOCK = re.compile(r"(<!-- not run: [^\n]* -->\n\n?)?```(python|yaml|console)\n(.*?)```", re.DOTALL)


def blocks(page):
    """Language and text of the blocks that run, in order."""
    text = page.read_text(encoding="utf-8")
    return [(language, body) for unused, language, body in BLOCK.findall(text) if not unused]


PAGES = sorted(page for page in DOCS.rglob("*.md") if blocks(page))


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(DOCS).as_posix())
def test_what_a_page_shows_runs_in_its_order(page, tmp_path):
    script = []
    for language, body in blocks(page):
        if language == "yaml":
            name = re.match(r"# ([\w-]+\.yaml)\n", body)
            if name:
                (tmp_path / name[1]).write_text(body)
        elif language == "python":
            script.append(body)
        else:
            run_python(script, tmp_path)
            script.clear()
            run_commands(body, tmp_path)
    run_python(script, tmp_path)


def run_python(script, folder):
    if script:
        (folder / "page.py").write_text("\n".join(script))
        finished([sys.executable, "page.py"], folder)


def run_commands(body, folder):
    """Run each line after ``$``; what follows it is what it prints, with … for anything."""
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        program, *arguments = shlex.split(command)
        assert program == "firsthit"
        said = finished([sys.executable, "-m", "firsthit", *arguments], folder)
        pattern = ".*".join(re.escape(piece) for piece in expected.rstrip().split("…"))
        assert re.fullmatch(pattern, said.rstrip(), re.DOTALL), said


def finished(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_site(tmp_path):
    """It is built once: that takes long."""
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", str(DOCS), str(tmp_path)],
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    no_page_holds_literal_markup(tmp_path)
    every_command_and_question_is_in_the_reference(tmp_path)
    every_page_leads_to_all_others(tmp_path)


class Prose(HTMLParser):
    """The text of a page outside of code and signatures."""

    def __init__(self):
        super().__init__()
        self.text, self.inside = [], []

    def handle_starttag(self, tag, attributes):
        signature = tag == "dt" and "sig" in (dict(attributes).get("class") or "").split()
        if signature or tag in ("pre", "code", "script", "style"):
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
    found = {}
    for page in pages:
        prose = Prose()
        prose.feed(page.read_text(encoding="utf-8"))
        if marks := [text.strip() for text in prose.text if MARKUP.search(text)]:
            found[page.relative_to(site).as_posix()] = marks
    assert not found


def every_command_and_question_is_in_the_reference(site):
    for page, parent in (("command-line", ()), ("questions", ("assess",))):
        text = (site / "reference" / f"{page}.html").read_text(encoding="utf-8")
        commands = group
        for name in parent:
            commands = commands.get_command(click.Context(commands), name)
        for name in commands.list_commands(click.Context(commands)):
            assert f'id="{"-".join(("firsthit", *parent, name))}"' in text
        assert ">--help<" in text or ">--dimensions<" in text


def every_page_leads_to_all_others(site):
    """The header has the six parts, and the navigation at the left all pages."""
    for name in ("index", "concepts", "reference/questions"):
        text = (site / f"{name}.html").read_text(encoding="utf-8")
        header = text[text.index("<header") : text.index("</header>")]
        parts = ("Start", "Tutorials", "How-to", "Concepts", "Reference", "About")
        places = [re.search(rf">\s*{part}\s*</a>", header) for part in parts]
        assert all(places)
        assert sorted(places, key=lambda one: one.start()) == places
        left = text[text.index('class="all-pages"') :]
        assert left[: left.index("</nav>")].count("<a ") > 25
