"""Runs sorted into run sets, against the dumbest loops; and restarts against a plain one."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from firsthit.assessment.data.run_sets import run_sets_of
from firsthit.assessment.data.selection import latest_stage, select_runs
from firsthit.assessment.targets.target_sets import common_set

RUN = st.fixed_dictionaries(
    {
        "algorithm": st.sampled_from(["a", "b", "a b"]),
        "suite": st.sampled_from(["bbob", "bbob-x"]),
        "function": st.integers(1, 2),
        "dimension": st.sampled_from([2, 10]),
        "instance": st.integers(1, 3),
        "repetition": st.integers(0, 1),
        "stage": st.integers(0, 2),
        "campaign_seed": st.integers(0, 1),
        "status": st.sampled_from(["target", "budget", "failed", "timeout", "interrupted"]),
        "precisions": st.lists(st.sampled_from([1e3, 1.0, 1e-3, 1e-8]), min_size=1, max_size=4),
    }
)
SAME = ("algorithm", "suite", "function", "dimension", "instance", "repetition", "campaign_seed")
TARGETS = (1e1, 1e-2)


def is_latest(run, runs):
    return all(
        other["stage"] <= run["stage"]
        for other in runs
        if all(other[name] == run[name] for name in SAME)
    )


@given(runs=st.lists(RUN, min_size=1, max_size=12))
def test_the_latest_stage_of_a_run_counts(make_log, runs):
    assert latest_stage(make_log(runs)).tolist() == [is_latest(run, runs) for run in runs]


@given(runs=st.lists(RUN, min_size=1, max_size=12))
def test_run_sets_are_those_of_a_plain_loop(make_log, runs):
    log = make_log(runs)
    rows = select_runs(log)
    run_sets = run_sets_of(log, rows, common_set(TARGETS))
    cells = {}
    for row in sorted(rows.tolist(), key=lambda r: (runs[r]["instance"], runs[r]["repetition"])):
        run = runs[row]
        name = (run["algorithm"], run["suite"], run["function"], run["dimension"])
        cells.setdefault(name, []).append(run)
    assert [(t.algorithm, t.suite, t.function, t.dimension) for t in run_sets] == sorted(cells)
    for one, name in zip(run_sets, sorted(cells), strict=True):
        mine = cells[name]
        assert one.instances.tolist() == [run["instance"] for run in mine]
        assert one.repetitions.tolist() == [run["repetition"] for run in mine]
        assert one.broken == sum(
            run["status"] in ("failed", "timeout", "interrupted") for run in mine
        )
        assert one.exact.shape == one.hits.shape == (len(mine), len(TARGETS))
        for i, run in enumerate(mine):
            first = [next((n for n, p in enumerate(run["precisions"], 1) if p <= t), np.nan)
                     for t in (*TARGETS, 1e-8)]  # fmt: skip
            np.testing.assert_array_equal(one.hits[i], first[:-1])
            end = first[-1] if np.isfinite(first[-1]) else len(run["precisions"])
            assert one.spent[i] == end
