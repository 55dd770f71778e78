"""Answers in seconds, against plain loops over raw traces.

Private names: samples are opened in each cost, and records hold chosen seconds.
"""

import heapq
import math
from itertools import combinations

import numpy as np
import pytest

import firsthit
from firsthit.assessment import AssessmentError, decades
from firsthit.assessment.questions._framework import registry
from firsthit.assessment.questions._framework.render import drawings
from firsthit.assessment.report import report
from firsthit.assessment.samples.areas import open_areas
from firsthit.assessment.samples.at_budgets import open_at_budgets
from firsthit.assessment.samples.at_targets import open_at_targets
from firsthit.assessment.samples.curves import open_curves
from firsthit.assessment.selection import Selection
from firsthit.assessment.statistics.aocc import PrecisionScale
from firsthit.loggers import observe_problem, read_log
from firsthit.loggers.hdf5.writer import LogWriter
from firsthit.loggers.observation.stops import StopConditions
from firsthit.loggers.records.identity import RunIdentity
from firsthit.loggers.records.log_header import LogHeader
from firsthit.loggers.targets.grid import grid
from firsthit.suites import problem_from

from .questions import QUESTIONS, ask

TARGETS = "1e1,1,1e-1"
AIMS = (10.0, 1.0, 0.1)
TRACES = {}
"""Algorithm and instance to the second and the value of each evaluation, in order."""


def sphere(instance):
    return problem_from(lambda x: float(x @ x), 2, name="sphere", instance=instance,
                        optimal_value=0.0)  # fmt: skip


class Narrowing:
    """Points nearer and nearer to the optimum, whatever it is told."""

    def __init__(self, x0, rng, pace=0.97):
        self.rng, self.size, self.pace = rng, 4.0, pace

    def ask(self):
        self.size *= self.pace
        return self.rng.uniform(-self.size, self.size, 2)

    def tell(self, point, value):
        pass


@pytest.fixture(scope="module")
def log():
    """Two algorithms on three instances, 8 evaluators; the traces come from the durations."""

    def noting(name):
        def duration(x, rng):
            lasting = rng.lognormal(0, 0.5)
            ASKED.append((name, x.copy(), lasting))
            return lasting

        return duration

    ASKED = []
    problems = [sphere(instance) for instance in (1, 2, 3)]
    log = firsthit.benchmark(
        {"fast": {"use": Narrowing, "parameters": {"pace": 0.95}}, "slow": Narrowing},
        problems, budget=70, restarts=0, final_target=False, record="improvements",
        parallel=firsthit.Parallel(8, noting("any")),
    ).log  # fmt: skip
    runs = [ASKED[start : start + 70] for start in range(0, len(ASKED), 70)]
    for (problem, name), asked in zip(
        ((p, n) for p in problems for n in ("fast", "slow")), runs, strict=True
    ):
        free, ends = [0.0] * 8, []
        for number, (_, x, lasting) in enumerate(asked):
            start = heapq.heappop(free)
            heapq.heappush(free, start + lasting)
            ends.append((start + lasting, number, float(x @ x)))
        TRACES[name, problem.instance] = [(second, y) for second, _, y in sorted(ends)]
    return log


def hit(trace, target):
    return next((second for second, y in trace if y <= target), math.nan)


def best(trace, second):
    return min((y for when, y in trace if when <= second), default=math.inf)


def test_profiles_have_a_column_of_seconds_and_nothing_is_divided(log):
    results = firsthit.assessment.Results(log)
    table = results.ecdf(targets=TARGETS, count="seconds", runtimes="runs")
    assert table.names == ("algorithm", "suite", "dimension", "group", "seconds", "fraction")
    for algorithm, second, fraction in zip(
        table["algorithm"], table["seconds"], table["fraction"], strict=True
    ):
        hits = [hit(TRACES[algorithm, i], aim) for i in (1, 2, 3) for aim in AIMS]
        assert fraction == pytest.approx(np.mean([h <= second * (1 + 1e-12) for h in hits]))


def test_bands_references_and_areas_of_profiles_are_in_seconds_too(log):
    """As if evaluations were seconds: what is divided by the dimension would be half as large."""
    results = firsthit.assessment.Results(log)
    shown = {"targets": TARGETS, "count": "seconds", "runtimes": "runs"}
    plain = results.ecdf(**shown)
    band = results.ecdf(**shown, interval=0.9)
    assert band["seconds"].tolist() == plain["seconds"].tolist()
    inside = (band["low"] <= plain["fraction"]) & (plain["fraction"] <= band["high"])
    assert inside.all()
    profiles = results.ecdf(**shown, reference="best").profiles
    assert [one.axis for one in profiles] == ["seconds"] * 3
    (best,) = [one for one in profiles if one.reference]
    (fast,) = [one for one in profiles if one.algorithm == "fast"]
    assert best.budgets[-1] <= fast.budgets[-1]


def test_precisions_within_seconds_are_those_of_the_traces(log):
    budgets = [0.3, 1.0, 2.5, 7.0, 1000.0]
    for one in open_at_budgets(Selection.of(log, count="seconds"), budgets):
        assert one.budgets.tolist() == one.evaluations.tolist() == budgets
        assert one.exact.all()
        expected = [
            [best(TRACES[one.algorithm, instance], second) for second in budgets]
            for instance in one.instances.tolist()
        ]
        np.testing.assert_allclose(one.precision, expected)
        ends = [TRACES[one.algorithm, i][-1][0] for i in one.instances.tolist()]
        assert one.ended.tolist() == [sum(end < b for end in ends) for b in budgets]


def test_areas_are_means_over_seconds(log):
    """Against a sum over a fine grid of seconds."""
    seconds, scale = (np.arange(200_000) + 0.5) * 12.0 / 200_000, PrecisionScale()
    for one in open_areas(Selection.of(log, count="seconds"), 12.0, scale):
        assert one.budget == 12.0
        for instance, least, most in zip(one.instances, one.least, one.most, strict=True):
            trace = TRACES[one.algorithm, instance]
            values = np.minimum.accumulate([y for _, y in trace])
            place = np.searchsorted([second for second, _ in trace], seconds, side="right")
            merit = scale.score(np.append(np.inf, values)[place]).mean()
            assert least == pytest.approx(merit, abs=1e-4)
            assert most == pytest.approx(least)


def order_at(sides, target):
    """Runs by their second at the target, those that missed it by precision, as compare ranks."""
    ends = [trace[-1][0] for traces in sides for trace in traces if math.isnan(hit(trace, target))]
    until = min(ends, default=math.inf)
    return [
        [
            (0, hit(trace, target)) if hit(trace, target) <= until else (1, best(trace, until))
            for trace in traces
        ]
        for traces in sides
    ]


@pytest.mark.parametrize("target", [*AIMS, 0.003])
def test_comparisons_are_of_seconds(log, target):
    """Ratio and superiority of three runs each, and the exact test over all 20 ways to part six."""
    sides = [[TRACES[name, i] for i in (1, 2, 3)] for name in ("fast", "slow")]
    table = firsthit.assessment.Results(log).compare([target], count="seconds")
    arts = []
    for traces in sides:
        hits = [hit(trace, target) for trace in traces]
        spent = [t[-1][0] if math.isnan(h) else h for t, h in zip(traces, hits, strict=True)]
        reached = sum(not math.isnan(h) for h in hits)
        arts.append(sum(spent) / reached if reached else math.inf)
    first, second = order_at(sides, target)
    wins = np.mean([(a < b) + 0.5 * (a == b) for a in first for b in second])
    every = [*first, *second]
    sums = [sum(sorted(every).index(one) for one in some) for some in combinations(every, 3)]
    own = sums[0]
    tails = min(np.mean([one <= own for one in sums]), np.mean([one >= own for one in sums]))
    assert (table["art_first"][0], table["art_second"][0]) == pytest.approx(tuple(arts))
    if math.isfinite(arts[0]) and math.isfinite(arts[1]):
        assert table["ratio"][0] == pytest.approx(arts[0] / arts[1])
    assert table["superiority"][0] == pytest.approx(wins)
    assert table["p"][0] == pytest.approx(min(2 * tails, 1.0))


def test_curves_fall_at_the_seconds_of_improvements(log):
    for one in open_curves(Selection.of(log, count="seconds")):
        for instance, (seconds, precision) in zip(one.instances.tolist(), one.curves, strict=True):
            trace, least, expected = TRACES[one.algorithm, instance], math.inf, []
            for second, y in trace:
                if y < least:
                    least = y
                    expected.append((second, y))
            np.testing.assert_allclose(np.column_stack([seconds, precision]), expected)


def test_runs_that_record_first_hits_alone_have_bounds_in_seconds(log):
    """The precision within a second lies between what is told and its bound."""
    problem = sphere(1)
    made = firsthit.benchmark(
        Narrowing, [problem], budget=70, restarts=0, final_target=False,
        parallel=firsthit.Parallel(8, "lognormal(0, 0.5)"),
    ).log  # fmt: skip
    every = firsthit.benchmark(
        Narrowing, [problem], budget=70, restarts=0, final_target=False, record="improvements",
        parallel=firsthit.Parallel(8, "lognormal(0, 0.5)"),
    ).log  # fmt: skip
    budgets = np.linspace(0.2, 12, 60).tolist()
    (some,), (all_,) = (
        list(open_at_budgets(Selection.of(one, count="seconds"), budgets)) for one in (made, every)
    )
    assert (some.precision >= all_.precision).all()
    same = some.precision == all_.precision
    assert same[some.exact].all()
    assert some.exact.any()


def test_budgets_that_are_multiples_of_the_dimension_are_refused(log):
    with pytest.raises(AssessmentError, match="of the dimension, and the axis is in seconds"):
        open_at_budgets(Selection.of(log, count="seconds"), "10*D")
    with pytest.raises(AssessmentError, match="of areas over seconds, name one"):
        open_areas(Selection.of(log, count="seconds"), None, PrecisionScale())


def measured(path, host, monkeypatch, algorithm="a", clock="measured"):
    monkeypatch.setattr("platform.node", lambda: host)
    problem = sphere(1)
    run = observe_problem(
        problem, RunIdentity(algorithm, problem.problem_id), StopConditions(50), clock=clock
    )
    for k in range(20):
        run(np.full(2, 0.7**k))
    with LogWriter(path, LogHeader({algorithm: {}})) as writer:
        writer.add(run.finish("terminated"))


def test_seconds_of_machines_are_not_mixed_unless_told(tmp_path, monkeypatch):
    measured(tmp_path / "a.h5", "one", monkeypatch)
    measured(tmp_path / "b.h5", "two", monkeypatch, "b")
    log = read_log([tmp_path / "a.h5", tmp_path / "b.h5"])
    results = firsthit.assessment.Results(log)
    both = "are of the clock of one and of the clock of two"
    for question in (results.art, results.compare, results.ecdf, results.plot.convergence):
        with pytest.raises(AssessmentError, match=both):
            question(count="seconds")
    mixed = results.compare([1.0], count="mixed-seconds")
    assert any("seconds of the clock of one and of the clock of two" in n for n in mixed.notes)
    run_sets = open_at_targets(Selection.of(log, count="mixed-seconds"), TARGETS, decades).cells
    assert [one.clocks for one in run_sets] == [("the clock of one",), ("the clock of two",)]
    for one in run_sets:
        assert (np.diff(one.hits[0]) > 0).all()
        assert one.total[0] == log.runs.wall_seconds[log.runs.algorithm == one.algorithm][0]
    table = firsthit.assessment.Results(read_log(tmp_path / "a.h5")).art(
        targets=TARGETS, count="seconds"
    )
    assert any("seconds of the clock of one, and belong to it" in note for note in table.notes)


def test_runs_without_seconds_are_refused(tmp_path, monkeypatch):
    measured(tmp_path / "a.h5", "one", monkeypatch, clock="none")
    log = read_log(tmp_path)
    with pytest.raises(AssessmentError, match="1 of 1 runs have none; campaigns with 'parallel'"):
        open_at_targets(Selection.of(log, count="seconds"), TARGETS, decades)


def test_targets_between_those_recorded_have_the_second_of_their_evaluation(log):
    between = float(grid()[150]) * 1.01
    for one in open_at_targets(Selection.of(log, count="seconds"), [between], decades):
        for instance, found in zip(one.instances.tolist(), one.hits[:, 0], strict=True):
            assert found == pytest.approx(
                hit(TRACES[one.algorithm, instance], between), nan_ok=True
            )


COUNTING = [name for name, question in QUESTIONS.items() if question.counts]
OTHER_OPTIONS = [
    ("aocc", {"budget": 3.0}),
    ("art", {"interval": 0.9, "reference": "best"}),
    ("contributions", {"budget": 3.0}),
    ("dual-ecdf", {"reference": "fast"}),
    ("ecdf", {"fractions": "25,50", "interval": 0.9}),
    ("fixed-target", {"convention": "iohanalyzer", "budget": 3.0}),
    ("matrix", {"measure": "aocc", "budget": 3.0}),
    ("ranks", {"over": "budgets"}),
]


class Sliding:
    """The same values in any dimension, whatever it is told."""

    def __init__(self, x0, rng, pace=0.9):
        self.size, self.pace, self.rest = 4.0, pace, np.zeros(len(x0) - 1)

    def ask(self):
        self.size *= self.pace
        return np.append(self.size, self.rest)

    def tell(self, point, value):
        pass


@pytest.fixture(scope="module")
def by_dimension():
    """The same runs in 1-D and in 4-D."""
    found = {}
    for dimension in (1, 4):
        problems = [
            problem_from(lambda x, f=f, i=i: float(abs(x[0]) * f * (1 + i / 7)), dimension,
                         name="slide", number=f, instance=i, optimal_value=0.0)
            for f in (1, 2) for i in (1, 2, 3)
        ]  # fmt: skip
        found[dimension] = firsthit.benchmark(
            {"fast": {"use": Sliding, "parameters": {"pace": 0.85}}, "slow": Sliding},
            problems, budget=60, restarts=0, final_target=False, record="improvements",
            parallel=firsthit.Parallel(4, 0.3),
        ).log  # fmt: skip
    return found


def in_seconds(log, name, options):
    """The table, or the sentence that says why there is none."""
    try:
        return ask(firsthit.assessment.Results(log), name, count="seconds", **options)
    except AssessmentError as error:
        return str(error)


@pytest.mark.parametrize(("name", "options"), [*((n, {}) for n in COUNTING), *OTHER_OPTIONS])
def test_every_table_says_seconds_and_divides_nothing_by_the_dimension(by_dimension, name, options):
    small, large = (in_seconds(by_dimension[d], name, options) for d in (1, 4))
    if isinstance(large, str):
        assert "seconds" in large
        assert "\n" not in large
        return
    assert large.axis == "seconds"
    heads = [*large.names, *large.text_cells()[0]]
    assert not [head for head in heads if "evaluation" in head or "*D" in head]
    said = " ".join(large.notes)
    assert "seconds" in said
    assert "evaluations" not in said
    assert "/ dimension" not in said
    assert large.names == small.names
    assert len(large) == len(small)
    for column in set(large.names) - {"dimension"}:
        np.testing.assert_array_equal(large[column], small[column], err_msg=column)


@pytest.mark.slow
@pytest.mark.parametrize("kind", registry.figure_names())
def test_every_figure_and_its_caption_say_seconds(by_dimension, kind):
    from matplotlib.text import Text

    if not registry.figure(kind).question.counts:
        return
    if kind == "data-profile":
        with pytest.raises(AssessmentError, match="and not seconds"):
            list(drawings(kind, by_dimension[4], {"count": "seconds"}))
        return
    if kind in ("ecdf-dimensions", "scaling", "scaling-functions"):
        with pytest.raises(AssessmentError, match="two dimensions"):
            list(drawings(kind, by_dimension[4], {"count": "seconds"}))
        return
    drawn = list(drawings(kind, by_dimension[4], {"count": "seconds"}))
    words = [text.get_text() for one in drawn for text in one.figure.findobj(Text)]
    for text in [*words, *(one.caption for one in drawn)]:
        assert "evaluations" not in text
        assert "/ dimension" not in text
        assert " · D" not in text
    assert drawn


def test_a_curve_that_begins_before_the_first_second_is_shown(by_dimension):
    """The axis begins where the first step is, not at 1 second."""
    axes = firsthit.assessment.Results(by_dimension[4]).plot.ecdf(count="seconds")
    assert axes.get_xlim()[0] == pytest.approx(0.1)
    assert axes.get_xlabel() == "seconds"
    table = firsthit.assessment.Results(by_dimension[4]).fixed_budget(count="seconds")
    assert sorted(set(table["budget"])) == pytest.approx([0.01, 0.1, 1.0, 4.5])


def test_seconds_of_no_evaluations_are_no_error(kinds, tmp_path):
    """Of such runs budgets begin at one second; the report has its choice of seconds."""
    folder = kinds["runs without evaluations"]
    assert set(firsthit.load(folder).fixed_budget(count="seconds")["budget"]) == {1.0}
    assert report(folder, tmp_path / "page.html").is_file()
