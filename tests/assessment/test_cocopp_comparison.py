"""Rank-sum statistics and losses equal cocopp's on the same data; where not, its defect is shown.

Two algorithms' runs are logged, exported in COCO's format, and loaded by cocopp.
"""

import importlib.util
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from firsthit.assessment import load
from firsthit.assessment.data.ranked_runs import RankedRuns, ranked_runs, run_tests
from firsthit.assessment.data.references import cocopp_references, entries_of_file
from firsthit.assessment.data.run_sets import run_sets_of
from firsthit.assessment.data.selection import select_runs
from firsthit.assessment.targets.parse import decade_targets
from firsthit.assessment.targets.target_sets import common_set
from firsthit.loggers import read_log, write_coco
from firsthit.suites.facts import ProblemId

from .cocopp_oracle import contained

FUNCTIONS, DIMENSION, INSTANCES = range(1, 9), 5, range(1, 8)
BUDGETS = [2.0, 10.0, 100.0]


def values_of(rng, function, speed):
    """Values that approach the optimum at a speed of its own, some runs stalling."""
    steps = rng.exponential(speed / function, rng.integers(60, 600))
    stall = rng.choice([12.0, 12.0, 3.0, 6.0])
    return 10.0 ** (3 - np.minimum(np.cumsum(steps), stall - rng.random(len(steps)) * 1e-3))


@pytest.fixture(scope="module")
def folder(write_log, tmp_path_factory):
    """Logs of two algorithms, and the same as COCO data in ``coco/NAME``."""
    folder = tmp_path_factory.mktemp("both")
    for seed, (name, speed) in enumerate([("one", 0.25), ("two", 0.2)]):
        rng = np.random.default_rng(seed)
        runs = [
            (ProblemId("bbob", f, DIMENSION, i), 50.0, 50.0 + values_of(rng, f, speed))
            for f in FUNCTIONS
            for i in INSTANCES
        ]
        write_coco(read_log(write_log(folder / f"{name}.h5", name, runs)), folder / "coco" / name)
    return folder


@pytest.fixture(scope="module")
def peer(folder, tmp_path_factory):
    """cocopp's data sets by (algorithm, function), its statistics and its losses."""
    with contained(tmp_path_factory.mktemp("home")):
        from cocopp import pplogloss, pproc, testbedsettings, toolsstats

        testbedsettings.reset_current_testbed()
        sets = {name: pproc.DataSetList([str(folder / "coco" / name)]) for name in ("one", "two")}
        data = {(name, d.funcId): d for name, found in sets.items() for d in found}
        tests = {
            f: toolsstats.significancetest(data["one", f], data["two", f], list(decade_targets()))
            for f in FUNCTIONS
        }
        evaluations = [budget * DIMENSION for budget in BUDGETS]
        losses = pplogloss.generateData(sets["one"], evaluations, 0.0)
        testbedsettings.reset_current_testbed()
    return data, tests, losses


@pytest.fixture(scope="module")
def ranked(folder):
    log = load([folder / "one.h5", folder / "two.h5"]).log
    run_sets = run_sets_of(log, select_runs(log), common_set(decade_targets()))
    return {
        (one.run_set.algorithm, one.run_set.function): one for one in ranked_runs(log, run_sets)
    }


def z_of(test, n):
    """The statistic of the normal approximation without correction for ties, as cocopp's."""
    return (test.superiority - 0.5) * n * n / np.sqrt(n * n * (2 * n + 1) / 12)


def stale(one, entry):
    """The precision that cocopp takes: each run's last line of the .tdat files before the horizon.

    These lie up to 12 % of evaluations apart; what the .dat files tell in between is not looked at.
    """
    rows = np.array(entry.funvals, dtype=float)
    return RankedRuns(
        one.run_set, lambda asked: [rows[rows[:, 0] <= until][-1, 1:] for _, until in asked]
    )


def test_rank_sums_equal_cocopps(ranked, peer):
    """All z without failed runs; with them, all but where cocopp's precision is stale."""
    data, tests, _ = peer
    n, equal, without = len(INSTANCES), 0, 0
    for f in FUNCTIONS:
        one, two = ranked["one", f], ranked["two", f]
        stale_ones = [stale(c, data[name, f]) for name, c in (("one", one), ("two", two))]
        for j, (z, _) in enumerate(tests[f]):
            assert z_of(run_tests([(*stale_ones, j)])[0], n) == pytest.approx(z, abs=1e-9)
            ours = z_of(run_tests([(one, two, j)])[0], n)
            equal += ours == pytest.approx(z, abs=1e-9)
            if not np.isnan([one.run_set.hits[:, j], two.run_set.hits[:, j]]).any():
                without += 1
                assert ours == pytest.approx(z, abs=1e-9)
    assert without >= 5
    assert equal >= 0.8 * len(FUNCTIONS) * len(decade_targets())


def test_cocopps_guard_hides_differences_of_failures(peer, ranked):
    """Its branch for infinite aRT never holds (``np.float64(inf) is np.inf``), so p becomes 1.

    Where nobody reached the target and the statistic favours the one that ran longer on average,
    cocopp returns 1 whatever the difference; the exact test does not look at what came after.
    """
    _, tests, _ = peer
    hidden = 0
    for f in FUNCTIONS:
        one, two = ranked["one", f], ranked["two", f]
        for j, (z, p) in enumerate(tests[f]):
            hits = np.array([one.run_set.hits[:, j], two.run_set.hits[:, j]])
            better = one if z > 0 else two
            worse = two if z > 0 else one
            if np.isnan(hits).all() and better.run_set.spent.mean() > worse.run_set.spent.mean():
                hidden += 1
                assert p == 1
                assert (run_tests([(one, two, j)])[0].p < 1) == (
                    z_of(run_tests([(one, two, j)])[0], 7) != 0
                )
    precision = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7])
    run_sets = [ranked[name, 8].run_set for name in ("one", "two")]
    never = [replace(one, hits=np.full((7, 1), np.nan)) for one in run_sets]
    ahead, behind = (
        RankedRuns(side, lambda asked, part=part: [part] * len(asked))
        for side, part in zip(never, (precision[:7], precision[7:]), strict=True)
    )
    assert run_tests([(ahead, behind, 0)])[0].p == pytest.approx(2 / 3432)


def test_losses_equal_cocopps(folder, peer):
    """Against best2009-bbob, which cocopp brings: budget by budget, function by function."""
    _, _, losses = peer
    (package,) = importlib.util.find_spec("cocopp").submodule_search_locations
    reference = str(Path(package) / "refalgs" / "best2009-bbob.tar.gz")
    table = load(folder / "one.h5").loss(reference, ",".join(f"{budget}*D" for budget in BUDGETS))
    compared = 0
    for _, _, _, f, budget, _, loss in table.rows():
        if not np.isnan(loss):
            compared += 1
            assert loss == pytest.approx(losses[f][BUDGETS.index(budget)], rel=1e-9)
    assert compared >= 20


def test_ranks_are_those_of_ranksumtest(tmp_path):
    """The same z as ``toolsstats.ranksumtest``; its p is the approximation of ours."""
    rng = np.random.default_rng(7)
    with contained(tmp_path):
        from cocopp import toolsstats
    from firsthit.assessment.statistics.significance import rank_sum

    for _ in range(20):
        a, b = rng.random(15), rng.random(15) + 0.2
        z, p = toolsstats.ranksumtest(-a, -b)
        ours = rank_sum(a, b)
        assert z_of(ours, 15) == pytest.approx(z)
        assert ours.p == pytest.approx(p, abs=0.02)


@pytest.fixture(scope="module")
def expensive(folder, tmp_path_factory):
    """cocopp's targets of ``--expensive``, and the aRT to them, by (algorithm, function)."""
    best2009 = {
        (entry.dimension, entry.function): SimpleNamespace(
            target=entry.targets, ert=entry.average_runtimes, algId="best2009-bbob"
        )
        for entry in entries_of_file(cocopp_references()["best2009-bbob"])
    }
    with contained(tmp_path_factory.mktemp("home")):
        from cocopp import pproc, testbedsettings

        testbedsettings.reset_current_testbed()
        sets = {name: pproc.DataSetList([str(folder / "coco" / name)]) for name in ("one", "two")}
        rule = pproc.RunlengthBasedTargetValues(
            [0.5, 1.2, 3, 10, 50], best2009, 1e-8, True, 10**0.2, False
        )
        targets = {f: rule((f, DIMENSION)) for f in FUNCTIONS}
        found = {
            (name, d.funcId): (targets[d.funcId], d.detERT(targets[d.funcId]))
            for name, own in sets.items()
            for d in own
        }
        testbedsettings.reset_current_testbed()
    return found


def test_cells_of_expensive_problems_are_cocopps(folder, expensive):
    """Left out are functions where targets that differ by rounding are different ones to cocopp."""
    logs = load([folder / "one.h5", folder / "two.h5"])
    made = logs.targets("runlength", "best2009-bbob", rule="cocopp")
    table = logs.coco_table(made, reference="best2009-bbob")
    equal = 0
    for (name, function), (targets, art) in expensive.items():
        mine = (table["algorithm"] == name) & (table["function"] == function)
        assert table["budget"][mine].tolist() == [0.5, 1.2, 3.0, 10.0, 50.0]
        if np.allclose(table["target"][mine], targets, rtol=1e-12):
            equal += 1
            np.testing.assert_allclose(table["art"][mine], art, rtol=1e-12)
    assert equal >= 0.85 * len(expensive) > 0
