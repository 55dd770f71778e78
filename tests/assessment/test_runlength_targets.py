"""Run-length based targets: the paper's rule by hand, cocopp's beside cocopp itself.

Private names: run-length targets are compared with those of cocopp before they enter a table.
"""

import warnings
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.assessment import AssessmentError
from firsthit.assessment.targets.budgets import parse_budgets
from firsthit.assessment.targets.runlength import (
    STEP,
    TABLE_BUDGETS,
    cocopp_runlength_targets,
    on_coco_grid,
    runlength_targets,
)
from firsthit.assessment.targets_from_runs import runlength_table
from firsthit.loggers import read_reference

from .cocopp_oracle import contained

OF_PROFILES = parse_budgets("0.5..50/15*D")
PROFILE_BUDGETS = [budget.factor for budget in OF_PROFILES]
PAPER_BUDGETS = [budget.factor for budget in TABLE_BUDGETS]
COCO_GRID = [10 ** (k / 5) for k in range(10, -41, -1)]


@st.composite
def references(draw):
    """Recorded targets of a reference, some left out, with aRT that never falls."""
    first = draw(st.integers(0, 20))
    n = draw(st.integers(1, 51 - first))
    runtimes = np.cumsum(draw(st.lists(st.integers(0, 40), min_size=n, max_size=n))) + 1
    keep = np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    keep[0] = True
    return np.array(COCO_GRID)[first : first + n][keep], runtimes[keep].astype(float)


@given(references())
def test_left_out_targets_cost_what_the_next_harder_one_does(reference):
    targets, runtimes = reference
    on_grid, art = on_coco_grid(targets, runtimes)
    assert on_grid[0] == pytest.approx(targets[0])
    assert on_grid[-1] == 1e-8
    np.testing.assert_allclose(np.diff(np.log10(on_grid)), -0.2)
    for target, runtime in zip(on_grid, art, strict=True):
        harder = [a for t, a in zip(targets, runtimes, strict=True) if t <= target * (1 + 1e-9)]
        assert runtime == (harder[0] if harder else np.inf)


@given(references(), st.lists(st.floats(1, 500), min_size=1, max_size=6).map(sorted))
def test_where_targets_may_repeat_the_rules_agree_but_for_cocopps_billionth(reference, budgets):
    """The paper's: the easiest target whose aRT exceeds the budget, else 1e-8. cocopp's: one step
    below the hardest reached, times 1 + 1e-9."""
    targets, runtimes = on_coco_grid(*reference)
    paper = runlength_targets(targets, runtimes, budgets)
    for budget, found in zip(budgets, paper, strict=True):
        missed = [t for t, a in zip(targets, runtimes, strict=True) if a > budget]
        assert found == (max(missed) if missed else 1e-8)
    cocopp = cocopp_runlength_targets(*reference, budgets, factor=1.0)
    np.testing.assert_allclose(paper, cocopp, rtol=1.1e-9)


@pytest.fixture(scope="module")
def cocopp_targets(peers, tmp_path_factory):
    """cocopp's RunlengthBasedTargetValues, imported without network and noise."""
    with contained(tmp_path_factory.mktemp("home")):
        pproc = import_module("cocopp.pproc")

    def targets(entry, budgets, factor, unique=False):
        data = SimpleNamespace(target=entry.targets, ert=entry.average_runtimes, algId="reference")
        cell = (entry.function, entry.dimension)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return pproc.RunlengthBasedTargetValues(
                list(budgets), {cell[::-1]: data}, 1e-8, True, factor, unique
            )(cell)

    return targets


@pytest.fixture(scope="module")
def best2009(peers):
    """The 144 entries of COCO's reference algorithm, from the installed cocopp."""
    folder = Path(find_spec("cocopp").origin).parent
    entries = read_reference(folder / "refalgs" / "best2009-bbob.tar.gz")
    assert len(entries) == 144
    return entries


def evaluations(entry, budgets):
    return [budget * entry.dimension for budget in budgets]


@pytest.mark.parametrize("unique", [False, True])
def test_targets_of_profiles_are_cocopps(best2009, cocopp_targets, unique):
    """Factor 1, as for its ECDFs; and the paper's rule is the same up to their 1 + 1e-9."""
    budgets = PROFILE_BUDGETS
    for one in best2009:
        theirs = cocopp_targets(one, budgets, 1.0, unique)
        known, counts = (one.targets, one.average_runtimes), evaluations(one, budgets)
        ours = cocopp_runlength_targets(*known, counts, 1.0, unique)
        np.testing.assert_allclose(ours, theirs, rtol=1e-12)
        if not unique:
            paper = runlength_targets(*on_coco_grid(*known), counts)
            np.testing.assert_allclose(paper, theirs, rtol=1.1e-9)


def test_tables_differ_from_cocopps_only_where_rounding_decides_for_it(best2009, cocopp_targets):
    """Its factor 10**0.2 is to force different targets, but equal ones that differ in the last
    digit pass for different; all deviations are of this kind, and the paper's option (ii), with
    whole steps of the grid, gives our numbers on all 144."""
    deviations = 0
    for one in best2009:
        theirs = cocopp_targets(one, PAPER_BUDGETS, STEP)
        known, counts = (one.targets, one.average_runtimes), evaluations(one, PAPER_BUDGETS)
        ours = cocopp_runlength_targets(*known, counts, STEP)
        paper = runlength_targets(*on_coco_grid(*known), counts, distinct=True)
        np.testing.assert_allclose(paper, ours, rtol=1e-8)
        assert (np.diff(ours)[ours[1:] > 1e-8] < -0.1 * ours[1:][ours[1:] > 1e-8]).all()
        if not np.allclose(ours, theirs, rtol=1e-12):
            deviations += 1
            assert np.isclose(theirs[1:], theirs[:-1], rtol=1e-12).any()
    assert 0 < deviations < 20


def test_the_table_tells_where_targets_come_from(best2009):
    table = runlength_table(best2009[:2], parse_budgets("10*D,0.5*D"), "paper", "best2009")
    assert table.names == ("suite", "function", "dimension", "budget", "target")
    assert table["budget"].tolist() == [0.5, 10.0] * 2
    assert table.notes == ("targets: 2 run-length targets 0.5D … 10D of best2009 (rule: paper).",)
    one = best2009[0]
    own = table.target_set.of(one.suite, one.function, one.dimension)
    assert own == tuple(table["target"][:2].tolist())
    with pytest.raises(AssessmentError, match="there are none for f99 of bbob in 3-D"):
        table.target_set.of("bbob", 99, 3)


def test_unique_targets_have_no_budgets(best2009):
    table = runlength_table(best2009[:1], OF_PROFILES, "cocopp-unique", "best2009")
    assert "budget" not in table.names
    assert len(set(table["target"].tolist())) == len(table) < 31
