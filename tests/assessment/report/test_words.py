"""The answer in words and stars: by hand, and how often it is wrong where nothing is to tell.

Private names: the sentences of a report are made from runs with chosen first hits.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.assessment.questions.art.section import stars
from firsthit.assessment.report import report
from firsthit.assessment.report.answer import Wording, compare_algorithms, explain_method
from firsthit.assessment.report.standings import grouped_shares
from firsthit.assessment.targets.target_sets import common_set

from ..conftest import problem_id
from ..run_sets import ranked, run_set

INSTANCES = 15


def simulated(algorithm, rng, functions=8, factor=1.0, runs=INSTANCES):
    """Runs whose runtimes to ten targets rise at random; some targets are never hit."""
    made = []
    for function in range(1, functions + 1):
        steps = rng.exponential(60.0, (runs, 10)).cumsum(axis=1) * factor
        hits = np.where(steps <= 1000, np.ceil(steps), np.nan)
        made.append(run_set(algorithm, hits, function=function))
    return made


def answer(*data, seed=1):
    [found] = compare_algorithms([t for one in data for t in one], {}, seed)
    return found


def sentences(*data, seed=1):
    """Of all functions together, one for each power of ten."""
    return [said for one, said in answer(*data, seed=seed).standings if one.group == "all"]


def test_shares_are_counted_by_hand():
    one = run_set("a", [[2, 20], [4, np.nan]])
    shares = grouped_shares([one], np.array([1.0, 2.0, 10.0]), 1, {})[""]
    np.testing.assert_array_equal(shares.share, [0.25, 0.5, 0.75])


def test_the_first_is_named_with_its_factor():
    fast = [run_set("fast", np.full((INSTANCES, 4), 20.0))]
    slow = [run_set("slow", np.full((INSTANCES, 4), 60.0))]
    first = sentences(fast, slow)[0]
    assert first == (
        "Within 10 evaluations per dimension, fast is first with 100.0% of the pairs, 100.0 points "
        "(100.0 to 100.0) ahead of slow, which needs 3.2 times (3.2 to 3.2) as many evaluations "
        "to get there."
    )  # 60 / 2 = 30 lies between the 20 budgets a decade: 10**(30/20) = 31.6, 3.16 times 10


def test_an_algorithm_that_never_reaches_the_share():
    fast = [run_set("fast", np.full((INSTANCES, 4), 20.0))]
    never = [run_set("never", np.full((INSTANCES, 4), np.nan))]
    assert "ahead of never, which never reached that share." in sentences(fast, never)[0]


def test_equal_algorithms_cannot_be_told_apart():
    data = simulated("a", np.random.default_rng(3))
    same = [run_set("b", t.hits, function=t.function) for t in data]
    for sentence in sentences(data, same):
        assert (
            "it is not certain which is first: a (" in sentence
            or "no algorithm solves any" in sentence
        )


def test_instances_are_paired():
    """Runs that differ only by their instance's difficulty are told apart by the pairing."""
    rng = np.random.default_rng(5)
    hard = rng.exponential(100.0, (INSTANCES, 10)).cumsum(axis=1)
    order = rng.permutation(INSTANCES)
    a = [run_set("a", hard)]
    b = [run_set("b", hard[order] * 1.15, instances=order + 1)]
    assert "a is first" in sentences(a, b)[1]


def test_a_single_algorithm_is_told_with_its_interval():
    [sentence, *_] = sentences([run_set("only", np.full((INSTANCES, 2), 4.0))])
    assert sentence == (
        "Within 10 evaluations per dimension, only solves 100.0% of the pairs (76.5% to 100.0%)."
    )  # Wilson's interval of 15 of 15 with Student's 2.145: 1 / (1 + 2.145² / 15)


def test_only_functions_that_all_have_are_compared():
    a = [run_set("a", np.full((5, 1), 4.0), function=f) for f in (1, 2)]
    b = [run_set("b", np.full((5, 1), 8.0), function=f) for f in (2, 3)]
    said = answer(a, b).sentences
    assert said[0] == "Compared on the 1 functions that all were run on."
    assert answer(a[:1], b).sentences[0].startswith("The algorithms were run on different")


def test_suites_and_dimensions_stay_apart():
    data = [run_set("a", np.full((5, 1), 4.0), dimension=d) for d in (5, 2)]
    assert [(one.suite, one.dimension) for one in compare_algorithms(data, {})] == [
        ("bbob", 2),
        ("bbob", 5),
    ]


def test_the_seed_repeats():
    data = simulated("a", np.random.default_rng(1)), simulated("b", np.random.default_rng(2))
    assert sentences(*data, seed=7) == sentences(*data, seed=7)


def test_leads_are_differences_with_their_order():
    data = [run_set(name, np.full((6, 4), hit)) for name, hit in (("c", 400), ("b", 60), ("a", 2))]
    by_budget = {one.budget: one for one, _ in answer(*[[one] for one in data]).standings}
    assert list(by_budget) == [10.0, 100.0, 500.0]
    ten, hundred = by_budget[10.0], by_budget[100.0]
    assert [(p.algorithm, p.share, p.behind) for p in ten.places] == [
        ("a", 1.0, 0.0), ("b", 0.0, 1.0), ("c", 0.0, 1.0),
    ]  # fmt: skip
    assert ten.near == ()
    assert [p.algorithm for p in hundred.places] == ["a", "b", "c"]
    assert hundred.near == ("b",)


def test_groups_have_standings_of_their_functions_alone():
    fast_on = {"a": 1, "b": 2}
    data = [
        run_set(
            name, np.full((6, 2), 4.0 if function == fast_on[name] else np.nan), function=function
        )
        for name in "ab"
        for function in (1, 2)
    ]
    [found] = compare_algorithms(data, {"bbob": {"one": (1,), "two": (2, 9), "none": (7,)}})
    firsts = {(one.group, one.functions): one.places[0].algorithm for one, _ in found.standings}
    assert firsts[("one", (1,))] == "a"
    assert firsts[("two", (2,))] == "b"
    assert {group for group, _ in firsts} == {"all", "one", "two"}
    said = {one.group: text for one, text in found.standings if one.budget == 10.0}
    assert said["two"].startswith("Within 10 evaluations per dimension, on f2, b is first with")


def test_without_groups_each_function_is_compared():
    data = [run_set("a", np.full((5, 2), 4.0), function=function) for function in (3, 4)]
    [found] = compare_algorithms(data, {})
    assert {one.group for one, _ in found.standings} == {"all", "f003", "f004"}


def test_repetitions_on_instances_are_drawn_with_their_instance():
    """Three instances five times each are three draws, not fifteen."""
    rng = np.random.default_rng(2)
    by_instance = np.repeat(rng.exponential(300.0, (3, 10)).cumsum(axis=1), 5, axis=0)
    repeated = run_set("a", by_instance, instances=np.repeat([1, 2, 3], 5))
    budgets = np.array([10.0, 100.0, 1000.0])
    apart = grouped_shares([run_set("a", by_instance)], budgets, 1, {})[""]
    together = grouped_shares([repeated], budgets, 1, {})[""]
    np.testing.assert_allclose(apart.share, together.share)
    assert (together.runs, apart.runs) == (3, 15)
    assert together.resamples[:, 2].std() > 1.5 * apart.resamples[:, 2].std()


@pytest.mark.parametrize(("runs", "functions"), [(1, 1), (1, 24), (2, 4), (5, 1)])
def test_too_few_runs_are_said_to_be_too_few(runs, functions):
    """Before: a lead of +50 points (-125 … +145) with 2 runs, and a sure one with a single run."""
    fast, slow = (
        [run_set(name, np.full((runs, 2), hit), function=f) for f in range(1, functions + 1)]
        for name, hit in (("fast", 10.0), ("slow", 90.0))
    )
    found = answer(fast, slow)
    [standing] = [one for one, _ in found.standings if (one.group, one.budget) == ("all", 10.0)]
    assert standing.near == ("slow",)
    assert all(np.isnan([p.behind_low, p.behind_high]).all() for p in standing.places)
    said = "there are too few runs to say which is first: fast (100.0%), slow (0.0%)."
    assert said in found.sentences[0]
    alone = answer(fast[:1]).sentences[0]
    assert ("(too few runs for an interval)" in alone) == (runs == 1)


@given(st.integers(2, 6), st.integers(1, 3), st.integers(2, 4), st.integers(0, 10**6))
def test_intervals_never_leave_the_possible(runs, functions, algorithms, seed):
    """Shares lie in 0 … 1, differences of shares in -1 … 1, whatever the runs."""
    rng = np.random.default_rng(seed)
    data = []
    for name in "abcd"[:algorithms]:
        for f in range(1, functions + 1):
            hits = np.sort(rng.integers(1, 200, (runs, 2)).astype(float), axis=1)
            hits[rng.random(runs) < 0.5] = np.nan
            data.append(run_set(name, hits, function=f))
    for one, _ in answer(data).standings:
        for place in one.places:
            shares = np.array([place.share, place.low, place.high])
            assert ((shares >= 0) & (shares <= 1)).all()
            behind = np.array([place.behind_low, place.behind, place.behind_high])
            if functions * (runs - 1) < 5 or (one.group != "all" and runs < 6):
                assert np.isnan(behind[[0, 2]]).all()
            else:
                assert (np.diff(behind) >= 0).all()
                assert (np.abs(behind) <= 1).all()


@pytest.mark.slow
@pytest.mark.parametrize(("functions", "runs"), [(8, INSTANCES), (5, 5), (1, 6)])
def test_false_alarms_are_rare(functions, runs):
    """Two algorithms of one distribution: some budget's sentence names a first in few pairs."""
    size = {"functions": functions, "runs": runs}
    alarms = budgets = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        said = sentences(simulated("a", rng, **size), simulated("b", rng, **size), seed=seed)
        budgets += len(said)
        alarms += sum("is first with" in sentence for sentence in said)
    assert alarms / budgets <= 0.08  # 5 % and the error of 200 sentences


def test_a_factor_of_two_is_found():
    found = 0
    for seed in range(10):
        rng = np.random.default_rng(seed)
        said = sentences(simulated("a", rng), simulated("b", rng, factor=2.0), seed=seed)
        found += "a is first" in said[1]
    assert found == 10


def test_hypervolumes_are_reached_not_solved():
    """Of two objectives the words speak of targets of the hypervolume."""
    wording = Wording.of(open_ended=True, by_hypervolume=True)
    data = [run_set("a", np.full((6, 4), 20.0)), run_set("b", np.full((6, 4), 600.0))]
    for runs, words in (
        (data, "a is first with 100.0% of the hypervolume targets"),
        (data[:1], "a reaches 100.0% of the hypervolume targets"),
    ):
        [found] = compare_algorithms(runs, {}, wordings={"bbob": wording})
        assert words in found.standings[-2][1]
    late = [run_set(name, np.full((6, 4), 900.0)) for name in "ab"]
    [found] = compare_algorithms(late, {}, wordings={"bbob": wording})
    assert "no algorithm reaches any hypervolume target." in found.standings[0][1]
    assert "falls short of the reference" in explain_method([wording])
    assert "reference" not in explain_method([Wording()])
    assert "the runs solved" in explain_method([Wording()])


def test_the_page_says_that_runs_are_too_few(browser, write_log, tmp_path):
    for name, last in (("a", 50.001), ("b", 70.0)):
        rows = [(problem_id("bbob", 1, 2, i), 50.0, np.array([150.0, last])) for i in (1, 2)]
        write_log(tmp_path / f"{name}.h5", name, rows)
    browser.open(report(tmp_path, tmp_path / "few.html"))
    browser.look_at("answer")
    text = "document.querySelector(arguments[0]).textContent"
    assert browser.js(text, "#answer .interval").strip() == "(too few runs to say)"
    behind = browser.js(text, "#answer .places li:nth-child(2) .behind")
    assert "(too few runs to say) may be first" in behind
    assert "too few runs to say which is first: a (" in browser.js(text, "#answer .said")


RUNS = 15


def test_a_clear_difference_has_a_star_and_equal_runs_have_none():
    fast, slow = np.arange(1.0, RUNS + 1), np.arange(1.0, RUNS + 1) + 100
    both = [ranked("a", np.column_stack([fast, fast])), ranked("b", np.column_stack([slow, fast]))]
    assert stars(both, common_set((1.0, 1e-8))) == {("a", "bbob", 1, 2, 1.0)}


def test_what_nobody_reached_has_no_star():
    never = np.full(RUNS, np.nan)
    assert stars([ranked("a", never), ranked("b", never)], common_set((1e-8,))) == set()


def test_one_algorithm_has_no_star():
    assert stars([ranked("a", np.arange(1.0, RUNS + 1))], common_set((1e-8,))) == set()


def test_p_values_are_multiplied_by_functions_and_other_algorithms():
    """A shift by 5.5 of 15 ranks, p about 0.006: a star alone, none among 24 functions."""
    a = np.arange(1.0, RUNS + 1)
    b = a + 5.5
    assert len(stars([ranked("a", a), ranked("b", b)], common_set((1e-8,)))) == 1
    many = [ranked(name, x, function=f) for f in range(1, 25) for name, x in (("a", a), ("b", b))]
    assert stars(many, common_set((1e-8,))) == set()
