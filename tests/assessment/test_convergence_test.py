"""Data and performance profiles, beside the papers' definitions on raw traces."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import firsthit
from firsthit.assessment import AssessmentError

from .conftest import problem_id


def results(write_log, folder, traces, optimum=0.0, suite="nowhere", record="improvements"):
    """Results of traces: algorithm -> (function, instance) -> values of f, of several runs."""
    for algorithm, own in traces.items():
        runs = [
            (problem_id(suite, function, 2, instance), optimum, values)
            for (function, instance), values in own.items()
        ]
        write_log(folder / f"{algorithm}.h5", algorithm, runs, record)
    return firsthit.load(folder)


def solved_at(trace, start, lowest, tau):
    """Moré and Wild (2009), equation 2.2, evaluation by evaluation."""
    for evaluation, value in enumerate(trace, 1):
        if start - value >= (1 - tau) * (start - lowest):
            return evaluation
    return math.inf


def by_definition(traces, tau, budget=math.inf, optimum=None):
    """t[p, s] of each problem and algorithm, x0 being the worst first value."""
    times = {name: [] for name in traces}
    for problem in next(iter(traces.values())):
        own = [one[problem] for one in traces.values()]
        start = max(trace[0] for trace in own)
        within = [trace[: int(min(budget, len(trace)))] for trace in own]
        lowest = min(min(trace) for trace in within) if optimum is None else optimum
        for name, trace in zip(traces, within, strict=True):
            times[name].append(solved_at(trace, start, lowest, tau))
    return times


def share(table, column, algorithm, tau, at):
    """What the table's step curve says at a place."""
    own = (table["algorithm"] == algorithm) & (table["tau"] == tau)
    return float(np.append(0.0, table["fraction"][own])[(table[column][own] <= at).sum()])


TRACES = {
    "a": {(1, 1): [100.0, 50.0, 10.0, 1.0], (2, 1): [8.0, 6.0, 4.0, 4.0, 4.0, 0.0]},
    "b": {(1, 1): [100.0, 90.0, 80.0, 12.0, 11.0, 11.0], (2, 1): [8.0, 0.5, 0.0]},
}


@pytest.mark.slow
@settings(max_examples=8)
@given(st.data())
def test_profiles_are_those_of_the_papers(write_log, tmp_path_factory, data):
    values = st.lists(st.integers(1, 10**6).map(float), min_size=1, max_size=12)
    problems = [(1, 1), (1, 2), (3, 1)]
    traces = {name: {p: data.draw(values) for p in problems} for name in "abc"}
    choices = [(None, None), ("2*D", None), (None, 0.0), ("3*D", 0.0)]
    budget, optimum = data.draw(st.sampled_from(choices))
    found = results(write_log, tmp_path_factory.mktemp("log"), traces)
    how = {"budget": budget, "reference": "best" if optimum is None else "optimum"}
    taus = (0.5, 0.125, 2.0**-10)  # exact in binary: no rounding between the two formulas
    data_profile = found.data_profile(taus, **how)
    performance = found.performance_profile(taus, **how)
    for tau in taus:
        end = math.inf if budget is None else 2 * int(budget[0])
        times = by_definition(traces, tau, end, optimum)
        best = np.min([*times.values()], axis=0)
        for name, own in times.items():
            for alpha in (1 / 3, 2 / 3, 1.0, 4 / 3, 2.0, 4.0, 1e9):
                expected = sum(t / (2 + 1) <= alpha for t in own) / len(own)
                assert share(data_profile, "simplex_gradients", name, tau, alpha) == expected
                ratios = [t / b if math.isfinite(t) else t for t, b in zip(own, best, strict=True)]
                expected = sum(ratio <= alpha for ratio in ratios) / len(own)
                assert share(performance, "ratio", name, tau, alpha) == expected


def test_x0_is_the_initial_solution_of_the_suite(write_log, tmp_path):
    """On bbob f1 its value is far above both runs' first values, so both pass at once."""
    [problem] = firsthit.Suite("bbob", 1, 2, 1)
    optimum = problem.optimal_value
    start = problem(problem.initial_solution) - optimum
    trace = {(1, 1): [optimum + part * start for part in (0.3, 0.05, 0.0)]}
    found = results(write_log, tmp_path, {"a": trace}, optimum, "bbob")
    table = found.data_profile([0.5, 0.1, 0.01])
    assert table["simplex_gradients"].tolist()[::2] == pytest.approx([1 / 3, 2 / 3, 1.0])
    assert not any("worst first value" in note for note in table.notes)


def test_another_problem_of_the_same_name_is_not_the_suites(write_log, tmp_path):
    found = results(write_log, tmp_path, TRACES, optimum=-1.0, suite="bbob")
    assert any("unknown on 2 problems" in note for note in found.data_profile().notes)


def test_the_best_of_all_says_that_others_matter_and_the_optimum_does_not(write_log, tmp_path):
    found = results(write_log, tmp_path, TRACES)
    note, notes = "a further algorithm can change it", found.data_profile().notes
    for said in (note, "exact", "worst first finite value"):
        assert any(said in one for one in notes)
    both, alone = (
        found.data_profile(0.1, reference="optimum", **how) for how in ({}, {"algorithms": "b"})
    )
    assert not any(note in one for one in both.notes)
    for at in (2 / 3, 1.0, 2.0):
        one, other = (share(t, "simplex_gradients", "b", 0.1, at) for t in (both, alone))
        assert one == other


def test_a_log_of_targets_proves_bounds(write_log, tmp_path):
    found = results(write_log, tmp_path, TRACES, record="targets")
    assert any(
        "4 of 4 runs may have solved their problems earlier" in n
        for n in found.data_profile().notes
    )


def test_runs_without_counterpart_are_left_out(tmp_path):
    for name, repetitions in (("a", 1), ("b", 3)):
        firsthit.benchmark(
            "random-search", "bbob", functions=1, dimensions=2, instances="1-2", budget=20,
            algorithm=name, repetitions=repetitions, output=tmp_path / f"{name}.h5",
        )  # fmt: skip
    found = firsthit.load(tmp_path)
    assert any("surplus runs: 4 on" in note for note in found.performance_profile().notes)
    unequal = found.performance_profile(0.1, unequal=True)
    own = unequal["fraction"][unequal["algorithm"] == "b"]
    assert {round(6 * one, 9) % 1 for one in own.tolist()} == {0.0}


def test_what_cannot_be_asked_is_refused(write_log, tmp_path, pairs_folder):
    found = results(write_log, tmp_path, TRACES, optimum=None)
    with pytest.raises(AssessmentError, match="whose optimum is unknown"):
        found.data_profile(reference="optimum")
    assert len(found.data_profile())
    with pytest.raises(AssessmentError, match="two objectives"):
        firsthit.load(pairs_folder).performance_profile()


@pytest.mark.slow
def test_figures_have_a_panel_for_each_tolerance(write_log, tmp_path):
    found = results(write_log, tmp_path, TRACES)
    for draw in (found.plot.data_profile, found.plot.performance_profile):
        figure = draw("0.1,1e-3").figure
        assert [axes.get_title("left") for axes in figure.axes] == ["tau 0.1", "tau 0.001"]
        assert all(len(axes.get_lines()) >= 2 for axes in figure.axes)
    with pytest.raises(AssessmentError, match="room for 3 tolerances"):
        found.plot.data_profile("0.1,0.2,0.3,0.4")
