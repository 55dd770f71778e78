"""``firsthit doctor`` and ``firsthit optimizers``: what runs here, whatever the optimizers do.

Private names: installed packages and optimizers are replaced.
"""

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from firsthit.cli import doctor
from firsthit.runner.campaign.budget import parse_budget
from firsthit.runner.campaign.campaign import RunRules, RunSpec
from firsthit.runner.optimizers.adapters.built_in import Package
from firsthit.runner.optimizers.resolve import BUILT_IN, OptimizerRef
from firsthit.suites import problem_from

BAD = """
import os, signal, time

def crashes(problem):
    problem(problem.initial_solution)
    os.kill(os.getpid(), signal.SIGSEGV)

def hangs(problem):
    problem(problem.initial_solution)
    while True:
        time.sleep(1)

def raises(problem):
    raise TypeError("only 0-dimensional arrays\\ncan be converted")
"""


@pytest.fixture
def bad(tmp_path, monkeypatch):
    """Puts an optimizer of BAD into the place of a built-in one."""
    (tmp_path / "bad.py").write_text(BAD)
    place = {"scipy:CG": "crashes", "scipy:TNC": "hangs", "scipy:BFGS": "raises"}

    def sphere(x):
        return float((x**2).sum())

    def spec(name):
        use = f"bad.py:{place[name]}" if name in place else name
        ref = OptimizerRef(name, use, folder=str(tmp_path))
        return RunSpec(problem_from(sphere, 2), ref, RunRules(parse_budget(20)))

    monkeypatch.setattr(doctor, "_short_run", spec)


@pytest.mark.slow
def test_a_crash_or_a_hang_costs_one_line(bad):
    names = ["scipy:CG", "random-search", "scipy:TNC", "scipy:BFGS", "scipy:Powell"]
    found = doctor.tried(names, timeout_seconds=10.0, workers=2)
    assert found["random-search"] == found["scipy:Powell"] == ("works", "")
    assert found["scipy:CG"] == ("fails", "worker process was killed by SIGSEGV")
    assert found["scipy:TNC"] == ("fails", "worker process gave no answer within 10 s")
    kind, why = found["scipy:BFGS"]
    assert kind == "fails"
    assert why.startswith("TypeError: only 0-dimensional arrays can be converted (")


def test_exit_code_one_where_an_installed_one_fails(bad, cli):
    code, out, _ = cli("doctor", "scipy:BFGS", "random-search", "--workers", 1)
    assert code == 1
    assert "2 optimizers: 1 work, 1 fail, 0 miss a package" in out


@pytest.mark.slow
def test_what_is_missing_is_told_and_no_failure(cli, monkeypatch):
    absent = Package("no_such_module_at_all", "absent", "MIT", "absent")
    lacking = replace(BUILT_IN["scipy:CG"], packages=(absent,))
    monkeypatch.setattr(
        "firsthit.runner.optimizers.resolve.BUILT_IN", {**BUILT_IN, "scipy:CG": lacking}
    )
    code, out, err = cli("doctor", "scipy:CG", "random-search", "--format", "json")
    rows = {row["optimizer"]: row for row in json.loads(out)["optimizers"]}
    assert code == 0
    assert rows["scipy:CG"]["result"] == "missing"
    assert rows["scipy:CG"]["why"] == "pip install absent"
    assert rows["random-search"]["result"] == "works"
    assert "trying 2 optimizers" in err


def test_versions_and_the_folder_of_kernels_are_told():
    here = doctor.environment()
    assert {"python", "numpy", "numba", "scipy", "firsthit", "compiled kernels"} <= set(here)
    folder, chosen = Path(here["compiled kernels"]), os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        assert folder.is_relative_to(Path(chosen).resolve())
    else:
        assert folder.name == "__pycache__"


def test_names_and_packages_choose(cli):
    assert doctor.chosen(["cmaes"]) == ["cmaes:CMA", "cmaes:SepCMA", "cmaes:CMAwM"]
    assert doctor.chosen([]) == list(BUILT_IN)
    code, _, err = cli("doctor", "cmeas")
    assert code == 2
    assert "unknown optimizer or package 'cmeas'. Did you mean 'cmaes'?" in err


def test_optimizers_are_listed_without_importing_their_packages(cli):
    code, out, _ = cli("optimizers", "--format", "json")
    rows = {row["optimizer"]: row for row in json.loads(out)}
    assert code == 0
    assert list(rows) == list(BUILT_IN)
    assert rows["cma:fmin2"]["package"].startswith("cma 4.")
    assert rows["cma:fmin2"]["here"] == "installed"
    assert rows["random-search"]["ends"] == "with the budget"
    assert rows["random-search"]["knows"] == "integers, constraints"
    assert rows["random-search"]["objectives"] == "1, 2"
    assert rows["scipy:SLSQP"]["knows"] == "constraints"
    assert rows["cmaes:CMA"]["knows"] == ""
    code, out, _ = cli("optimizers", "cmaes:SepCMA", "--parameters", "--format", "json")
    assert [row["parameter"] for row in json.loads(out)] == [
        "sigma", "population_size", "n_max_resampling", "penalty"
    ]  # fmt: skip
    code, out, _ = cli("optimizers", "random-search", "--run")
    assert "works" in out


@pytest.mark.slow
def test_all_run_here_or_say_why_not(cli):
    """Known to fail: NGOpt on NumPy 2.4. Known to be missing: torch, for optuna's GP.

    One worker imports every package once.
    """
    code, out, _ = cli("doctor", "--format", "json", "--timeout", 120, "--workers", 1)
    rows = json.loads(out)["optimizers"]
    assert {row["optimizer"] for row in rows if row["result"] == "missing"} <= {"optuna:GP"}
    failing = {row["optimizer"] for row in rows if row["result"] == "fails"}
    assert failing <= {"nevergrad:NGOpt"}
    assert code == bool(failing)


def test_the_documentation_lists_them_all():
    text = (Path(__file__).parents[2] / "docs" / "optimizers.md").read_text()
    listed = [line.split("`")[1] for line in text.splitlines() if line.startswith("| `")]
    assert listed == list(BUILT_IN)
    for name, built_in in BUILT_IN.items():
        (line,) = [line for line in text.splitlines() if line.startswith(f"| `{name}`")]
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        _, about, batch, parallel, restarts, ends, integers, bits, constraints, objectives = cells
        assert about == built_in.about
        assert batch == (built_in.batch if built_in.batch in ("yes", "no") else
                         f"with `{built_in.batch}`")  # fmt: skip
        assert parallel.replace("`", "") == built_in.parallel
        assert restarts == ("announced" if built_in.restarts else "no")
        assert ends == ("budget" if built_in.needs_budget else "itself")
        assert integers == ("yes" if built_in.integers else "no")
        assert bits == built_in.bits
        assert constraints == ("yes" if built_in.constraints else "no")
        assert objectives == ", ".join(map(str, built_in.objectives))
