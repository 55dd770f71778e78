"""Every script and notebook in examples/ runs, and shows what it promises."""

import json
import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.fixture
def example(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return lambda name: runpy.run_path(str(EXAMPLES / f"{name}.py"))["main"]()


def test_every_script_has_a_test():
    """``tune_with_optuna`` is run by the tests of ``firsthit.score``."""
    here = Path(__file__).read_text()
    for script in EXAMPLES.glob("*.py"):
        assert f'example("{script.stem}")' in here or script.stem == "tune_with_optuna"
    assert len(list(EXAMPLES.glob("*.py"))) >= 8


def test_own_optimizer(example):
    results = example("own_optimizer")
    assert results.algorithms == ("simplex", "small steps", "walk")
    easy = results.art(targets=1e1, functions=1)
    assert easy["successes"].tolist() == [5, 5, 5]


def test_ask_tell(example):
    results = example("ask_tell")
    assert set(results.log.runs.status) <= {"budget", "target"}
    assert (results.art(targets=1e-1, functions=1)["successes"] == 5).all()


def test_batches(example):
    one_by_one, as_batches = example("batches")
    assert one_by_one == as_batches


def test_own_suite(example):
    results = example("own_suite")
    assert results.suites == ("valley-and-steps",)
    assert not (results.log.runs.status == "failed").any()


def test_campaign(example, capsys):
    assert len(example("campaign").log) == 36
    said = capsys.readouterr().out
    assert "36 of 36 runs made now, 0 failed" in said
    assert "0 of 36 runs made now" in said


def test_compare_versions(example):
    found = example("compare_versions")
    assert found.regressions >= 1


@pytest.mark.filterwarnings("default:::pymoo")
def test_two_objectives(example):
    results = example("two_objectives")
    assert set(results.log.runs.status) == {"budget"}


@pytest.mark.slow
def test_paper_figure(example):
    example("paper_figure")
    assert Path("profile.pdf").read_bytes().startswith(b"%PDF")
    assert r"\toprule" in Path("table.tex").read_text()


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # of the notebook's own machinery
@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.ipynb")), ids=lambda path: path.stem)
def test_notebooks_run(path, tmp_path):
    import nbclient
    import nbformat

    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(
        notebook, timeout=240, resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    kinds = {kind for output in shown for kind in output.get("data", {})}
    assert {"image/png", "text/html"} <= kinds
    assert not [output for output in shown if output["output_type"] == "error"]


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.ipynb")), ids=lambda path: path.stem)
def test_notebooks_are_kept_without_outputs(path):
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None
