"""Seconds per evaluation, by hand."""

import hashlib
import json
from itertools import count

import h5py
import numpy as np
import pytest

import firsthit
from firsthit.runner import load_campaign, plan, ready_campaigns

from ..command_line import succeed

MACHINE = {
    "processor": "Abacus 3", "cpus": 2, "platform": "Linux",
    "versions": {"scipy": "1", "numpy": "2"},
}  # fmt: skip


@pytest.fixture
def timed(make_log, tmp_path):
    """A function: runs as tuples, and the machine in the log's headers -> the path of a log.

    A run is (algorithm, dimension, function, evaluations, seconds by the wall clock, seconds of
    processor time, seconds in the problem).
    """
    numbers = count()

    def make(runs, machine=MACHINE):
        log = make_log([
            {
                "algorithm": algorithm, "dimension": dimension, "function": function,
                "instance": instance, "precisions": [1.0] * evaluations,
                "status": "" if evaluations else "interrupted",
            }
            for instance, (algorithm, dimension, function, evaluations, *_) in enumerate(runs, 1)
        ])  # fmt: skip
        path = log.save(tmp_path / f"{next(numbers)}.h5")
        change_times(path, [run[4:] for run in runs], machine)
        return path

    return make


def change_times(path, seconds_by_instance, machine):
    """Replace the times and the machine in a log, and correct the checksum in its user block."""
    with h5py.File(path, "a") as file:
        runs = file["runs"][:]
        seconds = np.array(seconds_by_instance)[runs["instance"].astype(int) - 1]
        names = ("wall_seconds", "cpu_seconds", "problem_seconds")
        for name, column in zip(names, seconds.T, strict=True):
            runs[name] = column
        file["runs"][:] = runs
        headers = [json.loads(text) for text in file["headers"].asstr()[:]]
        file["headers"][:] = [json.dumps({**header, "provenance": machine}) for header in headers]
    content = path.read_bytes()[512:]
    head = f"firsthit log\nsha256 {hashlib.sha256(content).hexdigest()}\n"
    path.write_bytes(head.encode().ljust(512, b"\n") + content)


def test_the_table_by_hand(timed):
    log = timed(
        [
            ("a", 2, 8, 100, 1.0, 0.9, 0.2),
            ("a", 2, 9, 300, 1.0, 0.7, 0.2),
            ("a", 10, 8, 100, 4.0, 8.0, 5.0),  # more in the problem than in total: cut at 4
            ("b", 2, 8, 50, 0.5, 0.5, 0.0),
        ]
    )
    results = firsthit.load(log)
    table = results.timing()
    assert table["algorithm"].tolist() == ["a", "a", "b"]
    assert table["dimension"].tolist() == [2, 10, 2]
    assert table["runs"].tolist() == [2, 1, 1]
    assert table["evaluations"].tolist() == [400, 100, 50]
    assert table["wall"] == pytest.approx([2 / 400, 4 / 100, 0.5 / 50])
    assert table["cpu"] == pytest.approx([1.6 / 400, 8 / 100, 0.5 / 50])
    assert table["problem"] == pytest.approx([0.4 / 400, 4 / 100, 0.0])
    assert table["optimizer"] == pytest.approx([1.6 / 400, 0.0, 0.5 / 50])
    low, high = 1 / 300, 1 / 100
    assert table["wall_50%"][0] == pytest.approx((low + high) / 2)
    assert table["wall_10%"][0] == pytest.approx(low + 0.1 * (high - low))
    assert table["wall_90%"][0] == pytest.approx(low + 0.9 * (high - low))
    assert "setup: 4 runs; Abacus 3 (2 processors), Linux; numpy 2, scipy 1." in table.notes
    apart = results.timing(by_function=True)
    assert apart["function"].tolist() == [8, 9, 8, 8]
    assert apart["wall"] == pytest.approx([1 / 100, 1 / 300, 4 / 100, 0.5 / 50])


def test_runs_without_a_time_or_an_evaluation_count_as_nothing(timed):
    log = timed(
        [
            ("a", 2, 8, 100, 0.0, 0.0, 0.0),  # imported: nobody timed it
            ("a", 2, 8, 100, np.nan, 0.0, 0.0),
            ("b", 2, 8, 0, 3.0, 3.0, 0.0),
            ("c", 2, 8, 10, 1.0, 1.0, 0.5),
        ]
    )
    table = firsthit.load(log).timing()
    assert table["algorithm"].tolist() == ["a", "b", "c"]
    assert table["runs"].tolist() == [0, 1, 1]
    assert np.isnan(table["wall"]).tolist() == [True, True, False]
    assert np.isnan(table["wall_50%"]).tolist() == [True, True, False]
    assert "not timed: 2 of 4 runs; they are left out." in table.notes
    assert json.loads(table.to_json())[0]["wall"] is None


def test_mixed_machines_are_said(timed):
    first, second = ("a", 2, 8, 100, 1.0, 0.9, 0.2), ("a", 2, 9, 100, 1.0, 0.9, 0.2)
    logs = [timed([first]), timed([second], machine={})]
    notes = firsthit.load(logs).timing().notes
    assert "setup: 1 runs; unknown (unknown processors), unknown; versions unknown." in notes
    assert any(note.startswith("mixed machines: times of 2 ") for note in notes)


def test_setup_and_machine_are_said(tmp_path):
    """From a campaign, and from a loop."""
    campaign = tmp_path / "c.yaml"
    campaign.write_text(
        "suite: bbob\nfunctions: 1\ndimensions: 2\ninstances: 1\nbudget: 4\nworkers: 0\n"
        "optimizers: [random-search]\nsetup: {hardware: one core, compiler: gcc 14, python: 3.12}\n"
    )
    succeed("run", campaign, "--output", tmp_path / "a.h5")
    setup = {"language": "C"}
    with firsthit.Observer(tmp_path / "b.h5", algorithm="b", setup=setup) as observer:
        for problem in observer(firsthit.Suite("bbob", functions=1, dimensions=2, instances=1)):
            problem(problem.initial_solution)
    notes = firsthit.load(tmp_path / "a.h5").timing().notes
    assert any(
        note.startswith("setup: 1 runs; compiler: gcc 14, hardware: one core, python: 3.12; ")
        for note in notes
    )
    (note,) = [n for n in firsthit.load(tmp_path / "b.h5").timing().notes if n.startswith("setup")]
    assert note.startswith("setup: 1 runs; language: C; ")


@pytest.mark.parametrize("setup", ["Linux", ["C"], {"compiler": ["gcc"]}, {"fast": True}])
def test_a_setup_that_is_no_mapping_of_text_is_refused(tmp_path, setup):
    with pytest.raises(firsthit.FirsthitError, match=r"setup.* must be"):
        firsthit.Observer(tmp_path / "a.h5", algorithm="a", setup=setup)
    campaign = tmp_path / "c.yaml"
    campaign.write_text(f"suite: bbob\noptimizers: [random-search]\nsetup: {json.dumps(setup)}\n")
    with pytest.raises(firsthit.FirsthitError, match=r"c\.yaml:3:\d+: setup.* must be"):
        load_campaign(campaign)


def test_a_log_of_our_own():
    results = firsthit.benchmark(
        "random-search", "bbob", functions=[1, 8], dimensions=[2, 3], instances=1, budget=3000
    )
    table = results.timing(dimensions=3)
    (row,) = table.rows()
    assert row[:5] == ("random-search", "bbob", 3, 2, 6000)
    assert 0 < table["problem"][0] < table["wall"][0]
    assert table["wall"] == pytest.approx(table["optimizer"] + table["problem"])
    assert any("numpy " + np.__version__ in note for note in table.notes)


def test_the_ready_campaign_runs_one_at_a_time_and_to_its_budget():
    campaign = load_campaign(ready_campaigns()["timing"])
    runs = list(plan(campaign))
    assert campaign.workers == 1
    assert not campaign.rules.final_target
    assert {run.problem_id.function for run in runs} == {8}
    assert {run.budget_evaluations / run.problem_id.dimension for run in runs} == {100}
