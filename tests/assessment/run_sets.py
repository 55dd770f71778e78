"""Runs made of given first hits, for what is computed of them."""

import numpy as np

from firsthit.assessment.hits.ranked_runs import RankedRuns
from firsthit.assessment.hits.run_sets import RunSet
from firsthit.assessment.samples.at_targets import AtTargets
from firsthit.assessment.selection import Selection


def run_set(algorithm, hits, spent=1000.0, function=1, dimension=2, instances=None):
    """Runs on one function; ``hits`` of shape (n_runs,) or (n_runs, n_targets), NaN: missed."""
    hits = np.array(hits, dtype=float)
    n = len(hits)
    return RunSet(
        algorithm=algorithm, suite="bbob", function=function, dimension=dimension, group="all",
        instances=np.arange(1, n + 1) if instances is None else np.array(instances),
        repetitions=np.zeros(n, dtype=np.int64), hits=hits.reshape(n, -1),
        spent=np.broadcast_to(np.array(spent, dtype=float), n),
        exact=np.ones(hits.reshape(n, -1).shape, dtype=bool),
    )  # fmt: skip


def sample_of(run_sets, targets):
    """The sample that holds these runs, of no log."""
    selection = Selection(None, np.empty(0, dtype=np.intp))
    return AtTargets(selection=selection, cells=tuple(run_sets), targets=targets)


def ranked(algorithm, hits, spent=1000.0, precision=1.0, **place):
    """A `run_set` whose runs have these precisions at whatever evaluation is asked for."""
    runs = run_set(algorithm, hits, spent, **place)
    found = np.broadcast_to(np.array(precision, dtype=float), len(runs.spent))
    return RankedRuns(runs, lambda asked: [found] * len(asked))
