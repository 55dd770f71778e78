"""The benchmark scripts still run; what they measure is nobody's assertion."""

import csv
import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "benchmarks"


@pytest.mark.slow
def test_the_evaluation_benchmark_runs(tmp_path):
    output = tmp_path / "costs.csv"
    done = subprocess.run(
        [sys.executable, FOLDER / "evaluation.py", "--functions", "1", "--dimensions", "2,80",
         "--batches", "10", "--rounds", "1", "--output", output],
        capture_output=True, text=True, check=True, timeout=300,
    )  # fmt: skip
    assert "cocoex +obs / point +obs" in done.stdout
    machine, *lines = output.read_text().splitlines()
    assert "coco-experiment 2.8.2" in machine
    rows = list(csv.DictReader(lines))
    assert [(row["function"], row["dimension"]) for row in rows] == [
        ("1", "2"), ("1", "80"),
    ]  # fmt: skip
    assert all(float(row["point +obs"]) > 0 for row in rows)
    assert float(rows[0]["ioh +obs"]) > 0
    assert rows[1]["ioh +obs"] == ""


@pytest.mark.slow
@pytest.mark.parametrize(("suite", "function"), [("bbob-noisy", 128), ("bbob-biobj", 55)])
def test_the_evaluation_benchmark_meets_the_same_function_of_cocoex(suite, function, tmp_path):
    spec = importlib.util.spec_from_file_location("evaluation", FOLDER / "evaluation.py")
    benchmark = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(benchmark)
    with benchmark.coco(suite, function, 2, tmp_path) as contenders:
        assert {problem.id_function for _, _, problem in contenders} == {function}


@pytest.mark.slow
def test_the_accuracy_table_runs():
    done = subprocess.run(
        [sys.executable, FOLDER / "accuracy.py", "--functions", "1,13"],
        capture_output=True, text=True, check=True, timeout=300,
    )  # fmt: skip
    header, *rows = done.stdout.splitlines()
    assert header.split() == ["f", "relative", "plain", "batch", "optimum", "limits", "equal"]
    assert [row.split() for row in rows] == [[f, *["0.0e+00"] * 5, "1.00"] for f in ("1", "13")]


@pytest.mark.slow
def test_the_overhead_benchmark_runs():
    done = subprocess.run(
        [sys.executable, FOLDER / "overhead.py", "--runs", "200", "--evaluations", "5"],
        capture_output=True, text=True, check=True, timeout=300,
    )  # fmt: skip
    header, row = done.stdout.splitlines()
    assert {"ms/run", "coordinator", "bytes/run"} <= set(header.split())
    assert row.split()[0] == "200"


@pytest.mark.slow
def test_the_assessment_benchmark_runs():
    done = subprocess.run(
        [sys.executable, FOLDER / "assessment.py", "--parts", "1,5", "--size", "tiny",
         "--rounds", "1"],
        capture_output=True, text=True, check=True, timeout=300,
    )  # fmt: skip
    lines = [line for line in done.stdout.splitlines() if line.startswith(("firsthit", "iohin"))]
    assert next(line.split()[-1] for line in lines if line.startswith("firsthit")) == "1.0"
    assert len(lines) == 4


@pytest.mark.slow
def test_the_benchmarks_of_intervals_and_alarms_run():
    scripts = {
        "interval_coverage.py --experiments 4 --runs 5 --rates 0.8,1": "Student on the log",
        "band_coverage.py --experiments 2": "one target",
        "alarms.py --pairs 1 --trials 1": "5 x 3, other instances",
        "alarms.py --part ranks --pairs 2": "3 algorithms   3 functions",
    }
    for command, expected in scripts.items():
        script, *options = command.split()
        done = subprocess.run(
            [sys.executable, FOLDER / script, *options],
            capture_output=True, text=True, check=True, timeout=300,
        )  # fmt: skip
        assert expected in done.stdout


@pytest.mark.slow
def test_the_benchmark_of_archives_runs():
    done = subprocess.run(
        [sys.executable, FOLDER / "hypervolume.py", "--evaluations", "2000", "--members", "50",
         "--turns", "1"],
        capture_output=True, text=True, check=True, timeout=300,
    )  # fmt: skip
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines[1:5]] == ["10", "100", "1000", "50"]
    assert lines[-1].startswith("batches of 1000")


@pytest.mark.slow
def test_the_quickstart_benchmark_runs():
    command = str(Path(sys.executable).with_name("firsthit"))
    done = subprocess.run(
        [sys.executable, FOLDER / "quickstart.py", "--base", command, "--new", command,
         "--rounds", "1", "--", "--budget", "3*D"],
        capture_output=True, text=True, check=True, timeout=600,
    )  # fmt: skip
    _, *rows = [line.split() for line in done.stdout.splitlines()]
    assert [row[0] for row in rows] == ["cold", "warm"]
    assert all(0 < float(row[-1]) < 1 for row in rows)  # the early table was printed
