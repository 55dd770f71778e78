"""The summary of a campaign: its numbers are those of other tables, its text fits a terminal."""

import csv
import io
import json
import re
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import firsthit
from firsthit.assessment import Results
from firsthit.loggers import read_log
from firsthit.suites import Suite

from ..command_line import succeed
from .conftest import dictated_problem, problem_id

INF = np.inf
HARDEST = 1e-8


def tables_of(text):
    """The tables of the text form, each as two lines of titles and its rows."""
    parts = [part.split("\n") for part in text.split("\n\n")]
    return [part for part in parts if len(part) > 1 and part[1].startswith("algorithm")]


def columns_of(table):
    """The columns of numbers of a table: the second line of the title -> cells from the top."""
    title, rows = table[1], table[2:]
    spans = [(match[0], *match.span()) for match in re.finditer(r"\S+( \S+)*", title)][1:]
    starts = [max(map(len, [table[1][: spans[0][1]].rstrip()]))] + [end for _, _, end in spans[:-1]]
    return {
        (name, end): [row[start:end].strip() for row in rows]
        for (name, _, end), start in zip(spans, starts, strict=True)
    }


def check_text(text):
    """No line is wider than 80 columns, and no column is empty."""
    assert max(map(len, text.split("\n"))) <= 80
    assert tables_of(text)
    for table in tables_of(text):
        for title, cells in columns_of(table).items():
            assert set(cells) - {"", "-"}, (title, table)


def rows_of(text):
    """The rows of the blocks: (dimension, algorithm) -> cells."""
    rows = {}
    for table in tables_of(text):
        dimension = int(table[0].partition("-D")[0])
        for row in table[2:]:
            name, *cells = re.split(r"\s{2,}", row)
            rows[dimension, name] = cells
    return rows


def run(algorithm="a", function=1, dimension=2, hit=None, length=20, **more):
    """A run that hits all targets at one evaluation, or none within its length."""
    precisions = [500.0] * ((hit or length + 1) - 1) + ([1e-9] if hit else [])
    return {
        "algorithm": algorithm, "function": function, "dimension": dimension,
        "precisions": precisions, **more,
    }  # fmt: skip


def runs_of(algorithms, dimensions, functions=(1, 2), **more):
    """Runs of many algorithms; the hits depend on algorithm, function and dimension."""
    return [
        run(name, function, dimension, hit=(3 + i + function) * dimension, **more)
        for i, name in enumerate(algorithms)
        for function in functions
        for dimension in dimensions
    ]


@pytest.fixture(scope="module")
def make_log(make_log, tmp_path_factory):
    """As the fixture of this name; with a budget (evaluations), the runs of a campaign."""

    def make(runs):
        if not any("budget" in one for one in runs):
            return make_log(runs)
        folder = tmp_path_factory.mktemp("campaigns")
        for name in dict.fromkeys(one["algorithm"] for one in runs):
            runs_by_problem = {
                problem_id("bbob", one["function"], one["dimension"], one.get("instance", 1)): one
                for one in runs
                if one["algorithm"] == name
            }
            for budget in dict.fromkeys(one["budget"] for one in runs_by_problem.values()):
                identities = [i for i, one in runs_by_problem.items() if one["budget"] == budget]
                benchmark_runs(
                    name, {i: runs_by_problem[i] for i in identities}, budget,
                    folder / f"{len([*folder.iterdir()])}.h5",
                )  # fmt: skip
        return read_log(folder)

    return make


def benchmark_runs(name, runs_by_problem, budget, output):
    """Make the runs of one algorithm with a budget (None: none)."""

    def solve(problem):
        key = problem.id_function, problem.id_dimension, problem.id_instance
        [one] = [
            one
            for identity, one in runs_by_problem.items()
            if (identity.function, identity.dimension, identity.instance) == key
        ]
        points = np.zeros((len(one["precisions"]), problem.dimension))
        points[:, 0] = one["precisions"]
        problem(points)
        if one.get("status") == "failed":
            raise RuntimeError("ended by the test")

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", firsthit.runner.FirsthitWarning)
        firsthit.benchmark(
            {name: solve}, [dictated_problem(i, 0.0) for i in runs_by_problem], budget=budget,
            restarts=0, output=output, progress=False,
        )  # fmt: skip


def test_columns_by_hand(make_log):
    """Function 1 solves 1e2 … 1e-1 (16 targets, aRT 4), function 2 all 51 (aRT 9)."""
    log = make_log(
        [
            {"function": 1, "precisions": [500.0, 500.0, 500.0, 0.1]},
            {"function": 2, "precisions": [500.0] * 8 + [1e-8]},
        ]
    )
    table = Results(log).summary()
    solved = (16 + 51) / 102
    expected = {
        "algorithm": "a", "suite": "bbob", "dimension": 2, "functions": 2, "runs": 2, "failed": 0,
        "solved": solved, "budget": 4.5, "pairs_budget": solved,
        "functions_1e-1": 2, "art_1e-1": 6.0, "common_1e-1": 2,
        "functions_1e-8": 1, "art_1e-8": 9.0, "common_1e-8": 1,
        "median_art": 4.5, "median_art_ratio": 1.0, "median_precision": (0.1 + 1e-8) / 2,
    }  # fmt: skip
    [row] = table.rows()
    assert dict(zip(table.names, row, strict=True)) == pytest.approx(expected)


def test_text_by_hand(make_log):
    """One run of b fails: aRT 40 + 100 on function 1, solved within 200 with 1/2 + 1/4."""
    log = make_log(
        [
            run("a", 1, hit=20, instance=1, budget=400),
            run("a", 2, length=400, instance=1, budget=400),
            run("b", 1, hit=40, instance=1, budget=400),
            run("b", 1, length=100, instance=2, budget=400, status="failed"),
            run("b", 2, hit=60, instance=1, budget=400),
            run("c", 1, length=400, instance=1, budget=400),
        ]
    )
    results = Results(log)
    assert str(results.summary()) == "\n".join(
        [
            "bbob, 2 functions, 2 instances, budget 200*D, 51 targets 1e2 … 1e-8",
            "",
            "2-D         failed     pairs solved within   functions   aRT/best",
            "algorithm     runs    10*D   100*D   200*D     to 1e-8    to 1e-8",
            "b                1     0 %    88 %    97 %         2/2    4.0 (2)",
            "a                -    50 %    50 %    50 %         1/2    1.0 (1)",
            "c                -     0 %     0 %     0 %         0/1          -",
        ]
    )
    check_text(str(results.summary()))
    profiles = {p.algorithm: p for p in results.ecdf(unequal=True).profiles}
    assert [f"{profiles['b'].at(budget):.2f}" for budget in (100, 200)] == ["0.88", "0.97"]


def test_means_of_art_are_over_the_same_functions(make_log):
    """b solves the hard function too, which must not make it look slower."""
    hits = {"a": {1: 10, 2: None}, "b": {1: 10, 2: 90}, "c": {1: 20, 3: 50}}
    log = make_log([run(name, f, hit=n) for name, of in hits.items() for f, n in of.items()])
    table = Results(log).summary()
    assert table["functions_1e-8"].tolist() == [1, 2, 2]
    assert table["art_1e-8"].tolist() == pytest.approx([10, 10, 20])
    assert table["common_1e-8"].tolist() == [1, 1, 1]
    assert Results(log).summary(functions="2-3")["common_1e-8"].tolist() == [0, 0, 0]
    assert Results(log).summary(algorithms="b")["art_1e-8"].tolist() == pytest.approx([30.0])


def test_nothing_solved(make_log):
    table = Results(make_log([{"precisions": [1e9]}])).summary()
    assert table["solved"].tolist() == [0.0]
    assert table["art_1e-8"].tolist() == [INF]
    assert np.isnan(table["median_art"]).all()
    assert str(table).split("\n")[-1].split() == ["a", "0", "%", "0/1"]
    assert not any("aRT" in note for note in table.notes)
    check_text(str(table))


@pytest.fixture(scope="module")
def log_of_budget(tmp_path_factory):
    """Logs of three algorithms with the budget 30*D; one fails, and one lacks a function."""
    path = tmp_path_factory.mktemp("budget")

    def walk(problem, rng):
        x = problem.initial_solution
        for k in range(10**6):
            problem(x + 0.8**k * rng.standard_normal(len(x)))

    def fails(problem, rng):
        for _ in range(12):
            problem(rng.uniform(-5, 5, problem.dimension))
        raise ValueError("out of range")

    suite = [*Suite("bbob", functions=[1, 2, 8], dimensions=[2, 5], instances="1-4")]
    budget = "30*D"
    firsthit.benchmark(walk, suite[:-4], algorithm="walk", budget=budget, output=path / "1.h5")
    firsthit.benchmark({"lbfgs": "scipy:L-BFGS-B"}, suite, budget=budget, output=path / "2.h5")
    with pytest.warns(UserWarning, match="runs failed"):
        firsthit.benchmark({"fails": fails}, suite, budget=budget, output=path / "3.h5")
    return path


def csv_rows(*words):
    return list(csv.DictReader(io.StringIO(succeed("assess", *words, "--format", "csv").stdout)))


def test_cells_are_those_of_ecdf_and_art(log_of_budget):
    """The commands print the numbers; the budget 30*D lies between two of the profile's steps."""
    text = succeed("assess", "summary", log_of_budget).stdout.removesuffix("\n")
    check_text(text)
    cells, columns = rows_of(text), csv_rows("summary", log_of_budget)
    assert len(cells) == len(columns) == 6
    steps = csv_rows("ecdf", log_of_budget, "--unequal")
    averages = csv_rows("art", log_of_budget, "--targets", "1e-8")
    least = {}
    for row in averages:
        key = row["function"], row["dimension"]
        least[key] = min(float(row["art"]), least.get(key, INF))
    for row in columns:
        name, dimension = row["algorithm"], row["dimension"]
        curve = [
            (float(s["evaluations_per_dimension"]), float(s["fraction"]))
            for s in steps
            if (s["algorithm"], s["dimension"]) == (name, dimension)
        ]
        within_10 = [share for budget, share in curve if budget <= 10][-1]
        assert float(row["pairs_10D"]) == pytest.approx(within_10, abs=1e-12)
        within_30 = float(row["pairs_budget"])
        below = [share for budget, share in curve if budget <= 30][-1]
        above = [share for budget, share in curve if budget >= 30][:1] or [below]
        assert below <= within_30 <= above[0]
        arguments = ["--algorithms", name, "--dimensions", dimension, "--unequal"]
        percents = f"{100 * within_30 - 1e-9},{min(100 * within_30 + 1e-6, 100)}"
        reached, missed = csv_rows("ecdf", log_of_budget, *arguments, "--fractions", percents)
        assert float(reached["evaluations_per_dimension"]) <= 30 * (1 + 1e-12)
        assert float(missed["evaluations_per_dimension"]) > 30

        art_rows = [r for r in averages if (r["algorithm"], r["dimension"]) == (name, dimension)]
        hits = {r["function"]: float(r["art"]) for r in art_rows if int(r["successes"])}
        assert (int(row["functions_1e-8"]), int(row["functions"])) == (
            len(hits),
            len(art_rows),
        )
        expected = [
            f"{100 * within_10:.0f} %", f"{100 * within_30:.0f} %",
            f"{len(hits)}/{len(art_rows)}", "-",
        ]  # fmt: skip
        if hits:
            ratios = [art / least[f, dimension] for f, art in hits.items()]
            assert float(row["median_art_ratio"]) == pytest.approx(np.median(ratios))
            per_dimension = np.median(list(hits.values())) / int(dimension)
            assert float(row["median_art"]) == pytest.approx(per_dimension)
            expected[-1] = f"{np.median(ratios):.1f} ({len(hits)})"
        n_failed = 12 if name == "fails" else 0
        assert int(row["failed"]) == n_failed
        assert cells[int(dimension), name] == [str(n_failed or "-"), *expected]


@pytest.mark.parametrize("name", ["a", "b", "c"])
def test_other_algorithms_change_only_comparisons(make_log, random_runs, name):
    runs = random_runs(1, "a") + random_runs(2, "b", functions=(1, 2)) + random_runs(3, "c")
    runs = [{**r, "budget": 150 * r["dimension"]} for r in runs]
    table = Results(make_log(runs)).summary(algorithms=["a", "b", "c"])
    alone = Results(make_log([r for r in runs if r["algorithm"] == name])).summary()
    is_shown = table["algorithm"] == name
    depending = {"median_art_ratio", *(n for n in table.names if re.match("art_|common_", n))}
    for column in set(table.names) - depending:
        np.testing.assert_array_equal(table[column][is_shown], alone[column])


def test_one_algorithm_has_average_runtimes_by_dimension(make_log):
    results = Results(make_log(runs_of(["a"], [2, 5], functions=(1, 2, 3), budget=5000)))
    text = str(results.summary())
    check_text(text)
    assert "budget 5000 evaluations" in text
    for dimension, budget in ((2, "2500*D"), (5, "1000*D")):
        art = results.art(targets=HARDEST, dimensions=dimension)["art"]
        cells = rows_of(text)[dimension, "a"]
        assert cells[-1] == f"{np.median(art) / dimension:.1f} (3)"
        [table] = [t for t in tables_of(text) if t[0].startswith(f"{dimension}-D")]
        assert "aRT/D" in table[0]
        assert budget in table[1]
    assert any(
        "aRT/D: average runtime (aRT) divided by the dimension" in note
        for note in results.summary().notes
    )


def test_a_budget_that_is_no_power_of_ten_has_a_column(make_log):
    for multiple, titles in (
        (1000, ["10*D", "100*D", "1000*D"]),
        (300, ["10*D", "100*D", "300*D"]),
    ):
        text = str(Results(make_log(runs_of("ab", [2], budget=2 * multiple))).summary())
        assert f"budget {multiple}*D" in text
        assert [t for t, _ in columns_of(tables_of(text)[0])][:3] == titles


def test_runs_with_different_or_unknown_budgets_are_shown_to_the_longest(make_log):
    for budgets in ((None, None), (100, 200)):
        runs = [
            run(name, hit=20, length=20, budget=budget)
            for name, budget in zip("ab", budgets, strict=True)
        ]
        text = str(Results(make_log([*runs, run("b", 2, length=74, budget=budgets[1])])).summary())
        assert "longest run 37*D" in text
        assert "37*D" in tables_of(text)[0][1]


@pytest.mark.slow
def test_many_rows_are_a_matrix_and_the_largest_dimension(make_log):
    names = [f"algorithm-{i}" for i in range(12)]
    runs = runs_of(names, [2, 3, 5, 10], budget=6000)
    runs = [r for r in runs if (r["algorithm"], r["dimension"]) != ("algorithm-3", 10)]
    runs[0] = run(names[0], length=20, budget=6000, status="failed")
    few = str(Results(make_log(runs)).summary(dimensions=[2, 3, 5]))
    assert [t[0].split()[0] for t in tables_of(few)] == ["2-D", "3-D", "5-D"]
    check_text(few)
    text = str(Results(make_log(runs)).summary())
    check_text(text)
    matrix, block = tables_of(text)
    assert sorted(row.split()[0] for row in matrix[2:]) == sorted(names)
    assert matrix[1].split() == ["algorithm", "runs", *["2-D", "3-D", "5-D", "10-D"] * 2]
    assert "pairs solved within budget" in matrix[0]
    assert "functions to 1e-8" in matrix[0]
    first = next(row for row in matrix if row.startswith("algorithm-0 "))
    assert first.split()[1:2] == ["1"]
    table = Results(make_log(runs)).summary(algorithms="algorithm-0")
    assert re.findall(r"\d+ %", first) == [f"{100 * x:.0f} %" for x in table["pairs_budget"]]
    assert re.findall(r"\d+/\d+", first) == ["1/2", "2/2", "2/2", "2/2"]
    assert block[0].startswith("10-D")
    assert len(block) == 2 + 11


@pytest.mark.slow
def test_more_than_40_algorithms_of_one_dimension_are_one_block(make_log):
    text = str(Results(make_log(runs_of([f"a{i}" for i in range(50)], [2]))).summary())
    [block] = tables_of(text)
    assert len(block) == 2 + 50
    check_text(text)


NAMES = st.text("abcdefghij-[]=,. 0123456789", min_size=1, max_size=100).map(str.strip)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(
    st.lists(NAMES.filter(bool), min_size=1, max_size=12, unique=True),
    st.sampled_from([(2,), (2, 5), (2, 3, 5, 10), (2, 3, 5, 10, 20, 40), tuple(range(2, 14))]),
    st.sampled_from([None, 3, 10, 250, 123456, 10**7, 123456789]),
    st.booleans(),
)
def test_every_text_fits(make_log, names, dimensions, budget, fails):
    runs = runs_of(names, dimensions, functions=(1,), budget=budget)
    runs[-1]["status"] = "failed" if fails else "budget"
    text = str(Results(make_log(runs)).summary())
    check_text(text)
    for name in names:
        assert "".join(name.split()) in "".join(text.split())


def test_two_objectives(pairs_folder):
    results = firsthit.load(pairs_folder)
    text, table = str(results.summary()), results.summary()
    check_text(text)
    middle = results.log.suites["pairs"].measurement.targets[1]  # the second of four
    assert middle == 0.1
    steps = results.ecdf(unequal=True)
    for (dimension, name), cells in rows_of(text).items():
        runs = results.filter(algorithms=name, dimensions=dimension)
        precision = float(cells[-1])
        assert precision == pytest.approx(np.median(runs.log.runs["best_precision"]), rel=1e-3)
        assert cells[-2] == f"{(runs.art(targets=middle)['successes'] > 0).sum()}/2"
        [profile] = [p for p in steps.profiles if (p.algorithm, p.dimension) == (name, dimension)]
        assert cells[0] == f"{100 * profile.at(10):.0f} %"
    assert "pairs reached within" in text
    assert all(" to 1e-1 " in table[1] for table in tables_of(text))
    assert "aRT" not in text
    assert "solved" not in text
    assert table.names[-1] == "median_precision"


@pytest.mark.parametrize(
    ("arguments", "counted"), [((), "f + g"), (("--count", "f"), "f"), (("--count", "g"), "g")]
)
def test_the_heading_says_which_evaluations_are_counted(kinds, arguments, counted):
    text = succeed("assess", "summary", kinds["constraints"], *arguments).stdout
    check_text(text)
    heading = text.partition("\n\n")[0].replace("\n", " ")
    assert heading.endswith(f"; evaluations of {counted} are counted")


def test_a_budget_that_counts_f_alone_is_not_one_of_both(tmp_path):
    def solve(problem):
        while True:
            x = problem.initial_solution
            problem.constraint(x), problem(x)

    suite = Suite("bbob-constrained", functions=1, dimensions=2, instances=1)
    for budget, said in (
        ("20*D", r"budget 20\*D of f, longest run 40(\.5)?\*D, "), ("20*D f+g", r"budget 20\*D, "),
    ):  # fmt: skip
        text = str(firsthit.benchmark(solve, suite, budget=budget).summary())
        assert re.search(said, text.replace("\n", " "))


@pytest.mark.parametrize(
    "kind",
    ["one run", "runs without evaluations", "unequal sets", "two objectives", "constraints"],
)
def test_every_kind_of_log_has_a_text(kinds, kind):
    text = succeed("assess", "summary", kinds[kind]).stdout
    check_text(text)
    assert text == f"{firsthit.load(kinds[kind]).summary()}\n"


def test_the_other_forms_have_all_columns(log_of_budget):
    table = firsthit.load(log_of_budget).summary()
    [head, *_] = table.to_csv().splitlines()
    assert head.split(",") == list(table.names)
    assert list(json.loads(table.to_json())[0]) == list(table.names)
    latex = table.to_latex()
    assert all(name in latex for name in ("failed", r"pairs\_10D", r"median\_art\_ratio"))
    assert "nan" not in latex


def test_budgets_may_be_seconds():
    class Sampling:
        def __init__(self, problem, rng):
            self.problem, self.rng = problem, rng

        def ask(self):
            return self.rng.uniform(-5, 5, self.problem.dimension)

        def tell(self, x, y):
            pass

    suite = Suite("bbob", functions=1, dimensions=2, instances="1-3")
    parallel = firsthit.Parallel(evaluators=2, duration=0.5)
    results = firsthit.benchmark({"a": Sampling}, suite, budget=200, parallel=parallel)
    text = str(results.summary(count="seconds"))
    check_text(text)
    assert "budget 100*D, longest run 50 s, " in text
    assert "; runtimes are in seconds" in text.partition("\n\n")[0].replace("\n", " ")
    [table] = tables_of(text)
    assert [title for title, _ in columns_of(table)][:4] == ["0.1 s", "1 s", "10 s", "50 s"]
    [profile] = results.ecdf(count="seconds").profiles
    cells = columns_of(table)["10 s", table[1].index("10 s") + len("10 s")]
    assert cells == [f"{100 * profile.at(10):.0f} %"]


def test_only_columns_that_are_shown_are_explained(make_log):
    """Two algorithms in 2-D, one of them in 5-D: both forms of the last column are shown."""
    results = Results(make_log([*runs_of("ab", [2]), *runs_of("a", [5])]))
    for selectors, titles in (({}, ["aRT/best", "aRT/D"]), ({"dimensions": 5}, ["aRT/D"])):
        table = results.summary(**selectors)
        shown = [title for title in ("aRT/best", "aRT/D") if title in str(table)]
        explained = [
            title
            for title in ("aRT/best", "aRT/D")
            if any(note.startswith(f"{title}:") for note in table.notes)
        ]
        assert shown == explained == titles


def test_missing_problems_are_named(make_log):
    runs = [
        run(name, function, dimension, hit=5, instance=instance)
        for name in "abc"
        for function in (1, 2, 3, 4)
        for dimension in (2, 5)
        for instance in (1, 2)
    ]
    lacking = {("b", 2), ("b", 3)}
    runs = [r for r in runs if (r["algorithm"], r["function"]) not in lacking]
    runs = [r for r in runs if not (r["algorithm"] == "c" and r["function"] == 4 and
            r["dimension"] == 5 and r["instance"] == 2)]  # fmt: skip
    notes = Results(make_log(runs)).summary().notes
    assert (
        "different problems: b lacks f2, 3 in 2, 5-D; c lacks instances 2 of f4 in 5-D; rows of an "
        "algorithm include only the problems that it was run on."
    ) in notes
    equal = Results(make_log(runs)).summary(functions=1)
    assert not any("different problems" in note for note in equal.notes)
