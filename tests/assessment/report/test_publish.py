"""``firsthit publish``: what stands in the folder, that it is made again, and who can read it."""

import http.server
import json
import re
import shutil
import sys
import threading
from functools import partial

import platformdirs
import pytest
import yaml

import firsthit
from firsthit.assessment.asking import registry
from firsthit.loggers import read_log
from firsthit.publishing.campaigns import campaign_text
from firsthit.publishing.metadata import (
    Publication,
    PublicationError,
    citation,
    crate,
    told_by_campaigns,
)
from firsthit.publishing.pages import index_publications
from firsthit.runner.campaign.file import load_campaign

from ..command_line import invoke

WORDS = (
    "--title", "Walks & <more>", "--license", "CC-BY-4.0",
)  # fmt: skip
CAMPAIGN = """
suite: bbob
functions: 1
dimensions: 2
instances: 1-2
optimizers:
  - random-search
  - {use: "mine.py:solve", name: mine, parameters: {steps: [[0.1, 0.2]]}}
budget: [10, 20]
seed: 3
workers: 0
output: log.h5
publication: {authors: ["Lovelace, Ada, 0000-0002-1825-0097", INRIA], date: "2026-11-01"}
"""
CODE = "def solve(problem, rng, steps=()):\n    while True:\n        problem(rng.normal(size=2))\n"
MINE = "mine[steps=[0.1, 0.2]]"
PUBLICATION = Publication.of("A title", ["Lovelace, Ada", "INRIA"], "CC0-1.0", "2026-11-01")


def run(*words):
    done = invoke(*words)
    return done, done.output + str(done.exception or "")


GIT = {"url": "https://a.org/b", "vcs_info": {"vcs": "git", "commit_id": "c0ffee"}}
ORIGINS = {
    "made-git": (GIT, "made-git @ git+https://a.org/b@c0ffee"),
    "made-folder": ({"url": "file:///made-folder", "dir_info": {}}, "# made-folder==1.0"),
    "made-file": ({"url": "https://a.org/f.whl"}, "made-file @ https://a.org/f.whl"),
    "made-index": (None, "made-index==1.0"),
}
"""Distributions: how pip notes where each came from, and its line in a lock file."""


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Distributions from everywhere, beside what is installed; one hides another."""
    place = tmp_path_factory.mktemp("installed")
    for name, (origin, _) in ORIGINS.items():
        facts = place / f"{name}-1.0.dist-info"
        facts.mkdir()
        (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        if origin:
            (facts / "direct_url.json").write_text(json.dumps(origin))
    hidden = tmp_path_factory.mktemp("hidden") / "made_index-0.9.dist-info"
    hidden.mkdir()
    (hidden / "METADATA").write_text("Metadata-Version: 2.1\nName: made-index\nVersion: 0.9\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(place)
        patch.setattr("sys.path", [*sys.path, str(hidden.parent)])
        yield


@pytest.fixture(scope="module", autouse=True)
def few_figures():
    """Two kinds of figures are published, as all are written in one way."""
    with pytest.MonkeyPatch.context() as patch:
        for kind, entry in registry.index()["figures"].items():
            patch.setitem(entry, "curated", kind in ("heatmap", "loss"))
        yield


@pytest.fixture(scope="module")
def published(tmp_path_factory, installed):
    """A folder that holds a campaign, its log, and what was published of it."""
    folder = tmp_path_factory.mktemp("publication")
    (folder / "c.yaml").write_text(CAMPAIGN.replace("log.h5", str(folder / "own.h5")))
    (folder / "mine.py").write_text(CODE)
    assert run("run", folder / "c.yaml")[0].exit_code == 0
    done, said = run("publish", folder / "own.h5", "-o", folder / "out", *WORDS, "--code", folder)
    assert done.exit_code == 0, said
    return folder


@pytest.fixture
def server(published):
    """The address of a plain file server of what was published."""
    handler = partial(http.server.SimpleHTTPRequestHandler, directory=str(published / "out"))
    handler.log_message = lambda *_: None
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as made:
        thread = threading.Thread(target=made.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{made.server_port}"
        made.shutdown()
        thread.join()


def test_a_citation_is_yaml_with_what_the_format_requires():
    facts = yaml.safe_load(citation(Publication.of(*PUBLICATION_WORDS)))
    assert facts["cff-version"] == "1.2.0"
    assert facts["message"]
    assert facts["title"] == 'Say "it": #1'
    assert facts["authors"] == [
        {"family-names": "Lovelace", "given-names": "Ada",
         "orcid": "https://orcid.org/0000-0002-1825-0097"},
        {"name": "INRIA"},
    ]  # fmt: skip
    assert (facts["type"], facts["license"]) == ("dataset", "CC-BY-4.0")
    assert facts["date-released"] == "2026-11-01"


PUBLICATION_WORDS = (
    'Say "it": #1', ["Lovelace, Ada, 0000-0002-1825-0097", "INRIA"], "CC-BY-4.0", "2026-11-01",
)  # fmt: skip


TERMS = {
    "@id", "@type", "about", "author", "conformsTo", "contentSize", "datePublished", "description",
    "encodingFormat", "familyName", "givenName", "hasPart", "identifier", "license", "mentions",
    "name", "softwareVersion", "url",
}  # fmt: skip
"""Some that RO-Crate 1.1 defines; it has no ``sha256``, and others are not allowed."""


def check_crate(text):
    """What RO-Crate 1.1 says a crate MUST have; the entities by their identifiers."""
    facts = json.loads(text)
    assert facts["@context"] == "https://w3id.org/ro/crate/1.1/context"
    entities = {entity["@id"]: entity for entity in facts["@graph"]}
    assert len(entities) == len(facts["@graph"])
    descriptor, root = entities["ro-crate-metadata.json"], entities["./"]
    assert descriptor["@type"] == "CreativeWork"
    assert descriptor["conformsTo"] == {"@id": "https://w3id.org/ro/crate/1.1"}
    assert descriptor["about"] == {"@id": "./"}
    assert root["@type"] == "Dataset"
    assert root["name"]
    assert root["description"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", root["datePublished"])
    assert entities[root["license"]["@id"]]["name"]
    for name in ("author", "hasPart", "mentions"):
        for reference in root[name] if isinstance(root[name], list) else [root[name]]:
            assert entities[reference["@id"]]["@type"]
    for part in root["hasPart"]:
        entity = entities[part["@id"]]
        assert entity["@type"] == ("Dataset" if part["@id"].endswith("/") else "File")
    assert all(entity["@type"] for entity in entities.values())
    assert {key for entity in entities.values() for key in entity} <= TERMS
    return entities


def test_a_crate_has_what_the_standard_requires():
    parts = [{"@id": "LICENSE.txt", "@type": "File", "name": "LICENSE.txt"}]
    entities = check_crate(
        crate(PUBLICATION, "All.", parts, {"coco:bbob/2009/BFGS.tgz": "ab" * 32})
    )
    assert entities["#author-1"]["familyName"] == "Lovelace"
    assert entities["#author-2"]["@type"] == "Organization"
    assert entities["#coco:bbob/2009/BFGS.tgz"]["identifier"] == f"SHA-256 {'ab' * 32}"


@pytest.mark.parametrize(
    ("place", "wrong", "sentence"),
    [
        (0, " ", "title: ' ' is not one line of text"),
        (0, "two\nlines", "is not one line of text"),
        (1, [], "at least one"),
        (1, ["Lovelace, Ada, 12"], "must be 'Family, Given'"),
        (1, ["Lovelace, "], "must be 'Family, Given'"),
        (2, "no-such-license", "'no-such-license' is none of CC-BY-4.0, CC0-1.0, and no file"),
        (3, "yesterday", "date: 'yesterday' is no day; write YYYY-MM-DD"),
    ],
)
def test_what_is_wrong_is_one_sentence(place, wrong, sentence):
    words = ["A title", ["Lovelace, Ada"], "CC0-1.0", "2026-11-01"]
    words[place] = wrong
    with pytest.raises(PublicationError, match=re.escape(sentence)):
        Publication.of(*words)


def test_what_is_missing_is_named(tmp_path, log_folder):
    log = log_folder / "cma.h5"
    words = ("publish", log, "-o", tmp_path / "out", "--title", "t", "--license", "CC0-1.0")
    assert "a publication needs --author, --date, or 'publication' in the" in run(*words)[1]
    assert "a publication needs --output FOLDER" in run("publish", log)[1]
    assert "--index FOLDER stands alone" in run("publish", log, "--index", tmp_path)[1]
    assert "no published folder in" in run("publish", "--index", tmp_path)[1]


def test_a_campaign_says_what_no_option_says(tmp_path):
    one = {"publication": {"title": "A", "authors": ["B, C"]}}
    assert told_by_campaigns([one, {}, one], {}) == one["publication"]
    with pytest.raises(PublicationError, match="different title: 'A' and 'B'; say it by an option"):
        told_by_campaigns([one, {"publication": {"title": "B"}}], {})


@pytest.mark.parametrize(
    ("key", "sentence"),
    [
        ("just text", "publication must be a mapping of title, authors, license, date"),
        ("{titel: A}", "unknown key 'titel'. Did you mean 'title'?"),
        ("{authors: 'B, C'}", "authors must be a list of texts"),
        ("{title: 3}", "title must be text, in quotes"),
    ],
)
def test_a_campaign_with_a_wrong_publication_is_refused(tmp_path, key, sentence):
    (tmp_path / "c.yaml").write_text(
        f"suite: bbob\noptimizers: [random-search]\nbudget: 9\npublication: {key}\n"
    )
    assert sentence in run("check", tmp_path / "c.yaml")[1]


def test_an_index_of_folders_names_what_they_say_of_themselves(tmp_path):
    (tmp_path / "ä #1").mkdir()
    text = crate(Publication.of("A & <b>", ["B, C"], "CC0-1.0", "2026-11-01"), "9 runs.", [], {})
    (tmp_path / "ä #1" / "ro-crate-metadata.json").write_text(text, encoding="utf-8")
    first = index_publications(tmp_path).read_bytes()
    assert b'href="%C3%A4%20%231/index.html">A &amp; &lt;b&gt;</a>' in first
    assert b"C B. 2026-11-01. 9 runs." in first
    assert index_publications(tmp_path).read_bytes() == first
    (tmp_path / "index.html").write_text("mine")
    with pytest.raises(PublicationError, match="is of somebody else"):
        index_publications(tmp_path)


def test_runs_of_objects_have_no_campaign():
    suites = [{"name": "bbob", "functions": [1], "dimensions": [2], "instances": [1]}]
    header = {"campaign": {"suites": suites}, "algorithms": {"a": {"use": "m.f", "parameters": {}}}}
    assert campaign_text(header) is None
    assert campaign_text({"campaign": None, "algorithms": {"a": {}}}) is None


@pytest.mark.slow
def test_the_same_folder_is_made_again(published):
    done, said = run(
        "publish", published / "own.h5", "-o", published / "again", *WORDS, "--code", published
    )
    assert done.exit_code == 0, said
    first, again = (
        {
            path.relative_to(folder): path.read_bytes()
            for path in folder.rglob("*")
            if path.is_file()
        }
        for folder in (published / "out", published / "again")
    )
    assert first == again
    shutil.rmtree(published / "again")


@pytest.mark.slow
def test_the_folder_holds_what_its_readme_and_its_crate_say(published):
    folder = published / "out"
    assert not list(published.glob(".*"))
    entities = check_crate((folder / "ro-crate-metadata.json").read_text(encoding="utf-8"))
    named = {part["@id"].rstrip("/") for part in entities["./"]["hasPart"]}
    assert named | {"ro-crate-metadata.json"} == {path.name for path in folder.iterdir()}
    text = (folder / "README.md").read_text(encoding="utf-8")
    assert all(f"- `{name}" in text for name in named - {"README.md", "index.html"})
    assert str(published) not in "".join(
        path.read_text(encoding="utf-8")
        for path in folder.rglob("*")
        if path.suffix in (".md", ".html", ".json", ".txt", ".yaml", ".csv")
    )
    assert "Creative Commons Attribution 4.0" in (folder / "LICENSE.txt").read_text()
    assert (folder / "code" / "mine.py").read_text() == CODE
    lock = (folder / "requirements.txt").read_text()
    assert re.search(r"(?m)^numpy==\d", lock)
    assert {line for _, line in ORIGINS.values()} <= set(lock.splitlines())
    assert "requirements.txt does not install made-folder==1.0, which was installed from" in text


@pytest.mark.slow
def test_campaign_and_parquet_are_those_of_the_log(published):
    folder = published / "out"
    (published / "campaign.yaml").write_text((folder / "campaign.yaml").read_text())
    before, after = (load_campaign(published / name) for name in ("c.yaml", "campaign.yaml"))
    assert before.rules == after.rules
    assert set(map(str, before.optimizers)) == set(map(str, after.optimizers))
    results = firsthit.load(published / "own.h5")
    assert firsthit.load(folder / "parquet").art().to_csv() == results.art().to_csv()
    assert (folder / "tables" / "art.csv").read_text(encoding="utf-8") == results.art().to_csv()


@pytest.mark.slow
def test_the_runs_are_made_again_as_the_readme_says(published, tmp_path, monkeypatch):
    shutil.copytree(published / "out", tmp_path / "out")
    monkeypatch.chdir(tmp_path / "out")
    words = ("rerun", "--workers", 0, ".", "-o", "../no")
    assert "--trust imports and runs it" in run(*words)[1]
    lines = (tmp_path / "out" / "README.md").read_text(encoding="utf-8").splitlines()
    typed = [line.strip() for line in lines if line.startswith("    ")]
    assert typed[1:] == [
        "pip install -r requirements.txt", "firsthit rerun . --code code --trust -o ../again",
    ]  # fmt: skip
    done, said = run(*typed[2].split()[1:], "--workers", 0)
    assert done.exit_code == 0, said
    assert "equal: the first hits of all 8 runs are those of the log" in said


@pytest.mark.slow
def test_others_read_the_data_from_a_web_server(published, server, tmp_path, monkeypatch):
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda *_, **__: str(tmp_path / "c"))
    monkeypatch.setenv("FIRSTHIT_COCO_ARCHIVE", f"{server}/coco")
    own, theirs = (
        firsthit.load(source).filter(algorithms=MINE).art(targets=[1e1, 1.0])
        for source in (published / "own.h5", "coco:bbob/mine")
    )
    assert own["art"].tolist() == theirs["art"].tolist()


@pytest.mark.slow
def test_published_data_of_others_are_named_and_not_copied(published, tmp_path, monkeypatch):
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda *_, **__: str(tmp_path / "c"))
    monkeypatch.setenv("FIRSTHIT_COCO_ARCHIVE", str(published / "out" / "coco"))
    for entry in registry.index()["figures"].values():
        monkeypatch.setitem(entry, "curated", False)
    (tmp_path / "c.yaml").write_text(
        CAMPAIGN.replace("log.h5", str(tmp_path / "own.h5"))
        .replace("mine.py:solve", "scipy:Nelder-Mead")
        .replace(", parameters: {steps: [[0.1, 0.2]]}", "").replace("mine", "es")
    )  # fmt: skip
    assert run("run", tmp_path / "c.yaml")[0].exit_code == 0
    logs = (tmp_path / "own.h5", "coco:bbob/mine")
    done, said = run("publish", *logs, "-o", tmp_path / "out", *WORDS)
    assert done.exit_code == 0, said
    assert read_log(tmp_path / "out" / "log.h5").algorithms == ("es", "random-search")
    assert (
        "`coco:bbob/mine-steps-0.1-0.2.tgz`, SHA-256"
        in (tmp_path / "out" / "README.md").read_text()
    )
    assert MINE in (tmp_path / "out/tables/art.csv").read_text()
    done, said = run("publish", *logs, "-o", tmp_path / "all", *WORDS, "--with-others")
    assert read_log(tmp_path / "all" / "log.h5").algorithms == ("es", MINE, "random-search")
    words = (*WORDS, "--author", "B, C", "--date", "2026-11-01")
    assert "nothing of one's own" in run("publish", logs[1], "-o", tmp_path / "no", *words)[1]


@pytest.mark.slow
def test_a_browser_shows_the_page_of_the_folder(published, server, browser):
    browser.driver.get(f"{server}/index.html")
    browser.wait("document.readyState === 'complete'")
    assert browser.js("document.querySelector('h1').textContent") == "Walks & <more>"
    browser.js("document.querySelectorAll('img').forEach(img => { img.loading = 'eager' })")
    browser.wait("[...document.images].every(img => img.complete)")
    assert browser.js("[...document.images].every(img => img.naturalWidth > 0)")
    drawn = len(list((published / "out" / "figures").glob("*.svg")))
    assert browser.js("document.images.length") == drawn >= 2
    links = browser.js("[...document.querySelectorAll('a')].map(a => a.href)")
    browser.driver.get(f"{server}/report.html")
    browser.wait("document.documentElement.dataset.ready === 'yes'")
    served = {link.removeprefix(f"{server}/") for link in links}
    assert {"log.h5", "report.html", "campaign.yaml", "LICENSE.txt"} <= served
    assert all((published / "out" / place).is_file() for place in served)
