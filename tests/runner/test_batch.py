"""Pieces of a campaign, run apart and merged: the same runs, each once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.runner import (
    Batch,
    Campaign,
    CampaignError,
    OptimizerRef,
    RunRules,
    SuiteChoice,
    parse_batch,
    parse_budget,
    piece,
    plan,
)

from .conftest import log_content

TEXT = (
    "imports: [toy.py]\nsuite: runner-toy\ndimensions: [2, 3]\ninstances: 1-2\nworkers: 1\n"
    "budget: '[1, 3] * D'\noptimizers: [random-search, 'toy.py:walk']\nrepetitions: 2\n"
)


@pytest.fixture
def campaign(folder):
    file = folder / "pieces.yaml"
    file.write_text(TEXT)
    return file


def bbob(functions, dimensions, instances, budget="10 * D"):
    choice = SuiteChoice("bbob", functions, dimensions, instances)
    optimizers = (OptimizerRef("a", "random-search"), OptimizerRef("b", "random-search"))
    return plan(Campaign("c", (choice,), optimizers, RunRules(parse_budget(budget))))


numbers = st.lists(st.integers(1, 24), min_size=1, max_size=6, unique=True).map(tuple)


@given(numbers, st.sampled_from([(2,), (2, 3, 5)]), numbers, st.integers(1, 30))
def test_pieces_share_the_runs_evenly(functions, dimensions, instances, pieces):
    runs = bbob(functions, dimensions, instances, "[1, 2] * D")
    problems = len(functions) * len(dimensions) * len(instances)
    pieces = min(pieces, problems)
    parts = [piece(runs, Batch(number, pieces)) for number in range(1, pieces + 1)]
    keys = [run.identity.key for part in parts for run in part]
    assert sorted(keys) == sorted(run.identity.key for run in runs)
    owned = [len({run.problem_id for run in part}) for part in parts]
    assert max(owned) - min(owned) <= 2
    assert all(len(part) == 4 * count for part, count in zip(parts, owned, strict=True))


def test_every_piece_has_its_share_of_functions_and_dimensions():
    """24 functions in 24 pieces, a trap for dealing out in turn: one function a piece."""
    runs = bbob(tuple(range(1, 25)), (2, 3), tuple(range(1, 13)))
    for number in range(1, 25):
        own = {run.problem_id for run in piece(runs, Batch(number, 24))}
        assert len({problem.function for problem in own}) >= 12
        assert sum(problem.dimension == 2 for problem in own) == len(own) // 2 == 12


@pytest.mark.parametrize(
    "text", ["0/3", "4/3", "1/0", "1", "a/b", "1/3/5", "-1/3", "1.0/3", "", "1/9999999", "١/٣"]
)
def test_what_is_no_piece_is_told(text, campaign, cli):
    with pytest.raises(CampaignError, match=r"--batch: .* is no piece; write i/n"):
        parse_batch(text)
    code, _, err = cli("run", f"--batch={text}", campaign)
    assert code == 2
    assert "is no piece; write i/n, such as 2/5" in err


def test_an_empty_piece_is_told(campaign, cli):
    code, _, err = cli("check", "--batch", "40/40", campaign)
    assert code == 2
    assert "piece 40/40 is empty, as there are 12 problems; use at most as many pieces" in err


def test_pieces_merge_to_the_whole(campaign, cli, tmp_path):
    for number in (1, 2, 3):
        code, _, err = cli("run", "--batch", f"{number}/3", campaign)
        assert code == 0, err
    names = [f"pieces.{number}-of-3.h5" for number in (1, 2, 3)]
    assert sorted(path.name for path in (tmp_path / "results").iterdir()) == names
    code, _, err = cli("merge", *(f"results/{name}" for name in names), "--output", "merged.h5")
    assert code == 0, err
    assert cli("run", campaign, "--output", "whole.h5")[0] == 0
    assert log_content(tmp_path / "merged.h5") == log_content(tmp_path / "whole.h5")
    code, _, err = cli("run", "--batch", "2/3", campaign)
    assert code == 0
    assert "nothing to do" in err
    code, _, err = cli("run", campaign, "--output", "merged.h5")
    assert "nothing to do, 96 were in the log" in err


def test_a_piece_is_continued(campaign, cli, tmp_path):
    assert cli("run", "--batch", "1/2", "--repetitions", 1, campaign)[0] == 0
    _, _, err = cli("run", "--batch", "1/2", campaign)
    assert "24 runs made" in err
    assert "24 were in the log" in err


def test_the_output_that_is_given_is_the_pieces_own(campaign, cli, tmp_path):
    assert cli("run", "--batch", "1/6", "--output", "mine.h5", campaign)[0] == 0
    assert (tmp_path / "mine.h5").is_file()
    _, out, _ = cli("check", "--batch", "1/6", campaign)
    assert "log: results/pieces.1-of-6.h5" in out
    assert "16 runs in 2 stages, " in out
