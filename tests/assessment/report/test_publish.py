"""``firsthit publish``: what stands in the folder, that it is made again, and who can read it.

Private names: the metadata of a publication are tested without its folder.
"""

import hashlib
import http.server
import json
import re
import shutil
import signal
import subprocess
import sys
import threading
import urllib.parse
from functools import partial
from hashlib import sha256
from urllib.parse import quote, unquote

import h5py
import platformdirs
import pytest
import yaml

import firsthit
from firsthit.assessment import AssessmentError
from firsthit.assessment.questions._framework import catalogue
from firsthit.loggers import read_log
from firsthit.publishing.campaigns import campaign_text, own_code
from firsthit.publishing.metadata import (
    Publication,
    PublicationError,
    citation,
    crate,
    told_by_campaigns,
)
from firsthit.publishing.pages import index_publications
from firsthit.runner import CampaignError, load_campaign

from ...command_line import invoke

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
PARTS = [{"@id": "LICENSE.txt", "@type": "File", "name": "LICENSE.txt"}]
DOI = "10.5281/zenodo.123"
DOI_URL = f"https://doi.org/{DOI}"


def run(*words):
    done = invoke(*words)
    return done, done.output


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
        patch.setattr(catalogue, "DEFAULT_FIGURES", ("heatmap", "loss"))
        yield


@pytest.fixture(scope="module")
def published(tmp_path_factory, installed):
    """A folder that holds a campaign, its log, and what was published of it."""
    folder = tmp_path_factory.mktemp("publication")
    (folder / "c.yaml").write_text(CAMPAIGN.replace("log.h5", str(folder / "own.h5")))
    (folder / "mine.py").write_text(CODE)
    assert run("run", folder / "c.yaml")[0].exit_code == 0
    words = (*WORDS, "--doi", f"doi:{DOI}", "--code", folder)
    done, said = run("publish", folder / "own.h5", "-o", folder / "out", *words)
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
    assert "doi" not in facts


@pytest.mark.parametrize(
    "text", [DOI, f"doi:{DOI}", f"DOI: {DOI}", DOI_URL, f"http://dx.doi.org/{DOI}"]
)
def test_a_doi_is_given_with_or_without_its_prefix(text):
    publication = Publication.of(*PUBLICATION_WORDS, text)
    assert yaml.safe_load(citation(publication))["doi"] == DOI
    entities = check_crate(crate(publication, "All.", PARTS, {}))
    assert entities["./"]["identifier"] == DOI_URL


@pytest.mark.parametrize(
    "text", ["", "10.5281", "zenodo.123", "10.5281/", "10.5281/a b", "https://zenodo.org/records/1"]
)
def test_another_text_is_no_doi(text, tmp_path, log_folder):
    words = (*WORDS, "--author", "A", "--date", "2026-11-01", "--doi", text)
    done = invoke("publish", log_folder / "cma.h5", "-o", tmp_path / "out", *words)
    assert done.exit_code == 2
    assert done.stderr == (
        f"firsthit: doi: {text!r} is no DOI; write it as 10.5281/zenodo.123, "
        "doi:10.5281/zenodo.123 or https://doi.org/10.5281/zenodo.123\n"
    )
    assert not (tmp_path / "out").exists()


def test_a_published_log_names_its_licence_authors_and_doi(tmp_path, log_folder):
    log = read_log(log_folder / "cma.h5")
    publication = Publication.of(
        "T", ["Tušar, Tea, 0000-0002-1825-0097", "INRIA"], "CC0-1.0", "2026-11-01", DOI
    )
    path = log.save(tmp_path / "a.h5", publication.log_attributes)
    with h5py.File(path) as file:
        texts = {name: file.attrs[name].decode() for name in ("license", "author", "identifier")}
        assert all(file.attrs.get_id(name).dtype.kind == "S" for name in texts)
        assert len(file.attrs["description"]) > 1000
    assert texts == {
        "license": "CC0-1.0",
        "author": "Tea Tušar (https://orcid.org/0000-0002-1825-0097); INRIA",
        "identifier": DOI_URL,
    }
    again = read_log(path)  # its checksum includes the attributes
    assert again.headers == log.headers
    assert again.publications == {path: texts}
    assert log.publications == {}
    with h5py.File(again.save(tmp_path / "b.h5")) as file:  # it is not published
        assert not set(texts) & set(file.attrs)


PUBLICATION_WORDS = (
    'Say "it": #1', ["Lovelace, Ada, 0000-0002-1825-0097", "INRIA"], "CC-BY-4.0", "2026-11-01",
)  # fmt: skip


TERMS = {
    "@id", "@type", "about", "author", "conformsTo", "contentSize", "datePublished", "description",
    "encodingFormat", "familyName", "givenName", "hasPart", "identifier", "license", "mentions",
    "name", "softwareVersion", "url",
}  # fmt: skip
"""Some terms that RO-Crate 1.1 defines; others must be declared in the context."""


def check_crate(text):
    """What RO-Crate 1.1 says a crate MUST have; the entities by their identifiers."""
    facts = json.loads(text)
    assert facts["@context"][0] == "https://w3id.org/ro/crate/1.1/context"
    assert facts["@context"][1:] == [{"sha256": "https://schema.org/sha256"}]
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
    parts = [part["@id"] for part in root["hasPart"]]
    for part in parts:  # directly, or in a folder that is a part
        entity = entities[part]
        assert entity["@type"] == ("Dataset" if part.endswith("/") else "File")
        parts += [file["@id"] for file in entity.get("hasPart", ())]
    assert len(set(parts)) == len(parts)
    files = {name for name, entity in entities.items() if entity["@type"] in ("File", "Dataset")}
    assert files - {"./"} == set(parts)
    assert all(entity["@type"] for entity in entities.values())
    assert {key for entity in entities.values() for key in entity} <= {*TERMS, "sha256"}
    return entities


def test_a_crate_has_what_the_standard_requires():
    entities = check_crate(
        crate(PUBLICATION, "All.", PARTS, {"coco:bbob/2009/BFGS.tgz": "ab" * 32})
    )
    assert "identifier" not in entities["./"]
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
    with pytest.raises(AssessmentError, match="is no index of published folders"):
        index_publications(tmp_path)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"campaign": None}, "observed in a loop or imported: no campaign describes them"),
        ({"algorithms": {"a": {"use": "m.f"}}}, "algorithm 'a' was a Python object ('m.f')"),
        (
            {"algorithms": {"a": {"use": "m:f", "parameters": {"steps": [1]}}}},
            "'a' has lists as parameters (steps)",
        ),
        ({"campaign": {"seed": 5}}, "suites must be a list with at least one entry"),
    ],
)
def test_runs_that_no_campaign_file_makes_have_a_reason(change, sentence):
    campaign = load_campaign("quickstart")
    header = json.loads(campaign.header().to_json())
    assert campaign_text(header).startswith("suites:\n")
    with pytest.raises(CampaignError, match=re.escape(sentence)):
        campaign_text(header | change)


def test_the_file_of_a_duration_belongs_to_the_code(tmp_path):
    (tmp_path / "mine.py").write_text("def lasting(x, rng):\n    return 1.0\n")
    parallel = firsthit.Parallel(2, "mine.py:lasting", str(tmp_path))
    few = {"functions": 1, "dimensions": 2, "instances": 1, "budget": "5 seconds"}
    log = firsthit.benchmark("random-search", "bbob", parallel=parallel, **few).log
    assert own_code(log) == {"mine.py": {sha256((tmp_path / "mine.py").read_bytes()).hexdigest()}}


def test_an_optimizer_without_restarts_keeps_none(tmp_path):
    """0 restarts differ from the default, as many as fit the budget."""
    optimizer = {"use": "scipy:Nelder-Mead", "name": "nm", "restarts": 0}
    file = tmp_path / "c.yaml"
    document = {"suite": "bbob", "functions": 1, "optimizers": [optimizer], "budget": 9}
    file.write_text(yaml.safe_dump(document))
    text = campaign_text(json.loads(load_campaign(file).header().to_json()))
    [entry] = yaml.safe_load(text)["optimizers"]
    assert entry["restarts"] == 0


@pytest.mark.slow
def test_the_same_folder_is_made_again(published):
    words = (*WORDS, "--doi", DOI_URL, "--code", published)
    done, said = run("publish", published / "own.h5", "-o", published / "again", *words)
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
def test_the_page_renders_code_and_links_to_files(published):
    folder = published / "out"
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert "`" not in page
    assert "<code>pip install -r</code>" in page
    links = [urllib.parse.unquote(link) for link in re.findall(r'href="([^"]+)"', page)]
    links.remove(DOI_URL)
    assert all((folder / link).is_file() for link in links), links
    assert {"code/mine.py", "tables/summary.csv", "tables/summary.txt"} <= set(links)


@pytest.mark.slow
def test_the_folder_holds_what_its_readme_and_its_crate_say(published):
    folder = published / "out"
    assert not list(published.glob(".*"))
    entities = check_crate((folder / "ro-crate-metadata.json").read_text(encoding="utf-8"))
    named = {part["@id"].rstrip("/") for part in entities["./"]["hasPart"]}
    assert named | {"ro-crate-metadata.json"} == {path.name for path in folder.iterdir()}
    described = {unquote(name) for name in entities if entities[name]["@type"] == "File"}
    files = {path for path in folder.rglob("*") if path.is_file()}
    names = {path.relative_to(folder).as_posix() for path in files}
    assert described == names - {"ro-crate-metadata.json"}
    for name in described:
        content, entity = (folder / name).read_bytes(), entities[quote(name)]
        assert entity["sha256"] == hashlib.sha256(content).hexdigest()
        assert entity["contentSize"] == str(len(content))
        assert "/" in entity["encodingFormat"]
    text = (folder / "README.md").read_text(encoding="utf-8")
    assert all(f"- `{name}" in text for name in named - {"README.md", "index.html"})
    assert f"Cite as: Ada Lovelace, INRIA (2026): Walks & <more>. {DOI_URL}\n" in text
    assert entities["./"]["identifier"] == DOI_URL
    assert yaml.safe_load((folder / "CITATION.cff").read_text())["doi"] == DOI
    with h5py.File(folder / "log.h5") as file:
        assert file.attrs["identifier"].decode() == DOI_URL
    report = (folder / "report.html").read_text(encoding="utf-8")
    names = "Ada Lovelace (https://orcid.org/0000-0002-1825-0097); INRIA"
    assert f"<br>published by {names}; licence: CC-BY-4.0; cite as {DOI_URL}</td>" in report
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
    [header] = read_log(folder / "log.h5").headers
    commit_is_unknown = header["provenance"]["writer_version"].endswith("+unknown")
    assert ("\nfirsthit" in lock) != commit_is_unknown
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
    monkeypatch.setattr(catalogue, "DEFAULT_FIGURES", ())
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
    served = {link.removeprefix(f"{server}/") for link in links if link != DOI_URL}
    assert {"log.h5", "report.html", "campaign.yaml", "LICENSE.txt"} <= served
    assert all((published / "out" / place).is_file() for place in served)


def test_a_stopped_command_leaves_no_temporary_folder(tmp_path, monkeypatch):
    with firsthit.Observer(tmp_path / "log.h5", algorithm="a") as observer:
        for problem in observer(firsthit.Suite("bbob", functions=1, dimensions=2, instances=1)):
            problem(problem.initial_solution)
    before = sorted(tmp_path.iterdir())
    monkeypatch.setattr(
        "firsthit.publishing.contents.write_parquet",
        lambda *arguments: signal.raise_signal(signal.SIGTERM),
    )
    output = tmp_path / "pub"
    facts = (*WORDS, "--author", "A", "--date", "2026-11-01")
    done = invoke("publish", tmp_path / "log.h5", "-o", output, *facts)
    assert done.exit_code == 130
    assert "pub was not written" in done.stderr
    assert sorted(tmp_path.iterdir()) == before


READ_BY_MLCROISSANT = """
import json, sys
import mlcroissant

data = mlcroissant.Dataset(jsonld=sys.argv[1])
assert not data.metadata.ctx.issues.errors, data.metadata.ctx.issues.report()
tables = {}
for table in data.metadata.record_sets:
    rows = list(data.records(table.id))
    tables[table.id] = {
        "rows": len(rows),
        "evaluations": sum(int(row.get("runs/evaluations", 0)) for row in rows),
    }
print(json.dumps(tables))
"""


@pytest.mark.slow
def test_mlcroissant_reads_the_tables(published):
    """In a process of its own, because it imports rdflib, which warns."""
    folder = published / "out"
    done = subprocess.run(
        [sys.executable, "-c", READ_BY_MLCROISSANT, str(folder / "croissant.json")],
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    tables, log = json.loads(done.stdout), read_log(folder / "log.h5")
    assert set(tables) == {path.name for path in (folder / "parquet").iterdir() if path.is_dir()}
    assert tables["runs"] == {"rows": len(log), "evaluations": int(log.runs["evaluations"].sum())}
    for name in set(tables) - {"runs"}:
        assert tables[name]["rows"] == log.entries(name).sum()
    document = json.loads((folder / "croissant.json").read_text())
    assert (document["url"], document["identifier"]) == (DOI_URL, DOI_URL)
    [file] = [part for part in document["distribution"] if part["@type"] == "cr:FileObject"]
    assert file["sha256"] == hashlib.sha256((folder / "log.h5").read_bytes()).hexdigest()
