"""One experiment observed by cocoex and by us: the same first hits, the same aRT as cocopp."""

import contextlib
import io
import re
import warnings

import cocoex
import numpy as np
import pytest

import firsthit
from firsthit.loggers import read_log

DIMENSIONS = (2, 5)
INSTANCES = (1, 2, 3, 71, 72)
EVALUATIONS = 1500


def evolve(evaluate, dimension, seed):
    """A (1+1)-ES with the one-fifth rule: it gets close on easy functions, stays far on others."""
    rng = np.random.default_rng(seed)
    x, step = rng.uniform(-4, 4, dimension), 2.0
    best = evaluate(x)
    for _ in range(EVALUATIONS - 1 - 7 * (seed % 50)):
        y = x + step * rng.standard_normal(dimension)
        value = evaluate(y)
        step *= 1.5 if value <= best else 1.5**-0.25
        if value <= best:
            x, best = y, value


@pytest.fixture(scope="module")
def experiment(tmp_path_factory):
    """All functions, observed by both at once; gives the folder of cocoex and our log."""
    folder = tmp_path_factory.mktemp("both")
    numbers = ",".join(map(str, INSTANCES))
    options = f"dimensions: {','.join(map(str, DIMENSIONS))}"
    peers = cocoex.Suite("bbob", f"instances: {numbers}", options)
    watcher = cocoex.Observer("bbob", f"outer_folder: {folder} result_folder: coco")
    suite = firsthit.Suite("bbob", dimensions=DIMENSIONS, instances=INSTANCES)
    with firsthit.Observer(folder / "ours.h5", algorithm="es") as observer:
        for count, observed in enumerate(observer(suite)):
            peer = peers.get_problem_by_function_dimension_instance(
                observed.id_function, observed.dimension, observed.id_instance
            )
            peer.observe_with(watcher)

            def evaluate(x, ours=observed, theirs=peer):
                theirs(x)
                return ours(x)

            evolve(evaluate, observed.dimension, count)
            peer.free()
    return folder / "coco", read_log(folder / "ours.h5")


def dat_hits(text, targets):
    """First hits in a .dat file, a row for each run, as its columns 1 and 3 state them."""
    runs = []
    for line in text.splitlines():
        if line.startswith("%"):
            runs.append([])
        elif line.strip():
            fields = line.split()
            runs[-1].append((int(fields[0]), float(fields[2])))
    return np.array(
        [[next((n for n, delta in run if delta <= t), np.nan) for t in targets] for run in runs]
    )


def test_dat_and_log_agree_on_every_first_hit(experiment):
    folder, log = experiment
    targets = 10.0 ** (np.arange(60, -161, -1) / 20)
    agreed = 0
    for path in sorted(folder.rglob("*.dat")):
        function, dimension = map(int, re.search(r"_f(\d+)_DIM(\d+)\.dat$", path.name).groups())
        rows = np.flatnonzero(
            (log.runs["function"] == function) & (log.runs["dimension"] == dimension)
        )
        rows = rows[np.argsort([INSTANCES.index(i) for i in log.runs["instance"][rows]])]
        ours, exact = log.first_hits(rows, targets)
        theirs = dat_hits(path.read_text(), targets)
        assert exact.all()
        assert np.array_equal(ours, theirs, equal_nan=True), path.name
        agreed += int(np.isfinite(theirs).sum())
    assert agreed > 10_000


@pytest.fixture(scope="module")
def cocopp_data(experiment):
    """The folder of cocoex as cocopp reads it; it warns and prints at every data set."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        import cocopp

        cocopp.testbedsettings.reset_current_testbed()
        return cocopp.load(str(experiment[0]))


def test_art_is_that_of_cocopp(experiment, cocopp_data):
    targets = [10.0**k for k in range(1, -9, -1)]
    table = firsthit.assessment.Results(experiment[1]).art(targets=targets)
    ours = {
        (f, d, t): (art, successes)
        for f, d, t, art, successes in zip(
            *(
                table[key].tolist()
                for key in ("function", "dimension", "target", "art", "successes")
            ),
            strict=True,
        )
    }
    assert len(ours) == len(cocopp_data) * len(targets) == 24 * len(DIMENSIONS) * len(targets)
    finite = 0
    for data in cocopp_data:
        arts = data.detERT(targets)
        successes = data.detSuccesses(targets)
        for target, art, count in zip(targets, arts, successes, strict=True):
            ours_art, ours_count = ours[data.funcId, data.dim, target]
            assert ours_count == count
            assert ours_art == pytest.approx(float(art), rel=1e-12)
            finite += np.isfinite(art)
    assert finite > 100
