"""aRT and numbers of successes equal those that cocopp computes from the same evaluations.

Each run is a given sequence of values. It is fed through the observer into our log, and written as
COCO's files (.info, .dat, .tdat), which cocopp loads: 24 functions, two dimensions, 5 instances.
"""

from dataclasses import dataclass

import numpy as np
import pytest

from firsthit.assessment import load
from firsthit.assessment.targets.parse import decade_targets
from firsthit.suites.facts import ProblemId

from .cocopp_oracle import contained

FUNCTIONS, DIMENSIONS, INSTANCES = range(1, 25), (2, 5), range(1, 6)


@dataclass
class Run:
    problem_id: ProblemId
    optimal_value: float
    values: np.ndarray

    @property
    def precisions(self):
        return self.values - self.optimal_value


def make_run(function, dimension, instance):
    """Values that approach the optimum, faster for small function numbers, with noise and ties."""
    rng = np.random.default_rng([function, dimension, instance])
    optimal_value = round(rng.uniform(-1000, 1000), 2)
    steps = rng.exponential(0.4 / function, rng.integers(20, 400))
    exponents = 4 - np.cumsum(steps) - rng.integers(0, 2, len(steps)) * rng.exponential(0.5)
    values = optimal_value + 10.0**exponents
    values[1::7] = values[::7][: len(values[1::7])]
    return Run(ProblemId("bbob", function, dimension, instance), optimal_value, values)


@pytest.fixture(scope="module")
def runs():
    return [make_run(f, d, i) for f in FUNCTIONS for d in DIMENSIONS for i in INSTANCES]


@pytest.fixture(scope="module")
def results(runs, write_log, tmp_path_factory):
    path = tmp_path_factory.mktemp("ours") / "log.h5"
    write_log(path, "dictated", [(r.problem_id, r.optimal_value, r.values) for r in runs])
    return load(path)


@pytest.fixture(scope="module")
def ours(results):
    """The aRT table of the log: (function, dimension, target) -> (art, successes, runs, sum)."""
    return {row[2:5]: row[5:] for row in results.art().rows()}


def info_entry(run):
    return f"{run.problem_id.instance}:{len(run.values)}|{run.precisions.min():.1e}"


def data_lines(run, with_last):
    head = f"% f evaluations | g evaluations | best noise-free fitness - Fopt ({run.optimal_value})"
    lines, best = (
        [f"{head} + sum g_i+ | measured fitness | best measured fitness | x1 | x2..."],
        np.inf,
    )
    for evaluation, (value, precision) in enumerate(
        zip(run.values, run.precisions, strict=True), 1
    ):
        last = with_last and evaluation == len(run.values)
        if precision < best or last:
            best = min(best, precision)
            lines.append(f"{evaluation} 0 {best:+.17e} {value:+.17e} {value:+.17e} +0.0 +0.0")
    return lines


def write_files(folder, runs):
    """COCO's three kinds of files: improvements in .dat, the last evaluation as well in .tdat."""
    for function in FUNCTIONS:
        (folder / f"data_f{function}").mkdir()
        info = []
        for dimension in DIMENSIONS:
            mine = [
                run
                for run in runs
                if (run.problem_id.function, run.problem_id.dimension) == (function, dimension)
            ]
            name = f"data_f{function}/bbobexp_f{function}_DIM{dimension}"
            info += [
                f"suite = 'bbob', funcId = {function}, DIM = {dimension}, Precision = 1.000e-08, "
                "algId = 'dictated', coco_version = '2.8.2', logger = 'bbob', "
                "data_format = 'bbob-new2', settings = ''",
                "% ",
                ", ".join([f"{name}.dat", *map(info_entry, mine)]),
            ]
            for suffix in (".dat", ".tdat"):
                lines = [line for run in mine for line in data_lines(run, suffix == ".tdat")]
                (folder / (name + suffix)).write_text("\n".join(lines) + "\n")
        (folder / f"bbobexp_f{function}.info").write_text("\n".join(info) + "\n")


@pytest.fixture(scope="module")
def cocopp_numbers(runs, tmp_path_factory):
    """cocopp's (aRT, successes, runs) by (function, dimension, target); markers by dimension."""
    folder = tmp_path_factory.mktemp("dictated")
    write_files(folder, runs)
    with contained(tmp_path_factory.mktemp("home")):
        from cocopp import pproc, testbedsettings

        testbedsettings.reset_current_testbed()
        data = {(d.funcId, d.dim): d for d in pproc.DataSetList([str(folder)])}
        art = {key: one.detERT(decade_targets()) for key, one in data.items()}
        successes = {key: one.detSuccesses(decade_targets()) for key, one in data.items()}
        markers = {
            d: their_crosses([one for (_, D), one in data.items() if d == D]) for d in (2, 5)
        }
        testbedsettings.reset_current_testbed()
    cells = {
        (*key, target): (art[key][i], successes[key][i], data[key].nbRuns())
        for key in data
        for i, target in enumerate(decade_targets())
    }
    return cells, markers


def their_crosses(data):
    """Both markers of its runtime profiles over all functions, evaluations / dimension: medians of
    90 % quantiles, by its own quantile and estimate of budgets (``pprldmany.main``)."""
    from cocopp.toolsstats import prctile

    estimates, plus = [], []
    for one in data:
        evaluations = one.detEvals([1e-8])[0]
        failed, reached = one.maxevals[np.isnan(evaluations)], evaluations[~np.isnan(evaluations)]
        if len(failed):
            budgets = list(one.budget_effective_estimates.values())
            estimates.append(prctile(budgets, [90])[0] / one.dim)
            last = [prctile(part, [90])[0] for part in (failed, reached) if len(part)]
            plus.append(max(last) / one.dim)
    return float(np.median(estimates)), float(np.median(plus))


@pytest.fixture(scope="module")
def theirs(cocopp_numbers):
    return cocopp_numbers[0]


def test_art_and_successes_equal_cocopps(ours, theirs):
    assert ours.keys() == theirs.keys()
    assert len(ours) == len(FUNCTIONS) * len(DIMENSIONS) * 10
    for cell, (art, successes, n_runs, _) in ours.items():
        their_art, their_successes, their_runs = theirs[cell]
        assert (successes, n_runs) == (their_successes, their_runs), cell
        assert art == pytest.approx(their_art, rel=1e-12), cell


def test_the_sequences_exercise_every_case(ours):
    """All, some and none of the 5 runs succeed, each in more than 100 of the 480 cells."""
    successes = np.array([row[1] for row in ours.values()])
    assert min((successes == 5).sum(), (successes == 0).sum()) > 100
    assert ((successes > 0) & (successes < 5)).sum() > 100


def test_crosses_equal_cocopps(results, cocopp_numbers):
    for profile in results.ecdf().profiles:
        found = [profile.markers[name][0] for name in ("cocopp-x", "cocopp-plus")]
        assert found == pytest.approx(cocopp_numbers[1][profile.dimension], rel=1e-12)
