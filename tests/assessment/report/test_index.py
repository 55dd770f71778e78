"""An index page over the reports of a folder."""

import shutil

import pytest

from ...command_line import invoke, succeed


def index(*words):
    return invoke("report", "--index", *words)


@pytest.mark.slow
def test_an_index_names_all_reports_with_a_link(log_folder, tmp_path):
    first = tmp_path / "a <b>.html"
    succeed("report", log_folder, "-o", first, "--title", "Mine & <yours>")
    (tmp_path / "below").mkdir()
    shutil.copy(first, tmp_path / "below" / "ü#1.html")
    (tmp_path / "other.html").write_text("<title>not a report</title>")
    done = index(tmp_path)
    assert done.exit_code == 0, done.output
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert page.count("Mine &amp; &lt;yours&gt;</a>") == 2
    assert 'href="a%20%3Cb%3E.html"' in page
    assert 'href="below/%C3%BC%231.html"' in page
    assert page.count("2 algorithms (cma, nelder-mead) on bbob") == 2
    assert "not a report" not in page
    assert index(tmp_path).exit_code == 0
    assert (tmp_path / "index.html").read_text(encoding="utf-8") == page


def test_what_cannot_be_indexed_is_one_sentence(tmp_path):
    for words, said in (
        ([tmp_path], "there is no report in"),
        ([tmp_path / "no"], "there is no folder"),
        ([tmp_path, "a.h5"], "--index FOLDER stands alone"),
    ):
        done = index(*words)
        assert done.exit_code != 0
        assert said in done.stderr
    (tmp_path / "index.html").write_text("mine")
    assert "is no index of reports" in index(tmp_path).stderr
