"""A suite with targets at and below 0 and without a final target, through all assessments.

Private names: records hold targets, notes and precisions of a suite without a final target.
"""

import re

import numpy as np
import pytest

import firsthit
from firsthit.assessment import AssessmentError
from firsthit.assessment.questions._framework.render import drawings
from firsthit.cli.figures import KINDS
from firsthit.loggers.hdf5.writer import LogWriter
from firsthit.loggers.records.dtypes import HITS, NOTES, TRAJECTORY, as_rows
from firsthit.loggers.records.identity import RunIdentity
from firsthit.loggers.records.log_header import LogHeader
from firsthit.loggers.records.run_record import RunRecord, SuiteFacts
from firsthit.loggers.targets.grid import SIGNED
from firsthit.suites.measurement import Measurement

from .conftest import problem_id
from .report.conftest import data_of

TARGETS = (1.0, 0.1, 1e-5, 0.0, -1e-5, -0.1)
FRONT = SuiteFacts("front", "1", Measurement("hypervolume", TARGETS, None))
BBOB = SuiteFacts("bbob")
FAST = [5.0, 0.5, 0.05, 1e-6, -1e-6, -1e-3, -0.2, -0.2]
SLOW = [5.0, 5.0, 0.5, 0.4, 0.3, 0.2, 0.05, 0.0]


def record(suite, algorithm, precisions, function=1, instance=1, dimension=2):
    """A run that had these best precisions, one after each evaluation."""
    best = np.minimum.accumulate(precisions)
    grid = SIGNED.values
    target = grid[np.searchsorted(grid, best)]
    new = np.flatnonzero(np.diff(target, prepend=np.inf) < 0)
    counts = np.arange(1, len(best) + 1)
    nothing = np.zeros(len(best), dtype=np.int64)
    status = "terminated"
    if suite.measurement.final_target is not None and best[-1] <= suite.measurement.final_target:
        status = "target"
    return RunRecord(
        identity=RunIdentity(algorithm, problem_id(suite.name, function, dimension, instance)),
        suite=suite,
        function_name=f"f{function}",
        group="",
        reference_value=0.0,
        status=status,
        evaluations=len(best),
        best_precision=float(best[-1]),
        hits=as_rows(HITS, target[new], counts[new], best[new], nothing[new]),
        trajectory=as_rows(TRAJECTORY, counts, best, nothing),
        notes=as_rows(NOTES, [1, 3], [b"step", b"step"], [0.0, -2.0]),
        best_solution=np.zeros(dimension),
    )


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """Two algorithms on two functions of the suite, three instances each; and on bbob."""
    file = tmp_path_factory.mktemp("open") / "log.h5"
    with LogWriter(file, LogHeader({"fast": {}, "slow": {}})) as writer:
        for algorithm, precisions in (("fast", FAST), ("slow", SLOW)):
            for function in (1, 2):
                for instance in (1, 2, 3):
                    writer.add(record(FRONT, algorithm, precisions, function, instance))
            for instance in (1, 2):
                solved = [*np.abs(precisions), 1e-9]
                writer.add(record(BBOB, algorithm, solved, 1, instance))
    return file


@pytest.fixture(scope="module")
def results(path):
    return firsthit.load(path)


def test_art_takes_each_suites_own_targets(results):
    table = results.art()
    rows = [row for row in table.rows() if row[:3] == ("fast", "front", 1)]
    assert [row[4] for row in rows] == list(TARGETS)
    assert [row[5] for row in rows] == [2.0, 3.0, 4.0, 5.0, 6.0, 7.0]
    slow = [row for row in table.rows() if row[:3] == ("slow", "front", 1)]
    assert [row[5] for row in slow] == [3.0, 7.0, 8.0, 8.0, np.inf, np.inf]
    assert [row[8] for row in slow] == [9, 21, 24, 24, 24, 24]
    bbob = [row[4] for row in table.rows() if row[:2] == ("fast", "bbob")]
    assert bbob == [float(f"1e{k}") for k in range(1, -9, -1)]
    assert table.to_csv().splitlines()[0] == (
        "algorithm,suite,function,dimension,target,art,successes,runs,evaluations"
    )
    head = str(results.art(suites="front")).splitlines()[0]
    assert head.split()[-6:] == ["1e0", "1e-1", "1e-5", "0", "-1e-5", "-1e-1"]


def test_no_run_is_cut_where_there_is_no_final_target(results):
    table = results.runtimes(suites="front", algorithms="fast")
    assert set(table["spent"].tolist()) == {8}
    assert set(results.runtimes(suites="bbob", algorithms="fast")["spent"].tolist()) == {9}


def test_targets_may_be_typed(results):
    assert results.art(targets="1e-5,0,-1e-5", suites="front")["target"].tolist()[:3] == [
        1e-5, 0.0, -1e-5,
    ]  # fmt: skip
    with pytest.raises(AssessmentError, match=r"0 is not available; runs on bbob end at .* 1e-8"):
        results.art(targets="1e-5,0", suites="bbob")


def test_ecdf_spans_the_suites_targets(results):
    table = results.ecdf()
    by_suite = {(p.algorithm, p.suite): p for p in table.profiles}
    front = by_suite["fast", "front"]
    assert (front.pairs, front.solved, front.targets) == (12, 12, TARGETS)
    assert front.targets_text == "6 targets 1e0 … -1e-1"
    assert by_suite["slow", "front"].solved == 8
    assert by_suite["fast", "bbob"].pairs == 51
    assert front.at(8 / 2) == 1.0
    assert front.at(4.5 / 2) == 0.5
    head = table.to_csv().splitlines()[0]
    assert head == "algorithm,suite,dimension,group,evaluations_per_dimension,fraction"


def test_comparisons(results):
    pairs = results.compare(suites="front")
    assert set(pairs["target"].tolist()) == {-0.1}
    assert pairs["ratio"].tolist() == [0.0, 0.0]
    performance = results.coco_table(suites="front")
    assert set(performance["target"].tolist()) == set(TARGETS)
    assert set(results.ratios("fast", "slow")["target"].tolist()) <= {
        1e1, 1e-1, 1e-4, 1e-8, 1.0, 1e-5, 0.0, -0.1,
    }  # fmt: skip
    best = results.best(suites="front")
    assert set(best["algorithm"].tolist()) == {"fast"}


def test_targets_from_runs_go_to_the_suites_own(results):
    dynamic = results.targets("dynamic", suites="front")
    assert dynamic["target"].tolist()[:6] == list(TARGETS)
    assert results.targets("iohanalyzer-linear", suites="front")["target"].min() == -0.1
    with pytest.raises(AssessmentError, match="take iohanalyzer-linear"):
        results.targets("iohanalyzer-log", suites="front")
    own = results.targets("runlength", "slow", "1*D,4*D", suites="front")
    assert own["target"].tolist() == [1.0, -1e-5] * 2


def test_precisions_below_zero(results):
    table = results.precision_ecdf(suites="front", algorithms="fast")
    last = table["budget"] == table["budget"].max()
    assert table["precision"][last].min() <= -0.1
    assert dict(zip(table["precision"][last], table["fraction"][last], strict=True))[0.0] == 1.0
    assert results.fixed_budget(suites="front", targets="0")["success_0"].max() == 1.0


def test_summary_says_reached_where_nothing_counts_as_solved(results):
    table = results.summary()
    rows = {row[:2]: dict(zip(table.names, row, strict=True)) for row in table.rows()}
    assert rows["fast", "front"]["solved"] == 1.0
    assert rows["slow", "front"]["solved"] == pytest.approx(4 / 6)
    means = [rows["fast", "front"][f"art_{target}"] for target in ("1e-5", "-1e-1")]
    assert means == pytest.approx([4.0, np.inf])  # slow never reaches -1e-1
    assert rows["fast", "front"]["functions_-1e-1"] == 2
    alone = results.summary(algorithms="fast", suites="front")
    assert alone["art_-1e-1"].tolist() == pytest.approx([7.0])
    assert np.isnan(rows["fast", "front"]["art_1e-8"])
    of_bbob, of_front = str(table).split("\n\nfront, ")
    assert "pairs solved within" in of_bbob
    assert "pairs reached within" in of_front
    assert "solved" not in of_front
    assert "functions" in of_front
    assert "precision" in of_front


def test_the_report_claims_nothing_solved(results):
    page = results.report().html
    front = re.findall(r'<div class="answer" data-suite="front".*?</div>', page, re.DOTALL)
    assert front
    assert not any("solve" in part for part in front)
    data = data_of(page)
    assert data["art"]["targets"][results.suites.index("front")] == list(TARGETS)
    assert data["signed"] == [suite == "front" for suite in results.suites]
    assert len(page) > 100_000


OF_VALUES = ("data-profile", "performance-profile")
OF_FRONTS = ("fronts", "surfaces", "surface-difference")
OF_SEVERAL_DIMENSIONS = ("ecdf-dimensions", "scaling", "scaling-functions")
OF_ONE_INDICATOR = [k for k in KINDS if k not in OF_FRONTS + OF_VALUES + OF_SEVERAL_DIMENSIONS]


@pytest.mark.slow
@pytest.mark.parametrize("kind", OF_ONE_INDICATOR)
def test_every_kind_of_figure(results, kind):
    options = {"suites": "front", "functions": 1}
    if kind.endswith("density"):
        options["shape"] = "mass"
    drawn = list(drawings(kind, results.log, options))
    assert drawn
    for drawing in drawn:
        drawing.figure.draw_without_rendering()
