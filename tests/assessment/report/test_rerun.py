"""``firsthit rerun``: what a report tells of is run again, and strangers' code is not."""

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

import firsthit
from firsthit.assessment import AssessmentError
from firsthit.assessment.report import read_report
from firsthit.assessment.report.build import page_of
from firsthit.assessment.report.fingerprint import fingerprints
from firsthit.assessment.report.page import write_report
from firsthit.cli import group
from firsthit.loggers import read_log
from firsthit.suites.errors import FirsthitError

CAMPAIGN = """
suite: bbob
functions: [1, 5]
dimensions: 2
instances: 1-2
optimizers:
  - random-search
  - {use: "scipy:Nelder-Mead", name: nm}
budget: 20 * dimension
seed: 3
workers: 1
output: log.h5
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A campaign's log and the report that ``run --report`` leaves beside it."""
    folder = tmp_path_factory.mktemp("campaign")
    text = CAMPAIGN.replace("log.h5", str(folder / "log.h5"))
    (folder / "c.yaml").write_text(text)
    done = CliRunner().invoke(group, ["run", str(folder / "c.yaml"), "--report"])
    assert done.exit_code == 0, done.output
    assert (folder / "log.html").stat().st_size > 1000
    return folder


def rerun(*arguments):
    return CliRunner().invoke(group, ["rerun", *map(str, arguments)])


def changed(made, tmp_path, **changes):
    """The report with other provenance, as a stranger may have written it."""
    page = page_of(firsthit.load(made / "log.h5").log, "changed", 1)
    return write_report(replace(page, **changes), tmp_path / "changed.html")


def header(made, **algorithm):
    """The log's header with one algorithm changed."""
    [content] = read_report(made / "log.html").headers
    content["algorithms"]["nm"].update(algorithm)
    return [{"title": "t", "content": content}]


def test_the_first_hits_are_equal(made, tmp_path):
    done = rerun(made / "log.html", "-o", tmp_path / "again")
    assert done.exit_code == 0, done.output
    assert "equal: the first hits of all 8 runs are those of the report" in done.output
    before, after = (fingerprints(read_log(p)) for p in (made / "log.h5", tmp_path / "again/1.h5"))
    assert before == after


def test_a_difference_is_named(made, tmp_path):
    page = page_of(firsthit.load(made / "log.h5").log, "t", 1)
    first, *others = page.first_hits
    file = changed(made, tmp_path, first_hits=[replace(first, digest="0" * 64), *others])
    done = rerun(file, "-o", tmp_path / "again")
    assert done.exit_code == 1
    assert "different: 1 of 4 pairs of algorithm and function" in done.output
    assert f"{first.algorithm} on bbob f{first.function} in 2-D" in done.output


@pytest.mark.parametrize("use", ["os:system", "evil.py:solve", "module:function"])
def test_code_of_strangers_is_named_and_not_run(made, tmp_path, use):
    file = changed(made, tmp_path, headers=header(made, use=use))
    done = rerun(file, "-o", tmp_path / "again")
    assert isinstance(done.exception, FirsthitError)
    assert use in str(done.exception)
    assert "--trust" in str(done.exception)
    assert not (tmp_path / "again").exists()


def test_a_python_object_cannot_be_run_again(made, tmp_path):
    file = changed(made, tmp_path, headers=header(made, use="__main__.solve"))
    done = rerun(file, "-o", tmp_path / "again", "--trust")
    assert "was a Python object" in str(done.exception)


def test_runs_of_a_loop_cannot_be_run_again(log_folder, tmp_path):
    page = page_of(firsthit.load(log_folder).log, "t", 1)
    file = write_report(page, tmp_path / "loop.html")
    done = rerun(file, "-o", tmp_path / "again")
    assert "no campaign tells how" in str(done.exception)


def test_an_existing_folder_is_left_alone(made, tmp_path):
    done = rerun(made / "log.html", "-o", tmp_path)
    assert "exists; name a new folder" in str(done.exception)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe binary \x00",
        b"<html><body>no report</body></html>",
        b'<script type="application/json" id="provenance-data">{</script>',
        b'<script type="application/json" id="provenance-data">[]</script>',
        b'<script type="application/json" id="provenance-data">{"headers": [1]}</script>',
        b'<script type="application/json" id="provenance-data">'
        + json.dumps({"headers": [], "first_hits": [{"algorithm": 1}]}).encode()
        + b"</script>",
        b'<script type="application/json" id="provenance-data">' + b"[" * 100000 + b"</script>",
    ],
)
def test_what_is_no_report_is_one_sentence(content, tmp_path):
    (tmp_path / "x.html").write_bytes(content)
    with pytest.raises(AssessmentError, match=r"x\.html"):
        read_report(tmp_path / "x.html")


def test_fingerprints_tell_hits_apart(made):
    log = read_log(made / "log.h5")
    prints = fingerprints(log)
    assert len(prints) == 4
    assert sum(one.runs for one in prints) == len(log)
    assert len({one.digest for one in prints}) == 4


@pytest.mark.parametrize("form", ["coco", "ioh"])
def test_reports_on_data_of_other_tools(log_folder, tmp_path, form):
    sources = []
    for name in ("cma", "nelder-mead"):
        sources.append(str(tmp_path / name))
        arguments = ["export", str(log_folder / f"{name}.h5"), "--format", form, "-o", sources[-1]]
        assert CliRunner().invoke(group, arguments).exit_code == 0
    done = CliRunner().invoke(group, ["report", *sources, "-o", str(tmp_path / "r.html")])
    assert done.exit_code == 0, f"{done.output} {done.exception!r}"
    assert len(read_report(tmp_path / "r.html").first_hits) == 2 * 3 * 2
    assert "imported" in str(rerun(tmp_path / "r.html", "-o", tmp_path / "again").exception)
