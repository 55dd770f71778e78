"""Merging and resuming: what gives way, what is refused, and what is told.

Private names: logs of given records are merged, and their tables compared.
"""

import itertools
import json
from dataclasses import replace

import pytest

from firsthit.loggers import merge_logs, read_log
from firsthit.loggers.errors import LogConflictError
from firsthit.loggers.hdf5.writer import LogWriter
from firsthit.loggers.records.log_header import LogHeader, differing

from .conftest import lost_record, random_run
from .problems import sphere

HEADER = LogHeader({"random": {}})
WHOLE = random_run()
OUTCOMES = {
    "whole": WHOLE,
    "failed": lost_record(sphere(), WHOLE.identity, "failed", "it broke", evaluations=3),
    "timeout": lost_record(sphere(), WHOLE.identity, "timeout", "too slow", evaluations=9),
    "interrupted": lost_record(sphere(), WHOLE.identity, "interrupted"),
}


def log_of(path, *records, header=HEADER, resume=False, end="close"):
    log = LogWriter(path, header, resume, retry_failed=resume)
    for record in records:
        log.add(record)
    getattr(log, end)()
    return path


ORDERS = [*itertools.permutations(OUTCOMES, 2), tuple(OUTCOMES), tuple(reversed(OUTCOMES))]


@pytest.mark.parametrize("order", ORDERS, ids="-".join)
def test_complete_beats_failed_beats_interrupted_in_any_order(tmp_path, order):
    logs = [log_of(tmp_path / f"{name}.h5", OUTCOMES[name]) for name in order]
    failures = [name for name in order if name in ("failed", "timeout")]
    wanted = "whole" if "whole" in order else (failures or ["interrupted"])[-1]
    for log in (read_log(logs), read_log(merge_logs(logs, tmp_path / "merged.h5"))):
        assert log.runs.status.tolist() == [OUTCOMES[wanted].status]
        assert log.runs.evaluations.tolist() == [OUTCOMES[wanted].evaluations]


@pytest.mark.parametrize("name", ["failed", "timeout"])
@pytest.mark.parametrize("end", ["close", "abandon"])
def test_failed_runs_are_made_again_only_when_asked(tmp_path, name, end):
    path, other = tmp_path / "a.h5", random_run(repetition=1)
    log_of(path, OUTCOMES[name], other, end=end)
    before = {file: file.read_bytes() for file in tmp_path.rglob("*.h5")}
    with LogWriter(path, HEADER, resume=True) as log:
        assert log.finished_keys == {WHOLE.key, other.key}
    again = LogWriter(path, HEADER, resume=True, retry_failed=True)
    assert again.finished_keys == {other.key}
    again.add(WHOLE)
    again.abandon()
    kept = {file: file.read_bytes() for file in before if file.exists()}
    assert kept == {file: before[file] for file in kept}, "a sealed file was rewritten"
    assert read_log(path).runs.status.tolist() == [WHOLE.status, other.status]
    log_of(path, resume=True)
    assert read_log(path).runs.status.tolist() == [WHOLE.status, other.status]


def test_the_last_of_several_failures_stays(tmp_path):
    path = tmp_path / "a.h5"
    for number in range(4):
        record = lost_record(sphere(), WHOLE.identity, "failed", f"attempt {number}")
        log_of(path, record, resume=True, end="close" if number % 2 else "abandon")
        assert read_log(path).runs.error.tolist() == [f"attempt {number}"]


def test_two_different_complete_outcomes_stay_a_contradiction(tmp_path):
    one = log_of(tmp_path / "a.h5", OUTCOMES["failed"])
    two = log_of(tmp_path / "b.h5", WHOLE)
    three = log_of(tmp_path / "c.h5", random_run(evaluations=77))
    merge_logs([one, two], tmp_path / "m.h5")
    for order in itertools.permutations([one, two, three]):
        with pytest.raises(LogConflictError, match="two different outcomes of the same run"):
            read_log(order)


def test_two_versions_of_a_suite_are_not_merged(tmp_path):
    old = lost_record(sphere(), random_run(repetition=1).identity, "budget")
    object.__setattr__(old, "suite", replace(old.suite, version="0"))
    logs = [log_of(tmp_path / "a.h5", WHOLE), log_of(tmp_path / "b.h5", old)]
    with pytest.raises(LogConflictError, match=r"suite 'user' has version 1 in .*a\.h5' but 0 in"):
        merge_logs(logs, tmp_path / "m.h5")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.h5", "b.h5"]


def test_two_indicators_of_a_suite_are_not_joined(tmp_path):
    """Neither when logs are read together, nor when a log is continued, nor within one."""
    other = lost_record(sphere(), random_run(repetition=1).identity, "budget")
    measured = replace(other.suite.measurement, indicator="hypervolume")
    object.__setattr__(other, "suite", replace(other.suite, measurement=measured))
    logs = [log_of(tmp_path / "a.h5", WHOLE), log_of(tmp_path / "b.h5", other)]
    for bad in (lambda: read_log(logs), lambda: merge_logs(logs, tmp_path / "m.h5")):
        with pytest.raises(LogConflictError, match=r"indicator \"best-feasible\" in .*a\.h5"):
            bad()
    with LogWriter(tmp_path / "a.h5", HEADER, resume=True) as log:
        with pytest.raises(LogConflictError, match='run\'s is "hypervolume"; give one of them'):
            log.add(other)
        log.add(random_run(repetition=2))
    assert read_log(tmp_path / "a.h5").runs.repetition.tolist() == [0, 2]


def test_other_libraries_machines_and_rules_are_told():
    one = {"provenance": {"versions": {"numpy": "2.0"}, "platform": "A"}, "campaign": {"budget": 1}}
    two = json.loads(json.dumps(one).replace("2.0", "2.1").replace('"budget": 1', '"budget": 2'))
    assert differing([one, one]) == ()
    assert differing([one, two, {"campaign": None}]) == (
        "runs were made with different versions of numpy: 2.0, 2.1",
        "runs were made with different budget: 1, 2",
    )


def test_commits_that_differ_are_told_for_earlier_logs_too():
    """Logs made by 94f17845 and before call the commit of the working directory `git_commit`."""
    one = {"provenance": {"writer_version": "0.1.0+gaaaaaaa", "working_directory_commit": "1"}}
    two = {"provenance": {"writer_version": "0.1.0+gbbbbbbb", "working_directory_commit": "1"}}
    old = {"provenance": {"versions": {"firsthit": "0.1.0"}, "git_commit": "2"}}
    assert differing([one, two]) == (
        "runs were made with different versions of firsthit: 0.1.0+gaaaaaaa, 0.1.0+gbbbbbbb",
    )
    assert differing([one, old]) == (
        "runs were made with different versions of firsthit: 0.1.0, 0.1.0+gaaaaaaa",
        "runs were made with different commits of the working directory: 1, 2",
    )
