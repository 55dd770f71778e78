"""References and losses: by hand, and equal to cocopp's for the data in ``tests`` and best2009.

Private names: references are computed from runs with chosen first hits.
"""

import tarfile
from types import SimpleNamespace

import numpy as np
import pytest

import firsthit
from firsthit.assessment import AssessmentError, Results, references
from firsthit.assessment.questions._framework.context import Choices, read_context
from firsthit.assessment.questions.best import best_table, shares_table
from firsthit.assessment.questions.ecdf.section import section
from firsthit.assessment.questions.loss import loss_table
from firsthit.assessment.references import best_of_algorithms, by_cell
from firsthit.assessment.statistics.ratios import runtime_loss
from firsthit.assessment.targets.budgets import parse_budgets
from firsthit.assessment.targets.runlength import runtimes_at
from firsthit.assessment.targets.target_sets import common_set
from firsthit.suites.errors import UnknownNameError

from .conftest import write_reference
from .run_sets import run_set

TARGETS = common_set((10.0, 1.0, 0.1))


def entry_of(targets, average_runtimes):
    """A reference of averages only, as read from COCO's files."""
    return SimpleNamespace(
        suite="bbob", function=1, dimension=2, targets=np.array(targets),
        average_runtimes=np.array(average_runtimes),
    )  # fmt: skip


FAST = run_set("fast", [[2, 20, np.nan], [4, 40, np.nan]], [100, 100])
SURE = run_set("sure", [[10, 30, 50], [10, 30, np.nan]], [50, 70])


def test_the_best_by_hand():
    """aRT of fast: 3, 30, never; of sure: 10, 30, (50 + 70) / 1. Equal ones: first by name."""
    entries = best_of_algorithms([SURE, FAST], TARGETS)
    table = best_table(entries, TARGETS)
    assert table["art"].tolist() == [3.0, 30.0, 120.0]
    assert table["algorithm"].tolist() == ["fast", "fast", "sure"]
    assert table["successes"].tolist() == [2, 2, 1]
    (entry,) = entries
    assert entry.runs_of(0)[0].tolist() == [2.0, 4.0]
    hits, spent = entry.runs_of(2)
    assert (hits[0], np.isnan(hits[1]), spent.tolist()) == (50.0, True, [50.0, 70.0])
    assert list(shares_table(entries).rows()) == [
        ("bbob", 2, "fast", 2, 2 / 3),
        ("bbob", 2, "sure", 1, 1 / 3),
    ]


def test_runtimes_of_the_best_are_those_of_the_winners_runs():
    (entry,) = best_of_algorithms([SURE, FAST], TARGETS)
    drawn = entry.simulated_runtimes(4000, np.random.default_rng(1))
    assert set(drawn[:, 0]) == {2.0, 4.0}
    assert set(drawn[:, 1]) == {20.0, 40.0}
    assert drawn.mean(axis=0) == pytest.approx([3.0, 30.0, 120.0], rel=0.05)


def test_nobody_has_what_nobody_reached():
    never = run_set("never", [[np.nan] * 3], [100])
    entries = best_of_algorithms([never], TARGETS)
    table = best_table(entries, TARGETS)
    assert table["art"].tolist() == [np.inf] * 3
    assert set(table["algorithm"]) == {""}
    assert len(shares_table(entries)) == 0


def test_the_best_is_never_worse_than_any_and_is_one_of_them(loaded):
    best = loaded.best()
    art = loaded.art()
    for row in best.rows():
        _, function, dimension, target, value, name, *_ = row
        mine = (art["function"] == function) & (art["dimension"] == dimension)
        others = art["art"][mine & (art["target"] == target)]
        assert value == others.min()
        if name:
            of_name = mine & (art["target"] == target) & (art["algorithm"] == name)
            assert art["art"][of_name].tolist() == [value]


def test_lookups_take_the_next_harder_entry():
    entry = entry_of([10.0, 0.1], [5.0, 9.0])
    wanted = [100, 10, 10 * (1 - 1e-12), 1, 0.1, 0.01]
    found = runtimes_at(entry.targets, entry.average_runtimes, wanted)
    assert found.tolist() == [5.0, 5.0, 5.0, 9.0, 9.0, np.inf]
    with pytest.raises(AssessmentError, match="f1 of 'bbob' in 2-D twice"):
        by_cell([entry, entry])


def test_loss_by_hand():
    """Stagnation: at budget 100 the algorithm is still at its second target, the best is beyond."""
    art, best = [10.0, 40.0, np.inf], [5.0, 10.0, 20.0]
    coco = runtime_loss(art, best, [9.0, 10.0, 30.0, 100.0])
    assert coco.ratio.tolist()[1:] == [10 / 5, 30 / 5, 100 / 10]
    assert np.isnan(coco.ratio[0])
    assert coco.target.tolist() == [-1, 0, 0, 1]
    ratio = runtime_loss(art, best, [10.0, 30.0, 100.0], "ratio").ratio
    assert ratio.tolist() == [10 / 5, 10 / 5, 40 / 10]
    assert runtime_loss([10.0], [np.inf], [20.0]).ratio.tolist() == [0.0]
    assert np.isnan(runtime_loss([np.inf], [np.inf], [20.0]).ratio).all()


@pytest.mark.parametrize(("rule", "loss"), [("coco", 100 / 20), ("ratio", 40 / 20)])
def test_the_note_says_whose_hardest_target_it_is(rule, loss, loaded):
    """The algorithm's own, 1 within 100 evaluations; the reference has reached 0.1 by then."""
    one = run_set("a", [[10.0, 40.0, np.nan]], [200.0])
    reference = entry_of([10.0, 1.0, 0.1], [5.0, 20.0, 50.0])
    table = loss_table([one], TARGETS, by_cell([reference]), parse_budgets("50*D"), rule)
    assert (table["target"].tolist(), table["loss"].tolist()) == ([1.0], [loss])
    (note,) = (note for note in loaded.loss(rule=rule).notes if note.startswith("loss:"))
    assert "aRT to the hardest target with an aRT within the budget" in note
    assert ("or the budget, if the reference" in note) == (rule == "coco")


def test_the_best_loses_nothing_against_itself(loaded):
    name = loaded.algorithms[0]
    losses = loaded.loss(name, algorithms=name, rule="ratio")["loss"]
    assert set(losses[~np.isnan(losses)]) == {1.0}
    both = loaded.loss("best", rule="ratio")["loss"]
    assert (both[~np.isnan(both)] >= 1).all()


def test_another_algorithm_changes_no_loss(loaded):
    alone = loaded.loss("nelder-mead", algorithms="cma")
    together = loaded.loss("nelder-mead")
    mine = [row for row in together.rows() if row[0] == "cma"]
    assert repr(mine) == repr(list(alone.rows()))


def test_what_the_reference_lacks_is_left_out_and_said():
    entry = entry_of([10.0], [2.0])
    other = run_set("fast", FAST.hits, FAST.spent, function=2)
    table = loss_table([FAST, other], TARGETS, by_cell([entry]), parse_budgets("5*D"))
    assert table["function"].tolist() == [1]
    with pytest.raises(AssessmentError, match="reference has none"):
        loss_table([other], TARGETS, by_cell([entry]))


def test_a_note_counts_what_the_reference_lacks(loaded, archive):
    assert any("has no data for 10 of 12" in note for note in loaded.loss(archive).notes)


@pytest.fixture(scope="module")
def three(make_log, random_runs):
    return Results(make_log([run for i, name in enumerate("abc") for run in random_runs(i, name)]))


def columns(table, *names):
    return [table[name].tolist() for name in names]


def test_the_best_of_some_is_that_of_a_log_of_these(three, make_log, random_runs):
    """The tested algorithm takes part only where it is named."""
    two = Results(make_log(random_runs(1, "b") + random_runs(2, "c")))
    asked = three.art("1e1,1", reference="best:b,c", algorithms="a")
    known = two.best("1e1,1")
    assert columns(asked, "reference") == columns(known, "art")
    assert any("divided by that of best of 2," in note for note in asked.notes)
    of_coco = three.coco_table("1e1,1", reference="best:b, c", algorithms="a")
    assert (of_coco["reference"] > 0).all()
    one = three.art("1e1", reference="best:b")
    assert columns(one, "reference", "ratio") == columns(
        three.art("1e1", reference="b"), "reference", "ratio"
    )
    with pytest.raises(UnknownNameError, match="unknown algorithm 'd'"):
        three.art("1e1", reference="best:a,d")


def test_a_frozen_reference_is_what_was_frozen(three, tmp_path):
    file = tmp_path / "ours.csv"
    table = three.best(output=file)
    assert table.notes[-1] == f"reference file: {file}, with 6 pairs of function and dimension."
    for question in ("art", "ecdf", "coco_table", "loss"):
        more = {} if question == "loss" else {"targets": "1e1,1e0,1e-1"}
        frozen = getattr(three, question)(reference=str(file), **more)
        alive = getattr(three, question)(reference="best", **more)
        names = [name for name in ("reference", "ratio", "loss") if name in alive.names]
        assert columns(frozen, *names) == columns(alive, *names)
        assert any("ours" in note for note in frozen.notes)
    made = three.targets("runlength", str(file), [1, 10])
    assert made["target"].tolist() == three.targets("runlength", "best", [1, 10])["target"].tolist()


def test_a_frozen_reference_has_the_targets_asked_for(three, tmp_path):
    three.best("1e1,1e-2", functions=1, output=tmp_path / "ours.csv")
    lines = (tmp_path / "ours.csv").read_text().splitlines()
    assert lines[0].startswith("suite,function,dimension,target,art,algorithm,successes,runs,")
    assert len(lines) == 1 + 2 * 2
    with pytest.raises(AssessmentError, match="no data for f2 of bbob"):
        three.targets("runlength", str(tmp_path / "ours.csv"))


def test_what_is_no_frozen_reference_is_refused(three, tmp_path):
    with pytest.raises(AssessmentError, match="counts all evaluations"):
        three.best(output=tmp_path / "ours.csv", count="f")
    file = tmp_path / "bad.csv"
    for text, message in (
        ("suite,function\nbbob,1\n", "line 2: 'dimension'; needed are suite, function"),
        ("suite,function,dimension,target,art,algorithm,successes,runs\n", "holds none"),
        (
            "suite,function,dimension,target,art,algorithm,successes,runs\nbbob,1,2,1,0,a,1,1\n",
            "line 2: no target '1' with aRT '0'",
        ),
    ):
        file.write_text(text)
        with pytest.raises(AssessmentError, match=message):
            three.art("1e1", reference=str(file))
    with pytest.raises(AssessmentError, match="there is no such file"):
        three.art("1e1", reference="nowhere.csv")


@pytest.fixture
def shipped(tmp_path, monkeypatch):
    """A package cocopp that must not be imported, with one reference: aRT 4 to 10 and to 1."""
    folder = tmp_path / "site" / "cocopp" / "refalgs"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").write_text("raise RuntimeError('imported')\n")
    cells = [(function, dimension) for function in (1, 2, 3) for dimension in (2, 5)]
    inside = write_reference(tmp_path / "best2009-bbob", "bbob", cells, [(1.0, 4)])
    with tarfile.open(folder / "best2009-bbob.tar.gz", "w:gz") as archive:
        archive.add(inside, arcname="best2009-bbob")
    spec = SimpleNamespace(submodule_search_locations=[str(folder.parent)])
    monkeypatch.setattr(references, "find_spec", lambda name: spec)


def test_a_reference_of_cocopp_goes_by_its_name(three, shipped):
    table = three.art("1e1,1", reference="best2009-bbob")
    assert set(table["reference"].tolist()) == {4.0}
    assert any("that of best2009-bbob" in note for note in table.notes)
    with pytest.raises(UnknownNameError, match="Did you mean 'best2009-bbob'"):
        three.art("1e1", reference="best2009-bob")


def test_without_cocopp_a_sentence_says_where_to_get_it(three, monkeypatch):
    monkeypatch.setattr(references, "find_spec", lambda name: None)
    with pytest.raises(AssessmentError, match=r"pip install cocopp.*best2009-bbob\.tar\.gz from"):
        three.art("1e1", reference="best2009-bbob")


def test_the_installed_cocopp_brings_best2009(peers):
    assert {"best2009-bbob", "best2016-bbob-biobj"} <= set(references.cocopp_references())


def test_sections_find_hits_and_references_in_the_context(log_folder, monkeypatch):
    log = firsthit.load(log_folder / "cma.h5").filter(dimensions=2).log
    choices = Choices(reference="best", background=str(log_folder / "nelder-mead.h5"))
    expected = section(read_context(log, ["cma.h5"], choices))["ecdf"]
    context = read_context(log, ["cma.h5"], choices)
    for name in ("hits", "first_hits"):
        monkeypatch.delattr(type(log), name)
    np.testing.assert_equal(section(context)["ecdf"], expected)
    assert context.averaged.reference.entries


def test_a_long_cell_of_a_reference_is_quoted_in_part(three, tmp_path):
    path = tmp_path / "reference.csv"
    three.best(output=path)
    header, *lines = path.read_text().splitlines()
    cells = lines[0].split(",")
    cells[header.split(",").index("target")] = "9" * 400
    path.write_text("\n".join([header, ",".join(cells), *lines[1:]]))
    with pytest.raises(AssessmentError, match=r"no target '9{199}…' with aRT"):
        three.art(reference=str(path))


def test_a_reference_that_lacks_lines_is_refused(three, tmp_path):
    path = tmp_path / "reference.csv"
    three.best(output=path)
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:-3]))
    with pytest.raises(AssessmentError, match=rf"incomplete: it has {len(lines) - 4} targets, but"):
        three.art("1e1", reference=str(path))
    old = [line.rsplit(",", 1)[0] + "\n" for line in lines]  # as versions without the column wrote
    path.write_text("".join(old))
    assert three.art("1e1", reference=str(path))["ratio"].tolist()
