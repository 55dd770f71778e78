"""Whatever one algorithm does: the runs of others are equal, its own are recorded as they were."""

import importlib
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from firsthit.loggers import read_log

from .conftest import is_alive

FOLDER = Path(__file__).parent / "misbehaving"
sys.path.insert(0, str(FOLDER))  # as firsthit does while it imports a file by its path
try:
    kinds = importlib.import_module("kinds")
    MODULES = [
        importlib.import_module(file.stem)
        for file in sorted(FOLDER.glob("*.py"))
        if file.stem not in ("kinds", "suite")
    ]
finally:
    sys.path.remove(str(FOLDER))
MODULE_OF = {name: module for module in MODULES for name in vars(module) if name in kinds.KINDS}

CAMPAIGN = """
imports: [{file}]
suite: misbehaviour
budget: 50
restarts: 0
timeout: 6
record: improvements
output: {output}
optimizers:
"""
SETTINGS = {
    "0": ["--workers", "0"],
    "1": ["--workers", "1"],
    "2": ["--workers", "2"],
    "dask": ["--workers", "2", "--cluster", "local"],
}


def made(folder, names, options):
    """A campaign of these algorithms, run by the command line in a process of its own."""
    folder.mkdir()
    output, file = folder / "log.h5", folder / "campaign.yaml"
    uses = "".join(
        f"  - {{use: '{MODULE_OF[name].__file__}:{name}', name: {name}}}\n" for name in names
    )
    file.write_text(CAMPAIGN.format(file=FOLDER / "suite.py", output=output) + uses)
    with (folder / "output").open("wb") as told:
        command = [sys.executable, "-m", "firsthit", "run", str(file), *options]
        environment = {**os.environ, "MISBEHAVING_FOLDER": str(folder)}
        subprocess.run(command, env=environment, stdout=told, stderr=told, timeout=550, check=False)
    log = read_log(output)
    assert len(log) == 2 * len(names), (folder / "output").read_text()[-2000:]
    return SimpleNamespace(folder=folder, log=log, rows=rows_of(log))


def rows_of(log):
    runs = log.runs
    pairs = zip(runs.algorithm.tolist(), runs.instance.tolist(), strict=True)
    return {pair: row for row, pair in enumerate(pairs)}


def reached(log, row):
    """All of a run that an optimizer's evaluations, restarts and recommendations determine."""
    parts = (
        log.hits(row), log.trajectory(row), log.restarts(row), log.recommendations(row),
        log.recommended_solutions(row), log.best_solution(row),
    )  # fmt: skip
    counts = (int(log.runs.evaluations[row]), float(log.runs.best_precision[row]))
    return (*counts, *(part.tobytes() for part in parts))


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """What the innocent comes to alone."""
    found = made(tmp_path_factory.mktemp("alone") / "it", ["innocent"], SETTINGS["1"])
    return {instance: reached(found.log, row) for (_, instance), row in found.rows.items()}


def check(campaign, name, alone):
    expected, log = kinds.KINDS[name], campaign.log
    for instance in (1, 2):
        row = campaign.rows[name, instance]
        assert log.runs.status[row] in expected.status.split(), (name, log.runs.error[row])
        if "failed" not in expected.status.split()[1:]:
            error = str(log.runs.error[row])
            assert error == expected.text or (expected.text and expected.text in error), name
        values = kinds.values_of(name, instance)
        recommendations = len(log.recommendations(row))  # they also call the function
        calls = len(values) + expected.uncalled
        assert log.runs.evaluations[row] + recommendations == calls, name
        hits = log.hits(row)
        for number, precision in zip(hits["evaluation"], hits["precision"], strict=True):
            call = 1 + values.tolist().index(precision)
            earliest, latest = call - recommendations, call + expected.overlaps
            assert earliest <= number <= latest + expected.uncalled, name
        if "ten" in getattr(MODULE_OF[name], name).__wrapped__.__code__.co_names:
            assert reached(log, row) == alone[instance], name


@pytest.mark.slow
@pytest.mark.parametrize("setting", ["0", "2", "dask"])
def test_every_kind_is_recorded_as_it_was(setting, alone, tmp_path, monkeypatch):
    """A worker more or less changes nothing but the time."""
    names = [name for name, one in kinds.KINDS.items() if setting != "0" or not one.alone]
    campaign = made(tmp_path / setting, names, SETTINGS[setting])
    monkeypatch.setattr(kinds, "FOLDER", campaign.folder)
    for name in names:
        check(campaign, name, alone)
    if setting != "0":
        started = [int(file.name[5:]) for file in campaign.folder.glob("left-*")]
        assert len(started) >= 6
        assert not any(map(is_alive, started))
